/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include "stage/check.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stage/synthetic.h"
#include "write/export.h"

/*
 * Numbers of metrics in which the JSON compares two cases that are not creations: in each session;
 * if the processor counts, its metrics too, except one that the session lacks; of the kinds of
 * work; and of commands.
 */
enum { COMPARED = 11, COUNTED = 4, KINDS = 2, COMMANDS = 1 };

#define MS INT64_C(1000000)

static const struct sample_case cases[] = {
	{.model = "threads",
	 .plan = {.levels = 1,
		  .fanout = {8},
		  .barrier = true,
		  .leaves = {[WORK_CPU] = 6, [WORK_IO] = 2}}},
	{.model = "processes",
	 .plan = {.levels = 1,
		  .barrier = true,
		  .fanout = {8},
		  .task = {PLAN_PROCESS},
		  .leaves = {[WORK_CPU] = 6, [WORK_IO] = 2}}},
};

static void apply(struct model *model, const struct sample *sample)
{
	assert_int_equal(model_apply(model, sample), 0);
}

static void begin_session(struct model *model, uint32_t trials)
{
	struct sample sample = {.kind = SAMPLE_SESSION};
	struct sample_session *s = &sample.session;

	model_init(model);
	strcpy(s->version, "0.1.0");
	strcpy(s->experiment, "mixed");
	strcpy(s->title, "6 cpu + 2 io");
	strcpy(s->options, "tuibench -n 6");
	strcpy(s->machine.host, "lab|1");
	strcpy(s->machine.kernel, "6.1.0");
	strcpy(s->machine.cpu, "Some \xff CPU");
	s->machine.cores_online = 2;
	strcpy(s->counters, "user");
	s->machine.mhz = -1;
	s->machine.memory_kb = 4 << 20;
	s->machine.memory_limit_kb = -1;
	s->machine.cpu_quota = -1;
	s->wall_s = 1795212000;
	s->trials = trials;
	s->interval_ms = 100;
	s->seed = 7;
	s->cases = 2;
	s->cases_list = cases;
	apply(model, &sample);
}

static struct sample_totals totals_of(int64_t begin_ns, int64_t elapsed_ns)
{
	return (struct sample_totals) {
		.begin_ns = begin_ns,
		.go_ns = MS,
		.elapsed_ns = elapsed_ns,
		.create_ns = 230500,
		.migrations = 17,
		.cycles = 3000000000,
		.instructions = 4500000001,
		.cache_misses = 1200,
		.tlb_misses = -1,
		.workers = 8,
		.created = 8,
		.finished = 8,
		.joined = 8,
		.peak_alive = 8,
		.user_us = 5810000,
		.system_us = 110123,
		.minflt = 310,
		.nvcsw = 31,
		.nivcsw = 402,
		.read_kb = -1,
		.written_kb = 131072,
		.disk_read_kb = -1,
		.disk_written_kb = 28,
		.checked_kb = 4,
		.hello_lines = -1,
		.memory = {.rss_kb = 3174,
			   .pss_kb = 2150,
			   .uss_kb = 1945,
			   .kernel_kb = -1,
			   .kernel_tables_kb = 96,
			   .kernel_stacks_kb = 144,
			   .kernel_other_kb = -1},
		.self_cpu_us = 4200,
		.drain_us = 1300,
		.fault_ns = -1,
		.noticed_ns = -1,
		.survived = -1,
		.steps = -1,
		.steps_ns = -1,
		.steps_span_ns = -1,
		.steps_faults = -1,
		.copied_kb = -1,
		.tasks = -1,
		.task_create_ns = -1,
		.fairness = -1,
		.messages = -1,
		.terminal_us = -1,
	};
}

static void add_run(struct model *model, const struct sample_run *id,
		    const struct sample_totals *totals)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = totals->begin_ns, .run = *id};

	apply(model, &sample);
	sample.kind = SAMPLE_RUN_END;
	sample.time_ns = totals->begin_ns + (totals->elapsed_ns < 0 ? MS : totals->elapsed_ns);
	sample.end.totals = *totals;
	sample.end.n_workers = 0;
	sample.end.workers = NULL;
	apply(model, &sample);
}

/* Makes trials of both models; processes take 1.10, 1.11, … times as long as threads. */
static void fill(struct model *model, uint32_t trials)
{
	struct sample done = {.kind = SAMPLE_DONE};
	struct sample_run id = {.planned = trials * 2};
	int64_t at = 10 * MS;

	begin_session(model, trials);
	for (uint32_t trial = 1; trial <= trials; trial++) {
		for (uint32_t i = 0; i < 2; i++) {
			int64_t elapsed = 2000 * MS + trial * 10 * MS;
			struct sample_totals totals;

			if (i == 1)
				elapsed = elapsed * (109 + trial) / 100;
			totals = totals_of(at, elapsed);
			id.trial = trial;
			id.case_id = i;
			add_run(model, &id, &totals);
			id.run++;
			at += elapsed + 10 * MS;
		}
	}
	done.time_ns = at;
	apply(model, &done);
}

/* Returns what an export writes. The caller frees the text. */
static char *text_of(int (*export)(const struct model *, FILE *), const struct model *model)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(export(model, out), 0);
	fclose(out);
	return text;
}

static json_t *json_of(const struct model *model)
{
	char *text = text_of(write_json, model);
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	free(text);
	assert_non_null(json);
	return json;
}

static json_t *get(json_t *json, const char *key)
{
	json_t *value = json_object_get(json, key);

	if (!value)
		fail_msg("no \"%s\"", key);
	return value;
}

/* Checks that the object has these keys in this order. Other keys may be between them. */
static void expect_members(json_t *object, const char *const keys[], size_t n)
{
	void *at = json_object_iter(object);

	for (size_t i = 0; i < n; i++) {
		while (at && strcmp(json_object_iter_key(at), keys[i]) != 0)
			at = json_object_iter_next(object, at);
		if (!at)
			fail_msg("\"%s\" is missing or out of its place", keys[i]);
	}
}

