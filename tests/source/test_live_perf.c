/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "source/live_run.h"

/* The slices of one worker, in order of arrival. */
struct lane {
	struct sample_slice *list;
	size_t n, cap;
};

struct watched {
	struct live_run run;
	double *noted_ms; /* by worker: time on a core by its own notes */
	struct sample_totals totals;
	struct lane *lanes; /* of the workers, then of other tasks, by core */
	uint32_t n_lanes;
};

static struct board_request make_request(enum plan_task task, uint32_t levels,
					 const uint32_t *fanout, uint64_t work)
{
	struct board_request request = {.plan = {.levels = levels}};
	uint32_t leaves = 1;

	for (uint32_t i = 0; i < levels; i++) {
		request.plan.fanout[i] = fanout[i];
		request.plan.task[i] = (uint8_t)task;
		leaves *= fanout[i];
	}
	request.plan.barrier = levels == 1 && work > 0;
	request.plan.leaves[work > 0 ? WORK_CPU : WORK_NULL] = leaves;
	request.work_size[WORK_CPU] = work;
	return request;
}

/* Stores slices as the model does: the next slice replaces an open one. */
static void keep(struct lane *lane, const struct sample_slice *slice)
{
	struct sample_slice *last = lane->n > 0 ? &lane->list[lane->n - 1] : NULL;

	if (last && last->open)
		lane->n--;
	last = lane->n > 0 ? &lane->list[lane->n - 1] : NULL;
	assert_true(!last || slice->on_ns >= last->off_ns);
	assert_true(slice->off_ns < 0 || slice->off_ns >= slice->on_ns);
	if (lane->n == lane->cap) {
		lane->cap = lane->cap ? 2 * lane->cap : 8;
		lane->list = realloc(lane->list, lane->cap * sizeof(*lane->list));
		assert_non_null(lane->list);
	}
	lane->list[lane->n++] = *slice;
}

/* Takes the workers' own notes of the same run. An open slice counts after it has ended. */
static void take_notes(struct watched *watched, bool over)
{
	struct live_run *run = &watched->run;

	live_slices_take(&run->slices, run->board->begin_ns, clock_now_ns(), over);
	for (size_t i = 0; i < run->slices.n; i++) {
		const struct sample_slice *slice = &run->slices.list[i];

		if (!slice->open)
			watched->noted_ms[slice->index] +=
				(double)(slice->off_ns - slice->on_ns) / 1e6;
	}
}

static void take(struct watched *watched, bool over)
{
	struct live_run *run = &watched->run;
	const struct live_lanes lanes = live_run_lanes(run, over);
	const struct sample_slice *list = lanes.slices;

	for (uint32_t i = 0; i < lanes.n_slices; i++) {
		assert_true(list[i].index < run->n || list[i].index == SAMPLE_OTHERS);
		keep(&watched->lanes[list[i].index < run->n ? list[i].index
							    : run->n + (uint32_t)list[i].cpu],
		     &list[i]);
	}
	take_notes(watched, over);
}

static void watch(struct watched *watched, const struct board_request *request,
		  struct live_sched *sched)
{
	struct live_run *run = &watched->run;
	struct pollfd end = {.events = POLLIN};

	memset(watched, 0, sizeof(*watched));
	assert_int_equal(
		live_run_start(run, TEST_RUNNER, request, NULL, -1, NULL, NULL, sched, NULL, false),
		0);
	assert_int_equal(run->perf_err, 0);
	watched->n_lanes = run->n + CPU_SETSIZE;
	watched->lanes = calloc(watched->n_lanes, sizeof(*watched->lanes));
	watched->noted_ms = calloc(run->n, sizeof(*watched->noted_ms));
	end.fd = run->pidfd;
	while (poll(&end, 1, 20) == 0) {
		live_run_scan(run, clock_now_ns(), false);
		take(watched, false);
	}
	take(watched, true);
	live_run_collect(run, &watched->totals);
	assert_int_equal(watched->totals.status, SAMPLE_OK);
}

