/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "export/export.h"
#include "film/film.h"

/* A session in one of the formats of --export. */
struct result {
	const struct model *model;
	const struct export_format *format;
	const struct film_format *film; /* instead of that; or NULL */
	struct film_wish wish;
	const struct export_lecture *lecture; /* instead of a model, in a format that has it */
};

/* 0 or -errno. */
int result_write(const struct result *result, FILE *out);
/*
 * To the file at path, which is replaced when all of it is written: an export that fails leaves
 * what was there, and nothing else. 0, or -errno with one line in error.
 */
int result_save(const struct result *result, const char *path, char *error, size_t size);
