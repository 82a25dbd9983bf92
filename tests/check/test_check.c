/* SPDX-License-Identifier: MIT */

#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check/check_parts.h"
#include "model/metric.h"
#include "stage/known.h"
#include "stage/seed.h"
#include "stage/synthetic.h"

/* Values of a quiet machine, as measured on one. */
static void fill_good(struct check_report *report)
{
	static const double values[CHECKS] = {
		[CHECK_CLOCK_COST] = 24,  [CHECK_CLOCK_STEP] = 21,   [CHECK_CLOCK_CORES] = 9800,
		[CHECK_SAME] = 1.001,	  [CHECK_INJECTED] = 1.031,  [CHECK_WATCHED] = 1.003,
		[CHECK_OWN] = 0.004,	  [CHECK_GETRUSAGE] = 0.997, [CHECK_SCHEDSTAT] = 0.999,
		[CHECK_PROC_STAT] = 1.01, [CHECK_CGROUP] = 0.997,    [CHECK_PERF] = 0.998,
		[CHECK_HAD] = 0.985,	  [CHECK_OTHERS] = 0.012,    [CHECK_STEAL] = 0.001,
		[CHECK_FREQUENCY] = 1.01,
	};

	check_init(report);
	report->wall_s = 1795314679;
	report->seconds = 31.4;
	for (int id = 0; id < CHECKS; id++) {
		struct check_result *result = &report->results[id];

		result->value = values[id];
		if (check_rows[id].low == check_rows[id].high || id == CHECK_WATCHED) {
			result->low = values[id] - 0.004;
			result->high = values[id] + 0.005;
			result->pairs = 15;
		}
	}
}

/* Moves the value of a row far out of its range, in a random direction. */
static void put_off(struct check_report *report, enum check_id id)
{
	struct check_result *result = &report->results[id];
	double low, high, value;

	check_range(report, id, &low, &high);
	value = high * 1.5;
	if (low > 0 && random() % 2)
		value = low * 0.5;
	if (!isnan(result->low)) {
		result->low = value * 0.99;
		result->high = value * 1.01;
	}
	result->value = value;
}

static void put_away(struct check_report *report, enum check_id id)
{
	struct check_result *result = &report->results[id];

	result->value = result->low = result->high = NAN;
	strcpy(result->note, "perf_event_paranoid is 3");
}

static const char *const claim_words[CLAIMS] = {
	[CLAIM_DIFFERENCES] = "ifferences",
	[CLAIM_TIMES] = "bsolute elapsed times",
	[CLAIM_CPU] = "CPU times",
	[CLAIM_SINGLE] = "ingle times",
};

/*
 * Returns what the text says about a claim. The claim's words lack their first letter, which may be
 * capital.
 */
static enum check_trust said(const char *sentence, enum check_claim claim)
{
	const char *at = strstr(sentence, claim_words[claim]);
	const char *no = strstr(sentence, "Do not trust "), *yes = strstr(sentence, "Trust ");
	const char *end = no ? strstr(no, " now.") : yes ? strstr(yes, ". ") : NULL;

	assert_non_null(at);
	assert_null(strstr(at + 1, claim_words[claim]));
	if (!strstr(sentence, "could not be checked"))
		end = sentence + strlen(sentence);
	if (at > end)
		return TRUST_UNCHECKED;
	return no && at > no ? TRUST_NO : TRUST_YES;
}

/* Whether the row is named in brackets, as one that contradicts a claim. */
static bool is_named(const char *sentence, enum check_id id)
{
	char first[64], later[64];

	snprintf(first, sizeof(first), "(%s", check_rows[id].title);
	snprintf(later, sizeof(later), ", %s", check_rows[id].title);
	return strstr(sentence, first) || strstr(sentence, later);
}

/* Checks each claim against what the rows alone say. */
static void assert_agrees(const struct check_report *report)
{
	char sentence[1024];
	bool passed = true;

	check_sentence(report, sentence, sizeof(sentence));
	for (int claim = 0; claim < CLAIMS; claim++) {
		bool off = false, lacks = false;

		for (int id = 0; id < CHECKS; id++) {
			enum check_state state = check_state(report, (enum check_id)id);

			if ((int)check_rows[id].claim != claim)
				continue;
			off |= state == CHECK_OFF;
			lacks |= state == CHECK_ABSENT && check_rows[id].rests;
			assert_int_equal(is_named(sentence, (enum check_id)id), state == CHECK_OFF);
		}
		passed &= !off;
		assert_int_equal(said(sentence, (enum check_claim)claim), off	  ? TRUST_NO
									  : lacks ? TRUST_UNCHECKED
										  : TRUST_YES);
	}
	assert_int_equal(check_passed(report), passed);
}

