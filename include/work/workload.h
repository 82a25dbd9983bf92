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
 * The work of a worker. The same compiled function runs as a thread and as a process, and does the
 * same work in both, except that the lock of share depends on one_process. The function gets plain
 * arguments, returns a plain result, and uses no global data. The amount of work is fixed by its
 * size, never by time.
 */

struct work_own;

/* What prepare() does with the page cache of the files that the workers will read. */
enum work_cache {
	CACHE_WARM,  /* Read the file, so that it is cached. */
	CACHE_COLD,  /* Drop the file from the cache, and check that it is gone. */
	CACHE_LEAVE, /* Leave the cache unchanged. */
};

struct work_args {
	uint64_t size;	/* in the workload's unit; for io, 0 is the whole file */
	uint64_t alloc; /* cpu: bytes to allocate and free in every step; 0: none */
	/* io: the file to copy; if it is longer than size, only its first size bytes */
	const char *io_path;
	const char *tmp_dir;  /* io, write: directory for the workers' unnamed files */
	uint32_t cache;	      /* io: enum work_cache */
	struct work_own *own; /* own: the loaded shared object */
	FILE *out;	      /* hello: output stream of the process */
	/*
	 * io, write: descriptor of one file that all workers write; 0: each writes its own. serve,
	 * events: the file that all workers read.
	 */
	int one_file;
	struct mistakes mistakes;
	uint32_t counting; /* share: enum counting */
	bool one_process;  /* all workers of the run are threads of one process */
	void *ballast;	   /* touch: memory that the parent has written before */
	uint64_t ballast_bytes;
	/* NULL for workloads without a loop, and if the run does not record when workers ran */
	struct work_ticker *ticker;
	/*
	 * Memory that the run's workers of this kind share, whether threads or processes:
	 * shared_bytes() bytes, zeroed for each run, freed with the last task. NULL if
	 * shared_bytes() is 0.
	 */
	void *shared;
	/* The worker's number among the workers of its kind, and how many there are. */
	uint32_t index, peers;
	/* token, message: the way to pass data. token: the cores of the two workers. */
	enum via via;
	enum via_cores cores;
	uint32_t fibers; /* token with VIA_UCONTEXT: number of fibers in a worker */
	/* message: senders or receivers of a group, 1 to WORK_MESSAGE_MOST each */
	uint32_t senders, receivers;
	pid_t pid, tid; /* IDs of the worker, by which other workers can signal it */
	struct tally
		*tally; /* where kinds with WORK_OPERATES() add their operations; NULL: nowhere */
	/* serve, events: the work for each request; token: only its wait_ns */
	const struct serving *serving;
	int listener; /* descriptor on which the worker accepts; -1: none */
	/*
	 * serve: the worker's only connection, already accepted; -1: the worker accepts connections
	 * itself
	 */
	int connection;
	/*
	 * serve, events: incremented by each worker that begins to accept connections, and by each
	 * connection on which the server begins to wait for a request. Never decremented. NULL: the
	 * server has no idle connections.
	 */
	_Atomic uint32_t *ready;
	/*
	 * serve, events: where the times of some requests are stored, marked with `slot`; NULL: not
	 * recorded
	 */
	struct serving_marks *marks;
	uint32_t slot; /* the worker's number on the scoreboard */
};

struct work_result {
	/*
	 * The result, in a unit of the workload: divisors, bytes, increments, requests … See
	 * work_NAME.c.
	 */
	uint64_t value;
	struct work_steps steps;
	uint64_t checked; /* Bytes read after the work only to check it. */
	/* After an error, the file or directory that caused it, from args; or NULL. */
	const char *path;
};

/* The description of a kind of work. Its name is in plan_work_name(). */
struct workload_ops {
	const char *about; /* What the workers do, for --help: "look for divisors". */
	/* The size in words, for --help: "BYTES copied"; NULL: the work has no size. */
	const char *amount;
	const char *unit; /* Unit of size, for messages: "number", "bytes". */
	/* 0: the work has no size. */
	uint64_t default_size;
	/* The range of sizes that make sense. least_size 0 means 1; most_size 0 means no limit. */
	uint64_t least_size, most_size;
	/* Bytes on disk, and bytes in memory, that each unit of size needs. */
	uint64_t written, memory;
	/*
	 * The workers copy a file, args->io_path. If the user names no file, the run makes it too.
	 */
	bool copies;
	bool ticks; /* run() checks args->ticker in its loops, see work_tick.h. */
	bool talks; /* The workers wait for one another too often for each wait to be recorded. */
	bool says;  /* The workers write to args->out, which all workers of a process share. */
	/*
	 * Returns the number of bytes that the workers share. Called once per run before the other
	 * functions, with the workers' arguments except `shared`. NULL: the workers share nothing.
	 */
	size_t (*shared_bytes)(const struct work_args *args);
	/*
	 * Sets up what the workers share: warms the cache, initializes shared memory. Called once
	 * per run before any worker exists, with the workers' arguments. Returns 0, or -errno and
	 * may set result->path. NULL: nothing to prepare.
	 */
	int (*prepare)(const struct work_args *args, struct work_result *result);
	/*
	 * Does the whole work. Called once in each worker. Returns 0; -EILSEQ if it finds that its
	 * own result is wrong; -errno. Frees all memory that it allocates.
	 */
	int (*run)(const struct work_args *args, struct work_result *result);
};

/* Whether the workload can do an amount of work of that size. */
bool workload_takes(const struct workload_ops *ops, uint64_t size);

/* The workload of a kind; NULL if the kind has none. */
const struct workload_ops *workload_get(enum work_kind kind);

/* The entries of the table. Each is defined in the file of its workload. */
#define WORK_OPS(number, NAME, name) extern const struct workload_ops work_##name##_ops;
WORK_LIST(WORK_OPS)
#undef WORK_OPS

#define WORK_HELLO_LINE "hello linux\n"
