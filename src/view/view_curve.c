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
#include "model/model_parts.h"

enum { FIGURE = 32, CURVE_CELL_W = 8, SCALE_W = 8, EDGE = 4 };
/*
 * BESIDE: largest number of kinds of work that are drawn side by side. BESIDE_W: least width of
 * each of them.
 */
enum { BESIDE = 4, BESIDE_W = 18 };

/*
 * The curve of a sweep of cores, as speedups. A speedup is the time on the fewest cores divided by
 * the time on this number of cores.
 */
struct curve_speedup {
	/*
	 * Like the curve of times, but its medians are speedups, and least and most are the ends of
	 * their intervals.
	 */
	struct curve curve;
	struct model_speedup line[CURVE_LINES];
	char answer[SPEEDUP_TEXT];
};

/* The curves of one kind of work, or of all work if its kind does not vary. */
struct sweep_kind {
	struct curve curve;
	/*
	 * For points without a median: the value of the newest run, even if that run is a warm-up
	 * or does not count. NaN: there is no value.
	 */
	double first[CURVE_LINES][CURVE_VALUES];
	/* Ends of the y axis so far. Until everything is measured, the axis only grows. */
	double least, most;
};

/* The sweep. It is read again only after a run has ended, or for another metric or kind of work. */
struct view_sweep {
	struct view_sweep_key {
		uint32_t ended, cases, metric, work; /* cases is 0 until something was read. */
	} key;
	struct sweep_kind kinds[BESIDE];
	uint32_t n_kinds; /* If above 1, all kinds of work can be drawn side by side. */
	uint32_t alone;	  /* Index in kinds of the kind that is drawn alone. */
	bool beside;	  /* The user has not chosen a kind, so all kinds are drawn. */
	char answer[HEADLINE_TEXT];
	struct curve_speedup speedup; /* Valid if the session sweeps cores. */
	bool withheld;		      /* A point has no median, and runs are withheld. */
	bool has_first;
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

/*
 * The metric to draw. The user may have chosen its index in another session, whose list was longer.
 */
static enum model_metric curve_metric(const struct model *model, const struct curve_state *own)
{
	const enum model_metric *list = metric_curves_of(model);

