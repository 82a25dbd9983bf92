/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "draw/canvas.h"
#include "draw/theme.h"
#include "write/export.h"

/* A session in one of the formats of --export. */
struct result {
	const struct model *model;
	const struct export_format *format;
	struct film_wish wish;		      /* of a film */
	const struct export_lecture *lecture; /* instead of a model, in a format that has it */
};

/*
 * To the file at path, which is replaced when all of it is written: an export that fails leaves
 * what was there, and nothing else. NULL: to standard output. 0, or -errno with one line in error.
 */
int result_save(const struct result *result, const char *path, char *error, size_t size);

/*
 * Saves the canvas as tuibench-DATE-N.txt and .svg, with the least N that both are free of: in the
 * current folder, or in the state folder where that cannot be written to. What they are, or why
 * not, is one line in said[size]. A slide of that name (else NULL) is tuibench-DATE-NAME-N.svg
 * alone. 0 or -errno with neither file left behind.
 */
int snapshot_save(const struct canvas *canvas, const struct theme *theme, const char *slide,
		  char *said, size_t size);
