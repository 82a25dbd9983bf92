/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_join.h"
#include "report/report.h"
#include "report/table.h"
#include "report/why.h"
#include "stage/synthetic.h"

#define MS 1e6

static void make(struct model *model, void (*session)(struct synthetic *, uint32_t),
		 uint32_t trials, bool slices)
{
	struct synthetic synthetic;

	session(&synthetic, trials);
	synthetic.slices = slices;
	synthetic_model(&synthetic, model);
}

static double cell(const struct table *table, size_t row, enum model_metric metric)
{
	for (size_t i = 1; i < table->n_columns; i++)
		if (table->columns[i].metric == metric)
			return table_cell(table, row, i)->value;
	return NAN;
}

/* Whatever is known of the work: the cells of a row add up to the median of the elapsed times. */
static void the_lines_add_up_to_the_median_elapsed_time(void **state)
{
	for (int slices = 0; slices < 2; slices++) {
		struct model model;
		struct table table;
		struct report_summary elapsed;

		make(&model, synthetic_mixed, 6, slices);
		assert_int_equal(table_build(&model, TABLE_PATH, &table), 0);
		assert_int_equal(table_rows(&table), 2);
		for (uint32_t row = 0; row < 2; row++) {
			double sum = 0;

			for (size_t i = 1; i + 1 < table.n_columns; i++)
				sum += table_cell(&table, row, i)->value;
			report_summarize(&model, row, METRIC_ELAPSED, &elapsed);
			assert_true(fabs(sum - elapsed.median.estimate) < 10);
			assert_true(fabs(sum - cell(&table, row, METRIC_PATH)) < 10);
			assert_int_equal(isnan(cell(&table, row, METRIC_WORKING)), !slices);
			assert_int_equal(isnan(cell(&table, row, METRIC_RUNNING)), slices);
		}
		table_free(&table);
		model_free(&model);
	}
}

/* Gives every run of the model a path: ms of its parts, b's with more creating and less waiting. */
static void give_paths(struct model *model, const double a[MODEL_PARTS],
		       const double b[MODEL_PARTS])
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];
		const double *ms = run->id.case_id ? b : a;

		run->path.all_ns = 0;
		for (int part = 0; part < MODEL_PARTS; part++) {
			/* no two trials are alike */
			run->path.ns[part] = ms[part] * MS * (1 + 0.001 * (double)(i % 5));
			run->path.all_ns += run->path.ns[part];
		}
		run->path.running_ns = run->path.ns[PART_WORKING] + run->path.ns[PART_WAITING] +
				       run->path.ns[PART_BLOCKED];
		run->totals.elapsed_ns = llround(run->path.all_ns);
	}
	synthetic_changed(model);
}

static const double base[] = {1, 1, 74, 146, 0.4, 1};

static void the_sentence_names_what_takes_longer_first_and_what_takes_less_behind(void **state)
{
	static const double more[] = {31, 7, 74, 137, 0.4, 2};
	struct model_parts_difference difference;
	struct model model;
	char text[WHY_TEXT];

	make(&model, synthetic_mixed, 8, false);
	give_paths(&model, base, more);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	assert_int_equal(difference.n, MODEL_PARTS);
	assert_string_equal(why_sentence(&model, &difference, text, sizeof(text)),
			    "Processes take 28 ms longer than threads: 30 creating (real), 6.0 "
			    "starting (real), 1.0 being joined (real), 9.0 less waiting for a core "
			    "(real).");
	/* seen from the other side it says the same */
	assert_int_equal(model_parts_compare(&model, 1, 0, &difference), 0);
	assert_non_null(strstr(why_sentence(&model, &difference, text, sizeof(text)),
			       "Processes take 28 ms longer than threads: 30 creating (real)"));
	model_free(&model);
}

static void too_few_trials_are_said_to_be(void **state)
{
	static const double more[] = {31, 1, 74, 146, 0.4, 1};
	struct model_parts_difference difference;
	struct model model;
	char text[WHY_TEXT];

	make(&model, synthetic_mixed, 3, false);
	give_paths(&model, base, more);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	assert_string_equal(
		why_sentence(&model, &difference, text, sizeof(text)),
		"Processes take 30 ms longer than threads (too few trials): 30 creating.");
	model_free(&model);
}

