/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* All that a run knows of a worker, to be read and to be changed. */
#define KNOWN(run, index)                                                                          \
	(*model_workers_make((struct model_workers *)&(run)->workers, (run)->n_workers, index))
