/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_rows.h"

/*
 * What is known of a list's selected row: a worker, a branch with all below it, or several workers.
 * In a box of its own, one under the other; brief: without a box, in columns.
 */
void view_details_draw(const struct view_list *list, struct rect rect, bool brief);
