/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "draw/canvas.h"

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
