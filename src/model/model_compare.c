/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_latency.h"
#include "model/model_operations.h"
#include "model/model_fault.h"
#include "model/model_step.h"
#include "model_family.h"
#include "model_series.h"

enum model_metric model_headline(const struct model *model)
{
	if (model_has_latency(model))
		return METRIC_TASK;
	if (model_has_ways(model) && model_has_operations(model))
		return METRIC_OPERATION;
	return model_step(model) < WORK_KINDS ? METRIC_STEP : METRIC_ELAPSED;
}

uint32_t model_headlines(const struct model *model, enum model_metric metrics[LOOKS_METRICS_MOST])
{
	static const enum model_metric usual[] = {METRIC_CPU, METRIC_MEMORY, METRIC_CREATE};
	static const enum model_metric creation[] = {METRIC_CALLER, METRIC_JOINED, METRIC_MEMORY};
	static const enum model_metric faults[] = {METRIC_SURVIVED, METRIC_TOLD, METRIC_WRONG};
	static const enum model_metric messages[] = {METRIC_MESSAGE_RATE, METRIC_CPU,
						     METRIC_MEMORY};
	static const enum model_metric tasks[] = {METRIC_PER_SECOND, METRIC_TASK_CREATE,
						  METRIC_MEMORY};
	const enum model_metric *rest = usual;

	metrics[0] = model_headline(model);
	if (model_has_faults(model)) {
		memcpy(metrics, faults, sizeof(faults));
		return sizeof(faults) / sizeof(faults[0]);
	}
	if (metrics[0] == METRIC_TASK)
		rest = creation;
	else if (metric_applies(model, METRIC_MESSAGE_RATE))
		rest = messages;
	else if (metric_applies(model, METRIC_PER_SECOND))
		rest = tasks;
	memcpy(metrics + 1, rest, sizeof(usual));
	return looks_metrics(model->n_cases);
}

bool model_is_good(const struct model_run *run)
{
	return run->id.trial > 0 && run->totals.status == SAMPLE_OK && !run->totals.paused &&
	       run->replaced_ns == 0;
}

bool model_is_replaced(const struct model *model, const struct model_run *run)
{
	return run->replaced_ns > 0 && run->replaced_ns <= model->now_ns;
}

uint32_t model_replaced(const struct model *model, uint32_t case_id)
{
	uint32_t n = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		n += model->runs[i].id.case_id == case_id &&
		     model_is_replaced(model, &model->runs[i]);
	return n;
}

bool model_measured(const struct model *model, const struct model_run *run)
{
	return model_ended(model, run) && run->id.trial > 0 && run->totals.status == SAMPLE_OK &&
	       !run->totals.paused && !model_is_replaced(model, run);
}

size_t model_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs && n < max; i++) {
		const struct model_run *run = &model->runs[i];
		double value;

		if (run->id.case_id != case_id || !model_measured(model, run))
			continue;
		value = metric_value(run, metric);
		if (isnan(value))
			continue;
		if (trials)
			trials[n] = run->id.trial;
		out[n++] = value;
	}
	return n;
}

const struct model_origin *model_origin(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < model->n_origins; i++)
		if (case_id - model->origins[i].first_case < model->origins[i].n_cases)
			return &model->origins[i];
	return NULL;
}

/* Measured at another time or on another machine: nothing says how far apart noise alone is. */
static int compare_medians(const struct model *model, struct model_comparison *c)
{
	struct model_series two[2];
	int err = model_series_read(two, model, c->a, c->b, c->metric);
	double of_a = err ? NAN : stats_select(two[0].values, two[0].n, 0.5);
	double of_b = err ? NAN : stats_select(two[1].values, two[1].n, 0.5);

	c->verdict = STATS_UNPAIRED;
	if (metric_is(c->metric, METRIC_OF_PATH))
		c->ratio.estimate = of_b - of_a;
	else if (of_a > 0 && of_b > 0)
		c->ratio.estimate = of_b / of_a;
	model_series_free(two);
	return err;
}

/* The difference as seen from the other side. */
static struct stats_interval turn(const struct stats_interval *difference)
{
	return (struct stats_interval) {-difference->estimate, -difference->high, -difference->low};
}

/* Within their family: all but what differs between ratios and differences. */
static void take_found(const struct model_found *found, struct model_comparison *c)
{
	c->pairs = found->pairs;
	c->planned = found->family->planned;
	c->family = found->family->size;
	c->least = looks_least(found->family->error, c->family);
	c->ended = found->ended;
	c->no_ratio = found->no_ratio;
	c->level = found->level;
	c->looks = found->looks;
	c->end = found->end;
	c->ratio = found->ratio;
}

