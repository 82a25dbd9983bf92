/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/fields.h"

/* A thread's or program's name, as the kernel keeps it (TASK_COMM_LEN). */
#define SAMPLE_TASK_NAME 16
/* Tasks of one run's commands that are kept, at most. */
#define SAMPLE_MOST_TASKS 100000u

/*
 * A task of a command: a process, or a thread of one (its tid is not its pid). Indices of tasks
 * follow the indices of the plan's workers, so a slice can name either. ns since the run's begin.
 */
struct sample_task {
	uint32_t index;
	uint32_t worker; /* the worker to whose command it belongs */
	/*
	 * The index of its parent's process, or for a thread of its own process; -1: the command's
	 * first process.
	 */
	int32_t parent;
	int32_t pid, tid;
	int32_t exit_status;	     /* as a shell has it, 128 + n of signal n; -1: not known */
	int64_t begin_ns, end_ns;    /* end_ns -1: not ended */
	int64_t cpu_ns;		     /* when it had ended; -1: not known */
	int64_t waited_ns;	     /* when it was last seen blocked; -1: it was not */
	int16_t waited;		     /* the reason then, enum sample_wait */
	char name[SAMPLE_TASK_NAME]; /* ""; not known */
};

/* Its members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_task_fields[];
