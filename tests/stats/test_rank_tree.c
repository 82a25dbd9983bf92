/* SPDX-License-Identifier: MIT */
#include "stats/rank_tree.h"

#include "stage/check.h"

#include <math.h>

#include "base/array.h"

#define MOST 70

/* Counted one by one, of those added so far. */
static void expect_counts(const struct rank_tree *tree, const double *values, size_t added,
			  double bound)
{
	size_t up_to = 0, from = 0;

	for (size_t i = 0; i < added; i++) {
		up_to += values[i] <= bound;
		from += values[i] >= bound;
	}
	assert_int_equal(rank_tree_up_to(tree, bound), up_to);
	assert_int_equal(rank_tree_from(tree, bound), from);
}

static void expect_all_counts(const double *values, size_t n)
{
	struct rank_tree tree;

	assert_int_equal(rank_tree_open(&tree, values, n), 0);
	expect_counts(&tree, values, 0, 0);
	for (size_t i = 0; i < n; i++) {
		rank_tree_add(&tree, values[i]);
		for (size_t j = 0; j < n; j++) {
			expect_counts(&tree, values, i + 1, values[j]);
			expect_counts(&tree, values, i + 1, -values[j]);
		}
		expect_counts(&tree, values, i + 1, -INFINITY);
		expect_counts(&tree, values, i + 1, INFINITY);
	}
	rank_tree_close(&tree);
}

static void counts_are_those_of_the_values_added(void **state)
{
	uint64_t seed = 7;
	double values[MOST] = {0};

	for (size_t n = 0; n <= MOST; n++) {
		/* values that differ, ties, and all alike at both zeros */
		for (size_t i = 0; i < n; i++)
			values[i] = random_normal(&seed);
		expect_all_counts(values, n);
		for (size_t i = 0; i < n; i++)
			values[i] = round(2 * values[i]);
		expect_all_counts(values, n);
		for (size_t i = 0; i < n; i++)
			values[i] = i % 2 ? 0.0 : -0.0;
		expect_all_counts(values, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_those_of_the_values_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
