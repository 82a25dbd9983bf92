/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "model/model_latency.h"
#include "model/model_slices.h"
#include "model_private.h"

static size_t lanes_bytes(const struct model_run *run)
{
	size_t bytes = 0;

	for (uint32_t i = 0; run->lanes && i < run->n_workers; i++)
		bytes += sizeof(*run->lanes) + run->lanes[i].cap * sizeof(*run->lanes[i].slices) +
			 run->lanes[i].cap_blocks * sizeof(*run->lanes[i].blocks);
	return bytes;
}

/* The lanes of the cores have the same slices once more. */
static size_t bytes_of(const struct model_run *run)
{
	return run->workers.cap * sizeof(*run->workers.list) +
	       (run->workers.place ? run->n_workers * sizeof(*run->workers.place) : 0) +
	       2 * lanes_bytes(run) + run->cap_points * sizeof(*run->points) +
	       model_wakes_bytes(run->wakes) + model_wakes_bytes(run->wakes_all);
}

/* Whether a later run of its case has the sum of all trials as well. */
static bool is_summed_later(const struct model *model, const struct model_run *run)
{
	for (const struct model_run *r = run + 1; r < model->runs + model->n_runs; r++)
		if (r->id.case_id == run->id.case_id && r->wakes_all)
			return true;
	return false;
}

static void drop_wakes(const struct model *model, struct model_run *run)
{
	model_wakes_free(run->wakes);
	run->wakes = NULL;
	if (!run->wakes_all || !is_summed_later(model, run))
		return;
	model_wakes_free(run->wakes_all);
	run->wakes_all = NULL;
}

static void drop_runs(struct model *model, size_t most)
{
	size_t newest = model->n_runs > 2 * model->n_cases ? model->n_runs - 2 * model->n_cases : 0;

	for (; model->n_kept < model->n_runs; model->n_kept++)
		model->kept += bytes_of(&model->runs[model->n_kept]);
	for (; model->kept > most && model->n_dropped < newest; model->n_dropped++) {
		struct model_run *run = &model->runs[model->n_dropped];

		model->kept -= bytes_of(run);
		model_workers_free(&run->workers);
		model_lanes_free(run);
		free(run->points);
		free(run->throttles);
		run->throttles = NULL;
		run->n_throttles = run->cap_throttles = 0;
		run->points = NULL;
		run->n_points = run->cap_points = 0;
		drop_wakes(model, run);
	}
}

/* Half at once, so that what stays is moved seldom. */
static void drop_loads(struct model *model, size_t most)
{
	size_t each = sizeof(*model->loads) + model->n_cores * sizeof(*model->cores);
	size_t gone = model->n_loads / 2, stay = model->n_loads - gone;

	if (model->n_loads * each <= most)
		return;
	memmove(model->loads, model->loads + gone, stay * sizeof(*model->loads));
	memmove(model->cores, model->cores + gone * model->n_cores,
		stay * model->n_cores * sizeof(*model->cores));
	model->n_loads = stay;
}

void model_keep(struct model *model, size_t most)
{
	if (model->n_origins > 0 || model_has_latency(model))
		return;
	drop_runs(model, most);
	drop_loads(model, most);
}