static void drop(struct watched *watched)
{
	for (uint32_t i = 0; i < watched->n_lanes; i++)
		free(watched->lanes[i].list);
	free(watched->lanes);
	free(watched->noted_ms);
	live_run_close(&watched->run);
}

static double on_ms(const struct watched *watched, uint32_t i)
{
	const struct lane *lane = &watched->lanes[i];
	const int64_t end_ns = watched->run.known[i].finish_ns;
	double sum = 0;

	for (size_t s = 0; s < lane->n; s++) {
		const struct sample_slice *slice = &lane->list[s];
		int64_t off_ns =
			slice->off_ns < 0 || slice->off_ns > end_ns ? end_ns : slice->off_ns;

		if (slice->on_ns < end_ns)
			sum += (double)(off_ns - slice->on_ns) / 1e6;
	}
	return sum;
}

/*
 * Counts slices that ended for that reason, before the worker's last instruction or, with `since`,
 * after it.
 */
static uint32_t ended(const struct watched *watched, uint32_t i, enum sample_why why, bool since)
{
	uint32_t n = 0;

	for (size_t s = 0; s < watched->lanes[i].n; s++) {
		const struct sample_slice *slice = &watched->lanes[i].list[s];

		if ((slice->off_ns >= watched->run.known[i].finish_ns) == since)
			n += slice->why == why || (since && slice->why == WHY_ENDED);
	}
	return n;
}

/*
 * Whether a worker's count of switches agrees with the records. Some switches may come between the
 * end of its work and the reading of its counts, so those may or may not be in the count. The
 * counts of a process without work are read after its exit, when the kernel makes no more records
 * of it.
 */
static bool agrees(const struct watched *watched, uint32_t i, enum sample_why why, uint32_t counted)
{
	const struct plan *plan = &watched->run.board->request.plan;
	uint32_t before = ended(watched, i, why, false);
	struct plan_node node;

	plan_node(plan, i, &node);
	if (node.task == PLAN_PROCESS && node.level + 1 == plan->levels && !plan->barrier)
		return before <= counted;
	return before <= counted && counted <= before + ended(watched, i, why, true);
}

static bool switches_agree(const struct watched *watched)
{
	bool agree = true;

	for (uint32_t i = 0; i < watched->run.n; i++) {
		const struct sample_worker *worker = &watched->run.known[i];
		const struct lane *lane = &watched->lanes[i];

		assert_true(lane->n > 0);
		assert_int_equal(lane->list[lane->n - 1].why, WHY_ENDED);
		agree = agree && agrees(watched, i, WHY_BLOCKED, worker->nvcsw) &&
			agrees(watched, i, WHY_PREEMPTED, worker->nivcsw);
	}
	return agree;
}

/*
 * Whether the slices of each worker add up to its CPU time. In a virtual machine they may not,
 * because the host may take a core away while a worker is on it, or is about to get it.
 */
static bool clocks_agree(const struct watched *watched)
{
	bool agree = true;

	for (uint32_t i = 0; i < watched->run.n; i++) {
		const struct sample_worker *worker = &watched->run.known[i];
		double clock_ms = (double)(worker->user_us + worker->system_us) / 1e3;

		agree = agree && fabs(on_ms(watched, i) - clock_ms) <= clock_ms / 100 + 0.2;
	}
	return agree;
}

static int compare_begins(const void *a, const void *b)
{
	const struct sample_slice *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu - y->cpu;
	/* A slice without length comes before the one that begins at the same time. */
	if (x->on_ns == y->on_ns)
		return (x->off_ns > y->off_ns) - (x->off_ns < y->off_ns);
	return x->on_ns > y->on_ns ? 1 : -1;
}

