/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * Names that people type: commands, labels, values. They may be long and alike. Two names that
 * differ never look alike, however little room there is.
 */

/* Names that are shortened together, at most; of more, the first ones are compared. */
enum { NAMES_MOST = 64 };

/*
 * Shortens the i-th of n names to `most` columns; `mark` replaces each part that is left out. A
 * name that fits is kept. Keys such as "workers=" go first, then the words that all names begin
 * with, then the middle. Names that would become equal keep the place where they differ. As a last
 * resort they end in "~" and a number. Returns buf.
 */
char *names_fit(const char *const *names, size_t n, size_t i, int most, const char *mark, char *buf,
		size_t size);
/*
 * Items of a list in one text, "work=mem;workers=4". A semicolon in an item is "\x3b", so that a
 * reader who splits at semicolons is right.
 */
#define NAMES_SEPARATOR ';'

/* Writes the item in the form that lists have. Returns its length, as snprintf(). */
size_t names_put_item(const char *item, char *buf, size_t size);
/* Takes the next item and moves past it, as it was before; NULL at the end. Returns item. */
char *names_next_item(const char **list, char *item, size_t size);
