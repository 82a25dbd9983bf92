/* SPDX-License-Identifier: MIT */
#include "source/live_tasks.h"

#include "stage/check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define BEGIN_NS INT64_C(1000000000)

static struct scoreboard *make_board(void)
{
	const struct board_request request = {
		.plan = {.levels = 1, .fanout = {1}, .leaves = {[WORK_PROGRAM] = 1}}};
	struct scoreboard *board;
	int fd;

	assert_int_equal(scoreboard_create(&request, &board, &fd), 0);
	close(fd);
	return board;
}

static void begin_command(struct scoreboard *board, pid_t pid)
{
	atomic_store(&board->slot[0].child, pid);
	atomic_store(&board->slot[0].worker, WORKER_WORKING);
}

/* The test reports tasks as the connector or perf would, with PIDs that no process here has. */
static void tasks_of_a_command_are_numbered_below_their_process(void **state)
{
	struct scoreboard *board = make_board();
	struct live_tasks tasks;
	const struct sample_task *list;
	uint32_t n;

	(void)state;
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_PERF, 1 << 23, board), 0);
	/* The runner's child becomes the command. Another program's child is no task. */
	assert_non_null(live_tasks_begin(&tasks, 5000001, 5000001, 1 << 23, BEGIN_NS));
	assert_null(live_tasks_begin(&tasks, 5000009, 5000009, 5000008, BEGIN_NS));
	assert_non_null(live_tasks_begin(&tasks, 5000002, 5000001, 5000001, BEGIN_NS + 1));
	assert_non_null(live_tasks_begin(&tasks, 5000003, 5000003, 5000002, BEGIN_NS + 2));
	live_tasks_take(&tasks, (uint64_t)BEGIN_NS, false, &n);
	assert_int_equal(n, 0);
	begin_command(board, 5000001);
	list = live_tasks_take(&tasks, (uint64_t)BEGIN_NS, false, &n);
	assert_int_equal(n, 3);
	assert_int_equal(list[0].index, board->slots);
	assert_int_equal(list[0].parent, -1);
	/* A thread created the third task, which belongs to the thread's process. */
	assert_int_equal(list[1].parent, board->slots);
	assert_int_equal(list[2].parent, board->slots);
	assert_int_equal(list[2].begin_ns, 2);
	live_tasks_end(&tasks, live_tasks_find(&tasks, 5000003), BEGIN_NS + 9, 3, -1);
	assert_null(live_tasks_find(&tasks, 5000003));
	list = live_tasks_take(&tasks, (uint64_t)BEGIN_NS, false, &n);
	assert_int_equal(n, 1);
	assert_int_equal(list[0].end_ns, 9);
	assert_int_equal(list[0].exit_status, 3);
	assert_int_equal(list[0].cpu_ns, -1);
	/* The PID is used again, for a new task. */
	assert_non_null(live_tasks_begin(&tasks, 5000003, 5000003, 5000001, BEGIN_NS + 20));
	list = live_tasks_take(&tasks, (uint64_t)BEGIN_NS, true, &n);
	assert_int_equal(n, 3);
	assert_int_equal(list[0].index, board->slots + 3);
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

