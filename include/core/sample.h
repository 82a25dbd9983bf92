/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/sample_message.h"
#include "core/sample_run.h"
#include "core/sample_session.h"
#include "core/sample_slice.h"
#include "core/sample_task.h"
#include "core/sample_tick.h"

/*
 * The data that a source passes to the log and the model, as plain values without state. Each
 * sample is of one kind. The source owns the data that a sample points to, and keeps it until its
 * next call. Times of the session are in ns since its start. Times of a run are in ns since its
 * first create call. -1 means "unknown" or "not yet"; in the doubles of some samples, NaN does.
 */

/* The kinds of samples, with the members that each of them sets. */
enum sample_kind {
	SAMPLE_SESSION,	  /* session */
	SAMPLE_RUN_BEGIN, /* run */
	SAMPLE_TICK,	  /* tick */
	SAMPLE_SLICES,	  /* run, and the slices that ended since the last such sample */
	SAMPLE_TASKS,	  /* run, and the tasks of commands that are new or have changed */
	SAMPLE_RUN_END,	  /* run, totals, and all workers that changed since the last tick */
	SAMPLE_MESSAGE,	  /* severity, kind, text */
	SAMPLE_DONE,	  /* The session is over. Nothing more is planned. */
};

struct sample {
	enum sample_kind kind;
	int64_t time_ns; /* on the session's clock */
	struct sample_run run;
	union {
		struct sample_session session;
		struct sample_tick tick;
		struct {
			uint32_t n;
			const struct sample_slice *list;
		} slices;
		struct {
			uint32_t n;
			const struct sample_task *list; /* Each new task has the next free index. */
		} tasks;
		struct sample_run_end {
			struct sample_totals totals;
			uint32_t n_workers;
			const struct sample_change *workers;
			/* Number of buckets. They are ascending by time, and none is empty. */
			uint32_t n_buckets;
			const struct sample_bucket *buckets;
			/* Number of recorded requests, at most SERVING_MARKS. */
			uint32_t n_requests;
			const struct sample_request *requests;
			/* Number of wake-ups' buckets, if thinned.slices is set. */
			uint32_t n_wakes;
			const struct sample_wake *wakes;
			struct sample_thinned thinned;
			struct sample_watched watched;
		} end;
		struct sample_message message;
	};
};
