/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * How a run's CPU time is told apart in user and system time. The sum is exact; its parts are told
 * by the kernel's ticks: a task in which none fell has all its time booked as user time.
 */

struct model;
struct model_run;
struct sample_worker;

enum model_split_source {
	MODEL_SPLIT_NONE,      /* cannot be told */
	MODEL_SPLIT_RUSAGE,    /* the tasks' own, which were long enough */
	MODEL_SPLIT_PROC_STAT, /* the shares of /proc/stat, nothing else having run */
};

/* "rusage", "proc_stat"; NULL for none: as in JSON. */
extern const char *const model_split_names[];

struct model_split {
	enum model_split_source source;
	int64_t user_us, system_us; /* -1: cannot be told */
};

/* That of a run that has ended. */
struct model_split model_split(const struct model *model, const struct model_run *run);
/* Whether that of a worker that has ended is known. */
bool model_split_worker(const struct model *model, const struct model_run *run,
			const struct sample_worker *worker);
/* The kernel's tick on the machine of the case, ns; where it is not known the longest. */
int64_t model_split_tick(const struct model *model, uint32_t case_id);
