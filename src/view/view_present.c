/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "core/comparison.h"
#include "draw/text.h"
#include "result/report.h"
#include "view_cache.h"

/* A panel that is as large as possible, with each case's median in large digits and as a bar. */

enum { SCALE_MOST = 4, BLOCK_LEAST = 4 };

struct present_block {
	struct view_median median;
	char number[32], unit[16];
};

/* Why a case has no median after the session; "" if it has one or the reason is unknown. */
static const char *present_reason(const struct model *model, const struct view_median *median)
{
	enum reason reason;

	if (!isnan(median->value) || !model_over(model))
		return "";
	reason = report_missed(model, median->case_id, view_headline(model));
	if (reason == REASON_NOT_KNOWN)
		return "";
	return reason_sentence(reason);
}

static void present_draw_block(const struct view_frame *frame, struct rect rect,
			       const struct present_block *block, int scale, double most)
{
	struct style style = STYLE_BOLD(view_hue(frame->model, block->median.case_id));
	/*
	 * If the digits fill their rows completely, separate them from the bar by a blank row,
	 * because digits and bar would otherwise look like one shape.
	 */
	int rows = digits_rows(scale), x, bar_y = 1 + rows + (scale % 2 == 0);
	int bar_h = MAX(0, rect.h - bar_y - 1); /* The last row stays blank. */
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
	if (bar_h > 0 && frame->state->hidden <= 0)
		text_draw(frame->canvas, RECT(rect.x, rect.y + bar_y, rect.w, bar_h),
			  STYLE(COLOUR_WARN), present_reason(frame->model, &block->median));
}

/*
 * The case whose values of the variables the presented cases share. After the session, it is the
 * case that the sentence is about. Until then, it is always the same case.
 */
static uint32_t presented_beside(const struct view_frame *frame)
{
	const struct model *model = frame->model;

	if (model_over(model) && frame->cache->foremost < model->n_cases)
		return frame->cache->foremost;
	return model_last_candidate(model);
}

/*
 * Before the digits are drawn, says above them that the models do not really differ, because large
 * digits and unequal bars look like a result.
 */
static void present_draw_verdict(const struct view_frame *frame, struct rect *inner)
{
	const struct answer *answer = &frame->cache->answer;
	char text[64];

	if (!answer->rows || !model_over(frame->model))
		return;
	if (answer->state == ANSWER_CLOSE)
		snprintf(text, sizeof(text), "Too close to call");
	else if (answer->state == ANSWER_SAME)
		snprintf(text, sizeof(text), "Same: less than %.0f %% apart",
			 100 * (MODEL_MARGIN - 1));
	else
		return;
	if (frame->state->hidden <= 0)
		canvas_text(frame->canvas, inner->x, inner->y, inner->w, STYLE_BOLD(COLOUR_TITLE),
			    text);
	inner->y++;
	inner->h--;
}

/* Draws the prediction of --predict in the last row. */
static void present_draw_prediction(const struct view_frame *frame, struct rect *inner)
{
	char text[SAMPLE_TEXT + 40];
	struct rect last = {inner->x, inner->y + inner->h - 1, inner->w, 1};

	if (!*report_prediction(frame->model, text, sizeof(text)))
		return;
	text_draw(frame->canvas, last, STYLE(COLOUR_TITLE), text);
	inner->h--;
}

