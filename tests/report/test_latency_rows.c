/* SPDX-License-Identifier: MIT */
#include "report/latency.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model_join.h"
#include "stage/synthetic.h"

static void make(struct model *model, uint32_t trials)
{
	struct synthetic session;

	synthetic_creation(&session, trials);
	synthetic_model(&session, model);
}

static void rows_of_a_primitive_stand_together_by_their_ballast(void **state)
{
	struct model model;
	uint32_t rows[LATENCY_ROWS];
	char text[48];

	make(&model, 1);
	assert_int_equal(latency_rows(&model, rows), 16);
	for (uint32_t i = 0; i < 16; i += 2) {
		assert_string_equal(model.cases[rows[i]].model, model.cases[rows[i + 1]].model);
		assert_string_equal(latency_ballast(&model, rows[i], text, sizeof(text)), "");
		assert_string_equal(latency_ballast(&model, rows[i + 1], text, sizeof(text)),
				    "1G touched");
	}
	assert_string_equal(model.cases[rows[0]].model, "clock_gettime");
	assert_string_equal(model.cases[rows[14]].model, "clone");
	model_free(&model);
}

static void sessions_that_create_nothing_have_no_rows(void **state)
{
	struct synthetic session;
	struct model model;
	uint32_t rows[LATENCY_ROWS];

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_int_equal(latency_rows(&model, rows), 0);
	model_free(&model);
}

static void recordings_of_two_machines_stand_side_by_side(void **state)
{
	struct model parts[2], model;
	uint32_t rows[LATENCY_ROWS];
	char text[256];

	for (int i = 0; i < 2; i++) {
		make(&parts[i], 1);
		snprintf(parts[i].session.machine.host, sizeof(parts[i].session.machine.host), "%s",
			 i ? "laptop" : "desktop");
	}
	parts[1].session.machine.mhz = -1;
	assert_int_equal(model_join(parts, 2, &model), 0);
	assert_int_equal(latency_rows(&model, rows), 32);
	assert_string_equal(model.cases[rows[0]].model, "clock_gettime @desktop");
	assert_string_equal(model.cases[rows[1]].model, "clock_gettime @laptop");
	assert_string_equal(latency_conditions(&model, true, text, sizeof(text)),
			    "desktop: 2450 MHz · clock 22 ns; laptop: ? MHz · clock 22 ns");
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void conditions_are_unknown_before_they_are_measured(void **state)
{
	struct model model;
	char text[256];

	make(&model, 1);
	assert_string_equal(latency_conditions(&model, false, text, sizeof(text)),
			    "CPU 2450 MHz (cpuinfo) · the clock itself 22 ns");
	model_seek(&model, 0);
	model.session.machine.mhz = -1;
	*model.session.machine.frequency_source = '\0';
	assert_string_equal(latency_conditions(&model, false, text, sizeof(text)),
			    "CPU ? MHz · the clock itself ?");
	model_free(&model);
}

static void the_axis_is_of_whole_powers_of_ten_and_holds_all(void **state)
{
	struct model model;
	double low, high;

	make(&model, 2);
	latency_range(&model, &low, &high);
	assert_true(low == 10);
	assert_true(fabs(high - 1e8) < 1); /* fork+exec of 1G takes up to 59 ms till joined */
	for (uint32_t i = 0; i < model.n_cases; i++)
		for (int span = 0; span < MODEL_LATENCIES; span++)
			assert_true((double)model_latency(&model, i)->span[span].max <= high);
	model_seek(&model, 0);
	latency_range(&model, &low, &high);
	assert_true(fabs(high - 1e7) < 1);
	model_free(&model);
}

static void every_creation_is_between_two_times_of_the_axis_once(void **state)
{
	struct model model;
	double edge = 10;

	make(&model, 2);
	for (uint32_t i = 0; i < model.n_cases; i++) {
		const struct model_latency_figures *figures = &model_latency(&model, i)->span[0];
		double sum = 0;

		for (int column = 0; column < 61; column++) {
			double next = 10 * pow(1e8, (column + 1) / 61.0);

			sum += latency_between(figures, edge, next);
			edge = next;
		}
		assert_int_equal(figures->n, 2 * 199);
		assert_true(fabs(sum - figures->n) < 1e-6);
		edge = 10;
	}
	model_free(&model);
}

static void a_bucket_is_shared_out_by_its_logarithm(void **state)
{
	struct model_latency_figures figures = {.n = 8};
	double low = model_latency_edge(40), high = model_latency_edge(41);

	figures.buckets[40] = 8;
	assert_true(fabs(latency_between(&figures, low, sqrt(low * high)) - 4) < 1e-9);
	assert_true(fabs(latency_between(&figures, low / 2, 2 * high) - 8) < 1e-9);
	assert_true(latency_between(&figures, high, 2 * high) == 0);
	assert_true(latency_between(&figures, 1, low) == 0);
}

static void times_have_three_digits_and_the_unit_that_is_read_best(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} times[] = {{-1, "?"},
		     {0, "0 ns"},
		     {23, "23 ns"},
		     {999, "999 ns"},
		     {1000, "1.00 µs"},
		     {4126, "4.13 µs"},
		     {51000, "51.0 µs"},
		     {580000, "580 µs"},
		     {999999, "1.00 ms"},
		     {13469000, "13.5 ms"},
		     {2500000000, "2.50 s"}};
	char text[32];

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		assert_string_equal(latency_format(text, sizeof(text), times[i].ns), times[i].text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_a_primitive_stand_together_by_their_ballast),
		cmocka_unit_test(sessions_that_create_nothing_have_no_rows),
		cmocka_unit_test(recordings_of_two_machines_stand_side_by_side),
		cmocka_unit_test(conditions_are_unknown_before_they_are_measured),
		cmocka_unit_test(the_axis_is_of_whole_powers_of_ten_and_holds_all),
		cmocka_unit_test(every_creation_is_between_two_times_of_the_axis_once),
		cmocka_unit_test(a_bucket_is_shared_out_by_its_logarithm),
		cmocka_unit_test(times_have_three_digits_and_the_unit_that_is_read_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