static void where_the_whole_does_not_differ_its_parts_are_said_that_do(void **state)
{
	static const double other[] = {3.6, 1, 74, 142, 0.4, 2.4};
	struct model_parts_difference difference;
	struct model model;
	char text[WHY_TEXT];

	make(&model, synthetic_mixed, 8, false);
	give_paths(&model, base, other);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	difference.whole.verdict = STATS_NONE;
	assert_string_equal(
		why_sentence(&model, &difference, text, sizeof(text)),
		"In parts processes differ from threads: 2.6 ms longer creating (real), "
		"1.4 ms longer being joined (real), 4.0 ms less waiting for a core "
		"(real).");
	for (uint32_t i = 0; i < difference.n; i++)
		difference.part[i].verdict = STATS_NONE;
	assert_string_equal(why_sentence(&model, &difference, text, sizeof(text)), "");
	model_free(&model);
}

static void causes_are_named_where_another_session_would_show_them(void **state)
{
	static const struct {
		double b[MODEL_PARTS];
		const char *expected;
		uint32_t io;
		struct sample_case given; /* what the user has chosen */
	} cases[] = {
		{{31, 1, 74, 146, 0.4, 1}, "--ballast 0,64M", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 146, 0.4, 9}, "--ballast 0,64M", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 190, 0.4, 1}, "--pin 0", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 190, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_WARM, .pinned = true}},
		{{1, 1, 74, 190, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_UNKNOWN}},
		{{1, 1, 74, 146, 20, 1}, "--cache cold", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 146, 20, 1}, "", 2, {.cache = SAMPLE_CACHE_COLD}},
		{{1, 1, 74, 146, 20, 1}, "", 2, {.cache = SAMPLE_CACHE_UNKNOWN}},
		{{1, 1, 74, 146, 20, 1}, "", 0, {.cache = SAMPLE_CACHE_WARM}},
		/* threads take longer */
		{{0.1, 1, 40, 146, 0.4, 1},
		 "--alloc 0",
		 2,
		 {.cache = SAMPLE_CACHE_WARM, .alloc = 400}},
		{{0.1, 1, 40, 146, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{0.1, 0.5, 74, 146, 0.4, 1},
		 "--stack-size default,16K",
		 2,
		 {.cache = SAMPLE_CACHE_WARM}},
		{{0.1, 0.5, 74, 146, 0.4, 1},
		 "",
		 2,
		 {.cache = SAMPLE_CACHE_WARM, .stack_size = 16384}},
		{{1, 40, 74, 146, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_WARM}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why_cause cause = {.options = ""};
		struct model model;
		bool known;

		make(&model, synthetic_mixed, 8, false);
		give_paths(&model, base, cases[i].b);
		for (uint32_t one = 0; one < 2; one++) {
			model.cases[one].plan.leaves[WORK_IO] = cases[i].io;
			model.cases[one].cache = cases[i].given.cache;
			model.cases[one].pinned = cases[i].given.pinned;
			model.cases[one].alloc = cases[i].given.alloc;
			model.cases[one].stack_size = cases[i].given.stack_size;
		}
		/* names in the command line are not what was chosen */
		strcpy(model.session.options, "tuibench --log ' --pin --alloc 400 --cache=cold'");
		known = why_cause_of(&model, &cause);
		assert_string_equal(cause.options, cases[i].expected);
		assert_int_equal(known, *cases[i].expected != '\0');
		model_free(&model);
	}
}

