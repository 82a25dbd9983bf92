/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/plan.h"
#include "core/serving.h"
#include "core/tally.h"
#include "work/work_tick.h"

/*
 * The work of a worker. The same compiled function runs as a thread and as a process and knows
 * neither. It gets plain arguments, returns a plain result, and touches nothing global. The amount
 * of work is fixed by its size, never by time.
 */

struct work_own;

/* The page cache of what the workers will read, as prepare() leaves it. */
enum work_cache {
	CACHE_WARM,  /* reads it */
	CACHE_COLD,  /* drops it, and makes sure that it is gone */
	CACHE_LEAVE, /* nothing */
};

struct work_args {
	uint64_t size;	      /* in the workload's unit; for io 0: the whole file */
	uint64_t alloc;	      /* cpu: bytes to malloc and free in every step, 0 for none */
	const char *io_path;  /* io: the file to copy, its first size bytes if it has more */
	const char *tmp_dir;  /* io, write: where their files live, without a name */
	uint32_t cache;	      /* io: enum work_cache */
	struct work_own *own; /* own: as it was loaded */
	FILE *out;	      /* hello: the stream of the process */
	/* io, write: what all of the kind write, 0: each its own. serve, events: what all read. */
	int one_file;
	struct mistakes mistakes;
	uint32_t counting;	    /* share: enum counting */
	bool one_process;	    /* the run's workers are threads of one */
	void *ballast;		    /* touch: what the parent has touched before */
	uint64_t ballast_bytes;	    /* size of the ballast */
	struct work_ticker *ticker; /* ticker of workloads that tick; NULL: nobody records when the
				       worker ran */
	/*
	 * Memory that the run's workers of this kind share, threads and processes alike. It has
	 * shared_bytes() bytes, zeroed for each run, and ends with the last task; NULL: 0 bytes.
	 */
	void *shared;
	uint32_t index, peers; /* its place among the workers of its kind, and their number */
	enum via via;	       /* token: by which two workers hand it over, and where they are */
	enum via_cores cores;
	uint32_t fibers;	       /* token, by VIA_UCONTEXT: how many play in a worker */
	uint32_t senders, receivers;   /* message: of a group, 1 to WORK_MESSAGE_MOST each */
	pid_t pid, tid;		       /* the worker's ids, by which others reach it */
	struct tally *tally;	       /* where kinds that WORK_OPERATES() add operations; NULL */
	const struct serving *serving; /* serve, events: what they do for each request; token */
	int listener;		       /* where they accept; -1 */
	int connection; /* serve: the only one of this worker, accepted already; -1: it accepts */
	/*
	 * serve, events: counts workers once they wait for a connection, and connections once
	 * somebody waits for their request; NULL: the server has no idle connections.
	 */
	_Atomic uint32_t *ready;
};

struct work_result {
	/* The value found: divisors, bytes copied or read back, lines visited or said, 10^15 pi. */
	uint64_t value;
	struct work_steps steps;
	uint64_t checked; /* bytes read after the work, only to check it */
	const char
		*path; /* after an error: the file or directory it concerns, from args; or NULL */
};

/* All there is to know about a kind of work. Its name is plan_work_name()'s. */
struct workload_ops {
	const char *about;		/* the workers' activity, for --help: "look for divisors" */
	const char *amount;		/* its size there: "BYTES copied"; NULL: it has none */
	const char *unit;		/* unit of size, for messages: "number", "bytes" */
	uint64_t default_size;		/* about a second of one core where that makes sense */
	uint64_t least_size, most_size; /* limits of a meaningful size; 0: 1, no limit */
	uint64_t written, memory;	/* bytes on disk, bytes in memory for each unit of size */
	bool copies;			/* io_path: a file more where none is given */
	bool ticks;			/* run() looks at args->ticker in its loops */
	bool talks; /* its workers wait for one another, too often to count each time */
	bool says;  /* to out: one file for all, and only where it is one */
	/*
	 * Returns the bytes that the workers share, 0 for none. Called once per run before all
	 * else, with the workers' arguments except `shared`. May be NULL.
	 */
	size_t (*shared_bytes)(const struct work_args *args);
	/*
	 * Called once per run before any worker exists, with the arguments that the workers will
	 * get: makes what they find alike for each. 0 or -errno with result->path. May be NULL.
	 */
	int (*prepare)(const struct work_args *args, struct work_result *result);
	/*
	 * Does the whole work, called once in each worker. 0; -EILSEQ when it finds its own result
	 * wrong; -errno. May allocate, and frees what it allocated.
	 */
	int (*run)(const struct work_args *args, struct work_result *result);
};

/* The workload can do that amount of work. */
bool workload_takes(const struct workload_ops *ops, uint64_t size);

/* NULL for a kind without a workload. */
const struct workload_ops *workload_get(enum work_kind kind);

/* The members of the table, one file each. */
#define WORK_OPS(number, NAME, name) extern const struct workload_ops work_##name##_ops;
WORK_LIST(WORK_OPS)
#undef WORK_OPS

#define WORK_HELLO_LINE "hello linux\n"
