/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_latency.h"

static double known(int64_t value)
{
	return value < 0 ? NAN : (double)value;
}

/* Of one core, in %: two that are busy all the time are 200. */
static double cpu_share(const struct sample_totals *totals)
{
	double cpu_us = known(totals->user_us) + known(totals->system_us);

	return totals->elapsed_ns > 0 ? 100 * cpu_us * 1000 / (double)totals->elapsed_ns : NAN;
}

static double latency(const struct model_run *run, enum model_latency_span span)
{
	return run->latency ? known(run->latency->span[span].p50) : NAN;
}

double model_metric(const struct model_run *run, enum model_metric metric)
{
	const struct sample_totals *totals = &run->totals;

	if (run->end_ns == INT64_MAX)
		return NAN;
	switch (metric) {
	case METRIC_ELAPSED:
		return known(totals->elapsed_ns);
	case METRIC_CREATE:
		return known(totals->create_ns);
	case METRIC_CPU:
		return known(totals->user_us) + known(totals->system_us);
	case METRIC_RSS:
		return known(totals->memory.rss_kb);
	case METRIC_PSS:
		return known(totals->memory.pss_kb);
	case METRIC_USS:
		return known(totals->memory.uss_kb);
	case METRIC_KERNEL:
		return known(totals->memory.kernel_kb);
	case METRIC_SWITCHES:
		return known(totals->nvcsw) + known(totals->nivcsw);
	case METRIC_FAULTS:
		return known(totals->minflt) + known(totals->majflt);
	case METRIC_SHARE:
		return cpu_share(totals);
	case METRIC_IO:
		return known(totals->read_kb) + known(totals->written_kb);
	case METRIC_CALLER:
		return latency(run, LATENCY_CALLER);
	case METRIC_TASK:
		return latency(run, LATENCY_TASK);
	case METRIC_JOINED:
		return latency(run, LATENCY_JOINED);
	case METRICS:
		break;
	}
	return NAN;
}

const char *model_metric_name(enum model_metric metric)
{
	static const char *const names[METRICS] = {
		[METRIC_ELAPSED] = "elapsed_ms", [METRIC_CREATE] = "create_ms",
		[METRIC_CPU] = "cpu_ms",	 [METRIC_RSS] = "rss_kb",
		[METRIC_PSS] = "pss_kb",	 [METRIC_USS] = "uss_kb",
		[METRIC_KERNEL] = "kernel_kb",	 [METRIC_SWITCHES] = "switches",
		[METRIC_FAULTS] = "faults",	 [METRIC_SHARE] = "cpu_percent",
		[METRIC_IO] = "io_kb",		 [METRIC_CALLER] = "to_caller_ns",
		[METRIC_TASK] = "to_task_ns",	 [METRIC_JOINED] = "joined_ns",
	};

	return names[metric];
}

enum model_metric model_headline(const struct model *model)
{
	return model_has_latency(model) ? METRIC_TASK : METRIC_ELAPSED;
}

const char *model_headline_words(const struct model *model)
{
	return model_has_latency(model) ? "until the task runs" : "elapsed";
}

bool model_has_metric(const struct model *model, enum model_metric metric)
{
	return metric < METRIC_CALLER || model_has_latency(model);
}

bool model_measured(const struct model *model, const struct model_run *run)
{
	return run->id.trial > 0 && model_ended(model, run) && run->totals.status == SAMPLE_OK &&
	       !run->totals.paused;
}

size_t model_trials(const struct model *model, uint32_t icase, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs && n < max; i++) {
		const struct model_run *run = &model->runs[i];
		double value;

		if (run->id.icase != icase || !model_measured(model, run))
			continue;
		value = model_metric(run, metric);
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

static void series_read(struct series *series, const struct model *model, uint32_t icase,
			enum model_metric metric, size_t max)
{
	series->n = model_trials(model, icase, metric, series->values, series->trials, max);
}

const struct model_origin *model_origin(const struct model *model, uint32_t icase)
{
	for (uint32_t i = 0; i < model->n_origins; i++)
		if (icase - model->origins[i].first_case < model->origins[i].n_cases)
			return &model->origins[i];
	return NULL;
}

static double median_of(struct series *series)
{
	stats_sort(series->values, series->n);
	return stats_median(series->values, series->n);
}

/* Measured at another time or on another machine: nothing says how far apart noise alone is. */
static int compare_apart(struct series *a, struct series *b, struct model_comparison *out)
{
	double of_a = median_of(a), of_b = median_of(b);

	out->verdict = STATS_APART;
	out->ratio = (struct stats_interval) {.estimate = NAN, .low = NAN, .high = NAN};
	if (of_a > 0 && of_b > 0)
		out->ratio.estimate = of_b / of_a;
	return 0;
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
	size_t max = model->n_runs;
	double *values = calloc(2 * max + 1, sizeof(*values));
	uint32_t *trials = calloc(2 * max + 1, sizeof(*trials));
	struct series of_a = {values, trials, 0}, of_b = {values + max, trials + max, 0};
	int err = -ENOMEM;

	*out = (struct model_comparison) {.a = a, .b = b, .metric = metric};
	if (!values || !trials)
		goto out;
	series_read(&of_a, model, a, metric, max);
	series_read(&of_b, model, b, metric, max);
	if (model_origin(model, a) != model_origin(model, b))
		err = compare_apart(&of_a, &of_b, out);
	else
		err = compare_pairs(&of_a, &of_b, out);
out:
	free(trials);
	free(values);
	return err;
}

/* Whether the cases differ in more than their models. */
static bool variables_differ(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++) {
		if (strcmp(model->cases[i].variables, model->cases[0].variables) != 0)
			return true;
	}
	return false;
}

char *model_case_name(const struct model *model, uint32_t icase, char *buf, size_t size)
{
	const struct sample_case *one = &model->cases[icase];
	bool with_variables = variables_differ(model) && one->variables[0];

	snprintf(buf, size, "%s%s%s", one->model, with_variables ? " " : "",
		 with_variables ? one->variables : "");
	for (char *c = buf; *c; c++) {
		if (*c == ';')
			*c = ' ';
	}
	return buf;
}
