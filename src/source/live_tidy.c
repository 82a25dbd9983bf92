/* SPDX-License-Identifier: MIT */
#include "live_tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live_program.h"
#include "live_spawn.h"

/* Descriptors as it finds them; those that it gets them from lie above. */
enum { TIDY_BOARD_FD = 3, TIDY_LIFE_FD = 4 };

/* In a group of its own, and deaf: what ends the front end's group must not end it. */
static int spawn(struct live_tidy *tidy, const char *runner, int board_fd, int life_fd,
		 const char *group)
{
	char board[12], life[12];
	char *argv[] = {
		(char *)LIVE_PROGRAM_RUNNER, (char *)"--tidy", board, life, (char *)group, NULL};
	const struct live_spawn_fd fds[] = {{board_fd, TIDY_BOARD_FD}, {life_fd, TIDY_LIFE_FD}};
	posix_spawnattr_t attr;
	sigset_t all;
	int err;

	snprintf(board, sizeof(board), "%d", TIDY_BOARD_FD);
	snprintf(life, sizeof(life), "%d", TIDY_LIFE_FD);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &all);
	err = live_spawn(&tidy->pid, runner, &attr, argv, environ, fds, 2);
	posix_spawnattr_destroy(&attr);
	return err;
}

int live_tidy_start(struct live_tidy *tidy, const char *runner, int board_fd, pid_t group)
{
	int life[2], high, err;
	char number[12];

	if (pipe2(life, O_CLOEXEC) < 0)
		return -errno;
	snprintf(number, sizeof(number), "%d", (int)group);
	high = fcntl(life[0], F_DUPFD_CLOEXEC, TIDY_LIFE_FD + 1);
	err = high < 0 ? -errno : spawn(tidy, runner, board_fd, high, number);
	close(life[0]);
	if (high >= 0)
		close(high);
	if (err)
		close(life[1]);
	else
		tidy->fd = life[1];
	return err;
}

void live_tidy_end(struct live_tidy *tidy)
{
	siginfo_t info;

	if (tidy->pid == 0)
		return;
	close(tidy->fd);
	while (waitid(P_PID, (id_t)tidy->pid, &info, WEXITED) < 0 && errno == EINTR)
		;
	*tidy = (struct live_tidy) {0};
}