static void json_has_the_whole_contract_in_order(void **state)
{
	static const char *const session[] = {"tuibench", "schema",   "experiment", "options",
					      "machine",  "counters", "runs",	    "comparisons"};
	static const char *const machine[] = {"host", "kernel",	  "cpu",       "cores",
					      "mhz",  "governor", "memory_kb", "virtual"};
	static const char *const run[] = {
		"trial",      "model",	     "variables",    "workers",		"created",
		"finished",   "joined",	     "failed",	     "peak_alive",	"elapsed_ms",
		"create_ms",  "cpu_ms",	     "user_ms",	     "system_ms",	"split",
		"nvcsw",      "nivcsw",	     "minflt",	     "majflt",		"read_kb",
		"written_kb", "checked_kb",  "disk_read_kb", "disk_written_kb", "memory",
		"status",     "self_cpu_ms", "drain_cpu_ms", "terminal_cpu_ms"};
	static const char *const memory[] = {
		"rss_kb",	    "pss_kb",		"uss_kb",	   "kernel_kb",
		"kernel_tables_kb", "kernel_stacks_kb", "kernel_other_kb", "kernel_estimated"};
	static const char *const comparison[] = {"a",	  "b",	   "metric", "work", "variables",
						 "pairs", "ratio", "low",    "high", "verdict"};
	struct model model;
	json_t *json, *first;

#define EXPECT(object, keys) expect_members(object, keys, sizeof(keys) / sizeof((keys)[0]))
	fill(&model, 2);
	json = json_of(&model);
	EXPECT(json, session);
	EXPECT(get(json, "machine"), machine);
	first = json_array_get(get(json, "runs"), 0);
	EXPECT(first, run);
	EXPECT(get(first, "memory"), memory);
	EXPECT(json_array_get(get(json, "comparisons"), 0), comparison);
#undef EXPECT
	assert_int_equal(json_array_size(get(json, "runs")), 4);
	assert_int_equal(json_array_size(get(json, "comparisons")),
			 COMPARED + COUNTED + KINDS + COMMANDS);
	json_decref(json);
	model_free(&model);
}

static void a_prediction_is_beside_the_answer(void **state)
{
	static const char said[] = "Predicted before the session: \"threads, by 2x\"";
	static export_write *const formats[] = {write_all_tables, write_markdown, write_methods};
	struct synthetic session;
	struct model model;
	json_t *json;

	synthetic_mixed(&session, 8);
	synthetic_model(&session, &model);
	json = json_of(&model);
	assert_null(json_object_get(json, "prediction"));
	json_decref(json);
	snprintf(model.session.prediction, sizeof(model.session.prediction), "threads, by 2x");
	json = json_of(&model);
	assert_string_equal(json_string_value(get(json, "prediction")), "threads, by 2x");
	json_decref(json);
	for (size_t i = 0; i < LENGTH(formats); i++) {
		char *text = text_of(formats[i], &model);

		assert_non_null(strstr(text, said));
		free(text);
	}
	model_free(&model);
}

static void json_numbers_are_numbers_and_unknown_ones_null(void **state)
{
	struct model model;
	json_t *json, *run, *machine;

	fill(&model, 1);
	json = json_of(&model);
	machine = get(json, "machine");
	assert_int_equal(json_integer_value(get(json, "schema")), 1);
	assert_int_equal(json_integer_value(get(json, "seed")), 7);
	assert_string_equal(json_string_value(get(machine, "host")), "lab|1");
	assert_string_equal(json_string_value(get(machine, "cpu")), "Some ? CPU");
	assert_int_equal(json_integer_value(get(machine, "cores")), 2);
	assert_true(json_is_null(get(machine, "mhz")));
	assert_true(json_is_null(get(machine, "governor")));
	assert_true(json_is_null(get(machine, "virtual")));
	run = json_array_get(get(json, "runs"), 1);
	assert_int_equal(json_integer_value(get(run, "trial")), 1);
	assert_string_equal(json_string_value(get(run, "model")), "processes");
	assert_true(json_is_object(get(run, "variables")));
	assert_true(json_is_integer(get(run, "workers")));
	assert_float_equal(json_real_value(get(run, "elapsed_ms")), 2211, 1e-9);
	assert_float_equal(json_real_value(get(run, "create_ms")), 0.2305, 1e-9);
	assert_float_equal(json_real_value(get(run, "cpu_ms")), 5920.123, 1e-9);
	assert_true(json_is_null(get(run, "read_kb")));
	assert_int_equal(json_integer_value(get(run, "written_kb")), 131072);
	assert_int_equal(json_integer_value(get(get(run, "memory"), "pss_kb")), 2150);
	assert_true(json_is_null(get(get(run, "memory"), "kernel_kb")));
	assert_int_equal(json_integer_value(get(get(run, "memory"), "kernel_tables_kb")), 96);
	assert_true(json_is_null(get(get(run, "memory"), "kernel_other_kb")));
	assert_true(json_is_null(get(get(run, "memory"), "kernel_estimated")));
	assert_string_equal(json_string_value(get(run, "status")), "ok");
	json_decref(json);
	model_free(&model);
}

static void json_says_where_slices_are_from_and_who_woke_whom(void **state)
{
	struct synthetic session;
	struct model model;
	json_t *json, *sched, *run, *wake;

	synthetic_mixed(&session, 1);
	session.warmup = 0;
	session.slices = session.wakes = true;
	synthetic_model(&session, &model);
	json = json_of(&model);
	sched = get(json, "sched");
	assert_string_equal(json_string_value(get(sched, "source")), "perf");
	assert_int_equal(json_integer_value(get(sched, "resolution_ns")), 1);
	assert_true(json_is_true(get(sched, "wakes")));
	assert_true(json_is_null(get(sched, "no_wakes")));
	run = json_array_get(get(json, "runs"), 0);
	assert_int_equal(json_integer_value(get(run, "slices_lost")), 0);
	assert_int_equal(json_array_size(get(run, "wakes")), 3);
	wake = json_array_get(get(run, "wakes"), 0);
	assert_string_equal(json_string_value(get(wake, "after")), "barrier");
	assert_string_equal(json_string_value(get(wake, "by")), "main");
	assert_int_equal(json_integer_value(get(wake, "n")), 8);
	wake = json_array_get(get(run, "wakes"), 2);
	assert_string_equal(json_string_value(get(wake, "by")), "interrupt");
	assert_int_equal(json_integer_value(get(wake, "max")), 120000);
	json_decref(json);
	model_free(&model);
}

