/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/experiment.h"
#include "result/finding.h"
#include "model/model.h"
#include "model/model_parts.h"
#include "result/report.h"
#include "result/table.h"
#include "stage/seed.h"
#include "stage/synthetic.h"
#include "stage/known.h"
#include "write/export.h"

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

/*
 * However much is known about the work, the cells of a row add up to the median of the elapsed
 * times.
 */
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

/*
 * Gives every run of the model a path with these parts in ms; b has more creating and less waiting.
 */
static void give_paths(struct model *model, const double a[MODEL_PARTS],
		       const double b[MODEL_PARTS])
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];
		const double *ms = run->id.case_id ? b : a;

		run->path.all_ns = 0;
		for (int part = 0; part < MODEL_PARTS; part++) {
			/* all trials differ */
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

static void the_parts_that_differ_for_real_are_named_with_the_longest_first(void **state)
{
	static const double more[] = {31, 7, 74, 137, 0.4, 2};
	struct model_parts_difference difference;
	struct model model;
	char text[WHY_TEXT];

	make(&model, synthetic_mixed, 8, false);
	give_paths(&model, base, more);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	assert_int_equal(difference.n, MODEL_PARTS);
	assert_string_equal(
		why_sentence(&model, &difference, text, sizeof(text)),
		"Where the time goes: processes take 30.0 ms more in create calls, "
		"6.01 ms more starting, 1.00 ms more being joined, 9.09 ms less waiting for a core "
		"than threads (all real).");
	model_free(&model);
}

/* On a busy machine most of a difference may be waits, of which no experiment shows the cause. */
static void an_experiment_comes_before_the_advice_to_close_programs(void **state)
{
	static const double forks[] = {31, 1, 74, 206, 0.4, 1};
	static const double waits[] = {1, 1, 74, 206, 0.4, 1};
	struct synthetic session;
	struct model model;
	struct why why;

	(void)state;
	synthetic_mixed(&session, 8);
	session.others = 600;
	synthetic_model(&session, &model);
	give_paths(&model, base, forks);
	why_find(&model, &why);
	assert_true(why.has_cause);
	assert_non_null(strstr(why.cause.text, "page tables"));
	give_paths(&model, base, waits);
	why_find(&model, &why);
	assert_true(why.has_cause);
	assert_string_equal(
		why.cause.text,
		"Other programs used 60 % of the CPU. Close them and run the session again.");
	model_free(&model);
}

static void nothing_is_said_after_too_few_trials(void **state)
{
	static const double more[] = {31, 1, 74, 146, 0.4, 1};
	struct model_parts_difference difference;
	struct model model;
	char text[WHY_TEXT];

	make(&model, synthetic_mixed, 3, false);
	give_paths(&model, base, more);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	assert_true(difference.whole.ratio.estimate > 0);
	assert_string_equal(why_sentence(&model, &difference, text, sizeof(text)), "");
	model_free(&model);
}

static void where_the_whole_does_not_differ_no_part_is_its_cause(void **state)
{
	static const double other[] = {3.6, 1, 74, 142, 0.4, 2.4};
	struct model_parts_difference difference;
	struct model model;
	char text[WHY_TEXT];

	make(&model, synthetic_mixed, 8, false);
	give_paths(&model, base, other);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	difference.whole.verdict = STATS_NONE;
	assert_string_equal(why_sentence(&model, &difference, text, sizeof(text)), "");
	model_free(&model);
}

/*
 * The row of the elapsed time takes its interval and verdict from the answer, even if the
 * differences of the pairs would say something else.
 */
static void elapsed_has_the_interval_and_the_verdict_of_the_answer(void **state)
{
	static const double other[] = {3.6, 1, 74, 142, 0.4, 2.4};
	struct model_parts_difference difference;
	struct model_comparison c;
	struct model model;
	struct table table;
	char interval[64];

	make(&model, synthetic_mixed, 8, false);
	give_paths(&model, base, other);
	assert_int_equal(model_compare(&model, 0, 1, METRIC_ELAPSED, &c), 0);
	assert_int_equal(model_parts_compare(&model, 0, 1, &difference), 0);
	assert_int_equal(difference.elapsed.verdict, c.verdict);
	assert_int_equal(table_build(&model, TABLE_WHY, &table), 0);
	snprintf(interval, sizeof(interval), "%s to %sx", CLAIM_TIMES(c.ratio.low),
		 CLAIM_TIMES(c.ratio.high));
	assert_string_equal(table_cell(&table, 0, 1)->words, "elapsed");
	assert_string_equal(table_cell(&table, 0, 3)->words, interval);
	assert_string_equal(table_cell(&table, 0, 5)->words,
			    c.verdict == STATS_NONE ? "no" : "yes");
	table_free(&table);
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
		{{31, 1, 74, 146, 0.4, 1}, "--set ballast=0,64M", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 146, 0.4, 9}, "--set ballast=0,64M", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 190, 0.4, 1}, "--set pin=0", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 190, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_WARM, .pinned = true}},
		{{1, 1, 74, 190, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_UNKNOWN}},
		{{1, 1, 74, 146, 20, 1}, "--set cache=cold", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{1, 1, 74, 146, 20, 1}, "", 2, {.cache = SAMPLE_CACHE_COLD}},
		{{1, 1, 74, 146, 20, 1}, "", 2, {.cache = SAMPLE_CACHE_UNKNOWN}},
		{{1, 1, 74, 146, 20, 1}, "", 0, {.cache = SAMPLE_CACHE_WARM}},
		/* threads take longer */
		{{0.1, 1, 40, 146, 0.4, 1},
		 "--set env:GLIBC_TUNABLES=-,glibc.malloc.tcache_count=0",
		 2,
		 {.cache = SAMPLE_CACHE_WARM, .alloc = 400}},
		{{0.1, 1, 40, 146, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_WARM}},
		{{0.1, 0.5, 74, 146, 0.4, 1},
		 "--set stack=default,16K",
		 2,
		 {.cache = SAMPLE_CACHE_WARM}},
		{{0.1, 0.5, 74, 146, 0.4, 1},
		 "",
		 2,
		 {.cache = SAMPLE_CACHE_WARM, .stack_size = 16384}},
		{{1, 40, 74, 146, 0.4, 1}, "", 2, {.cache = SAMPLE_CACHE_WARM}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why why;
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
		/* names in the command line are not choices of the user */
		strcpy(model.session.options, "tuibench --log ' --pin -s alloc=400 -s cache=cold'");
		why_find(&model, &why);
		known = why.has_cause;
		assert_string_equal(why.cause.options, cases[i].expected);
		assert_int_equal(known, *cases[i].expected != '\0');
		model_free(&model);
	}
}

