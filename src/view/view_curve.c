/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/names.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "result/finding.h"
#include "view_cache.h"
#include "view_ratios.h"
#include "model/model_parts.h"

enum { FIGURE = 32, CURVE_CELL_W = 8, SCALE_W = 8, EDGE = 4 };

/* The Curve of a sweep of cores as speedups: the time on the fewest cores divided by the time. */
struct curve_speedup {
	/*
	 * The lines of the curve of times, but medians are speedups, and least and most are the
	 * ends of their intervals.
	 */
	struct curve curve;
	struct model_speedup line[CURVE_LINES];
	char answer[SPEEDUP_TEXT];
};

/* The sweep. It is read again only after a run has ended, or for another metric or kind of work. */
struct view_sweep {
	struct view_sweep_key {
		uint32_t ended, cases, metric, work; /* cases is 0 until something was read. */
	} key;
	struct curve curve;
	char answer[HEADLINE_TEXT];
	struct curve_speedup speedup; /* Valid if the session sweeps cores. */
	bool withheld;		      /* A point has no median, and runs are withheld. */
	bool has_first;
	/*
	 * For points without a median: the value of the newest run, even a warm-up or a run that
	 * does not count; NaN if there is none.
	 */
	double first[CURVE_LINES][CURVE_VALUES];
	/* Ends of the y axis so far. Until everything is measured, the axis only grows. */
	double least, most;
	struct ratios ratios[RATIO_WORKS]; /* Of each kind of work. */
	uint32_t n_ratios, shown_ratios;   /* shown_ratios: number of the curve's own. */
	double bound;			   /* Of the axis of ratios so far, which only grows. */
};

static bool speedup_offered(const struct curve *curve)
{
	return curve->numeric && curve->n_values > 1 && strcmp(curve->name, "cores") == 0;
}

/*
 * Turns the lines of times into speedups. The intervals of the speedups replace the range of
 * trials.
 */
static int speedup_read(struct curve_speedup *speedup, const struct model *model,
			const struct curve *times)
{
	struct sentence answer = sentence_in(speedup->answer, sizeof(speedup->answer));
	char text[SPEEDUP_TEXT];

	speedup->curve = *times;
	speedup->curve.n_crosses = 0;
	speedup->answer[0] = '\0';
	for (uint32_t i = 0; i < times->n_lines; i++) {
		struct model_speedup *line = &speedup->line[i];
		int err = model_speedup(model, times->line[i].case_id, line);

		if (err)
			return err;
		for (uint32_t v = 0; v < times->n_values; v++) {
			struct curve_point *point = &speedup->curve.point[i][v];

			*point = (struct curve_point) {point->case_id, 0, NAN, NAN, NAN};
			for (uint32_t j = 0; j < line->n; j++) {
				const struct stats_interval *found = &line->point[j].speedup;
				bool known = !isnan(found->estimate);
				bool sure = known && !isnan(found->low);

				if (point->case_id != (int32_t)line->point[j].case_id)
					continue;
				/* n = 2 makes curve_draw_whiskers() draw the interval. */
				point->n = sure && found->low < found->high ? 2 : known;
				point->median = found->estimate;
				if (sure) {
					point->least = found->low;
					point->most = found->high;
				} else {
					point->least = found->estimate;
					point->most = found->estimate;
				}
			}
		}
		if (i > 0 && line->amdahl.state == AMDAHL_FEW_POINTS)
			continue;
		speedup_law(model, line, text, sizeof(text));
		sentence_join(&answer, "; ", "%s", text);
	}
	return 0;
}

static bool has_withheld_runs(const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (report_counts(model, &model->runs[i]) && model_withheld(&model->runs[i]))
			return true;
	return false;
}

/* The metric to draw. The user may have chosen its index in another session with a longer list. */
static enum model_metric curve_metric(const struct model *model, const struct curve_state *own)
{
	const enum model_metric *list = metric_curves_of(model);

	return list[own->metric % metric_count(list)];
}

/*
 * Reads the values of the newest runs of points without a median. The first measured trial may take
 * minutes; then the median replaces the value.
 */
static void sweep_read_first(struct view_sweep *sweep, const struct model *model)
{
	const struct curve *curve = &sweep->curve;
	double newest[SAMPLE_MAX_CASES];

	view_newest_values(model, curve->metric, newest);
	sweep->has_first = false;
	for (uint32_t line = 0; line < curve->n_lines; line++)
		for (uint32_t v = 0; v < curve->n_values; v++) {
			const struct curve_point *point = &curve->point[line][v];
			double *first = &sweep->first[line][v];

			*first = NAN;
			if (point->case_id >= 0 && point->n == 0 && !model_over(model))
				*first = newest[point->case_id];
			sweep->has_first |= !isnan(*first);
		}
}

/* Reads the ratios of each kind of work or, if there are too many kinds, of the curve's alone. */
static int sweep_read_ratios(struct view_sweep *sweep, const struct model *model,
			     const struct view_sweep_key *key)
{
	const uint32_t works = sweep->curve.n_works;
	struct curve *other;
	int err = 0;

	sweep->n_ratios = 1;
	sweep->shown_ratios = 0;
	if (works < 2 || works > RATIO_WORKS)
		return ratios_read(&sweep->ratios[0], model, &sweep->curve);
	other = calloc(1, sizeof(*other));
	if (!other)
		return -ENOMEM;
	sweep->n_ratios = works;
	sweep->shown_ratios = key->work % works;
	for (uint32_t work = 0; work < works; work++) {
		if (!err)
			err = curve_read(other, model, key->metric, work);
		if (!err)
			err = ratios_read(&sweep->ratios[work], model, other);
	}
	free(other);
	return err;
}

static struct view_sweep *sweep_refresh(struct view_cache *cache, const struct model *model,
					const struct curve_state *own)
{
	struct view_sweep_key key = {model_runs_ended(model), model->n_cases,
				     curve_metric(model, own), own->work};
	struct view_sweep *sweep = cache->sweep;

	if (!sweep)
		sweep = cache->sweep = calloc(1, sizeof(*sweep));
	if (!sweep)
		return NULL;
	if (memcmp(&sweep->key, &key, sizeof(key)) == 0)
		return sweep;
	/* The ends of the axis are only valid for one metric and one kind of work. */
	if (sweep->key.metric != key.metric || sweep->key.work != key.work)
		sweep->least = sweep->most = 0;
	if (sweep->key.metric != key.metric || key.ended < sweep->key.ended)
		sweep->bound = 0;
	sweep->key.cases = 0;
	if (curve_read(&sweep->curve, model, key.metric, key.work))
		return NULL;
	headline_of_metric(model, key.metric, sweep->answer, sizeof(sweep->answer));
	if (speedup_offered(&sweep->curve) && speedup_read(&sweep->speedup, model, &sweep->curve))
		return NULL;
	sweep_read_first(sweep, model);
	if (sweep_read_ratios(sweep, model, &key))
		return NULL;
	sweep->bound = ratios_bound(sweep->ratios, sweep->n_ratios, sweep->bound);
	sweep->withheld = false;
	for (size_t line = 0; line < sweep->curve.n_lines; line++)
		for (size_t v = 0; v < sweep->curve.n_values; v++) {
			const struct curve_point *point = &sweep->curve.point[line][v];

			sweep->withheld |= point->case_id >= 0 && isnan(point->median);
		}
	sweep->withheld = sweep->withheld && has_withheld_runs(model);
	sweep->key = key;
	return sweep;
}

