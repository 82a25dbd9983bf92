/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/procfs.h"
#include "live_kernel.h"
#include "core/sample.h"

/*
 * Memory of one run's tasks, from the kept /proc files of its processes. The scoreboard and the
 * gate are shared mappings that only tuibench needs: shared memory is left out of every figure.
 */

#define LIVE_MEMORY_MOST 64 /* processes that are read; beyond it the rest is estimated */

struct live_memory {
	const char *root; /* "/proc" */
	const struct live_kernel *kernel;
	struct procfs_task runner;
	struct procfs_task tasks[LIVE_MEMORY_MOST];
	size_t n_tasks;
	bool has_runner;
	bool partial;	/* some processes were left out: the rest is estimated from the others */
	int last_error; /* errno of the last reading of PSS that failed for good, 0 */
};

/* Who is there besides the runner, and the charge of the cgroup that all are in, NULL: of none. */
struct live_alive {
	size_t processes, tasks;
	const struct live_charge *charge;
};

/* 0 or -errno when the runner's files cannot be opened. */
int live_memory_open(struct live_memory *memory, const char *root, pid_t runner,
		     const struct live_kernel *kernel);
/* One more process of the run; left out beyond LIVE_MEMORY_MOST and where it has ended already. */
void live_memory_add(struct live_memory *memory, pid_t pid);
/*
 * Reads them all. pss says whether PSS and USS are wanted too: that reading holds each process's
 * mmap lock, so it must be false while tasks are being created.
 */
void live_memory_read(struct live_memory *memory, bool pss, const struct live_alive *alive,
		      struct sample_memory *out);
void live_memory_close(struct live_memory *memory);
