/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "core/comparison.h"

struct model model_as_of(const struct model *model, int64_t time_ns)
{
	struct model as_of = *model;

	as_of.now_ns = time_ns;
	return as_of;
}

static bool trial_can_show(const struct model *model, const struct model_run *run)
{
	return model_ended(model, run) && run->id.trial > 0 && !run->workers.gone;
}

/*
 * The number of runs up to the last one of the trial. Joined recordings do not have their trials in
 * ascending order, so for them it is the number of all runs.
 */
static size_t runs_up_to_trial(const struct model *model, uint32_t number)
{
	size_t low = 0, high = model_runs_begun(model);

	if (model->n_origins > 0)
		return high;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (model->runs[middle].id.trial <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct model_run *model_trial_run(const struct model *model, const struct model_trial *trial,
					uint32_t case_id)
{
	for (size_t i = runs_up_to_trial(model, trial->number); i > 0; i--) {
		const struct model_run *run = &model->runs[i - 1];

		if (model->n_origins == 0 && run->id.trial != trial->number)
			break;
		if (run->id.case_id == case_id && run->id.trial == trial->number &&
		    trial_can_show(model, run))
			return run;
	}
	return NULL;
}

static bool trial_is_complete(const struct model *model, const struct model_trial *trial)
{
	for (uint32_t id = trial->first; id < trial->end; id++)
		if (!model_trial_run(model, trial, id))
			return false;
	return true;
}

int64_t model_trial_length(const struct model *model, const struct model_trial *trial)
{
	int64_t longest = 0;

	for (uint32_t id = trial->first; id < trial->end; id++) {
		const struct model_run *run = model_trial_run(model, trial, id);
		const int64_t elapsed = run ? model_elapsed(model, run) : 0;

		longest = MAX(elapsed, longest);
	}
	return longest;
}

/* The range of cases around case_id that are compared with it. */
static struct model_trial trial_around(const struct model *model, uint32_t case_id)
{
	struct model_trial trial = {.first = case_id, .end = case_id + 1};
	const struct sample_case *config = &model->cases[case_id];

	while (trial.first > 0 && comparison_alike(&model->cases[trial.first - 1], config))
		trial.first--;
	while (trial.end < model->n_cases && comparison_alike(&model->cases[trial.end], config))
		trial.end++;
	return trial;
}

bool model_trial_counts(const struct model *model, const struct model_trial *trial)
{
	for (uint32_t id = trial->first; id < trial->end; id++) {
		const struct model_run *run = model_trial_run(model, trial, id);

		if (!run || run->totals.paused || model_is_replaced(model, run))
			return false;
	}
	return true;
}

enum { TRIAL_LOOK = 256 }; /* number of newest runs that are searched for a trial */

struct model_trial model_trial_newest(const struct model *model)
{
	const size_t begun = model_runs_begun(model);
	const size_t first = begun > TRIAL_LOOK ? begun - TRIAL_LOOK : 0;
	struct model_trial newest = {.number = 0};

	for (size_t i = begun; i > first; i--) {
		const struct model_run *run = &model->runs[i - 1];
		struct model_trial trial;

		if (!trial_can_show(model, run))
			continue;
		trial = trial_around(model, run->id.case_id);
		trial.number = run->id.trial;
		if (trial.number == newest.number || !trial_is_complete(model, &trial))
			continue;
		if (model_trial_counts(model, &trial))
			return trial;
		if (newest.number == 0)
			newest = trial;
	}
	return newest;
}

struct model_trial model_trial_beside(const struct model *model, const struct model_trial *trial,
				      int by)
{
	struct model_trial found = *trial;
	uint32_t last = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.trial > last)
			last = model->runs[i].id.trial;
	do
		found.number += (uint32_t)by;
	while (found.number >= 1 && found.number <= last && !trial_is_complete(model, &found));
	if (found.number >= 1 && found.number <= last)
		return found;
	return *trial;
}

/* A run that a trial can show. */
struct shown_run {
	uint32_t trial, run;
};

static int by_trial(const void *left, const void *right)
{
	const struct shown_run *a = left, *b = right;

	if (a->trial != b->trial)
		return (a->trial > b->trial) - (a->trial < b->trial);
	return (a->run > b->run) - (a->run < b->run);
}

/*
 * Lists the runs that trials of these cases can show, by trial. The list ends with an item whose
 * trial is 0.
 */
static struct shown_run *list_trials(const struct model *model, const struct model_trial *of)
{
	struct shown_run *list = malloc((model->n_runs + 1) * sizeof(*list));
	size_t n = 0;

	if (!list)
		return NULL;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id >= of->first && run->id.case_id < of->end &&
		    trial_can_show(model, run))
			list[n++] = (struct shown_run) {run->id.trial, (uint32_t)i};
	}
	list[n] = (struct shown_run) {.trial = 0};
	/* As in runs_up_to_trial(), the runs of a session are in order. */
	if (model->n_origins > 0)
		qsort(list, n, sizeof(*list), by_trial);
	return list;
}

