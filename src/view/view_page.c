/* SPDX-License-Identifier: MIT */
#include "view_page.h"

#include <stdio.h>

#include "base/units.h"
#include "view_bars.h"
#include "view_parts.h"

enum { FIGURE = 32, PAGE = 10 };

static const struct plan *page_plan(const struct view_page *page)
{
	return &page->model->cases[page->run->id.icase].plan;
}

int view_page_name_w(const struct tree_rows *tree)
{
	int w, most = 0;
	char name[96];

	plan_name(&tree->plan, tree->n_tasks - 1, name, sizeof(name));
	w = 1 + canvas_columns(name);
	for (uint32_t level = 0; level < tree->plan.levels; level++)
		if (tree->group[level])
			most = snprintf(name, sizeof(name), "-%u", tree->plan.fanout[level]);
	return w + most;
}

int view_page_shown(long n, int h)
{
	return n <= h ? (int)n : h > 1 ? h - 1 : h;
}

long view_page_top(long first, long selected, long n, int h)
{
	long shown = view_page_shown(n, h);

	if (selected < first)
		first = selected;
	if (selected >= first + shown)
		first = selected - shown + 1;
	if (first > n - shown)
		first = n - shown;
	return first < 0 ? 0 : first;
}

const char *view_page_waits(const struct view_state *state, const struct model_run *run)
{
	if (run)
		return "no longer kept";
	return state->hold ? "waits for Space" : "waits for its turn";
}

bool view_page_key(int key, long *by)
{
	switch (key) {
	case KEY_UP_ARROW:
		*by = -1;
		return true;
	case KEY_DOWN_ARROW:
		*by = 1;
		return true;
	case KEY_PAGE_UP:
		*by = -PAGE;
		return true;
	case KEY_PAGE_DOWN:
		*by = PAGE;
		return true;
	case KEY_HOME_KEY:
		*by = -INT32_MAX;
		return true;
	case KEY_END_KEY:
		*by = INT32_MAX;
		return true;
	default:
		return false;
	}
}

/* The mark stays, and the end of a long name says more than its beginning. */
static void draw_name(const struct view_page *page, int y, const char *text, struct style style)
{
	int w = page->axis->x - page->rect.x - 1, over = canvas_columns(text) - w;
	int x = canvas_text(page->canvas, page->rect.x, y, 1, style, text);

	text += *text == ' ' ? 1 : 3; /* a blank, or a mark of three bytes */
	if (over > 0) {
		canvas_put(page->canvas, x++, y, 0x2026, style);
		text += over + 1;
	}
	canvas_text(page->canvas, x, y, page->axis->x - 1 - x, style, text);
}

static void draw_figure(const struct view_page *page, int y, int64_t ns, struct style style)
{
	char text[FIGURE];

	units_format_time(text, sizeof(text), ns, false);
	canvas_right(page->canvas, page->axis->x + page->axis->w + page->right, y, style, text);
}

uint8_t view_page_work(const struct plan *plan)
{
	uint8_t work = WORK_NULL;

	for (uint8_t kind = WORK_NULL + 1; kind < WORK_KINDS; kind++)
		if (plan->leaves[kind] > plan->leaves[work])
			work = kind;
	return work;
}

static void draw_strip(const struct view_page *page, const struct view_bar *bar,
		       const struct rows_strips *strips, int i)
{
	const struct rows_sum *sum = &strips->sums[i];
	bool over = sum->joined == sum->workers ||
		    (model_ended(page->model, page->run) && sum->end_ns >= 0);
	struct style style = {.bg = bar->bg};

	view_bar_strip(bar, strips->cells + (size_t)i * (size_t)strips->key.w, strips->key.w,
		       view_page_work(page_plan(page)));
	style.fg = sum->bad ? COLOUR_BAD : over ? COLOUR_DEFAULT : COLOUR_DIM;
	if (sum->begin_ns >= 0)
		draw_figure(page, bar->y, (over ? sum->end_ns : bar->until_ns) - sum->begin_ns,
			    style);
}

