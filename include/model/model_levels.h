/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "model/model.h"

/* The time of a run's tasks by phase, level by level and in all. */

/* The phases of a task's life, in their order. */
enum model_phase {
	PHASE_CREATE, /* within the call that created it */
	PHASE_START,  /* from that call's begin to its first instruction */
	PHASE_GATE,   /* leaves behind a gate: from there until the work begins */
	PHASE_WORK,   /* its work; in inner tasks all that they do, creating and joining */
	PHASE_JOIN,   /* from its last instruction until it was joined */
	MODEL_PHASES
};

struct model_span {
	uint32_t n;	    /* tasks of which it is known */
	double median, p99; /* ns; NaN where n is 0 */
};

struct model_level {
	uint32_t tasks; /* of the plan */
	/*
	 * Pairs of tasks of one creator of which both ends and both joins are known, and those of
	 * them that were joined in another order than they ended: inversions.
	 */
	double pairs, inversions;
	struct model_span phase[MODEL_PHASES];
};

struct model_levels {
	uint32_t levels;
	struct model_level all;
	struct model_level level[];
};

/*
 * Worked out once, when the run has ended, and kept with it: NULL as long as it goes on at the
 * cursor, and where memory was short then. Valid until model_free.
 */
const struct model_levels *model_levels(const struct model *model, const struct model_run *run);
/* The inversions, % of the pairs; NaN where there is no pair. */
double model_inversions(const struct model_level *level);
/* "create", "start", "gate", "work", "join" */
extern const char *const model_phase_names[MODEL_PHASES];

/*
 * For model.c alone, at the end of a run: from all that is known of its workers. The caller frees
 * it; NULL without memory.
 */
struct model_levels *model_levels_make(const struct plan *plan,
				       const struct model_workers *workers);
