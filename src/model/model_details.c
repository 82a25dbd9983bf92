/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model.h"
#include "model/model_latency.h"
#include "model/model_wakes.h"

/*
 * A run also has memory outside struct model_run. This file frees that memory or moves it to a
 * file.
 */

void model_details_move(struct model_run *run, model_move *move, void *arg)
{
	model_workers_move(&run->workers, run->n_workers, move, arg);
	model_lanes_move(run, move, arg);
	model_tasks_move(run, move, arg);
	run->throttles = move(arg, run->throttles, run->n_throttles * sizeof(*run->throttles));
	run->cap_throttles = run->n_throttles;
	run->points = move(arg, run->points, run->n_points * sizeof(*run->points));
	run->cap_points = run->n_points;
	run->wakes = model_wakes_move(run->wakes, move, arg);
	run->wakes_all = model_wakes_move(run->wakes_all, move, arg);
	run->latency = move(arg, run->latency, sizeof(*run->latency));
	run->buckets = move(arg, run->buckets, run->n_buckets * sizeof(*run->buckets));
	run->requests = move(arg, run->requests, run->n_requests * sizeof(*run->requests));
}

void *model_let_go(void *arg, void *bytes, size_t n)
{
	const struct model *model = arg;

	if (!paged_has(model->stored, bytes))
		free(bytes);
	return NULL;
}

/* Whether all memory of the run is in files. Slices that arrive late are not in files yet. */
static bool is_stored(const struct model *model, const struct model_run *run)
{
	return paged_has(model->stored, run->workers.blocks) && !run->slices_partial &&
	       (!run->lanes || paged_has(model->stored, run->lanes));
}

void model_details_free(struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (!is_stored(model, &model->runs[i]))
			model_details_move(&model->runs[i], model_let_go, model);
	paged_blocks_free(&model->stored);
}

/* Alignment of each block in a file, bytes. */
enum { ALIGNMENT = 16 };

static void *count_bytes(void *arg, void *bytes, size_t n)
{
	size_t *sum = arg;

	if (bytes)
		*sum += roundup(n, ALIGNMENT);
	return bytes;
}

/* Shrinks an allocation to n bytes. */
static void *fit_bytes(void *arg, void *bytes, size_t n)
{
	void *fit = bytes && n > 0 ? realloc(bytes, n) : NULL;

	if (fit)
		return fit;
	return bytes;
}

struct storing {
	struct model *model;
	char *at; /* Place of the next block in the file. */
};

static void *store_bytes(void *arg, void *bytes, size_t n)
{
	struct storing *storing = arg;
	char *at = storing->at;

	if (!bytes)
		return NULL;
	memcpy(at, bytes, n);
	storing->at += roundup(n, ALIGNMENT);
	model_let_go(storing->model, bytes, n);
	if (n > 0)
		return at;
	return NULL;
}

static size_t details_bytes(struct model_run *run)
{
	size_t bytes = 0;

	model_details_move(run, count_bytes, &bytes);
	return bytes;
}

bool model_details_store(struct model *model, struct model_run *run)
{
	struct storing storing = {.model = model};

	/* Late slices are still arriving, so their arrays still grow. */
	if (run->slices_partial)
		return true;
	/* The cores' lanes may grow here for the last time. */
	model_cores_seen(run);
	storing.at = paged_room(&model->stored, details_bytes(run));
	if (!storing.at)
		return false;
	model_details_move(run, store_bytes, &storing);
	return true;
}

void model_details_store_sums(struct model *model, struct model_run *run)
{
	struct storing storing = {.model = model};
	size_t bytes = 0;

	if (!run->wakes_all || !is_stored(model, run))
		return;
	model_wakes_move(run->wakes_all, count_bytes, &bytes);
	storing.at = paged_room(&model->stored, bytes);
	if (storing.at)
		run->wakes_all = model_wakes_move(run->wakes_all, store_bytes, &storing);
	else
		run->wakes_all = model_wakes_move(run->wakes_all, model_let_go, model);
}

bool model_details_too_many(const struct model *model, size_t most)
{
	const size_t left = model->n_runs - model->n_dropped;

	if (left > 2 * (size_t)model->n_cases)
		return model->kept > most;
	return left > 1 && model->kept > MAX(most, MODEL_NEWEST);
}

void model_store(struct model *model, size_t most)
{
	for (; model->n_kept < model->n_runs; model->n_kept++) {
		struct model_run *run = &model->runs[model->n_kept];

		model_details_move(run, fit_bytes, NULL);
		model->kept += details_bytes(run);
	}
	for (; model_details_too_many(model, most); model->n_dropped++) {
		struct model_run *run = &model->runs[model->n_dropped];
		const size_t bytes = details_bytes(run);

		if (!model_details_store(model, run))
			break;
		model->kept -= MIN(bytes, model->kept);
	}
	if (model->n_runs % MODEL_RUNS_STEP == 0)
		model_runs_leave(model);
}
