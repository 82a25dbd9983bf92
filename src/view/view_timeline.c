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
#include "view_facts.h"
#include "view_page.h"
#include "view_tree.h"

/* One model's workers on the whole screen. */
struct timeline {
	struct canvas *canvas;
	const struct model *model;
	struct view_state *state;
	struct view_case *one;
	struct tree_rows *tree;
	uint32_t icase;
	const struct model_run *run;
	struct layout_timeline layout;
	struct plot_axis axis;
	long n, selected; /* rows */
	uint32_t bunch;	  /* workers a row; 0: the tree's rows */
};

static const char *const order_names[VIEW_ORDERS] = {
	[VIEW_BY_TREE] = "name",	 [VIEW_BY_CREATION] = "creation", [VIEW_BY_START] = "start",
	[VIEW_BY_DURATION] = "duration", [VIEW_BY_FINISH] = "finish",
};

/* What is selected */

/* So many workers a row that all rows fit, until one looks closer. */
static uint32_t timeline_bunch(const struct timeline *t)
{
	uint32_t n = t->run->n_workers, h = t->layout.rows.h > 1 ? (uint32_t)t->layout.rows.h : 1;
	uint32_t fit = (n + h - 1) / h;

	return t->state->bunch && t->state->bunch < fit ? t->state->bunch : fit;
}

static void timeline_rows(struct timeline *t)
{
	t->n = (long)t->tree->n_rows;
	t->selected = (long)t->tree->selected;
	if (t->state->order == VIEW_BY_TREE ||
	    view_rows_sort(t->state->rows, t->model, t->run, t->state->order) != 0)
		return;
	t->bunch = timeline_bunch(t);
	t->state->shown_bunch = t->bunch;
	t->n = (t->run->n_workers + t->bunch - 1) / t->bunch;
	t->selected = t->one->at / t->bunch;
}

static struct facts_of timeline_selection(const struct timeline *t)
{
	if (t->bunch)
		return (struct facts_of) {.order = &t->one->order,
					  .first = (uint32_t)t->selected * t->bunch,
					  .n = (t->selected + 1) * t->bunch > t->run->n_workers
						       ? t->run->n_workers -
								 (uint32_t)t->selected * t->bunch
						       : t->bunch};
	return (struct facts_of) {.tree = t->tree, .row = &t->tree->rows[t->selected]};
}

/* The zoom keeps hold of the selected worker. */
static void timeline_anchor(const struct timeline *t)
{
	uint32_t worker =
		t->bunch ? t->one->order.worker[t->one->at] : t->tree->rows[t->selected].first;
	struct sample_worker known = model_worker(t->model, t->run, worker);
	struct plot_axis whole =
		view_rows_axis(t->model, &(struct view_state) {.zoom = 1}, t->icase, 0, 1);

	t->state->anchor = known.create_ns < 0 ? -1 : (double)known.create_ns / (double)whole.to_ns;
}

/* Drawing */

static void timeline_title(const struct timeline *t)
{
	const struct plan *plan = &t->tree->plan;
	struct rect box = t->layout.box;
	char name[2 * SAMPLE_LABEL], text[96];
	int x;

	view_column_title(t->canvas, box, t->model, t->state, t->icase);
	model_case_name(t->model, t->icase, name, sizeof(name));
	if (t->bunch > 1)
		snprintf(text, sizeof(text), " by %s, %u a row ", order_names[t->state->order],
			 t->bunch);
	else
		snprintf(text, sizeof(text), " by %s ", order_names[t->state->order]);
	x = box.x + box.w - 2 - canvas_columns(text);
	if (x <= box.x + 2)
		return;
	canvas_text(t->canvas, x, box.y + box.h - 1, -1, STYLE(COLOUR_DIM), text);
	if (t->bunch > 1 || (!t->bunch && plan->levels > 1))
		view_bar_legend(t->canvas, box.x + 2, box.y + box.h - 1, x - box.x - 3,
				view_page_work(plan));
}

/* What is typed, on the box's lower edge. */
static void timeline_prompt(const struct timeline *t)
{
	struct rect box = t->layout.box;
	int x = box.x + 2, y = box.y + box.h - 1;

	if (!t->state->typing)
		return;
	x = canvas_printf(t->canvas, x, y, box.w - 4, STYLE_BOLD(COLOUR_KEY), " name or tid: %s",
			  t->state->search);
	canvas_put(t->canvas, x, y, '_', STYLE_BOLD(COLOUR_TITLE));
	canvas_put(t->canvas, x + 1, y, ' ', STYLE(COLOUR_DEFAULT));
}

