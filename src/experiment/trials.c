/* SPDX-License-Identifier: MIT */
#include "trials.h"

#include <math.h>

#include "base/random.h"
#include "core/looks.h"

#define NOISE	   (0.01 * M_SQRT2) /* of a pair: both of its runs have it */
#define DIFFERENCE 0.03
#define SLOW	   0.2
#define SESSIONS   20000
#define PAIRS_MOST 64

#define DEFAULT_LEAST 15
#define QUICK_LEAST   8

/* The level of the look at the planned end, as long as none of the comparisons is real. */
static double level_at(uint32_t trials, double error, uint32_t comparisons)
{
	uint32_t all = comparisons > 0 ? comparisons : 1;
	struct looks looks = looks_plan(error, trials, all, all);

	return looks_level(&looks, trials, trials);
}

/*
 * The least pairs of which the two outermost results of 2^n are so many times rarer than the level:
 * room for as many results beside them, in which a pair or two lies on the other side.
 */
static uint32_t least(uint32_t trials, double error, uint32_t comparisons, double room)
{
	while (pow(0.5, trials - 1) * room > level_at(trials, error, comparisons))
		trials++;
	return trials;
}

uint32_t trials_needed(double error, uint32_t comparisons)
{
	return least(DEFAULT_LEAST, error, comparisons, 32);
}

uint32_t trials_quick(double error, uint32_t comparisons)
{
	return least(QUICK_LEAST, error, comparisons, 5);
}

/* The sum of the ranks of the values below 0. */
static uint32_t ranks_below(const double *x, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; x[i] < 0 && j < n; j++)
			sum += fabs(x[j]) <= fabs(x[i]);
	return sum;
}

double trials_found(uint32_t trials, double error, uint32_t comparisons, bool slow)
{
	uint32_t n = trials < PAIRS_MOST ? trials : PAIRS_MOST, found = 0;
	size_t critical = stats_signed_rank_at(n, level_at(n, error, comparisons));
	uint64_t state = 1;
	double x[PAIRS_MOST] = {0};

	for (uint32_t i = 0; i < SESSIONS; i++) {
		for (uint32_t j = 0; j < n; j++)
			x[j] = log1p(DIFFERENCE) + NOISE * random_normal(&state);
		x[0] -= slow ? log1p(SLOW) : 0;
		found += ranks_below(x, n) < critical;
	}
	return (double)found / SESSIONS;
}
