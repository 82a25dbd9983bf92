/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/table.h"
#include "stage/synthetic.h"
#include "write/export.h"
#include "model/model_parts.h"

/* The sessions have 16 workers on 1 to 32 cores, for the speedup and Amdahl's law. */

static void make(struct model *model, uint32_t trials, uint32_t cases)
{
	struct synthetic session;

	synthetic_cores(&session, trials);
	session.cases = cases ? cases : session.cases;
	synthetic_model(&session, model);
}

static void a_curve_begins_with_the_fewest_cores_of_each_model(void **state)
{
	struct model_speedup speedup;
	struct model model;

	make(&model, 8, 0);
	assert_true(model_speedup_begins(&model, 0) && model_speedup_begins(&model, 1));
	assert_false(model_speedup_begins(&model, 2));
	assert_int_equal(model_speedup(&model, 1, &speedup), 0);
	assert_int_equal(speedup.n, 6);
	assert_int_equal(speedup.workers, 16);
	assert_true(speedup.point[0].cores == 1 && speedup.point[5].cores == 32);
	assert_string_equal(model.cases[speedup.point[3].case_id].model, "processes");
	model_free(&model);
}

/* The synthetic times are 3 % serial, have a small cost of coherency, and vary by 1 %. */
static void amdahls_law_of_a_session_is_found(void **state)
{
	struct model_speedup speedup;
	struct model model;

	make(&model, 12, 0);
	assert_int_equal(model_speedup(&model, 0, &speedup), 0);
	assert_int_equal(speedup.amdahl.state, AMDAHL_KNOWN);
	/* 32 cores are more than the number of workers */
	assert_int_equal(speedup.amdahl.points, 5);
	assert_true(speedup.amdahl.serial.low > 0.03 && speedup.amdahl.serial.high < 0.07);
	assert_true(speedup.amdahl.misfit > 0.03);
	model_free(&model);
}

/* The first four cases: threads and processes on 1 and 2 cores. */
static void two_numbers_of_cores_tell_no_law(void **state)
{
	struct model model;
	struct table table;

	make(&model, 8, 4);
	assert_int_equal(table_build(&model, TABLE_SPEEDUP, &table), 0);
	assert_int_equal(table_rows(&table), 4);
	assert_non_null(strstr(table.note, "Amdahl's law needs at least 3 core counts, not 2"));
	table_free(&table);
	model_free(&model);
}

/* The sessions have six numbers of cores, up to 32. */
static void cores_without_workers_are_no_points_and_the_note_says_so(void **state)
{
	static const struct {
		uint16_t workers;
		const char *law, *rest;
	} notes[] = {
		{1, "3 core counts, not 1 (with a worker for each core).",
		 "More cores than workers (1) do not help. The"},
		{2, "3 core counts, not 2 (with a worker for each core).",
		 "More cores than workers (2) do not help. The"},
	};

	for (size_t i = 0; i < 2; i++) {
		struct model model;
		struct table table;

		make(&model, 8, 0);
		for (uint32_t k = 0; k < model.n_cases; k++) {
			memset(model.cases[k].plan.leaves, 0, sizeof(model.cases[k].plan.leaves));
			model.cases[k].plan.leaves[WORK_CPU] = notes[i].workers;
		}
		assert_int_equal(table_build(&model, TABLE_SPEEDUP, &table), 0);
		assert_non_null(strstr(table.note, notes[i].law));
		assert_non_null(strstr(table.note, notes[i].rest));
		assert_null(strstr(strstr(table.note, "More cores") + 1, "More cores"));
		table_free(&table);
		model_free(&model);
	}
}

/* A program creates any number of tasks, so all its numbers of cores are points of the law. */
static void a_programs_own_tasks_are_not_counted_as_workers(void **state)
{
	struct model_speedup speedup;
	struct model model;

	make(&model, 12, 0);
	for (uint32_t k = 0; k < model.n_cases; k++) {
		memset(model.cases[k].plan.leaves, 0, sizeof(model.cases[k].plan.leaves));
		model.cases[k].plan.leaves[WORK_PROGRAM] = 1;
	}
	assert_int_equal(model_speedup(&model, 0, &speedup), 0);
	assert_int_equal(speedup.workers, 0);
	assert_int_equal(speedup.amdahl.points, 6);
	model_free(&model);
}

static void few_trials_have_no_interval(void **state)
{
	struct model_speedup speedup;
	struct model model;

	make(&model, 5, 0);
	assert_int_equal(model_speedup(&model, 0, &speedup), 0);
	assert_true(speedup.point[5].speedup.estimate > 1 && isnan(speedup.point[5].speedup.low));
	assert_int_equal(speedup.amdahl.state, AMDAHL_FEW_TRIALS);
	model_free(&model);
}

static void other_sweeps_have_no_speedup(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_scaling(&session, 6);
	synthetic_model(&session, &model);
	assert_int_equal(table_build(&model, TABLE_SPEEDUP, &table), 0);
	assert_int_equal(table_rows(&table), 0);
	table_free(&table);
	model_free(&model);
}

static void json_has_the_points_and_the_law(void **state)
{
	struct model_speedup speedup;
	struct model model;
	json_t *json, *one;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	make(&model, 8, 0);
	assert_int_equal(write_json(&model, out), 0);
	fclose(out);
	json = json_loads(text, 0, NULL);
	assert_non_null(json);
	one = json_array_get(json_object_get(json, "speedup"), 1);
	assert_string_equal(json_string_value(json_object_get(one, "model")), "processes");
	assert_int_equal(json_array_size(json_object_get(one, "points")), 6);
	assert_int_equal(model_speedup(&model, 1, &speedup), 0);
	one = json_object_get(json_object_get(one, "amdahl"), "serial_fraction");
	assert_float_equal(json_real_value(json_object_get(one, "low")), speedup.amdahl.serial.low,
			   1e-9);
	json_decref(json);
	free(text);
	model_free(&model);
}

/* The answer and the methods of a session name the speed-up of few models. */
static void a_line_has_the_speedup_of_each_model_with_its_interval(void **state)
{
	struct model model;
	char text[SPEEDUP_TEXT], *written = NULL;
	size_t size;
	FILE *out = open_memstream(&written, &size);
	double threads, low, high;

	make(&model, 8, 4);
	speedup_line(&model, text, sizeof(text));
	assert_int_equal(sscanf(text,
				"Speed-up from 1 to 2 cores: threads %lfx (%lf to %lf), "
				"processes ",
				&threads, &low, &high),
			 3);
	assert_true(low <= threads && threads <= high);
	assert_true(low > 1.5 && high < 2.1);
	assert_int_equal(write_answer(&model, out), 0);
	fclose(out);
	assert_non_null(strstr(written, "\nSpeed-up from 1 to 2 cores: threads "));
	free(written);
	out = open_memstream(&written, &size);
	assert_int_equal(write_methods(&model, out), 0);
	fclose(out);
	assert_non_null(strstr(written, text));
	free(written);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_curve_begins_with_the_fewest_cores_of_each_model),
		cmocka_unit_test(amdahls_law_of_a_session_is_found),
		cmocka_unit_test(two_numbers_of_cores_tell_no_law),
		cmocka_unit_test(cores_without_workers_are_no_points_and_the_note_says_so),
		cmocka_unit_test(a_programs_own_tasks_are_not_counted_as_workers),
		cmocka_unit_test(few_trials_have_no_interval),
		cmocka_unit_test(other_sweeps_have_no_speedup),
		cmocka_unit_test(a_line_has_the_speedup_of_each_model_with_its_interval),
		cmocka_unit_test(json_has_the_points_and_the_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
