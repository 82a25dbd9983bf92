/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "core/comparison.h"
#include "draw/text.h"
#include "result/latency.h"
#include "result/report.h"
#include "stats/stats.h"
#include "view_cache.h"

/*
 * Histograms: rows of bars that show how often a time was measured, on one logarithmic axis, with
 * figures on the right.
 */

enum figure {
	FIGURE_TEXT,
	FIGURE_P50,
	FIGURE_P90,
	FIGURE_P99,
	FIGURE_MAX,
	FIGURE_FIRST,
	FIGURE_MEDIAN, /* the median of the trials' medians */
	FIGURE_RATIO,
	LATENCY_FIGURES
};

struct histogram_column {
	const char *title; /* NULL: end of the list of columns. */
	int w, least; /* Width of the column, and least width of a box that shows the column. */
	enum figure figure;
	uint8_t colour;
	bool bold; /* The figure is drawn in the row's colour. */
};

struct latency_histogram {
	struct canvas *canvas;
	/* The inside of the box. Its first line has the axis's labels and the columns' titles. */
	struct rect inner;
	int x, w; /* Position and width of the bars. w is 0 if there is no room for bars. */
	int bars_h;
	bool tails; /* Grey bars show the slowest 1 %, instead of marks at p90 and p99. */
	bool close; /* There is no free line between the rows. */
	struct scale scale;
	const struct histogram_column *columns; /* The columns of figures, from right to left. */
};

struct histogram_row {
	int y;
	uint8_t colour;
	int64_t ns[LATENCY_FIGURES];
	const char *text;
	/*
	 * How many times as long as the reference this row takes, "6.9x". NULL: the row is not
	 * compared.
	 */
	const char *ratio;
	bool real;		  /* The ratio is significant. */
	bool faster;		  /* The ratio is below 1. */
	double counts[PLOT_DOTS]; /* Two counts for each screen column. */
};

static int histogram_figures_w(const struct latency_histogram *h)
{
	int w = 0;

	for (const struct histogram_column *column = h->columns; column->title; column++) {
		if (h->inner.w >= column->least)
			w += column->w;
	}
	return w;
}

/*
 * Places the bars between the left margin and the figures. If the bars would have fewer than
 * `least` columns, sets w to 0.
 */
static void histogram_place(struct latency_histogram *h, int left, int least)
{
	h->x = h->inner.x + left;
	h->w = h->inner.w - left - histogram_figures_w(h);
	if (h->w < least)
		h->w = 0;
	else
		h->w = MIN(h->w, PLOT_DOTS / 2);
}

/*
 * Writes the label of a tick, with its unit, if all of it fits. Returns the first column where the
 * next label may begin. end: that column before this label.
 */
static int histogram_label(const struct latency_histogram *h, double ns, int x, int end)
{
	const struct scale_unit *unit = scale_unit(ns, false);
	char text[32];
	int left, w;

	snprintf(text, sizeof(text), "%g %s", ns / unit->size, unit->name);
	w = utf8_columns(text);
	left = MIN(MAX(h->x, x - w / 2), h->x + h->w - w);
	/* Move by at most one column. */
	left += end == left + 1;
	if (left < end || left + w > h->x + h->w)
		return end;
	return canvas_text(h->canvas, left, h->inner.y, -1, DIM, text) + 1;
}

static void histogram_begin(const struct latency_histogram *h)
{
	int end = h->x, right = h->inner.x + h->inner.w;

	for (double ns = pow(10, ceil(log10(h->scale.low) - 1e-9));
	     h->w && ns < h->scale.high * 1.001; ns *= 10) {
		int x = h->x + (int)lround(scale_share(&h->scale, ns) * h->w);

		if (x < h->x + h->w)
			canvas_fill(h->canvas, RECT(x, h->inner.y + 1, 1, h->inner.h - 1), 0xb7,
				    STYLE(COLOUR_BORDER));
		end = histogram_label(h, ns, x, end);
	}
	for (const struct histogram_column *column = h->columns; column->title; column++)
		if (h->inner.w >= column->least) {
			canvas_right(h->canvas, right, h->inner.y, DIM, column->title);
			right -= column->w;
		}
}

/* half: half columns from the left end. */
static double histogram_edge(const struct latency_histogram *h, int half)
{
	const double share = half / (2. * h->w);

	if (!h->scale.log)
		return h->scale.low + (h->scale.high - h->scale.low) * share;
	return h->scale.low * pow(h->scale.high / h->scale.low, share);
}

static int histogram_column_of(const struct latency_histogram *h, int64_t ns)
{
	const int column = (int)(scale_share(&h->scale, (double)MAX(ns, 1)) * h->w);

	return MAX(0, MIN(column, h->w - 1));
}

/*
 * Draws a bar for each count, scaled to the highest count. Bars right of p99 are grey if h->tails.
 */
static void histogram_draw_bars(const struct latency_histogram *h, const struct histogram_row *row,
				double most)
{
	const int tail = h->tails ? histogram_column_of(h, row->ns[FIGURE_P99]) + 1 : h->w;

	plot_halves(h->canvas, RECT(h->x, row->y, tail, h->bars_h), row->counts, most,
		    STYLE(row->colour));
	plot_halves(h->canvas, RECT(h->x + tail, row->y, h->w - tail, h->bars_h),
		    row->counts + (ptrdiff_t)2 * tail, most, STYLE(COLOUR_BORDER));
}

/* The ratio of a way that is really faster than the reference has the way's colour. */
static struct style histogram_ratio_style(const struct histogram_row *row)
{
	if (row->real && row->faster)
		return STYLE_BOLD(row->colour);
	if (row->real)
		return STYLE_BOLD(COLOUR_TITLE);
	return DIM;
}

/* Draws the bars, marks at p50, p90 and p99, and the figures. */
static void histogram_draw_row(const struct latency_histogram *h, const struct histogram_row *row)
{
	static const uint32_t marks[] = {
		[FIGURE_P50] = 0x2503, [FIGURE_P90] = 0x254e, [FIGURE_P99] = 0x2502};
	int end = h->inner.x + h->inner.w, bottom = row->y + h->bars_h;
	double most = 0;

	for (int i = 0; i < 2 * h->w; i++)
		most = fmax(most, row->counts[i]);
	/*
	 * Leave a gap above the bars of rows without a free line between them, so that the rows do
	 * not touch.
	 */
	if (h->close)
		most *= 8. / 7;
	/* Draw bars instead of a mean, so that a single outlier is visible. */
	if (h->w > 0)
		histogram_draw_bars(h, row, most);
	for (int i = h->tails ? FIGURE_P50 : FIGURE_P99; h->w && i >= FIGURE_P50; i--) {
		const int column = histogram_column_of(h, row->ns[i]);
		double count;
		int height;

		count = fmax(row->counts[2 * column], row->counts[2 * column + 1]);
		height = plot_height(count, most, 8 * h->bars_h);
		for (int y = row->y; y < bottom; y++) {
			struct style style = STYLE_BOLD(COLOUR_TITLE);
			/* The upper half of the highest cell is the gap to the row above. */
			const bool gap = h->close && h->bars_h > 1 && y == row->y;

			/* If a bar is behind a mark, the mark's background has the bar's colour. */
			if (!gap && height - 8 * (bottom - 1 - y) >= 4)
				style.bg = row->colour;
			if (gap)
				canvas_put(h->canvas, h->x + column, y, 0x257b, style);
			else
				canvas_put(h->canvas, h->x + column, y, marks[i], style);
		}
	}
	for (const struct histogram_column *column = h->columns; column->title; column++) {
		struct style style = STYLE(column->colour);

		if (h->inner.w < column->least)
			continue;
		if (column->bold)
			style = STYLE_BOLD(row->colour);
		if (column->figure == FIGURE_RATIO)
			canvas_right(h->canvas, end, bottom - 1, histogram_ratio_style(row),
				     row->ratio ? row->ratio : "");
		else if (column->figure)
			canvas_right(h->canvas, end, bottom - 1, style,
				     LATENCY_TEXT(row->ns[column->figure]));
		else
			canvas_right(h->canvas, end, bottom - 1, style, row->text);
		end -= column->w;
	}
}

