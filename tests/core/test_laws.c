/* SPDX-License-Identifier: MIT */
#include "core/laws.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "stage/check.h"

enum { POINTS = 5, TRIALS = 12, SESSIONS = 2000 };

static const double cores_of[POINTS] = {1, 2, 4, 8, 16};

struct truth {
	double serial, crosstalk;
	double noise; /* standard deviation of the logarithm of a time */
	double drift; /* and of what all times of a trial share */
};

/* Written here anew, not by the code that is tested. */
static double time_on(const struct truth *truth, double n)
{
	return 1e9 * (truth->serial + (1 - truth->serial) / n + truth->crosstalk * (n - 1));
}

static void draw(const struct truth *truth, uint64_t *state, double *times)
{
	for (int trial = 0; trial < TRIALS; trial++) {
		double drift = truth->drift * random_normal(state);

		for (int i = 0; i < POINTS; i++)
			times[trial * POINTS + i] =
				time_on(truth, cores_of[i]) *
				exp(drift + truth->noise * random_normal(state));
	}
}

static bool holds(const struct stats_interval *interval, double value)
{
	return interval->low <= value && value <= interval->high;
}

/* The shares of sessions whose intervals hold the truth. */
static void simulate(enum law law, const struct truth *truth, double *serial, double *crosstalk)
{
	uint64_t state = 20261122;
	int of_serial = 0, of_crosstalk = 0;

	for (int session = 0; session < SESSIONS; session++) {
		double times[TRIALS * POINTS];
		struct law_fit fit;

		draw(truth, &state, times);
		assert_int_equal(law_find(law, cores_of, POINTS, times, TRIALS, &fit), 0);
		assert_int_equal(fit.told, LAW_TOLD);
		of_serial += holds(&fit.serial, truth->serial);
		of_crosstalk += holds(&fit.crosstalk, truth->crosstalk);
	}
	*serial = (double)of_serial / SESSIONS;
	*crosstalk = (double)of_crosstalk / SESSIONS;
}

/* 2,000 sessions leave a share of 95 % within 1.5 % of itself in all but one of 500 tests. */
static void assert_covers(double share)
{
	if (share < 0.935 || share > 0.98)
		fail_msg("an interval of 95 %% holds the truth in %.1f %% of sessions",
			 100 * share);
}

static void intervals_hold_the_truth_of_amdahls_law(void **state)
{
	static const struct truth truths[] = {
		{0, 0, 0.02, 0}, {0.05, 0, 0.01, 0.1}, {0.4, 0, 0.03, 0.02}};
	double serial, crosstalk;

	for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++) {
		simulate(LAW_AMDAHL, &truths[i], &serial, &crosstalk);
		assert_covers(serial);
	}
}

static void intervals_hold_the_truth_of_the_universal_law(void **state)
{
	static const struct truth truths[] = {{0.02, 0.001, 0.02, 0.05}, {0.1, 0.01, 0.01, 0}};
	double serial, crosstalk;

	for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++) {
		simulate(LAW_USL, &truths[i], &serial, &crosstalk);
		assert_covers(serial);
		assert_covers(crosstalk);
	}
}

/* Amdahl's alone, fitted to times that more cores lengthen, is far off: the misfit says so. */
static void a_law_that_does_not_hold_misfits(void **state)
{
	const struct truth truth = {0.02, 0.02, 0.001, 0};
	double times[TRIALS * POINTS];
	struct law_fit amdahl, usl;
	uint64_t random = 1;

	draw(&truth, &random, times);
	assert_int_equal(law_find(LAW_AMDAHL, cores_of, POINTS, times, TRIALS, &amdahl), 0);
	assert_int_equal(law_find(LAW_USL, cores_of, POINTS, times, TRIALS, &usl), 0);
	assert_true(amdahl.told == LAW_TOLD && usl.told == LAW_TOLD);
	assert_true(amdahl.misfit > 0.1);
	assert_true(usl.misfit < 0.01);
	assert_float_equal(law_speedup(&usl, 16), time_on(&truth, 1) / time_on(&truth, 16), 0.05);
}

