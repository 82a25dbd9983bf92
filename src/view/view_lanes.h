/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model_slices.h"
#include "view_bars.h"

/*
 * When workers were on a core: █ on one, ▁ … ▇ for the share of a cell that they were, ░ could run
 * and had none, ║ the same by the run's quota, ┈ waited for something else.
 */

/* The session may have slices: there is room for shares from its first frame on. */
bool view_lanes_wanted(const struct model *model);
/* The room that a share takes beside a name. */
int view_lanes_share_w(const struct model *model);
/* Slices of the bar's worker are known. */
bool view_lane_known(const struct view_bar *bar);
/* Draws from … to of a bar; false where nothing is known of its worker. */
bool view_lane_draw(const struct view_bar *bar, int64_t from_ns, int64_t to_ns,
		    const struct view_ink *work);
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
/* "own clock, 16 µs, 0 lost": where the run's slices come from; "" where none do. Returns buf. */
char *view_lanes_source(const struct model *model, const struct model_run *run, char *buf,
			size_t size);
/* Instead of the view's hint, where bars are lanes. */
extern const char view_lanes_hint[];
/* The same where the run was throttled. */
extern const char view_lanes_hint_throttled[];
