/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"
#include "tree_rows.h"

/* The unfolded parts of each case's tree, and its selected row: only keys change them. */

struct view_fold {
	uint32_t alike;	       /* the first case of the same shape: it holds the tree */
	struct tree_rows tree; /* shared, so that the columns' rows stay side by side */
	uint32_t worker;       /* selected where workers stand in another order */
};

struct view_folds {
	uint32_t n_cases;
	struct view_fold cases[];
};

/* Makes the folds of the model's cases; NULL without memory. */
struct view_folds *view_folds_make(const struct model *model);
void view_folds_free(struct view_folds *folds);
/* The tree that the case shows. */
struct tree_rows *view_folds_tree(struct view_folds *folds, uint32_t case_id);
