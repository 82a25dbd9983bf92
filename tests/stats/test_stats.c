/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#define NEAR(a_, b_) assert_float_equal((float)(a_), (float)(b_), 1e-5f)

/*
 * Compares the quantiles of both methods, for values in an order and with a number of different
 * values.
 */
static void expect_selected(size_t n, unsigned order, unsigned values)
{
	static const double q[] = {0, 0.01, 0.5, 0.99, 1};
	double *x = calloc(n, sizeof(*x)), *sorted = calloc(n, sizeof(*sorted));
	unsigned seed = 1;

	for (size_t k = 0; k < sizeof(q) / sizeof(q[0]); k++) {
		for (size_t i = 0; i < n; i++) {
			seed = seed * 1664525u + 1013904223u;
			x[i] = order == 0   ? (double)(seed >> 8 & 0xffff)
			       : order == 1 ? (double)i
			       : order == 2 ? -(double)i
					    : (double)(i < n / 2 ? i : n - i);
			x[i] = values ? (double)((long)x[i] % (long)values) : x[i];
			sorted[i] = x[i];
		}
		stats_sort(sorted, n);
		NEAR(stats_select(x, n, q[k]), stats_quantile(sorted, n, q[k]));
	}
	free(x);
	free(sorted);
}

static void selecting_finds_what_sorting_does(void **state)
{
	static const size_t sizes[] = {1, 2, 3, 4, 5, 17, 100, 1000, 4999};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (unsigned order = 0; order < 4; order++)
			for (unsigned values = 0; values < 4; values++)
				expect_selected(sizes[i], order, values);
	assert_true(isnan(stats_select(NULL, 0, 0.5)));
}

static void quantiles_interpolate_as_type_7(void **state)
{
	double x[] = {7, 1, 5, 2, 10, 4};

	stats_sort(x, 6);
	for (size_t i = 1; i < 6; i++)
		assert_true(x[i - 1] <= x[i]);
	/* R: quantile(c(1, 2, 4, 5, 7, 10), c(0, .1, .25, .5, .9, 1)) */
	NEAR(stats_quantile(x, 6, 0), 1);
	NEAR(stats_quantile(x, 6, 0.1), 1.5);
	NEAR(stats_quantile(x, 6, 0.25), 2.5);
	NEAR(stats_median(x, 6), 4.5);
	NEAR(stats_quantile(x, 6, 0.9), 8.5);
	NEAR(stats_quantile(x, 6, 1), 10);
	NEAR(stats_median(x, 5), 4);
	NEAR(stats_median(x, 1), 1);
}

static void nothing_has_no_median(void **state)
{
	struct stats_interval interval = stats_median_interval(NULL, 0);

	assert_true(isnan(stats_median(NULL, 0)));
	assert_true(isnan(interval.estimate));
	assert_true(isnan(interval.low) && isnan(interval.high));
}

/* Critical values of the two-sided signed-rank test at 5 %: the largest T that rejects. */
static void signed_ranks_agree_with_the_printed_table(void **state)
{
	static const struct {
		size_t n, critical;
	} table[] = {{6, 0},	{7, 2},	   {8, 3},    {9, 5},	{10, 8},  {11, 10}, {12, 13},
		     {13, 17},	{14, 21},  {15, 25},  {16, 29}, {17, 34}, {18, 40}, {19, 46},
		     {20, 52},	{21, 58},  {22, 65},  {23, 73}, {24, 81}, {25, 89}, {26, 98},
		     {28, 116}, {30, 137}, {40, 264}, {50, 434}};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		assert_int_equal(stats_signed_rank_at(table[i].n, 0.05), table[i].critical + 1);
}

