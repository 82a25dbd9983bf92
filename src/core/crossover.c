/* SPDX-License-Identifier: MIT */
#include "core/crossover.h"

#include <math.h>

/* The zero of the line between two points of opposite signs. */
static double zero_between(double x0, double y0, double x1, double y1)
{
	return x0 + (x1 - x0) * y0 / (y0 - y1);
}

/* The estimates differ in sign at the two ends, so that they change it somewhere between. */
static double locate(const struct crossover_point *points, size_t first, size_t last)
{
	double before = log(points[first].ratio.estimate), after;
	size_t left = first;

	for (size_t i = first + 1; i <= last; i++) {
		after = log(points[i].ratio.estimate);
		if (isnan(after))
			continue;
		if ((before > 0) != (after > 0))
			return zero_between(points[left].x, before, points[i].x, after);
		before = after;
		left = i;
	}
	return points[last].x;
}

size_t crossover_find(const struct crossover_point *points, size_t n, struct crossover *out,
		      size_t most)
{
	enum stats_verdict lead = STATS_NONE;
	size_t count = 0, since = 0;

	for (size_t i = 0; i < n; i++) {
		enum stats_verdict here = stats_verdict(&points[i].ratio);

		if (here != STATS_A && here != STATS_B)
			continue;
		if (lead != STATS_NONE && here != lead) {
			if (count < most)
				out[count] = (struct crossover) {.low = points[since].x,
								 .high = points[i].x,
								 .from = since,
								 .to = i,
								 .before = lead,
								 .at = locate(points, since, i)};
			count++;
		}
		lead = here;
		since = i;
	}
	return count;
}
