/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include "stage/check.h"

#define MS     INT64_C(1000)
#define TICK   4000000
#define TICKS4 (SAMPLE_SPLIT_TICKS * 4 * MS) /* SAMPLE_SPLIT_TICKS ticks of 4 ms */

/* A case with eight tasks of a kind, and a run of it. */
struct made {
	struct sample_case one;
	struct model model;
	struct model_run run;
};

static void make(struct made *made, enum plan_task task)
{
	*made = (struct made) {.one = {.plan = {.levels = 1, .fanout = {8}, .task = {task}}}};
	made->model.cases = &made->one;
	made->model.n_cases = 1;
	made->model.session.machine.tick_ns = TICK;
	made->run.totals.stat_user_us = made->run.totals.stat_system_us = -1;
	made->run.totals.elapsed_ns = 1;
}

static void assert_split(const struct made *made, enum model_split_source source, int64_t user_us,
			 int64_t system_us)
{
	struct model_split split = model_split(&made->model, &made->run);

	assert_int_equal(split.source, source);
	assert_int_equal(split.user_us, user_us);
	assert_int_equal(split.system_us, system_us);
}

static void processes_need_their_ticks_each(void **state)
{
	struct made made;

	make(&made, PLAN_PROCESS);
	made.run.totals.system_us = TICKS4;
	made.run.totals.user_us = 7 * TICKS4;
	assert_split(&made, MODEL_SPLIT_RUSAGE, 7 * TICKS4, TICKS4);
	made.run.totals.user_us -= 8;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
}

static void threads_need_them_together(void **state)
{
	struct made made;

	make(&made, PLAN_THREAD);
	made.run.totals.user_us = TICKS4;
	assert_split(&made, MODEL_SPLIT_RUSAGE, TICKS4, 0);
	made.run.totals.user_us -= 8;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
}

static void only_the_processes_of_a_hybrid_count(void **state)
{
	struct made made;

	make(&made, PLAN_PROCESS);
	made.one.plan = (struct plan) {.levels = 2, .fanout = {2, 16}, .task = {PLAN_PROCESS}};
	made.run.totals.user_us = 2 * TICKS4;
	assert_split(&made, MODEL_SPLIT_RUSAGE, 2 * TICKS4, 0);
}

static void an_exact_kernel_needs_none(void **state)
{
	struct made made;

	make(&made, PLAN_PROCESS);
	made.model.session.machine.tick_ns = 0;
	made.run.totals.user_us = made.run.totals.system_us = 1;
	assert_split(&made, MODEL_SPLIT_RUSAGE, 1, 1);
}

static void an_unknown_tick_is_the_longest(void **state)
{
	struct made made;

	make(&made, PLAN_THREAD);
	made.model.session.machine.tick_ns = -1;
	made.run.totals.user_us = SAMPLE_SPLIT_TICKS * 10 * MS - 1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	made.run.totals.user_us++;
	assert_split(&made, MODEL_SPLIT_RUSAGE, SAMPLE_SPLIT_TICKS * 10 * MS, 0);
}

/* Makes 150 ms that the kernel booked as 90 + 60, although 95 % was in the kernel. */
static void make_forks(struct made *made)
{
	make(made, PLAN_PROCESS);
	made->run.totals.user_us = 90 * MS;
	made->run.totals.system_us = 60 * MS;
	made->run.totals.stat_user_us = 8 * MS;
	made->run.totals.stat_system_us = 152 * MS;
}

static void a_quiet_machine_reports_the_shares(void **state)
{
	struct made made;

	make_forks(&made);
	assert_split(&made, MODEL_SPLIT_PROC_STAT, 7500, 142500);
}

static void a_busy_machine_reports_no_shares(void **state)
{
	struct made made;

	make_forks(&made);
	made.run.totals.stat_system_us += 16 * MS;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	make_forks(&made);
	made.run.totals.stat_system_us -= 36 * MS;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	make_forks(&made);
	made.run.totals.steal = 21;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	made.run.totals.steal = -1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	make_forks(&made);
	made.run.totals.stat_user_us = -1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
}

