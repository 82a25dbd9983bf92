/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "draw/canvas.h"
#include "draw/theme.h"

/*
 * The canvas as a picture that looks like the screen: its theme's colours, a cell of 8 x 16, text
 * in the reader's monospaced font stretched to the grid. What a font would draw with gaps or not
 * at all (blocks, braille, lines of boxes) is drawn as shapes. 0 or -errno.
 */
int snapshot_svg(const struct canvas *canvas, const struct theme *theme, FILE *out);
/*
 * The same at 16:9, as a slide: of a canvas of these cells, whose lines are a twentieth of the
 * slide's height.
 */
enum { SNAPSHOT_SLIDE_W = 72, SNAPSHOT_SLIDE_H = 20 };
int snapshot_slide(const struct canvas *canvas, const struct theme *theme, FILE *out);
/* The same in parts, each lower by so many units; snapshot_end() says how it went. */
void snapshot_begin(const struct canvas *canvas, const struct theme *theme, FILE *out);
void snapshot_part(const struct canvas *canvas, const struct theme *theme, struct rect part,
		   int lower, FILE *out);
int snapshot_end(FILE *out);
/* Cells in the picture's units. */
struct rect snapshot_place(struct rect part);
