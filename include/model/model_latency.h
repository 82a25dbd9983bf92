/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/* Where tasks are created and joined one after the other: the time from the creating call. */
enum model_latency_span {
	LATENCY_CALLER, /* until that call returns */
	LATENCY_TASK,	/* until the task's first instruction */
	LATENCY_JOINED, /* until it has ended and was joined or reaped */
	MODEL_LATENCIES,
	/* The only one of operations that workers do, see below. */
	LATENCY_OPERATION = LATENCY_CALLER
};

/* Where the task began, seen from its creator's core at the call. */
enum model_latency_place {
	LATENCY_SAME,  /* on that core */
	LATENCY_OTHER, /* on another one */
	/* of recordings of versions that did not know; a mixture of both */
	LATENCY_NOT_RECORDED,
	MODEL_PLACES,
	/* The only one of operations. */
	LATENCY_ANYWHERE = LATENCY_NOT_RECORDED
};

/*
 * The histogram's axis is logarithmic and the same for all, so that counts can be added and drawn
 * over one another: bucket i holds what is at least model_latency_edge(i) and less than the next
 * edge; the first also what is less, the last also what is more.
 */
#define LATENCY_PER_DECADE 20
#define LATENCY_DECADES	   10 /* 10 ns … 100 s */
#define LATENCY_BUCKETS	   (LATENCY_PER_DECADE * LATENCY_DECADES)

/*
 * Figures in ns. first is the first creation of a run, which pays for what later ones find ready (a
 * stack, warm caches). It is not in the rest; of several runs it is the median of theirs.
 * Percentiles are of the values themselves, as by stats_quantile(), in whole ns.
 */
struct model_latency_figures {
	uint32_t n; /* creations but the first ones; 0: all below is -1 */
	int64_t min, p50, p90, p99, max;
	int64_t first;			   /* -1: not known */
	uint32_t buckets[LATENCY_BUCKETS]; /* n in all */
};

/* The creations whose tasks began in one place: n of them, that share of all of the run. */
struct model_latency_at {
	uint32_t n;
	double share; /* NaN where there is none anywhere */
	struct model_latency_figures span[MODEL_LATENCIES];
};

struct model_latency {
	uint32_t runs;		       /* that it is of */
	enum plan_placement placement; /* of its case */
	struct model_latency_at at[MODEL_PLACES];
};

/* Whether the cases create tasks one after the other: then there are such figures. */
bool model_has_latency(const struct model *model);
/*
 * The latency of one run, worked out when it has ended and kept with it. NULL while it goes on at
 * the cursor, where it creates no task by a primitive (plan_is_creation), and where memory was
 * short.
 */
const struct model_latency *model_latency_run(const struct model *model,
					      const struct model_run *run);
/* Of all counted trials of a case by now, taken together and kept as well. NULL: none. */
const struct model_latency *model_latency(const struct model *model, uint32_t case_id);
/*
 * The figures that stand for a case in verdicts: of one core, which can be had again, or those of
 * an old recording, which knows no places. NULL where it is mixed.
 */
const struct model_latency_at *model_latency_headline(const struct model_latency *latency);
/* The places that the cases of such a placement have figures of. */
bool model_latency_has(enum plan_placement placement, enum model_latency_place place);
/*
 * The case that says what the clock itself takes under the same conditions: that of PLAN_CALL with
 * no ballast, of the same recording; n_cases: there is none.
 */
uint32_t model_latency_clock(const struct model *model, uint32_t case_id);

/* The lower edge of a bucket, ns; of LATENCY_BUCKETS the upper edge of the last. */
double model_latency_edge(uint32_t bucket);
uint32_t model_latency_bucket(int64_t ns);
/* As in the JSON. */
extern const char *const model_latency_names[MODEL_LATENCIES];
extern const char *const model_latency_places[MODEL_PLACES];

/*
 * For model.c alone, at the end of a run, which is the newest: fills run->latency and
 * run->latency_all, or leaves them NULL. The caller frees both.
 */
void model_latency_make(const struct model *model, struct model_run *run);

/*
 * The time of each of many operations that workers do and record: a round trip, a task, a write.
 * They are known by their buckets, see core/tally.h, and the shortest and longest exactly; other
 * percentiles lie within a bucket, 3 % at most.
 */

/* Whether the cases have such workers. */
bool model_has_operations(const struct model *model);
/* Whether the cases are ways to hand something over: then the operation is what is compared. */
bool model_has_ways(const struct model *model);
/*
 * The operations of one run that has ended; NULL: it recorded none, or memory was short. Of
 * creations, which model_latency_run() has, this is NULL, and the other way round.
 */
const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run);
/* Of all counted trials of a case measured by now, taken together. */
const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id);
/* What one operation took on average, ns; NaN: not known. */
double model_operations_mean(const struct model_run *run);

/*
 * For model.c alone, at the end of a run, which is the newest: keeps the buckets, and fills
 * run->latency and run->latency_all. 0 or -ENOMEM.
 */
int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n);
