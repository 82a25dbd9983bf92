/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "live_cgroup.h"

/*
 * How the kernel's share of a run's memory is found. A cgroup of the run's own says it whole. Where
 * none can be had it is page tables, stacks and what else a task of this kind takes, mostly slab:
 * that was found out before the session from idle tasks, in our own cgroup's account where there is
 * one, else in /proc/meminfo.
 */

/* THREAD_SIZE of x86-64, arm64 and riscv64; not exported by the kernel. */
#define LIVE_KERNEL_STACK_KB 16

enum live_kernel_wish {
	LIVE_KERNEL_WHOLE,
	LIVE_KERNEL_ESTIMATE, /* no cgroup is made */
	LIVE_KERNEL_TABLES,   /* nor a task that is none of a run's: page tables and stacks alone */
};

struct live_kernel {
	enum live_kernel_wish wish;
	struct live_cgroup cgroup;
	/* One task's, beside its stack and page tables, KiB; NaN: not known. */
	double thread_kb, process_kb;
	double process_tables_kb;	/* of one that has nothing yet */
	bool slow;			/* tasks took too long to come: no more were asked for */
	const char *source;		/* in words, where thread_kb and process_kb are from */
	struct live_learning *learning; /* goes on; NULL */
};

/* Knows nothing yet. NULL and "" are as "whole"; "estimate"; "tables"; else -EINVAL. */
int live_kernel_wish(struct live_kernel *kernel, const char *wish);
/*
 * Learns it of some tasks that this runner creates, a step at each call: a quarter second in all.
 * Returns the milliseconds until the next step, or -1: all is known that can be, and the tasks are
 * gone.
 */
int live_kernel_learn(struct live_kernel *kernel, const char *runner);
/* What they take beside stacks and page tables; below 0: not known. */
double live_kernel_other(const struct live_kernel *kernel, size_t threads, size_t processes);
void live_kernel_close(struct live_kernel *kernel);
