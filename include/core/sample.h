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
 * The data that a source passes to the log and the model: plain values without state. A sample is
 * of one kind. The source owns the data behind its pointers, valid until its next call. Session
 * times are in ns from the session's start; a run's times are from its beginning (its first create
 * call). -1 (or NaN in doubles) means "unknown" or "not yet".
 */

enum sample_kind {
	SAMPLE_SESSION,	  /* session */
	SAMPLE_RUN_BEGIN, /* run */
	SAMPLE_TICK,	  /* tick */
	SAMPLE_SLICES,	  /* run, slices: ended since the sample before */
	SAMPLE_TASKS,	  /* run, tasks: tasks of commands, new or changed */
	SAMPLE_RUN_END,	  /* run, totals; also workers: all that changed since the last tick */
	SAMPLE_MESSAGE,	  /* severity, kind, text */
	SAMPLE_DONE,	  /* the session is over: nothing more is planned */
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
			const struct sample_task *list; /* a new one has the next index */
		} tasks;
		struct {
			struct sample_totals totals;
			uint32_t n_workers;
			const struct sample_change *workers;
			uint32_t n_buckets; /* in the order of time, none of them empty */
			const struct sample_bucket *buckets;
			struct sample_thinned thinned;
		} end;
		struct sample_message message;
	};
};
