/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/model.h"

/* A longer series is in a file. */
enum { SERIES_IN_MEMORY = 4096 };

static void series_free(struct model_series *series)
{
	if (series->pages.at)
		paged_free(&series->pages);
	else
		free(series->list);
	series->list = NULL;
}

static bool series_grow(struct model_series *series)
{
	const size_t bytes = series->n * sizeof(*series->list);
	struct paged pages;

	if (series->n < series->cap)
		return true;
	if (series->n >= SERIES_IN_MEMORY && paged_fixed(&pages, 2 * bytes)) {
		memcpy(pages.at, series->list, bytes);
		series_free(series);
		series->pages = pages;
		series->list = pages.at;
		series->cap = pages.bytes / sizeof(*series->list);
		return true;
	}
	return !series->pages.at &&
	       array_grow(&series->list, series->n, &series->cap, sizeof(*series->list));
}

static bool series_append(struct model_series *series, const struct model_run *run, size_t number,
			  enum model_metric metric)
{
	if (!series_grow(series))
		return false;
	series->list[series->n++] = (struct model_value) {
		.value = metric_value(run, metric),
		.trial = run->id.trial,
		.run = (uint32_t)number & ((1u << MODEL_VALUE_RUN_BITS) - 1),
		.seen = (unsigned)(metric_run_seen(run, metric) + 1) & 0xf,
		.estimated = metric_is_estimated(&run->totals.memory, metric),
	};
	return true;
}

void model_series_free(struct model_metric_series *all, uint32_t cases)
{
	if (all->cases)
		for (uint32_t i = 0; i < cases; i++)
			series_free(&all->cases[i]);
	free(all->cases);
	*all = (struct model_metric_series) {0};
}

void model_values_forget(struct model *model)
{
	struct model_families *families = model->families;

	if (families)
		for (int i = 0; i < MODEL_SERIES; i++)
			model_series_free(&families->series[i], families->n_cases);
}

/*
 * Returns the metric's entry. If there is none, gives the least recently used entry to the metric.
 * `cases` is NULL if memory is short.
 */
static struct model_metric_series *find_series(struct model_families *families,
					       enum model_metric metric)
{
	struct model_metric_series *oldest = families->series;

	for (int i = 0; i < MODEL_SERIES; i++) {
		struct model_metric_series *all = &families->series[i];

		if (all->cases && all->metric == metric)
			return all;
		if (all->used < oldest->used)
			oldest = all;
	}
	model_series_free(oldest, families->n_cases);
	oldest->metric = metric;
	oldest->used = ++families->series_used;
	oldest->cases = calloc(families->n_cases, sizeof(*oldest->cases));
	return oldest;
}

static bool has_series(const struct model_families *families, enum model_metric metric)
{
	for (int i = 0; i < MODEL_SERIES; i++)
		if (families->series[i].cases && families->series[i].metric == metric)
			return true;
	return false;
}

static bool is_read_together(enum model_metric metric)
{
	static const enum model_metric usual[] = {METRIC_ELAPSED, METRIC_CPU, METRIC_CORES,
						  METRIC_MEMORY, METRIC_CREATE};
	bool found = metric >= METRIC_CREATING && metric <= METRIC_PATH;

	for (size_t i = 0; i < LENGTH(usual); i++)
		found |= metric == usual[i];
	return found;
}

/*
 * Like find_series(). If the metric belongs to the usual metrics of an answer, or to the parts of a
 * path, reads all of these in one pass over the runs, because they are needed together and the runs
 * may be in a file.
 */
static struct model_metric_series *find_read_together(struct model_families *families,
						      enum model_metric metric)
{
	if (!has_series(families, metric) && is_read_together(metric))
		for (enum model_metric other = 0; other < METRICS; other++)
			if (is_read_together(other))
				find_series(families, other);
	return find_series(families, metric);
}

/* The number of runs up to and including the newest one that has ended by the cursor's time. */
static size_t count_ended_runs(const struct model *model)
{
	size_t n = model_runs_begun(model);

	while (n > 0 && !model_ended(model, &model->runs[n - 1]))
		n--;
	return n;
}

/* Appends the value of the run to all series that have read all earlier runs. */
static bool series_read_run(const struct model *model, size_t number)
{
	const struct model_run *run = &model->runs[number];
	/*
	 * Append the run's value even if the cursor is earlier or the trial was repeated, because
	 * both may change. model_values() and value_counts() check them at each call.
	 */
	const bool counts =
		run->id.trial > 0 && run->totals.status == SAMPLE_OK && !run->totals.paused;

	for (int i = 0; i < MODEL_SERIES; i++) {
		struct model_metric_series *all = &model->families->series[i];

		if (!all->cases || all->read != number)
			continue;
		if (counts &&
		    !series_append(&all->cases[run->id.case_id], run, number, all->metric))
			return false;
		all->read++;
	}
	return true;
}

static bool series_read_runs(const struct model *model, const struct model_metric_series *all)
{
	while (all->read < model->n_runs && model->runs[all->read].end_ns != INT64_MAX) {
		const size_t number = all->read;

		if (!series_read_run(model, number))
			return false;
		if (number % MODEL_RUNS_STEP == MODEL_RUNS_STEP - 1)
			model_runs_leave(model);
	}
	return true;
}

void model_values_take(const struct model *model)
{
	const struct model_metric_series *all;

	if (!model->families)
		return;
	all = find_read_together(model->families, METRIC_ELAPSED);
	/* After model_values_forget(), all runs are read once they are needed. */
	if (all->cases && all->read + 1 == model->n_runs)
		series_read_runs(model, all);
}

/*
 * Whether the value is part of the results: no repetition has replaced its run by the cursor's
 * time. Call it with ascending runs, because values->replaced only moves forward.
 */
static bool value_counts(struct model_values *values, const struct model_value *value)
{
	const struct model *model = values->model;

	while (values->replaced < model->n_replaced &&
	       model->replaced[values->replaced] < value->run)
		values->replaced++;
	return values->replaced == model->n_replaced ||
	       model->replaced[values->replaced] != value->run ||
	       !model_is_replaced(model, &model->runs[value->run]);
}

struct model_values model_values(const struct model *model, uint32_t case_id,
				 enum model_metric metric)
{
	const size_t ended = count_ended_runs(model);
	struct model_metric_series *all;
	const struct model_series *series;
	size_t low = 0, high;

	/* The cache belongs to the families, which are NULL if memory was short. */
	if (!model->families)
		return (struct model_values) {.model = model};
	all = find_read_together(model->families, metric);
	if (!all->cases || !series_read_runs(model, all))
		return (struct model_values) {.model = model};
	all->used = ++model->families->series_used;
	series = &all->cases[case_id];
	high = series->n;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (series->list[middle].run < ended)
			low = middle + 1;
		else
			high = middle;
	}
	return (struct model_values) {.model = model, .list = series->list, .n = low};
}

const struct model_value *model_values_next(struct model_values *values)
{
	while (values->at < values->n) {
		const struct model_value *value = &values->list[values->at++];

		if (value_counts(values, value))
			return value;
	}
	return NULL;
}
