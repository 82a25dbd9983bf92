/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"
#include "stats/stats.h"

/* The parts of the critical paths of all measured trials: of one case, and compared between two. */

/* Medians of a case's parts, ns. */
struct model_parts {
	/*
	 * Number of trials that have a path. 0: there is none or too few, and all other members are
	 * NaN.
	 */
	size_t n;
	/*
	 * Working, waiting and blocked are known in every trial. If false, use running_ns instead
	 * of them.
	 */
	bool split;
	double ns[MODEL_PARTS], running_ns;
	double all_ns; /* Median of the elapsed times. */
	/*
	 * The factor by which all parts were multiplied so that they add up, because the sum of the
	 * parts' medians is not the median of the sum.
	 */
	double scale;
};

int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out);

struct model_parts_difference {
	struct model_comparison whole; /* Comparison in METRIC_PATH. */
	/* Comparison in METRIC_ELAPSED, by ratio, as in the answer. */
	struct model_comparison elapsed;
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
 * Chooses the two cases whose difference is explained. Each case is compared with the first case
 * that has the same value; of these pairs, the one that differs most is chosen, and a significant
 * difference comes before any other. Returns false if no two cases are compared, or if tasks are
 * created one by one.
 */
bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b);

/*
 * The speedup of the same work on more cores, relative to the smallest number of cores, with
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

/*
 * The speedup of one model at one kind of work, if no variable except the cores has several values.
 */
struct model_speedup {
	uint32_t first, n; /* first: the first case of the model. n: number of points. */
	struct model_speedup_point point[AMDAHL_POINTS];
	/* Number of workers. More cores than workers bring no gain. 0: unknown. */
	uint32_t workers;
	/* The law, fitted only to points with at least as many workers as cores. */
	struct amdahl amdahl;
};

bool model_speedup_begins(const struct model *model, uint32_t case_id);
/* Returns 0 or -ENOMEM. Takes O(points × runs). */
int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out);
