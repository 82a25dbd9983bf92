/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/scoreboard.h"
#include "stage/folder.h"

/* Tests of the runner as a program: first started as the front end does it, then as a user does. */

/*
 * ThreadSanitizer runs a signal's handler only when the program next calls a function that it
 * intercepts: never in an endless loop, or in a system call that is restarted.
 */
#ifdef __SANITIZE_THREAD__
#define HANDLERS_RUN_LATE 1
#else
#define HANDLERS_RUN_LATE 0
#endif

#define ENDLESS UINT64_MAX /* a number whose divisors take centuries to find */
#define WORKERS 3

extern char **environ;

struct run {
	struct scoreboard *board;
	pid_t pid;
	int life; /* the write end of the life pipe */
};

static struct board_request make_request(enum plan_task task, uint32_t tasks)
{
	struct board_request request = {.plan = {.levels = 1, .fanout = {tasks}, .barrier = true}};

	request.plan.task[0] = task;
	strcpy(request.tmp_dir, "/tmp");
	return request;
}

static struct board_request make_endless_request(enum plan_task task)
{
	struct board_request request = make_request(task, WORKERS);

	request.plan.leaves[WORK_CPU] = WORKERS;
	request.work_size[WORK_CPU] = ENDLESS;
	return request;
}

/*
 * Starts the runner with two descriptors at known numbers, a process group of its own, and the
 * caller's signal mask.
 */
static pid_t spawn_runner(int board_fd, int life_fd)
{
	char *argv[] = {"tuibench-runner", "10", "11", NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, board_fd, 10);
	posix_spawn_file_actions_adddup2(&actions, life_fd, 11);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	assert_int_equal(posix_spawn(&pid, TEST_RUNNER, &actions, &attr, argv, environ), 0);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static struct run start(const struct board_request *request)
{
	struct run run;
	int board_fd, life[2];

	assert_int_equal(scoreboard_create(request, &run.board, &board_fd), 0);
	assert_int_equal(pipe2(life, O_CLOEXEC), 0);
	run.pid = spawn_runner(board_fd, life[0]);
	run.life = life[1];
	close(life[0]);
	close(board_fd);
	return run;
}

static uint32_t load(_Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_acquire);
}

/* Waits for the word. If the runner ends first, the test fails; its status is then not reaped. */
static void await(const struct run *run, _Atomic uint32_t *word, uint32_t least)
{
	siginfo_t info = {.si_pid = 0};

	while (load(word) < least) {
		waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		if (info.si_pid != 0 && load(word) < least)
			fail_msg("the runner ended too early");
		sched_yield();
	}
}

static void await_all_working(const struct run *run)
{
	uint32_t i;

	for (i = 0; i < run->board->slots; i++)
		await(run, &run->board->slot[i].worker, WORKER_WORKING);
}

static int finish(struct run *run)
{
	int status;

	assert_int_equal(waitpid(run->pid, &status, 0), run->pid);
	close(run->life);
	return status;
}

/*
 * Orphans become children of this program. Reaps every process that the runner has left, and
 * returns their number. If one lives on, this hangs until the test's time limit.
 */
static int reap_all(void)
{
	int count = 0;

	while (waitpid(-1, NULL, 0) > 0)
		count++;
	assert_int_equal(errno, ECHILD);
	return count;
}

static uint64_t cpu_time_of_workers(const struct scoreboard *board)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < board->slots; i++)
		sum += board->slot[i].usage.user_us + board->slot[i].usage.system_us;
	return sum;
}

