/* SPDX-License-Identifier: MIT */
#pragma once

#include <sys/types.h>

struct tty;

/*
 * A process that outlives a SIGKILL of the front end and of its process group for the moment it
 * takes to give the terminal back and to remove the cgroup of a run. It sleeps in read() on a pipe
 * whose other end only the front end has, and ends with it.
 */

/*
 * Forks it. When the pipe closes it writes .leave to the terminal and, if its modes are still
 * .during, sets them to .before: a shell may have been quicker. *pipe_end is the caller's,
 * close-on-exec. Returns its pid or -errno.
 */
pid_t guard_start(const struct tty *tty, int *pipe_end);
/* The guard restores the terminal as soon as somebody reads it; it outlives who calls this. */
void guard_leave(pid_t guard, int pipe_end);
/* All went well: the guard ends without touching the terminal. */
void guard_dismiss(pid_t guard, int pipe_end);
/*
 * Undoes a Ctrl-S: what gives the screen back must come through. TCOON alone ends only a TCOOFF,
 * so there has to be one.
 */
void guard_let_flow(int terminal);
