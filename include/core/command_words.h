/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>

/* A command line of --command, which no shell sees, taken apart as one would. */

enum { COMMAND_WORDS = 255, COMMAND_BYTES = 4096 };

/*
 * Writes the words of text, each with its NUL, and returns their number. Blanks separate words.
 * Quotes of both kinds and backslashes work as in a shell. Errors: -EINVAL, a quote is not closed;
 * -ENOENT, there is no word; -E2BIG, too many words, or more than COMMAND_BYTES; -ENOEXEC, an
 * unquoted character that only a shell understands, such as | and >.
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