/* Nothing is decided before the looks that were planned. */
static void judge(struct model_comparison *c, enum stats_verdict verdict)
{
	c->verdict = verdict == STATS_NONE && !c->ended ? STATS_TOO_FEW : verdict;
}

/*
 * The kernel counts memory in batches of pages for each CPU, and a reading comes a moment early or
 * late: models that differ by less than a hundredth of their memory are not told apart.
 */
#define MEMORY_MARGIN 1.01

static void compare_pairs(const struct model_found *found, bool turned, struct model_comparison *c)
{
	take_found(found, c);
	if (turned)
		c->ratio = stats_inverse(&c->ratio);
	if ((metric_is(c->metric, METRIC_OF_MEMORY) || c->metric == METRIC_MEMORY) &&
	    c->ratio.low < MEMORY_MARGIN && c->ratio.high > 1 / MEMORY_MARGIN)
		judge(c, STATS_NONE);
	else
		judge(c, stats_verdict(&c->ratio));
}

static void subtract_pairs(const struct model_found *found, bool turned, struct model_comparison *c)
{
	take_found(found, c);
	if (turned)
		c->ratio = turn(&c->ratio);
	if (isnan(c->ratio.low) || isnan(c->ratio.high))
		judge(c, STATS_TOO_FEW);
	else
		judge(c, c->ratio.low > 0 ? STATS_A : c->ratio.high < 0 ? STATS_B : STATS_NONE);
}

static int compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		   void (*pairs)(const struct model_found *found, bool turned,
				 struct model_comparison *c),
		   struct model_comparison *out)
{
	uint32_t first = a < b ? a : b, second = a < b ? b : a;
	const struct model_found *found;
	int err = model_family_find(model, first, second, metric, &found);

	*out = (struct model_comparison) {
		.a = a, .b = b, .metric = metric, .ratio = {NAN, NAN, NAN}, .level = NAN};
	/* Runs that end in the midst of their work are no times to compare. */
	if (!err && model_has_faults(model))
		return 0;
	if (!err && found)
		pairs(found, a > b, out);
	else if (!err)
		err = compare_medians(model, out);
	/* Whatever ended it: the interval of the looks so far holds. */
	if (out->verdict == STATS_TOO_FEW && model_over(model) && !isnan(out->ratio.low))
		out->verdict = STATS_NONE;
	return err;
}

int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out)
{
	return compare(model, a, b, metric, compare_pairs, out);
}

int model_difference(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     struct model_comparison *out)
{
	return compare(model, a, b, metric, subtract_pairs, out);
}

int model_ratios(const struct model *model, const struct model_comparison *comparison,
		 double **ratios, size_t *n)
{
	struct model_series two[2];
	int err = model_series_read(two, model, comparison->a, comparison->b, comparison->metric);
	size_t pairs = err || comparison->verdict == STATS_UNPAIRED ? 0 : model_series_pair(two);

	*n = 0;
	for (size_t i = 0; i < pairs; i++)
		if (two[0].values[i] > 0 && two[1].values[i] > 0)
			two[0].values[(*n)++] = two[0].values[i] / two[1].values[i];
	*ratios = two[0].values;
	two[0].values = NULL;
	model_series_free(two);
	return err;
}

int model_pair_trials(const struct model *model, const struct model_comparison *comparison,
		      uint32_t **trials, size_t *n)
{
	struct model_series two[2];
	int err = model_series_read(two, model, comparison->a, comparison->b, comparison->metric);

	*n = err || comparison->pairs == 0 ? 0 : model_series_pair(two);
	*trials = two[0].trials;
	two[0].trials = NULL;
	model_series_free(two);
	return err;
}

char *model_case_name(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	return sample_case_name(model->cases, model->n_cases, case_id, buf, size);
}

uint32_t model_first(const struct model *model, uint32_t case_id,
		     bool (*same)(const struct sample_case *, const struct sample_case *))
{
	uint32_t i = 0;

	while (!same(&model->cases[i], &model->cases[case_id]))
		i++;
	return i;
}

uint32_t model_first_alike(const struct model *model, uint32_t case_id)
{
	uint32_t i = 0;

	while (strcmp(model->cases[i].model, model->cases[case_id].model) != 0)
		i++;
	return i;
}
