/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_latency.h"

enum model_metric model_headline(const struct model *model)
{
	return model_has_latency(model) ? METRIC_TASK : METRIC_ELAPSED;
}

bool model_measured(const struct model *model, const struct model_run *run)
{
	return run->id.trial > 0 && model_ended(model, run) && run->totals.status == SAMPLE_OK &&
	       !run->totals.paused;
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

/* The trials of one case. */
struct series {
	double *values;
	uint32_t *trials;
	size_t n;
};

/* Keeps of both what the other has as well; both are in the order of their trials. */
static size_t pair_up(struct series *a, struct series *b)
{
	size_t pairs = 0, i = 0, j = 0;

	while (i < a->n && j < b->n) {
		if (a->trials[i] < b->trials[j]) {
			i++;
		} else if (a->trials[i] > b->trials[j]) {
			j++;
		} else {
			a->values[pairs] = a->values[i++];
			b->values[pairs++] = b->values[j++];
		}
	}
	return pairs;
}

/* The caller frees the values and trials of the first, also on an error: the second's are there. */
static int series_read(struct series two[2], const struct model *model, uint32_t a, uint32_t b,
		       enum model_metric metric)
{
	size_t max = model->n_runs;
	double *values = calloc(2 * max + 1, sizeof(*values));
	uint32_t *trials = calloc(2 * max + 1, sizeof(*trials));

	two[0] = (struct series) {values, trials, 0};
	two[1] = (struct series) {values + max, trials + max, 0};
	if (!values || !trials)
		return -ENOMEM;
	two[0].n = model_trials(model, a, metric, two[0].values, two[0].trials, max);
	two[1].n = model_trials(model, b, metric, two[1].values, two[1].trials, max);
	return 0;
}

const struct model_origin *model_origin(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < model->n_origins; i++)
		if (case_id - model->origins[i].first_case < model->origins[i].n_cases)
			return &model->origins[i];
	return NULL;
}

/* Measured at another time or on another machine: nothing says how far apart noise alone is. */
static void compare_medians(struct series *a, struct series *b, struct model_comparison *out)
{
	double of_a = stats_select(a->values, a->n, 0.5);
	double of_b = stats_select(b->values, b->n, 0.5);

	out->verdict = STATS_UNPAIRED;
	out->ratio = (struct stats_interval) {NAN, NAN, NAN};
	if (of_a > 0 && of_b > 0)
		out->ratio.estimate = of_b / of_a;
}

static int compare_pairs(struct series *a, struct series *b, struct model_comparison *out)
{
	int err;

	out->pairs = (uint32_t)pair_up(a, b);
	err = stats_paired_ratio(a->values, b->values, out->pairs, &out->ratio);
	out->verdict = stats_verdict(&out->ratio);
	return err;
}

int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out)
{
	struct series two[2];
	int err = series_read(two, model, a, b, metric);

	*out = (struct model_comparison) {.a = a, .b = b, .metric = metric};
	if (!err && model_origin(model, a) != model_origin(model, b))
		compare_medians(&two[0], &two[1], out);
	else if (!err)
		err = compare_pairs(&two[0], &two[1], out);
	free(two[0].trials);
	free(two[0].values);
	return err;
}

int model_ratios(const struct model *model, const struct model_comparison *comparison,
		 double **ratios, size_t *n)
{
	struct series two[2];
	int err = series_read(two, model, comparison->a, comparison->b, comparison->metric);
	size_t pairs = err || comparison->verdict == STATS_UNPAIRED ? 0 : pair_up(&two[0], &two[1]);

	*n = 0;
	for (size_t i = 0; i < pairs; i++)
		if (two[0].values[i] > 0 && two[1].values[i] > 0)
			two[0].values[(*n)++] = two[0].values[i] / two[1].values[i];
	free(two[0].trials);
	*ratios = two[0].values;
	return err;
}

/* The cases differ in more than their models. */
static bool variables_differ(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++) {
		if (!variables_equal(&model->cases[i].variables, &model->cases[0].variables))
			return true;
	}
	return false;
}

/* All that a name tells: one core is where creation is measured unless another place is named. */
static struct variables named_variables(const struct sample_case *one)
{
	struct variables named = {.n = 0};

	for (uint32_t i = 0; i < one->variables.n; i++) {
		const struct variable *variable = &one->variables.list[i];

		if (one->plan.placement != PLAN_PINNED || strcmp(variable->name, "placement") != 0)
			named.list[named.n++] = *variable;
	}
	return named;
}

char *model_case_name(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	const struct sample_case *one = &model->cases[case_id];
	struct variables named = named_variables(one);
	bool with_variables = variables_differ(model) && named.n > 0;
	char variables[SAMPLE_LABEL] = "";

	if (with_variables)
		variables_format(&named, ' ', variables, sizeof(variables));
	snprintf(buf, size, "%s%s%s", one->model, with_variables ? " " : "", variables);
	return buf;
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

uint32_t model_number(const struct model *model, uint32_t case_id)
{
	uint32_t first = model_first_alike(model, case_id), n = 0;

	for (uint32_t i = 0; i < first; i++)
		n += model_first_alike(model, i) == i;
	return n;
}
