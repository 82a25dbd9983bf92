/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "cli/options.h"

enum { NEXT_WORDS = 128 };

/* The command line of a session that is to follow, as it would be typed. */
struct next {
	int argc;
	char *argv[NEXT_WORDS + 1]; /* argc of them and NULL; none: nothing follows */
};

void next_free(struct next *next);
/* One word more. 0, -E2BIG or -ENOMEM. */
__attribute__((format(printf, 2, 3))) int next_add(struct next *next, const char *format, ...);
/* What the user has asked of the screen and of recordings now, but for the theme. 0 or -errno. */
int next_add_now(struct next *next, const struct options *now);
/*
 * Whether it can run, as if it were typed: 0, or a negative errno with a line in error. A file that
 * is to be played is not opened.
 */
int next_check(struct next *next, char *error, size_t size);
/* The words of a line as command_write() has it. 0 or -errno. */
int next_add_line(struct next *next, const char *line);
/* A line as command_write() has it, whole, which can run. 0, or a negative errno with a line in
 * error. */
int next_take_line(struct next *next, const char *line, char *error, size_t size);