/* Counts all 2^n signs one by one. */
static void signed_ranks_agree_with_plain_enumeration(void **state)
{
	for (size_t n = 0; n <= 14; n++) {
		size_t rank = stats_signed_rank_at(n, 0.05), at_most = 0, one_more = 0;

		for (uint32_t signs = 0; signs < 1u << n; signs++) {
			size_t sum = 0;

			for (size_t i = 0; i < n; i++)
				sum += signs >> i & 1 ? i + 1 : 0;
			at_most += sum + 1 <= rank;
			one_more += sum <= rank;
		}
		assert_true((double)at_most <= 0.025 * (double)(1u << n));
		assert_true((double)one_more > 0.025 * (double)(1u << n));
	}
}

/* Returns all Walsh averages, sorted. */
static double *sorted_averages(const double *d, size_t n)
{
	double *all = calloc(n * (n + 1) / 2, sizeof(*all));
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			all[count++] = (d[i] + d[j]) / 2;
	stats_sort(all, count);
	return all;
}

/* The interval's three values are averages to the last bit, at every scale and with ties. */
static void expect_averages(const double *d, size_t n)
{
	double *all = sorted_averages(d, n);
	size_t count = n * (n + 1) / 2, rank = stats_signed_rank_at(n, 0.05);
	struct stats_interval found;

	assert_int_equal(stats_signed_rank_interval(d, n, 0.05, &found), 0);
	assert_true(found.estimate == (all[(count - 1) / 2] + all[count / 2]) / 2);
	assert_true(rank > 0 ? found.low == all[rank - 1] : isnan(found.low));
	assert_true(rank > 0 ? found.high == all[count - rank] : isnan(found.high));
	free(all);
}

static void intervals_are_the_averages_that_sorting_all_finds(void **state)
{
	double d[240];
	unsigned seed = 1;

	for (size_t n = 1; n <= 240; n += n < 30 ? 1 : 21) {
		for (unsigned scale = 0; scale < 5; scale++) {
			for (size_t i = 0; i < n; i++) {
				seed = seed * 1664525u + 1013904223u;
				d[i] = (double)(int)(seed >> 8 & 0xffff) - 32768;
				d[i] = scale == 0 ? (double)((int)d[i] % 3)
						  : ldexp(d[i], (int)scale * 300 - 900);
			}
			expect_averages(d, n);
		}
	}
}

/* Such a search begins among fewer values, which may be far from what it looks for. */
static void long_series_have_the_averages_that_sorting_all_finds(void **state)
{
	double d[1500];
	unsigned seed = 1;

	for (size_t n = 1000; n <= 1500; n += 100) {
		for (int kind = 0; kind < 6; kind++) {
			for (size_t i = 0; i < n; i++) {
				seed = seed * 1664525u + 1013904223u;
				const double x = (double)(int)(seed >> 8 & 0xffff) - 32768;
				const double kinds[] = {x, (int)x % 3, x * x * x * x * x,
							7, i == n / 2, x + (i % 2) * 1e6};

				d[i] = kinds[kind];
			}
			expect_averages(d, n);
		}
	}
}

/* A list of all averages would take 10 GB. */
static void fifty_thousand_pairs_have_an_interval(void **state)
{
	enum { N = 50000 };
	double *d = calloc(N, sizeof(*d));
	struct stats_interval found;

	for (size_t i = 0; i < N; i++)
		d[i] = (double)((i * 7919) % N); /* 0 … N - 1 in some order */
	assert_int_equal(stats_signed_rank_interval(d, N, 0.05, &found), 0);
	NEAR(found.estimate, (N - 1) / 2.0);
	assert_in_range((long)(N / 2 - found.low), 100, 160);
	assert_in_range((long)(found.high - N / 2), 100, 160);
	free(d);
}

static void fewer_than_six_pairs_give_no_rank(void **state)
{
	for (size_t n = 0; n < STATS_LEAST_PAIRS; n++) {
		assert_int_equal(stats_signed_rank_at(n, 0.05), 0);
		assert_int_equal(stats_sign_rank(n), 0);
	}
	assert_int_equal(stats_signed_rank_at(STATS_LEAST_PAIRS, 0.05), 1);
	assert_int_equal(stats_sign_rank(STATS_LEAST_PAIRS), 1);
}

