/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/comparison.h"
#include "core/sample.h"
#include "result/report.h"
#include "write/export.h"

#define MS   1000000ll
#define MOST 24

/* A session of cases with their names and times, which vary by 1 %. */
struct session {
	struct sample_case cases[MOST];
	int64_t ms[MOST]; /* time of each run; below 0: the run was paused */
	uint32_t n;
	bool wide; /* trials vary by a fifth; otherwise by less than 1 % */
};

static void add(struct session *session, const char *model, const char *variables, int64_t ms)
{
	struct sample_case *one = &session->cases[session->n];

	*one = (struct sample_case) {.plan = {.levels = 1, .fanout = {1}, .barrier = true}};
	snprintf(one->model, sizeof(one->model), "%s", model);
	variables_parse(&one->variables, variables);
	session->ms[session->n++] = ms;
}

static void apply(struct model *model, const struct sample *sample)
{
	assert_int_equal(model_apply(model, sample), 0);
}

static void play_run(struct model *model, const struct session *session, uint32_t run,
		     uint32_t trial, uint32_t case_id)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = (run + 1) * 1000 * MS};
	int64_t scatter = (int64_t)((run * 7 + case_id * 3) % 5) - 2;
	/* wide: the two models vary in opposite directions */
	const int64_t by = session->wide ? 100 - 200 * (int64_t)(case_id % 2) : 2;

	sample.run = (struct sample_run) {
		.run = run, .trial = trial, .case_id = case_id, .planned = 6 * session->n};
	apply(model, &sample);
	sample.kind = SAMPLE_RUN_END;
	sample.time_ns += llabs(session->ms[case_id]) * MS;
	memset(&sample.end, 0, sizeof(sample.end));
	sample.end.totals.begin_ns = (run + 1) * 1000 * MS;
	sample.end.totals.create_ns = -1;
	sample.end.totals.user_us = 1000 + 5 * scatter;
	sample.end.totals.elapsed_ns =
		llabs(session->ms[case_id]) * MS * (1000 + by * scatter) / 1000;
	sample.end.totals.paused = session->ms[case_id] < 0;
	apply(model, &sample);
}

static void play(struct model *model, const struct session *session, uint32_t trials)
{
	struct sample sample = {.kind = SAMPLE_SESSION};
	uint32_t run = 0;

	model_init(model);
	sample.session.trials = trials;
	sample.session.interval_ms = 100;
	sample.session.cases = session->n;
	sample.session.cases_list = session->cases;
	apply(model, &sample);
	for (uint32_t trial = 1; trial <= trials; trial++) {
		for (uint32_t i = 0; i < session->n; i++)
			play_run(model, session, run++, trial, i);
	}
}

static void expect(const struct session *session, uint32_t trials, const char *sentence)
{
	struct model model;
	char line[HEADLINE_BADGE + HEADLINE_TEXT];

	play(&model, session, trials);
	assert_string_equal(headline_line(&model, line, sizeof(line)), sentence);
	model_free(&model);
}

static struct sample_case case_of(const char *model, const char *variables)
{
	struct session session = {.n = 0};

	add(&session, model, variables, 1);
	return session.cases[0];
}

static void the_swept_variable_is_neither_work_nor_a_structure(void **state)
{
	struct sample_case one = case_of("threads", "work=mem;tree=5x2;size=1.5K;stack=16K");

	assert_string_equal(model_swept(&one)->name, "size");
	assert_float_equal(model_swept(&one)->number, 1536, 0);
	one = case_of("threads", "tree=5000;stack=16K");
	assert_null(model_swept(&one));
	one = case_of("threads", "");
	assert_null(model_swept(&one));
	one = case_of("threads", "workers=many;=;x");
	assert_null(model_swept(&one));
}

static void only_the_same_value_and_work_can_be_compared(void **state)
{
	static const struct {
		const char *a, *b;
		bool comparable;
	} pairs[] = {
		{"", "", true},
		{"workers=2", "workers=2", true},
		{"workers=2", "workers=3", false},
		{"work=fp;workers=2", "work=mem;workers=2", false},
		{"tree=50x99", "tree=5000;stack=16K", true},
		{"tree=50x99;cpu=10", "tree=5000;cpu=20", false},
		{"tree=50x99;cpu=10;stack=1M", "tree=5000;cpu=10", true},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct sample_case a = case_of("threads", pairs[i].a);
		struct sample_case b = case_of("processes", pairs[i].b);

		assert_int_equal(comparison_alike(&a, &b), pairs[i].comparable);
	}
}

