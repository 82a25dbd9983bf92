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
/* RATIO_LOW: in plots of fewer rows, a mark is half a row high. */
enum { RATIO_LOW = 9 };

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

	*point = (struct ratio_point) {.number = curve->value[value].number,
				       .ratio = {NAN, NAN, NAN}};
	snprintf(point->text, sizeof(point->text), "%s", curve->value[value].text);
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

/* This part of the ratios, real or not, is within the axis. */
#define RATIOS_WITHIN 0.7

static double ratio_distance(const struct ratio_point *point)
{
	return fmax(point->ratio.estimate, 1 / point->ratio.estimate);
}

double ratios_bound(const struct ratios *list, uint32_t n, double bound)
{
	static const double bounds[] = {1.1, 1.2, 1.5, 2,   3,	 5,   10, 20,
					50,  100, 200, 500, 1e3, 1e4, 1e6};
	double distances[RATIO_WORKS * CURVE_VALUES], reach = bound;
	const double least = fmax(bound, bounds[0]);
	size_t i = 0, known = 0;
	bool beyond;

	for (uint32_t k = 0; k < n; k++)
		for (uint32_t v = 0; v < list[k].n; v++) {
			const struct ratio_point *point = &list[k].point[v];

			/* The axis never shrinks, and a ratio of few trials may be far off. */
			if (isnan(point->ratio.low))
				continue;
			distances[known++] = ratio_distance(point);
			beyond = point->ratio.low > least || point->ratio.high < 1 / least;
			if (point->real || beyond)
				reach = fmax(reach, ratio_distance(point));
		}
	if (known > 0)
		reach = fmax(reach, stats_select(distances, known, RATIOS_WITHIN));
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
	const struct scale *scale; /* NULL: the values are evenly spaced. */
	double bound;
};

/* The column of a value. */
static int ratios_column(const struct ratios_panel *panel, uint32_t value)
{
	const struct rect plot = panel->plot;
	const int edge = plot.w < RATIO_WIDE ? RATIO_EDGE_NARROW : RATIO_EDGE;
	const int room = plot.w - 1 - 2 * edge, gaps = MAX(1, (int)panel->ratios->n - 1);
	const double number = panel->ratios->point[value].number;

	if (panel->scale)
		return plot.x + edge + (int)(scale_share(panel->scale, number) * room + 0.5);
	if (room < gaps)
		return plot.x + edge + (int)value * room / gaps;
	return plot.x + edge + (room % gaps) / 2 + (int)value * (room / gaps);
}

/* The row of a ratio, which may be outside the plot. */
static int ratios_row(const struct ratios_panel *panel, double ratio)
{
	const int half = panel->plot.h / 2;
	const double share = log(ratio) / log(panel->bound);

	return panel->plot.y + half - (int)lround(fmax(-9, fmin(9, share)) * half);
}

/*
 * Draws the range of the trials or the interval, which may go on beyond the plot. That of a real
 * difference does not touch the line at 1x.
 */
static void ratios_draw_range(const struct ratios_panel *panel, const struct ratio_point *point,
			      int x, struct style style)
{
	const struct rect plot = panel->plot;
	const int last = plot.y + plot.h - 1, middle = plot.y + plot.h / 2;
	const int highest = ratios_row(panel, point->ratio.high);
	const int lowest = ratios_row(panel, point->ratio.low);
	int high = MAX(plot.y, highest), low = MIN(last, lowest);

	if (isnan(point->ratio.low))
		return;
	if (point->real && point->ratio.estimate < 1)
		high = MAX(high, middle + 1);
	else if (point->real)
		low = MIN(low, middle - 1);
	for (int row = high; row <= low; row++)
		canvas_put(panel->canvas, x, row, 0x2502, style);
	if (highest < plot.y)
		canvas_put(panel->canvas, x, plot.y, 0x25b4, style);
	if (lowest > last)
		canvas_put(panel->canvas, x, last, 0x25be, style);
}

/* Draws a mark half a row high, in the half next to the line at 1x or farther from it. */
static void ratios_draw_half(const struct ratios_panel *panel, double ratio, int x,
			     struct style style)
{
	const int half = panel->plot.h / 2, middle = panel->plot.y + half;
	const double rows = fabs(log(ratio)) / log(panel->bound) * half;
	/* Counted from the row of the line, which has a half row on both sides of the line. */
	const int halves = MAX(1, MIN((int)(2 * rows), 2 * half));
	const int away = (halves + 1) / 2;
	const bool near = halves % 2 == 1;

