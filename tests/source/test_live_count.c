/* SPDX-License-Identifier: MIT */
#include "source/live_sched.h"

#include "stage/check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/live_slices.h"
#include "stage/folder.h"
#include "work/workload.h"

/* Makes an experiment whose one case has 1 / part of the default amount of this kind of work. */
static struct experiment *with(const struct plan *plan, enum work_kind kind, uint64_t part)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));

	assert_non_null(experiment);
	request_init(&experiment->request);
	experiment->n_cases = 1;
	experiment->cases[0].plan = *plan;
	experiment->cases[0].work_size[kind] = workload_get(kind)->default_size / part;
	return experiment;
}

/* Checks the text about counting; "" if the kernel would be asked. Frees the experiment. */
static void said(struct experiment *experiment, const char *wish, const char *expected)
{
	struct live_count count;
	bool asked;

	assert_int_equal(live_count_choose(experiment, wish, &count), 0);
	asked = strcmp(count.said, "software") == 0 || strstr(count.said, "perf_event");
	assert_string_equal(asked ? "" : count.said, expected);
	assert_true(asked || count.kind == COUNTERS_NONE);
	live_count_close(&count);
	free(experiment);
}

static const struct plan set = {
	.levels = 1, .fanout = {4}, .leaves = {[WORK_CPU] = 4}, .barrier = true};

static void work_that_is_long_is_counted(void **state)
{
	said(with(&set, WORK_CPU, 1), "software", "");
	said(with(&set, WORK_CPU, 8), "software", "");
	said(with(&set, WORK_CPU, 9), "software",
	     "the work is too short: counting would take 1 % of its time");
}

/* plan.batch comes after the array of kinds of work, and must not be taken for a kind. */
static void tasks_that_come_batch_by_batch_are_counted_too(void **state)
{
	const struct plan pieces = {
		.levels = 1, .fanout = {40}, .leaves = {[WORK_CPU] = 40}, .batch = 4, .tasks = 40};

	said(with(&pieces, WORK_CPU, 1), "software", "");
}

static void a_part_that_is_short_speaks_against_all(void **state)
{
	struct plan both = set;
	struct experiment *experiment;

	both.leaves[WORK_CPU] = both.leaves[WORK_TOUCH] = 2;
	experiment = with(&both, WORK_CPU, 1);
	experiment->cases[0].work_size[WORK_TOUCH] = 1;
	said(experiment, "software", "the work is too short: counting would take 1 % of its time");
}

static void the_reason_for_not_counting_is_reported(void **state)
{
	struct plan many = set, none = set;
	struct experiment *experiment = with(&set, WORK_CPU, 1);

	many.fanout[0] = many.leaves[WORK_CPU] = 1001;
	none.leaves[WORK_CPU] = 3;
	said(with(&many, WORK_CPU, 1), "software",
	     "hardware events are not counted for more than 1,000 tasks");
	said(with(&none, WORK_CPU, 1), "software",
	     "hardware events are not counted for tasks without a loop");
	said(with(&set, WORK_CPU, 1), "off", "TUIBENCH_COUNTERS=off");
	experiment->request.sched = SCHED_OFF;
	said(experiment, "software", "-s sched=off");
}

static void another_wish_is_wrong(void **state)
{
	struct experiment *experiment = with(&set, WORK_CPU, 1);
	struct live_count count;

	assert_int_equal(live_count_choose(experiment, "hardware", &count), -EINVAL);
	assert_int_equal(live_count_choose(experiment, "", &count), -EINVAL);
	free(experiment);
}

/*
 * kernel.perf_event_paranoid is named only if it is the cause: not below Debian's 3, and not if
 * files run out.
 */
