/* SPDX-License-Identifier: MIT */
#pragma once

#include "tuibench/work.h"

/* One's own work (--work), as the runner has loaded it; of each process a copy. */
struct work_own {
	const struct tuibench_work *work; /* NULL: none was asked for */
	void *data;			  /* of its prepare() */
};