/* The time to create a task: a row for each way to create a task, all on one axis. */

enum {
	SPAN_W = 8,
	BALLAST_W = 5,
	NOT_COUNTED_W = 11,
	WHERE_W = 17,
	LATENCY_PLOT_LEAST = 12,
	BARS_MOST = 4,
	/* Smallest number of lines of a row with both spans: two for each span, and a gap. */
	BOTH_LEAST = 5,
	LATENCY_NAME_MOST = 28,
	LANES_LEAST = 110, /* Least width of a box that has lanes beside the histograms. */
	LANES_LINES = 3,   /* Smallest number of lines of a row with lanes. */
	NEAR_MOST = 3,	   /* Largest number of enlarged rows. */
	NEAR_LINES = 3, /* Smallest number of lines of each other row if some rows are enlarged. */
	NEAR_TICKS = 8
};

/* The columns beside the median. p99_least: the least width of a box that shows p99. */
#define CREATION_COLUMNS(p99_least)                                                                \
	{"Sysel 2020, µs", 17, 150, FIGURE_TEXT, COLOUR_DIM},                                      \
		{"first", 9, 150, FIGURE_FIRST, COLOUR_DIM},                                       \
		{"max", 9, 100, FIGURE_MAX, COLOUR_DIM},                                           \
		{"p99", 9, p99_least, FIGURE_P99, COLOUR_DIM},                                     \
	{                                                                                          \
		"p90", 9, 150, FIGURE_P90, COLOUR_DEFAULT                                          \
	}

/* The columns for creations that are compared. */
static const struct histogram_column creation_columns[] = {
	{"per pair", 10, 70, FIGURE_RATIO, COLOUR_TITLE},
	CREATION_COLUMNS(75),
	/* The median of the trials' medians, as in the answer. The mark ┃ is there. */
	{"median", 9, 0, FIGURE_MEDIAN, .bold = true},
	{NULL}};

/* The same columns without p99, because the axis needs the room. */
static const struct histogram_column creation_narrow_columns[] = {
	{"per pair", 10, 70, FIGURE_RATIO, COLOUR_TITLE},
	{"median", 9, 0, FIGURE_MEDIAN, .bold = true},
	{NULL}};

/*
 * P99_BOX: in a box narrower than this, p99 is shown only if the axis keeps at least P99_PLOT_LEAST
 * columns.
 */
enum { P99_BOX = 90, P99_PLOT_LEAST = 32 };

static const struct histogram_column latency_plot_columns[] = {
	CREATION_COLUMNS(0), {"median", 11, 0, FIGURE_MEDIAN, .bold = true}, {NULL}};

/*
 * The columns for creations in places that the answer does not compare. A trial has only a few
 * tasks in each place, so its median says little.
 */
static const struct histogram_column places_columns[] = {
	CREATION_COLUMNS(0), {"p50", 11, 0, FIGURE_P50, .bold = true}, {NULL}};

struct latencies {
	struct canvas *canvas;
	const struct model *model;
	struct latency_row rows[LATENCY_ROWS];
	bool one_place;	   /* All rows are for the place that the headline uses. */
	const char *where; /* The place of all rows, such as "on one core"; "" if unknown. */
	/*
	 * n: number of rows. first: index of the first visible row. shown: number of visible rows.
	 */
	int n, first, shown;
	int lines;	 /* Number of lines of a row, including the gap below it. */
	int primitives;	 /* Number of primitives among the rows. */
	int gap;	 /* Number of blank lines above each primitive except the first. */
	bool operations; /* The rows show operations of workers, not creations. */
	/* For operations: the table of medians. NULL: histograms are shown instead of the table. */
	const struct table *medians;
	/* For creations: has the ratios that are shown beside the rows. */
	const struct answer *answer;
	bool has_first; /* Some values in `newest` are drawn. */
	bool both;	/* Both spans are shown: until the call returns, and until the task runs. */
	enum model_latency_span span;
	/* name_w: width of the name. label_w: width of the span or ballast beside the name. */
	int name_w, label_w;
	struct latency_histogram plot;
	/* The lanes of servers' workers, beside the histograms. lanes.w 0: there are no lanes. */
	struct rect lanes;
	struct plot_axis lanes_axis;
};

static const char *const span_texts[MODEL_LATENCIES] = {
	[LATENCY_CALLER] = "caller",
	[LATENCY_TASK] = "task",
	[LATENCY_JOINED] = "joined",
};

/*
 * Whether the row is of a call that creates no task. Such a call only shows how long reading the
 * clock takes.
 */
static bool latency_is_call(const struct model *model, const struct latency_row *row)
{
	return model->cases[row->case_id].plan.primitive == PLAN_CALL;
}

/*
 * Writes how many times as long as the reference the case takes until the task runs: "6.9x", or
 * "1x" for the reference itself. Only the places of the headline are compared. Returns NULL if
 * there is no ratio.
 */
static const char *latency_ratio(const struct latencies *l, uint32_t case_id, char *buf,
				 size_t size, struct histogram_row *drawn)
{
	const struct answer *answer = l->answer;

	for (uint32_t i = 0; answer && i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const double ratio = row->cells[0].ratio.estimate;

		if (row->case_id != case_id || (row->reference != case_id && isnan(ratio)))
			continue;
		drawn->real = row->cells[0].state == ANSWER_REAL;
		drawn->faster = ratio < 1;
		if (row->reference == case_id)
			snprintf(buf, size, "1x");
		else
			snprintf(buf, size, "%sx", CLAIM_TIMES(ratio));
		return buf;
	}
	return NULL;
}

/*
 * The median of the trials' medians, as in the answer. If no trial counts yet, `otherwise`. The p50
 * of all creations together is another number.
 */
static int64_t latency_median(const struct model *model, const struct latency_row *row,
			      enum model_latency_span span, int64_t otherwise)
{
	double *medians = calloc(model->n_runs + 1, sizeof(*medians));
	const struct model_run *run = NULL;
	size_t n = 0;

	while (medians && (run = model_next_measured(model, run, row->case_id, 1))) {
		const struct model_latency *latency = model_latency_run(model, run);

		if (latency && latency->at[row->place].span[span].n > 0)
			medians[n++] = (double)latency->at[row->place].span[span].p50;
	}
	if (n > 0)
		otherwise = llround(stats_select(medians, n, 0.5));
	free(medians);
	return otherwise;
}

