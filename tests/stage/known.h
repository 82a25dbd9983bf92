/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

static inline void know(const struct model_run *run, uint32_t index, struct sample_worker worker)
{
	struct model_workers *workers = (struct model_workers *)&run->workers;

	assert_int_equal(model_workers_put(workers, run->n_workers, index, &worker), 0);
}

/* Changes one member of what a run knows about a worker. */
#define KNOW(run, index, member, value)                                                            \
	do {                                                                                       \
		struct sample_worker known_ = model_known(run, index);                             \
		known_.member = (value);                                                           \
		know(run, index, known_);                                                          \
	} while (0)