static void runs_when_released_and_says_that_it_is_done(void **state)
{
	struct board_request request;
	struct run run;
	int task, status, i;

	for (task = PLAN_THREAD; task <= PLAN_PROCESS; task++) {
		request = make_request(task, WORKERS);
		request.plan.leaves[WORK_CPU] = WORKERS;
		request.work_size[WORK_CPU] = 720720;
		run = start(&request);
		await(&run, &run.board->state, BOARD_READY);
		assert_int_equal(run.board->state, BOARD_READY);
		assert_int_equal(run.board->slot[0].state, SLOT_UNUSED);
		scoreboard_release(run.board);
		status = finish(&run);
		assert_int_equal(status, 0);
		assert_int_equal(run.board->state, BOARD_DONE);
		for (i = 0; i < WORKERS; i++) {
			assert_int_equal(run.board->slot[i].result, 240);
			assert_int_equal(run.board->slot[i].state, SLOT_JOINED);
		}
		assert_true(cpu_time_of_workers(run.board) > 0);
		assert_true(run.board->totals.usage.user_us + run.board->totals.usage.system_us >=
			    cpu_time_of_workers(run.board));
		assert_int_equal(reap_all(), 0);
		scoreboard_close(run.board);
	}
}

/* Only the pipe can end the runner, because the process that started it lives on. */
static void a_pipe_that_hangs_up_kills_the_runner_and_its_workers(void **state)
{
	struct board_request request;
	struct run run;
	int task, status;

	for (task = PLAN_THREAD; task <= PLAN_PROCESS; task++) {
		request = make_endless_request(task);
		run = start(&request);
		scoreboard_release(run.board);
		await_all_working(&run);
		close(run.life);
		assert_int_equal(waitpid(run.pid, &status, 0), run.pid);
		assert_int_equal(WTERMSIG(status), SIGKILL);
		/* At most: the runner may have reaped workers that were killed before it. */
		assert_true(reap_all() <= WORKERS);
		scoreboard_close(run.board);
	}
}

/* This program is the parent, so a parent-death signal never comes. */
static void a_hang_up_kills_the_whole_process_group(void **state)
{
	struct board_request request = make_endless_request(PLAN_PROCESS);
	struct run run = start(&request);
	int status;
	pid_t pid;

	await(&run, &run.board->state, BOARD_READY);
	pid = fork();
	if (pid == 0) {
		close(run.life);
		for (;;)
			pause();
	}
	assert_int_equal(setpgid(pid, run.pid), 0);
	close(run.life);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(reap_all(), 1);
	scoreboard_close(run.board);
}