/* The sum of the shares may be right by chance, but other programs' time is in both. */
static void beside_other_programs_the_shares_are_not_known(void **state)
{
	struct model_run before[1] = {{.id = {.run = 0}}};
	struct made made;

	make_forks(&made);
	made.run.totals.others = 19;
	assert_split(&made, MODEL_SPLIT_PROC_STAT, 7500, 142500);
	made.run.totals.others = 20;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	made.run.totals.others = -1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	/* For two runs, the share is that of both together. */
	make_forks(&made);
	made.run.id.run = 1;
	made.run.totals.user_us = 0;
	made.run.totals.stat_user_us = 0;
	made.run.totals.system_us = made.run.totals.stat_system_us = 60 * MS;
	before[0].totals = made.run.totals;
	before[0].totals.elapsed_ns = 3;
	made.run.totals.others = 70;
	made.model.runs = before;
	made.model.n_runs = 1;
	assert_split(&made, MODEL_SPLIT_PROC_STAT, 0, 60 * MS);
	made.run.totals.others = 80;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
}

static void too_few_ticks_tell_none(void **state)
{
	struct made made;

	make(&made, PLAN_PROCESS);
	made.run.totals.system_us = 100 * MS - 1;
	made.run.totals.stat_user_us = 0;
	made.run.totals.stat_system_us = 100 * MS;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	made.run.totals.system_us++;
	assert_split(&made, MODEL_SPLIT_PROC_STAT, 0, 100 * MS);
}

/*
 * Runs of 60 ms: together, two runs have enough ticks, but one has not. A run of another case does
 * not count.
 */
static void short_runs_of_a_case_are_taken_together(void **state)
{
	struct model_run before[3] = {{.id = {.run = 0}},
				      {.id = {.run = 1, .case_id = 1}},
				      {.id = {.run = 2}, .end_ns = INT64_MAX}};
	struct made made;

	make(&made, PLAN_PROCESS);
	made.run.id.run = 3;
	made.run.totals.user_us = made.run.totals.stat_user_us = 0;
	made.run.totals.system_us = made.run.totals.stat_system_us = 60 * MS;
	for (int i = 0; i < 3; i++) {
		before[i].totals = made.run.totals;
		before[i].totals.stat_user_us = 20 * MS;
		before[i].totals.stat_system_us = 40 * MS;
	}
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	made.model.runs = before;
	made.model.n_runs = 3;
	assert_split(&made, MODEL_SPLIT_PROC_STAT, 10 * MS, 50 * MS);
	before[0].id.case_id = 1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	before[0].id.case_id = 0;
	before[0].totals.steal = -1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
}

static void an_unknown_sum_has_no_parts(void **state)
{
	struct made made;

	make_forks(&made);
	made.run.totals.user_us = -1;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
	made.run.totals.user_us = made.run.totals.system_us = INT64_MAX;
	assert_split(&made, MODEL_SPLIT_NONE, -1, -1);
}

static void a_worker_needs_its_own_ticks(void **state)
{
	struct sample_worker worker = {.user_us = TICKS4 - 1};
	struct made made;

	make(&made, PLAN_THREAD);
	assert_false(model_split_worker(&made.model, &made.run, &worker));
	worker.system_us = 1;
	assert_true(model_split_worker(&made.model, &made.run, &worker));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_need_their_ticks_each),
		cmocka_unit_test(threads_need_them_together),
		cmocka_unit_test(only_the_processes_of_a_hybrid_count),
		cmocka_unit_test(an_exact_kernel_needs_none),
		cmocka_unit_test(an_unknown_tick_is_the_longest),
		cmocka_unit_test(a_quiet_machine_reports_the_shares),
		cmocka_unit_test(a_busy_machine_reports_no_shares),
		cmocka_unit_test(beside_other_programs_the_shares_are_not_known),
		cmocka_unit_test(too_few_ticks_tell_none),
		cmocka_unit_test(short_runs_of_a_case_are_taken_together),
		cmocka_unit_test(an_unknown_sum_has_no_parts),
		cmocka_unit_test(a_worker_needs_its_own_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
