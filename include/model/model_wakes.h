/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/*
 * The time from when a task could run until it was on a core. Only where the source tells since
 * when it could; whoever was preempted is not in it, since nobody woke it.
 */

/* What it could not run for. */
enum model_wake {
	WAKE_CREATED, /* it was not there yet */
	WAKE_GATE,    /* it stood at the gate */
	WAKE_BLOCKED, /* it was blocked: a file, a lock, its children */
	MODEL_WAKES
};

/* ns; -1 where n is 0. The greatest is exact, the others are right to WAKES_ERROR. */
struct model_wake_figures {
	uint64_t n;
	int64_t p50, p90, p99, max;
};

/* The histogram has 16 buckets an octave, and says the middle of one. */
#define WAKES_ERROR 0.032

struct model_wakes;

/*
 * Those of one run, counted when it has ended and kept with it, of a bounded size. NULL while it
 * goes on at the cursor, where there are none, and where memory was short.
 */
const struct model_wakes *model_wakes_run(const struct model *model, const struct model_run *run);
/* Those of all counted trials of a case by now, taken together and kept as well. NULL: none. */
const struct model_wakes *model_wakes(const struct model *model, uint32_t case_id);
/* By whom: an enum sample_woken, or WOKENS for all together. */
struct model_wake_figures model_wakes_figures(const struct model_wakes *wakes, enum model_wake wake,
					      enum sample_woken who);
/* Those that took from `from` to `to` ns, as if a bucket were evenly filled. */
double model_wakes_between(const struct model_wakes *wakes, enum model_wake wake, double from,
			   double to);

/* Of one worker by the cursor, the wakes from a block alone; 0 and NaN where there are none. */
struct model_woken {
	uint32_t n;
	uint32_t by[WOKENS];
	uint32_t worker, worker_n; /* that woke it most often, and how often */
	double median_ns, longest_ns;
};

/* 0 or -ENOMEM. */
int model_woken(const struct model *model, const struct model_run *run, uint32_t worker,
		struct model_woken *out);

/* "created", "gate", "blocked", as in the JSON. */
extern const char *const model_wake_names[MODEL_WAKES];

/*
 * For model.c alone, at the end of a run, which is the newest: fills run->wakes and run->wakes_all,
 * or leaves them NULL. model_wakes_free() takes both.
 */
void model_wakes_make(const struct model *model, struct model_run *run);
void model_wakes_free(struct model_wakes *wakes);
/* What it takes of memory. */
size_t model_wakes_bytes(const struct model_wakes *wakes);
