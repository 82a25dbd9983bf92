/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include "stage/check.h"

#include <stdlib.h>

#include <math.h>

#define NEAR(a_, b_) assert_float_equal((float)(a_), (float)(b_), 1e-6f)

/* Returns the sum of all levels of a comparison, up to `most` pairs. */
static double spent(uint32_t planned, uint32_t comparisons, uint32_t left, uint32_t most)
{
	struct interim interim = interim_plan(INTERIM_ERROR, planned, comparisons, left);
	double sum = 0;

	for (uint32_t n = 0; n <= most; n++)
		sum += interim_level(&interim, planned, n);
	return sum;
}

static void all_analyses_spend_no_more_than_the_share(void **state)
{
	static const uint32_t planned[] = {1, 2, 6, 8, 15, 16, 40, 200};
	static const uint32_t comparisons[] = {1, 2, 7, 11, 33, 276};

	for (size_t p = 0; p < sizeof(planned) / sizeof(*planned); p++) {
		for (size_t c = 0; c < sizeof(comparisons) / sizeof(*comparisons); c++) {
			for (uint32_t left = 1; left <= comparisons[c]; left++) {
				double share = INTERIM_ERROR / left;
				double sum = spent(planned[p], comparisons[c], left, 20000);

				assert_true(sum <= share * (1 + 1e-12));
				assert_true(sum >= share * 0.75);
			}
		}
	}
}

/* With fewer comparisons left, no analysis becomes stricter, as Holm's steps require. */
static void fewer_left_make_no_look_stricter(void **state)
{
	for (uint32_t planned = 2; planned <= 40; planned++) {
		for (uint32_t left = 2; left <= 100; left++) {
			struct interim more = interim_plan(INTERIM_ERROR, planned, 100, left);
			struct interim less = interim_plan(INTERIM_ERROR, planned, 100, left - 1);

			assert_int_equal(more.early == 0, less.early == 0);
			assert_true(less.early <= more.early);
			assert_true(less.early < planned);
			for (uint32_t n = planned; n < planned + 40; n++)
				assert_true(interim_level(&less, planned, n) >
					    interim_level(&more, planned, n));
		}
	}
}

static void a_comparison_of_fifteen_trials_is_looked_at_twice_before_the_end(void **state)
{
	struct interim interim = interim_plan(INTERIM_ERROR, 15, 1, 1);

	assert_int_equal(interim.early, 8);
	NEAR(interim_level(&interim, 0, 8), 1 / 128.);
	assert_int_equal(interim.middle, 12);
	NEAR(interim_level(&interim, 0, 12), 0.05 / 6);
	NEAR(interim_level(&interim, 0, 7), 0);
	NEAR(interim_level(&interim, 0, 15), 0);
	NEAR(interim_level(&interim, 15, 15), 0.025);
	NEAR(interim_level(&interim, 15, 16), 0.05 / 6 * 15 / (16 * 15));
	/* a failure lost one pair, so the end comes with the remaining ones */
	NEAR(interim_level(&interim, 14, 14), 0.025);
	NEAR(interim_level(&interim, 14, 15), 0.05 / 6 * 14 / (15 * 14));
}

static void few_trials_have_no_early_look_and_all_of_it_at_the_end(void **state)
{
	struct interim interim = interim_plan(INTERIM_ERROR, 8, 1, 1);

	assert_int_equal(interim.early, 0);
	NEAR(interim_level(&interim, 0, 7), 0);
	NEAR(interim_level(&interim, 8, 8), 0.25 / 6);
}

/* n pairs cannot give a probability below 2^(1-n). */
static void more_comparisons_take_more_trials(void **state)
{
	assert_int_equal(interim_least(INTERIM_ERROR, 1), 6);
	assert_int_equal(interim_least(INTERIM_ERROR, 3), 8);
	assert_int_equal(interim_least(INTERIM_ERROR, 7), 9);
	assert_int_equal(interim_least(INTERIM_ERROR, 11), 10);
	assert_int_equal(interim_least(INTERIM_ERROR, 33), 11);
}