static void json_has_the_parts_with_intervals_and_the_sentence(void **state)
{
	static const double more[] = {31, 7, 74, 137, 0.4, 2};
	struct model model;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *json, *one, *part;

	make(&model, synthetic_mixed, 8, false);
	give_paths(&model, base, more);
	assert_int_equal(write_json(&model, out), 0);
	fclose(out);
	json = json_loads(text, 0, NULL);
	one = json_array_get(json_object_get(json, "why"), 0);
	assert_int_equal(json_array_size(json_object_get(json, "why")), 1);
	assert_int_equal(json_array_size(json_object_get(one, "parts")), MODEL_PARTS);
	part = json_array_get(json_object_get(one, "parts"), 0);
	assert_string_equal(json_string_value(json_object_get(part, "part")), "creating");
	assert_true(fabs(json_real_value(json_object_get(part, "difference_ms")) - 30) < 0.2);
	assert_true(json_real_value(json_object_get(part, "low_ms")) > 29);
	assert_true(json_is_true(json_object_get(part, "real")));
	assert_string_equal(json_string_value(json_object_get(one, "experiment")),
			    "--ballast 0,64M");
	json_decref(json);
	free(text);
	model_free(&model);
}

static bool are_alike(const struct model *model, uint32_t a, uint32_t b)
{
	return variables_equal(&model->cases[a].variables, &model->cases[b].variables);
}

/* Two of one value, of which no two others that differ for real are further apart. */
static void a_sweep_says_why_where_its_models_are_furthest_apart(void **state)
{
	struct model_comparison c, one;
	char text[2 * WHY_TEXT];
	struct model model;
	uint32_t a, b;

	make(&model, synthetic_scaling, 15, false);
	assert_true(model_parts_pair(&model, &a, &b));
	assert_true(are_alike(&model, a, b));
	assert_int_equal(model_compare(&model, a, b, METRIC_ELAPSED, &c), 0);
	assert_true(c.verdict == STATS_A || c.verdict == STATS_B);
	for (uint32_t i = 0; i < model.n_cases; i++)
		for (uint32_t j = i + 1; j < model.n_cases; j++) {
			if (!are_alike(&model, i, j) ||
			    model_compare(&model, i, j, METRIC_ELAPSED, &one) ||
			    (one.verdict != STATS_A && one.verdict != STATS_B))
				continue;
			assert_true(fabs(log(one.ratio.estimate)) <=
				    fabs(log(c.ratio.estimate)) + 1e-9);
		}
	assert_non_null(strstr(why_read(&model, text, sizeof(text)), " longer than "));
	assert_non_null(strstr(text, MODEL_CASE_NAME(&model, a)));
	model_free(&model);
}

/* Of recordings side by side the first one's pair, else those of one model in both. */
static void joined_recordings_say_why_of_the_first_pair(void **state)
{
	for (uint32_t cases = 1; cases <= 2; cases++) {
		struct model parts[2], model;
		struct synthetic session;
		char text[2 * WHY_TEXT];
		uint32_t a, b;

		synthetic_mixed(&session, 8);
		session.cases = cases;
		session.host = "desktop";
		synthetic_model(&session, &parts[0]);
		session.host = "laptop";
		session.span_ns[0] *= 2;
		synthetic_model(&session, &parts[1]);
		assert_int_equal(model_join(parts, 2, &model), 0);
		assert_true(model_parts_pair(&model, &a, &b));
		assert_int_equal(a, 0);
		assert_int_equal(b, 1);
		why_read(&model, text, sizeof(text));
		assert_non_null(strstr(text, " longer than "));
		assert_int_equal(strstr(text, "(not measured together)") != NULL, cases == 1);
		model_free(&model);
		model_free(&parts[0]);
		model_free(&parts[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lines_add_up_to_the_median_elapsed_time),
		cmocka_unit_test(
			the_sentence_names_what_takes_longer_first_and_what_takes_less_behind),
		cmocka_unit_test(too_few_trials_are_said_to_be),
		cmocka_unit_test(where_the_whole_does_not_differ_its_parts_are_said_that_do),
		cmocka_unit_test(causes_are_named_where_another_session_would_show_them),
		cmocka_unit_test(a_sweep_says_why_where_its_models_are_furthest_apart),
		cmocka_unit_test(joined_recordings_say_why_of_the_first_pair),
		cmocka_unit_test(json_has_the_parts_with_intervals_and_the_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
