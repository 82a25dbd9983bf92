/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A comparison's error is divided into INTERIM_PARTS parts. An analysis before the planned end
 * spends at most one part. All analyses after the planned end share one part. The analysis at the
 * planned end spends the rest.
 */
#define INTERIM_PARTS 6
/*
 * Beyond the plan, there is an analysis after each pair up to INTERIM_EACH pairs. Later, only
 * INTERIM_STEPS analyses follow for each doubling of the number of pairs, because the time of an
 * analysis is proportional to that number.
 */
#define INTERIM_EACH  1024
#define INTERIM_STEPS 16

uint32_t interim_metrics(uint32_t cases)
{
	return cases > 8 ? 1 : INTERIM_METRICS_MOST;
}

/*
 * Returns the smallest level at which n pairs can be significant: all of them must favour one side.
 */
static double least_level(uint32_t n)
{
	return ldexp(1, 1 - (int)n);
}

/* Returns the least number of pairs that can be significant at this level. */
static uint32_t least_pairs(double level)
{
	uint32_t n = 1;

	while (least_level(n) > level)
		n++;
	return n;
}

struct interim interim_plan(double error, uint32_t planned, uint32_t comparisons, uint32_t left)
{
	struct interim interim = {.share = error / left, .planned = planned};

	if (least_pairs(error / comparisons / INTERIM_PARTS) < planned) {
		interim.early = least_pairs(interim.share / INTERIM_PARTS);
		interim.middle =
			(least_pairs(error / comparisons / INTERIM_PARTS) + planned + 1) / 2;
	}
	if (interim.middle == planned)
		interim.middle = 0;
	return interim;
}

double interim_joint(double error, uint32_t planned, uint32_t comparisons)
{
	double level = least_level(STATS_LEAST_PAIRS), rest = error - level;

	return rest > 0 && least_pairs(rest / comparisons / INTERIM_PARTS) < planned ? level : 0;
}

/*
 * Returns the number of pairs between two analyses beyond the plan: the one after n pairs and the
 * one before it.
 */
static uint32_t analysis_step(uint32_t n)
{
	uint32_t doubled = INTERIM_EACH;

	if (n <= INTERIM_EACH)
		return 1;
	while (n / 2 > doubled)
		doubled *= 2;
	return doubled / INTERIM_STEPS;
}

/*
 * Returns the level of the analysis after n pairs, n > end. The analysis spends the levels of all
 * pairs since the previous one.
 */
static double level_beyond(double part, uint32_t end, uint32_t n)
{
	const uint32_t step = analysis_step(n), before = n - step;
	const double last = before > end ? before : end;

	if (n % step > 0)
		return 0;
	return part * end * (n - last) / (n * last); /* the sum over all n is one part */
}

double interim_level(const struct interim *interim, uint32_t end, uint32_t n)
{
	double part = interim->share / INTERIM_PARTS, level = 0;
	uint32_t before_end = (interim->early > 0) + (interim->middle > 0);

	if (n > 0 && n == interim->early)
		level += least_level(n);
	if (n > 0 && n == interim->middle)
		level += part;
	if (end > 0 && n == end)
		level += part * (INTERIM_PARTS - 1 - before_end);
	if (end > 0 && n > end)
		level += level_beyond(part, end, n);
	return level;
}

uint32_t interim_least(double error, uint32_t comparisons)
{
	uint32_t planned = 1;
	struct interim interim;

	do {
		interim = interim_plan(error, ++planned, comparisons, comparisons);
	} while (least_level(planned) > interim_level(&interim, planned, planned));
	return planned;
}

/* Values sorted so far: the first n of a longer array. */
struct sorted {
	double *values;
	uint32_t n;
};

/* Sorts the first n of all values. */
static void sort_first(struct sorted *sorted, const double *all, uint32_t n)
{
	double *values = sorted->values;
	uint32_t at = sorted->n;

	if (n - sorted->n > 1) {
		memcpy(values, all, n * sizeof(*values));
		stats_sort(values, n);
	} else if (n > sorted->n) {
		/* Beyond the plan, there may be an analysis after each pair. */
		for (; at > 0 && values[at - 1] > all[n - 1]; at--)
			values[at] = values[at - 1];
		values[at] = all[n - 1];
	}
	sorted->n = n;
}

int interim_difference(const struct interim *interim, uint32_t end, const double *differences,
		       uint32_t n, struct stats_interval *out)
{
	struct stats_interval all = {NAN, NAN, NAN};
	struct sorted sorted = {malloc((2 * (size_t)n + 1) * sizeof(double)), 0};
	double *scratch = sorted.values + n, low, high;

	*out = all;
	if (!sorted.values)
		return -ENOMEM;
	for (uint32_t i = 1; i <= n; i++) {
		const double level = interim_level(interim, end, i);

		/*
		 * From 1,076 pairs on, least_level() is 0. An analysis at level 0 decides nothing,
		 * so skip it.
		 */
		if (level <= 0 || level < least_level(i))
			continue;
		sort_first(&sorted, differences, i);
		stats_signed_rank_narrow(sorted.values, i, level, scratch, &all);
	}
	sort_first(&sorted, differences, n);
	all.estimate = stats_centre(sorted.values, n, scratch);
	free(sorted.values);
	/* If the intervals have no common part, use the gap between them. */
	low = fmin(all.low, all.high);
	high = fmax(all.low, all.high);
	*out = (struct stats_interval) {fmin(fmax(all.estimate, low), high), low, high};
	return 0;
}

int interim_ratio(const struct interim *interim, uint32_t end, const double *log_ratios, uint32_t n,
		  struct stats_interval *out)
{
	int err = interim_difference(interim, end, log_ratios, n, out);

	*out = (struct stats_interval) {exp(out->estimate), exp(out->low), exp(out->high)};
	return err;
}
