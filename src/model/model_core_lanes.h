/* SPDX-License-Identifier: MIT */
#pragma once

#include "model_lanes.h"

/* A core's slices of all workers. */
struct model_core {
	struct model_lane lane;	  /* those that have ended */
	struct sample_slice open; /* the one that has not; off_ns 0: there is none */
	struct model_lane others; /* slices of others, where the source sees them */
};

struct core_next {
	int64_t on_ns;
	uint32_t worker;
};

/* Made of the workers' lanes from tick to tick. */
struct model_cores {
	struct model_core *list; /* by number */
	size_t n;
	bool exact;		/* slices of others are known: between all of them a core is idle */
	uint32_t *seen;		/* by worker: how many of its slices are in a core's lane */
	struct core_next *heap; /* the next slice of each worker that has one to go there */
	uint32_t n_heap;
};

/* For a run of so many workers; NULL without memory. */
struct model_cores *model_core_lanes_new(uint32_t workers);
/* A worker's lane has one more slice, that has ended. */
void model_core_lanes_add(struct model_cores *cores, const struct model_lane *lane,
			  uint32_t worker);
/* Puts those slices into the lanes of their cores: as many steps as there are; 0 or -ENOMEM. */
int model_core_lanes_merge(const struct model_run *run);
/* Adds a slice of others; 0, -EPROTO where it is on no core or before the last one, -ENOMEM. */
int model_core_lanes_others(struct model_cores *cores, const struct sample_slice *slice);
void model_core_lanes_free(struct model_cores *cores);
