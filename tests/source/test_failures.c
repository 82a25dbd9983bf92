/* SPDX-License-Identifier: MIT */
#include "source/live_run.h"

#include "stage/check.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/plan.h"
#include "source/live_sched.h"
#include "work/work_own.h"

/*
 * Each sentence about a failed run has exactly one cause: a row makes that cause in a run that
 * would have succeeded, and has the status and the whole sentence.
 */

enum { EXITED = 1 << 8 };

struct made {
	struct board_request request;
	struct live_run run;
};

/* Makes two workers of that kind that have done their work, and a runner that ended well. */
static void make_run(struct made *made, enum work_kind kind, enum plan_task task)
{
	struct live_run *run = &made->run;
	const uint64_t now = clock_now_ns();
	int fd;

	memset(made, 0, sizeof(*made));
	made->request.plan =
		(struct plan) {.levels = 1, .fanout = {2}, .task = {task}, .barrier = true};
	made->request.plan.leaves[kind] = 2;
	snprintf(made->request.program_path, sizeof(made->request.program_path), "/bin/sh");
	assert_int_equal(scoreboard_create(&made->request, &run->board, &fd), 0);
	close(fd);
	run->errors_fd = run->input_fd = -1;
	run->n = run->board->slots;
	run->known = calloc(run->n, sizeof(*run->known));
	assert_non_null(run->known);
	for (uint32_t i = 0; i < run->n; i++) {
		run->known[i] = sample_worker_unknown;
		run->known[i].status = SAMPLE_OK;
	}
	run->begin_ns = now - 2000000;
	run->board->begin_ns = run->begin_ns;
	run->board->end_ns = now - 1000000;
	run->board->state = BOARD_DONE;
}

static void fail_board(struct made *made, enum board_stage stage, int error, uint32_t slot,
		       const char *path)
{
	struct scoreboard *board = made->run.board;

	board->state = BOARD_FAILED;
	board->failure_stage = stage;
	board->failure_errno = error;
	board->failure_slot = slot;
	snprintf(board->failure_path, sizeof(board->failure_path), "%s", path);
	made->run.wait_status = EXITED;
}

static void fail_worker(struct made *made, enum sample_status status, int error, uint64_t result)
{
	struct sample_worker *worker = &made->run.known[1];

	worker->status = status;
	worker->error = error;
	worker->result = result;
	fail_board(made, STAGE_WORK, error, 1, "");
}

static void say(struct made *made, const char *line)
{
	made->run.errors_fd = memfd_create("errors", MFD_CLOEXEC);
	assert_true(made->run.errors_fd >= 0);
	assert_int_equal(write(made->run.errors_fd, line, strlen(line)), strlen(line));
}

static void stop(struct made *made)
{
	made->run.stopped = true;
}

static void strike(struct made *made)
{
	made->run.struck_ns = 1;
	made->run.known[1].status = SAMPLE_CRASHED;
	made->run.fault_slot = 1;
}

static void overwrite(struct made *made)
{
	made->run.overwritten = true;
}

static void make_unfit(struct made *made)
{
	snprintf(made->run.unfit, sizeof(made->run.unfit), "CPU 1 was taken");
}

static void kill_runner(struct made *made)
{
	made->run.board->state = BOARD_RUNNING;
	made->run.wait_status = SIGKILL;
}

static void kill_worker(struct made *made)
{
	fail_worker(made, SAMPLE_CRASHED, SIGSEGV, 0);
	made->run.board->failure_errno = EOWNERDEAD;
}

static void kill_program(struct made *made)
{
	kill_worker(made);
	say(made, "malloc(): corrupted top size\n");
}

static void remove_program(struct made *made)
{
	snprintf(made->run.board->request.program_path, 64, "/no/such/program");
	fail_worker(made, SAMPLE_FAILED, ENOENT, 0);
}

static void remove_input(struct made *made)
{
	snprintf(made->run.board->request.input_path, 64, "/no/such/file");
	fail_worker(made, SAMPLE_FAILED, ENOENT, 0);
}

static void lack_loader(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, ENOENT, 0);
}

static void be_no_program(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, ENOEXEC, 0);
}

static void forbid_program(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, EACCES, 0);
}

static void exit_program(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, ECHILD, 3);
}

static void exit_program_with_words(struct made *made)
{
	exit_program(made);
	say(made, "no such table\n");
}

static void exit_program_by_shell(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, ECHILD, 128 + SIGTERM);
}

static void find_wrong_result(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, EILSEQ, 0);
}

static void return_no_errno(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, WORK_OWN_NO_ERRNO, 0);
}