bool view_curve_log(const struct view_state *state, const struct view_shown *shown, bool x)
{
	enum view_scale scale = state->curve.scale_y;

	if (x)
		scale = state->curve.scale_x;
	if (x && !shown->curve.positive)
		return false;
	if (scale == VIEW_SCALE_FITS)
		return shown->curve.wants_log;
	return scale == VIEW_SCALE_LOG;
}

struct curve_mark {
	double share; /* Position as a share of the height; NaN: the mark is not in the plot. */
	/*
	 * Column of the mark's whisker or bar. Whiskers of several lines at one value are side by
	 * side.
	 */
	int x;
	uint32_t glyph;
	uint8_t hue;
	bool first; /* The mark shows the newest run: see sweep_read_first(). */
};

struct plotting {
	struct canvas *canvas;
	const struct model *model;
	struct view_shown *shown;
	const struct curve *curve;
	const struct curve_speedup *speedup; /* NULL: the curve shows times or memory. */
	struct view_sweep *sweep;
	const char *below; /* Name of the row below the figures; NULL: no such row. */
	struct rect inner, plot;
	int axis_y;   /* Row of the x axis. Its labels are in the row below. */
	int table_y;  /* First row of the table of figures; 0: the table does not fit. */
	int ratios_h; /* Lines of the ratios below the table; 0: they are not drawn. */
	int names_w;  /* Width of the names at the right end of the lines; 0: no names. */
	int bar_w;    /* Width of the bars, which are drawn for values that are not numbers. */
	bool known;   /* There is at least one figure to draw. */
	double at[CURVE_VALUES];   /* The middle of a value's column, in canvas columns. */
	bool column[CURVE_VALUES]; /* Whether the table has room for the value's figures. */
	/* The lines are less than half a row apart: one line is drawn, and ratios below. */
	bool same[CURVE_VALUES];
	struct scale x, y;
	int n_ticks; /* Largest number of ticks on the y axis. */
	struct curve_drawn {
		uint32_t glyph;
		uint8_t hue;
		/* The values of the line have different hues, so the line itself has none. */
		bool mixed;
		struct style name;
		struct curve_mark marks[CURVE_VALUES];
	} line[CURVE_LINES];
};

/* The value of the newest run, shown until the point has a median. NaN for a speedup. */
static double first_trial(const struct plotting *p, uint32_t line, uint32_t value)
{
	if (p->speedup)
		return NAN;
	return p->sweep->first[line][value];
}

static double place_x(const struct plotting *p, double share)
{
	int n = (int)p->curve->n_values, edge = EDGE;

	if (!p->curve->numeric)
		edge = p->plot.w / (2 * MAX(1, n));
	if (edge * 2 >= p->plot.w)
		edge = 0;
	return p->plot.x + edge + share * (p->plot.w - 1 - 2 * edge) + 0.5;
}

/*
 * The half row that contains a share of the height, counted from 1 at the plot's lower edge. A
 * value is drawn in the middle of its row, like a tick. Half row 0 is the middle of the axis, which
 * is below the plot.
 */
static int place_half(const struct plotting *p, double share)
{
	return MAX(1, (int)(fmin(1, share) * p->plot.h * 2 + 1e-6));
}

static int place_y(const struct plotting *p, double share)
{
	return p->plot.y + p->plot.h - 1 - (place_half(p, share) - 1) / 2;
}

/* Whether two medians above ratios would share cells, where colours cannot mix. */
static bool curve_is_same(const struct plotting *p, uint32_t value)
{
	const double a = p->line[0].marks[value].share, b = p->line[1].marks[value].share;

	return p->ratios_h > 0 && fabs(a - b) * p->plot.h < 0.5;
}

enum { BAR_MOST = 8 };

static void curve_place_marks(struct plotting *p)
{
	const struct curve *curve = p->curve;
	const int n = (int)curve->n_lines, w = p->plot.w / MAX(1, (int)curve->n_values);
	int step = w > 2 * n ? 2 : w > n, end = p->plot.x - 1;

	p->bar_w = MAX(1, MIN(w / (n + 1), BAR_MOST));
	if (!curve->numeric)
		step = p->bar_w;
	for (uint32_t v = 0; v < curve->n_values; v++) {
		int x;

		if (curve->numeric)
			p->at[v] = place_x(p, scale_share(&p->x, curve->value[v].number));
		else if (curve->n_values > 1)
			p->at[v] = place_x(p, v / (curve->n_values - 1.0));
		else
			p->at[v] = place_x(p, 0.5);
		/* All rows of the table have the same columns, which do not touch. */
		x = (int)p->at[v] - CURVE_CELL_W / 2;
		p->column[v] = x >= end && x + CURVE_CELL_W <= p->inner.x + p->inner.w;
		if (p->column[v])
			end = x + CURVE_CELL_W;
	}
	for (int i = 0; i < n; i++) {
		struct curve_drawn *line = &p->line[i];
		uint32_t own = model_identity(p->model, curve->line[i].case_id), shape = own;

		/*
		 * A line has the shape of its case. If several lines have one case, the others get
		 * other shapes.
		 */
		for (int j = 0; j < i; j++)
			shape += 3 * (model_identity(p->model, curve->line[j].case_id) == own);
		line->hue = identity_colour(own);
		line->glyph = identity_glyph(shape);
		for (uint32_t v = 0; v < curve->n_values; v++) {
			const struct curve_point *point = &curve->point[i][v];
			/*
			 * If values are not numbers, each may be a case with a hue and shape of its
			 * own, such as trees.
			 */
			uint32_t identity = own;
			const double first = first_trial(p, i, v);

			if (!curve->numeric && point->case_id >= 0)
				identity = model_identity(p->model, (uint32_t)point->case_id);
			line->mixed |= identity != own;
			line->marks[v] = (struct curve_mark) {
				.share = scale_share(&p->y, point->median),
				.x = (int)p->at[v] + (2 * i - (n - 1)) * step / 2,
				.glyph = identity != own ? identity_glyph(identity) : line->glyph,
				.hue = identity_colour(identity)};
			if (isnan(first))
				continue;
			line->marks[v].share = scale_share(&p->y, first);
			line->marks[v].glyph = 0x25cb;
			line->marks[v].first = true;
		}
		line->name = STYLE_BOLD(line->mixed ? COLOUR_DEFAULT : line->hue);
	}
	for (uint32_t v = 0; v < curve->n_values; v++)
		p->same[v] = curve_is_same(p, v);
}

/* Trials above this multiple of the highest median are cut off. */
#define MOST_ABOVE 1.6
/*
 * While trials go on, the axis ends this far above the highest median when it grows. Later medians
 * then fit, and a single slow trial does not change the axis.
 */
