/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The lectures that come with the program: beside it where it was built, else where installed. */

/*
 * The file that is meant: NAME itself, or where there is none the installed NAME.md. Whether it is
 * that, a file of the folder and no link to another.
 */
bool lectures_find(const char *name, char path[PATH_MAX]);
/* Their names, titles and folder. 0, or a negative errno with a line in error. */
int lectures_list(FILE *out, char *error, size_t size);