static void a_pipe_that_has_hung_up_before_kills_the_runner(void **state)
{
	struct board_request request = make_endless_request(PLAN_PROCESS);
	int board_fd, life[2], status;
	struct scoreboard *board;
	pid_t pid;

	assert_int_equal(scoreboard_create(&request, &board, &board_fd), 0);
	assert_int_equal(pipe2(life, O_CLOEXEC), 0);
	close(life[1]);
	pid = spawn_runner(board_fd, life[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(board->slot[0].state, SLOT_UNUSED);
	assert_int_equal(reap_all(), 0);
	close(life[0]);
	close(board_fd);
	scoreboard_close(board);
}

/* A tree that never ends by itself. The process that started it is killed while the tree grows. */
static void check_orphans(uint32_t when)
{
	struct board_request request = {.plan = {.levels = 3, .fanout = {4, 3, 3}}};
	struct scoreboard *board;
	int board_fd, life[2];
	pid_t pid;

	memset(request.plan.task, PLAN_PROCESS, sizeof(request.plan.task));
	request.plan.leaves[WORK_CPU] = 4 * 3 * 3;
	request.work_size[WORK_CPU] = ENDLESS;
	assert_int_equal(scoreboard_create(&request, &board, &board_fd), 0);
	pid = fork();
	if (pid == 0) {
		if (pipe2(life, O_CLOEXEC))
			_exit(1);
		scoreboard_release(board);
		spawn_runner(board_fd, life[0]);
		pause();
		_exit(1);
	}
	while (load(&board->slot[when].state) == SLOT_UNUSED)
		sched_yield();
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_true(reap_all() >= 2);
	close(board_fd);
	scoreboard_close(board);
}

static void no_task_outlives_a_front_end_that_is_killed(void **state)
{
	const uint32_t when[] = {0, 2, 4, 9, 16, 30, 51};
	size_t i;

	for (i = 0; i < sizeof(when) / sizeof(*when); i++)
		check_orphans(when[i]);
}

static void no_worker_outlives_a_runner_that_is_killed(void **state)
{
	struct board_request request = make_endless_request(PLAN_PROCESS);
	struct run run = start(&request);

	scoreboard_release(run.board);
	await_all_working(&run);
	kill(run.pid, SIGKILL);
	/* The pipe stays open until all processes are gone, so it does not end them here. */
	assert_int_equal(waitpid(run.pid, NULL, 0), run.pid);
	assert_int_equal(reap_all(), WORKERS);
	close(run.life);
	scoreboard_close(run.board);
}

static void a_crash_of_a_thread_ends_the_runner_without_a_core_file(void **state)
{
	struct board_request request = make_endless_request(PLAN_THREAD);
	struct run run = start(&request);
	int status;

	scoreboard_release(run.board);
	await_all_working(&run);
	tgkill(run.pid, run.board->slot[1].tid, SIGSEGV);
	status = finish(&run);
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_false(WCOREDUMP(status));
	assert_int_equal(run.board->slot[1].worker, WORKER_CRASHED);
	assert_int_equal(run.board->slot[0].worker, WORKER_WORKING);
	scoreboard_close(run.board);
}

/* io workers read a pipe that nobody opens to write, so they keep working. */
static void a_killed_worker_is_reported_and_the_run_goes_on(void **state)
{
	struct board_request request = make_request(PLAN_PROCESS, 2);
	char dir[FOLDER_PATH];
	struct run run;

	folder_make(dir);
	snprintf(request.io_path, sizeof(request.io_path), "%s/pipe", dir);
	assert_int_equal(mkfifo(request.io_path, 0600), 0);
	request.plan.leaves[WORK_IO] = 1; /* the other does nothing */
	run = start(&request);
	close(open(request.io_path, O_WRONLY)); /* the preparation waits for this */
	scoreboard_release(run.board);
	await_all_working(&run);
	kill(run.board->slot[0].pid, SIGKILL);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_FAILED);
	assert_int_equal(run.board->failure_stage, STAGE_WORK);
	assert_int_equal(run.board->failure_slot, 0);
	assert_int_equal(WTERMSIG(run.board->slot[0].wait_status), SIGKILL);
	assert_int_equal(run.board->slot[1].worker, WORKER_FINISHED);
	folder_remove(dir);
	scoreboard_close(run.board);
}

/*
 * A script that two programs run. The program that makes the folder ends last and exits with 7: it
 * waits, for half a minute at most, until the other one was reaped. The other one exits with 0.
 */
static const char goes_last[] = "if mkdir first 2>/dev/null; then i=0; while [ ! -s pid ] || "
				"kill -0 $(cat pid) 2>/dev/null; do [ $((i += 1)) -gt 3000 ] && "
				"break; sleep 0.01; done; exit 7; fi; echo $$ >new; mv new pid";

static void put_words(struct board_request *request, const char *const words[], uint32_t n)
{
	char *to = request->program_words;

	for (uint32_t i = 0; i < n; i++)
		to = stpcpy(to, words[i]) + 1;
	request->program_n = n;
	strcpy(request->program_path, "/bin/sh");
}

/* In nearly every run, the task that is joined first ends last. Returns false if it did not. */
static bool check_ends(enum plan_primitive primitive)
{
	struct board_request request = make_request(PLAN_PROCESS, 2);
	char folder[FOLDER_PATH], script[1024];
	const char *const words[] = {"sh", "-c", script};
	struct run run;
	bool first;

	folder_make(folder);
	snprintf(script, sizeof(script), "cd %s && %s", folder, goes_last);
	request.plan.barrier = false;
	request.plan.primitive = primitive;
	request.plan.leaves[WORK_PROGRAM] = 2;
	request.ignore_failure = true;
	put_words(&request, words, 3);
	run = start(&request);
	scoreboard_release(run.board);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_DONE);
	first = run.board->slot[0].result == 7;
	assert_int_equal(run.board->slot[first].result, 0);
	assert_int_equal(run.board->slot[!first].result, 7);
	assert_true(run.board->slot[first].finish_ns < run.board->slot[!first].finish_ns);
	scoreboard_close(run.board);
	folder_remove(folder);
	return first;
}