#define MOST_SPARE 1.15
/* After the last trial, the axis is chosen anew if the curves have less than this part of it. */
#define MOST_USED 0.5

/*
 * Keeps the ends of the axis from frame to frame: they only grow while trials go on, and stay at
 * the end. low and high are the lowest and the highest median.
 */
static void curve_keep_axis(struct view_sweep *sweep, bool over, double low, double high)
{
	if (over && high < MOST_USED * sweep->most)
		sweep->most = 0;
	if (over && sweep->most <= 0)
		return;
	if (sweep->most <= 0)
		sweep->least = INFINITY;
	if (low < sweep->least)
		sweep->least = low / MOST_SPARE;
	if (high > sweep->most)
		sweep->most = MOST_SPARE * high;
}

/*
 * Chooses the y axis. That of speedups has room for the ideal line, and for models faster than it.
 */
static void curve_scale_y(struct plotting *p, bool logarithm)
{
	bool binary = !p->speedup && metric_table[p->curve->metric].unit == METRIC_KIB;
	double least = INFINITY, most = 0, low = INFINITY, high = 0;
	const int apart = p->plot.h < 6 ? 2 : 3;

	for (uint32_t i = 0; i < p->curve->n_lines; i++)
		for (uint32_t v = 0; v < p->curve->n_values; v++) {
			const struct curve_point *point = &p->curve->point[i][v];
			const double first = first_trial(p, i, v);

			if (first > 0)
				low = fmin(low, first);
			most = fmax(most, first);
			high = fmax(high, first);
			if (point->least > 0)
				least = fmin(least, point->least);
			if (point->median > 0)
				low = fmin(low, point->median);
			most = fmax(most, point->most);
			high = fmax(high, point->median);
		}
	most = fmin(most, MOST_ABOVE * high);
	least = fmin(least, low);
	p->known = most > 0 && !isinf(least);
	if (!p->speedup && p->known)
		curve_keep_axis(p->sweep, model_over(p->model), low, high);
	if (!p->speedup && p->known && p->sweep->most > 0) {
		least = p->sweep->least;
		most = p->sweep->most;
	}
	if (p->speedup) {
		least = fmin(1, low);
		most = fmax(high, p->curve->value[p->curve->n_values - 1].number /
					  p->curve->value[0].number);
	} else if (!p->known) {
		logarithm = false;
		most = 1;
	}
	p->n_ticks = MAX(1, p->plot.h / 3);
	p->y = scale_log(least, most, binary);
	if (logarithm)
		return;
	/*
	 * Takes the lowest end of the axis for which each tick is on a whole row, with ticks at
	 * least three rows apart, or two in a low plot, and two of them if there is room. Uses a
	 * smaller number of ticks only if that lowers the end by a tenth.
	 */
	p->y = (struct scale) {.low = 0, .high = INFINITY, .binary = binary};
	for (int rows = MIN(apart, p->plot.h); rows <= p->plot.h; rows++) {
		double share = (double)p->plot.h / rows;
		double tick = binary ? exp2(ceil(log2(most / share) - 1e-9))
				     : scale_step(most / share, 1);

		if (tick * share * 1.1 >= p->y.high || (rows > apart && share < 2))
			continue;
		p->y.high = tick * share;
		p->n_ticks = (int)ceil(share);
	}
}

/*
 * Draws the y axis with its labels. On a linear axis, all labels use the unit of the highest label,
 * and only the highest label shows it.
 */
static void curve_draw_y(const struct plotting *p)
{
	const enum metric_unit kind = metric_table[p->curve->metric].unit;
	const bool percent = kind == METRIC_PERCENT, printed = kind == METRIC_FIGURE;
	const char *last = printed ? "" : " %"; /* Text after the highest figure. */
	double ticks[SCALE_TICKS];
	int n = scale_ticks(&p->y, p->n_ticks, ticks), above = -1;

	if (p->speedup)
		last = " times";
	for (int y = 0; y < p->plot.h; y++)
		canvas_put(p->canvas, p->plot.x - 1, p->plot.y + y, 0x2502, STYLE(COLOUR_BORDER));
	for (int i = n - 1; i >= 0; i--) {
		int y = ticks[i] > 0 ? place_y(p, scale_share(&p->y, ticks[i])) : p->axis_y;
		const struct scale_unit *unit =
			scale_unit(p->y.log ? ticks[i] : p->y.high, p->y.binary);
		bool highest = i == n - 1;
		char text[FIGURE];

		if (y == above)
			continue;
		if (p->speedup || percent || printed)
			snprintf(text, sizeof(text), "%.4g%s", ticks[i], highest ? last : "");
		else if (p->y.log || highest)
			snprintf(text, sizeof(text), "%.4g %s", ticks[i] / unit->size, unit->name);
		else
			snprintf(text, sizeof(text), "%.4g", ticks[i] / unit->size);
		canvas_right(p->canvas, p->plot.x - 2, y, highest ? PLAIN : DIM, text);
		above = y;
		if (y == p->axis_y)
			continue;
		canvas_put(p->canvas, p->plot.x - 1, y, 0x2524, STYLE(COLOUR_BORDER));
		for (int x = 1; x < p->plot.w; x += 2)
			canvas_put(p->canvas, p->plot.x + x, y, 0xb7, STYLE(COLOUR_BORDER));
	}
}

/*
 * Centres the text on a value's column, unless it would touch the text to its left or leave the
 * box. Returns its end, or that of the text to its left.
 */
static int curve_text_at_value(const struct plotting *p, uint32_t value, int y, int end,
			       struct style style, const char *text)
{
	int w = utf8_columns(text), x = (int)p->at[value] - w / 2;
	int last = p->inner.x + p->inner.w;

	if (x < end || x + w > last)
		return end;
	return canvas_text(p->canvas, x, y, last - x, style, text) + 1;
}

static void curve_draw_x(const struct plotting *p)
{
	int end = p->plot.x - 1;

	canvas_put(p->canvas, p->plot.x - 1, p->axis_y, 0x2514, STYLE(COLOUR_BORDER));
	canvas_hline(p->canvas, p->plot.x, p->axis_y, p->plot.w, 0x2500, STYLE(COLOUR_BORDER));
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		canvas_put(p->canvas, (int)p->at[v], p->axis_y, 0x252c, DIM);
		end = curve_text_at_value(p, v, p->axis_y + 1, end, STYLE_BOLD(COLOUR_DEFAULT),
					  p->curve->value[v].text);
	}
	if (p->plot.x - 2 - utf8_columns(p->curve->name) >= p->inner.x)
		canvas_right(p->canvas, p->plot.x - 2, p->axis_y + 1, DIM, p->curve->name);
}

static int value_dot(const struct plotting *p, uint32_t value)
{
	return MAX(0, MIN((int)((p->at[value] - p->plot.x) * 2), PLOT_DOTS - 1));
}

