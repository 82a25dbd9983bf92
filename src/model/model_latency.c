/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include "model/model_latency.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tally.h"

/* First edge of the axis, ns. A creation takes longer than that. */
#define FIRST_EDGE 10.0

/*
 * How long a creation took; NaN if its task began in another place, if the call failed, or if the
 * time is unknown.
 */
static double creation_ns(const struct sample_worker *worker, enum model_latency_place place,
			  enum model_latency_span span)
{
	int same = sample_worker_same_core(worker);
	enum model_latency_place began = LATENCY_NOT_RECORDED;
	const int64_t ends[] = {[LATENCY_CALLER] = worker->created_ns,
				[LATENCY_TASK] = worker->start_ns,
				[LATENCY_JOINED] = worker->join_ns};

	if (same >= 0) {
		if (same)
			began = LATENCY_SAME;
		else
			began = LATENCY_OTHER;
	}
	/* A call that failed created nothing. */
	if (worker->create_ns < 0 || ends[span] < worker->create_ns ||
	    worker->status == SAMPLE_REFUSED || began != place)
		return NAN;
	return (double)(ends[span] - worker->create_ns);
}

static int64_t quantile_ns(const double *sorted, size_t n, double q)
{
	return n > 0 ? llround(stats_quantile(sorted, n, q)) : -1;
}

/*
 * Computes the figures of all creations in the runs, by place and span. The first creation of each
 * run prepares data that later creations reuse, so only `first` is about it, and the other figures
 * leave it out. NULL if memory is short.
 */
static struct model_latency *figures_of(const struct model_run *const *runs, size_t n_runs,
					enum plan_placement placement)
{
	struct model_latency *out = calloc(1, sizeof(*out));
	size_t most = 0;
	double all = 0, *values, *firsts;

	for (size_t i = 0; i < n_runs; i++)
		most += runs[i]->n_workers;
	values = calloc(most + n_runs, sizeof(*values));
	if (!out || !values) {
		free(out);
		free(values);
		return NULL;
	}
	firsts = values + most;
	out->runs = (uint32_t)n_runs;
	out->placement = placement;
	for (int i = 0; i < MODEL_PLACES * MODEL_LATENCIES; i++) {
		enum model_latency_place place = (enum model_latency_place)(i / MODEL_LATENCIES);
		enum model_latency_span span = (enum model_latency_span)(i % MODEL_LATENCIES);
		struct model_latency_figures *f = &out->at[place].span[span];
		size_t n = 0, n_firsts = 0;

		for (size_t r = 0; r < n_runs; r++)
			for (uint32_t k = 0; k < runs[r]->n_workers; k++) {
				const struct sample_worker worker = model_known(runs[r], k);
				double ns = creation_ns(&worker, place, span);

				if (!isnan(ns))
					*(k == 0 ? &firsts[n_firsts++] : &values[n++]) = ns;
			}
		stats_sort(firsts, n_firsts);
		stats_sort(values, n);
		f->first = quantile_ns(firsts, n_firsts, 0.5);
		f->n = (uint32_t)n;
		f->min = quantile_ns(values, n, 0);
		f->p50 = quantile_ns(values, n, 0.5);
		f->p90 = quantile_ns(values, n, 0.9);
		f->p99 = quantile_ns(values, n, 0.99);
		f->p999 = quantile_ns(values, n, 0.999);
		f->max = quantile_ns(values, n, 1);
		for (size_t k = 0; k < n; k++)
			f->buckets[model_latency_bucket((int64_t)values[k])]++;
	}
	/*
	 * Every creation has a time until the call returns, so the counts of LATENCY_CALLER cover
	 * all creations.
	 */
	for (int i = 0; i < MODEL_PLACES; i++) {
		out->at[i].n = out->at[i].span[LATENCY_CALLER].n;
		all += out->at[i].n;
	}
	for (int i = 0; i < MODEL_PLACES; i++) {
		if (all > 0)
			out->at[i].share = out->at[i].n / all;
		else
			out->at[i].share = NAN;
	}
	free(values);
	return out;
}

void model_latency_make(const struct model *model, struct model_run *run)
{
	const struct plan *plan = model_plan(model, run);
	const struct model_run *alone = run;

	if (plan_is_creation(plan))
		run->latency = figures_of(&alone, 1, (enum plan_placement)plan->placement);
}