	return list[own->metric % metric_count(list)];
}

/*
 * Reads the values of the newest runs, for points without a median, because the first measured
 * trial may take minutes. The point's median replaces the value.
 */
static void sweep_read_first(struct view_sweep *sweep, struct sweep_kind *kind,
			     const struct model *model)
{
	const struct curve *curve = &kind->curve;
	double newest[SAMPLE_MAX_CASES];

	view_newest_values(model, curve->metric, newest);
	for (uint32_t line = 0; line < curve->n_lines; line++)
		for (uint32_t v = 0; v < curve->n_values; v++) {
			const struct curve_point *point = &curve->point[line][v];
			double *first = &kind->first[line][v];

			*first = NAN;
			if (point->case_id >= 0 && point->n == 0 && !model_over(model))
				*first = newest[point->case_id];
			sweep->has_first |= !isnan(*first);
			sweep->withheld |= point->case_id >= 0 && isnan(point->median);
		}
}

/* Whether two kinds of work have the same lines over the same values. */
static bool kinds_match(const struct curve *a, const struct curve *b)
{
	bool match = a->n_values == b->n_values && a->n_lines == b->n_lines;

	for (uint32_t v = 0; v < a->n_values && match; v++)
		match = strcmp(a->value[v].text, b->value[v].text) == 0;
	for (uint32_t line = 0; line < a->n_lines && match; line++)
		match = strcmp(a->line[line].name, b->line[line].name) == 0;
	return match;
}

/*
 * Reads all kinds of work if they can be drawn side by side, otherwise only the kind that the user
 * chose.
 */
static int sweep_read_kinds(struct view_sweep *sweep, const struct model *model,
			    const struct view_sweep_key *key)
{
	struct sweep_kind *kinds = sweep->kinds;
	int err = curve_read(&kinds[0].curve, model, key->metric, 0);
	const uint32_t works = kinds[0].curve.n_works;
	bool match = works > 1 && works <= BESIDE && kinds[0].curve.numeric;

	sweep->n_kinds = 1;
	sweep->alone = 0;
	for (uint32_t work = 1; work < works; work++) {
		if (err || !match)
			break;
		err = curve_read(&kinds[work].curve, model, key->metric, work);
		match = kinds_match(&kinds[0].curve, &kinds[work].curve);
	}
	if (err || works < 2)
		return err;
	if (!match)
		return curve_read(&kinds[0].curve, model, key->metric, key->work);
	sweep->n_kinds = works;
	if (key->work % (works + 1) > 0)
		sweep->alone = key->work % (works + 1) - 1;
	return 0;
}

static struct view_sweep *sweep_refresh(struct view_cache *cache, const struct model *model,
					const struct curve_state *own)
{
	struct view_sweep_key key = {model_runs_ended(model), model->n_cases,
				     curve_metric(model, own), own->work};
	struct view_sweep *sweep = cache->sweep;
	const struct curve *curve;

	if (!sweep)
		sweep = cache->sweep = calloc(1, sizeof(*sweep));
	if (!sweep)
		return NULL;
	if (memcmp(&sweep->key, &key, sizeof(key)) == 0)
		return sweep;
	/*
	 * The ends of the axes hold for one metric. If only one kind of work is read, kinds[0]
	 * changes with the user's choice, so its ends do too.
	 */
	for (size_t i = 0; i < BESIDE; i++)
		if (sweep->key.metric != key.metric ||
		    (sweep->key.work != key.work && sweep->n_kinds < 2))
			sweep->kinds[i].least = sweep->kinds[i].most = 0;
	sweep->key.cases = 0;
	if (sweep_read_kinds(sweep, model, &key))
		return NULL;
	curve = &sweep->kinds[sweep->alone].curve;
	sweep->beside = sweep->n_kinds > 1 && key.work % (sweep->n_kinds + 1) == 0;
	headline_of_metric(model, key.metric, sweep->answer, sizeof(sweep->answer));
	if (speedup_offered(curve) && speedup_read(&sweep->speedup, model, curve))
		return NULL;
	sweep->has_first = sweep->withheld = false;
	for (uint32_t i = 0; i < sweep->n_kinds; i++)
		sweep_read_first(sweep, &sweep->kinds[i], model);
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
	/* Position as a share of the plot's height. NaN: the mark is outside the plot. */
	double share;
	/*
	 * Column of the mark's whisker or bar. If several lines have whiskers at one value, their
	 * columns are side by side.
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
	struct sweep_kind *kind;
	const char *below; /* Name of the row below the figures; NULL: no such row. */
	struct rect inner, plot;
	int axis_y;  /* Row of the x axis. Its labels are in the row below. */
	int table_y; /* First row of the table of figures; 0: the table does not fit. */
	int names_w; /* Width of the names at the right end of the lines. 0: no names are drawn. */
	int bar_w;   /* Width of the bars, which are drawn for values that are not numbers. */
	/*
	 * This plot is for one of several kinds of work. It has only the axes, the lines and their
	 * marks.
	 */
	bool panel;
	bool known;		   /* There is at least one figure to draw. */
	double at[CURVE_VALUES];   /* The middle of a value's column, in canvas columns. */
	bool column[CURVE_VALUES]; /* Whether the table has room for the value's figures. */
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

/* The value of the newest run, which is shown until the point has a median. NaN for a speedup. */
static double first_trial(const struct plotting *p, uint32_t line, uint32_t value)
{
	if (p->speedup)
		return NAN;
	return p->kind->first[line][value];
}

/*
 * The columns between the first and the last value of a panel: if there is room, as many between
 * each two. At the right there is room for the marks of all lines, side by side.
 */
static int panel_width(const struct plotting *p)
{
	const int w = p->plot.w - (int)p->curve->n_lines;
	const int steps = MAX(1, (int)p->curve->n_values - 1);

	if (w < 3 * steps)
		return w;
	return w - w % steps;
}

static double place_x(const struct plotting *p, double share)
{
	int n = (int)p->curve->n_values, edge = EDGE;

	if (p->panel)
		return p->plot.x + (int)(share * panel_width(p) + 0.5);
	if (!p->curve->numeric)
		edge = p->plot.w / (2 * MAX(1, n));
	if (edge * 2 >= p->plot.w)
		edge = 0;
	return p->plot.x + edge + share * (p->plot.w - 1 - 2 * edge) + 0.5;
}

/*
 * The half row that contains a share of the height, counted from 1 at the plot's lower edge. A
 * value is drawn in the middle of its row, like a tick. Share 0 is the middle of the axis's row,
 * which is below the plot, so shares below half row 1 count as 1.
 */
static int place_half(const struct plotting *p, double share)
{
	return MAX(1, (int)(fmin(1, share) * p->plot.h * 2 + 1e-6));
}

static int place_y(const struct plotting *p, double share)
{
	return p->plot.y + p->plot.h - 1 - (place_half(p, share) - 1) / 2;
}

enum { BAR_MOST = 8 };

/* The column of a line's mark at a value, if marks are side by side. */
static int curve_mark_x(const struct plotting *p, int line, uint32_t value, int step)
{
	const int n = (int)p->curve->n_lines, at = (int)p->at[value];

	if (p->panel)
		return at + line * (step > 0);
	return at + (2 * line - (n - 1)) * step / 2;
}

static void curve_place_marks(struct plotting *p)
{
	const struct curve *curve = p->curve;
	const int n = (int)curve->n_lines, w = p->plot.w / MAX(1, (int)curve->n_values);
	const int pitch = panel_width(p) / MAX(1, (int)curve->n_values - 1);
	int step = w > 2 * n ? 2 : w > n, end = p->plot.x - 1;

	p->bar_w = MAX(1, MIN(w / (n + 1), BAR_MOST));
	if (!curve->numeric)
		step = p->bar_w;
	else if (p->panel)
		step = pitch > n;
	for (uint32_t v = 0; v < curve->n_values; v++) {
		int x;

		if (curve->numeric)
			p->at[v] = place_x(p, scale_share(&p->x, curve->value[v].number));
		else if (curve->n_values > 1)
			p->at[v] = place_x(p, v / (curve->n_values - 1.0));
		else
			p->at[v] = place_x(p, 0.5);
		/* The columns are the same in all rows of the table, and do not touch. */
		x = (int)p->at[v] - CURVE_CELL_W / 2;
		p->column[v] = x >= end && x + CURVE_CELL_W <= p->inner.x + p->inner.w;
		if (p->column[v])
			end = x + CURVE_CELL_W;
	}
	for (int i = 0; i < n; i++) {
		struct curve_drawn *line = &p->line[i];
		uint32_t own = model_identity(p->model, curve->line[i].case_id), shape = own;

		/*
		 * A line has the shape of its case. If several lines belong to one case, all lines
		 * but the first get other shapes.
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
				.x = curve_mark_x(p, i, v, step),
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
}

/* Trials above the highest median times this factor are cut off. */
#define MOST_ABOVE 1.6
/*
 * While trials go on, the axis grows to the highest median times this factor. The next medians then
 * fit, and a single slow trial does not change the axis.
 */
#define MOST_SPARE 1.15
/* After the last trial, the axis is chosen anew if the highest median is below this share of it. */
#define MOST_USED 0.5

/*
 * Keeps the ends of the axis from frame to frame. While trials go on, the axis only grows; after
 * the last trial it stays. low and high are the lowest and the highest median.
 */
static void curve_keep_axis(struct sweep_kind *kind, bool over, double low, double high)
{
	if (over && high < MOST_USED * kind->most)
		kind->most = 0;
	if (over && kind->most <= 0)
		return;
	if (kind->most <= 0)
		kind->least = INFINITY;
	if (low < kind->least)
		kind->least = low / MOST_SPARE;
	if (high > kind->most)
		kind->most = MOST_SPARE * high;
}

/*
 * Chooses the y axis. An axis of speedups has room for the ideal line, and for models that are
 * faster.
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
		curve_keep_axis(p->kind, model_over(p->model), low, high);
	if (!p->speedup && p->known && p->kind->most > 0) {
		least = p->kind->least;
		most = p->kind->most;
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
	 * Takes the smallest upper end of an axis from 0 with which each tick is on a whole row.
	 * Ticks are at least three rows apart, or two in a low plot, and there are at least two
	 * ticks if there is room. Ticks farther apart are used only if they lower that end by a
	 * tenth.
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
	const char *last = printed ? "" : " %"; /* Text after the highest tick's label. */
	const int end = p->plot.x - 2 + p->panel;
	double ticks[SCALE_TICKS];
	int n = scale_ticks(&p->y, p->n_ticks, ticks), above = -1;

	if (p->speedup)
		last = " times";
	/* A narrow axis has its unit above the axis. */
	if (p->panel && percent)
		canvas_right(p->canvas, end, p->plot.y - 1, DIM, "%");
	else if (p->panel && !printed && !p->y.log)
		canvas_right(p->canvas, end, p->plot.y - 1, DIM,
			     scale_unit(p->y.high, p->y.binary)->name);
	if (p->panel)
		last = "";
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
		else if (p->y.log || (highest && !p->panel))
			snprintf(text, sizeof(text), "%.4g %s", ticks[i] / unit->size, unit->name);
		else
			snprintf(text, sizeof(text), "%.4g", ticks[i] / unit->size);
		canvas_right(p->canvas, end, y, highest ? PLAIN : DIM, text);
		above = y;
		if (y == p->axis_y)
			continue;
		canvas_put(p->canvas, p->plot.x - 1, y, 0x2524, STYLE(COLOUR_BORDER));
		for (int x = 1; x < p->plot.w; x += 2)
			canvas_put(p->canvas, p->plot.x + x, y, 0xb7, STYLE(COLOUR_BORDER));
	}
}

/*
 * Centres the text on a value's column. Writes nothing if the text would touch the text to its left
 * or leave the box. Returns the end of the new text, or `end` if nothing was written.
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
 * The height of a share in dots, four for each row. Share 0 is half a row below the plot: see
 * place_half().
 */
static double dot_height(const struct plotting *p, double share)
{
	return fmax(1, round(4 * (share * p->plot.h - 0.5)) + 1);
}

/*
 * Plots shares of the height, two for each column. Overwrites y with heights in dots. The line is
 * two dots thick, and the value is at its lower dot.
 */
static void plot_shares(const struct plotting *p, double y[PLOT_DOTS], struct style style)
{
	for (int i = 0; i < PLOT_DOTS; i++)
		if (!isnan(y[i]))
			y[i] = dot_height(p, y[i]);
	plot_line(p->canvas, p->plot, y, 4 * p->plot.h, style);
}

/*
 * The segments of a line to draw: segments with a first run at an end, or segments between medians.
 */
enum line_part { LINE_FIRST, LINE_OWN };

static enum line_part line_part(const struct curve_mark *marks, uint32_t from, uint32_t to)
{
	if (marks[from].first || marks[to].first)
		return LINE_FIRST;
	return LINE_OWN;
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

/* Lines that are less than this many dots apart are drawn as one. */
#define LINES_APART 1.5

/*
 * The height at which a line is drawn that is at y in a column: the mean of all lines that are not
 * apart from it. Sets *one if there are any.
 */
static double line_mean(const struct plotting *p, int line, int dot, double y, bool *one)
{
	double sum = y;
	int n = 1;

	for (int i = 0; i < (int)p->curve->n_lines; i++) {
		const double other = line_height(p, i, p->plot.x + dot / 2.0);

		if (i == line || !(fabs(other - y) * 4 * p->plot.h < LINES_APART))
			continue;
		sum += other;
		n++;
	}
	*one = n > 1;
	return sum / n;
}

/* Plots a line. Where it is one with another line, it has no colour of its own. */
static void plot_joined(const struct plotting *p, int line, const double y[PLOT_DOTS],
			struct style style)
{
	double apart[PLOT_DOTS], together[PLOT_DOTS];
	bool before = false;

	for (int i = 0; i < PLOT_DOTS; i++) {
		bool one = false;
		double mean = NAN;

		apart[i] = together[i] = NAN;
		if (!isnan(y[i]))
			mean = line_mean(p, line, i, y[i], &one);
		if (one)
			together[i] = mean;
		if (!one || !before)
			apart[i] = mean;
		before = one;
	}
	plot_shares(p, apart, style);
	plot_shares(p, together, PLAIN);
}

/* Joins the marks of neighbouring values. A value without a measurement leaves a gap. */
static void curve_draw_line(const struct plotting *p, int line, enum line_part part,
			    struct style style)
{
	const struct curve_mark *marks = p->line[line].marks;
	double y[PLOT_DOTS]; /* Two heights for each column. */

	for (int i = 0; i < PLOT_DOTS; i++)
		y[i] = NAN;
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		uint32_t next = MIN(v + 1, p->curve->n_values - 1);
		int i = value_dot(p, v), j = value_dot(p, next);
		double a = marks[v].share, b = marks[next].share;
		const bool joined = line_part(marks, v, next) == part;

		if (line_part(marks, v, v) == part && part != LINE_FIRST && (isnan(b) || i == j))
			y[i] = a;
		if (!joined || isnan(b) || i >= j)
			continue;
		for (int dot = i; dot <= j; dot++)
			y[dot] = a + (b - a) * (dot - i) / (j - i);
	}
	if (part == LINE_FIRST || p->speedup)
		plot_shares(p, y, style);
	else
		plot_joined(p, line, y, style);
}

/* The height of a bar above the axis, in rows. 0: the line has no bar at this value. */
static double bar_rows(const struct plotting *p, int line, uint32_t value)
{
	const struct curve_mark *mark = &p->line[line].marks[value];

	if (p->curve->numeric || mark->first || !(mark->share > 0))
		return 0;
	/* The bar's lowest half row is in the axis's row, drawn by curve_draw_bars(). */
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
 * Draws the range of the trials. The ends of the range have the model's hue. An arrow replaces an
 * end that is above the plot. On a bar, the range is a gap in the bar, except in the row of the
 * bar's top.
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
		/* The first row and the last row may be only half filled. */
		for (int row = (end - 1) / 2; row <= (top - 1) / 2; row++) {
			bool upper = top > 2 * row + 1, lower = end <= 2 * row + 1;

			uint32_t glyph = 0x2502;
			struct style style = STYLE(mark->hue);

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

/* Draws the ranges of the trials beside a line. An arrow is at an end that is above the plot. */
static void curve_draw_ranges(const struct plotting *p, int line)
{
	const struct style style = STYLE(p->line[line].hue);

	/* The ranges of several lines would cover one another. */
	if (p->panel && line > 0 && p->line[line].marks[0].x == p->line[0].marks[0].x)
		return;
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_point *point = &p->curve->point[line][v];
		const int x = p->line[line].marks[v].x;
		const double least = scale_share(&p->y, point->least);
		const double most = scale_share(&p->y, point->most);

		if (point->n < 2 || isnan(least) || isnan(most))
			continue;
		plot_range(p->canvas, p->plot, 2 * (x - p->plot.x), dot_height(p, least),
			   dot_height(p, most), 4 * p->plot.h, style);
		if (most > 1)
			canvas_put(p->canvas, x, p->plot.y, 0x2191, STYLE_BOLD(style.fg));
	}
}

/* Whether the plot has lines that show their medians without marks. */
static bool has_lines(const struct plotting *p)
{
	return p->curve->numeric && !p->speedup;
}

/*
 * The row of a line's mark at a value. Marks that are less than half a row apart share the row of
 * their mean, because in two rows they would look a whole row apart.
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
	if (n > 0)
		sum /= n;
	else
		sum = share;
	if (has_lines(p))
		return plot_line_row(p->plot, dot_height(p, sum), 4 * p->plot.h);
	return place_y(p, sum);
}

/*
 * Whether a line has a mark at a value. A line through medians has one at its end, and at a median
 * without neighbours, because a mark takes a whole cell, and would seem to be off its line.
 */
static bool has_mark(const struct plotting *p, int line, uint32_t value)
{
	const struct curve_mark *marks = p->line[line].marks;
	const uint32_t last = p->curve->n_values - 1;
	bool after = false;

	if (!has_lines(p) || marks[value].first)
		return true;
	for (uint32_t v = value + 1; v <= last; v++)
		after |= !isnan(marks[v].share);
	if (!after)
		return true;
	return isnan(marks[value + 1].share) && (value == 0 || isnan(marks[value - 1].share));
}

/* The column of a mark on a line. Marks of several lines in one row are side by side. */
static int line_mark_x(const struct plotting *p, int line, uint32_t value, bool aside)
{
	const int n = (int)p->curve->n_lines;
	int x = (int)p->at[value];

	if (!has_lines(p) && aside)
		return p->line[line].marks[value].x;
	if (!has_lines(p))
		return x;
	if (value + 1 == p->curve->n_values && !p->line[line].marks[value].first)
		x = MIN(x + n, p->plot.x + p->plot.w - n);
	if (aside)
		x += line;
	return x;
}

/*
 * Draws the marks: at the foot of a bar, above a bar that is too low, or on a line. If another
 * line's mark is in the same row, draws the mark in the column of its own line's whisker.
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

		/* The mark has no position, for example at 0 on a logarithmic axis. */
		if (isnan(mark->share) || !has_mark(p, line, v))
			continue;
		for (int i = 0; i < (int)p->curve->n_lines; i++) {
			double other = p->line[i].marks[v].share;

			aside |= i != line && !isnan(other) && curve_mark_row(p, i, v) == y;
		}
		if (bar_rows(p, line, v) >= 1) {
			style.attr |= ATTR_REVERSE;
			row = p->plot.y + p->plot.h - 1;
		}
		canvas_put(p->canvas, line_mark_x(p, line, v, aside), row, mark->glyph, style);
	}
}

/*
 * The column where the drawn lines of a crossing meet. It depends on the axes, whose scale the user
 * can change. If the lines between medians do not meet, it is the column where the pairs of trials
 * cross.
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
 * Draws a cross where two lines meet, a vertical line from the cross down to the axis, and the
 * crossing's interval on the axis.
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

/* A line and its sort key. below: minus the line's height, so that the highest line comes first. */
struct line_rank {
	double below;
	uint32_t line;
};

/*
 * Shortens the name of a line to at most `most` columns, so that it still differs from the names of
 * all other lines.
 */
static const char *curve_fit(const struct plotting *p, uint32_t line, int most,
			     char buf[SAMPLE_NAME])
{
	const char *names[CURVE_LINES];

	for (uint32_t i = 0; i < p->curve->n_lines; i++)
		names[i] = p->curve->line[i].name;
	return names_fit(names, p->curve->n_lines, line, most, TEXT_DOT, buf, SAMPLE_NAME);
}

/*
 * Draws the names at the lines' right ends, from the highest line down, so that no name covers
 * another.
 */
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
		 * If the line's values have different shapes, show the case's mark beside its
		 * figure, as in "● 357 ms".
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

/* Whether at least two lines have a case at the value. */
static bool is_compared(const struct curve *curve, uint32_t value)
{
	int n = 0;

	for (uint32_t i = 0; i < curve->n_lines; i++)
		n += curve->point[i][value].case_id >= 0;
	return n > 1;
}

/*
 * Writes the verdict at a value in at most w - 1 columns. "● 1.02x": this line is really the best.
 * "1.02x same": no two lines differ by more than the margin. "1.24x ?": the ratio, which is not
 * decided. If there is too little room, parts are left out. Returns the text's style.
 */

static struct style verdict_text(const struct plotting *p, uint32_t value, int w, char text[FIGURE])
{
	const struct curve_lead *lead = &p->curve->lead[value];
	const char *const times = CLAIM_TIMES(lead->ahead);
	const char *ahead = "?";
	char mark[UTF8_BYTES + 1];

