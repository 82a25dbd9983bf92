/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>

/* Splits the command line of --command into words as a shell would, but without a shell. */

enum { COMMAND_WORDS = 255, COMMAND_BYTES = 4096 };

/*
 * Writes the words of text, each with its NUL byte, and returns their number. Blanks separate
 * words. Quotes of both kinds and backslashes work as in a shell. Errors: -EINVAL, a quote is not
 * closed; -ENOENT, there is no word; -E2BIG, too many words, or COMMAND_BYTES or more; -ENOEXEC, an
 * unquoted character that only a shell understands, such as | and >.
 */
int command_words_split(const char *text, char words[COMMAND_BYTES]);
/*
 * Writes n words as one text, quoted where necessary, from which command_words_split() reads the
 * same words. Returns 0 or -E2BIG.
 */
int command_words_join(const char *words, int n, char text[COMMAND_BYTES]);
/*
 * Finds the program with that name, and stores its path. Searches PATH unless the name has a slash.
 * Returns 0; -ENOENT; -EACCES; or -EISDIR if a name with a slash is a directory.
 */
int command_words_find(const char *name, char path[PATH_MAX]);
