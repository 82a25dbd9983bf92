/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "draw/layout.h"
#include "view_bars.h"
#include "view_cache.h"
#include "result/report.h"

/* One model's workers. */
struct timeline {
	const struct view_frame *frame;
	const struct view_state *state;
	const struct view_fold *fold;
	uint32_t case_id, other_id; /* the model beside it; itself where none is shown */
	bool beside;		    /* the keys are the other one's */
	struct layout_timeline layout;
	struct view_list list;
	int n_cores;	   /* lanes of cores; 0: none is known */
	struct rect cores; /* of those, where there is room */
};

static const char *const order_names[VIEW_ORDERS] = {
	[VIEW_BY_TREE] = "name",	 [VIEW_BY_CREATION] = "creation", [VIEW_BY_START] = "start",
	[VIEW_BY_DURATION] = "duration", [VIEW_BY_FINISH] = "finish",
};

/* The lanes of cores stand instead of the workers. */
static bool timeline_cores(const struct timeline *t)
{
	return t->state->timeline.cores && t->n_cores > 0;
}

/* Selection */

/* The workers a row at which all rows fit, until the user zooms in. */
static uint32_t timeline_per_row(const struct timeline *t)
{
	int rows = timeline_cores(t) ? t->layout.rows.h : t->list.rect.h;
	uint32_t n = t->list.run->n_workers, h = (uint32_t)MAX(1, rows);
	uint32_t fit = (n + h - 1) / h, wanted = t->state->timeline.per_row;

	return wanted && wanted < fit ? wanted : fit;
}

static void timeline_rows(struct timeline *t)
{
	enum view_order by = t->state->timeline.order;
	struct view_list *l = &t->list;
	struct rows_order *order = &l->one->order;

	if (by == VIEW_BY_TREE || view_rows_sort(order, l->model, l->run, by) != 0)
		return;
	l->per_row = t->frame->shown->per_row = timeline_per_row(t);
	l->n = (l->run->n_workers + l->per_row - 1) / l->per_row;
	l->selected = view_rows_position(order, t->fold->worker) / l->per_row;
}

/* The middle of what is shown of a lane, to come to its slices; else the worker's begin. */
static int64_t timeline_hold(const struct timeline *t, uint32_t worker,
			     const struct sample_worker *known)
{
	const struct view_list *l = &t->list;
	int64_t finish = known->finish_ns >= 0 ? known->finish_ns : model_length(l->model, l->run);
	int64_t from = MAX(known->create_ns, l->axis.from_ns), to = MIN(finish, l->axis.to_ns);
	size_t n;

	model_slices(l->run, worker, &n);
	return n > 0 && from < to ? from + (to - from) / 2 : known->create_ns;
}

/* The zoom keeps hold of the selected worker. */
static double timeline_anchor(const struct timeline *t)
{
	const struct view_list *l = &t->list;
	uint32_t worker = l->per_row ? t->fold->worker : l->tree->rows[l->selected].first;
	struct sample_worker known = model_worker(l->model, l->run, worker);
	struct plot_axis whole = view_rows_axis(l->model, &(struct view_state) {.zoom = 1},
						t->case_id, t->other_id, 0, 1);

	if (known.create_ns < 0)
		return -1;
	return (double)timeline_hold(t, worker, &known) / (double)whole.to_ns;
}

/* Drawing */

/* The rows' order at the right of the box's lower edge. Returns where it begins. */
static int timeline_order(const struct timeline *t)
{
	struct rect box = t->layout.box;
	int x = box.x + box.w - 2;
	char text[96];

	if (timeline_cores(t))
		return x;
	snprintf(text, sizeof(text), t->list.per_row > 1 ? " by %s, %u a row " : " by %s ",
		 order_names[t->state->timeline.order], t->list.per_row);
	x -= utf8_columns(text);
	if (x > box.x + 2)
		canvas_text(t->list.canvas, x, box.y + box.h - 1, -1, STYLE(COLOUR_DIM), text);
	return x;
}

