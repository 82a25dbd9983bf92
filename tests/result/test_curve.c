/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/plot.h"
#include "result/finding.h"
#include "model/model.h"
#include "stage/synthetic.h"

#define MS INT64_C(1000000)

/* A session, and the curve that is read from it. */
struct stage {
	struct model model;
	struct curve curve;
};

static void stage_read(struct stage *stage, enum model_metric metric)
{
	synthetic_changed(&stage->model);
	assert_int_equal(curve_read(&stage->curve, &stage->model, metric, 0), 0);
}

static void stage_open(struct stage *stage, const struct synthetic *session)
{
	synthetic_model(session, &stage->model);
	stage_read(stage, METRIC_ELAPSED);
}

static void stage_scaling(struct stage *stage, uint32_t trials)
{
	struct synthetic session;

	synthetic_scaling(&session, trials);
	stage_open(stage, &session);
}

static const struct curve_point *point_of(const struct curve *curve, const char *line,
					  const char *value)
{
	for (uint32_t i = 0; i < curve->n_lines; i++)
		for (uint32_t v = 0; v < curve->n_values; v++)
			if (strcmp(curve->line[i].name, line) == 0 &&
			    strcmp(curve->value[v].text, value) == 0)
				return &curve->point[i][v];
	fail_msg("no point of %s at %s", line, value);
	return NULL;
}

static void a_session_of_one_size_sweeps_nothing(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_false(curve_swept(&model));
	model_free(&model);
	synthetic_scaling(&session, 1);
	synthetic_model(&session, &model);
	assert_true(curve_swept(&model));
	model_free(&model);
}

static void lines_are_models_and_values_are_in_order(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.cases = 1;
	variables_parse(&session.list[0].variables, "size=1M");
	synthetic_add(&session, "processes", "size=1M", 100 * MS);
	synthetic_add(&session, "threads", "size=4K", 100 * MS);
	synthetic_add(&session, "threads", "size=900", 100 * MS);
	stage_open(&stage, &session);
	assert_string_equal(stage.curve.name, "size");
	assert_true(stage.curve.numeric);
	assert_int_equal(stage.curve.n_lines, 2);
	assert_int_equal(stage.curve.n_values, 3);
	assert_string_equal(stage.curve.value[0].text, "900");
	assert_string_equal(stage.curve.value[1].text, "4K");
	assert_string_equal(stage.curve.value[2].text, "1M");
	assert_true(isnan(point_of(&stage.curve, "processes", "4K")->median));
	assert_int_equal(point_of(&stage.curve, "processes", "4K")->case_id, -1);
	model_free(&stage.model);
}

static void a_point_is_the_median_of_its_trials_with_their_range(void **state)
{
	struct stage stage;
	double values[16];
	size_t n;
	const struct curve_point *point;

	stage_scaling(&stage, 12);
	point = point_of(&stage.curve, "processes", "7");
	n = model_trials(&stage.model, (uint32_t)point->case_id, METRIC_ELAPSED, values, NULL, 16);
	stats_sort(values, n);
	assert_int_equal(point->n, 12);
	assert_true(point->median == stats_median(values, n));
	assert_true(point->least == values[0]);
	assert_true(point->most == values[n - 1]);
	model_free(&stage.model);
}

static void each_metric_is_read_in_its_unit(void **state)
{
	struct stage stage;
	const struct sample_totals *totals;
	const struct curve_point *point;

	stage_scaling(&stage, 1);
	point = point_of(&stage.curve, "threads", "2");
	totals = &model_latest(&stage.model, (uint32_t)point->case_id)->totals;
	assert_true(point->median == (double)totals->elapsed_ns);
	stage_read(&stage, METRIC_CPU);
	assert_true(point->median == (double)(totals->user_us + totals->system_us) * 1000);
	stage_read(&stage, METRIC_MEMORY);
	assert_true(point->median == (double)(totals->memory.pss_kb + totals->memory.kernel_kb));
	stage_read(&stage, METRIC_CREATE);
	assert_true(point->median == (double)totals->create_ns);
	stage_read(&stage, METRIC_SHARE);
	assert_true(point->median == 100.0 * (double)(totals->user_us + totals->system_us) * 1000 /
					     (double)totals->elapsed_ns);
	stage_read(&stage, METRIC_IO);
	assert_true(point->median ==
		    (double)(totals->read_kb - totals->checked_kb + totals->written_kb));
	model_free(&stage.model);
}