	text[0] = '\0';
	if (lead->sure == FINDING_REAL) {
		const struct curve_drawn *line = &p->line[lead->line];

		utf8_put(line->marks[value].glyph, mark);
		if (!isnan(lead->ahead))
			ahead = times;
		snprintf(text, FIGURE, "%s %sx", mark, ahead);
		if (utf8_columns(text) >= w)
			snprintf(text, FIGURE, "%s%sx", mark, ahead);
		if (utf8_columns(text) >= w)
			snprintf(text, FIGURE, "%s", mark);
		return STYLE_BOLD(line->marks[value].hue);
	}
	if (lead->sure == FINDING_NONE && lead->excluded < MODEL_MARGIN) {
		snprintf(text, FIGURE, "%sx same", times);
		if (isnan(lead->ahead) || utf8_columns(text) >= w)
			snprintf(text, FIGURE, "%s", w > (int)strlen("same") ? "same" : "=");
		return PLAIN;
	}
	if (!is_compared(p->curve, value))
		return DIM;
	/* Without medians there is nothing to decide yet. */
	if (isnan(lead->ahead) && !model_over(p->model))
		return DIM;
	snprintf(text, FIGURE, "%s", view_undecided(lead->ahead, (char[FIGURE]) {0}, FIGURE));
	/* Neighbours must not touch. */
	if (utf8_columns(text) >= w)
		snprintf(text, FIGURE, "?");
	return DIM;
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
		struct style style = DIM;
		char text[FIGURE];