/* Returns the comparison in that metric. */
static json_t *comparison_of(json_t *json, const char *metric)
{
	json_t *one;
	size_t i;

	json_array_foreach(get(json, "comparisons"), i, one)
	{
		if (strcmp(json_string_value(get(one, "metric")), metric) == 0)
			return one;
	}
	fail_msg("no comparison in %s", metric);
	return NULL;
}

static void json_compares_b_with_a_and_says_who_is_lower(void **state)
{
	struct model model;
	json_t *json, *one;

	fill(&model, 6);
	json = json_of(&model);
	one = comparison_of(json, "elapsed_ms");
	assert_string_equal(json_string_value(get(one, "a")), "threads");
	assert_string_equal(json_string_value(get(one, "b")), "processes");
	assert_int_equal(json_integer_value(get(one, "pairs")), 6);
	assert_int_equal(json_integer_value(get(one, "planned")), 6);
	assert_int_equal(json_integer_value(get(one, "family")), 1);
	assert_float_equal(json_real_value(get(one, "level")), 0.95, 1e-9);
	/* Signed rank, 6 pairs: the interval is the whole range of the ratios. */
	assert_float_equal(json_real_value(get(one, "low")), 1.10, 1e-6);
	assert_float_equal(json_real_value(get(one, "high")), 1.15, 1e-6);
	assert_in_range((int)(json_real_value(get(one, "ratio")) * 1000), 1120, 1130);
	assert_string_equal(json_string_value(get(one, "verdict")), "a");
	one = comparison_of(json, "kernel_kb");
	assert_true(json_is_null(get(one, "ratio")));
	assert_string_equal(json_string_value(get(one, "verdict")), "untested");
	assert_non_null(strstr(json_string_value(get(one, "untested")), "no trial has"));
	json_decref(json);
	model_free(&model);
}

static void a_ratio_of_zeros_has_no_answer_and_says_why(void **state)
{
	struct model model;
	json_t *json, *one;
	char text[64];

	fill(&model, 6);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.nvcsw = model.runs[i].totals.nivcsw = 0;
	json = json_of(&model);
	one = comparison_of(json, "switches");
	assert_int_equal(json_integer_value(get(one, "pairs")), 6);
	assert_true(json_is_null(get(one, "ratio")));
	assert_true(json_is_null(get(one, "verdict")));
	assert_non_null(strstr(json_string_value(get(one, "untested")), "a value is 0"));
	assert_int_equal(json_array_size(get(one, "analyses")), 0);
	json_decref(json);
	for (int i = 0; i < 2; i++) {
		struct model_comparison c = {
			.pairs = i ? 6 : 0, .planned = 6, .least = 6, .ended = true, .no_ratio = i};

		assert_string_equal(claim_none(&model, &c, text, sizeof(text)),
				    i ? "? (a value is 0)" : "untested");
	}
	model_free(&model);
}

/* Two interim analyses, and one at the planned end. */
static void json_has_each_analysis_with_what_it_spends(void **state)
{
	struct model model;
	json_t *json, *analyses, *last;

	fill(&model, 15);
	json = json_of(&model);
	analyses = get(comparison_of(json, "elapsed_ms"), "analyses");
	assert_int_equal(json_array_size(get(comparison_of(json, "elapsed_ms"), "trials")), 15);
	assert_int_equal(json_array_size(analyses), 3);
	assert_true(json_integer_value(get(json_array_get(analyses, 0), "trial")) <
		    json_integer_value(get(json_array_get(analyses, 1), "trial")));
	assert_true(json_integer_value(get(json_array_get(analyses, 1), "trial")) < 15);
	last = json_array_get(analyses, 2);
	assert_int_equal(json_integer_value(get(last, "trial")), 15);
	assert_int_equal(json_integer_value(get(last, "pairs")), 15);
	assert_float_equal(json_real_value(get(last, "alpha")) +
				   json_real_value(get(last, "level")),
			   1, 1e-12);
	json_decref(json);
	model_free(&model);
}

static void fewer_than_six_pairs_give_no_interval(void **state)
{
	struct model model;
	json_t *json, *one;

	fill(&model, 5);
	json = json_of(&model);
	one = comparison_of(json, "elapsed_ms");
	assert_int_equal(json_integer_value(get(one, "pairs")), 5);
	assert_true(json_is_real(get(one, "ratio")));
	assert_true(json_is_null(get(one, "low")));
	assert_true(json_is_null(get(one, "high")));
	assert_int_equal(json_integer_value(get(one, "planned")), 5);
	assert_string_equal(json_string_value(get(one, "verdict")), "too few trials");
	json_decref(json);
	model_free(&model);
}

static void warmups_and_runs_cut_off_are_no_result(void **state)
{
	const struct sample_run warmup = {.run = 0, .trial = 0};
	struct sample begin = {
		.kind = SAMPLE_RUN_BEGIN, .time_ns = 9000 * MS, .run = {.run = 1, .trial = 1}};
	struct sample_totals totals = totals_of(MS, 2000 * MS);
	struct model model;
	json_t *json;
	char *csv;

	begin_session(&model, 1);
	add_run(&model, &warmup, &totals);
	apply(&model, &begin);
	json = json_of(&model);
	assert_int_equal(json_array_size(get(json, "runs")), 0);
	json_decref(json);
	csv = text_of(write_csv, &model);
	assert_ptr_equal(strchr(csv, '\n'), csv + strlen(csv) - 1); /* only the header */
	free(csv);
	model_free(&model);
}

static void a_failed_run_is_reported_and_not_measured(void **state)
{
	const struct sample_run id = {.run = 0, .trial = 1};
	struct sample_totals totals = totals_of(MS, 2000 * MS);
	struct report_summary summary;
	struct model model;
	char *text;

	begin_session(&model, 1);
	totals.status = SAMPLE_CRASHED;
	totals.failed = 8;
	add_run(&model, &id, &totals);
	assert_int_equal(report_summarize(&model, 0, METRIC_ELAPSED, &summary), 0);
	assert_int_equal(summary.n, 0);
	assert_true(isnan(summary.median.estimate));
	text = text_of(write_csv, &model);
	assert_non_null(strstr(text, ",crashed,0,"));
	free(text);
	text = text_of(write_all_tables, &model);
	assert_non_null(strstr(text, "0 of 1"));
	free(text);
	model_free(&model);
}

