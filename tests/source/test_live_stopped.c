/* SPDX-License-Identifier: MIT */
#include "source/live_run.h"
#include "source/live_standstill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/check.h"
#include "stage/folder.h"

#define SECOND 1000000000ull
#define RUNNER 4000

static void make_stat(const char *root, pid_t pid, const char *name, char state, pid_t group)
{
	char path[FOLDER_PATH], file[64], text[256];

	snprintf(file, sizeof(file), "proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (%s) %c 1 %d %d 0 -1\n", pid, name, state, group, group);
	folder_write(folder_at(path, root, file), text);
}

static void stopped_is_by_a_signal_and_of_the_run(void **state)
{
	static const struct {
		const char *name;
		char state;
		pid_t group;
		enum live_halt halt;
	} cases[] = {
		{"cpu1", 'R', RUNNER, LIVE_RUNS},
		{"cpu1", 'S', RUNNER, LIVE_RUNS},
		{"cpu1", 'T', RUNNER, LIVE_STOPPED},
		{"cpu1", 't', RUNNER, LIVE_RUNS},
		{"cpu1", 'T', RUNNER + 1, LIVE_RUNS},
		{"a) T 1 4000 (b", 'R', RUNNER, LIVE_RUNS},
		{"a) R 1 17 (b", 'T', RUNNER, LIVE_STOPPED},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_stat(*state, 4001, cases[i].name, cases[i].state, cases[i].group);
		assert_int_equal(live_stopped_is(*state, 4001, RUNNER), cases[i].halt);
	}
	assert_int_equal(live_stopped_is(*state, 4002, RUNNER), LIVE_RUNS);
	assert_int_equal(live_stopped_is(*state, 0, RUNNER), LIVE_RUNS);
}

/*
 * A frozen process has the state of one that waits for a disk or sleeps. Where it waits shows the
 * difference.
 */
static void frozen_is_by_the_freezer_of_a_cgroup(void **state)
{
	static const struct {
		char state;
		const char *wchan;
		enum live_halt halt;
	} cases[] = {
		{'D', "__refrigerator", LIVE_FROZEN}, {'S', "do_freezer_trap", LIVE_FROZEN},
		{'S', "get_signal", LIVE_FROZEN},     {'D', "folio_wait_bit", LIVE_RUNS},
		{'S', "futex_wait", LIVE_RUNS},	      {'S', "0", LIVE_RUNS},
		{'R', "__refrigerator", LIVE_RUNS},   {'T', "__refrigerator", LIVE_STOPPED},
	};
	char path[FOLDER_PATH];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_stat(*state, 4001, "cpu1", cases[i].state, RUNNER);
		folder_write(folder_at(path, *state, "proc/4001/wchan"), cases[i].wchan);
		assert_int_equal(live_stopped_is(*state, 4001, RUNNER), cases[i].halt);
		assert_int_equal(live_stopped_is(*state, 4001, RUNNER + 1), LIVE_RUNS);
	}
	make_stat(*state, 4001, "cpu1", 'D', RUNNER);
	folder_write(folder_at(path, *state, "proc/4001/wchan"), "hrtimer_nanosleep");
	folder_write(folder_at(path, *state, "proc/4001/cgroup"), "5:freezer:/a b\n0::/\n");
	folder_write(folder_at(path, *state, "sys/fs/cgroup/freezer/a b/freezer.state"),
		     "FROZEN\n");
	assert_int_equal(live_stopped_is(*state, 4001, RUNNER), LIVE_FROZEN);
	folder_write(folder_at(path, *state, "sys/fs/cgroup/freezer/a b/freezer.state"),
		     "THAWED\n");
	assert_int_equal(live_stopped_is(*state, 4001, RUNNER), LIVE_RUNS);
}