static void a_curve_is_one_model_and_work_over_all_values(void **state)
{
	struct sample_case a = case_of("threads", "work=mem;workers=2");
	struct sample_case b = case_of("threads", "work=mem;workers=8");
	struct sample_case c = case_of("threads", "work=fp;workers=2");
	struct sample_case d = case_of("processes", "work=mem;workers=2");

	assert_true(comparison_same_curve(&a, &b));
	assert_false(comparison_same_curve(&a, &c));
	assert_false(comparison_same_curve(&a, &d));
}

/* Threads lead up to 300, processes from 500 on. At 400 they are equal. */
static struct session crossing(void)
{
	static const int64_t processes[] = {200, 150, 110, 100, 90, 80};
	struct session session = {.n = 0};
	char variables[32];

	for (uint32_t i = 0; i < 6; i++) {
		snprintf(variables, sizeof(variables), "size=%u", 100 * (i + 1));
		add(&session, "threads", variables, 100);
		add(&session, "processes", variables, processes[i]);
	}
	return session;
}

static void the_sentence_counts_the_values_at_which_each_is_faster(void **state)
{
	struct session session = crossing();

	expect(&session, 12,
	       "[REAL] threads are faster at 3 of 6 values of size (1.10x to 2.0x), processes "
	       "faster at 2 (1.11x to 1.25x), same at 1; threads and processes cross at about 400 "
	       "(300 "
	       "to 500)");
	expect(&session, 2,
	       "[NO RESULT] threads 100 ms, processes 80.0 ms to 200 ms; processes not decided at "
	       "6 of 6 values of "
	       "size");
	expect(&session, 0, "[MEASURING 0/1] No trial is complete yet");
}

static void a_faster_value_is_no_faster_model(void **state)
{
	struct session session = {.n = 0};

	/* Twice the workers take twice the time, in both models. */
	add(&session, "threads", "workers=2", 100);
	add(&session, "processes", "workers=2", 100);
	add(&session, "threads", "workers=4", 200);
	add(&session, "processes", "workers=4", 200);
	expect(&session, 12,
	       "[SAME SPEED] From 2 to 4 workers, the work takes 2.0x as long; threads and "
	       "processes are the same at 2 of 2");
}

/* What was not measured is undecided. */
static void what_all_trials_leave_open_is_not_decided(void **state)
{
	struct session session = {.wide = true};

	add(&session, "threads", "workers=2", 100);
	add(&session, "processes", "workers=2", 103);
	add(&session, "threads", "workers=4", 200);
	add(&session, "processes", "workers=4", 210);
	expect(&session, 12,
	       "[NOT DECIDED] From 2 to 4 workers, the work takes 2.0x as long; whether threads or "
	       "processes are faster is not decided at 2 of 2");
}

static void a_value_without_trials_is_not_among_those_of_which_something_is_known(void **state)
{
	struct session session = {.n = 0};

	add(&session, "threads", "workers=2", -100);
	add(&session, "processes", "workers=2", 100);
	add(&session, "threads", "workers=4", 200);
	add(&session, "processes", "workers=4", 200);
	expect(&session, 12,
	       "[SAME SPEED] processes 100 ms to 200 ms; processes same at 1 of 2 values of "
	       "workers, not decided at 1");
}

static void each_work_has_a_part_of_the_sentence(void **state)
{
	struct session session = {.n = 0};

	add(&session, "threads", "work=fp;workers=2", 100);
	add(&session, "processes", "work=fp;workers=2", 100);
	add(&session, "threads", "work=mem;workers=2", 100);
	add(&session, "processes", "work=mem;workers=2", 50);
	expect(&session, 12,
	       "[REAL] processes are faster at 1 of 2 values of work (2.0x at work=mem workers=2), "
	       "same at 1");
}

