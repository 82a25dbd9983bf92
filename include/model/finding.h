/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/comparison.h"
#include "model/model.h"

/* Which of several cases is fastest, and where two curves cross. */

/* How sure that is; of several comparisons the least sure one counts. */
enum finding_sure {
	FINDING_UNKNOWN,   /* there is nothing to compare with */
	FINDING_MEDIANS,   /* by medians alone: some other is of another recording */
	FINDING_FEW,	   /* too few pairs of trials */
	FINDING_NONE,	   /* no two of them differ for real */
	FINDING_NO_WINNER, /* some pairs differ, but no case beats all others */
	FINDING_REAL,	   /* it beats every other */
};

struct finding_lead {
	enum finding_sure sure;
	uint32_t lead;	 /* the case that took least */
	uint32_t others; /* so many it was compared with */
	uint32_t pairs;	 /* the fewest of all those comparisons; UINT32_MAX without others */
	double excluded; /* the greatest ratio that no interval leaves out; NaN */
	/* The comparison with the runner-up; of two cases in the order of the cases. */
	struct model_comparison next;
};

/* Finds the lead of n cases that can be compared, at least one. 0 or -ENOMEM. */
int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out);
/* The runner-up's time over that of the one that leads. */
struct stats_interval finding_ahead(const struct finding_lead *lead);
/* The ratio above which either side's lead is excluded by the interval; NaN. */
double finding_excluded(const struct stats_interval *ratio);

#define FINDING_CROSSES 4

/* The crossings of two curves in a metric, in ascending order. */
struct finding_crosses {
	uint32_t pairs;	  /* the most at any value */
	uint32_t decided; /* the values at which it is known whether there is a difference */
	size_t n;
	struct crossover cross[FINDING_CROSSES]; /* the first ones */
};

/* The case on b's curve that is comparable with the one; n_cases where there is none. */
uint32_t finding_partner(const struct model *model, uint32_t one, uint32_t b);
/* Reads the crossings of the curves of the cases a and b, which can be compared. 0 or -ENOMEM. */
int finding_crosses(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		    struct finding_crosses *out);
