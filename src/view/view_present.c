/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "core/comparison.h"
#include "view_cache.h"

/* A panel that is as large as possible: each case's median in large digits, and its bar. */

enum { SCALE_MOST = 4, BLOCK_LEAST = 4 };

struct present_block {
	struct view_median median;
	char number[32], unit[16];
};

static void present_draw_block(const struct view_frame *frame, struct rect rect,
			       const struct present_block *block, int scale, double most)
{
	struct style style = STYLE_BOLD(view_hue(frame->model, block->median.case_id));
	/*
	 * Separate digits and bar by a blank row if the digits fill their rows completely;
	 * otherwise the two would look like one shape.
	 */
	int rows = digits_rows(scale), x, bar_y = 1 + rows + (scale % 2 == 0);
	int bar_h = MAX(0, rect.h - bar_y - 1); /* minus a blank row */
	double share = block->median.value / most * (1 - frame->state->hidden);
	int eighths = isnan(share) ? 0 : (int)lround(share * rect.w * 8);
	struct style hue = STYLE(style.fg);
	char trials[32], name[SAMPLE_NAME + 8];

	snprintf(trials, sizeof(trials), "%zu trial%s", block->median.trials,
		 sentence_plural(block->median.trials));
	model_case_name(frame->model, block->median.case_id, name, sizeof(name));
	view_mark_name(frame->canvas, RECT(rect.x, rect.y, rect.w - utf8_columns(trials) - 2, 1),
		       frame->model, block->median.case_id, name);
	canvas_right(frame->canvas, rect.x + rect.w, rect.y, DIM, trials);
	if (frame->state->hidden <= 0) {
		x = digits_draw(frame->canvas, rect.x, rect.y + 1, scale, style, block->number);
		canvas_text(frame->canvas, x + 1, rect.y + rows, rect.w, style, block->unit);
	}
	view_fill_eighths(frame->canvas, RECT(rect.x, rect.y + bar_y, rect.w, bar_h), eighths, hue);
}

void view_present_draw(const struct view_frame *frame, struct rect body)
{
	const struct model *model = frame->model;
	const struct model_comparison *pair = &frame->cache->pair;
	const char *metric = metric_brief(view_headline(model));
	struct rect inner = view_box(frame->canvas, body, "the medians", metric);
	const int room = MIN(inner.h / BLOCK_LEAST, VIEW_PRESENTED);
	uint32_t first, end, two[] = {pair->a, pair->b};
	struct present_block blocks[VIEW_PRESENTED];
	double most = NAN;
	char title[48];
	bool pair_alone;
	int n, scale = 1;

	/*
	 * Shows the cases that are compared with the running one. If not all fit, or after a sweep,
	 * shows the two cases that the sentence compares, if there are two.
	 */
	view_alike(frame, &first, &end);
	pair_alone = frame->cache->has_pair &&
		     (end - first > (uint32_t)room || (model_over(model) && model_sweeps(model)));
	if (pair_alone)
		n = 2;
	else
		n = MAX(0, MIN((int)(end - first), room));
	for (int i = 0; i < n; i++) {
		uint32_t case_id = pair_alone ? two[i] : first + (uint32_t)i;
		struct view_median median = view_cache_median(frame->cache, model, case_id);
		const char *text = METRIC_TEXT(view_headline(model), median.value);
		const char *unit = strchrnul(text, ' ');
		uint32_t workers = plan_leaves(&model->cases[case_id].plan);
		struct present_block *block = &blocks[i];

		block->median = median;
		snprintf(block->number, sizeof(block->number), "%.*s", (int)(unit - text), text);
		snprintf(block->unit, sizeof(block->unit), "%s", *unit ? unit + 1 : "");
		most = fmax(most, median.value);
		if (model_has_faults(model)) {
			snprintf(block->unit, sizeof(block->unit), "of %u", workers);
			most = workers;
		}
	}
	if (n < (int)model->n_cases) {
		snprintf(title, sizeof(title), "the medians, %d of %u", n, model->n_cases);
		view_box(frame->canvas, body, title, metric);
	}
	if (n > 0)
		inner.h = inner.h / n;
	else
		inner.h = 0;
	/*
	 * The largest scale that leaves a row for the name, two for the bar, a blank row, and half
	 * the width for the unit.
	 */
	for (; scale < SCALE_MOST; scale++) {
		int next = scale + 1, widest = 0;

		for (int i = 0; i < n; i++)
			widest = MAX(widest, digits_columns(blocks[i].number, next));
		if (widest > inner.w / 2 || digits_rows(next) + (next % 2 == 0) + 4 > inner.h)
			break;
	}
	for (int i = 0; i < n; i++, inner.y += inner.h)
		present_draw_block(frame, inner, &blocks[i], scale, most);
}

/* Draws a row of text in the middle, and removes it from rect. */
static void draw_centred(const struct view_frame *frame, struct rect *rect, struct style style,
			 const char *text)
{
	int w = utf8_columns(text);

	if (rect->h < 1)
		return;
	canvas_text(frame->canvas, rect->x + MAX(0, (rect->w - w) / 2), rect->y, rect->w, style,
		    text);
	rect->y++;
	rect->h--;
}

