/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <stdio.h>

/* The bottom line: keys at the left, views at the right; also what a click is looked up in. */

enum { LABELS = 32 };

struct view_label {
	int key;
	const char *name; /* of the key; NULL: a view's tab */
	char text[24];
	int weight; /* as in the first line */
	bool chosen;
	int x, w;
};

struct view_labels {
	struct view_label list[LABELS];
	int n, tabs; /* the first of the views */
};

struct view_label *view_label(struct view_labels *labels, int key, int weight, const char *name,
			      const char *text)
{
	int last = LABELS - 1;
	struct view_label *label = &labels->list[labels->n < LABELS ? labels->n++ : last];

	*label = (struct view_label) {.key = key, .name = name, .weight = weight};
	snprintf(label->text, sizeof(label->text), "%s", text);
	return label;
}

void view_label_memory(struct view_labels *labels, const struct view_state *state)
{
	char text[24];

	snprintf(text, sizeof(text), "Memory: %s", metric_brief(state->memory));
	view_label(labels, 'm', 3, "m", text);
}

/* Keys of what is played, or the one that begins to play it again. */
static void labels_clock(struct view_labels *labels, const struct model *model,
			 const struct view_state *state)
{
	if (!state->clock.shown) {
		if (!state->hold && model->n_runs > 0)
			view_label(labels, '<', 5, "<", "Slow motion");
		return;
	}
	view_label(labels, '<', 3, "<", "Slower");
	view_label(labels, '>', 3, ">", "Faster");
	view_label(labels, ']', 4, "[ ]", "Run");
	if (state->live)
		view_label(labels, KEY_END_KEY, 2, "End", "Now");
}

static void labels_session(struct view_labels *labels, const struct model *model,
			   const struct view_state *state)
{
	bool over = model->done && model->now_ns >= model->done_ns;

	if (state->live && state->hold)
		view_label(labels, ' ', 2, "Space", "Start");
	else if (state->clock.shown)
		view_label(labels, ' ', 2, "Space", state->clock.paused ? "Play" : "Pause");
	else if (!over)
		view_label(labels, ' ', 2, "Space", model_paused(model) ? "Go on" : "Pause");
	labels_clock(labels, model, state);
	if (state->live && !state->hold && !state->clock.shown)
		view_label(labels, 'r', 4, "r", "Once more");
}

static void labels_view(struct view_labels *labels, const struct view_ops *ops,
			const struct model *model, const struct view_state *state)
{
	if (ops && ops->labels)
		ops->labels(labels, model, state);
	if (ops && ops->zooms)
		view_label(labels, '+', 6, "+ - =", "Zoom");
	if (ops && ops->zooms && state->zoom > 1)
		view_label(labels, KEY_RIGHT_ARROW, 5, "← →", "Move");
	else if (state->most_column > 0)
		view_label(labels, KEY_RIGHT_ARROW, 5, "← →", "Columns");
	if (state->most_scroll > 0)
		view_label(labels, KEY_DOWN_ARROW, 7, "↑ ↓", "Scroll");
	view_label(labels, 's', 9, "s", "Snapshot");
	view_label(labels, 't', 8, "t", "Theme");
}

static void labels_tabs(struct view_labels *labels, const struct model *model,
			const struct view_state *state)
{
	labels->tabs = labels->n;
	for (int i = 1; i <= VIEW_NUMBERS; i++) {
		const struct view_ops *ops = views_get(model, i);
		bool chosen = state->view == i;
		char number[2] = {(char)('0' + i), '\0'};

		if (ops)
			view_label(labels, '0' + i, 0, NULL, chosen ? ops->name : number)->chosen =
				chosen;
	}
}

static int label_width(const struct view_label *label)
{
	return canvas_columns(label->text) + (label->name ? canvas_columns(label->name) + 3 : 3);
}

/* The least needed go first; of those alike the last, and no more than there is no room for. */
static void labels_fit(struct view_labels *labels, int width)
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

static void labels_place(struct view_labels *labels, int width)
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

static void labels_build(struct view_labels *labels, const struct model *model,
			 const struct view_state *state, int width)
{
	labels->n = 0;
	view_label(labels, 'q', 0, "q", "Quit");
	if (state->typing) {
		labels->n = 0;
		view_label(labels, KEY_ENTER_KEY, 0, "Enter", "Find");
		view_label(labels, KEY_ESCAPE, 0, "Esc", "Cancel");
	} else if (state->help) {
		view_label(labels, KEY_ESCAPE, 0, "Esc", "Close");
	} else {
		labels_session(labels, model, state);
		labels_view(labels, views_get(model, state->view), model, state);
		view_label(labels, '?', 1, "?", "Help");
	}
	labels_tabs(labels, model, state);
	labels_place(labels, width);
}

static void label_draw(struct canvas *canvas, int y, const struct view_label *label, bool bar)
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
	struct view_labels labels;

	labels_build(&labels, model, state, rect.w);
	for (int i = 0; i < labels.n; i++)
		label_draw(canvas, rect.y, &labels.list[i], i > labels.tabs);
}

int view_click(const struct model *model, const struct view_state *state, int width, int height,
	       int x, int y)
{
	struct view_labels labels;

	if (width < LAYOUT_LEAST_W || height < LAYOUT_LEAST_H || y != height - 1)
		return 0;
	labels_build(&labels, model, state, width);
	for (int i = 0; i < labels.n; i++)
		if (x >= labels.list[i].x && x < labels.list[i].x + labels.list[i].w - 1)
			return labels.list[i].key;
	return 0;
}
