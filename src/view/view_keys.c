/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "view_tree.h"

#include "model/model_latency.h"

#include <stdio.h>

/* The bottom line: keys at the left, views at the right; also what a click is looked up in. */

enum { LABELS = 32 };

struct label {
	int key;
	const char *name; /* of the key; NULL: a view's tab */
	char text[24];
	int weight; /* as in the first line */
	bool chosen;
	int x, w;
};

struct labels {
	struct label list[LABELS];
	int n, tabs; /* the first of the views */
};

static struct label *label_add(struct labels *labels, int key, int weight, const char *name,
			       const char *text)
{
	struct label *label = &labels->list[labels->n++];

	*label = (struct label) {.key = key, .name = name, .weight = weight};
	snprintf(label->text, sizeof(label->text), "%s", text);
	return label;
}

/* Keys of what is played, or the one that begins to play it again. */
static void labels_clock(struct labels *labels, const struct model *model,
			 const struct view_state *state)
{
	if (!state->clock.shown) {
		if (!state->hold && model->n_runs > 0)
			label_add(labels, '<', 5, "<", "Slow motion");
		return;
	}
	label_add(labels, '<', 3, "<", "Slower");
	label_add(labels, '>', 3, ">", "Faster");
	label_add(labels, ']', 4, "[ ]", "Run");
	if (state->live)
		label_add(labels, KEY_END_KEY, 2, "End", "Now");
}

static void labels_session(struct labels *labels, const struct model *model,
			   const struct view_state *state)
{
	bool over = model->done && model->now_ns >= model->done_ns;

	if (state->live && state->hold)
		label_add(labels, ' ', 2, "Space", "Start");
	else if (state->clock.shown)
		label_add(labels, ' ', 2, "Space", state->clock.paused ? "Play" : "Pause");
	else if (!over)
		label_add(labels, ' ', 2, "Space", model_paused(model) ? "Go on" : "Pause");
	labels_clock(labels, model, state);
	if (state->live && !state->hold && !state->clock.shown)
		label_add(labels, 'r', 4, "r", "Once more");
}

/* Trees of one shape move together; else there is a column to choose. */
static bool labels_shapes(const struct model *model, const struct view_state *state)
{
	for (uint32_t i = 0; state->rows && i < model->n_cases; i++)
		if (state->rows->cases[i].alike != 0)
			return true;
	return false;
}

/* Rows that fold are in the Timeline, and in the Overview of trees. */
static void labels_rows(struct labels *labels, const struct model *model,
			const struct view_state *state)
{
	bool timeline = state->view == VIEW_TIMELINE;

	if (model->n_cases == 0 ||
	    (!timeline && (state->view != VIEW_OVERVIEW ||
			   !view_tree_fits(model, state->chosen % model->n_cases))))
		return;
	if (state->folds) {
		label_add(labels, KEY_ENTER_KEY, 3, "Enter", "Unfold");
		label_add(labels, '*', 4, "*", "All");
	}
	if (!timeline && labels_shapes(model, state))
		label_add(labels, 'c', 4, "c", "Column");
	if (!timeline)
		return;
	label_add(labels, '/', 3, "/", "Search");
	label_add(labels, 'o', 3, "o", "Order");
	if (model->n_cases > 1)
		label_add(labels, 'c', 4, "c", "Model");
	if (state->order != VIEW_BY_TREE)
		label_add(labels, 'z', 5, "z Z", "Closer");
}

/* What each key would change, as it is now. */
static void labels_curve(struct labels *labels, const struct model *model,
			 const struct view_state *state)
{
	if (model_has_latency(model)) {
		label_add(labels, 'm', 2, "m", "Until when");
		return;
	}
	label_add(labels, 'm', 3, "m", "Metric");
	if (view_curve_works(state))
		label_add(labels, 'w', 3, "w", "Work");
	label_add(labels, 'l', 3, "l", view_curve_log_y(state) ? "Linear y" : "Log y");
	if (view_curve_numeric(state))
		label_add(labels, 'L', 4, "L", view_curve_log_x(state) ? "Linear x" : "Log x");
}