/* Before column `end`, where they are not known: what would give them. */
static void timeline_no_lanes(const struct timeline *t, int x, int end)
{
	struct rect box = t->layout.box;
	char text[SCHED_TEXT];

	sched_no_lanes(t->list.model, false, text, sizeof(text));
	if (x + utf8_columns(text) + 6 > end)
		sched_no_lanes(t->list.model, true, text, sizeof(text));
	if (*text && x + utf8_columns(text) + 6 <= end)
		canvas_printf(t->list.canvas, end - utf8_columns(text) - 4, box.y + box.h - 1, -1,
			      STYLE(COLOUR_DIM), " %s ", text);
}

/* At the left where the lanes come from, and what colours are, as far as there is room. */
static void timeline_title(const struct timeline *t)
{
	const struct view_list *l = &t->list;
	struct rect box = t->layout.box;
	int x = box.x + 2, y = box.y + box.h - 1, end;
	char source[SCHED_TEXT] = "";
	bool many;

	view_column_title(t->frame, box, t->case_id);
	end = timeline_order(t);
	if (model_has_slices(l->run))
		sched_source(l->model, l->run, source, sizeof(source));
	if (*source && x + utf8_columns(source) + 3 < end)
		x = canvas_printf(l->canvas, x, y, -1, STYLE(COLOUR_DIM), " %s ", source);
	many = l->per_row ? l->per_row > 1 : l->tree->plan.levels > 1 || l->tree->group[0] > 0;
	if (!timeline_cores(t) && many)
		x = view_bar_legend(l->canvas, x, y, end - x - 1, view_list_work(&l->tree->plan),
				    model_has_slices(l->run));
	timeline_no_lanes(t, x, end);
}

/* The cores below the rows, or instead of them. */
static void timeline_lanes(struct timeline *t)
{
	struct view_shown *shown = t->frame->shown;
	int first = 0, h = t->cores.h - 1;

	shown->lanes = t->n_cores > 0;
	if (shown->lanes)
		shown->hint = t->list.run && t->list.run->n_throttles
				      ? "█ on a core  ▁▄▇ part of the time  ░ waits for a core  "
					"║ throttled  ┈ blocked  ╌ created  ┄ gate  ┤ joined"
				      : "█ on a core  ▁▄▇ part of the time  ░ waits for a core  "
					"┈ blocked  ╌ created  ┄ gate  ┤ joined";
	if (timeline_cores(t) && t->n_cores > h)
		first = view_scroll_to(t->frame, t->n_cores, h);
	view_core_lanes_draw(&t->list, t->cores, first);
}

static void timeline_body(struct timeline *t)
{
	struct view_list *l = &t->list;
	int w = t->layout.axis.w - t->layout.left - t->layout.right;
	struct rect box = t->layout.box;
	int x, y = box.y + box.h - 1;
	int64_t peak;
	long *top;

	timeline_rows(t);
	top = l->per_row ? &l->one->top_flat : &l->one->top;
	t->frame->shown->foldable =
		l->per_row || l->tree->plan.levels > 1 || l->tree->rows[0].group;
	l->axis = view_rows_axis(l->model, t->state, t->case_id, t->other_id,
				 t->layout.axis.x + t->layout.left, w);
	if (l->axis.w < 1)
		return;
	t->frame->shown->anchor = timeline_anchor(t);
	peak = view_alive_peak(l->model, l->run, true);
	view_tree_alive(l, t->layout.alive, plot_nice(peak > 0 ? (double)peak : 1));
	if (t->layout.axis.h > 0)
		plot_time_labels(l->canvas, &l->axis, t->layout.axis.y, STYLE(COLOUR_DIM));
	if (!timeline_cores(t)) {
		/* The list moves no farther than it must. */
		l->first = *top = view_list_top(*top, l->selected, l->n, l->rect.h);
		if (t->beside)
			l->selected = -1;
		view_list_draw(l);
	}
	timeline_lanes(t);
	if (t->layout.details.h > 0)
		view_details_draw(l, t->layout.details, t->layout.below);
	timeline_title(t);
	if (!t->state->typing)
		return;
	x = canvas_printf(l->canvas, box.x + 2, y, box.w - 4, STYLE_BOLD(COLOUR_KEY),
			  " name or tid: %s", t->state->timeline.search);
	canvas_put(l->canvas, x, y, '_', STYLE_BOLD(COLOUR_TITLE));
	canvas_put(l->canvas, x + 1, y, ' ', STYLE(COLOUR_DEFAULT));
}