/* Conover, table of the binomial distribution: largest k with P(at most k) <= 0.025. */
static void sign_ranks_agree_with_the_binomial_table(void **state)
{
	assert_int_equal(stats_sign_rank(8), 1);
	assert_int_equal(stats_sign_rank(9), 2);
	assert_int_equal(stats_sign_rank(12), 3);
	assert_int_equal(stats_sign_rank(15), 4);
	assert_int_equal(stats_sign_rank(20), 6);
	assert_int_equal(stats_sign_rank(25), 8);
	assert_int_equal(stats_sign_rank(50), 18);
	assert_int_equal(stats_sign_rank(100), 40);
}

/* The exact ranks of 100, 101 and 150 pairs, counted in whole numbers, are 1956, 1998 and 4619. */
static void the_normal_approximation_continues_the_exact_ranks(void **state)
{
	assert_int_equal(stats_signed_rank_at(STATS_EXACT_MOST, 0.05), 1956);
	assert_in_range(stats_signed_rank_at(STATS_EXACT_MOST + 1, 0.05), 1996, 1998);
	assert_in_range(stats_signed_rank_at(150, 0.05), 4616, 4619);
	assert_int_equal(stats_sign_rank(STATS_EXACT_MOST + 1), 41);
}

/* Returns the exact rank for n pairs, from the number of signs with each sum. */
static size_t exact_rank(size_t n, double level)
{
	size_t sums = n * (n + 1) / 2 + 1, rank = 0;
	double *share = calloc(sums, sizeof(*share)), below = 0;

	share[0] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t s = sums; s-- > 0;)
			share[s] = (share[s] + (s >= i ? share[s - i] : 0)) / 2;
	while (below + share[rank] <= level / 2)
		below += share[rank++];
	free(share);
	return rank;
}

static void ranks_of_any_level_are_exact_or_near_and_mostly_below(void **state)
{
	static const double levels[] = {0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9};

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		for (size_t n = 0; n <= STATS_EXACT_MOST; n += 5)
			assert_int_equal(stats_signed_rank_at(n, levels[i]),
					 exact_rank(n, levels[i]));
		for (size_t n = STATS_EXACT_MOST + 1; n < 200; n += 9)
			assert_in_range(stats_signed_rank_at(n, levels[i]),
					exact_rank(n, levels[i]) * 3 / 4,
					exact_rank(n, levels[i]) + 1);
	}
	assert_int_equal(stats_signed_rank_at(20, 0), 0);
	assert_int_equal(stats_signed_rank_at(5000, 0), 0);
}

/*
 * Hollander & Wolfe, table 3.1: Hamilton depression scale of nine patients before and after a
 * tranquilizer; example 3.3 gives the estimate -0.46, example 3.4 the interval -0.786 … -0.010
 * (96.1 %).
 */
static void depression_scale_of_hollander_and_wolfe(void **state)
{
	static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
	static const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
	double a[9], b[9];
	struct stats_interval ratio;

	for (size_t i = 0; i < 9; i++) {
		a[i] = exp(before[i]);
		b[i] = exp(after[i]);
	}
	assert_int_equal(stats_paired_ratio(a, b, 9, &ratio), 0);
	NEAR(log(ratio.estimate), -0.46);
	NEAR(log(ratio.low), -0.786);
	NEAR(log(ratio.high), -0.010);
	assert_int_equal(stats_verdict(&ratio), STATS_B);
}

static void six_pairs_give_the_extreme_averages(void **state)
{
	static const double a[] = {1, 1, 1, 1, 1, 1}, b[] = {1.3, 1.1, 1.6, 1.2, 1.4, 1.5};
	struct stats_interval ratio;

	assert_int_equal(stats_paired_ratio(a, b, 6, &ratio), 0);
	NEAR(ratio.low, 1.1);
	NEAR(ratio.high, 1.6);
	assert_true(ratio.estimate > 1.3 && ratio.estimate < 1.4);
	assert_int_equal(stats_verdict(&ratio), STATS_A);
}

