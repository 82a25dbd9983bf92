/* SPDX-License-Identifier: MIT */
#pragma once

#include <signal.h>
#include <stddef.h>

#include "options.h"

enum { AGAIN_WORDS = 128 };

/*
 * The session after this one: what ran, with other options. This program is replaced by itself, so
 * that nothing is left of the old session.
 */
struct again {
	int argc;
	char *argv[AGAIN_WORDS + 1]; /* argc of them and NULL; none: nothing follows */
	sigset_t mask;		     /* the program's own, before signals were blocked */
};

void again_init(struct again *again);
void again_free(struct again *again);
/*
 * Makes the command line: what the recorded one runs, with more options instead, on the screen as
 * it is now; recorded at the default place. It is checked as if it were typed: 0, or a negative
 * errno with a line in error.
 */
int again_make(struct again *again, const struct options *now, const char *recorded,
	       const char *more, char *error, size_t size);
/* Returns only where it cannot, with -errno. Files are closed and the terminal was given back. */
int again_run(struct again *again);