static void timeline_waits(const struct timeline *t)
{
	struct rect box = t->layout.box;

	view_column_title(t->frame, box, t->case_id);
	canvas_text(t->list.canvas, box.x + 4, box.y + box.h / 2, box.w - 6, STYLE(COLOUR_DIM),
		    view_list_waits(t->state, t->list.run));
}

/* The lanes of cores take what the rows leave, and a third of what they do not. */
static void timeline_layout(struct timeline *t, struct rect rect)
{
	struct view_list *l = &t->list;
	bool tree = t->state->timeline.order == VIEW_BY_TREE;
	long n = tree ? l->n : (long)l->tree->n_tasks;
	int h;

	t->n_cores = l->run ? view_core_lanes_count(l) : 0;
	h = t->n_cores ? t->n_cores + 1 : 0;
	t->layout = layout_timeline(rect, view_list_name_w(l->tree) + view_lanes_share_w(l->model),
				    n + h);
	if (timeline_cores(t))
		h = t->layout.rows.h;
	else if (h > t->layout.rows.h / 3 && h > t->layout.rows.h - n)
		h = 0;
	l->rect = t->cores = t->layout.rows;
	l->rect.h -= h;
	t->cores.y += l->rect.h;
	t->cores.h = h;
	l->right = t->layout.right;
}

static struct timeline timeline_of(const struct view_frame *frame, uint32_t case_id,
				   uint32_t other_id)
{
	return (struct timeline) {.frame = frame,
				  .state = frame->state,
				  .fold = &frame->state->folds->cases[case_id],
				  .case_id = case_id,
				  .other_id = other_id,
				  .list = view_list_of(frame, case_id)};
}

/* The next model with the same settings; itself where there is none, or nothing of it to show. */
static uint32_t timeline_other(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 1; i < model->n_cases; i++) {
		uint32_t other = (case_id + i) % model->n_cases;
		const struct model_run *run = model_latest(model, other);

		if (run && !run->workers.gone &&
		    variables_equal(&model->cases[other].variables,
				    &model->cases[case_id].variables))
			return other;
	}
	return case_id;
}

static bool timeline_fits(const struct timeline *t)
{
	return t->list.run && !t->list.run->workers.gone && t->list.n <= t->list.rect.h &&
	       (t->n_cores == 0 || t->cores.h > 0);
}

/* Both models one below the other where all rows of both fit; else the chosen one. */
static void timeline_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	uint32_t case_id = frame->state->chosen < model->n_cases ? frame->state->chosen : 0;
	uint32_t other_id = timeline_other(model, case_id);
	struct rect half[2] = {rect, rect};
	struct timeline t, other;

	if (!view_has_rows(frame))
		return;
	half[0].h = rect.h / 2;
	half[1].h -= half[0].h;
	half[1].y += half[0].h;
	t = timeline_of(frame, case_id, other_id);
	other = timeline_of(frame, other_id, case_id);
	timeline_layout(&t, half[case_id > other_id]);
	timeline_layout(&other, half[case_id < other_id]);
	if (other_id != case_id && timeline_fits(&t) && timeline_fits(&other) &&
	    !t.state->timeline.cores) {
		if (!t.layout.below && t.layout.details.h > 0) {
			t.layout.details.y = rect.y;
			t.layout.details.h = rect.h;
		}
		other.beside = true;
		other.layout.details.h = 0;
		timeline_body(&other);
	} else {
		t.other_id = case_id;
		timeline_layout(&t, rect);
	}
	if (t.list.run && !t.list.run->workers.gone)
		timeline_body(&t);
	else
		timeline_waits(&t);
}

