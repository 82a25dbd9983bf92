/* SPDX-License-Identifier: MIT */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <time.h>

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int signals_open(const int *numbers, size_t n)
{
	sigset_t watched, blocked;
	int fd;

	sigemptyset(&watched);
	for (size_t i = 0; i < n; i++)
		if (!is_ignored(numbers[i]))
			sigaddset(&watched, numbers[i]);
	blocked = watched;
	sigaddset(&blocked, SIGPIPE);
	if (sigprocmask(SIG_BLOCK, &blocked, NULL))
		return -errno;
	fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int signals_take(const int *numbers, size_t n)
{
	const struct timespec at_once = {0};
	sigset_t wanted;
	int number;

	sigemptyset(&wanted);
	for (size_t i = 0; i < n; i++)
		sigaddset(&wanted, numbers[i]);
	number = sigtimedwait(&wanted, NULL, &at_once);
	return number > 0 ? number : 0;
}