static void exact_times_give_the_parameters(void **state)
{
	const struct truth truth = {0.07, 0.003, 0, 0};
	double times[TRIALS * POINTS];
	struct law_fit fit;
	uint64_t random = 1;

	draw(&truth, &random, times);
	assert_int_equal(law_find(LAW_USL, cores_of, POINTS, times, TRIALS, &fit), 0);
	assert_int_equal(fit.told, LAW_TOLD);
	assert_float_equal(fit.serial.estimate, 0.07, 1e-9);
	assert_float_equal(fit.crosstalk.estimate, 0.003, 1e-9);
	assert_float_equal(fit.misfit, 0, 1e-9);
}

/* A point that two trials alone know has their median; the others' 0 is no time. */
static void an_unknown_time_is_no_time(void **state)
{
	const struct truth truth = {0.07, 0.003, 0, 0};
	double times[TRIALS * POINTS];
	struct law_fit fit;
	uint64_t random = 1;

	draw(&truth, &random, times);
	for (int trial = 2; trial < TRIALS; trial++)
		times[trial * POINTS + 2] = 0;
	assert_int_equal(law_find(LAW_USL, cores_of, POINTS, times, TRIALS, &fit), 0);
	assert_float_equal(fit.serial.estimate, 0.07, 1e-9);
	assert_float_equal(fit.misfit, 0, 1e-9);
}

static void assert_refused(enum law law, size_t n, size_t trials, const double *times,
			   enum law_told told, const char *why)
{
	struct law_fit fit;
	char text[128];

	assert_int_equal(law_find(law, cores_of, n, times, trials, &fit), 0);
	assert_int_equal(fit.told, told);
	assert_true(isnan(fit.serial.estimate) && isnan(fit.crosstalk.low) && isnan(fit.misfit));
	assert_true(isnan(law_speedup(&fit, 2)));
	assert_string_equal(law_why(&fit, law, text, sizeof(text)), why);
}

static void too_few_points_and_trials_are_refused_with_the_reason(void **state)
{
	double times[TRIALS * POINTS];

	for (int i = 0; i < TRIALS * POINTS; i++)
		times[i] = 1;
	assert_refused(LAW_AMDAHL, 2, TRIALS, times, LAW_FEW_POINTS,
		       "cannot be told from 2 numbers of cores: 3 are the least");
	assert_refused(LAW_USL, 3, TRIALS, times, LAW_FEW_POINTS,
		       "cannot be told from 3 numbers of cores: 4 are the least");
	assert_refused(LAW_AMDAHL, 3, 5, times, LAW_FEW_TRIALS,
		       "cannot be told from 5 trials: 6 are the least");
	times[0] = NAN;
	assert_refused(LAW_AMDAHL, 3, 6, times, LAW_FEW_TRIALS,
		       "cannot be told from 5 trials: 6 are the least");
}

static void an_interval_that_says_nothing_is_refused(void **state)
{
	const struct truth truth = {0.2, 0, 1.5, 0};
	double times[TRIALS * POINTS];
	uint64_t random = 3;

	draw(&truth, &random, times);
	assert_refused(LAW_AMDAHL, POINTS, TRIALS, times, LAW_VAGUE,
		       "cannot be told: its interval is wider than half of the work");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_truth_of_amdahls_law),
		cmocka_unit_test(intervals_hold_the_truth_of_the_universal_law),
		cmocka_unit_test(a_law_that_does_not_hold_misfits),
		cmocka_unit_test(exact_times_give_the_parameters),
		cmocka_unit_test(an_unknown_time_is_no_time),
		cmocka_unit_test(too_few_points_and_trials_are_refused_with_the_reason),
		cmocka_unit_test(an_interval_that_says_nothing_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
