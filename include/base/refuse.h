/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_REFUSE_H
#define TUIBENCH_REFUSE_H

#include <stddef.h>

/*
 * Writes one line for the user into error and returns err, so that `return refuse(…)` says why.
 * What the user typed may be in it: control characters become '?', so that the line stays one and
 * no terminal is told to do anything. Without the program's name and without a newline.
 */
int refuse(char *error, size_t size, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same cleaning for a line that came from elsewhere. */
void refuse_clean(char *line);

#endif
