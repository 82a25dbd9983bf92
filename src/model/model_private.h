/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "core/sample_task.h"
#include "model/model.h"

enum { LANE_BLOCK = 16 };

/* Runs that are read one after the other leave memory after as many, if they are in files. */
enum { MODEL_RUNS_STEP = 1024 };

/* Makes room for n runs and their levels; both may move. Those beyond some thousands are in files.
 */
bool model_runs_grow(struct model *model, size_t n);
/* Takes all but the newest runs of each case out of memory, if they are in files. */
void model_runs_leave(const struct model *model);
void model_runs_free(struct model *model);

/* The bytes of struct model_levels. */
size_t model_levels_size(const struct plan *plan);
/* Of a run that has just ended. */
void model_levels_keep(struct model *model, struct model_run *run);

struct lane_time {
	int64_t ns[MODEL_STATES];
};

/* Slices in ascending time: of one worker, as they came, or of all workers on one core. */
struct model_lane {
	struct sample_slice *slices; /* a worker's last one may be open */
	size_t n, cap;
	/* The time since the first slice, where every later LANE_BLOCK-th one begins. */
	struct lane_time *blocks;
	size_t cap_blocks;
	/* Long waits before a slice that only asks, met by a look: for the GIL, for anything else.
	 */
	uint32_t gil_asks, other_asks;
};

/* Whether the wait before that slice was as long as a switch interval, and the slice only asks. */
bool model_lane_asks(const struct model_lane *lane, size_t i);

/*
 * Adds slices to the run's lanes. One that is open is replaced by the next of its worker. Those
 * that overlap what is known, or belong to no worker, are left out: then -EPROTO; else 0, -ENOMEM.
 */
int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n);
/* Of the workers and of the cores, or of these alone: the run has none any more. */
void model_lanes_free(struct model_run *run);
void model_cores_free(struct model_run *run);

int64_t model_cursor(const struct model *model, const struct model_run *run);
/* As model_migrations(), whatever the cursor. */
int64_t model_lane_migrations(const struct model *model, const struct model_run *run,
			      uint32_t worker);

size_t model_lane_begun(const struct model_lane *lane, int64_t t_ns);
enum model_state model_lane_after(const struct sample_slice *slice);
/* When the worker could run again between a slice and the next, or NULL; within [off_ns, to_ns]. */
int64_t model_lane_ready(const struct sample_slice *slice, const struct sample_slice *next,
			 int64_t off_ns, int64_t to_ns);
/* The time since the first slice until t_ns: takes as many steps as a search, however many. */
struct lane_time model_lane_until(const struct model_lane *lane, int64_t t_ns);

struct model_core {
	struct model_lane lane;	  /* those that have ended */
	struct sample_slice open; /* the one that has not; off_ns 0: there is none */
	struct model_lane others; /* slices of others, where the source sees them */
};

struct model_task {
	struct sample_task known;
	struct model_lane lane;
};

/*
 * The stretch of a worker or task that holds t_ns, whatever the cursor, and not cut off at its end.
 */
void model_stretch_known(const struct model_run *run, uint32_t worker, int64_t t_ns,
			 struct model_stretch *out);
/*
 * Adds the parts of the path through a program's tasks, of the worker that ran it. The times are
 * cut off to the life of the program's first process. False: they are not known, nothing is added.
 */
bool model_program_walk(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t *from_ns, int64_t *to_ns, double ns[PROGRAM_PARTS]);

/* New tasks and those that changed. 0, -ENOMEM; -EPROTO: one is left out. */
int model_tasks_take(struct model_run *run, const struct sample_task *tasks, uint32_t n);
size_t model_tasks_bytes(const struct model_run *run);
void model_tasks_free(struct model_run *run);
void model_task_leave_lane(struct model_task *task);

struct fresh_slice {
	int64_t on_ns;
	uint32_t worker, slice;
};

/* Made of the workers' lanes from tick to tick. */
struct model_cores {
	struct model_core *list; /* by number */
	size_t n;
	bool exact; /* slices of others are known: between all of them a core is idle */
	struct fresh_slice *fresh; /* those behind `merged` are in no core's lane yet */
	size_t n_fresh, cap_fresh, merged;
};

int model_core_lanes_merge(const struct model_run *run);

/*
 * A tick was added to the run, or the run has ended (over): finds the stretches that a reading of
 * cpu.stat has confirmed since. 0 or -ENOMEM.
 */
int model_throttle_find(struct model_run *run, int32_t cores, bool over);

/*
 * The families of a session: for each metric all pairs of cases that are compared anywhere, on the
 * screen or in a format, whether they are shown or not. A family of a metric is read when it is
 * first asked for after a run has ended; what was found is kept until the next one has.
 */

struct model_pair {
	uint32_t a, b; /* cases, a < b */
};

/* What was found of a pair; the ratio, of METRIC_OF_PATH the difference in ns, when asked for. */
struct model_found {
	struct model_comparison comparison; /* without a verdict */
	const struct family *family;
	struct family_member member; /* with ratios, or differences, of its own */
	bool has_ratio;
};

/* The headline metrics share one error, each other metric has one for itself. */
enum model_share { MODEL_HEADLINES, MODEL_OTHERS, MODEL_SHARES };

/* The pairs of a recording, and what is the same for all metrics. */
struct model_part {
	uint32_t first, n;
	uint32_t shared; /* headline metrics that share an error: all, or the first alone */
	struct family families[MODEL_SHARES];
};

struct model_family {
	bool valid;
	uint32_t ended;		   /* runs, when it was read */
	struct model_found *found; /* of each pair; NULL: not yet */
};

/* The values of a case, in the order of its runs. */
struct model_series {
	struct model_value *list;
	size_t n, cap;
};

/* A metric's values, kept so that only runs that are new have to be read. */
struct model_metric_series {
	enum model_metric metric;
	uint64_t used;		    /* when it was asked for last: a counter */
	size_t read;		    /* the first runs, which have been */
	struct model_series *cases; /* NULL: no metric has this place */
};

/* As many metrics as a frame of any view reads; others take the place of the oldest. */
enum { MODEL_SERIES = 8 };

void model_series_free(struct model_metric_series *all, uint32_t cases);
struct model_families {
	uint32_t n_cases;
	uint64_t series_used;
	struct model_metric_series series[MODEL_SERIES];
	uint32_t n_pairs, n_parts;
	struct model_pair *pairs; /* in the order of their cases */
	uint32_t *pair_of;	  /* by a * n_cases + b: 1 + the number of their pair; 0: none */
	struct model_part *parts;
	struct model_family of[METRICS];
};

/* For the model alone, when it has its cases. NULL without memory. */
struct model_families *model_families_make(const struct model *model);
void model_families_free(struct model_families *families);
