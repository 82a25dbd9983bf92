/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_WORKLOAD_H
#define TUIBENCH_WORKLOAD_H

#include <stdint.h>

#include "plan.h"

/*
 * What a worker does. The same compiled function runs as a thread and as a process and knows
 * neither: it gets plain arguments, returns a plain result, and touches nothing global.
 * The amount of work is fixed by its size, never by time.
 */

struct work_args {
	uint64_t size;	     /* in the workload's unit */
	uint64_t alloc;	     /* cpu: bytes to malloc and free in every step, 0 for none */
	const char *io_path; /* io: the file to copy */
	const char *tmp_dir; /* io: where the copy lives, as an unnamed file */
};

struct work_result {
	uint64_t value; /* what was found, in the workload's own terms */
};

struct workload_ops {
	const char *name;
	const char *unit;      /* of size, for messages: "number", "bytes" */
	uint64_t default_size; /* about a second of one core where that makes sense */
	/*
	 * Does the whole work, called once in each worker. 0; -EILSEQ when it finds its own result
	 * wrong; -errno. May allocate, and frees what it allocated.
	 */
	int (*run)(const struct work_args *args, struct work_result *result);
};

/* Never NULL for a valid kind whose workload exists; NULL otherwise. */
const struct workload_ops *workload_get(enum work_kind kind);

#endif
