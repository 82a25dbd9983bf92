/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include "stage/check.h"

#include <math.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define NEAR	 1e-9

/* b / a: 2 means that a leads, 1/2 that b does. */
#define A_LEADS(x_)                                                                                \
	{                                                                                          \
		x_,                                                                                \
		{                                                                                  \
			2, 1.5, 3                                                                  \
		}                                                                                  \
	}
#define B_LEADS(x_)                                                                                \
	{                                                                                          \
		x_,                                                                                \
		{                                                                                  \
			0.5, 0.3, 0.9                                                              \
		}                                                                                  \
	}
#define NOBODY(x_)                                                                                 \
	{                                                                                          \
		x_,                                                                                \
		{                                                                                  \
			1.1, 0.9, 1.3                                                              \
		}                                                                                  \
	}
#define UNKNOWN(x_)                                                                                \
	{                                                                                          \
		x_,                                                                                \
		{                                                                                  \
			NAN, NAN, NAN                                                              \
		}                                                                                  \
	}

static void expect_one(const struct crossover_point *points, size_t n, double low, double high,
		       double at)
{
	struct crossover found[2];

	assert_int_equal(crossover_find(points, n, found, 2), 1);
	assert_float_equal(found[0].low, low, NEAR);
	assert_float_equal(found[0].high, high, NEAR);
	assert_float_equal(found[0].at, at, NEAR);
}

static void a_crossing_is_found_between_the_two_values(void **state)
{
	static const struct crossover_point up[] = {A_LEADS(10), A_LEADS(50), B_LEADS(100)};
	static const struct crossover_point down[] = {B_LEADS(1), A_LEADS(2)};

	/* log 2 and -log 2: half-way */
	expect_one(up, N(up), 50, 100, 75);
	expect_one(down, N(down), 1, 2, 1.5);
}

static void values_that_are_too_close_to_call_widen_the_interval(void **state)
{
	/* The estimate is above 1 until 600 and below from 700: log 1.1 to log 0.5. */
	static const struct crossover_point points[] = {A_LEADS(400), NOBODY(500), NOBODY(600),
							B_LEADS(700), NOBODY(800), B_LEADS(900)};
	double right = 600 + 100 * log(1.1) / (log(1.1) - log(0.5));

	expect_one(points, N(points), 400, 700, right);
}

static void values_that_are_not_known_are_passed_over(void **state)
{
	static const struct crossover_point points[] = {UNKNOWN(1), A_LEADS(2), UNKNOWN(3),
							B_LEADS(4), UNKNOWN(5)};

	expect_one(points, N(points), 2, 4, 3);
}

static void without_real_differences_on_both_sides_no_crossing_is_found(void **state)
{
	static const struct crossover_point one_side[] = {A_LEADS(1), NOBODY(2), A_LEADS(3)};
	/* The estimates cross, and that is all. */
	static const struct crossover_point noise[] = {
		{1, {1.2, 0.8, 1.6}}, {2, {0.8, 0.5, 1.2}}, {3, {1.3, 0.9, 1.8}}};
	static const struct crossover_point half[] = {A_LEADS(1), {2, {0.8, 0.5, 1.2}}};

	assert_int_equal(crossover_find(one_side, N(one_side), NULL, 0), 0);
	assert_int_equal(crossover_find(noise, N(noise), NULL, 0), 0);
	assert_int_equal(crossover_find(half, N(half), NULL, 0), 0);
	assert_int_equal(crossover_find(NULL, 0, NULL, 0), 0);
}

static void curves_may_cross_again_and_all_are_counted(void **state)
{
	static const struct crossover_point points[] = {A_LEADS(1), B_LEADS(2), B_LEADS(3),
							A_LEADS(4), B_LEADS(5)};
	struct crossover found[2] = {{0}};

	assert_int_equal(crossover_find(points, N(points), found, 2), 3);
	assert_float_equal(found[0].low, 1, NEAR);
	assert_float_equal(found[1].low, 3, NEAR);
	assert_float_equal(found[1].high, 4, NEAR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crossing_is_found_between_the_two_values),
		cmocka_unit_test(values_that_are_too_close_to_call_widen_the_interval),
		cmocka_unit_test(values_that_are_not_known_are_passed_over),
		cmocka_unit_test(without_real_differences_on_both_sides_no_crossing_is_found),
		cmocka_unit_test(curves_may_cross_again_and_all_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