static void return_errno(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, EDOM, 0);
}

static void fill_disk(struct made *made)
{
	fail_worker(made, SAMPLE_FAILED, ENOSPC, 0);
}

static void lose_worker(struct made *made)
{
	fail_board(made, STAGE_WORK, EIO, PLAN_ROOT, "");
}

static void exit_worker(struct made *made)
{
	fail_board(made, STAGE_WORK, EOWNERDEAD, 1, "");
	made->run.board->slot[1].wait_status = 4 << 8;
}

static void tear_lines(struct made *made)
{
	fail_board(made, STAGE_SINK, EILSEQ, PLAN_ROOT, "");
	made->run.board->totals.said = 8;
	made->run.board->totals.lines = 7;
	made->run.board->totals.torn = 1;
}

static void lack_sink(struct made *made)
{
	fail_board(made, STAGE_SINK, EIO, PLAN_ROOT, "");
}

static void forbid_setup(struct made *made)
{
	fail_board(made, STAGE_SETUP, EPERM, PLAN_ROOT, "");
}

static void lack_file(struct made *made)
{
	fail_board(made, STAGE_FILE, ENOSPC, PLAN_ROOT, "/tmp");
}

static void lack_ballast(struct made *made)
{
	fail_board(made, STAGE_PREPARE, ENOMEM, PLAN_ROOT, "");
}

static void refuse_creation(struct made *made)
{
	fail_board(made, STAGE_CREATE, EAGAIN, 1, "");
}

static void refuse_join(struct made *made)
{
	fail_board(made, STAGE_JOIN, EDEADLK, 1, "");
}

static void lose_piece(struct made *made)
{
	fail_board(made, STAGE_TASKS, EILSEQ, PLAN_ROOT, "");
}

static void lose_clients(struct made *made)
{
	fail_board(made, STAGE_CLIENTS, EPIPE, PLAN_ROOT, "");
}

static void lack_clients(struct made *made)
{
	fail_board(made, STAGE_CLIENTS, EMFILE, PLAN_ROOT, "");
}

static void scribble(struct made *made)
{
	made->run.board->end_ns = 1;
}

static void exit_runner(struct made *made)
{
	made->run.board->state = BOARD_RUNNING;
	made->run.wait_status = 3 * EXITED;
}

static void exit_early(struct made *made)
{
	made->run.board->state = BOARD_SETUP;
	made->run.wait_status = EXITED;
}

static void lack_board(struct made *made)
{
	made->run.board->state = BOARD_SETUP;
	made->run.wait_status = (BOARD_EXIT + EMFILE) * EXITED;
}

static void lack_library(struct made *made)
{
	made->run.board->state = BOARD_SETUP;
	made->run.wait_status = 127 * EXITED;
}

static void lack_library_with_words(struct made *made)
{
	lack_library(made);
	say(made, "libc.so.6: cannot open shared object file\n");
}

static void exit_own(struct made *made)
{
	exit_runner(made);
}

static void exit_own_early(struct made *made)
{
	made->run.board->state = BOARD_SETUP;
	made->run.wait_status = 3 * EXITED;
}