/* A process's first thread may end before the others, which continue to create tasks. */
static void tasks_of_a_process_whose_first_thread_ended_are_its_own(void **state)
{
	struct scoreboard *board = make_board();
	struct live_tasks tasks;
	const struct sample_task *list;
	struct live_task *first;
	uint32_t n;

	(void)state;
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_PERF, 1 << 23, board), 0);
	live_tasks_begin(&tasks, 5000001, 5000001, 1 << 23, BEGIN_NS);
	live_tasks_begin(&tasks, 5000002, 5000001, 5000001, BEGIN_NS + 1);
	live_tasks_end(&tasks, live_tasks_find(&tasks, 5000001), BEGIN_NS + 2, -1, 7);
	begin_command(board, 5000001);
	assert_non_null(live_tasks_begin(&tasks, 5000003, 5000001, 5000001, BEGIN_NS + 3));
	assert_non_null(live_tasks_begin(&tasks, 5000004, 5000004, 5000001, BEGIN_NS + 3));
	list = live_tasks_take(&tasks, (uint64_t)BEGIN_NS, false, &n);
	assert_int_equal(n, 4);
	assert_int_equal(list[2].parent, board->slots);
	assert_int_equal(list[3].parent, board->slots);
	/* A thread calls execve(2): the other threads end, and it becomes the first one. */
	live_tasks_end(&tasks, live_tasks_find(&tasks, 5000002), BEGIN_NS + 4, -1, -1);
	first = live_tasks_find(&tasks, 5000001);
	assert_non_null(first);
	live_tasks_exec(&tasks, first, BEGIN_NS + 5);
	assert_null(live_tasks_find(&tasks, 5000003));
	assert_non_null(live_tasks_find(&tasks, 5000004));
	list = live_tasks_take(&tasks, (uint64_t)BEGIN_NS, false, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (list[i].tid == 5000001) {
			assert_int_equal(list[i].end_ns, -1);
			assert_int_equal(list[i].cpu_ns, -1);
		} else if (list[i].tid == 5000003) {
			assert_int_equal(list[i].end_ns, 5);
		}
	}
	/* When its last thread ends, the process has ended. */
	live_tasks_end(&tasks, first, BEGIN_NS + 9, 0, 8);
	assert_null(live_tasks_find(&tasks, 5000001));
	assert_null(live_tasks_begin(&tasks, 5000005, 5000005, 5000001, BEGIN_NS + 10));
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

/* A program may create more tasks than have a row, and these may create more. */
static void tasks_without_room_are_counted_with_all_that_they_create(void **state)
{
	struct scoreboard *board = make_board();
	struct live_tasks tasks;
	uint32_t n;

	(void)state;
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_PERF, 1 << 21, board), 0);
	live_tasks_begin(&tasks, 1000001, 1000001, 1 << 21, BEGIN_NS);
	begin_command(board, 1000001);
	live_tasks_take(&tasks, (uint64_t)BEGIN_NS, false, &n);
	for (int32_t i = 2; tasks.n_indexed < SAMPLE_MOST_TASKS; i++) {
		live_tasks_begin(&tasks, 1000000 + i, 1000000 + i, 1000001, BEGIN_NS);
		live_tasks_end(&tasks, live_tasks_find(&tasks, 1000000 + i), BEGIN_NS + 1, 0, -1);
	}
	live_tasks_begin(&tasks, 8, 8, 1000001, BEGIN_NS + 2);
	assert_int_equal(tasks.lost, 1);
	/* The list is full now. Add a child, its thread, and the child of that thread. */
	while (live_tasks_begin(&tasks, 9, 9, 1000001, BEGIN_NS + 2))
		;
	n = (uint32_t)tasks.lost;
	assert_null(live_tasks_begin(&tasks, 10, 10, 9, BEGIN_NS + 3));
	assert_null(live_tasks_begin(&tasks, 11, 10, 9, BEGIN_NS + 3));
	assert_null(live_tasks_begin(&tasks, 12, 12, 11, BEGIN_NS + 3));
	assert_int_equal(tasks.lost, n + 3);
	/* After the task has ended, another program has its PID. */
	live_tasks_gone(&tasks, 10);
	assert_null(live_tasks_begin(&tasks, 13, 13, 10, BEGIN_NS + 4));
	assert_int_equal(tasks.lost, n + 3);
	assert_false(tasks.overflowed);
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

/*
 * A wait for another task, such as for the GIL, may last 5 ms. A task that is alone has no such
 * waits, and tasks that switch often have shorter ones.
 */
