/* SPDX-License-Identifier: MIT */
#include "view_ratios.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "result/report.h"
#include "view_cache.h"

enum { RATIO_TRIALS = 3, RATIO_EDGE = 4, RATIO_EDGE_NARROW = 1, RATIO_WIDE = 32, RATIO_GAP = 2 };

/* Takes the range of the trials as the ends, if there are enough. */
static int ratios_take_range(struct ratio_point *point, const struct model *model,
			     const struct model_comparison *comparison)
{
	struct pairs pairs;
	int err = pairs_read(&pairs, model, comparison);

	for (size_t i = 0; i < pairs.n && pairs.n >= RATIO_TRIALS; i++) {
		point->ratio.low = fmin(point->ratio.low, 1 / pairs.ratios[i]);
		point->ratio.high = fmax(point->ratio.high, 1 / pairs.ratios[i]);
	}
	pairs_free(&pairs);
	return err;
}

static int ratios_read_point(struct ratio_point *point, const struct model *model,
			     const struct curve *curve, uint32_t value)
{
	const int32_t a = curve->point[0][value].case_id, b = curve->point[1][value].case_id;
	struct model_comparison comparison;
	int err;

	*point = (struct ratio_point) {curve->value[value].number, {NAN, NAN, NAN}, false, false};
	if (a < 0 || b < 0)
		return 0;
	err = model_compare(model, (uint32_t)a, (uint32_t)b, curve->metric, &comparison);
	if (err)
		return err;
	point->ratio = comparison.ratio;
	point->decided = !isnan(point->ratio.low);
	point->real = comparison.verdict == STATS_A || comparison.verdict == STATS_B;
	if (point->decided || isnan(point->ratio.estimate))
		return 0;
	return ratios_take_range(point, model, &comparison);
}

int ratios_read(struct ratios *ratios, const struct model *model, const struct curve *curve)
{
	int err = 0;

	*ratios = (struct ratios) {.metric = curve->metric, .least = INFINITY};
	if (curve->n_lines != 2 || !curve->numeric ||
	    !metric_is(curve->metric, METRIC_MORE_IS_WORSE))
		return 0;
	snprintf(ratios->work, sizeof(ratios->work), "%s", curve->work);
	ratios->n = curve->n_values;
	for (uint32_t line = 0; line < 2; line++) {
		ratios->cases[line] = curve->line[line].case_id;
		for (uint32_t v = 0; v < curve->n_values; v++) {
			ratios->least = fmin(ratios->least, curve->point[line][v].median);
			ratios->most = fmax(ratios->most, curve->point[line][v].median);
		}
	}
	for (uint32_t v = 0; v < curve->n_values; v++) {
		if (err)
			break;
		err = ratios_read_point(&ratios->point[v], model, curve, v);
	}
	return err;
}

double ratios_bound(const struct ratios *list, uint32_t n, double bound, bool over)
{
	static const double bounds[] = {1.1, 1.2, 1.5, 2,   3,	 5,   10, 20,
					50,  100, 200, 500, 1e3, 1e4, 1e6};
	const double least = fmax(bound, bounds[0]);
	double reach = bound;
	size_t i = 0;

	for (uint32_t k = 0; k < n; k++)
		for (uint32_t v = 0; v < list[k].n; v++) {
			const struct ratio_point *point = &list[k].point[v];
			const struct stats_interval *found = &point->ratio;
			const double ratio = found->estimate;
			const bool beyond = found->low > least || found->high < 1 / least;

			/*
			 * The axis never shrinks. So a ratio of few trials, which may be far off,
			 * counts only if all trials are beyond the axis.
			 */
			if (!point->decided && !over && !beyond)
				continue;
			reach = fmax(reach, fmax(ratio, 1 / ratio));
		}
	while (i + 1 < LENGTH(bounds) && bounds[i] < reach)
		i++;
	return bounds[i];
}

/* One kind of work: its plot, and the axes. */
struct ratios_panel {
	struct canvas *canvas;
	const struct model *model;
	const struct ratios *ratios;
	struct rect plot;
	const struct scale *scale;
	double bound;
};

/* The row of a ratio, which may be outside the plot. */
static int ratios_row(const struct ratios_panel *panel, double ratio)
{
	const int half = panel->plot.h / 2;
	const double share = log(ratio) / log(panel->bound);

	return panel->plot.y + half - (int)lround(fmax(-9, fmin(9, share)) * half);
}

/*
 * Draws a value, or an arrow to one beyond the axis. A real difference and its interval do not
 * touch the line at 1x.
 */
static void ratios_draw_point(const struct ratios_panel *panel, const struct ratio_point *point)
{
	const struct rect plot = panel->plot;
	const int edge = plot.w < RATIO_WIDE ? RATIO_EDGE_NARROW : RATIO_EDGE;
	const int x =
		plot.x + edge +
		(int)(scale_share(panel->scale, point->number) * (plot.w - 1 - 2 * edge) + 0.5);
	const struct ratios *ratios = panel->ratios;
	const uint32_t faster = ratios->cases[point->ratio.estimate < 1];
	const int last = plot.y + plot.h - 1, middle = plot.y + plot.h / 2;
	struct style style = STYLE(COLOUR_DEFAULT);
	uint32_t glyph = 0x25c7;
	int y;

	if (isnan(point->ratio.estimate))
		return;
	if (point->real) {
		style = STYLE_BOLD(view_hue(panel->model, faster));
		glyph = view_shape(panel->model, faster);
	}
	if (!isnan(point->ratio.low)) {
		int high = MAX(plot.y, ratios_row(panel, point->ratio.high));
		int low = MIN(last, ratios_row(panel, point->ratio.low));

		if (point->real && point->ratio.estimate < 1)
			high = MAX(high, middle + 1);
		else if (point->real)
			low = MIN(low, middle - 1);
		if (!point->real)
			style = DIM;
		for (int row = high; row <= low; row++)
			canvas_put(panel->canvas, x, row, 0x2502, style);
		/* The range ends beyond the plot. */
		if (ratios_row(panel, point->ratio.high) < plot.y)
			canvas_put(panel->canvas, x, plot.y, 0x25b4, style);
		if (ratios_row(panel, point->ratio.low) > last)
			canvas_put(panel->canvas, x, last, 0x25be, style);
	}
	if (!point->real)
		style = STYLE_BOLD(COLOUR_TITLE);
	if (ratios_row(panel, point->ratio.estimate) < plot.y)
		glyph = 0x2191;
	if (ratios_row(panel, point->ratio.estimate) > last)
		glyph = 0x2193;
	y = MAX(plot.y, MIN(ratios_row(panel, point->ratio.estimate), last));
	if (point->real && y == middle)
		y += point->ratio.estimate < 1 ? 1 : -1;
	canvas_put(panel->canvas, x, y, glyph, style);
}

