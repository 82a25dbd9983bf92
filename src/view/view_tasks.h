/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_rows.h"

/*
 * The Timeline's rows of a run of commands: each process with its threads and children below it.
 * Siblings of one kind and name follow one another, and are one row where they are many.
 */

/* The rows of a case as of the cursor, where its run has tasks; n_rows 0: it has none by now. */
const struct task_rows *view_task_rows(const struct view_list *list,
				       const struct task_folds *folds);
/* The place of the selected row, or of the one that it is folded into. */
long view_task_selected(const struct task_rows *rows, const struct task_folds *folds);
void view_task_select(struct task_folds *folds, const struct task_row *row);
/* Folds or unfolds the selected row, else the one above that holds it; or all of them. */
void view_task_fold(struct task_folds *folds, const struct task_rows *rows, bool all);
/* The width of their names, as far as they are shown. */
int view_task_names_w(const struct view_list *list, const struct task_rows *rows);
/* "▾sort", " ·worker": what folds has a mark, a thread a dot. Returns buf. */
char *view_task_name(const struct model_run *run, const struct task_row *row, char *buf,
		     size_t size);
/* Draws the rows from list->first on. */
void view_tasks_draw(const struct view_list *list, const struct task_rows *rows);