static void a_quiet_machine_can_be_trusted(void **state)
{
	struct check_report report;
	char sentence[1024];

	fill_good(&report);
	assert_true(check_passed(&report));
	assert_string_equal(
		check_sentence(&report, sentence, sizeof(sentence)),
		"Trust differences above 1.0 % in elapsed time, absolute elapsed times, CPU times "
		"and single times of at least 0.48 us.");
	put_off(&report, CHECK_OTHERS);
	put_away(&report, CHECK_CLOCK_STEP);
	assert_string_equal(
		check_sentence(&report, sentence, sizeof(sentence)),
		"Trust differences above 1.0 % in elapsed time and CPU times. Do not trust "
		"absolute elapsed times (others' load) now. Single times could not be checked.");
}

static void no_sentence_contradicts_its_rows(void **state)
{
	struct check_report report;

	seed_random();
	for (int i = 0; i < 5000; i++) {
		fill_good(&report);
		for (int id = 0; id < CHECKS; id++) {
			int what = random() % 6;

			if (what == 0)
				put_off(&report, (enum check_id)id);
			else if (what == 1)
				put_away(&report, (enum check_id)id);
		}
		assert_agrees(&report);
	}
	check_init(&report);
	assert_agrees(&report);
}

static void each_row_can_be_ok_off_and_not_available(void **state)
{
	struct check_report report;

	for (int id = 0; id < CHECKS; id++) {
		fill_good(&report);
		assert_int_equal(check_state(&report, (enum check_id)id), CHECK_OK);
		put_off(&report, (enum check_id)id);
		assert_int_equal(check_state(&report, (enum check_id)id), CHECK_OFF);
		assert_false(check_passed(&report));
		put_away(&report, (enum check_id)id);
		assert_int_equal(check_state(&report, (enum check_id)id), CHECK_ABSENT);
		assert_true(check_passed(&report));
	}
}

static void set_interval(struct check_report *report, enum check_id id, double low, double high)
{
	report->results[id].value = (low + high) / 2;
	report->results[id].low = low;
	report->results[id].high = high;
}

/* An interval that contains 1.03 is not enough, because a wide one shows nothing. */
static void the_self_test_must_find_an_injected_difference_of_that_size(void **state)
{
	struct check_report report;

	fill_good(&report);
	set_interval(&report, CHECK_INJECTED, 1.001, 1.06);
	assert_int_equal(check_state(&report, CHECK_INJECTED), CHECK_OK);
	set_interval(&report, CHECK_INJECTED, 0.99, 1.06);
	assert_int_equal(check_state(&report, CHECK_INJECTED), CHECK_OFF);
	set_interval(&report, CHECK_INJECTED, 0.996, 1.004); /* no difference was injected */
	assert_int_equal(check_state(&report, CHECK_INJECTED), CHECK_OFF);
	set_interval(&report, CHECK_INJECTED, 1.01, 1.029);
	assert_int_equal(check_state(&report, CHECK_INJECTED), CHECK_OFF);
	set_interval(&report, CHECK_SAME, 1.0001, 1.002);
	assert_int_equal(check_state(&report, CHECK_SAME), CHECK_OFF);
	set_interval(&report, CHECK_SAME, 0.98, 0.9999);
	assert_int_equal(check_state(&report, CHECK_SAME), CHECK_OFF);
}

/* An interval that reaches far beyond the range on both sides would pass any check. */
static void a_wide_interval_passes_no_check(void **state)
{
	struct check_report report;

	fill_good(&report);
	set_interval(&report, CHECK_WATCHED, 0.97, 1.04);
	assert_int_equal(check_state(&report, CHECK_WATCHED), CHECK_OK);
	set_interval(&report, CHECK_WATCHED, 0.94, 1.06);
	assert_int_equal(check_state(&report, CHECK_WATCHED), CHECK_ABSENT);
	assert_string_equal(check_note(&report, CHECK_WATCHED), "the interval is too wide");
	assert_int_equal(check_trust(&report, CLAIM_TIMES), TRUST_UNCHECKED);
	set_interval(&report, CHECK_WATCHED, 1.03, 1.05);
	assert_int_equal(check_state(&report, CHECK_WATCHED), CHECK_OFF);
}