/* Makes n differences around centre; each is slightly greater than the one before. */
static uint32_t rising(double *out, uint32_t n, double centre)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = log(centre) + 0.0001 * i;
	return n;
}

static void there_is_no_interval_before_the_first_analysis(void **state)
{
	struct interim interim = interim_plan(INTERIM_ERROR, 15, 1, 1);
	struct stats_interval ratio;
	double d[20];

	assert_int_equal(interim_ratio(&interim, 0, d, rising(d, 7, 1.1), &ratio), 0);
	NEAR(ratio.estimate, 1.1 * exp(0.0003));
	assert_true(isnan(ratio.low) && isnan(ratio.high));
	/* all on one side: the interval is from the least to the greatest */
	assert_int_equal(interim_ratio(&interim, 0, d, rising(d, 8, 1.1), &ratio), 0);
	NEAR(ratio.low, 1.1);
	NEAR(ratio.high, 1.1 * exp(0.0007));
	assert_int_equal(interim_ratio(&interim, 0, d, 0, &ratio), 0);
	assert_true(isnan(ratio.estimate) && isnan(ratio.low));
}

/* What an analysis has excluded stays excluded, and the estimate stays inside the interval. */
static void a_later_look_never_widens_the_interval(void **state)
{
	struct interim interim = interim_plan(INTERIM_ERROR, 15, 1, 1);
	struct stats_interval early, later;
	double d[20];

	rising(d, 20, 1.1);
	for (uint32_t i = 8; i < 20; i++)
		d[i] = i % 2 ? 0.5 : -0.4;
	assert_int_equal(interim_ratio(&interim, 0, d, 8, &early), 0);
	assert_int_equal(interim_ratio(&interim, 15, d, 20, &later), 0);
	assert_true(later.low >= early.low && later.high <= early.high);
	assert_true(later.low <= later.estimate && later.estimate <= later.high);
	assert_int_equal(stats_verdict(&later), STATS_A);
}

/* The intersection of all analyses' intervals, computed from the beginning. */
static void each_analysis_beyond_the_plan_counts(void **state)
{
	enum { N = 120, END = 20 };
	const struct interim interim = interim_plan(0.05, END, 1, 1);
	double d[N];

	for (int example = 0; example < 40; example++) {
		struct stats_interval out, each, all = {NAN, NAN, NAN};

		for (uint32_t i = 0; i < N; i++) {
			d[i] = (double)(rand() % 2000) / 1000 - 0.9;
			/* Half of the examples have ties. */
			if (example % 2)
				d[i] = round(4 * d[i]) / 4;
		}
		for (uint32_t i = 1; i <= N; i++) {
			const double level = interim_level(&interim, END, i);

			if (level <= 0)
				continue;
			assert_int_equal(stats_signed_rank_interval(d, i, level, &each), 0);
			all.low = fmax(all.low, each.low);
			all.high = fmin(all.high, each.high);
		}
		assert_int_equal(interim_difference(&interim, END, d, N, &out), 0);
		assert_true(out.low == fmin(all.low, all.high));
		assert_true(out.high == fmax(all.low, all.high));
	}
}

static void analyses_that_contradict_one_another_leave_no_winner(void **state)
{
	struct interim interim = interim_plan(INTERIM_ERROR, 15, 1, 1);
	struct stats_interval ratio;
	double d[40];

	rising(d, 8, 1.1);
	for (uint32_t i = 8; i < 40; i++)
		d[i] = -0.2;
	assert_int_equal(interim_ratio(&interim, 15, d, 40, &ratio), 0);
	assert_true(ratio.low < 1 && ratio.high > 1);
	assert_int_equal(stats_verdict(&ratio), STATS_NONE);
}

