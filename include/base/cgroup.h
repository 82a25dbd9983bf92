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
 * Calls take() for the process's cgroup in each hierarchy that has the controller, and for all
 * above it up to the mount point. In a container the path may be one of the host that is not there:
 * going up then leads to the container's own.
 */
void cgroup_walk(const char *root, const char *controller, cgroup_take *take, void *arg);
/* A file of the cgroup as text: 0 or -errno, and then "". */
int cgroup_text(const struct cgroup *cgroup, const char *name, char *buf, size_t size);
/* Reads a file that is one number. False for "max", "-1" and a missing file. */
bool cgroup_number(const struct cgroup *cgroup, const char *name, uint64_t *number);
/* Its quota of CPUs in cores; -1: it has none. */
double cgroup_cores(const struct cgroup *cgroup);

/* What the name of a run's own group begins with; the front end's number and another follow. */
#define CGROUP_OF_RUN "tuibench-"
/*
 * Removes the groups that are named by the prefix and the number of a process that has ended.
 * Groups of runs are removed with all their tasks, unless somebody locks their cgroup.procs: a
 * session in another PID namespace may use them.
 */
void cgroup_remove_left(const char *parent, const char *prefix);
/* Removes a cgroup and those below it, and ends all in them, for at most so long. False: not all.
 */
bool cgroup_remove(const char *folder, int wait_ms);
