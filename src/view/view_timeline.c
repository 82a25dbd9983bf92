/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout_tree.h"
#include "base/units.h"
#include "view_bars.h"
#include "view_cache.h"
#include "view_details.h"
#include "view_folds.h"
#include "view_list.h"
#include "view_tree.h"

/* One model's workers on the whole screen. */
struct timeline {
	struct canvas *canvas;
	const struct model *model;
	const struct view_frame *frame;
	const struct view_state *state;
	const struct view_fold *fold;
	const struct tree_rows *tree;
	struct view_rows *rows;
	struct view_case *one;
	uint32_t icase;
	const struct model_run *run;
	struct layout_timeline layout;
	struct plot_axis axis;
	long n, selected; /* rows */
	uint32_t per_row; /* workers a row; 0: the tree's rows */
};

static const char *const order_names[VIEW_ORDERS] = {
	[VIEW_BY_TREE] = "name",	 [VIEW_BY_CREATION] = "creation", [VIEW_BY_START] = "start",
	[VIEW_BY_DURATION] = "duration", [VIEW_BY_FINISH] = "finish",
};

/* What is selected */

/* So many workers a row that all rows fit, until one looks closer. */
static uint32_t timeline_per_row(const struct timeline *t)
{
	uint32_t n = t->run->n_workers, h = t->layout.rows.h > 1 ? (uint32_t)t->layout.rows.h : 1;
	uint32_t fit = (n + h - 1) / h, wanted = t->state->timeline.per_row;

	return wanted && wanted < fit ? wanted : fit;
}

static void timeline_rows(struct timeline *t)
{
	enum view_order order = t->state->timeline.order;

	t->n = (long)t->tree->n_rows;
	t->selected = (long)t->tree->selected;
	if (order == VIEW_BY_TREE || view_rows_sort(t->rows, t->model, t->run, order) != 0)
		return;
	t->per_row = timeline_per_row(t);
	t->frame->shown->per_row = t->per_row;
	t->n = (t->run->n_workers + t->per_row - 1) / t->per_row;
	t->selected = view_rows_position(&t->one->order, t->fold->worker) / t->per_row;
}

static struct details_of timeline_selection(const struct timeline *t)
{
	if (t->per_row)
		return (struct details_of) {
			.order = &t->one->order,
			.first = (uint32_t)t->selected * t->per_row,
			.n = (t->selected + 1) * t->per_row > t->run->n_workers
				     ? t->run->n_workers - (uint32_t)t->selected * t->per_row
				     : t->per_row};
	return (struct details_of) {.tree = t->tree, .row = &t->tree->rows[t->selected]};
}

/* The zoom keeps hold of the selected worker. */
static double timeline_anchor(const struct timeline *t)
{
	uint32_t worker = t->per_row ? t->fold->worker : t->tree->rows[t->selected].first;
	struct sample_worker known = model_worker(t->model, t->run, worker);
	struct plot_axis whole =
		view_rows_axis(t->model, &(struct view_state) {.zoom = 1}, t->icase, 0, 1);

	return known.create_ns < 0 ? -1 : (double)known.create_ns / (double)whole.to_ns;
}

/* Drawing */

static void timeline_title(const struct timeline *t)
{
	const struct plan *plan = &t->tree->plan;
	struct rect box = t->layout.box;
	char name[2 * SAMPLE_LABEL], text[96];
	int x;

	view_column_title(t->frame, box, t->icase);
	model_case_name(t->model, t->icase, name, sizeof(name));
	if (t->per_row > 1)
		snprintf(text, sizeof(text), " by %s, %u a row ",
			 order_names[t->state->timeline.order], t->per_row);
	else
		snprintf(text, sizeof(text), " by %s ", order_names[t->state->timeline.order]);
	x = box.x + box.w - 2 - canvas_columns(text);
	if (x <= box.x + 2)
		return;
	canvas_text(t->canvas, x, box.y + box.h - 1, -1, STYLE(COLOUR_DIM), text);
	if (t->per_row > 1 || (!t->per_row && plan->levels > 1))
		view_bar_legend(t->canvas, box.x + 2, box.y + box.h - 1, x - box.x - 3,
				view_list_work(plan));
}