static void unknown_failed_and_paused_runs_are_no_points_of_a_curve(void **state)
{
	struct stage stage;

	stage_scaling(&stage, 1);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct sample_totals *totals = &stage.model.runs[i].totals;

		totals->memory.kernel_kb = -1;
		totals->status = i == 0 ? SAMPLE_FAILED : SAMPLE_OK;
		totals->paused = i == 1;
	}
	stage_read(&stage, METRIC_ELAPSED);
	assert_int_equal(point_of(&stage.curve, "threads", "2")->n, 0);
	assert_true(isnan(point_of(&stage.curve, "threads", "2")->median));
	assert_true(isnan(point_of(&stage.curve, "processes", "2")->most));
	assert_int_equal(point_of(&stage.curve, "threads", "3")->n, 1);
	stage_read(&stage, METRIC_MEMORY);
	assert_true(isnan(point_of(&stage.curve, "threads", "3")->median));
	model_free(&stage.model);
}

static void points_come_as_runs_end_and_go_when_time_is_turned_back(void **state)
{
	struct stage stage;
	const struct curve_point *point;

	stage_scaling(&stage, 12);
	point = point_of(&stage.curve, "processes", "2");
	model_seek(&stage.model, stage.model.runs[1].end_ns - 1);
	stage_read(&stage, METRIC_ELAPSED);
	assert_int_equal(point_of(&stage.curve, "threads", "2")->n, 1);
	assert_int_equal(point->n, 0);
	model_seek(&stage.model, stage.model.runs[1].end_ns);
	stage_read(&stage, METRIC_ELAPSED);
	assert_int_equal(point->n, 1);
	model_free(&stage.model);
}

static void a_crossover_lies_between_real_differences(void **state)
{
	struct stage stage;
	const struct curve *curve = &stage.curve;

	stage_scaling(&stage, 12);
	assert_int_equal(curve->lead[0].sure, FINDING_REAL);
	assert_string_equal(curve->line[curve->lead[0].line].name, "threads");
	assert_int_equal(curve->lead[3].sure, FINDING_NONE);
	assert_int_equal(curve->lead[6].sure, FINDING_REAL);
	assert_string_equal(curve->line[curve->lead[6].line].name, "processes");
	assert_int_equal(curve->n_crosses, 1);
	assert_string_equal(curve->value[curve->cross[0].from].text, "4");
	assert_string_equal(curve->value[curve->cross[0].to].text, "6");
	assert_true(curve->cross[0].at > 4 && curve->cross[0].at < 6);
	model_free(&stage.model);
}

static void curves_that_may_cross_by_chance_have_no_crossing(void **state)
{
	struct stage stage;
	const struct curve *curve = &stage.curve;

	stage_scaling(&stage, 1);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];
		uint32_t value = run->id.case_id / 2 + 2;

		/* 100 x and 70 x + 100 are equal at 10 / 3 */
		run->totals.elapsed_ns = run->id.case_id % 2 ? 70 * value + 100 : 100 * value;
	}
	stage_read(&stage, METRIC_ELAPSED);
	assert_true(curve->point[0][0].median < curve->point[1][0].median);
	assert_true(curve->point[0][6].median > curve->point[1][6].median);
	assert_int_equal(curve->n_crosses, 0);
	model_free(&stage.model);
}

static void too_few_pairs_give_no_interval(void **state)
{
	struct stage stage;

	stage_scaling(&stage, 5);
	for (uint32_t v = 0; v < stage.curve.n_values; v++)
		assert_int_equal(stage.curve.lead[v].sure, FINDING_FEW);
	assert_int_equal(stage.curve.n_crosses, 0);
	model_free(&stage.model);
}

static void one_leader_everywhere_has_no_crossover(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_scaling(&session, 12);
	for (uint32_t i = 0; i < session.cases; i += 2)
		session.span_ns[i] *= 2;
	stage_open(&stage, &session);
	assert_int_equal(stage.curve.n_crosses, 0);
	model_free(&stage.model);
}

static void a_case_compared_with_itself_is_not_faster(void **state)
{
	struct stage stage;

	stage_scaling(&stage, 12);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		/* each model leads in every second trial */
		run->totals.elapsed_ns = 100 * MS + MS * ((run->id.case_id + run->id.trial) % 2);
	}
	stage_read(&stage, METRIC_ELAPSED);
	for (uint32_t v = 0; v < stage.curve.n_values; v++)
		assert_int_equal(stage.curve.lead[v].sure, FINDING_NONE);
	model_free(&stage.model);
}

static void three_models_are_compared(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_hello(&session, 12);
	stage_open(&stage, &session);
	assert_int_equal(stage.curve.n_lines, 3);
	assert_int_equal(stage.curve.n_values, 11);
	model_free(&stage.model);
}