/* The claimed difference is the measured one, rounded in the unfavourable direction. */
static void the_least_difference_is_the_wider_of_two_intervals(void **state)
{
	struct check_report report;
	char sentence[1024];

	fill_good(&report);
	set_interval(&report, CHECK_SAME, 0.98, 1.0205);
	set_interval(&report, CHECK_INJECTED, 1.02, 1.04);
	assert_true(fabs(check_least_difference(&report) - (1.0205 / 0.98 - 1)) < 1e-9);
	assert_non_null(strstr(check_sentence(&report, sentence, sizeof(sentence)), "above 4.2 %"));
	set_interval(&report, CHECK_INJECTED, 1.001, 1.06);
	assert_non_null(strstr(check_sentence(&report, sentence, sizeof(sentence)), "above 5.9 %"));
}

static char *written(const struct check_report *report,
		     int (*write)(const struct check_report *, FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(write(report, out), 0);
	fclose(out);
	return text;
}

static void the_table_has_every_row_in_80_columns_of_ascii(void **state)
{
	struct check_report report;
	char *text, *line, *rest;

	fill_good(&report);
	strcpy(report.machine.cpu, "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz of a long name");
	strcpy(report.machine.kernel, "6.18.44-with-a-name-that-is-longer-than-most");
	put_away(&report, CHECK_PERF);
	put_off(&report, CHECK_HAD);
	text = written(&report, check_write_table);
	for (int id = 0; id < CHECKS; id++) {
		line = strstr(text, check_rows[id].title);
		assert_non_null(line);
	}
	assert_non_null(strstr(text, "perf_event_paranoid is 3"));
	assert_non_null(strstr(text, "1.031 (1.027 to 1.036)     includes 1.03, not 1  ok\n"));
	assert_non_null(strstr(text, "not available\n"));
	assert_non_null(strstr(text, "off\n"));
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		assert_true(strlen(line) <= 80);
		for (const char *c = line; *c; c++)
			assert_in_range(*c, 32, 126);
	}
	free(text);
}

static void json_has_what_the_table_has(void **state)
{
	struct check_report report;
	char *text, sentence[1024];
	json_t *json, *rows, *row;

	fill_good(&report);
	put_away(&report, CHECK_PERF);
	put_off(&report, CHECK_STEAL);
	text = written(&report, check_write_json);
	json = json_loads(text, 0, NULL);
	assert_non_null(json);
	assert_int_equal(json_integer_value(json_object_get(json, "schema")), 1);
	assert_true(json_is_false(json_object_get(json, "passed")));
	assert_string_equal(json_string_value(json_object_get(json, "sentence")),
			    check_sentence(&report, sentence, sizeof(sentence)));
	rows = json_object_get(json, "rows");
	assert_int_equal(json_array_size(rows), CHECKS);
	row = json_array_get(rows, CHECK_PERF);
	assert_string_equal(json_string_value(json_object_get(row, "state")), "not available");
	assert_true(json_is_null(json_object_get(row, "value")));
	assert_string_equal(json_string_value(json_object_get(row, "note")),
			    "perf_event_paranoid is 3");
	row = json_array_get(rows, CHECK_INJECTED);
	assert_true(fabs(json_number_value(json_object_get(row, "low")) - 1.027) < 1e-9);
	assert_true(fabs(json_number_value(json_object_get(row, "expected_low")) - 1.03) < 1e-9);
	row = json_object_get(json, "trusted");
	assert_true(json_is_false(json_object_get(row, "elapsed_times")));
	assert_true(json_is_true(json_object_get(row, "cpu_times")));
	json_decref(json);
	free(text);
}

/* A session of half a second in which worker 0 of the first run is the task that runs this test. */
static void make_running(struct model *model, pid_t tid)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.stop_ns = 500000000;
	synthetic_model(&session, model);
	assert_non_null(model_running(model));
	for (uint32_t i = 0; i < model->runs[0].n_workers; i++)
		KNOW(&model->runs[0], i, start_ns, -1);
	KNOW(&model->runs[0], 0, start_ns, 1);
	KNOW(&model->runs[0], 0, finish_ns, -1);
	KNOW(&model->runs[0], 0, pid, getpid());
	KNOW(&model->runs[0], 0, tid, tid);
}