/* Draws one span of a row. grey: the run does not count. */
static void draw_latency_span(const struct latencies *l, const struct latency_row *at_row,
			      const struct model_latency_at *at, enum model_latency_span span,
			      int y, bool grey)
{
	const uint32_t case_id = at_row->case_id;
	const struct sample_case *config = &l->model->cases[case_id];
	const struct model_latency_figures *figures = &at->span[span];
	const struct latency_histogram *plot = &l->plot;
	struct latency_histogram beyond = *plot;
	/*
	 * The span of the caller is grey if both spans are shown, because other hues mean kinds of
	 * work and models.
	 */
	uint8_t colour = grey || (l->both && span == LATENCY_CALLER) ? COLOUR_DIM
								     : view_hue(l->model, case_id);
	struct histogram_row row = {y,
				    colour,
				    {0, figures->p50, figures->p90, figures->p99, figures->max,
				     figures->first,
				     latency_median(l->model, at_row, span, figures->p50)},
				    latency_quote(config, span)};
	char ratio[32];

	if (figures->n == 0)
		return;
	/* Mark the median that is printed beside the bars. */
	if (!l->operations && plot->columns != places_columns)
		row.ns[FIGURE_P50] = row.ns[FIGURE_MEDIAN];
	if (span == LATENCY_TASK && !grey && !latency_is_call(l->model, at_row))
		row.ratio = latency_ratio(l, case_id, ratio, sizeof(ratio), &row);
	if (l->both && config->plan.primitive != PLAN_CALL)
		canvas_text(l->canvas, plot->inner.x + l->name_w, y + plot->bars_h - 1,
			    l->label_w - 1, STYLE(colour), span_texts[span]);
	/* Reading the clock takes so much less time that its bar would be left of the axis. */
	beyond.w = (double)figures->p50 < plot->scale.low ? 0 : plot->w;
	for (int i = 0; i < 2 * beyond.w; i++)
		row.counts[i] = latency_between(figures, histogram_edge(plot, i),
						histogram_edge(plot, i + 1));
	histogram_draw_row(&beyond, &row);
	if (beyond.w < plot->w)
		canvas_text(l->canvas, plot->x, y, plot->w, DIM, "← median left of axis");
}

/*
 * The figures of a row, from its counted trials or, until a trial counts, from the newest run. So a
 * warm-up fills the rows of a session that has just begun, and the figures of a discarded trial
 * stay visible. NULL if there are no figures. *kind is set to the kind of the newest run if the
 * figures are of a run that does not count, otherwise to NULL.
 */
static const struct model_latency_at *
latency_drawn(const struct model *model, const struct latency_row *row, const char **kind)
{
	const struct model_latency_at *at = latency_at(model, row);
	const bool settled = at || model_over(model);

	*kind = NULL;
	for (size_t i = model->n_runs; i > 0 && !settled; i--) {
		const struct model_run *run = &model->runs[i - 1];
		const struct model_latency *latency = model_latency_run(model, run);

		if (run->id.case_id != row->case_id || !latency)
			continue;
		if (run->id.trial > 0)
			*kind = "not counted";
		else
			*kind = "warm-up";
		return &latency->at[row->place];
	}
	return at;
}

/* Writes why a row has no latency. */
static void draw_no_latency(const struct latencies *l, const struct latency_row *row, int y)
{
	const struct model_run *running = model_running(l->model);
	const bool runs = running && running->id.case_id == row->case_id;
	int x = l->plot.inner.x + l->name_w + l->label_w;
	const char *why = "not yet";

	if (l->plot.w)
		x = l->plot.x;
	if (latency_at(l->model, row))
		why = "none began there";
	else if (runs)
		why = "measuring…";
	else if (model_over(l->model))
		why = "not measured";
	canvas_text(l->canvas, x, y, l->plot.inner.x + l->plot.inner.w - x,
		    runs ? STYLE_BOLD(COLOUR_TITLE) : DIM, why);
}

static void draw_latency_row(struct latencies *l, const struct latency_row *row, int y)
{
	const char *kind;
	const struct model_latency_at *at = latency_drawn(l->model, row, &kind);
	/* The name is beside the figures, on the last line of the first bars. */
	const int name_y = y + l->plot.bars_h - 1;
	char label[96], ballast[48], where[48] = "", name[SAMPLE_NAME];

	/*
	 * The words that distinguish the rows of a primitive: "1G touched", "one core 1G touched".
	 */
	latency_ballast(l->model, row->case_id, ballast, sizeof(ballast));
	if (!l->one_place || row->place == LATENCY_NOT_RECORDED)
		latency_where(l->model, row, true, where, sizeof(where));
	snprintf(label, sizeof(label), "%s%s%s", where, *where && *ballast ? " " : "", ballast);
	view_mark_name(l->canvas, RECT(l->plot.inner.x, name_y, l->name_w - 1, 1), l->model,
		       row->case_id, latency_name(l->model, row->case_id, name, sizeof(name)));
	l->has_first |= kind != NULL;
	if (kind && l->lines > 1)
		snprintf(label, sizeof(label), "%s", kind);
	if (l->lines > 1) {
		canvas_text(l->canvas, l->plot.inner.x,
			    name_y + 1 < y + l->lines ? name_y + 1 : name_y - 1, l->name_w - 1, DIM,
			    label);
	} else if (!l->both) {
		if (l->one_place)
			label[strcspn(label, " ")] = '\0';
		canvas_text(l->canvas, l->plot.inner.x + l->name_w, name_y, l->label_w - 1, PLAIN,
			    label);
	}
	if (!at || at->n == 0) {
		draw_no_latency(l, row, name_y);
		return;
	}
	if (!l->both) {
		draw_latency_span(l, row, at, l->span, y, kind);
		return;
	}
	draw_latency_span(l, row, at, LATENCY_CALLER, y, kind);
	if (l->model->cases[row->case_id].plan.primitive != PLAN_CALL)
		draw_latency_span(l, row, at, LATENCY_TASK, y + l->plot.bars_h, kind);
}

/*
 * Draws the box with its title and the conditions. If these do not both fit, shortens the
 * conditions, then the title, and then drops the title.
 */
static void draw_latency_box(struct latencies *l, struct rect box)
{
	char title[64] = "time to create a task", conditions[256];
	const char *where = l->where;
	int w;

	if (l->medians)
		snprintf(title, sizeof(title), "%s", l->medians->title);
	else if (l->operations)
		snprintf(title, sizeof(title), "time of each %s", latency_operation(l->model));
	latency_conditions(l->model, false, conditions, sizeof(conditions));
	if (utf8_columns(conditions) + utf8_columns(where) + 10 > box.w)
		latency_conditions(l->model, true, conditions, sizeof(conditions));
	w = utf8_columns(conditions) + utf8_columns(title) + utf8_columns(where) + 2;
	if (w + 10 > box.w)
		snprintf(title, sizeof(title), "%s", where);
	else if (*where)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), ", %s", where);
	w = utf8_columns(conditions) + utf8_columns(title);
	l->plot.inner =
		view_box(l->canvas, box, *title && w + 10 <= box.w ? title : NULL, conditions);
}

/* The time by which rows are ordered: the time that the box shows. */
static int64_t latency_rank(const struct latencies *l, const struct latency_row *row, int64_t p50)
{
	if (!l->one_place)
		return p50;
	return latency_median(l->model, row, LATENCY_TASK, p50);
}

/*
 * Puts the fastest way to create a task first, as the Results view does. The rows of each way stay
 * together. Ways without figures come last, and so does a call that creates no task.
 */