/* Makes two models with alloc=0, 400 and 800. */
static struct session conditions(const char *second)
{
	static const int64_t threads[] = {100, 310, 300}, processes[] = {200, 200, 100};
	static const char *const values[] = {"alloc=0", "alloc=400", "alloc=800"};
	struct session session = {.n = 0};

	for (uint32_t i = 0; i < 3; i++) {
		add(&session, "threads", values[i], threads[i]);
		if (second)
			add(&session, second, values[i], processes[i]);
	}
	return session;
}

/* Two trials decide nothing. The sentence has the time of every model, however many there are. */
static void a_sweep_without_a_verdict_has_the_times_of_all_models(void **state)
{
	static const char *const models[] = {"threads", "processes", "hybrid:2x2", "pool:2"};
	const struct session two = conditions("processes");
	struct session steady = {.n = 0}, four = {.n = 0};

	expect(&two, 2,
	       "[NO RESULT] threads 99.8 ms to 309 ms, processes 99.8 ms to 200 ms; processes not "
	       "decided at 3 of 3 values of alloc");
	for (int i = 0; i < 4; i++) {
		if (i < 2)
			add(&steady, models[i], "alloc=0", 100);
		if (i < 2)
			add(&steady, models[i], "alloc=1", 100);
		add(&four, models[i], "alloc=0", 100 * (i + 1));
		add(&four, models[i], "alloc=1", 100 * (i + 1));
	}
	expect(&steady, 2,
	       "[NO RESULT] threads 99.9 ms, processes 99.9 ms; processes not decided at 2 of 2 "
	       "values of alloc");
	expect(&four, 2,
	       "[NO RESULT] threads 99.7 ms, processes 199 ms, hybrid:2x2 299 ms, pool:2 399 ms; "
	       "processes not decided at 2 of 2 values of alloc; hybrid:2x2 not decided at 2 of 2; "
	       "pool:2 not decided at 2 of 2");
}

static void a_model_is_compared_over_the_values_of_a_condition(void **state)
{
	const struct session session = conditions("processes");

	expect(&session, 14,
	       "[REAL] threads 100 ms to 310 ms; processes are faster at 2 of 3 values of alloc "
	       "(1.6x to 3.0x), threads faster at 1 (2.0x at alloc=0); threads and processes cross "
	       "at about 190 (0 to 400); alloc=800 compared with 0: "
	       "threads 3.0x, processes 0.50x");
}

/* With two values of a setting, their comparison is the question, even if nothing is found. */
static void two_values_are_compared_even_if_the_difference_is_not_real(void **state)
{
	struct session session = {.n = 0};

	add(&session, "threads", "pin=0-1", 100);
	add(&session, "processes", "pin=0-1", 100);
	add(&session, "threads", "pin=0", 100);
	add(&session, "processes", "pin=0", 200);
	expect(&session, 12,
	       "[REAL] threads are faster at 1 of 2 values of pin (2.0x at pin=0), "
	       "same at 1; pin=0 compared with 0-1: threads same, processes 2.0x");
	session = (struct session) {.wide = true};
	for (int i = 0; i < 2; i++) {
		add(&session, "threads", i ? "pin=0" : "pin=0-1", 100);
		add(&session, "processes", i ? "pin=0" : "pin=0-1", 103);
		add(&session, "hybrid:2x1", i ? "pin=0" : "pin=0-1", 100);
	}
	expect(&session, 12,
	       "[NOT DECIDED] processes not decided at 2 of 2 values of pin; hybrid:2x1 same at 2 "
	       "of 2; pin=0 compared with 0-1: threads not decided, processes not decided, "
	       "hybrid:2x1 not decided");
}

static void one_model_alone_is_compared_over_a_condition_and_not_over_an_amount(void **state)
{
	struct session session = conditions(NULL);

	expect(&session, 12, "[REAL] alloc=0 is fastest (99.9 ms): alloc=400 3.1x, alloc=800 3.0x");
	expect(&session, 2,
	       "[NO RESULT] Compared with alloc=0 (99.7 ms): alloc=400 309 ms, alloc=800 299 ms");
	for (uint32_t i = 0; i < session.n; i++)
		memcpy(session.cases[i].variables.list[0].name, "size", sizeof("size"));
	expect(&session, 12,
	       "size=0 99.9 ms, size=400 310 ms, size=800 300 ms (not compared, because the work "
	       "differs)");
}

