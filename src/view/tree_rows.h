/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan.h"

/*
 * The rows that show a plan's tree, folded and unfolded: pure arithmetic on the plan. What is
 * unfolded is a bit a task; the list of rows is made anew when that changes and not by a frame.
 * Where a task has more children than anyone reads (--tree 5000), they are put into groups of a
 * round number, which fold like branches and are no tasks.
 */

struct tree_row {
	uint32_t first, count; /* siblings, count > 1 in groups only */
	uint8_t level;
	bool group;
	bool open;     /* its tasks or children follow as rows of their own */
	bool foldable; /* there is something to follow */
};

struct tree_rows {
	struct plan plan;
	uint32_t n_tasks;
	uint32_t group[PLAN_MAX_LEVELS]; /* siblings of that level in a group; 0: no groups */
	int group_w;			 /* columns of the longest name of a set's groups; 0 */
	uint64_t *open;			 /* a bit a task, then a bit a group by its first task */
	struct tree_row *rows;
	size_t n_rows, cap_rows;
	size_t selected;     /* < n_rows */
	uint32_t generation; /* of the list: another one after every change */
};

/* Branches folded; a tree of a few tasks all open. 0 or -ENOMEM. */
int tree_rows_init(struct tree_rows *tree, const struct plan *plan);
void tree_rows_free(struct tree_rows *tree);
/* Moves the selection, as far as there are rows. */
void tree_rows_move(struct tree_rows *tree, long by);
/*
 * Folds or unfolds the selected row; a row with nothing below it folds what it is part of. What is
 * selected stays in sight. 0 or -ENOMEM, and then nothing has changed.
 */
int tree_rows_toggle(struct tree_rows *tree);
/* Unfolds everything; folds everything where nothing is folded. 0 or -ENOMEM. */
int tree_rows_toggle_all(struct tree_rows *tree);
/* Selects the task, and unfolds all that hides it. 0 or -ENOMEM. */
int tree_rows_show(struct tree_rows *tree, uint32_t task);
/* Selects the row of the task, or the one it is folded into. */
void tree_rows_select(struct tree_rows *tree, uint32_t task);
/* "▸4.2", "▾4.2", " 4.2.81", "▸1–100". Returns buf. */
char *tree_rows_name(const struct tree_rows *tree, const struct tree_row *row, char *buf,
		     size_t size);
/*
 * The tasks of a row with all their descendants, level by level: those of row->level are
 * first … first + count - 1 of level[0], and so on. Returns the number of levels.
 */
struct tree_span {
	uint32_t first, count;
};
uint32_t tree_rows_spans(const struct tree_rows *tree, const struct tree_row *row,
			 struct tree_span spans[PLAN_MAX_LEVELS]);
