/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>

#include "core/sample_slice.h"
#include "core/sample_task.h"
#include "model/model.h"

/*
 * When each worker of a run was on a core, and what it waited for in between, as of the cursor.
 * Times are in ns since the run's beginning. A worker's life lasts from its first known event to
 * its end. A worker that waits at the barrier counts as blocked. The states of a worker without
 * slices are unknown.
 */

enum model_state {
	STATE_NONE,    /* The worker has not begun, or has ended. */
	STATE_UNKNOWN, /* The worker is alive, but its state was not recorded. */
	STATE_ON,      /* The worker is on a core. */
	STATE_WAITING, /* The worker could run, but has no core. */
	/* The worker waits for something other than a core: a file, a lock, the barrier. */
	STATE_BLOCKED,
	MODEL_STATES
};

struct model_shares {
	double ns[MODEL_STATES];
};

struct model_stretch {
	int64_t from_ns, to_ns;
	enum model_state state;
	int16_t cpu; /* The core if the state is STATE_ON; -1: unknown, or another state. */
	/* enum sample_wait if the state is STATE_BLOCKED; 0: unknown, or another state. */
	int16_t waited;
	uint8_t merged; /* Number of slices that were merged into this stretch's slice; 0: none. */
};

/*
 * Tasks of commands have lanes too: in the functions below, worker number n_workers + i is task i.
 * The first process of a command uses the slices of its worker.
 */

/*
 * Task i of the run's n_tasks, as of the cursor. Returns false if the task had not begun by then.
 */
bool model_task(const struct model *model, const struct model_run *run, size_t i,
		struct sample_task *task);
const struct sample_task *model_task_known(const struct model_run *run, size_t i);
/*
 * The task in the form of a worker that begins its work immediately, for code that draws workers.
 */
struct sample_worker model_task_worker(const struct sample_task *task);
/* Number of tasks that the commands had created by the cursor; -1: not observed. */
int64_t model_tasks_created(const struct model *model, const struct model_run *run);

/*
 * Whether the slices of commands' tasks come from schedstat, which is read at intervals. Such
 * slices say how long a task ran in each span of at least SAMPLE_SCHEDSTAT_NS, but not when.
 */
bool model_tasks_sampled(const struct model *model);

/*
 * The slices of lane i, as recordings have them. The order of lanes is: workers, tasks, other
 * programs on the cores. *n may be 0. Returns false if there is no such lane.
 */
bool model_lane_kept(const struct model_run *run, size_t i, const struct sample_slice **slices,
		     size_t *n);
/*
 * Iterator that merges neighbouring slices of a lane, for a recording that has no room for all.
 * Merges slices on one CPU if they span at most SAMPLE_MERGED_NS and the gaps before them are of
 * one kind. The sums by state, by CPU and by kind of switch stay exact; a merged slice may be late
 * by up to SAMPLE_MERGED_NS.
 */
struct model_merge {
	const struct model_run *run;
	uint32_t worker;
	size_t at; /* Index of the lane's next slice. */
	/* When the lane's task began. A slice before this time is not merged with one after it. */
	int64_t begin_ns;
};

struct model_merge model_merge_begin(const struct model_run *run, uint32_t worker);
/* Returns false after the last slice. */
bool model_merge_next(struct model_merge *merge, struct sample_slice *next);
bool model_has_slices(const struct model_run *run);
/* The slices of a worker, ascending; *n is 0 if none are known. Ignores the cursor. */
const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n);
/*
 * When the kernel took a worker off its core for the last time, since the run's beginning; -1:
 * unknown. Use it for a killed worker, which cannot report its own end. Ignores the cursor.
 */
int64_t model_lane_end(const struct model_run *run, uint32_t worker);
/*
 * The stretch of a worker that contains t_ns, cut off at the cursor and at the worker's end. At the
 * end of one stretch, it is the next stretch. Returns false if t_ns is negative, or not before both
 * the cursor and the worker's end.
 */
bool model_stretch_at(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t t_ns, struct model_stretch *out);
/*
 * Calls visit() for each stretch of a worker between from_ns and to_ns, in order. Stretches are cut
 * off at these times, at the cursor and at the worker's end. Searches for the first slice only, so
 * it is faster than model_stretch_at() for each.
 */
void model_stretches(const struct model *model, const struct model_run *run, uint32_t worker,
		     int64_t from_ns, int64_t to_ns,
		     void (*visit)(void *arg, const struct model_stretch *stretch), void *arg);
/*
 * The worker's time in each state before t_ns, up to the cursor. Finds the slice by a search,
 * instead of going through all of them.
 */
void model_shares_until(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t t_ns, struct model_shares *shares);
void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares);

