/* SPDX-License-Identifier: MIT */
#pragma once

#include "tuibench/work.h"

/* Error of work whose function returned neither 0 nor an errno of either sign. */
#define WORK_OWN_NO_ERRNO 4096

/* The user's function (--own), as the runner has loaded it; each process has a copy. */
struct work_own {
	const struct tuibench_work *work; /* NULL: none was asked for */
	void *data;			  /* data of its prepare() */
};
