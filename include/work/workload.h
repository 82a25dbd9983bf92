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
 * The work of a worker. The same compiled function runs as a thread and as a process and does not
 * know which. It gets plain arguments, returns a plain result, and uses no global data. The amount
 * of work is fixed by its size, never by time.
 */

struct work_own;

/* How prepare() leaves the page cache of the files that the workers will read. */
enum work_cache {
	CACHE_WARM,  /* It reads the file, so the file is cached. */
	CACHE_COLD,  /* It drops the file from the cache, and checks that it is gone. */
	CACHE_LEAVE, /* It does nothing. */
};

struct work_args {
	uint64_t size;	/* in the workload's unit; for io, 0 is the whole file */
	uint64_t alloc; /* cpu: bytes to allocate and free in every step; 0: none */
	/* io: the file to copy; if it is longer than size, only its first size bytes */
	const char *io_path;
	const char *tmp_dir;  /* io, write: directory for their unnamed files */
	uint32_t cache;	      /* io: enum work_cache */
	struct work_own *own; /* own: the loaded shared object */
	FILE *out;	      /* hello: output stream of the process */
	/*
	 * io, write: descriptor of the file that all of them write; 0: each writes its own. serve,
	 * events: the file that all read.
	 */
	int one_file;
	struct mistakes mistakes;
	uint32_t counting;	/* share: enum counting */
	bool one_process;	/* all workers of the run are threads of one process */
	void *ballast;		/* touch: memory that the parent has touched before */
	uint64_t ballast_bytes; /* size of the ballast */
	/* NULL for workloads that do not tick, and if nobody records when the worker ran */
	struct work_ticker *ticker;
	/*
	 * Memory that the run's workers of this kind share, whether threads or processes:
	 * shared_bytes() bytes, zeroed for each run, freed with the last task. NULL: 0 bytes.
	 */
	void *shared;
	uint32_t index,
		peers; /* Its number among the workers of its kind, and how many there are. */
	enum via via;  /* token: how the two workers hand it over, and on which cores they are */
	enum via_cores cores;
	uint32_t fibers; /* token with VIA_UCONTEXT: number of fibers in a worker */
	/* message: senders or receivers of a group, 1 to WORK_MESSAGE_MOST each */
	uint32_t senders, receivers;
	pid_t pid, tid; /* the worker's ids, by which others reach it */
	struct tally
		*tally; /* where kinds with WORK_OPERATES() add their operations; NULL: nowhere */
	const struct serving *serving; /* serve, events: what they do for each request; token */
	int listener;		       /* descriptor on which the worker accepts; -1: none */
	/* serve: the worker's only connection, already accepted; -1: it accepts connections */
	int connection;
	/*
	 * serve, events: counts workers that wait for a connection and connections that wait for a
	 * request; NULL: the server has no idle connections.
	 */
	_Atomic uint32_t *ready;
	/*
	 * serve, events: where the worker records the times of some requests, with the number slot;
	 * NULL: nowhere
	 */
	struct serving_marks *marks;
	uint32_t slot;
};

struct work_result {
	/*
	 * The result: divisors found, bytes copied or read back, lines visited or written, 10^15
	 * pi.
	 */
	uint64_t value;
	struct work_steps steps;
	uint64_t checked; /* Bytes read after the work only to check it. */
	/* After an error, the file or directory that it concerns, from args; or NULL. */
	const char *path;
};

/* The description of a kind of work. Its name is in plan_work_name(). */
struct workload_ops {
	const char *about;     /* What the workers do, for --help: "look for divisors". */
	const char *amount;    /* Its size, for --help: "BYTES copied"; NULL: it has no size. */
	const char *unit;      /* Unit of size, for messages: "number", "bytes". */
	uint64_t default_size; /* About a second on one core, where that makes sense. */
	uint64_t least_size,
		most_size;	  /* Limits of a meaningful size. 0: least 1, no upper limit. */
	uint64_t written, memory; /* Bytes on disk, and bytes in memory, for each unit of size. */
	/* It copies a file. If the user gives no io_path, the run makes this file as well. */
	bool copies;
	bool ticks; /* run() checks args->ticker in its loops. */
	bool talks; /* Its workers wait for one another, too often to record each wait. */
	bool says;  /* It writes to `out`, which is shared by all workers of a process. */
	/*
	 * Returns the number of bytes that the workers share, 0 for none. Called once per run
	 * before all else, with the workers' arguments except `shared`. May be NULL.
	 */
	size_t (*shared_bytes)(const struct work_args *args);
	/*
	 * Called once per run before any worker exists, with the workers' arguments. Gives every
	 * worker the same conditions. Returns 0, or -errno and sets result->path. May be NULL.
	 */
	int (*prepare)(const struct work_args *args, struct work_result *result);
	/*
	 * Called once in each worker. Does the whole work. Returns 0; -EILSEQ if it finds that its
	 * own result is wrong; -errno. Frees all memory that it allocates.
	 */
	int (*run)(const struct work_args *args, struct work_result *result);
};

/* Whether the workload can do that amount of work. */
bool workload_takes(const struct workload_ops *ops, uint64_t size);

/* NULL for a kind without a workload. */
const struct workload_ops *workload_get(enum work_kind kind);

/* The entries of the table; each is defined in a file of its own. */
#define WORK_OPS(number, NAME, name) extern const struct workload_ops work_##name##_ops;
WORK_LIST(WORK_OPS)
#undef WORK_OPS

#define WORK_HELLO_LINE "hello linux\n"