static void five_pairs_give_an_estimate_alone(void **state)
{
	static const double a[] = {2, 2, 2, 2, 2}, b[] = {3, 3, 3, 3, 3};
	struct stats_interval ratio;

	assert_int_equal(stats_paired_ratio(a, b, 5, &ratio), 0);
	NEAR(ratio.estimate, 1.5);
	assert_true(isnan(ratio.low) && isnan(ratio.high));
	assert_int_equal(stats_verdict(&ratio), STATS_TOO_FEW);
	assert_int_equal(stats_paired_ratio(a, b, 0, &ratio), 0);
	assert_true(isnan(ratio.estimate));
}

static void a_pair_without_a_positive_value_gives_nothing(void **state)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	double a[] = {1, 2, 3, 4, 5, 6, 7}, b[] = {1, 2, 3, 4, 5, 6, 7};
	struct stats_interval ratio;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		a[3] = bad[i];
		assert_int_equal(stats_paired_ratio(a, b, 7, &ratio), 0);
		assert_true(isnan(ratio.estimate) && isnan(ratio.low) && isnan(ratio.high));
		assert_int_equal(stats_paired_ratio(b, a, 7, &ratio), 0);
		assert_true(isnan(ratio.estimate));
		assert_int_equal(stats_verdict(&ratio), STATS_TOO_FEW);
	}
}

static void swapping_the_sides_inverts_the_ratio(void **state)
{
	uint64_t seed = 11;
	double a[31], b[31];
	struct stats_interval ab, ba;

	for (size_t i = 0; i < 31; i++) {
		a[i] = exp(random_normal(&seed));
		b[i] = exp(random_normal(&seed));
	}
	assert_int_equal(stats_paired_ratio(a, b, 31, &ab), 0);
	assert_int_equal(stats_paired_ratio(b, a, 31, &ba), 0);
	NEAR(ab.estimate * ba.estimate, 1);
	NEAR(ab.low * ba.high, 1);
	NEAR(ab.high * ba.low, 1);
}

static void a_verdict_needs_the_whole_interval_on_one_side(void **state)
{
	assert_int_equal(stats_verdict(&(struct stats_interval) {1.1, 1.01, 1.2}), STATS_A);
	assert_int_equal(stats_verdict(&(struct stats_interval) {0.9, 0.8, 0.99}), STATS_B);
	assert_int_equal(stats_verdict(&(struct stats_interval) {1.1, 1.0, 1.2}), STATS_NONE);
	assert_int_equal(stats_verdict(&(struct stats_interval) {0.9, 0.8, 1.0}), STATS_NONE);
	assert_int_equal(stats_verdict(&(struct stats_interval) {1, NAN, NAN}), STATS_TOO_FEW);
}

/* How the trials of one side vary, relative to their time. */
enum noise {
	NOISE_NORMAL, /* by 2 % */
	/* by 1 %, and one in 20 takes up to 1.25 times as long, as beside a cron job */
	NOISE_TAILED,
	NOISE_CAUCHY, /* by 0.4 %, without a bound or a mean */
	NOISE_STEPS,  /* by 2 % in steps of 2 %, as with a coarse clock: ties, and equal pairs */
	NOISES
};

static double noisy(uint64_t *seed, enum noise noise)
{
	switch (noise) {
	case NOISE_TAILED:
		return exp(0.01 * random_normal(seed)) *
		       (random_uniform(seed) < 0.05 ? 1 + 0.25 * random_uniform(seed) : 1);
	case NOISE_CAUCHY:
		return exp(fmax(-9, fmin(9, 0.004 * tan(M_PI * (random_uniform(seed) - 0.5)))));
	case NOISE_STEPS:
		return 1 + 0.02 * round(random_normal(seed));
	default:
		return exp(0.02 * random_normal(seed));
	}
}

/* Simulates a session: n pairs, b slower by that factor. */
static enum stats_verdict simulate(uint64_t *seed, size_t n, enum noise noise, double slowdown)
{
	double a[150], b[150];
	struct stats_interval ratio;

