/* SPDX-License-Identifier: MIT */
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"
#include "view_parts.h"

#define SECOND INT64_C(1000000000)

const struct view_ops *view_get(enum view_id id)
{
	switch (id) {
	case VIEW_OVERVIEW:
		return &view_overview;
	case VIEW_MEMORY:
		return &view_memory;
	case VIEW_RESULTS:
		return &view_results;
	case VIEW_MESSAGES:
		return &view_messages;
	default:
		return NULL;
	}
}

void view_state_init(struct view_state *state)
{
	*state = (struct view_state) {.view = VIEW_OVERVIEW, .zoom = 1};
}

/* The verdict changes only when a run begins or ends. */
static void view_cache_fill(struct view_cache *cache, const struct model *model)
{
	cache->n_compared = 0;
	for (uint32_t i = 1; i < model->n_cases && cache->n_compared < VIEW_COMPARED; i++)
		if (!model_compare(model, 0, i, METRIC_ELAPSED, &cache->elapsed[cache->n_compared]))
			cache->n_compared++;
	model_verdict(model, cache->sentence, sizeof(cache->sentence));
}

static void view_cache_refresh(struct view_cache *cache, const struct model *model)
{
	const struct model_run *running = model_running(model);
	struct view_cache_key key = {
		.ended = model_runs_ended(model),
		.running = running ? running->id.run : UINT32_MAX,
		.done = model->done && model->now_ns >= model->done_ns,
		.session = model->has_session,
	};

	if (cache->valid && cache->key.ended == key.ended && cache->key.running == key.running &&
	    cache->key.done == key.done && cache->key.session == key.session)
		return;
	view_cache_fill(cache, model);
	cache->key = key;
	cache->valid = true;
}

/* The first line: parts in order of place; those of the least weight go first. */

enum { PARTS = 16 };

struct part {
	char text[SAMPLE_LABEL * 2];
	struct style style;
	int weight; /* 0: stays */
	bool right;
	bool close; /* no gap before it */
};

struct line {
	struct part parts[PARTS];
	int n;
};

static struct part *line_add(struct line *line, int weight, bool right, struct style style)
{
	struct part *part = &line->parts[line->n < PARTS ? line->n++ : PARTS - 1];

	*part = (struct part) {.style = style, .weight = weight, .right = right};
	return part;
}

static int line_gap(const struct part *part)
{
	return part->close ? 0 : 2;
}

static int line_width(const struct line *line)
{
	int width = 0;

	for (int i = 0; i < line->n; i++)
		if (line->parts[i].weight >= 0)
			width += canvas_columns(line->parts[i].text) + line_gap(&line->parts[i]);
	return width;
}

static void line_fit(struct line *line, int width)
{
	for (int weight = PARTS; weight > 0 && line_width(line) > width; weight--)
		for (int i = 0; i < line->n; i++)
			if (line->parts[i].weight == weight)
				line->parts[i].weight = -1;
}

static void line_draw(struct canvas *canvas, struct rect rect, struct line *line)
{
	int x = rect.x + 1, end = rect.x + rect.w - 1;

	line_fit(line, rect.w + 1);
	for (int i = 0; i < line->n; i++) {
		const struct part *part = &line->parts[i];

		if (part->weight < 0 || part->right)
			continue;
		x += i ? line_gap(part) : 0;
		x = canvas_text(canvas, x, rect.y, end - x, part->style, part->text);
	}
	for (int i = line->n - 1; i >= 0; i--) {
		const struct part *part = &line->parts[i];

		if (part->weight >= 0 && part->right)
			end = canvas_right(canvas, end, rect.y, part->style, part->text) -
			      line_gap(part);
	}
}

enum { LINE_CASES = 4 };

static void first_cases(struct line *line, const struct model *model)
{
	if (model->n_cases > LINE_CASES) {
		snprintf(line_add(line, 5, false, STYLE(COLOUR_DEFAULT))->text, SAMPLE_LABEL,
			 "%u cases", model->n_cases);
		return;
	}
	for (uint32_t i = 0; i < model->n_cases; i++) {
		struct part *part;

		if (i) {
			part = line_add(line, 5, false, STYLE(COLOUR_BORDER));
			part->close = true;
			snprintf(part->text, sizeof(part->text), " │ ");
		}
		part = line_add(line, 5, false, STYLE_BOLD(view_hue(model, i)));
		part->close = i > 0;
		model_case_name(model, i, part->text, sizeof(part->text));
	}
}

static uint32_t first_trial(const struct model *model)
{
	uint32_t trial = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (run && run->id.trial > trial)
			trial = run->id.trial;
	}
	return trial;
}