static const struct failure {
	void (*make)(struct made *made);
	enum work_kind kind;
	enum plan_task task;
	enum sample_status status;
	const char *reason;
} failures[] = {
	{stop, WORK_CPU, PLAN_THREAD, SAMPLE_INTERRUPTED, "stopped before it was done"},
	{strike, WORK_CPU, PLAN_THREAD, SAMPLE_CRASHED,
	 "w2 cpu was made to crash (x): 1 of 2 workers survived"},
	{overwrite, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "a worker wrote to memory that is not its own and overwrote the scoreboard"},
	{overwrite, WORK_OWN, PLAN_THREAD, SAMPLE_FAILED,
	 "--own wrote to memory that is not its own and overwrote the scoreboard"},
	{make_unfit, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED, "CPU 1 was taken"},
	{kill_runner, WORK_CPU, PLAN_THREAD, SAMPLE_CRASHED,
	 "tuibench-runner was ended by signal 9 (Killed)"},
	{kill_runner, WORK_OWN, PLAN_THREAD, SAMPLE_CRASHED,
	 "tuibench-runner, the process in which --own runs, was ended by signal 9 (Killed)"},
	{kill_worker, WORK_CPU, PLAN_PROCESS, SAMPLE_CRASHED,
	 "worker w2 cpu was ended by signal 11 (Segmentation fault)"},
	{kill_program, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_CRASHED,
	 "worker w2 program was ended by signal 11 (Segmentation fault; malloc(): corrupted top "
	 "size)"},
	{remove_program, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "worker w2 program could not run its command: it does not exist"},
	{remove_input, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "worker w2 program could not run its command: its input (/no/such/file): No such file or "
	 "directory"},
	{lack_loader, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "worker w2 program could not run its command: the interpreter of its #! line, or its "
	 "loader, does not exist"},
	{be_no_program, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "worker w2 program could not run its command: it is neither a program for this machine "
	 "nor a script with a #! line"},
	{forbid_program, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "worker w2 program could not run its command: Permission denied"},
	{exit_program, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "the command of worker w2 exited with status 3; to accept that, use -s "
	 "ignore-failure=yes"},
	{exit_program_with_words, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "the command of worker w2 exited with status 3 (no such table); to accept that, use -s "
	 "ignore-failure=yes"},
	{exit_program_by_shell, WORK_PROGRAM, PLAN_PROCESS, SAMPLE_FAILED,
	 "the command of worker w2 exited with status 143, 128 + signal 15 (Terminated)"},
	{find_wrong_result, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "worker w2 cpu found that its result is wrong"},
	{find_wrong_result, WORK_OWN, PLAN_THREAD, SAMPLE_FAILED,
	 "worker w2 own computed a different result from the first worker"},
	{return_no_errno, WORK_OWN, PLAN_THREAD, SAMPLE_FAILED,
	 "worker w2 own: its run() returned neither 0 nor an errno"},
	{return_errno, WORK_OWN, PLAN_THREAD, SAMPLE_FAILED,
	 "worker w2 own: its run() returned errno 33 (Numerical argument out of domain), not 0"},
	{fill_disk, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "worker w2 cpu failed: No space left on device"},
	{lose_worker, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "could not do the work of the run: Input/output error (EIO)"},
	{exit_worker, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "worker w2 cpu: its thread ended before its work was done"},
	{exit_worker, WORK_CPU, PLAN_PROCESS, SAMPLE_FAILED,
	 "worker w2 cpu ended with exit status 4 before its work was done"},
	{tear_lines, WORK_HELLO, PLAN_THREAD, SAMPLE_FAILED,
	 "8 lines were printed, 7 arrived whole and 1 torn"},
	{lack_sink, WORK_HELLO, PLAN_THREAD, SAMPLE_FAILED,
	 "could not count the lines of the run: Input/output error (EIO)"},
	{forbid_setup, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "could not set up the run: Operation not permitted (EPERM)"},
	{lack_file, WORK_IO, PLAN_THREAD, SAMPLE_FAILED,
	 "could not make the input file of the io workers for the run (/tmp): No space left on "
	 "device (ENOSPC)"},
	{lack_ballast, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "could not prepare the run: Cannot allocate memory (ENOMEM)"},
	{refuse_creation, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "could not create w2 cpu after 0 of 2: Resource temporarily unavailable (EAGAIN)"},
	{refuse_join, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "could not join w2 cpu: Resource deadlock avoided (EDEADLK)"},
	{lose_piece, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED, "not every task was done exactly once"},
	{lose_clients, WORK_SERVE, PLAN_THREAD, SAMPLE_FAILED,
	 "the clients ended before all requests had a reply"},
	{lack_clients, WORK_SERVE, PLAN_THREAD, SAMPLE_FAILED,
	 "cannot start the clients: Too many open files"},
	{scribble, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner reported values that make no sense"},
	{exit_runner, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner ended with status 3 before it was done"},
	{exit_own, WORK_OWN, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner, the process in which --own runs, ended with status 3 before it was "
	 "done"},
	{exit_own_early, WORK_OWN, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner, in prepare() of --own or what it does when loaded, ended with status 3 "
	 "before it was done"},
	{exit_early, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner ended with status 1 before it began, as a runner of another version "
	 "does: "
	 "reinstall tuibench"},
	{lack_board, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner could not begin: Too many open files"},
	{lack_library, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner could not be loaded (status 127): its loader or a library is missing, "
	 "or not allowed"},
	{lack_library_with_words, WORK_CPU, PLAN_THREAD, SAMPLE_FAILED,
	 "tuibench-runner could not begin (status 127): libc.so.6: cannot open shared object "
	 "file"},
};

static void judge(const struct failure *failure, struct sample_totals *totals)
{
	struct made *made = calloc(1, sizeof(*made));
	struct rusage usage = {0};

	assert_non_null(made);
	make_run(made, failure->kind, failure->task);
	if (failure->make)
		failure->make(made);
	memset(totals, 0, sizeof(*totals));
	fields_unknown(sample_totals_fields, totals);
	live_run_total(&made->run, &usage, clock_now_ns(), totals);
	if (made->run.errors_fd >= 0)
		close(made->run.errors_fd);
	scoreboard_close(made->run.board);
	free(made->run.known);
	free(made);
}

static void each_failure_is_said_with_its_own_cause(void **state)
{
	struct sample_totals totals;

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		judge(&failures[i], &totals);
		assert_string_equal(totals.reason, failures[i].reason);
		assert_int_equal(totals.status, failures[i].status);
	}
}

/* After a shortage, an unexpected signal or an end by a user's code, the next run may succeed. */
static void only_a_runner_that_never_begins_ends_the_session(void **state)
{
	static const struct {
		void (*make)(struct made *made);
		enum work_kind kind;
		int status; /* status from waitpid(2); -1: as make() sets it */
		bool never;
	} ends[] = {
		{lack_library, WORK_CPU, -1, true},
		{lack_library_with_words, WORK_CPU, -1, true},
		{exit_early, WORK_CPU, -1, true},
		{exit_early, WORK_CPU, 126 * EXITED, true},
		{exit_early, WORK_CPU, SIGILL, true},
		{exit_early, WORK_CPU, SIGSYS, true},
		{exit_early, WORK_CPU, SIGKILL, false},
		{exit_early, WORK_CPU, SIGTERM, false},
		{exit_own_early, WORK_OWN, -1, false},
		{lack_board, WORK_CPU, -1, false},
		{exit_runner, WORK_CPU, -1, false},
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct made *made = calloc(1, sizeof(*made));

		assert_non_null(made);
		make_run(made, ends[i].kind, PLAN_THREAD);
		ends[i].make(made);
		if (ends[i].status >= 0)
			made->run.wait_status = ends[i].status;
		assert_int_equal(live_run_never_begins(&made->run), ends[i].never);
		made->run.stopped = true;
		assert_false(live_run_never_begins(&made->run));
		if (made->run.errors_fd >= 0)
			close(made->run.errors_fd);
		scoreboard_close(made->run.board);
		free(made->run.known);
		free(made);
	}
}

/*
 * Child processes that continue after the program may be daemons, which never end. So the wait for
 * them has a limit.
 */
static void what_never_ends_is_waited_for_a_minute_or_ten_times_as_long(void **state)
{
	static const struct {
		int64_t took_s, in_time_s, late_s;
		const char *reason;
	} waits[] = {
		{1, 60, 61,
		 "its child processes were still running 1:00 min after it had ended; use -s "
		 "wait=first to measure without them"},
		{30, 329, 330,
		 "its child processes were still running 5:00 min after it had ended; use -s "
		 "wait=first to measure without them"},
	};
	const uint64_t second = 1000000000;

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		struct made *made = calloc(1, sizeof(*made));
		struct live_run *run = &made->run;

		assert_non_null(made);
		make_run(made, WORK_PROGRAM, PLAN_PROCESS);
		run->known[0].join_ns = waits[i].took_s * (int64_t)second;
		/* The other program still runs. */
		run->board->request.wait_all = true;
		assert_false(live_run_waits_in_vain(run, run->begin_ns + 3600 * second));
		run->known[1].join_ns = 1;
		assert_false(live_run_waits_in_vain(
			run, run->begin_ns + (uint64_t)waits[i].in_time_s * second));
		run->board->request.wait_all = false;
		assert_false(live_run_waits_in_vain(run, run->begin_ns + 3600 * second));
		run->board->request.wait_all = true;
		assert_true(live_run_waits_in_vain(run, run->begin_ns + (uint64_t)waits[i].late_s *
										second));
		assert_string_equal(run->unfit, waits[i].reason);
		scoreboard_close(run->board);
		free(run->known);
		free(made);
	}
}

static void a_run_that_goes_well_has_no_reason(void **state)
{
	static const enum work_kind kinds[] = {WORK_CPU, WORK_HELLO, WORK_OWN, WORK_PROGRAM};
	struct sample_totals totals;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		judge(&(struct failure) {.kind = kinds[i], .task = PLAN_PROCESS}, &totals);
		assert_string_equal(totals.reason, "");
		assert_int_equal(totals.status, SAMPLE_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_failure_is_said_with_its_own_cause),
		cmocka_unit_test(only_a_runner_that_never_begins_ends_the_session),
		cmocka_unit_test(what_never_ends_is_waited_for_a_minute_or_ten_times_as_long),
		cmocka_unit_test(a_run_that_goes_well_has_no_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