/* Keys */

/* The input of a key. */
struct timeline_keys {
	struct view_state *state;
	struct timeline_state *own;
	const struct model *model;
	const struct model_run *run;
	struct view_fold *fold;
	struct tree_rows *tree;
	struct rows_order *order;
	uint32_t per_row; /* workers a row; 0: the tree's rows */
};

/* The rows of the chosen order, as many workers each as in the last frame, or the tree's. */
static void keys_order(struct timeline_keys *keys, uint32_t per_row)
{
	enum view_order by = keys->own->order;

	keys->per_row = 0;
	if (by != VIEW_BY_TREE && view_rows_sort(keys->order, keys->model, keys->run, by) == 0)
		keys->per_row = per_row ? per_row : 1;
}

/* False before the case's first run. */
static bool keys_open(struct timeline_keys *keys, struct view_state *state,
		      const struct view_input *input)
{
	uint32_t case_id = state->chosen < input->model->n_cases ? state->chosen : 0;

	if (!state->folds || !input->cache->rows)
		return false;
	*keys = (struct timeline_keys) {.state = state,
					.own = &state->timeline,
					.model = input->model,
					.run = model_latest(input->model, case_id),
					.fold = &state->folds->cases[case_id],
					.tree = view_folds_tree(state->folds, case_id),
					.order = &input->cache->rows->cases[case_id].order};
	if (!keys->run || keys->run->workers.gone)
		return false;
	keys_order(keys, input->shown->per_row);
	return true;
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
	long to, last = (long)keys->run->n_workers - 1;

	if (!keys->per_row) {
		tree_rows_move(keys->tree, by);
		return;
	}
	by = MAX(-last, MIN(by, last));
	to = (long)view_rows_position(keys->order, keys->fold->worker) + by * (long)keys->per_row;
	keys->fold->worker = keys->order->worker[MAX(0, MIN(to, last))];
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

/* Search */

/* The name begins with what was typed. */
static bool search_name(const struct timeline_keys *keys, uint32_t worker)
{
	const char *search = keys->own->search;
	char name[96];

	plan_name(&keys->model->cases[keys->run->id.case_id].plan, worker, name, sizeof(name));
	return !strncmp(name, search, strlen(search));
}

static bool search_tid(const struct timeline_keys *keys, uint32_t worker)
{
	struct sample_worker known = model_worker(keys->model, keys->run, worker);
	char tid[16];

	snprintf(tid, sizeof(tid), "%d", known.tid);
	return known.tid > 0 && !strcmp(tid, keys->own->search);
}

/* The next match in the order of creation, from the selected on and round; the same one at last. */
static bool search_round(const struct timeline_keys *keys, uint32_t from, bool back,
			 bool (*matches)(const struct timeline_keys *keys, uint32_t worker))
{
	uint32_t n = keys->run->n_workers;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t worker = back ? (from + n - i) % n : (from + i) % n;

		if (!matches(keys, worker))
			continue;
		if (keys->per_row > 1)
			keys->own->per_row = 1;
		keys_select(keys, worker);
		return true;
	}
	return false;
}

