/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <sys/param.h>

/* Number of terms before the first check of the clock. */
#define TERMS 8192

/* Adds terms i … end - 1: one division and one addition each. */
static double add_terms(double sum, uint64_t i, uint64_t end)
{
	double sign = i % 2 ? -1 : 1;

	for (; i < end; i++) {
		sum += sign / (double)(2 * i + 1);
		sign = -sign;
	}
	return sum;
}

double work_add_terms(uint64_t terms)
{
	return add_terms(0, 0, terms);
}

/* 1 - 1/3 + 1/5 - …, from the first term to the last. */
static double leibniz(uint64_t terms, struct work_ticker *ticker)
{
	uint64_t done, n, steps = TERMS;
	double sum = 0;

	for (done = 0; done < terms; done += n) {
		n = MIN(terms - done, steps);
		sum = add_terms(sum, done, done + n);
		steps = work_tick(ticker, steps);
	}
	return sum;
}

/*
 * The allowed rounding error. Each addition may add half an ulp, up or down with equal probability.
 * After n additions this is a random walk, and eight standard deviations are allowed.
 */
#define ROUNDING (8 * 4 * DBL_EPSILON / 2)

/*
 * Whether the sum is right for this number of terms. The remainder of an alternating series with
 * falling, convex terms has the sign of the next term, and lies between half the next term and half
 * the last one (Calabrese, American Mathematical Monthly 69, 1962). So the check detects one term
 * too few or too many, if that term is larger than the rounding error.
 */
bool work_check_pi(double quarter, uint64_t terms)
{
	double n = (double)terms, left = terms % 2 ? 4 * quarter - M_PI : M_PI - 4 * quarter;
	double below = 2 / (2 * n + 1) - left, above = left - 2 / (2 * n - 1);
	double beyond = MAX(below, above);

	return beyond <= 0 || beyond * beyond <= ROUNDING * ROUNDING * n;
}

static int run_fp(const struct work_args *args, struct work_result *result)
{
	double quarter = leibniz(args->size, args->ticker);

	result->value = (uint64_t)(4e15 * quarter);
	if (work_check_pi(quarter, args->size))
		return 0;
	return -EILSEQ;
}

const struct workload_ops work_fp_ops = {
	.about = "add up a series for pi",
	.amount = "TERMS added",
	.unit = "terms",
	.default_size = 90000000,
	/* Up to this size, double represents the denominators exactly. */
	.most_size = UINT64_C(1) << 52,
	.ticks = true,
	.run = run_fp,
};
