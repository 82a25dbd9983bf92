/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model.h"

/*
 * Up to this number of runs, a session's arrays stay in memory. The arrays of a longer session are
 * in files.
 */
enum { RUNS_IN_MEMORY = 4096 };

static bool grow_in_memory(struct model *model, size_t cap)
{
	struct model_run *runs = calloc(cap, sizeof(*runs));
	char *levels = calloc(cap, MAX(1, model->levels_size));

	if (!runs || !levels) {
		free(runs);
		free(levels);
		return false;
	}
	if (model->n_runs > 0) {
		memcpy(runs, model->runs, model->n_runs * sizeof(*runs));
		memcpy(levels, model->levels, model->n_runs * model->levels_size);
	}
	model_runs_free(model);
	model->runs = runs;
	model->levels = levels;
	model->cap_runs = cap;
	return true;
}

static bool grow_in_files(struct model *model, size_t cap)
{
	struct paged *runs = &model->run_pages, *levels = &model->levels_pages;
	const bool first = !levels->at;
	bool grown = paged_grow(runs, cap * sizeof(*model->runs)) &&
		     paged_grow(levels, cap * model->levels_size);

	if (first && grown) {
		memcpy(runs->at, model->runs, model->n_runs * sizeof(*model->runs));
		memcpy(levels->at, model->levels, model->n_runs * model->levels_size);
		free(model->runs);
		free(model->levels);
	}
	if (first && !grown)
		paged_free(runs);
	if (!levels->at)
		return false;
	/*
	 * Take both addresses, because one array may have moved even if the other could not grow.
	 */
	model->runs = runs->at;
	model->levels = levels->at;
	if (grown)
		model->cap_runs = cap;
	return grown;
}

bool model_runs_grow(struct model *model, size_t n)
{
	size_t cap = MAX(4, model->cap_runs);

	if (n <= model->cap_runs)
		return true;
	while (cap < n)
		cap += MIN(cap, RUNS_IN_MEMORY);
	if (n <= RUNS_IN_MEMORY || !grow_in_files(model, cap))
		return grow_in_memory(model, cap);
	model_runs_leave(model);
	return true;
}

void model_runs_leave(const struct model *model)
{
	const size_t newest = MIN(model->n_runs, 2 * (size_t)model->n_cases);

	paged_leave(&model->run_pages, (model->n_runs - newest) * sizeof(*model->runs));
	paged_leave(&model->levels_pages, (model->n_runs - newest) * model->levels_size);
}

void model_runs_free(struct model *model)
{
	if (model->levels_pages.at) {
		paged_free(&model->run_pages);
		paged_free(&model->levels_pages);
	} else {
		free(model->runs);
		free(model->levels);
	}
	model->runs = NULL;
	model->levels = NULL;
	model->cap_runs = 0;
}
