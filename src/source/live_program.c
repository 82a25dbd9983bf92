/* SPDX-License-Identifier: MIT */
#include "live_program.h"

#include "base/procfs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/hello_program.h"
#include "core/own_about.h"

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
