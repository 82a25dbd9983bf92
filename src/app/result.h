/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_RESULT_H
#define TUIBENCH_RESULT_H

#include <stddef.h>
#include <stdio.h>

#include "model/model.h"
#include "options.h"

/* A session in one of the formats of --format and --export. */

/* 0 or -errno. */
int result_write(const struct model *model, enum options_format format, FILE *out);
/*
 * To the file at path, which is replaced when all of it is written: an export that fails leaves
 * what was there, and nothing else. 0, or -errno with one line in error.
 */
int result_save(const struct model *model, enum options_format format, const char *path,
		char *error, size_t size);

#endif
