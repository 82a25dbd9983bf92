/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/mark.h"

/* The run's state, for the signal handlers, which get no argument. */
static struct {
	struct scoreboard *board;
	pid_t runner;
	const struct load *load; /* NULL: the plan does not serve */
} held;

/* Handles SIGTERM. Worker processes inherit the handler, which ends them. */
static void on_term(int number)
{
	int saved = errno;

	if (getpid() != held.runner) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	atomic_store(&held.board->stop, 1);
	if (held.load)
		kill(held.load->clients, SIGKILL);
	scoreboard_release(held.board);
	errno = saved;
}

void lifeline_reset_signals(void)
{
	sigset_t none;

	/*
	 * Discard a pending SIGTSTP: Ctrl-Z was meant for the front end, and this process was in
	 * its group until now.
	 */
	signal(SIGTSTP, SIG_IGN);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Makes the kernel send SIGKILL to the group when the pipe hangs up. The alternatives are worse: a
 * thread that waits for the pipe would count in the memory of every model, and a signal handler
 * does not run in a stopped or dead runner. The workers inherit the file with this setting, so they
 * die even if the runner is dead. SIGKILL may miss a task that is being forked at this moment (1 in
 * 500 on Linux 6.18); the parent-death signal ends that task.
 */
int lifeline_hold(int life_fd)
{
	const struct rlimit none = {0, 0};
	struct pollfd life = {.fd = life_fd};
	int flags;

	/*
	 * This process needs its own group; otherwise SIGKILL would also hit the shell that started
	 * the runner.
	 */
	if (getpgrp() != getpid() && setpgid(0, 0))
		return -errno;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || setrlimit(RLIMIT_CORE, &none))
		return -errno;
	flags = fcntl(life_fd, F_GETFL);
	if (flags < 0 || fcntl(life_fd, F_SETOWN, -getpgrp()) ||
	    fcntl(life_fd, F_SETSIG, SIGKILL) || fcntl(life_fd, F_SETFL, flags | O_ASYNC))
		return -errno;
	/*
	 * The pipe may have hung up before this setting took effect. poll() always reports POLLHUP.
	 */
	if (poll(&life, 1, 0) > 0)
		kill(0, SIGKILL);
	return 0;
}

/*
 * Raises this process's score, which needs no permission. If memory runs out, the kernel ends the
 * task with the highest score. That must be a worker, which may use all memory on purpose, and not
 * the front end, which reports the worker's end.
 */
void lifeline_volunteer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "1000", 4);
	close(fd);
}

int lifeline_stop_on_term(struct scoreboard *board)
{
	/* Use SA_RESTART, because an interrupted call would look like an error of the work. */
	struct sigaction action = {.sa_handler = on_term, .sa_flags = SA_RESTART};

	held.board = board;
	held.runner = getpid();
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGTERM, &action, NULL))
		return -errno;
	return 0;
}

static void on_report(int number)
{
	int saved = errno;

	(void)number;
	load_shut(held.load);
	errno = saved;
}

int lifeline_serve(const struct load *load)
{
	struct sigaction action = {.sa_handler = on_report, .sa_flags = SA_RESTART};
	struct pollfd report = {.fd = load->report_fd, .events = POLLIN};
	int flags = fcntl(load->report_fd, F_GETFL);

	held.load = load;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGIO, &action, NULL) || flags < 0 ||
	    fcntl(load->report_fd, F_SETOWN, getpid()) ||
	    fcntl(load->report_fd, F_SETFL, flags | O_ASYNC))
		return -errno;
	/* The clients may have ended before the handler was installed. */
	if (poll(&report, 1, 0) > 0)
		load_shut(load);
	return 0;
}

/* Longest wait until killed processes are gone, ms. Zombies stay if nobody reaps them. */
#define WAIT_MS 2000

/* Ends all processes with that mark, and the processes that they create meanwhile. */
static void end_marked(const char *mark)
{
	struct dirent *entry;
	bool found = true;
	DIR *folder;

	for (int ms = 0; ms < WAIT_MS; ms++) {
		if (!found)
			break;
		found = false;
		folder = opendir("/proc");
		while (folder && (entry = readdir(folder))) {
			const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

			if (pid <= 0 || !mark_found(pid, mark))
				continue;
			found = true;
			kill(pid, SIGKILL);
		}
		if (folder)
			closedir(folder);
		poll(NULL, 0, found);
	}
}

/*
 * Waits until the front end ends, which closes the other end of the pipe. Nothing is ever written
 * to the pipe. If poll(2) fails, uses read(2).
 */
static void await_front_end(int life_fd)
{
	struct pollfd life = {.fd = life_fd};
	char byte;
	int n;

	do {
		n = poll(&life, 1, -1);
	} while (n < 0 && errno == EINTR);
	while (n < 0) {
		if (read(life_fd, &byte, 1) >= 0 || errno != EINTR)
			break;
	}
}

int tidy_after(int board_fd, int life_fd, pid_t group, const char *mark, char **cgroups)
{
	struct scoreboard *board;
	sigset_t all;
	int err;

	/*
	 * Blocks all signals: the signals of keys and of the session's end are meant for other
	 * processes.
	 */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "tuibench-tidy");
	err = scoreboard_open(board_fd, &board);
	if (err)
		return err;
	await_front_end(life_fd);
	if (!atomic_load(&board->closed))
		end_marked(mark);
	for (; *cgroups; cgroups++)
		cgroup_remove(*cgroups, WAIT_MS);
	for (int ms = 0; ms < WAIT_MS; ms++) {
		if (kill(-group, 0) != 0)
			break;
		poll(NULL, 0, 1);
	}
	if (fault_is_ours(board->fault_file, board->request.tmp_dir))
		unlink(board->fault_file);
	if (fault_is_ours(board->fault_shm, ""))
		shm_unlink(board->fault_shm);
	scoreboard_close(board);
	return 0;
}
