/* SPDX-License-Identifier: MIT */
#include "check_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/procfs.h"

#define NAME "tuibench-self-test-"

struct search {
	struct check_cgroup *cgroup;
	char hierarchy[PATH_MAX]; /* whose own group was tried */
	const char *why;
	int err;
};

static int path_to(char path[PATH_MAX], const char *folder, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* Moves this program into the group. */
static int join(const char *folder)
{
	char path[PATH_MAX];
	int fd, err = path_to(path, folder, "cgroup.procs");

	if (err)
		return err;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write(fd, "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return err;
}

/* The file that has the CPU time; NULL where the group has none. */
static const char *find_file(const char *folder)
{
	static const char *const files[] = {"cpuacct.usage", "cpu.stat"};
	char path[PATH_MAX];

	for (size_t i = 0; i < 2; i++)
		if (path_to(path, folder, files[i]) == 0 && access(path, R_OK) == 0)
			return files[i];
	return NULL;
}

static int make(struct check_cgroup *cgroup, const char **why)
{
	char name[64];
	int err;

	cgroup_remove_left(cgroup->home, NAME, 0);
	snprintf(name, sizeof(name), NAME "%ld", (long)getpid());
	*why = "making one";
	err = path_to(cgroup->folder, cgroup->home, name);
	if (!err && mkdir(cgroup->folder, 0755) < 0)
		err = -errno;
	if (err)
		return err;
	*why = "its CPU time";
	cgroup->file = find_file(cgroup->folder);
	err = cgroup->file ? 0 : -ENOENT;
	if (!err) {
		*why = "moving into it";
		err = join(cgroup->folder);
	}
	if (err)
		rmdir(cgroup->folder);
	return err;
}

/* Of each hierarchy the program's own group; in a container the first one above that is there. */
static void take(void *arg, const struct cgroup *found)
{
	struct search *search = arg;
	char path[PATH_MAX], hierarchy[PATH_MAX];

	snprintf(hierarchy, sizeof(hierarchy), "%.*s", (int)(found->path - found->folder),
		 found->folder);
	if (!search->err || strcmp(hierarchy, search->hierarchy) == 0 ||
	    snprintf(search->cgroup->home, PATH_MAX, "/%s", found->folder) >= PATH_MAX ||
	    path_to(path, search->cgroup->home, "cgroup.procs") < 0 || access(path, F_OK) < 0)
		return;
	strcpy(search->hierarchy, hierarchy);
	search->err = make(search->cgroup, &search->why);
}

int check_cgroup_open(struct check_cgroup *cgroup, const char **why)
{
	struct search search = {.cgroup = cgroup, .why = "a hierarchy", .err = -ENOENT};

	memset(cgroup, 0, sizeof(*cgroup));
	cgroup_walk("", "cpuacct", take, &search);
	*why = search.why;
	if (search.err)
		cgroup->home[0] = '\0';
	return search.err;
}

int64_t check_cgroup_used(const struct check_cgroup *cgroup)
{
	char path[PATH_MAX], text[1024], *at;
	int64_t used;

	if (!cgroup->home[0] || path_to(path, cgroup->folder, cgroup->file) < 0 ||
	    procfs_read_text("", path, text, sizeof(text)) < 0)
		return -1;
	if (strcmp(cgroup->file, "cpu.stat") != 0)
		return strtoll(text, NULL, 10);
	at = strstr(text, "usage_usec ");
	used = at ? strtoll(at + strlen("usage_usec "), NULL, 10) : -1;
	return used < 0 ? -1 : used * 1000;
}

void check_cgroup_close(struct check_cgroup *cgroup)
{
	if (!cgroup->home[0])
		return;
	join(cgroup->home);
	rmdir(cgroup->folder);
	cgroup->home[0] = '\0';
}