/*
 * Plots two values for each cell, to a quarter of a row. A row's mark and tick are in its middle,
 * so the plot begins half a row above 0. The line is two dots thick: its upper dot is above the
 * value.
 */
static void plot_shares(const struct plotting *p, double y[PLOT_DOTS], struct style style)
{
	for (int i = 0; i < PLOT_DOTS; i++)
		if (!isnan(y[i]))
			y[i] = fmax(1, round(4 * (y[i] * p->plot.h - 0.5)) + 1);
	plot_line(p->canvas, p->plot, y, 4 * p->plot.h, style);
}

/* What of a line is drawn: from or to first runs, between medians, or where all lines are one. */
enum line_part { LINE_FIRST, LINE_OWN, LINE_SAME };

static enum line_part line_part(const struct plotting *p, const struct curve_mark *marks,
				uint32_t from, uint32_t to)
{
	if (marks[from].first || marks[to].first)
		return LINE_FIRST;
	return p->same[from] && p->same[to] ? LINE_SAME : LINE_OWN;
}

/* Joins neighbouring values. A value without a measurement leaves a gap. */
static void curve_draw_line(const struct plotting *p, int line, enum line_part part,
			    struct style style)
{
	const struct curve_mark *marks = p->line[line].marks;
	double y[PLOT_DOTS]; /* two values for each cell */

	for (int i = 0; i < PLOT_DOTS; i++)
		y[i] = NAN;
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		uint32_t next = MIN(v + 1, p->curve->n_values - 1);
		int i = value_dot(p, v), j = value_dot(p, next);
		double a = marks[v].share, b = marks[next].share;
		const bool joined = line_part(p, marks, v, next) == part;

		if (line_part(p, marks, v, v) == part && part != LINE_FIRST && (isnan(b) || i == j))
			y[i] = a;
		if (!joined || isnan(b) || i >= j)
			continue;
		for (int dot = i; dot <= j; dot++)
			y[dot] = a + (b - a) * (dot - i) / (j - i);
	}
	plot_shares(p, y, style);
}

/* The height of a bar above the axis, in rows. 0: the line has no bar at this value. */
static double bar_rows(const struct plotting *p, int line, uint32_t value)
{
	const struct curve_mark *mark = &p->line[line].marks[value];

	if (p->curve->numeric || mark->first || !(mark->share > 0))
		return 0;
	/* The row of the axis has the half row above 0. */
	return fmax(mark->share * p->plot.h - 0.5, 0.125);
}

static void curve_draw_bars(const struct plotting *p, int line)
{
	int w = p->bar_w, gap = w > 2;

	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_mark *mark = &p->line[line].marks[v];
		const double rows = bar_rows(p, line, v);
		double y[2 * BAR_MOST];
		struct rect rect = {mark->x - (w - gap) / 2, p->plot.y, w - gap, p->plot.h};

		if (rows <= 0)
			continue;
		for (int i = 0; i < 2 * rect.w; i++)
			y[i] = rows;
		plot_area(p->canvas, rect, y, p->plot.h, STYLE(mark->hue));
		for (int x = rect.x; x < rect.x + rect.w; x++)
			canvas_put(p->canvas, x, p->axis_y, 0x2580, STYLE(mark->hue));
	}
}

/*
 * Draws the trials' range. Its ends have the model's hue. If an end is above the plot, an arrow
 * replaces it. On a bar, the range is a gap in the bar, except in the row of the bar's top.
 */
static void curve_draw_whiskers(const struct plotting *p, int line)
{
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_point *point = &p->curve->point[line][v];
		const struct curve_mark *mark = &p->line[line].marks[v];
		double least = scale_share(&p->y, point->least);
		double most = scale_share(&p->y, point->most);
		int top = place_half(p, most), end = place_half(p, least);
		const double bar = bar_rows(p, line, v);

		if (point->n < 2 || isnan(least) || isnan(most))
			continue;
		/* The first and the last row may be filled by half. */
		for (int row = (end - 1) / 2; row <= (top - 1) / 2; row++) {
			bool upper = top > 2 * row + 1, lower = end <= 2 * row + 1;

			uint32_t glyph = 0x2502;
			struct style style = STYLE(p->same[v] ? COLOUR_DIM : mark->hue);

			if (!upper)
				glyph = 0x2577;
			else if (!lower)
				glyph = 0x2575;
			if (row + 1 <= bar)
				style.attr = ATTR_REVERSE;
			else if (row < bar)
				continue;
			else if (2 * row >= end && 2 * row + 2 < top)
				style = DIM;
			canvas_put(p->canvas, mark->x, p->plot.y + p->plot.h - 1 - row, glyph,
				   style);
		}
		if (most > 1)
			canvas_put(p->canvas, mark->x, place_y(p, most), 0x2191,
				   STYLE_BOLD(mark->hue));
	}
}

/*
 * The row of a line's mark at a value. Marks that are less than half a row apart share the row of
 * their mean: in two rows, they would look a whole row apart.
 */
static int curve_mark_row(const struct plotting *p, int line, uint32_t value)
{
	const double share = p->line[line].marks[value].share;
	double sum = 0;
	int n = 0;

	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		const double other = p->line[i].marks[value].share;

		if (isnan(other) || fabs(other - share) * p->plot.h >= 0.5)
			continue;
		sum += other;
		n++;
	}
	if (n == 0)
		return place_y(p, share);
	return place_y(p, sum / n);
}

/*
 * Draws a mark that is a row high and one cell wide, to a quarter of a row. In a low plot, the
 * shapes of several values would share a row although the line between them rises. The figures and
 * the ratios below have the shapes.
 */
static void curve_draw_block(const struct plotting *p, const struct curve_mark *mark, int x,
			     uint8_t hue)
{
	const double middle = fmax(0, 4 * (mark->share * p->plot.h - 0.5));
	const struct rect cell = {x, p->plot.y, 1, p->plot.h};

	/* Two lines, each two dots thick, around the two dots of the curve. */
	for (int dot = 0; dot <= 2; dot += 2) {
		const double height = fmax(2, round(middle)) + dot;
		const double y[2] = {height, height};

		plot_line(p->canvas, cell, y, 4 * p->plot.h, STYLE_BOLD(hue));
	}
}

/*
 * Draws the marks: at the foot of a bar, above a bar that is too low, or on a line. If another
 * line's whisker is in the same cell, the mark is drawn on its own line's whisker.
 */
static void curve_draw_marks(const struct plotting *p, int line)
{
	const bool bars = !p->curve->numeric;

	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_mark *mark = &p->line[line].marks[v];
		const int y = curve_mark_row(p, line, v);
		struct style style = STYLE_BOLD(mark->hue);
		int row = y - bars;
		bool aside = bars;

		if (isnan(mark->share)) /* For example 0 on a logarithmic axis. */
			continue;
		for (int i = 0; i < (int)p->curve->n_lines; i++) {
			double other = p->line[i].marks[v].share;

			aside |= i != line && !isnan(other) && curve_mark_row(p, i, v) == y;
		}
		if (bar_rows(p, line, v) >= 1) {
			style.attr |= ATTR_REVERSE;
			row = p->plot.y + p->plot.h - 1;
		}
		if (p->same[v] && !mark->first)
			curve_draw_block(p, mark, (int)p->at[v], COLOUR_DEFAULT);
		else if (p->ratios_h > 0 && !bars && !mark->first)
			curve_draw_block(p, mark, aside ? mark->x : (int)p->at[v], mark->hue);
		else
			canvas_put(p->canvas, aside ? mark->x : (int)p->at[v], row, mark->glyph,
				   style);
	}
}