static void a_program_that_ends_before_another_has_the_time_of_its_own_end(void **state)
{
	static const enum plan_primitive ways[] = {PLAN_POSIX_SPAWN, PLAN_FORK_EXEC,
						   PLAN_VFORK_EXEC};

	for (size_t way = 0; way < sizeof(ways) / sizeof(*ways); way++) {
		bool met = false;

		for (int i = 0; i < 20 && !met; i++)
			met = check_ends(ways[way]);
		assert_true(met);
	}
}

static void a_worker_that_gets_sigterm_ends(void **state)
{
	struct board_request request = make_endless_request(PLAN_PROCESS);
	struct run run;
	int i;

	if (HANDLERS_RUN_LATE)
		skip();
	run = start(&request);
	scoreboard_release(run.board);
	await_all_working(&run);
	for (i = 0; i < WORKERS; i++)
		kill(run.board->slot[i].pid, SIGTERM);
	assert_int_equal(finish(&run), 0);
	for (i = 0; i < WORKERS; i++)
		assert_int_equal(WTERMSIG(run.board->slot[i].wait_status), SIGTERM);
	assert_int_equal(run.board->stop, 0);
	scoreboard_close(run.board);
}

static void sigterm_ends_the_wait_even_if_it_was_blocked_at_the_start(void **state)
{
	struct board_request request = make_endless_request(PLAN_THREAD);
	sigset_t all, saved;
	struct run run;

	if (HANDLERS_RUN_LATE)
		skip();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &saved);
	run = start(&request);
	sigprocmask(SIG_SETMASK, &saved, NULL);
	await(&run, &run.board->state, BOARD_READY);
	kill(run.pid, SIGTERM);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_DONE);
	assert_int_equal(run.board->stop, 1);
	assert_int_equal(run.board->slot[0].state, SLOT_UNUSED);
	scoreboard_close(run.board);
}

/*
 * Starts a runner to which SIGTSTP is pending, as if Ctrl-Z came after its creation, before it had
 * its own process group.
 */
static pid_t exec_runner_with_a_stop_pending(int board_fd, int life_fd)
{
	const pid_t pid = fork();
	sigset_t stop;

	if (pid != 0)
		return pid;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	raise(SIGTSTP);
	dup2(board_fd, 10);
	dup2(life_fd, 11);
	execl(TEST_RUNNER, "tuibench-runner", "10", "11", NULL);
	_exit(127);
}

static void a_stop_key_pressed_before_the_start_does_not_stop_it(void **state)
{
	struct board_request request = make_request(PLAN_PROCESS, WORKERS);
	struct scoreboard *board;
	int board_fd, life[2], status;
	pid_t pid;

	request.plan.leaves[WORK_NULL] = WORKERS;
	assert_int_equal(scoreboard_create(&request, &board, &board_fd), 0);
	assert_int_equal(pipe2(life, O_CLOEXEC), 0);
	scoreboard_release(board);
	pid = exec_runner_with_a_stop_pending(board_fd, life[0]);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(board->state, BOARD_DONE);
	close(life[0]);
	close(life[1]);
	close(board_fd);
	scoreboard_close(board);
}

static void sigterm_in_the_middle_creates_no_more_and_joins_the_rest(void **state)
{
	struct board_request request = make_request(PLAN_PROCESS, 100000);
	struct run run;
	uint32_t i, joined = 0;

	/*
	 * A pending signal in ThreadSanitizer's memory is copied by fork() to a worker, which then
	 * ends by it.
	 */
	if (HANDLERS_RUN_LATE)
		skip();
	request.plan.barrier = false;
	request.plan.batch = 4;
	run = start(&request);
	scoreboard_release(run.board);
	await(&run, &run.board->slot[0].state, SLOT_JOINED);
	kill(run.pid, SIGTERM);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_DONE);
	for (i = 0; i < run.board->slots && run.board->slot[i].state != SLOT_UNUSED; i++)
		joined += run.board->slot[i].state == SLOT_JOINED;
	assert_int_equal(joined, i);
	assert_true(i >= 1 && i < run.board->slots);
	scoreboard_close(run.board);
}

