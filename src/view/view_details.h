/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_rows.h"

/*
 * Draws the details of a list's selected row: a worker, a branch, or several workers. They stand in
 * a box, one under the other; brief: without a box, in columns.
 */
void view_details_draw(const struct view_list *list, struct rect rect, bool brief);
