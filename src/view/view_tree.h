/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"
#include "view_rows.h"

/* The parts of a tree that the Overview and the Timeline show. */

/* The case suits a tree: it has levels, or too many tasks for a row each to say much. */
bool view_tree_fits(const struct model *model, uint32_t case_id);
/* A case's column, where view_has_rows(). */
void view_tree_draw(const struct view_frame *frame, struct rect box, uint32_t case_id);
/* Moving among the rows, folding; true if the key was used. */
bool view_tree_act(struct view_state *state, const struct view_input *input, enum keys_act act,
		   int key);
/*
 * Whether what one sees is all of the tree alive, or workers that end at once; "" where no case is
 * a tree. Returns buf.
 */
char *view_tree_hint(const struct model *model, char *buf, size_t size);

/* How many are alive over time, level upon level; rect with the margin for the scale's end. */
void view_tree_alive(const struct view_list *list, struct rect rect, double top);
