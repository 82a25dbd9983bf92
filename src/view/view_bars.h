/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/plot.h"
#include "core/sample.h"
#include "model/model.h"
#include "model/model_slices.h"

/*
 * A row of many workers along a time axis: how many of them existed in each cell, and what most of
 * those did. One pass over the workers, whatever the number of cells; nothing is allocated.
 */

enum { DENSITY_CELLS = PLOT_DOTS / 2 };

enum density_state {
	DENSITY_CREATED, /* from the create call to the first instruction */
	DENSITY_RUNNING, /* from the first instruction to the last */
	DENSITY_WAITING, /* from there until it was joined */
	DENSITY_STATES,
	DENSITY_BAD = DENSITY_STATES /* one failed, crashed or was refused here */
};

struct density_cell {
	uint8_t shade; /* 0: none, … 5: nearly all */
	uint8_t state; /* the one that most of them were in, at any time within the cell */
};

/* The figures beside a row of many. */
struct density_sum {
	uint32_t workers, joined, bad;
	int64_t begin_ns, end_ns; /* the first create and the last join of all; -1 */
};

struct density {
	const struct plot_axis *axis;
	int64_t until_ns; /* what is later is not known; in ended runs their end */
	int w;
	struct density_sum sum;
	int32_t exist[DENSITY_CELLS + 1], state[DENSITY_STATES][DENSITY_CELLS + 1];
	bool failed[DENSITY_CELLS];
};

/* The axis is kept; it covers at most DENSITY_CELLS cells. */
void density_begin(struct density *density, const struct plot_axis *axis, int64_t until_ns);
/* n workers in a row, as they will have been in the end: shown is what came by until_ns. */
void density_add(struct density *density, const struct sample_worker *workers, uint32_t n);
/* Cells of the axis, from its left end, as many as it has columns. */
void density_cells(const struct density *density, struct density_cell *cells);

/* One row of the views with a row a worker, or a row for many. */

struct view_bar {
	struct canvas *canvas;
	const struct plot_axis *axis;
	int y;
	int64_t until_ns; /* what goes on ends here */
	uint8_t bg;	  /* COLOUR_PANEL: the selected row */
	bool gated;
	/* Whose it is, for what is known of when it was on a core; run NULL: nothing. */
	const struct model *model;
	const struct model_run *run;
	uint32_t worker;
};

/* What a stretch of a bar is drawn with. */
struct view_ink {
	uint32_t glyph;
	uint8_t colour;
	uint8_t bed; /* the background; COLOUR_DEFAULT: the bar's */
};

/* An ink in a legend. */
struct view_legend {
	struct view_ink ink;
	const char *name;
};

/* Draws "█ on a core   ░ waits" as far as it fits in w. Returns the column after it. */
int view_legend_draw(struct canvas *canvas, int x, int y, int w, const struct view_legend *list,
		     size_t n);
/* The colour of who does that work; of many, also of work that has no colour of its own. */
uint8_t view_bar_colour(uint8_t work);
uint8_t view_bar_colour_of_many(uint8_t work);
/*
 * ╌ created, ┊ at the gate, ━ cpu ═ io ╍ fp ┅ mem ┉ write ─ other work, or its lane (below),
 * ┈ finished, ┤ joined, ✗ what went wrong.
 */
void view_bar_worker(const struct view_bar *bar, const struct sample_worker *worker, uint8_t work);
/*
 * What most of them do: ▁ … ▇ run, by how many there are, ▒ are being created, ▓ have ended and are
 * to be joined. Those who run by their shares of the cores where these are known (view_rows.h);
 * NULL: nowhere.
 */
void view_bar_density(const struct view_bar *bar, const struct density_cell *cells,
		      const uint8_t *shares, int n, uint8_t work);
/*
 * Draws the legend of such rows, as far as it fits; beside lanes, which have inks for who runs, of
 * the rest. Returns the column after it.
 */
int view_bar_legend(struct canvas *canvas, int x, int y, int w, uint8_t work, bool lanes);
bool view_bar_bad(const struct sample_worker *worker);
/* "SIGSEGV", "ENOSPC", "stopped". Returns buf. */
char *view_bar_reason(const struct sample_worker *worker, char *buf, size_t size);

/*
 * When workers were on a core: █ on one, ▁ … ▇ for the share of a cell that they were, ░ could run
 * and had none, ║ the same by the run's quota, ┈ waited for something else.
 */

/* The room that a share takes beside a name. */
int view_lanes_share_w(const struct model *model);
/* The share of its life that the bar's worker was on a core, ending before column x. */
void view_lane_share(const struct view_bar *bar, int x, struct style style);
/* Draws the legend of the run's inks and that work, if it fits. Returns the column after it. */
int view_lanes_legend(struct canvas *canvas, int x, int y, int w, const struct model_run *run,
		      uint8_t work);
/*
 * At the right of a box's lower edge, behind column x, where the lanes come from; without any, what
 * would give them. Nothing where it does not fit.
 */
void view_lanes_edge(struct canvas *canvas, struct rect box, const struct model *model,
		     const struct model_run *run, int x);
