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
	bool inside; /* an event was written: the next one is set apart from it */
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
/* Slices of one track must be disjoint or nested, which to_ns < from_ns never is. */
void trace_slice(struct trace *trace, struct trace_track track, const char *name,
		 const char *category, int64_t from_ns, int64_t to_ns, json_t *args);
/* Counts for a process; every member of values is a curve, until the next value. */
void trace_counter(struct trace *trace, int64_t pid, const char *name, int64_t time_ns,
		   json_t *values);
/* An arrow between the slices that enclose its ends. */
void trace_flow(struct trace *trace, const char *name, int64_t id, struct trace_track from,
		int64_t from_ns, struct trace_track to, int64_t to_ns);
void trace_instant(struct trace *trace, struct trace_track track, const char *name,
		   int64_t time_ns);
/* A text of the recording as JSON. */
json_t *trace_string(const char *text);
