/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_CAPACITY_H
#define TUIBENCH_CAPACITY_H

#include <stdint.h>

#include "plan.h"

/*
 * What the machine allows, worked out before a run: fork(2) and pthread_create(3) say EAGAIN
 * without saying which limit it was, and a memory cgroup kills without an errno.
 */

#define CAPACITY_UNLIMITED UINT64_MAX

/* The limit that binds, when one does. */
struct capacity_bound {
	char name[160];	    /* "RLIMIT_NPROC", "pids.max of /user.slice", "memory" */
	const char *unit;   /* of the next three: "tasks", "mappings", "KiB" */
	uint64_t value;	    /* as the machine states it */
	uint64_t available; /* what is left of it for the plan */
	uint64_t need;	    /* what the plan takes of it */
	uint64_t fits;	    /* leaves of the largest plan of that shape that fits */
};

/*
 * Checks all tasks of the plan alive at once against RLIMIT_NPROC, pids.max of every cgroup above,
 * pid_max, threads-max, max_map_count, RLIMIT_AS and free memory. stack_size as in a request: 0 is
 * the system's. root is "" on a real machine and a fixture tree in tests; what cannot be read does
 * not bind. 0, or -EAGAIN with the tightest limit in bound.
 */
int capacity_check(const char *root, const struct plan *plan, uint64_t stack_size,
		   struct capacity_bound *bound);

/*
 * Bytes that a user's files may still take in the folder; a little is held back for what the
 * file system itself writes. 0 or -errno.
 */
int capacity_disk_free(const char *folder, uint64_t *bytes);

/* Memory that new tasks may take, KiB, with the headroom of every memory cgroup above. */
uint64_t capacity_memory_free(const char *root);

#endif