static void first_progress(struct line *line, const struct model *model)
{
	struct part *part = line_add(line, 3, false, STYLE(COLOUR_DEFAULT));
	uint32_t trial = first_trial(model), trials = model->session.trials;
	int64_t left = model_time_left(model);
	char time[32];

	if (trial)
		snprintf(part->text, sizeof(part->text), "trial %u of %u", trial,
			 trial > trials ? trial : trials);
	else
		snprintf(part->text, sizeof(part->text), "%s",
			 model_running(model) ? "warm-up" : "no run yet");
	part = line_add(line, 4, false, STYLE(COLOUR_DIM));
	if (model->done && model->now_ns >= model->done_ns)
		snprintf(part->text, sizeof(part->text), "done");
	else if (model_paused(model))
		snprintf(part->text, sizeof(part->text), "paused");
	else if (left >= 0 && left < 100 * SECOND)
		snprintf(part->text, sizeof(part->text), "about %lld s left",
			 (long long)((left + SECOND / 2) / SECOND));
	else if (left >= 0)
		snprintf(part->text, sizeof(part->text), "about %s left",
			 units_format_time(time, sizeof(time), left, false));
}

static const char *first_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void first_log(struct line *line, const struct model *model, const struct view_state *state)
{
	bool recording = state->live && !(model->done && model->now_ns >= model->done_ns);
	struct part *part;

	if (!state->log_name)
		return;
	part = line_add(line, 8, true, STYLE(recording ? COLOUR_BAD : COLOUR_DIM));
	snprintf(part->text, sizeof(part->text), "%s", recording ? "●" : "▸");
	part = line_add(line, 8, true, STYLE(COLOUR_DIM));
	part->close = true;
	snprintf(part->text, sizeof(part->text), " %.40s", first_base_name(state->log_name));
}

static void view_first(struct canvas *canvas, struct rect rect, const struct model *model,
		       const struct view_state *state)
{
	struct line line = {.n = 0};
	struct part *part = line_add(&line, 2, false, STYLE_BOLD(COLOUR_TITLE));
	double own = model_self_load(model);
	int seconds = (int)(model->now_ns / SECOND);

	snprintf(part->text, sizeof(part->text), "tuibench");
	part = line_add(&line, 6, false, STYLE(COLOUR_DEFAULT));
	snprintf(part->text, sizeof(part->text), "%s", model->session.title);
	first_cases(&line, model);
	first_progress(&line, model);
	first_log(&line, model, state);
	part = line_add(&line, 7, true, STYLE(COLOUR_DIM));
	if (isnan(own))
		snprintf(part->text, sizeof(part->text), "own cost   ? %%");
	else
		snprintf(part->text, sizeof(part->text), "own cost %3.1f %%", own * 100);
	part = line_add(&line, 1, true, STYLE_BOLD(COLOUR_DEFAULT));
	snprintf(part->text, sizeof(part->text), "%02d:%02d", seconds / 60, seconds % 60);
	line_draw(canvas, rect, &line);
}

/* The bottom line: keys at the left, views at the right; also what a click is looked up in. */

enum { LABELS = 24 };

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

static bool view_zooms(const struct view_state *state)
{
	return state->view == VIEW_OVERVIEW || state->view == VIEW_MEMORY;
}

static void labels_session(struct labels *labels, const struct model *model,
			   const struct view_state *state)
{
	bool over = model->done && model->now_ns >= model->done_ns;

	if (state->live && state->hold)
		label_add(labels, ' ', 2, "Space", "Start");
	else if (state->live && !over)
		label_add(labels, ' ', 2, "Space", model_paused(model) ? "Go on" : "Pause");
	if (state->live && !state->hold)
		label_add(labels, 'r', 4, "r", "Once more");
}

