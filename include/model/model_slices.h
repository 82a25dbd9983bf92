/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/*
 * When each worker of a run was on a core, and what it waited for in between; as of the cursor.
 * Times are in ns since the run's begin. A worker's life goes from the first thing that is known of
 * it to its end; before its work it stands at the gate, which counts as blocked. What it did is
 * known only where it has slices.
 */

enum model_state {
	STATE_NONE,    /* not begun, or over */
	STATE_UNKNOWN, /* it is there; nobody noted what it did */
	STATE_ON,      /* on a core */
	STATE_WAITING, /* could run and had no core */
	STATE_BLOCKED, /* waited for something else: a file, a lock, the gate */
	MODEL_STATES
};

/* How long it was in each state, ns. */
struct model_shares {
	double ns[MODEL_STATES];
};

/* A stretch of a worker's life in one state. */
struct model_stretch {
	int64_t from_ns, to_ns;
	enum model_state state;
	int16_t cpu;	/* of STATE_ON; else -1 */
	int16_t waited; /* of STATE_BLOCKED: enum sample_wait; else 0 */
};

/*
 * Tasks of commands have lanes as well: wherever a worker is asked for below, n_workers + i is task
 * i. The first process of a command has the slices of its worker.
 */

/* Task i of the run's n_tasks as of the cursor; false: it has not begun by then. */
bool model_task(const struct model *model, const struct model_run *run, size_t i,
		struct sample_task *task);
/* All that is known of it, whatever the cursor. */
const struct sample_task *model_task_known(const struct model_run *run, size_t i);
/* The same as a worker, which begins its work at once: for what draws workers. */
struct sample_worker model_task_worker(const struct sample_task *task);
/* How many tasks the commands had created by the cursor; -1: nobody looked. */
int64_t model_tasks_created(const struct model *model, const struct model_run *run);

/*
 * Tasks' slices come from schedstat, read now and then: what a task did is known for each stretch
 * of SAMPLE_SCHEDSTAT_NS, and when in it is not.
 */
bool model_tasks_sampled(const struct model *model);

bool model_has_slices(const struct model_run *run);
/* The slices of a worker in ascending time; *n 0 where none are known. Whatever the cursor. */
const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n);
/*
 * The stretch of a worker that holds t_ns, cut off at the cursor; at the end of one the next
 * begins. False: t_ns lies at or behind the cursor, or behind the worker's end.
 */
bool model_stretch_at(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t t_ns, struct model_stretch *out);
/*
 * Hands out the stretches of a worker from from_ns to to_ns, cut off there and at the cursor, one
 * after the other; a step each.
 */
void model_stretches(const struct model *model, const struct model_run *run, uint32_t worker,
		     int64_t from_ns, int64_t to_ns,
		     void (*take)(void *arg, const struct model_stretch *stretch), void *arg);
/*
 * The worker's time in each state before t_ns, as far as the cursor; a search, however many slices.
 */
void model_shares_until(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t t_ns, struct model_shares *shares);
/* Adds those within [from_ns, to_ns). */
void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares);

/*
 * So long before t_ns a quota kept the whole run from the cores, as far as is known; whatever the
 * cursor. A worker that could run then was waiting, and for no core. The slices say when that was,
 * cpu.stat of the run's cgroup that it was: known a tick later.
 */
int64_t model_throttled_until(const struct model_run *run, int64_t t_ns);
/* How long the worker could have run meanwhile, ns, as far as the cursor. */
double model_throttled(const struct model *model, const struct model_run *run, uint32_t worker);

/* What it was blocked on, ns. */
struct model_wait {
	int waited; /* enum sample_wait; 0: not known */
	double ns;
};

/*
 * Adds the worker's blocked time, as far as the cursor, to a list of n, by what it waited for, the
 * longest first. More than `most` are not known. Returns how many there are now.
 */
size_t model_waits_add(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_wait *list, size_t n, size_t most);

/* All that is said of one worker; 0 and NaN where there is nothing. */
struct model_lane_figures {
	size_t slices, migrations, waits;
	double median_ns;	/* of the slices */
	double longest_ns;	/* slice */
	double longest_wait_ns; /* for a core */
	cpu_set_t cores;	/* that it ran on */
	struct model_shares shares;
};