/* The experiment that shows a cause can be built after the options of the session. */
static void its_experiment_can_be_built(const char *options, uint32_t hello)
{
	struct experiment *experiment = malloc(sizeof(*experiment));
	struct request request;
	char error[256];

	assert_non_null(experiment);
	request_init(&request);
	request.workers[WORK_CPU] = request.workers[WORK_IO] = 0;
	request.workers[WORK_HELLO] = hello;
	if (strncmp(options, "--models ", 9) == 0)
		request.models = options + 9;
	else if (strncmp(options, "--set ", 6) == 0)
		request.workers[WORK_WRITE] = 2;
	if (experiment_build(&request, experiment, error, sizeof(error)))
		fail_msg("%s: %s", options, error);
	free(experiment);
}

/* Threads work longer: because of one file, of one stream, or of neither. */
static void a_cause_names_the_shared_file_or_stream(void **state)
{
	static const double less[] = {0.1, 1, 40, 146, 0.4, 1};
	static const struct {
		uint32_t hello;
		bool file, hybrid;
		const char *text, *expected;
	} cases[] = {
		{0, true, false, "one file", "--set share-file=no,yes"},
		{0, false, false, "", ""},
		{255, false, false, "one stream", "--models threads,hybrid:3x85,hybrid:85x3"},
		{4, false, false, "one stream", "--models threads,hybrid:2x2"},
		{7, false, false, "", ""},  /* no hybrid has seven workers */
		{255, false, true, "", ""}, /* a hybrid is compared already */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why why;
		struct model model;

		make(&model, synthetic_mixed, 8, false);
		give_paths(&model, base, less);
		for (uint32_t one = 0; one < 2; one++) {
			model.cases[one].plan.leaves[WORK_HELLO] = cases[i].hello;
			model.cases[one].mistakes.share_file = cases[i].file;
		}
		if (cases[i].hybrid)
			strcpy(model.cases[1].model, "hybrid:16x16");
		why_find(&model, &why);
		assert_string_equal(why.cause.options, cases[i].expected);
		assert_non_null(strstr(why.cause.text, cases[i].text));
		if (*why.cause.options)
			its_experiment_can_be_built(why.cause.options, cases[i].hello);
		model_free(&model);
	}
}