/* What is typed, on the box's lower edge. */
static void timeline_prompt(const struct timeline *t)
{
	struct rect box = t->layout.box;
	int x = box.x + 2, y = box.y + box.h - 1;

	if (!t->state->typing)
		return;
	x = canvas_printf(t->canvas, x, y, box.w - 4, STYLE_BOLD(COLOUR_KEY), " name or tid: %s",
			  t->state->timeline.search);
	canvas_put(t->canvas, x, y, '_', STYLE_BOLD(COLOUR_TITLE));
	canvas_put(t->canvas, x + 1, y, ' ', STYLE(COLOUR_DEFAULT));
}

static void timeline_plots(const struct timeline *t)
{
	int64_t peak = view_alive_peak(t->model, t->run, true);
	const struct view_tree_plot plot = {.rect = t->layout.alive,
					    .axis = &t->axis,
					    .top = plot_nice(peak > 0 ? (double)peak : 1),
					    .right = t->layout.right};

	view_tree_alive(t->canvas, &plot, t->model, t->run, t->rows);
	if (t->layout.axis.h > 0)
		plot_time_labels(t->canvas, &t->axis, t->layout.axis.y, STYLE(COLOUR_DIM));
}

static void timeline_list(const struct timeline *t)
{
	long *top = t->per_row ? &t->one->top_flat : &t->one->top;
	struct view_list list = {
		.canvas = t->canvas,
		.model = t->model,
		.run = t->run,
		.rows = t->rows,
		.tree = t->tree,
		.rect = t->layout.rows,
		.axis = &t->axis,
		.right = t->layout.right,
		.n = t->n,
		.selected = t->selected,
		.per_row = t->per_row,
	};

	*top = view_list_top(*top, t->selected, t->n, t->layout.rows.h);
	list.first = *top;
	if (t->per_row)
		view_list_flat(&list);
	else
		view_list_tree(&list);
}

static void timeline_details(const struct timeline *t)
{
	struct details_of of = timeline_selection(t);
	struct rect rect = t->layout.details;

	of.many = &t->one->many;
	of.model = t->model;
	of.run = t->run;
	if (rect.h > 0)
		view_details_draw(t->canvas, rect, &of, t->layout.below);
}

static void timeline_body(struct timeline *t)
{
	timeline_rows(t);
	t->frame->shown->foldable =
		t->per_row || t->tree->plan.levels > 1 || t->tree->rows[0].group;
	t->axis = view_rows_axis(t->model, t->state, t->icase, t->layout.axis.x + t->layout.left,
				 t->layout.axis.w - t->layout.left - t->layout.right);
	if (t->axis.w < 1)
		return;
	t->frame->shown->anchor = timeline_anchor(t);
	timeline_plots(t);
	timeline_list(t);
	timeline_details(t);
	timeline_title(t);
	timeline_prompt(t);
}

static void timeline_waits(const struct timeline *t)
{
	struct rect box = t->layout.box;

	view_column_title(t->frame, box, t->icase);
	canvas_text(t->canvas, box.x + 4, box.y + box.h / 2, box.w - 6, STYLE(COLOUR_DIM),
		    view_list_waits(t->state, t->run));
}

static void timeline_draw(const struct view_frame *frame, struct rect rect)
{
	const struct view_state *state = frame->state;
	struct timeline t = {.canvas = frame->canvas,
			     .model = frame->model,
			     .frame = frame,
			     .state = state,
			     .rows = frame->cache->rows};

	if (!view_has_rows(frame))
		return;
	t.icase = state->chosen < t.model->n_cases ? state->chosen : 0;
	t.one = &t.rows->cases[t.icase];
	t.fold = &state->folds->cases[t.icase];
	t.tree = view_folds_tree(state->folds, t.icase);
	t.run = model_latest(t.model, t.icase);
	t.layout = layout_timeline(rect, view_list_name_w(t.tree),
				   state->timeline.order == VIEW_BY_TREE ? (long)t.tree->n_rows
									 : (long)t.tree->n_tasks);
	if (t.run && t.run->workers)
		timeline_body(&t);
	else
		timeline_waits(&t);
}

/* Keys */

/* What a key works on. */
struct timeline_keys {
	struct view_state *state;
	struct timeline_state *own;
	const struct model *model;
	const struct model_run *run;
	struct view_fold *fold;
	struct tree_rows *tree;
	struct view_rows *rows;
	uint32_t per_row; /* workers a row; 0: the tree's rows */
};