/* The analyses are the same in any unit: for ratios, 1 is excluded; for differences, 0. */
static void differences_are_looked_at_as_the_logarithms_of_ratios_are(void **state)
{
	const struct interim interim = interim_plan(INTERIM_ERROR, 12, 1, 1);
	struct stats_interval ratio, difference;
	double d[12];

	for (uint32_t n = 0; n <= 12; n++) {
		for (uint32_t i = 0; i < n; i++)
			d[i] = 0.1 + 0.05 * ((i * 7) % 5) - (i % 3 == 2 ? 0.3 : 0);
		assert_int_equal(interim_ratio(&interim, 12, d, n, &ratio), 0);
		assert_int_equal(interim_difference(&interim, 12, d, n, &difference), 0);
		assert_int_equal(isnan(ratio.low), isnan(difference.low));
	}
	assert_true(fabs(exp(difference.low) - ratio.low) < 1e-12);
	assert_true(fabs(exp(difference.high) - ratio.high) < 1e-12);
	assert_true(difference.low < difference.estimate && difference.estimate < difference.high);
}

/* Skipped analyses leave their error to the next one, so all of them together spend one part. */
static void analyses_beyond_the_plan_get_rarer_and_spend_one_part(void **state)
{
	enum { END = 20, EACH = 1024, N = 1 << 17 };
	const struct interim interim = interim_plan(0.05, END, 1, 1);
	double spent = 0, part = 0.05 / 6;
	uint32_t analyses = 0;

	for (uint32_t n = END + 1; n <= N; n++) {
		const double level = interim_level(&interim, END, n);

		spent += level;
		analyses += n > EACH && level > 0;
		if (n <= EACH)
			assert_true(level == part * END / ((double)n * (n - 1)));
		if ((n & (n - 1)) == 0)
			NEAR(spent, part * (1 - (double)END / n));
	}
	assert_int_equal(analyses, 7 * 16);
}

/* A plan that ends between two analyses leaves the next one what its pairs spend. */
static void a_long_plan_has_the_same_rare_analyses_beyond_it(void **state)
{
	enum { END = 3000 };
	const struct interim interim = interim_plan(0.05, END, 1, 1);

	NEAR(interim_level(&interim, END, END + 1), 0);
	NEAR(interim_level(&interim, END, 3072), 0.05 / 6 * (1 - END / 3072.));
	NEAR(interim_level(&interim, END, 3200), 0.05 / 6 * END * (1 / 3072. - 1 / 3200.));
}

/* As a double, 2^-1075 is 0. An analysis after each trial beyond the plan would take minutes. */
static void thousands_of_trials_have_as_few_analyses_as_hundreds(void **state)
{
	enum { N = 4000 };
	struct interim interim = interim_plan(0.05, N, 1, 1);
	struct stats_interval early, last, out;
	double *differences = malloc(N * sizeof(*differences));

	assert_non_null(differences);
	for (uint32_t i = 0; i < N; i++)
		differences[i] = 1 + (double)(i * 7919 % 1009) / 1009;
	assert_int_equal(interim_difference(&interim, N, differences, N, &out), 0);
	assert_int_equal(stats_signed_rank_interval(differences, interim.early,
						    interim_level(&interim, N, interim.early),
						    &early),
			 0);
	assert_int_equal(
		stats_signed_rank_interval(differences, N, interim_level(&interim, N, N), &last),
		0);
	assert_true(out.low == fmax(early.low, last.low));
	assert_true(out.high == fmin(early.high, last.high));
	free(differences);
}

enum { SIZE = 4, TRIALS = 30, PLANNED = 12 };

/* Makes n differences. The first is below 0 and has that rank; 0: none is below 0. */
static void one_below(double *d, uint32_t n, uint32_t rank)
{
	uint32_t next = 1;

	for (uint32_t i = 0; i < n; i++) {
		next += rank > 0 && next == rank;
		d[i] = i == 0 && rank > 0 ? -0.01 * rank : 0.01 * next++;
	}
}

