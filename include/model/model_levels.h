/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/plan.h"
#include "model/model.h"

/*
 * The phases in which a run's tasks spend their time. The figures are for each level, and for all
 * levels together.
 */

enum model_phase {
	PHASE_CREATE, /* within the create call */
	PHASE_START,  /* from the beginning of the create call to the task's first instruction */
	/* for leaves with a barrier: from the first instruction until the work begins */
	PHASE_BARRIER,
	/* the work; for inner tasks everything that they do, including creating and joining */
	PHASE_WORK,
	PHASE_JOIN, /* from the task's last instruction until it is joined */
	MODEL_PHASES
};

struct model_span {
	uint32_t n;	    /* number of tasks for which the phase is known */
	double median, p99; /* ns; NaN if n is 0 */
};

struct model_level {
	uint32_t tasks; /* Number of the level's tasks in the plan. */
	/*
	 * pairs: number of pairs of siblings whose ends and joins are known. inversions: number of
	 * these pairs in which the sibling that ended first was joined last.
	 */
	double pairs, inversions;
	struct model_span phase[MODEL_PHASES];
};

struct model_levels {
	uint32_t levels;
	struct model_level all;
	struct model_level level[];
};

/* The levels of an ended run. NULL before its end, or if memory was short then. */
const struct model_levels *model_levels(const struct model *model, const struct model_run *run);
/*
 * The time of a worker in a phase, ns, without the time for which the run was held; NaN if unknown
 * or if the worker has no such phase. totals: NULL if the run has not ended.
 * waits: the worker's work begins when a barrier opens.
 */
double model_phase(const struct sample_totals *totals, const struct sample_worker *worker,
		   enum model_phase phase, bool waits);
/* Inversions in % of the pairs; NaN if there are no pairs. */
double model_inversions(const struct model_level *level);
extern const char *const model_phase_names[MODEL_PHASES];

/* Computes the levels. The caller frees the result. NULL if memory is short. */
struct model_levels *model_levels_make(const struct plan *plan, const struct model_workers *workers,
				       const struct sample_totals *totals);

/*
 * Bins for curves over time of one run, as of the cursor. The bins divide [from_ns, to_ns), which
 * counts from the run's beginning, into equal parts, and may extend beyond the run. Bins wholly
 * after the cursor are unknown.
 */
struct model_bins {
	int64_t from_ns, to_ns;
	size_t n; /* at least 1 */
};

/*
 * The number of tasks alive, as in model_counts(), as the mean over each bin: alive[level * bins->n
 * + bin] for each level of the plan. Because bins have means, the area under the curve is right at
 * any zoom. NaN: unknown.
 */
void model_alive(const struct model *model, const struct model_run *run,
		 const struct model_bins *bins, double *alive);
/* The state of a planned task at some time. A task that was joined is in none of these states. */
enum model_stand {
	STAND_MISSING, /* not yet created */
	STAND_CREATED, /* before its first instruction */
	STAND_RUNNING,
	STAND_ENDED, /* waits to be joined */
	MODEL_STANDS
};

/*
 * Fills the array with means: element (level * MODEL_STANDS + state) * bins->n + bin is the number
 * of tasks of the level in that state during that bin. NaN: unknown. created[level] is the number
 * of tasks created by the cursor, as in model_counts(). A task that could not be created stays
 * STAND_MISSING.
 */
void model_stands(const struct model *model, const struct model_run *run,
		  const struct model_bins *bins, double *stands, uint32_t *created);
