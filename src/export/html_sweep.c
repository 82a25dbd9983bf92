/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <errno.h>
#include <stdlib.h>

#include "report/curve_answer.h"
#include "html_curve.h"
#include "model/model_latency.h"
#include "model/model_sweep.h"
#include "svg.h"

#define MAIN_W 500 /* of the elapsed time; the other metrics stand beside it */
#define SIDE_X 520
#define SIDE_H 118
#define BESIDE 3
#define LEAST  3 /* values that make a curve */

/* Tables say where two values cross. Without numbers or a second line, the dots tell it all. */
static bool is_curve(const struct curve *curve)
{
	return curve->n_values >= LEAST && (curve->numeric || curve->n_lines > 1) &&
	       html_curve_known(curve);
}

/* Draws all known metrics but the elapsed time: three beside it, two below. */
static int draw_others(struct html *html, uint32_t work, struct curve *curve)
{
	struct rectangle place = {SIDE_X, 0, SVG_WIDTH - SIDE_X, SIDE_H};
	int drawn = 0;

	for (const enum model_metric *metric = metric_curves_of(html->model) + 1; *metric < METRICS;
	     metric++) {
		int err = curve_read(curve, html->model, *metric, work);

		if (err)
			return err;
		if (!html_curve_known(curve))
			continue;
		place.x = drawn == BESIDE ? 0 : SIDE_X;
		place.y = SIDE_H * (drawn < BESIDE ? drawn : BESIDE);
		html_curve(html, curve, &place, false);
		drawn++;
	}
	return 0;
}

/* Writes the sweep of one kind of work; curve is its elapsed time. */
static int write_work(struct html *html, uint32_t work, struct curve *curve)
{
	const double height = SIDE_H * (BESIDE + 1);
	const struct rectangle place = {0, 0, MAIN_W, SIDE_H * BESIDE};
	char title[3 * SAMPLE_LABEL], answer[512];
	int err;

	snprintf(title, sizeof(title), "%s%sover %s", curve->work, *curve->work ? " " : "",
		 curve->name);
	html_heading(html, 3, curve_answer(curve, answer, sizeof(answer)));
	html_put(html, "<figure>");
	svg_open(html, height, title,
		 "Lines for each model through its medians on the range of its trials: elapsed "
		 "time, and smaller CPU time, memory, time to create, CPU use, and bytes read and "
		 "written. The tables below have the figures.");
	html_curve(html, curve, &place, true);
	err = draw_others(html, work, curve);
	svg_close(html);
	html_put(html, "</figure>\n");
	return err;
}

/* How many kinds of work have a curve, each of which is written unless html is NULL; -ENOMEM. */
static int each_work(const struct model *model, struct html *html, struct curve *curve)
{
	uint32_t n = 1;
	int err = 0, curves = 0;

	for (uint32_t work = 0; work < n && !err; work++) {
		err = curve_read(curve, model, metric_curves_of(model)[0], work);
		n = curve->n_works;
		if (err || !is_curve(curve))
			continue;
		curves++;
		if (html)
			err = write_work(html, work, curve);
	}
	return err ? err : curves;
}

static int stop(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	return 1;
}

static int write_curves(struct html *html, struct curve *curve)
{
	html_put(html, "<p class=\"note\">Lines run through the medians, on the range of all "
		       "trials; lower is better. × marks where two lines cross, the bar on the "
		       "axis below it between which values; a pale × may be chance.</p>\n");
	return each_work(html->model, html, curve);
}

static int write_section(struct html *html, struct curve *curve)
{
	int curves = each_work(html->model, NULL, curve), err = 0;
	bool crossovers = model_curves(html->model, stop, NULL) != 0;

	if (curves < 0 || (curves == 0 && !crossovers))
		return curves;
	html_put(html, "<section>");
	html_heading_begin(html, 2);
	html_mixed(html, "Over ", curve->name, NULL);
	html_heading_end(html, 2);
	if (curves > 0)
		err = write_curves(html, curve);
	if (err >= 0 && crossovers) {
		html_heading(html, 3, "Where the curves cross");
		err = html_table(html, TABLE_CROSSOVER);
		if (!err)
			err = html_table(html, TABLE_POOL);
	}
	html_put(html, "</section>\n");
	return err < 0 ? err : 0;
}

int html_sweep(struct html *html)
{
	struct curve *curve;
	int err;

	/* runs that create more or fewer tasks do not compare by their time */
	if (!curve_swept(html->model) || model_has_latency(html->model))
		return 0;
	curve = malloc(sizeof(*curve));
	if (!curve)
		return -ENOMEM;
	err = write_section(html, curve);
	free(curve);
	return err;
}
