/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/plot.h"
#include "core/sample.h"
#include "density.h"
#include "model/model.h"

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

/* The colour of who does that work; of many, also of work that has no colour of its own. */
uint8_t view_bar_colour(uint8_t work);
uint8_t view_bar_colour_of_many(uint8_t work);
/*
 * ╌ created, ┄ at the gate, ━ cpu ═ io ╍ fp ┅ mem ┉ write ─ other work, or when it was on a core
 * (view_lanes.h), ┈ finished, ┤ joined, ✗ what went wrong.
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