/* Whatever chance does to the parts, a cause explains only the order that the verdict names. */
static void no_order_that_is_not_there_has_a_cause(void **state)
{
	uint32_t named = 0, undecided = 0;

	seed_random();
	for (int session = 0; session < 300; session++) {
		struct finding_lead lead = {.others = 0};
		struct why why;
		struct model model;
		bool known;

		make(&model, synthetic_mixed, 8, false);
		for (size_t i = 0; i < model.n_runs; i++) {
			struct model_run *run = &model.runs[i];
			double shift = run->id.case_id ? (session % 5) * 4 : 0;

			run->path.all_ns = 0;
			for (int part = 0; part < MODEL_PARTS; part++) {
				run->path.ns[part] =
					(base[part] + shift + (double)(random() % 20)) * MS;
				run->path.all_ns += run->path.ns[part];
			}
			run->totals.elapsed_ns = llround(run->path.all_ns);
		}
		synthetic_changed(&model);
		assert_int_equal(
			finding_among(&model, (const uint32_t[]) {0, 1}, 2, METRIC_ELAPSED, &lead),
			0);
		why_find(&model, &why);
		known = why.has_cause;
		named += known;
		undecided += lead.sure != FINDING_REAL;
		if (known)
			assert_int_equal(lead.sure, FINDING_REAL);
		/* forks explain only processes, and stacks only threads */
		if (known && strstr(why.cause.text, "page tables"))
			assert_int_equal(lead.lead, 0);
		if (known && strstr(why.cause.text, "stack"))
			assert_int_equal(lead.lead, 1);
		model_free(&model);
	}
	assert_true(named > 20 && undecided > 20);
}

/*
 * A single core for all workers is named if no model leads. If the user chose that core, the advice
 * lifts the choice.
 */
static void one_core_for_all_explains_too_close_to_call(void **state)
{
	static const struct {
		bool pinned, same_cpu, differ;
		int32_t allowed;
		double quota;
		const char *text, *options;
		const char *list; /* the CPUs as recorded; NULL: 0-1 */
	} cases[] = {
		{true, true, false, 2, -1, "share one core", "--set pin=0-1"},
		{true, true, false, 2, -1, "share one core", "", "0;sh"},
		{true, true, false, 2, -1, "share one core", "", "0 -s prepare=sh"},
		{true, true, false, 2, -1, "share one core", "", "$(sh)"},
		{true, true, false, 2, -1, "share one core", "", "0\n"},
		{true, false, false, 2, -1, "", ""}, /* pinned to two CPUs */
		{false, true, false, 2, -1, "", ""}, /* by chance */
		{false, false, false, 1, -1, "share one core", ""},
		{false, false, false, 2, 0.5, "A quota of 0.5 of 2 cores limits", ""},
		{false, false, false, 2, 1.5, "", ""},
		{false, false, true, 1, -1, "page tables", "--set ballast=0,64M"},
	};
	static const double more[] = {31, 1, 74, 146, 0.4, 1};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why why;
		struct model model;

		make(&model, synthetic_mixed, 8, false);
		/* noise without a direction */
		give_paths(&model, base, cases[i].differ ? more : base);
		for (size_t j = 0; j < model.n_runs; j++) {
			struct model_run *run = &model.runs[j];

			if (!cases[i].differ)
				run->totals.elapsed_ns = (224 + (int64_t)(j * j % 7)) * 1000000;
			for (uint32_t k = 0; k < run->n_workers; k++) {
				KNOW(run, k, cpu_first, cases[i].same_cpu ? 1 : (int16_t)(k % 2));
				KNOW(run, k, cpu_last, cases[i].same_cpu ? 1 : (int16_t)(k % 2));
			}
		}
		for (uint32_t one = 0; one < 2; one++)
			model.cases[one].pinned = cases[i].pinned;
		model.session.machine.cores_allowed = cases[i].allowed;
		model.session.machine.cpu_quota = cases[i].quota;
		strcpy(model.session.machine.cpus_allowed, cases[i].list ? cases[i].list : "0-1");
		synthetic_changed(&model);
		why_find(&model, &why);
		assert_string_equal(why.cause.options, cases[i].options);
		assert_non_null(strstr(why.cause.text, cases[i].text));
		assert_int_equal(*cases[i].text == '\0', *why.cause.text == '\0');
		model_free(&model);
	}
}

