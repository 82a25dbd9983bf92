/* SPDX-License-Identifier: MIT */
#include "stats/family.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>

enum { SIZE = 4, TRIALS = 30, PLANNED = 12 };

/* Differences of n pairs, of which the first is below 0 and has that rank; 0: none is. */
static void one_below(double *d, uint32_t n, uint32_t rank)
{
	uint32_t next = 1;

	for (uint32_t i = 0; i < n; i++) {
		next += rank > 0 && next == rank;
		d[i] = i == 0 && rank > 0 ? -0.01 * rank : 0.01 * next++;
	}
}

/* Reads a family of SIZE with so many pairs each, the statistic of each being that rank. */
static void read(struct family_member members[SIZE], double d[SIZE][TRIALS], uint32_t n,
		 const uint32_t rank[SIZE])
{
	struct family family;

	assert_int_equal(family_make(&family, LOOKS_ERROR, PLANNED, SIZE), 0);
	for (uint32_t i = 0; i < SIZE; i++) {
		one_below(d[i], n, rank[i]);
		members[i] = (struct family_member) {d[i], n, .end = n >= PLANNED ? PLANNED : 0};
	}
	assert_int_equal(family_read(&family, members), 0);
	family_free(&family);
}

/*
 * Of twelve pairs half of 0.05 / 4, / 2 and / 1 reject up to 5, 8 and 10: of the 4096 signs,
 * 10, 25 and 43 sum to no more.
 */
static void a_real_difference_leaves_a_wider_level_to_the_next(void **state)
{
	struct family_member members[SIZE];
	double d[SIZE][TRIALS];

	read(members, d, PLANNED, (const uint32_t[SIZE]) {5, 5, 10, 5});
	for (uint32_t i = 0; i < SIZE; i++)
		assert_true(members[i].real);
	assert_int_equal(members[0].left, 4);
	assert_int_equal(members[1].left, 4);
	assert_int_equal(members[3].left, 4);
	assert_int_equal(members[2].left, 1);
	read(members, d, PLANNED, (const uint32_t[SIZE]) {5, 5, 11, 5});
	assert_false(members[2].real);
	assert_float_equal(
		(float)family_level(&(struct family) {.error = LOOKS_ERROR}, &members[2]), 0.95f,
		1e-6f);
}

static void a_difference_that_is_not_real_has_the_step_at_which_the_tests_stopped(void **state)
{
	struct family_member members[SIZE];
	double d[SIZE][TRIALS];

	read(members, d, PLANNED, (const uint32_t[SIZE]) {5, 9, 0, 9});
	assert_true(members[0].real && members[2].real);
	assert_int_equal(members[0].left, 4);
	assert_true(!members[1].real && !members[3].real);
	assert_int_equal(members[1].left, 2);
	assert_int_equal(members[3].left, 2);
	assert_float_equal(
		(float)family_level(&(struct family) {.error = LOOKS_ERROR}, &members[1]), 0.975f,
		1e-6f);
	read(members, d, PLANNED, (const uint32_t[SIZE]) {5, 8, 0, 11});
	assert_true(members[1].real && !members[3].real);
	read(members, d, PLANNED, (const uint32_t[SIZE]) {7, 7, 7, 7});
	assert_true(!members[0].real && !members[1].real && !members[2].real && !members[3].real);
}

/* Ten on one side: 2^-9 is at most 0.05 / 4 / 6. */
static void only_the_early_look_decides_before_the_end(void **state)
{
	struct family_member members[SIZE];
	double d[SIZE][TRIALS];

	read(members, d, 9, (const uint32_t[SIZE]) {0, 0, 0, 0});
	for (uint32_t i = 0; i < SIZE; i++)
		assert_false(members[i].real);
	read(members, d, 10, (const uint32_t[SIZE]) {0, 1, 0, 0});
	assert_true(members[0].real && members[2].real && members[3].real);
	assert_false(members[1].real);
}

/* One random session; of rounded values many are alike, and some 0. */
static void draw(double d[SIZE][TRIALS], bool rounded)
{
	for (uint32_t i = 0; i < SIZE; i++) {
		double centre = 0.4 * (rand() % 3 - 1);

		for (uint32_t t = 0; t < TRIALS; t++) {
			d[i][t] = centre + rand() / (double)RAND_MAX - 0.5;
			d[i][t] = rounded ? round(8 * d[i][t]) / 8 : d[i][t];
		}
	}
}

/* At every trial: what was real stays so, its interval too, and each leaves 1 out where real. */
static void expect_lasting(struct family *family, double d[SIZE][TRIALS])
{
	struct family_member members[SIZE];
	bool real[SIZE] = {false};

	for (uint32_t n = 0; n <= TRIALS; n++) {
		for (uint32_t i = 0; i < SIZE; i++)
			members[i] =
				(struct family_member) {d[i], n, .end = n >= PLANNED ? PLANNED : 0};
		assert_int_equal(family_read(family, members), 0);
		for (uint32_t i = 0; i < SIZE; i++) {
			struct stats_interval ratio;
			enum stats_verdict verdict;

			assert_int_equal(family_interval(family, &members[i], false, &ratio), 0);
			verdict = stats_verdict(&ratio);
			assert_true(members[i].real || !real[i]);
			assert_int_equal(members[i].real, verdict == STATS_A || verdict == STATS_B);
			assert_true(isnan(ratio.low) ||
				    (ratio.low <= ratio.estimate && ratio.estimate <= ratio.high));
			real[i] = members[i].real;
		}
	}
}

