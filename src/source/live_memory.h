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
 * Memory that the kernel itself uses for a run's tasks. It is read from a memory cgroup that
 * contains only these tasks: memory.stat of version 2, memory.kmem.usage_in_bytes of version 1. No
 * other cgroup is changed, with one exception: the controller may be enabled in a root cgroup
 * without children.
 */

enum { LIVE_CGROUP_PATH = PATH_MAX + 32 };

/* The place where tuibench makes its own cgroups. */
struct live_cgroup {
	const char *controller; /* "memory" or "cpu" */
	/* The cgroup in which each run gets its own; "" if none can be made. */
	char parent[PATH_MAX];
	/*
	 * v2: our cgroup, if the runs' cgroups are its siblings and have the same limits; otherwise
	 * "".
	 */
	char bounds[PATH_MAX];
	bool v2;
	bool enabled; /* tuibench has enabled the controller in the parent. */
	bool limited; /* our cgroup, or one above it, has a CPU quota */
	unsigned made;
};

/* The memory account of one cgroup. */
struct live_charge {
	/* Directory to remove at the end; "": we did not make the cgroup, so it stays. */
	char folder[LIVE_CGROUP_PATH];
	bool v2;
	int join_fd; /* A process that writes "0" to this descriptor joins the cgroup; -1: none. */
	int stat_fd, flush_fd;
};

/* KiB; -1 if the kernel does not report it. */
struct live_charged {
	int64_t kernel_kb; /* all kernel memory */
	int64_t tables_kb, stacks_kb;
};

/* The kernel's default period, µs, which containers use too. */
enum { LIVE_QUOTA_PERIOD_US = 100000 };

struct live_quota {
	/* Directory of a cgroup made only for the quota, to be removed; "" if none. */
	char folder[LIVE_CGROUP_PATH];
	char at[LIVE_CGROUP_PATH]; /* Directory of the cgroup with the limit; "" if none. */
	bool v2;
	int join_fd, stat_fd; /* Both are -1 if not open. */
};

/* Values since the cgroup was made; -1 if unknown. */
struct live_throttled {
	int64_t periods; /* Number of periods in which at least one CPU was throttled. */
	/*
	 * Throttled time, µs, summed over the CPUs. A CPU's time is added when the CPU may run
	 * again.
	 */
	int64_t us;
};

/* Finds a place for cgroups, and removes the cgroups that a killed tuibench has left there. */
void live_cgroup_open(struct live_cgroup *cgroup, const char *root, const char *controller);
void live_cgroup_close(struct live_cgroup *cgroup);
/* Makes an empty cgroup. Returns 0, or -errno and leaves nothing behind. */
int live_charge_open(struct live_charge *charge, struct live_cgroup *cgroup);
/* Opens tuibench's own cgroup for reading only. Returns 0 or -errno. */
int live_charge_open_own(struct live_charge *charge, const char *root);
int live_charge_read(const struct live_charge *charge, struct live_charged *out);
/* Peak of all memory charged to the cgroup, KiB; -1 if unknown, as before Linux 5.19. */
int64_t live_charge_peak(const struct live_charge *charge);
/* Peak of the kernel's own part, KiB; -1 if unknown, as with version 2. */
int64_t live_charge_kernel_peak(const struct live_charge *charge);
/* Memory in the cgroup that file pages and reclaimable slab use now, KiB; -1 if unknown. */
int64_t live_charge_cache(const struct live_charge *charge);
/*
 * CPU time of all tasks that were ever in the cgroup, µs. Returns false if unknown, as with version
 * 1.
 */
bool live_charge_cpu(const struct live_charge *charge, int64_t *user_us, int64_t *system_us);
/* Removes the cgroup, whose tasks must all have ended. Safe on a closed charge. */
void live_charge_close(struct live_charge *charge);

/*
 * Limits the run to that many thousandths of a CPU, in the run's memory cgroup or in a cgroup made
 * for the limit. Returns 0, or -errno with no cgroup left behind.
 */
int live_quota_open(struct live_quota *quota, struct live_cgroup *cgroup,
		    struct live_charge *charge, uint32_t thousandths);
void live_quota_none(struct live_quota *quota);
/*
 * Finds the lowest quota of our own cgroup and its ancestors, to read how it throttles a run.
 * Changes nothing. bounds: the cgroup whose limits were copied to the charge's cgroup.
 */
void live_quota_watch(struct live_quota *quota, const struct live_charge *charge,
		      const char *bounds, const char *root);
/* Reads the throttling so far. Returns false if unknown. */
bool live_quota_read(const struct live_quota *quota, struct live_throttled *out);
/* Lifts the limit, so that killed tasks end without waiting for the next period. */
void live_quota_lift(const struct live_quota *quota);
void live_quota_close(struct live_quota *quota);
/* Closes the descriptor and sets it to -1. Does not close 0 to 2, so a zeroed struct is safe. */
void live_close_fd(int *fd);