		if (p->speedup)
			snprintf(
				text, sizeof(text), "%s",
				CLAIM_TIMES(p->curve->value[v].number / p->curve->value[0].number));
		else
			style = verdict_text(p, v, CURVE_CELL_W, text);
		if (p->column[v])
			curve_text_at_value(p, v, y, 0, style, text);
	}
}

/* Draws a legend of the lines' names, for a box in which the table of figures does not fit. */
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

/* BELOW_W: least width of the box for the full name of the row of verdicts. */
enum { NAME_MOST = 24, PLOT_LEAST = 6, BELOW_W = 90 };

/* The name of the row of verdicts. Its ratios are of pairs of trials, not of medians. */
static const char *name_below(const struct plotting *p)
{
	if (p->speedup)
		return "ideal";
	if (p->curve->n_lines < 2 || !metric_is(p->curve->metric, METRIC_MORE_IS_WORSE))
		return NULL;
	if (p->inner.w < BELOW_W)
		return "per pair";
	if (metric_table[p->curve->metric].unit == METRIC_KIB)
		return "smaller per pair";
	return "faster per pair";
}

static void curve_place(struct plotting *p)
{
	int name = 0, lines = (int)p->curve->n_lines, table, left, legend;

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
	if (p->panel && has_result)
		text = "no trial has this metric";
	else if (p->panel)
		text = "no trial yet";
	else if (has_withheld_runs(p->model))
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
 * Draws the ideal line (`line` is NULL), or Amdahl's law as fitted to a line, if it is known. Draws
 * `dash` of every six half columns, so that the curves can be distinguished without colour.
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
	/* Draw the lines from the highest medians down, so that the lowest line is on top. */
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
	for (int i = 0; i < n; i++) {
		if (has_lines(p))
			curve_draw_ranges(p, (int)order[i].line);
		else
			curve_draw_whiskers(p, (int)order[i].line);
	}
	for (int i = 0; i < n; i++) {
		const int line = (int)order[i].line;

		/* If the law is known, draw it instead of the line between the medians. */
		if (p->speedup && p->speedup->line[line].amdahl.state == AMDAHL_KNOWN)
			continue;
		if (!p->curve->numeric)
			continue;
		curve_draw_line(p, line, LINE_FIRST, DIM);
		curve_draw_line(p, line, LINE_OWN, STYLE(p->line[line].hue));
	}
	for (int i = 0; i < n; i++)
		curve_draw_marks(p, (int)order[i].line);
	for (uint32_t i = 0; i < p->curve->n_crosses; i++)
		curve_draw_cross(p, &p->curve->cross[i]);
	if (p->names_w)
		curve_draw_names(p);
	if (p->table_y)
		curve_draw_table(p);
	else if (!p->panel && p->plot.y > p->inner.y)
		curve_draw_legend(p);
}

