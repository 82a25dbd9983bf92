/* SPDX-License-Identifier: MIT */
#include "model_pause.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "model/model.h"

/*
 * During a pause, the workers are stopped and the model's clock stops, but the recording's clock
 * advances. This file converts all times of a sample to the model's clock, whether they count from
 * the session's beginning or from the run's.
 */

int model_pause_note(struct model *model, int64_t time_ns, bool paused)
{
	struct model_pause *last = model->n_pauses ? &model->pauses[model->n_pauses - 1] : NULL;
	const bool open = last && last->to_ns == INT64_MAX;

	if (paused == open)
		return 0;
	if (open) {
		last->to_ns = time_ns;
		return 0;
	}
	if (!array_grow(&model->pauses, model->n_pauses, &model->cap_pauses,
			sizeof(*model->pauses)))
		return -ENOMEM;
	model->pauses[model->n_pauses] = (struct model_pause) {
		.from_ns = time_ns,
		.to_ns = INT64_MAX,
		.before_ns = last ? last->before_ns + (last->to_ns - last->from_ns) : 0};
	model->n_pauses++;
	return 0;
}

int64_t model_pause_strip(const struct model *model, int64_t time_ns)
{
	for (size_t i = model->n_pauses; i-- > 0;) {
		const struct model_pause *pause = &model->pauses[i];

		if (time_ns >= pause->to_ns)
			return time_ns - pause->before_ns - (pause->to_ns - pause->from_ns);
		if (time_ns >= pause->from_ns)
			return pause->from_ns - pause->before_ns;
	}
	return time_ns;
}

/* Converts a time since the run's beginning. -1 stays -1. */
static void strip_time(const struct model *model, int64_t begin_ns, int64_t *time_ns)
{
	if (*time_ns >= 0)
		*time_ns = model_pause_strip(model, begin_ns + *time_ns) -
			   model_pause_strip(model, begin_ns);
}

static void strip_totals(const struct model *model, int64_t begin_ns, struct sample_totals *totals)
{
	const int64_t held_ns = MAX(totals->held_ns, 0);

	if (totals->elapsed_ns >= 0) {
		totals->elapsed_ns += held_ns;
		strip_time(model, begin_ns, &totals->elapsed_ns);
		if (totals->elapsed_ns > held_ns)
			totals->elapsed_ns = totals->elapsed_ns - held_ns;
		else
			totals->elapsed_ns = 0;
	}
	strip_time(model, begin_ns, &totals->go_ns);
	strip_time(model, begin_ns, &totals->create_ns);
	strip_time(model, begin_ns, &totals->fault_ns);
	strip_time(model, begin_ns, &totals->noticed_ns);
	if (totals->begin_ns >= 0)
		totals->begin_ns = model_pause_strip(model, totals->begin_ns);
}

static void *copy_list(const void *list, size_t n, size_t size)
{
	void *copy = reallocarray(NULL, MAX(n, 1), size);

	if (copy && n)
		memcpy(copy, list, n * size);
	return copy;
}

static struct sample_change *strip_workers(const struct model *model, int64_t begin_ns,
					   const struct sample_change *workers, uint32_t n)
{
	struct sample_change *copy = copy_list(workers, n, sizeof(*copy));

	if (!copy)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		struct sample_worker *worker = &copy[i].worker;

		strip_time(model, begin_ns, &worker->create_ns);
		strip_time(model, begin_ns, &worker->created_ns);
		strip_time(model, begin_ns, &worker->start_ns);
		strip_time(model, begin_ns, &worker->work_ns);
		strip_time(model, begin_ns, &worker->finish_ns);
		strip_time(model, begin_ns, &worker->join_ns);
	}
	return copy;
}

static struct sample_slice *strip_slices(const struct model *model, int64_t begin_ns,
					 const struct sample_slice *slices, uint32_t n)
{
	struct sample_slice *copy = copy_list(slices, n, sizeof(*copy));

	if (!copy)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		strip_time(model, begin_ns, &copy[i].on_ns);
		strip_time(model, begin_ns, &copy[i].off_ns);
		strip_time(model, begin_ns, &copy[i].ready_ns);
	}
	return copy;
}

static struct sample_task *strip_tasks(const struct model *model, int64_t begin_ns,
				       const struct sample_task *tasks, uint32_t n)
{
	struct sample_task *copy = copy_list(tasks, n, sizeof(*copy));

	if (!copy)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		strip_time(model, begin_ns, &copy[i].begin_ns);
		strip_time(model, begin_ns, &copy[i].end_ns);
		strip_time(model, begin_ns, &copy[i].waited_ns);
	}
	return copy;
}

int model_pause_sample(const struct model *model, int64_t begin_ns, struct sample *sample,
		       void **list)
{
	*list = NULL;
	sample->time_ns = model_pause_strip(model, sample->time_ns);
	switch (sample->kind) {
	case SAMPLE_TICK:
		*list = strip_workers(model, begin_ns, sample->tick.workers,
				      sample->tick.n_workers);
		sample->tick.workers = *list;
		break;
	case SAMPLE_SLICES:
		*list = strip_slices(model, begin_ns, sample->slices.list, sample->slices.n);
		sample->slices.list = *list;
		break;
	case SAMPLE_TASKS:
		*list = strip_tasks(model, begin_ns, sample->tasks.list, sample->tasks.n);
		sample->tasks.list = *list;
		break;
	case SAMPLE_RUN_END:
		if (sample->end.totals.begin_ns >= 0)
			begin_ns = sample->end.totals.begin_ns;
		*list = strip_workers(model, begin_ns, sample->end.workers, sample->end.n_workers);
		sample->end.workers = *list;
		strip_totals(model, begin_ns, &sample->end.totals);
		break;
	default:
		return 0;
	}
	if (*list)
		return 0;
	return -ENOMEM;
}
