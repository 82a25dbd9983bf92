/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "draw/canvas.h"
#include "draw/theme.h"

/*
 * Saves the canvas as tuibench-DATE-N.txt and .svg, with the least N that both are free of: in the
 * current folder, or in the state folder where that cannot be written to. What they are, or why
 * not, is one line in said[size]. 0 or -errno with neither file left behind.
 */
int snapshot_save(const struct canvas *canvas, const struct theme *theme, char *said, size_t size);
/* The same of a slide, as tuibench-DATE-NAME-N.svg alone. */
int snapshot_save_slide(const struct canvas *canvas, const struct theme *theme, const char *name,
			char *said, size_t size);
