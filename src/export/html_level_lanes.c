/* SPDX-License-Identifier: MIT */
#include "html_lanes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/units.h"
#include "core/plan.h"
#include "model/model_slices.h"

#define TEXT_BYTES 256

/* Sums over the workers of a level, column by column. */
struct level {
	const struct html *html;
	const struct timeline *line;
	struct model_shares *cells;
	uint32_t first, workers;
};

static int column_at(const struct timeline *line, int64_t time_ns)
{
	double column = (double)time_ns / line->scale.high * line->columns;

	return (int)fmax(0, fmin(line->columns - 1, column));
}

/* The time before it was there, and behind its end, is none. */
static void add_worker(const struct level *level, uint32_t index)
{
	const struct timeline *line = level->line;
	int64_t from_ns, to_ns;
	int first, last;

	if (!timeline_life(level->html, line, index, &from_ns, &to_ns))
		return;
	first = column_at(line, from_ns);
	last = column_at(line, to_ns);
	for (int i = first; i <= last; i++)
		model_shares_add(level->html->model, line->run, index, html_lanes_edge(line, i),
				 html_lanes_edge(line, i + 1), &level->cells[i]);
}

/* As on the screen: of as many cores as the level has workers, at most all. */
static double cores_of(const struct level *level)
{
	int32_t allowed = level->html->model->session.machine.cores_allowed;

	return fmin(level->workers, allowed > 0 ? allowed : 1);
}

static void draw_cell(const struct html_lane *lane, const struct level *level, int column)
{
	const double *ns = level->cells[column].ns;
	int64_t from_ns = html_lanes_edge(lane->line, column);
	int64_t to_ns = MIN(lane->line->end_ns, html_lanes_edge(lane->line, column + 1));
	double all = (double)(to_ns - from_ns), share = ns[STATE_ON] / all / cores_of(level);
	char text[TEXT_BYTES];

	if (to_ns <= from_ns || ns[STATE_ON] + ns[STATE_WAITING] + ns[STATE_BLOCKED] <= 0)
		return;
	snprintf(text, sizeof(text),
		 "level %u from %s for %s: %s on a core, %s wait for one, %s blocked",
		 lane->number + 1, HTML_MOMENT(from_ns), UNITS_TIME(to_ns - from_ns, false),
		 UNITS_DECIMAL(ns[STATE_ON] / all, 1), UNITS_DECIMAL(ns[STATE_WAITING] / all, 1),
		 UNITS_DECIMAL(ns[STATE_BLOCKED] / all, 1));
	html_lanes_open(lane, text);
	share = fmin(1, share);
	html_lanes_on(lane, from_ns, to_ns, share);
	html_lanes_off(lane, from_ns, to_ns, 1 - share, ns[STATE_WAITING] >= ns[STATE_BLOCKED]);
	html_lanes_close(lane);
}

static void draw_level(const struct html_lane *lane, struct level *level)
{
	for (int i = 0; i < lane->line->columns; i++)
		level->cells[i] = (struct model_shares) {{0}};
	for (uint32_t i = 0; i < level->workers; i++)
		add_worker(level, level->first + i);
	svg_text(lane->html, "tick end", SVG_LABELS - 5, lane->y + 9, "level %u", lane->number + 1);
	html_put(lane->html, "<g class=\"lane\">");
	for (int i = 0; i < lane->line->columns; i++)
		draw_cell(lane, level, i);
	html_put(lane->html, "</g>\n");
}

int html_level_lanes(struct html *html, const struct timeline *line, double y)
{
	struct level level = {.html = html, .line = line};
	char style[8];
	struct html_lane lane = {
		.html = html, .line = line, .style = style, .y = y + HTML_LANES_HEAD};

	level.cells = calloc((size_t)line->columns, sizeof(*level.cells));
	if (!level.cells)
		return -ENOMEM;
	snprintf(style, sizeof(style), "m%u", html_hue(html, line->run->id.case_id));
	svg_text(html, "strong", 0, y + 12, "on cores");
	svg_text(html, "small", line->scale.x, y + 12,
		 "the share of the cores that a level had; above, most of it waits or is blocked");
	for (; lane.number < line->plan->levels; lane.number++, lane.y += HTML_LANES_PITCH) {
		level.first = plan_level(line->plan, lane.number, &level.workers);
		draw_level(&lane, &level);
	}
	free(level.cells);
	return 0;
}