static void timeline_plots(const struct timeline *t)
{
	int64_t peak = view_tree_peak(t->model, t->run);
	const struct view_tree_plot plot = {.rect = t->layout.alive,
					    .axis = &t->axis,
					    .top = plot_nice(peak > 0 ? (double)peak : 1),
					    .right = t->layout.right};

	view_tree_alive(t->canvas, &plot, t->model, t->run, t->state->rows);
	if (t->layout.axis.h > 0)
		plot_time_labels(t->canvas, &t->axis, t->layout.axis.y, STYLE(COLOUR_DIM));
}

static void timeline_page(const struct timeline *t)
{
	long *first = t->bunch ? &t->one->first_flat : &t->one->first;
	struct view_page page = {
		.canvas = t->canvas,
		.model = t->model,
		.run = t->run,
		.rows = t->state->rows,
		.rect = t->layout.rows,
		.axis = &t->axis,
		.right = t->layout.right,
		.n = t->n,
		.selected = t->selected,
		.bunch = t->bunch,
	};

	*first = view_page_top(*first, t->selected, t->n, t->layout.rows.h);
	page.first = *first;
	if (t->bunch)
		view_page_flat(&page);
	else
		view_page_tree(&page);
}

static void timeline_side(const struct timeline *t)
{
	struct facts_of of = timeline_selection(t);
	struct rect side = t->layout.side;

	of.many = &t->one->many;
	of.model = t->model;
	of.run = t->run;
	if (side.h > 0)
		view_facts_draw(t->canvas, side, &of, t->layout.below);
}

static void timeline_body(struct timeline *t)
{
	timeline_rows(t);
	t->state->folds = t->bunch || t->tree->plan.levels > 1 || t->tree->rows[0].group;
	t->axis = view_rows_axis(t->model, t->state, t->icase, t->layout.axis.x + t->layout.left,
				 t->layout.axis.w - t->layout.left - t->layout.right);
	if (t->axis.w < 1)
		return;
	timeline_anchor(t);
	timeline_plots(t);
	timeline_page(t);
	timeline_side(t);
	timeline_title(t);
	timeline_prompt(t);
}

static void timeline_waits(const struct timeline *t)
{
	struct rect box = t->layout.box;

	view_column_title(t->canvas, box, t->model, t->state, t->icase);
	canvas_text(t->canvas, box.x + 4, box.y + box.h / 2, box.w - 6, STYLE(COLOUR_DIM),
		    view_page_waits(t->state, t->run));
}

static void timeline_draw(struct canvas *canvas, struct rect rect, const struct model *model,
			  struct view_state *state)
{
	struct timeline t = {.canvas = canvas, .model = model, .state = state};

	state->most_scroll = state->most_column = 0;
	if (!view_rows_get(state, model))
		return;
	t.icase = state->chosen < model->n_cases ? state->chosen : 0;
	t.one = &state->rows->cases[t.icase];
	t.tree = view_rows_tree(state->rows, t.icase);
	t.run = model_latest(model, t.icase);
	t.layout = layout_timeline(rect, view_page_name_w(t.tree),
				   state->order == VIEW_BY_TREE ? (long)t.tree->n_rows
								: (long)t.tree->n_tasks);
	if (t.run && t.run->workers)
		timeline_body(&t);
	else
		timeline_waits(&t);
}

/* Keys */

/* What the keys work on; false before the case's first run. */
static bool timeline_open(struct timeline *t, const struct model *model, struct view_state *state)
{
	*t = (struct timeline) {.model = model, .state = state};
	if (!view_rows_get(state, model))
		return false;
	t->icase = state->chosen < model->n_cases ? state->chosen : 0;
	t->one = &state->rows->cases[t->icase];
	t->tree = view_rows_tree(state->rows, t->icase);
	t->run = model_latest(model, t->icase);
	if (!t->run || !t->run->workers)
		return false;
	if (state->order != VIEW_BY_TREE &&
	    view_rows_sort(state->rows, model, t->run, state->order) == 0)
		t->bunch = state->shown_bunch ? state->shown_bunch : 1;
	return true;
}

static uint32_t selected_worker(const struct timeline *t)
{
	return t->bunch ? t->one->order.worker[t->one->at] : t->tree->rows[t->tree->selected].first;
}

static void timeline_select(const struct timeline *t, uint32_t worker)
{
	if (t->bunch)
		t->one->at = view_rows_position(&t->one->order, worker);
	else
		tree_rows_show(t->tree, worker);
}

