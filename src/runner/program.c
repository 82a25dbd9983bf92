/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/work_file.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

/*
 * Marks all descriptors except the standard ones as close-on-exec (Linux 5.11). On an older kernel,
 * a program has a few more open files, which do not disturb it. Uses the system call itself,
 * because musl has no close_range(). No terminal needs closing, because the runner's session has
 * none.
 */
void program_detach(void)
{
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
}

/* Points argv to the words, which follow one another in memory. */
static void list_words(const char *word, uint32_t n, char *argv[COMMAND_WORDS + 1])
{
	n = MIN(n, COMMAND_WORDS);
	for (uint32_t i = 0; i < n; i++) {
		argv[i] = (char *)word;
		word += strlen(word) + 1;
	}
	argv[n] = NULL;
}

int program_output(const struct board_request *request)
{
	int fd = request->output_fd, error = 0;

	/*
	 * Use O_APPEND, because workers share the file. Without it, cat(1), which copies within the
	 * kernel, would overwrite the output of others.
	 */
	if (*request->output_path)
		fd = open(request->output_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
			  0666);
	if (fd < 0 || (fd > 0 && dup2(fd, STDOUT_FILENO) < 0))
		error = errno;
	if (fd > 0)
		close(fd);
	return error;
}

int program_spawn(pid_t *pid, const char *path, const char *words, uint32_t n, const char *input)
{
	char *argv[COMMAND_WORDS + 1];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all;
	int error;

	list_words(words, n, argv);
	/* Reset all signals, because the program would inherit the ignored ones. */
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawn_file_actions_init(&files);
	if (!error && *input)
		error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
	if (!error)
		error = posix_spawnp(pid, path, &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return error;
}

/*
 * Stores the exit status as shells report it. Any status but 0 fails the run, with two exceptions:
 * the run was cut off, or the user ignores failures and the program exited.
 */
static void take_status(struct task *task, int status)
{
	struct worker_slot *slot = task_slot(task);
	bool ignored = task->team->board->request.ignore_failure && WIFEXITED(status);

	ignored |= atomic_load(&task->team->board->cut) == 1;

	slot->result = (uint64_t)(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	if (status == 0 || ignored)
		return;
	slot->error = ECHILD;
	task_fail(task, STAGE_WORK, ECHILD, NULL);
}

/*
 * Reports a failure. Writes only to the board's memory, because after vfork(2) all other memory is
 * the parent's.
 */
static void fail_program(struct task *task, int error)
{
	task_slot(task)->error = error;
	task_fail(task, STAGE_WORK, error, task->team->board->request.program_path);
}

/*
 * Becomes the program. Returns only on failure, after reporting it. Resets the signals that the
 * runner ignores, because a program would inherit them.
 */
static void become_program(struct task *task)
{
	const struct board_request *request = &task->team->board->request;
	char *argv[COMMAND_WORDS + 1];

	list_words(request->program_words, request->program_n, argv);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	/* Open the file anew, so that each program reads it from its beginning. */
	if (*request->input_path) {
		int fd = open(request->input_path, O_RDONLY | O_CLOEXEC);

		if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) {
			fail_program(task, errno);
			return;
		}
	}
	execve(request->program_path, argv, environ);
	fail_program(task, errno);
}

/*
 * Starts a program without a barrier. Between fork(2) or vfork(2) and execve(2), the child may
 * share memory with its parent, so it calls nothing that changes memory. Like all workers, it dies
 * with its parent.
 */
_Noreturn void program_begin(struct task *task)
{
	struct worker_slot *slot = task_slot(task);

	slot->start_ns = clock_now_ns();
	slot->cpu_first = (int16_t)task_current_cpu();
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != task->team->pid)
		_exit(EXIT_FAILURE);
	slot->pid = slot->tid = getpid();
	slot->work_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_WORKING, memory_order_release);
	become_program(task);
	slot->finish_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
	_exit(EXIT_SUCCESS);
}

/*
 * Starts a program in a child. Returns when the program is loaded. Only the program itself could
 * report its beginning more exactly.
 */