static void draw_worker(const struct view_page *page, struct view_bar *bar, uint32_t index)
{
	struct sample_worker worker = model_worker(page->model, page->run, index);
	const struct plan *plan = page_plan(page);
	bool finished = worker.finish_ns >= 0;
	struct style style = {.fg = finished ? COLOUR_DEFAULT : COLOUR_DIM, .bg = bar->bg};
	struct plan_node node;

	plan_node(plan, index, &node);
	bar->gated = (plan->gated || plan->all_alive) && !node.children;
	view_bar_worker(bar, &worker, node.work);
	if (worker.start_ns >= 0)
		draw_figure(page, bar->y,
			    (finished ? worker.finish_ns : bar->until_ns) - worker.start_ns, style);
}

/* A few rows stand apart where there is room. */
static int row_pitch(const struct view_page *page)
{
	return 2 * page->n <= page->rect.h ? 2 : 1;
}

/* The row's ground, and what its bar needs. */
static struct view_bar begin_row(const struct view_page *page, int i)
{
	bool selected = page->first + i == page->selected;
	struct view_bar bar = {.canvas = page->canvas,
			       .axis = page->axis,
			       .y = page->rect.y + i * row_pitch(page),
			       .until_ns = view_rows_until(page->model, page->run),
			       .bg = selected ? COLOUR_PANEL : COLOUR_DEFAULT};
	struct rect ground = {page->rect.x, bar.y, page->rect.w, 1};

	if (selected)
		canvas_fill(page->canvas, ground, ' ', (struct style) {.bg = bar.bg});
	else
		view_grid(page->canvas, page->axis, bar.y, 1);
	if (row_pitch(page) > 1)
		view_grid(page->canvas, page->axis, bar.y + 1, 1);
	return bar;
}

static struct style name_style(const struct view_bar *bar)
{
	if (bar->bg == COLOUR_PANEL)
		return (struct style) {.fg = COLOUR_TITLE, .bg = bar->bg, .attr = ATTR_BOLD};
	return STYLE(COLOUR_DEFAULT);
}

static void draw_more(const struct view_page *page, int shown)
{
	long above = page->first, below = page->n - page->first - shown;
	char up[FIGURE], down[FIGURE];
	int x = page->axis->x, y = page->rect.y + shown, w = page->axis->w;

	if (above + below == 0 || shown >= page->rect.h)
		return;
	units_format_count(up, sizeof(up), above);
	units_format_count(down, sizeof(down), below);
	if (above > 0)
		x = canvas_printf(page->canvas, x, y, w, STYLE(COLOUR_DIM), "▴ %s above   ", up);
	if (below > 0)
		canvas_printf(page->canvas, x, y, page->axis->x + w - x, STYLE(COLOUR_DIM),
			      "%s more ▾", down);
}

void view_page_tree(const struct view_page *page)
{
	const struct tree_rows *tree = page->tree;
	int shown = view_page_shown(page->n, page->rect.h);
	const struct rows_strips *strips = view_rows_strips(
		page->rows, page->model, page->run, page->axis, tree, (size_t)page->first, shown);

	for (int i = 0; i < shown && strips; i++) {
		const struct tree_row *row = &tree->rows[page->first + i];
		struct view_bar bar = begin_row(page, i);
		char name[224];

		tree_rows_name(tree, row, name, sizeof(name));
		draw_name(page, bar.y, name, name_style(&bar));
		if (row->foldable && (!row->open || row->group))
			draw_strip(page, &bar, strips, i);
		else
			draw_worker(page, &bar, row->first);
	}
	draw_more(page, shown);
}

void view_page_flat(const struct view_page *page)
{
	const struct rows_order *order = &page->rows->cases[page->run->id.icase].order;
	const struct rows_strips *strips = NULL;
	int shown = view_page_shown(page->n, page->rect.h);

	if (page->bunch > 1)
		strips = view_rows_bunches(page->rows, page->model, page->run, page->axis,
					   (uint32_t)page->first * page->bunch, shown, page->bunch);
	for (int i = 0; i < shown && (strips || page->bunch == 1); i++) {
		uint32_t at = (uint32_t)(page->first + i) * page->bunch;
		struct view_bar bar = begin_row(page, i);
		char name[96] = " ";

		if (page->bunch > 1)
			snprintf(name, sizeof(name), "▸%u", at + 1);
		else
			plan_name(page_plan(page), order->worker[at], name + 1, sizeof(name) - 1);
		draw_name(page, bar.y, name, name_style(&bar));
		if (strips)
			draw_strip(page, &bar, strips, i);
		else
			draw_worker(page, &bar, order->worker[at]);
	}
	draw_more(page, shown);
}