/* No two slices overlap on one core, not even by 1 ns. */
static void assert_no_overlap(const struct watched *watched)
{
	struct sample_slice *all;
	size_t n = 0;

	for (uint32_t i = 0; i < watched->n_lanes; i++)
		n += watched->lanes[i].n;
	all = calloc(n, sizeof(*all));
	assert_non_null(all);
	n = 0;
	for (uint32_t i = 0; i < watched->n_lanes; i++) {
		if (watched->lanes[i].n > 0)
			memcpy(all + n, watched->lanes[i].list, watched->lanes[i].n * sizeof(*all));
		n += watched->lanes[i].n;
	}
	qsort(all, n, sizeof(*all), compare_begins);
	for (size_t i = 1; i < n; i++)
		if (all[i].cpu == all[i - 1].cpu && all[i].on_ns < all[i - 1].off_ns)
			fail_msg("core %d: on at %" PRId64 ", before %" PRId64
				 ", the end of the one from %" PRId64,
				 all[i].cpu, all[i].on_ns, all[i - 1].off_ns, all[i - 1].on_ns);
	free(all);
}

static enum ring_reach best(void)
{
	int err;

	return live_ring_try(&err);
}

/*
 * Takes the first slice of a worker that was blocked at the barrier when it opened. Returns false
 * if the slice does not say since when the worker waited for a core. That may happen in some tries,
 * but not in all. Returns true if there is no such slice.
 */
static bool says_since_when(const struct watched *watched, uint32_t i)
{
	const struct lane *lane = &watched->lanes[i];
	const int64_t go_ns = watched->totals.go_ns;
	size_t s = 0;

	while (s < lane->n && lane->list[s].on_ns < go_ns)
		s++;
	if (s == lane->n ||
	    (s > 0 && (lane->list[s - 1].off_ns > go_ns || lane->list[s - 1].why != WHY_BLOCKED)) ||
	    lane->list[s].on_ns > watched->run.known[i].work_ns)
		return true;
	if (lane->list[s].ready_ns == -1)
		return false;
	assert_true(lane->list[s].ready_ns >= (s > 0 ? lane->list[s - 1].off_ns : 0));
	assert_true(lane->list[s].ready_ns <= lane->list[s].on_ns);
	return true;
}

#define TRIES 30

/* Returns the time that the host of a virtual machine has stolen so far, in ticks. */
static long stolen_ticks(void)
{
	FILE *file = fopen("/proc/stat", "r");
	long ticks = 0;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "cpu %*d %*d %*d %*d %*d %*d %*d %ld", &ticks), 1);
	fclose(file);
	return ticks;
}

/*
 * At least one of many tries must agree. If none does, and the host stole a core in half of them,
 * skips the test.
 */
static void assert_one_agrees(bool (*agrees_once)(int number, void *arg), void *arg)
{
	int stolen = 0;

	for (int i = 0; i < TRIES; i++) {
		const long before = stolen_ticks();

		if (agrees_once(i, arg))
			return;
		stolen += stolen_ticks() > before;
		/* the host withholds cores in bursts of seconds */
		nanosleep(&(struct timespec) {.tv_sec = i / 5, .tv_nsec = i % 5 * 200000000L},
			  NULL);
	}
	if (stolen >= TRIES / 2)
		skip();
	fail_msg("none of %d tries agrees, in %d of them cores were stolen", TRIES, stolen);
}

static bool clocks_agree_once(int number, void *arg)
{
	struct live_sched *sched = arg;
	const uint32_t six[] = {6};
	const struct board_request request =
		make_request(number % 2 ? PLAN_THREAD : PLAN_PROCESS, 1, six, 12000000);
	struct watched watched;
	bool agree = true;

	watch(&watched, &request, sched);
	for (uint32_t w = 0; w < watched.run.n; w++)
		agree = says_since_when(&watched, w) && agree;
	assert_no_overlap(&watched);
	agree = agree && watched.totals.slices_lost == 0 && switches_agree(&watched) &&
		clocks_agree(&watched);
	drop(&watched);
	return agree;
}

