/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <stdio.h>
#include <sys/param.h>

/* "12:03.250", to the millisecond: at slow speeds nothing else would move. */
static void clock_text(char *buf, size_t size, int64_t ns)
{
	int64_t ms = ns / 1000000;

	snprintf(buf, size, "%02d:%02d.%03d", (int)(ms / 60000), (int)(ms / 1000 % 60),
		 (int)(ms % 1000));
}

/* From here on there is room for all words. */
enum { CLOCK_FULL = 60 };

static int column_of(const struct rect *bar, int64_t time_ns, int64_t whole_ns)
{
	double share = whole_ns > 0 ? (double)time_ns / (double)whole_ns : 0;

	return bar->x + (int)(share * (bar->w - 1) + 0.5);
}

void view_clock_draw(const struct view_frame *frame, struct rect rect)
{
	struct canvas *canvas = frame->canvas;
	const struct model *model = frame->model;
	const struct view_clock *clock = &frame->state->clock;
	struct rect bar = {.y = rect.y, .h = 1};
	bool slow = clock->speed < 1;
	char at[48], whole[48], right[56], speed[32];

	clock_text(at, sizeof(at), model->now_ns);
	clock_text(whole, sizeof(whole), model->newest_ns);
	snprintf(right, sizeof(right), " %s ", whole);
	/* "▸ 1/50x", "▸ 20x", "paused 20x"; "paused 1x" would read as a result */
	snprintf(speed, sizeof(speed), "%s%.0fx", slow ? "1/" : "",
		 slow ? 1 / clock->speed : clock->speed);
	bar.x = canvas_printf(canvas, rect.x + 1, rect.y, 14, STYLE_BOLD(COLOUR_WARN), "%s %s",
			      clock->paused ? "paused" : "\xe2\x96\xb8",
			      clock->paused && clock->speed == 1 ? "" : speed) +
		2;
	bar.x = MAX(bar.x, rect.x + 10);
	if (clock->live) {
		struct style style = {.fg = COLOUR_WARN, .attr = ATTR_BOLD | ATTR_REVERSE};

		bar.x = canvas_text(canvas, bar.x, rect.y, -1, style,
				    rect.w < CLOCK_FULL ? "not live" : " slow motion, not live ") +
			1;
	}
	bar.x = canvas_text(canvas, bar.x, rect.y, -1, STYLE_BOLD(COLOUR_TITLE), at) + 1;
	bar.w = canvas_right(canvas, rect.x + rect.w, rect.y, STYLE(COLOUR_DIM), right) - bar.x;
	if (bar.w < 4)
		return;
	frame->shown->clock = bar;
	canvas_hline(canvas, bar.x, rect.y, bar.w, 0x2500, STYLE(COLOUR_BORDER));
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int64_t end = run->end_ns < model->newest_ns ? run->end_ns : model->newest_ns;
		int from = column_of(&bar, run->begin_ns, model->newest_ns);
		int to = column_of(&bar, end, model->newest_ns);

		canvas_hline(canvas, from, bar.y, to - from + 1, 0x2501,
			     STYLE(view_hue(model, run->id.case_id)));
	}
	canvas_put(canvas, column_of(&bar, model->now_ns, model->newest_ns), rect.y, 0x25cf,
		   STYLE_BOLD(COLOUR_TITLE));
}
