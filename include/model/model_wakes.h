/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample_slice.h"
#include "model/model.h"

/*
 * Wake-ups: the time from when a task could run until it was on a core. Known only if the source
 * records when the task became runnable. A preempted task is not included, because it was not
 * woken.
 */

struct sample_run_end;

enum model_wake {
	WAKE_CREATED, /* The task was newly created. */
	WAKE_BARRIER, /* The task waited at the barrier. */
	WAKE_BLOCKED, /* The task was blocked: on a file, a lock, its children. */
	MODEL_WAKES
};

/*
 * Times in ns; -1 if n is 0. max is exact, the others have a relative error of at most WAKES_ERROR.
 */
struct model_wake_figures {
	uint64_t n;
	int64_t p50, p90, p99, max;
};

/*
 * Largest relative error: half the width of a tally's bucket, because the middle of the bucket is
 * reported.
 */
#define WAKES_ERROR 0.016

/*
 * The wake-ups of a run, in bounded memory. NULL until the run has ended at the cursor, if there
 * are none, or if they were dropped or withheld.
 */
const struct model_wakes *model_wakes_run(const struct model *model, const struct model_run *run);
/* The wake-ups of all counted trials of a case so far; NULL if there are none. */
const struct model_wakes *model_wakes(const struct model *model, uint32_t case_id);
/* Figures for one kind of waker (enum sample_woken). WOKENS: for all kinds. */
struct model_wake_figures model_wakes_figures(const struct model_wakes *wakes, enum model_wake wake,
					      enum sample_woken who);
/*
 * Number of wake-ups that took from `from` to `to` ns, estimated by spreading each bucket's count
 * evenly over the bucket.
 */
double model_wakes_between(const struct model_wakes *wakes, enum model_wake wake, double from,
			   double to);

/*
 * Wake-ups of one worker after blocking, up to the cursor. All 0, and median_ns NaN, if there are
 * none or slices were merged.
 */
struct model_woken {
	uint32_t n;
	uint32_t by[WOKENS];
	uint32_t worker, worker_n; /* the worker that woke it most often, and how often */
	double median_ns, longest_ns;
};

int model_woken(const struct model *model, const struct model_run *run, uint32_t worker,
		struct model_woken *out);

/*
 * Call it at the end of the newest run. Fills run->wakes and, if the run counts, run->wakes_all, or
 * leaves them NULL. Of a run without slices, takes the recorded buckets.
 */
void model_wakes_make(const struct model *model, struct model_run *run,
		      const struct sample_run_end *end);
/*
 * Call it when the slices of an ended run have arrived late. Fills run->wakes if the recording has
 * no buckets of the run, as in older versions, and then returns true.
 */
bool model_wakes_late(const struct model *model, struct model_run *run);
/*
 * The wake-ups of a run as a list of n buckets for a recording, which the caller frees. NULL, with
 * n 0, if there are none, or memory is short.
 */
struct sample_wake *model_wakes_list(const struct model_run *run, uint32_t *n);
/*
 * Sums up the wake-ups of a run and those before it (NULL: none). Returns NULL if memory is short.
 */
struct model_wakes *model_wakes_sum(const struct model_wakes *before,
				    const struct model_wakes *of_run);
void model_wakes_free(struct model_wakes *wakes);
/* Calls move() for each block of memory of the wakes. Returns the new address of the struct. */
struct model_wakes *model_wakes_move(struct model_wakes *wakes,
				     void *(*move)(void *arg, void *bytes, size_t n), void *arg);
size_t model_wakes_bytes(const struct model_wakes *wakes);