static void a_condition_is_no_amount_of_work_and_is_compared_with_its_first_value(void **state)
{
	static const struct {
		const char *values[3];
		bool made[3]; /* 0 with 1, 0 with 2, 1 with 2 */
	} sweeps[] = {
		{{"alloc=0", "alloc=400", "alloc=800"}, {true, true, false}},
		{{"cache=warm", "cache=cold", "cache=asis"}, {true, true, false}},
		{{"env:A=-", "env:A=1", "env:A=2"}, {true, true, false}},
		{{"size=1", "size=2", "size=3"}, {false, false, false}},
		{{"workers=1", "workers=2", "workers=3"}, {false, false, false}},
		{{"cores=1", "cores=2", "cores=3"}, {false, false, false}},
		{{"cpu=1", "cpu=2", "cpu=3"}, {false, false, false}},
		{{"io-workers=1", "io-workers=2", "io-workers=3"}, {false, false, false}},
	};

	for (size_t i = 0; i < sizeof(sweeps) / sizeof(sweeps[0]); i++) {
		struct session session = {.n = 0};

		for (int value = 0; value < 3; value++)
			add(&session, "threads", sweeps[i].values[value], 1);
		assert_int_equal(comparison_made(session.cases, 3, 0, 1), sweeps[i].made[0]);
		assert_int_equal(comparison_made(session.cases, 3, 0, 2), sweeps[i].made[1]);
		assert_int_equal(comparison_made(session.cases, 3, 1, 2), sweeps[i].made[2]);
	}
}

/* A program's work is the same on any number of cores, so whether it gets faster is a question. */
static void a_program_is_compared_over_its_cores_and_not_over_its_workers(void **state)
{
	static const char *const names[] = {"cores", "workers"};

	for (size_t i = 0; i < 2; i++) {
		struct session session = conditions(NULL);

		for (uint32_t k = 0; k < session.n; k++) {
			struct sample_case *one = &session.cases[k];

			one->plan.leaves[WORK_PROGRAM] = 1;
			snprintf(one->variables.list[0].name, VARIABLE_NAME, "%s", names[i]);
		}
		assert_int_equal(comparison_made(session.cases, 3, 0, 1), i == 0);
		assert_int_equal(comparison_made(session.cases, 3, 1, 2), false);
		if (i == 0)
			expect(&session, 12,
			       "[REAL] cores=0 is fastest (99.9 ms): cores=400 3.1x, cores=800 "
			       "3.0x");
	}
}

static void a_work_of_one_case_has_a_part_as_well(void **state)
{
	struct session session = {.n = 0};

	add(&session, "threads", "work=fp;workers=2", 100);
	add(&session, "processes", "work=fp;workers=2", 50);
	add(&session, "threads", "work=mem;workers=2", 100);
	expect(&session, 12,
	       "[FASTER] processes work=fp workers=2 are faster: 50.0 ms against 99.9 ms "
	       "(threads work=fp workers=2 2.0x as long; 2.0 to 2.0)");
	session.n = 0;
	add(&session, "threads", "work=fp;workers=2", 100);
	add(&session, "threads", "work=mem;workers=2", 100);
	expect(&session, 12,
	       "work=fp workers=2 100 ms, work=mem workers=2 100 ms (not compared, because the "
	       "work differs)");
}

