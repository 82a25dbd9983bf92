/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "draw/layout.h"
#include "model/model.h"
#include "base/units.h"
#include "view_bars.h"

/* One tree's column of the Overview. */
struct column {
	const struct view_frame *frame;
	struct rect box;
	bool ended;
	struct layout_tree layout;
	struct view_list list;
};

enum { MANY = 64, FIGURE = 32 };

bool view_tree_fits(const struct model *model, uint32_t case_id)
{
	const struct plan *plan = &model->cases[case_id].plan;

	return plan_count(plan) > MANY || (plan->levels > 1 && !plan->gated);
}

/* Counters */

/* The count has a column of fixed width: growing, it moves nothing. Returns the next begin. */
static int draw_count(const struct column *c, int x, const char *label, int64_t n)
{
	struct rect rect = c->layout.counts;
	int w = utf8_columns(label) + 1 + utf8_columns(UNITS_COUNT(c->list.tree->n_tasks));

	if (x + w > rect.x + rect.w)
		return rect.x + rect.w;
	canvas_text(c->list.canvas, x, rect.y, -1, STYLE(COLOUR_DIM), label);
	canvas_right(c->list.canvas, x + w, rect.y, STYLE_BOLD(COLOUR_DEFAULT), UNITS_COUNT(n));
	return x + w + 2;
}

static void column_counts(const struct column *c)
{
	struct model_counts counts =
		c->list.run ? model_counts(c->list.model, c->list.run) : (struct model_counts) {0};
	int64_t peak = c->list.run ? view_alive_peak(c->list.model, c->list.run, true) : 0;
	int x = c->layout.counts.x;

	if (c->layout.counts.h < 1)
		return;
	x = draw_count(c, x, "created", counts.created);
	x = draw_count(c, x, "joined", counts.joined);
	if (c->list.run && !c->ended)
		x = draw_count(c, x, "alive", counts.alive);
	draw_count(c, x, c->layout.counts.w >= 50 && c->ended ? "peak alive" : "peak", peak);
}

/* Tasks alive, level upon level */

enum { PARTS = 8 };

/* The uppermost levels are one part where there are too many. */
static int alive_parts(const struct plan *plan, const double *alive, int w, double top, uint8_t hue,
		       struct plot_part parts[PARTS])
{
	uint32_t merged = plan->levels > PARTS ? plan->levels - PARTS : 0;
	int n = 0;

	for (uint32_t level = 0; level < plan->levels; level++) {
		double share = alive[(size_t)level * (size_t)w] / top;

		if (level > 0 && level <= merged)
			parts[0].share += share;
		else
			parts[n++] = (struct plot_part) {
				share, 0x2588,
				level + 1 == plan->levels ? hue
							  : (uint8_t)(COLOUR_LEVEL0 + level % 3)};
	}
	return n;
}

void view_tree_alive(const struct view_list *list, struct rect rect, double top)
{
	const struct rows_levels *curves = view_rows_levels(list, false);
	struct rect plot = {list->axis.x, rect.y, list->axis.w, rect.h};
	uint8_t hue = view_hue(list->model, list->run->id.case_id);
	int64_t peak = view_alive_peak(list->model, list->run, true);

	if (rect.h < 1 || !curves)
		return;
	plot_grid(list->canvas, &list->axis, rect.y, rect.h);
	for (int x = 0; x < curves->key.w; x++) {
		struct plot_part parts[PARTS] = {{0}};
		int n = alive_parts(&list->tree->plan, curves->values + x, curves->key.w, top, hue,
				    parts);

		plot_stack(list->canvas, plot, plot.x + x, parts, n);
	}
	view_plot_labels(
		list->canvas, rect, plot, list->right,
		&(struct view_plot_texts) {"alive", UNITS_COUNT((int64_t)top), UNITS_COUNT(peak)});
}

/* Time by level */

static void draw_span(const struct column *c, int x, int y, double ns)
{
	canvas_right(c->list.canvas, x, y, STYLE(COLOUR_DEFAULT),
		     isnan(ns) ? "–" : UNITS_TIME((int64_t)ns, false));
}

enum { TIMES_LABEL = 7, TIMES_W = 9, INVERSIONS_W = 12 };

