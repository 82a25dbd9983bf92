/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>

/* A command line of --command, which no shell sees, taken apart as one would. */

enum { COMMAND_WORDS = 255, COMMAND_BYTES = 4096 };

/*
 * Its words one behind the other, each with its end: blanks separate them, quotes of both kinds and
 * backslashes keep what they keep in a shell. How many, or -EINVAL: a quote is not closed; -ENOENT:
 * there is none; -E2BIG: too many, or a text of more than COMMAND_BYTES with its end; -ENOEXEC:
 * what has a meaning for shells alone stands outside of quotes, such as | and >.
 */
int command_words_split(const char *text, char words[COMMAND_BYTES]);
/*
 * The n words as a text that is split into the same ones; quoted where they have to be. 0, or
 * -E2BIG.
 */
int command_words_join(const char *words, int n, char text[COMMAND_BYTES]);
/*
 * The program of that name, sought in PATH unless it has a slash: 0, -ENOENT, -EACCES,
 * or -EISDIR of a path. */
int command_words_find(const char *name, char path[PATH_MAX]);
