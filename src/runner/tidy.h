/* SPDX-License-Identifier: MIT */
#pragma once

#include <sys/types.h>

/*
 * A process beside a run with a fault, which removes what the faulty worker has made where the
 * front end cannot any more: it was killed. The front end alone holds the other end of the pipe,
 * and clears the names on the board of what it has removed itself.
 */

/* Until the pipe hangs up and nobody of the run's process group is left. 0 or -errno. */
int tidy_after(int board_fd, int life_fd, pid_t group);
