/* SPDX-License-Identifier: MIT */
#pragma once

#include "tuibench/work.h"

/*
 * Error for a user's function that returned a value that is neither 0 nor an errno, whether
 * positive or negative.
 */
#define WORK_OWN_NO_ERRNO 4096

/*
 * The user's work (--own) as the runner has loaded it. Each process has its own copy of the struct.
 */
struct work_own {
	const struct tuibench_work *work; /* NULL: --own was not given */
	void *data;			  /* set by the function prepare() of the work */
};