void view_present_draw(const struct view_frame *frame, struct rect body)
{
	const struct model *model = frame->model;
	const struct model_comparison *pair = &frame->cache->pair;
	const char *metric = metric_brief(view_headline(model));
	struct rect inner = view_box(frame->canvas, body, "the medians", metric);
	const int blocks_most = MIN(inner.h / BLOCK_LEAST, VIEW_PRESENTED);
	uint32_t list[SAMPLE_MAX_CASES];
	struct present_block blocks[VIEW_PRESENTED];
	double most = NAN;
	char title[48];
	int n, scale = 1;

	/*
	 * If there is no room for all candidates, show the two cases that the sentence compares, if
	 * the sentence compares two.
	 */
	n = (int)model_candidates(model, presented_beside(frame), list);
	if (n > blocks_most && frame->cache->has_pair) {
		list[0] = pair->a;
		list[1] = pair->b;
		n = 2;
	}
	n = MAX(0, MIN(n, blocks_most));
	for (int i = 0; i < n; i++) {
		uint32_t case_id = list[i];
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
	if (inner.h > n * BLOCK_LEAST)
		present_draw_verdict(frame, &inner);
	if (inner.h > n * BLOCK_LEAST)
		present_draw_prediction(frame, &inner);
	if (n > 0)
		inner.h = inner.h / n;
	else
		inner.h = 0;
	/*
	 * The largest scale that leaves a row for the name, two rows for the bar, a blank row, and
	 * half the width for the unit.
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

/* Draws a row of text in the middle of rect, and removes the row from rect. */
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

/* Largest number of lines of a candidate's field, so that the candidate's name stays prominent. */
enum { BALLOT_MOST = 3 };

/* Adds the values of a variable: "via mutex, atomic", or "workers 2 to 8" for numbers. */
static void cover_values(const struct model *model, const char *name, struct sentence *s)
{
	const struct variable *values[SAMPLE_MAX_CASES] = {NULL}, *low, *high;
	const char *separator = "; ";
	uint32_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *value = variables_find(&model->cases[i].variables, name);
		uint32_t at = 0;

		if (!value)
			continue;
		while (at < n && strcmp(values[at]->value, value->value) != 0)
			at++;
		if (at == n)
			values[n++] = value;
	}
	low = high = values[0];
	for (uint32_t i = 1; i < n; i++) {
		if (!(values[i]->number >= low->number))
			low = values[i];
		if (!(values[i]->number <= high->number))
			high = values[i];
	}
	if (strcmp(name, "work") != 0)
		sentence_join(s, separator, "%s", name);
	if (strcmp(name, "work") != 0)
		separator = " ";
	if (n > 2 && comparison_swept(low) && high->number > low->number) {
		sentence_join(s, separator, "%s to %s", low->value, high->value);
		return;
	}
	for (uint32_t i = 0; i < n; i++, separator = ", ")
		sentence_join(s, separator, "%s", values[i]->value);
}

/*
 * Writes the settings that vary within each candidate: "fp, mem, write; workers 2 to 8". by: the
 * result of model_candidate_variable().
 */
static const char *cover_range(const struct model *model, const char *by, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	const struct variables *variables;

	*buf = '\0';
	for (uint32_t i = 0; i < model->n_cases; i++) {
		variables = &model->cases[i].variables;
		for (uint32_t j = 0; j < variables->n; j++) {
			const struct variable *variable = &variables->list[j];
			uint32_t before = 0;

			/* An earlier case with the variable has listed its values. */
			while (before < i &&
			       !variables_find(&model->cases[before].variables, variable->name))
				before++;
			if (before == i && model_varies(model, variable->name) &&
			    !comparison_structure(variable) &&
			    !(by && strcmp(by, variable->name) == 0))
				cover_values(model, variable->name, &s);
		}
	}
	return buf;
}

/* Writes the name of a candidate. by: the result of model_candidate_variable(). */
static const char *candidate_name(const struct model *model, uint32_t case_id, const char *by,
				  char *buf, size_t size)
{
	const struct sample_case *config = &model->cases[case_id];
	const struct variable *value = by ? variables_find(&config->variables, by) : NULL;
	struct sentence s = sentence_in(buf, size);

	if (value) {
		snprintf(buf, size, "%s=%s", value->name, value->value);
		return buf;
	}
	sentence_add(&s, "%s", config->model);
	for (uint32_t i = 0; i < config->variables.n; i++) {
		const struct variable *variable = &config->variables.list[i];

		if (comparison_structure(variable) && model_varies(model, variable->name))
			sentence_join(&s, " ", "%s=%s", variable->name, variable->value);
	}
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

/*
 * Draws a candidate's field, in the candidate's hue and with its name, for the audience to vote on.
 */
static void draw_field(const struct view_frame *frame, struct rect field, bool filled,
		       uint32_t case_id, const char *whole)
{
	struct style style = STYLE_BOLD(view_hue(frame->model, case_id));
	char name[2 * SAMPLE_NAME + 8], fit[SAMPLE_NAME], wide[2 * SAMPLE_NAME], shape[UTF8_BYTES];

	utf8_put(view_shape(frame->model, case_id), shape);
	view_fit(frame->model, whole, field.w - 2, fit, sizeof(fit));
	ballot_space(fit, field.w - 4, wide, sizeof(wide));
	snprintf(name, sizeof(name), "%s %s", shape, wide);
	if (filled) {
		style.attr |= ATTR_REVERSE;
		canvas_fill(frame->canvas, field, ' ', style);
		field.y += field.h / 2;
	}
	draw_centred(frame, &field, style, name);
}

/*
 * Draws the candidates one below the other. The list is the same from the first second of the
 * session on.
 */
static void draw_ballot(const struct view_frame *frame, struct rect inner, const char *by,
			const uint32_t *list, uint32_t n)
{
	const int h = MIN(inner.h / (int)n - 1, BALLOT_MOST), step = MAX(h, 0) + 1;
	char name[SAMPLE_NAME], rest[32];
	uint32_t shown = n;

	if (inner.h < 1)
		return;
	/* If there is no room for all candidates, the last row says how many are missing. */
	if ((uint32_t)(inner.h / step) < n)
		shown = (uint32_t)(inner.h / step) - 1;
	for (uint32_t i = 0; i < shown; i++) {
		struct rect field = {inner.x, inner.y, inner.w, MAX(h, 1)};

		candidate_name(frame->model, list[i], by, name, sizeof(name));
		draw_field(frame, field, h > 0, list[i], name);
		inner.y += step;
		inner.h -= step;
	}
	snprintf(rest, sizeof(rest), "and %u more", n - shown);
	if (shown < n)
		draw_centred(frame, &inner, PLAIN, rest);
}

/* The question of a vote; "" if the scene's caption asks a question. n: number of candidates. */
static const char *cover_question(const struct view_frame *frame, uint32_t n)
{
	const char *caption = sentence_text(frame->state->lecture.caption, "");

	if (strchr(caption, '?') || strstr(caption, "\uff1f"))
		return "";
	if (model_has_faults(frame->model))
		return "How many workers survive?";
	if (frame->state->ballot)
		return frame->state->ballot;
	if (n > 2)
		return "Which will be fastest?";
	return "Which will be faster?";
}

void view_cover_draw(const struct view_frame *frame, struct rect rect)
{
	struct rect inner = view_box(frame->canvas, rect, NULL, NULL);
	struct rect below = {inner.x, inner.y + inner.h - 2, inner.w, 2};
	const struct model *model = frame->model;
	const char *by = model_candidate_variable(model);
	uint32_t ended = model_runs_ended(model), list[SAMPLE_MAX_CASES];
	uint32_t n = model_candidates(model, model_last_candidate(model), list);
	char text[64], range[SAMPLE_TEXT];

	inner.h -= 3;
	if (inner.h > 12) {
		inner.y++;
		inner.h--;
	}
	draw_centred(frame, &inner, STYLE_BOLD(COLOUR_TITLE), cover_question(frame, n));
	cover_range(model, by, range, sizeof(range));
	/* If there is room, a blank row separates the question from the candidates. */
	if (*range || inner.h > (int)n)
		draw_centred(frame, &inner, PLAIN, range);
	if (n > 0)
		draw_ballot(frame, inner, by, list, n);
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