/* A tid is meant only where no name begins so. */
static void search_find(const struct timeline_keys *keys, uint32_t from, bool back)
{
	if (keys->own->search[0] && !search_round(keys, from, back, search_name) &&
	    !search_round(keys, from, back, search_tid))
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

static bool timeline_act(struct view_state *state, const struct view_input *input,
			 enum keys_act act, int key)
{
	const uint32_t n = input->model->n_cases;
	struct timeline_state *own = &state->timeline;
	struct timeline_keys keys;
	long by;

	if (act == KEYS_CORES && input->shown->lanes) {
		own->cores = !own->cores;
		return true;
	}
	if (act == KEYS_MODEL && n > 0) {
		state->chosen = (state->chosen + 1) % n;
		return true;
	}
	state->typing &= act != KEYS_FOUND && act != KEYS_CANCEL;
	if (act == KEYS_TYPE)
		search_type(own->search, sizeof(own->search), key);
	if ((act == KEYS_MOVE && own->cores && input->shown->most_scroll > 0) ||
	    !keys_open(&keys, state, input))
		return false;
	switch (act) {
	case KEYS_MOVE:
		if (!view_list_key(key, &by))
			return false;
		keys_move(&keys, by);
		break;
	case KEYS_FOLD:
		keys_fold(&keys);
		break;
	case KEYS_FOLD_ALL:
		if (keys.per_row)
			keys_fold(&keys);
		else
			tree_rows_toggle_all(keys.tree);
		break;
	case KEYS_ORDER:
		keys_next_order(&keys);
		break;
	case KEYS_SEARCH:
		state->typing = true;
		own->search[0] = '\0';
		break;
	case KEYS_FOUND:
		search_find(&keys, 0, false);
		break;
	case KEYS_FIND: {
		const uint32_t step = key == 'n' ? 1 : keys.run->n_workers - 1;

		search_find(&keys, (keys_worker(&keys) + step) % keys.run->n_workers, key == 'N');
		break;
	}
	default:
		return act == KEYS_TYPE || act == KEYS_CANCEL;
	}
	return true;
}

static const char timeline_help[] =
	"#Timeline\n"
	"╌┄━┈┤\tFrom the create call to the first instruction, at the start gate, work (━ cpu, ═ "
	"io, ╍ fp, ┅ mem, ┉ write, ─ other), finished, joined.\n"
	"◂ ▸\tIt lies before, or after, the time shown.\n"
	"█ ▁▄▇ ░ ┈\tWith lanes (-s sched): on a core, with its number if it fits; part of the "
	"time, by height; waiting for a core; blocked. Beside the name: the share of its life that "
	"the worker was on a core.\n"
	"▁▄▇ ▒ ▓\tA row of many workers, by what most of them do: running, as high as there are "
	"many; being created; ended, to be joined. With lanes, ▁ … █ is their share of the cores; "
	"░ waiting for a core, · blocked.\n"
	"Enter *\tUnfold and fold. In an order other than the tree's: one worker a row, or as many "
	"a row as needed to fit all.\n"
	"k\tLanes of the cores instead of the workers: ▐name who ran, ▁▄▇ several in turn, ░ other "
	"programs, · nobody of this run. They are below the workers if there is room. The "
	"selected worker is bright.\n"
	"below\tWhere the lanes come from, the shortest time off a core that they show, and how "
	"many slices were lost because the buffer was full.\n"
	"/\tFind a worker: 4.2 finds the first name that begins with it. If no name does, it is a "
	"thread ID.\n"
	"+ -\tZoom the time axis around the selected worker.\n"
	"at the right\tThe selected worker. First when its create call began. Then, each since the "
	"event before: the call's return, first instruction, last instruction, join. Then its "
	"cores, usage and result. Below: all workers of its level or branch.\n";

const struct view_ops view_timeline = {
	.number = 2,
	.name = "Timeline",
	.brief = "Time",
	.captions = {"A row for each worker of a run: created, held at the start gate, working, "
		     "ended, joined.",
		     "gate: all workers wait there, then start at once. switches a + b: a because "
		     "it had to wait, b preempted."},
	.captions_trees = {"One model's tree, a row for each branch, as high as it has tasks. "
			   "Enter unfolds a branch, down to one task.",
			   "to join: ended, but not joined by its creator yet. switches a + b: a "
			   "because it had to wait, b preempted."},
	.help = timeline_help,
	.zooms = true,
	.draw = timeline_draw,
	.act = timeline_act,
	.hint = "╌ created  ┄ gate  ━ cpu  ═ io  ─ other  ┈ finished  ┤ joined  ▁▄▇ how many",
};