/* The height of a drawn line at a column; NaN before its beginning and after its end. */
static double line_height(const struct plotting *p, int line, double x)
{
	double before = NAN, from = NAN;

	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		double share = p->line[line].marks[v].share, at = p->at[v];

		if (isnan(share))
			continue;
		if (at >= x) {
			if (at > x)
				return from + (share - from) * (x - before) / (at - before);
			return share;
		}
		before = at;
		from = share;
	}
	return NAN;
}

/*
 * The column where the drawn lines of a crossing meet. That depends on the axes, which the user can
 * change. If the medians' lines do not meet, it is where the pairs of trials cross.
 */
static double meeting_x(const struct plotting *p, const struct curve_cross *cross)
{
	const struct curve_mark *a = p->line[cross->a].marks, *b = p->line[cross->b].marks;
	double before = NAN, from = NAN;

	for (int v = cross->from; v <= cross->to; v++) {
		const double above = b[v].share - a[v].share;

		if (isnan(above))
			continue;
		if (above * before <= 0 && above != before)
			return from + (p->at[v] - from) * before / (before - above);
		before = above;
		from = p->at[v];
	}
	return place_x(p, scale_share(&p->x, cross->at));
}

/*
 * Draws a cross where two lines meet, a vertical line down from it, and its interval on the axis.
 */
static void curve_draw_cross(const struct plotting *p, const struct curve_cross *cross)
{
	int from = (int)p->at[cross->from], to = (int)p->at[cross->to];
	struct style style = STYLE_BOLD(COLOUR_TITLE);
	double x = meeting_x(p, cross);
	double share = (line_height(p, cross->a, x) + line_height(p, cross->b, x)) / 2;
	int y = place_y(p, share);

	if (isnan(share))
		return;
	canvas_hline(p->canvas, from, p->axis_y, to - from + 1, 0x2501, style);
	for (int i = y + 1; i < p->axis_y; i++)
		canvas_put(p->canvas, (int)x, i, 0x250a, style);
	canvas_put(p->canvas, (int)x, y, 0xd7, style);
}

/* For sorting lines from the highest down. below: minus the line's height. */
struct line_rank {
	double below;
	uint32_t line;
};

/*
 * Shortens the name of a line to at most `most` columns so that it differs from all other lines'
 * names.
 */
static const char *curve_fit(const struct plotting *p, uint32_t line, int most,
			     char buf[SAMPLE_NAME])
{
	const char *names[CURVE_LINES];

	for (uint32_t i = 0; i < p->curve->n_lines; i++)
		names[i] = p->curve->line[i].name;
	return names_fit(names, p->curve->n_lines, line, most, TEXT_DOT, buf, SAMPLE_NAME);
}

/* Draws the names at the lines' right ends, from the highest down, so that none covers another. */
static void curve_draw_names(const struct plotting *p)
{
	int x = p->plot.x + p->plot.w + 1, y = p->plot.y, n = 0;
	struct line_rank ends[CURVE_LINES]; /* Sorted by the last median of each line. */
	char name[SAMPLE_NAME];

	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		double last = NAN;

		for (uint32_t v = p->curve->n_values; v > 0; v--) {
			if (!isnan(last))
				break;
			last = p->curve->point[i][v - 1].median;
		}
		if (!isnan(last))
			ends[n++] = (struct line_rank) {-last, i};
	}
	qsort(ends, (size_t)n, sizeof(*ends), array_by_rank);
	for (int i = 0; i < n; i++, y++) {
		const struct curve_line *line = &p->curve->line[ends[i].line];

		y = MAX(y, place_y(p, scale_share(&p->y, -ends[i].below)));
		if (y >= p->axis_y)
			return;
		canvas_text(p->canvas, x, y, p->names_w - 1, p->line[ends[i].line].name,
			    curve_fit(p, ends[i].line, p->names_w - 1, name));
		view_zone_case(p->shown, RECT(x, y, p->names_w - 1, 1), line->case_id);
	}
}

static void curve_draw_figures(const struct plotting *p, int line, int y)
{
	struct style hue = p->line[line].name;
	int x = p->inner.x, w = p->plot.x - x - 4;
	const struct model_run *run = model_running(p->model);
	const int32_t running = run ? (int32_t)run->id.case_id : -2;
	char name[SAMPLE_NAME];

	if (!p->line[line].mixed)
		canvas_put(p->canvas, x, y, p->line[line].glyph, hue);
	canvas_text(p->canvas, x + 2, y, w, hue, curve_fit(p, (uint32_t)line, w, name));
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_lead *lead = &p->curve->lead[v];
		bool leads = !p->speedup && lead->line == line && lead->sure == FINDING_REAL;
		const struct curve_point *point = &p->curve->point[line][v];
		const double first = first_trial(p, line, v);
		struct style style = PLAIN;
		char mark[UTF8_BYTES + 1] = "", text[FIGURE];

		if (!p->column[v])
			continue;
		/*
		 * If the line has no shape of its own, the figure has the mark of its case, as in
		 * "● 357 ms".
		 */
		if (p->line[line].mixed)
			strcat(utf8_put(p->line[line].marks[v].glyph, mark), " ");
		if (running == point->case_id)
			strcpy(text, "▶");
		else
			strcpy(text, "·");

		if (point->n && p->speedup)
			claim_times(text, sizeof(text), point->median);
		else if (point->n)
			snprintf(text, sizeof(text), "%s%s", mark,
				 METRIC_TEXT(p->curve->metric, point->median));
		else if (!isnan(first))
			snprintf(text, sizeof(text), "%s", METRIC_TEXT(p->curve->metric, first));
		if (leads)
			style = STYLE_BOLD(p->line[line].marks[v].hue);
		else if (!isnan(first))
			style = DIM;
		curve_text_at_value(p, v, y, 0, style, text);
		if (point->case_id >= 0)
			view_zone_case(p->shown,
				       RECT((int)p->at[v] - CURVE_CELL_W / 2, y, CURVE_CELL_W, 1),
				       (uint32_t)point->case_id);
	}
	view_zone_case(p->shown, RECT(p->inner.x, y, p->inner.w, 1), p->curve->line[line].case_id);
}

