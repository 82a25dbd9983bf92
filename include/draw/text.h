/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "draw/canvas.h"

/* Words on a canvas: wrapping and shortening. */

/* Past as many letters as so many columns hold. */
const char *text_skip(const char *text, int columns);
/*
 * The columns of the first line of text when no line may be wider than width; *next is where the
 * following line begins. Breaks at blanks and newlines; between a number and its unit, the ends of
 * an interval and within a word only where it alone is wider.
 */
int text_line(const char *text, int width, const char **next);
/* The number of lines of that width that the text takes. */
int text_lines(const char *text, int width);
/* Draws it wrapped into rect; what does not fit ends in "…". Returns the lines drawn. */
int text_draw(struct canvas *canvas, struct rect rect, struct style style, const char *text);
/*
 * A paragraph, up to a newline, wrapped into rect from its line y on: what lies above or below rect
 * is not drawn, nor anything without a canvas. All lines but the first are indented. Returns the
 * lines that it takes; *text is what follows it.
 */
int text_paragraph(struct canvas *canvas, struct rect rect, int y, int indent, struct style style,
		   const char **text);
/*
 * A name such as "processes work=write workers=8" in at most so many columns: without "work=", then
 * without "workers=" too, as the values distinguish names; last the middle goes. Returns buf.
 */
char *text_fit(char *buf, size_t size, const char *name, int most);
/*
 * Two names, each in at most so many columns: as text_fit does, unless that leaves them alike while
 * they are not: then from a little before the first difference on, "·beta/run". Each has size
 * bytes.
 */
void text_fit_two(char *one, char *other, size_t size, const char *name, const char *other_name,
		  int most);
/* "name / other" likewise, with its " / " whatever the width. Returns buf. */
char *text_fit_pair(char *buf, size_t size, const char *pair, int most);

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
