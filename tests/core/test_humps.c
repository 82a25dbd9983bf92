/* SPDX-License-Identifier: MIT */
#include "core/humps.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/stats.h"

static double exponential(uint64_t *state)
{
	return -log(random_uniform(state));
}

/* Times with one hump each. */
static double normal_1(uint64_t *state)
{
	return 100 + random_normal(state);
}

static double normal_20(uint64_t *state)
{
	return fmax(100 + 20 * random_normal(state), 1);
}

static double lognormal(uint64_t *state)
{
	return exp(random_normal(state));
}

static double lognormal_narrow(uint64_t *state)
{
	return 80 * exp(0.05 * random_normal(state));
}

static double uniform_narrow(uint64_t *state)
{
	return 100 + 10 * random_uniform(state);
}

/* A least time and what delays add, as those of a machine that is otherwise idle. */
static double delayed(uint64_t *state)
{
	return 80 + 4 * exponential(state);
}

/* Those of a clock whose steps are a tenth of the spread. */
static double stepped(uint64_t *state)
{
	return 41 * floor(170 + 10 * random_normal(state));
}

/* A few of the delays are ten times as long as most. */
static double delayed_much(uint64_t *state)
{
	return 80 + exp(random_normal(state));
}

static double (*const single[])(uint64_t *) = {
	normal_1,	normal_20,	lognormal, lognormal_narrow, exponential,
	random_uniform, uniform_narrow, delayed,   delayed_much,     stepped,
};

/* How many of the samples are said to have two humps. */
static int found(double (*draw)(uint64_t *), size_t n, int samples, uint64_t *state)
{
	double *x = calloc(n, sizeof(*x));
	struct humps humps;
	int two = 0;

	for (int i = 0; i < samples; i++) {
		for (size_t j = 0; j < n; j++)
			x[j] = draw(state);
		assert_int_equal(humps_find(x, n, &humps), 0);
		two += humps.two;
		assert_int_equal(isnan(humps.low), !humps.two);
	}
	free(x);
	return two;
}

static void one_hump_is_called_two_in_less_than_one_of_a_hundred(void **state)
{
	static const size_t sizes[] = {8,  9,  10, 11, 12, 14, 15, 16, 19, 20,
				       29, 30, 39, 40, 49, 50, 80, 99, 100};
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t j = 0; j < sizeof(single) / sizeof(single[0]); j++)
			if (found(single[j], sizes[i], 5000, &seed) > 50)
				fail_msg("distribution %zu, %zu values", j, sizes[i]);
}

static void nor_do_a_thousand_values_change_that(void **state)
{
	static const size_t sizes[] = {200, 1000, 2000};
	uint64_t seed = 2;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t j = 0; j < sizeof(single) / sizeof(single[0]); j++)
			if (found(single[j], sizes[i], 300, &seed) > 3)
				fail_msg("distribution %zu, %zu values", j, sizes[i]);
}

/*
 * Runs of 80 ms, of which some take 140.
 * Samples with so many values in the upper hump, and both humps told as they are.
 */
static int told(size_t n, size_t upper, double noise, int samples, uint64_t *state)
{
	double *x = calloc(n, sizeof(*x));
	struct humps humps;
	int right = 0;

	for (int i = 0; i < samples; i++) {
		for (size_t j = 0; j < n; j++)
			x[j] = (j < upper ? 140 : 80) * exp(noise * random_normal(state));
		assert_int_equal(humps_find(x, n, &humps), 0);
		right += humps.two && fabs(humps.low / 80 - 1) < 3 * noise &&
			 fabs(humps.high / 140 - 1) < 3 * noise &&
			 fabs(humps.share - (double)upper / (double)n) < 0.01;
	}
	free(x);
	return right;
}

static void two_humps_are_found_with_a_fifth_of_the_values_in_either(void **state)
{
	static const size_t sizes[] = {15, 20, 30, 50, 100, 1000, 2000};
	uint64_t seed = 3;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = sizes[i], least = n / 5;

		assert_true(told(n, least, 0.02, 500, &seed) >= 495);
		assert_true(told(n, n / 2, 0.02, 500, &seed) >= 495);
		assert_true(told(n, n - least, 0.02, 500, &seed) >= 495);
	}
	assert_true(told(8, 2, 0.015, 500, &seed) >= 475);
	assert_true(told(10, 2, 0.015, 500, &seed) >= 475);
	assert_true(told(8, 4, 0.02, 500, &seed) >= 495);
}

