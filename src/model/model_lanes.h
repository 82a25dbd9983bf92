/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/model.h"
#include "model/model_slices.h"

enum { LANE_BLOCK = 16 };

/* How long a lane was in each state, ns. */
struct lane_time {
	int64_t ns[MODEL_STATES];
};

/* Slices in ascending time: of one worker, as they came, or of all workers on one core. */
struct model_lane {
	struct sample_slice *slices; /* a worker's last one may be open */
	size_t n, cap;
	/* The time since the first slice, where every later LANE_BLOCK-th one begins. */
	struct lane_time *blocks;
	size_t cap_blocks;
};

/*
 * Adds slices to the run's lanes. One that is open is replaced by the next of its worker. Those
 * that overlap what is known, or belong to no worker, are left out: then -EPROTO; else 0, -ENOMEM.
 */
int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n);
void model_lanes_free(struct model_lane *lanes, uint32_t n);

/* As model_migrations(), whatever the cursor. */
int64_t model_lane_migrations(const struct model *model, const struct model_run *run,
			      uint32_t worker);

/* It is one, and begins where the last one of the lane has ended. */
bool model_lane_fits(const struct model_lane *lane, const struct sample_slice *slice);
/* Adds a slice where it belongs; 0 or -ENOMEM. */
int model_lane_add(struct model_lane *lane, const struct sample_slice *slice);
/* The number of slices that begin at t_ns or before. */
size_t model_lane_begun(const struct model_lane *lane, int64_t t_ns);
/* The state between a slice and the next. */
enum model_state model_lane_after(const struct sample_slice *slice);
/* When the worker could run again between a slice and the next, or NULL; within [off_ns, to_ns]. */
int64_t model_lane_ready(const struct sample_slice *slice, const struct sample_slice *next,
			 int64_t off_ns, int64_t to_ns);
/* The time since the first slice until t_ns: takes as many steps as a search, however many. */
struct lane_time model_lane_until(const struct model_lane *lane, int64_t t_ns);
