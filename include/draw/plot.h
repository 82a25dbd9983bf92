/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"

/* Plots over time from braille and blocks, and the axes that go with them. */

/* A stretch of time across columns; to_ns > from_ns. */
struct plot_axis {
	int64_t from_ns, to_ns;
	int x, w;
};

/* The column (not clipped, within ±1,000,000) at which a time lies, in parts of a column. */
double plot_column(const struct plot_axis *axis, int64_t time_ns);
/* The cell of the axis that a time lies in, from 0: -1 before it, its width behind it. */
int plot_cell(const struct plot_axis *axis, int64_t time_ns);
/* The time at which a column begins, at the axis' resolution. */
int64_t plot_time(const struct plot_axis *axis, int column);
/* The end of a scale: the least number of two digits, about a tenth apart, that is ≥ value > 0. */
double plot_nice(double value);
/* The same for powers of two: 1, 1.5, 2, 3, 4 … KiB. */
int64_t plot_nice_kib(int64_t kib);
/* The least of 1, 2, 5 times a power of ten that divides span into at most ticks parts. */
double plot_step(double span, int ticks);
/* Labels along the axis on row y; the last one names the unit. */
void plot_time_labels(struct canvas *canvas, const struct plot_axis *axis, int y,
		      struct style style);
/* Dots on h rows where the axis has its ticks, for what is drawn later to cover. */
void plot_grid(struct canvas *canvas, const struct plot_axis *axis, int y, int h);

#define PLOT_DOTS 1024 /* the most values across; two to a cell */

/*
 * y[2 * rect.w] from 0 to top, NaN for a gap. What is above 0 is seen. An area is filled down to 0,
 * to an eighth of a cell; a line is half a cell thick, joins its neighbours, and where two meet in
 * a cell each keeps its colour.
 */
void plot_area(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
void plot_line(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
/* The row in which a line has a value, from rect.y; -1: it has none. */
int plot_line_row(struct rect rect, double y, double top);

struct plot_part {
	double share;	/* of the whole height */
	uint32_t glyph; /* where it fills a cell */
	uint8_t colour;
};

/* Parts upon one another in column x of rect, in eighths of a cell; two colours meet in a cell. */
void plot_stack(struct canvas *canvas, struct rect rect, int x, const struct plot_part *parts,
		int n);
/* ▁ … █ for a share of 1; a blank for 0 and below, '?' for NaN. */
uint32_t plot_eighth(double share);

/* An axis of values, linear or logarithmic, and where its labels stand. Pure. */

enum { SCALE_TICKS = 32 };

struct scale {
	double low, high; /* low < high; above 0 where log */
	bool log;
	bool binary; /* ticks at powers of two rather than of ten */
};

/* A unit of time in ns, or of memory in KiB where the scale is binary. */
struct scale_unit {
	double size;
	const char *name;
};

/* The one in which figures about as high as value are short. */
const struct scale_unit *scale_unit(double value, bool binary);
/* The place of a value from low to high, 0 … 1 and beyond; NaN where it has none. */
double scale_share(const struct scale *scale, double value);
/* Ascending round values within the scale, about so many at most; returns how many. */
int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS]);
/* A scale from 0 to the next round number above value > 0. */
struct scale scale_from_zero(double value, bool binary);
/* A scale from least to most, 0 < least ≤ most, with a little air on either side. */
struct scale scale_log(double least, double most, bool binary);