	for (size_t i = 0; i < n; i++) {
		/* both values of a pair share it */
		double warmth = exp(0.05 * random_normal(seed));

		a[i] = warmth * noisy(seed, noise);
		b[i] = warmth * noisy(seed, noise) * (1 + slowdown);
	}
	assert_int_equal(stats_paired_ratio(a, b, n, &ratio), 0);
	return stats_verdict(&ratio);
}

static int count_winners(uint64_t *seed, int sessions, size_t n, enum noise noise)
{
	int called = 0;

	for (int i = 0; i < sessions; i++)
		called += simulate(seed, n, noise, 0) != STATS_NONE;
	return called;
}

static void equal_sides_are_called_different_in_at_most_5_percent(void **state)
{
	static const size_t pairs[] = {6, 7, 10, 20, 150};
	uint64_t seed = 20161;

	for (int noise = 0; noise < NOISES; noise++) {
		for (size_t p = 0; p < sizeof(pairs) / sizeof(*pairs); p++) {
			int sessions = pairs[p] > 100 ? 200 : 2000;
			int called = count_winners(&seed, sessions, pairs[p], (enum noise)noise);

			/* 5 % and three standard deviations of a count */
			assert_true(called <= 0.05 * sessions + 3 * sqrt(0.05 * 0.95 * sessions));
		}
	}
}

/*
 * All six pairs are on one side in two of the 64 combinations of signs. With steps, pairs can be
 * equal, and then there is no winner.
 */
static void six_equal_pairs_name_a_winner_in_3_percent(void **state)
{
	uint64_t seed = 64;
	const int sessions = 10000, expected = sessions / 32;
	const double deviation = sqrt(expected * (1 - 1 / 32.));

	for (int noise = 0; noise < NOISE_STEPS; noise++) {
		int called = count_winners(&seed, sessions, 6, (enum noise)noise);

		assert_true(abs(called - expected) < 3 * deviation);
	}
	assert_true(count_winners(&seed, sessions, 6, NOISE_STEPS) < expected);
}

static void sides_that_are_the_same_to_the_last_digit_have_no_winner(void **state)
{
	double a[20], b[20];
	struct stats_interval ratio;

	for (size_t i = 0; i < 20; i++)
		a[i] = b[i] = 100;
	assert_int_equal(stats_paired_ratio(a, b, 20, &ratio), 0);
	assert_int_equal(stats_verdict(&ratio), STATS_NONE);
	NEAR(ratio.estimate, 1);
	b[3] = 500; /* a single pair does not make one either */
	assert_int_equal(stats_paired_ratio(a, b, 20, &ratio), 0);
	assert_int_equal(stats_verdict(&ratio), STATS_NONE);
}

static void three_percent_are_found_at_20_pairs(void **state)
{
	uint64_t seed = 2020;

	for (int noise = 0; noise < NOISES; noise++) {
		int found = 0;

		for (int i = 0; i < 1000; i++)
			found += simulate(&seed, 20, (enum noise)noise, 0.03) == STATS_A;
		assert_true(found >= 950);
	}
}

static void medians_have_the_interval_of_the_sign_test(void **state)
{
	double x[] = {9, 2, 7, 4, 5, 6, 3, 8, 1, 10};
	struct stats_interval interval = stats_median_interval(x, 10);

	NEAR(interval.estimate, 5.5);
	NEAR(interval.low, 2);
	NEAR(interval.high, 9);
	interval = stats_median_interval(x, 5);
	NEAR(interval.estimate, 3);
	assert_true(isnan(interval.low) && isnan(interval.high));
}

