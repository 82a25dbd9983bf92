/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/sample.h"

/*
 * What is known of a run's workers. A worker has a place in the list from its first row on, so
 * that memory goes with the workers that were seen: of those that were merely claimed it takes 4
 * bytes each, and nothing as long as none was seen.
 */
struct model_workers {
	struct sample_worker *list; /* as they came */
	size_t n, cap;
	uint32_t *place; /* by worker: 1 + its place in the list; 0: none. NULL: none has one */
	bool gone;	 /* no longer kept, or never: of several recordings, of old runs */
};

/* One of which nothing is known, as sample_worker_unknown() has it. */
extern const struct sample_worker model_workers_unknown;

/* All that is known of a worker, whatever the cursor; index < those of its run. */
static inline const struct sample_worker *model_workers_at(const struct model_workers *workers,
							   uint32_t index)
{
	uint32_t place = workers->place ? workers->place[index] : 0;

	return place ? &workers->list[place - 1] : &model_workers_unknown;
}

/* Its place, which is made where there is none, in a run of `all`; NULL without memory. */
struct sample_worker *model_workers_make(struct model_workers *workers, uint32_t all,
					 uint32_t index);
/* No more will come: gives back the room for them. */
void model_workers_end(struct model_workers *workers);
void model_workers_free(struct model_workers *workers);