static void a_task_that_is_alone_or_switches_often_is_read_less_often(void **state)
{
	struct scoreboard *board = make_board();
	struct live_tasks tasks;

	(void)state;
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_PERF, 1 << 21, board), 0);
	/* A short program must be seen before it ends. */
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_WAITS_NS);
	tasks.seldom = true;
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_WAITS_NS);
	tasks.seldom = false;
	live_tasks_begin(&tasks, 5000001, 5000001, 1 << 21, BEGIN_NS);
	begin_command(board, 5000001);
	live_tasks_look(&tasks, (uint64_t)BEGIN_NS);
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_ALONE_NS);
	live_tasks_begin(&tasks, 5000002, 5000001, 5000001, BEGIN_NS + 1);
	tasks.next_ns = 0;
	live_tasks_look(&tasks, (uint64_t)BEGIN_NS + 2);
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_WAITS_NS);
	tasks.seldom = true;
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_ALONE_NS);
	tasks.seldom = false;
	live_tasks_end(&tasks, live_tasks_find(&tasks, 5000002), BEGIN_NS + 3, -1, -1);
	tasks.next_ns = 0;
	live_tasks_look(&tasks, (uint64_t)BEGIN_NS + 4);
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_ALONE_NS);
	live_tasks_close(&tasks);
	/* Polling finds tasks only when it looks. */
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_POLLING, 1 << 21, board), 0);
	tasks.alive = 1;
	assert_int_equal(live_tasks_interval_ns(&tasks), TASKS_PERIOD_NS);
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

static void polling_has_a_command_that_ended_before_it_looked(void **state)
{
	struct scoreboard *board = make_board();
	const struct sample_task *list;
	struct live_tasks tasks;
	uint32_t n;

	(void)state;
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_POLLING, 1 << 23, board), 0);
	/* No command has begun, so nothing is read, and no interval begins. */
	live_tasks_look(&tasks, (uint64_t)BEGIN_NS);
	assert_int_equal(tasks.next_ns, 0);
	begin_command(board, 5000001);
	board->slot[0].start_ns = board->slot[0].work_ns = (uint64_t)BEGIN_NS + 1;
	board->slot[0].finish_ns = (uint64_t)BEGIN_NS + 2;
	atomic_store(&board->slot[0].worker, WORKER_FINISHED);
	list = live_tasks_take(&tasks, (uint64_t)BEGIN_NS, true, &n);
	assert_int_equal(n, 1);
	assert_int_equal(list[0].begin_ns, 1);
	assert_int_equal(list[0].end_ns, 2);
	assert_int_equal(list[0].exit_status, 0);
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

static int64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Starts a child that computes, sleeps and computes: 0.3 s on a core. */
static pid_t start_child(void)
{
	const struct timespec nap = {0, 120000000};
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	/* Until the first look. */
	raise(SIGSTOP);
	while (thread_ns() < 150000000)
		;
	nanosleep(&nap, NULL);
	while (thread_ns() < 300000000)
		;
	_exit(0);
}

static void schedstat_says_what_a_task_did_and_how_long_it_computed(void **state)
{
	struct scoreboard *board = make_board();
	const struct timespec pause = {0, (long)TASKS_PERIOD_NS};
	const uint64_t begin_ns = clock_now_ns();
	struct sample_slice *list = NULL;
	const struct sample_task *task;
	size_t n = 0, cap = 0;
	struct live_tasks tasks;
	int64_t on_ns = 0, used_ns, blocked_ns = 0;
	struct rusage usage;
	siginfo_t info;
	uint32_t taken;
	pid_t pid;

	(void)state;
	if (access("/proc/self/schedstat", R_OK) < 0)
		skip();
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_POLLING, getpid(), board), 0);
	pid = start_child();
	begin_command(board, pid);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WSTOPPED), 0);
	live_tasks_look(&tasks, clock_now_ns());
	kill(pid, SIGCONT);
	do {
		info.si_pid = 0;
		assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
		/* The last look sees a zombie. */
		tasks.next_ns = 0;
		live_tasks_look(&tasks, clock_now_ns());
		nanosleep(&pause, NULL);
	} while (info.si_pid == 0);
	task = live_tasks_take(&tasks, begin_ns, true, &taken);
	assert_int_equal(taken, 1);
	assert_int_equal(live_tasks_slices(&tasks, begin_ns, &list, &n, &cap), 0);
	assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
	used_ns = (int64_t)(clock_us(usage.ru_utime) + clock_us(usage.ru_stime)) * 1000;
	assert_true(n >= 1);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(list[i].index, board->slots);
		assert_int_equal(list[i].cpu, -1);
		assert_false(list[i].open);
		assert_true(list[i].on_ns < list[i].off_ns);
		assert_in_range(list[i].ready_ns, i > 0 ? list[i - 1].off_ns : 0, list[i].on_ns);
		on_ns += list[i].off_ns - list[i].on_ns;
		if (i == 0 || list[i - 1].why == WHY_BLOCKED)
			blocked_ns += list[i].ready_ns - (i > 0 ? list[i - 1].off_ns : 0);
	}
	assert_true(blocked_ns >= 60000000);
	assert_true(on_ns <= used_ns + used_ns / 50);