/*
 * All kinds of work side by side, each with its own y axis. The verdicts are below the plots: a row
 * for each kind, a column for each value.
 */
struct kinds {
	const struct view_sweep *sweep;
	struct rect verdicts; /* The values' row, below the gap, then the rows of all kinds. */
	int left;	      /* Width of the names of rows. */
	int spans;    /* Width of the medians' spans, which are right of the names; 0: none. */
	int cell;     /* Width of a column of the verdicts. */
	int rows;     /* Rows of text for each kind. */
	int gap;      /* Blank rows above the values' row and above each kind but the first. */
	bool medians; /* Each kind has a row for the medians of each curve. */
	bool named;   /* Each kind has a row for its name, which also holds its verdicts. */
};

enum { KIND_SCALE = 5, KIND_SCALE_LOG = 8, KIND_PLOT = 4, KIND_ROOMY = 9, KIND_SPAN = 9 };

/* Places the rows below the plots. Returns the height of the plots. */
static int kinds_place(struct kinds *kinds, const struct plotting *p)
{
	const int n = (int)kinds->sweep->n_kinds, n_lines = (int)p->curve->n_lines;
	const int values = MAX(1, (int)p->curve->n_values);
	/* Each plot has a title, an axis and a row of values. */
	const int room = p->inner.h - 3;
	int name = 0, h;

	for (int i = 0; i < n; i++)
		name = MAX(name, utf8_columns(kinds->sweep->kinds[i].curve.work));
	if (p->below)
		name = MAX(name, utf8_columns(p->below));
	kinds->left = name + 2;
	/* The medians of a single curve are in the row of the kind's name. */
	kinds->named = p->below || n_lines > 1;
	kinds->rows = p->below != NULL;
	for (int i = 0; i < n_lines; i++)
		name = MAX(name, MIN(NAME_MOST, utf8_columns(p->curve->line[i].name)) + 4);
	h = room - 1 - n * (n_lines + kinds->named);
	kinds->medians = h >= KIND_ROOMY && (p->inner.w - name - 2) / values >= CURVE_CELL_W;
	if (kinds->medians) {
		kinds->left = name + 2;
		kinds->rows = n_lines + kinds->named;
	}
	if (!kinds->medians && (p->inner.w - kinds->left - KIND_SPAN) / values >= CURVE_CELL_W)
		kinds->spans = KIND_SPAN;
	kinds->left += kinds->spans;
	kinds->cell = (p->inner.w - kinds->left) / values;
	h = room - 1 - n * kinds->rows;
	kinds->gap = kinds->medians && h - n >= KIND_ROOMY;
	h -= n * kinds->gap;
	if (kinds->rows == 0)
		return room;
	kinds->verdicts = (struct rect) {p->inner.x, p->inner.y + 3 + h, p->inner.w, room - h};
	return h;
}

