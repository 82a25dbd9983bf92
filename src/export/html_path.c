/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "model/model_latency.h"
#include "model/model_parts.h"
#include "report/why.h"
#include "svg.h"

/* The critical path of each case as a line of its parts, all on one axis; and why. */

#define ROW    26
#define LETTER 6.6 /* about as wide */
#define NAMES  18  /* the most letters of one */

struct shade {
	enum model_metric metric;
	const char *style;
	bool dark; /* what is written on it is light */
};

static const struct shade shades[] = {
	{METRIC_CREATING, "a4", true}, {METRIC_STARTING, "a1"}, {METRIC_WORKING, "", true},
	{METRIC_RUNNING, "", true},    {METRIC_WAITING, "a2"},	{METRIC_BLOCKED, "a1"},
	{METRIC_JOINING, "a3"},
};

enum { SHADES = sizeof(shades) / sizeof(shades[0]) };

/* NaN: not known, or told apart. */
static double part_of(const struct model_parts *parts, enum model_metric metric)
{
	if (metric == METRIC_RUNNING)
		return parts->split ? NAN : parts->running_ns;
	return parts->ns[metric - METRIC_CREATING];
}

static const char *word_of(enum model_metric metric)
{
	return metric_table[metric].words ? metric_table[metric].words : metric_table[metric].title;
}

static void draw_part(struct html *html, unsigned hue, const struct shade *shade, double from,
		      double to, double y, double ns)
{
	char style[32], text[64];

	snprintf(style, sizeof(style), "m%u %s", hue, shade->style);
	svg_rect(html, style, from, y - 8, fmax(to - from - 1, 0.5), 16);
	snprintf(text, sizeof(text), "%s %s", metric_table[shade->metric].title,
		 METRIC_TEXT(METRIC_PATH, ns));
	if (utf8_columns(text) * LETTER + 8 < to - from)
		svg_text(html, shade->dark ? "onbar" : "small", from + 4, y + 4, "%s", text);
}

static void draw_case(struct html *html, const struct svg_scale *scale, uint32_t case_id, double y,
		      const struct model_parts *parts)
{
	unsigned hue = html_hue(html, case_id);
	double at = 0;

	svg_mark(html, hue, 5, y, NULL);
	svg_name(html, "strong", 14, y + 4, HTML_CASE(html, case_id), NAMES);
	for (int i = 0; i < SHADES; i++) {
		double ns = part_of(parts, shades[i].metric);

		if (isnan(ns))
			continue;
		draw_part(html, hue, &shades[i], svg_at(scale, at), svg_at(scale, at + ns), y, ns);
		at += ns;
	}
	svg_text(html, "strong end", SVG_WIDTH, y + 4, "%s",
		 METRIC_TEXT(METRIC_PATH, parts->all_ns));
}

/* How many cases have a path, and the longest. */
static uint32_t survey(const struct model *model, double *longest)
{
	struct model_parts parts;
	uint32_t n = 0;

	*longest = 0;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_parts(model, i, &parts) || parts.n == 0)
			continue;
		*longest = fmax(*longest, parts.all_ns);
		n++;
	}
	return n;
}

static void draw_paths(struct html *html, uint32_t n, double longest)
{
	double names = 28 + NAMES * LETTER, height = ROW * n, y = ROW / 2.0;
	struct svg_scale scale = {0, longest, names, SVG_WIDTH - names - SVG_VALUES, false};
	struct model_parts parts;

	svg_open(html, height + SVG_AXIS, "Where the elapsed time went",
		 "A row for each model with the parts of its critical path one behind the other "
		 "along one axis of time; the table below has the figures.");
	svg_axis_x(html, &scale, SVG_TIME, 0, height);
	for (uint32_t i = 0; i < html->model->n_cases; i++) {
		if (model_parts(html->model, i, &parts) || parts.n == 0)
			continue;
		draw_case(html, &scale, i, y, &parts);
		y += ROW;
	}
	svg_close(html);
}

static void write_caption(struct html *html)
{
	char style[32];

	html_put(html, "<figcaption>The critical path, the chain that ends last:");
	for (int i = 0; i < SHADES; i++) {
		if (shades[i].metric == METRIC_RUNNING)
			continue;
		snprintf(style, sizeof(style), "m0 %s", shades[i].style);
		html_swatch(html, style, word_of(shades[i].metric));
	}
	html_put(html, "</figcaption>\n");
}

int html_path(struct html *html)
{
	char why[2 * WHY_TEXT];
	double longest;
	uint32_t n = model_has_latency(html->model) ? 0 : survey(html->model, &longest);

	if (n == 0)
		return 0;
	html_put(html, "<figure>");
	write_caption(html);
	draw_paths(html, n, longest);
	html_put(html, "</figure>\n");
	if (*why_read(html->model, why, sizeof(why)))
		html_element(html, "p", why);
	return 0;
}