#ifndef __SANITIZE_ADDRESS__
	assert_true(on_ns >= used_ns - used_ns / 50);
	if (task->cpu_ns >= 0)
		assert_in_range(task->cpu_ns, used_ns / 100 * 99, used_ns / 100 * 101);
#endif
	free(list);
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

/* Writes the system call of a task below the root, with the call's arguments. */
static void call(const char *root, int pid, int tid, const char *format, ...)
{
	char path[128];
	va_list args;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d", root, pid);
	mkdir(path, 0700);
	strcat(path, "/task");
	mkdir(path, 0700);
	snprintf(path + strlen(path), 32, "/%d", tid);
	mkdir(path, 0700);
	strcat(path, "/syscall");
	file = fopen(path, "w");
	assert_non_null(file);
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	assert_int_equal(fclose(file), 0);
}

#define REST "0x0 0x0 0x0 0x7fffd68a6ab8 0x7f4cca4972ad\n"
#define FUTEX(address, what, value)                                                                \
	"%d " address " %#x %#x " REST, (int)SYS_futex, (unsigned)(what), (unsigned)(value)

static void equal_futexes_have_one_name(void **state)
{
	char root[] = "/tmp/test_live_tasks_XXXXXX", path[128], text[16];
	struct scoreboard *board = make_board();
	struct live_tasks tasks;
	const struct live_task *one, *two, *child;

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_PERF, 1 << 23, board), 0);
	live_tasks_begin(&tasks, 5000001, 5000001, 1 << 23, BEGIN_NS);
	live_tasks_begin(&tasks, 5000002, 5000001, 5000001, BEGIN_NS);
	live_tasks_begin(&tasks, 5000003, 5000003, 5000001, BEGIN_NS);
	one = live_tasks_find(&tasks, 5000001);
	two = live_tasks_find(&tasks, 5000002);
	child = live_tasks_find(&tasks, 5000003);
	call(root, 5000001, 5000001, FUTEX("0x1000", FUTEX_WAIT_PRIVATE, 2));
	call(root, 5000001, 5000002, FUTEX("0x1000", FUTEX_WAIT_PRIVATE, 2));
	call(root, 5000003, 5000003, FUTEX("0x1000", FUTEX_WAIT_PRIVATE, 2));
	assert_int_equal(live_waits_read(&tasks, one, root), WAIT_LOCK + 1);
	assert_int_equal(live_waits_read(&tasks, two, root), WAIT_LOCK + 1);
	/* A forked process has its own lock. */
	assert_int_equal(live_waits_read(&tasks, child, root), WAIT_LOCK + 2);
	call(root, 5000001, 5000002, FUTEX("0x2000", FUTEX_WAIT_PRIVATE, 2));
	assert_int_equal(live_waits_read(&tasks, two, root), WAIT_LOCK + 3);
	/* A lock that both may share. */
	call(root, 5000001, 5000001, FUTEX("0x3000", FUTEX_WAIT, 2));
	call(root, 5000003, 5000003, FUTEX("0x3000", FUTEX_WAIT, 2));
	assert_int_equal(live_waits_read(&tasks, one, root), WAIT_LOCK + 4);
	assert_int_equal(live_waits_read(&tasks, child, root), WAIT_LOCK + 4);
	assert_string_equal(sample_wait_name(WAIT_LOCK + 4, text, sizeof(text)), "lock 4");
	/* pthread_join() of a thread of the same process. */
	call(root, 5000001, 5000001, FUTEX("0x4000", FUTEX_WAIT, 5000002));
	assert_int_equal(live_waits_read(&tasks, one, root), WAIT_THREAD);
	/* Any address in the state of Python's runtime is the GIL's, with or without a timeout. */
	free(tasks.pythons);
	tasks.pythons = calloc(1, sizeof(*tasks.pythons));
	assert_non_null(tasks.pythons);
	tasks.n_pythons = tasks.cap_pythons = 1;
	tasks.pythons[0] = (struct live_python) {5000003, 0x8000, 0x9000};
	call(root, 5000003, 5000003, FUTEX("0x8ff0", FUTEX_WAIT_PRIVATE, 2));
	assert_int_equal(live_waits_read(&tasks, child, root), WAIT_GIL);
	call(root, 5000003, 5000003,
	     "%d 0x8ff4 %#x 0x2 0x7ffd0 0x0 0x0 0x7fffd68a6ab8 0x7f4cca4972ad\n", (int)SYS_futex,
	     (unsigned)FUTEX_WAIT_PRIVATE);
	assert_int_equal(live_waits_read(&tasks, child, root), WAIT_GIL);
	call(root, 5000003, 5000003, FUTEX("0x9000", FUTEX_WAIT_PRIVATE, 2));
	assert_int_equal(live_waits_read(&tasks, child, root), WAIT_LOCK + 5);
	/* Not blocked; not in a call; gone; another architecture's numbers of calls. */
	call(root, 5000001, 5000001, "running\n");
	assert_int_equal(live_waits_read(&tasks, one, root), 0);
	call(root, 5000001, 5000001, "-1 0x7fffd68a6ab8 0x7f4cca4972ad\n");
	assert_int_equal(live_waits_read(&tasks, one, root), 0);
	assert_int_equal(live_waits_read(&tasks, one, "/nonexistent"), 0);
	if (sizeof(long) == 8) {
		call(root, 5000001, 5000001, "%d 0x0 0x0 0x0 0x0 0x0 0x0 0xffff0000 0xf7f00000\n",
		     (int)SYS_futex);
		assert_int_equal(live_waits_read(&tasks, one, root), 0);
	}
	live_tasks_close(&tasks);
	scoreboard_close(board);
	snprintf(path, sizeof(path), "rm -r %s", root);
	assert_int_equal(system(path), 0);
}

