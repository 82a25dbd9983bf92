/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/comparison.h"
#include "base/utf8.h"
#include "report/report.h"
#include "model/model_latency.h"
#include "svg.h"

#define LETTER 7.4 /* about as wide */
#define NAMES  36  /* the most letters of one */

/* The elapsed times of all cases on one axis. */
struct dots {
	struct svg_scale scale;
	unsigned letters; /* of the longest name */
	double *values;	  /* of one case at a time */
};

static unsigned longest_name(const struct html *html)
{
	unsigned longest = 0;

	for (uint32_t i = 0; i < html->model->n_cases; i++) {
		unsigned length = (unsigned)utf8_columns(HTML_CASE(html, i));

		longest = length > longest ? length : longest;
	}
	return longest < NAMES ? longest : NAMES;
}

/* There is no scale without a measured trial. */
static void find_range(const struct html *html, struct dots *dots)
{
	double low, high, margin, names;

	if (!report_range(html->model, &low, &high))
		return;
	dots->letters = longest_name(html);
	names = 28 + dots->letters * LETTER;
	margin = fmax((high - low) * 0.06, high * 0.002);
	dots->scale = (struct svg_scale) {
		.low = fmax(0, low - margin),
		.high = high + margin,
		.x = names,
		.w = SVG_WIDTH - names - SVG_VALUES - 12,
	};
	/* what spans more than that is told best by how long the bars from 0 would be */
	if (low < high / 3)
		dots->scale.low = 0;
}

/* The interval is drawn behind the marks. */
static void draw_interval(struct html *html, const struct dots *dots, unsigned hue, double y,
			  const struct stats_interval *median)
{
	double low = svg_at(&dots->scale, median->low);
	char style[32];

	snprintf(style, sizeof(style), "m%u a2", hue);
	if (!isnan(median->low))
		svg_rect(html, style, low, y - 8, svg_at(&dots->scale, median->high) - low, 16);
}

static void draw_case(struct html *html, const struct dots *dots, uint32_t case_id, double y)
{
	unsigned hue = html_hue(html, case_id);
	size_t n = model_trials(html->model, case_id, model_headline(html->model), dots->values,
				NULL, html->model->n_runs);
	struct stats_interval median;

	svg_mark(html, hue, 5, y, NULL);
	svg_name(html, "strong", 14, y + 4, HTML_CASE(html, case_id), dots->letters);
	median = stats_median_interval(dots->values, n); /* sorts them */
	if (n > 0)
		draw_interval(html, dots, hue, y, &median);
	for (size_t i = 0; i < n; i++)
		svg_mark(html, hue, svg_at(&dots->scale, dots->values[i]), y,
			 METRIC_TEXT(model_headline(html->model), dots->values[i]));
	if (n > 0)
		svg_rect(html, "ink", svg_at(&dots->scale, median.estimate) - 1.2, y - 10, 2.4, 20);
	svg_text(html, "strong end", SVG_WIDTH, y + 4, "%s",
		 METRIC_TEXT(model_headline(html->model), n > 0 ? median.estimate : NAN));
}

static double count_ranked(const struct model *model)
{
	double n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		n += !comparison_mixed(&model->cases[i]);
	return n;
}

static void draw_dots(struct html *html, const struct dots *dots)
{
	double height = 24 * count_ranked(html->model), y = 12;

	html_put(html,
		 "<figure><figcaption>%s; lower is better. A mark is one trial, the black bar the "
		 "median, the band its 95 %% interval.</figcaption>\n",
		 model_has_latency(html->model)
			 ? "Until a task runs, the median of all that a trial created"
			 : "Elapsed time, from the first creation to the last join");
	svg_open(html, height + SVG_AXIS,
		 model_has_latency(html->model) ? "How long until a task runs, in each trial"
						: "Elapsed time of each trial",
		 "A row for each model with a mark for each trial along one axis of time; the "
		 "table below has the figures.");
	svg_axis_x(html, &dots->scale, SVG_TIME, 0, height);
	for (uint32_t i = 0; i < html->model->n_cases; i++) {
		if (comparison_mixed(&html->model->cases[i]))
			continue;
		draw_case(html, dots, i, y);
		y += 24;
	}
	svg_close(html);
	html_put(html, "</figure>\n");
}

/* The trials that are no measurement, and why. */
static void write_left_out(struct html *html)
{
	const struct model *model = html->model;

	html_put(html, "<ul>\n");
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!report_counts(model, run) || model_measured(model, run))
			continue;
		html_mixed(html, "<li><span class=\"error\">✗</span> ",
			   HTML_CASE(html, run->id.case_id), ", ", HTML_TRIAL(html, run),
			   ": not counted. ", run->totals.reason, "</li>\n", NULL);
	}
	html_put(html, "</ul>\n");
}

static int write_tables(struct html *html)
{
	static const enum table_id order[] = {
		TABLE_FAULTS,	TABLE_MESSAGES, TABLE_TASKS, TABLE_STEPS,  TABLE_SPEEDUP,
		TABLE_SCALING,	TABLE_ELAPSED,	TABLE_PIVOT, TABLE_VALUES, TABLE_COMPARISON,
		TABLE_CLAIMS,	TABLE_PATH,	TABLE_WHY,   TABLE_MEMORY, TABLE_COSTS,
		TABLE_COUNTERS, TABLE_LEVELS,	TABLE_WAKES};
	int err = 0;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && !err; i++) {
		if (order[i] == TABLE_PATH)
			err = html_path(html);
		if (!err)
			err = html_table(html, order[i]);
		if (order[i] == TABLE_COMPARISON)
			write_left_out(html);
	}
	return err;
}

int html_results(struct html *html)
{
	struct dots dots = {.values = calloc(html->model->n_runs + 1, sizeof(double))};
	int err;

	if (!dots.values)
		return -ENOMEM;
	html_section(html, "Results");
	find_range(html, &dots);
	if (dots.scale.high > 0)
		draw_dots(html, &dots);
	err = write_tables(html);
	html_put(html, "</section>\n");
	free(dots.values);
	return err;
}