/*
 * Length of time before t_ns for which a quota kept the whole run from the cores, as far as known.
 * In that time, a worker that could run waited for the quota, not for a core. Ignores the cursor.
 * The slices show when the run was kept from the cores, and cpu.stat of its cgroup confirms it one
 * tick later.
 */
int64_t model_throttled_until(const struct model_run *run, int64_t t_ns);
/*
 * How long a quota kept the worker from the cores although it could have run, ns, up to the cursor.
 */
double model_throttled(const struct model *model, const struct model_run *run, uint32_t worker);

struct model_wait {
	int waited; /* enum sample_wait; 0: unknown */
	double ns;
};

/*
 * Adds the worker's blocked time up to the cursor to a list of n items, one for each object that
 * the worker waited for, longest first. The list has at most `most` items (above 0). If it is full,
 * one item becomes "unknown" and takes further objects. Returns the new number of items.
 */
size_t model_waits_add(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_wait *list, size_t n, size_t most);

/*
 * Figures of one worker. Without slices, counts and longest times are 0, median_ns is NaN, and all
 * of its time is in STATE_UNKNOWN. Returns 0 or -ENOMEM.
 */
struct model_lane_figures {
	size_t slices, migrations, waits;
	/*
	 * Median length of its slices, longest slice, longest wait for a core; NaN: some slices
	 * were merged.
	 */
	double median_ns, longest_ns, longest_wait_ns;
	cpu_set_t cores;
	struct model_shares shares;
};

int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out);

/*
 * Number of times that a worker moved to another core: by the kernel's count or, without one, by
 * the kernel's records of an ended run, if none was lost. -1: unknown.
 */
int64_t model_migrations(const struct model *model, const struct model_run *run, uint32_t worker);

/* Lanes of cores: which worker of the run was on each core, and when. */
enum model_core_state {
	/*
	 * No worker of the run was on the core: the core was idle, or another task had it, which is
	 * unknown.
	 */
	CORE_FREE,
	/*
	 * Another program was on the core. Its slices say so or, without such slices, a worker that
	 * was preempted long before the next worker came.
	 */
	CORE_OTHERS,
	CORE_OURS,
	CORE_STATES
};

struct model_core_stretch {
	int64_t from_ns, to_ns;
	enum model_core_state state;
	/* The worker, if the state is CORE_OURS. From n_workers on, it is a program's task. */
	uint32_t worker;
};

struct model_core_shares {
	double ns[CORE_STATES];
};

/*
 * Updates the lanes of the run's cores up to its newest slice. Call it before the functions below.
 * Returns a number above the highest core number. Returns 0 if no core is known, if slices that
 * were left out are still arriving, if tasks were lost, or if memory is short; do not call the
 * other functions then.
 */
size_t model_cores_seen(const struct model_run *run);
bool model_core_used(const struct model_run *run, size_t cpu);
/*
 * Whether slices of other programs were recorded, so that a core on which nothing is known to run
 * was idle.
 */
bool model_cores_exact(const struct model_run *run);
/* Slices of other programs on a core, ascending; *n is 0 if none are known. Ignores the cursor. */
const struct sample_slice *model_core_others(const struct model_run *run, size_t cpu, size_t *n);
/* Like model_stretch_at() for a core. The limits are the cursor and the run's end. */
bool model_core_stretch_at(const struct model *model, const struct model_run *run, size_t cpu,
			   int64_t t_ns, struct model_core_stretch *out);
/*
 * Calls visit() for each stretch of a core that overlaps from_ns … to_ns, in order. Stretches are
 * not cut off at these times, but at the cursor. Faster than model_core_stretch_at() for each.
 */
void model_core_stretches(const struct model *model, const struct model_run *run, size_t cpu,
			  int64_t from_ns, int64_t to_ns,
			  void (*visit)(void *arg, const struct model_core_stretch *stretch),
			  void *arg);
/*
 * A time before which the core's stretches are final: slices that arrive later do not change them,
 * unless *version changes.
 */
int64_t model_core_settled(const struct model_run *run, size_t cpu, uint64_t *version);
void model_core_shares_until(const struct model *model, const struct model_run *run, size_t cpu,
			     int64_t t_ns, struct model_core_shares *shares);
/*
 * Core time that the run wasted up to the cursor, ns: the time in which a core of the run was idle
 * while a worker waited for a core (Lozi et al. 2016, "The Linux Scheduler: a Decade of Wasted
 * Cores"). Two idle cores waste twice as much if two workers wait. Gaps below 0.5 ms are left out,
 * because the runner may have had the core. -1: unknown, because other programs' slices or some of
 * the run's slices were not recorded, because a quota or a fixed core kept workers from other
 * cores, or because memory is short. Reads all slices, so do not call it in every frame.
 */
int64_t model_wasted(const struct model *model, const struct model_run *run);
