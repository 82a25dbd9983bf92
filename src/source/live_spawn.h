/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>

#include "experiment/experiment.h"

/* from: a descriptor of ours (below 0: none). to: its number in the program. */
struct live_spawn_fd {
	int from, to;
};

/*
 * Starts one of our programs (posix_spawn(3)) with those descriptors; its standard ones are
 * /dev/null. flags: see posix_spawnattr_setflags(3); signal flags apply to all signals. mask: the
 * signals to block with POSIX_SPAWN_SETSIGMASK. Returns 0, or -errno with *pid 0, also if a
 * descriptor cannot be passed.
 */
int live_spawn(pid_t *pid, const char *program, short flags, const sigset_t *mask,
	       char *const argv[], char *const envp[], const struct live_spawn_fd *fds, size_t n);

/*
 * The file to name after a failed start: the program, together with /dev/null if that is missing.
 */
const char *live_spawn_blamed(char *text, size_t size, const char *program);

/*
 * The file that a session's io workers copy. It has no name, so nothing is left behind however the
 * session ends; runners open it through /proc. Without /proc it has a name until the session ends.
 */
struct live_io_file {
	int fd;		     /* Below 0: none. */
	char name[PATH_MAX]; /* "": no name. */
};

/*
 * Makes an empty file in that directory, once. Writes to buf the path by which a runner opens it,
 * if the runner has it as descriptor fd. Returns 0 or -errno.
 */
int live_io_file_make(struct live_io_file *file, const char *dir, int fd, char *buf, size_t size);

#define LIVE_PROGRAM_RUNNER "tuibench-runner"

/*
 * Finds the runner: beside this program, at the installed place relative to this program, or at the
 * installed place. Returns 0; -ENOENT if it is in none of them, -EACCES if it may not be executed;
 * then with a line in `error`.
 */
int live_program_runner(char path[PATH_MAX], char *error, size_t size);
/* The shared object that own workers run: `work`, or for "" the example beside the runner. */
void live_program_own(const char *runner, const char *work, char path[PATH_MAX]);
/* Finds the program that tasks run, beside the runner. Returns as live_program_runner(). */
int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size);

/*
 * Makes an environment for posix_spawn(). The strings belong to the request and to this program's
 * environment. NULL if memory is short.
 */
char **live_environ_make(const struct request *request);
/*
 * The surroundings that all runs of a session share, as text: see base/environment.h. Returns buf.
 */
char *live_environ_session(const struct experiment *experiment, char *buf, size_t size);
/*
 * The i-th warning about an unusual value in the environment that changes the figures. Values that
 * the user chose for this session need no warning. Returns buf; NULL after the last.
 */
char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size);