/* One of 40 processes is stopped. The test looks until its turn comes. */
static void each_worker_is_looked_at_in_its_turn(void **state)
{
	enum { WORKERS = 40, HALTED = 37 };
	struct scoreboard *board = calloc(1, sizeof(*board));
	struct sample_worker known[WORKERS];
	struct live_run run = {.pid = RUNNER, .n = WORKERS, .known = known, .board = board};
	struct live_stopped stopped = {0};
	uint64_t now = SECOND;
	uint32_t worker = 0;
	pid_t found = 0;

	make_stat(*state, RUNNER, "tuibench-runner", 'S', RUNNER);
	for (int i = 0; i < WORKERS; i++) {
		known[i] = (struct sample_worker) {.pid = RUNNER + 1 + i, .finish_ns = -1};
		known[i].status = SAMPLE_RUNNING;
		make_stat(*state, known[i].pid, "cpu", i == HALTED ? 'T' : 'R', RUNNER);
	}
	for (; found == 0 && now < 4 * SECOND; now += SECOND)
		found = live_stopped_find(&stopped, &run, *state, now, &worker);
	assert_int_equal(found, RUNNER + 1 + HALTED);
	assert_int_equal(worker, HALTED);
	assert_int_equal(now, 4 * SECOND);
	/* Once in each run. */
	assert_int_equal(live_stopped_find(&stopped, &run, *state, now, &worker), 0);
	stopped.found = LIVE_RUNS;
	/* The process has ended, and another one has its PID. */
	known[HALTED].status = SAMPLE_OK;
	for (int i = 0; i < 4; i++, now += SECOND)
		assert_int_equal(live_stopped_find(&stopped, &run, *state, now, &worker), 0);
	free(board);
}

/* One of 2 x 3 processes has not reported its PID, but is in its parent's list of children. */
static void a_worker_that_has_not_begun_is_looked_for_with_its_parent(void **state)
{
	enum { WORKERS = 8, SILENT = 6, CREATOR = 1, STOPPED = RUNNER + 90 };
	struct scoreboard *board = calloc(1, sizeof(*board));
	struct sample_worker known[WORKERS];
	struct live_run run = {.pid = RUNNER, .n = WORKERS, .known = known, .board = board};
	struct live_stopped stopped = {0};
	char path[FOLDER_PATH], file[64];
	uint32_t worker = 0;

	board->request.plan = (struct plan) {.levels = 2, .fanout = {2, 3}};
	make_stat(*state, RUNNER, "tuibench-runner", 'S', RUNNER);
	for (int i = 0; i < WORKERS; i++) {
		known[i] = (struct sample_worker) {.pid = i == SILENT ? 0 : RUNNER + 1 + i,
						   .finish_ns = -1};
		known[i].status = SAMPLE_RUNNING;
		make_stat(*state, RUNNER + 1 + i, "cpu", 'R', RUNNER);
	}
	assert_int_equal(live_stopped_find(&stopped, &run, *state, SECOND, &worker), 0);
	make_stat(*state, STOPPED, "tuibench-runner", 'T', RUNNER);
	snprintf(file, sizeof(file), "proc/%d/task/%d/children", RUNNER + 1 + CREATOR,
		 RUNNER + 1 + CREATOR);
	folder_write(folder_at(path, *state, file), "4006 4008 4090 \n");
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 2 * SECOND, &worker), STOPPED);
	assert_int_equal(worker, LIVE_STOPPED_SILENT);
	free(board);
}

static void the_runner_is_looked_at_once_a_second_and_not_in_our_own_pause(void **state)
{
	struct scoreboard *board = calloc(1, sizeof(*board));
	struct live_run run = {.pid = RUNNER, .board = board};
	struct live_stopped stopped = {0};
	uint32_t worker = 0;

	make_stat(*state, RUNNER, "tuibench-runner", 'S', RUNNER);
	assert_int_equal(live_stopped_find(&stopped, &run, *state, SECOND, &worker), 0);
	make_stat(*state, RUNNER, "tuibench-runner", 'T', RUNNER);
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 2 * SECOND - 1, &worker), 0);
	run.paused = true;
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 2 * SECOND, &worker), 0);
	run.paused = false;
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 2 * SECOND, &worker), RUNNER);
	assert_int_equal(worker, LIVE_STOPPED_RUNNER);
	run.pid = 0;
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 9 * SECOND, &worker), 0);
	free(board);
}