/* Computed by hand: the median is 12; the deviations are 11 2 1 0 1 2 18, and their median is 2. */
static void modified_z_scores_measure_from_the_median(void **state)
{
	double x[] = {30, 10, 11, 12, 13, 14, 1}, same[] = {5, 5, 5, 9};
	struct stats_spread spread = stats_spread(x, 7);

	NEAR(spread.median, 12);
	NEAR(spread.deviation, 2 * 1.4826022);
	NEAR(stats_modified_z(&spread, 12), 0);
	NEAR(stats_modified_z(&spread, 30), 0.6744898 * 18 / 2);
	NEAR(stats_modified_z(&spread, 1), -0.6744898 * 11 / 2);
	spread = stats_spread(same, 4);
	NEAR(stats_modified_z(&spread, 5), 0);
	assert_true(stats_modified_z(&spread, 9) > 1e300);
	spread = stats_spread(NULL, 0);
	assert_true(isnan(spread.median) && isnan(stats_modified_z(&spread, 1)));
}

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MARGIN	      1e-9

/* b / a: 2 means that a leads, 1/2 that b leads. */
#define A_LEADS(x_)                                                                                \
	{                                                                                          \
		x_, {2, 1.5, 3}, 1, 2                                                              \
	}
#define B_LEADS(x_)                                                                                \
	{                                                                                          \
		x_, {0.5, 0.3, 0.9}, 2, 1                                                          \
	}
#define NOBODY(x_)                                                                                 \
	{                                                                                          \
		x_, {1.1, 0.9, 1.3}, 1, 1.1                                                        \
	}
#define UNKNOWN(x_)                                                                                \
	{                                                                                          \
		x_, {NAN, NAN, NAN}, NAN, NAN                                                      \
	}

static void expect_one(const struct crossover_point *points, size_t n, double low, double high,
		       double at)
{
	struct crossover found[2];

	assert_int_equal(crossover_find(points, n, false, found, 2), 1);
	assert_float_equal(found[0].low, low, MARGIN);
	assert_float_equal(found[0].high, high, MARGIN);
	assert_float_equal(found[0].at, at, MARGIN);
}

static void a_crossing_is_found_between_the_two_values(void **state)
{
	static const struct crossover_point up[] = {A_LEADS(10), A_LEADS(50), B_LEADS(100)};
	static const struct crossover_point down[] = {B_LEADS(1), A_LEADS(2)};

	/* 1 above and 1 below: half-way */
	expect_one(up, LENGTH(up), 50, 100, 75);
	expect_one(down, LENGTH(down), 1, 2, 1.5);
}

static void a_crossing_is_where_the_drawn_lines_meet(void **state)
{
	static const struct crossover_point drawn[] = {{1000, {2.26, 2.0, 2.5}, 236, 533},
						       {4000, {0.38, 0.3, 0.5}, 1480, 561}};
	static const struct crossover_point powers[] = {{1, {4, 3, 5}, 1, 4},
							{16, {0.25, 0.2, 0.3}, 16, 4}};
	/* The medians do not cross, but the pairs do. */
	static const struct crossover_point pairs[] = {{10, {2, 1.5, 3}, 1, 2},
						       {20, {0.5, 0.3, 0.9}, 1, 2}};
	struct crossover found;

	assert_int_equal(crossover_find(drawn, LENGTH(drawn), false, &found, 1), 1);
	assert_float_equal(found.at, 1732.73, 0.01);
	/* Straight on logarithmic axes: y = x meets y = 4. */
	assert_int_equal(crossover_find(powers, LENGTH(powers), true, &found, 1), 1);
	assert_float_equal(found.at, 4, MARGIN);
	assert_int_equal(crossover_find(pairs, LENGTH(pairs), false, &found, 1), 1);
	assert_float_equal(found.at, 15, MARGIN);
}

static void values_that_are_too_close_to_call_widen_the_interval(void **state)
{
	/* b's line is 0.1 above that of a up to 600, and 1 below it from 700 on. */
	static const struct crossover_point points[] = {A_LEADS(400), NOBODY(500), NOBODY(600),
							B_LEADS(700), NOBODY(800), B_LEADS(900)};
	double right = 600 + 100 * 0.1 / 1.1;

	expect_one(points, LENGTH(points), 400, 700, right);
}

static void values_that_are_not_known_are_passed_over(void **state)
{
	static const struct crossover_point points[] = {UNKNOWN(1), A_LEADS(2), UNKNOWN(3),
							B_LEADS(4), UNKNOWN(5)};

	expect_one(points, LENGTH(points), 2, 4, 3);
}