static void a_status_a_run_cannot_have_is_a_failure(void **state)
{
	struct model_run run = {.totals = {.status = SAMPLE_REFUSED}};

	assert_string_equal(report_status(&run), "failed");
	run.totals.status = SAMPLE_INTERRUPTED;
	assert_string_equal(report_status(&run), "interrupted");
}

static void a_paused_run_has_no_wall_time(void **state)
{
	struct model_run run = {.totals = {.paused = true, .elapsed_ns = 5},
				.split = {.user_us = 7}};

	assert_true(isnan(metric_result(&run, METRIC_ELAPSED)));
	assert_true(metric_value(&run, METRIC_ELAPSED) == 5);
	assert_true(metric_result(&run, METRIC_USER) == 7000);
}

/* Counts the fields of the line at text. */
static size_t fields(const char *text)
{
	size_t n = 1;

	for (; *text && *text != '\n'; text++)
		n += *text == ',';
	return n;
}

static void the_cost_of_measuring_names_all_who_have_a_part_in_it(void **state)
{
	struct model model;
	char text[SAMPLE_TEXT];

	fill(&model, 2);
	assert_true(report_overhead(&model, text, sizeof(text)));
	assert_non_null(strstr(text, "tuibench itself used 0."));
	assert_non_null(strstr(text, "; the task that empties the pipe of the hello workers 0."));
	assert_null(strstr(text, "terminal"));
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.drain_us = -1;
		model.runs[i].totals.terminal_us =
			(model.runs[i].end_ns - model.runs[i].begin_ns) / 50000;
	}
	assert_false(report_overhead(&model, text, sizeof(text)));
	assert_null(strstr(text, "terminal")); /* the terminal's name is unknown */
	strcpy(model.session.terminal, "tmux: server");
	report_overhead(&model, text, sizeof(text));
	assert_null(strstr(text, "pipe"));
	assert_non_null(strstr(text, "terminal's other end, tmux: server, 2.00 %"));
	model_free(&model);
}

static void csv_has_a_row_per_run_under_the_names_of_the_json(void **state)
{
	struct model model;
	char *csv, *line;
	size_t rows = 0;

	fill(&model, 3);
	csv = text_of(write_csv, &model);
	assert_memory_equal(csv, "trial,model,variables,workers,", 30);
	for (line = csv; *line; line = strchr(line, '\n') + 1) {
		assert_int_equal(fields(line), fields(csv));
		rows++;
	}
	assert_int_equal(rows, 1 + 6);
	line = strchr(csv, '\n') + 1;
	assert_memory_equal(line, "1,threads,,8,8,8,8,0,8,2010.000000,0.230500,5920.123,", 52);
	/* No worker is known, so the times of cpu and io are unknown. */
	assert_non_null(strstr(line,
			       ",,131072,4,,28,3174,2150,1945,,4.200,1.300,,0.000000,,,2."
			       "9453,96,144,,,,,,,,,17,3000000000,4500000001,1.5000,1200,,,,,,,,,,,"
			       ",,,,,,,ok,0,"));
	free(csv);
	model_free(&model);
}

static void advice_follows_the_verdict_and_what_is_said_of_the_machine_does_not(void **state)
{
	int (*const formats[])(const struct model *, FILE *) = {write_all_tables, write_markdown};
	struct sample note = {.kind = SAMPLE_MESSAGE, .message.severity = SAMPLE_INFO};
	struct model model;

	fill(&model, 6);
	note.time_ns = model.newest_ns;
	strcpy(note.message.text, "an advice of more words than a line of eighty columns holds, "
				  "so that it is broken where a blank is");
	apply(&model, &note);
	/* The second note gets a time before the session's beginning. */
	strcpy(note.message.text, "a machine");
	apply(&model, &note);
	model.messages[model.n_messages - 1].time_ns = -1;
	for (int i = 0; i < 2; i++) {
		char *text = text_of(formats[i], &model), *advice = strstr(text, "an advice");

		assert_non_null(advice);
		assert_true(advice > strstr(text, "real on this"));
		assert_null(strstr(text, "a machine"));
		free(text);
	}
	model_free(&model);
}

static void a_warning_stands_in_every_format_with_room_for_it(void **state)
{
	int (*const formats[])(const struct model *, FILE *) = {write_all_tables, write_markdown};
	struct model model;
	json_t *json, *warning;

	fill(&model, 6);
	json = json_of(&model);
	assert_int_equal(json_array_size(get(json, "warnings")), 0);
	json_decref(json);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.others = 400;
	json = json_of(&model);
	assert_int_equal(json_array_size(get(json, "warnings")), 1);
	warning = json_array_get(get(json, "warnings"), 0);
	assert_string_equal(json_string_value(get(warning, "kind")), "busy");
	assert_string_equal(json_string_value(get(json, "badge_text")),
			    "FASTER, other programs 40 %");
	for (int i = 0; i < 2; i++) {
		char *text = text_of(formats[i], &model), *told = strstr(text, "arning:");

		assert_non_null(told);
		assert_true(told > strstr(text, "real on this"));
		assert_non_null(strstr(told, "other programs ("));
		free(text);
	}
	assert_non_null(strstr(json_string_value(get(warning, "text")), "used 40 % of the cores"));
	json_decref(json);
	model_free(&model);
}

static void the_table_fits_80_columns_and_ends_with_the_verdict(void **state)
{
	struct model model;
	char *table, verdict[SAMPLE_TEXT], last[32];

	fill(&model, 6);
	table = text_of(write_all_tables, &model);
	for (const char *line = table; *line; line = strchr(line, '\n') + 1)
		assert_in_range(strcspn(line, "\n"), 0, 80);
	assert_null(strchr(table, '\033'));
	assert_non_null(strstr(table, "6 cpu + 2 io"));
	assert_non_null(strstr(table, "processes / threads"));
	assert_non_null(strstr(table, "1.10 to 1.15"));
	headline_line(&model, verdict, sizeof(verdict));
	snprintf(last, sizeof(last), "%.20s", verdict);
	assert_non_null(strstr(table, last));
	assert_int_equal(table[strlen(table) - 2], verdict[strlen(verdict) - 1]);
	free(table);
	model_free(&model);
}