static void a_refusal_names_the_kernels_setting_only_where_it_refuses(void **state)
{
	static const struct {
		int err, level;
		const char *said;
	} refusals[] = {
		{-EACCES, 3, "kernel.perf_event_paranoid is 3, but must be at most 2"},
		{-EPERM, 4, "kernel.perf_event_paranoid is 4, but must be at most 2"},
		{-EACCES, 2, "perf_event_open is not allowed here"},
		{-EPERM, -1, "perf_event_open is not allowed here"},
		{-EACCES, INT_MIN, "perf_event_open is not allowed here"},
		{-EMFILE, 3, "perf_event_open: Too many open files"},
		{-ENOSYS, 4, "perf_event_open: Function not implemented"},
	};
	char text[SAMPLE_LABEL];

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		assert_string_equal(
			live_sched_refusal(refusals[i].err, refusals[i].level, text, sizeof(text)),
			refusals[i].said);
}

static void why_no_wake_up_is_seen_is_its_own_cause(void **state)
{
	struct live_sched sched = {.source = SCHED_OFF};

	assert_string_equal(live_sched_wakes(&sched), "");
	sched.source = SCHED_OWN;
	assert_string_equal(live_sched_wakes(&sched), "the workers' own clock cannot see them");
	sched.source = SCHED_PERF;
	sched.reach = RING_TASKS;
	assert_string_equal(live_sched_wakes(&sched),
			    "wake-ups of other users' tasks are visible to root only");
	sched.reach = RING_CORES;
	assert_string_equal(live_sched_wakes(&sched), SAMPLE_WAKES);
	sched.wakes = -ENOENT;
	assert_string_equal(live_sched_wakes(&sched), "there is no tracefs");
	sched.wakes = -EACCES;
	assert_string_equal(live_sched_wakes(&sched), "tracefs cannot be read");
	sched.wakes = -EMFILE;
	assert_string_equal(live_sched_wakes(&sched),
			    "the kernel's wake-up event cannot be opened");
}

/* Of the two usual places of tracefs, one cannot be read and the other does not exist. */
static void a_tracefs_that_is_there_is_not_called_missing(void **state)
{
	char root[FOLDER_PATH], path[FOLDER_PATH];

	folder_make(root);
	assert_int_equal(live_ring_try_wakes(root), -ENOENT);
	folder_write(folder_at(path, root, "sys/kernel/tracing/events/other"), "");
	assert_int_equal(symlink("sched", folder_at(path, root, "sys/kernel/tracing/events/sched")),
			 0);
	assert_int_equal(live_ring_try_wakes(root), -ELOOP);
	folder_remove(root);
}

static struct live_rate rate_of(int64_t elapsed_ms, int64_t used_ms, int64_t switches)
{
	struct sample_totals totals = {.status = SAMPLE_OK,
				       .elapsed_ns = elapsed_ms * 1000000,
				       .user_us = used_ms * 1000,
				       .nvcsw = switches};
	struct live_rate rate = {0};

	live_rate_take(&rate, 1, &totals);
	return rate;
}

static void the_warm_up_that_switches_most_on_a_core_counts(void **state)
{
	struct sample_totals totals = {
		.status = SAMPLE_OK, .elapsed_ns = 1000000000, .user_us = 4000000, .nvcsw = 80000};
	struct live_rate rate = rate_of(2000, 1000, 100000);

	assert_true(rate.rate == 50000 && rate.on_core == 50000);
	live_rate_take(&rate, 2, &totals);
	assert_int_equal(rate.case_id, 1);
	totals.nvcsw = 300000;
	live_rate_take(&rate, 2, &totals);
	assert_int_equal(rate.case_id, 2);
	assert_true(rate.rate == 300000 && rate.on_core == 75000);
	/* A run that failed, was paused, was not counted or switched seldom has no rate. */
	totals.nvcsw = 900000;
	totals.status = SAMPLE_FAILED;
	live_rate_take(&rate, 3, &totals);
	totals.status = SAMPLE_OK;
	totals.paused = true;
	live_rate_take(&rate, 3, &totals);
	totals.paused = false;
	totals.nvcsw = -1;
	live_rate_take(&rate, 3, &totals);
	assert_int_equal(rate.case_id, 2);
	/* With other programs, the rate is what it would be without them. */
	totals.nvcsw = 50000;
	totals.user_us = 200000;
	totals.others = 500;
	live_rate_take(&rate, 4, &totals);
	assert_int_equal(rate.case_id, 4);
	assert_true(rate.rate == 50000 && rate.on_core == 100000);
	assert_true(rate_of(1, 1, 999).rate == 0);
	assert_true(rate_of(1, 1, 1000).rate == 1000000);
	assert_false(live_rate_matters(&(struct live_rate) {0}));
}