static void latency_sort(struct latencies *l)
{
	struct {
		double ns;
		uint32_t at;
	} ranks[LATENCY_ROWS] = {{0}};
	struct latency_row was[LATENCY_ROWS];

	memcpy(was, l->rows, sizeof(was));
	for (int i = 0; i < l->n; i++) {
		const char *kind;
		const struct model_latency_at *at = latency_drawn(l->model, &was[i], &kind);
		const struct plan *plan = &l->model->cases[was[i].case_id].plan;
		bool same = i > 0 &&
			    plan->primitive == l->model->cases[was[i - 1].case_id].plan.primitive;

		ranks[i].at = (uint32_t)i;
		if (same)
			ranks[i].ns = ranks[i - 1].ns;
		else if (latency_is_call(l->model, &was[i]))
			ranks[i].ns = INFINITY;
		else if (at && at->span[LATENCY_TASK].n > 0)
			ranks[i].ns = (double)latency_rank(l, &was[i], at->span[LATENCY_TASK].p50);
		else
			ranks[i].ns = INFINITY;
	}
	qsort(ranks, (size_t)l->n, sizeof(*ranks), array_by_rank);
	for (int i = 0; i < l->n; i++)
		l->rows[i] = was[ranks[i].at];
}

/*
 * Sorts the rows after each case has run, and again at the session's end. In between, the rows keep
 * their places, because medians change with each trial, and a reader cannot follow rows that change
 * places.
 */
static void latency_order(struct latencies *l, struct view_cache *cache, enum view_places places)
{
	const bool over = model_over(l->model);
	const bool known = cache->latency_n == l->n && cache->latency_places == places &&
			   cache->latency_over == over;
	const bool all_ran = model_runs_ended(l->model) >= l->model->n_cases;

	if (l->operations || (!known && !all_ran))
		return;
	if (known) {
		memcpy(l->rows, cache->latency_rows, sizeof(l->rows));
		return;
	}
	latency_sort(l);
	memcpy(cache->latency_rows, l->rows, sizeof(l->rows));
	cache->latency_n = l->n;
	cache->latency_places = places;
	cache->latency_over = over;
}

/*
 * Leaves out calls that create no task, if other rows are left. The box's title has the time of
 * such calls.
 */
static void latency_leave_out_calls(struct latencies *l)
{
	int n = 0;

	if (l->operations || !l->one_place)
		return;
	for (int i = 0; i < l->n; i++)
		if (!latency_is_call(l->model, &l->rows[i]))
			l->rows[n++] = l->rows[i];
	if (n > 0)
		l->n = n;
}

static void latency_choose_rows(struct latencies *l, const struct view_frame *frame)
{
	static const char *const words[VIEW_PLACES] = {
		[VIEW_PLACES_ONE] = "on one core",
		[VIEW_PLACES_FREE] = "left to the scheduler",
		[VIEW_PLACES_IDLE] = "after 1 ms idle",
		[VIEW_PLACES_ALL] = "everywhere",
	};
	enum view_places places = frame->state->latency.places;

	frame->shown->operations = l->operations;
	for (uint32_t i = 0; i < l->model->n_cases; i++)
		frame->shown->placed |= comparison_mixed(&l->model->cases[i]);
	l->one_place = places == VIEW_PLACES_ONE || !frame->shown->placed;
	if (l->one_place)
		places = VIEW_PLACES_ONE;
	l->n = (int)latency_rows(l->model, (enum plan_placement)(PLAN_PINNED + places), l->rows);
	latency_leave_out_calls(l);
	latency_order(l, frame->cache, places);
	for (int i = 0; i < l->n; i++)
		l->primitives += latency_begins(l->model, l->rows, (uint32_t)i);
	l->where = words[places];
	if (l->n == 0 || l->rows[0].place == LATENCY_NOT_RECORDED)
		l->where = "";
}

/* Whether a row has only one line, because a call that creates no task has hardly any bars. */
static bool latency_is_flat(const struct latencies *l, int row)
{
	return !l->operations && latency_is_call(l->model, &l->rows[row]);
}

/*
 * Whether free lines below the rows show the fastest ways enlarged. If a way has several rows, they
 * differ by more than their names, such as by the parent's memory, so no way is enlarged.
 */
static bool latency_enlarges(const struct latencies *l)
{
	return !l->operations && !l->both && l->one_place && l->primitives == l->n;
}

/*
 * The number of lines of each of n rows. It is smaller if that leaves enough lines to enlarge some
 * rows.
 */
static int latency_leave_lines(const struct latencies *l, int room, int n)
{
	const int lines = room / n, fewer = (room - NEAR_MOST - 1) / n;

	if (fewer >= NEAR_LINES && l->lanes.w == 0)
		return fewer;
	return lines;
}

/*
 * Places the rows. For creations, shows both spans if the user wants both and each row has enough
 * lines. Spare lines make the rows taller.
 */
static void latency_place_rows(struct latencies *l, const struct view_frame *frame)
{
	enum view_spans wanted = frame->state->latency.spans;
	const int room = l->plot.inner.h - 1;
	int figures = histogram_figures_w(&l->plot);
	int lines = room, flat = 0, spare;
	char name[SAMPLE_NAME];

	for (int i = 0; i < l->n; i++)
		flat += latency_is_flat(l, i);
	if (l->n > flat)
		lines = (room - flat) / (l->n - flat);
	else if (l->n > 0)
		lines = room / l->n;
	/* For operations, the key m switches between medians and histograms. */
	if (!l->operations)
		frame->shown->spans_fit = lines >= BOTH_LEAST;
	l->both = wanted == VIEW_SPANS_BOTH && lines >= BOTH_LEAST && !l->operations;
	if (latency_enlarges(l) && l->n > flat)
		lines = latency_leave_lines(l, room - flat, l->n - flat);
	if (l->operations)
		l->span = LATENCY_CALLER;
	else if (wanted == VIEW_SPANS_BOTH)
		l->span = LATENCY_TASK;
	else
		l->span = (enum model_latency_span)(wanted - VIEW_SPANS_CALLER);
	l->lines = MAX(1, lines);
	/*
	 * Creations have a free line or, with three lines or more, a gap above their bars, so that
	 * neighbouring rows do not look like one row.
	 */
	l->plot.close = l->lines > 2 && !l->operations && !l->both && l->primitives == l->n;
	if (l->plot.close)
		l->plot.bars_h = l->lines;
	else if (l->lines > 2 || (l->lines == 2 && !l->operations))
		l->plot.bars_h = l->lines - 1;
	else
		l->plot.bars_h = l->lines;
	l->plot.bars_h = MIN(BARS_MOST, l->both ? l->plot.bars_h / 2 : l->plot.bars_h);
	l->lines = MIN(l->lines, 1 + (l->both ? 2 : 1) * l->plot.bars_h);
	spare = room - l->lines * (l->n - flat) - flat;
	if (latency_enlarges(l))
		spare -= NEAR_MOST + 1;
	l->gap = l->primitives - 1 <= spare;
	if (lines < 1)
		l->shown = room;
	else
		l->shown = l->n;
	l->first = view_scroll_to(frame, l->n, l->shown);
	if (l->lines > 1 && !l->one_place)
		l->name_w = WHERE_W;
	else if (l->lines > 1)
		l->name_w = NOT_COUNTED_W;
	else
		l->name_w = 0;
	for (int i = 0; i < l->n; i++)
		l->name_w =
			MAX(l->name_w, 2 + utf8_columns(latency_name(l->model, l->rows[i].case_id,
								     name, sizeof(name))));
	l->name_w = MIN(l->name_w, LATENCY_NAME_MOST) + 1;
	if (l->both)
		l->label_w = SPAN_W;
	else if (!l->one_place && l->lines < 2)
		l->label_w = WHERE_W;
	else if (l->primitives < l->n)
		l->label_w = BALLAST_W;
	else
		l->label_w = 1;
	l->name_w = MAX(1, MIN(l->name_w, l->plot.inner.w - figures - l->label_w));
	histogram_place(&l->plot, l->name_w + l->label_w, LATENCY_PLOT_LEAST);
	if (l->plot.columns == creation_columns && l->plot.inner.w < P99_BOX &&
	    l->plot.w < P99_PLOT_LEAST) {
		l->plot.columns = creation_narrow_columns;
		histogram_place(&l->plot, l->name_w + l->label_w, LATENCY_PLOT_LEAST);
	}
}