const struct model_latency *model_latency_run(const struct model *model,
					      const struct model_run *run)
{
	if (model_ended(model, run))
		return run->latency;
	return NULL;
}

const struct model_latency_at *model_latency_headline(const struct model_latency *latency)
{
	if (!latency || latency->placement > PLAN_PINNED)
		return NULL;
	if (latency->placement == PLAN_PINNED)
		return &latency->at[LATENCY_SAME];
	return &latency->at[LATENCY_NOT_RECORDED];
}

bool model_latency_has(enum plan_placement placement, enum model_latency_place place)
{
	return (place == LATENCY_NOT_RECORDED) == (placement == PLAN_NOT_PLACED);
}

uint32_t model_latency_clock(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct plan *plan = &model->cases[i].plan;

		if (plan->primitive == PLAN_CALL && plan_is_creation(plan) &&
		    model_origin(model, i) == model_origin(model, case_id))
			return i;
	}
	return model->n_cases;
}

double model_latency_edge(uint32_t bucket)
{
	return FIRST_EDGE * pow(10, (double)bucket / LATENCY_PER_DECADE);
}

uint32_t model_latency_bucket(int64_t ns)
{
	double place = floor(LATENCY_PER_DECADE * log10((double)ns / FIRST_EDGE));
	uint32_t bucket;

	if (ns < FIRST_EDGE)
		return 0;
	if (place < LATENCY_BUCKETS)
		bucket = (uint32_t)place;
	else
		bucket = LATENCY_BUCKETS - 1;
	/* The logarithm is rounded, so compare a value near an edge with the edge itself. */
	if (bucket + 1 < LATENCY_BUCKETS && (double)ns >= model_latency_edge(bucket + 1))
		return bucket + 1;
	if ((double)ns < model_latency_edge(bucket))
		return bucket - 1;
	return bucket;
}

const char *const model_latency_names[MODEL_LATENCIES] = {
	[LATENCY_CALLER] = "to_caller",
	[LATENCY_TASK] = "to_task",
	[LATENCY_JOINED] = "joined",
};

const char *const model_latency_places[MODEL_PLACES] = {
	[LATENCY_SAME] = "same_core",
	[LATENCY_OTHER] = "other_core",
	[LATENCY_NOT_RECORDED] = "not_recorded",
};

struct operations {
	uint64_t n;
	double min, max;
	uint64_t count[TALLY_BUCKETS];
};

static void add_operations(struct operations *counts, const struct model_run *run)
{
	for (uint32_t i = 0; i < run->n_buckets; i++) {
		const struct sample_bucket *bucket = &run->buckets[i];

		counts->count[tally_bucket((uint64_t)bucket->from_ns)] += (uint64_t)bucket->count;
		counts->n += (uint64_t)bucket->count;
	}
	counts->min = fmin(counts->min, fields_known(run->totals.operation_min_ns));
	counts->max = fmax(counts->max, fields_known(run->totals.operation_max_ns));
}

/* The quantile of a histogram. Values are assumed to be spread evenly within a bucket. */
static double operations_quantile(const struct operations *counts, double q)
{
	double rank = q * (double)counts->n, before = 0;
	uint32_t i = 0;

	while (i + 1 < TALLY_BUCKETS && before + (double)counts->count[i] < rank)
		before += (double)counts->count[i++];
	while (i + 1 < TALLY_BUCKETS && counts->count[i] == 0)
		i++;
	double low = (double)tally_edge(i), high = (double)tally_edge(i + 1);
	double part = (rank - before) / (double)counts->count[i];

	/* Limits the value to the known minimum and maximum. fmin() and fmax() ignore NaN. */
	return fmin(fmax(low + part * (high - low), counts->min), counts->max);
}

static struct model_latency *figures_of_operations(const struct operations *counts, uint32_t runs)
{
	struct model_latency *out = counts->n > 0 ? calloc(1, sizeof(*out)) : NULL;
	struct model_latency_figures *f;