/* A ratio has no heading of its own, so it stays beside its value however long the names are. */
static void no_ratio_is_in_another_block_than_its_value(void **state)
{
	struct synthetic session;
	struct model model;

	for (int length = 3; length < 40; length++) {
		char *table, *line;

		synthetic_mixed(&session, 6);
		for (int i = 0; i < 2; i++)
			snprintf(session.list[i].model, sizeof(session.list[i].model), "model%0*d",
				 length, i);
		synthetic_model(&session, &model);
		table = text_of(write_answer_table, &model);
		for (line = strstr(table, "\nmodel0"); line; line = strstr(line + 1, "\nmodel0")) {
			char first[64];

			assert_int_equal(sscanf(line, " %*s %63s", first), 1);
			if (first[strlen(first) - 1] == 'x')
				fail_msg("a ratio without its value:%.*s", 60, line);
		}
		free(table);
		model_free(&model);
	}
}

static void all_formats_say_the_same_badge_and_sentence(void **state)
{
	struct model model;
	char line[HEADLINE_BADGE + HEADLINE_TEXT];
	char *text, *markdown, *sentence;
	json_t *json;

	fill(&model, 6);
	json = json_of(&model);
	headline_line(&model, line, sizeof(line));
	assert_int_equal(strncmp(line, "[FASTER] ", 9), 0);
	assert_string_equal(json_string_value(get(json, "badge")), "FASTER");
	assert_string_equal(json_string_value(get(json, "badge_text")), "FASTER");
	assert_string_equal(json_string_value(get(json, "sentence")), line + 9);
	sentence = strndup(line, 30);
	markdown = text_of(write_markdown, &model);
	assert_non_null(strstr(markdown, "`FASTER` **threads "));
	text = text_of(write_all_tables, &model);
	assert_non_null(strstr(text, sentence));
	free(sentence);
	json_decref(json);
	free(markdown);
	free(text);
	model_free(&model);
}

static void the_environment_of_the_runs_is_reported_where_known(void **state)
{
	static const char told[] = "The runs had nice=5, policy=other, LD";
	struct model model;
	char *text;

	fill(&model, 6);
	*model.session.environment = '\0';
	text = text_of(write_all_tables, &model);
	assert_null(strstr(text, "The runs had"));
	free(text);
	snprintf(model.session.environment, sizeof(model.session.environment),
		 "nice=5;policy=other;LD_BIND_NOW=1");
	text = text_of(write_all_tables, &model);
	assert_non_null(strstr(text, told));
	free(text);
	text = text_of(write_markdown, &model);
	assert_non_null(strstr(text, told));
	free(text);
	model_free(&model);
}

static void the_json_badge_of_a_part_is_measuring(void **state)
{
	struct synthetic session;
	struct model model;
	json_t *json;

	synthetic_mixed(&session, 8);
	session.stop_ns = 1000 * MS;
	synthetic_model(&session, &model);
	json = json_of(&model);
	assert_string_equal(json_string_value(get(json, "badge")), "MEASURING");
	json_decref(json);
	model_free(&model);
}

static void markdown_rows_have_the_columns_of_their_table(void **state)
{
	struct model model;
	size_t columns = 0, tables = 0;
	char *text, *line;

	fill(&model, 6);
	text = text_of(write_markdown, &model);
	assert_memory_equal(text, "# 6 cpu + 2 io\n", 15);
	assert_non_null(strstr(text, "lab\\|1"));
	for (line = text; *line; line = strchr(line, '\n') + 1) {
		size_t bars = 0;

		for (const char *c = line; *c != '\n'; c++)
			bars += *c == '|' && (c == line || c[-1] != '\\');
		if (*line != '|') {
			columns = 0;
			continue;
		}
		tables += columns == 0;
		columns = columns ? columns : bars;
		assert_int_equal(bars, columns);
	}
	assert_int_equal(tables, 7);
	free(text);
	model_free(&model);
}

/*
 * Makes 5,000 threads in two structures with two kinds of stacks, and processes in one structure.
 */
static void fill_trees(struct model *model)
{
	struct synthetic session;

	synthetic_tree(&session, 2);
	session.cases = 1;
	variables_parse(&session.list[0].variables, "tree=20x3x82;stack=16K");
	synthetic_add(&session, "threads", "tree=50x99;stack=default", 250 * MS);
	synthetic_add(&session, "threads", "tree=50x99;stack=16K", 150 * MS);
	synthetic_add(&session, "processes", "tree=50x99", 400 * MS);
	synthetic_model(&session, model);
}

static void all_that_share_the_error_are_compared(void **state)
{
	struct model model;
	char pairs[64] = "";

	fill_trees(&model);
	for (uint32_t a = 0, b = 0; report_next_pair(&model, &a, &b);)
		sprintf(pairs + strlen(pairs), "%u%u ", a, b);
	/*
	 * Also those with different trees and stacks, because the answer names the fastest of all.
	 */
	assert_string_equal(pairs, "01 02 03 12 13 23 ");
	model_free(&model);
}

static void a_comparison_separates_common_settings_from_others(void **state)
{
	struct model model;
	json_t *json, *one;

	fill_trees(&model);
	json = json_of(&model);
	assert_int_equal(json_array_size(get(json, "comparisons")), 6 * (COMPARED + COMMANDS));
	one = json_array_get(get(json, "comparisons"), 3 * (COMPARED + COMMANDS));
	assert_int_equal(json_object_size(get(one, "variables")), 1);
	assert_string_equal(json_string_value(get(get(one, "variables"), "tree")), "50x99");
	assert_string_equal(json_string_value(get(get(one, "a_variables"), "stack")), "default");
	assert_string_equal(json_string_value(get(get(one, "b_variables"), "stack")), "16K");
	json_decref(json);
	model_free(&model);
}