	if (ratio < 1)
		canvas_put(panel->canvas, x, middle + away, near ? 0x2580 : 0x2584, style);
	else
		canvas_put(panel->canvas, x, middle - away, near ? 0x2584 : 0x2580, style);
}

/* Draws a value, or an arrow to one beyond the axis. Only a real one has a hue. */
static void ratios_draw_point(const struct ratios_panel *panel, uint32_t value)
{
	const struct ratio_point *point = &panel->ratios->point[value];
	const double ratio = point->ratio.estimate;
	const uint32_t faster = panel->ratios->cases[ratio < 1];
	const struct rect plot = panel->plot;
	const int x = ratios_column(panel, value);
	const int last = plot.y + plot.h - 1, middle = plot.y + plot.h / 2;
	struct style style = DIM;
	uint32_t glyph = 0x25c7;
	int y;

	if (isnan(ratio))
		return;
	y = ratios_row(panel, ratio);
	if (point->real) {
		style = STYLE_BOLD(view_hue(panel->model, faster));
		glyph = view_shape(panel->model, faster);
	}
	ratios_draw_range(panel, point, x, point->real ? style : STYLE(COLOUR_BORDER));
	if (y < plot.y)
		glyph = 0x2191;
	else if (y > last)
		glyph = 0x2193;
	else if (point->real && plot.h < RATIO_LOW) {
		ratios_draw_half(panel, ratio, x, style);
		return;
	}
	y = MAX(plot.y, MIN(y, last));
	if (point->real && y == middle)
		y += ratio < 1 ? 1 : -1;
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
		ratios_draw_point(panel, v);
}

/* Draws the values below the plot, as far as they do not touch. */
static void ratios_draw_values(const struct ratios_panel *panel)
{
	const struct rect plot = panel->plot;
	int end = plot.x;

	for (uint32_t v = 0; v < panel->ratios->n; v++) {
		const char *text = panel->ratios->point[v].text;
		const int w = utf8_columns(text), x = ratios_column(panel, v) - w / 2;

		if (x < end || x + w > plot.x + plot.w)
			continue;
		canvas_text(panel->canvas, x, plot.y + plot.h, w, DIM, text);
		end = x + w + 1;
	}
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
	const bool low = plot.h <= RATIOS_LEAST;
	/* The last row has the label of the axis. */
	const int below = low ? plot.h / 2 + 1 : MIN(plot.h / 2 + 2, plot.h - 3);
	const int rows[] = {plot.y + 1, plot.y + below};

	for (int i = 0; i < 2; i++) {
		const uint32_t case_id = panel->ratios->cases[i];
		const char *name = panel->model->cases[case_id].model;
		const int w = MIN(2 + utf8_columns(name), plot.x - 4);

		view_mark_name(panel->canvas, RECT(plot.x - 2 - w, rows[i], w, 1), panel->model,
			       case_id, name);
		if (!low)
			canvas_right(panel->canvas, plot.x - 2, rows[i] + 1, DIM, "faster");
	}
}

void ratios_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		 const struct ratios *list, uint32_t n, const struct scale *scale, double bound)
{
	const int w = (rect.w - (int)(n - 1) * RATIO_GAP) / (int)n;

	if (n > 1)
		scale = NULL;
	for (uint32_t i = 0; i < n; i++) {
		struct ratios_panel panel = {canvas, model, &list[i], rect, scale, bound};

		panel.plot.x += (int)i * (w + RATIO_GAP);
		panel.plot.w = w;
		panel.plot.y += RATIOS_TITLE;
		panel.plot.h -= RATIOS_TITLE;
		if (!scale)
			panel.plot.h -= RATIOS_AXIS;
		panel.plot.h -= panel.plot.h % 2 == 0; /* An odd height has a middle row. */
		if (i == 0) {
			ratios_draw_labels(&panel);
			ratios_draw_sides(&panel);
		}
		ratios_draw_panel(&panel);
		if (!scale)
			ratios_draw_values(&panel);
	}
}
