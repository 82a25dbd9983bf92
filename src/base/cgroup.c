/* SPDX-License-Identifier: MIT */
#include "base/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/procfs.h"
#include "base/units.h"

/*
 * Passes to visit() the cgroup at the path, and all cgroups above it up to the mount point. A path
 * that begins with "/.." leads out of the namespace; then passes only the top cgroup.
 */
static void walk_up(struct cgroup *cgroup, const char *mount, const char *path, cgroup_visit *visit,
		    void *arg)
{
	size_t size = sizeof(cgroup->folder);
	size_t top = (size_t)snprintf(cgroup->folder, size, "sys/fs/cgroup%s", mount);
	char *end;

	if (strncmp(path, "/..", 3) != 0)
		snprintf(cgroup->folder + top, size - top, "%s", path);
	cgroup->path = cgroup->folder + top;
	if (strcmp(cgroup->path, "/") == 0)
		cgroup->folder[top] = '\0';
	do {
		visit(arg, cgroup);
		end = strrchr(cgroup->folder + top, '/');
		if (end)
			*end = '\0';
	} while (end);
}

void cgroup_walk(const char *root, const char *controller, cgroup_visit *visit, void *arg)
{
	struct cgroup cgroup = {.root = root};
	char text[16384], mount[64], *rest = text, *line;

	if (procfs_read_text(root, "proc/self/cgroup", text, sizeof(text)) != 0)
		return;
	/*
	 * "0::/path" is a cgroup of version 2, "4:cpu,cpuacct:/path" is one of version 1. A machine
	 * may have both.
	 */
	while ((line = strsep(&rest, "\n"))) {
		char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;

		if (!path)
			continue;
		*list++ = '\0';
		*path++ = '\0';
		if (!*list) {
			walk_up(&cgroup, "", path, visit, arg);
			walk_up(&cgroup, "/unified", path, visit, arg);
		} else if (procfs_has_word(list, ',', controller)) {
			snprintf(mount, sizeof(mount), "/%s", controller);
			walk_up(&cgroup, mount, path, visit, arg);
		}
	}
}

int cgroup_text(const struct cgroup *cgroup, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX];

	buf[0] = '\0';
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", cgroup->folder, name) >= sizeof(path))
		return -ENAMETOOLONG;
	return procfs_read_text(cgroup->root, path, buf, size);
}

bool cgroup_number(const struct cgroup *cgroup, const char *name, uint64_t *number)
{
	char text[64];

	return cgroup_text(cgroup, name, text, sizeof(text)) == 0 &&
	       units_parse_count(text, UINT64_MAX, number) == 0;
}

double cgroup_cores(const struct cgroup *cgroup)
{
	char text[64], *second = text, *first;
	uint64_t quota = 0, period = 0;
	bool known;

	/* Version 2: "150000 100000" is quota and period. The quota may be "max". */
	known = cgroup_text(cgroup, "cpu.max", text, sizeof(text)) == 0 &&
		(first = strsep(&second, " ")) && second &&
		units_parse_count(first, UINT64_MAX, &quota) == 0 &&
		units_parse_count(second, UINT64_MAX, &period) == 0;
	if (!known)
		known = cgroup_number(cgroup, "cpu.cfs_quota_us", &quota) &&
			cgroup_number(cgroup, "cpu.cfs_period_us", &period);
	if (known && period > 0)
		return (double)quota / (double)period;
	return -1;
}

/* Milliseconds to wait for the end of processes that a killed session left behind. */
#define LEFT_MS 200

/*
 * Returns whether a session still holds this cgroup of a run. The PID in the cgroup's name does not
 * show this, because the session may have another PID in this PID namespace.
 */
static bool cgroup_is_held(const char *folder)
{
	char path[PATH_MAX + 32];
	bool held;
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
	if (fd >= 0)
		close(fd);
	return held;
}

void cgroup_remove_left(const char *parent, const char *prefix)
{
	const bool of_runs = strcmp(prefix, CGROUP_OF_RUN) == 0;
	DIR *dir = opendir(parent);
	struct dirent *entry;
	char path[PATH_MAX];

	while (dir && (entry = readdir(dir)) != NULL) {
		pid_t number;

		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		number = (pid_t)strtol(entry->d_name + strlen(prefix), NULL, 10);
		if (number <= 0 || kill(number, 0) == 0 || errno != ESRCH ||
		    snprintf(path, sizeof(path), "%s/%s", parent, entry->d_name) >=
			    (int)sizeof(path))
			continue;
		if (!of_runs)
			rmdir(path);
		else if (!cgroup_is_held(path))
			cgroup_remove(path, LEFT_MS);
	}
	if (dir)
		closedir(dir);
}