/*
 * Blocks that glibc's thread cache holds are shown without that cache; larger ones by smaller
 * sizes.
 */
static void the_allocator_is_named_with_what_shows_its_lock(void **state)
{
	static const double less[] = {0.1, 1, 40, 146, 0.4, 1};
	static const char cache[] = "--set env:GLIBC_TUNABLES=-,glibc.malloc.tcache_count=0";
	static const struct {
		uint64_t alloc;
		const char *libc, *swept, *expected;
	} cases[] = {
		{400, "glibc 2.36", NULL, cache},
		{1032, "glibc 2.36", NULL, cache},
		{1033, "glibc 2.36", NULL, "--set alloc=1000,1033"},
		{4000, "glibc 2.36", NULL, "--set alloc=1000,4000"},
		{4000, "glibc 2.36", "alloc=4000", "--set alloc=0"},
		{4000, "musl", NULL, "--set alloc=0"},
		{400, "", NULL, "--set alloc=0"},
		{0, "glibc 2.36", NULL, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why why;
		struct model model;

		make(&model, synthetic_mixed, 8, false);
		give_paths(&model, base, less);
		strcpy(model.session.machine.libc, cases[i].libc);
		for (uint32_t one = 0; one < 2; one++) {
			model.cases[one].alloc = cases[i].alloc;
			if (cases[i].swept)
				variables_parse(&model.cases[one].variables, cases[i].swept);
		}
		why_find(&model, &why);
		assert_string_equal(why.cause.options, cases[i].expected);
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
			    "--set ballast=0,64M");
	json_decref(json);
	free(text);
	model_free(&model);
}

static bool are_alike(const struct model *model, uint32_t a, uint32_t b)
{
	return variables_equal(&model->cases[a].variables, &model->cases[b].variables);
}

/* Two cases of the same value. No other pair that differs significantly is further apart. */
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
	why_read(&model, text, sizeof(text));
	assert_non_null(strstr(text, MODEL_CASE_NAME(&model, a)));
	model_free(&model);
}

/* Recordings with one model each have no pairs of trials. */
static void joined_recordings_say_why_of_a_pair_within_one(void **state)
{
	for (uint32_t cases = 1; cases <= 2; cases++) {
		struct model parts[2], model;
		struct synthetic session;
		uint32_t a, b;

		synthetic_mixed(&session, 8);
		session.cases = cases;
		session.host = "desktop";
		synthetic_model(&session, &parts[0]);
		session.host = "laptop";
		session.span_ns[0] *= 2;
		synthetic_model(&session, &parts[1]);
		assert_int_equal(model_join(parts, &model), 0);
		assert_int_equal(model_parts_pair(&model, &a, &b), cases == 2);
		if (cases == 2) {
			assert_int_equal(a, 2);
			assert_int_equal(b, 3);
		}
		model_free(&model);
		model_free(&parts[0]);
		model_free(&parts[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lines_add_up_to_the_median_elapsed_time),
		cmocka_unit_test(the_parts_that_differ_for_real_are_named_with_the_longest_first),
		cmocka_unit_test(an_experiment_comes_before_the_advice_to_close_programs),
		cmocka_unit_test(nothing_is_said_after_too_few_trials),
		cmocka_unit_test(where_the_whole_does_not_differ_no_part_is_its_cause),
		cmocka_unit_test(elapsed_has_the_interval_and_the_verdict_of_the_answer),
		cmocka_unit_test(causes_are_named_where_another_session_would_show_them),
		cmocka_unit_test(a_cause_names_the_shared_file_or_stream),
		cmocka_unit_test(the_allocator_is_named_with_what_shows_its_lock),
		cmocka_unit_test(one_core_for_all_explains_too_close_to_call),
		cmocka_unit_test(no_order_that_is_not_there_has_a_cause),
		cmocka_unit_test(a_sweep_says_why_where_its_models_are_furthest_apart),
		cmocka_unit_test(joined_recordings_say_why_of_a_pair_within_one),
		cmocka_unit_test(json_has_the_parts_with_intervals_and_the_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
