/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_rows.h"

/*
 * A lane for each core along a list's axis: ▐name who of the run was on it, ▁ … ▇ for the share of
 * a cell where many were, ░ others, · nobody of the run.
 */

/* How many cores there are to show; 0: of no slice a core is known. */
int view_core_lanes_count(const struct view_list *list);
/*
 * Draws the lanes from the first on into rect, as many as fit, below a line that names them. What
 * the list has selected is bright.
 */
void view_core_lanes_draw(const struct view_list *list, struct rect rect, int first);
