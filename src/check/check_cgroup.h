/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A control group of one's own below that of this program, which moves into it: what it starts is
 * then counted there. cgroups(7), version 1 (cpuacct) and 2.
 */
struct check_cgroup {
	char home[PATH_MAX];   /* "": there is none */
	char folder[PATH_MAX]; /* below it */
	const char *file;      /* that has the CPU time */
};

/* 0, or -errno with nothing left behind; why is the step that failed. */
int check_cgroup_open(struct check_cgroup *cgroup, const char **why);
/* CPU time of all in it, ns; -1: not known. */
int64_t check_cgroup_used(const struct check_cgroup *cgroup);
/* Moves back and removes it. Safe on a zeroed one. */
void check_cgroup_close(struct check_cgroup *cgroup);
