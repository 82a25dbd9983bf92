/* SPDX-License-Identifier: MIT */
#include "live_program.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/hello_program.h"

/* 0, or why it cannot be run: -EACCES, -ENOENT, … */
static int try_program(const char *path)
{
	if (access(path, F_OK) != 0)
		return -ENOENT;
	return access(path, X_OK) == 0 ? 0 : -EACCES;
}

/* Where the runner is looked for; found: in path; denied: the first that may not be run. */
struct search {
	char *path;
	bool found;
	char denied[PATH_MAX];
};

static void try_runner(struct search *search, const char *dir, const char *below)
{
	char path[PATH_MAX];
	int n, err;

	if (search->found)
		return;
	n = snprintf(path, sizeof(path), "%s%s/" LIVE_PROGRAM_RUNNER, dir, below);
	if (n < 0 || (size_t)n >= sizeof(path))
		return;
	err = try_program(path);
	search->found = err == 0;
	if (err == 0)
		memcpy(search->path, path, (size_t)n + 1);
	else if (err == -EACCES && !search->denied[0])
		memcpy(search->denied, path, (size_t)n + 1);
}

static int refuse_denied(const char *path, char *error, size_t size)
{
	snprintf(error, size, "%s is not executable: chmod +x it, or install tuibench whole", path);
	return -EACCES;
}

int live_program_runner(char path[PATH_MAX], char *error, size_t size)
{
	struct search search = {.path = path};
	char dir[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	char *slash;

	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (slash) {
		*slash = '\0';
		try_runner(&search, dir, "");
		try_runner(&search, dir, "/../libexec");
	}
	try_runner(&search, TUIBENCH_LIBEXECDIR, "");
	if (search.found)
		return 0;
	if (search.denied[0])
		return refuse_denied(search.denied, error, size);
	snprintf(error, size,
		 "%s is missing: looked for it in %s, %s/../libexec and %s; install tuibench whole",
		 LIVE_PROGRAM_RUNNER, dir, dir, TUIBENCH_LIBEXECDIR);
	return -ENOENT;
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
