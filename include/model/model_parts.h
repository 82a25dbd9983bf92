/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* The parts of the critical paths of all measured trials: of a case, and between two. */

/* The medians of a case's parts, ns. */
struct model_parts {
	size_t n;   /* trials that have a path; 0: all else is NaN */
	bool split; /* working, waiting and blocked are known in each; else `running` stands for
		       them */
	double ns[MODEL_PARTS], running_ns;
	double all_ns; /* the median of the elapsed times */
	/*
	 * Medians do not add up to the median of sums: all have been multiplied by this so that
	 * they do.
	 */
	double scale;
};

/* 0 or -ENOMEM. */
int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out);

/* The differences of two cases, part by part: see model_difference(). */
struct model_parts_difference {
	struct model_comparison whole; /* of METRIC_PATH */
	uint32_t n;
	struct model_comparison part[MODEL_PARTS]; /* those that are known, in their order */
};

/* 0 or -ENOMEM. */
int model_parts_compare(const struct model *model, uint32_t a, uint32_t b,
			struct model_parts_difference *out);
/*
 * The pair that the session's verdict is about: who leads, and the next; in a sweep at the value
 * where that is real and they are furthest apart. Of recordings that were joined the first one with
 * a pair, else another with the first. False: creation, or nothing was measured.
 */
bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b);