static void the_clients_of_a_server_are_looked_at_as_its_runner_is(void **state)
{
	enum { CLIENTS = RUNNER + 70 };
	struct scoreboard *board = calloc(1, sizeof(*board));
	struct live_run run = {.pid = RUNNER, .board = board};
	struct live_stopped stopped = {0};
	uint32_t worker = 0;

	make_stat(*state, RUNNER, "tuibench-runner", 'S', RUNNER);
	make_stat(*state, CLIENTS, "tuibench-client", 'T', CLIENTS);
	assert_int_equal(live_stopped_find(&stopped, &run, *state, SECOND, &worker), 0);
	board->clients = CLIENTS;
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 2 * SECOND, &worker), CLIENTS);
	assert_int_equal(worker, LIVE_STOPPED_CLIENTS);
	/* Another program has the PID now. */
	make_stat(*state, CLIENTS, "other", 'T', RUNNER + 1);
	stopped.found = LIVE_RUNS;
	assert_int_equal(live_stopped_find(&stopped, &run, *state, 3 * SECOND, &worker), 0);
	free(board);
}

#define MS(ms) ((ms)*UINT64_C(1000000))

/* A tick every 100 ms; one was taken 4 s late. */
static const struct live_moment before = {
	.now_ns = MS(1000), .due_ns = MS(1000), .ready_ns = MS(20)};

static void a_late_tick_without_a_wait_for_a_core_is_a_standstill(void **state)
{
	struct live_moment now = {.now_ns = MS(5100), .due_ns = MS(1100), .ready_ns = MS(21)};

	(void)state;
	assert_int_equal(live_standstill(&before, &now), MS(3999));
	/* The front end waited for a core, as on a crowded machine, or worked. */
	now.ready_ns = MS(20 + 3900);
	assert_int_equal(live_standstill(&before, &now), 0);
	/* The front end was busy until then, so it could not take the tick earlier. */
	now = (struct live_moment) {.now_ns = MS(5100), .due_ns = MS(5000), .ready_ns = MS(21)};
	assert_int_equal(live_standstill(&before, &now), 0);
	/* A host withholds a core for that time. */
	now = (struct live_moment) {.now_ns = MS(1340), .due_ns = MS(1100), .ready_ns = MS(20)};
	assert_int_equal(live_standstill(&before, &now), 0);
	/* If the kernel does not count, nothing is claimed. */
	now = (struct live_moment) {.now_ns = MS(5100), .due_ns = MS(1100), .ready_ns = -1};
	assert_int_equal(live_standstill(&before, &now), 0);
}

static void a_machine_that_slept_is_a_standstill_without_a_late_tick(void **state)
{
	struct live_moment now = {.now_ns = MS(1100),
				  .due_ns = MS(1100),
				  .slept_ns = (int64_t)MS(7000),
				  .ready_ns = MS(21)};

	(void)state;
	assert_int_equal(live_standstill(&before, &now), MS(7000));
	now.ready_ns = -1;
	assert_int_equal(live_standstill(&before, &now), MS(7000));
	/* The two clocks are not read at the same time. */
	now.slept_ns = 2000000;
	assert_int_equal(live_standstill(&before, &now), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(stopped_is_by_a_signal_and_of_the_run),
		FOLDER_TEST(frozen_is_by_the_freezer_of_a_cgroup),
		FOLDER_TEST(each_worker_is_looked_at_in_its_turn),
		FOLDER_TEST(a_worker_that_has_not_begun_is_looked_for_with_its_parent),
		FOLDER_TEST(the_runner_is_looked_at_once_a_second_and_not_in_our_own_pause),
		FOLDER_TEST(the_clients_of_a_server_are_looked_at_as_its_runner_is),
		cmocka_unit_test(a_late_tick_without_a_wait_for_a_core_is_a_standstill),
		cmocka_unit_test(a_machine_that_slept_is_a_standstill_without_a_late_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
