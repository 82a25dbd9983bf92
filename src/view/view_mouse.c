/* SPDX-License-Identifier: MIT */
#include "view_cache.h"

/* Where the mouse points: labels, rows and panels, as the last frame has drawn them. */

double view_clock_at(const struct view_shown *shown, int x, int y)
{
	const struct rect *clock = &shown->clock;

	return rect_has(clock, x, y) ? (double)(x - clock->x) / (clock->w > 1 ? clock->w - 1 : 1)
				     : -1;
}

void view_zone_add(struct view_shown *shown, struct rect rect, int key, uint32_t case_id)
{
	if (shown->n_zones < VIEW_ZONES)
		shown->zones[shown->n_zones++] = (struct view_zone) {rect, key, case_id, METRICS};
}

void view_zone_case(struct view_shown *shown, struct rect rect, uint32_t case_id)
{
	view_zone_add(shown, rect, '2', case_id);
}

void view_zone_memory(struct view_shown *shown, struct rect rect, enum model_metric memory)
{
	if (shown->n_zones < VIEW_ZONES)
		shown->zones[shown->n_zones++] = (struct view_zone) {rect, 0, UINT32_MAX, memory};
}

void view_zone_rows(struct view_shown *shown, const struct view_list_spot *spot)
{
	if (shown->n_lists < VIEW_LISTS)
		shown->lists[shown->n_lists++] = *spot;
}

/* Whether the row is selected already; else it is now. */
static bool list_row_select(struct view *view, const struct view_list_spot *spot, long row)
{
	struct view_fold *fold = &view->state.folds->cases[spot->case_id];
	struct tree_rows *tree = view_folds_tree(view->state.folds, spot->case_id);
	const struct rows_order *order = &view->cache->rows->cases[spot->case_id].order;
	bool was = view->state.chosen == spot->case_id;

	view->state.picked = true;
	view->state.chosen = spot->case_id;
	if (spot->tasks) {
		const struct task_rows *rows = &view->cache->rows->cases[spot->case_id].tasks;

		was = was && view_task_selected(rows, &fold->tasks) == row;
		if ((size_t)row < rows->n)
			view_task_select(&fold->tasks, &rows->rows[row]);
	} else if (!spot->per_row) {
		was = was && (long)tree->selected == row;
		tree->selected = (size_t)row < tree->n_rows ? (size_t)row : tree->selected;
	} else if ((uint64_t)row * spot->per_row < order->n) {
		was = was && fold->worker == order->worker[(size_t)row * spot->per_row];
		fold->worker = order->worker[(size_t)row * spot->per_row];
	}
	return was;
}

/* Over the help there is nothing else: a press closes it. */
int view_mouse(struct view *view, int key, int x, int y)
{
	const struct view_shown *shown = &view->shown;
	int label = key == KEY_MOUSE_PRESS ? keys_label_at(&shown->labels, x, y) : 0;
	int arrow = key == KEY_WHEEL_UP ? KEY_UP_ARROW : KEY_DOWN_ARROW;

	if (label || view->state.typing)
		return label;
	if (view->state.help)
		return key == KEY_MOUSE_PRESS ? KEY_ESCAPE : arrow;
	for (int i = 0; i < shown->n_lists && view->state.folds && view->cache->rows; i++) {
		const struct view_list_spot *spot = &shown->lists[i];
		long row = spot->first + (y - spot->rect.y) / spot->pitch;

		if (!rect_has(&spot->rect, x, y))
			continue;
		/* A second press on a row is Enter, which folds. */
		if (key == KEY_MOUSE_PRESS)
			return list_row_select(view, spot, row) ? KEY_ENTER_KEY : 0;
		view->state.picked = true;
		view->state.chosen = spot->case_id;
		return arrow;
	}
	if (key != KEY_MOUSE_PRESS)
		return arrow;
	for (int i = 0; i < shown->n_zones; i++) {
		const struct view_zone *zone = &shown->zones[i];

		if (!rect_has(&zone->rect, x, y))
			continue;
		view->state.picked |= zone->case_id != UINT32_MAX;
		if (zone->case_id != UINT32_MAX)
			view->state.chosen = zone->case_id;
		if (zone->memory != METRICS)
			view->state.memory = zone->memory;
		return zone->key;
	}
	return 0;
}