static void curve_draw_table(const struct plotting *p)
{
	int y = p->table_y + (int)p->curve->n_lines;

	for (int i = 0; i < (int)p->curve->n_lines; i++)
		curve_draw_figures(p, i, p->table_y + i);
	if (!p->below)
		return;
	canvas_text(p->canvas, p->inner.x + 2, y, p->plot.x - p->inner.x - 4, DIM, p->below);
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_lead *lead = &p->curve->lead[v];
		struct style style = DIM;
		char text[FIGURE];

		if (p->speedup)
			snprintf(
				text, sizeof(text), "%s",
				CLAIM_TIMES(p->curve->value[v].number / p->curve->value[0].number));
		else if (lead->sure != FINDING_REAL)
			snprintf(text, sizeof(text), "–");
		else if (isnan(lead->ahead))
			snprintf(text, sizeof(text), "?");
		else
			snprintf(text, sizeof(text), "%sx", CLAIM_TIMES(lead->ahead));
		/* The ratio has the hue of the fastest line if the difference is significant. */
		if (!p->speedup && lead->sure == FINDING_REAL)
			style = STYLE_BOLD(p->line[lead->line].marks[v].hue);
		if (p->column[v] && (p->speedup || lead->sure != FINDING_UNKNOWN))
			curve_text_at_value(p, v, y, 0, style, text);
	}
}

/* Draws a legend of the lines' names. It is used if the table of figures does not fit. */
static void curve_draw_legend(const struct plotting *p)
{
	int x = p->inner.x, end = p->inner.x + p->inner.w;

	for (int i = 0; i < (int)p->curve->n_lines; i++) {
		const char *name = p->curve->line[i].name;
		struct style hue = STYLE_BOLD(p->line[i].hue);

		if (x + utf8_columns(name) + 2 > end)
			return;
		canvas_put(p->canvas, x, p->inner.y, p->line[i].glyph, hue);
		view_zone_case(p->shown, RECT(x, p->inner.y, utf8_columns(name) + 2, 1),
			       p->curve->line[i].case_id);
		x = canvas_text(p->canvas, x + 2, p->inner.y, -1, hue, name) + 3;
	}
}

/* RATIOS_PLOT: least height of a plot above ratios. RATIOS_PANEL: least width of a kind of work. */
enum { NAME_MOST = 24, PLOT_LEAST = 6, RATIOS_PLOT = 4, RATIOS_MOST = 17, RATIOS_PANEL = 18 };

/* Whether the ratios of all kinds of work are side by side; otherwise the curve's own are drawn. */
static bool ratios_beside(const struct plotting *p)
{
	return p->sweep->n_ratios > 1 && p->plot.w >= (int)p->sweep->n_ratios * RATIOS_PANEL;
}

/*
 * Lines of the ratios, if there are two lines to compare: the title, an odd number, and the axes of
 * several kinds of work. Two curves from 0 look like one, so the ratios, which show how they
 * differ, have most of the room.
 */
static int ratios_lines(const struct plotting *p, int room)
{
	const int axis = ratios_beside(p) ? RATIOS_AXIS : 0;
	/* With axes of their own, the ratios need a line of the plot's. */
	const int plot = MIN(RATIOS_MOST, room - RATIOS_PLOT + axis) - RATIOS_TITLE - axis;

	if (p->speedup || p->sweep->ratios[p->sweep->shown_ratios].n == 0 || plot < RATIOS_LEAST)
		return 0;
	return RATIOS_TITLE + plot - (plot % 2 == 0) + axis;
}

/* The ratios of all kinds of work, side by side; on a narrow screen the curve's own. */
static void curve_draw_ratios(const struct plotting *p)
{
	const struct view_sweep *sweep = p->sweep;
	const int y = p->inner.y + p->inner.h - p->ratios_h;
	struct rect rect = {p->plot.x, y, p->plot.w, p->ratios_h};

	if (!ratios_beside(p)) {
		ratios_draw(p->canvas, rect, p->model, &sweep->ratios[sweep->shown_ratios], 1,
			    &p->x, sweep->bound);
		return;
	}
	rect.w = p->inner.x + p->inner.w - rect.x;
	ratios_draw(p->canvas, rect, p->model, sweep->ratios, sweep->n_ratios, &p->x, sweep->bound);
}

static void curve_place(struct plotting *p)
{
	int name = 0, lines = (int)p->curve->n_lines, table, left, legend;

	if (p->speedup)
		p->below = "ideal";
	else if (lines > 1 && metric_is(p->curve->metric, METRIC_MORE_IS_WORSE)) {
		if (metric_table[p->curve->metric].unit == METRIC_KIB)
			p->below = "smaller by";
		else
			p->below = "faster by";
	}
	table = lines + (p->below != NULL);
	for (int i = 0; i < lines; i++)
		name = MAX(name, utf8_columns(p->curve->line[i].name));
	name = MIN(name, NAME_MOST);
	if (p->inner.w < 60 || p->inner.h < table + 2 + PLOT_LEAST)
		table = 0;
	/* The left margin holds the scale, or the names of the table's rows. */
	left = MAX(SCALE_W + 1, table ? name + 4 : 0);
	if (table && p->below)
		left = MAX(left, utf8_columns(p->below) + 4);
	if (p->inner.w >= 90)
		p->names_w = name + 2;
	else
		p->names_w = 0;
	legend = !table && p->inner.h > 5;
	p->plot = RECT(p->inner.x + left, p->inner.y + legend, p->inner.w - left - p->names_w,
		       p->inner.h - legend - 2 - table);
	if (table)
		p->ratios_h = ratios_lines(p, p->plot.h);
	p->plot.h -= p->ratios_h;
	p->axis_y = p->plot.y + p->plot.h;
	if (table)
		p->table_y = p->axis_y + 2;
	else
		p->table_y = 0;
}

/*
 * Draws a text instead of the plot, because an axis without figures would look like a measurement.
 */
static void curve_draw_none(const struct plotting *p)
{
	const uint32_t ended = model_runs_ended(p->model), cases = p->model->n_cases;
	bool has_result = false;
	const char *text;
	char first[128] = "No trial counts yet. The median at each value will appear here.";

	for (size_t i = 0; i < p->model->n_runs; i++)
		has_result |= report_counts(p->model, &p->model->runs[i]);
	if (has_withheld_runs(p->model))
		text = "Withheld: the workers ran together for too little of each trial, usually "
		       "because other programs used the cores. m chooses another metric.";
	else if (has_result)
		text = "No trial has this metric yet; m chooses another.";
	else
		text = first;
	if (ended < cases && !model_over(p->model))
		snprintf(first + strlen(first), sizeof(first) - strlen(first),
			 " First runs: %u of %u.", ended, cases);
	text_draw(p->canvas, RECT(p->plot.x + 2, p->plot.y + p->plot.h / 2, p->plot.w - 4, 4), DIM,
		  text);
}

/*
 * Draws the ideal line (line NULL) or Amdahl's law fitted to a line, if known. Draws `dash` of
 * every six half columns, so that the lines can be distinguished without colour.
 */
static void curve_draw_law(const struct plotting *p, const struct model_speedup *line, int dash,
			   struct style style)
{
	const int from = (int)p->at[0], to = (int)p->at[p->curve->n_values - 1];
	const double fewest = p->x.low;
	double y[PLOT_DOTS];

