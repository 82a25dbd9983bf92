/* SPDX-License-Identifier: MIT */
#include "result/latency.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "stage/synthetic.h"

static void make(struct model *model, uint32_t trials)
{
	struct synthetic session;

	synthetic_creation(&session, trials);
	synthetic_model(&session, model);
}

static const char *where(const struct model *model, const struct latency_row *row, bool brief)
{
	static char text[64];

	return latency_where(model, row, brief, text, sizeof(text));
}

static void rows_of_a_primitive_stand_together_by_their_ballast(void **state)
{
	struct model model;
	struct latency_row rows[LATENCY_ROWS];
	char text[48];

	make(&model, 1);
	assert_int_equal(latency_rows(&model, PLAN_PINNED, rows), 16);
	for (uint32_t i = 0; i < 16; i += 2) {
		assert_string_equal(model.cases[rows[i].case_id].model,
				    model.cases[rows[i + 1].case_id].model);
		assert_string_equal(latency_ballast(&model, rows[i].case_id, text, sizeof(text)),
				    "");
		assert_string_equal(
			latency_ballast(&model, rows[i + 1].case_id, text, sizeof(text)),
			"1G touched");
	}
	assert_string_equal(model.cases[rows[0].case_id].model, "clock_gettime");
	assert_string_equal(model.cases[rows[14].case_id].model, "clone");
	model_free(&model);
}

static void rows_of_a_primitive_stand_together_by_their_place(void **state)
{
	static const char *const places[] = {"one core", "same core, 75 %", "other core, 25 %",
					     "other core, 1 ms idle, 97 %", "one core"};
	static const char *const brief[] = {"one core", "same 75 %", "other 25 %",
					    "other, idle 97 %", "one core"};
	struct latency_row rows[LATENCY_ROWS];
	struct model model;

	make(&model, 1);
	assert_int_equal(latency_rows(&model, PLAN_PLACEMENTS, rows), 16 + 7 * 3);
	for (size_t i = 0; i < 5; i++) {
		const struct latency_row *row = &rows[2 + i]; /* after the two rows of the clock */

		assert_string_equal(model.cases[row->case_id].model, "fork");
		assert_string_equal(where(&model, row, false), places[i]);
		assert_string_equal(where(&model, row, true), brief[i]);
	}
	assert_int_equal(latency_rows(&model, PLAN_FREE, rows), 7 * 2);
	assert_int_equal(latency_rows(&model, PLAN_IDLE, rows), 7);
	model_seek(&model, 0);
	assert_int_equal(latency_rows(&model, PLAN_FREE, rows), 7 * 2);
	assert_string_equal(where(&model, &rows[0], false), "same core");
	model_free(&model);
}

static void rows_of_an_old_recording_are_always_there_and_say_that_they_are(void **state)
{
	struct latency_row rows[LATENCY_ROWS];
	struct synthetic session;
	struct model model;

	synthetic_creation_old(&session, 1);
	synthetic_model(&session, &model);
	for (int i = PLAN_PINNED; i <= PLAN_PLACEMENTS; i++) {
		assert_int_equal(latency_rows(&model, (enum plan_placement)i, rows), 16);
		assert_int_equal(rows[3].place, LATENCY_NOT_RECORDED);
		assert_string_equal(where(&model, &rows[3], false), "not recorded");
		assert_int_equal(latency_at(&model, &rows[3])->n, 199);
	}
	model_free(&model);
}

static void sessions_that_create_nothing_have_no_rows(void **state)
{
	struct synthetic session;
	struct model model;
	struct latency_row rows[LATENCY_ROWS];

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_int_equal(latency_rows(&model, PLAN_PINNED, rows), 0);
	model_free(&model);
}

static void recordings_of_two_machines_stand_side_by_side(void **state)
{
	struct model parts[2], model;
	struct latency_row rows[LATENCY_ROWS];
	char text[256];

	for (int i = 0; i < 2; i++) {
		make(&parts[i], 1);
		snprintf(parts[i].session.machine.host, sizeof(parts[i].session.machine.host), "%s",
			 i ? "laptop" : "desktop");
	}
	parts[1].session.machine.mhz = -1;
	assert_int_equal(model_join(parts, &model), 0);
	assert_int_equal(latency_rows(&model, PLAN_PINNED, rows), 32);
	assert_string_equal(model.cases[rows[0].case_id].model, "clock_gettime @desktop");
	assert_string_equal(model.cases[rows[1].case_id].model, "clock_gettime @laptop");
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
	model.session.machine.clock_ns = 27;
	assert_string_equal(latency_conditions(&model, false, text, sizeof(text)),
			    "CPU ? MHz · the clock itself 27 ns");
	model_free(&model);
}

static void the_axis_is_of_whole_powers_of_ten_and_holds_all(void **state)
{
	struct model model;
	double low, high;

	make(&model, 2);
	latency_range(&model, &low, &high);
	assert_true(low == 10);
	assert_true(fabs(high - 1e8) < 1); /* fork+exec of 1G takes up to 59 ms until the join */
	for (uint32_t i = 0; i < model.n_cases; i++)
		for (int j = 0; j < MODEL_PLACES * MODEL_LATENCIES; j++)
			assert_true((double)model_latency(&model, i)->at[j / 3].span[j % 3].max <=
				    high);
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
		const struct model_latency *latency = model_latency(&model, i);
		const struct model_latency_figures *figures =
			&latency->at[latency->placement == PLAN_IDLE].span[0];
		double sum = 0;

		for (int column = 0; column < 61; column++) {
			double next = 10 * pow(1e8, (column + 1) / 61.0);

			sum += latency_between(figures, edge, next);
			edge = next;
		}
		assert_int_equal(figures->n, latency->placement == PLAN_PINNED ? 2 * 199
					     : latency->placement == PLAN_FREE ? 2 * 149
									       : 2 * 193);
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

/* A run may be shorter than a tick, so the tick after its end counts too. */
static void clocks_are_those_of_the_cores_during_a_run(void **state)
{
	struct model model;
	struct model_run *run;
	int16_t range[2] = {0, 0};
	long after;

	(void)state;
	make(&model, 1);
	run = &model.runs[model.n_runs / 2];
	for (size_t i = 0; i < model.n_loads * model.n_cores; i++)
		model.cores[i].mhz = -1;
	latency_clocks(&model, run, range);
	assert_int_equal(range[1], 0);
	after = model_load_at(&model, run->end_ns) + 1;
	assert_in_range(after, 2, model.n_loads - 2);
	model.cores[after * (long)model.n_cores].mhz = 1200;
	model.cores[after * (long)model.n_cores + 1].mhz = 3400;
	model.cores[(after + 1) * (long)model.n_cores].mhz = 900;
	latency_clocks(&model, run, range);
	assert_int_equal(range[0], 1200);
	assert_int_equal(range[1], 3400);
	model_free(&model);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_are_those_of_the_cores_during_a_run),
		cmocka_unit_test(rows_of_a_primitive_stand_together_by_their_ballast),
		cmocka_unit_test(rows_of_a_primitive_stand_together_by_their_place),
		cmocka_unit_test(rows_of_an_old_recording_are_always_there_and_say_that_they_are),
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
