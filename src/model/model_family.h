/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/family.h"
#include "model/model.h"

/*
 * The families of a session: for each metric all pairs of cases that are compared anywhere, on the
 * screen or in a format, whether they are shown or not. A family of a metric is read when it is
 * first asked for after a run has ended; what was found is kept until the next one has.
 */

struct model_pair {
	uint32_t a, b; /* cases, a < b */
};

/* What was found of a pair. */
struct model_found {
	uint32_t pairs; /* of trials */
	bool ended;	/* all planned trials of both have */
	bool no_ratio;	/* a value is 0 */
	struct looks looks;
	uint32_t end; /* as of looks_level() */
	double level; /* of the interval */
	const struct family *family;
	bool has_ratio;		     /* it was asked for, and is kept */
	struct stats_interval ratio; /* of METRIC_OF_PATH the difference, ns */
};

/* The headline metrics share one error, each other metric has one for itself. */
enum model_share { MODEL_HEADLINES, MODEL_OTHERS, MODEL_SHARES };

/* The pairs of a recording, and what is the same for all metrics. */
struct model_part {
	uint32_t first, n;
	uint32_t shared; /* headline metrics that share an error: all, or the first alone */
	struct family families[MODEL_SHARES];
};

struct model_family {
	bool valid;
	uint32_t ended; /* runs, when it was read */
	struct family_member *members;
	struct model_found *found;
};

struct model_families {
	uint32_t n_pairs, n_parts;
	struct model_pair *pairs; /* in the order of their cases */
	struct model_part *parts;
	struct model_family of[METRICS];
};

/* For the model alone, when it has its cases. NULL without memory. */
struct model_families *model_families_make(const struct model *model);
void model_families_free(struct model_families *families);
/*
 * What was found of a pair, a < b, in a metric, the model's own; NULL where it is in no family:
 * nothing then says whether the two differ. 0 or -ENOMEM.
 */
int model_family_find(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		      const struct model_found **found);
