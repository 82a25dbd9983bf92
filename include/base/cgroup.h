/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The control groups of this process, with the limits that they set: cgroups(7), versions 1 and 2.
 */

struct cgroup {
	const char *root;      /* The caller's root directory, "" for the real one. */
	char folder[PATH_MAX]; /* Path of the cgroup under root. */
	/* The end of `folder`: the cgroup's path in its hierarchy, "" at the top. */
	const char *path;
};

typedef void cgroup_visit(void *arg, const struct cgroup *cgroup);

/*
 * Calls visit() for the process's cgroup in version 2, and in the hierarchy of version 1 that has
 * the controller; also for all ancestors of that cgroup up to the mount point. In a container, the
 * path may be the host's and not exist; the container's own cgroup is then among the ancestors.
 */
void cgroup_walk(const char *root, const char *controller, cgroup_visit *visit, void *arg);
/* Reads a file of the cgroup as text. Returns 0, or -errno with an empty text. */
int cgroup_text(const struct cgroup *cgroup, const char *name, char *buf, size_t size);
/* Reads a file that contains one number. Returns false for "max", "-1" and a missing file. */
bool cgroup_number(const struct cgroup *cgroup, const char *name, uint64_t *number);
/* The cgroup's CPU quota, in cores; -1 if it has none. */
double cgroup_cores(const struct cgroup *cgroup);

/* Prefix of the name of a run's own cgroup. The PID of the front end and a second number follow. */
#define CGROUP_OF_RUN "tuibench-"
/*
 * Removes the cgroups that ended sessions have left: their names have the prefix and the PID of an
 * ended process. With CGROUP_OF_RUN, first kills the tasks in them. With any other prefix, removes
 * only empty cgroups. Keeps a cgroup whose cgroup.procs is locked, because a session in another PID
 * namespace may use it.
 */
void cgroup_remove_left(const char *parent, const char *prefix);
/*
 * Kills all tasks in a cgroup and its descendants, down to 32 levels, then removes these cgroups.
 * Gives up after wait_ms. Returns false if some cgroups remain.
 */
bool cgroup_remove(const char *folder, int wait_ms);