/* Ways to count are never compared. A way whose workers ran one after the other has no result. */
static void ways_to_count_have_the_reason_why_they_are_not_compared(void **state)
{
	static const struct {
		size_t apart;
		const char *wanted;
	} cases[] = {
		{0, "via=mutex 100 ns, via=atomic 100 ns, via=line 100 ns per operation (not "
		    "compared, because each way to count is other work)"},
		{2, "via=line 100 ns per operation (the workers of via=mutex, via=atomic did not "
		    "run at the same time)"},
		{3, "The workers did not run at the same time, so nothing is compared"},
	};
	struct session session = {.n = 0};

	add(&session, "threads", "via=mutex", 100);
	add(&session, "threads", "via=atomic", 100);
	add(&session, "threads", "via=line", 100);
	for (uint32_t i = 0; i < session.n; i++)
		session.cases[i].plan.leaves[WORK_SHARE] = 1;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		char line[HEADLINE_BADGE + HEADLINE_TEXT];
		struct model model;

		play(&model, &session, 6);
		for (size_t k = 0; k < model.n_runs; k++) {
			struct model_run *run = &model.runs[k];

			run->shares_steps = true;
			run->n_workers = 2;
			run->together = run->id.case_id < cases[i].apart ? 0.5 : 1;
			run->totals.steps = 10;
			run->totals.steps_ns = run->totals.steps_span_ns = 1000;
		}
		if (!strstr(headline_line(&model, line, sizeof(line)), cases[i].wanted))
			fail_msg("%s", line);
		model_free(&model);
	}
}

static void a_session_that_is_over_waits_for_no_pair(void **state)
{
	struct session session = {.n = 0};
	struct sample end = {.kind = SAMPLE_DONE, .time_ns = 9000 * MS};
	struct model model;
	char line[HEADLINE_BADGE + HEADLINE_TEXT];

	add(&session, "threads", "work=fp;workers=2", 100);
	add(&session, "processes", "work=fp;workers=2", 100);
	play(&model, &session, 0);
	play_run(&model, &session, 0, 1, 0);
	assert_string_equal(headline_line(&model, line, sizeof(line)),
			    "[MEASURING 0/1] No trial is complete yet");
	apply(&model, &end);
	assert_string_equal(headline_line(&model, line, sizeof(line)),
			    "[NO RESULT] No trial was measured");
	model_free(&model);
}

static void one_model_alone_is_compared_with_nothing(void **state)
{
	struct session session = {.n = 0};

	add(&session, "threads", "workers=2", 100);
	add(&session, "threads", "workers=4", 200);
	expect(&session, 12,
	       "workers=2 100 ms, workers=4 200 ms (not compared, because the work differs)");
	add(&session, "threads", "workers=8", 300);
	expect(&session, 12,
	       "workers=2 99.9 ms, workers=4 200 ms, workers=8 300 ms (not compared, because the "
	       "work differs)");
}

static void crossovers_are_found_for_any_two_cases_of_the_curves(void **state)
{
	struct session session = crossing();
	struct finding_crosses found;
	struct model model;

	play(&model, &session, 12);
	assert_int_equal(finding_crosses(&model, 0, 1, METRIC_ELAPSED, &found), 0);
	assert_int_equal(found.n, 1);
	assert_float_equal(found.cross[0].low, 300, 0);
	assert_float_equal(found.cross[0].high, 500, 0);
	assert_int_equal(finding_crosses(&model, 6, 7, METRIC_ELAPSED, &found), 0);
	assert_int_equal(found.n, 1);
	/* In an unknown metric, no model leads. */
	assert_int_equal(finding_crosses(&model, 0, 1, METRIC_CREATE, &found), 0);
	assert_int_equal(found.n, 0);
	model_free(&model);
}

static void every_two_curves_are_met_once(void **state)
{
	struct session session = {.n = 0};
	struct model model;
	char text[160] = "";

	add(&session, "threads", "work=fp;workers=2", 100);
	add(&session, "processes", "work=fp;workers=2", 100);
	add(&session, "threads", "work=fp;workers=4", 100);
	add(&session, "processes", "work=fp;workers=4", 100);
	add(&session, "threads", "work=mem;workers=2", 100);
	add(&session, "processes", "work=mem;workers=2", 100);
	add(&session, "hybrid", "work=mem;workers=2", 100);
	play(&model, &session, 1);
	for (uint32_t a = 0, b = 0; model_next_curves(&model, &a, &b);)
		sprintf(text + strlen(text), "%u/%u ", a, b);
	assert_string_equal(text, "0/1 4/5 4/6 5/6 ");
	model_free(&model);
}