int program_start(struct task *task)
{
	const struct board_request *request = &task->team->board->request;
	struct worker_slot *slot = task_slot(task);
	int error = program_spawn(&task->pid, request->program_path, request->program_words,
				  request->program_n, request->input_path);

	if (error == EAGAIN || error == ENOMEM)
		return error;
	slot->start_ns = slot->work_ns = slot->finish_ns = clock_now_ns();
	slot->cpu_first = slot->cpu_last = -1;
	slot->pid = slot->tid = error ? task->team->pid : task->pid;
	/* posix_spawn(3) reaps a child that it could not start. */
	slot->reaped = error != 0;
	if (error)
		fail_program(task, error);
	atomic_store_explicit(&slot->worker, error ? WORKER_FINISHED : WORKER_WORKING,
			      memory_order_release);
	return 0;
}

/*
 * Checks whether an ended process had children or threads, before it is reaped. Page faults of
 * children that it waited for are in its stat file. Other threads show as CPU time beyond that of
 * its first thread. Children that nobody waited for, and threads that never ran, are not noticed.
 * Returns false if the process has not ended.
 */
static bool find_children_and_threads(struct worker_slot *slot, pid_t pid)
{
	unsigned long long child_faults = 0, first_ns = 0;
	char path[48], text[512], state = '?', *at;
	struct timespec all;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	work_file_text(path, text, sizeof(text));
	at = strrchr(text, ')');
	if (!at || sscanf(at, ") %c %*d %*d %*d %*d %*d %*u %*u %llu", &state, &child_faults) < 2 ||
	    state != 'Z')
		return false;
	if (child_faults > 0)
		slot->known |= KNOWN_CHILDREN;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	work_file_text(path, text, sizeof(text));
	if (sscanf(text, "%llu", &first_ns) == 1 && first_ns > 0 &&
	    clock_gettime((clockid_t)((~(unsigned)pid << 3) | 2), &all) == 0 &&
	    (uint64_t)all.tv_sec * 1000000000u + (uint64_t)all.tv_nsec > first_ns)
		slot->known |= KNOWN_THREADS;
	return true;
}

void program_run(struct task *task, const struct plan_node *node, struct task_watch *watch)
{
	const struct board_request *request = &task->team->board->request;
	struct worker_slot *slot = task_slot(task);
	siginfo_t info;
	int status = 0, error;
	pid_t pid;

	slot->work_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_WORKING, memory_order_release);
	if (node->task == PLAN_PROCESS) {
		become_program(task);
		return;
	}
	error = program_spawn(&pid, request->program_path, request->program_words,
			      request->program_n, request->input_path);
	if (error) {
		fail_program(task, error);
		return;
	}
	atomic_store_explicit(&slot->child, pid, memory_order_release);
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	find_children_and_threads(slot, pid);
	while (wait4(pid, &status, 0, &watch->child) < 0) {
		if (errno != EINTR) {
			fail_program(task, errno);
			return;
		}
	}
	watch->waited = true;
	take_status(task, status);
}

/* Reaps a task. The status, which only the parent gets, shows how a program ended. */
static int reap_task(struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	uint64_t ended_ns = clock_now_ns();
	struct plan_node node;
	struct rusage usage;
	bool program, looked;

	plan_node(&task->team->board->request.plan, task->index, &node);
	program = atomic_load(&slot->worker) == WORKER_WORKING && node.work == WORK_PROGRAM;
	looked = program && find_children_and_threads(slot, task->pid);
	while (wait4(task->pid, &slot->wait_status, 0, &usage) < 0) {
		if (errno != EINTR)
			return errno;
	}
	slot->reaped = true;
	slot->reaped_kb = (uint32_t)usage.ru_maxrss;
	if (!program) {
		if (slot->wait_status != 0 || atomic_load(&slot->worker) < WORKER_FINISHED)
			task_fail(task, STAGE_WORK, EOWNERDEAD, NULL);
		return 0;
	}
	if (looked)
		slot->finish_ns = ended_ns;
	else
		slot->finish_ns = clock_now_ns();
	clock_usage_add(&slot->usage, &usage);
	slot->delay_ns = slot->cpu_last = -1;
	slot->ended |= atomic_load(&task->team->board->cut) == 1;
	if (WIFSIGNALED(slot->wait_status) && !slot->ended)
		task_fail(task, STAGE_WORK, EOWNERDEAD, NULL);
	else
		take_status(task, slot->wait_status);
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
	return 0;
}

