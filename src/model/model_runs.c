/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/sample_tick.h"
#include "model/model.h"

/*
 * Number of runs up to which a session's arrays stay in memory. The arrays of a longer session are
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
	paged_leave(&model->load_pages, model->n_loads * sizeof(*model->loads));
	paged_leave(&model->core_pages, model->n_loads * model->n_cores * sizeof(*model->cores));
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

/* Number of ticks up to which the arrays of loads and cores stay in memory. */
enum { LOADS_IN_MEMORY = 16384 };

static bool grow_loads_in_memory(struct model *model, size_t cap, uint32_t n_cores)
{
	struct model_load *loads = reallocarray(model->loads, cap, sizeof(*loads));
	struct sample_core *cores;

	if (!loads)
		return false;
	model->loads = loads;
	cores = reallocarray(model->cores, cap, MAX(1, n_cores) * sizeof(*cores));
	if (!cores)
		return false;
	model->cores = cores;
	return true;
}

static bool grow_loads_in_files(struct model *model, size_t cap, uint32_t n_cores)
{
	struct paged *loads = &model->load_pages, *cores = &model->core_pages;
	const bool first = !cores->at;
	const bool grown = paged_grow(loads, cap * sizeof(*model->loads)) &&
			   paged_grow(cores, cap * MAX(1, n_cores) * sizeof(*model->cores));

	if (first && !grown)
		paged_free(loads);
	if (!cores->at)
		return false;
	if (first) {
		memcpy(loads->at, model->loads, model->n_loads * sizeof(*model->loads));
		memcpy(cores->at, model->cores,
		       model->n_loads * model->n_cores * sizeof(*model->cores));
		free(model->loads);
		free(model->cores);
	}
	model->loads = loads->at;
	model->cores = cores->at;
	return grown;
}

bool model_loads_grow(struct model *model, size_t n, uint32_t n_cores)
{
	size_t cap = MAX(4, model->cap_loads);
	bool grown;

	if (n <= model->cap_loads && n_cores <= model->cap_cores)
		return true;
	while (cap < n)
		cap += MIN(cap, LOADS_IN_MEMORY);
	if (n <= LOADS_IN_MEMORY && !model->core_pages.at)
		grown = grow_loads_in_memory(model, cap, n_cores);
	else
		grown = grow_loads_in_files(model, cap, n_cores);
	if (!grown && !model->core_pages.at)
		grown = grow_loads_in_memory(model, cap, n_cores);
	if (!grown)
		return false;
	model->cap_loads = cap;
	model->cap_cores = n_cores;
	return true;
}

void model_loads_free(struct model *model)
{
	if (model->core_pages.at) {
		paged_free(&model->load_pages);
		paged_free(&model->core_pages);
	} else {
		free(model->loads);
		free(model->cores);
	}
	model->loads = NULL;
	model->cores = NULL;
	model->cap_loads = 0;
}