/*
 * The axis of creations begins at 1, 2 or 5 times a power of ten, at most CREATION_BEFORE times the
 * fastest median. It ends at such a number too, not before CREATION_MOST_NS and not before the
 * longest time.
 */
#define CREATION_BEFORE	 0.75
#define CREATION_MOST_NS 1e6

/* The greatest of 1, 2 and 5 times a power of ten that is at most ns. */
static double creation_begin(double ns)
{
	const double decade = pow(10, floor(log10(fmax(ns, 1))));

	if (ns >= 5 * decade)
		return 5 * decade;
	if (ns >= 2 * decade)
		return 2 * decade;
	return decade;
}

static bool latency_shows(const struct latencies *l, enum model_latency_span span)
{
	if (l->both)
		return span == LATENCY_CALLER || span == LATENCY_TASK;
	return span == l->span;
}

/* The end of the axis of creations that includes the longest time of each span that is shown. */
static double creation_end(const struct latencies *l, const struct model_latency_at *at)
{
	double longest = CREATION_MOST_NS;

	for (enum model_latency_span span = 0; span < MODEL_LATENCIES; span++)
		if (at->span[span].n > 0 && latency_shows(l, span))
			longest = fmax(longest, (double)at->span[span].max);
	return plot_step(longest, 1);
}

/*
 * Chooses the axis. It includes runs that are shown until a trial counts, but not calls that create
 * no task. The axis only grows, so no bar moves when a trial is discarded.
 */
static void latency_choose_axis(struct latencies *l, struct view_cache *cache)
{
	struct scale *scale = &l->plot.scale;
	double fastest = INFINITY;
	const char *kind;

	scale->log = true;
	if (l->operations) {
		latency_range(l->model, &scale->low, &scale->high);
	} else {
		scale->low = INFINITY;
		scale->high = CREATION_MOST_NS;
	}
	for (int i = 0; i < l->n; i++) {
		const struct model_latency_at *at = latency_drawn(l->model, &l->rows[i], &kind);

		if (!at || latency_is_call(l->model, &l->rows[i]))
			continue;
		if (l->operations)
			latency_widen(at, &scale->low, &scale->high);
		else
			scale->high = fmax(scale->high, creation_end(l, at));
		for (enum model_latency_span span = 0; span < MODEL_LATENCIES; span++)
			if (at->span[span].n > 0 && latency_shows(l, span))
				fastest = fmin(fastest, (double)at->span[span].p50);
	}
	if (!l->operations)
		scale->low = creation_begin(CREATION_BEFORE * fmin(fastest, CREATION_MOST_NS));
	if (cache->latency_high > 0) {
		scale->low = fmin(scale->low, cache->latency_low);
		scale->high = fmax(scale->high, cache->latency_high);
	}
	cache->latency_low = scale->low;
	cache->latency_high = scale->high;
}

/* Gives the right part of the box to the lanes of servers' workers, if there is room. */
static void latency_place_lanes(struct latencies *l, const struct view_frame *frame)
{
	struct rect *inner = &l->plot.inner;

	frame->shown->serving = false;
	if (!view_serves(l->model) || inner->w < LANES_LEAST ||
	    (inner->h - 1) / MAX(1, l->n) < LANES_LINES)
		return;
	l->lanes = *inner;
	l->lanes.w = inner->w * 2 / 5;
	l->lanes.x = inner->x + inner->w - l->lanes.w;
	inner->w -= l->lanes.w + 1;
	l->lanes_axis = view_serving_axis(frame, l->lanes);
	frame->shown->serving = true;
}

/*
 * The fastest ways to create a task are enlarged: on the common axis, their histograms would differ
 * by a cell. The medians of the enlarged ways differ at most by this factor from the fastest way's
 * median.
 */
#define NEAR_RATIO 2.

/* The rows that the enlarged histograms show, in the order of the box. */
struct enlarged {
	const struct latency_row *rows[NEAR_MOST];
	const struct model_latency_at *at[NEAR_MOST];
	int n;
};

static struct enlarged latency_to_enlarge(const struct latencies *l, int most)
{
	struct enlarged near = {.n = 0};
	double least = 0;
	const char *kind;

	for (int i = 0; i < l->n && near.n < MIN(most, NEAR_MOST); i++) {
		const struct model_latency_at *at = latency_drawn(l->model, &l->rows[i], &kind);
		double p50;

		if (!at || kind || latency_is_flat(l, i) || at->span[l->span].n == 0)
			continue;
		p50 = (double)at->span[l->span].p50;
		if (near.n == 0)
			least = p50;
		if (p50 > NEAR_RATIO * least || p50 < least / NEAR_RATIO)
			break;
		near.rows[near.n] = &l->rows[i];
		near.at[near.n++] = at;
	}
	return near;
}

/* Number of trials from which on the enlarged axis only grows. */
enum { NEAR_TRIALS = 2 };

/* Whether each model has at least NEAR_TRIALS trials. */
static bool enlarged_is_steady(const struct latencies *l)
{
	return model_runs_ended(l->model) >= NEAR_TRIALS * l->model->n_cases;
}

/*
 * A linear scale with round ends, from a little below the smallest p50 to a little above the
 * largest p90. The slowest creations are beyond its right end, because a few outliers would change
 * the scale with each trial.
 */
static struct scale enlarged_scale(const struct latencies *l, const struct enlarged *near,
				   struct view_cache *cache)
{
	double low = INFINITY, high = 0, step;

	for (int i = 0; i < near->n; i++) {
		const struct model_latency_figures *figures = &near->at[i]->span[l->span];

		low = fmin(low, (double)figures->p50);
		high = fmax(high, (double)figures->p90);
	}
	low *= 0.9;
	high *= 1.1;
	if (cache->near_high > 0) {
		low = fmin(low, cache->near_low);
		high = fmax(high, cache->near_high);
	}
	if (enlarged_is_steady(l)) {
		cache->near_low = low;
		cache->near_high = high;
	}
	step = plot_step(fmax(1, high - low), NEAR_TICKS);
	return (struct scale) {floor(low / step) * step, ceil(high / step) * step, false, false};
}

static void enlarged_draw_axis(const struct latency_histogram *plot)
{
	double ticks[SCALE_TICKS];
	const int n = scale_ticks(&plot->scale, NEAR_TICKS, ticks);
	int end = plot->x;

	for (int i = 0; i < n; i++) {
		const int x = plot->x + (int)(scale_share(&plot->scale, ticks[i]) * plot->w);
		const struct scale_unit *unit = scale_unit(plot->scale.high, false);
		char text[32];
		int w;

		snprintf(text, sizeof(text), "%g %s", ticks[i] / unit->size, unit->name);
		w = utf8_columns(text);
		if (x - w / 2 < end || x - w / 2 + w > plot->x + plot->w)
			continue;
		end = canvas_text(plot->canvas, x - w / 2, plot->inner.y, -1, DIM, text) + 1;
	}
}

/*
 * Draws the fastest ways once more in the free lines below the rows, on a linear axis that shows
 * how far apart the ways are.
 */
