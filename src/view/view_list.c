/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <sys/param.h>

#include "base/units.h"
#include "view_cache.h"

enum { PAGE = 10, NAMED = 64, PITCH_MOST = 5 };

static const struct plan *list_plan(const struct view_list *list)
{
	return &list->model->cases[list->run->id.case_id].plan;
}

struct view_list view_list_of(const struct view_frame *frame, uint32_t case_id)
{
	const struct tree_rows *tree = view_folds_tree(frame->state->folds, case_id);

	return (struct view_list) {.canvas = frame->canvas,
				   .shown = frame->shown,
				   .model = frame->model,
				   .run = model_latest(frame->model, case_id),
				   .rows = frame->cache->rows,
				   .one = &frame->cache->rows->cases[case_id],
				   .tree = tree,
				   .n = (long)tree->n_rows,
				   .selected = (long)tree->selected};
}

struct view_cursor view_cursor_of(struct view_folds *folds, struct view_rows *rows,
				  uint32_t case_id, uint32_t per_row, bool tasks)
{
	return (struct view_cursor) {.fold = &folds->cases[case_id],
				     .tree = view_folds_tree(folds, case_id),
				     .order = &rows->cases[case_id].order,
				     .per_row = per_row,
				     .tasks = tasks ? &rows->cases[case_id].tasks : NULL};
}

long view_cursor_place(const struct view_cursor *cursor)
{
	return cursor->tasks	 ? view_task_selected(cursor->tasks, &cursor->fold->tasks)
	       : cursor->per_row ? (long)view_rows_position(cursor->order, cursor->fold->worker)
				 : (long)cursor->tree->selected;
}

void view_cursor_put(const struct view_cursor *cursor, int64_t place)
{
	size_t n = cursor->tasks     ? cursor->tasks->n
		   : cursor->per_row ? cursor->order->n
				     : cursor->tree->n_rows;

	place = MAX(0, MIN(place, (int64_t)n - 1));
	if (cursor->tasks)
		view_task_select(&cursor->fold->tasks, &cursor->tasks->rows[place]);
	else if (cursor->per_row)
		cursor->fold->worker = cursor->order->worker[place];
	else
		cursor->tree->selected = (size_t)place;
}

void view_cursor_move(const struct view_cursor *cursor, long by)
{
	view_cursor_put(cursor, view_cursor_place(cursor) + (int64_t)by * MAX(1, cursor->per_row));
}

int view_list_name_w(const struct tree_rows *tree)
{
	int w, most = 0;
	char name[96];

	if (tree->group_w)
		return tree->group_w;

	plan_name(&tree->plan, tree->n_tasks - 1, name, sizeof(name));
	w = 1 + utf8_columns(name);
	for (uint32_t i = 0; i < tree->n_tasks && tree->n_tasks <= NAMED; i++)
		w = MAX(w, 1 + utf8_columns(plan_name(&tree->plan, i, name, sizeof(name))));
	for (uint32_t level = 0; level < tree->plan.levels; level++)
		if (tree->group[level])
			most = snprintf(name, sizeof(name), "-%u", tree->plan.fanout[level]);
	return w + most;
}

int view_list_shown(long n, int h)
{
	return n <= h ? (int)n : h > 1 ? h - 1 : h;
}

long view_list_top(long first, long selected, long n, int h)
{
	long shown = view_list_shown(n, h);

	first = MAX(MIN(first, selected), selected - shown + 1);
	return MAX(0, MIN(first, n - shown));
}

const char *view_list_waits(const struct view_state *state, const struct model_run *run)
{
	if (run)
		return "no longer kept: the recording has it";
	return state->hold ? "waits for Space" : "waits for its turn";
}

bool view_list_key(int key, long *by)
{
	static const struct {
		int key;
		long by;
	} keys[] = {{KEY_UP_ARROW, -1},	   {KEY_DOWN_ARROW, 1},	       {KEY_PAGE_UP, -PAGE},
		    {KEY_PAGE_DOWN, PAGE}, {KEY_HOME_KEY, -INT32_MAX}, {KEY_END_KEY, INT32_MAX}};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].key == key) {
			*by = keys[i].by;
			return true;
		}
	return false;
}

/*
 * The mark stays. The end of a long place in a tree says more than its beginning; a word is kept,
 * since it is the kind of work. Shares stand beside single workers alone.
 */
