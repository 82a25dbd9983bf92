/* SPDX-License-Identifier: MIT */
#include "view_cache.h"
#include "view_parts.h"
#include "views.h"

#include <stdio.h>

/* The bottom line: keys at the left, views at the right; also what a click is looked up in. */

struct view_label {
	struct view_spot spot;
	const char *name; /* of the key; NULL: a view's tab */
	char text[24];
	const char *brief; /* where there is little room; NULL: the same */
	int weight;	   /* as in the first line */
	bool chosen, absent;
};

struct view_labels {
	struct view_label list[VIEW_LABELS];
	int n, tabs; /* the first of the views */
};

struct view_label *view_label(struct view_labels *labels, int key, int weight, const char *name,
			      const char *text)
{
	int last = VIEW_LABELS - 1;
	struct view_label *label = &labels->list[labels->n < VIEW_LABELS ? labels->n++ : last];

	*label = (struct view_label) {.spot.key = key, .name = name, .weight = weight};
	snprintf(label->text, sizeof(label->text), "%s", text);
	return label;
}

void view_label_memory(struct view_labels *labels, const struct view_frame *frame)
{
	char text[24];

	snprintf(text, sizeof(text), "Memory: %s", metric_brief(frame->state->memory));
	view_label(labels, 'm', 3, "m", text)->brief = metric_brief(frame->state->memory);
}

/* Keys of what is played, or the one that begins to play it again. */
static void labels_clock(struct view_labels *labels, const struct model *model,
			 const struct view_state *state)
{
	if (!state->clock.shown) {
		if (!state->hold && model->n_runs > 0)
			view_label(labels, '<', 5, "<", "Slow motion")->brief = "Slow";
		return;
	}
	view_label(labels, '<', 3, "<", "Slower");
	view_label(labels, '>', 3, ">", "Faster");
	view_label(labels, ']', 4, "[ ]", "Run");
	if (state->live)
		view_label(labels, KEY_ESCAPE, 2, "Esc", "Live again")->brief = "Live";
}

static void labels_session(struct view_labels *labels, const struct view_frame *frame)
{
	const struct model *model = frame->model;
	const struct view_state *state = frame->state;

	if (state->live && state->hold)
		view_label(labels, ' ', 2, "Space", "Start");
	else if (state->clock.shown)
		view_label(labels, ' ', 2, "Space", state->clock.paused ? "Play" : "Pause");
	else if (!model_over(model))
		view_label(labels, ' ', 2, "Space", model_paused(model) ? "Go on" : "Pause");
	labels_clock(labels, model, state);
	if (frame->cache->has_cause && *frame->cache->cause.options && model_over(model))
		view_label(labels, 'y', 2, "y", "Why");
	if (state->next) {
		char text[24];

		snprintf(text, sizeof(text), "Next: %s", state->next);
		view_label(labels, 'E', 2, "E", text);
	}
	view_label(labels, 'e', state->next ? 4 : 8, "e", "Menu");
	if (state->live && !state->hold && !state->clock.shown)
		view_label(labels, 'r', 4, "r", "Once more")->brief = "More";
}

/* Nothing else has an effect that could be seen. */
static void labels_vote(struct view_labels *labels, const struct view_state *state)
{
	view_label(labels, ' ', 1, "Space", state->hold ? "Start" : "Reveal");
	view_label(labels, 'v', 3, "v", "No vote");
}

static void labels_over(struct view_labels *labels, const struct view_state *state)
{
	view_label(labels, 'p', state->present ? 2 : 10, "p", state->present ? "Leave" : "Large");
	view_label(labels, 'v', 11, "v", "Vote");
}

/* What a presenter's remote sends, and the speaker's notes. */
static void labels_lecture(struct view_labels *labels, const struct view_state *state)
{
	const struct view_lecture *lecture = &state->lecture;

	if (!lecture->heading)
		return;
	if (state->vote && !state->hold)
		view_label(labels, KEY_PAGE_DOWN, 1, "PgDn", "Reveal");
	else if (lecture->scene + 1 < lecture->scenes)
		view_label(labels, KEY_PAGE_DOWN, 1, "PgDn", "Next scene")->brief = "Next";
	if (lecture->scene > 0)
		view_label(labels, KEY_PAGE_UP, 2, "PgUp", "Back");
	view_label(labels, 'n', 3, "n", "Notes");
}

static void labels_view(struct view_labels *labels, const struct view_frame *frame)
{
	const struct view_ops *ops = views_get(frame->model, frame->state->view);
	bool zooms = ops && ops->zooms;

	if (ops && ops->labels)
		ops->labels(labels, frame);
	if (zooms)
		view_label(labels, '+', 6, "+ - =", "Zoom");
	if (zooms && (frame->state->zoom > 1 || frame->state->window_to_ns > 0))
		view_label(labels, KEY_RIGHT_ARROW, 5, "← →", "Move");
	else if (frame->shown->most_column > 0)
		view_label(labels, KEY_RIGHT_ARROW, 5, "← →", "Columns");
	if (frame->shown->most_scroll > 0)
		view_label(labels, KEY_DOWN_ARROW, 7, "↑ ↓", "Scroll");
	view_label(labels, 's', 5, "s", "Snapshot")->brief = "Save";
	view_label(labels, 'S', 11, "S", "Slide");
	view_label(labels, 't', 5, "t", "Theme");
	view_label(labels, 'i', 12, "i", "Captions");
}

/* From here on the views have their names, and below that none but the one that is shown. */
enum { TABS_FULL = 100, TABS_BRIEF = 60 };

