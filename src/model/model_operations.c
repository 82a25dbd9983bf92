/* SPDX-License-Identifier: MIT */
#include "model/model_operations.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tally.h"

/* Values in the place of all operations, by which two humps are told from one. */
#define HUMP_VALUES 1000

/* The operations of one run or several, by bucket. */
struct counts {
	uint64_t n;
	double min, max;
	uint64_t count[TALLY_BUCKETS];
};

static void add_run(struct counts *counts, const struct model_run *run)
{
	for (uint32_t i = 0; i < run->n_buckets; i++) {
		const struct sample_bucket *bucket = &run->buckets[i];

		counts->count[tally_bucket((uint64_t)bucket->from_ns)] += (uint64_t)bucket->count;
		counts->n += (uint64_t)bucket->count;
	}
	counts->min = fmin(counts->min, fields_known(run->totals.operation_min_ns));
	counts->max = fmax(counts->max, fields_known(run->totals.operation_max_ns));
}

/* Within a bucket they are taken as evenly spread. */
static double quantile(const struct counts *counts, double q)
{
	double rank = q * (double)counts->n, before = 0;
	uint32_t i = 0;

	while (i + 1 < TALLY_BUCKETS && before + (double)counts->count[i] < rank)
		before += (double)counts->count[i++];
	while (i + 1 < TALLY_BUCKETS && counts->count[i] == 0)
		i++;
	double low = (double)tally_edge(i), high = (double)tally_edge(i + 1);
	double part = (rank - before) / (double)counts->count[i];

	/* The ends are known: NaN, which fmin() passes over, where they are not. */
	return fmin(fmax(low + part * (high - low), counts->min), counts->max);
}

static void find_humps(const struct counts *counts, struct humps *humps)
{
	double values[HUMP_VALUES];

	for (int i = 0; i < HUMP_VALUES; i++)
		values[i] = quantile(counts, (i + 0.5) / HUMP_VALUES);
	humps_find(values, HUMP_VALUES, humps); /* without memory there are none */
}

static void fill(const struct counts *counts, struct model_latency_figures *out)
{
	out->n = counts->n < UINT32_MAX ? (uint32_t)counts->n : UINT32_MAX;
	out->min = llround(quantile(counts, 0));
	out->p50 = llround(quantile(counts, 0.5));
	out->p90 = llround(quantile(counts, 0.9));
	out->p99 = llround(quantile(counts, 0.99));
	out->max = llround(quantile(counts, 1));
	out->first = -1;
	find_humps(counts, &out->humps);
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
		uint64_t middle = (tally_edge(i) + tally_edge(i + 1)) / 2;

		out->buckets[model_latency_bucket((int64_t)middle)] += (uint32_t)counts->count[i];
	}
}

/* NULL without memory, and where there are no operations. */
static struct model_latency *make(const struct counts *counts, uint32_t runs)
{
	struct model_latency *out = counts->n > 0 ? calloc(1, sizeof(*out)) : NULL;

	if (!out)
		return NULL;
	out->runs = runs;
	fill(counts, &out->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION]);
	out->at[LATENCY_ANYWHERE].n = out->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION].n;
	out->at[LATENCY_ANYWHERE].share = 1;
	return out;
}

static struct model_latency *of_run(const struct model_run *run)
{
	struct counts counts = {.min = NAN, .max = NAN};

	add_run(&counts, run);
	return make(&counts, 1);
}

/* The run with all counted ones of its case before it. */
static struct model_latency *so_far(const struct model *model, const struct model_run *run)
{
	struct counts counts = {.min = NAN, .max = NAN};
	uint32_t runs = 0;

	for (const struct model_run *one = model->runs; one <= run; one++) {
		if (one->id.case_id != run->id.case_id || !model_is_good(one))
			continue;
		add_run(&counts, one);
		runs++;
	}
	return make(&counts, runs);
}

int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n)
{
	if (n == 0 || !plan_operates(&model->cases[run->id.case_id].plan))
		return 0;
	run->buckets = calloc(n, sizeof(*buckets));
	if (!run->buckets)
		return -ENOMEM;
	memcpy(run->buckets, buckets, n * sizeof(*buckets));
	run->n_buckets = n;
	run->latency = of_run(run);
	if (model_is_good(run))
		run->latency_all = so_far(model, run);
	return 0;
}

bool model_has_operations(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (plan_operates(&model->cases[i].plan))
			return true;
	return false;
}

bool model_has_ways(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].via != VIA_NONE)
			return true;
	return false;
}

static const struct model_latency_figures *figures_of(const struct model_latency *latency)
{
	return latency ? &latency->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION] : NULL;
}

const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run)
{
	return run->n_buckets > 0 ? figures_of(model_latency_run(model, run)) : NULL;
}

const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id)
{
	return plan_operates(&model->cases[case_id].plan)
		       ? figures_of(model_latency(model, case_id))
		       : NULL;
}

double model_operations_mean(const struct model_run *run)
{
	const struct sample_totals *totals = &run->totals;

	return totals->operations > 0
		       ? fields_known(totals->operations_ns) / (double)totals->operations
		       : NAN;
}