/* Reads a family of SIZE with n pairs each. Each has the statistic `rank`. */
static void read(struct family_member members[SIZE], double d[SIZE][TRIALS], uint32_t n,
		 const uint32_t rank[SIZE])
{
	struct family family;

	assert_int_equal(family_make(&family, INTERIM_ERROR, PLANNED, SIZE), 0);
	for (uint32_t i = 0; i < SIZE; i++) {
		one_below(d[i], n, rank[i]);
		members[i] = (struct family_member) {d[i], n, .end = n >= PLANNED ? PLANNED : 0};
	}
	assert_int_equal(family_read(&family, members), 0);
	family_free(&family);
}

/*
 * With twelve pairs, half of 0.05 / 4, / 2 and / 1 reject sums of up to 5, 8 and 10. Of the 4096
 * combinations of signs, 10, 25 and 43 have no greater sum.
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
		(float)family_level(&(struct family) {.error = INTERIM_ERROR}, &members[2]), 0.95f,
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
		(float)family_level(&(struct family) {.error = INTERIM_ERROR}, &members[1]), 0.975f,
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

/* Draws a random session. Rounded values have many ties, and some are 0. */
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

/*
 * Checks at every trial: a significant result and its interval stay, and the interval then excludes
 * 1.
 */
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
	assert_int_equal(family_make(&family, INTERIM_ERROR, PLANNED, SIZE), 0);
	for (int i = 0; i < 200; i++) {
		draw(d, i % 2);
		expect_lasting(&family, d);
	}
	family_free(&family);
}

/* The statistic by its definition: how many Walsh averages of n values are at most 0, or at least
 * 0. */
static uint64_t plain_statistic(const double *d, uint32_t n)
{
	uint64_t below = 0, above = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = i; j < n; j++) {
			below += d[i] + d[j] <= 0;
			above += d[i] + d[j] >= 0;
		}
	}
	return below < above ? below : above;
}

/* Values that have ties, that are far apart, or of which one is far from the others. */
static void a_family_decides_as_the_plain_statistic_does(void **state)
{
	const struct interim interim = interim_plan(INTERIM_ERROR, PLANNED, 1, 1);
	struct family family;
	double d[SIZE][TRIALS];
	int decided = 0;

	srand(11);
	for (int i = 0; i < 2000; i++) {
		bool real = false;

		assert_int_equal(family_make(&family, INTERIM_ERROR, PLANNED, 1), 0);
		draw(d, i % 2);
		for (uint32_t t = 0; t < TRIALS; t++)
			if (i % 8 >= 4)
				d[0][t] = pow(d[0][t], 9);
		if (i % 8 == 2)
			d[0][rand() % TRIALS] = -1e9;
		for (uint32_t n = 1; n <= TRIALS; n++) {
			const uint32_t end = n >= PLANNED ? PLANNED : 0;
			const double level = interim_level(&interim, end, n);
			struct family_member member = {d[0], n, .end = end};

			real |= level > 0 &&
				plain_statistic(d[0], n) < stats_signed_rank_at(n, level);
			assert_int_equal(family_read(&family, &member), 0);
			assert_int_equal(member.real, real);
		}
		decided += real;
		family_free(&family);
	}
	assert_in_range(decided, 500, 1500);
}

static void an_end_with_fewer_pairs_is_an_end_as_well(void **state)
{
	struct family_member member;
	struct family family;
	double d[TRIALS];

	assert_int_equal(family_make(&family, INTERIM_ERROR, 6, 1), 0);
	one_below(d, TRIALS, 0);
	member = (struct family_member) {d, 6};
	assert_int_equal(family_read(&family, &member), 0);
	assert_false(member.real);
	member.end = 6;
	assert_int_equal(family_read(&family, &member), 0);
	assert_true(member.real);
	/* a trial failed: five pairs cannot decide, and neither can six */
	member.n = member.end = 5;
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

	assert_int_equal(family_make(&family, INTERIM_ERROR, 15, 0), 0);
	assert_int_equal(family_read(&family, NULL), 0);
	family_free(&family);
}

