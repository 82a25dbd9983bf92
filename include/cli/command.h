/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * Writes a command line as one line of valid UTF-8 without control characters. A shell reads the
 * same words from the line: bytes that would break it are written as $'\ooo'. The program's name is
 * always "tuibench". `more` is appended without quoting. If the line does not fit, it ends in
 * "...".
 */
void command_write(char *buf, size_t size, int argc, char **argv, const char *more);

/*
 * Quotes the words like command_write(), at any length. The result is malloc'ed; NULL if memory is
 * short.
 */
char *command_text(int argc, char *const *argv);

/*
 * Splits a line that command_write() wrote into words as a shell would, and overwrites it. Words
 * are separated by any number of blanks. Returns the number of words; a NULL follows the last one.
 * -EINVAL: command_write() did not write the line, or did not have room for all of it. -E2BIG: more
 * than `most` words.
 */
int command_split(char *line, char **words, int most);
