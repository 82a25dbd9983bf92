/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * Writes one line for the user into error and returns err, so that `return error_line(…)` says why.
 * What the user typed may be in it: what is not printable becomes '?', so that the line stays one
 * and no terminal is told to do anything. Without the program's name and without a newline.
 */
int error_line(char *error, size_t size, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
