/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/sample.h"
#include "runner/runner.h"
#include "stage/folder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* ThreadSanitizer has its own thread, which counts as a task. */
#ifdef __SANITIZE_THREAD__
#define RUNTIME_HAS_THREAD 1
#else
#define RUNTIME_HAS_THREAD 0
#endif

enum model { THREADS, PROCESSES, HYBRID, REVERSE, MODELS };

/* HYBRID: the last level is threads. REVERSE: only the last level is processes. */
static struct board_request make_request(enum model model, uint32_t levels, const uint32_t *fanout)
{
	struct board_request request = {.plan = {.levels = levels}};
	uint32_t i;

	for (i = 0; i < levels; i++) {
		request.plan.fanout[i] = fanout[i];
		request.plan.task[i] =
			model == PROCESSES || model == HYBRID ? PLAN_PROCESS : PLAN_THREAD;
	}
	if (model == HYBRID)
		request.plan.task[levels - 1] = PLAN_THREAD;
	if (model == REVERSE)
		request.plan.task[levels - 1] = PLAN_PROCESS;
	return request;
}

#define REQUEST(model, ...)                                                                        \
	make_request(model, sizeof((const uint32_t[]) {__VA_ARGS__}) / sizeof(uint32_t),           \
		     (const uint32_t[]) {__VA_ARGS__})

static struct scoreboard *make_board(const struct board_request *request)
{
	struct scoreboard *board;
	int fd;

	assert_int_equal(scoreboard_create(request, &board, &fd), 0);
	close(fd);
	return board;
}

/* Starts the run in a process, as in real sessions. begin() is called there first. */
static pid_t start(struct scoreboard *board, void (*begin)(void))
{
	const struct rlimit none = {0, 0};
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	setrlimit(RLIMIT_CORE, &none);
	crash_install();
	if (begin)
		begin();
	_exit(-spawner_run(board, NULL, NULL, NULL));
}

