/* SPDX-License-Identifier: MIT */
#include "model/model_workers.h"

#include <stdlib.h>

#include "base/array.h"

const struct sample_worker model_workers_unknown = {
	.create_ns = -1,
	.created_ns = -1,
	.start_ns = -1,
	.work_ns = -1,
	.finish_ns = -1,
	.join_ns = -1,
	.pid = -1,
	.tid = -1,
	.cpu_first = -1,
	.cpu_last = -1,
	.creator_cpu = -1,
	.delay_us = -1,
	.migrations = -1,
	.cycles = -1,
	.instructions = -1,
	.cache_misses = -1,
	.tlb_misses = -1,
	.tasks = -1,
	.status = SAMPLE_RUNNING,
};

struct sample_worker *model_workers_make(struct model_workers *workers, uint32_t all,
					 uint32_t index)
{
	struct sample_worker *list;

	if (!workers->place)
		workers->place = calloc(all, sizeof(*workers->place));
	if (!workers->place)
		return NULL;
	if (workers->place[index])
		return &workers->list[workers->place[index] - 1];
	list = array_room(workers->list, workers->n, &workers->cap, sizeof(*list));
	if (!list)
		return NULL;
	workers->list = list;
	list[workers->n++] = model_workers_unknown;
	workers->place[index] = (uint32_t)workers->n;
	return &list[workers->n - 1];
}

void model_workers_end(struct model_workers *workers)
{
	struct sample_worker *list;

	if (workers->n == 0 || workers->n == workers->cap)
		return;
	list = reallocarray(workers->list, workers->n, sizeof(*list));
	if (!list)
		return;
	workers->list = list;
	workers->cap = workers->n;
}

void model_workers_free(struct model_workers *workers)
{
	free(workers->list);
	free(workers->place);
	*workers = (struct model_workers) {.gone = true};
}
