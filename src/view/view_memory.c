/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <stdio.h>

#include "text.h"
#include "units.h"

enum { CASES = 8 };

static const enum view_memory order[VIEW_MEMORIES] = {VIEW_RSS, VIEW_PSS, VIEW_USS, VIEW_KERNEL};

/* What it is, and when it lies; the first where there is little room. */
static const char *memory_about(enum view_memory which, int width, int lines)
{
	static const char *const about[VIEW_MEMORIES][2] = {
		[VIEW_RSS] = {"shared pages count once per process",
			      "What top shows. A shared page counts once per process: too much for "
			      "processes, right for threads."},
		[VIEW_PSS] = {"shared pages are divided",
			      "A shared page is divided among those that map it: the fair sum, but "
			      "without the kernel's share."},
		[VIEW_USS] = {"pages no other process maps",
			      "Pages no other process maps: what would come back if it ended. "
			      "Leaves out all that is shared."},
		[VIEW_KERNEL] = {"page tables and kernel stacks",
				 "Page tables and kernel stacks: in none of the others, and it "
				 "grows with every process."},
	};

	return about[which][text_lines(about[which][1], width) <= lines];
}

static const char *memory_title(enum view_memory which)
{
	static const char *const titles[] = {
		[VIEW_RSS] = "RSS, summed",
		[VIEW_PSS] = "PSS, proportional",
		[VIEW_USS] = "USS, private",
		[VIEW_KERNEL] = "kernel's share",
	};

	return titles[which];
}

struct plots {
	struct canvas *canvas;
	const struct model *model;
	const struct view_state *state;
};

static void memory_figure(char *buf, size_t size, const struct model *model,
			  const struct model_run *run, enum view_memory which, bool narrow)
{
	bool ended = model_ended(model, run);
	struct sample_memory memory = ended ? run->totals.memory : model_memory(model, run);
	bool guess = view_memory_guessed(&memory, which);
	char kib[32];

	units_format_kib(kib, sizeof(kib), view_memory_kib(&memory, which));
	snprintf(buf, size, "%s%s%s", ended && !narrow ? "peak " : "", guess ? "~" : "", kib);
}

/* "threads peak 2.1 MiB   processes 3.4 MiB", each in its hue. */
static void memory_legend(const struct plots *p, struct rect rect, enum view_memory which)
{
	bool narrow = rect.w < 50;
	int x = rect.x;

	for (uint32_t i = 0; i < p->model->n_cases && i < CASES; i++) {
		const struct model_run *run = model_latest(p->model, i);
		char name[2 * SAMPLE_LABEL], figure[48] = "not yet";
		struct style hue = STYLE(view_hue(p->model, i));

		model_case_name(p->model, i, name, sizeof(name));
		if (run)
			memory_figure(figure, sizeof(figure), p->model, run, which, narrow);
		if (x + canvas_columns(name) + canvas_columns(figure) + 1 > rect.x + rect.w)
			return;
		x = canvas_text(p->canvas, x, rect.y, -1, hue, narrow ? "" : "━ ");
		x = canvas_text(p->canvas, x, rect.y, -1, hue, name);
		x = canvas_text(p->canvas, x + 1, rect.y, -1, STYLE(COLOUR_DEFAULT), figure);
		x += narrow ? 2 : 3;
	}
}

static void memory_scale(const struct plots *p, struct rect plot, int x, int64_t top)
{
	char text[32];

	units_format_kib(text, sizeof(text), top);
	canvas_right(p->canvas, x, plot.y, STYLE(COLOUR_DEFAULT), text);
	if (plot.h > 1)
		canvas_right(p->canvas, x, plot.y + plot.h - 1, STYLE(COLOUR_DIM), "0");
}

static void memory_lines(const struct plots *p, struct rect plot, const struct plot_axis *axis,
			 enum view_memory which, int64_t top)
{
	double y[PLOT_DOTS];

	view_grid(p->canvas, axis, plot.y, plot.h);
	for (uint32_t i = 0; i < p->model->n_cases && i < CASES; i++) {
		const struct model_run *run = model_latest(p->model, i);

		if (!run)
			continue;
		view_memory_series(p->model, run, axis, which, y);
		plot_line(p->canvas, plot, y, (double)top, STYLE(view_hue(p->model, i)));
	}
}

/* Of the first run that lacks it. */
static const struct view_unknown *memory_unknown(const struct plots *p, enum view_memory which)
{
	const struct view_unknown *unknown = NULL;

	for (uint32_t i = 0; i < p->model->n_cases && i < CASES && !unknown; i++) {
		const struct model_run *run = model_latest(p->model, i);

		unknown = run ? view_memory_unknown(p->model, run, which) : NULL;
	}
	return unknown;
}

/* What the figures are or, more urgent, why one is not there. Returns the lines it took. */
static int memory_explain(const struct plots *p, struct rect rect, enum view_memory which)
{
	const struct view_unknown *unknown = memory_unknown(p, which);
	char why[80];

	if (!unknown)
		return text_draw(p->canvas, rect, STYLE(COLOUR_DIM),
				 memory_about(which, rect.w, rect.h));
	snprintf(why, sizeof(why), "? %s", unknown->text);
	return text_draw(p->canvas, rect, STYLE(COLOUR_DEFAULT), why);
}

enum { SCALE_W = 9 };

static void memory_plot(const struct plots *p, struct rect box, enum view_memory which)
{
	struct rect inner = {box.x + 2, box.y + 1, box.w - 4, box.h - 2};
	struct rect plot = {inner.x + SCALE_W, inner.y + 1, inner.w - SCALE_W, inner.h - 2};
	struct plot_axis axis = view_axis(p->model, p->state, plot.x, plot.w);
	int64_t top = view_memory_top(p->model, which);
	int about = inner.h >= 12 ? 2 : inner.h >= 5;

	canvas_box(p->canvas, box, STYLE(which == p->state->memory ? COLOUR_TITLE : COLOUR_BORDER),
		   memory_title(which), STYLE_BOLD(COLOUR_TITLE), NULL);
	if (inner.h < 3 || plot.w < 4)
		return;
	memory_legend(p, inner, which);
	about = memory_explain(p, (struct rect) {inner.x, inner.y + 1, inner.w, about}, which);
	plot.y += about;
	plot.h -= about;
	memory_lines(p, plot, &axis, which, top);
	memory_scale(p, plot, plot.x - 1, top);
	plot_time_labels(p->canvas, &axis, plot.y + plot.h, STYLE(COLOUR_DIM));
}

static void memory_draw(struct canvas *canvas, struct rect rect, const struct model *model,
			struct view_state *state)
{
	struct plots p = {canvas, model, state};
	struct rect boxes[VIEW_MEMORIES];
	int n = layout_grid(rect, VIEW_MEMORIES, boxes);

	view_scroll_clamp(state, VIEW_MEMORIES, n);
	for (int i = 0; i < n; i++)
		memory_plot(&p, boxes[i], order[state->scroll + i]);
}

static bool memory_key(struct view_state *state, const struct model *model, int key)
{
	(void)model;
	return view_scroll(&state->scroll, key);
}

const struct view_ops view_memory = {
	.name = "Memory",
	.draw = memory_draw,
	.key = memory_key,
};