static void recordings_apart_have_no_crossover_between_them(void **state)
{
	struct synthetic session;
	struct model parts[2];
	struct stage stage;
	const struct curve *curve = &stage.curve;

	synthetic_scaling(&session, 12);
	for (int i = 0; i < 2; i++) {
		synthetic_model(&session, &parts[i]);
		snprintf(parts[i].session.machine.host, sizeof(parts[i].session.machine.host),
			 i ? "laptop" : "desktop");
	}
	assert_int_equal(model_join(parts, &stage.model), 0);
	stage_read(&stage, METRIC_ELAPSED);
	assert_int_equal(curve->n_lines, 4);
	for (uint32_t v = 0; v < curve->n_values; v++)
		assert_int_equal(curve->lead[v].sure, FINDING_MEDIANS);
	/* one crossing in each recording */
	assert_int_equal(curve->n_crosses, 2);
	for (uint32_t i = 0; i < 2; i++)
		assert_ptr_equal(
			model_origin(&stage.model, curve->line[curve->cross[i].a].case_id),
			model_origin(&stage.model, curve->line[curve->cross[i].b].case_id));
	model_free(&stage.model);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
}

static void the_faster_model_on_both_sides_of_a_gap_is_named_once(void **state)
{
	struct stage stage;

	stage_scaling(&stage, 12);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];
		uint32_t model = run->id.case_id % 2, even = run->id.trial % 2;
		bool nobody = run->id.case_id / 2 == 2;

		run->totals.elapsed_ns = 100 * MS + MS * (nobody ? (model + even) % 2 : model);
	}
	stage_read(&stage, METRIC_ELAPSED);
	model_free(&stage.model);
}

static void each_value_of_another_setting_has_its_own_curve(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_shapes(&session, 12);
	stage_open(&stage, &session);
	assert_string_equal(stage.curve.name, "tree");
	assert_false(stage.curve.numeric);
	assert_int_equal(stage.curve.n_values, 3);
	assert_string_equal(stage.curve.value[1].text, "50x99");
	assert_int_equal(stage.curve.n_lines, 2);
	assert_string_equal(stage.curve.line[0].name, "threads stack=8M");
	assert_int_equal(stage.curve.n_crosses, 0);
	model_free(&stage.model);
}

/* Ways to count are kinds of work, and otherwise each has a curve of its own. */
static void the_only_variable_is_that_of_the_curve(void **state)
{
	static const char *const ways[] = {"mutex", "atomic", "line"};
	struct synthetic session;
	struct stage stage;

	synthetic_scaling(&session, 1);
	session.cases = 1;
	session.list[0].plan.leaves[WORK_SHARE] = 1;
	for (uint32_t i = 1; i < 3; i++)
		synthetic_add(&session, "threads", "", 300 * MS);
	for (uint32_t i = 0; i < 3; i++)
		synthetic_vary(&session.list[i].variables, "via=%s", ways[i]);
	stage_open(&stage, &session);
	assert_string_equal(stage.curve.name, "via");
	assert_int_equal(stage.curve.n_works, 0);
	assert_int_equal(stage.curve.n_values, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(point_of(&stage.curve, "threads", ways[i])->case_id, i);
	model_free(&stage.model);
}

static void each_kind_of_work_is_a_sweep_of_its_own(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *const works[] = {"cpu", "io", "cpu"};

	synthetic_scaling(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++)
		synthetic_vary(&session.list[i].variables, "work=%s;workers=%u",
			       i < 8 ? "cpu" : "io", i / 2 % 4);
	stage_open(&stage, &session);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(curve_read(&stage.curve, &stage.model, METRIC_ELAPSED, i), 0);
		assert_string_equal(stage.curve.name, "workers");
		assert_string_equal(stage.curve.work, works[i]);
		assert_string_equal(stage.curve.next_work, works[(i + 1) % 2]);
		assert_int_equal(stage.curve.n_works, 2);
		assert_int_equal(stage.curve.n_lines, 2);
		assert_string_equal(stage.curve.line[0].name, "threads");
		assert_int_equal(stage.curve.n_values, i == 1 ? 3 : 4);
		assert_int_equal(point_of(&stage.curve, "threads", "1")->case_id, i == 1 ? 10 : 2);
	}
	model_free(&stage.model);
}

static void work_alone_is_swept_like_anything_else(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	variables_parse(&session.list[0].variables, "work=cpu");
	variables_parse(&session.list[1].variables, "work=mem");
	stage_open(&stage, &session);
	assert_string_equal(stage.curve.name, "work");
	assert_int_equal(stage.curve.n_works, 0);
	assert_int_equal(stage.curve.n_values, 2);
	model_free(&stage.model);
}

static void a_case_without_the_variable_stands_at_each_value(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	variables_parse(&session.list[0].variables, "stack=16K");
	synthetic_add(&session, "threads", "stack=8M", 100 * MS);
	stage_open(&stage, &session);
	assert_int_equal(stage.curve.n_values, 2);
	assert_true(point_of(&stage.curve, "processes", "16K")->median ==
		    point_of(&stage.curve, "processes", "8M")->median);
	model_free(&stage.model);
}

