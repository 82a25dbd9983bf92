/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>

#include "experiment/experiment.h"

/* A descriptor of ours, and the one at which the program finds it. */
struct live_spawn_fd {
	int from, to;
};

/*
 * Starts a program of ours (posix_spawn(3)) with those descriptors, and /dev/null as its standard
 * ones. Returns 0, or -errno with *pid 0: a descriptor that it would have to do without included.
 */
int live_spawn(pid_t *pid, const char *program, const posix_spawnattr_t *attr, char *const argv[],
	       char *const envp[], const struct live_spawn_fd *fds, size_t n);

/* What a failed start is told of: the program, and behind it /dev/null where that is not there. */
const char *live_spawn_blamed(char *text, size_t size, const char *program);

/*
 * The file that the io workers of a session copy. It has no name, so that nothing stays whatever
 * ends the session, and its runners open it through /proc. Where /proc is missing it has a name
 * until live_io_file_close().
 */
struct live_io_file {
	int fd;		     /* below 0: none */
	char name[PATH_MAX]; /* "": none */
};

/* In that folder, which exists; 0 or -errno. Made once; empty. */
int live_io_file_make(struct live_io_file *file, const char *dir);
/* Where a runner that has it as the descriptor fd opens it. */
void live_io_file_path(const struct live_io_file *file, int fd, char *buf, size_t size);
void live_io_file_close(struct live_io_file *file);

/* The paths of the programs that a live source starts. */

#define LIVE_PROGRAM_RUNNER "tuibench-runner"

/*
 * The runner: beside this program, where it was installed as seen from there, or where it was. 0,
 * or with one line in error -ENOENT where it is in none of them, -EACCES where it may not be run.
 */
int live_program_runner(char path[PATH_MAX], char *error, size_t size);
/* The shared object that own workers run: that path, or for "" the example beside the runner. */
void live_program_own(const char *runner, const char *work, char path[PATH_MAX]);
/* The program that tasks run, which lies beside the runner: the same. */
int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size);

/* The environment of a runner: that of this program with what a request changes. */

/* For posix_spawn(), the strings those of the request and of this program; NULL: no memory. */
char **live_environ_make(const struct request *request);
/*
 * What all runs of a session have in common, see base/environment.h: without what differs between
 * them. Returns buf.
 */
char *live_environ_session(const struct experiment *experiment, char *buf, size_t size);
/*
 * Why figures are not those of a plain environment, as one line with the value that is not usual.
 * What the request chose needs no warning.
 * Returns buf; NULL after the last.
 */
char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size);
