/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* For sessions that create and join tasks one by one: a time that begins with the create call. */
enum model_latency_span {
	LATENCY_CALLER, /* until the call returns */
	LATENCY_TASK,	/* until the task's first instruction */
	LATENCY_JOINED, /* until the task has ended and was joined or reaped */
	MODEL_LATENCIES,
	/* The duration of an operation, see model_operations(). Operations have no other span. */
	LATENCY_OPERATION = LATENCY_CALLER
};

/* Where the task began, relative to its parent's core at the create call. */
enum model_latency_place {
	LATENCY_SAME,  /* on the same core */
	LATENCY_OTHER, /* on another core */
	/* unknown, as in recordings of old versions, or in several places */
	LATENCY_NOT_RECORDED,
	MODEL_PLACES,
	/* The place of all operations. */
	LATENCY_ANYWHERE = LATENCY_NOT_RECORDED
};

/*
 * The histogram's axis is logarithmic and always the same, so counts can be added, and histograms
 * can be drawn over one another. Bucket i holds values of at least model_latency_edge(i) and below
 * the next edge. The first bucket also holds smaller values, the last one larger values.
 */
#define LATENCY_PER_DECADE 20
#define LATENCY_DECADES	   10 /* 10 ns … 100 s */
#define LATENCY_BUCKETS	   (LATENCY_PER_DECADE * LATENCY_DECADES)

/*
 * Figures in ns. `first` is the first creation of a run. Later creations reuse what the first one
 * prepares (a stack, warm caches), so the other figures leave it out. For several runs, `first` is
 * the median of their first creations. Percentiles are computed from the values themselves, as by
 * stats_quantile(), in whole ns.
 */
struct model_latency_figures {
	uint32_t n; /* Number of creations without the first ones; 0: all figures below are -1. */
	int64_t min, p50, p90, p99, p999, max;
	int64_t first;			   /* -1: unknown */
	uint32_t buckets[LATENCY_BUCKETS]; /* The counts add up to n. */
};

/* The creations whose tasks began in one place: figures, and their share of all creations. */
struct model_latency_at {
	uint32_t n;
	double share; /* NaN if there are no creations. */
	struct model_latency_figures span[MODEL_LATENCIES];
};

struct model_latency {
	uint32_t runs;		       /* Number of runs included. */
	enum plan_placement placement; /* The placement of the case. */
	struct model_latency_at at[MODEL_PLACES];
};

/* Whether the session creates tasks one by one, so that it has latency figures. */
bool model_has_latency(const struct model *model);
/*
 * The creations or operations of a run. NULL if the run has not ended at the cursor, if it has
 * neither, or if memory was short.
 */
const struct model_latency *model_latency_run(const struct model *model,
					      const struct model_run *run);
/*
 * The latency of all counted trials of a case so far, taken together; NULL if there is none, or if
 * memory is short.
 */
const struct model_latency *model_latency(const struct model *model, uint32_t case_id);
/*
 * The figures that represent a case in verdicts: of tasks on one core, because they are
 * reproducible. In an old recording without places, the only figures. NULL if the tasks of the case
 * begin in several places.
 */
const struct model_latency_at *model_latency_headline(const struct model_latency *latency);
/* Whether cases with that placement have figures for that place. */
bool model_latency_has(enum plan_placement placement, enum model_latency_place place);
/*
 * The first case of the same recording that only reads the clock, PLAN_CALL. n_cases if there is
 * none.
 */
uint32_t model_latency_clock(const struct model *model, uint32_t case_id);

/* The lower edge of a bucket, ns. For LATENCY_BUCKETS, the upper edge of the last one. */
double model_latency_edge(uint32_t bucket);
uint32_t model_latency_bucket(int64_t ns);
extern const char *const model_latency_names[MODEL_LATENCIES];
extern const char *const model_latency_places[MODEL_PLACES];

/*
 * Computes the latency of a run that creates tasks one by one. Call it at the end of the newest
 * run. Leaves the latency NULL if memory is short.
 */
void model_latency_make(const struct model *model, struct model_run *run);

/*
 * Durations of the operations that workers repeat and record: round trips, handed-out pieces of
 * work, requests. They are counted in buckets, see core/tally.h. The shortest and the longest are
 * exact; other percentiles are at most 3 % off, because they lie somewhere within a bucket.
 */

bool model_has_operations(const struct model *model);
/*
 * Whether the session times creations or operations: model_has_latency(), model_has_operations().
 */
bool model_times_each(const struct model *model);
/*
 * Whether some case hands something over, so that the ways to do so are compared by the time of one
 * operation.
 */
bool model_has_ways(const struct model *model);
/*
 * The operations of an ended run; NULL if none were recorded, or if memory was short. For a run of
 * creations, see model_latency_run().
 */
const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run);
/*
 * The operations of all counted trials of a case so far, taken together; NULL if there are none, or
 * if memory is short.
 */
const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id);

/* Like model_latency_make(), for operations. Copies the buckets. Returns 0 or -ENOMEM. */
int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n);