static void column_times(const struct column *c)
{
	static const struct {
		const char *name;
		enum model_phase phase;
	} list[] = {{"create", PHASE_CREATE},
		    {"start", PHASE_START},
		    {"join", PHASE_JOIN},
		    {"work", PHASE_WORK}};
	const struct model_levels *levels = model_levels(c->list.model, c->list.run);
	struct rect rect = c->layout.times;
	int x = rect.x + TIMES_LABEL;

	if (rect.h < 3)
		return;
	canvas_text(c->list.canvas, rect.x, rect.y + 1, -1, STYLE(COLOUR_DIM), "median");
	canvas_text(c->list.canvas, rect.x, rect.y + 2, -1, STYLE(COLOUR_DIM), "99 %");
	for (size_t i = 0; i < 4 && x + TIMES_W <= rect.x + rect.w; i++) {
		struct model_span span = {0, NAN, NAN};

		if (levels)
			span = levels->all.phase[list[i].phase];
		x += TIMES_W;
		canvas_right(c->list.canvas, x, rect.y, STYLE(COLOUR_DIM), list[i].name);
		draw_span(c, x, rect.y + 1, span.median);
		draw_span(c, x, rect.y + 2, span.p99);
	}
	if (x + INVERSIONS_W > rect.x + rect.w || !levels)
		return;
	x += INVERSIONS_W;
	canvas_right(c->list.canvas, x, rect.y, STYLE(COLOUR_DIM), "inversions");
	canvas_right(c->list.canvas, x, rect.y + 1, STYLE(COLOUR_DEFAULT),
		     METRIC_TEXT(METRIC_SHARE, model_inversions(&levels->all)));
}

static int draw_memory(const struct column *c, int x, const struct sample_memory *memory,
		       enum model_metric which, const char *unknown)
{
	struct rect rect = c->layout.memory;

	x = canvas_text(c->list.canvas, x, rect.y, rect.x + rect.w - x, STYLE(COLOUR_DIM),
			metric_brief(which)) +
	    1;
	x = canvas_text(c->list.canvas, x, rect.y, rect.x + rect.w - x, STYLE(COLOUR_DEFAULT),
			VIEW_MEMORY_FIGURE(memory, which));
	if (unknown)
		x = canvas_text(c->list.canvas, x + 1, rect.y, rect.x + rect.w - x - 1,
				STYLE(COLOUR_DIM), unknown);
	return x + 3;
}

enum { WHY_W = 64 };

static void column_memory(const struct column *c)
{
	struct sample_memory memory =
		c->ended ? c->list.run->totals.memory : model_memory(c->list.model, c->list.run);
	enum model_metric which = c->frame->state->memory;
	const struct view_unknown *why = view_memory_unknown(c->list.model, c->list.run, which);
	struct rect rect = c->layout.memory;
	int x;

	if (rect.h < 1)
		return;
	x = draw_memory(c, rect.x, &memory, which,
			!why		 ? NULL
			: rect.w < WHY_W ? why->brief
					 : why->text);
	if (which != METRIC_KERNEL)
		draw_memory(c, x, &memory, METRIC_KERNEL, NULL);
}

/* The column */

/* What the inks are, and where they come from, on the box's lower edge. */
static void column_key(const struct column *c)
{
	const struct view_list *l = &c->list;
	int x = c->box.x + 2, y = c->box.y + c->box.h - 1, w = c->box.w - 4;

	x = view_bands_legend(l->canvas, x, y, w);
	if (l->run && model_has_slices(l->run))
		x = view_lanes_legend(l->canvas, x, y, c->box.x + 2 + w - x, l->run,
				      view_list_work(&l->tree->plan));
	if (l->run)
		view_lanes_edge(l->canvas, c->box, l->model, l->run, x);
}

