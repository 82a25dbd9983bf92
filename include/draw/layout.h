/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "draw/canvas.h"

/*
 * Computes rectangles for a screen size, without drawing and without the model. A rectangle without
 * height or width is not shown. All other rectangles lie inside the given area. None of them
 * overlap, except a box and its inside.
 */

enum {
	LAYOUT_LEAST_W = 40,
	LAYOUT_LEAST_H = 12,
	LAYOUT_COLUMN_W = 36,
	LAYOUT_COLUMNS = 8,
	LAYOUT_TWO_W = 60
};

/* The whole screen. */
struct layout_frame {
	/* The screen is too small: show only `top_line`, which asks the user to enlarge it. */
	bool ask;
	struct rect top_line, body, keys;
	struct rect sentence;	 /* The answer, below the top line. */
	struct rect pairs, hint; /* Plot of pairs of trials, and hint; both above the keys. */
};

struct layout_wish {
	/*
	 * The view is the Overview or the large medians: there may be pairs, and the hint has two
	 * lines if there are 30 rows or more.
	 */
	bool main;
	const char *sentence; /* The answer, to be wrapped into at most three lines; "": none. */
	int lines;	      /* Least number of lines for the sentence. */
	bool pairs;	      /* There is a comparison to plot. */
	bool bare;	      /* There is no hint below the body. */
};

struct layout_frame layout_frame(int width, int height, const struct layout_wish *wish);

/*
 * The ways to divide the machine's CPUs into parts, the one with the smallest parts first. The last
 * one, CUT_NONE, has a single part.
 */
enum layout_cut { CUT_NODES, CUT_PACKAGES, CUT_KINDS, CUT_NONE, CUTS };

/* The machine's CPUs. */
struct layout_cpus {
	int n, threads; /* n: number of CPUs. threads: largest number of CPUs that a core has. */
	int parts[CUTS];
	int most[CUTS]; /* Number of cores in the largest part. */
};

/*
 * The load of the CPUs. Each CPU has a graph, if all graphs fit. Otherwise each part has a strip,
 * with the current load of its CPUs beside the history of the part.
 */
struct layout_cores {
	struct rect box; /* Not shown if h is 0. */
	struct rect inner;
	bool strips;
	int columns, rows; /* number of graphs or strips */
	int w, h;	   /* size of one graph or strip, without the gap */
	/* For strips: the enum layout_cut by which the CPUs are divided into parts. */
	int cut;
	int name_w; /* For strips: width of a part's name. */
	int line_w; /* For strips: number of cells in a line of CPUs. */
};

struct layout_overview {
	struct layout_cores cores;
	int n_columns;
	int first; /* Number of the case in the first column. */
	struct rect columns[LAYOUT_COLUMNS];
};

/* Lays out the columns. Lowers `first` if columns would otherwise be empty. */
struct layout_overview layout_overview(struct rect body, int n_cases, int first,
				       const struct layout_cpus *cpus);

/*
 * The race: the models one below the other at full width, each with the lanes of its workers and of
 * the cores. The bars of medians are above all models, the marks of runs below them.
 */
struct layout_race {
	/*
	 * A title, and a bar for each of `compared` models. If there is no room for a title, only
	 * the bars. If there is no room for the bars either, `figures` is used instead.
	 */
	struct rect bars;
	int bar;	     /* Lines of each bar. */
	struct rect figures; /* The medians in one line. */
	struct rect runs;    /* A line for each of `compared` models. */
	int n;		     /* Number of models whose lanes are shown. */
	/*
	 * Number of models in bars, figures and runs, at most 4. It may differ from n in either
	 * direction.
	 */
	int compared;
	struct layout_racer {
		/* alive is below the bands of a tree. */
		struct rect title, rows, alive, axis, cores;
	} models[LAYOUT_COLUMNS];
	/* There are no lanes of cores, so the title shows the load of the cores. */
	bool cores_in_title;
	int left, right; /* Margins beside the lanes, for names and figures. */
};

struct layout_race_need {
	int models;
	/* Rows of each model's lanes, from the first model shown on. */
	int rows[LAYOUT_COLUMNS];
	int cores; /* Number of lanes for cores; 0: no core is known. */
	int metrics, name_w;
	/*
	 * The line of figures has precedence over other rows, because the answer does not contain
	 * its figures.
	 */
	bool figures;
	/* All models must be seen at once, as after a fault, so they share one axis. */
	bool together;
	/* The rows are bands of any height, which fill all remaining lines. */
	bool bands;
	/*
	 * The models are programs of at most two tasks. They have one axis below the last one, and
	 * as many lines each, whatever tasks they turn out to have: their lanes, and then the cores
	 * or an only task's memory.
	 */
	bool programs;
	/* Each program has an only task. Its lane, states and memory come before the cores. */
	bool single;
};

struct layout_race layout_race(struct rect body, const struct layout_race_need *need);

/* The column of one model. */
struct layout_column {
	struct rect axis, alive, rows, memory, kernel, totals;
	int left, right; /* margins of the plots for labels and figures */
};

struct layout_need {
	int workers;
	bool many;   /* There are many workers, so the number alive is plotted. */
	bool kernel; /* There is a second plot of memory. */
};

struct layout_column layout_column(struct rect box, const struct layout_need *need);

/*
 * Lays out the panels of the Memory view. Sets as many of n rectangles as fit, but at least the
 * first row of them. Returns the number that it has set.
 */
int layout_grid(struct rect body, int n, struct rect *out);

/*
 * Rectangles of views that show many workers, computed without drawing. A rectangle without height
 * or width is not shown.
 */

/* The column of one tree in the Overview, from top to bottom. */
struct layout_tree {
	struct rect reason, counts, bands, axis, rows, times, memory;
	int left, right; /* margins of the plots, for names and figures */
};

struct layout_tree_need {
	long rows;
	int name_w; /* width of the longest name */
	int levels; /* Number of levels; each has a band. */
	bool reason;
};

struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need);

/* The Timeline: plots and rows. The selected worker's details are to the right or below. */
struct layout_timeline {
	struct rect box, alive, axis, rows, details;
	bool below; /* The details are below the rows, without a box. */
	int left, right;
};

struct layout_timeline_need {
	int name_w, alive; /* alive: largest number of lines for the plot of the workers alive. */
	long rows;
	bool beside;   /* Other models are shown too. */
	bool top;      /* This is the first model shown, which keeps its axis if there is room. */
	bool selected; /* The details of the model's selected worker are shown. */
};

struct layout_timeline layout_timeline(struct rect body, const struct layout_timeline_need *need);