static void check_preparation(const char *io_path, const char *tmp_dir, const char *culprit)
{
	struct board_request request = make_request(PLAN_PROCESS, 1);
	struct run run;

	request.plan.leaves[WORK_IO] = 1;
	strcpy(request.io_path, io_path);
	strcpy(request.tmp_dir, tmp_dir);
	run = start(&request);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_FAILED);
	assert_int_equal(run.board->failure_stage, STAGE_PREPARE);
	assert_int_equal(run.board->failure_errno, ENOENT);
	assert_string_equal(run.board->failure_path, culprit);
	assert_int_equal(run.board->slot[0].state, SLOT_UNUSED);
	scoreboard_close(run.board);
}

static void a_file_or_folder_that_is_missing_is_named_before_the_run(void **state)
{
	check_preparation("/nowhere/at/all", "/tmp", "/nowhere/at/all");
	check_preparation("/proc/self/exe", "/nowhere/tmp", "/nowhere/tmp");
}

static void check_lines(enum plan_task task, enum board_sink sink)
{
	struct board_request request = make_request(task, 16);
	struct board_totals *totals;
	struct run run;

	request.plan.leaves[WORK_HELLO] = 16;
	request.work_size[WORK_HELLO] = 1000;
	request.sink = sink;
	run = start(&request);
	scoreboard_release(run.board);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_DONE);
	totals = &run.board->totals;
	assert_int_equal(totals->said, 16000);
	assert_true(totals->lines == (sink == SINK_NULL ? UINT64_MAX : 16000));
	assert_true(totals->torn == (sink == SINK_NULL ? UINT64_MAX : 0));
	/*
	 * The drain's reads do not count for the model. The remainder is the text of /proc/self/io.
	 */
	assert_true(totals->read_bytes < 16000);
	assert_int_equal(totals->written_bytes, 16000 * strlen("hello linux\n"));
	assert_int_equal(reap_all(), 0);
	scoreboard_close(run.board);
}

/* Makes a run of one io worker with a file of that path. The caller closes the board. */
static struct run copy_of(const char *path, uint64_t size)
{
	struct board_request request = make_request(PLAN_THREAD, 1);
	struct run run;

	request.plan.leaves[WORK_IO] = 1;
	request.work_size[WORK_IO] = size;
	request.make_io_file = true;
	strcpy(request.io_path, path);
	run = start(&request);
	scoreboard_release(run.board);
	assert_int_equal(finish(&run), 0);
	return run;
}

/* 3 MiB and 5 bytes, which is no multiple of any block. */
#define COPIED (3 * 1048576 + 5)

static void the_file_to_copy_is_made_once(void **state)
{
	char folder[FOLDER_PATH], path[FOLDER_PATH];
	struct run run;
	struct stat st;

	(void)state;
	folder_make(folder);
	folder_write(folder_at(path, folder, "a"), "");
	for (int i = 0; i < 2; i++) {
		run = copy_of(path, COPIED);
		assert_int_equal(run.board->state, BOARD_DONE);
		assert_int_equal(run.board->slot[0].result, COPIED);
		assert_int_equal(run.board->to_prepare, i == 0 ? COPIED : 0);
		assert_int_equal(run.board->prepared, run.board->to_prepare);
		scoreboard_close(run.board);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, COPIED);
	}
	folder_remove(folder);
}

static void a_file_to_copy_without_room_fails_and_leaves_none(void **state)
{
	const struct rlimit small = {1 << 20, RLIM_INFINITY};
	struct rlimit before;
	char folder[FOLDER_PATH], path[FOLDER_PATH];
	struct run run;
	struct stat st;

	(void)state;
	folder_make(folder);
	folder_write(folder_at(path, folder, "a"), "");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	run = copy_of(path, COPIED);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(run.board->state, BOARD_FAILED);
	assert_int_equal(run.board->failure_stage, STAGE_FILE);
	assert_int_equal(run.board->failure_errno, EFBIG);
	assert_string_equal(run.board->failure_path, "/tmp");
	scoreboard_close(run.board);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 0);
	folder_remove(folder);
}