/*
 * The number of the worker that has the PID and was not reaped yet; board->slots if there is none.
 */
static uint32_t find_slot(const struct scoreboard *board, pid_t pid)
{
	uint32_t i = 0;

	while (i < board->slots &&
	       (atomic_load_explicit(&board->slot[i].worker, memory_order_acquire) == WORKER_NONE ||
		board->slot[i].tid != pid || board->slot[i].reaped))
		i++;
	return i;
}

/* Whether some worker exists that has not written its PID yet, or that died before it could. */
static bool has_nameless(const struct scoreboard *board)
{
	for (uint32_t i = 0; i < board->slots; i++) {
		const struct worker_slot *slot = &board->slot[i];

		if (atomic_load_explicit(&slot->worker, memory_order_acquire) == WORKER_NONE &&
		    atomic_load_explicit(&slot->state, memory_order_acquire) == SLOT_CREATED)
			return true;
	}
	return false;
}

int program_join(struct task *task)
{
	struct scoreboard *board = task->team->board;
	int error = 0;

	while (!error && !task_slot(task)->reaped) {
		struct task ended = {.team = task->team};
		siginfo_t info = {.si_pid = 0};

		/* Find an ended process that was not reaped yet; 0: unknown. */
		while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
			;
		ended.pid = info.si_pid;
		ended.index = find_slot(board, ended.pid);
		/* Reap a process that has outlived the program by which it was started. */
		if (ended.index == board->slots && ended.pid > 0 && !has_nameless(board)) {
			board->adopted += waitpid(ended.pid, NULL, WNOHANG) == ended.pid;
			continue;
		}
		error = reap_task(ended.index == board->slots ? task : &ended);
	}
	return error;
}

/* Adds the number of living descendants of a process. */
static void count_running(pid_t pid, uint32_t *n)
{
	char path[320], text[8192], state;
	struct dirent *thread;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	while (threads && (thread = readdir(threads))) {
		char *at = text, *end, *stat_end;
		char stat[512];

		snprintf(path, sizeof(path), "/proc/%d/task/%s/children", pid, thread->d_name);
		if (thread->d_name[0] == '.' || work_file_text(path, text, sizeof(text)) == 0)
			continue;
		for (pid_t child; (child = (pid_t)strtol(at, &end, 10)) > 0; at = end) {
			snprintf(path, sizeof(path), "/proc/%d/stat", child);
			work_file_text(path, stat, sizeof(stat));
			stat_end = strrchr(stat, ')');
			if (!stat_end || sscanf(stat_end, ") %c", &state) != 1 || state == 'Z')
				continue;
			++*n;
			count_running(child, n);
		}
	}
	if (threads)
		closedir(threads);
}

/*
 * Processes that end within 1/100 of the run's time after the last join are not counted as left
 * running.
 */
#define TAIL_PART 100
#define LOOK_US	  50

void program_settle(struct scoreboard *board)
{
	const uint64_t tail_ns = board->end_ns + (board->end_ns - board->begin_ns) / TAIL_PART;
	const bool wait_all = board->request.wait_all;
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, wait_all ? WEXITED : WEXITED | WNOHANG) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		if (info.si_pid == 0 && clock_now_ns() < tail_ns) {
			usleep(LOOK_US);
			continue;
		}
		if (info.si_pid == 0)
			break;
		board->adopted++;
		if (wait_all)
			board->end_ns = clock_now_ns();
	}
	count_running(getpid(), &board->left);
	/*
	 * At least one is left, even if the kernel cannot list children (no CONFIG_PROC_CHILDREN).
	 */
	if (board->left == 0)
		board->left = 1;
}