static int finish(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* Returns the errno of spawner_run(). */
static int run(struct scoreboard *board, void (*begin)(void))
{
	int status = finish(start(board, begin));

	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static const struct worker_slot *slot(const struct scoreboard *board, uint32_t index)
{
	return &board->slot[index];
}

static void check_times(const struct scoreboard *board, uint32_t index)
{
	const struct worker_slot *s = slot(board, index);

	assert_true(board->begin_ns > 0 && board->begin_ns <= s->create_ns);
	assert_true(s->create_ns <= s->created_ns);
	assert_true(s->create_ns <= s->start_ns);
	assert_true(s->start_ns <= s->finish_ns);
	assert_true(s->created_ns <= s->join_ns);
	assert_true(s->finish_ns <= s->join_ns);
	assert_true(s->join_ns <= board->end_ns);
}

static void check_place(const struct scoreboard *board, uint32_t index)
{
	const struct worker_slot *s = slot(board, index), *parent;
	struct plan_node node;

	plan_node(&board->request.plan, index, &node);
	if (node.task == PLAN_PROCESS)
		assert_int_equal(s->pid, s->tid);
	else
		assert_int_not_equal(s->pid, s->tid);
	if (node.parent == PLAN_ROOT)
		return;
	parent = slot(board, node.parent);
	assert_true(parent->start_ns <= s->create_ns);
	assert_true(s->join_ns <= parent->finish_ns);
	assert_true((parent->pid == s->pid) == (node.task == PLAN_THREAD));
}

static void check_order_of_siblings(const struct scoreboard *board, uint32_t index)
{
	struct plan_node node;

	plan_node(&board->request.plan, index, &node);
	if (node.ordinal == 0)
		return;
	assert_true(slot(board, index - 1)->created_ns <= slot(board, index)->create_ns);
	assert_true(slot(board, index)->join_ns <= slot(board, index - 1)->join_ns);
}

static void check_whole(const struct scoreboard *board)
{
	uint32_t i;

	for (i = 0; i < board->slots; i++) {
		assert_int_equal(slot(board, i)->state, SLOT_JOINED);
		assert_int_equal(slot(board, i)->worker, WORKER_FINISHED);
		assert_int_equal(slot(board, i)->error, 0);
		assert_int_equal(slot(board, i)->wait_status, 0);
		assert_true(slot(board, i)->cpu_first >= 0 && slot(board, i)->cpu_last >= 0);
		assert_true(slot(board, i)->parent_cpu >= 0);
		check_times(board, i);
		check_place(board, i);
		check_order_of_siblings(board, i);
	}
	assert_int_equal(board->failure_stage, STAGE_NONE);
}

static void check_shape(struct board_request request)
{
	struct scoreboard *board = make_board(&request);

	assert_int_equal(run(board, NULL), 0);
	check_whole(board);
	scoreboard_close(board);
}

static void every_task_of_every_shape_runs_once_and_is_joined(void **state)
{
	int model;

	for (model = 0; model < MODELS; model++) {
		check_shape(REQUEST(model, 1));
		check_shape(REQUEST(model, 8));
		check_shape(REQUEST(model, 1, 1));
		check_shape(REQUEST(model, 5, 3, 2));
		check_shape(REQUEST(model, 2, 2, 2, 2));
		check_shape(REQUEST(model, 50, 9));
	}
}

static void both_kinds_do_the_work_they_were_given(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	int model, i;

	for (model = THREADS; model <= PROCESSES; model++) {
		request = REQUEST(model, 5);
		request.plan.leaves[WORK_CPU] = 3;
		request.plan.leaves[WORK_IO] = 1;
		request.work_size[WORK_CPU] = 720720;
		request.work_size[WORK_IO] = 1000;
		strcpy(request.io_path, "/proc/self/exe");
		strcpy(request.tmp_dir, "/tmp");
		board = make_board(&request);
		assert_int_equal(run(board, NULL), 0);
		check_whole(board);
		for (i = 0; i < 3; i++)
			assert_int_equal(slot(board, i)->result, 240);
		assert_int_equal(slot(board, 3)->result, 1000);
		assert_int_equal(slot(board, 4)->result, 0);
		scoreboard_close(board);
	}
}

static void check_barrier(struct board_request request)
{
	struct scoreboard *board;
	uint32_t i, first, count;

	request.plan.barrier = true;
	request.plan.leaves[WORK_NULL] = plan_leaves(&request.plan);
	board = make_board(&request);
	assert_int_equal(run(board, NULL), 0);
	check_whole(board);
	first = plan_level(&request.plan, request.plan.levels - 1, &count);
	for (i = 0; i < board->slots; i++) {
		assert_true(slot(board, i)->start_ns <= board->go_ns);
		assert_true(slot(board, i)->finish_ns >= board->go_ns);
	}
	for (i = first; i < first + count; i++)
		assert_true(slot(board, i)->work_ns >= board->go_ns);
	scoreboard_close(board);
}

static void no_work_begins_before_all_leaves_exist(void **state)
{
	int model;

	for (model = 0; model < MODELS; model++) {
		check_barrier(REQUEST(model, 1));
		check_barrier(REQUEST(model, 8));
		check_barrier(REQUEST(model, 4, 4));
		check_barrier(REQUEST(model, 3, 2, 3));
	}
}

static void all_alive_keeps_every_task_until_the_tree_stands(void **state)
{
	struct board_request request;
	uint64_t last_start, first_finish;
	struct scoreboard *board;
	uint32_t i;
	int model;

	for (model = 0; model < MODELS; model++) {
		request = REQUEST(model, 5, 3, 2);
		request.plan.all_alive = true;
		board = make_board(&request);
		assert_int_equal(run(board, NULL), 0);
		check_whole(board);
		last_start = 0;
		first_finish = UINT64_MAX;
		for (i = 0; i < board->slots; i++) {
			if (slot(board, i)->start_ns > last_start)
				last_start = slot(board, i)->start_ns;
			if (slot(board, i)->finish_ns < first_finish)
				first_finish = slot(board, i)->finish_ns;
		}
		assert_true(last_start <= first_finish);
		scoreboard_close(board);
	}
}

static void a_set_stands_to_be_looked_at_where_somebody_looks(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	int model;

	for (model = 0; model < MODELS; model++) {
		request = REQUEST(model, 3, 2, 3);
		request.plan.barrier = true;
		board = make_board(&request);
		assert_int_equal(run(board, NULL), 0);
		assert_int_equal(board->hold_ns, 0);
		scoreboard_close(board);
		request.hold_ms = 60000;
		board = make_board(&request);
		scoreboard_end_hold(board);
		assert_int_equal(run(board, NULL), 0);
		check_whole(board);
		assert_true(board->hold_ns > board->begin_ns && board->hold_ns <= board->go_ns);
		scoreboard_close(board);
	}
}

static void a_batch_is_joined_before_the_next_is_created(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	uint32_t i, j;
	int model;

	for (model = THREADS; model <= PROCESSES; model++) {
		request = REQUEST(model, 23);
		request.plan.batch = 5;
		board = make_board(&request);
		assert_int_equal(run(board, NULL), 0);
		for (i = 0; i < 23; i++) {
			assert_int_equal(slot(board, i)->state, SLOT_JOINED);
			for (j = 0; j < i / 5 * 5; j++)
				assert_true(slot(board, j)->join_ns <= slot(board, i)->create_ns);
		}
		scoreboard_close(board);
	}
}

static void assert_failure(const struct scoreboard *board, enum board_stage stage, int error,
			   uint32_t index)
{
	assert_int_equal(board->failure_stage, stage);
	assert_int_equal(board->failure_errno, error);
	assert_int_equal(board->failure_slot, index);
}

static void a_barrier_in_batches_is_refused(void **state)
{
	struct board_request request = REQUEST(THREADS, 4);
	struct scoreboard *board;

	request.plan.barrier = true;
	request.plan.batch = 2;
	board = make_board(&request);
	assert_int_equal(run(board, NULL), EINVAL);
	assert_failure(board, STAGE_SETUP, EINVAL, PLAN_ROOT);
	assert_int_equal(slot(board, 0)->state, SLOT_UNUSED);
	scoreboard_close(board);
}

static void a_stack_too_small_is_refused_before_anything_is_created(void **state)
{
	struct board_request request = REQUEST(THREADS, 4);
	struct scoreboard *board;

	request.stack_size = 4096;
	board = make_board(&request);
	assert_int_equal(run(board, NULL), EINVAL);
	assert_failure(board, STAGE_SETUP, EINVAL, PLAN_ROOT);
	assert_int_equal(slot(board, 0)->state, SLOT_UNUSED);
	scoreboard_close(board);
}

static void threads_get_the_stack_they_asked_for(void **state)
{
	struct board_request request = REQUEST(THREADS, 4);

	request.stack_size = 256 * 1024;
	check_shape(request);
}

static void a_stack_beyond_memory_is_a_refused_creation(void **state)
{
	struct board_request request = REQUEST(THREADS, 4);
	struct scoreboard *board;

	request.stack_size = (uint64_t)1 << 50;
	board = make_board(&request);
	assert_int_equal(run(board, NULL), EAGAIN);
	assert_failure(board, STAGE_CREATE, EAGAIN, 0);
	assert_int_equal(slot(board, 0)->state, SLOT_REFUSED);
	assert_int_equal(slot(board, 0)->create_error, EAGAIN);
	assert_int_equal(slot(board, 1)->state, SLOT_UNUSED);
	scoreboard_close(board);
}

/* Becomes a user ID that no other program or test uses, so the limit counts only this run. */
static void become_a_user_with_five_tasks(void)
{
	const uid_t user = 30000 + (uid_t)getpid() % 30000;
	const struct rlimit five = {5, 5};

	if (setrlimit(RLIMIT_NPROC, &five) || setresuid(user, user, user))
		_exit(100);
}

/*
 * The limit allows the parent and four tasks, which wait at the barrier. The fifth task is refused,
 * so eight of the twelve are never created.
 */
static void check_unwound(enum model model)
{
	struct board_request request = REQUEST(model, 12);
	struct scoreboard *board;
	uint32_t i;

	request.plan.barrier = true;
	board = make_board(&request);
	assert_int_equal(run(board, become_a_user_with_five_tasks), EAGAIN);
	assert_failure(board, STAGE_CREATE, EAGAIN, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(slot(board, i)->state, SLOT_JOINED);
		assert_int_equal(slot(board, i)->worker, WORKER_FINISHED);
		assert_int_equal(slot(board, i)->error, ECANCELED);
		assert_true(slot(board, i)->join_ns <= board->end_ns);
	}
	assert_int_equal(slot(board, 4)->state, SLOT_REFUSED);
	assert_int_equal(slot(board, 4)->create_error, EAGAIN);
	for (i = 5; i < 12; i++)
		assert_int_equal(slot(board, i)->state, SLOT_UNUSED);
	scoreboard_close(board);
}

static void a_refused_creation_unwinds_the_run(void **state)
{
	if (getuid() != 0 || RUNTIME_HAS_THREAD)
		skip(); /* only root can become another user */
	check_unwound(THREADS);
	check_unwound(PROCESSES);
}

static void a_refused_creation_deep_in_a_tree_unwinds_it(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	uint32_t i, refused;
	int model;

	if (getuid() != 0)
		skip();
	for (model = 0; model < MODELS; model++) {
		request = REQUEST(model, 2, 3, 2);
		request.plan.all_alive = true;
		board = make_board(&request);
		assert_int_equal(run(board, become_a_user_with_five_tasks), EAGAIN);
		assert_int_equal(board->failure_stage, STAGE_CREATE);
		for (i = 0, refused = 0; i < board->slots; i++) {
			refused += slot(board, i)->state == SLOT_REFUSED;
			assert_int_not_equal(slot(board, i)->state, SLOT_CREATING);
			assert_int_not_equal(slot(board, i)->state, SLOT_CREATED);
		}
		assert_true(refused > 0);
		scoreboard_close(board);
	}
}

/* Number of forks until a child dies before its first instruction. */
static atomic_int forks_left;
static __thread bool doomed;

static void count_fork(void)
{
	doomed = atomic_fetch_sub(&forks_left, 1) == 1;
}

static void die_if_doomed(void)
{
	if (doomed)
		_exit(7);
}

static void doom_the_third_fork(void)
{
	atomic_store(&forks_left, 3);
	pthread_atfork(count_fork, NULL, die_if_doomed);
}

static void a_death_before_the_barrier_holds_nobody_up(void **state)
{
	struct board_request request = REQUEST(PROCESSES, 6);
	struct scoreboard *board;
	uint32_t i;

	request.plan.barrier = true;
	board = make_board(&request);
	assert_int_equal(run(board, doom_the_third_fork), EOWNERDEAD);
	assert_failure(board, STAGE_WORK, EOWNERDEAD, 2);
	for (i = 0; i < 6; i++) {
		assert_int_equal(slot(board, i)->state, SLOT_JOINED);
		assert_int_equal(slot(board, i)->worker, i == 2 ? WORKER_NONE : WORKER_FINISHED);
		assert_int_equal(slot(board, i)->error, 0);
		assert_int_equal(WEXITSTATUS(slot(board, i)->wait_status), i == 2 ? 7 : 0);
	}
	scoreboard_close(board);
}

static void a_death_deep_in_a_tree_with_a_barrier_holds_nobody_up(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	uint32_t i, dead;
	int model;

	for (model = PROCESSES; model <= REVERSE; model++) {
		if (model == HYBRID)
			continue; /* all its forks are on the first level */
		request = REQUEST(model, 2, 2, 3);
		request.plan.all_alive = true;
		board = make_board(&request);
		assert_int_equal(run(board, doom_the_third_fork), EOWNERDEAD);
		for (i = 0, dead = 0; i < board->slots; i++) {
			dead += slot(board, i)->wait_status != 0;
			if (slot(board, i)->state != SLOT_UNUSED)
				assert_int_equal(slot(board, i)->state, SLOT_JOINED);
		}
		assert_true(dead > 0);
		scoreboard_close(board);
	}
}

/* A named pipe that nobody writes to. An io worker waits in open() until the test releases it. */
struct pipe_place {
	char dir[FOLDER_PATH], path[FOLDER_PATH];
};

static int make_pipe(void **state)
{
	struct pipe_place *place = calloc(1, sizeof(*place));

	folder_make(place->dir);
	assert_int_equal(mkfifo(folder_at(place->path, place->dir, "pipe"), 0600), 0);
	*state = place;
	return 0;
}

static int remove_pipe(void **state)
{
	struct pipe_place *place = *state;

	unlink(place->path);
	assert_int_equal(rmdir(place->dir), 0);
	free(place);
	return 0;
}

/* Makes a board with one cpu worker and two io workers, slots 1 and 2, which wait at the pipe. */
static struct scoreboard *make_waiting_board(enum model model, const struct pipe_place *place)
{
	struct board_request request = REQUEST(model, 3);

	request.plan.barrier = true;
	request.plan.leaves[WORK_CPU] = 1;
	request.plan.leaves[WORK_IO] = 2;
	request.work_size[WORK_CPU] = 720720;
	strcpy(request.io_path, place->path);
	strcpy(request.tmp_dir, place->dir);
	return make_board(&request);
}

static void await_worker(const struct scoreboard *board, uint32_t index, enum worker_state state)
{
	while (atomic_load_explicit(&slot(board, index)->worker, memory_order_acquire) != state)
		sched_yield();
}

static void await_all_working(const struct scoreboard *board)
{
	await_worker(board, 0, WORKER_FINISHED);
	await_worker(board, 1, WORKER_WORKING);
	await_worker(board, 2, WORKER_WORKING);
}

/*
 * Waits until the task in slot 2 was joined, then opens and closes the pipe from which the worker
 * in slot 1 reads. So that worker reads the end of the pipe, and ends.
 */
static void end_reader(const struct scoreboard *board, const struct pipe_place *place)
{
	int fd;

	while (atomic_load_explicit(&slot(board, 2)->state, memory_order_acquire) != SLOT_JOINED)
		sched_yield();
	fd = open(place->path, O_WRONLY);

	assert_true(fd >= 0);
	close(fd);
}

static void a_killed_worker_process_leaves_the_others_at_work(void **state)
{
	struct scoreboard *board = make_waiting_board(PROCESSES, *state);
	pid_t pid = start(board, NULL);
	int status;

	await_all_working(board);
	assert_int_equal(kill(slot(board, 2)->pid, SIGKILL), 0);
	end_reader(board, *state);
	status = finish(pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WTERMSIG(slot(board, 2)->wait_status), SIGKILL);
	assert_int_equal(slot(board, 2)->worker, WORKER_WORKING);
	assert_int_equal(slot(board, 0)->result, 240);
	assert_int_equal(slot(board, 1)->worker, WORKER_FINISHED);
	assert_int_equal(slot(board, 1)->state, SLOT_JOINED);
	assert_int_equal(slot(board, 1)->wait_status, 0);
	assert_int_equal(board->failure_stage, STAGE_WORK);
	assert_true(board->end_ns > 0);
	scoreboard_close(board);
}

static void a_crash_of_one_thread_ends_the_run_and_names_it(void **state)
{
	struct scoreboard *board = make_waiting_board(THREADS, *state);
	pid_t pid = start(board, NULL);
	int status;

	await_all_working(board);
	assert_int_equal(tgkill(pid, slot(board, 2)->tid, SIGSEGV), 0);
	status = finish(pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_int_equal(slot(board, 2)->worker, WORKER_CRASHED);
	assert_int_equal(slot(board, 2)->signal, SIGSEGV);
	assert_true(slot(board, 2)->finish_ns >= slot(board, 2)->work_ns);
	assert_int_equal(slot(board, 1)->worker, WORKER_WORKING);
	scoreboard_close(board);
}

static void a_crash_of_one_process_ends_that_one(void **state)
{
	struct scoreboard *board = make_waiting_board(PROCESSES, *state);
	pid_t pid = start(board, NULL);
	int status;

	await_all_working(board);
	assert_int_equal(kill(slot(board, 2)->pid, SIGSEGV), 0);
	end_reader(board, *state);
	status = finish(pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(slot(board, 2)->worker, WORKER_CRASHED);
	assert_int_equal(slot(board, 2)->signal, SIGSEGV);
	assert_int_equal(WTERMSIG(slot(board, 2)->wait_status), SIGSEGV);
	assert_int_equal(slot(board, 1)->worker, WORKER_FINISHED);
	scoreboard_close(board);
}

static void a_fault_leaves_its_address_in_the_slot(void **state)
{
	struct board_request request = REQUEST(PROCESSES, 1);
	struct scoreboard *board = make_board(&request);
	const struct rlimit none = {0, 0};
	volatile char *forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		crash_install();
		task_announce(&board->slot[0], getpid(), getpid(), 0);
		forbidden[16] = 1;
		_exit(0);
	}
	status = finish(pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_int_equal(slot(board, 0)->worker, WORKER_CRASHED);
	assert_int_equal(slot(board, 0)->address, (uintptr_t)forbidden + 16);
	munmap((void *)forbidden, 4096);
	scoreboard_close(board);
}

/* A fork inherits the address of its parent's slot. */
static void a_fork_that_crashes_before_it_has_a_slot_leaves_its_parents_alone(void **state)
{
	struct board_request request = REQUEST(PROCESSES, 1);
	struct scoreboard *board = make_board(&request);
	const struct rlimit none = {0, 0};
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		crash_install();
		task_announce(&board->slot[0], getpid(), getpid(), 0);
		if (fork() == 0)
			abort();
		wait(&status);
		_exit(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	}
	status = finish(pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), SIGABRT);
	assert_int_equal(slot(board, 0)->worker, WORKER_STARTED);
	assert_int_equal(slot(board, 0)->signal, 0);
	scoreboard_close(board);
}

/*
 * A program that handles core dumps, such as systemd-coredump, starts even if RLIMIT_CORE is 0. So
 * WCOREDUMP() of the exit status must be false with any limit, after a fault and after a signal
 * that was sent.
 */
static void a_crash_leaves_no_core_whatever_takes_them(void **state)
{
	const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	char folder[FOLDER_PATH];
	int status;

	folder_make(folder);
	for (int sent = 0; sent < 2; sent++) {
		pid_t pid = fork();

		if (pid == 0) {
			/* With the usual core_pattern, a core file would be in this folder. */
			if (chdir(folder) || setrlimit(RLIMIT_CORE, &all))
				_exit(0);
			crash_install();
			if (sent)
				kill(getpid(), SIGABRT);
			else
				*(volatile int *volatile)NULL = 0; /* NOLINT: this is the test */
			_exit(0);
		}
		status = finish(pid);
		if (WIFEXITED(status))
			break; /* a larger limit is not allowed */
		assert_int_equal(WTERMSIG(status), sent ? SIGABRT : SIGSEGV);
		assert_false(WCOREDUMP(status));
	}
	folder_remove(folder);
}

static void work_that_fails_is_reported_and_the_others_go_on(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	int model;

	for (model = THREADS; model <= PROCESSES; model++) {
		request = REQUEST(model, 2);
		request.plan.leaves[WORK_CPU] = request.plan.leaves[WORK_IO] = 1;
		request.work_size[WORK_CPU] = 720720;
		strcpy(request.io_path, "/nowhere/at/all");
		board = make_board(&request);
		assert_int_equal(run(board, NULL), ENOENT);
		assert_failure(board, STAGE_WORK, ENOENT, 1);
		assert_string_equal(board->failure_path, "/nowhere/at/all");
		assert_int_equal(slot(board, 0)->result, 240);
		assert_int_equal(slot(board, 1)->error, ENOENT);
		assert_int_equal(slot(board, 1)->worker, WORKER_FINISHED);
		assert_int_equal(slot(board, 1)->state, SLOT_JOINED);
		scoreboard_close(board);
	}
}

static void a_stopped_run_creates_nothing(void **state)
{
	struct board_request request = REQUEST(THREADS, 4);
	struct scoreboard *board;

	request.plan.barrier = true;
	board = make_board(&request);
	board->stop = 1;
	assert_int_equal(run(board, NULL), 0);
	assert_int_equal(slot(board, 0)->state, SLOT_UNUSED);
	assert_int_equal(board->failure_stage, STAGE_NONE);
	scoreboard_close(board);
}

/*
 * The file is read for the copy, and both files are read again for the comparison. Nothing else
 * counts.
 */
static void totals_hold_the_io_of_all_tasks(void **state)
{
	struct board_request request;
	struct scoreboard *board;
	int model;
	pid_t pid;

	for (model = 0; model < MODELS; model++) {
		request = REQUEST(model, 2, 2);
		request.plan.leaves[WORK_IO] = 4;
		request.work_size[WORK_IO] = 5000;
		strcpy(request.io_path, "/proc/self/exe");
		strcpy(request.tmp_dir, "/tmp");
		board = make_board(&request);
		scoreboard_release(board);
		pid = fork();
		if (pid == 0) {
			runner_execute(board);
			_exit(0);
		}
		assert_int_equal(finish(pid), 0);
		assert_int_equal(board->state, BOARD_DONE);
		assert_int_equal(board->totals.written_bytes, 4 * 5000);
		if (SANITIZED) /* the sanitizer's runtime reads from /proc too */
			assert_true(board->totals.read_bytes >= 4 * 3 * 5000);
		else /* and glibc 2.43 reads a byte where it returns memory of a thread */
			assert_in_range(board->totals.read_bytes, 4 * 3 * 5000, 4 * 3 * 5000 + 4);
		assert_true(board->totals.usage.minflt > 0);
		scoreboard_close(board);
	}
}

static struct board_request creation(enum plan_primitive primitive, uint32_t tasks)
{
	struct board_request request = {.plan = {.levels = 0}};

	plan_creation(primitive, tasks, &request.plan);
	strcpy(request.hello_path, TEST_HELLO);
	return request;
}

/* ThreadSanitizer cannot follow a task that shares its parent's thread-local storage. */
static bool can_be_watched(enum plan_primitive primitive)
{
#ifdef __SANITIZE_THREAD__
	return primitive != PLAN_CLONE && primitive != PLAN_VFORK;
#else
	return true;
#endif
}

static bool is_thread(enum plan_primitive primitive)
{
	return plan_primitive_task(primitive) == PLAN_THREAD;
}

static void check_creation(const struct scoreboard *board, enum plan_primitive primitive,
			   uint32_t i)
{
	const struct worker_slot *s = slot(board, i);

	assert_int_equal(s->state, SLOT_JOINED);
	assert_int_equal(s->worker, WORKER_FINISHED);
	assert_int_equal(s->error, 0);
	assert_int_equal(s->wait_status, 0);
	check_times(board, i);
	assert_true(i == 0 || slot(board, i - 1)->join_ns <= s->create_ns);
	assert_true(s->pid > 0 && s->tid > 0);
	assert_int_equal(s->pid == s->tid, !is_thread(primitive) || primitive == PLAN_CALL ||
						   primitive == PLAN_FIBER);
	assert_true(i == 0 || is_thread(primitive) == (slot(board, i - 1)->pid == s->pid));
}

static void every_primitive_creates_and_joins_one_task_after_the_other(void **state)
{
	enum { TASKS = 40 };
	int primitive;
	uint32_t i;

	for (primitive = PLAN_PLAIN + 1; primitive < PLAN_PRIMITIVES; primitive++) {
		struct board_request request = creation((enum plan_primitive)primitive, TASKS);
		struct scoreboard *board;

		if (!can_be_watched((enum plan_primitive)primitive) ||
		    (primitive == PLAN_FIBER && !fiber_supported()))
			continue;
		board = make_board(&request);
		assert_int_equal(run(board, NULL), 0);
		for (i = 0; i < TASKS; i++)
			check_creation(board, (enum plan_primitive)primitive, i);
		scoreboard_close(board);
	}
}

static void a_vforked_task_runs_before_its_parent_goes_on(void **state)
{
	struct board_request request = creation(PLAN_VFORK, 20);
	struct scoreboard *board;
	uint32_t i;

	if (!can_be_watched(PLAN_VFORK))
		skip();
	board = make_board(&request);
	assert_int_equal(run(board, NULL), 0);
	for (i = 0; i < 20; i++)
		assert_true(slot(board, i)->finish_ns <= slot(board, i)->created_ns);
	scoreboard_close(board);
}

/* The fiber begins before its parent continues, and ends when the parent joins it. */
static void a_fiber_runs_by_turns_with_its_parent(void **state)
{
	struct board_request request = creation(PLAN_FIBER, 20);
	struct scoreboard *board;

	if (!fiber_supported())
		skip();
	board = make_board(&request);
	assert_int_equal(run(board, NULL), 0);
	for (uint32_t i = 0; i < 20; i++) {
		assert_true(slot(board, i)->start_ns <= slot(board, i)->created_ns);
		assert_true(slot(board, i)->created_ns <= slot(board, i)->finish_ns);
		assert_true(slot(board, i)->finish_ns <= slot(board, i)->join_ns);
	}
	scoreboard_close(board);
}

static void a_missing_program_is_reported_with_its_path(void **state)
{
	static const enum plan_primitive runs[] = {PLAN_POSIX_SPAWN, PLAN_FORK_EXEC};
	static const enum board_stage stages[] = {STAGE_CREATE, STAGE_WORK};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct board_request request = creation(runs[i], 3);
		struct scoreboard *board;

		strcpy(request.hello_path, "/nonexistent/program");
		board = make_board(&request);
		assert_int_equal(run(board, NULL), ENOENT);
		assert_int_equal(board->failure_stage, stages[i]);
		assert_int_equal(board->failure_slot, 0);
		scoreboard_close(board);
	}
}

/* A program that ends without its report. */
static void a_program_that_says_nothing_is_a_failure(void **state)
{
	struct board_request request = creation(PLAN_FORK_EXEC, 3);
	struct scoreboard *board;

	strcpy(request.hello_path, "/bin/true");
	board = make_board(&request);
	assert_int_equal(run(board, NULL), EPROTO);
	assert_int_equal(board->failure_stage, STAGE_JOIN);
	scoreboard_close(board);
}

static void a_primitive_in_a_tree_is_refused(void **state)
{
	struct board_request request = REQUEST(PROCESSES, 2, 2);
	struct scoreboard *board;

	request.plan.primitive = PLAN_FORK;
	board = make_board(&request);
	assert_int_equal(run(board, NULL), EINVAL);
	assert_int_equal(board->failure_stage, STAGE_SETUP);
	scoreboard_close(board);
}

/*
 * Checks that a worker's slices follow each other during its work, and are as long as its CPU clock
 * says.
 */
static void check_slices(struct scoreboard *board, uint32_t index)
{
	const struct worker_slot *s = slot(board, index);
	struct slices *ring = scoreboard_slices(board, index);
	struct slice taken[2048];
	struct slices_open open;
	uint32_t n = slices_take(ring, board->request.slices, taken, 2048, &open);
	uint64_t at = s->start_ns, on = 0;

	assert_true(n > 0 && n < 2048 && ring->ended);
	assert_int_equal(open.on_ns, 0);
	assert_int_equal(slices_lost(ring), 0);
	for (uint32_t i = 0; i < n; i++) {
		assert_true(taken[i].on_ns >= at && taken[i].off_ns >= taken[i].on_ns);
		assert_true(taken[i].cpu >= 0);
		assert_int_equal(taken[i].why == WHY_ENDED, i == n - 1);
		on += taken[i].off_ns - taken[i].on_ns;
		at = taken[i].off_ns;
	}
	assert_true(at <= s->finish_ns);
	assert_true(on / 1000 <= s->usage.user_us + s->usage.system_us +
					 (s->usage.user_us + s->usage.system_us) / 10 + 1000);
	assert_true(s->delay_ns >= -1);
}

/* Checks the counts. If counters are not allowed, the worker says so. */
static void check_counts(const struct worker_slot *s)
{
	uint64_t took = s->finish_ns - s->work_ns;

	if (took >= 10000000 && access("/proc/thread-self/sched", R_OK) == 0)
		assert_true(s->known & KNOWN_MIGRATIONS);
	if (s->count_error) {
		assert_false(s->known & KNOWN_COUNTS);
		return;
	}
	assert_true(s->known & KNOWN_COUNTS);
	assert_in_range(s->count[COUNTERS_CYCLES], 1,
			took + 100000000); /* a host may take the core away in between */
	assert_int_equal(s->count[COUNTERS_INSTRUCTIONS],
			 s->count[COUNTERS_CACHE] + s->count[COUNTERS_TLB]);
	assert_true(s->count[COUNTERS_CACHE] <= (int64_t)s->usage.minflt);
}

static void check_not_counted(const struct worker_slot *s)
{
	assert_int_equal(s->known, 0);
	assert_int_equal(s->count_error, 0);
}

static void check_watched(enum model model)
{
	struct board_request request = REQUEST(model, 5);
	struct scoreboard *board;

	request.plan.barrier = true;
	request.plan.leaves[WORK_CPU] = 2;
	request.plan.leaves[WORK_MEM] = 1;
	request.plan.leaves[WORK_WRITE] = 1;
	request.plan.leaves[WORK_NULL] = 1;
	request.work_size[WORK_CPU] = 5000000;
	request.work_size[WORK_MEM] = 1 << 20;
	request.work_size[WORK_WRITE] = 1 << 20;
	request.slices = 2048;
	request.tick_ns = 16000;
	request.migrations = true;
	request.counters = COUNTERS_SOFTWARE;
	strcpy(request.tmp_dir, "/tmp");
	board = make_board(&request);
	assert_int_equal(run(board, NULL), 0);
	for (uint32_t i = 0; i < 5; i++) {
		struct plan_node node;

		plan_node(&request.plan, i, &node);
		if (node.work == WORK_NULL) {
			assert_false(scoreboard_slices(board, i)->ended);
			check_not_counted(slot(board, i));
		} else {
			check_slices(board, i);
			check_counts(slot(board, i));
		}
	}
	scoreboard_close(board);
}

static void workers_with_a_loop_are_watched_and_counted(void **state)
{
	check_watched(THREADS);
	check_watched(PROCESSES);
}

#define WITH_PIPE(test) cmocka_unit_test_setup_teardown(test, make_pipe, remove_pipe)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_task_of_every_shape_runs_once_and_is_joined),
		cmocka_unit_test(both_kinds_do_the_work_they_were_given),
		cmocka_unit_test(no_work_begins_before_all_leaves_exist),
		cmocka_unit_test(all_alive_keeps_every_task_until_the_tree_stands),
		cmocka_unit_test(a_set_stands_to_be_looked_at_where_somebody_looks),
		cmocka_unit_test(a_batch_is_joined_before_the_next_is_created),
		cmocka_unit_test(a_barrier_in_batches_is_refused),
		cmocka_unit_test(a_stack_too_small_is_refused_before_anything_is_created),
		cmocka_unit_test(threads_get_the_stack_they_asked_for),
		cmocka_unit_test(a_stack_beyond_memory_is_a_refused_creation),
		cmocka_unit_test(a_refused_creation_unwinds_the_run),
		cmocka_unit_test(a_refused_creation_deep_in_a_tree_unwinds_it),
		cmocka_unit_test(a_death_before_the_barrier_holds_nobody_up),
		cmocka_unit_test(a_death_deep_in_a_tree_with_a_barrier_holds_nobody_up),
		WITH_PIPE(a_killed_worker_process_leaves_the_others_at_work),
		WITH_PIPE(a_crash_of_one_thread_ends_the_run_and_names_it),
		WITH_PIPE(a_crash_of_one_process_ends_that_one),
		cmocka_unit_test(a_fault_leaves_its_address_in_the_slot),
		cmocka_unit_test(a_fork_that_crashes_before_it_has_a_slot_leaves_its_parents_alone),
		cmocka_unit_test(a_crash_leaves_no_core_whatever_takes_them),
		cmocka_unit_test(work_that_fails_is_reported_and_the_others_go_on),
		cmocka_unit_test(a_stopped_run_creates_nothing),
		cmocka_unit_test(totals_hold_the_io_of_all_tasks),
		cmocka_unit_test(every_primitive_creates_and_joins_one_task_after_the_other),
		cmocka_unit_test(a_vforked_task_runs_before_its_parent_goes_on),
		cmocka_unit_test(a_fiber_runs_by_turns_with_its_parent),
		cmocka_unit_test(a_missing_program_is_reported_with_its_path),
		cmocka_unit_test(a_program_that_says_nothing_is_a_failure),
		cmocka_unit_test(a_primitive_in_a_tree_is_refused),
		cmocka_unit_test(workers_with_a_loop_are_watched_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
