/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

/* Plots over time, drawn with braille and block glyphs, and their axes. */

/* A time span across columns. to_ns must be above from_ns. */
struct plot_axis {
	int64_t from_ns, to_ns;
	int x, w;
	/*
	 * A time span that is cut out of the axis: later times are drawn as if it had not passed.
	 * Both are 0 if nothing is cut out. Labels may only be drawn on an axis without a cut.
	 */
	int64_t cut_from_ns, cut_to_ns;
};

/*
 * Maps a time to the axis: subtracts the cut from later times. A time in the cut becomes its
 * beginning. from_ns and to_ns of an axis are mapped already.
 */
int64_t plot_without_cut(const struct plot_axis *axis, int64_t time_ns);
/* The inverse of plot_without_cut(). */
int64_t plot_with_cut(const struct plot_axis *axis, int64_t time_ns);
/*
 * The column of a time, including a fraction. It may lie outside the axis, but within ±1,000,000.
 */
double plot_column(const struct plot_axis *axis, int64_t time_ns);
/*
 * The number of the axis's cell that contains a time, from 0. For a time before the axis -1, after
 * it the axis's width.
 */
int plot_cell(const struct plot_axis *axis, int64_t time_ns);
/* The time at which a column begins, truncated to 1 ns. The axis must have columns. */
int64_t plot_time(const struct plot_axis *axis, int column);
/* Rounds a value > 0 up to a number with at most two digits, by at most a sixth, to end a scale. */
double plot_nice(double value);
/* Like plot_nice(), from a series of fewer numbers, each at most 30 % above the one before. */
double plot_coarse(double value);
/* Like plot_nice(), for KiB, in powers of two and half steps: 4, 6, 8, 12, 16 … KiB. */
int64_t plot_nice_kib(int64_t kib);
/*
 * The smallest step, 1, 2 or 5 times a power of ten, that divides span into at most `ticks` parts.
 */
double plot_step(double span, int ticks);
/* Like plot_step(), also with steps of 3, for scales whose end is a multiple of the step. */
double scale_step(double span, int ticks);
/* Draws labels along the axis in row y. The unit follows the last label. */
void plot_time_labels(struct canvas *canvas, const struct plot_axis *axis, int y,
		      struct style style);
/*
 * Like plot_time_labels(), but draws the label or unit at column `mark` (-1: none) bright. Returns
 * whether there is one at that column.
 */
bool plot_time_labels_marked(struct canvas *canvas, const struct plot_axis *axis, int y,
			     struct style style, int mark, struct style bright);
/*
 * Draws dots in h rows at the axis's ticks. Call it first, so that later drawing covers the dots.
 */
void plot_grid(struct canvas *canvas, const struct plot_axis *axis, int y, int h);

#define PLOT_DOTS 1024 /* Largest number of values across a plot; each cell has two. */

/*
 * The height of a value on a scale from 0 to top, as a number of parts from 0 to `parts`. At least
 * 1 for a value above 0. 0 for NaN, or if top is not above 0.
 */
int plot_height(double y, double top, int parts);
/*
 * plot_area(), plot_halves() and plot_line() draw y[2 * rect.w], at most PLOT_DOTS values, on a
 * scale from 0 to top; NaN is a gap. An area is filled down to 0, in eighths of a cell, and a cell
 * shows the larger of its two values. A line of braille is two dots thick and connects its values.
 * A cell that two lines share has the dots of both; the colours of such cells alternate.
 */
void plot_area(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
/*
 * Like plot_area(), with a bar for each of the two values of a column. If they differ, the bars end
 * at half a cell, because a cell has no finer glyph for two heights.
 */
void plot_halves(struct canvas *canvas, struct rect rect, const double *y, double top,
		 struct style style);
void plot_line(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
/* Draws a vertical line of braille at dot column x, one dot wide, from low to high. */
void plot_range(struct canvas *canvas, struct rect rect, int x, double low, double high, double top,
		struct style style);
/* The canvas row in which plot_line() shows the value; -1: none. */
int plot_line_row(struct rect rect, double y, double top);

struct plot_part {
	double share;	/* The part's share of the column's full height. */
	uint32_t glyph; /* Glyph of a cell that the part fills completely. */
	uint8_t colour;
};

/*
 * Stacks at most 8 parts in column x of rect, in eighths of a cell. A cell shows at most two
 * colours.
 */
void plot_stack(struct canvas *canvas, struct rect rect, int x, const struct plot_part *parts,
		int n);
/*
 * A block glyph for a share: ▁ … █ above 0, █ also above 1, a blank for 0 and below, '?' for NaN.
 */
uint32_t plot_eighth(double share);

enum { PLOT_EIGHTHS = 8, PLOT_WORKERS = 8 };

/* The colour of a worker, by its number from 0. The eight colours repeat. */
uint8_t plot_worker_colour(uint32_t worker);
/*
 * Makes a cell from the colours of its eighths, from the left; COLOUR_DEFAULT: no colour. The cell
 * has at most two colours. The border between them is placed so that most eighths keep their
 * colour. If no eighth has a colour, the cell's glyph is 0; otherwise the cell always shows a
 * colour. ground: background colour of the cell.
 */
struct cell plot_split(const uint8_t eighths[PLOT_EIGHTHS], uint8_t ground);

/*
 * An axis of values, linear or logarithmic, and the positions of its labels. Nothing is drawn here.
 */

enum { SCALE_TICKS = 32 };

struct scale {
	double low, high; /* low must be below high. If log is set, both must be above 0. */
	bool log;
	bool binary; /* Ticks are round numbers in base two instead of ten. */
};

/* A unit and its size: ns for times, KiB for memory. */
struct scale_unit {
	double size;
	const char *name;
};

/* The unit in which values near this one are short texts. */
const struct scale_unit *scale_unit(double value, bool binary);
/*
 * The position of a value: 0 at low, 1 at high, below 0 or above 1 for a value outside. NaN for NaN
 * and, on a logarithmic scale, for values that are not above 0.
 */
double scale_share(const struct scale *scale, double value);
/*
 * Writes ascending round values within the scale to out, at most `most` + 1. Returns their number.
 */
int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS]);
/* A logarithmic scale from least to most (0 < least ≤ most), with a small margin at both ends. */
struct scale scale_log(double least, double most, bool binary);
