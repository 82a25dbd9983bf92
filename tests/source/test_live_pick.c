/* SPDX-License-Identifier: MIT */
#include "source/live_sched.h"

#include "stage/check.h"

#include <stdlib.h>

/* Makes a request of hello workers: processes with that many threads; 1: no threads. */
static struct board_request hello(uint32_t processes, uint32_t threads)
{
	struct board_request request = {.hold_ms = 100};
	struct plan *plan = &request.plan;

	plan->levels = threads > 1 ? 2 : 1;
	plan->fanout[0] = processes;
	plan->fanout[1] = threads;
	plan->task[0] = PLAN_PROCESS;
	plan->task[1] = PLAN_THREAD;
	plan->leaves[WORK_HELLO] = threads > 1 ? processes * threads - 1 : processes;
	plan->barrier = true;
	return request;
}

static uint32_t step_of(uint32_t processes, uint32_t threads)
{
	const struct board_request request = hello(processes, threads);

	return live_pick_step(&request);
}

static void of_held_processes_that_are_alike_a_few_are_read(void **state)
{
	assert_int_equal(step_of(1, 1), 1);
	assert_int_equal(step_of(8, 1), 1);
	assert_int_equal(step_of(16, 16), 4);  /* 255 of 256 workers do the work */
	assert_int_equal(step_of(255, 1), 37); /* 7 */
	assert_int_equal(step_of(1000, 1), 33);
	assert_int_equal(step_of(20000, 1), 313); /* 64 */
}

static void of_others_as_many_are_read_as_there_is_room_for(void **state)
{
	struct board_request request = hello(255, 1);

	request.plan.leaves[WORK_HELLO] = 100;
	request.plan.leaves[WORK_MEM] = 155;
	assert_int_equal(live_pick_step(&request), 4);
	request = hello(255, 1);
	request.hold_ms = 0;
	assert_int_equal(live_pick_step(&request), 4);
	request = hello(10, 10);
	request.plan.task[1] = PLAN_PROCESS;
	assert_int_equal(live_pick_step(&request), 2);
}

static void those_who_come_and_go_are_read_as_they_are_met(void **state)
{
	struct board_request request = hello(5000, 1);

	request.plan.barrier = false;
	assert_int_equal(live_pick_step(&request), 1);
}

/* Recording is cheap if all cases are recorded. */
static void records_are_cheap_where_they_are_of_all_cases(void **state)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));

	assert_non_null(experiment);
	experiment->n_cases = 2;
	for (int i = 0; i < 2; i++) {
		struct plan *plan = &experiment->cases[i].plan;

		plan->levels = 1;
		plan->fanout[0] = plan->leaves[WORK_CPU] = 8;
	}
	assert_true(live_sched_is_cheap(experiment, RING_CORES, 2));
	experiment->cases[1].plan.leaves[WORK_CPU] = 0;
	experiment->cases[1].plan.leaves[WORK_NULL] = 8;
	assert_false(live_sched_is_cheap(experiment, RING_CORES, 2));
	free(experiment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_held_processes_that_are_alike_a_few_are_read),
		cmocka_unit_test(of_others_as_many_are_read_as_there_is_room_for),
		cmocka_unit_test(those_who_come_and_go_are_read_as_they_are_met),
		cmocka_unit_test(records_are_cheap_where_they_are_of_all_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