/* 0 or -ENOMEM. */
int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out);

/*
 * How often a worker went to another core: by the kernel's count, else by the kernel's records of a
 * run that has ended, where none was lost. -1: not known.
 */
int64_t model_migrations(const struct model *model, const struct model_run *run, uint32_t worker);

/* The other way round: who of the run was on each core. */
enum model_core_state {
	CORE_FREE,   /* none of the run's workers: idle, or not known who */
	CORE_OTHERS, /* it was taken from a worker, for what is not of the run */
	CORE_OURS,
	CORE_STATES
};

struct model_core_stretch {
	int64_t from_ns, to_ns;
	enum model_core_state state;
	uint32_t worker; /* of CORE_OURS */
};

/* ns. */
struct model_core_shares {
	double ns[CORE_STATES];
};

/*
 * Brings the lanes of the run's cores up to its newest slice: call it before those below. Returns
 * more than the greatest number of a core; 0: none is known, or there is no memory.
 */
size_t model_cores_seen(const struct model_run *run);
/* A slice of the run is known on that core. */
bool model_core_used(const struct model_run *run, size_t cpu);
/* What others had of a core, in ascending time; *n 0 where none is known. Whatever the cursor. */
const struct sample_slice *model_core_others(const struct model_run *run, size_t cpu, size_t *n);
/* As of a worker, but up to the run's end. */
bool model_core_stretch_at(const struct model *model, const struct model_run *run, size_t cpu,
			   int64_t t_ns, struct model_core_stretch *out);
void model_core_shares_until(const struct model *model, const struct model_run *run, size_t cpu,
			     int64_t t_ns, struct model_core_shares *shares);

/*
 * The time from when a task could run until it was on a core. Only where the source says since
 * when it could; whoever was preempted is not in it, since nobody woke it.
 */

/* What it could not run for. */
enum model_wake {
	WAKE_CREATED, /* it was not there yet */
	WAKE_GATE,    /* it stood at the gate */
	WAKE_BLOCKED, /* it was blocked: a file, a lock, its children */
	MODEL_WAKES
};

/* ns; -1 where n is 0. The greatest is exact, the others are right to WAKES_ERROR. */
struct model_wake_figures {
	uint64_t n;
	int64_t p50, p90, p99, max;
};

/* The histogram has 16 buckets an octave, and says the middle of one. */
#define WAKES_ERROR 0.032

/*
 * Those of one run, counted when it has ended and kept with it, of a bounded size. NULL while it
 * goes on at the cursor, where there are none, and where memory was short.
 */
const struct model_wakes *model_wakes_run(const struct model *model, const struct model_run *run);
/* Those of all counted trials of a case by now, taken together and kept as well. NULL: none. */
const struct model_wakes *model_wakes(const struct model *model, uint32_t case_id);
/* By whom: an enum sample_woken, or WOKENS for all together. */
struct model_wake_figures model_wakes_figures(const struct model_wakes *wakes, enum model_wake wake,
					      enum sample_woken who);
/* Those that took from `from` to `to` ns, as if a bucket were evenly filled. */
double model_wakes_between(const struct model_wakes *wakes, enum model_wake wake, double from,
			   double to);

/* Of one worker by the cursor, the wakes from a block alone; 0 and NaN where there are none. */
struct model_woken {
	uint32_t n;
	uint32_t by[WOKENS];
	uint32_t worker, worker_n; /* that woke it most often, and how often */
	double median_ns, longest_ns;
};

/* 0 or -ENOMEM. */
int model_woken(const struct model *model, const struct model_run *run, uint32_t worker,
		struct model_woken *out);

/* As in the JSON. */
extern const char *const model_wake_names[MODEL_WAKES];

/*
 * For model.c alone, at the end of a run, which is the newest: fills run->wakes and run->wakes_all,
 * or leaves them NULL. model_wakes_free() takes both.
 */
void model_wakes_make(const struct model *model, struct model_run *run);
void model_wakes_free(struct model_wakes *wakes);
size_t model_wakes_bytes(const struct model_wakes *wakes);