/* In the order's rows, as many a row as the last frame had, or in the tree's. */
static void keys_order(struct timeline_keys *keys, uint32_t per_row)
{
	enum view_order order = keys->own->order;

	keys->per_row = 0;
	if (order != VIEW_BY_TREE && view_rows_sort(keys->rows, keys->model, keys->run, order) == 0)
		keys->per_row = per_row ? per_row : 1;
}

/* False before the case's first run. */
static bool keys_open(struct timeline_keys *keys, struct view_state *state,
		      const struct view_input *input)
{
	uint32_t icase = state->chosen < input->model->n_cases ? state->chosen : 0;

	*keys = (struct timeline_keys) {.state = state,
					.own = &state->timeline,
					.model = input->model,
					.rows = input->cache->rows};
	if (!state->folds || !keys->rows)
		return false;
	keys->fold = &state->folds->cases[icase];
	keys->tree = view_folds_open(state->folds, icase);
	keys->run = model_latest(keys->model, icase);
	if (!keys->run || !keys->run->workers)
		return false;
	keys_order(keys, input->shown->per_row);
	return true;
}

static const struct rows_order *keys_rows(const struct timeline_keys *keys)
{
	return &keys->rows->cases[keys->run->id.icase].order;
}

static uint32_t keys_worker(const struct timeline_keys *keys)
{
	return keys->per_row ? keys->fold->worker : keys->tree->rows[keys->tree->selected].first;
}

static void keys_select(const struct timeline_keys *keys, uint32_t worker)
{
	if (keys->per_row)
		keys->fold->worker = worker;
	else
		tree_rows_show(keys->tree, worker);
}

static void keys_move(const struct timeline_keys *keys, long by)
{
	const struct rows_order *order = keys_rows(keys);
	long to, last = (long)keys->run->n_workers - 1;

	if (!keys->per_row) {
		tree_rows_move(keys->tree, by);
		return;
	}
	if (labs(by) > last)
		by = by < 0 ? -last : last;
	to = (long)view_rows_position(order, keys->fold->worker) + by * (long)keys->per_row;
	keys->fold->worker = order->worker[to < 0 ? 0 : to > last ? last : to];
}

/* The worker stays selected. */
static void keys_next_order(struct timeline_keys *keys)
{
	uint32_t worker = keys_worker(keys);

	keys->own->order = (enum view_order)((keys->own->order + 1) % VIEW_ORDERS);
	keys_order(keys, 1);
	if (keys->per_row)
		keys_select(keys, worker);
	else
		tree_rows_select(keys->tree, worker);
}

/* Enter: a row of many opens, one of one closes again. */
static void keys_fold(const struct timeline_keys *keys)
{
	if (!keys->per_row)
		tree_rows_toggle(keys->tree);
	else
		keys->own->per_row = keys->per_row > 1 ? 1 : 0;
}

static void keys_fold_all(const struct timeline_keys *keys)
{
	if (!keys->per_row)
		tree_rows_toggle_all(keys->tree);
	else
		keys_fold(keys);
}

/* Fewer workers a row, or more, by a factor of four. */
static void keys_closer(const struct timeline_keys *keys, bool closer)
{
	if (keys->per_row)
		keys->own->per_row = closer ? (keys->per_row + 3) / 4 : keys->per_row * 4;
}

static bool keys_of_rows(struct timeline_keys *keys, int key)
{
	long by;

	if (view_list_key(key, &by))
		keys_move(keys, by);
	else if (key == KEY_ENTER_KEY)
		keys_fold(keys);
	else if (key == '*')
		keys_fold_all(keys);
	else if (key == 'z' || key == 'Z')
		keys_closer(keys, key == 'z');
	else if (key == 'o')
		keys_next_order(keys);
	else
		return false;
	return true;
}

/* Search */

/* The name begins with what was typed, or the tid is that. */
static bool search_matches(const struct timeline_keys *keys, uint32_t worker)
{
	struct sample_worker known = model_worker(keys->model, keys->run, worker);
	const char *search = keys->own->search;
	char name[96], tid[16];

	plan_name(&keys->model->cases[keys->run->id.icase].plan, worker, name, sizeof(name));
	snprintf(tid, sizeof(tid), "%d", known.tid);
	return !strncmp(name, search, strlen(search)) || (known.tid > 0 && !strcmp(tid, search));
}