static void timeline_move(const struct timeline *t, long by)
{
	long to, last = (long)t->run->n_workers - 1;

	if (!t->bunch) {
		tree_rows_move(t->tree, by);
		return;
	}
	if (labs(by) > last)
		by = by < 0 ? -last : last;
	to = (long)t->one->at + by * (long)t->bunch;
	t->one->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

/* The worker stays selected. */
static void timeline_order(struct timeline *t)
{
	uint32_t worker = selected_worker(t);
	struct view_state *state = t->state;

	state->order = (enum view_order)((state->order + 1) % VIEW_ORDERS);
	if (timeline_open(t, t->model, state) && t->bunch)
		timeline_select(t, worker);
	else
		tree_rows_select(t->tree, worker);
}

/* Enter: a row of many opens, one of one closes again. */
static void timeline_fold(const struct timeline *t)
{
	if (!t->bunch)
		tree_rows_toggle(t->tree);
	else
		t->state->bunch = t->bunch > 1 ? 1 : 0;
}

static void timeline_fold_all(const struct timeline *t)
{
	if (!t->bunch)
		tree_rows_toggle_all(t->tree);
	else
		timeline_fold(t);
}

/* Fewer workers a row, or more, by a factor of four. */
static void timeline_closer(const struct timeline *t, bool closer)
{
	if (t->bunch)
		t->state->bunch = closer ? (t->bunch + 3) / 4 : t->bunch * 4;
}

static bool timeline_key_rows(struct timeline *t, int key)
{
	long by;

	if (view_page_key(key, &by))
		timeline_move(t, by);
	else if (key == KEY_ENTER_KEY)
		timeline_fold(t);
	else if (key == '*')
		timeline_fold_all(t);
	else if (key == 'z' || key == 'Z')
		timeline_closer(t, key == 'z');
	else if (key == 'o')
		timeline_order(t);
	else
		return false;
	return true;
}

/* Search */

/* The name begins with what was typed, or the tid is that. */
static bool timeline_matches(const struct timeline *t, uint32_t worker)
{
	struct sample_worker known = model_worker(t->model, t->run, worker);
	const char *search = t->state->search;
	char name[96], tid[16];

	plan_name(&t->model->cases[t->icase].plan, worker, name, sizeof(name));
	snprintf(tid, sizeof(tid), "%d", known.tid);
	return !strncmp(name, search, strlen(search)) || (known.tid > 0 && !strcmp(tid, search));
}

/* The next match in the order of creation, from the selected on and round; the same one at last. */
static void timeline_find(const struct timeline *t, uint32_t from, bool back)
{
	uint32_t n = t->run->n_workers;

	if (!t->state->search[0])
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t worker = back ? (from + n - i) % n : (from + i) % n;

		if (!timeline_matches(t, worker))
			continue;
		if (t->bunch > 1)
			t->state->bunch = 1;
		timeline_select(t, worker);
		return;
	}
	t->state->notice = "no worker of that name or tid";
}

static void timeline_type(struct view_state *state, int key)
{
	size_t length = strlen(state->search);

	if (key == KEY_BACKSPACE_KEY && length > 0)
		state->search[length - 1] = '\0';
	else if (key > ' ' && key < 0x7f && length + 1 < sizeof(state->search))
		memcpy(state->search + length, (char[]) {(char)key, '\0'}, 2);
}

/* While something is typed, every key belongs to that. */
static bool timeline_key_typing(struct view_state *state, const struct model *model, int key)
{
	struct timeline t;

	if (!state->typing)
		return false;
	timeline_type(state, key);
	if (key == KEY_ENTER_KEY || key == KEY_ESCAPE)
		state->typing = false;
	if (key == KEY_ENTER_KEY && timeline_open(&t, model, state))
		timeline_find(&t, 0, false);
	return true;
}

static bool timeline_key_search(const struct timeline *t, int key)
{
	uint32_t n = t->run->n_workers;

	if (key == '/') {
		t->state->typing = true;
		t->state->search[0] = '\0';
	} else if (key == 'n') {
		timeline_find(t, (selected_worker(t) + 1) % n, false);
	} else if (key == 'N') {
		timeline_find(t, (selected_worker(t) + n - 1) % n, true);
	} else {
		return false;
	}
	return true;
}

static bool timeline_key(struct view_state *state, const struct model *model, int key)
{
	struct timeline t;

	if (timeline_key_typing(state, model, key))
		return true;
	if (key == 'c' && model->n_cases > 0) {
		state->chosen = (state->chosen + 1) % model->n_cases;
		return true;
	}
	return timeline_open(&t, model, state) &&
	       (timeline_key_rows(&t, key) || timeline_key_search(&t, key));
}

static void timeline_labels(struct view_labels *labels, const struct model *model,
			    const struct view_state *state)
{
	if (model->n_cases == 0)
		return;
	if (state->folds)
		view_tree_labels(labels);
	view_label(labels, '/', 3, "/", "Search");
	view_label(labels, 'o', 3, "o", "Order");
	if (model->n_cases > 1)
		view_label(labels, 'c', 4, "c", "Model");
	if (state->order != VIEW_BY_TREE)
		view_label(labels, 'z', 5, "z Z", "Closer");
}

static const char *timeline_hint(const struct view_state *state)
{
	(void)state;
	return "╌ created  ┄ gate  ━ cpu  ═ io  ─ other  ┈ finished  ┤ joined  ░▒▓█ how many";
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
	.hint = timeline_hint,
};
