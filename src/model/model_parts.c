/* SPDX-License-Identifier: MIT */
#include "model/model_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/comparison.h"
#include "model/model_latency.h"

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

/*
 * Of all models that compare with the first at the same value: the one that differs for real, and
 * most.
 */
bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b)
{
	struct model_comparison c;
	double most = -1;

	if (model->n_cases < 2 || model_has_latency(model))
		return false;
	for (uint32_t i = 1; i < model->n_cases; i++) {
		uint32_t first = 0;
		double weight;

		while (first < i && !(comparison_alike(&model->cases[first], &model->cases[i]) &&
				      model_compares(model, first, i)))
			first++;
		if (first == i || model_compare(model, first, i, model_headline(model), &c))
			continue;
		weight = fabs(log(c.ratio.estimate));
		weight = isnan(weight) ? 0 : weight;
		weight += c.verdict == STATS_A || c.verdict == STATS_B ? 1e6 : 0;
		if (weight > most) {
			most = weight;
			*a = first;
			*b = i;
		}
	}
	return most >= 0;
}
