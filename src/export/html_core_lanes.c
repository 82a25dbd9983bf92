/* SPDX-License-Identifier: MIT */
#include "html_lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/units.h"
#include "core/plan.h"
#include "model/model_slices.h"

#define CORES	   16 /* are shown, of those that the run was on */
#define NAME_BYTES 160
#define TEXT_BYTES 256
#define LETTER	   6 /* about as wide */

uint32_t html_core_lanes_count(const struct timeline *line)
{
	size_t n = model_cores_seen(line->run);
	uint32_t used = 0;

	for (size_t cpu = 0; cpu < n; cpu++)
		used += model_core_used(line->run, cpu);
	return MIN(used, CORES);
}

double html_core_lanes_height(const struct timeline *line)
{
	uint32_t n = html_core_lanes_count(line);

	return n > 0 ? HTML_LANES_HEAD + n * (double)HTML_LANES_PITCH : 0;
}

/* Neighbours differ in their shade. */
static char *worker_style(const struct timeline *line, uint32_t worker, char *buf, size_t size)
{
	struct plan_node node;

	plan_node(line->plan, worker, &node);
	snprintf(buf, size, "%s a%u", timeline_style(&node), 3 + worker % 3);
	return buf;
}

static void write_name(const struct html_lane *lane, const char *name, int64_t from_ns,
		       int64_t to_ns)
{
	double x = svg_at(&lane->line->scale, (double)from_ns);
	double w = svg_at(&lane->line->scale, (double)to_ns) - x;

	if (w > LETTER * (double)strlen(name) + 2)
		svg_text(lane->html, "onbar mid", x + w / 2, lane->y + HTML_LANES_BAR - 2, "%s",
			 name);
}

static void draw_stretch(struct html_lane *lane, const struct model_core_stretch *at)
{
	char name[NAME_BYTES] = "others", style[32], text[TEXT_BYTES];

	if (at->state == CORE_FREE)
		return;
	if (at->state == CORE_OURS)
		plan_name(lane->line->plan, at->worker, name, sizeof(name));
	snprintf(text, sizeof(text), "core %u: %s from %s for %s", lane->number, name,
		 HTML_MOMENT(at->from_ns), UNITS_TIME(at->to_ns - at->from_ns, false));
	html_lanes_open(lane, text);
	lane->style = at->state == CORE_OURS
			      ? worker_style(lane->line, at->worker, style, sizeof(style))
			      : "lo";
	html_lanes_on(lane, at->from_ns, at->to_ns, 1);
	if (at->state == CORE_OURS)
		write_name(lane, name, at->from_ns, at->to_ns);
	lane->style = "core";
	html_lanes_close(lane);
}

/* What lies between two sums; the greatest part of it is that in its middle, mostly. */
static void draw_cell(struct html_lane *lane, int64_t from_ns, int64_t to_ns,
		      const struct model_core_shares *before, const struct model_core_shares *after)
{
	double all = (double)(to_ns - from_ns);
	double ours = (after->ns[CORE_OURS] - before->ns[CORE_OURS]) / all;
	double others = (after->ns[CORE_OTHERS] - before->ns[CORE_OTHERS]) / all;
	char text[TEXT_BYTES];

	if (ours + others < 0.005)
		return;
	snprintf(text, sizeof(text), "core %u from %s for %s: workers %.0f %%, others %.0f %%",
		 lane->number, HTML_MOMENT(from_ns), UNITS_TIME(to_ns - from_ns, false), 100 * ours,
		 100 * others);
	html_lanes_open(lane, text);
	lane->style = "lo";
	html_lanes_on(lane, from_ns, to_ns, fmin(1, ours + others));
	lane->style = "core";
	html_lanes_on(lane, from_ns, to_ns, fmin(1, ours));
	html_lanes_close(lane);
}

static void draw_cells(struct html_lane *lane)
{
	const struct timeline *line = lane->line;
	const struct model *model = lane->html->model;
	struct model_core_shares before = {{0}}, after;

	for (int i = 0; i < line->columns; i++, before = after) {
		int64_t begin = html_lanes_edge(line, i);
		int64_t end = MIN(line->end_ns, html_lanes_edge(line, i + 1));

		if (end <= begin)
			return;
		model_core_shares_until(model, line->run, lane->number, end, &after);
		draw_cell(lane, begin, end, &before, &after);
	}
}

/* The stretches of a core one after the other, so many at most; how many there are, at least. */
static int each_stretch(struct html_lane *lane, int most,
			void (*take)(struct html_lane *lane, const struct model_core_stretch *at))
{
	struct model_core_stretch at = {.to_ns = 0};
	int n = 0;

	for (int64_t t = 0; n <= most && t < lane->line->end_ns; t = at.to_ns) {
		if (!model_core_stretch_at(lane->html->model, lane->line->run, lane->number, t,
					   &at) ||
		    at.to_ns <= t)
			break;
		at.to_ns = MIN(at.to_ns, lane->line->end_ns);
		n += at.state != CORE_FREE;
		if (take)
			take(lane, &at);
	}
	return n;
}

static void draw_core(struct html_lane *lane)
{
	const struct timeline *line = lane->line;
	struct model_core_shares shares;

	svg_text(lane->html, "tick end", SVG_LABELS - 5, lane->y + 9, "core %u", lane->number);
	html_put(lane->html, "<g class=\"lane\">");
	if (each_stretch(lane, line->columns, NULL) <= line->columns)
		each_stretch(lane, line->columns, draw_stretch);
	else
		draw_cells(lane);
	html_put(lane->html, "</g>");
	model_core_shares_until(lane->html->model, line->run, lane->number, line->end_ns, &shares);
	svg_text(lane->html, "end", SVG_WIDTH, lane->y + 10, "%.0f %%",
		 100 * shares.ns[CORE_OURS] / (double)MAX(1, line->end_ns));
	html_put(lane->html, "\n");
}

void html_core_lanes(struct html *html, const struct timeline *line, double y)
{
	struct html_lane lane = {.html = html, .line = line, .y = y + HTML_LANES_HEAD};
	uint32_t left = html_core_lanes_count(line);

	svg_text(html, "strong", 0, y + 12, "cores");
	svg_text(html, "small", line->scale.x, y + 12,
		 "who was on each; paler: others; at the right the run's share");
	for (; left > 0; lane.number++) {
		if (!model_core_used(line->run, lane.number))
			continue;
		draw_core(&lane);
		lane.y += HTML_LANES_PITCH;
		left--;
	}
}
