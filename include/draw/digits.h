/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/canvas.h"

/*
 * Figures to be read from afar: 0 … 9 ? . , : in three by five squares of half a cell, three rows
 * high at scale 1. Other characters are blanks of their width.
 */

/* Rows and columns that it takes at a scale, at least 1. */
int digits_rows(int scale);
int digits_columns(const char *text, int scale);
/* Returns the column after the last digit. */
int digits_draw(struct canvas *canvas, int x, int y, int scale, struct style style,
		const char *text);
