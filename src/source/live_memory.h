/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/procfs.h"
#include "core/reason.h"
#include "core/sample_memory.h"

/*
 * What the kernel itself takes for a run's tasks, from a memory cgroup that holds nothing else:
 * memory.stat of version 2, memory.kmem.usage_in_bytes of version 1. No other cgroup is changed,
 * except that the controller may be enabled at a top that has no cgroups yet.
 */

enum { LIVE_CGROUP_PATH = PATH_MAX + 32 };

/* The room for cgroups of one's own. */
struct live_cgroup {
	const char *controller; /* "memory" or "cpu" */
	char parent[PATH_MAX];	/* each run gets one in it; "": none can be had */
	char bounds[PATH_MAX];	/* version 2: the one that would have held the run; "": parent */
	bool v2;
	bool enabled; /* the controller was enabled in the parent for us */
	bool limited; /* our own, or one above it, has a quota of CPUs */
	unsigned made;
};

/* The charge of one cgroup. */
struct live_charge {
	char folder[LIVE_CGROUP_PATH]; /* to be removed; "": not ours */
	bool v2;
	int join_fd; /* a process that writes "0" to it joins the cgroup; -1 */
	int stat_fd, flush_fd;
};

/* KiB; -1: the kernel does not say it. */
struct live_charged {
	int64_t kernel_kb; /* all of it */
	int64_t tables_kb, stacks_kb;
};

/* The kernel's default, which containers have. */
enum { LIVE_QUOTA_PERIOD_US = 100000 };

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
/* The most of it that the kernel itself took, KiB; -1: not known, as of version 2. */
int64_t live_charge_kernel_peak(const struct live_charge *charge);
/* What files and reclaimable slab have of it now, KiB; -1: not known. */
int64_t live_charge_cache(const struct live_charge *charge);
/* The CPU time of all that was ever in it, of version 2 alone: false where it is not known. */
bool live_charge_cpu(const struct live_charge *charge, int64_t *user_us, int64_t *system_us);
/* Removes it, once all in it have ended. Safe on a closed one. */
void live_charge_close(struct live_charge *charge);

/*
 * A limit of so many thousandths of a CPU, in the run's cgroup of its memory or in one of its own:
 * 0 or -errno with none left behind.
 */
int live_quota_open(struct live_quota *quota, struct live_cgroup *cgroup,
		    struct live_charge *charge, uint32_t thousandths);
void live_quota_none(struct live_quota *quota);
/*
 * Only reads how the least quota that our own cgroup or one above it has throttles a run, where
 * there is one; bounds is the cgroup that the charge's has its limits from.
 */
void live_quota_watch(struct live_quota *quota, const struct live_charge *charge,
		      const char *bounds, const char *root);
/* False: not known. */
bool live_quota_read(const struct live_quota *quota, struct live_throttled *out);
/* Lifts the limit, so that killed tasks end without waiting for the next period. */
void live_quota_lift(const struct live_quota *quota);
void live_quota_close(struct live_quota *quota);
/* Closes what a zeroed struct does not own: 0 to 2 are never ours. */
void live_close_fd(int *fd);

/*
 * How much memory the kernel takes for a run. A cgroup of the run's own says it. Without one it is
 * estimated as page tables, stacks, and what else a task of this kind takes, mostly slab. That is
 * learned from idle tasks before the session, from our own cgroup's account or else /proc/meminfo.
 */

/* THREAD_SIZE of x86-64, arm64 and riscv64; not exported by the kernel. */
#define LIVE_KERNEL_STACK_KB 16

enum live_kernel_wish {
	LIVE_KERNEL_WHOLE,
	LIVE_KERNEL_ESTIMATE, /* no cgroup is made */
	LIVE_KERNEL_TABLES,   /* nor are idle tasks made: page tables and stacks alone */
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

/* Begins with nothing known. wish: NULL, "" or "whole"; "estimate"; "tables"; else -EINVAL. */
int live_kernel_wish(struct live_kernel *kernel, const char *wish);
/*
 * Learns it from tasks that this runner creates, one step a call: 0.2 s in all, and 0.9 s without a
 * cgroup, where it is left out if no estimate is wanted. Returns the milliseconds until the next
 * step, or -1: done, and the tasks are gone.
 */
int live_kernel_learn(struct live_kernel *kernel, const char *runner, bool estimate);
void live_kernel_close(struct live_kernel *kernel);

/*
 * Memory of one run's tasks, from the kept /proc files of its processes. The scoreboard and the
 * barrier are shared mappings that only tuibench needs: shared memory is left out of every figure.
 */

#define LIVE_MEMORY_MOST 64 /* processes that are read; beyond it the rest is estimated */
/* The same of programs with all that they create, whose processes differ: no estimate beyond it. */
#define LIVE_TREE_MOST 256

/*
 * What some processes had resident when it was read, all pages, and of that each figure; and their
 * page tables. KiB; -1: not known of all of them.
 */
struct live_resident {
	int64_t all_kb, rss_kb, pss_kb, uss_kb;
	size_t n;
	int64_t tables_kb;
};

struct live_residents {
	struct live_resident runner, workers;
};

struct live_memory {
	const char *root; /* "/proc" */
	const struct live_kernel *kernel;
	struct procfs_task runner;
	struct procfs_task tasks[LIVE_TREE_MOST];
	size_t n_tasks;
	bool has_runner;
	bool partial;	  /* some processes were left out: the rest is estimated from the others */
	bool tree;	  /* programs are run: the processes are found by live_memory_find() */
	bool kin;	  /* and others beside the programs have been read */
	int32_t programs; /* children of the runner, as of the last reading */
	struct live_residents resident; /* as of the last reading */
	/*
	 * Of programs and all that they create: the most children and threads of one process so
	 * far, the most processes that were read at once, and the tasks alive as of the last
	 * reading. -1: nobody looked; of processes also: not all of them could be read.
	 */
	int32_t children, threads, processes, alive;
	enum reason reason;    /* why not all of them could be read; REASON_NONE */
	bool ignores_children; /* SIGCHLD is ignored by one of them */
	int last_error;	       /* errno of the last reading of PSS that failed for good, 0 */
};

/* Those besides the runner, and the charge of their cgroup; NULL: they have none. */
struct live_alive {
	size_t processes, tasks;
	const struct live_charge *charge;
};

/* Whether that /proc is of another PID namespace: our numbers mean others there, or nobody. */
bool live_memory_is_foreign(const char *root);
/* 0 or -errno when the runner's files cannot be opened. */
int live_memory_open(struct live_memory *memory, const char *root, pid_t runner,
		     const struct live_kernel *kernel, bool tree);
/* Adds a process of the run, unless there are as many already as can be read, or it has ended. */
void live_memory_add(struct live_memory *memory, pid_t pid);
/*
 * Reads all of them. pss: PSS and USS as well. That takes each process's mmap lock, so it must be
 * false while tasks are being created.
 */
void live_memory_read(struct live_memory *memory, bool pss, const struct live_alive *alive,
		      struct sample_memory *out);
/*
 * Adds all descendants of the runner and of n orphans that are none of its any more, and counts
 * them. Takes no lock.
 */
void live_memory_find(struct live_memory *memory, const pid_t *orphans, uint32_t n);
void live_memory_close(struct live_memory *memory);
