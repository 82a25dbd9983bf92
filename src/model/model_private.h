/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "base/paged.h"
#include "core/sample_task.h"
#include "model/model.h"
#include "model/model_lanes.h"

enum { LANE_BLOCK = 16 };

/* Moves n bytes that a run owns. Returns their new address. If `bytes` is NULL, returns NULL. */
typedef void *model_move(void *arg, void *bytes, size_t n);

/*
 * Calls move() for all memory of an ended run. If an array has pointers, their memory is moved
 * before the array.
 */
void model_details_move(struct model_run *run, model_move *move, void *arg);
void model_workers_move(struct model_workers *workers, uint32_t all, model_move *move, void *arg);
void model_lanes_move(struct model_run *run, model_move *move, void *arg);
void model_cores_move(struct model_run *run, model_move *move, void *arg);
void model_tasks_move(struct model_run *run, model_move *move, void *arg);
/* Frees the bytes, unless they are in model->stored, and returns NULL. arg is the model. */
model_move model_let_go;
/* Frees the memory of all runs, without reading the pages of files. */
void model_details_free(struct model *model);
/*
 * Whether the oldest run whose details are in memory must give them up: model_keep() and
 * model_store() with the limit `most`.
 */
bool model_details_too_many(const struct model *model, size_t most);
/* Moves the memory of an ended run to a file. Returns false if there is no room for it. */
bool model_details_store(struct model *model, struct model_run *run);
/* If the run is in a file, moves its wakes_all there too, or drops it if there is no room. */
void model_details_store_sums(struct model *model, struct model_run *run);

/*
 * After this number of runs was read in sequence, their memory is released, if the session's runs
 * are in files.
 */
enum { MODEL_RUNS_STEP = 1024 };

/*
 * Grows the arrays of runs and levels to n items. Both may move. With some thousands of runs or
 * more, the arrays are in files.
 */
bool model_runs_grow(struct model *model, size_t n);
/*
 * If the runs are in files, releases the memory of all but the newest 2 * n_cases runs. A later
 * access reads the file again.
 */
void model_runs_leave(const struct model *model);
void model_runs_free(struct model *model);
/* Like model_runs_grow(), for the loads and for the n_cores cores of each load. */
bool model_loads_grow(struct model *model, size_t n, uint32_t n_cores);
void model_loads_free(struct model *model);

/* The size of struct model_levels in bytes. */
size_t model_levels_size(const struct plan *plan);
/* Stores the levels of a run that has just ended. */
void model_levels_keep(struct model *model, struct model_run *run);

struct lane_time {
	int64_t ns[MODEL_STATES];
};

/* Slices in ascending order of time: of one worker, as received, or of all workers on one core. */
struct model_lane {
	struct sample_slice *slices; /* The last slice of a worker may be open. */
	size_t n, cap;
	/*
	 * blocks[i] is the time in each state from the first slice to the beginning of slice number
	 * (i + 1) * LANE_BLOCK.
	 */
	struct lane_time *blocks;
	size_t cap_blocks;
	/*
	 * Numbers of long waits before a short slice, by what their samples say: gil_asks, a wait
	 * for the GIL; other_asks, another wait.
	 */
	uint32_t gil_asks, other_asks;
	/* Number of slices of a core that arrived after later slices of other workers. */
	uint32_t inserted;
};

/* Whether the slice was too short to have held the GIL. */
bool model_lane_is_short(const struct sample_slice *slice);
/*
 * Whether the wait before slice i was as long as Python's switch interval, and the slice too short
 * to have held the GIL.
 */
bool model_lane_asks(const struct model_lane *lane, size_t i);

/*
 * Adds slices to the run's lanes. The next slice of a worker replaces its open slice. Leaves out
 * slices that overlap known ones, or that belong to no worker. Without `cores`, the lanes of the
 * cores stay empty. Returns 0, -EPROTO if any slice was left out, or -ENOMEM.
 */
int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n,
		     bool cores);
/*
 * Call it at the end of the run. Drops open slices, whose end the kernel did not report: a
 * recording does not have them, and its figures must be the same.
 */
void model_lanes_end(struct model_run *run);
/* Frees the lanes of workers and cores, or of cores only. */
void model_lanes_free(struct model_run *run);
void model_cores_free(struct model_run *run);

int64_t model_cursor(const struct model *model, const struct model_run *run);
/* The counts as they were at a time since the beginning of the run; INT64_MAX: at its end. */
struct model_counts model_counts_until(const struct model_run *run, int64_t now_ns);
/* Like model_migrations(), ignoring the cursor. */
int64_t model_lane_migrations(const struct model *model, const struct model_run *run,
			      uint32_t worker);

/* Slice i of the lane. NULL if there is no lane or no such slice. */
static inline const struct sample_slice *model_lane_slice(const struct model_lane *lane, size_t i)
{
	if (lane && i < lane->n)
		return &lane->slices[i];
	return NULL;
}
size_t model_lane_begun(const struct model_lane *lane, int64_t t_ns);
enum model_state model_lane_after(const struct sample_slice *slice);
/*
 * When the worker became runnable between a slice and the next one, which may be NULL. The result
 * is within [off_ns, to_ns].
 */
int64_t model_lane_ready(const struct sample_slice *slice, const struct sample_slice *next,
			 int64_t off_ns, int64_t to_ns);