static void variables_that_are_no_list_of_names_and_values_do_no_harm(void **state)
{
	static const char *const odd[] = {"=", ";;", "a", "a=", "=;=", "a=1;b", "a=1;a=2"};
	struct synthetic session;
	struct stage stage;

	for (size_t i = 0; i + 1 < sizeof(odd) / sizeof(odd[0]); i++) {
		synthetic_mixed(&session, 1);
		variables_parse(&session.list[0].variables, odd[i]);
		variables_parse(&session.list[1].variables, odd[i + 1]);
		stage_open(&stage, &session);
		model_free(&stage.model);
	}
}

static void ticks_are_round_and_within_the_scale(void **state)
{
	static const struct scale scales[] = {{0, 870e6, false, false},	   {0, 3072, false, true},
					      {10, 900, true, false},	   {1, 1e9, true, false},
					      {1024, 1 << 20, true, true}, {5, 5.5, true, false}};
	double ticks[SCALE_TICKS];

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		int n = scale_ticks(&scales[i], 8, ticks);

		assert_true(n <= 9);
		for (int j = 0; j < n; j++) {
			assert_true(ticks[j] >= scales[i].low * (1 - 1e-6));
			assert_true(ticks[j] <= scales[i].high * (1 + 1e-6));
			assert_true(j == 0 || ticks[j] > ticks[j - 1]);
		}
	}
	assert_int_equal(scale_ticks(&scales[0], 8, ticks), 5);
	assert_true(ticks[1] == 2e8 && !signbit(ticks[0]));
	assert_int_equal(scale_ticks(&scales[2], 8, ticks), 6);
	assert_true(fabs(ticks[5] - 500) < 1e-9);
}

static void shares_run_from_the_low_end_to_the_high_one(void **state)
{
	struct scale linear = {10, 30, false, false}, logarithm = {1, 100, true, false};

	assert_true(scale_share(&linear, 20) == 0.5);
	assert_true(fabs(scale_share(&logarithm, 10) - 0.5) < 1e-12);
	assert_true(isnan(scale_share(&logarithm, 0)));
	assert_true(isnan(scale_share(&logarithm, NAN)));
	assert_true(scale_share(&linear, 5) < 0);
}

static bool wants_log(const double *numbers, uint32_t n)
{
	static struct curve curve;

	curve = (struct curve) {.numeric = true, .n_values = n};
	for (uint32_t i = 0; i < n; i++)
		curve.value[i].number = numbers[i];
	return curve_wants_log(&curve);
}

static void values_crowd_where_they_grow_by_factors(void **state)
{
	static const double powers[] = {1, 2, 4, 8, 16, 32, 64}, steps[] = {10, 50, 100, 200, 300};
	static const double zero[] = {0, 1, 100};

	assert_true(wants_log(powers, 7));
	assert_false(wants_log(steps, 5));
	assert_false(wants_log(zero, 3));
	assert_false(wants_log(powers, 0));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_of_one_size_sweeps_nothing),
		cmocka_unit_test(lines_are_models_and_values_are_in_order),
		cmocka_unit_test(a_point_is_the_median_of_its_trials_with_their_range),
		cmocka_unit_test(each_metric_is_read_in_its_unit),
		cmocka_unit_test(unknown_failed_and_paused_runs_are_no_points_of_a_curve),
		cmocka_unit_test(points_come_as_runs_end_and_go_when_time_is_turned_back),
		cmocka_unit_test(a_crossover_lies_between_real_differences),
		cmocka_unit_test(curves_that_may_cross_by_chance_have_no_crossing),
		cmocka_unit_test(too_few_pairs_give_no_interval),
		cmocka_unit_test(one_leader_everywhere_has_no_crossover),
		cmocka_unit_test(a_case_compared_with_itself_is_not_faster),
		cmocka_unit_test(three_models_are_compared),
		cmocka_unit_test(recordings_apart_have_no_crossover_between_them),
		cmocka_unit_test(the_faster_model_on_both_sides_of_a_gap_is_named_once),
		cmocka_unit_test(each_value_of_another_setting_has_its_own_curve),
		cmocka_unit_test(the_only_variable_is_that_of_the_curve),
		cmocka_unit_test(each_kind_of_work_is_a_sweep_of_its_own),
		cmocka_unit_test(work_alone_is_swept_like_anything_else),
		cmocka_unit_test(a_case_without_the_variable_stands_at_each_value),
		cmocka_unit_test(variables_that_are_no_list_of_names_and_values_do_no_harm),
		cmocka_unit_test(ticks_are_round_and_within_the_scale),
		cmocka_unit_test(shares_run_from_the_low_end_to_the_high_one),
		cmocka_unit_test(values_crowd_where_they_grow_by_factors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
