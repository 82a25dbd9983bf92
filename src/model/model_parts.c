/* SPDX-License-Identifier: MIT */
#include "model/model_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/comparison.h"
#include "model/finding.h"
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

/* Of several pairs the one that a verdict is about most. */
struct best_pair {
	double weight; /* below 0: there is none */
	uint32_t a, b;
};

/* Who leads at one value of what is swept, and the next: real ones first, then how far apart. */
static void take_value(const struct model *model, uint32_t first, uint32_t last,
		       struct best_pair *best)
{
	struct finding_lead lead = {.others = 0};
	double weight;

	if (finding_lead(model, first, last, &lead) || lead.others == 0)
		return;
	weight = fabs(log(lead.next.ratio.estimate)) + (lead.sure == FINDING_REAL ? 1e6 : 0);
	if (isnan(weight))
		weight = 0;
	if (weight > best->weight)
		*best = (struct best_pair) {weight, lead.next.a, lead.next.b};
}

/* The cases of one recording: all that compare with an earlier one were taken with it. */
static void take_recording(const struct model *model, uint32_t first, uint32_t n,
			   struct best_pair *best)
{
	for (uint32_t i = first; i < first + n; i++) {
		uint32_t before = first;

		while (before < i && !comparison_alike(&model->cases[before], &model->cases[i]))
			before++;
		if (before == i)
			take_value(model, i, first + n - 1, best);
	}
}

/* Where each recording has one model alone: that of another with the first one's. */
static void take_recordings_apart(const struct model *model, struct best_pair *best)
{
	struct finding_list list;

	if (finding_list_read(&list, model))
		return;
	for (uint32_t i = 0; i < list.n && best->weight < 0; i++) {
		const struct model_comparison *c = &list.list[i].to_first;

		if (c->a != c->b)
			*best = (struct best_pair) {0, c->a, c->b};
	}
	finding_list_free(&list);
}

bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b)
{
	struct best_pair best = {.weight = -1};

	if (model->n_cases < 2 || model_has_latency(model))
		return false;
	if (model->n_origins == 0)
		take_recording(model, 0, model->n_cases, &best);
	for (uint32_t i = 0; i < model->n_origins && best.weight < 0; i++)
		take_recording(model, model->origins[i].first_case, model->origins[i].n_cases,
			       &best);
	if (model->n_origins > 0 && best.weight < 0)
		take_recordings_apart(model, &best);
	*a = best.a;
	*b = best.b;
	return best.weight >= 0;
}
