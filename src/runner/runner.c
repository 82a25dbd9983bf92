/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static int fail_run(struct scoreboard *board, enum board_stage stage, int error, const char *path)
{
	return task_fail_run(board, stage, error, PLAN_ROOT, path);
}

/*
 * Makes the calling process join the cgroup whose cgroup.procs is open as fd. Returns 0 or an
 * errno.
 */
static int join_cgroup(int fd)
{
	int error = write(fd, "0", 1) == 1 ? 0 : errno;

	close(fd);
	return error;
}

static int prepare_tasks(struct scoreboard *board, struct shared *shared)
{
	const struct board_request *request = &board->request;
	char error[sizeof(board->failure_path)];
	const char *path;
	int err;

	/* Set the CPUs and niceness of the runner itself, because its tasks inherit them. */
	if (CPU_COUNT(&request->pin) > 0 &&
	    sched_setaffinity(0, sizeof(request->pin), &request->pin))
		return fail_run(board, STAGE_SETUP, errno, NULL);
	if (request->niced && setpriority(PRIO_PROCESS, 0, request->nice))
		return fail_run(board, STAGE_SETUP, errno, NULL);
	/* Check the program once here, so that not every task has to fail. */
	if (plan_runs_program(&request->plan) && access(request->hello_path, X_OK))
		return fail_run(board, STAGE_PREPARE, errno, request->hello_path);
	/* The front end has checked the object, so an error here needs no description. */
	if (request->plan.leaves[WORK_OWN] > 0 &&
	    own_load(request->own_path, shared->own, error, sizeof(error)))
		return fail_run(board, STAGE_PREPARE, ENOEXEC, request->own_path);
	err = shared_open(shared, request, &path);
	if (err)
		return fail_run(board, STAGE_PREPARE, -err, path);
	for (enum work_kind kind = 0; kind < WORK_KINDS; kind++) {
		const struct workload_ops *ops = workload_get(kind);
		const struct work_args args = shared_args(shared, request, kind);
		struct work_result result = {.value = 0};

		if (request->plan.leaves[kind] == 0 || !ops->prepare)
			continue;
		err = ops->prepare(&args, &result);
		if (err)
			return fail_run(board, STAGE_PREPARE, -err, result.path);
	}
	return 0;
}

/*
 * Applies the run's limits and maps its ballast. Must be called after the preparation has used its
 * memory and CPUs.
 */
static int enter_run(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	const int policy = request->policy - 1;
	const struct sched_param param = {.sched_priority = sched_get_priority_min(policy)};
	const char *path;
	int error;

	/*
	 * From here on, kernel memory is charged to the run's own cgroup, so the drain and files
	 * that were read in advance are not included. If joining fails, the kernel's memory is
	 * estimated.
	 */
	if (request->cgroup_fd > 0)
		board->joined = join_cgroup(request->cgroup_fd) == 0;
	error = ballast_touch(board, &path);
	if (error)
		return fail_run(board, STAGE_PREPARE, error, path);
	/* Fail the run if joining fails, because it would not have the requested quota. */
	if (request->quota_fd > 0)
		error = join_cgroup(request->quota_fd);
	else
		error = 0;
	if (error)
		return fail_run(board, STAGE_SETUP, error, "cgroup.procs");
	if (crash_install())
		return fail_run(board, STAGE_SETUP, errno, NULL);
	/*
	 * Use the policy's lowest priority. This step is the last one, because the preparation
	 * needs no precedence.
	 */
	if (policy >= 0 && sched_setscheduler(0, policy, &param))
		return fail_run(board, STAGE_SETUP, errno, NULL);
	return 0;
}

static void set_state(struct scoreboard *board, enum board_state state)
{
	atomic_store_explicit(&board->state, state, memory_order_release);
}

/*
 * A successful run must not have lost or torn a line. For a failed run, it is unknown whether it
 * has.
 */
