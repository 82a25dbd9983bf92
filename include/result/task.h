/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reason.h"
#include "core/sample_task.h"
#include "model/model.h"
#include "model/model_lanes.h"

/*
 * The tasks of a run as of the model's cursor: the threads and processes that its programs created,
 * and the plan's own workers. A worker that became a program is one of the program's tasks.
 */

/*
 * Index of on_ns: 0 is unknown, then each enum sample_wait, which begins at 1, then one value for
 * all locks.
 */
enum { TASK_ON_UNKNOWN, TASK_ON_LOCK = WAITS, TASK_ON };

/* The word for the value in names of columns: "gil", "lock", "unknown". */
const char *task_on_name(int on);

/* How the times in each state were measured. */
enum task_states {
	TASK_STATES_UNKNOWN,
	TASK_STATES_SWITCHES, /* every context switch that the kernel recorded */
	TASK_STATES_CLOCK,    /* gaps in the worker's own clock */
	TASK_STATES_SAMPLED,  /* schedstat, read at intervals */
	TASK_STATES_TOTALS,   /* the kernel's counts at the worker's end */
};

/* The word for the source of the states, such as "switches"; "" if unknown. */
const char *task_states_name(enum task_states states);

/* Largest number of objects in waits. Blocked time on further objects counts as unknown. */
#define TASK_WAITS 64

/*
 * create_ns, start_ns and finish_ns are ns since the run's beginning. The other times are durations
 * in ns. -1 or NaN: the time is unknown, or the event has not happened yet.
 */
struct task {
	/*
	 * Index of a worker, or of a task of a program. Workers have the indices below n_workers,
	 * tasks of programs those from n_workers on.
	 */
	uint32_t index;
	uint32_t worker; /* Worker that is this task, or whose program created this task. */
	int64_t parent;	 /* Index of the task's parent. -1: the parent is not a task of the run. */
	bool of_program; /* False: the task is the worker itself. */
	bool thread;	 /* The task is a thread of a process. */
	int32_t pid, tid;
	/* Exit status of a process, as a shell reports it: 128 + n for signal n. */
	int32_t exit_status;
	int64_t create_ns, start_ns, finish_ns;
	int64_t cpu_ns;
	enum task_states states;
	double in_ns[MODEL_STATES];
	double on_ns[TASK_ON]; /* Time blocked on each object. The sum is the time blocked. */
	size_t n_waits;
	struct model_wait waits[TASK_WAITS]; /* one item for each lock, longest first */
	cpu_set_t cores;		     /* the cores on which the task ran; empty: unknown */
	int64_t migrations, nvcsw, nivcsw, minflt, majflt;
	/*
	 * Reason why the states are unknown, or why part of the blocked time is in
	 * on_ns[TASK_ON_UNKNOWN].
	 */
	enum reason reason;
};

/*
 * One more than the largest index: the number of workers plus the number of tasks that programs
 * have created so far.
 */
uint32_t task_count(const struct model *model, const struct model_run *run);
/*
 * Reads one task. index must be below task_count(). Returns false for a worker that became a
 * program, because the program's first task represents it.
 */
bool task_read(const struct model *model, const struct model_run *run, uint32_t index,
	       struct task *out);

/*
 * Fills list with the indices of the longest-lived tasks of programs, at most `most` of them.
 * Returns their number.
 */
uint32_t task_longest(const struct model *model, const struct model_run *run, uint32_t *list,
		      uint32_t most);
/* Time that a program's task has lived so far, ns. index is n_workers or more. */
int64_t task_life(const struct model *model, const struct model_run *run, uint32_t index);
/*
 * The name of a program's task on the screen. A thread's name begins with a dot. If a thread has
 * the name of its process, its ID is used instead. index is n_workers or more. Returns buf.
 */
char *task_name(const struct model_run *run, uint32_t index, char *buf, size_t size);
#define TASK_NAME_SIZE	      (SAMPLE_TASK_NAME + 8)
#define TASK_NAME(run, index) task_name(run, index, (char[TASK_NAME_SIZE]) {0}, TASK_NAME_SIZE)
