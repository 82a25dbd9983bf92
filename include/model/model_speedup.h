/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/laws.h"
#include "model/model.h"

/*
 * The same work on more and more cores: how many times as fast as on the fewest, and by which law.
 * It holds as of the model's now, of the trials that count.
 */

struct model_speedup_point {
	uint32_t case_id;
	double cores;
	double median;		       /* elapsed, ns; NaN */
	struct stats_interval speedup; /* of the pairs of trials; NaN where there is none */
	double efficiency;	       /* the share of what as many cores could do; NaN */
	uint32_t pairs;
};

/* One model and work; what else varies is one value each. */
struct model_speedup {
	uint32_t first, n; /* its first case; points, ascending by cores */
	struct model_speedup_point point[LAW_POINTS];
	uint32_t workers;	  /* more cores than these serve for nothing; 0: not known */
	struct law_fit law[LAWS]; /* of those with as many workers as cores at least */
};

/* Whether the case is the first of such a sweep. */
bool model_speedup_begins(const struct model *model, uint32_t case_id);
/* 0 or -ENOMEM; in O(points × runs). */
int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out);
