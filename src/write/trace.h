/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "model/model.h"

/*
 * A file in Chrome's trace event format (JSON object form), written event by event: a session of
 * many workers is never in memory as a whole. Times are ns of the session, what lies before its
 * start is moved there. Every json_t that is handed over is taken, NULL counts as no memory. The
 * first error is kept and ends the writing.
 */
struct trace {
	FILE *out;
	bool inside;   /* an event was written: the next one is set apart from it */
	int64_t flows; /* so many arrows were */
	int err;
};

/* The track of an event: its ids are made up, as a kernel's may recur within one session. */
struct trace_track {
	int64_t pid, tid;
};

void trace_open(struct trace *trace, FILE *out);
/* Ends the file with what is known of the whole; 0 or what went wrong first. */
int trace_close(struct trace *trace, json_t *other);

/* Names, in the order they are to be listed. */
void trace_process(struct trace *trace, int64_t pid, const char *name, int64_t order);
void trace_thread(struct trace *trace, struct trace_track track, const char *name, int64_t order);
/* A stretch of time on a track. */
struct trace_slice {
	struct trace_track track;
	const char *name, *category;
	const char *colour; /* by a name of chrome://tracing, which Perfetto ignores; NULL */
	int64_t from_ns, to_ns;
	double within; /* the end of the one around it, as trace_slice() told; 0: there is none */
	json_t *args;  /* or NULL */
};

/*
 * Slices of one track must be disjoint or nested, which to_ns < from_ns never is. Returns the end
 * in us as a reader adds it up, or -1: nothing of it is within, and it is left out.
 */
double trace_slice(struct trace *trace, const struct trace_slice *slice);
/* Counts for a process; every member of values is a curve, until the next value. */
void trace_counter(struct trace *trace, int64_t pid, const char *name, int64_t time_ns,
		   json_t *values);
/*
 * An arrow between the slices that enclose its ends: of those that begin at the same time, the last
 * one written before it.
 */
void trace_flow(struct trace *trace, const char *name, struct trace_track from, int64_t from_ns,
		struct trace_track to, int64_t to_ns);
void trace_instant(struct trace *trace, struct trace_track track, const char *name,
		   int64_t time_ns);

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
