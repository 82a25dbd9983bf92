/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/model.h"

/* The slices of one worker, as they came. */
struct model_lane {
	struct sample_slice *slices; /* the last one may be open: off_ns -1 */
	size_t n, cap;
};

/*
 * Adds slices to the run's lanes. One that is open is replaced by the next of its worker. Those
 * that overlap what is known, or belong to no worker, are left out: then -EPROTO; else 0, -ENOMEM.
 */
int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n);
void model_lanes_free(struct model_lane *lanes, uint32_t n);