static void draw_enlarged(const struct latencies *l, struct rect rect, struct view_cache *cache)
{
	const struct enlarged near = latency_to_enlarge(l, rect.h - 1);
	struct latencies zoom = *l;

	if (!latency_enlarges(l) || near.n < 2 || l->plot.w == 0)
		return;
	/* Clear the lines that the dots of the other axis may have reached. */
	canvas_fill(l->canvas, rect, ' ', PLAIN);
	zoom.plot.inner = rect;
	zoom.plot.scale = enlarged_scale(l, &near, cache);
	zoom.plot.bars_h = MIN(2, (rect.h - 1) / near.n);
	zoom.plot.close = true;
	canvas_text(l->canvas, rect.x, rect.y, zoom.plot.x - rect.x - 1, STYLE_BOLD(COLOUR_TITLE),
		    "enlarged");
	enlarged_draw_axis(&zoom.plot);
	for (int i = 0; i < near.n; i++) {
		const int y = rect.y + 1 + i * zoom.plot.bars_h;
		char name[SAMPLE_NAME];

		view_mark_name(l->canvas, RECT(rect.x, y + zoom.plot.bars_h - 1, l->name_w - 1, 1),
			       l->model, near.rows[i]->case_id,
			       latency_name(l->model, near.rows[i]->case_id, name, sizeof(name)));
		draw_latency_span(&zoom, near.rows[i], near.at[i], l->span, y, false);
		/* An arrow: the slowest creations are beyond the axis. */
		if ((double)near.at[i]->span[l->span].max > zoom.plot.scale.high)
			canvas_put(l->canvas, zoom.plot.x + zoom.plot.w - 1,
				   y + zoom.plot.bars_h - 1, 0x2192, DIM);
	}
}

/*
 * Writes on the box's lower edge what the bars and marks of creations mean, if there is room.
 * Returns whether it did.
 */
static bool draw_creation_legend(const struct latencies *l, struct rect box)
{
	static const char longest[] = " ▁█ how many took this long   ┃ median: half were faster   "
				      "▁ grey: the slowest 1 % ";
	static const char *const texts[] = {
		longest, " ▁█ how many   ┃ half were faster   ▁ grey: the slowest 1 % ",
		" ┃ half were faster   ▁ grey: the slowest 1 % "};

	for (size_t i = 0; i < LENGTH(texts); i++)
		if (utf8_columns(texts[i]) + 4 < box.w) {
			canvas_right(l->canvas, box.x + box.w - 2, box.y + box.h - 1, DIM,
				     texts[i]);
			return true;
		}
	return false;
}

static void draw_distributions(struct latencies *l, const struct view_frame *frame)
{
	int end;

	latency_place_lanes(l, frame);
	latency_place_rows(l, frame);
	latency_choose_axis(l, frame->cache);
	histogram_begin(&l->plot);
	if (!l->both)
		canvas_text(l->canvas, l->plot.inner.x, l->plot.inner.y, l->name_w + l->label_w - 1,
			    STYLE_BOLD(COLOUR_TITLE), latency_title(l->model, l->span));
	end = l->plot.inner.y + 1;
	for (int i = l->first, y = end; i < MIN(l->first + l->shown, l->n); i++) {
		struct latencies row = *l;

		if (i > l->first && latency_begins(l->model, l->rows, (uint32_t)i))
			y += l->gap;
		if (latency_is_flat(l, i))
			row.lines = 1;
		row.plot.bars_h = MIN(l->plot.bars_h, row.lines);
		draw_latency_row(&row, &l->rows[i], y);
		l->has_first |= row.has_first;
		if (l->lanes.w > 0)
			view_serving_draw(frame, &l->lanes_axis,
					  RECT(l->lanes.x, y, l->lanes.w, l->plot.bars_h),
					  l->rows[i].case_id);
		view_zone_case(frame->shown, RECT(l->plot.inner.x, y, l->plot.inner.w, row.lines),
			       l->rows[i].case_id);
		y += row.lines;
		end = y;
	}
	draw_enlarged(l,
		      RECT(l->plot.inner.x, end, l->plot.inner.w,
			   l->plot.inner.y + l->plot.inner.h - end),
		      frame->cache);
}

/*
 * Writes on the box's lower edge the largest number of connections that waited in the newest ended
 * run of each case, if the text for all cases fits. A running run is left out, so that no case
 * appears and disappears from run to run.
 */
static void draw_queues(const struct view_frame *frame, struct rect box)
{
	const struct model *model = frame->model;
	char text[256] = " accept queue, at most:";
	struct sentence sentence = {text, sizeof(text), strlen(text), NULL};
	bool known = false, unknown = false;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest_ended(model, i);
		char name[SAMPLE_NAME];
		int64_t most;

		if (!run)
			continue;
		most = run->totals.queue_most;
		known |= most >= 0;
		unknown |= most < 0;
		sentence_add(&sentence, " %s %s", model_case_name(model, i, name, sizeof(name)),
			     most < 0 ? "?" : UNITS_COUNT(most));
	}
	/* Every queue is read at each tick, so only a run without a tick has no value. */
	if (unknown)
		sentence_add(&sentence, " (?: %s)", reason_sentence(REASON_SHORT_RUN));
	sentence_add(&sentence, " ");
	if (known && utf8_columns(text) + 4 < box.w)
		canvas_right(frame->canvas, box.x + box.w - 2, box.y + box.h - 1, DIM, text);
}

static void latency_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct latencies l = {.canvas = frame->canvas,
			      .model = model,
			      .operations = model_has_operations(model),
			      .plot = {.canvas = frame->canvas, .columns = latency_plot_columns}};
	struct rect more;

	l.plot.tails = !l.operations;
	latency_choose_rows(&l, frame);
	if (!l.operations && l.one_place && frame->cache->answer.compared > 0) {
		l.answer = &frame->cache->answer;
		l.plot.columns = creation_columns;
	}
	if (!l.operations && !l.one_place)
		l.plot.columns = places_columns;
	if (l.operations) {
		/*
		 * Show medians if they have several rows, until the key m asks for histograms. A
		 * single row of medians says less than histograms do.
		 */
		const struct table *table = view_cache_table(frame->cache, model, TABLE_PIVOT);

		frame->shown->spans_fit = table_rows(table) > 1;
		if (table_rows(table) > 1 && frame->state->latency.spans == VIEW_SPANS_BOTH)
			l.medians = table;
	}
	draw_latency_box(&l, rect);
	if (l.plot.inner.h < 2 || l.plot.inner.w < 20)
		return;
	if (l.medians) {
		const struct view_window list = view_medians_draw(frame, l.medians, l.plot.inner);

		l.n = list.n;
		l.first = list.first;
		l.shown = list.shown;
	} else {
		draw_distributions(&l, frame);
		if (l.has_first && l.operations)
			frame->shown->hint = "Grey: a run that does not count. The trials take its "
					     "place.   ┃ p50   ╎ p90   │ p99";
		else if (l.has_first)
			frame->shown->hint =
				"Grey: a run that does not count. The trials take its place.";
	}
	if (l.plot.tails && l.shown >= l.n)
		frame->shown->explained = draw_creation_legend(&l, rect) && !l.has_first;
	if (l.shown >= l.n) {
		draw_queues(frame, rect);
		return;
	}
	/*
	 * The box's lower edge has the number of hidden rows, so that it takes no row from the
	 * list.
	 */
	more = RECT(l.plot.inner.x + 2, rect.y + rect.h - 1, l.plot.inner.w - 4, 1);
	canvas_put(l.canvas, more.x - 1, more.y, ' ', DIM);
	canvas_put(l.canvas, view_rows_hidden(l.canvas, more, l.first, l.n - l.first - l.shown),
		   more.y, ' ', DIM);
}

