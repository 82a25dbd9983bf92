/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include <math.h>
#include <stdlib.h>

#include "model/model_sweep.h"
#include "draw/text.h"
#include "view_parts.h"
#include "view_rows.h"
#include "views.h"

bool view_offered(const struct model *model, int number)
{
	return views_get(model, number);
}

/* What m goes through. */
static const enum model_metric memories[] = {
	METRIC_PSS, METRIC_RSS, METRIC_USS, METRIC_KERNEL, METRICS,
};

void view_state_init(struct view_state *state)
{
	*state = (struct view_state) {.view = views_at(0)->number,
				      .zoom = 1,
				      .anchor = -1,
				      .memory = memories[0],
				      .metric = metric_curves[0]};
}

void view_state_free(struct view_state *state)
{
	view_rows_free(state->rows);
	free(state->sweep);
	view_state_init(state);
}

/* Who leads at the swept value that is being measured, or else of all that can be compared. */
static void view_lead(struct view_cache *cache, const struct model *model)
{
	uint32_t first = 0, last = model->n_cases - 1;
	const struct model_run *run = model_newest(model);
	bool sweeps = model_sweeps(model), joined = model->n_origins > 0;

	cache->decided = false;
	cache->lead.others = 0;
	if (model->n_cases < 2)
		return;
	if (joined)
		last = 1;
	if (sweeps && run)
		while (!model_comparable(&model->cases[first], &model->cases[run->id.icase]))
			first++;
	if (finding_lead(model, first, last, &cache->lead) != 0)
		cache->lead.others = 0;
	else
		cache->decided = !sweeps && !joined && cache->lead.sure == FINDING_REAL;
}

/* Those of a sweep that do different work are not put beside one another, nor is the clock. */
static void view_cache_compare(struct view_cache *cache, const struct model *model, uint32_t a)
{
	for (uint32_t b = a + 1; b < model->n_cases && cache->n_compared < VIEW_COMPARED; b++) {
		if (!model_comparable(&model->cases[a], &model->cases[b]))
			continue;
		if (!model_compare(model, a, b, model_headline(model),
				   &cache->elapsed[cache->n_compared]))
			cache->n_compared++;
	}
}

/* The verdict changes only when a run begins or ends. */
static void view_cache_fill(struct view_cache *cache, const struct model *model)
{
	uint32_t firsts = model_sweeps(model) ? model->n_cases : 1;
	struct finding_list list;

	cache->n_compared = 0;
	for (uint32_t i = 0; i < firsts; i++)
		view_cache_compare(cache, model, i);
	view_lead(cache, model);
	finding_list_read(&list, model);
	for (int i = 0; i < VERDICT_LENGTHS; i++)
		verdict_of(&list, (enum verdict_length)i, cache->sentence[i],
			   sizeof(cache->sentence[i]));
	finding_list_free(&list);
	cache->n_warnings = model_warnings(model, cache->warnings);
	if (cache->n_warnings < 0)
		cache->n_warnings = 0;
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

/* The screen with the longest wording of the sentence that it has room for. */
static struct layout_frame view_frame(struct view_state *state, int width, int height,
				      struct layout_wish *wish, bool without)
{
	struct view_cache *cache = &state->cache;
	struct layout_frame frame;

	for (int i = 0; i < VERDICT_LENGTHS; i++) {
		if (i > 0 && (!*cache->sentence[i] || state->hold))
			continue;
		cache->wording = i;
		wish->sentence = without ? "" : view_sentence(state);
		frame = layout_frame(width, height, wish);
		if (without || frame.ask ||
		    text_lines(wish->sentence, frame.sentence.w) <= frame.sentence.h)
			break;
	}
	return frame;
}

void view_draw(struct canvas *canvas, const struct model *model, struct view_state *state)
{
	const struct view_ops *ops = views_get(model, state->view);
	struct layout_wish wish = {
		.main = ops && ops->roomy,
		.pairs = model->n_cases > 1,
	};
	struct rect clock = {0, canvas->height - 2, canvas->width, state->clock.shown};
	struct layout_frame frame;

	canvas_clear(canvas);
	view_cache_refresh(&state->cache, model);
	if (clock.y < LAYOUT_LEAST_H)
		clock.h = 0;
	frame = view_frame(state, canvas->width, canvas->height - clock.h, &wish,
			   ops && ops->answers);
	if (frame.ask) {
		view_ask(canvas, frame.first);
		return;
	}
	state->most_column = 0;
	state->anchor = -1;
	if (ops)
		ops->draw(canvas, frame.body, model, state);
	view_first_draw(canvas, frame.first, model, state);
	view_verdict_draw(canvas, &frame, model, state);
	if (clock.h)
		view_clock_draw(canvas, clock, model, &state->clock);
	frame.keys.y = canvas->height - 1;
	view_keys_draw(canvas, frame.keys, model, state);
	if (state->help)
		view_help_draw(canvas, frame.body, state);
}

/* Keys. */

static void view_choose(struct view_state *state, int number)
{
	state->view = number;
	state->scroll = 0;
	state->help_scroll = 0;
}

static void view_step(struct view_state *state, const struct model *model, int by)
{
	int number = state->view;

	do
		number = (number - 1 + by + VIEW_NUMBERS) % VIEW_NUMBERS + 1;
	while (!views_get(model, number));
	view_choose(state, number);
}

static bool view_key_views(struct view_state *state, const struct model *model, int key)
{
	if (key == KEY_TAB)
		view_step(state, model, 1);
	else if (key == KEY_BACK_TAB)
		view_step(state, model, -1);
	else if (key >= '1' && key < '1' + VIEW_NUMBERS && views_get(model, key - '0'))
		view_choose(state, key - '0');
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

/* Around the middle of what is shown, or what the view holds on to. */
static void view_zoom(struct view_state *state, double by)
{
	double place = 0.5, at = state->from + 0.5 / state->zoom;

	if (state->anchor >= 0) {
		at = state->anchor;
		place = (at - state->from) * state->zoom;
		place = place >= 0 && place <= 1 ? place : 0.5;
	}
	state->zoom = fmin(ZOOM_MOST, fmax(1, state->zoom * by));
	state->from = fmax(0, fmin(1 - 1 / state->zoom, at - place / state->zoom));
}

static bool view_key_time(struct view_state *state, const struct view_ops *ops, int key)
{
	double step = state->zoom > 1 ? 0.2 / state->zoom : 0;

	if (!ops || !ops->zooms)
		return false;
	if (key == '+')
		view_zoom(state, 2);
	else if (key == '-')
		view_zoom(state, 0.5);
	else if (key == '=')
		view_zoom(state, 0);
	else if (key == 'm')
		state->memory = metric_next(memories, state->memory);
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
	const struct view_ops *ops = views_get(model, state->view);

	state->notice = NULL;
	if (state->typing)
		return ops->key(state, model, key);
	if (view_key_help(state, key) || view_key_views(state, model, key))
		return true;
	if (state->help)
		return false;
	return view_key_time(state, ops, key) || (ops && ops->key && ops->key(state, model, key));
}
