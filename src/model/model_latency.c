/* SPDX-License-Identifier: MIT */
#include "model/model_latency.h"

#include <math.h>
#include <stdlib.h>

/* The axis begins at 10 ns, less than which no clock tells apart. */
#define FIRST_EDGE 10.0

static int64_t span_end(const struct sample_worker *worker, enum model_latency_span span)
{
	switch (span) {
	case LATENCY_CALLER:
		return worker->created_ns;
	case LATENCY_TASK:
		return worker->start_ns;
	default:
		return worker->join_ns;
	}
}

/* -1 where it is not known, and for a call that created nothing. */
static int64_t span_of(const struct sample_worker *worker, enum model_latency_span span)
{
	int64_t end_ns = span_end(worker, span);

	if (worker->create_ns < 0 || end_ns < worker->create_ns || worker->status == SAMPLE_REFUSED)
		return -1;
	return end_ns - worker->create_ns;
}

/* Runs of which figures are taken together, and room for all their values. */
struct pool {
	const struct model_run *const *runs;
	size_t n_runs;
	double *values;
};

/* Sorts the values of the first creation of each run, or of the later ones: how many there are. */
static size_t collect(const struct pool *pool, enum model_latency_span span, bool first)
{
	size_t n = 0;

	for (size_t i = 0; i < pool->n_runs; i++) {
		uint32_t end = first ? 1 : pool->runs[i]->n_workers;

		for (uint32_t j = first ? 0 : 1; j < end; j++) {
			int64_t ns = span_of(&pool->runs[i]->workers[j], span);

			if (ns >= 0)
				pool->values[n++] = (double)ns;
		}
	}
	stats_sort(pool->values, n);
	return n;
}

static int64_t quantile(const double *sorted, size_t n, double q)
{
	return n > 0 ? llround(stats_quantile(sorted, n, q)) : -1;
}

static void fill(const struct pool *pool, enum model_latency_span span,
		 struct model_latency_figures *out)
{
	double *values = pool->values;
	size_t n = collect(pool, span, true);

	out->first = quantile(values, n, 0.5);
	n = collect(pool, span, false);
	out->n = (uint32_t)n;
	out->min = quantile(values, n, 0);
	out->p50 = quantile(values, n, 0.5);
	out->p90 = quantile(values, n, 0.9);
	out->p99 = quantile(values, n, 0.99);
	out->max = quantile(values, n, 1);
	for (size_t i = 0; i < n; i++)
		out->buckets[model_latency_bucket((int64_t)values[i])]++;
}

/* NULL without memory. */
static struct model_latency *figures_of(const struct model_run *const *runs, size_t n_runs)
{
	struct model_latency *out = calloc(1, sizeof(*out));
	struct pool pool = {.runs = runs, .n_runs = n_runs};
	size_t most = 0;

	for (size_t i = 0; i < n_runs; i++)
		most += runs[i]->n_workers;
	pool.values = calloc(most, sizeof(*pool.values));
	if (!out || !pool.values) {
		free(out);
		free(pool.values);
		return NULL;
	}
	out->runs = (uint32_t)n_runs;
	for (int i = 0; i < MODEL_LATENCIES; i++)
		fill(&pool, (enum model_latency_span)i, &out->span[i]);
	free(pool.values);
	return out;
}

static bool is_counted(const struct model_run *run)
{
	return run->id.trial > 0 && run->totals.status == SAMPLE_OK && !run->totals.paused;
}

/* The run with all counted ones of its case before it. */
static struct model_latency *figures_so_far(const struct model *model, const struct model_run *run)
{
	const struct model_run **runs = calloc(model->n_runs + 1, sizeof(struct model_run *));
	struct model_latency *out = NULL;
	size_t n = 0;

	for (const struct model_run *one = model->runs; runs && one <= run; one++) {
		if (one->id.case_id == run->id.case_id && is_counted(one))
			runs[n++] = one;
	}
	if (n > 0)
		out = figures_of(runs, n);
	free(runs);
	return out;
}

void model_latency_make(const struct model *model, struct model_run *run)
{
	const struct model_run *one = run;

	if (!plan_is_creation(&model->cases[run->id.case_id].plan))
		return;
	run->latency = figures_of(&one, 1);
	if (is_counted(run))
		run->latency_all = figures_so_far(model, run);
}

bool model_has_latency(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (plan_is_creation(&model->cases[i].plan))
			return true;
	}
	return false;
}

const struct model_latency *model_latency_run(const struct model *model,
					      const struct model_run *run)
{
	return model_ended(model, run) ? run->latency : NULL;
}

const struct model_latency *model_latency(const struct model *model, uint32_t case_id)
{
	for (size_t i = model->n_runs; i-- > 0;) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && run->latency_all && model_ended(model, run))
			return run->latency_all;
	}
	return NULL;
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
	bucket = place < LATENCY_BUCKETS ? (uint32_t)place : LATENCY_BUCKETS - 1;
	/* The logarithm rounds: the edges say where a value on one of them belongs. */
	if (bucket + 1 < LATENCY_BUCKETS && (double)ns >= model_latency_edge(bucket + 1))
		return bucket + 1;
	return (double)ns < model_latency_edge(bucket) ? bucket - 1 : bucket;
}

const char *const model_latency_names[MODEL_LATENCIES] = {
	[LATENCY_CALLER] = "to_caller",
	[LATENCY_TASK] = "to_task",
	[LATENCY_JOINED] = "joined",
};
