/* SPDX-License-Identifier: MIT */
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "tty.h"

static bool same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag;
}

void guard_let_flow(int terminal)
{
	tcflow(terminal, TCOOFF);
	tcflow(terminal, TCOON);
}

/* The pipe ended without a byte: nobody else will give the terminal back. */
static void restore(const struct tty *tty, int terminal)
{
	struct pollfd room = {.fd = terminal, .events = POLLOUT};
	struct termios now;

	if (tcgetattr(terminal, &now) < 0 || !same_modes(&now, &tty->during))
		return;
	tcsetattr(terminal, TCSANOW, &tty->before);
	guard_let_flow(terminal);
	if (poll(&room, 1, TTY_PATIENCE_MS) == 1)
		(void)!write(terminal, tty->leave, tty->n_leave);
}

/* Milliseconds for the tasks of a run to end after the front end. */
#define LEAVE_MS 30000

struct left {
	pid_t front;
	size_t n;
};

static void remove_left(void *arg, const struct cgroup *cgroup)
{
	struct left *left = arg;
	char path[PATH_MAX + 1];

	snprintf(path, sizeof(path), "/%s", cgroup->folder);
	left->n += cgroup_remove_left(path, CGROUP_OF_RUN, left->front);
}

/* The front end could not remove the cgroup of its run. That is empty once all tasks have ended. */
static void remove_cgroups(pid_t front)
{
	struct left left = {front, 0};

	for (int ms = 0; ms < LEAVE_MS; ms += 10) {
		left.n = 0;
		cgroup_walk("", "memory", remove_left, &left);
		cgroup_walk("", "cpu", remove_left, &left);
		if (left.n == 0)
			return;
		poll(NULL, 0, 10);
	}
}

/*
 * Keeps the pipe as 0 and the terminal as 1, and none of the rest. Another pipe's end left open
 * here would hide the front end's death from a runner.
 */
static void keep_only(int pipe_end, int terminal)
{
	if (dup2(terminal, 1) < 0 || dup2(pipe_end, 0) < 0)
		_exit(1);
	close_range(2, ~0U, 0);
}

static void __attribute__((noreturn)) guard_main(const struct tty *tty, int pipe_end, pid_t front)
{
	sigset_t all;
	char byte;
	ssize_t got;

	/*
	 * The guard blocks all signals: no key may end it, and SIGTTOU may not stop it when it
	 * restores the terminal from the background. Its own process group saves it from a SIGKILL
	 * of the front end's group (kill -9 %1).
	 */
	setpgid(0, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "tuibench-guard");
	keep_only(pipe_end, tty->out);
	/* Nothing is ever written: the end of the pipe is that of the front end. */
	do
		got = read(0, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got == 0) {
		restore(tty, 1);
		close(1);
		remove_cgroups(front);
	}
	_exit(0);
}

pid_t guard_start(const struct tty *tty, int *pipe_end)
{
	int ends[2];
	pid_t guard, front;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	front = getpid();
	guard = fork();
	if (guard == 0) {
		close(ends[1]);
		guard_main(tty, ends[0], front);
	}
	/* The guard does the same: whichever runs first. */
	if (guard > 0)
		setpgid(guard, guard);
	close(ends[0]);
	if (guard < 0) {
		int error = errno;

		close(ends[1]);
		return -error;
	}
	*pipe_end = ends[1];
	return guard;
}

void guard_dismiss(pid_t guard, int pipe_end)
{
	/* One that is stopped reads nothing, but can be ended. */
	kill(guard, SIGKILL);
	close(pipe_end);
	while (waitpid(guard, NULL, 0) < 0 && errno == EINTR)
		;
}

void guard_leave(pid_t guard, int pipe_end)
{
	close(pipe_end);
	/* One that is stopped would leave the terminal as it is. */
	kill(guard, SIGCONT);
}
