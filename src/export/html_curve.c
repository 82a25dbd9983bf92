/* SPDX-License-Identifier: MIT */
#include "html_curve.h"

#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "report/curve_answer.h"
#include "svg.h"

#define TITLE_H	 16
#define LABELS_W 46 /* of the vertical axis */
#define BAR	 5  /* half as wide as the spread at a value that is no number */
#define CROSS	 5

/* A curve in its place. */
struct panel {
	struct html *html;
	const struct curve *curve;
	struct rectangle plot;
	bool names; /* of the lines, at their right ends; and of the crossovers */
	struct svg_scale x, y;
};

/* Places */

static struct svg_scale scale_x(const struct curve *curve, const struct rectangle *plot)
{
	struct svg_scale scale = {.low = 0,
				  .high = curve->n_values - 1.0,
				  .x = plot->x + 12,
				  .w = plot->w - 24,
				  .log = curve_wants_log(curve)};

	if (curve->numeric) {
		scale.low = curve->value[0].number;
		scale.high = curve->value[curve->n_values - 1].number;
	}
	return scale;
}

static double most_of(const struct curve *curve)
{
	double most = 0;

	for (uint32_t i = 0; i < curve->n_lines; i++)
		for (uint32_t v = 0; v < curve->n_values; v++)
			most = fmax(most, curve->point[i][v].most); /* leaves out what is NaN */
	return most;
}

static enum svg_unit unit_of(const struct curve *curve)
{
	switch (metric_table[curve->metric].unit) {
	case METRIC_KIB:
		return SVG_KIB;
	case METRIC_PERCENT:
		return SVG_COUNT;
	default:
		return SVG_TIME;
	}
}

static double value_x(const struct panel *p, uint32_t value)
{
	return svg_at(&p->x, p->curve->numeric ? p->curve->value[value].number : value);
}

static unsigned line_hue(const struct panel *p, uint32_t line)
{
	return html_hue(p->html, p->curve->line[line].case_id);
}

/* Lines of one model have its hue: which of them it is tells the dashes. */
static unsigned line_dashes(const struct panel *p, uint32_t line)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < line; i++)
		n += line_hue(p, i) == line_hue(p, line);
	return n % 3;
}

/* Axes */

static void draw_axis_x(const struct panel *p)
{
	const struct curve *curve = p->curve;
	double y = p->plot.y + p->plot.h, end = 0;

	svg_line(p->html, "base", p->plot.x, y, p->plot.x + p->plot.w, y);
	for (uint32_t v = 0; v < curve->n_values; v++) {
		const char *text = curve->value[v].text;
		double x = value_x(p, v), half = 3.2 * (double)utf8_columns(text) + 3;

		svg_line(p->html, "base", x, y, x, y + 4);
		if (x - half < end)
			continue;
		svg_text(p->html, "tick mid", x, y + 15, "%s", text);
		end = x + half;
	}
}

static void draw_axes(const struct panel *p)
{
	svg_text(p->html, "strong", p->plot.x, p->plot.y - 7, "%s%s%s",
		 metric_table[p->curve->metric].words, p->names ? " over " : "",
		 p->names ? p->curve->name : "");
	svg_axis_y(p->html, &p->y, unit_of(p->curve), p->plot.x, p->plot.w);
	draw_axis_x(p);
}

/* Lines */

static bool is_known(const struct panel *p, uint32_t line, uint32_t value)
{
	return !isnan(p->curve->point[line][value].median);
}

static void draw_band(const struct panel *p, uint32_t line, uint32_t from, uint32_t to)
{
	const struct curve_point *point = p->curve->point[line];

	svg_path(p->html, "m%u a1", line_hue(p, line));
	for (uint32_t v = from; v < to; v++)
		svg_to(p->html, v == from, value_x(p, v), svg_at(&p->y, point[v].most));
	for (uint32_t v = to; v > from; v--)
		svg_to(p->html, false, value_x(p, v - 1), svg_at(&p->y, point[v - 1].least));
	svg_path_end(p->html);
}

static void draw_medians(const struct panel *p, uint32_t line, uint32_t from, uint32_t to)
{
	svg_path(p->html, "curve l%u d%u%s", line_hue(p, line), line_dashes(p, line),
		 p->curve->numeric ? "" : " faint");
	for (uint32_t v = from; v < to; v++)
		svg_to(p->html, v == from, value_x(p, v),
		       svg_at(&p->y, p->curve->point[line][v].median));
	svg_path_end(p->html);
}

/* Each value that is no number has a bar of its own: nothing lies between them. */
static void draw_bars(const struct panel *p, uint32_t line, uint32_t from, uint32_t to)
{
	char style[32];

	snprintf(style, sizeof(style), "m%u a2", line_hue(p, line));
	for (uint32_t v = from; v < to; v++) {
		const struct curve_point *point = &p->curve->point[line][v];
		double high = svg_at(&p->y, point->most);

		svg_rect(p->html, style, value_x(p, v) - BAR, high, 2 * BAR,
			 svg_at(&p->y, point->least) - high);
	}
}

/* From one value that is known to the last one before a gap. */
static void draw_stretches(const struct panel *p, uint32_t line,
			   void (*draw)(const struct panel *p, uint32_t line, uint32_t from,
					uint32_t to))
{
	for (uint32_t from = 0, to; from < p->curve->n_values; from = to + 1) {
		for (to = from; to < p->curve->n_values && is_known(p, line, to);)
			to++;
		if (to > from)
			draw(p, line, from, to);
	}
}

