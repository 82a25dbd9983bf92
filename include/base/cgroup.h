/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The control groups that bind this process: cgroups(7), version 1 and 2. */

struct cgroup {
	const char *root;      /* as in procfs_read_text() */
	char folder[PATH_MAX]; /* under root */
	const char *path;      /* in its hierarchy, "" at the top; the end of folder */
};

typedef void cgroup_take(void *arg, const struct cgroup *cgroup);

/*
 * Calls take() for the process's cgroup in each hierarchy that has the controller, and for all its
 * ancestors up to the mount point. In a container the path may be the host's and not exist. Its
 * ancestors then lead to the container's own cgroup.
 */
void cgroup_walk(const char *root, const char *controller, cgroup_take *take, void *arg);
/* Reads a file of the cgroup as text. Returns 0, or -errno with an empty text. */
int cgroup_text(const struct cgroup *cgroup, const char *name, char *buf, size_t size);
/* Reads a file that is one number. False for "max", "-1" and a missing file. */
bool cgroup_number(const struct cgroup *cgroup, const char *name, uint64_t *number);
/* The cgroup's quota of CPUs, in cores; -1 if it has none. */
double cgroup_cores(const struct cgroup *cgroup);

/* Prefix of the name of a run's own cgroup; the front end's PID and another number follow. */
#define CGROUP_OF_RUN "tuibench-"
/*
 * Removes cgroups whose name has the prefix and the PID of an ended process. Removes the cgroups of
 * runs with all their tasks, unless a process locks their cgroup.procs, because a session in
 * another PID namespace may use them.
 */
void cgroup_remove_left(const char *parent, const char *prefix);
/*
 * Removes a cgroup and its descendants, and kills all tasks in them, within that time. Returns
 * false if some remain.
 */
bool cgroup_remove(const char *folder, int wait_ms);