static void list_draw_name(const struct view_list *list, int y, const char *text, bool many,
			   struct style style)
{
	int w = list->axis.x - list->rect.x - 1 - (many ? 0 : view_lanes_share_w(list->model));
	int over = utf8_columns(text) - w;
	int x = canvas_text(list->canvas, list->rect.x, y, 1, style, text);

	text += *text == ' ' ? 1 : 3; /* a blank, or a mark of three bytes */
	if (over > 0 && isalpha((unsigned char)*text)) {
		x = canvas_text(list->canvas, x, y, w - 2, style, text);
		canvas_put(list->canvas, x, y, 0x2026, style);
		return;
	}
	if (over > 0) {
		canvas_put(list->canvas, x++, y, 0x2026, style);
		text += over + 1;
	}
	canvas_text(list->canvas, x, y, list->rect.x + w - x, style, text);
}

static void list_draw_figure(const struct view_list *list, int y, int64_t ns, struct style style)
{
	canvas_right(list->canvas, list->axis.x + list->axis.w + list->right, y, style,
		     UNITS_TIME(ns, false));
}

uint8_t view_list_work(const struct plan *plan)
{
	uint8_t work = WORK_NULL;

	for (uint8_t kind = WORK_NULL + 1; kind < WORK_KINDS; kind++)
		if (plan->leaves[kind] > plan->leaves[work])
			work = kind;
	return work;
}

static void list_draw_density(const struct view_list *list, const struct view_bar *bar,
			      const struct rows_densities *densities,
			      const struct rows_shares *shares, int i)
{
	size_t w = (size_t)densities->key.w;
	const struct density_sum *sum = &densities->sums[i];
	bool over = sum->joined == sum->workers ||
		    (model_ended(list->model, list->run) && sum->end_ns >= 0);
	struct style style = {.bg = bar->bg};

	view_bar_density(bar, densities->cells + (size_t)i * w, densities->most,
			 shares && shares->key.w == densities->key.w ? shares->cells + (size_t)i * w
								     : NULL,
			 densities->key.w, view_list_work(list_plan(list)));
	style.fg = sum->bad ? COLOUR_BAD : over ? COLOUR_DEFAULT : COLOUR_DIM;
	if (sum->begin_ns >= 0)
		list_draw_figure(list, bar->y, (over ? sum->end_ns : bar->until_ns) - sum->begin_ns,
				 style);
}

static void list_draw_worker(const struct view_list *list, struct view_bar *bar, uint32_t index)
{
	struct sample_worker worker = model_worker(list->model, list->run, index);
	const struct plan *plan = list_plan(list);
	bool finished = worker.finish_ns >= 0;
	struct style style = {.fg = finished ? COLOUR_DEFAULT : COLOUR_DIM, .bg = bar->bg};
	struct plan_node node;

	plan_node(plan, index, &node);
	bar->worker = index;
	if (sched_wanted(list->model))
		view_lane_share(bar, list->axis.x - 1, style);
	bar->gated = (plan->gated || plan->all_alive) && !node.children;
	view_bar_worker(bar, &worker, node.work);
	if (worker.start_ns >= 0)
		list_draw_figure(list, bar->y,
				 (finished ? worker.finish_ns : bar->until_ns) - worker.start_ns,
				 style);
}

/*
 * The bar's line to all of the row's: work, waiting for a core and the join are as high as the row,
 * thin lines and words are not.
 */
static void list_grow_row(const struct view_list *list, const struct view_bar *bar, int pitch)
{
	static const uint32_t glyphs[] = {0x2501, 0x257a, 0x2550, 0x254d, 0x2505,
					  0x2509, 0x2591, 0x2551, 0x2524};
	int h = MAX(1, pitch - 1), top = bar->y - (h - 1) / 2;
	struct canvas *canvas = list->canvas;

	for (int x = list->axis.x; h > 1 && x <= list->axis.x + list->axis.w; x++) {
		struct cell cell = canvas->cells[bar->y * canvas->width + x];
		const bool reverse = cell.style.attr & ATTR_REVERSE;
		const int share = cell.glyph >= 0x2581 && cell.glyph <= 0x2588
					  ? (int)(cell.glyph - 0x2580)
					  : 0;
		bool grows = share || reverse;

		for (size_t i = 0; i < sizeof(glyphs) / sizeof(glyphs[0]); i++)
			grows |= cell.glyph == glyphs[i];
		if (reverse)
			cell.glyph = ' ';
		else if (cell.glyph == 0x2501 || cell.glyph == 0x257a)
			cell.glyph = 0x2588;
		for (int line = 0; line < h && grows; line++) { /* 0 is the lowest */
			int y = top + h - 1 - line, eighths = share * h - 8 * line;

			if (share && !reverse)
				cell.glyph =
					eighths <= 0 ? ' ' : 0x2580 + (uint32_t)MIN(8, eighths);
			if (y != bar->y || !reverse)
				canvas_put(canvas, x, y, cell.glyph, cell.style);
		}
	}
}