static void a_run_of_a_tree_shows_the_time_of_its_levels(void **state)
{
	static const char *const phases[] = {"create", "start", "work", "join"};
	static const int tasks[] = {20, 60, 4920};
	struct model model;
	json_t *json, *levels;

	fill_trees(&model);
	json = json_of(&model);
	levels = get(json_array_get(get(json, "runs"), 0), "levels");
	assert_int_equal(json_array_size(levels), 3);
	for (size_t i = 0; i < 3; i++) {
		json_t *level = json_array_get(levels, i);

		assert_int_equal(json_integer_value(get(level, "workers")), tasks[i]);
		for (size_t j = 0; j < 4; j++) {
			json_t *span = get(level, phases[j]);

			assert_int_equal(json_integer_value(get(span, "n")), tasks[i]);
			assert_true(json_real_value(get(span, "p99_ns")) >=
				    json_real_value(get(span, "p50_ns")));
		}
		assert_true(json_is_null(get(get(level, "barrier"), "p50_ns")));
	}
	json_decref(json);
	model_free(&model);
}

static void tables_tell_where_the_time_of_a_task_goes(void **state)
{
	struct model model;
	char *text;

	fill_trees(&model);
	text = text_of(write_all_tables, &model);
	assert_non_null(strstr(text, "\n  3     4,920 "));
	assert_non_null(strstr(text, "\n  all   5,000 "));
	free(text);
	text = text_of(write_markdown, &model);
	assert_non_null(strstr(text, "| 3 | 4,920 | "));
	free(text);
	model_free(&model);
}

/* Code inside has fewer backticks in a row than the marks around it. */
static void markdown_has_the_command_line_as_code(void **state)
{
	struct model model;
	char *text;

	fill(&model, 6);
	snprintf(model.session.options, sizeof(model.session.options), "--batch");
	text = text_of(write_markdown, &model);
	assert_non_null(strstr(text, "\n`` --batch ``"));
	free(text);
	snprintf(model.session.options, sizeof(model.session.options), "--log 'a``b'");
	text = text_of(write_markdown, &model);
	assert_non_null(strstr(text, "\n``` --log 'a``b' ```"));
	free(text);
	model_free(&model);
}

/* Texts that the tables shorten are printed once in full, where a reader can copy them. */
static void programs_are_whole_where_their_names_are_not(void **state)
{
	static const struct {
		int (*write)(const struct model *model, FILE *out);
		const char *once;
	} formats[] = {
		{write_all_tables, "\na...a~2:\n  =a, `1`|\n"},
		{write_markdown, "\na...a\\~2: `` =a, `1`| ``\n"},
	};
	struct model model;
	char *text, *at;

	fill(&model, 6);
	text = text_of(write_csv, &model);
	assert_null(strstr(text, ",command,"));
	free(text);
	text = text_of(write_json, &model);
	assert_null(strstr(text, "\"command\""));
	free(text);
	strcpy(model.cases[0].model, "whole");
	strcpy(model.cases[0].command, "whole");
	strcpy(model.cases[1].model, "a...a~2");
	strcpy(model.cases[1].command, "=a, `1`|");
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		text = text_of(formats[i].write, &model);
		at = strstr(text, formats[i].once);
		assert_non_null(at);
		assert_null(strstr(at + 1, formats[i].once));
		assert_null(strstr(text, "whole:"));
		free(text);
	}
	text = text_of(write_csv, &model);
	assert_non_null(strstr(text,
			       ",host,command,began,others_percent,steal_percent,begin_ns,"
			       "estimated,kernel_estimated,cgroup_peak_kb,rss_seen,pss_seen,"
			       "kernel_seen,program_children,program_threads,wrong_results,"
			       "increments_lost,cpu_percent,io_kb,throttled_ms,"
			       "throttled_periods,tasks_created,program_processes,energy_joules,"
			       "left_running,seen,memory_reason,usage_reason,request_ms,"
			       "requests_per_second,request_p50_ms,request_p99_ms,"
			       "request_p999_ms,cpu_per_request_ns,switches_per_request,"
			       "requests,request_errors,pss_per_idle_kb,"
			       "accept_queue_most\n1,whole,"));
	assert_non_null(strstr(text, ",lab|1,whole,,"));
	assert_non_null(strstr(text, ",lab|1,\"'=a, `1`|\",,"));
	free(text);
	text = text_of(write_json, &model);
	assert_non_null(strstr(text, "\"command\": \"=a, `1`|\""));
	free(text);
	/* Two recordings use the same name for two programs. */
	strcpy(model.cases[0].model, model.cases[1].model);
	text = text_of(write_all_tables, &model);
	assert_non_null(strstr(text, "\na...a~2:\n  whole\n"));
	assert_non_null(strstr(text, "\na...a~2:\n  =a, `1`|\n"));
	free(text);
	/* A program alone has no name: its cases are models. */
	strcpy(model.cases[0].command, model.cases[1].command);
	text = text_of(write_all_tables, &model);
	assert_null(strstr(text, "=a"));
	free(text);
	model_free(&model);
}

static void methods_name_seed_order_and_discarded_trials(void **state)
{
	static const char *const said[] = {"in randomized order (seed 42). ",
					   "15 of 15 planned trials were counted. Trial 3 was "
					   "discarded and repeated at the end, because other "
					   "programs used more than a fifth of the cores.\n",
					   "Wilcoxon's signed-rank test", "Result: ["};
	struct synthetic session;
	struct model model;
	size_t size;
	char *bytes;
	FILE *out = open_memstream(&bytes, &size);
	const struct export_bundled bundled = {.model = &model, .recording = ""};

	synthetic_mixed(&session, 15);
	session.crowded_trial = 3;
	synthetic_model(&session, &model);
	model.session.seed = 42;
	assert_int_equal(export_find("bundle")->bundle(&bundled, out), 0);
	fclose(out);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!memmem(bytes, size, said[i], strlen(said[i])))
			fail_msg("%s is not in %s", said[i],
				 (char *)memmem(bytes, size, "The experiment \"", 16));
	free(bytes);
	model_free(&model);
}

