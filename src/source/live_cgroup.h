/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What the kernel itself takes for a run's tasks, from a memory cgroup that holds nothing else:
 * memory.stat of version 2, memory.kmem.usage_in_bytes of version 1. None above or beside it is
 * changed, but for the controller at a top that has no cgroups yet.
 */

/* The room for cgroups of one's own. */
struct live_cgroup {
	char parent[PATH_MAX]; /* each run gets one in it; "": none can be had */
	char bounds[PATH_MAX]; /* version 2: the one that would have held the run; "": parent */
	bool v2;
	bool enabled; /* memory was enabled in the parent for us */
	unsigned made;
};

/* The charge of one cgroup. */
struct live_charge {
	char folder[PATH_MAX + 32]; /* to be removed; "": not ours */
	bool v2;
	int join_fd; /* who writes "0" to it is in the cgroup; -1 */
	int stat_fd, flush_fd;
};

/* KiB; -1: the kernel does not tell it apart. */
struct live_charged {
	int64_t kernel_kb; /* all of it */
	int64_t tables_kb, stacks_kb;
};

/* Finds where one can be made, and removes those that a killed tuibench has left there. */
void live_cgroup_open(struct live_cgroup *cgroup, const char *root);
void live_cgroup_close(struct live_cgroup *cgroup);
/* An empty cgroup of our own: 0 or -errno with nothing left behind. */
int live_charge_open(struct live_charge *charge, struct live_cgroup *cgroup);
/* The cgroup that we are in ourselves, only to be read: 0 or -errno. */
int live_charge_open_own(struct live_charge *charge, const char *root);
int live_charge_read(const struct live_charge *charge, struct live_charged *out);
/* The most that was ever charged to it, KiB; -1: not known, as before Linux 5.19. */
int64_t live_charge_peak(const struct live_charge *charge);
/* Removes it, once all in it have ended. Safe on a closed one. */
void live_charge_close(struct live_charge *charge);
