/* SPDX-License-Identifier: MIT */
#include "lifeline.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* A handler gets no argument of ours. Written once, before the handlers are installed. */
static struct {
	struct scoreboard *board;
	pid_t runner;
	int life_fd;
} held;

static void kill_group_if_hung_up(void)
{
	struct pollfd life = {.fd = held.life_fd};

	/* POLLHUP is reported unasked; the group is the runner's own, see join_own_group. */
	if (poll(&life, 1, 0) > 0)
		kill(0, SIGKILL);
}

static void on_life(int number)
{
	int saved = errno;

	kill_group_if_hung_up();
	errno = saved;
}

/* A worker process has inherited the handler, but whoever sends it SIGTERM wants it to end. */
static void on_term(int number)
{
	int saved = errno;

	if (getpid() != held.runner) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	atomic_store(&held.board->stop, 1);
	scoreboard_release(held.board);
	errno = saved;
}

static int install(int number, void (*handler)(int))
{
	/* Restarted: a signal must not look like an error of the work that it interrupts. */
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	return sigaction(number, &action, NULL) ? -errno : 0;
}

void lifeline_reset_signals(void)
{
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Without a group of its own, kill(0) would hit the shell that started it. */
static int join_own_group(void)
{
	if (getpgrp() == getpid())
		return 0;
	return setpgid(0, 0) ? -errno : 0;
}

/*
 * SIGIO instead of a thread that waits for the hang-up: the memory of a thread would be counted
 * in every model's. It goes to the runner alone, whoever inherits the descriptor.
 */
static int watch_pipe(int life_fd)
{
	int flags = fcntl(life_fd, F_GETFL);
	int err;

	if (flags < 0)
		return -errno;
	held.life_fd = life_fd;
	err = install(SIGIO, on_life);
	if (err)
		return err;
	if (fcntl(life_fd, F_SETOWN, getpid()) || fcntl(life_fd, F_SETFL, flags | O_ASYNC))
		return -errno;
	/* It may have hung up before. */
	kill_group_if_hung_up();
	return 0;
}

int lifeline_hold(int life_fd)
{
	const struct rlimit none = {0, 0};
	int err = join_own_group();

	if (err)
		return err;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || setrlimit(RLIMIT_CORE, &none))
		return -errno;
	return watch_pipe(life_fd);
}

int lifeline_stop_on_term(struct scoreboard *board)
{
	held.board = board;
	held.runner = getpid();
	return install(SIGTERM, on_term);
}