static void labels_view(struct labels *labels, const struct model *model,
			const struct view_state *state)
{
	char text[24];

	labels_rows(labels, model, state);
	if (state->view == VIEW_CURVE)
		labels_curve(labels, model, state);
	if (state->view == VIEW_TIMELINE) {
		label_add(labels, '+', 6, "+ - =", "Zoom");
	} else if (view_zooms(state)) {
		snprintf(text, sizeof(text), "Memory: %s", view_memory_name(state->memory));
		label_add(labels, 'm', 3, "m", text);
		label_add(labels, '+', 6, "+ - =", "Zoom");
	}
	if (view_zooms(state) && state->zoom > 1)
		label_add(labels, KEY_RIGHT_ARROW, 5, "← →", "Move");
	else if (state->view == VIEW_OVERVIEW && state->most_column > 0)
		label_add(labels, KEY_RIGHT_ARROW, 5, "← →", "Columns");
	if (state->most_scroll > 0)
		label_add(labels, KEY_DOWN_ARROW, 7, "↑ ↓", "Scroll");
	label_add(labels, 's', 9, "s", "Snapshot");
	label_add(labels, 't', 8, "t", "Theme");
}

static void labels_tabs(struct labels *labels, const struct model *model,
			const struct view_state *state)
{
	labels->tabs = labels->n;
	for (int id = VIEW_OVERVIEW; id <= VIEWS; id++) {
		struct label *label;
		char number[2] = {(char)('0' + id), '\0'};

		if (!view_get(model, (enum view_id)id))
			continue;
		label = label_add(labels, '0' + id, 0, NULL, number);
		label->chosen = (int)state->view == id;
		if (label->chosen)
			snprintf(label->text, sizeof(label->text), "%s",
				 view_get(model, (enum view_id)id)->name);
	}
}

static int label_width(const struct label *label)
{
	return canvas_columns(label->text) + (label->name ? canvas_columns(label->name) + 3 : 3);
}

/* The least needed go first; of those alike the last, and no more than there is no room for. */
static void labels_fit(struct labels *labels, int width)
{
	int used = 0;

	for (int i = 0; i < labels->n; i++)
		used += labels->list[i].w = label_width(&labels->list[i]);
	for (int weight = LABELS; weight > 0; weight--)
		for (int i = labels->n - 1; i >= 0 && used > width; i--)
			if (labels->list[i].weight == weight) {
				used -= labels->list[i].w;
				labels->list[i].w = 0;
			}
}

static void labels_place(struct labels *labels, int width)
{
	int x = 1, end = width;

	labels_fit(labels, width);
	for (int i = 0; i < labels->tabs; i++) {
		labels->list[i].x = x;
		x += labels->list[i].w;
	}
	for (int i = labels->n - 1; i >= labels->tabs; i--) {
		end -= labels->list[i].w;
		labels->list[i].x = end;
	}
}

static void labels_build(struct labels *labels, const struct model *model,
			 const struct view_state *state, int width)
{
	labels->n = 0;
	label_add(labels, 'q', 0, "q", "Quit");
	if (state->typing) {
		labels->n = 0;
		label_add(labels, KEY_ENTER_KEY, 0, "Enter", "Find");
		label_add(labels, KEY_ESCAPE, 0, "Esc", "Cancel");
	} else if (state->help) {
		label_add(labels, KEY_ESCAPE, 0, "Esc", "Close");
	} else {
		labels_session(labels, model, state);
		labels_view(labels, model, state);
		label_add(labels, '?', 1, "?", "Help");
	}
	labels_tabs(labels, model, state);
	labels_place(labels, width);
}

static void label_draw(struct canvas *canvas, int y, const struct label *label, bool bar)
{
	int x = label->x;

	if (!label->w)
		return;
	if (label->name) {
		x = canvas_text(canvas, x, y, -1, STYLE_BOLD(COLOUR_KEY), label->name) + 1;
		canvas_text(canvas, x, y, -1, STYLE(COLOUR_DIM), label->text);
		return;
	}
	if (bar)
		canvas_put(canvas, x, y, 0x2502, STYLE(COLOUR_BORDER));
	canvas_text(canvas, x + 2, y, -1,
		    label->chosen ? STYLE_BOLD(COLOUR_TITLE) : STYLE(COLOUR_DIM), label->text);
}

void view_keys_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		    const struct view_state *state)
{
	struct labels labels;

	labels_build(&labels, model, state, rect.w);
	for (int i = 0; i < labels.n; i++)
		label_draw(canvas, rect.y, &labels.list[i], i > labels.tabs);
}

int view_click(const struct model *model, const struct view_state *state, int width, int height,
	       int x, int y)
{
	struct labels labels;

	if (width < LAYOUT_LEAST_W || height < LAYOUT_LEAST_H || y != height - 1)
		return 0;
	labels_build(&labels, model, state, width);
	for (int i = 0; i < labels.n; i++)
		if (x >= labels.list[i].x && x < labels.list[i].x + labels.list[i].w - 1)
			return labels.list[i].key;
	return 0;
}