/* Too long is 2 % of the time on a core. It is computed from the measured time of one record. */
static void switches_that_take_too_long_to_record_are_not_recorded(void **state)
{
	static const struct {
		int64_t record_ns;
		double on_core;
		bool change, changed;
	} cases[] = {
		{1000, 19000, true, false}, {1000, 20000, true, true}, {2000, 10000, true, true},
		{-1, 10000, true, false},   {-1, 15000, true, true},   {1000, 90000, false, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct live_sched sched = {
			.source = SCHED_PERF, .reach = RING_CORES, .tasks = TASKS_BY_PERF};
		const struct live_rate rate = {3, 2 * cases[i].on_core, cases[i].on_core};
		struct sample_watched watched;

		live_sched_judge(&sched, &rate, cases[i].change, cases[i].record_ns, "polling",
				 &watched);
		assert_int_equal(watched.case_id, 3);
		assert_int_equal(watched.record_ns, cases[i].record_ns);
		assert_true(watched.rate == 2 * cases[i].on_core);
		assert_string_equal(watched.sched, cases[i].changed ? "own" : "");
		assert_string_equal(watched.tasks_by, cases[i].changed ? "polling" : "");
		assert_int_equal(sched.source, cases[i].changed ? SCHED_OWN : SCHED_PERF);
		assert_int_equal(sched.reach, cases[i].changed ? RING_NONE : RING_CORES);
		assert_true(sched.seldom == cases[i].changed);
		assert_int_equal(sched.tasks, cases[i].changed ? TASKS_BY_POLLING : TASKS_BY_PERF);
	}
}

static void workers_without_counts_have_their_errno(void **state)
{
	struct scoreboard *board = aligned_alloc(SCOREBOARD_PAGE, sizeof(*board) + SCOREBOARD_PAGE);

	assert_non_null(board);
	memset(board, 0, sizeof(*board) + SCOREBOARD_PAGE);
	board->slots = 2;
	assert_null(live_count_missed(board));
	board->slot[1].count_error = EBUSY;
	assert_string_equal(
		live_count_missed(board),
		"something else, such as the kernel's watchdog or perf, was using the counters");
	board->slot[1].count_error = EMFILE;
	assert_string_equal(live_count_missed(board), "Too many open files");
	board->slot[1].count_error = -1;
	assert_string_equal(live_count_missed(board), "the runner reported an invalid error");
	free(board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_that_is_long_is_counted),
		cmocka_unit_test(tasks_that_come_batch_by_batch_are_counted_too),
		cmocka_unit_test(a_part_that_is_short_speaks_against_all),
		cmocka_unit_test(the_reason_for_not_counting_is_reported),
		cmocka_unit_test(another_wish_is_wrong),
		cmocka_unit_test(a_refusal_names_the_kernels_setting_only_where_it_refuses),
		cmocka_unit_test(why_no_wake_up_is_seen_is_its_own_cause),
		cmocka_unit_test(a_tracefs_that_is_there_is_not_called_missing),
		cmocka_unit_test(the_warm_up_that_switches_most_on_a_core_counts),
		cmocka_unit_test(switches_that_take_too_long_to_record_are_not_recorded),
		cmocka_unit_test(workers_without_counts_have_their_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
