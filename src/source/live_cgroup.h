/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What the kernel itself takes for a run's tasks, from a memory cgroup that holds nothing else:
 * memory.stat of version 2, memory.kmem.usage_in_bytes of version 1. No other cgroup is changed,
 * except that the controller may be enabled at a top that has no cgroups yet.
 */

/* Bytes of a folder of one's own. */
enum { LIVE_CGROUP_PATH = PATH_MAX + 32 };

/* The room for cgroups of one's own. */
struct live_cgroup {
	const char *controller; /* "memory" or "cpu" */
	char parent[PATH_MAX];	/* each run gets one in it; "": none can be had */
	char bounds[PATH_MAX];	/* version 2: the one that would have held the run; "": parent */
	bool v2;
	bool enabled; /* the controller was enabled in the parent for us */
	unsigned made;
};

/* The charge of one cgroup. */
struct live_charge {
	char folder[LIVE_CGROUP_PATH]; /* to be removed; "": not ours */
	bool v2;
	int join_fd; /* a process that writes "0" to it joins the cgroup; -1 */
	int stat_fd, flush_fd;
};

/* KiB; -1: the kernel does not tell it apart. */
struct live_charged {
	int64_t kernel_kb; /* all of it */
	int64_t tables_kb, stacks_kb;
};

/* The kernel's default, which containers have. */
enum { LIVE_QUOTA_PERIOD_US = 100000 };

/* The limit of one run's CPUs. */
struct live_quota {
	char folder[LIVE_CGROUP_PATH]; /* to be removed; "": none is made for it alone */
	char at[LIVE_CGROUP_PATH];     /* where the limit is; "": there is none */
	bool v2;
	int join_fd, stat_fd; /* -1 */
};

/* Since the cgroup was made; -1: not known. */
struct live_throttled {
	int64_t periods; /* in which a CPU of it was throttled */
	int64_t us;	 /* summed over its CPUs, of those that run again */
};

/* Finds where one can be made, and removes those that a killed tuibench has left there. */
void live_cgroup_open(struct live_cgroup *cgroup, const char *root, const char *controller);
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

/*
 * A limit of so many thousandths of a CPU, in the run's cgroup of its memory or in one of its own:
 * 0 or -errno with none left behind.
 */
int live_quota_open(struct live_quota *quota, struct live_cgroup *cgroup,
		    struct live_charge *charge, uint32_t thousandths);
void live_quota_none(struct live_quota *quota);
/* False: not known. */
bool live_quota_read(const struct live_quota *quota, struct live_throttled *out);
/* Lifts the limit, so that killed tasks end without waiting for the next period. */
void live_quota_lift(const struct live_quota *quota);
/* As live_charge_close(). */
void live_quota_close(struct live_quota *quota);
/* Closes what a zeroed struct does not own: 0 to 2 are never ours. */
void live_close_fd(int *fd);