struct style view_list_name_style(const struct view_bar *bar)
{
	return bar->bg == COLOUR_PANEL ? (struct style) {COLOUR_TITLE, bar->bg, ATTR_BOLD}
				       : STYLE(COLOUR_DEFAULT);
}

struct view_bar view_list_row(const struct view_list *list, int i, int pitch)
{
	struct rect row = {list->rect.x, list->rect.y + i * pitch, list->rect.w, MAX(1, pitch - 1)};
	bool selected = list->first + i == list->selected;
	struct view_bar bar = {.canvas = list->canvas,
			       .axis = &list->axis,
			       .y = row.y + (row.h - 1) / 2,
			       .until_ns = model_length(list->model, list->run),
			       .bg = selected ? COLOUR_PANEL : COLOUR_DEFAULT,
			       .model = list->model,
			       .run = list->run};

	plot_grid(list->canvas, &list->axis, row.y, pitch);
	if (selected)
		canvas_fill(list->canvas, row, ' ', (struct style) {.bg = bar.bg});
	return bar;
}

void view_list_end(const struct view_list *list, int shown, int pitch, bool tasks)
{
	const long below = list->n - list->first - shown;
	const struct tree_row *last = &list->tree->rows[list->tree->n_rows - 1];
	struct rect line = {list->axis.x, list->rect.y + shown, list->axis.w, 1};
	char from[224], to[224];

	if (shown < list->rect.h) {
		int x = view_rows_hidden(list->canvas, line, list->first, below) + 1;

		/* Those of another kind of work are said to be among them. */
		if (below > 0 && list->tree->plan.gated && !list->per_row && !tasks &&
		    !last->group) {
			tree_rows_name(list->tree, last + 1 - below, from, sizeof(from));
			tree_rows_name(list->tree, last, to, sizeof(to));
			if (x + utf8_columns(from) + utf8_columns(to) + 2 <= line.x + line.w)
				canvas_printf(list->canvas, x, line.y, -1, STYLE(COLOUR_DIM),
					      "%s …%s", from, to);
		}
	}
	if (list->shown->n_lists < VIEW_LISTS)
		list->shown->lists[list->shown->n_lists++] = (struct view_list_spot) {
			.rect = {list->rect.x, list->rect.y,
				 list->axis.x + list->axis.w + list->right - list->rect.x,
				 shown * pitch},
			.case_id = list->run->id.case_id,
			.first = list->first,
			.pitch = pitch,
			.per_row = list->per_row,
			.tasks = tasks};
}

void view_list_draw(const struct view_list *list)
{
	int shown = view_list_shown(list->n, list->rect.h);
	/* A few rows stand apart where there is room, and grow where there is more. */
	int pitch = (int)MAX(1, MIN(PITCH_MOST, list->rect.h / MAX(1, list->n)));
	const struct rows_densities *densities =
		list->per_row == 1 ? NULL : view_rows_densities(list, shown);
	const struct rows_shares *shares = densities ? view_rows_shares(list, shown) : NULL;

	for (int i = 0; i < shown && (densities || list->per_row == 1); i++) {
		struct view_bar bar = view_list_row(list, i, pitch);
		const struct tree_row *of =
			list->per_row ? NULL : &list->tree->rows[list->first + i];
		uint32_t at = of ? 0 : (uint32_t)(list->first + i) * list->per_row;
		uint32_t worker = of ? of->first : list->one->order.worker[at];
		bool many = of ? of->foldable && (!of->open || of->group) : list->per_row > 1;
		char name[224] = " ";

		if (of)
			tree_rows_name(list->tree, of, name, sizeof(name));
		else if (many)
			snprintf(name, sizeof(name), "▸%u", at + 1);
		else
			plan_name(list_plan(list), worker, name + 1, sizeof(name) - 1);
		list_draw_name(list, bar.y, name, many, view_list_name_style(&bar));
		if (many)
			list_draw_density(list, &bar, densities, shares, i);
		else
			list_draw_worker(list, &bar, worker);
		list_grow_row(list, &bar, pitch);
	}
	view_list_end(list, shown, pitch, false);
}
