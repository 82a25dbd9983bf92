/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "html.h"

/* Inline figures: as wide as the page, in units of which a line of text is 14 high. */

#define SVG_WIDTH   760
#define SVG_NARROW  360 /* where all has to fit a telephone */
#define SVG_LABELS  118 /* room for the names at the left */
#define SVG_VALUES  92	/* room for the figures at the right */
#define SVG_ROW	    18
#define SVG_AXIS    20 /* below a plot, for its scale */
#define SVG_SHADES  5
#define SVG_COLUMNS 240 /* steps of a scale of time */

/* A scale from values to places; high lies at x + w. */
struct svg_scale {
	double low, high;
	double x, w;
	bool log; /* low > 0 */
};

enum svg_unit { SVG_TIME, SVG_KIB, SVG_COUNT };

double svg_at(const struct svg_scale *scale, double value);
/* 0 … high, rounded up to where a tick is. */
double svg_round_up(double high, enum svg_unit unit);

/* title names the figure, text tells what is to be seen in it to those who can't. */
void svg_open(struct html *html, double height, const char *title, const char *text);
/* The same in a box of a style of its own, so many units wide. */
void svg_open_as(struct html *html, const char *style, int width, double height, const char *title,
		 const char *text);
void svg_close(struct html *html);
void svg_rect(struct html *html, const char *style, double x, double y, double w, double h);
void svg_line(struct html *html, const char *style, double x1, double y1, double x2, double y2);
__attribute__((format(printf, 5, 6))) void svg_text(struct html *html, const char *style, double x,
						    double y, const char *format, ...);
/* The name has at most so many characters, the last one … where there are more. */
void svg_name(struct html *html, const char *style, double x, double y, const char *name,
	      unsigned most);
/* The mark of a case, whose shape differs as well as its hue; title is what a pointer on it is
 * told, or NULL. */
void svg_mark(struct html *html, unsigned hue, double x, double y, const char *title);
/* The same in a line of text. */
void svg_key(struct html *html, unsigned hue);
/* One outline of many parts: svg_block()s, or svg_to() with the first of each part moved to. */
__attribute__((format(printf, 2, 3))) void svg_path(struct html *html, const char *style, ...);
void svg_block(struct html *html, double x, double y, double w, double h);
void svg_to(struct html *html, bool move, double x, double y);
void svg_path_end(struct html *html);

/* Rows over the columns of a scale: what is more is darker. */
struct svg_shades {
	const char *style; /* of their colour */
	const struct svg_scale *scale;
	uint32_t rows;
	double y, step, h; /* of the first row, from row to row, of one */
	unsigned (*shade)(const void *arg, uint32_t row, int column); /* 0, for nothing, … 5 */
	const void *arg;
};

/* The place where a column begins. */
double svg_column(const struct svg_scale *scale, int column);
/* Draws all of one shade in one path: 5,000 workers need no 5,000 elements. */
void svg_shades(struct html *html, const struct svg_shades *shades);
/* Grid lines from y to y + h with their values below, and the same for a vertical scale. */
void svg_axis_x(struct html *html, const struct svg_scale *scale, enum svg_unit unit, double y,
		double h);
void svg_axis_y(struct html *html, const struct svg_scale *scale, enum svg_unit unit, double x,
		double w);
