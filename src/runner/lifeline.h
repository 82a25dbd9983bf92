/* SPDX-License-Identifier: MIT */
#pragma once

#include <sys/types.h>

#include "core/scoreboard.h"

/*
 * How a runner ends when it is not left to end by itself. No worker may outlive the front end,
 * whatever kills that. A parent-death signal ends each task with its creator, as long as nothing
 * between them has gone wrong; a pipe that hangs up reaches the whole group at once. Each has its
 * gap, at the moment of a fork, so there are both.
 */

/*
 * Resets signals as a shell's program has them: none blocked, all default. Drops a pending SIGTSTP.
 */
void lifeline_reset_signals(void);
/*
 * Ties the runner to the front end, which alone holds the write end of the pipe life_fd and never
 * writes to it: when that closes, the runner's whole process group gets SIGKILL. Also no core
 * files, since a crash is part of what is shown. 0 or -errno.
 */
int lifeline_hold(int life_fd);
/* SIGTERM sets the board's stop word and ends the wait for go. 0 or -errno. */
int lifeline_stop_on_term(struct scoreboard *board);

/*
 * A process beside a run with a fault, which removes what the faulty worker has made where the
 * front end cannot any more: it was killed. The front end alone holds the other end of the pipe,
 * and clears the names on the board of what it has removed itself.
 */

/* Until the pipe hangs up and nobody of the run's process group is left. 0 or -errno. */
int tidy_after(int board_fd, int life_fd, pid_t group);
