/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_rows.h"

/*
 * A tree as a band for each of its levels, along the list's axis: its height is all tasks of the
 * level. What was created stands from below, running under what has ended and is to be joined; what
 * is not yet created hangs from above. So a band fills and drains.
 */

/* The bands, one below the other; the uppermost levels share one where rect is too low for all. */
void view_bands_draw(const struct view_list *list, struct rect rect);
/* What the inks mean, as far as it fits in w. Returns the next column. */
int view_bands_legend(struct canvas *canvas, int x, int y, int w);
/* The width of the bands' names. */
int view_bands_name_w(const struct plan *plan);
