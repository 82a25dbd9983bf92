/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_WORK_H
#define TUIBENCH_WORK_H

#include <stdint.h>

/*
 * Your own work for tuibench --own ./mine.so: a shared object that defines tuibench_work. The same
 * function runs as a thread and as a process, and does not know which. See
 * tuibench-experiments(7).
 */

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these structs; a shared object built for another one is refused. */
#define TUIBENCH_WORK_ABI 1

/* What a worker is given; its own, on its stack. */
struct tuibench_worker {
	uint64_t size;		 /* how much to do, in units: --own mine.so,SIZE */
	uint32_t index, workers; /* its number from 0 among the workers of this kind */
	void *data;		 /* as prepare() left it: threads share it, processes copy it */
	void *shared;		 /* shared_bytes of zeroes that all workers share; or NULL */
	uint64_t result;	 /* run() says what it found: a count, a sum */
	/* tuibench_tick()'s own. */
	void (*look)(struct tuibench_worker *worker);
	uint64_t left, steps;
	void *ticker;
};

/* A kind of work; what is left out is 0. */
struct tuibench_work {
	uint32_t abi;	       /* TUIBENCH_WORK_ABI */
	uint32_t same_result;  /* 1: all workers find the same result, else the run has failed */
	const char *name;      /* of the work, "sort" */
	const char *unit;      /* of size, "numbers" */
	uint64_t size;	       /* where none is asked for: best about a second of one core */
	uint64_t shared_bytes; /* of memory that all workers share, threads and processes alike */
	/* Called once in each run, before any worker exists. 0, or an errno: the run fails. */
	int (*prepare)(struct tuibench_worker *worker);
	/* Called once in each worker: does size units of work. 0, or an errno. */
	int (*run)(struct tuibench_worker *worker);
};

extern const struct tuibench_work tuibench_work;

/* In run()'s loop, as often as it likes: so it is known when the worker was on a core. */
static inline void tuibench_tick(struct tuibench_worker *worker)
{
	if (--worker->left == 0)
		worker->look(worker);
}

#ifdef __cplusplus
}
#endif

#endif