static int check_sink(struct scoreboard *board, struct sink *sink, int err)
{
	struct board_totals *totals = &board->totals;
	struct plan_node node;
	struct sink_count count;
	int closed = sink_close(sink, &count);

	totals->said = 0;
	for (uint32_t i = 0; i < board->slots; i++) {
		plan_node(&board->request.plan, i, &node);
		if (node.work == WORK_HELLO)
			totals->said += board->slot[i].result;
	}
	totals->lines = count.lines;
	totals->torn = count.torn;
	totals->drain_us = sink->drain_us;
	if (err)
		return err;
	if (closed)
		return fail_run(board, STAGE_SINK, -closed, NULL);
	if (sink_is_whole(&count, totals->said))
		return 0;
	return fail_run(board, STAGE_SINK, EILSEQ, NULL);
}

/* Prepares for programs as tasks. Returns 0, or an errno that is already on the board. */
static int prepare_programs(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	int err;

	program_detach();
	/*
	 * SIGTERM is meant only for the programs, so the runner and tasks that have not become
	 * programs yet ignore it.
	 */
	if (request->timed)
		signal(SIGTERM, SIG_IGN);
	err = program_output(request);
	if (err)
		fail_run(board, STAGE_SETUP, err, request->output_path);
	return err;
}

void runner_execute(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	const uint64_t tasks = request->plan.tasks;
	struct usage before, after;
	struct work_own own = {.work = NULL};
	struct shared shared = {.own = &own};
	struct sink sink;
	struct load load = {.n = 0};
	int err;

	/*
	 * Start the drain first, so that it inherits neither the pinning nor the memory of the
	 * steps below.
	 */
	err = sink_open(&sink, request, "/proc/self/exe");
	if (err)
		fail_run(board, STAGE_PREPARE, -err,
			 request->sink == SINK_FILE ? request->tmp_dir : NULL);
	if (!err) {
		err = io_file_make(board);
		if (err)
			fail_run(board, STAGE_FILE, err, request->tmp_dir);
	}
	if (!err) {
		err = load_open(&load, request, "/proc/self/exe");
		if (!err && load.n > 0)
			err = lifeline_serve(&load);
		atomic_store(&board->clients, load.clients);
		atomic_store(&board->port, load.port);
		if (err)
			fail_run(board, STAGE_CLIENTS, -err, NULL);
	}
	err = err || prepare_tasks(board, &shared) || enter_run(board);
	if (!err && request->plan.leaves[WORK_PROGRAM] > 0)
		err = prepare_programs(board);
	if (err) {
		load_close(&load, board);
		set_state(board, BOARD_FAILED);
		return;
	}
	/* Orphaned descendants become children of the runner, so that it can reap them. */
	if (plan_runs_others(&board->request.plan))
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	set_state(board, BOARD_READY);
	scoreboard_await_release(board);
	usage_begin(&before);
	err = spawner_run(board, &shared, sink.out, load.n > 0 ? &load : NULL);
	usage_end(&after);
	shared_close(&shared);
	usage_totals(&before, &after, request->plan.leaves[WORK_PROGRAM] > 0,
		     atomic_load(&board->report_bytes), &board->totals);
	/* Check that each piece of work was done exactly once, unless the run was stopped early. */
	if (!err && tasks > 0 && !plan_serves(&request->plan) && !barrier_called_off(board) &&
	    (atomic_load(&board->tasks.done) != tasks ||
	     atomic_load(&board->tasks.numbers) != tasks * (tasks - 1) / 2))
		err = fail_run(board, STAGE_TASKS, EILSEQ, NULL);
	err = check_sink(board, &sink, err);
	if (load_close(&load, board) && !err && !barrier_called_off(board))
		err = fail_run(board, STAGE_CLIENTS, EPIPE, NULL);
	if (!err)
		err = own_check(board, &own);
	board->totals.disk_written_bytes = usage_disk_written(&before);
	set_state(board, err ? BOARD_FAILED : BOARD_DONE);
}
