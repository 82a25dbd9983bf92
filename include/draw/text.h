/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "draw/canvas.h"

/* Words on a canvas: wrapping and shortening. */

/*
 * Returns the width in columns of the text's first line, which is at most `width`, unless it is a
 * single wide letter. Sets *next to the beginning of the following line. Lines break at newlines,
 * at blanks and, in a line with wide letters, between these. A number and its unit, an interval,
 * and a word stay together if they fit into a line.
 */
int text_line(const char *text, int width, const char **next);
/* Number of lines of that width that the text needs. */
int text_lines(const char *text, int width);
/*
 * Draws the text wrapped into rect. Text that does not fit ends in "…". Returns the number of lines
 * drawn.
 */
int text_draw(struct canvas *canvas, struct rect rect, struct style style, const char *text);
/*
 * Draws a paragraph (up to a newline) wrapped into rect. Its first line is line y of rect; lines
 * above or below rect are not drawn. If canvas is NULL, only counts the lines. All lines but the
 * first are indented. Returns the number of lines, and moves *text past the paragraph.
 */
int text_paragraph(struct canvas *canvas, struct rect rect, int y, int indent, struct style style,
		   const char **text);
/* Shortens one name, like names_fit(). Returns buf. */
char *text_fit(char *buf, size_t size, const char *name, int most);
#define TEXT_DOT "\xc2\xb7" /* a middle dot, which replaces the omitted part of a name */

/*
 * Figures that can be read from far away. The characters 0 … 9 and ? consist of three by five
 * squares of half a cell, so they are three rows high at scale 1. The characters . , : are one
 * square wide. Any other character is a blank, three squares wide.
 */

/* Number of rows, and of columns, of such a figure. The scale is at least 1. */
int digits_rows(int scale);
int digits_columns(const char *text, int scale);
/* Draws the figure. Returns the column after the last digit. */
int digits_draw(struct canvas *canvas, int x, int y, int scale, struct style style,
		const char *text);
