/* SPDX-License-Identifier: MIT */
#include "html_lanes.h"

#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "base/units.h"
#include "core/plan.h"
#include "model/model_slices.h"

#define COLUMNS	   240 /* of a lane, at most */
#define FEWEST	   24
#define ELEMENTS   9600 /* of a page, about, for all lanes together */
#define NAME_BYTES 160
#define TEXT_BYTES 256

uint32_t html_lanes_count(const struct timeline *line)
{
	if (!model_has_slices(line->run))
		return 0;
	return html_core_lanes_count(line) +
	       (line->run->n_workers <= TIMELINE_ROWS ? line->run->n_workers : line->plan->levels);
}

int html_lanes_columns(uint32_t lanes)
{
	return lanes == 0 ? COLUMNS : (int)MAX(FEWEST, MIN(COLUMNS, ELEMENTS / lanes));
}

int64_t html_lanes_edge(const struct timeline *line, int column)
{
	return (int64_t)(line->scale.high * column / line->columns);
}

char *html_lanes_moment(char *buf, size_t size, int64_t time_ns)
{
	snprintf(buf, size, "%s ms", UNITS_DECIMAL((double)time_ns / 1e6, 3));
	return buf;
}

/* Inks */

void html_lanes_open(const struct html_lane *lane, const char *title)
{
	html_put(lane->html, "<g>");
	html_element(lane->html, "title", title);
}

void html_lanes_close(const struct html_lane *lane)
{
	html_put(lane->html, "</g>\n");
}

static void block(const struct html_lane *lane, const char *style, int64_t from_ns, int64_t to_ns,
		  double y, double h)
{
	double x = svg_at(&lane->line->scale, (double)from_ns);
	double w = svg_at(&lane->line->scale, (double)to_ns) - x;

	if (!(h > 0))
		return;
	html_put(lane->html, "<path class=\"%s\" d=\"", style);
	svg_block(lane->html, x, lane->y + y, fmax(w, 0.3), h);
	html_put(lane->html, "\"/>");
}

void html_lanes_on(const struct html_lane *lane, int64_t from_ns, int64_t to_ns, double share)
{
	block(lane, lane->style, from_ns, to_ns, HTML_LANES_BAR * (1 - share),
	      HTML_LANES_BAR * share);
}

/* Half of the wait or more is the quota's. */
static bool is_throttled(const struct html_lane *lane, int64_t from_ns, int64_t to_ns,
			 double waiting_ns)
{
	const struct model_run *run = lane->line->run;

	return 2.0 * (double)(model_throttled_until(run, to_ns) -
			      model_throttled_until(run, from_ns)) >
	       waiting_ns;
}

void html_lanes_off(const struct html_lane *lane, int64_t from_ns, int64_t to_ns, double share,
		    bool waits)
{
	double h = HTML_LANES_BAR * share;
	char style[48];

	snprintf(style, sizeof(style), "%s lw", lane->style);
	if (waits)
		block(lane,
		      is_throttled(lane, from_ns, to_ns, share * (double)(to_ns - from_ns)) ? "lt"
											    : style,
		      from_ns, to_ns, 2, h - 2);
	else if (h > 2)
		block(lane, "lb", from_ns, to_ns, h / 2 - 1, 2);
}

/* A worker, stretch by stretch */

static void count_stretch(void *arg, const struct model_stretch *stretch)
{
	*(int *)arg += 1;
}

static void draw_stretch(void *arg, const struct model_stretch *stretch)
{
	static const char *const words[MODEL_STATES] = {[STATE_UNKNOWN] = "not known",
							[STATE_WAITING] = "waits for a core",
							[STATE_BLOCKED] = "blocked"};
	const struct html_lane *lane = arg;
	bool throttled = stretch->state == STATE_WAITING &&
			 is_throttled(lane, stretch->from_ns, stretch->to_ns,
				      (double)(stretch->to_ns - stretch->from_ns));
	char text[TEXT_BYTES], core[32] = "on a core";

	if (stretch->cpu >= 0)
		snprintf(core, sizeof(core), "on core %d", stretch->cpu);
	if (stretch->state == STATE_NONE)
		return;
	snprintf(text, sizeof(text), "%s: %s from %s for %s", lane->name,
		 stretch->state == STATE_ON ? core
		 : throttled		    ? "throttled by its quota"
					    : words[stretch->state],
		 HTML_MOMENT(stretch->from_ns),
		 UNITS_TIME(stretch->to_ns - stretch->from_ns, false));
	html_lanes_open(lane, text);
	if (stretch->state == STATE_ON)
		html_lanes_on(lane, stretch->from_ns, stretch->to_ns, 1);
	else
		html_lanes_off(lane, stretch->from_ns, stretch->to_ns, 1,
			       stretch->state == STATE_WAITING);
	html_lanes_close(lane);
}

