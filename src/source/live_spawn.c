/* SPDX-License-Identifier: MIT */
#include "live_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/environment.h"
#include "base/error_line.h"
#include "base/procfs.h"
#include "core/hello_program.h"
#include "core/own_about.h"
#include "work/work_file.h"

#define NOTHING "/dev/null"

/*
 * MOST_FDS: more descriptors than any caller passes. HIGH_FD: above all numbers that programs
 * expect.
 */
enum { MOST_FDS = 12, HIGH_FD = 20 };

int live_spawn(pid_t *pid, const char *program, short flags, const sigset_t *mask,
	       char *const argv[], char *const envp[], const struct live_spawn_fd *fds, size_t n)
{
	posix_spawn_file_actions_t files;
	static const int open_flags[] = {O_RDONLY, O_WRONLY, O_WRONLY};
	posix_spawnattr_t attr;
	int high[MOST_FDS], err = posix_spawn_file_actions_init(&files);
	size_t copies = 0;
	sigset_t all;

	*pid = 0;
	if (err)
		return -err;
	/* Check each call, because each may run out of memory. */
	for (int fd = 0; fd <= 2; fd++) {
		err = posix_spawn_file_actions_addopen(&files, fd, NOTHING, open_flags[fd], 0);
		if (err)
			break;
	}
	/*
	 * First copy the descriptors to high numbers, so that no dup2() overwrites a descriptor
	 * that a later dup2() needs.
	 */
	for (size_t i = 0; i < n; i++) {
		int fd;

		if (err)
			break;
		if (fds[i].from < 0)
			continue;
		fd = fcntl(fds[i].from, F_DUPFD_CLOEXEC, HIGH_FD);
		if (fd < 0) {
			err = errno;
			break;
		}
		high[copies++] = fd;
		err = posix_spawn_file_actions_adddup2(&files, fd, fds[i].to);
	}
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, flags);
	posix_spawnattr_setsigdefault(&attr, &all);
	if (mask)
		posix_spawnattr_setsigmask(&attr, mask);
	if (!err)
		err = posix_spawn(pid, program, &files, &attr, argv, envp);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	while (copies > 0)
		close(high[--copies]);
	if (err)
		*pid = 0;
	return -err;
}

const char *live_spawn_blamed(char *text, size_t size, const char *program)
{
	if (access(NOTHING, R_OK | W_OK) == 0)
		snprintf(text, size, "%s", program);
	else
		snprintf(text, size, "%s: " NOTHING, program);
	return text;
}

int live_io_file_make(struct live_io_file *file, const char *dir, int fd, char *buf, size_t size)
{
	if (file->fd < 0 && access("/proc/self/fd", F_OK) == 0)
		file->fd = work_file_unnamed(dir);
	else if (file->fd < 0)
		file->fd = work_file_named(dir, file->name, sizeof(file->name));
	if (file->fd < 0)
		file->name[0] = '\0';
	if (file->name[0])
		snprintf(buf, size, "%s", file->name);
	else
		snprintf(buf, size, "/proc/self/fd/%d", fd);
	if (file->fd < 0)
		return file->fd;
	return 0;
}

/*
 * Returns 0 if the program can be executed; -EACCES with a line in `error`; or -ENOENT without a
 * line.
 */
static int try_program(const char *path, char *error, size_t size)
{
	if (access(path, F_OK) != 0)
		return -ENOENT;
	if (access(path, X_OK) == 0)
		return 0;
	return error_line(error, size, -EACCES,
			  "%s is not executable: chmod +x it, or reinstall tuibench", path);
}

int live_program_runner(char path[PATH_MAX], char *error, size_t size)
{
	char dir[PATH_MAX];
	const char *const places[][2] = {
		{dir, ""}, {dir, TUIBENCH_TO_LIBEXEC}, {TUIBENCH_LIBEXECDIR, ""}};
	bool known = procfs_own_folder(dir, sizeof(dir)), denied = false;

	for (size_t i = 0; i < 3; i++) {
		char later[PATH_MAX + 80];
		int n = snprintf(path, PATH_MAX, "%s%s/" LIVE_PROGRAM_RUNNER, places[i][0],
				 places[i][1]);
		/* If several files exist but may not be executed, report the first one. */
		int err = -ENOENT;

		if (places[i][0] == dir && !known)
			continue;
		if (n < PATH_MAX && denied)
			err = try_program(path, later, sizeof(later));
		else if (n < PATH_MAX)
			err = try_program(path, error, size);
		if (err == 0)
			return 0;
		denied |= err == -EACCES;
	}
	if (denied)
		return -EACCES;
	if (!known)
		return error_line(
			error, size, -ENOENT,
			"%s is missing: tuibench looked only in %s, because /proc/self/exe does "
			"not say where this program is; mount /proc, or reinstall tuibench",
			LIVE_PROGRAM_RUNNER, TUIBENCH_LIBEXECDIR);
	return error_line(error, size, -ENOENT,
			  "%s is missing: tuibench looked in %s, %s" TUIBENCH_TO_LIBEXEC
			  " and %s; reinstall tuibench",
			  LIVE_PROGRAM_RUNNER, dir, dir, TUIBENCH_LIBEXECDIR);
}

