/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "draw/plot.h"
#include "view_parts.h"

/* Rows of bars, how often a time was measured, on one logarithmic axis; figures at their right. */

struct view_histogram {
	struct canvas *canvas;
	struct rect inner; /* of the box: the first line has the axis and the columns' titles */
	int x, w;	   /* of the bars; w 0: there is no room for them */
	int bars_h;
	struct scale scale;
	const struct view_histogram_column *columns; /* from the right end leftwards */
	size_t n_columns;
};

struct view_histogram_column {
	const char *title;
	int w, least;  /* its width, and that of a box which has room for it */
	size_t offset; /* of an int64_t in the row's figures; 0: the row's text */
	uint8_t colour;
	bool bold; /* in the row's colour */
};

struct view_histogram_row {
	int y;
	uint8_t colour;
	const void *figures;
	const char *text;
	int64_t p50, p90, p99;
};

/* The width of the columns that are shown. */
int view_histogram_figures_w(const struct view_histogram *h);
/* The axis with its grid through the whole box, and the titles of the columns. */
void view_histogram_begin(const struct view_histogram *h);
/* The time at which a column of the bars begins. */
double view_histogram_edge(const struct view_histogram *h, int column);
/* A bar for each of h->w counts, by the highest, and marks at p50, p90 and p99. */
void view_histogram_bars(const struct view_histogram *h, const struct view_histogram_row *row,
			 const double *counts);
void view_histogram_figures(const struct view_histogram *h, const struct view_histogram_row *row);
