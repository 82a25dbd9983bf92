/* SPDX-License-Identifier: MIT */
#include "live_spawn.h"

#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "work/work_file.h"
#include "core/own_about.h"
#include "core/hello_program.h"
#include "base/procfs.h"

#define NOTHING "/dev/null"

/* Each takes memory. */
static int add_all(posix_spawn_file_actions_t *files, const struct live_spawn_fd *fds, size_t n)
{
	int err = 0;

	for (int fd = 0; fd <= 2 && !err; fd++)
		err = posix_spawn_file_actions_addopen(files, fd, NOTHING,
						       fd == 0 ? O_RDONLY : O_WRONLY, 0);
	for (size_t i = 0; i < n && !err; i++)
		err = posix_spawn_file_actions_adddup2(files, fds[i].from, fds[i].to);
	return err;
}

int live_spawn(pid_t *pid, const char *program, const posix_spawnattr_t *attr, char *const argv[],
	       char *const envp[], const struct live_spawn_fd *fds, size_t n)
{
	posix_spawn_file_actions_t files;
	int err = posix_spawn_file_actions_init(&files);

	*pid = 0;
	if (err)
		return -err;
	err = add_all(&files, fds, n);
	if (!err)
		err = posix_spawn(pid, program, &files, attr, argv, envp);
	posix_spawn_file_actions_destroy(&files);
	if (err)
		*pid = 0;
	return -err;
}

const char *live_spawn_blamed(char *text, size_t size, const char *program)
{
	snprintf(text, size, "%s%s", program, access(NOTHING, R_OK | W_OK) ? ": " NOTHING : "");
	return text;
}

static int make(struct live_io_file *file, const char *dir)
{
	int fd;

	if (access("/proc/self/fd", F_OK) == 0)
		return work_file_unnamed(dir);
	fd = work_file_named(dir, file->name, sizeof(file->name));
	if (fd < 0)
		file->name[0] = '\0';
	return fd;
}

int live_io_file_make(struct live_io_file *file, const char *dir)
{
	if (file->fd < 0)
		file->fd = make(file, dir);
	return file->fd < 0 ? file->fd : 0;
}

void live_io_file_path(const struct live_io_file *file, int fd, char *buf, size_t size)
{
	if (file->name[0])
		snprintf(buf, size, "%s", file->name);
	else
		snprintf(buf, size, "/proc/self/fd/%d", fd);
}

void live_io_file_close(struct live_io_file *file)
{
	if (file->name[0])
		unlink(file->name);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct live_io_file) {.fd = -1};
}

/* 0, or why it cannot be run: -EACCES, -ENOENT, … */
static int try_program(const char *path)
{
	if (access(path, F_OK) != 0)
		return -ENOENT;
	return access(path, X_OK) == 0 ? 0 : -EACCES;
}

/* The runner in a folder, to path: the same. */
static int try_runner(char path[PATH_MAX], const char *dir, const char *below)
{
	int n = snprintf(path, PATH_MAX, "%s%s/" LIVE_PROGRAM_RUNNER, dir, below);

	return n < PATH_MAX ? try_program(path) : -ENOENT;
}

static int refuse_denied(const char *path, char *error, size_t size)
{
	snprintf(error, size, "%s is not executable: chmod +x it, or install tuibench whole", path);
	return -EACCES;
}

int live_program_runner(char path[PATH_MAX], char *error, size_t size)
{
	char dir[PATH_MAX], denied[PATH_MAX] = "";
	const char *const places[][2] = {
		{dir, ""}, {dir, TUIBENCH_TO_LIBEXEC}, {TUIBENCH_LIBEXECDIR, ""}};
	bool known = procfs_own_folder(dir, sizeof(dir));

	for (size_t i = known ? 0 : 2; i < 3; i++) {
		int err = try_runner(path, places[i][0], places[i][1]);

		if (err == 0)
			return 0;
		if (err == -EACCES && !denied[0])
			strcpy(denied, path);
	}
	if (denied[0])
		return refuse_denied(denied, error, size);
	if (!known)
		snprintf(error, size,
			 "%s is missing: looked for it in %s alone, since /proc/self/exe does not "
			 "tell where this program is; mount /proc, or install tuibench whole",
			 LIVE_PROGRAM_RUNNER, TUIBENCH_LIBEXECDIR);
	else
		snprintf(error, size,
			 "%s is missing: looked for it in %s, %s" TUIBENCH_TO_LIBEXEC
			 " and %s; install tuibench whole",
			 LIVE_PROGRAM_RUNNER, dir, dir, TUIBENCH_LIBEXECDIR);
	return -ENOENT;
}

void live_program_own(const char *runner, const char *work, char path[PATH_MAX])
{
	const char *slash = strrchr(runner, '/');
	int dir = slash ? (int)(slash - runner + 1) : 0;

	if (work && !*work)
		snprintf(path, PATH_MAX, "%.*s" OWN_EXAMPLE, dir, runner);
	else
		snprintf(path, PATH_MAX, "%s", work ? work : "");
}

int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size)
{
	const char *slash = strrchr(runner, '/');
	int dir = slash ? (int)(slash - runner + 1) : 0;
	int n = snprintf(path, PATH_MAX, "%.*s" HELLO_PROGRAM, dir, runner);
	int err = n < PATH_MAX ? try_program(path) : -ENOENT;

	if (err == 0)
		return 0;
	if (err == -EACCES)
		return refuse_denied(path, error, size);
	snprintf(error, size,
		 "%s is missing, which posix_spawn and fork+exec run: install tuibench whole, or "
		 "leave them out of --models",
		 path);
	return -ENOENT;
}