/* Whether the user wants all kinds of work, and there is room for them. */
static bool kinds_fit(const struct plotting *p, const struct view_sweep *sweep)
{
	const int n = (int)sweep->n_kinds;

	return sweep->beside && !p->speedup && p->inner.w >= n * BESIDE_W &&
	       p->inner.h >= 3 + KIND_PLOT + 1 + n;
}

/* Draws a text in the middle of a value's column of the verdicts. */
static void kinds_draw_text(const struct kinds *kinds, const struct plotting *p, uint32_t value,
			    int y, struct style style, const char *text)
{
	const struct rect rect = kinds->verdicts;
	const double pitch = (double)(rect.w - kinds->left) / p->curve->n_values;
	const int middle = (int)((value + 0.5) * pitch), w = utf8_columns(text);

	if (w <= MAX(1, kinds->cell))
		canvas_text(p->canvas, rect.x + kinds->left + middle - w / 2, y, w, style, text);
}

static void kinds_draw_medians(const struct kinds *kinds, const struct plotting *p, int line, int y)
{
	const struct style hue = STYLE(p->line[line].hue);
	const int x = kinds->verdicts.x;
	char name[SAMPLE_NAME];

	if (kinds->named) {
		canvas_put(p->canvas, x + 2, y, p->line[line].glyph, hue);
		canvas_text(p->canvas, x + 4, y, kinds->left - 5, hue,
			    curve_fit(p, (uint32_t)line, kinds->left - 5, name));
	}
	view_zone_case(p->shown, RECT(x, y, kinds->verdicts.w, 1), p->curve->line[line].case_id);
	for (uint32_t v = 0; v < p->curve->n_values; v++) {
		const struct curve_point *point = &p->curve->point[line][v];
		const struct curve_lead *lead = &p->curve->lead[v];
		const double first = first_trial(p, (uint32_t)line, v);
		struct style style = PLAIN;

		if (lead->line == line && lead->sure == FINDING_REAL)
			style = STYLE_BOLD(p->line[line].hue);
		if (point->n)
			kinds_draw_text(kinds, p, v, y, style,
					METRIC_TEXT(p->curve->metric, point->median));
		else if (!isnan(first))
			kinds_draw_text(kinds, p, v, y, DIM, METRIC_TEXT(p->curve->metric, first));
	}
}

/* Draws the row above the verdicts: the verdicts' name and the values. */
static void kinds_draw_values(const struct kinds *kinds, const struct plotting *p, int y)
{
	for (uint32_t v = 0; v < p->curve->n_values; v++)
		kinds_draw_text(kinds, p, v, y, STYLE_BOLD(COLOUR_DEFAULT),
				p->curve->value[v].text);
	if (p->below)
		canvas_text(p->canvas, kinds->verdicts.x, y, kinds->left - 1, DIM, p->below);
}

/* Two digits, or all digits of a number from 100. */
static const char *span_end(double number, char buf[FIGURE])
{
	snprintf(buf, FIGURE, number < 99.5 ? "%.2g" : "%.0f", number);
	return buf;
}
#define SPAN_END(number) span_end(number, (char[FIGURE]) {0})

/*
 * Writes the lowest median at the first value and the highest at the last one: "12-48 ms". For
 * boxes without room for all medians.
 */
static void kinds_draw_span(const struct kinds *kinds, const struct plotting *p, int y)
{
	const struct scale_unit *unit = scale_unit(p->y.high, p->y.binary);
	const uint32_t last = p->curve->n_values - 1;
	double low = INFINITY, high = 0;
	char text[FIGURE];

	if (metric_table[p->curve->metric].unit != METRIC_NS)
		return;
	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		if (p->curve->point[i][0].n == 0 || p->curve->point[i][last].n == 0)
			return;
		low = fmin(low, p->curve->point[i][0].median);
		high = fmax(high, p->curve->point[i][last].median);
	}
	snprintf(text, sizeof(text), "%s–%s %s", SPAN_END(low / unit->size),
		 SPAN_END(high / unit->size), unit->name);
	if (utf8_columns(p->curve->work) + 1 + utf8_columns(text) < kinds->left)
		canvas_right(p->canvas, kinds->verdicts.x + kinds->left - 1, y, PLAIN, text);
}

/* Draws the verdicts of one kind and, if there is room, its medians. */
static void kinds_draw_verdicts(const struct kinds *kinds, const struct plotting *p, int number)
{
	const struct rect rect = kinds->verdicts;
	int y = rect.y + kinds->gap + 1 + number * (kinds->rows + kinds->gap);
	char text[FIGURE];

	if (number == 0)
		kinds_draw_values(kinds, p, rect.y + kinds->gap);
	canvas_text(p->canvas, rect.x, y, kinds->left - 1, STYLE_BOLD(COLOUR_DEFAULT),
		    p->curve->work);
	if (kinds->spans > 0)
		kinds_draw_span(kinds, p, y);
	for (uint32_t v = 0; v < p->curve->n_values && p->below; v++) {
		const struct style style = verdict_text(p, v, kinds->cell, text);

		kinds_draw_text(kinds, p, v, y, style, text);
	}
	y += kinds->named;
	for (int line = 0; line < (int)p->curve->n_lines && kinds->medians; line++)
		kinds_draw_medians(kinds, p, line, y + line);
}

