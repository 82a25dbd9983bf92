/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/plan.h"

/*
 * The limits of the machine, worked out before a run. fork(2) and pthread_create(3) say EAGAIN
 * without saying which limit it was, and a memory cgroup kills without an errno.
 */

#define CAPACITY_UNLIMITED UINT64_MAX

/* The resources of a machine that tasks take. */
enum capacity_resource {
	CAPACITY_TASKS,
	CAPACITY_MAPPINGS,  /* of one process */
	CAPACITY_ADDRESSES, /* of one process */
	CAPACITY_STACK,	    /* of one thread */
	CAPACITY_COMMIT,    /* what all threads may write to, where the kernel keeps accounts */
	CAPACITY_MEMORY,
	CAPACITY_RESOURCES
};

/* The tightest limit of one resource. */
struct capacity_limit {
	char name[160];	    /* "RLIMIT_NPROC", "pids.max of cgroup /user", "free memory" */
	uint64_t value;	    /* as the machine states it */
	uint64_t available; /* what is left of it for a plan; CAPACITY_UNLIMITED: no limit */
};

/* A machine as it is now. */
struct capacity {
	struct capacity_limit limit[CAPACITY_RESOURCES];
	uint64_t stack; /* bytes of a thread that asks for none */
};

/* The limit that binds, when one does. */
struct capacity_bound {
	const struct capacity_limit *limit;
	enum capacity_resource resource;
	uint64_t need;	  /* what the plan takes of it: tasks, mappings, bytes or KiB */
	struct plan fits; /* the largest of that shape that fits; levels 0: none does */
	uint32_t batch;	  /* the largest with which the whole plan fits; 0: none does */
	uint64_t stack;	  /* the same, a stack size; 0 where none does or stacks are not it */
};

/*
 * Reads RLIMIT_NPROC, pids.max of every cgroup above, pid_max, threads-max, max_map_count,
 * RLIMIT_AS, RLIMIT_DATA, what vm.overcommit_memory refuses and free memory. root is "" on a real
 * machine and a fixture tree in tests; what cannot be read does not bind.
 */
void capacity_read(const char *root, struct capacity *capacity);

/*
 * Checks all tasks of the plan alive at once, or as many as its batch allows. stack_size as in a
 * request: 0 is the system's. 0, or -EAGAIN with the tightest limit in bound: the one of which the
 * plan needs the largest multiple of what is left. Smaller plans have a smaller last fan-out; where
 * even 1 is too many, a smaller one before it. A batch is no help to tasks that wait for all.
 */
int capacity_check(const struct capacity *capacity, const struct plan *plan, uint64_t stack_size,
		   struct capacity_bound *bound);

/* The limit that binds where a ballast does not fit. */
struct capacity_ballast {
	struct capacity_limit limit; /* bytes */
	uint64_t need, fits;	     /* of it for the ballast asked for; the largest ballast */
};

/*
 * Checks memory that the creator of the plan's tasks has touched, more than 0 bytes, together with
 * what its forks take: page tables of their own, and where the kernel commits no more memory than
 * it has (vm.overcommit_memory 2) as much again each. 0, or -EAGAIN with the tightest limit.
 */
int capacity_check_ballast(const char *root, const struct plan *plan, uint64_t bytes,
			   struct capacity_ballast *bound);

/*
 * Bytes that a user's files may still take in the folder; a little is held back for what the
 * file system itself writes. 0 or -errno.
 */
int capacity_disk_free(const char *folder, uint64_t *bytes);

/* Memory that new tasks may take, KiB, with the headroom of every memory cgroup above. */
uint64_t capacity_memory_free(const char *root);