/* The next match in the order of creation, from the selected on and round; the same one at last. */
static void search_find(const struct timeline_keys *keys, uint32_t from, bool back)
{
	uint32_t n = keys->run->n_workers;

	if (!keys->own->search[0])
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t worker = back ? (from + n - i) % n : (from + i) % n;

		if (!search_matches(keys, worker))
			continue;
		if (keys->per_row > 1)
			keys->own->per_row = 1;
		keys_select(keys, worker);
		return;
	}
	keys->state->notice = "no worker of that name or tid";
}

static void search_type(char *search, size_t size, int key)
{
	size_t length = strlen(search);

	if (key == KEY_BACKSPACE_KEY && length > 0)
		search[length - 1] = '\0';
	else if (key > ' ' && key < 0x7f && length + 1 < size)
		memcpy(search + length, (char[]) {(char)key, '\0'}, 2);
}

/* While something is typed, every key belongs to that. */
static bool search_key(struct view_state *state, const struct view_input *input, int key)
{
	struct timeline_keys keys;

	if (!state->typing)
		return false;
	search_type(state->timeline.search, sizeof(state->timeline.search), key);
	if (key == KEY_ENTER_KEY || key == KEY_ESCAPE)
		state->typing = false;
	if (key == KEY_ENTER_KEY && keys_open(&keys, state, input))
		search_find(&keys, 0, false);
	return true;
}

static bool keys_of_search(const struct timeline_keys *keys, int key)
{
	uint32_t n = keys->run->n_workers;

	if (key == '/') {
		keys->state->typing = true;
		keys->own->search[0] = '\0';
	} else if (key == 'n') {
		search_find(keys, (keys_worker(keys) + 1) % n, false);
	} else if (key == 'N') {
		search_find(keys, (keys_worker(keys) + n - 1) % n, true);
	} else {
		return false;
	}
	return true;
}

static bool timeline_key(struct view_state *state, const struct view_input *input, int key)
{
	uint32_t n = input->model->n_cases;
	struct timeline_keys keys;

	if (search_key(state, input, key))
		return true;
	if (key == 'c' && n > 0) {
		state->chosen = (state->chosen + 1) % n;
		return true;
	}
	return keys_open(&keys, state, input) &&
	       (keys_of_rows(&keys, key) || keys_of_search(&keys, key));
}

static void timeline_labels(struct view_labels *labels, const struct view_frame *frame)
{
	uint32_t n = frame->model->n_cases;

	if (n == 0)
		return;
	if (frame->shown->foldable)
		view_tree_labels(labels);
	view_label(labels, '/', 3, "/", "Search");
	view_label(labels, 'o', 3, "o", "Order");
	if (n > 1)
		view_label(labels, 'c', 4, "c", "Model");
	if (frame->state->timeline.order != VIEW_BY_TREE)
		view_label(labels, 'z', 5, "z Z", "Closer");
}

static const char timeline_help[] =
	"#Timeline\n"
	"╌┄━┈┤\tcreate call to first instruction, at the gate, work (━ cpu, ═ io, ─ other), "
	"finished, joined\n"
	"◂ ▸\tit lies before, or after, the time shown\n"
	"░▒▓█\ta row of many: how many of them exist, in the colour of what most do\n"
	"o\torder of the rows: by name, as the tree folds, or by creation, start, duration (the "
	"longest "
	"first) or finish\n"
	"Enter *\tunfold and fold; in an order: single workers, or so many a row that all "
	"fit\n"
	"z Z\tin an order: fewer workers a row, more\n"
	"/ n N\tsearch by name (4.2: what begins so) or tid; the next, the previous\n"
	"c\tthe next model\n"
	"+ -\tzoom time around the selected worker\n"
	"at the right\tThe selected worker: when its create call began; since then its return "
	"and its first instruction; its last instruction since the first, its join since the "
	"last. Its cores, usage and result; below, all workers of its level or branch.\n";

const struct view_ops view_timeline = {
	.number = 2,
	.name = "Timeline",
	.help = timeline_help,
	.zooms = true,
	.draw = timeline_draw,
	.key = timeline_key,
	.labels = timeline_labels,
	.hint = "╌ created  ┄ gate  ━ cpu  ═ io  ─ other  ┈ finished  ┤ joined  ░▒▓█ how many",
};
