/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "core/comparison.h"

struct model model_as_of(const struct model *model, int64_t time_ns)
{
	struct model as_of = *model;

	as_of.now_ns = time_ns;
	return as_of;
}

static bool round_can_show(const struct model *model, const struct model_run *run)
{
	return model_ended(model, run) && run->id.trial > 0 && !run->workers.gone;
}

const struct model_run *model_round_run(const struct model *model, const struct model_round *pair,
					uint32_t case_id)
{
	for (size_t i = model->n_runs; i > 0; i--) {
		const struct model_run *run = &model->runs[i - 1];

		if (run->id.case_id == case_id && run->id.trial == pair->trial &&
		    round_can_show(model, run))
			return run;
	}
	return NULL;
}

static bool round_is_complete(const struct model *model, const struct model_round *pair)
{
	for (uint32_t id = pair->first; id < pair->end; id++)
		if (!model_round_run(model, pair, id))
			return false;
	return true;
}

int64_t model_round_length(const struct model *model, const struct model_round *pair)
{
	int64_t longest = 0;

	for (uint32_t id = pair->first; id < pair->end; id++) {
		const struct model_run *run = model_round_run(model, pair, id);
		const int64_t length = run ? model_length(model, run) : 0;

		longest = length > longest ? length : longest;
	}
	return longest;
}

/* The cases around one that compare with it. */
static struct model_round round_around(const struct model *model, uint32_t case_id)
{
	struct model_round pair = {.first = case_id, .end = case_id + 1};
	const struct sample_case *one = &model->cases[case_id];

	while (pair.first > 0 && comparison_alike(&model->cases[pair.first - 1], one))
		pair.first--;
	while (pair.end < model->n_cases && comparison_alike(&model->cases[pair.end], one))
		pair.end++;
	return pair;
}

enum { ROUND_LOOK = 256 }; /* runs that are looked at for the newest pair */

struct model_round model_round_newest(const struct model *model)
{
	const size_t first = model->n_runs > ROUND_LOOK ? model->n_runs - ROUND_LOOK : 0;

	for (size_t i = model->n_runs; i > first; i--) {
		const struct model_run *run = &model->runs[i - 1];
		struct model_round pair;

		if (!round_can_show(model, run))
			continue;
		pair = round_around(model, run->id.case_id);
		pair.trial = run->id.trial;
		if (round_is_complete(model, &pair))
			return pair;
	}
	return (struct model_round) {.trial = 0};
}

struct model_round model_round_beside(const struct model *model, const struct model_round *pair,
				      int by)
{
	struct model_round found = *pair;
	uint32_t last = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.trial > last)
			last = model->runs[i].id.trial;
	do
		found.trial += (uint32_t)by;
	while (found.trial >= 1 && found.trial <= last && !round_is_complete(model, &found));
	return found.trial >= 1 && found.trial <= last ? found : *pair;
}

/* How far the pair's times are from their medians: the greatest ratio, as a logarithm. */
static double round_distance(const struct model *model, const struct model_round *pair,
			     const double *medians)
{
	double far = 0;

	for (uint32_t id = pair->first; id < pair->end; id++) {
		const struct model_run *run = model_round_run(model, pair, id);
		const double ratio = (double)run->totals.elapsed_ns / medians[id - pair->first];

		if (!model_is_good(run) || !(ratio > 0))
			return INFINITY;
		far = fmax(far, fabs(log(ratio)));
	}
	return far;
}

enum { ROUND_CASES = 64 };

/* The trial of the pair's cases that is nearest to their medians; the pair itself without one. */
static struct model_round round_nearest(const struct model *model, const struct model_round *of)
{
	struct model_round nearest = *of;
	double medians[ROUND_CASES], least = INFINITY;
	double *room = calloc(model->n_runs + 1, sizeof(*room));

	if (!room || of->end - of->first > ROUND_CASES) {
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
		struct model_round pair = *of;
		double distance;

		if (run->id.case_id != of->first || !round_can_show(model, run))
			continue;
		pair.trial = run->id.trial;
		if (!round_is_complete(model, &pair))
			continue;
		distance = round_distance(model, &pair, medians);
		if (distance < least) {
			least = distance;
			nearest = pair;
		}
	}
	return nearest;
}

struct model_round model_round_nearest(const struct model *model)
{
	const struct model_round newest = model_round_newest(model);

	return newest.trial == 0 ? newest : round_nearest(model, &newest);
}

struct model_round model_round_typical(const struct model *model, uint32_t case_id)
{
	const struct model_round pair = round_around(model, case_id);

	return round_nearest(model, &pair);
}
