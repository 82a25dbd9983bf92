/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shared.h"
#include "base/clock.h"
#include "fault.h"
#include "server.h"
#include "io_file.h"
#include "own.h"
#include "program.h"
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

/* What it creates inherits it. */
static int set_nice(struct scoreboard *board)
{
	if (!board->request.niced || setpriority(PRIO_PROCESS, 0, board->request.nice) == 0)
		return 0;
	return fail(board, STAGE_SETUP, errno, NULL);
}

/* At the lowest priority that it has. The last step: what is prepared needs no precedence. */
static int set_policy(struct scoreboard *board)
{
	int policy = board->request.policy - 1;
	const struct sched_param param = {.sched_priority = sched_get_priority_min(policy)};

	if (policy < 0 || sched_setscheduler(0, policy, &param) == 0)
		return 0;
	return fail(board, STAGE_SETUP, errno, NULL);
}

static int touch_ballast(struct scoreboard *board)
{
	const char *path;
	int error = ballast_touch(board, &path);

	return error ? fail(board, STAGE_PREPARE, error, path) : 0;
}

static int prepare_work(struct scoreboard *board, const struct shared *shared, enum work_kind kind)
{
	const struct board_request *request = &board->request;
	const struct workload_ops *ops = workload_get(kind);
	const struct work_args args = shared_args(shared, request, kind);
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

/* Without it the run would have no quota, though one was asked for. */
static int join_quota(struct scoreboard *board)
{
	int fd = board->request.quota_fd, err = 0;

	if (fd <= 0)
		return 0;
	if (write(fd, "0", 1) != 1)
		err = fail(board, STAGE_SETUP, errno, "cgroup.procs");
	close(fd);
	return err;
}

static int share(struct scoreboard *board, struct shared *shared)
{
	int err = shared_open(shared, &board->request);

	if (err)
		return fail(board, STAGE_PREPARE, -err, NULL);
	err = shared_files(shared, &board->request);
	return err ? fail(board, STAGE_PREPARE, -err, board->request.tmp_dir) : 0;
}

/* Before any task exists, that all find it. The front end has asked before what it is. */
static int load_own(struct scoreboard *board, struct work_own *own)
{
	const char *path = board->request.own_path;
	char error[sizeof(board->failure_path)];

	if (board->request.plan.leaves[WORK_OWN] == 0 || !own_load(path, own, error, sizeof(error)))
		return 0;
	return fail(board, STAGE_PREPARE, ENOEXEC, path);
}

static int prepare(struct scoreboard *board, struct shared *shared)
{
	int err = prepare_run(board);

	if (!err)
		err = pin(board);
	if (!err)
		err = set_nice(board);
	if (!err)
		err = check_program(board);
	if (!err)
		err = load_own(board, shared->own);
	if (!err)
		err = share(board, shared);
	for (int kind = 0; kind < WORK_KINDS && !err; kind++)
		err = prepare_work(board, shared, (enum work_kind)kind);
	if (!err)
		join_cgroup(board);
	if (!err)
		err = touch_ballast(board);
	if (!err)
		err = join_quota(board);
	if (!err && crash_install())
		err = fail(board, STAGE_SETUP, errno, NULL);
	if (!err)
		err = set_policy(board);
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
static int prepare_all(struct scoreboard *board, struct shared *shared, struct sink *sink)
{
	int err = sink_open(sink, &board->request, "/proc/self/exe");

	if (err)
		return fail(board, STAGE_PREPARE, -err,
			    board->request.sink == SINK_FILE ? board->request.tmp_dir : NULL);
	err = io_file_make(board);
	if (err)
		return fail(board, STAGE_FILE, err, board->request.tmp_dir);
	return prepare(board, shared);
}

void runner_execute(struct scoreboard *board)
{
	struct usage before, after;
	struct work_own own = {.work = NULL};
	struct shared shared = {.own = &own};
	struct sink sink;
	int err;

	if (prepare_all(board, &shared, &sink)) {
		set_state(board, BOARD_FAILED);
		return;
	}
	program_keep_files(&board->request);
	set_state(board, BOARD_READY);
	scoreboard_await_release(board);
	usage_begin(&before);
	err = spawner_run(board, &shared, sink.out);
	usage_end(&after);
	shared_close(&shared);
	usage_totals(&before, &after, atomic_load(&board->told_bytes), &board->totals);
	if (!err && !dealer_check(board))
		err = fail(board, STAGE_TASKS, EILSEQ, NULL);
	err = check_sink(board, &sink, err);
	if (!err)
		err = own_check(board, &own);
	board->totals.disk_written_bytes = usage_disk_written(&before);
	set_state(board, err ? BOARD_FAILED : BOARD_DONE);
}
