/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>

#include "experiment/experiment.h"

/* from: a descriptor of this program (below 0: none). to: its number in the started program. */
struct live_spawn_fd {
	int from, to;
};

/*
 * Starts one of our programs (posix_spawn(3)) with those descriptors; other standard descriptors
 * are /dev/null. flags: see posix_spawnattr_setflags(3); signal flags apply to all signals. mask:
 * the signals to block with POSIX_SPAWN_SETSIGMASK. Returns 0, or -errno with *pid 0, also if a
 * descriptor cannot be passed.
 */
int live_spawn(pid_t *pid, const char *program, short flags, const sigset_t *mask,
	       char *const argv[], char *const envp[], const struct live_spawn_fd *fds, size_t n);

/*
 * The file to name in the error after a failed start: the program or, if /dev/null is missing,
 * both.
 */
const char *live_spawn_blamed(char *text, size_t size, const char *program);

/*
 * The file that a session's io workers copy. It has no name, so nothing is left behind however the
 * session ends. Runners open it through /proc. If there is no /proc, the file has a name until the
 * session ends.
 */
struct live_io_file {
	int fd;		     /* Below 0: there is no file. */
	char name[PATH_MAX]; /* "": the file has no name. */
};

/*
 * Makes an empty file in that directory, unless it was made already. Writes to buf the path by
 * which a runner opens the file, if the runner has it as descriptor fd. Returns 0 or -errno.
 */
int live_io_file_make(struct live_io_file *file, const char *dir, int fd, char *buf, size_t size);

#define LIVE_PROGRAM_RUNNER "tuibench-runner"

/*
 * Finds the runner: beside this program, at the installed place relative to this program, or at the
 * installed place. Returns 0; -ENOENT if there is none, or -EACCES if it may not be executed, with
 * a line in `error`.
 */
int live_program_runner(char path[PATH_MAX], char *error, size_t size);
/*
 * The path of the shared object that --own workers run: `work` or, if that is "", the example
 * beside the runner.
 */
void live_program_own(const char *runner, const char *work, char path[PATH_MAX]);
/* Finds tuibench-hello beside the runner. Returns the same as live_program_runner(). */
int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size);

/*
 * Makes an environment for posix_spawn(). The strings belong to the request and to this program's
 * environment. NULL if memory is short.
 */
char **live_environ_make(const struct request *request);
/*
 * The properties of the environment that all runs of a session share, as text: see
 * base/environment.h. Returns buf.
 */
char *live_environ_session(const struct experiment *experiment, char *buf, size_t size);
/*
 * The i-th warning about an unusual value in the environment that changes the figures. Values that
 * the user chose for this session need no warning. Returns buf; NULL after the last.
 */
char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size);