	if (!out)
		return NULL;
	out->runs = runs;
	f = &out->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION];
	if (counts->n < UINT32_MAX)
		f->n = (uint32_t)counts->n;
	else
		f->n = UINT32_MAX;
	f->min = llround(operations_quantile(counts, 0));
	f->p50 = llround(operations_quantile(counts, 0.5));
	f->p90 = llround(operations_quantile(counts, 0.9));
	f->p99 = llround(operations_quantile(counts, 0.99));
	f->p999 = llround(operations_quantile(counts, 0.999));
	f->max = llround(operations_quantile(counts, 1));
	f->first = -1;
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
		uint64_t middle = (tally_edge(i) + tally_edge(i + 1)) / 2;

		f->buckets[model_latency_bucket((int64_t)middle)] += (uint32_t)counts->count[i];
	}
	out->at[LATENCY_ANYWHERE].n = f->n;
	out->at[LATENCY_ANYWHERE].share = 1;
	return out;
}

int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n)
{
	struct operations of_run = {.min = NAN, .max = NAN};

	if (n == 0 || !plan_operates(model_plan(model, run)))
		return 0;
	run->buckets = calloc(n, sizeof(*buckets));
	if (!run->buckets)
		return -ENOMEM;
	memcpy(run->buckets, buckets, n * sizeof(*buckets));
	run->n_buckets = n;
	add_operations(&of_run, run);
	run->latency = figures_of_operations(&of_run, 1);
	return 0;
}

/* Whether the run was already part of the result when a later run of its case ended. */
static bool counted_until(const struct model_run *run, const struct model_run *later)
{
	const bool replaced = run->replaced_ns > 0 && run->replaced_ns <= later->end_ns;

	return run->id.case_id == later->id.case_id && run->id.trial > 0 &&
	       run->totals.status == SAMPLE_OK && !run->totals.paused && !replaced;
}

/* The figures of the run and all counted earlier runs of its case. NULL if memory is short. */
static struct model_latency *figures_until(const struct model *model, const struct model_run *last)
{
	const struct plan *plan = model_plan(model, last);
	const struct model_run **runs = calloc(model->n_runs + 1, sizeof(struct model_run *));
	struct operations all = {.min = NAN, .max = NAN};
	struct model_latency *figures;
	uint32_t n = 0;

	if (!runs)
		return NULL;
	for (const struct model_run *run = model->runs; run <= last; run++)
		if (counted_until(run, last))
			runs[n++] = run;
	if (plan_is_creation(plan)) {
		figures = figures_of(runs, n, (enum plan_placement)plan->placement);
	} else {
		for (uint32_t i = 0; i < n; i++)
			add_operations(&all, runs[i]);
		figures = figures_of_operations(&all, n);
	}
	free(runs);
	return figures;
}

/* The figures of the run and of earlier runs, from the cache or computed now. */
static const struct model_latency *latency_until(const struct model *model,
						 const struct model_run *last)
{
	struct model_latency_all *kept = model->families->latency[last->id.case_id];
	const size_t runs = (size_t)(last - model->runs) + 1;

	for (int i = 0; i < MODEL_LATENCY_KEPT; i++)
		if (kept[i].runs == runs)
			return kept[i].figures;
	free(kept[MODEL_LATENCY_KEPT - 1].figures);
	memmove(&kept[1], &kept[0], (MODEL_LATENCY_KEPT - 1) * sizeof(*kept));
	kept[0] = (struct model_latency_all) {runs, figures_until(model, last)};
	return kept[0].figures;
}

void model_latency_free(struct model_families *families)
{
	if (!families->latency)
		return;
	for (uint32_t i = 0; i < families->n_cases; i++)
		for (int k = 0; k < MODEL_LATENCY_KEPT; k++)
			free(families->latency[i][k].figures);
	free(families->latency);
}

const struct model_latency *model_latency(const struct model *model, uint32_t case_id)
{
	/* The families own the cache. They are NULL if memory was short. */
	if (!model->families)
		return NULL;
	for (size_t i = model->n_runs; i-- > 0;) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && run->latency && model_measured(model, run))
			return latency_until(model, run);
	}
	return NULL;
}

static const struct model_latency_figures *operations_of(const struct model_latency *latency)
{
	if (latency)
		return &latency->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION];
	return NULL;
}

const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run)
{
	if (run->n_buckets > 0)
		return operations_of(model_latency_run(model, run));
	return NULL;
}

const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id)
{
	if (plan_operates(&model->cases[case_id].plan))
		return operations_of(model_latency(model, case_id));
	return NULL;
}
