/* SPDX-License-Identifier: MIT */
#include "trials.h"

#include <math.h>
#include <stddef.h>

/* What all comparisons together may err. */
#define ERROR 0.05

#define NOISE	   0.01
#define DIFFERENCE 0.03
#define SLOW	   0.2
#define SESSIONS   4000
#define PAIRS_MOST 64

#define DEFAULT_LEAST 15
#define QUICK_LEAST   8

/*
 * The level of the look at the planned end: a sixth of the error is kept for trials that are added,
 * and one for an early look, where there is a number of pairs before the end that can decide.
 */
static double level_at(uint32_t trials, uint32_t comparisons)
{
	double share = ERROR / (comparisons > 0 ? comparisons : 1);
	bool early = trials > 1 && pow(0.5, trials - 2) <= share / 6;

	return share * (early ? 4 : 5) / 6;
}

/*
 * The least pairs of which the two outermost results of 2^n are so many times rarer than the level:
 * room for as many results beside them, in which a pair or two lies on the other side.
 */
static uint32_t least(uint32_t trials, uint32_t comparisons, double room)
{
	while (pow(0.5, trials - 1) * room > level_at(trials, comparisons))
		trials++;
	return trials;
}

uint32_t trials_needed(uint32_t comparisons)
{
	return least(DEFAULT_LEAST, comparisons, 32);
}

uint32_t trials_quick(uint32_t comparisons)
{
	return least(QUICK_LEAST, comparisons, 5);
}

/* SplitMix64, as the order is drawn. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box & Muller 1958. */
static double normal(uint64_t *state)
{
	return sqrt(-2 * log(uniform(state))) * cos(2 * M_PI * uniform(state));
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

/* The sums of ranks that are rejected are those below this one. */
static uint32_t critical_sum(uint32_t n, double level)
{
	double share[PAIRS_MOST * PAIRS_MOST] = {1}, below = 0;
	uint32_t k;

	for (uint32_t rank = 1; rank <= n; rank++)
		for (uint32_t s = n * n; s-- > 0;)
			share[s] = (share[s] + (s >= rank ? share[s - rank] : 0)) / 2;
	for (k = 0; 2 * (below + share[k]) <= level; k++)
		below += share[k];
	return k;
}

double trials_found(uint32_t trials, uint32_t comparisons, bool slow)
{
	uint32_t n = trials < PAIRS_MOST ? trials : PAIRS_MOST, found = 0;
	uint32_t critical = critical_sum(n, level_at(n, comparisons));
	uint64_t state = 1;
	double x[PAIRS_MOST];

	for (uint32_t i = 0; i < SESSIONS; i++) {
		for (uint32_t j = 0; j < n; j++)
			x[j] = log1p(DIFFERENCE) + NOISE * (normal(&state) - normal(&state));
		x[0] -= slow ? log1p(SLOW) : 0;
		found += ranks_below(x, n) < critical;
	}
	return (double)found / SESSIONS;
}
