/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/*
 * Curves over time of one run, as of the cursor: the span [from_ns, to_ns) since the run's begin
 * (from < to, it may reach beyond the run) in bins of equal width. One pass over the workers,
 * whatever the number of bins, and nothing is allocated. Bins that lie wholly after the cursor are
 * not known.
 */
struct model_bins {
	int64_t from_ns, to_ns;
	size_t n; /* at least 1 */
};

/*
 * How many tasks were alive, the mean over each bin (an average hides no short peak's weight, and
 * the areas are right at any zoom), level by level: alive[level * bins->n + bin], which has room
 * for as many levels as the run's plan has. NaN: not known. Alive is what model_counts calls alive.
 */
void model_alive(const struct model *model, const struct model_run *run,
		 const struct model_bins *bins, double *alive);
/* What a task of the plan is at a time; one that was joined is none of these. */
enum model_stand {
	STAND_MISSING, /* not yet created */
	STAND_CREATED, /* its first instruction is to come */
	STAND_RUNNING,
	STAND_ENDED, /* to be joined */
	MODEL_STANDS
};

/*
 * How many tasks of each level stood so, the mean over each bin: stands[(level * MODEL_STANDS +
 * stand) * bins->n + bin]. NaN: not known. created[level] is their number at the cursor. What could
 * not be created stays missing.
 */
void model_stands(const struct model *model, const struct model_run *run,
		  const struct model_bins *bins, double *stands, uint32_t *created);