static void labels_view(struct labels *labels, const struct view_state *state)
{
	char text[24];

	if (view_zooms(state)) {
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
	label_add(labels, 't', 8, "t", "Theme");
}

static void labels_tabs(struct labels *labels, const struct view_state *state)
{
	labels->tabs = labels->n;
	for (int id = VIEW_OVERVIEW; id <= VIEWS; id++) {
		struct label *label;
		char number[2] = {(char)('0' + id), '\0'};

		if (!view_get((enum view_id)id))
			continue;
		label = label_add(labels, '0' + id, 0, NULL, number);
		label->chosen = (int)state->view == id;
		if (label->chosen)
			snprintf(label->text, sizeof(label->text), "%s",
				 view_get((enum view_id)id)->name);
	}
}

static int label_width(const struct label *label)
{
	return canvas_columns(label->text) + (label->name ? canvas_columns(label->name) + 3 : 3);
}

static void labels_fit(struct labels *labels, int width)
{
	int used = 0;

	for (int i = 0; i < labels->n; i++)
		used += labels->list[i].w = label_width(&labels->list[i]);
	for (int weight = LABELS; weight > 0 && used > width; weight--)
		for (int i = 0; i < labels->n; i++)
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
	if (state->help) {
		label_add(labels, KEY_ESCAPE, 0, "Esc", "Close");
	} else {
		labels_session(labels, model, state);
		labels_view(labels, state);
		label_add(labels, '?', 1, "?", "Help");
	}
	labels_tabs(labels, state);
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

static void view_keys(struct canvas *canvas, struct rect rect, const struct model *model,
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

/* As much of it as fits, down to a single cell. */
static void view_ask(struct canvas *canvas, struct rect rect)
{
	static const char *const texts[] = {"tuibench needs 40x12: please make the window larger",
					    "tuibench needs 40x12", "needs 40x12", "40x12"};
	size_t i = 0;

	while (i < sizeof(texts) / sizeof(texts[0]) - 1 && canvas_columns(texts[i]) > rect.w)
		i++;
	canvas_text(canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_WARN), texts[i]);
}

void view_draw(struct canvas *canvas, const struct model *model, struct view_state *state)
{
	const struct view_ops *ops = view_get(state->view);
	struct layout_wish wish = {
		.main = state->view == VIEW_OVERVIEW,
		.sentence = state->cache.sentence,
		.pairs = model->n_cases > 1,
	};
	struct layout_frame frame;

	canvas_clear(canvas);
	view_cache_refresh(&state->cache, model);
	frame = layout_frame(canvas->width, canvas->height, &wish);
	if (frame.ask) {
		view_ask(canvas, frame.first);
		return;
	}
	if (ops)
		ops->draw(canvas, frame.body, model, state);
	view_first(canvas, frame.first, model, state);
	view_verdict_draw(canvas, &frame, model, state);
	view_keys(canvas, frame.keys, model, state);
	if (state->help)
		view_help_draw(canvas, frame.body, state);
}

/* Keys. */

static void view_choose(struct view_state *state, enum view_id id)
{
	state->view = id;
	state->scroll = 0;
	state->help_scroll = 0;
}

static void view_step(struct view_state *state, int by)
{
	int id = (int)state->view;

	do
		id = (id - 1 + by + VIEWS) % VIEWS + 1;
	while (!view_get((enum view_id)id));
	view_choose(state, (enum view_id)id);
}

static bool view_key_views(struct view_state *state, int key)
{
	if (key == KEY_TAB)
		view_step(state, 1);
	else if (key == KEY_BACK_TAB)
		view_step(state, -1);
	else if (key >= '1' && key < '1' + VIEWS && view_get((enum view_id)(key - '0')))
		view_choose(state, (enum view_id)(key - '0'));
	else
		return false;
	return true;
}

static bool view_key_help(struct view_state *state, int key)
{
	bool toggles = key == '?' || key == 'h' || key == KEY_F1;

	if (!toggles && !(state->help && key == KEY_ESCAPE))
		return state->help && view_scroll(&state->help_scroll, key);
	state->help = !state->help;
	state->help_scroll = 0;
	return true;
}

enum { ZOOM_MOST = 1 << 16 };

/* Around the middle of what is shown. */
static void view_zoom(struct view_state *state, double by)
{
	double middle = state->from + 0.5 / state->zoom;

	state->zoom = fmin(ZOOM_MOST, fmax(1, state->zoom * by));
	state->from = fmax(0, fmin(1 - 1 / state->zoom, middle - 0.5 / state->zoom));
}

static bool view_key_time(struct view_state *state, int key)
{
	double step = state->zoom > 1 ? 0.2 / state->zoom : 0;

	if (!view_zooms(state))
		return false;
	if (key == '+')
		view_zoom(state, 2);
	else if (key == '-')
		view_zoom(state, 0.5);
	else if (key == '=')
		view_zoom(state, 0);
	else if (key == 'm')
		state->memory = (enum view_memory)((state->memory + 1) % VIEW_MEMORIES);
	else if (key == KEY_LEFT_ARROW && step > 0)
		state->from = fmax(0, state->from - step);
	else if (key == KEY_RIGHT_ARROW && step > 0)
		state->from = fmin(1 - 1 / state->zoom, state->from + step);
	else
		return false;
	return true;
}

bool view_key(struct view_state *state, const struct model *model, int key)
{
	const struct view_ops *ops = view_get(state->view);

	state->notice = NULL;
	if (view_key_help(state, key) || view_key_views(state, key))
		return true;
	if (state->help)
		return false;
	return view_key_time(state, key) || (ops && ops->key && ops->key(state, model, key));
}
