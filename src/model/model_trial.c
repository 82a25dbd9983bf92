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

const struct model_run *model_trial_run(const struct model *model, const struct model_trial *trial,
					uint32_t case_id)
{
	for (size_t i = model->n_runs; i > 0; i--) {
		const struct model_run *run = &model->runs[i - 1];

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
		const int64_t length = run ? model_length(model, run) : 0;

		longest = MAX(length, longest);
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
	const size_t first = model->n_runs > TRIAL_LOOK ? model->n_runs - TRIAL_LOOK : 0;
	struct model_trial newest = {.number = 0};

	for (size_t i = model->n_runs; i > first; i--) {
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

/* How far the trial's times are from their medians: the largest ratio, as a logarithm. */
static double trial_distance(const struct model *model, const struct model_trial *trial,
			     const double *medians)
{
	double far = 0;

	for (uint32_t id = trial->first; id < trial->end; id++) {
		const struct model_run *run = model_trial_run(model, trial, id);
		const double ratio = (double)run->totals.elapsed_ns / medians[id - trial->first];

		if (!model_is_good(run) || !(ratio > 0))
			return INFINITY;
		far = fmax(far, fabs(log(ratio)));
	}
	return far;
}

enum { TRIAL_CASES = 64 };

/* The trial of the same cases that is nearest to their medians. If none is, the trial itself. */
static struct model_trial trial_nearest(const struct model *model, const struct model_trial *of)
{
	struct model_trial nearest = *of;
	double medians[TRIAL_CASES], least = INFINITY;
	double *room = calloc(model->n_runs + 1, sizeof(*room));

	if (!room || of->end - of->first > TRIAL_CASES) {
		free(room);
		return nearest;
	}
	for (uint32_t id = of->first; id < of->end; id++) {
		size_t n;

		medians[id - of->first] = model_median(model, id, METRIC_ELAPSED, room, &n);
	}
	free(room);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		struct model_trial trial = *of;
		double distance;

		if (run->id.case_id != of->first || !trial_can_show(model, run))
			continue;
		trial.number = run->id.trial;
		if (!trial_is_complete(model, &trial))
			continue;
		distance = trial_distance(model, &trial, medians);
		if (distance < least) {
			least = distance;
			nearest = trial;
		}
	}
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