/* A reader must neither take the counted trials for quiet ones nor guess why others are missing. */
static void methods_say_why_trials_were_discarded_and_what_the_others_had(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_mixed(&session, 15);
	session.others = 850;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.trial > 0 && model.runs[i].id.trial <= 5)
			model.runs[i].replaced_ns = model.now_ns;
	synthetic_changed(&model);
	text = text_of(write_methods, &model);
	assert_non_null(strstr(text,
			       " Trials 1, 2, 3, 4, 5 were discarded and repeated at the end, "
			       "because other programs used more than a fifth of the cores. "
			       "After 5 trials, no more are discarded. During the counted "
			       "trials, other programs used 85 % of the cores.\n"));
	free(text);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].replaced_paused = model.runs[i].replaced_ns > 0;
		model.runs[i].totals.others = 0;
	}
	synthetic_changed(&model);
	text = text_of(write_methods, &model);
	assert_non_null(strstr(text,
			       " Trials 1, 2, 3, 4, 5 were discarded and repeated at the end, "
			       "because another process stopped tuibench or its workers.\n"));
	free(text);
	model_free(&model);
}

/* Few rows of the answer are never hidden, even if long names take a line each. */
static void the_answer_shows_each_of_few_rows(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_mixed(&session, 6);
	for (int i = 0; i < 6; i++)
		synthetic_add(&session, "more", "", 3000000000);
	synthetic_model(&session, &model);
	assert_int_equal(model.n_cases, 8);
	for (uint32_t i = 0; i < model.n_cases; i++)
		snprintf(model.cases[i].model, sizeof(model.cases[i].model),
			 "a program whose name has more than forty bytes %u", i);
	strcpy(model.cases[0].command, "program");
	text = text_of(write_answer, &model);
	for (uint32_t i = 0; i < model.n_cases; i++)
		assert_non_null(strstr(text, model.cases[i].model));
	assert_null(strstr(text, " more row"));
	assert_non_null(strstr(text, "put --name NAME before each -c.\n"));
	free(text);
	model_free(&model);
}

/* The names of calls do not say what they create, so answer and methods do. */
static void calls_are_explained(void **state)
{
	static const char threads[] = "Threads: pthread_create";
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_creation(&session, 6);
	synthetic_model(&session, &model);
	text = text_of(write_answer, &model);
	assert_non_null(strstr(text, threads));
	assert_non_null(strstr(text, "Processes: fork"));
	free(text);
	text = text_of(write_methods, &model);
	assert_non_null(strstr(text, threads));
	assert_non_null(strstr(text, "\nuntil the task runs: from the call that creates a task"));
	free(text);
	model_free(&model);
	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	for (uint32_t i = 0; i < model.n_cases; i++)
		model.cases[i].work_size[WORK_CPU] = 8648640;
	text = text_of(write_methods, &model);
	assert_null(strstr(text, "Threads: "));
	assert_non_null(strstr(text, "\ntime: from the first call that creates a worker"));
	assert_non_null(
		strstr(text, "\ncpu worker: finds the divisors of the number 8,648,640.\n"));
	free(text);
	model_free(&model);
}

static int height_of(const char *picture)
{
	const char *height = strstr(picture, "height=\"");

	assert_non_null(height);
	return atoi(height + strlen("height=\""));
}

/* Names are beside their marks, and what has no value takes no row. */
static void plots_of_many_configurations_fit_on_a_page(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_creation(&session, 6);
	synthetic_model(&session, &model);
	text = text_of(plot_medians, &model);
	assert_null(strstr(text, ">?<"));
	assert_non_null(strstr(text, "(logarithmic axis)"));
	assert_non_null(strstr(text, " configurations are left out: they were not pinned"));
	assert_in_range(height_of(text), 100, 1500);
	free(text);
	text = text_of(plot_timelines, &model);
	assert_non_null(strstr(text, ", tasks 2 to 4 of 200"));
	assert_in_range(height_of(text), 100, 1500);
	free(text);
	model_free(&model);
	synthetic_hello(&session, 6);
	synthetic_model(&session, &model);
	text = text_of(plot_timelines, &model);
	assert_non_null(strstr(text, "more configurations, see session.json"));
	assert_in_range(height_of(text), 100, 1500);
	free(text);
	model_free(&model);
}

/*
 * Tasks that take 8 us and 400 us have an axis each, without the time of all tasks, and a bar that
 * can be seen.
 */
static void timelines_of_creation_have_an_axis_each(void **state)
{
	static const char outline[] = "stroke-width=\"6\" d=\"M";
	struct synthetic session;
	struct model model;
	size_t axes = 0, blocks = 0;
	char *text;

	synthetic_creation(&session, 6);
	synthetic_model(&session, &model);
	text = text_of(plot_timelines, &model);
	for (const char *at = text; (at = strstr(at, ", tasks 2 to 4 of 200<")); at++)
		blocks++;
	assert_null(strstr(text, "s, tasks 2 to 4 of 200<"));
	for (const char *at = text; (at = strstr(at, ">0<")); at++)
		axes++;
	assert_true(blocks >= 6);
	assert_int_equal(axes, blocks);
	for (const char *at = text; (at = strstr(at, outline)); at++) {
		double width = 0;

		assert_int_equal(sscanf(at + strlen(outline), "%*f %*dh%lf\"", &width), 1);
		assert_true(width >= 1);
	}
	assert_non_null(strstr(text, "Each axis has its own length."));
	assert_non_null(strstr(text, ">from the call to the first instruction<"));
	free(text);
	model_free(&model);
}

/* On paper nothing but the picture says how busy the machine was. */
static void plots_show_the_answer_with_its_badge(void **state)
{
	export_write *const plots[] = {plot_medians, plot_timelines};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 15);
	session.others = 850;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < 2; i++) {
		char *text = text_of(plots[i], &model);

		assert_non_null(strstr(strstr(text, "</title>"), "other programs 85 %] "));
		free(text);
	}
	model_free(&model);
}

