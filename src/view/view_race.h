/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_cache.h"

/* What the parts of the race share: lanes, figures and runs of one frame. */
struct race {
	const struct view_frame *frame;
	struct canvas *canvas;
	const struct model *model;
	uint32_t first;	   /* The first case whose lanes are shown. */
	uint32_t compared; /* The first case in bars, figures and runs. */
	struct layout_race layout;
	/* All lanes of the frame are drawn by shares. See view_lane_is_dense(). */
	bool dense;
	bool bands;  /* The models' runs are drawn as bands of a tree's levels. */
	bool leaves; /* Open branches have no rows. */
	bool faults; /* The workers that survived a fault are counted. */
	bool single; /* Each model is a program that has a single task. */
	/* Axis of the lanes. It has the same column and width for all models. */
	struct plot_axis axis;
	int name_w; /* Width of the widest name in the titles. */
};

/*
 * Writes a value of memory in MiB, "0.95 MiB", if the greatest value of its row is at least half a
 * MiB. All values of the row then have this unit, and keep it while they grow. Returns text.
 */
const char *view_memory_alike(enum model_metric of, const char *mark, double kib, double greatest,
			      char text[48]);
/*
 * Draws a pair of bars for each headline metric. Draws nothing if the layout has no room for them.
 */
void view_race_draw_bars(const struct race *race);
/* Draws the figures of the bars in one line, if the layout has no bars. */
void view_race_draw_figures(const struct race *race);
/* Draws a mark for each run of the compared cases. Each case has a row. */
void view_race_draw_runs(const struct race *race);