/*
 * How much memory the kernel uses for a run. The run's own cgroup reports it. Without such a
 * cgroup, it is estimated as page tables, stacks, and the other memory of each task, which is
 * mostly slab. This other memory is measured with idle tasks before the session, from our own
 * cgroup's account or else from /proc/meminfo.
 */

/* THREAD_SIZE of x86-64, arm64 and riscv64; not exported by the kernel. */
#define LIVE_KERNEL_STACK_KB 16

enum live_kernel_wish {
	LIVE_KERNEL_WHOLE,
	LIVE_KERNEL_ESTIMATE, /* Make no cgroup: estimate the memory. */
	/* Make neither a cgroup nor idle tasks: count only page tables and stacks. */
	LIVE_KERNEL_TABLES,
};

struct live_kernel {
	enum live_kernel_wish wish;
	struct live_cgroup cgroup;
	/* Kernel memory of one task besides its stack and page tables, KiB; NaN if unknown. */
	double thread_kb, process_kb;
	/* Page tables of a forked process that does nothing, KiB. */
	double process_tables_kb;
	bool slow;			/* Creating tasks took too long, so do not try again. */
	const char *source;		/* The account that the values come from, in words. */
	struct live_learning *learning; /* State while measuring; otherwise NULL. */
};

/*
 * Sets all values to unknown. wish: NULL, "" or "whole"; "estimate"; "tables". Returns -EINVAL for
 * any other wish.
 */
int live_kernel_wish(struct live_kernel *kernel, const char *wish);
/*
 * Measures the kernel memory of a task with tasks that this runner creates, one step per call. All
 * steps together take 0.2 s, or 0.9 s without a cgroup; without a cgroup, they are skipped unless
 * an estimate is wanted. Returns the milliseconds until the next step, or -1 when the measurement
 * is done and the tasks have ended.
 */
int live_kernel_learn(struct live_kernel *kernel, const char *runner, bool estimate);
void live_kernel_close(struct live_kernel *kernel);

/*
 * Memory of one run's tasks, from the /proc files of its processes, which stay open. All values
 * leave out the runner's shared memory, which is mostly the scoreboard.
 */

/* Largest number of processes that are read. The others are estimated from these. */
#define LIVE_MEMORY_MOST 64
/*
 * The same limit for a run that starts programs. Programs differ, so processes that were not read
 * are not estimated.
 */
#define LIVE_TREE_MOST 256

/*
 * Sums over n processes from one reading, KiB; -1 if the value of any process is unknown. all_kb
 * counts all resident pages; rss_kb, pss_kb and uss_kb leave out the shared memory.
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
	/*
	 * Some processes were not read. They are estimated from the others unless the run starts
	 * programs.
	 */
	bool partial;
	/* The run starts programs, and live_memory_find() finds their processes. */
	bool tree;
	bool saw_descendants; /* Processes other than the programs themselves were read too. */
	int32_t programs;     /* Number of the runner's children at the last reading. */
	struct live_residents resident; /* Values at the last reading. */
	/*
	 * Values for programs and all their descendants; -1: never read. children, threads: the
	 * most that one process had so far. processes: the most that were read at once; -1 also if
	 * some could not be read. alive: number of tasks alive at the last reading.
	 */
	int32_t children, threads, processes, alive;
	enum reason reason;    /* why not all processes could be read; REASON_NONE if all were */
	bool ignores_children; /* one of the processes ignores SIGCHLD */
	/* errno of the last failed PSS reading of a living process; 0 if none */
	int last_error;
};

/*
 * processes, tasks: live ones, without the runner. charge: account of their cgroup; NULL if none.
 */
struct live_alive {
	size_t processes, tasks;
	const struct live_charge *charge;
};

/* Whether root shows another PID namespace, in which our PIDs mean other processes or none. */
bool live_memory_is_foreign(const char *root);
/* Returns 0, or -errno if the runner's files cannot be opened. */
int live_memory_open(struct live_memory *memory, const char *root, pid_t runner,
		     const struct live_kernel *kernel, bool tree);
/*
 * Adds a process of the run. Ignores a process that has ended, and any after LIVE_MEMORY_MOST or
 * LIVE_TREE_MOST.
 */
void live_memory_add(struct live_memory *memory, pid_t pid);
/*
 * Reads all processes. pss: also reads PSS and USS. That takes each process's mmap lock, so do not
 * set pss while tasks are being created.
 */
void live_memory_read(struct live_memory *memory, bool pss, const struct live_alive *alive,
		      struct sample_memory *out);
/*
 * Adds and counts all descendants of the runner, including the n orphans of live_orphans_look().
 * Takes no mmap lock.
 */
void live_memory_find(struct live_memory *memory, const pid_t *orphans, uint32_t n);
void live_memory_close(struct live_memory *memory);
