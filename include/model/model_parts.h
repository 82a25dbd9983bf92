/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"
#include "stats/stats.h"

/* The parts of the critical paths of all measured trials: of one case, and compared between two. */

/* Medians of a case's parts, ns. */
struct model_parts {
	size_t n; /* Number of trials that have a path. 0: none or too few, and all else is NaN. */
	/* Working, waiting and blocked are known in each trial. If false, use running_ns. */
	bool split;
	double ns[MODEL_PARTS], running_ns;
	double all_ns; /* Median of the elapsed times. */
	/*
	 * The median of a sum is not the sum of the parts' medians. All parts have been multiplied
	 * by this factor so that they add up.
	 */
	double scale;
};

int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out);

struct model_parts_difference {
	struct model_comparison whole;	 /* Comparison in METRIC_PATH. */
	struct model_comparison elapsed; /* In METRIC_ELAPSED, as in the answer: by ratio. */
	uint32_t n;
	/*
	 * Comparisons of the known parts, in the order of the parts. Unless working, waiting and
	 * blocked are all known, METRIC_RUNNING takes their place.
	 */
	struct model_comparison part[MODEL_PARTS];
	/* Differences b - a between the medians of model_parts(), ns; NaN if either is unknown. */
	double whole_ns, part_ns[MODEL_PARTS];
};

int model_parts_compare(const struct model *model, uint32_t a, uint32_t b,
			struct model_parts_difference *out);
/*
 * Chooses the two cases whose difference is explained: of all cases and the first one with which
 * each is compared at the same value, the two that differ most. A significant difference comes
 * before any other. Returns false if no two are compared, or if tasks are created one by one.
 */
bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b);

/*
 * The speedup of the same work on more cores, relative to the smallest number of cores, and
 * Amdahl's law.
 */
struct model_speedup_point {
	double cores; /* Points are ascending by this number. */
	uint32_t case_id;
	double median;		       /* Median of the elapsed time, ns; NaN if unknown. */
	struct stats_interval speedup; /* From the pairs of trials; NaN if there are none. */
	double efficiency;	       /* The speedup as a share of an ideal one; NaN if unknown. */
	uint32_t pairs;
};

/* The speedup of one model at one kind of work. Every variable but the cores has one value. */
struct model_speedup {
	uint32_t first, n; /* first: its first case. n: number of points. */
	struct model_speedup_point point[AMDAHL_POINTS];
	/* Number of workers. More cores than workers bring no gain. 0: unknown. */
	uint32_t workers;
	/* Fitted only to points with at least as many workers as cores. */
	struct amdahl amdahl;
};

bool model_speedup_begins(const struct model *model, uint32_t case_id);
/* Returns 0 or -ENOMEM. Takes O(points × runs). */
int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out);