/* Trial 2 of 5 was crowded and is repeated as trial 6. The kernel counts both. */
static void the_cpu_time_has_the_runs_that_were_replaced(void **state)
{
	struct synthetic session;
	struct model model;
	double all = 0, counted = 0;

	synthetic_mixed(&session, 5);
	session.crowded_trial = 2;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		double used = metric_value(&model.runs[i], METRIC_CPU);

		all += used;
		counted += model_measured(&model, &model.runs[i]) ? used : 0;
	}
	assert_true(counted < all);
	assert_true(check_session_cpu_ns(&model) == all);
	model.runs[1].totals.status = SAMPLE_CRASHED;
	assert_true(isnan(check_session_cpu_ns(&model)));
	model_free(&model);
}

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void schedstat_is_read_while_a_worker_is_there(void **state)
{
	static const struct sample end = {.kind = SAMPLE_RUN_END};
	struct check_result result = {.value = NAN};
	struct check_schedstat schedstat;
	double before = cpu_ns(), after;
	struct model model;

	if (access("/proc/self/schedstat", R_OK))
		skip();
	make_running(&model, gettid());
	check_schedstat_init(&schedstat);
	schedstat.start_ns = 0;
	check_schedstat_look(&schedstat, &model, NULL);
	after = cpu_ns();
	assert_true(schedstat.tasks[0].fd >= 0);
	assert_int_equal(schedstat.tasks[1].fd, -1);
	/* schedstat may lag behind the task's own clock by a tick of the scheduler */
	assert_true((double)schedstat.tasks[0].used_ns >= before - 10e6 &&
		    (double)schedstat.tasks[0].used_ns <= after);
	KNOW(&model.runs[0], 0, finish_ns, 1000);
	KNOW(&model.runs[0], 0, user_us, 1);
	KNOW(&model.runs[0], 0, system_us, 2);
	check_schedstat_look(&schedstat, &model, &end);
	assert_int_equal(schedstat.missed, model.runs[0].n_workers - 1);
	assert_true(schedstat.said_ns == 3000);
	assert_true(schedstat.used_ns > 0 && schedstat.tasks[0].fd == -1);
	check_schedstat_judge(&schedstat, &result);
	assert_true(result.value == 3000 / schedstat.used_ns);
	assert_string_equal(result.note, "7 workers were not seen in time");
	check_schedstat_close(&schedstat);
	model_free(&model);
}

static void schedstat_that_cannot_be_read_says_why(void **state)
{
	static const struct sample end = {.kind = SAMPLE_RUN_END};
	struct check_result result = {.value = NAN};
	struct check_schedstat schedstat;
	struct model model;

	make_running(&model, -1);
	check_schedstat_init(&schedstat);
	check_schedstat_judge(&schedstat, &result);
	assert_string_equal(result.note, "/proc/PID/schedstat: no worker was seen in time");
	check_schedstat_look(&schedstat, &model, NULL);
	check_schedstat_look(&schedstat, &model, &end);
	assert_int_equal(schedstat.missed, model.runs[0].n_workers);
	check_schedstat_judge(&schedstat, &result);
	assert_true(isnan(result.value));
	assert_string_equal(result.note, "/proc/PID/schedstat: No such file or directory");
	check_schedstat_close(&schedstat);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_machine_can_be_trusted),
		cmocka_unit_test(no_sentence_contradicts_its_rows),
		cmocka_unit_test(each_row_can_be_ok_off_and_not_available),
		cmocka_unit_test(the_self_test_must_find_an_injected_difference_of_that_size),
		cmocka_unit_test(a_wide_interval_passes_no_check),
		cmocka_unit_test(the_least_difference_is_the_wider_of_two_intervals),
		cmocka_unit_test(the_table_has_every_row_in_80_columns_of_ascii),
		cmocka_unit_test(json_has_what_the_table_has),
		cmocka_unit_test(the_cpu_time_has_the_runs_that_were_replaced),
		cmocka_unit_test(schedstat_is_read_while_a_worker_is_there),
		cmocka_unit_test(schedstat_that_cannot_be_read_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