static void a_crossing_below_ten_has_one_decimal(void **state)
{
	static const struct crossover few = {.low = 4, .high = 6, .at = 5.28};
	static const struct crossover even = {.low = 4, .high = 6, .at = 5};
	static const struct crossover many = {.low = 300, .high = 500, .at = 412.6};
	char text[96];

	assert_string_equal(report_crossing(&few, text, sizeof(text)), "5.3 (4 to 6)");
	assert_string_equal(report_crossing(&even, text, sizeof(text)), "5 (4 to 6)");
	assert_string_equal(report_crossing(&many, text, sizeof(text)), "410 (300 to 500)");
}

static void exports_say_where_curves_cross_or_that_they_do_not(void **state)
{
	struct session session = crossing();
	struct model model;
	char text[160], *out = NULL;
	size_t size;
	FILE *file;

	play(&model, &session, 12);
	assert_int_equal(report_crossover(&model, 0, 1, METRIC_ELAPSED, text, sizeof(text)), 0);
	assert_string_equal(text, "400 (300 to 500)");
	assert_int_equal(report_crossover(&model, 0, 1, METRIC_CREATE, text, sizeof(text)), 0);
	assert_string_equal(text, "?");
	assert_int_equal(report_crossover(&model, 0, 1, METRIC_CPU, text, sizeof(text)), 0);
	assert_string_equal(text, "none found");
	file = open_memstream(&out, &size);
	assert_int_equal(write_all_tables(&model, file), 0);
	fclose(file);
	assert_non_null(strstr(out, "The lines cross at this value of size."));
	assert_non_null(strstr(out, "\nthreads / processes     400 (300 to 500)  none"));
	free(out);
	file = open_memstream(&out, &size);
	assert_int_equal(write_markdown(&model, file), 0);
	fclose(file);
	assert_non_null(strstr(out, "| threads / processes | 400 (300 to 500) | none found |"));
	free(out);
	file = open_memstream(&out, &size);
	assert_int_equal(write_json(&model, file), 0);
	fclose(file);
	assert_non_null(strstr(out, "\"low\": 300.0"));
	assert_non_null(strstr(out, "\"variable\": \"size\""));
	free(out);
	model_free(&model);
	play(&model, &session, 2);
	assert_int_equal(report_crossover(&model, 0, 1, METRIC_ELAPSED, text, sizeof(text)), 0);
	assert_string_equal(text, "too few trials");
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_swept_variable_is_neither_work_nor_a_structure),
		cmocka_unit_test(only_the_same_value_and_work_can_be_compared),
		cmocka_unit_test(a_curve_is_one_model_and_work_over_all_values),
		cmocka_unit_test(the_sentence_counts_the_values_at_which_each_is_faster),
		cmocka_unit_test(a_faster_value_is_no_faster_model),
		cmocka_unit_test(what_all_trials_leave_open_is_not_decided),
		cmocka_unit_test(
			a_value_without_trials_is_not_among_those_of_which_something_is_known),
		cmocka_unit_test(each_work_has_a_part_of_the_sentence),
		cmocka_unit_test(a_sweep_without_a_verdict_has_the_times_of_all_models),
		cmocka_unit_test(a_model_is_compared_over_the_values_of_a_condition),
		cmocka_unit_test(two_values_are_compared_even_if_the_difference_is_not_real),
		cmocka_unit_test(
			one_model_alone_is_compared_over_a_condition_and_not_over_an_amount),
		cmocka_unit_test(
			a_condition_is_no_amount_of_work_and_is_compared_with_its_first_value),
		cmocka_unit_test(a_program_is_compared_over_its_cores_and_not_over_its_workers),
		cmocka_unit_test(a_work_of_one_case_has_a_part_as_well),
		cmocka_unit_test(ways_to_count_have_the_reason_why_they_are_not_compared),
		cmocka_unit_test(a_session_that_is_over_waits_for_no_pair),
		cmocka_unit_test(one_model_alone_is_compared_with_nothing),
		cmocka_unit_test(crossovers_are_found_for_any_two_cases_of_the_curves),
		cmocka_unit_test(every_two_curves_are_met_once),
		cmocka_unit_test(a_crossing_below_ten_has_one_decimal),
		cmocka_unit_test(exports_say_where_curves_cross_or_that_they_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
