/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A file of lines "name = value", with comments behind # and ;. What the names mean is the caller's
 * matter.
 */

/* The name of no file at all. */
#define CONFIG_NONE "none"

/* The file to read: as typed, of TUIBENCH_CONFIG, or the user's own. */
struct config_place {
	char path[PATH_MAX]; /* "": none */
	const char *by;	     /* what named it, for messages */
	bool named;	     /* it was asked for, and must be there */
};

/* A line, to be judged: 0, or a negative errno with a text, without file and line, in error. */
typedef int config_take(void *to, const char *name, const char *value, int line, char *error,
			size_t size);

/*
 * Calls take for each line that says something, until one is refused, of a text of n bytes and one
 * more, which is written to. 0, or a negative errno with one line in error: "FILE:LINE: what is
 * wrong".
 */
int config_parse(const struct config_place *place, char *text, size_t n, config_take *take,
		 void *to, char *error, size_t size);
