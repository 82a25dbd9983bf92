/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "next.h"

/* What is run again. */
struct again {
	const char *recorded; /* the command line of what ran */
	const char *more;     /* "-s ballast=0,64M", instead of what it had; NULL: the same */
	int64_t seed;	      /* of its order; -1: another may be drawn */
	/*
	 * What it starts or opens outside tuibench is kept: the user has typed it, or is asked.
	 * Else it is left out, since it is a file that says so.
	 */
	bool keeps;
	FILE *outside; /* a line for each of these options; see options_rule_tell() */
};

/*
 * The session after this one, with the screen as it is now. Nothing is looked at or started:
 * next_check() does. 0, or a negative errno with a line in error, which begins with by and a colon,
 * and nothing in next.
 */
int again_make(struct next *next, const struct again *again, const struct options *now,
	       const char *by, char *error, size_t size);