/* A worker, column by column */

static void draw_cell(const struct html_lane *lane, int64_t from_ns, int64_t to_ns,
		      const struct model_shares *shares)
{
	double all = (double)(to_ns - from_ns), share = shares->ns[STATE_ON] / all;
	bool waits = shares->ns[STATE_WAITING] >= shares->ns[STATE_BLOCKED];
	char text[TEXT_BYTES];

	snprintf(text, sizeof(text),
		 "%s from %s for %s: on a core %.0f %%, waits for one %.0f %%, blocked %.0f %%",
		 lane->name, HTML_MOMENT(from_ns), UNITS_TIME(to_ns - from_ns, false), 100 * share,
		 100 * shares->ns[STATE_WAITING] / all, 100 * shares->ns[STATE_BLOCKED] / all);
	html_lanes_open(lane, text);
	html_lanes_on(lane, from_ns, to_ns, share);
	html_lanes_off(lane, from_ns, to_ns, 1 - share, waits);
	html_lanes_close(lane);
}

static void draw_cells(const struct html_lane *lane, int64_t from_ns, int64_t to_ns)
{
	const struct timeline *line = lane->line;

	for (int i = 0; i < line->columns; i++) {
		int64_t begin = MAX(from_ns, html_lanes_edge(line, i)),
			end = MIN(to_ns, html_lanes_edge(line, i + 1));
		struct model_shares shares = {{0}};

		if (end <= begin)
			continue;
		model_shares_add(lane->html->model, line->run, lane->number, begin, end, &shares);
		draw_cell(lane, begin, end, &shares);
	}
}

bool html_lanes_worker(struct html *html, const struct timeline *line, uint32_t index,
		       const char *style, double y, int64_t from_ns, int64_t to_ns)
{
	char name[NAME_BYTES];
	struct html_lane lane = {
		.html = html, .line = line, .number = index, .style = style, .y = y};
	int stretches = 0;
	size_t n;

	model_slices(line->run, index, &n);
	if (n == 0 || from_ns < 0 || to_ns <= from_ns)
		return false;
	lane.name = plan_name(line->plan, index, name, sizeof(name));
	model_stretches(html->model, line->run, index, from_ns, to_ns, count_stretch, &stretches);
	html_put(html, "<g class=\"lane\">");
	if (stretches <= line->columns)
		model_stretches(html->model, line->run, index, from_ns, to_ns, draw_stretch, &lane);
	else
		draw_cells(&lane, from_ns, to_ns);
	html_put(html, "</g>");
	return true;
}

double html_lanes_share(const struct html *html, const struct timeline *line, uint32_t index,
			int64_t from_ns, int64_t to_ns)
{
	struct model_shares shares = {{0}};
	size_t n;

	model_slices(line->run, index, &n);
	if (n == 0 || from_ns < 0 || to_ns <= from_ns)
		return NAN;
	model_shares_add(html->model, line->run, index, from_ns, to_ns, &shares);
	return shares.ns[STATE_ON] / (double)(to_ns - from_ns);
}

void html_lanes_legend(struct html *html, const char *style)
{
	char waits[48];

	snprintf(waits, sizeof(waits), "%s lw", style);
	html_swatch(html, style, "on a core (a part of the time: as high)");
	html_swatch(html, waits, "waits for a core");
	for (size_t i = 0, told = 0; i < html->model->n_runs && !told; i++) {
		told = html->model->runs[i].n_throttles > 0;
		if (told)
			html_swatch(html, "lt", "throttled by its quota");
	}
	html_swatch(html, "lb", "blocked");
}
