/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "draw/canvas.h"

/*
 * Rectangles for a size: pure, no drawing, no model. A rectangle with no height or no width is not
 * shown. Whatever is shown lies inside what it was cut from and overlaps nothing else of it.
 */

enum { LAYOUT_LEAST_W = 40, LAYOUT_LEAST_H = 12, LAYOUT_COLUMN_W = 36, LAYOUT_COLUMNS = 8 };

/* The screen. */
struct layout_frame {
	bool ask; /* too small: only `top_line` is there, to ask for more room */
	struct rect top_line, body, verdict, keys;
	bool boxed;			   /* verdict has a box around it */
	struct rect sentence, pairs, hint; /* within verdict */
};

struct layout_wish {
	bool main;	      /* the Overview, where the verdict has a panel of its own */
	const char *sentence; /* wrapped, in at most three lines; "": none */
	bool pairs;	      /* a comparison can be plotted */
	bool bare;	      /* no hint below it */
};

struct layout_frame layout_frame(int width, int height, const struct layout_wish *wish);

/* The machine's CPUs, and the ways to cut them into parts: the finest first, the last is one. */
enum { LAYOUT_CUTS = 4 };

struct layout_cpus {
	int n, threads; /* CPUs; the most that a core has */
	int parts[LAYOUT_CUTS];
	int most[LAYOUT_CUTS]; /* cores of the largest part */
};

/*
 * The load of the CPUs: a graph each, or of many a strip for each part, which has the CPUs as they
 * are now beside its history.
 */
struct layout_cores {
	struct rect box;   /* with no h: not shown */
	struct rect inner; /* what is inside, the box's padding taken off */
	bool strips;
	int columns, rows; /* of graphs or strips */
	int w, h;	   /* of one, the gap not counted */
	int cut;	   /* strips: one for each part of that one */
	int name_w;	   /* strips: of a part's name */
	int line_w;	   /* strips: cells for the CPUs in a line */
};

struct layout_overview {
	struct layout_cores cores;
	int n_columns;
	int first; /* case in columns[0] */
	struct rect columns[LAYOUT_COLUMNS];
};

/* first is taken as far as it fits. */
struct layout_overview layout_overview(struct rect body, int n_cases, int first,
				       const struct layout_cpus *cpus);

/* One model's column. */
struct layout_column {
	struct rect axis, alive, rows, memory, kernel, totals;
	int left, right; /* margins of the plots for labels and figures */
};

struct layout_need {
	int workers;
	bool many;   /* so many that how many are alive is plotted */
	bool kernel; /* a second plot of memory */
};

struct layout_column layout_column(struct rect box, const struct layout_need *need);

/* The plots of the Memory view: as many of n as fit, from the first on. */
int layout_grid(struct rect body, int n, struct rect *out);

/* Rectangles of the views of many workers: pure. One without height or width is not shown. */

/* One tree's column of the Overview, top down. */
struct layout_tree {
	struct rect reason, counts, bands, axis, rows, times, memory;
	int left, right; /* margins of the plots for names and figures */
};

struct layout_tree_need {
	long rows;
	int name_w; /* of the longest name */
	int levels; /* a band each */
	bool reason;
};

struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need);

/* The Timeline: plots and rows, and at the right or below them what is known of the selected. */
struct layout_timeline {
	struct rect box, alive, axis, rows, details;
	bool below; /* side is below, without a box */
	int left, right;
};

/* Room that the rows do not need goes to the plot. */
struct layout_timeline layout_timeline(struct rect body, int name_w, long rows);
