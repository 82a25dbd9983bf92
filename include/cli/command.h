/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * The command line as one line of well-formed UTF-8 without control characters that a shell takes
 * back as it was; bytes that would break that are written as $'\ooo'. The name of the program is
 * "tuibench" wherever it was found; more is appended as it is. What does not fit ends in "...".
 */
void command_write(char *buf, size_t size, int argc, char **argv, const char *more);

/* The words in the same way, whole however long they are; malloc'ed, NULL without memory. */
char *command_text(int argc, char *const *argv);

/*
 * The words of such a line, which is cut up in place: what a shell would make of it. Any number of
 * blanks separates them. How many words; -EINVAL where it was not written by command_write() or did
 * not fit, -E2BIG for more than most. A NULL follows the last.
 */
int command_split(char *line, char **words, int most);
