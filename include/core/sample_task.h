/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/fields.h"

/* Bytes of a thread's or program's name, the kernel's TASK_COMM_LEN. */
#define SAMPLE_TASK_NAME 16
/* At most this many tasks of one run's commands are recorded. */
#define SAMPLE_MOST_TASKS 100000u

/*
 * A task of a command: a process or a thread. A thread's tid differs from its pid. The indices of
 * tasks begin after the indices of the plan's workers, so an index names either a task or a worker.
 * Times are in ns since the run's beginning.
 */
struct sample_task {
	uint32_t index;
	uint32_t worker; /* the worker whose command created the task */
	/*
	 * Index of the parent; for a thread, index of its own process. -1: the command's first
	 * process.
	 */
	int32_t parent;
	int32_t pid, tid;
	int32_t exit_status;	     /* As a shell reports it: 128 + n for signal n; -1: unknown. */
	int64_t begin_ns, end_ns;    /* end_ns is -1 while the task runs. */
	int64_t cpu_ns;		     /* CPU time, set when the task has ended; -1: unknown. */
	int64_t waited_ns;	     /* When the task was last seen blocked; -1: never. */
	int16_t waited;		     /* enum sample_wait: why the task was blocked then */
	char name[SAMPLE_TASK_NAME]; /* "" if unknown. */
};

/*
 * The members by their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_task_fields[];
