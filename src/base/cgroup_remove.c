/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/cgroup.h"

/*
 * Number of levels of cgroups that are removed. A program that makes a deeper tree means to resist
 * removal.
 */
#define MOST_LEVELS 32

/*
 * Reads a file of the directory as text. Returns the length; on error a negative number, and the
 * text is "".
 */
static ssize_t read_file(int folder, const char *name, char *text, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	text[0] = '\0';
	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	text[MAX(n, 0)] = '\0';
	close(fd);
	return n;
}

/*
 * Kills all processes in the cgroup of this directory. Since Linux 5.14, version 2 does so in one
 * step. Otherwise, a process that is created meanwhile survives until the next call.
 */
static void end_members(int folder)
{
	char text[65536], *at, *end;
	ssize_t n;
	int fd = openat(folder, "cgroup.kill", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, "1", 1);
		close(fd);
	}
	n = read_file(folder, "cgroup.procs", text, sizeof(text));
	/*
	 * Kill thread by thread in a threaded cgroup, which has no cgroup.kill and does not list
	 * processes.
	 */
	if (n < 0)
		read_file(folder, "cgroup.threads", text, sizeof(text));
	for (at = text; *at; at = end) {
		pid_t pid = (pid_t)strtol(at, &end, 10);

		end += *end != '\0';
		/* Skip 0, which means a process of another PID namespace. */
		if (pid > 0)
			kill(pid, SIGKILL);
	}
}

/*
 * Removes the cgroups below this one, then this one. If a cgroup cannot be removed, kills its
 * processes. Returns false if this cgroup is still there.
 */
static bool remove_in(int parent, const char *name, int levels)
{
	int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;
	bool removed;
	DIR *dir;

	if (folder < 0)
		return errno == ENOENT;
	dir = fdopendir(folder);
	if (!dir) {
		close(folder);
		return errno == ENOENT;
	}
	while (levels > 0 && (entry = readdir(dir)) != NULL)
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			remove_in(folder, entry->d_name, levels - 1);
	removed = unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
	if (!removed)
		end_members(folder);
	closedir(dir);
	return removed;
}

bool cgroup_remove(const char *folder, int wait_ms)
{
	for (int ms = 0; !remove_in(AT_FDCWD, folder, MOST_LEVELS); ms++) {
		if (ms == wait_ms)
			return false;
		poll(NULL, 0, 1);
	}
	return true;
}