static void a_real_difference_stays_real_and_its_interval_excludes_1(void **state)
{
	double d[SIZE][TRIALS];
	struct family family;

	srand(7);
	assert_int_equal(family_make(&family, LOOKS_ERROR, PLANNED, SIZE), 0);
	for (int i = 0; i < 200; i++) {
		draw(d, i % 2);
		expect_lasting(&family, d);
	}
	family_free(&family);
}

static void an_end_with_fewer_pairs_is_an_end_as_well(void **state)
{
	struct family_member member;
	struct family family;
	double d[TRIALS];

	assert_int_equal(family_make(&family, LOOKS_ERROR, 6, 1), 0);
	one_below(d, TRIALS, 0);
	member = (struct family_member) {d, 6};
	assert_int_equal(family_read(&family, &member), 0);
	assert_false(member.real);
	member.end = 6;
	assert_int_equal(family_read(&family, &member), 0);
	assert_true(member.real);
	member.n = member.end = 5; /* a trial failed: five cannot tell, nor can a sixth */
	assert_int_equal(family_read(&family, &member), 0);
	assert_false(member.real);
	member.n = 6;
	assert_int_equal(family_read(&family, &member), 0);
	assert_false(member.real);
	member.n = 14;
	assert_int_equal(family_read(&family, &member), 0);
	assert_true(member.real);
	family_free(&family);
}

static void nothing_compared_is_nothing_found(void **state)
{
	struct family family;

	assert_int_equal(family_make(&family, LOOKS_ERROR, 15, 0), 0);
	assert_int_equal(family_read(&family, NULL), 0);
	family_free(&family);
}

/* So many that neither of its counts fits 32 bits. */
static void of_very_many_pairs_none_is_real_by_the_size_of_a_count(void **state)
{
	static double d[140000];
	const uint32_t n = sizeof(d) / sizeof(*d);
	struct family_member member = {d, n, .end = n};
	struct family family;

	for (uint32_t i = 0; i < n; i++)
		d[i] = (i % 2 ? 1.0 : -1.0) * (1 + i / 2);
	assert_int_equal(family_make(&family, LOOKS_ERROR, n, 1), 0);
	assert_int_equal(family_read(&family, &member), 0);
	assert_false(member.real);
	family_free(&family);
}

/* Of fifteen planned: all that are judged together are real after six pairs, or none is. */
static void those_judged_together_are_real_after_six_pairs(void **state)
{
	for (int below = 0; below < 2; below++) {
		struct family_member members[SIZE];
		double d[SIZE][TRIALS];
		struct stats_interval ratio;
		struct family family;

		assert_int_equal(family_make(&family, LOOKS_ERROR, 15, SIZE), 0);
		for (uint32_t i = 0; i < SIZE; i++) {
			one_below(d[i], 6, i < 2 || (i == 3 && below) ? 1 : 0);
			members[i] = (struct family_member) {d[i], 6, .joint = i >= 2};
		}
		assert_int_equal(family_read(&family, members), 0);
		for (uint32_t i = 0; i < SIZE; i++)
			assert_int_equal(members[i].real, i >= 2 && !below);
		assert_int_equal(family_interval(&family, &members[2], false, &ratio), 0);
		assert_int_equal(isnan(ratio.low), below);
		assert_true(below || ratio.low > 1);
		/* Found, they leave all of the error to the rest; else it is spent. */
		assert_float_equal((float)family_level(&family, &members[0]),
				   below ? (float)(1 - (LOOKS_ERROR - ldexp(1, -5)) / SIZE)
					 : (float)(1 - LOOKS_ERROR / 2),
				   1e-6f);
		family_free(&family);
	}
}

/* With eight the rest could find nothing: there is no such look. */
static void few_planned_pairs_have_no_joint_look(void **state)
{
	assert_true(looks_joint(LOOKS_ERROR, 8, 4) == 0);
	assert_true(looks_joint(LOOKS_ERROR, 12, 4) == 0);
	assert_true(looks_joint(LOOKS_ERROR, 13, 4) == ldexp(1, -5));
	assert_true(looks_joint(0.03, 40, 4) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_difference_leaves_a_wider_level_to_the_next),
		cmocka_unit_test(
			a_difference_that_is_not_real_has_the_step_at_which_the_tests_stopped),
		cmocka_unit_test(only_the_early_look_decides_before_the_end),
		cmocka_unit_test(a_real_difference_stays_real_and_its_interval_excludes_1),
		cmocka_unit_test(an_end_with_fewer_pairs_is_an_end_as_well),
		cmocka_unit_test(nothing_compared_is_nothing_found),
		cmocka_unit_test(those_judged_together_are_real_after_six_pairs),
		cmocka_unit_test(few_planned_pairs_have_no_joint_look),
		cmocka_unit_test(of_very_many_pairs_none_is_real_by_the_size_of_a_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
