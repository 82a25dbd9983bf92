/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "svg.h"

#define PLOT_Y 8
#define PLOT_H 220
#define LEFT   56
#define LEAST  3 /* values that make a curve */

/* What is swept: one variable with a number. */
struct curve {
	char name[SAMPLE_LABEL];
	struct svg_scale x, y; /* its values; ns */
	unsigned values;
};

/* NAME=NUMBER and nothing else; false otherwise. */
static bool parse(const char *variables, char name[SAMPLE_LABEL], double *value)
{
	const char *number = strchr(variables, '=');
	char *end;

	if (!number || strchr(variables, ';'))
		return false;
	snprintf(name, SAMPLE_LABEL, "%.*s", (int)(number - variables), variables);
	/* whole: strtod would follow the locale */
	*value = (double)strtoll(number + 1, &end, 10);
	return end != number + 1 && *end == '\0' && *value >= 0;
}

/* Whether no case before has that value. */
static bool is_new(const struct model *model, uint32_t icase, double value)
{
	char name[SAMPLE_LABEL];
	double other;

	for (uint32_t i = 0; i < icase; i++) {
		if (parse(model->cases[i].variables, name, &other) && other == value)
			return false;
	}
	return true;
}

/* The case's median with its interval; NaN where not known. */
static struct stats_interval median_of(const struct html *html, uint32_t icase)
{
	struct export_summary summary;

	if (export_summarize(html->model, icase, METRIC_ELAPSED, &summary) != 0)
		return (struct stats_interval) {NAN, NAN, NAN};
	return summary.median;
}

/* False where the session is no sweep that makes a curve. */
static bool curve_read(const struct html *html, struct curve *curve)
{
	const struct model *model = html->model;
	char name[SAMPLE_LABEL];
	double value;

	*curve = (struct curve) {.x = {.low = INFINITY, .high = -INFINITY}};
	for (uint32_t i = 0; i < model->n_cases; i++) {
		struct stats_interval median = median_of(html, i);

		if (!parse(model->cases[i].variables, name, &value) ||
		    (i > 0 && strcmp(name, curve->name) != 0))
			return false;
		memcpy(curve->name, name, sizeof(name));
		curve->values += is_new(model, i, value);
		curve->x.low = fmin(curve->x.low, value);
		curve->x.high = fmax(curve->x.high, value);
		/* fmax leaves out what is NaN */
		curve->y.high = fmax(curve->y.high, fmax(median.estimate, median.high));
	}
	return curve->values >= LEAST && curve->y.high > 0;
}

static bool same_model(const struct model *model, uint32_t a, uint32_t b)
{
	return strcmp(model->cases[a].model, model->cases[b].model) == 0;
}

/* The case of the same model with the next larger value; n_cases if there is none. */
static uint32_t next_case(const struct model *model, uint32_t icase)
{
	uint32_t next = model->n_cases;
	double value, other, nearest = INFINITY;
	char name[SAMPLE_LABEL];

	parse(model->cases[icase].variables, name, &value);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (same_model(model, icase, i) && parse(model->cases[i].variables, name, &other) &&
		    other > value && other < nearest) {
			nearest = other;
			next = i;
		}
	}
	return next;
}

static double case_x(const struct html *html, const struct curve *curve, uint32_t icase)
{
	char name[SAMPLE_LABEL];
	double value;

	parse(html->model->cases[icase].variables, name, &value);
	return svg_at(&curve->x, value);
}

static void draw_line(struct html *html, const struct curve *curve, uint32_t icase)
{
	uint32_t next = next_case(html->model, icase);
	double from = median_of(html, icase).estimate, to;
	char style[32];

	if (next == html->model->n_cases || isnan(from))
		return;
	to = median_of(html, next).estimate;
	snprintf(style, sizeof(style), "curve l%u", html_hue(html, icase));
	if (!isnan(to))
		svg_line(html, style, case_x(html, curve, icase), svg_at(&curve->y, from),
			 case_x(html, curve, next), svg_at(&curve->y, to));
}

static void draw_value(struct html *html, const struct curve *curve, uint32_t icase)
{
	unsigned hue = html_hue(html, icase);
	struct stats_interval median = median_of(html, icase);
	double x = case_x(html, curve, icase);
	char style[32];

	if (isnan(median.estimate))
		return;
	snprintf(style, sizeof(style), "m%u a2", hue);
	if (!isnan(median.low))
		svg_rect(html, style, x - 5, svg_at(&curve->y, median.high), 10,
			 svg_at(&curve->y, median.low) - svg_at(&curve->y, median.high));
	svg_mark(html, hue, x, svg_at(&curve->y, median.estimate), NULL);
}

static void draw(struct html *html, struct curve *curve)
{
	double high = svg_round_up(curve->y.high, SVG_TIME), margin;

	margin = (curve->x.high - curve->x.low) * 0.04;
	curve->x = (struct svg_scale) {curve->x.low - margin, curve->x.high + margin, LEFT,
				       SVG_WIDTH - LEFT - 12};
	curve->y = (struct svg_scale) {0, high, PLOT_Y + PLOT_H, -PLOT_H};
	svg_axis_x(html, &curve->x, SVG_COUNT, PLOT_Y, PLOT_H);
	svg_axis_y(html, &curve->y, SVG_TIME, LEFT, SVG_WIDTH - LEFT - 12);
	for (uint32_t i = 0; i < html->model->n_cases; i++)
		draw_line(html, curve, i);
	for (uint32_t i = 0; i < html->model->n_cases; i++)
		draw_value(html, curve, i);
}

void html_curve(struct html *html)
{
	struct curve curve;

	if (!curve_read(html, &curve))
		return;
	html_put(html, "<figure><figcaption>Median elapsed time over ");
	html_text(html, curve.name);
	html_put(html, "; the bands are 95 %% intervals.</figcaption>\n");
	svg_open(html, PLOT_Y + PLOT_H + SVG_AXIS, "Elapsed time over the variable that was swept",
		 "A line for each model through its medians; the table below has the figures.");
	draw(html, &curve);
	svg_close(html);
	html_put(html, "</figure>\n");
}
