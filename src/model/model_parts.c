/* SPDX-License-Identifier: MIT */
#include "model/model_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/finding.h"
#include "model/model_latency.h"
#include "model/model_sweep.h"

/* The median of a case's trials, and how many have the metric. */
static size_t median_of(const struct model *model, uint32_t case_id, enum model_metric metric,
			double *values, double *median)
{
	size_t n = model_trials(model, case_id, metric, values, NULL, model->n_runs);

	*median = n > 0 ? stats_select(values, n, 0.5) : NAN;
	return n;
}

/* Adds up what stands for the whole. */
static double sum_of(const struct model_parts *parts)
{
	double ends = parts->ns[PART_CREATING] + parts->ns[PART_STARTING] + parts->ns[PART_JOINING];

	if (!parts->split)
		return ends + parts->running_ns;
	return ends + parts->ns[PART_WORKING] + parts->ns[PART_WAITING] + parts->ns[PART_BLOCKED];
}

static void scale(struct model_parts *parts)
{
	parts->scale = parts->all_ns / sum_of(parts);
	for (int i = 0; i < MODEL_PARTS; i++)
		parts->ns[i] *= parts->scale;
	if (parts->split)
		parts->running_ns =
			parts->ns[PART_WORKING] + parts->ns[PART_WAITING] + parts->ns[PART_BLOCKED];
	else
		parts->running_ns *= parts->scale;
}

int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out)
{
	double *values = malloc((model->n_runs + 1) * sizeof(*values));

	*out = (struct model_parts) {.scale = NAN};
	if (!values)
		return -ENOMEM;
	out->n = median_of(model, case_id, METRIC_PATH, values, &out->all_ns);
	out->split = out->n > 0;
	for (int i = 0; i < MODEL_PARTS; i++)
		if (median_of(model, case_id, (enum model_metric)(METRIC_CREATING + i), values,
			      &out->ns[i]) < out->n)
			out->split = false;
	median_of(model, case_id, METRIC_RUNNING, values, &out->running_ns);
	for (int i = PART_WORKING; i <= PART_BLOCKED && !out->split; i++)
		out->ns[i] = NAN;
	scale(out);
	free(values);
	return 0;
}

static bool knows(const struct model_comparison *c, const struct model_comparison *whole)
{
	return c->pairs == whole->pairs && !isnan(c->ratio.estimate);
}

/* One part that not all pairs of trials know is no part of the whole. */
static int add(const struct model *model, enum model_metric metric,
	       struct model_parts_difference *out)
{
	struct model_comparison *c = &out->part[out->n];
	int err = model_difference(model, out->whole.a, out->whole.b, metric, c);

	out->n += !err && knows(c, &out->whole);
	return err;
}

int model_parts_compare(const struct model *model, uint32_t a, uint32_t b,
			struct model_parts_difference *out)
{
	uint32_t before;
	int err;

	*out = (struct model_parts_difference) {.n = 0};
	err = model_difference(model, a, b, METRIC_PATH, &out->whole);
	for (enum model_metric i = METRIC_CREATING; i <= METRIC_STARTING && !err; i++)
		err = add(model, i, out);
	before = out->n;
	for (enum model_metric i = METRIC_WORKING; i <= METRIC_BLOCKED && !err; i++)
		err = add(model, i, out);
	if (!err && out->n < before + 3) {
		out->n = before;
		err = add(model, METRIC_RUNNING, out);
	}
	return err ? err : add(model, METRIC_JOINING, out);
}

bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b)
{
	struct finding_lead lead = {.others = 0};

	if (model->n_cases < 2 || model->n_origins > 0 || model_sweeps(model) ||
	    model_has_latency(model) || finding_lead(model, 0, model->n_cases - 1, &lead) ||
	    lead.others == 0)
		return false;
	*a = lead.next.a;
	*b = lead.next.b;
	return true;
}