/*
 * Draws the last median of each curve above the curve's end, without the unit if it is that
 * of the axis: "● 47.9 ■ 49.0". For boxes without room for the medians.
 */
static void kinds_draw_ends(const struct plotting *p)
{
	const uint32_t last = p->curve->n_values - 1;
	const int end = p->plot.x + p->plot.w - 1;
	const int least = p->plot.x + utf8_columns(p->curve->work) + 1;
	const char *const unit = scale_unit(p->y.high, p->y.binary)->name;
	char figures[CURVE_LINES][FIGURE];
	bool alike = true; /* Each figure has the unit of the axis. */
	int x = end;

	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		const struct curve_point *point = &p->curve->point[i][last];
		const char *space;

		if (point->n == 0)
			return;
		snprintf(figures[i], FIGURE, "%s", METRIC_TEXT(p->curve->metric, point->median));
		space = strchr(figures[i], ' ');
		alike &= space && strcmp(space + 1, unit) == 0;
	}
	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		if (alike)
			*strchr(figures[i], ' ') = '\0';
		x -= 2 + utf8_columns(figures[i]) + (i > 0);
	}
	if (x < least)
		return;
	for (uint32_t i = 0; i < p->curve->n_lines; i++) {
		canvas_put(p->canvas, x, p->inner.y, p->line[i].glyph, p->line[i].name);
		x = canvas_text(p->canvas, x + 2, p->inner.y, -1, PLAIN, figures[i]) + 1;
	}
}

/* Draws all kinds of work. p is the plotting from which each kind's own plotting is copied. */
static void curve_draw_kinds(const struct plotting *p, struct view_sweep *sweep,
			     const struct view_state *state)
{
	const bool logarithm = view_curve_log(state, p->shown, false);
	const int left = logarithm ? KIND_SCALE_LOG : KIND_SCALE;
	struct kinds kinds = {.sweep = sweep};
	const int h = kinds_place(&kinds, p), w = p->inner.w / (int)sweep->n_kinds;

	for (int i = 0; i < (int)sweep->n_kinds; i++) {
		struct plotting of = *p;

		of.kind = &sweep->kinds[i];
		of.curve = &of.kind->curve;
		of.panel = true;
		of.inner = RECT(p->inner.x + i * w, p->inner.y, w, h + 3);
		of.plot = RECT(of.inner.x + left, of.inner.y + 1, w - left, h);
		of.axis_y = of.plot.y + h;
		curve_scale_y(&of, logarithm);
		curve_place_marks(&of);
		canvas_text(p->canvas, of.plot.x, of.inner.y, of.plot.w, STYLE_BOLD(COLOUR_DEFAULT),
			    of.curve->work);
		curve_draw_plot(&of);
		if (!kinds.medians)
			kinds_draw_ends(&of);
		if (kinds.rows > 0)
			kinds_draw_verdicts(&kinds, &of, i);
	}
}

/*
 * Draws the key of the verdicts into the lower border of the box, because after the last trial the
 * hint gives way to a warning.
 */
static void kinds_draw_key(const struct plotting *p)
{
	const int right = p->inner.x + p->inner.w - 1, y = p->inner.y + p->inner.h;
	static const char key[] = " bold: real  same: not real, below 5 %  ?: not decided ";

	if (p->below)
		canvas_right(p->canvas, right, y, DIM, key);
}

/* Names the lines at the right of the box's title: "● threads  ■ processes". */
static void curve_draw_key(const struct plotting *p, struct rect box, int title_w)
{
	static const char better[] = " lower is better ";
	const struct curve *curve = p->curve;
	int w = 1, x;

	for (uint32_t i = 0; i < curve->n_lines; i++)
		w += utf8_columns(curve->line[i].name) + 4;
	x = box.x + box.w - 2 - w;
	if (x < box.x + title_w + 4)
		return;
	if (p->below && x - utf8_columns(better) > box.x + title_w + 4)
		canvas_right(p->canvas, x - 1, box.y, DIM, better);
	canvas_fill(p->canvas, RECT(x, box.y, w, 1), ' ', DIM);
	for (uint32_t i = 0; i < curve->n_lines; i++) {
		const int name_w = utf8_columns(curve->line[i].name) + 2;

		view_mark_name(p->canvas, RECT(x + 1, box.y, name_w, 1), p->model,
			       curve->line[i].case_id, curve->line[i].name);
		view_zone_case(p->shown, RECT(x + 1, box.y, name_w, 1), curve->line[i].case_id);
		x += name_w + 2;
	}
}

/* The title of the box, with what the key w shows next. */
static void curve_title(const struct plotting *p, const struct view_sweep *sweep, char *buf,
			size_t size)
{
	const char *what = metric_table[p->curve->metric].words, *next = p->curve->next_work;
	char kind[96] = "", work[96] = "";

	if (p->speedup)
		what = "speed-up";
	else if (p->curve->metric == METRIC_PRINTED)
		what = p->model->printed_title;
	if (*p->curve->work && !sweep->beside)
		snprintf(kind, sizeof(kind), "%s: ", p->curve->work);
	if (sweep->beside)
		next = "one kind alone";
	else if (sweep->n_kinds > 1 && sweep->alone + 1 == sweep->n_kinds)
		next = "all";
	if (p->curve->n_works > 1)
		snprintf(work, sizeof(work), " (w: %s)", next);
	snprintf(buf, size, "%s%s over %s%s", kind, what, p->curve->name, work);
}