/* A field has at most this many lines, so that its name stays prominent. */
enum { BALLOT_MOST = 3 };

/*
 * Whether each setting of the case is its kind of work or one that a sweep can vary. A line above
 * the fields then has their values.
 */
static bool ballot_is_swept(const struct sample_case *config)
{
	for (uint32_t i = 0; i < config->variables.n; i++)
		if (!comparison_swept(&config->variables.list[i]) &&
		    strcmp(config->variables.list[i].name, "work") != 0)
			return false;
	return config->variables.n > 0;
}

/*
 * Writes the kinds of work and the swept setting of all cases: "fp, mem, write; workers 2 to 8"; ""
 * if the cases have other settings or none.
 */
static const char *cover_swept_range(const struct model *model, char *buf, size_t size)
{
	const struct variable *low = NULL, *high = NULL;
	struct sentence s = sentence_in(buf, size);

	*buf = '\0';
	for (uint32_t i = 0; i < model->n_cases && ballot_is_swept(&model->cases[i]); i++) {
		const struct variable *at = model_swept(&model->cases[i]);
		const char *work = model_work(&model->cases[i]);
		uint32_t first = 0;

		while (strcmp(model_work(&model->cases[first]), work) != 0)
			first++;
		if (*work && first == i)
			sentence_join(&s, ", ", "%s", work);
		if (at && (!low || at->number < low->number))
			low = at;
		if (at && (!high || at->number > high->number))
			high = at;
	}
	if (low)
		sentence_join(&s, "; ", "%s %s to %s", low->name, low->value, high->value);
	return buf;
}

/*
 * Spaces the letters out if there is room, "t h r e a d s", so that the last row of seats can read
 * the text.
 */
static void ballot_space(const char *text, int w, char *buf, size_t size)
{
	const int columns = utf8_columns(text);
	struct sentence s = sentence_in(buf, size);
	const char *end = text;

	sentence_add(&s, "%s", "");
	while (2 * columns <= w && *text) {
		utf8_next(&end);
		sentence_join(&s, " ", "%.*s", (int)(end - text), text);
		text = end;
	}
	sentence_add(&s, "%s", text);
}

void view_cover_draw(const struct view_frame *frame, struct rect rect)
{
	struct rect inner = view_box(frame->canvas, rect, NULL, NULL);
	struct rect below = {inner.x, inner.y + inner.h - 2, inner.w, 2};
	const struct model *model = frame->model;
	const char *ballot = frame->state->ballot;
	uint32_t ended = model_runs_ended(model), first = 0, end = 0;
	char text[64];

	inner.h -= 3;
	if (inner.h > 12) {
		inner.y++;
		inner.h--;
	}
	if (model->n_cases > 0)
		view_alike(frame, &first, &end);
	if (model_has_faults(model))
		ballot = "How many workers survive?";
	else if (!ballot && end - first > 2)
		ballot = "Which will be fastest?";
	draw_centred(frame, &inner, STYLE_BOLD(COLOUR_TITLE),
		     sentence_text(ballot, "Which will be faster?"));
	draw_centred(frame, &inner, PLAIN,
		     cover_swept_range(model, (char[SAMPLE_TEXT]) {0}, SAMPLE_TEXT));
	if (model->n_cases > 0) {
		int n, h;

		n = (int)(end - first);
		if (n > 0)
			h = inner.h / n - 1;
		else
			h = 0;
		if (h > BALLOT_MOST)
			h = BALLOT_MOST;
		for (uint32_t i = first; i < end && (h > 0 || inner.h > 0); i++) {
			/* A field in the case's hue with its name, for the audience to vote on. */
			struct style style = {.fg = view_hue(model, i),
					      .attr = h > 0 ? ATTR_BOLD | ATTR_REVERSE : ATTR_BOLD};
			struct rect field = {inner.x, inner.y, inner.w, MAX(h, 1)};
			char name[2 * SAMPLE_NAME + 8], fit[SAMPLE_NAME], wide[2 * SAMPLE_NAME],
				shape[UTF8_BYTES];
			const char *whole = MODEL_CASE_NAME(model, i);

			if (ballot_is_swept(&model->cases[i]))
				whole = model->cases[i].model;
			utf8_put(view_shape(model, i), shape);
			view_fit(model, whole, field.w - 2, fit, sizeof(fit));
			ballot_space(fit, field.w - 4, wide, sizeof(wide));
			snprintf(name, sizeof(name), "%s %s", shape, wide);
			if (h > 0)
				canvas_fill(frame->canvas, field, ' ', style);
			field.y += MAX(h, 0) / 2;
			draw_centred(frame, &field, style, name);
			inner.y += MAX(h, 0) + 1;
			inner.h -= MAX(h, 0) + 1;
		}
	}
	if (model_over(model))
		snprintf(text, sizeof(text), "All runs have ended.");
	else if (ended == 1)
		snprintf(text, sizeof(text), "1 run has ended so far.");
	else
		snprintf(text, sizeof(text), "%u runs have ended so far.", ended);
	draw_centred(frame, &below, PLAIN, text);
	draw_centred(frame, &below, STYLE_BOLD(COLOUR_KEY),
		     frame->state->hold ? "Space starts the first run"
					: "Space reveals the answer");
}
