/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include <math.h>

/* How the share is spent: on each interim look, on all after the planned end, the rest there. */
#define LOOKS_PARTS 6

uint32_t looks_metrics(uint32_t cases)
{
	return cases > 8 ? 1 : LOOKS_METRICS_MOST;
}

/* The level at which only pairs that are all on one side reject: the least there is. */
static double least_level(uint32_t n)
{
	return ldexp(1, 1 - (int)n);
}

/* The least number of pairs that can reject at the level. */
static uint32_t least_pairs(double level)
{
	uint32_t n = 1;

	while (least_level(n) > level)
		n++;
	return n;
}

struct looks looks_plan(double error, uint32_t planned, uint32_t comparisons, uint32_t left)
{
	struct looks looks = {.share = error / left, .planned = planned};

	if (least_pairs(error / comparisons / LOOKS_PARTS) < planned) {
		looks.early = least_pairs(looks.share / LOOKS_PARTS);
		looks.middle = (least_pairs(error / comparisons / LOOKS_PARTS) + planned + 1) / 2;
	}
	if (looks.middle == planned)
		looks.middle = 0;
	return looks;
}

double looks_joint(double error, uint32_t planned, uint32_t comparisons)
{
	double level = least_level(STATS_LEAST_PAIRS), rest = error - level;

	return rest > 0 && least_pairs(rest / comparisons / LOOKS_PARTS) < planned ? level : 0;
}

double looks_level(const struct looks *looks, uint32_t end, uint32_t n)
{
	double part = looks->share / LOOKS_PARTS, level = 0;
	uint32_t interim = (looks->early > 0) + (looks->middle > 0);

	if (n > 0 && n == looks->early)
		level += least_level(n);
	if (n > 0 && n == looks->middle)
		level += part;
	if (end > 0 && n == end)
		level += part * (LOOKS_PARTS - 1 - interim);
	if (end > 0 && n > end)
		level += part * end / ((double)n * (n - 1)); /* of all n these add up to a part */
	return level;
}

uint32_t looks_least(double error, uint32_t comparisons)
{
	uint32_t planned = 1;
	struct looks looks;

	do {
		looks = looks_plan(error, ++planned, comparisons, comparisons);
	} while (least_level(planned) > looks_level(&looks, planned, planned));
	return planned;
}

int looks_difference(const struct looks *looks, uint32_t end, const double *differences, uint32_t n,
		     struct stats_interval *out)
{
	struct stats_interval all = {NAN, NAN, NAN}, look;
	int err = stats_signed_rank_interval(differences, n, 0, &all);
	double low, high;

	for (uint32_t i = 1; i <= n; i++) {
		double level = looks_level(looks, end, i);

		if (err)
			break;

		/* The least is 0 from 1,076 on, and a look at level 0 decides nothing. */
		if (level <= 0 || level < least_level(i))
			continue;
		err = stats_signed_rank_interval(differences, i, level, &look);
		/* Narrows to what both have in common: an end that is not known is the other's. */
		all.low = fmax(all.low, look.low);
		all.high = fmin(all.high, look.high);
	}
	/* Looks that have nothing in common leave what lies between them. */
	low = fmin(all.low, all.high);
	high = fmax(all.low, all.high);
	*out = (struct stats_interval) {fmin(fmax(all.estimate, low), high), low, high};
	return err;
}

int looks_ratio(const struct looks *looks, uint32_t end, const double *log_ratios, uint32_t n,
		struct stats_interval *out)
{
	int err = looks_difference(looks, end, log_ratios, n, out);

	*out = (struct stats_interval) {exp(out->estimate), exp(out->low), exp(out->high)};
	return err;
}