/*
 * Changes the places or spans that are shown. Without room for both spans, VIEW_SPANS_BOTH shows
 * the span until the task runs, so the key then skips VIEW_SPANS_TASK.
 */
static bool latency_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	struct latency_state *own = &view->state.latency;
	bool fit = view->shown.spans_fit;

	if (view->shown.operations) {
		if (act != KEYS_MEASURE || !fit)
			return false;
		if (own->spans == VIEW_SPANS_BOTH)
			own->spans = VIEW_SPANS_CALLER;
		else
			own->spans = VIEW_SPANS_BOTH;
		return true;
	}
	if (act == KEYS_KIND && view->shown.placed) {
		own->places = (own->places + 1) % VIEW_PLACES;
		view->state.scroll = 0;
		return true;
	}
	if (act != KEYS_MEASURE)
		return false;
	own->spans = (own->spans + 1) % VIEW_SPANS;
	if (own->spans == VIEW_SPANS_TASK && !fit)
		own->spans++;
	return true;
}

static const char latency_help[] =
	"#Curve of creation\n"
	"rows\tOne for each way to create a task, combined with each amount of memory that its "
	"parent had touched before. All share one logarithmic time axis.\n"
	"caller\tFrom the call until it returns to the caller.\n"
	"task\tFrom the call until the first instruction of the task; if the task is a program, of "
	"its main().\n"
	"▁█\tHow many creations took this long. Even a single one shows.\n"
	"per pair\tHow many times as long as pthread_create it takes until the task runs. As in "
	"the answer, this is the Hodges-Lehmann estimate over the trials. It need not be the "
	"quotient of the medians. Bold if the difference is real.\n"
	"median\tThe median of the trials' medians, as in the answer.\n"
	"p50\tWith more places than the answer compares, the median of all tasks of all trials, "
	"where ┃ is. A trial has only a few tasks in each place.\n"
	"┃\tThe median of creations, or their p50 if p50 is printed. The bars of the slowest 1 %, "
	"beyond p99, are grey. Histograms of operations have marks at p50, p90 (╎) and p99 (│).\n"
	"enlarged\tThe fastest ways once more, on a linear axis that shows how far apart they "
	"are.\n"
	"first\tThe median of the first creation of each run. The other columns leave it out.\n"
	"w1 ━┼━\tFor a server, the newest run of each model: a worker, and the times at which it "
	"had read one of the recorded requests. If there are more workers than lines, an area "
	"shows how many are alive at once. The number is the maximum.\n"
	"█\tIf workers time their operations: the median of both models, in each combination of "
	"settings. A coloured end is the extra time of the slower one.\n"
	"├─◇─┤\tHow many times faster a model is than the first one, with its interval. An "
	"interval "
	"clear of the line at 1x is real and has the colour and mark of the winner; all others are "
	"grey. ◂ and ▸ mean that the interval goes on beyond the axis. Until an interval is known, "
	"· is a trial.\n"
	"ahead\tThis model was faster in every trial so far, and there were at least five.\n"
	"the clock itself\tHow long it takes to read the clock. Every time includes it.\n"
	"Sysel 2020\tWhat Sysel (2020) measured on a laptop, over the range of its clock rates.\n"
	"w\tChange where tasks start: all on one core; where the scheduler puts them, with "
	"separate rows for their parent's core and other cores; on another core that was idle for "
	"1 ms; or all of these.\n"
	"m\tChange what is drawn: the times caller and task, if both fit; one of them; or the time "
	"until the task is joined. If workers time their operations: each model's median, or a "
	"histogram.\n";

static uint32_t latency_models(const struct model *model)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		n += model_first_alike(model, i) == i;
	return n;
}

/* If operations are timed, no tasks are created one by one, so the captions differ. */
static const char *const *latency_captions(const struct view_frame *frame)
{
	static const char *const bars[] = {
		"Bars: the median of both models; a coloured end is the slower one's. Right: how "
		"many times faster one is.",
		"In colour: really faster, pair by pair. Grey: too close to call, or the same. m "
		"shows a histogram."};
	static const char *const scaled[] = {"Bars: the median of both models, on a scale beside "
					     "each heading; a coloured end is the "
					     "slower one's.",
					     "Right: how many times faster one is. In colour: "
					     "really faster, pair by pair. m shows "
					     "a histogram."};
	static const char *const medians[] = {
		"Left: each model's median. Right: how many times faster a model is, with the "
		"interval.",
		"In colour: really faster, pair by pair. Grey: too close to call, or the same. m "
		"shows a histogram."};
	static const char *const captions[] = {
		"How long each operation took, on one logarithmic axis. Further left is faster.",
		"median: of the trials, as in Results. p50: half of all were faster. p99: one in "
		"100 was slower."};
	static const char *const places[] = {
		"How long each creation took, from the call on, by where its task began. "
		"Further left is faster.",
		"p50: half of all tasks were faster. p99: one in 100 was slower. The answer "
		"compares tasks on one core only: w shows these."};
	static const char *const one_span[] = {
		"How long each creation took, from the call on. m chooses where the time ends. "
		"Further left is faster.",
		"┃ median of the trials' medians. p99: one in 100 was slower. Each run's first "
		"creation "
		"is left out. cold: a new stack."};
	static const char *const lanes[] = {
		"Left: how long each request took. Right: each model's newest run over the "
		"same time, with a line for each worker.",
		"┼: a worker had read one of the recorded requests. An area shows how many workers "
		"are alive at once, and the maximum."};

	if (frame->shown->placed && frame->state->latency.places != VIEW_PLACES_ONE)
		return places;
	if (!model_has_operations(frame->model) && !frame->shown->spans_fit)
		return one_span;
	if (!model_has_operations(frame->model))
		return NULL;
	if (frame->shown->serving)
		return lanes;
	if (!frame->shown->spans_fit || frame->state->latency.spans != VIEW_SPANS_BOTH)
		return captions;
	if (latency_models(frame->model) != 2)
		return medians;
	if (frame->shown->scales)
		return scaled;
	return bars;
}

const struct view_ops view_latency = {
	.number = 5,
	.name = "Curve",
	.brief = "Curve",
	.captions =
		{"From the call until it returned (caller) and until the task ran (task). "
		 "Further left is faster.",
		 "┃ median of the trials' medians. p99: one in 100 was slower. Each run's first "
		 "creation is left out. cold: a new stack."},
	.captions_now = latency_captions,
	.absent = "5 Curve has nothing to show here; it is for sweeps and for creation.",
	.help = latency_help,
	.offered = model_times_each,
	.opens = true,
	.draw = latency_draw,
	.act = latency_act,
	.hint = "▁█ how many took this long   ┃ p50: half were faster   ╎ p90   │ p99",
};

/*
 * Delays from runnable to running. Each case has a row for each kind of wake-up, and all rows are
 * on one axis.
 */

enum { CASE_MOST = 20, KIND_W = 13, FIGURE_W = 9, WAKES_LEAST = 8, ROOMY = 90 };

struct wakes_row {
	uint32_t case_id;
	enum model_wake wake;
	const struct model_wakes *wakes;
	struct model_wake_figures figures;
};