	if (to <= from || (line && line->amdahl.state != AMDAHL_KNOWN))
		return;
	for (int i = 0; i < PLOT_DOTS; i++) {
		double column = p->plot.x + i / 2.0, share = (column - from) / (to - from);
		double cores = p->x.log ? fewest * pow(p->x.high / fewest, share)
					: fewest + share * (p->x.high - fewest);
		double height = cores / fewest;

		y[i] = NAN;
		/* The law is valid only up to as many cores as there are workers. */
		if (column < from || column > to + 0.5 || i % 6 >= dash ||
		    (line && line->workers > 0 && cores > line->workers))
			continue;
		if (line)
			height = amdahl_speedup(&line->amdahl, cores) /
				 amdahl_speedup(&line->amdahl, fewest);
		height = scale_share(&p->y, height);
		if (height > 1)
			y[i] = NAN;
		else
			y[i] = height;
	}
	plot_shares(p, y, style);
}

static void curve_draw_plot(const struct plotting *p)
{
	struct line_rank order[CURVE_LINES];
	int n = (int)p->curve->n_lines;

	if (p->known)
		curve_draw_y(p);
	else
		curve_draw_none(p);
	curve_draw_x(p);
	/* Lines are drawn from the highest medians down, so the lowest line is on top. */
	for (int i = 0; i < n; i++) {
		order[i] = (struct line_rank) {0, (uint32_t)i};
		for (uint32_t v = 0; v < p->curve->n_values; v++) {
			if (p->curve->point[i][v].n)
				order[i].below -= p->curve->point[i][v].median;
		}
	}
	qsort(order, (size_t)n, sizeof(*order), array_by_rank);
	if (p->speedup)
		curve_draw_law(p, NULL, 2, DIM);
	for (int i = 0; i < n; i++)
		if (p->speedup)
			curve_draw_law(p, &p->speedup->line[i], 4, STYLE(p->line[i].hue));
	for (int i = 0; i < n; i++)
		if (!p->curve->numeric)
			curve_draw_bars(p, (int)order[i].line);
	for (int i = 0; i < n; i++)
		curve_draw_whiskers(p, (int)order[i].line);
	for (int i = 0; i < n; i++) {
		const int line = (int)order[i].line;

		/* If the law is known, it is drawn instead of the line between the medians. */
		if (p->speedup && p->speedup->line[line].amdahl.state == AMDAHL_KNOWN)
			continue;
		if (!p->curve->numeric)
			continue;
		curve_draw_line(p, line, LINE_FIRST, DIM);
		curve_draw_line(p, line, LINE_OWN, STYLE(p->line[line].hue));
	}
	curve_draw_line(p, (int)order[n - 1].line, LINE_SAME, STYLE(COLOUR_DEFAULT));
	for (int i = 0; i < n; i++)
		curve_draw_marks(p, (int)order[i].line);
	for (uint32_t i = 0; i < p->curve->n_crosses; i++)
		curve_draw_cross(p, &p->curve->cross[i]);
	if (p->names_w)
		curve_draw_names(p);
	if (p->ratios_h > 0)
		curve_draw_ratios(p);
	if (p->table_y)
		curve_draw_table(p);
	else if (p->plot.y > p->inner.y)
		curve_draw_legend(p);
}

/* Draws the box with its title and, if there is room, the long or the short note about the plot. */
static void curve_draw_box(struct plotting *p, struct rect box)
{
	enum { TIMES, SPEEDUPS, OTHERS, TIMES_IN_BARS, OTHERS_IN_BARS };
	static const char *const notes[][2] = {
		[TIMES] = {" lower is better · lines: medians │ all trials ", " lower is better "},
		[SPEEDUPS] = {" higher is better · grey: ideal │ 95 % interval ",
			      " higher is better "},
		[OTHERS] = {" lines: medians │ all trials ", ""},
		[TIMES_IN_BARS] = {" lower is better · bars: medians │ all trials ",
				   " lower is better "},
		[OTHERS_IN_BARS] = {" bars: medians │ all trials ", ""},
	};
	const char *what = metric_table[p->curve->metric].words;
	char title[256], work[96] = "";
	int note = OTHERS;

	if (p->speedup)
		note = SPEEDUPS;
	else if (metric_is(p->curve->metric, METRIC_MORE_IS_WORSE))
		note = TIMES;
	if (!p->curve->numeric && note == TIMES)
		note = TIMES_IN_BARS;
	else if (!p->curve->numeric)
		note = OTHERS_IN_BARS;

	if (p->speedup)
		what = "speed-up";
	else if (p->curve->metric == METRIC_PRINTED)
		what = p->model->printed_title;
	if (p->curve->n_works > 1)
		snprintf(work, sizeof(work), " (w: %s)", p->curve->next_work);
	snprintf(title, sizeof(title), "%s%s%s over %s%s", p->curve->work,
		 *p->curve->work ? ": " : "", what, p->curve->name, work);
	p->inner = view_box(p->canvas, box, title, NULL);
	for (int i = 0; i < 2; i++) {
		if (utf8_columns(title) + utf8_columns(notes[note][i]) + 7 > box.w)
			continue;
		canvas_right(p->canvas, box.x + box.w - 2, box.y, DIM, notes[note][i]);
		break;
	}
}

static void curve_note_sweep(struct view_shown *shown, const struct view_sweep *sweep, bool speedup)
{
	const struct curve *curve = &sweep->curve;

	if (curve->n_crosses > 0)
		shown->hint =
			"×: two lines cross, within the range ━. Bold: best (real). –: no winner.";
	if (!curve->numeric)
		shown->hint = "Bold: best (real). Values that are not numbers are side by side.";
	if (curve->metric == METRIC_SHARE)
		shown->hint = "The share of the cores that the tasks used. Two busy cores are 200 "
			      "%. Neither more nor less is better.";
	if (sweep->has_first)
		shown->hint = "○ and grey: a first run, which does not count. A median takes its "
			      "place after each trial.";
	if (sweep->withheld)
		shown->hint =
			"Dots mark withheld values: the workers ran together for too short a time.";
	if (speedup)
		shown->hint = "The gap to the ideal is time lost waiting. Long dashes: Amdahl's "
			      "law.";
	shown->curve.works = curve->n_works;
	shown->curve.numeric = curve->numeric;
	shown->curve.positive = curve->numeric && curve->value[0].number > 0;
	shown->curve.wants_log = curve_wants_log(curve);
	shown->curve.speedup = speedup_offered(curve);
}

/*
 * Whether the view has its own sentence, because the session's verdict is only about the headline
 * metric.
 */
static bool curve_answers(const struct view_frame *frame)
{
	return curve_metric(frame->model, &frame->state->curve) != model_headline(frame->model);
}

