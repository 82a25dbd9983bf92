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

/* What some processes had resident when it was read, all pages, and of that each figure; KiB. */
struct live_resident {
	int64_t all_kb, rss_kb, pss_kb, uss_kb;
	size_t n;
};

struct live_residents {
	struct live_resident runner, workers;
};

struct live_memory {
	const char *root; /* "/proc" */
	const struct live_kernel *kernel;
	struct procfs_task runner;
	struct procfs_task tasks[LIVE_MEMORY_MOST];
	size_t n_tasks;
	bool has_runner;
	bool partial; /* some processes were left out: the rest is estimated from the others */
	struct live_residents resident; /* as of the last reading */
	int32_t children, threads;	/* of programs, the most of one so far; -1: nobody looked */
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
/*
 * Looks at each process that is read but the runner for children and more threads than one: they
 * are not followed. It takes no lock.
 */
void live_memory_look_for_company(struct live_memory *memory);
void live_memory_close(struct live_memory *memory);