/* "1Overview", "1Over"; a view that is not there has "·" for its number. */
static void labels_tab(struct view_labels *labels, const struct view_frame *frame, int number,
		       int width)
{
	const struct view_ops *there = views_get(frame->model, number);
	const struct view_ops *ops = there ? there : views_named(number);
	bool chosen = frame->state->view == number;
	struct view_label *label;
	char text[24];

	if (!ops || (width < TABS_BRIEF && !chosen))
		return;
	snprintf(text, sizeof(text), "%s%s", there ? (char[]) {(char)('0' + number), '\0'} : "·",
		 width < TABS_FULL && !chosen ? ops->brief : ops->name);
	label = view_label(labels, '0' + number, 0, NULL, text);
	label->chosen = chosen;
	label->absent = !there;
}

static void labels_tabs(struct view_labels *labels, const struct view_frame *frame, int width)
{
	labels->tabs = labels->n;
	for (int i = 1; i <= VIEW_NUMBERS; i++)
		labels_tab(labels, frame, i, width);
}

/* A key has a blank between its name and the text and two behind, a tab one. */
static int label_w(const struct view_label *label)
{
	int text_w = utf8_columns(label->text);

	return label->name ? utf8_columns(label->name) + text_w + 3 : text_w + 1;
}

/* The longer word goes first from what is needed least. Returns what is used then. */
static int labels_shorten(struct view_labels *labels, int used, int width)
{
	for (int weight = VIEW_LABELS; weight > 0; weight--)
		for (int i = labels->n - 1; i >= 0 && used >= width; i--) {
			struct view_label *label = &labels->list[i];

			if (label->weight != weight || !label->brief || !label->spot.w)
				continue;
			snprintf(label->text, sizeof(label->text), "%s", label->brief);
			used -= label->spot.w - label_w(label);
			label->spot.w = label_w(label);
		}
	return used;
}

/* The least needed go first, down to a weight; of those alike the last. Returns what is used then.
 */
static int labels_drop(struct view_labels *labels, int down_to, int used, int width)
{
	for (int weight = VIEW_LABELS; weight >= down_to; weight--)
		for (int i = labels->n - 1; i >= 0 && used >= width; i--)
			if (labels->list[i].weight == weight) {
				used -= labels->list[i].spot.w;
				labels->list[i].spot.w = 0;
			}
	return used;
}

/* Words become brief before keys go, but for those that are seldom needed. */
enum { LABELS_SELDOM = 12 };

static void labels_fit(struct view_labels *labels, int width)
{
	int used = 0;

	for (int i = 0; i < labels->n; i++)
		used += labels->list[i].spot.w = label_w(&labels->list[i]);
	used = labels_drop(labels, LABELS_SELDOM, used, width);
	used = labels_shorten(labels, used, width);
	labels_drop(labels, 1, used, width);
}

static void labels_place(struct view_labels *labels, int width)
{
	int x = 1, end = width; /* the last tab's blank is the margin */

	labels_fit(labels, width);
	for (int i = 0; i < labels->tabs; i++) {
		labels->list[i].spot.x = x;
		x += labels->list[i].spot.w;
	}
	for (int i = labels->n - 1; i >= labels->tabs; i--) {
		end -= labels->list[i].spot.w;
		labels->list[i].spot.x = end;
	}
}

static void labels_build(struct view_labels *labels, const struct view_frame *frame, int width)
{
	const struct view_state *state = frame->state;

	if (state->typing) {
		view_label(labels, KEY_ENTER_KEY, 0, "Enter", "Find");
		view_label(labels, KEY_ESCAPE, 0, "Esc", "Cancel");
	} else {
		view_label(labels, 'q', 0, "q", "Quit");
	}
	if (!state->typing)
		labels_lecture(labels, state);
	if (!state->typing && (state->help || state->lecture.open)) {
		view_label(labels, KEY_ESCAPE, 0, "Esc", "Close");
	} else if (state->lecture.slide) {
		view_label(labels, 't', 5, "t", "Theme");
		labels->tabs = labels->n;
		return;
	} else if (state->vote) {
		labels_vote(labels, state);
	} else if (!state->typing) {
		labels_session(labels, frame);
		labels_over(labels, state);
		labels_view(labels, frame);
		view_label(labels, '?', 1, "?", "Help");
	}
	labels_tabs(labels, frame, width);
}

/* The number is a key, and looks like one. */
static void tab_draw(struct canvas *canvas, int y, const struct view_label *label)
{
	struct style style = label->chosen ? STYLE_BOLD(COLOUR_TITLE) : STYLE(COLOUR_DIM);
	struct style number = label->absent ? style : STYLE_BOLD(COLOUR_KEY);

	if (label->chosen) {
		style.attr |= ATTR_REVERSE;
		number = style;
	}
	canvas_text(canvas, label->spot.x, y, -1, style, label->text);
	canvas_text(canvas, label->spot.x, y, 1, number, label->text);
}

static void label_draw(struct canvas *canvas, int y, const struct view_label *label)
{
	int x = label->spot.x;

	if (!label->spot.w)
		return;
	if (!label->name) {
		tab_draw(canvas, y, label);
		return;
	}
	x = canvas_text(canvas, x, y, -1, STYLE_BOLD(COLOUR_KEY), label->name) + 1;
	canvas_text(canvas, x, y, -1, STYLE(COLOUR_DIM), label->text);
}

void view_keys_draw(const struct view_frame *frame, struct rect rect)
{
	struct view_labels labels = {.n = 0};
	struct view_shown *shown = frame->shown;

	labels_build(&labels, frame, rect.w);
	labels_place(&labels, rect.w);
	shown->labels_y = rect.y;
	for (shown->n_labels = 0; shown->n_labels < labels.n; shown->n_labels++) {
		const struct view_label *label = &labels.list[shown->n_labels];

		label_draw(frame->canvas, rect.y, label);
		shown->labels[shown->n_labels] = label->spot;
	}
}
