/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/units.h"
#include "model/model_latency.h"
#include "view_cache.h"

#define SECOND INT64_C(1000000000)

/* The top line is made of parts in order of place; those of the greatest weight go first. */

enum { PARTS = 32 };

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

__attribute__((format(printf, 5, 6))) static struct part *
line_add(struct line *line, int weight, bool right, struct style style, const char *format, ...)
{
	struct part *part = &line->parts[line->n < PARTS ? line->n++ : PARTS - 1];
	va_list args;

	*part = (struct part) {.style = style, .weight = weight, .right = right};
	va_start(args, format);
	vsnprintf(part->text, sizeof(part->text), format, args);
	va_end(args);
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
			width += utf8_columns(line->parts[i].text) + line_gap(&line->parts[i]);
	return width;
}

/* The session's title, which is shortened before it goes, unless that leaves too little. */
enum { TITLE_WEIGHT = 5, TITLE_LEAST = 8 };
/* Some of the names, or of their shapes, without the others would be a wrong list. */
enum { CASES_WEIGHT = 6, SHAPES_WEIGHT = 7 };

static void part_shorten(struct part *part, int by)
{
	int w = utf8_columns(part->text) - by;
	const char *end = part->text;

	if (by <= 0 || w < TITLE_LEAST)
		return;
	for (int i = 0; i < w - 1; i++)
		utf8_next(&end);
	snprintf(part->text + (end - part->text), 4, "…");
}

/* Parts of one weight go together. */
static void line_fit(struct line *line, int width)
{
	bool over;

	for (int weight = PARTS; weight > 0 && line_width(line) > width; weight--) {
		for (int i = 0; i < line->n && weight == TITLE_WEIGHT; i++)
			if (line->parts[i].weight == weight)
				part_shorten(&line->parts[i], line_width(line) - width + 1);
		over = line_width(line) > width;
		for (int i = 0; i < line->n && over; i++)
			if (line->parts[i].weight == weight)
				line->parts[i].weight = -1;
	}
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

/* Of a row of names as wide as that nothing would be left for what the session is. */
static bool top_line_crowds(const struct model *model, int width)
{
	int names = 0;

	for (uint32_t i = 0; i < model->n_cases && i < LINE_CASES; i++)
		names += utf8_columns(MODEL_CASE_NAME(model, i)) + 5;
	return model_has_ways(model) && names > width / 2;
}

static void top_line_cases(struct line *line, const struct model *model, int width)
{
	if (model->n_cases > LINE_CASES || top_line_crowds(model, width)) {
		line_add(line, CASES_WEIGHT, false, STYLE(COLOUR_DEFAULT), "%u cases",
			 model->n_cases);
		return;
	}
	for (uint32_t i = 0; i < model->n_cases; i++) {
		/* Where there is little room the shape goes, and the name stays. */
		struct style hue = STYLE_BOLD(view_hue(model, i));
		char shape[UTF8_BYTES];

		utf8_encode(view_shape(model, i), shape);
		line_add(line, CASES_WEIGHT, false, STYLE(COLOUR_BORDER), "%s", i ? " │ " : "")
			->close = i > 0;
		line_add(line, SHAPES_WEIGHT, false, hue, "%s ", shape)->close = true;
		line_add(line, CASES_WEIGHT, false, hue, "%s", MODEL_CASE_NAME(model, i))->close =
			true;
	}
}

static void top_line_progress(struct line *line, const struct model *model, bool live)
{
	uint32_t trial = 0, trials;
	struct style plain = STYLE(COLOUR_DEFAULT), dim = STYLE(COLOUR_DIM);
	int64_t left = model_time_left(model);
	uint64_t done, all;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		trial = MAX(trial, run ? run->id.trial : 0);
	}
	trials = MAX(trial, model->session.trials);
	if (trial && trial < trials && model_over(model))
		line_add(line, 3, false, plain, "%u trials", trial);
	else if (trial)
		line_add(line, 3, false, plain, "trial %u of %u", trial, trials);
	else
		line_add(line, 3, false, plain, model_running(model) ? "warm-up" : "no run yet");
	if (model_over(model)) {
		line_add(line, 3, false, STYLE_BOLD(COLOUR_GOOD), "done");
		if (live)
			line_add(line, 4, false, plain, ": r more, q quits")->close = true;
	} else if (model_paused(model))
		line_add(line, 4, false, dim, "paused");
	else if (model_preparing(model, &done, &all))
		line_add(line, 4, false, dim, "prepares %.0f %%",
			 100.0 * (double)done / (double)all);
	else if (left >= 0 && left < 100 * SECOND)
		line_add(line, 4, false, dim, "about %lld s left",
			 (long long)((left + SECOND / 2) / SECOND));
	else if (left >= 0)
		line_add(line, 4, false, dim, "about %s left", UNITS_TIME(left, false));
	else
		line_add(line, 4, false, dim, "%s", ""); /* its gap stays */
}

static void top_line_log(struct line *line, const struct model *model,
			 const struct view_state *state)
{
	bool recording = state->live && !model_over(model);
	int weight = model_over(model) ? 8 : 9; /* at the end it is worth more than the cost */
	const char *name = state->log_name, *slash = name ? strrchr(name, '/') : NULL;

	if (!name)
		return;
	line_add(line, weight, true, STYLE(recording ? COLOUR_BAD : COLOUR_DIM),
		 recording ? "●" : "▸");
	line_add(line, weight, true, STYLE(COLOUR_DIM), " %.40s",
		 slash && slash[1] ? slash + 1 : name)
		->close = true;
}

/* A share of one core. */
static void top_line_share(struct line *line, int weight, const char *name, double share)
{
	if (isnan(share))
		line_add(line, weight, true, STYLE(COLOUR_DIM), "%s   ? %%", name);
	else
		line_add(line, weight, true, STYLE(COLOUR_DIM), "%s %3.1f %%", name, share * 100);
}

void view_top_line_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	int seconds = (int)(model->now_ns / SECOND), warnings = frame->cache->n_warnings;
	struct line line = {.n = 0};

	line_add(&line, 2, false, STYLE_BOLD(COLOUR_TITLE), "tuibench");
	line_add(&line, TITLE_WEIGHT, false, STYLE(COLOUR_DEFAULT), "%s", model->session.title);
	top_line_cases(&line, model, rect.w);
	top_line_progress(&line, model, frame->state->live);
	if (warnings) /* what they are stands in view 6 */
		line_add(&line, 3, false, STYLE_BOLD(COLOUR_WARN), "! %d warning%s", warnings,
			 warnings == 1 ? "" : "s");
	top_line_log(&line, model, frame->state);
	top_line_share(&line, model_over(model) ? 9 : 8, "own cost", model_self_load(model));
	if (model->session.terminal[0])
		top_line_share(&line, 10, model->session.terminal, model_terminal_load(model));
	line_add(&line, 1, true, STYLE_BOLD(COLOUR_DEFAULT), "%02d:%02d", seconds / 60,
		 seconds % 60);
	line_draw(frame->canvas, rect, &line);
}