/* "threads, workers=4: 2.93 s (2.90 s to 3.01 s in 6 trials)" */
static void draw_mark(const struct panel *p, uint32_t line, uint32_t value)
{
	const struct curve_point *point = &p->curve->point[line][value];
	char title[384];
	enum model_metric metric = p->curve->metric;

	snprintf(title, sizeof(title), "%s, %s=%s: %s (%s to %s in %u trial%s)",
		 p->curve->line[line].name, p->curve->name, p->curve->value[value].text,
		 METRIC_TEXT(metric, point->median), METRIC_TEXT(metric, point->least),
		 METRIC_TEXT(metric, point->most), point->n, point->n == 1 ? "" : "s");
	svg_mark(p->html, line_hue(p, line), value_x(p, value), svg_at(&p->y, point->median),
		 title);
}

static void draw_marks(const struct panel *p)
{
	for (uint32_t i = 0; i < p->curve->n_lines; i++)
		for (uint32_t v = 0; v < p->curve->n_values; v++)
			if (is_known(p, i, v))
				draw_mark(p, i, v);
}

/* Crossovers */

/* The height of a drawn line at a place; NaN beyond its ends. */
static double line_y(const struct panel *p, int line, double x)
{
	double before = NAN, from = NAN;

	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		double at = value_x(p, v), y = svg_at(&p->y, p->curve->point[line][v].median);

		if (!is_known(p, (uint32_t)line, v))
			continue;
		if (at >= x)
			return at > x ? from + (y - from) * (x - before) / (at - before) : y;
		before = at;
		from = y;
	}
	return NAN;
}

static void draw_interval(const struct panel *p, const struct curve_cross *cross, double x)
{
	double from = value_x(p, (uint32_t)cross->from), to = value_x(p, (uint32_t)cross->to);
	double y = p->plot.y + p->plot.h;
	char at[32];

	svg_rect(p->html, "ink", from, y - 1.5, to - from, 3);
	if (!p->names)
		return;
	svg_text(p->html, "strong mid halo", x, y - 8, "%s (%s to %s)",
		 curve_answer_number(at, sizeof(at), p->curve, cross->at),
		 p->curve->value[cross->from].text, p->curve->value[cross->to].text);
}

/* A cross where they meet, a plumb line from there, and on the axis the interval. */
static void draw_cross(const struct panel *p, const struct curve_cross *cross)
{
	double x = svg_at(&p->x, cross->at);
	double y = (line_y(p, cross->a, x) + line_y(p, cross->b, x)) / 2;

	if (isnan(y))
		return;
	svg_line(p->html, "plumb", x, y, x, p->plot.y + p->plot.h);
	svg_line(p->html, "meet", x - CROSS, y - CROSS, x + CROSS, y + CROSS);
	svg_line(p->html, "meet", x - CROSS, y + CROSS, x + CROSS, y - CROSS);
	draw_interval(p, cross, x);
}

/* Names */

static double end_y(const struct panel *p, uint32_t line)
{
	uint32_t v = p->curve->n_values;

	while (v > 0 && !is_known(p, line, v - 1))
		v--;
	return v > 0 ? svg_at(&p->y, p->curve->point[line][v - 1].median) : NAN;
}

/* Names are at the lines' right ends, from the highest down; none hides another. */
static void draw_names(const struct panel *p)
{
	double y = p->plot.y, x = p->plot.x + p->plot.w + 4;
	bool drawn[CURVE_LINES] = {false};

	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		int next = -1;

		for (uint32_t j = 0; j < p->curve->n_lines; j++)
			if (!drawn[j] && !isnan(end_y(p, j)) &&
			    (next < 0 || end_y(p, j) < end_y(p, (uint32_t)next)))
				next = (int)j;
		if (next < 0)
			return;
		drawn[next] = true;
		y = fmax(y, end_y(p, (uint32_t)next));
		svg_mark(p->html, line_hue(p, (uint32_t)next), x + 4, y, NULL);
		svg_name(p->html, "strong", x + 12, y + 4, p->curve->line[next].name, 15);
		y += 15;
	}
}

static void draw(const struct panel *p)
{
	draw_axes(p);
	for (uint32_t i = 0; i < p->curve->n_lines; i++)
		draw_stretches(p, i, p->curve->numeric ? draw_band : draw_bars);
	for (uint32_t i = 0; i < p->curve->n_lines; i++)
		draw_stretches(p, i, draw_medians);
	draw_marks(p);
	for (uint32_t i = 0; i < p->curve->n_crosses; i++)
		draw_cross(p, &p->curve->cross[i]);
	if (p->names)
		draw_names(p);
	html_put(p->html, "\n");
}

bool html_curve_known(const struct curve *curve)
{
	return most_of(curve) > 0;
}

void html_curve(struct html *html, const struct curve *curve, const struct rectangle *place,
		bool names)
{
	struct panel p = {.html = html, .curve = curve, .names = names};

	p.plot = (struct rectangle) {place->x + LABELS_W, place->y + TITLE_H,
				     place->w - LABELS_W - (names ? HTML_CURVE_NAMES : 0),
				     place->h - TITLE_H - SVG_AXIS};
	p.x = scale_x(curve, &p.plot);
	p.y = (struct svg_scale) {.high = svg_round_up(most_of(curve), unit_of(curve)),
				  .x = p.plot.y + p.plot.h,
				  .w = -p.plot.h};
	draw(&p);
}
