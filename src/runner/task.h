/* SPDX-License-Identifier: MIT */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>

#include "core/scoreboard.h"

/* The knowledge of a creator and its tasks; shared by the files that create tasks. */

struct plan_node;
struct primitive;
struct shared;
struct rusage;

/* The state that all tasks of one process share. */
struct team {
	struct scoreboard *board;
	const pthread_attr_t *attr; /* of threads; NULL: the system's own */
	pid_t pid;
	const struct shared *shared; /* the same memory in all of them */
	FILE *out; /* of each process a copy, empty when it is made; NULL: nobody writes */
	struct primitive *primitive; /* what a plan of a primitive needs; else NULL */
	/* A block of each task's own, side by side, for FAULT_OVERRUN; else NULL: see fault.h. */
	uint8_t *blocks;
};

/* One task as its creator keeps it until the join. */
struct task {
	struct team *team;
	uint32_t index;
	union {
		pthread_t thread;
		pid_t pid;
	};
};

/* A kind of task: all that tells them apart is here. */
struct task_ops {
	/* Starts the task; 0 or errno. */
	int (*create)(struct task *task);
	/* Waits for its end; 0 or errno. */
	int (*join)(struct task *task);
};

struct worker_slot *task_slot(const struct task *task);
/* Creates it, and fills its creator's part of the slot. 0 or errno, which ends the run. */
int task_create(const struct task_ops *ops, struct task *task);
/* Waits for its end and says so in the slot. */
void task_join(const struct task_ops *ops, struct task *task);
/* The first failure is told, later ones often follow from it. */
void task_fail(const struct task *task, enum board_stage stage, int error, const char *path);
/* Call it after start_ns was taken: the kernel's names for the task cost a system call. */
void task_announce(struct worker_slot *slot, pid_t pid, pid_t tid, int cpu);
/*
 * The kernel kills the calling worker when the thread that forked it ends. It does not if that
 * happened before the request: then somebody else is the parent by now, and the worker ends here.
 */
void task_die_with(pid_t parent);
/* What is asked of one task beyond its usage. */
struct task_watch {
	bool delay;	 /* how long it waited for a core */
	bool migrations; /* how often it went to another one */
	bool counts;	 /* by the counters, which are open */
	struct counters counters;
	uint64_t bytes; /* read to tell of it */
	bool waited;	/* for a program, which used so much */
	struct rusage child;
};

/* The last instruction first, then what it cost to get there; watch NULL: nothing more. */
void task_conclude(struct worker_slot *slot, int (*cpu)(void), struct task_watch *watch);
/* What the kernel counted for it, to its slot. */
void task_usage(struct worker_slot *slot, const struct rusage *usage);
/* Waits for the process, and takes what it used unless NULL; 0 or errno. A death is told. */
int task_join_process(struct task *task, struct rusage *usage);