static void curve_draw(const struct view_frame *frame, struct rect rect)
{
	const struct view_state *state = frame->state;
	struct view_sweep *sweep = sweep_refresh(frame->cache, frame->model, &state->curve);
	struct plotting p = {frame->canvas, frame->model, frame->shown};
	bool speedup;

	if (!sweep || rect.h < 1) {
		view_no_memory(p.canvas, RECT(rect.x + 1, rect.y, rect.w, rect.h));
		return;
	}
	speedup = state->curve.speedup && speedup_offered(&sweep->curve);
	curve_note_sweep(frame->shown, sweep, speedup);
	p.sweep = sweep;
	if (speedup)
		p.speedup = &sweep->speedup;
	else
		p.speedup = NULL;
	if (p.speedup)
		p.curve = &p.speedup->curve;
	else
		p.curve = &sweep->curve;
	if (p.speedup || curve_answers(frame)) {
		struct style style = {COLOUR_TITLE, COLOUR_PANEL, ATTR_BOLD};
		const char *answer = p.speedup ? p.speedup->answer : sweep->answer;
		struct rect text = {rect.x + 1, rect.y, rect.w - 2, MAX(1, rect.h / 3)};

		text.h = MIN(text.h, text_lines(answer, text.w));
		canvas_fill(p.canvas, RECT(rect.x, rect.y, rect.w, text.h), ' ', style);
		text_draw(p.canvas, text, style, answer);
		rect.y += text.h;
		rect.h -= text.h;
	}
	curve_draw_box(&p, rect);
	curve_place(&p);
	frame->shown->curve.ratios = p.ratios_h > 0;
	if (p.ratios_h > 0 && !frame->shown->hint && model_over(p.model))
		frame->shown->hint = "Bold: best (real). – or grey ◇: no winner. │ the interval. "
				     "▴ ▾ It goes on beyond the axis.";
	else if (p.ratios_h > 0 && !frame->shown->hint)
		frame->shown->hint = "Bold: best (real). – or grey ◇: no winner yet. │ the "
				     "trials' range or the interval.";
	if (p.plot.h < 1 || p.plot.w < 8)
		return;
	p.x = (struct scale) {.low = 0, .high = 1};
	if (p.curve->numeric && p.curve->n_values > 0) {
		p.x.low = p.curve->value[0].number;
		p.x.high = p.curve->value[p.curve->n_values - 1].number;
		if (p.x.high <= p.x.low)
			p.x.high = p.x.low + 1;
		p.x.log = view_curve_log(state, frame->shown, true);
	}
	curve_scale_y(&p, view_curve_log(state, frame->shown, false));
	curve_place_marks(&p);
	curve_draw_plot(&p);
}

static bool curve_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	const struct view_shown *shown = &view->shown;
	const struct view_state *state = &view->state;
	struct curve_state *own = &view->state.curve;

	if (act == KEYS_SPEEDUP && shown->curve.speedup)
		*own = (struct curve_state) {.work = own->work, .speedup = !own->speedup};
	else if (act == KEYS_MEASURE && !(own->speedup && shown->curve.speedup))
		own->metric = (own->metric + 1) % (uint32_t)metric_count(metric_curves_of(model));
	else if (act == KEYS_KIND && shown->curve.works > 1)
		own->work = (own->work + 1) % shown->curve.works;
	else if (act == KEYS_LOG_Y) {
		if (view_curve_log(state, shown, false))
			own->scale_y = VIEW_SCALE_LINEAR;
		else
			own->scale_y = VIEW_SCALE_LOG;
	} else if (act == KEYS_LOG_X && shown->curve.numeric) {
		if (view_curve_log(state, shown, true))
			own->scale_x = VIEW_SCALE_LINEAR;
		else
			own->scale_x = VIEW_SCALE_LOG;
	} else
		return false;
	return true;
}

/* The captions for speedups, for printed values and for sizes; NULL: the usual captions. */
static const char *const *curve_captions(const struct view_frame *frame)
{
	static const char *const captions[] = {
		"How many times faster each model is than on the fewest cores. Higher is better.",
		"Short grey dashes: the ideal, twice the speed on twice the cores. Long dashes: "
		"Amdahl's law."};
	static const char *const sizes[] = {
		"Each line is the median at each value of the setting, with the range of the "
		"trials. Lower is faster, or smaller.",
		"Where two lines cross, the other one becomes the faster. "
		"size: how much work one worker does."};
	static const char *const printed[] = {
		"Each line is the median of the printed values at each value of the setting, with "
		"the range of the trials.",
		"Where two lines cross, the other one becomes the faster."};
	static const char *const ratios[] = {
		"Above: the median at each value of the setting. White: both take about as long.",
		"Below: how many times faster one is than the other, at each value and for each "
		"kind of work."};
	static const char *const bars[] = {
		"Each line is the median at each value of the setting, with the range of the "
		"trials. Lower is faster, or smaller.",
		"Each group of bars is one value. Bold: best (real)."};
	const char *variable = curve_variable(frame->model);

	if (frame->state->curve.speedup && strcmp(variable, "cores") == 0)
		return captions;
	if (curve_metric(frame->model, &frame->state->curve) == METRIC_PRINTED)
		return printed;
	if (strcmp(variable, "size") == 0)
		return sizes;
	if (!frame->shown->curve.numeric)
		return bars;
	if (frame->shown->curve.ratios)
		return ratios;
	return NULL;
}

static const char curve_help[] =
	"#Curve\n"
	"lines\tOne for each model or program, through the median at each value of the setting. If "
	"the "
	"session varies a second setting, there is one line for each of its values.\n"
	"│\tThe range of the trials, from lowest to highest. ↑ Some trials lie above the plot.\n"
	"○\tA first run, of a warm-up or of a trial that does not count. A median takes its "
	"place.\n"
	"gap\tNo trial was measured at this value.\n"
	"×\tTwo lines cross: one is really faster on the left, and the other "
	"one on the right. ━ on the axis "
	"shows between which values.\n"
	"faster by\tHow much longer the second fastest takes than the fastest. Coloured: the "
	"fastest is really faster than every other. –: it is not.\n"
	"◇ 1x\tHow many times as long the second line takes as the first one, at each value, with "
	"the interval or, before it is known, the range of the trials. Above 1x the first one is "
	"faster. The mark of a line there: it is really faster. On a wide screen each kind of work "
	"has "
	"its own axis.\n"
	"w\tShow the next kind of work, which the title names.\n"
	"m\tChange what is drawn: elapsed time, CPU time, memory (PSS + kernel), creation, CPU use "
	"(one core = 100 %), bytes read and written.\n"
	"u\tSpeed-up over cores, against the fewest. Short grey dashes: the ideal. Long dashes: "
	"the fit of Amdahl's law, if there is one.\n"
	"l L\tSwitch the y axis (l) or the x axis (L) between linear and logarithmic. Values that "
	"are not numbers are side by side.\n";

const struct view_ops view_curve = {
	.number = 5,
	.name = "Curve",
	.brief = "Curve",
	.captions = {"Each line is the median at each value of the setting, with the range of the "
		     "trials. Lower is faster, or smaller.",
		     "Where two lines cross, the other one becomes the faster."},
	.offered = curve_swept,
	.help = curve_help,
	.answers = curve_answers,
	.captions_now = curve_captions,
	.opens = true,
	.draw = curve_draw,
	.act = curve_act,
	.hint = "Bold: best (real). –: no winner.",
};
