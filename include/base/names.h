/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * Shortens names that users type: commands, labels, values. They may be long and similar. Different
 * names of a list look different when shortened, however narrow the space is.
 */

/* The number of names of a list that are kept different: the first ones. */
enum { NAMES_MOST = 64 };

/*
 * Shortens the i-th of n names to `most` columns; `mark` replaces each omitted part. A name that
 * fits stays unchanged. Keys such as "workers=" are omitted first, then the words that all names
 * begin with, then the middle. If two names would become equal, each keeps the part in which they
 * differ. As a last resort, names end in "~" and a number. Returns buf.
 */
char *names_fit(const char *const *names, size_t n, size_t i, int most, const char *mark, char *buf,
		size_t size);
/*
 * A list is one text, such as "work=mem;workers=4". A semicolon inside an item is written as
 * "\x3b", so a reader may split the text at semicolons.
 */
#define NAMES_SEPARATOR ';'

/* Writes the item as it appears in a list. Returns its length, like snprintf(). */
size_t names_put_item(const char *item, char *buf, size_t size);
/*
 * Reads the next item, moves *list past the item and undoes the escapes. Returns item, or NULL at
 * the end.
 */
char *names_next_item(const char **list, char *item, size_t size);