/* Black and white tell the models of medians and the states of timelines apart. */
static void plots_need_no_colour(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_mixed(&session, 6);
	session.slices = true;
	synthetic_model(&session, &model);
	text = text_of(plot_medians, &model);
	assert_non_null(strstr(text, "fill=\"#fff\" stroke=\"#000\""));
	assert_non_null(strstr(text, "fill=\"#000\" stroke=\"#000\""));
	assert_non_null(strstr(text, ">threads<"));
	free(text);
	text = text_of(plot_timelines, &model);
	assert_non_null(strstr(text, ">w1 cpu<"));
	assert_non_null(strstr(text, ">on a core<"));
	assert_null(strstr(text, "state not known"));
	free(text);
	model_free(&model);
	session.slices = false;
	synthetic_model(&session, &model);
	text = text_of(plot_timelines, &model);
	/* A hollow bar: white in black. */
	assert_non_null(strstr(text, "<path fill=\"none\" stroke=\"#fff\""));
	assert_non_null(strstr(text, ">alive, state not known<"));
	assert_null(strstr(text, ">on a core<"));
	free(text);
	model_free(&model);
}

/* Trials that were planned but not needed must not look like discarded ones. */
static void methods_say_why_trials_are_missing(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_mixed(&session, 15);
	synthetic_model(&session, &model);
	model.session.trials = 200;
	text = text_of(write_methods, &model);
	assert_non_null(
		strstr(text, "stopped after 15 of at most 200 trials, because every headline"));
	assert_null(strstr(text, "discarded"));
	free(text);
	model_free(&model);
}

/* If slices divide the running time, the parts have columns, and the note is not needed. */
static void running_is_explained_where_it_stands(void **state)
{
	for (int slices = 0; slices < 2; slices++) {
		struct synthetic session;
		struct model model;
		char *text;

		synthetic_mixed(&session, 6);
		session.slices = slices;
		synthetic_model(&session, &model);
		text = text_of(write_markdown, &model);
		assert_non_null(
			strstr(text, "The critical path is that of the worker that ended last"));
		assert_int_equal(strstr(text, "Run+wait: the worker was") != NULL, !slices);
		free(text);
		model_free(&model);
	}
}

static void a_sweep_of_workers_has_its_cases_curve_by_curve(void **state)
{
	struct synthetic session;
	struct model model;
	char *table, *markdown;

	synthetic_scaling(&session, 2);
	synthetic_model(&session, &model);
	table = text_of(write_all_tables, &model);
	assert_non_null(strstr(table, "\nhow it scales  worker  scale    CPU"));
	assert_true(strstr(table, "\nthreads        cpu         8") <
		    strstr(table, "\nprocesses      cpu         2"));
	markdown = text_of(write_markdown, &model);
	assert_non_null(strstr(markdown, "\n| processes | cpu | 8 | "));
	free(markdown);
	free(table);
	model_free(&model);
	synthetic_hello(&session, 2);
	synthetic_model(&session, &model);
	table = text_of(write_all_tables, &model);
	assert_null(strstr(table, "\nhow it scales"));
	free(table);
	model_free(&model);
}

static void a_full_disk_is_an_error(void **state)
{
	FILE *out = fopen("/dev/full", "w");
	struct model model;

	assert_non_null(out);
	fill(&model, 1);
	assert_int_equal(write_json(&model, out), -ENOSPC);
	fclose(out);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_has_the_whole_contract_in_order),
		cmocka_unit_test(json_says_where_slices_are_from_and_who_woke_whom),
		cmocka_unit_test(json_numbers_are_numbers_and_unknown_ones_null),
		cmocka_unit_test(a_prediction_is_beside_the_answer),
		cmocka_unit_test(json_compares_b_with_a_and_says_who_is_lower),
		cmocka_unit_test(a_ratio_of_zeros_has_no_answer_and_says_why),
		cmocka_unit_test(json_has_each_analysis_with_what_it_spends),
		cmocka_unit_test(fewer_than_six_pairs_give_no_interval),
		cmocka_unit_test(warmups_and_runs_cut_off_are_no_result),
		cmocka_unit_test(a_failed_run_is_reported_and_not_measured),
		cmocka_unit_test(a_status_a_run_cannot_have_is_a_failure),
		cmocka_unit_test(a_paused_run_has_no_wall_time),
		cmocka_unit_test(the_cost_of_measuring_names_all_who_have_a_part_in_it),
		cmocka_unit_test(csv_has_a_row_per_run_under_the_names_of_the_json),
		cmocka_unit_test(
			advice_follows_the_verdict_and_what_is_said_of_the_machine_does_not),
		cmocka_unit_test(a_warning_stands_in_every_format_with_room_for_it),
		cmocka_unit_test(the_table_fits_80_columns_and_ends_with_the_verdict),
		cmocka_unit_test(no_ratio_is_in_another_block_than_its_value),
		cmocka_unit_test(all_formats_say_the_same_badge_and_sentence),
		cmocka_unit_test(the_json_badge_of_a_part_is_measuring),
		cmocka_unit_test(markdown_rows_have_the_columns_of_their_table),
		cmocka_unit_test(markdown_has_the_command_line_as_code),
		cmocka_unit_test(programs_are_whole_where_their_names_are_not),
		cmocka_unit_test(methods_name_seed_order_and_discarded_trials),
		cmocka_unit_test(methods_say_why_trials_were_discarded_and_what_the_others_had),
		cmocka_unit_test(the_answer_shows_each_of_few_rows),
		cmocka_unit_test(calls_are_explained),
		cmocka_unit_test(methods_say_why_trials_are_missing),
		cmocka_unit_test(plots_of_many_configurations_fit_on_a_page),
		cmocka_unit_test(plots_need_no_colour),
		cmocka_unit_test(timelines_of_creation_have_an_axis_each),
		cmocka_unit_test(plots_show_the_answer_with_its_badge),
		cmocka_unit_test(running_is_explained_where_it_stands),
		cmocka_unit_test(tables_tell_where_the_time_of_a_task_goes),
		cmocka_unit_test(a_run_of_a_tree_shows_the_time_of_its_levels),
		cmocka_unit_test(a_comparison_separates_common_settings_from_others),
		cmocka_unit_test(all_that_share_the_error_are_compared),
		cmocka_unit_test(a_sweep_of_workers_has_its_cases_curve_by_curve),
		cmocka_unit_test(the_environment_of_the_runs_is_reported_where_known),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
