/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"
#include "view_rows.h"

/* The rows shown of a run's workers, a row each or a density for many. */

/* A case's list: its newest run and all rows of its tree; where they stand is for the caller. */
struct view_list view_list_of(const struct view_frame *frame, uint32_t case_id);
/* Draws the list once the run has begun, while its workers are kept. */
void view_list_draw(const struct view_list *list);
/* Moves the first row so that the selected one is shown. */
long view_list_top(long first, long selected, long n, int h);
/* The reason why a case has no rows: it has not begun, or its workers were dropped. */
const char *view_list_waits(const struct view_state *state, const struct model_run *run);
/* The rows by which a key moves; false for another key. */
bool view_list_key(int key, long *by);
/* The most frequent work of the leaves: what a density's running workers do. */
uint8_t view_list_work(const struct plan *plan);
/* The length of the names of a plan's workers, with the mark of what folds. */
int view_list_name_w(const struct tree_rows *tree);