static const struct histogram_column wakes_plot_columns[] = {
	{"max", FIGURE_W, ROOMY, FIGURE_MAX, COLOUR_DEFAULT},
	{"p99", FIGURE_W, 0, FIGURE_P99, COLOUR_DEFAULT},
	{"p90", FIGURE_W, ROOMY, FIGURE_P90, COLOUR_DEFAULT},
	{"p50", FIGURE_W, 0, FIGURE_P50, .bold = true},
	{"n", FIGURE_W, 0, FIGURE_TEXT, COLOUR_DEFAULT},
	{NULL}};

static const struct {
	const char *text;
	uint8_t colour;
} wake_marks[MODEL_WAKES] = {
	[WAKE_CREATED] = {"created", COLOUR_CREATED},
	[WAKE_BARRIER] = {"at barrier", COLOUR_CPU},
	[WAKE_BLOCKED] = {"blocked", COLOUR_IO},
};

static const char *const who_texts[WOKENS] = {
	[WOKEN_UNKNOWN] = "?",	       [WOKEN_BY_MAIN] = "the first task",
	[WOKEN_BY_WORKER] = "workers", [WOKEN_BY_INTERRUPT] = "interrupts",
	[WOKEN_BY_OTHERS] = "others",
};

/* Draws a row's bars. If the row has a spare line, also writes who woke the workers. */
static void draw_wakes_row(const struct latency_histogram *plot, const struct wakes_row *row,
			   struct rect place)
{
	char text[128] = "";
	struct sentence s = sentence_in(text, sizeof(text));
	struct rect below = {plot->x, place.y + plot->bars_h, place.x + place.w - plot->x, 1};
	const struct model_wake_figures *f = &row->figures;
	struct histogram_row bars = {place.y,
				     wake_marks[row->wake].colour,
				     {0, f->p50, f->p90, f->p99, f->max},
				     UNITS_COUNT((int64_t)f->n)};

	canvas_text(plot->canvas, plot->x - KIND_W, place.y, KIND_W - 1, STYLE(bars.colour),
		    wake_marks[row->wake].text);
	/* Values outside the axis are counted in the first or the last column of the plot. */
	for (int j = 0; j < plot->w; j++) {
		double from = 0, to = 1e12;

		if (j > 0)
			from = histogram_edge(plot, 2 * j);
		if (j + 1 < plot->w)
			to = histogram_edge(plot, 2 * j + 2);
		bars.counts[2 * j] = model_wakes_between(row->wakes, row->wake, from, to);
		bars.counts[2 * j + 1] = bars.counts[2 * j];
	}
	histogram_draw_row(plot, &bars);
	/* Write how often each kind of waker woke a worker: "by workers 12, interrupts 29". */
	for (enum sample_woken who = 0; who < WOKENS; who++) {
		uint64_t n = model_wakes_figures(row->wakes, row->wake, who).n;

		if (n > 0)
			sentence_add(&s, "%s %s %s", s.used ? "," : "by", who_texts[who],
				     UNITS_COUNT((int64_t)n));
	}
	if (place.h > plot->bars_h && plot->w)
		text_draw(plot->canvas, below, DIM, text);
}

/* Why there are no wake-ups to show. */
static const char *wakes_missed(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].plan.leaves[WORK_PROGRAM] > 0)
			return "Wake-ups are counted for workers only, not for the tasks of a "
			       "program. 2 Timeline and 4 Results (tasks of programs) show where "
			       "these wait.";
	if (model_over(model))
		return "No worker waited for a core in a trial that counts.";
	return "after the first trial";
}

static void wakes_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct latency_histogram plot = {
		.canvas = frame->canvas,
		.inner = view_box(frame->canvas, rect, "from runnable to running", NULL),
		.scale = {.low = 1e3, .high = 1e6, .log = true},
		.columns = wakes_plot_columns};
	struct wakes_row rows[SAMPLE_MAX_CASES * MODEL_WAKES];
	int n = 0, name_w = 0, lines, shown, first;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_wakes *wakes = model_wakes(model, i);

		for (int wake = 0; wakes && wake < MODEL_WAKES; wake++) {
			struct wakes_row row = {i, (enum model_wake)wake, wakes, {0}};

			row.figures = model_wakes_figures(wakes, row.wake, WOKENS);
			if (row.figures.n == 0)
				continue;
			rows[n++] = row;
			name_w = MAX(name_w, utf8_columns(MODEL_CASE_NAME(model, i)) + 3);
			/*
			 * Extend the axis to whole powers of ten that include all values, and at
			 * least to 1 µs … 1 ms.
			 */
			while ((double)row.figures.max > plot.scale.high)
				plot.scale.high *= 10;
			while (plot.scale.low > 10 && (double)row.figures.p50 < 4 * plot.scale.low)
				plot.scale.low /= 10;
		}
	}
	if (plot.inner.h < 2 || plot.inner.w < 20)
		return;
	if (n == 0) {
		text_draw(plot.canvas, plot.inner, DIM, wakes_missed(model));
		return;
	}
	name_w = MIN(name_w, CASE_MOST);
	lines = MAX(1, (plot.inner.h - 1) / n);
	plot.bars_h = MIN(BARS_MOST, MAX(1, lines - 1));
	lines = MIN(lines, plot.bars_h + 2);
	shown = MIN(n, (plot.inner.h - 1) / lines);
	first = view_scroll_to(frame, n, shown);
	histogram_place(&plot, name_w + KIND_W, WAKES_LEAST);
	histogram_begin(&plot);
	for (int i = first; i < first + shown; i++) {
		struct rect place = {plot.inner.x, plot.inner.y + 1 + (i - first) * lines,
				     plot.inner.w, lines};
		uint32_t id = rows[i].case_id;

		if (i == first || id != rows[i - 1].case_id)
			view_mark_name(plot.canvas, RECT(place.x, place.y, name_w - 1, 1), model,
				       id, MODEL_CASE_NAME(model, id));
		draw_wakes_row(&plot, &rows[i], place);
		view_zone_case(frame->shown, place, id);
	}
}

static bool wakes_seen(const struct model *model)
{
	bool workers = model->n_cases == 0;

	/* They are counted for workers only, not for the tasks of a program. */
	for (uint32_t i = 0; i < model->n_cases; i++)
		workers |= plan_leaves(&model->cases[i].plan) >
			   model->cases[i].plan.leaves[WORK_PROGRAM];
	return workers && strcmp(model->session.wakes, SAMPLE_WAKES) == 0;
}

static const char wakes_help[] =
	"#Wake-ups\n"
	"rows\tHow long a runnable task waited for a core: after its creation, after the start "
	"barrier opened, or after it had been blocked. Over all counted trials, on one logarithmic "
	"time axis. Preempted tasks are not included.\n"
	"▁█\tHow many waits took this long. Even a single one shows.\n"
	"┃ ╎ │\tp50, p90, p99: 50 %, 90 %, 99 % of the waits were shorter.\n"
	"by\tWho woke the task: the first task of the run, which creates and joins; a worker; an "
	"interrupt from a disk, a timer or another core; others, which are programs and the "
	"kernel's own tasks.\n";

const struct view_ops view_wakes = {
	.number = 5,
	.name = "Wake-ups",
	.brief = "Wakes",
	.captions =
		{"How long runnable tasks waited for a core, grouped by what woke them.",
		 "p50: half were shorter. p99: one in a hundred was longer. barrier: all workers "
		 "wait there, then start at once."},
	.help = wakes_help,
	.offered = wakes_seen,
	.draw = wakes_draw,
	.hint = "▁█ how many waited this long   ┃ p50: half were shorter   ╎ p90   │ p99",
};
