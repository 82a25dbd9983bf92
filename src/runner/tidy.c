/* SPDX-License-Identifier: MIT */
#include "tidy.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/fault.h"
#include "core/scoreboard.h"

/* Milliseconds for a group that was killed to end; its zombies may stay where nobody reaps. */
#define WAIT_MS 2000

static void await_hang_up(int life_fd)
{
	char byte;

	while (read(life_fd, &byte, 1) < 0 && errno == EINTR)
		;
}

int tidy_after(int board_fd, int life_fd, pid_t group)
{
	struct scoreboard *board;
	int err;

	/* A key, or the end of the session, is meant for others. */
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	err = scoreboard_open(board_fd, &board);
	if (err)
		return err;
	await_hang_up(life_fd);
	for (int ms = 0; ms < WAIT_MS && kill(-group, 0) == 0; ms++)
		poll(NULL, 0, 1);
	if (fault_is_ours(board->fault_file, board->request.tmp_dir))
		unlink(board->fault_file);
	if (fault_is_ours(board->fault_shm, ""))
		shm_unlink(board->fault_shm);
	scoreboard_close(board);
	return 0;
}
