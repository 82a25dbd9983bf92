/* SPDX-License-Identifier: MIT */
#include "source/live_sched.h"

#include "stage/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "work/workload.h"

/* Whether the workers of a session are counted, and the words that say why not. */

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

/* What is said of it, "" where they would be asked of the kernel; frees the experiment. */
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
	.levels = 1, .fanout = {4}, .leaves = {[WORK_CPU] = 4}, .gated = true};

static void work_that_is_long_is_counted(void **state)
{
	said(with(&set, WORK_CPU, 1), "software", "");
	said(with(&set, WORK_CPU, 8), "software", "");
	said(with(&set, WORK_CPU, 9), "software",
	     "the work is too short: this would take 1 % of it");
}

/* What stands behind the kinds of work in a plan is none of them. */
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
	said(experiment, "software", "the work is too short: this would take 1 % of it");
}

static void the_reason_for_not_counting_is_reported(void **state)
{
	struct plan many = set, none = set;
	struct experiment *experiment = with(&set, WORK_CPU, 1);

	many.fanout[0] = many.leaves[WORK_CPU] = 1001;
	none.leaves[WORK_CPU] = 3;
	said(with(&many, WORK_CPU, 1), "software", "more than 1,000 tasks are not counted");
	said(with(&none, WORK_CPU, 1), "software", "tasks without a loop are not counted");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_that_is_long_is_counted),
		cmocka_unit_test(tasks_that_come_batch_by_batch_are_counted_too),
		cmocka_unit_test(a_part_that_is_short_speaks_against_all),
		cmocka_unit_test(the_reason_for_not_counting_is_reported),
		cmocka_unit_test(another_wish_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
