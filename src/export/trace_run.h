/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "trace.h"

#define TRACE_NAME 256

/* How much of a run is written. */
enum trace_detail {
	TRACE_COUNTERS, /* its memory and how many tasks it had */
	TRACE_LIVES, /* also a track for each worker: its life, its calls, who created and joined it
		      */
	TRACE_FULL,  /* also when each was on a core, waited and was blocked, and who woke it */
};

/* The run that is being written. */
struct trace_run {
	struct trace *trace;
	const struct model *model;
	const struct model_run *run;
	const struct plan *plan;
	int64_t pid, first_tid; /* of worker 0 */
	int64_t end_ns;		/* since its begin */
	enum trace_detail detail;
};

/* Now, or the run's end, since its begin. */
int64_t trace_run_until(const struct model *model, const struct model_run *run);
/* A time of the run on the session's clock; a recording may hold any number. */
int64_t trace_run_at(const struct model_run *run, int64_t time_ns);
/* "threads, trial 3"; returns buf. */
char *trace_run_name(const struct model *model, const struct model_run *run, char *buf,
		     size_t size);
/* The values that are not below 0, as one object; NULL: no memory. */
json_t *trace_run_known(size_t n, const char *const names[], const int64_t values[]);
/* The track of a worker, or of who creates level 0. */
struct trace_track trace_run_track(const struct trace_run *of, uint32_t worker);

/*
 * The life of a worker on its track: its parts from creation to join, within them its calls that
 * create and join others, within these when it was on a core, waited for one and was blocked;
 * arrows from who created it, to who joins it, from who woke it. PLAN_ROOT has its calls alone.
 */
void trace_worker(const struct trace_run *of, uint32_t worker);

/* A track for each core: the runs that are written in full, and within them who was on it. */
void trace_cores(struct trace *trace, const struct model *model, const enum trace_detail *detail,
		 int64_t pid, int64_t first_tid);
