/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "core/stats.h"

/* Crossovers of two curves over a swept variable, told from their ratios. */

struct crossover_point {
	double x;
	struct stats_interval ratio; /* b / a at x; NaN where it is not known */
};

struct crossover {
	/* Between these two values the lead changes: it is real at both, for one and for the other.
	 */
	double low, high;
	size_t from, to;	   /* the same as places among the points */
	enum stats_verdict before; /* who leads at the lower one */
	/*
	 * The place where the ratio is 1, by straight lines between the logarithms of the
	 * estimates.
	 */
	double at;
};

/*
 * Finds every change of a real lead along the points, which are in ascending order of x: a real
 * lead is an interval that lies beside 1. Points that have none widen the interval of a crossover
 * and never make one. Up to most are stored; returns how many there are.
 */
size_t crossover_find(const struct crossover_point *points, size_t n, struct crossover *out,
		      size_t most);
