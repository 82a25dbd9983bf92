/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "view_cache.h"

#define SECOND INT64_C(1000000000)

/* The first line is made of parts in order of place; those of the greatest weight go first. */

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

static void top_line_cases(struct line *line, const struct model *model)
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

static uint32_t top_line_trial(const struct model *model)
{
	uint32_t trial = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (run && run->id.trial > trial)
			trial = run->id.trial;
	}
	return trial;
}

static void top_line_progress(struct line *line, const struct model *model)
{
	struct part *part = line_add(line, 3, false, STYLE(COLOUR_DEFAULT));
	uint32_t trial = top_line_trial(model), trials = model->session.trials;
	int64_t left = model_time_left(model);

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
		snprintf(part->text, sizeof(part->text), "about %s left", UNITS_TIME(left, false));
}

static const char *top_line_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void top_line_log(struct line *line, const struct model *model,
			 const struct view_state *state)
{
	bool recording = state->live && !(model->done && model->now_ns >= model->done_ns);
	struct part *part;

	if (!state->log_name)
		return;
	part = line_add(line, 8, true, STYLE(recording ? COLOUR_BAD : COLOUR_DIM));
	snprintf(part->text, sizeof(part->text), "%s", recording ? "●" : "▸");
	part = line_add(line, 8, true, STYLE(COLOUR_DIM));
	part->close = true;
	snprintf(part->text, sizeof(part->text), " %.40s", top_line_base_name(state->log_name));
}

/* What they are stands in view 6. */
static void top_line_warnings(struct line *line, int n)
{
	struct part *part;

	if (!n)
		return;
	part = line_add(line, 3, false, STYLE_BOLD(COLOUR_WARN));
	snprintf(part->text, sizeof(part->text), "! %d warning%s", n, n == 1 ? "" : "s");
}

void view_top_line_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct line line = {.n = 0};
	struct part *part = line_add(&line, 2, false, STYLE_BOLD(COLOUR_TITLE));
	double own = model_self_load(model);
	int seconds = (int)(model->now_ns / SECOND);

	snprintf(part->text, sizeof(part->text), "tuibench");
	part = line_add(&line, 6, false, STYLE(COLOUR_DEFAULT));
	snprintf(part->text, sizeof(part->text), "%s", model->session.title);
	top_line_cases(&line, model);
	top_line_progress(&line, model);
	top_line_warnings(&line, frame->cache->n_warnings);
	top_line_log(&line, model, frame->state);
	part = line_add(&line, 7, true, STYLE(COLOUR_DIM));
	if (isnan(own))
		snprintf(part->text, sizeof(part->text), "own cost   ? %%");
	else
		snprintf(part->text, sizeof(part->text), "own cost %3.1f %%", own * 100);
	part = line_add(&line, 1, true, STYLE_BOLD(COLOUR_DEFAULT));
	snprintf(part->text, sizeof(part->text), "%02d:%02d", seconds / 60, seconds % 60);
	line_draw(frame->canvas, rect, &line);
}