enum { TRIAL_CASES = 64 };

/* What a trial's run is measured by, and the median of its case. */
struct trial_measure {
	enum model_metric metric;
	double median;
};

/*
 * Crashes are about how soon the parent notices, which varies far more than the elapsed time. A
 * case whose parent never noticed is measured by its time, as all others are.
 */
static struct trial_measure trial_measure(const struct model *model, uint32_t case_id,
					  double *scratch)
{
	struct trial_measure noticed = {.metric = METRIC_NOTICED};
	struct trial_measure elapsed = {.metric = METRIC_ELAPSED};
	size_t n = 0;

	if (model_has_faults(model))
		noticed.median = model_median(model, case_id, METRIC_NOTICED, scratch, &n);
	if (n > 0)
		return noticed;
	elapsed.median = model_median(model, case_id, METRIC_ELAPSED, scratch, &n);
	return elapsed;
}

/* How far a run's value is from its case's median, in either direction: |log(value / median)|. */
static double run_distance(const struct model_run *run, const struct trial_measure *measure)
{
	const double ratio = metric_value(run, measure->metric) / measure->median;

	if (!model_is_good(run) || !(ratio > 0))
		return INFINITY;
	return fabs(log(ratio));
}

/*
 * How far the values of a trial are from their medians: the distance of its farthest run. INFINITY
 * if a case has no run. *shown is the trial's first run; it moves on to the next trial's.
 */
static double trial_distance(const struct model *model, const struct model_trial *of,
			     const struct trial_measure *of_cases, const struct shown_run **shown)
{
	const uint32_t trial = (*shown)->trial, cases = of->end - of->first;
	double distances[TRIAL_CASES], far = 0;

	for (uint32_t i = 0; i < cases; i++)
		distances[i] = INFINITY;
	/* If the trial was repeated, the last run of the case counts. */
	for (; (*shown)->trial == trial; (*shown)++) {
		const struct model_run *run = &model->runs[(*shown)->run];
		const uint32_t i = run->id.case_id - of->first;

		distances[i] = run_distance(run, &of_cases[i]);
	}
	for (uint32_t i = 0; i < cases; i++)
		far = MAX(far, distances[i]);
	return far;
}

/*
 * The trial of the same cases that is nearest to their medians; `of` itself if no trial has a run
 * of each case.
 */
static struct model_trial trial_nearest(const struct model *model, const struct model_trial *of)
{
	struct model_trial nearest = *of;
	struct trial_measure of_cases[TRIAL_CASES];
	double least = INFINITY;
	double *scratch = calloc(model->n_runs + 1, sizeof(*scratch));
	struct shown_run *list = NULL;
	const struct shown_run *shown;

	if (scratch && of->end - of->first <= TRIAL_CASES)
		list = list_trials(model, of);
	if (!list) {
		free(scratch);
		return nearest;
	}
	for (uint32_t id = of->first; id < of->end; id++)
		of_cases[id - of->first] = trial_measure(model, id, scratch);
	free(scratch);
	for (shown = list; shown->trial > 0;) {
		const uint32_t trial = shown->trial;
		const double distance = trial_distance(model, of, of_cases, &shown);

		if (distance < least) {
			least = distance;
			nearest.number = trial;
		}
	}
	free(list);
	return nearest;
}

struct model_trial model_trial_nearest(const struct model *model)
{
	const struct model_trial newest = model_trial_newest(model);

	if (newest.number == 0)
		return newest;
	return trial_nearest(model, &newest);
}

struct model_trial model_trial_typical(const struct model *model, uint32_t case_id)
{
	const struct model_trial trial = trial_around(model, case_id);

	return trial_nearest(model, &trial);
}