/* Draws the box with its title and, if there is room, the long or the short note about the plot. */
static void curve_draw_box(struct plotting *p, const struct view_sweep *sweep, struct rect box)
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
	char title[256];
	int note = OTHERS;

	if (p->speedup)
		note = SPEEDUPS;
	else if (metric_is(p->curve->metric, METRIC_MORE_IS_WORSE))
		note = TIMES;
	if (!p->curve->numeric && note == TIMES)
		note = TIMES_IN_BARS;
	else if (!p->curve->numeric)
		note = OTHERS_IN_BARS;
	curve_title(p, sweep, title, sizeof(title));
	p->inner = view_box(p->canvas, box, title, NULL);
	p->below = name_below(p);
	if (kinds_fit(p, sweep)) {
		curve_draw_key(p, box, utf8_columns(title));
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (utf8_columns(title) + utf8_columns(notes[note][i]) + 7 > box.w)
			continue;
		canvas_right(p->canvas, box.x + box.w - 2, box.y, DIM, notes[note][i]);
		break;
	}
}

static void curve_note_sweep(struct view_shown *shown, const struct view_sweep *sweep, bool speedup)
{
	const struct curve *curve = &sweep->kinds[sweep->alone].curve;
	uint32_t crosses = curve->n_crosses;

	for (uint32_t i = 0; i < sweep->n_kinds && sweep->beside; i++)
		crosses += sweep->kinds[i].curve.n_crosses;
	if (crosses > 0)
		shown->hint = "×: two lines cross, within the range ━. Bold: best (real). ?: not "
			      "decided.";
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
	/* The key w has one more choice after the kinds of work: all kinds side by side. */
	if (sweep->n_kinds > 1)
		shown->curve.works++;
	shown->curve.numeric = curve->numeric;
	shown->curve.positive = curve->numeric && curve->value[0].number > 0;
	shown->curve.wants_log = curve_wants_log(curve);
	shown->curve.speedup = speedup_offered(curve);
}

/*
 * Whether the view has its own sentence, because the session's verdict is only about the headline
 * metric, and this view shows another one.
 */
static bool curve_answers(const struct view_frame *frame)
{
	return curve_metric(frame->model, &frame->state->curve) != model_headline(frame->model);
}

static const char lines_hint[] = "Thin lines: the trials. Without a colour: the models coincide.";
static const char pair_hint[] =
	"Bold: best (real), per pair. same: not real, below 5 %. ?: not decided.";

static void curve_draw(const struct view_frame *frame, struct rect rect)
{
	const struct view_state *state = frame->state;
	struct view_sweep *sweep = sweep_refresh(frame->cache, frame->model, &state->curve);
	struct plotting p = {frame->canvas, frame->model, frame->shown, .x = {.low = 0, .high = 1}};
	bool speedup;

	if (!sweep || rect.h < 1) {
		view_no_memory(p.canvas, RECT(rect.x + 1, rect.y, rect.w, rect.h));
		return;
	}
	speedup = state->curve.speedup && speedup_offered(&sweep->kinds[sweep->alone].curve);
	curve_note_sweep(frame->shown, sweep, speedup);
	p.kind = &sweep->kinds[sweep->alone];
	if (speedup)
		p.speedup = &sweep->speedup;
	else
		p.speedup = NULL;
	if (p.speedup)
		p.curve = &p.speedup->curve;
	else
		p.curve = &p.kind->curve;
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
	curve_draw_box(&p, sweep, rect);
	if (p.below && !p.speedup && p.curve->numeric && !frame->shown->hint)
		frame->shown->hint = pair_hint;
	if (p.curve->numeric && p.curve->n_values > 0) {
		p.x.low = p.curve->value[0].number;
		p.x.high = p.curve->value[p.curve->n_values - 1].number;
		if (p.x.high <= p.x.low)
			p.x.high = p.x.low + 1;
		p.x.log = view_curve_log(state, frame->shown, true);
	}
	frame->shown->curve.beside = kinds_fit(&p, sweep);
	frame->shown->curve.compared = p.below != NULL;
	/* The key is in the border. */
	if (frame->shown->curve.beside && frame->shown->hint == pair_hint)
		frame->shown->hint = lines_hint;
	if (frame->shown->curve.beside) {
		curve_draw_kinds(&p, sweep, state);
		kinds_draw_key(&p);
		return;
	}
	curve_place(&p);
	if (p.plot.h < 1 || p.plot.w < 8)
		return;
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

/* The captions for the present plot. NULL: the view's usual captions. */
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
	static const char *const kinds[] = {
		"Above: the median at each value, with the range of its trials. Lines without a "
		"colour "
		"of their own coincide.",
		"Below: how many times faster the fastest is, in the median pair of trials."};
	static const char *const one_line[] = {
		"The median at each value. Each chart has a y axis of its own.",
		"w shows one chart alone, with the range of its trials."};
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
	if (frame->shown->curve.beside && !frame->shown->curve.compared)
		return one_line;
	if (frame->shown->curve.beside)
		return kinds;
	return NULL;
}

static const char curve_help[] =
	"#Curve\n"
	"lines\tOne for each model or program, through the median at each value of the setting. If "
	"the "
	"session varies a second setting, there is one line for each of its values. A line has its "
	"mark at its end. Lines that coincide are one line without a colour.\n"
	"│\tThe range of the trials, from lowest to highest. ↑ Some trials lie above the plot.\n"
	"○\tA first run, of a warm-up or of a trial that does not count. A median takes its "
	"place.\n"
	"gap\tNo trial was measured at this value.\n"
	"×\tTwo lines cross: one is really faster on the left, and the other "
	"one on the right. ━ on the axis "
	"shows between which values.\n"
	"per pair\tHow many times as long the second fastest takes as the fastest: the median "
	"over the pairs of trials, so it may differ from the ratio of the medians. With a model's "
	"mark: it is really faster than every other, by however little. same: they differ by "
	"less than 5 %, if at all. ?: not decided.\n"
	"kinds\tUp to four kinds of work are side by side, each on a y axis of its own. Below them "
	"are the verdicts for each kind and value and, on a large screen, the medians.\n"
	"w\tShow one kind of work after the other, alone and with the range of its trials, or "
	"all kinds again.\n"
	"m\tChange what is drawn: elapsed time, CPU time, memory (PSS + kernel), creation, CPU use "
	"(one core = 100 %), bytes read and written.\n"
	"u\tThe speed-up relative to the fewest cores. Short grey dashes: the ideal. Long dashes: "
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
	.hint = "Bold: best (real). ?: not decided.",
};
