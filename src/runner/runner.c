/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "crash.h"
#include "sink.h"
#include "spawner.h"
#include "usage.h"
#include "work/workload.h"

static int fail(struct scoreboard *board, enum board_stage stage, int error, const char *path)
{
	board->failure_stage = stage;
	board->failure_errno = error;
	board->failure_slot = PLAN_ROOT;
	snprintf(board->failure_path, sizeof(board->failure_path), "%.255s", path ? path : "");
	return -error;
}

static int pin(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	cpu_set_t set;

	if (request->pin_count == 0)
		return 0;
	CPU_ZERO(&set);
	for (size_t i = 0; i < 8 * sizeof(request->pin); i++) {
		if (request->pin[i / 8] & 1u << i % 8)
			CPU_SET(i, &set);
	}
	if (sched_setaffinity(0, sizeof(set), &set))
		return fail(board, STAGE_SETUP, errno, NULL);
	return 0;
}

/*
 * Stays mapped until the end: it is what a larger program would have in memory when it forks. In
 * pages of 4 KiB whatever the machine's setting, since huge ones make a fork 35 times as cheap; a
 * kernel without huge pages does not know the advice.
 */
static int touch_ballast(struct scoreboard *board)
{
	size_t size = board->request.ballast, page = (size_t)sysconf(_SC_PAGESIZE);
	char *p;

	if (size == 0)
		return 0;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return fail(board, STAGE_PREPARE, errno, NULL);
	madvise(p, size, MADV_NOHUGEPAGE);
	for (size_t offset = 0; offset < size; offset += page)
		p[offset] = 1;
	return 0;
}

static int prepare_work(struct scoreboard *board, enum work_kind kind)
{
	const struct board_request *request = &board->request;
	const struct workload_ops *ops = workload_get(kind);
	const struct work_args args = {
		.size = request->work_size[kind],
		.alloc = request->alloc,
		.io_path = request->io_path,
		.tmp_dir = request->tmp_dir,
		.cache = request->cache,
	};
	struct work_result result = {.value = 0};
	int err;

	if (request->plan.leaves[kind] == 0 || !ops->prepare)
		return 0;
	err = ops->prepare(&args, &result);
	return err ? fail(board, STAGE_PREPARE, -err, result.path) : 0;
}

/* The program is checked once here, not by every task that cannot run it. */
static int check_program(struct scoreboard *board)
{
	const struct board_request *request = &board->request;

	if (!plan_runs_program(&request->plan) || access(request->hello_path, X_OK) == 0)
		return 0;
	return fail(board, STAGE_PREPARE, errno, request->hello_path);
}

/*
 * From here on the kernel's memory is charged to the run's own cgroup: not the drain's, nor that of
 * files which were read in advance. A refusal leaves the figure an estimate.
 */
static void join_cgroup(struct scoreboard *board)
{
	int fd = board->request.cgroup_fd;

	if (fd <= 0)
		return;
	board->joined = write(fd, "0", 1) == 1;
	close(fd);
}

static int prepare(struct scoreboard *board)
{
	int err = pin(board);

	if (!err)
		err = check_program(board);
	for (int kind = 0; kind < WORK_KINDS && !err; kind++)
		err = prepare_work(board, (enum work_kind)kind);
	if (!err)
		join_cgroup(board);
	if (!err)
		err = touch_ballast(board);
	if (!err && crash_install())
		err = fail(board, STAGE_SETUP, errno, NULL);
	return err;
}

static void set_state(struct scoreboard *board, enum board_state state)
{
	atomic_store_explicit(&board->state, state, memory_order_release);
}

static uint64_t lines_said(const struct scoreboard *board)
{
	struct plan_node node;
	uint64_t said = 0;

	for (uint32_t i = 0; i < board->slots; i++) {
		plan_node(&board->request.plan, i, &node);
		if (node.work == WORK_HELLO)
			said += board->slot[i].result;
	}
	return said;
}

/* A run that went well has lost and torn no line; of one that did not nothing is known. */
static int check_sink(struct scoreboard *board, struct sink *sink, int err)
{
	struct board_totals *totals = &board->totals;
	struct sink_count count;
	int closed = sink_close(sink, &count);

	totals->said = lines_said(board);
	totals->lines = count.lines;
	totals->torn = count.torn;
	totals->drain_us = sink->drain_us;
	if (err)
		return err;
	if (closed)
		return fail(board, STAGE_SINK, -closed, NULL);
	return sink_is_whole(&count, totals->said) ? 0 : fail(board, STAGE_SINK, EILSEQ, NULL);
}

/* The drain starts first: it must not have the pinning or the memory of what follows. */
static int prepare_all(struct scoreboard *board, struct sink *sink)
{
	int err = sink_open(sink, &board->request, "/proc/self/exe");

	if (err)
		return fail(board, STAGE_PREPARE, -err,
			    board->request.sink == SINK_FILE ? board->request.tmp_dir : NULL);
	return prepare(board);
}

void runner_execute(struct scoreboard *board)
{
	struct usage before, after;
	struct sink sink;
	int err;

	if (prepare_all(board, &sink)) {
		set_state(board, BOARD_FAILED);
		return;
	}
	set_state(board, BOARD_READY);
	scoreboard_await_release(board);
	usage_begin(&before);
	err = spawner_run(board, sink.out);
	usage_end(&after);
	usage_totals(&before, &after, atomic_load(&board->told_bytes), &board->totals);
	err = check_sink(board, &sink, err);
	board->totals.disk_written_bytes = usage_disk_written(&before);
	set_state(board, err ? BOARD_FAILED : BOARD_DONE);
}
