/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_VIEW_DETAILS_H
#define TUIBENCH_VIEW_DETAILS_H

#include "draw/canvas.h"
#include "model/model.h"
#include "view_rows.h"

/* What is known of the selected row: a worker, a branch with all below it, or several workers. */
struct details_of {
	const struct model *model;
	const struct model_run *run;
	struct rows_many *many;	      /* kept for what many workers have in common */
	const struct tree_rows *tree; /* with row; else: */
	const struct tree_row *row;
	const struct rows_order *order; /* n workers from the position first on */
	uint32_t first, n;
};

/* In a box of its own, one under the other; brief: without a box, in columns. */
void view_details_draw(struct canvas *canvas, struct rect rect, const struct details_of *of,
		       bool brief);

#endif