static void every_line_that_is_said_arrives_whole_in_every_sink(void **state)
{
	const enum board_sink sinks[] = {SINK_PIPE, SINK_FILE, SINK_NULL};
	size_t i;

	for (i = 0; i < 3; i++) {
		check_lines(PLAN_THREAD, sinks[i]);
		check_lines(PLAN_PROCESS, sinks[i]);
	}
}

/* A limit on the size of files, which the runner inherits, acts as a full disk. */
static void a_sink_that_takes_no_more_fails_the_run(void **state)
{
	struct board_request request = make_request(PLAN_PROCESS, 2);
	struct rlimit saved, small;
	struct run run;

	request.plan.leaves[WORK_HELLO] = 2;
	request.work_size[WORK_HELLO] = 10000;
	request.sink = SINK_FILE;
	getrlimit(RLIMIT_FSIZE, &saved);
	small = (struct rlimit) {.rlim_cur = 65536, .rlim_max = saved.rlim_max};
	run = start(&request);
	prlimit(run.pid, RLIMIT_FSIZE, &small, NULL);
	scoreboard_release(run.board);
	finish(&run);
	assert_int_equal(run.board->state, BOARD_FAILED);
	assert_int_equal(run.board->failure_stage, STAGE_WORK);
	scoreboard_close(run.board);
}

static void workers_stay_on_the_cores_they_are_pinned_to(void **state)
{
	struct board_request request;
	struct run run;
	cpu_set_t set;
	int task, i, cpu = 0;

	sched_getaffinity(0, sizeof(set), &set);
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	for (task = PLAN_THREAD; task <= PLAN_PROCESS; task++) {
		request = make_request(task, 8);
		CPU_SET(cpu, &request.pin);
		run = start(&request);
		scoreboard_release(run.board);
		assert_int_equal(finish(&run), 0);
		for (i = 0; i < 8; i++) {
			assert_int_equal(run.board->slot[i].cpu_first, cpu);
			assert_int_equal(run.board->slot[i].cpu_last, cpu);
			assert_int_equal(run.board->slot[i].parent_cpu, cpu);
		}
		scoreboard_close(run.board);
	}
}

static void pinning_to_no_core_of_the_machine_fails(void **state)
{
	struct board_request request = make_request(PLAN_THREAD, 1);
	struct run run;

	CPU_SET(CPU_SETSIZE - 1, &request.pin);
	run = start(&request);
	assert_int_equal(finish(&run), 0);
	assert_int_equal(run.board->state, BOARD_FAILED);
	assert_int_equal(run.board->failure_stage, STAGE_SETUP);
	scoreboard_close(run.board);
}

static long resident_kib(pid_t pid)
{
	char path[64], line[256];
	long kib = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &kib);
	fclose(file);
	return kib;
}

static void ballast_is_in_memory_before_the_run(void **state)
{
	struct board_request request = make_request(PLAN_PROCESS, 1);
	struct run run;

	request.ballast = 32 << 20;
	run = start(&request);
	await(&run, &run.board->state, BOARD_READY);
	assert_true(resident_kib(run.pid) >= 32 << 10);
	scoreboard_release(run.board);
	assert_int_equal(finish(&run), 0);
	scoreboard_close(run.board);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void maps_no_library_but_libc(void **state)
{
	struct board_request request = make_request(PLAN_THREAD, 1);
	struct run run = start(&request);
	char path[64], line[512];
	int libraries = 0;
	FILE *maps;

	await(&run, &run.board->state, BOARD_READY);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)run.pid);
	maps = fopen(path, "r");
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (!strstr(line, ".so"))
			continue;
		libraries++;
		assert_true(strstr(line, "/libc") || strstr(line, "/ld-"));
	}
	assert_true(libraries > 0);
	fclose(maps);
	scoreboard_release(run.board);
	assert_int_equal(finish(&run), 0);
	scoreboard_close(run.board);
}
#endif

