/* SPDX-License-Identifier: MIT */
#include "view_folds.h"

#include <stdlib.h>
#include <string.h>

static bool same_shape(const struct plan *a, const struct plan *b)
{
	return a->levels == b->levels && a->gated == b->gated &&
	       memcmp(a->fanout, b->fanout, a->levels * sizeof(*a->fanout)) == 0 &&
	       memcmp(a->leaves, b->leaves, sizeof(a->leaves)) == 0;
}

static uint32_t first_alike(const struct model *model, uint32_t case_id)
{
	uint32_t i = 0;

	while (!same_shape(&model->cases[i].plan, &model->cases[case_id].plan))
		i++;
	return i;
}

struct view_folds *view_folds_make(const struct model *model)
{
	struct view_folds *folds =
		calloc(1, sizeof(*folds) + model->n_cases * sizeof(folds->cases[0]));

	for (uint32_t i = 0; folds && i < model->n_cases; i++) {
		struct view_fold *one = &folds->cases[i];

		folds->n_cases = i + 1;
		one->alike = first_alike(model, i);
		if (one->alike == i && tree_rows_init(&one->tree, &model->cases[i].plan) != 0) {
			view_folds_free(folds);
			return NULL;
		}
	}
	return folds;
}

void view_folds_free(struct view_folds *folds)
{
	for (uint32_t i = 0; folds && i < folds->n_cases; i++)
		tree_rows_free(&folds->cases[i].tree);
	free(folds);
}

struct tree_rows *view_folds_tree(struct view_folds *folds, uint32_t case_id)
{
	return &folds->cases[folds->cases[case_id].alike].tree;
}
