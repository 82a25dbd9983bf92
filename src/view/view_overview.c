/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "view_tree.h"

/* Rows are moved in a column that is seen. */
static void overview_choose(struct view_state *state, uint32_t first, uint32_t n)
{
	if (state->chosen < first)
		state->chosen = first;
	if (state->chosen >= first + n)
		state->chosen = first + n - 1;
}

static void overview_draw(struct canvas *canvas, struct rect rect, const struct model *model,
			  struct view_state *state)
{
	struct layout_overview layout =
		layout_overview(rect, (int)model->n_cases, state->column, view_cores_count(model));
	int scroll = 0;

	state->trees = false;
	state->column = layout.first;
	state->most_column = (int)model->n_cases - layout.n_columns;
	if (layout.n_columns > 0)
		overview_choose(state, (uint32_t)layout.first, (uint32_t)layout.n_columns);
	view_cores_draw(canvas, &layout.cores, model);
	for (int i = 0; i < layout.n_columns; i++) {
		uint32_t icase = (uint32_t)(layout.first + i);
		bool tree = view_tree_fits(model, icase) && view_rows_get(state, model);
		int most = 0;

		state->trees |= tree;
		state->folds = state->trees;
		if (tree)
			view_tree_draw(canvas, layout.columns[i], model, state, icase);
		else
			most = view_column_draw(canvas, layout.columns[i], model, state, icase);
		scroll = most > scroll ? most : scroll;
	}
	view_scroll_clamp(state, scroll, 0);
}

static bool overview_key(struct view_state *state, const struct model *model, int key)
{
	if (view_tree_key(state, model, key))
		return true;
	if (key == KEY_LEFT_ARROW && state->column > 0)
		state->column--;
	else if (key == KEY_RIGHT_ARROW)
		state->column++;
	else
		return view_scroll(&state->scroll, key);
	return true;
}

const struct view_ops view_overview = {
	.name = "Overview",
	.draw = overview_draw,
	.key = overview_key,
};
