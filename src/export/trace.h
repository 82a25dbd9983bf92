/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

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
/* A text of the recording as JSON. */
json_t *trace_string(const char *text);