static void workers_are_on_cores_as_long_as_their_clocks_say(void **state)
{
	(void)state;
	if (best() == RING_NONE)
		skip();
	for (enum ring_reach reach = RING_TASKS; reach <= best(); reach++) {
		struct live_sched sched = {.reach = reach};

		assert_one_agrees(clocks_agree_once, &sched);
		/* A ring that is used again has nothing from before its run. */
		assert_true(!sched.ring.rests || reach == RING_CORES);
		assert_one_agrees(clocks_agree_once, &sched);
		live_ring_close(&sched.ring);
	}
}

/* Notes begin with the work, after the barrier, and find absences of at least 64 us. */
static bool notes_agree(const struct watched *watched)
{
	bool agree = true;

	for (uint32_t i = 0; i < watched->run.n; i++)
		agree = agree && fabs(on_ms(watched, i) - watched->noted_ms[i]) <=
					 on_ms(watched, i) / 50 + 1;
	return agree;
}

static bool notes_agree_once(int number, void *arg)
{
	const uint32_t six[] = {6};
	struct board_request request = make_request(PLAN_THREAD, 1, six, 12000000);
	struct watched watched;
	bool agree;

	(void)number;
	live_slices_ask(&request, 16000, false);
	watch(&watched, &request, arg);
	assert_true(watched.noted_ms[0] > 0);
	agree = notes_agree(&watched);
	drop(&watched);
	return agree;
}

static void workers_note_what_the_kernel_does(void **state)
{
	struct live_sched sched = {.reach = best()};

	(void)state;
	if (sched.reach == RING_NONE)
		skip();
	assert_one_agrees(notes_agree_once, &sched);
	live_ring_close(&sched.ring);
}

static bool tree_agrees(enum plan_task task, struct live_sched *sched)
{
	const uint32_t tree[] = {4, 3, 20};
	const struct board_request request = make_request(task, 3, tree, 0);
	struct watched watched;
	bool agree;

	watch(&watched, &request, sched);
	assert_no_overlap(&watched);
	agree = watched.totals.slices_lost == 0 && switches_agree(&watched);
	drop(&watched);
	return agree;
}

static void tasks_without_a_loop_have_slices_too(void **state)
{
	(void)state;
	if (best() == RING_NONE)
		skip();
	for (enum ring_reach reach = RING_TASKS; reach <= best(); reach++)
		for (int task = PLAN_THREAD; task <= PLAN_PROCESS; task++) {
			struct live_sched sched = {.reach = reach};
			int i = 0;

			while (i < TRIES && !tree_agrees((enum plan_task)task, &sched))
				i++;
			live_ring_close(&sched.ring);
			assert_true(i < TRIES);
		}
}

/* Appends bytes to a ring of one page that no kernel writes. */
static void write_bytes(struct perf_event_mmap_page *head, const void *bytes, size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *data = (char *)head + page;

	for (size_t i = 0; i < n; i++)
		data[head->data_head++ % page] = ((const char *)bytes)[i];
}

/* Appends a task's record. */
static void write_record(struct perf_event_mmap_page *head, uint32_t type, uint16_t misc,
			 uint32_t tid, uint64_t time_ns)
{
	const uint32_t task[] = {tid, 1, tid, 1, 0, 0}; /* pid, ppid, tid, ptid, time */
	const uint32_t size = type == PERF_RECORD_EXIT ? sizeof(task) : 0;
	const struct {
		uint32_t pid, tid;
		uint64_t time_ns;
		uint32_t cpu, pad;
	} id = {tid, tid, time_ns, 0, 0};
	const struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)(sizeof(header) + size + sizeof(id)),
	};

	write_bytes(head, &header, sizeof(header));
	write_bytes(head, task, size);
	write_bytes(head, &id, sizeof(id));
}

/*
 * If children inherit a task's event, the end of the task is its last record. start: where the
 * first record begins.
 */