static void without_real_differences_on_both_sides_no_crossing_is_found(void **state)
{
	static const struct crossover_point one_side[] = {A_LEADS(1), NOBODY(2), A_LEADS(3)};
	/* Only the estimates cross. */
	static const struct crossover_point noise[] = {
		{1, {1.2, 0.8, 1.6}}, {2, {0.8, 0.5, 1.2}}, {3, {1.3, 0.9, 1.8}}};
	static const struct crossover_point half[] = {A_LEADS(1), {2, {0.8, 0.5, 1.2}}};

	assert_int_equal(crossover_find(one_side, LENGTH(one_side), false, NULL, 0), 0);
	assert_int_equal(crossover_find(noise, LENGTH(noise), false, NULL, 0), 0);
	assert_int_equal(crossover_find(half, LENGTH(half), false, NULL, 0), 0);
	assert_int_equal(crossover_find(NULL, 0, false, NULL, 0), 0);
}

static void curves_may_cross_again_and_all_are_counted(void **state)
{
	static const struct crossover_point points[] = {A_LEADS(1), B_LEADS(2), B_LEADS(3),
							A_LEADS(4), B_LEADS(5)};
	struct crossover found[2] = {{0}};

	assert_int_equal(crossover_find(points, LENGTH(points), false, found, 2), 3);
	assert_float_equal(found[0].low, 1, MARGIN);
	assert_float_equal(found[1].low, 3, MARGIN);
	assert_float_equal(found[1].high, 4, MARGIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_interpolate_as_type_7),
		cmocka_unit_test(selecting_finds_what_sorting_does),
		cmocka_unit_test(nothing_has_no_median),
		cmocka_unit_test(signed_ranks_agree_with_the_printed_table),
		cmocka_unit_test(signed_ranks_agree_with_plain_enumeration),
		cmocka_unit_test(intervals_are_the_averages_that_sorting_all_finds),
		cmocka_unit_test(long_series_have_the_averages_that_sorting_all_finds),
		cmocka_unit_test(fifty_thousand_pairs_have_an_interval),
		cmocka_unit_test(fewer_than_six_pairs_give_no_rank),
		cmocka_unit_test(sign_ranks_agree_with_the_binomial_table),
		cmocka_unit_test(the_normal_approximation_continues_the_exact_ranks),
		cmocka_unit_test(ranks_of_any_level_are_exact_or_near_and_mostly_below),
		cmocka_unit_test(depression_scale_of_hollander_and_wolfe),
		cmocka_unit_test(six_pairs_give_the_extreme_averages),
		cmocka_unit_test(five_pairs_give_an_estimate_alone),
		cmocka_unit_test(a_pair_without_a_positive_value_gives_nothing),
		cmocka_unit_test(swapping_the_sides_inverts_the_ratio),
		cmocka_unit_test(a_verdict_needs_the_whole_interval_on_one_side),
		cmocka_unit_test(equal_sides_are_called_different_in_at_most_5_percent),
		cmocka_unit_test(six_equal_pairs_name_a_winner_in_3_percent),
		cmocka_unit_test(sides_that_are_the_same_to_the_last_digit_have_no_winner),
		cmocka_unit_test(three_percent_are_found_at_20_pairs),
		cmocka_unit_test(medians_have_the_interval_of_the_sign_test),
		cmocka_unit_test(modified_z_scores_measure_from_the_median),
		cmocka_unit_test(a_crossing_is_where_the_drawn_lines_meet),
		cmocka_unit_test(a_crossing_is_found_between_the_two_values),
		cmocka_unit_test(values_that_are_too_close_to_call_widen_the_interval),
		cmocka_unit_test(values_that_are_not_known_are_passed_over),
		cmocka_unit_test(without_real_differences_on_both_sides_no_crossing_is_found),
		cmocka_unit_test(curves_may_cross_again_and_all_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
