/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>

#include "experiment/experiment.h"

/* A descriptor of ours (below 0: none), and the one at which the program finds it. */
struct live_spawn_fd {
	int from, to;
};

/*
 * Starts one of our programs (posix_spawn(3)) with those descriptors; its standard ones are
 * /dev/null. flags are those of posix_spawnattr_setflags(3), for all signals; mask is blocked by
 * POSIX_SPAWN_SETSIGMASK. Returns 0, or -errno with *pid 0, also if a descriptor cannot be passed.
 */
int live_spawn(pid_t *pid, const char *program, short flags, const sigset_t *mask,
	       char *const argv[], char *const envp[], const struct live_spawn_fd *fds, size_t n);

/* What to blame for a failed start: the program, or also /dev/null if that is missing. */
const char *live_spawn_blamed(char *text, size_t size, const char *program);

/*
 * The file that a session's io workers copy. It has no name, so that nothing is left however the
 * session ends; runners open it through /proc. Without /proc it has a name, until the
 * session ends.
 */
struct live_io_file {
	int fd;		     /* below 0: none */
	char name[PATH_MAX]; /* "": none */
};

/*
 * Makes it in that directory, once and empty, and says where a runner that has it as the descriptor
 * fd opens it. 0 or -errno.
 */
int live_io_file_make(struct live_io_file *file, const char *dir, int fd, char *buf, size_t size);

#define LIVE_PROGRAM_RUNNER "tuibench-runner"

/*
 * Finds the runner: beside this program, where it was installed relative to it, or where it was
 * installed. 0; or with a line in error -ENOENT if it is in none of these, -EACCES if it may not
 * be run.
 */
int live_program_runner(char path[PATH_MAX], char *error, size_t size);
/* The shared object that own workers run: that path, or for "" the example beside the runner. */
void live_program_own(const char *runner, const char *work, char path[PATH_MAX]);
/* The program that tasks run, which lies beside the runner: the same. */
int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size);

/*
 * For posix_spawn(). The strings belong to the request and this program's environment. NULL on
 * ENOMEM.
 */
char **live_environ_make(const struct request *request);
/* The environment that all runs of a session share, see base/environment.h. Returns buf. */
char *live_environ_session(const struct experiment *experiment, char *buf, size_t size);
/*
 * Line i of warnings of unusual values in the environment, which change the figures. The user's
 * own choices need no warning. Returns buf; NULL after the last.
 */
char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size);
