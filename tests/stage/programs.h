/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/sample.h"
#include "model/model.h"

/*
 * Made-up sessions of two programs, `a` and `b`. For each run, a test says which tasks there were
 * and when each was on a core. The programs run alternately. perf records the switches.
 */

enum { PROGRAMS_TASKS = 400, PROGRAMS_SLICES = 4000 };

struct programs_run {
	struct sample_run id;
	int64_t elapsed_ns, cpu_ns; /* cpu_ns -1: unknown */
	uint32_t n_tasks, n_slices;
	struct sample_task tasks[PROGRAMS_TASKS];
	struct sample_slice slices[PROGRAMS_SLICES];
};

struct programs {
	uint32_t trials;
	const char *sched, *tasks_by; /* NULL: "perf" */
	int64_t slices_lost;
	/* Fills a run whose id is set. Case 0 is `a`. */
	void (*fill)(struct programs_run *run, const void *arg);
	const void *arg;
};

/* Adds a task and returns its index. parent: the index of its parent; -1: it is the first task. */
uint32_t programs_task(struct programs_run *run, int parent, bool thread, const char *name,
		       int64_t begin_ns, int64_t end_ns);
/* Adds a slice, the time of the task on a core. waited: what the task was blocked on before. */
void programs_slice(struct programs_run *run, uint32_t task, int64_t on_ns, int64_t off_ns,
		    enum sample_why why, int waited);

/* Passes every sample to take(). Ends at the first non-zero return, and returns that. */
int programs_play(const struct programs *programs,
		  int (*take)(void *arg, const struct sample *sample), void *arg);
/* Makes the model of the samples. The caller frees it. */
void programs_model(const struct programs *programs, struct model *model);