/* "12.3 to 50.2 ms", or "12.3–50.2 ms" in few columns; "900 us to 1.2 ms" if the units differ. */
static void ratios_format_range(const struct ratios *ratios, int w, char *buf, size_t size)
{
	char low[32], high[32];

	metric_format(low, sizeof(low), ratios->metric, ratios->least);
	metric_format(high, sizeof(high), ratios->metric, ratios->most);
	if (strcmp(low + strcspn(low, " "), high + strcspn(high, " ")) == 0)
		low[strcspn(low, " ")] = '\0';
	snprintf(buf, size, "%s to %s", low, high);
	if (utf8_columns(buf) > w)
		snprintf(buf, size, "%s–%s", low, high);
}

/* "fp 12.3 to 50.2 ms"; without kinds of work "processes / threads, above 1x threads faster". */
static void ratios_draw_title(const struct ratios_panel *panel, int y)
{
	const struct ratios *ratios = panel->ratios;
	const struct model *model = panel->model;
	const char *first = model->cases[ratios->cases[0]].model;
	const char *second = model->cases[ratios->cases[1]].model;
	const struct rect plot = panel->plot;
	char text[3 * SAMPLE_NAME + 32];
	int x = plot.x;

	if (*ratios->work) {
		x = canvas_text(panel->canvas, x, y, plot.w, STYLE_BOLD(COLOUR_DEFAULT),
				ratios->work) +
		    1;
		if (isinf(ratios->least))
			return;
		ratios_format_range(ratios, plot.x + plot.w - x, text, sizeof(text));
	} else {
		snprintf(text, sizeof(text), "%s / %s, above 1x %s faster", second, first, first);
	}
	canvas_text(panel->canvas, x, y, plot.x + plot.w - x, DIM, text);
}

static void ratios_draw_panel(const struct ratios_panel *panel)
{
	const struct rect plot = panel->plot;

	canvas_hline(panel->canvas, plot.x, plot.y + plot.h / 2, plot.w, 0x2500,
		     STYLE(COLOUR_BORDER));
	ratios_draw_title(panel, plot.y - RATIOS_TITLE);
	for (uint32_t v = 0; v < panel->ratios->n; v++)
		ratios_draw_point(panel, &panel->ratios->point[v]);
}

/* Draws the labels of the axis to the left of the first panel. */
static void ratios_draw_labels(const struct ratios_panel *panel)
{
	const double labels[] = {panel->bound, 1, 1 / panel->bound};
	const struct rect plot = panel->plot;

	for (int i = 0; i < 3; i++) {
		char text[32];

		snprintf(text, sizeof(text), "%sx", CLAIM_TIMES(labels[i]));
		if (i == 1)
			snprintf(text, sizeof(text), "1x");
		canvas_right(panel->canvas, plot.x - 2, plot.y + i * (plot.h / 2),
			     i == 1 ? PLAIN : DIM, text);
	}
}

/* Names the faster model of each side, between the labels. */
static void ratios_draw_sides(const struct ratios_panel *panel)
{
	const struct rect plot = panel->plot;
	/* The last row has the label of the axis. */
	const int below = MIN(plot.h / 2 + 2, plot.h - 3);
	const int rows[] = {plot.y + 1, plot.y + below};

	for (int i = 0; i < 2 && plot.h > RATIOS_LEAST; i++) {
		const uint32_t case_id = panel->ratios->cases[i];
		const char *name = panel->model->cases[case_id].model;
		const int w = MIN(2 + utf8_columns(name), plot.x - 4);

		view_mark_name(panel->canvas, RECT(plot.x - 2 - w, rows[i], w, 1), panel->model,
			       case_id, name);
		canvas_right(panel->canvas, plot.x - 2, rows[i] + 1, DIM, "faster");
	}
}

void ratios_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		 const struct ratios *list, uint32_t n, const struct scale *scale, double bound)
{
	const int w = (rect.w - (int)(n - 1) * RATIO_GAP) / (int)n;

	for (uint32_t i = 0; i < n; i++) {
		struct ratios_panel panel = {canvas, model, &list[i], rect, scale, bound};

		panel.plot.x += (int)i * (w + RATIO_GAP);
		panel.plot.w = w;
		panel.plot.y += RATIOS_TITLE;
		panel.plot.h -= RATIOS_TITLE;
		panel.plot.h -= panel.plot.h % 2 == 0; /* An odd height has a middle row. */
		if (i == 0) {
			ratios_draw_labels(&panel);
			ratios_draw_sides(&panel);
		}
		ratios_draw_panel(&panel);
	}
}
