/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "next.h"

/*
 * The session after this one: what the recorded command line runs, with more options instead, on
 * the screen as it is now; recorded at the default place. It is checked as if it were typed: 0, or
 * a negative errno with a line in error and nothing in next.
 */
int again_make(struct next *next, const struct options *now, const char *recorded, const char *more,
	       char *error, size_t size);