/* Runs the runner in a shell, with these arguments, and stores what it writes. */
static int run_command(const char *arguments, char *output, size_t size)
{
	char command[512];
	FILE *pipe;
	size_t n;

	snprintf(command, sizeof(command), "'%s' %s", TEST_RUNNER, arguments);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	n = fread(output, 1, size - 1, pipe);
	output[n] = '\0';
	return WEXITSTATUS(pclose(pipe));
}

static int count_lines(const char *text)
{
	int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static void says_in_one_line_who_starts_it(void **state)
{
	const char *const wrong[] = {"", "--nonsense", "3", "3 x", "-1 4", "3 4 5"};
	char arguments[256], output[4096];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(arguments, sizeof(arguments), "%s 2>&1 >/dev/null", wrong[i]);
		if (run_command(arguments, output, sizeof(output)) != 2)
			fail_msg("not refused: %s", wrong[i]);
		assert_string_equal(output, "tuibench-runner: it is started by tuibench(1)\n");
		snprintf(arguments, sizeof(arguments), "%s 2>/dev/null", wrong[i]);
		run_command(arguments, output, sizeof(output));
		assert_string_equal(output, "");
	}
}

static void refuses_descriptors_that_are_no_board(void **state)
{
	char output[4096];

	assert_int_equal(run_command("8 9 2>&1 9</dev/null", output, sizeof(output)),
			 BOARD_EXIT + EBADF);
	assert_int_equal(count_lines(output), 1);
	assert_int_equal(strncmp(output, "tuibench-runner: ", 17), 0);
}

/* Makes orphans children of this program, so that it notices any that are left. */
static int become_subreaper(void **state)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_when_released_and_says_that_it_is_done),
		cmocka_unit_test(a_pipe_that_hangs_up_kills_the_runner_and_its_workers),
		cmocka_unit_test(a_hang_up_kills_the_whole_process_group),
		cmocka_unit_test(a_pipe_that_has_hung_up_before_kills_the_runner),
		cmocka_unit_test(no_task_outlives_a_front_end_that_is_killed),
		cmocka_unit_test(no_worker_outlives_a_runner_that_is_killed),
		cmocka_unit_test(a_crash_of_a_thread_ends_the_runner_without_a_core_file),
		cmocka_unit_test(a_killed_worker_is_reported_and_the_run_goes_on),
		cmocka_unit_test(a_program_that_ends_before_another_has_the_time_of_its_own_end),
		cmocka_unit_test(a_worker_that_gets_sigterm_ends),
		cmocka_unit_test(sigterm_ends_the_wait_even_if_it_was_blocked_at_the_start),
		cmocka_unit_test(a_stop_key_pressed_before_the_start_does_not_stop_it),
		cmocka_unit_test(sigterm_in_the_middle_creates_no_more_and_joins_the_rest),
		cmocka_unit_test(a_file_or_folder_that_is_missing_is_named_before_the_run),
		cmocka_unit_test(the_file_to_copy_is_made_once),
		cmocka_unit_test(a_file_to_copy_without_room_fails_and_leaves_none),
		cmocka_unit_test(every_line_that_is_said_arrives_whole_in_every_sink),
		cmocka_unit_test(a_sink_that_takes_no_more_fails_the_run),
		cmocka_unit_test(workers_stay_on_the_cores_they_are_pinned_to),
		cmocka_unit_test(pinning_to_no_core_of_the_machine_fails),
		cmocka_unit_test(ballast_is_in_memory_before_the_run),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
		cmocka_unit_test(maps_no_library_but_libc),
#endif
		cmocka_unit_test(says_in_one_line_who_starts_it),
		cmocka_unit_test(refuses_descriptors_that_are_no_board),
	};

	return cmocka_run_group_tests(tests, become_subreaper, NULL);
}