static void much_noise_hides_the_humps_only_from_few_values(void **state)
{
	uint64_t seed = 4;

	assert_true(told(50, 20, 0.08, 500, &seed) >= 400);
	assert_true(told(200, 50, 0.08, 500, &seed) >= 450);
	assert_true(told(8, 4, 0.08, 500, &seed) < 250);
}

static void a_slow_first_trial_hides_no_hump(void **state)
{
	double x[15];
	struct humps humps;
	uint64_t seed = 5;

	for (int i = 0; i < 15; i++)
		x[i] = (i % 3 ? 80 : 140) * (1 + 0.01 * random_normal(&seed));
	x[0] = 2000;
	humps_find(x, 15, &humps);
	assert_true(humps.two);
	assert_true(fabs(humps.low - 80) < 2 && fabs(humps.high - 140) < 3);
}

static void fewer_than_a_fifth_are_outliers(void **state)
{
	uint64_t seed = 6;

	assert_int_equal(told(15, 2, 0.02, 200, &seed), 0);
	assert_int_equal(told(1000, 150, 0.02, 50, &seed), 0);
}

static void humps_that_lie_close_are_worth_no_word(void **state)
{
	double x[40];
	struct humps humps;
	uint64_t seed = 7;

	for (int i = 0; i < 40; i++)
		x[i] = (i % 2 ? 100 : 105) + 0.1 * random_normal(&seed);
	humps_find(x, 40, &humps);
	assert_false(humps.two);
}

static void too_few_or_odd_values_have_no_humps(void **state)
{
	double few[] = {1, 1, 1, 2, 2, 2, 2}, same[20], zero[] = {0, 1, 1, 1, 9, 9, 9, 9, 9, 9};
	struct humps humps;

	assert_int_equal(humps_find(NULL, 0, &humps), 0);
	assert_false(humps.two);
	humps_find(few, 7, &humps);
	assert_false(humps.two);
	humps_find(zero, 10, &humps);
	assert_false(humps.two);
	for (int i = 0; i < 20; i++)
		same[i] = 5;
	humps_find(same, 20, &humps);
	assert_false(humps.two);
	for (int i = 0; i < 20; i++)
		same[i] = i < 10 ? 5 : 9;
	humps_find(same, 20, &humps);
	assert_true(humps.two && humps.low == 5 && humps.high == 9 && humps.share == 0.5);
}

/* The quantile of the dips of so many samples of uniform values. */
static double dip_quantile(size_t n, double q, uint64_t *state)
{
	double x[200], dips[4000];

	for (int i = 0; i < 4000; i++) {
		for (size_t j = 0; j < n; j++)
			x[j] = random_uniform(state);
		stats_sort(x, n);
		dips[i] = humps_dip(x, n);
	}
	stats_sort(dips, 4000);
	return stats_quantile(dips, 4000, q);
}

/* R, package diptest, qDiptab: rows 50 and 200, of 1,000,001 samples each. */
static void dips_agree_with_the_published_table(void **state)
{
	uint64_t seed = 8;

	assert_true(fabs(dip_quantile(50, 0.95, &seed) / 0.0702737877191269 - 1) < 0.02);
	assert_true(fabs(dip_quantile(50, 0.5, &seed) / 0.048851155289608 - 1) < 0.02);
	assert_true(fabs(dip_quantile(200, 0.95, &seed) / 0.0368418413878307 - 1) < 0.02);
}

/* Even steps are as near to one hump as can be; two heaps far apart are the farthest. */
static void dips_have_their_known_ends(void **state)
{
	double even[20], heaps[20];

	for (int i = 0; i < 20; i++) {
		even[i] = i;
		heaps[i] = i < 10 ? i * 1e-6 : 1 + i * 1e-6;
	}
	assert_true(fabs(humps_dip(even, 20) - 1 / 40.0) < 1e-9);
	assert_true(fabs(humps_dip(heaps, 20) - 0.25) < 0.03);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_hump_is_called_two_in_less_than_one_of_a_hundred),
		cmocka_unit_test(nor_do_a_thousand_values_change_that),
		cmocka_unit_test(two_humps_are_found_with_a_fifth_of_the_values_in_either),
		cmocka_unit_test(much_noise_hides_the_humps_only_from_few_values),
		cmocka_unit_test(a_slow_first_trial_hides_no_hump),
		cmocka_unit_test(fewer_than_a_fifth_are_outliers),
		cmocka_unit_test(humps_that_lie_close_are_worth_no_word),
		cmocka_unit_test(too_few_or_odd_values_have_no_humps),
		cmocka_unit_test(dips_agree_with_the_published_table),
		cmocka_unit_test(dips_have_their_known_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