static void column_body(const struct column *c)
{
	const struct view_list *l = &c->list;
	struct rect reason = c->layout.reason;

	if (c->layout.axis.h > 0)
		plot_time_labels(l->canvas, &l->axis, c->layout.axis.y, STYLE(COLOUR_DIM));
	column_key(c);
	column_counts(c);
	if (!l->run || l->run->workers.gone) {
		canvas_text(l->canvas, l->axis.x, c->layout.rows.y, l->axis.w, STYLE(COLOUR_DIM),
			    view_list_waits(c->frame->state, l->run));
	} else {
		view_bands_draw(l, c->layout.bands);
		view_list_draw(l);
	}
	if (!l->run)
		return;
	if (reason.h > 0)
		canvas_printf(l->canvas, reason.x, reason.y, reason.w, STYLE_BOLD(COLOUR_BAD),
			      "%s: %s", sample_status_name(l->run->totals.status),
			      l->run->totals.reason);
	column_times(c);
	column_memory(c);
}

void view_tree_draw(const struct view_frame *frame, struct rect box, uint32_t case_id)
{
	struct column c = {.frame = frame, .box = box, .list = view_list_of(frame, case_id)};
	struct view_list *l = &c.list;
	const struct view_state *state = c.frame->state;
	struct layout_tree_need need = {.rows = l->n};
	int w;

	c.ended = l->run && model_ended(l->model, l->run);
	need.name_w = view_bands_name_w(&l->model->cases[0].plan);
	for (uint32_t i = 0; i < l->model->n_cases; i++)
		need.name_w = MAX(need.name_w, view_list_name_w(view_folds_tree(state->folds, i)));
	need.name_w += view_lanes_share_w(l->model);
	need.levels = (int)l->tree->plan.levels;
	need.reason = c.ended && l->run->totals.status != SAMPLE_OK;
	c.layout = layout_tree(c.box, &need);
	w = c.layout.axis.w - c.layout.left - c.layout.right;
	l->axis = view_rows_axis(l->model, state, VIEW_ALL_CASES, VIEW_ALL_CASES,
				 c.layout.axis.x + c.layout.left, w);
	l->rect = c.layout.rows;
	l->right = c.layout.right;
	l->first = l->one->top = view_list_top(l->one->top, l->selected, l->n, l->rect.h);
	/* Rows are moved in the chosen column, and in all of its shape. */
	if (view_folds_tree(state->folds, view_chosen(state, c.frame->shown)) != l->tree)
		l->selected = -1;
	view_column_title(frame, box, case_id);
	if (c.list.axis.w > 0)
		column_body(&c);
}

/* Keys */

bool view_tree_act(struct view_state *state, const struct view_input *input, enum keys_act act,
		   int key)
{
	uint32_t chosen = view_chosen(state, input->shown), n = input->model->n_cases;
	struct tree_rows *tree;
	long by = 0;

	if (!state->folds || chosen >= n || !view_tree_fits(input->model, chosen))
		return false;
	tree = view_folds_tree(state->folds, chosen);
	if (act == KEYS_MODEL)
		state->chosen = (chosen + 1) % n;
	else if (act == KEYS_FOLD)
		tree_rows_toggle(tree);
	else if (act == KEYS_FOLD_ALL)
		tree_rows_toggle_all(tree);
	else if (act == KEYS_MOVE && view_list_key(key, &by))
		tree_rows_move(tree, by);
	else
		return false;
	return true;
}

/* The sentence's second line */

char *view_tree_hint(const struct model *model, char *buf, size_t size)
{
	const struct plan *plan = NULL;
	const char *all;
	int64_t peak = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (model->cases[i].plan.gated || !view_tree_fits(model, i))
			continue;
		plan = &model->cases[i].plan;
		peak = MAX(peak, run ? view_alive_peak(model, run, true) : 0);
	}
	*buf = '\0';
	if (!plan || !peak)
		return buf;
	all = UNITS_COUNT(plan_count(plan));
	if (plan->all_alive)
		snprintf(buf, size, "All %s stay alive until the whole tree stands. Then they end.",
			 all);
	else if (plan_is_creation(plan))
		snprintf(buf, size, "Each is created, does nothing and is joined before the next.");
	else if (plan->tasks > 0)
		snprintf(buf, size,
			 "A task each, created as one before it has ended: at most %s at once.",
			 UNITS_COUNT(plan->batch));
	else
		snprintf(buf, size,
			 "Each ends at once: at most %s alive. -s all-alive=yes keeps all "
			 "%s.",
			 UNITS_COUNT(peak), all);
	return buf;
}