static void expect_core_handed_on(uint64_t start)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t size = sizeof(struct scoreboard) + SCOREBOARD_PAGE;
	struct scoreboard *board = aligned_alloc(SCOREBOARD_PAGE, size);
	struct perf_event_mmap_page *head = calloc(2, page);
	struct ring_core core = {.fd = -1, .waking_fd = -1, .map = head, .tail = start};
	struct live_ring ring = {.n = 0}, written = {.reach = RING_TASKS,
						     .n = 1,
						     .cores = &core,
						     .page = page,
						     .size = page};
	struct live_perf perf;
	cpu_set_t set;
	int err;

	assert_true(board && head);
	head->data_head = start;
	memset(board, 0, sizeof(*board));
	board->slots = 3;
	for (uint32_t i = 0; i < board->slots; i++)
		board->slot[i] = (struct worker_slot) {
			.worker = WORKER_WORKING, .tid = 11 + (int)i, .start_ns = 1000000};
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	err = live_perf_open(&perf, &ring, RING_TASKS, 1, &set, board);
	if (err < 0)
		skip();
	perf.ring = &written;
	perf.begin_ns = 1000;
	write_record(head, PERF_RECORD_SWITCH, 0, 11, 1000000);
	write_record(head, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, 11, 1010000);
	write_record(head, PERF_RECORD_SWITCH, 0, 12, 1011000);
	write_record(head, PERF_RECORD_EXIT, 0, 12, 1012500);
	write_record(head, PERF_RECORD_SWITCH, 0, 13, 1013500);
	write_record(head, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, 13, 1050000);
	live_perf_take(&perf, true);
	assert_int_equal(perf.n, 3);
	for (uint32_t i = 1; i < perf.n; i++)
		assert_int_equal(perf.list[i].on_ns, perf.list[i - 1].off_ns);
	perf.ring = &ring;
	live_perf_close(&perf);
	live_ring_close(&ring);
	free(head);
	free(board);
}

static void a_core_goes_from_one_that_ends_to_the_next(void **state)
{
	(void)state;
	expect_core_handed_on(0);
}

/* The ring's end falls into each place of a record where the kernel can wrap it. */
static void a_record_may_wrap_around_the_end_of_its_ring(void **state)
{
	(void)state;
	for (uint64_t left = 8; left <= 128; left += 8)
		expect_core_handed_on((uint64_t)sysconf(_SC_PAGESIZE) - left);
}

static void missing_permission_is_reported(void **state)
{
	struct live_ring ring = {.n = 0};
	cpu_set_t set;

	(void)state;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	assert_int_equal(live_ring_open(&ring, RING_NONE, getpid(), &set), -EACCES);
	CPU_ZERO(&set);
	assert_int_equal(live_ring_open(&ring, RING_TASKS, getpid(), &set), -EINVAL);
}

static void the_cost_of_a_switch_is_measured_where_records_are_allowed(void **state)
{
	struct live_sched session = {.reach = RING_NONE};
	cpu_set_t before, after;

	sched_getaffinity(0, sizeof(before), &before);
	assert_int_equal(live_record_ns(TEST_RUNNER, &session), -1);
	if (best() == RING_NONE)
		skip();
	session.reach = best();
	assert_int_equal(live_ring_open(&session.ring, session.reach, getpid(), &before), 0);
	assert_in_range(live_record_ns(TEST_RUNNER, &session), 0, 1000000);
	/* The session's own rings would slow the trips without records, too. */
	assert_int_equal(session.ring.n, 0);
	assert_int_equal(live_record_ns("/nowhere", &session), -1);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_are_on_cores_as_long_as_their_clocks_say),
		cmocka_unit_test(workers_note_what_the_kernel_does),
		cmocka_unit_test(tasks_without_a_loop_have_slices_too),
		cmocka_unit_test(a_core_goes_from_one_that_ends_to_the_next),
		cmocka_unit_test(a_record_may_wrap_around_the_end_of_its_ring),
		cmocka_unit_test(missing_permission_is_reported),
		cmocka_unit_test(the_cost_of_a_switch_is_measured_where_records_are_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
