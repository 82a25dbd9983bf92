/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"

enum { NEXT_WORDS = 128 };

/* The command line of a session that is to follow, as it would be typed. */
struct next {
	int argc;
	char *argv[NEXT_WORDS + 1]; /* argc of them and NULL; none: nothing follows */
	int err;		    /* of the first word that could not be added */
};

void next_free(struct next *next);
/* One word more. 0, -E2BIG or -ENOMEM: then no word is added any more, and all calls fail. */
__attribute__((format(printf, 2, 3))) int next_add(struct next *next, const char *format, ...);
/* What the user has asked of the screen and of recordings now, but for the theme. 0 or -errno. */
int next_add_now(struct next *next, const struct options *now);
/*
 * Whether it can run, as if it were typed: 0, or a negative errno with a line in error. Of files
 * that are to be played it is asked whether they may be read.
 */
int next_check(struct next *next, char *error, size_t size);
/* The words of a line as command_write() has it. 0 or -errno. */
int next_add_line(struct next *next, const char *line);
/* A line of command_write() that can run. 0, or a negative errno with a line in error. */
int next_take_line(struct next *next, const char *line, char *error, size_t size);

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
