/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "draw/theme.h"

/*
 * Writes the canvas as a picture that looks like the screen: the theme's colours, a margin, cells
 * of 8 x 16, and text in the reader's monospaced font, stretched to the grid. Blocks, braille and
 * box lines are drawn as shapes, because fonts lack them or draw them with gaps. Returns 0 or
 * -errno.
 */
int snapshot_svg(const struct canvas *canvas, const struct theme *theme, FILE *out);
/*
 * Writes a slide of 16:9 as snapshot_svg() does. The canvas must have SNAPSHOT_SLIDE_W by
 * SNAPSHOT_SLIDE_H cells. A line of text has about a twentieth of the slide's height.
 */
enum { SNAPSHOT_SLIDE_W = 72, SNAPSHOT_SLIDE_H = 20 };
int snapshot_slide(const struct canvas *canvas, const struct theme *theme, FILE *out);
/*
 * Write a picture as snapshot_svg() does, but part by part. Each part is moved down by `lower`, in
 * the picture's units (16 per row). snapshot_end() returns 0 or -errno.
 */
void snapshot_begin(const struct canvas *canvas, const struct theme *theme, FILE *out);
void snapshot_part(const struct canvas *canvas, const struct theme *theme, struct rect part,
		   int lower, FILE *out);
int snapshot_end(FILE *out);
/* A rectangle of cells in the picture's units. */
struct rect snapshot_place(struct rect part);