/* There are so many pairs that both sums of ranks exceed 32 bits. */
static void of_very_many_pairs_none_is_real_by_the_size_of_a_count(void **state)
{
	static double d[140000];
	const uint32_t n = sizeof(d) / sizeof(*d);
	struct family_member member = {d, n, .end = n};
	struct family family;

	for (uint32_t i = 0; i < n; i++)
		d[i] = (i % 2 ? 1.0 : -1.0) * (1 + i / 2);
	assert_int_equal(family_make(&family, INTERIM_ERROR, n, 1), 0);
	assert_int_equal(family_read(&family, &member), 0);
	assert_false(member.real);
	family_free(&family);
}

/*
 * With fifteen planned pairs: after six, all comparisons that are judged together are significant,
 * or none is.
 */
static void those_judged_together_are_real_after_six_pairs(void **state)
{
	for (int below = 0; below < 2; below++) {
		struct family_member members[SIZE];
		double d[SIZE][TRIALS];
		struct stats_interval ratio;
		struct family family;

		assert_int_equal(family_make(&family, INTERIM_ERROR, 15, SIZE), 0);
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
		/*
		 * If they are significant, they leave the whole error to the others; otherwise it
		 * is spent.
		 */
		assert_float_equal((float)family_level(&family, &members[0]),
				   below ? (float)(1 - (INTERIM_ERROR - ldexp(1, -5)) / SIZE)
					 : (float)(1 - INTERIM_ERROR / 2),
				   1e-6f);
		family_free(&family);
	}
}

/*
 * With eight planned pairs there is no such analysis, because the others could not become
 * significant.
 */
static void few_planned_pairs_have_no_joint_analysis(void **state)
{
	assert_true(interim_joint(INTERIM_ERROR, 8, 4) == 0);
	assert_true(interim_joint(INTERIM_ERROR, 12, 4) == 0);
	assert_true(interim_joint(INTERIM_ERROR, 13, 4) == ldexp(1, -5));
	assert_true(interim_joint(0.03, 40, 4) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(analyses_beyond_the_plan_get_rarer_and_spend_one_part),
		cmocka_unit_test(a_long_plan_has_the_same_rare_analyses_beyond_it),
		cmocka_unit_test(thousands_of_trials_have_as_few_analyses_as_hundreds),
		cmocka_unit_test(differences_are_looked_at_as_the_logarithms_of_ratios_are),
		cmocka_unit_test(all_analyses_spend_no_more_than_the_share),
		cmocka_unit_test(fewer_left_make_no_look_stricter),
		cmocka_unit_test(a_comparison_of_fifteen_trials_is_looked_at_twice_before_the_end),
		cmocka_unit_test(few_trials_have_no_early_look_and_all_of_it_at_the_end),
		cmocka_unit_test(more_comparisons_take_more_trials),
		cmocka_unit_test(there_is_no_interval_before_the_first_analysis),
		cmocka_unit_test(a_later_look_never_widens_the_interval),
		cmocka_unit_test(each_analysis_beyond_the_plan_counts),
		cmocka_unit_test(analyses_that_contradict_one_another_leave_no_winner),
		cmocka_unit_test(a_real_difference_leaves_a_wider_level_to_the_next),
		cmocka_unit_test(
			a_difference_that_is_not_real_has_the_step_at_which_the_tests_stopped),
		cmocka_unit_test(only_the_early_look_decides_before_the_end),
		cmocka_unit_test(a_real_difference_stays_real_and_its_interval_excludes_1),
		cmocka_unit_test(a_family_decides_as_the_plain_statistic_does),
		cmocka_unit_test(an_end_with_fewer_pairs_is_an_end_as_well),
		cmocka_unit_test(nothing_compared_is_nothing_found),
		cmocka_unit_test(those_judged_together_are_real_after_six_pairs),
		cmocka_unit_test(few_planned_pairs_have_no_joint_analysis),
		cmocka_unit_test(of_very_many_pairs_none_is_real_by_the_size_of_a_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