static void blocked_tasks_say_what_they_wait_for(void **state)
{
	struct scoreboard *board = make_board();
	const struct timespec pause = {0, (long)TASKS_PERIOD_NS}, forever = {1000, 0};
	const enum sample_wait wanted[] = {WAIT_PIPE, WAIT_SLEEP, WAIT_CHILD, WAIT_SIGNAL};
	struct live_tasks tasks;
	int ends[2];

	(void)state;
	if (access("/proc/self/syscall", R_OK) < 0)
		skip();
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(live_tasks_open(&tasks, TASKS_BY_POLLING, getpid(), board), 0);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		struct live_task task = {.end_ns = -1};
		int got = 0;
		char byte;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			setpgid(0, 0);
			if (i == 0)
				_exit((int)read(ends[0], &byte, 1));
			if (i == 2 && fork() > 0)
				_exit(wait(NULL));
			if (i == 3)
				_exit(sigsuspend(&(sigset_t) {0}));
			_exit(nanosleep(&forever, NULL));
		}
		task.pid = task.tid = pid;
		for (int tries = 0; tries < 2000 && got != (int)wanted[i]; tries++) {
			got = live_waits_read(&tasks, &task, "/proc");
			nanosleep(&pause, NULL);
		}
		kill(-pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_int_equal(got, wanted[i]);
	}
	close(ends[0]);
	close(ends[1]);
	live_tasks_close(&tasks);
	scoreboard_close(board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_of_a_command_are_numbered_below_their_process),
		cmocka_unit_test(tasks_of_a_process_whose_first_thread_ended_are_its_own),
		cmocka_unit_test(tasks_without_room_are_counted_with_all_that_they_create),
		cmocka_unit_test(a_task_that_is_alone_or_switches_often_is_read_less_often),
		cmocka_unit_test(polling_has_a_command_that_ended_before_it_looked),
		cmocka_unit_test(equal_futexes_have_one_name),
		cmocka_unit_test(blocked_tasks_say_what_they_wait_for),
		cmocka_unit_test(schedstat_says_what_a_task_did_and_how_long_it_computed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