/* The time in each state from the first slice to t_ns, found by binary search. */
struct lane_time model_lane_until(const struct model_lane *lane, int64_t t_ns);

struct model_core {
	struct model_lane lane;	  /* slices that have ended */
	struct sample_slice open; /* The slice that has not ended; off_ns 0: none. */
	/* Slices of other programs; empty if the source does not record them. */
	struct model_lane others;
};

struct model_task {
	struct sample_task known;
	struct model_lane lane;
};

/* The stretch of a worker or task that contains t_ns. Ignores the cursor. */
void model_stretch_known(const struct model_run *run, uint32_t worker, int64_t t_ns,
			 struct model_stretch *out);
/*
 * Limits *from_ns and *to_ns to the life of the first process of the worker's program. Adds the
 * parts of the path through the program's tasks in that time. If they are unknown, returns false
 * and adds nothing.
 */
bool model_program_walk(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t *from_ns, int64_t *to_ns, double ns[PROGRAM_PARTS]);

/* Takes new and changed tasks. Returns 0, -ENOMEM, or -EPROTO if any was left out. */
int model_tasks_take(struct model_run *run, const struct sample_task *tasks, uint32_t n);
size_t model_tasks_bytes(const struct model_run *run);
void model_task_leave_lane(struct model_task *task);

/* The slice with index `slice` in the lane of a worker or, from n_workers on, of a task. */
struct fresh_slice {
	int64_t on_ns;
	uint32_t worker, slice;
};

/* Lanes of the cores, which each tick extends from the workers' lanes. */
struct model_cores {
	struct model_core *list; /* By the CPU's number. */
	size_t n;
	bool exact; /* Slices of other programs are known, so a core without a slice is idle. */
	struct fresh_slice
		*fresh; /* Slices from index `merged` on are not in any core's lane yet. */
	size_t n_fresh, cap_fresh, merged;
};

int model_core_lanes_merge(const struct model_run *run);

/*
 * Finds the throttled stretches that a reading of cpu.stat has confirmed since the last call. Call
 * it after each tick and, with `over`, when the run has ended. Returns 0 or -ENOMEM.
 */
int model_throttle_find(struct model_run *run, int32_t cores, bool over);

/*
 * The families of a session. The family of a metric has all pairs of cases that any screen or
 * format compares, whether or not these are shown now. It is computed when it is first needed after
 * a run has ended, and is valid until the next run ends.
 */

struct model_pair {
	uint32_t a, b; /* cases, a < b */
};

/*
 * The result for a pair. The ratio, or for METRIC_OF_PATH the difference in ns, is computed when
 * first needed.
 */
struct model_found {
	struct model_comparison comparison; /* All members except the verdict. */
	const struct family *family;
	struct family_member member; /* Owns its ratios or differences. */
	bool has_ratio;
};

/* The headline metrics share one family-wise error rate. Each other metric has its own. */
enum model_share { MODEL_HEADLINES, MODEL_OTHERS, MODEL_SHARES };

/* The pairs of one recording, and the values that are the same for all metrics. */
struct model_part {
	uint32_t first, n;
	/* How many headline metrics share the error rate: all, or only the first. */
	uint32_t shared;
	struct family families[MODEL_SHARES];
};

struct model_family {
	bool valid;
	uint32_t ended;		   /* Number of ended runs when the family was computed. */
	struct model_found *found; /* By pair; NULL: not computed yet. */
};

/* The values of a case, in the order of its runs. */
struct model_series {
	struct model_value *list;
	size_t n, cap;
	struct paged pages; /* The file that contains the list if it has thousands of values. */
};

/* The values of a metric. They are cached, so that only new runs have to be read. */
struct model_metric_series {
	enum model_metric metric;
	uint64_t used;		    /* Value of series_used at the last use. */
	size_t read;		    /* number of runs read so far */
	struct model_series *cases; /* NULL: this entry is unused. */
};

/*
 * The largest number of metrics that a frame of any view reads. If there are more, a new metric
 * replaces the least recently used one.
 */
enum { MODEL_SERIES = 24 };

void model_series_free(struct model_metric_series *all, uint32_t cases);
/*
 * Reads the usual metrics of the runs that have ended. Call it after each run, so that the run need
 * not be read from a file later.
 */
void model_values_take(const struct model *model);

/* The figures of a case's runs up to one run, taken together. */
struct model_latency_all {
	size_t runs; /* The number of all runs up to that run; 0: unused. */
	struct model_latency *figures;
};

/*
 * Number of runs for which each case keeps figures. A frame shows the newest run, and may show the
 * run of the last complete trial.
 */
enum { MODEL_LATENCY_KEPT = 2 };

void model_latency_free(struct model_families *families);

struct model_families {
	uint32_t n_cases;
	uint64_t series_used;
	struct model_metric_series series[MODEL_SERIES];
	struct model_latency_all (*latency)[MODEL_LATENCY_KEPT]; /* By case. */
	uint32_t n_pairs, n_parts;
	struct model_pair *pairs; /* in the order of their cases */
	uint32_t *pair_of;	  /* at [a * n_cases + b]: the pair's number plus 1; 0: no pair */
	struct model_part *parts;
	struct model_family of[METRICS];
};

/* Called only by the model, once its cases are known. NULL if memory is short. */
struct model_families *model_families_make(const struct model *model);
void model_families_free(struct model_families *families);
