/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_WORK_H
#define TUIBENCH_WORK_H

#include <stdint.h>

/*
 * Your own work for tuibench --own ./mine.so: a shared object that defines tuibench_work. The same
 * function runs as a thread and as a process, and cannot distinguish the two. See
 * tuibench-experiments(7).
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Version of these structs. tuibench refuses a shared object that was built for another version. */
#define TUIBENCH_WORK_ABI 1

/* What run() gets, on the stack of its worker. prepare() gets one with index 0. */
struct tuibench_worker {
	uint64_t size; /* Amount of work, in units: --own mine.so,SIZE */
	/*
	 * Number of the worker among the workers of its kind, from 0, and the number of these
	 * workers.
	 */
	uint32_t index, workers;
	void *data;	 /* Set by prepare(). Threads share it, processes copy it. */
	void *shared;	 /* shared_bytes of zeroed memory that all workers share, or NULL */
	uint64_t result; /* Set by run(): the result of the work, such as a count or a sum */
	/* tuibench sets these members for tuibench_tick(). Leave them alone. */
	void (*look)(struct tuibench_worker *worker);
	uint64_t left, steps;
	void *ticker;
};

/* A kind of work. Members that are not set are 0. */
struct tuibench_work {
	uint32_t abi;	      /* TUIBENCH_WORK_ABI */
	uint32_t same_result; /* 1: the run fails unless all workers have the same result */
	const char *name;     /* Such as "sort" */
	const char *unit;     /* Unit of size, such as "numbers" */
	/* Default size. Choose it so that the work takes one core about a second. */
	uint64_t size;
	/* Bytes of memory that all workers share, whether threads or processes. */
	uint64_t shared_bytes;
	/*
	 * Called once in each run, before any worker exists. Returns 0, or an errno with which the
	 * run fails.
	 */
	int (*prepare)(struct tuibench_worker *worker);
	/* Called once in each worker. Does `size` units of work. Returns 0 or an errno. */
	int (*run)(struct tuibench_worker *worker);
};

extern const struct tuibench_work tuibench_work;

/*
 * Call it in the loop of run(), as often as you like. The calls record when the worker was on a
 * core.
 */
static inline void tuibench_tick(struct tuibench_worker *worker)
{
	if (--worker->left == 0)
		worker->look(worker);
}

#ifdef __cplusplus
}
#endif

#endif