/* The length of the folder of a path, with its slash; 0: none. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return (int)(slash - path + 1);
	return 0;
}

void live_program_own(const char *runner, const char *work, char path[PATH_MAX])
{
	if (work && !*work)
		snprintf(path, PATH_MAX, "%.*s" OWN_EXAMPLE, folder_length(runner), runner);
	else
		snprintf(path, PATH_MAX, "%s", sentence_text(work, ""));
}

int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size)
{
	int n = snprintf(path, PATH_MAX, "%.*s" HELLO_PROGRAM, folder_length(runner), runner);
	int err = -ENOENT;

	if (n < PATH_MAX)
		err = try_program(path, error, size);
	if (err != -ENOENT)
		return err;
	return error_line(
		error, size, err,
		"%s is missing, but posix_spawn and fork+exec run it; reinstall tuibench, "
		"or leave both out of --models",
		path);
}

static size_t name_length(const char *text)
{
	return strcspn(text, "=");
}

/* Whether the request sets or removes the variable of an entry "NAME=value". */
static bool is_changed(const struct request *request, const char *entry)
{
	const size_t length = name_length(entry);

	for (size_t i = 0; i < REQUEST_ENVS; i++) {
		if (!request->env[i])
			break;
		if (name_length(request->env[i]) == length &&
		    memcmp(request->env[i], entry, length) == 0)
			return true;
	}
	return false;
}

char **live_environ_make(const struct request *request)
{
	size_t most = REQUEST_ENVS + 1, n = 0;
	char **made;

	for (size_t i = 0; environ[i]; i++)
		most++;
	made = calloc(most, sizeof(*made));
	if (!made)
		return NULL;
	for (size_t i = 0; environ[i]; i++) {
		if (!is_changed(request, environ[i]))
			made[n++] = environ[i];
	}
	for (size_t i = 0; i < REQUEST_ENVS; i++) {
		if (!request->env[i])
			break;
		/* "-" removes the variable. */
		if (strcmp(request->env[i] + name_length(request->env[i]), "=-") != 0)
			made[n++] = (char *)request->env[i];
	}
	return made;
}

char *live_environ_session(const struct experiment *experiment, char *buf, size_t size)
{
	const struct request *request = &experiment->each[0].request;
	const struct variables *swept = &experiment->cases[0].variables;
	int policy = request->policy - 1;
	const char *stack = strchr(sentence_text(experiment_typed(request, "stack"), "="), '=') + 1;
	char **variables = live_environ_make(request);
	const char *quota = NULL, *nice = NULL;
	char nice_text[16];
	size_t n = 0;
	buf[0] = '\0';
	if (!variables)
		return buf;
	/* Leave out a swept variable, which belongs to the cases and not to the session. */
	for (size_t i = 0; variables[i]; i++) {
		size_t length = name_length(variables[i]);
		char name[VARIABLE_NAME] = "env:";

		if (length < sizeof(name) - 4)
			memcpy(name + 4, variables[i], length);
		if (length >= sizeof(name) - 4 || !variables_find(swept, name))
			variables[n++] = variables[i];
	}
	variables[n] = NULL;
	if (request->niced)
		snprintf(nice_text, sizeof(nice_text), "%d", request->nice);
	else
		snprintf(nice_text, sizeof(nice_text), "%d", environment_nice());
	if (!variables_find(swept, "nice"))
		nice = nice_text;
	if (variables_find(swept, "policy"))
		policy = -1;
	else if (policy < 0)
		policy = sched_getscheduler(0);
	if (request->quota > 0 && !variables_find(swept, "quota"))
		quota = experiment_quota(request->quota, (char[EXPERIMENT_QUOTA]) {0});
	if (strchr(stack, ','))
		stack = NULL;
	else if (strcmp(stack, "default") == 0)
		stack = "";
	environment_read(variables, nice, policy, quota, stack, buf, size);
	free(variables);
	return buf;
}

static const struct {
	const char *item;	    /* beginning of the item, such as "nice=" */
	const char *usual;	    /* the value that needs no warning */
	const char *before, *after; /* the texts of the warning before and after the value */
} spawn_warnings[] = {
	{"LD_PRELOAD=", "", "LD_PRELOAD=",
	 " loads other code into every measured task; -s env:LD_PRELOAD=- leaves it out"},
	{"LD_AUDIT=", "", "LD_AUDIT=",
	 " loads other code into every measured task; -s env:LD_AUDIT=- leaves it out"},
	{"nice=", "0", "the runs have niceness ",
	 ", not 0, which affects their share of the cores; use -s nice=0 where that is allowed"},
	{"policy=", "other", "the runs have the scheduling policy ",
	 ", not other, which affects their share of the cores; use -s policy=other "
	 "where that is allowed"},
	{"addresses=", "unlimited", "the address space of each process is limited to ",
	 " (ulimit -v): all threads share one address space, but each process has its own"},
};

char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size)
{
	for (size_t k = 0; k < LENGTH(spawn_warnings); k++) {
		const char *item = spawn_warnings[k].item, *at = environment, *value;
		size_t n = strlen(item);

		while (at && strncmp(at, item, n) != 0) {
			if (strchr(at, ';'))
				at = strchr(at, ';') + 1;
			else
				at = NULL;
		}
		if (!at)
			continue;
		value = at + n;
		n = strcspn(value, ";");
		/* Do not warn about the usual value, or a value that the user chose with -s. */
		if ((n == strlen(spawn_warnings[k].usual) &&
		     strncmp(value, spawn_warnings[k].usual, n) == 0) ||
		    (strcmp(item, "nice=") == 0 && request->niced) ||
		    (strcmp(item, "policy=") == 0 && request->policy > 0) || i-- > 0)
			continue;
		snprintf(buf, size, "%s%.*s%s", spawn_warnings[k].before, (int)n, value,
			 spawn_warnings[k].after);
		return buf;
	}
	return NULL;
}
