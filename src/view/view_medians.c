/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "core/comparison.h"
#include "result/report.h"
#include "view_cache.h"

/*
 * The medians of operations, for each combination of settings such as "one core, pipe". The medians
 * of all models are on one axis, with the comparison of each model with the first one. Two models
 * share a bar. If there are more models, each has a line of its own if there is room.
 */

enum {
	MEDIAN_W = 9,
	COMBINATION_MOST = 28,
	TICK_W = 5,
	MEDIANS_AXIS_LEAST = 9, /* Least width of the axis of medians. */
	FOREST_LEAST = 13,	/* Least width of the axis of ratios. */
	/*
	 * RESULT_LEAST: width of the result in words on a narrow screen. RESULT_W: on a wide
	 * screen.
	 */
	RESULT_LEAST = 13,
	RESULT_W = 17,
	/* Width of a mark, of a ratio such as 1.007x, and of the blanks between them. */
	RATIO_W = 9,
	/* WORDS_LEAST: width of the table's words on a narrow screen. WORDS_W: on a wide screen. */
	WORDS_LEAST = 22,
	WORDS_W = 30,
	MEDIANS_WIDE = 100,
	GAP_MOST = 2 /* Largest number of blank lines below a combination. */
};

struct medians {
	const struct view_frame *frame;
	struct canvas *canvas;
	const struct model *model;
	/* The model as of the moment of the answer, so that marks and figures have its trials. */
	struct model settled;
	const struct table *table;
	const struct answer *answer;
	/* For each case, the value of its newest run, shown until the case has a median. */
	double newest[SAMPLE_MAX_CASES];
	struct rect inner;
	/* n: number of combinations. models: number of models in each combination. */
	int n, models;
	int groups; /* Number of values of the first setting. */
	int head;   /* Number of lines of titles. */
	bool tall;  /* Each model has a line of its own. */
	/*
	 * lines: number of lines of a combination, including the gap below it. gap: number of lines
	 * of that gap.
	 */
	int lines, gap;
	/*
	 * Each value of the first setting has a heading above its rows. The heading of the first
	 * value is in the last line of titles. Each other heading has a line of its own.
	 */
	bool headed;
	/* Number of lines that the heading of each value but the first takes from the rows. */
	int above;
	int name_w, model_w;
	int axis_x, axis_w;	/* The axis of medians. axis_w 0: there is no room for it. */
	int forest_x, forest_w; /* The axis of ratios. forest_w 0: there is no room for it. */
	int words_x;
	/*
	 * The scales of the axis of medians. n_scales: 1, or one for each value of the first
	 * setting, because bars of one core would be stubs on the scale of two. `scale` is the
	 * current one, and it is known if some value is drawn on it.
	 */
	struct scale scales[VIEW_MEDIAN_SCALES];
	int n_scales;
	struct scale scale;
	bool known;
	const struct combination *combinations;
	/* The ratio at the right end of the axis of ratios. The left end has the inverse. */
	double bound;
	bool over;
	bool has_first; /* Some values in `newest` are drawn. */
};

/* A combination of settings: its first case, its row in the table, and its group. */
struct combination {
	uint32_t first;
	size_t row;
	int group;
};

/* The value of a setting without its name, such as "two cores" of cores=two. */
static const char *value_words(const struct variable *variable)
{
	if (strcmp(variable->name, "cores") != 0)
		return variable->value;
	if (strcmp(variable->value, "same") == 0)
		return "one core";
	if (strcmp(variable->value, "two") == 0)
		return "two cores";
	return variable->value;
}

/*
 * The settings that all models of a combination share, "one core, pipe". The first setting is left
 * out if it has a heading. names: writes the names of the settings instead of their values.
 */
static const char *combination_name(const struct medians *m, const struct variables *variables,
				    bool names, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);

	for (uint32_t i = m->headed; i < variables->n; i++) {
		const struct variable *variable = &variables->list[i];
		const char *text = names ? variable->name : value_words(variable);

		sentence_join(&s, ", ", "%s", text);
	}
	return buf;
}

/*
 * The case that a column's model has in the combination of case `first`; n_cases if it has no case
 * there.
 */
static uint32_t median_case(const struct medians *m, uint32_t first, int column)
{
	const char *name = m->table->columns[1 + column].title;
	uint32_t i = first;

	while (i < m->model->n_cases &&
	       (!comparison_alike(&m->model->cases[first], &m->model->cases[i]) ||
		strcmp(m->model->cases[i].model, name) != 0))
		i++;
	return i;
}

/* The first case of a column's model. The model's mark is the mark of this case. */
static uint32_t column_case(const struct medians *m, int column)
{
	const char *name = m->table->columns[1 + column].title;
	uint32_t i = 0;

	while (i + 1 < m->model->n_cases && strcmp(m->model->cases[i].model, name) != 0)
		i++;
	return i;
}

/* The comparison of a case with the first model; NULL if the two are not compared. */
static const struct answer_row *compared_row(const struct medians *m, uint32_t case_id)
{
	const struct answer *answer = m->answer;

	if (case_id >= answer->n_rows || answer->n_metrics == 0 ||
	    answer->metrics[0] != m->table->columns[1].metric ||
	    !answer_compares_models(m->model, &answer->rows[case_id]))
		return NULL;
	return &answer->rows[case_id];
}

struct median {
	double ns; /* NaN: unknown */
	uint32_t case_id;
	bool first; /* The value is of a run that the results leave out. */
};

/*
 * While trials go on, takes the medians over the same pairs as the drawn ratio. If one model is a
 * trial ahead, the ratio could otherwise contradict the medians.
 */
static void take_paired(const struct medians *m, struct median *medians)
{
	for (int i = 1; i < m->models; i++) {
		const struct answer_row *row = NULL;
		struct model_comparison comparison;
		double paired[2];

		if (medians[i].case_id < m->model->n_cases)
			row = compared_row(m, medians[i].case_id);
		if (!row || medians[0].case_id != row->reference ||
		    model_compare(&m->settled, row->reference, row->case_id,
				  m->table->columns[1].metric, &comparison) ||
		    comparison.pairs == 0 || model_pair_medians(&m->settled, &comparison, paired))
			continue;
		medians[0].ns = paired[0];
		medians[i].ns = paired[1];
	}
}

/*
 * Reads the medians of a combination. Returns the number of medians that are from counted trials.
 */
static int read_medians(struct medians *m, uint32_t first, size_t row, struct median *medians)
{
	int counted = 0;

	for (int i = 0; i < m->models; i++) {
		const double ns = table_cell(m->table, row, (size_t)i + 1)->value;

		medians[i] = (struct median) {ns, median_case(m, first, i), false};
		counted += !isnan(ns);
		if (medians[i].case_id == m->model->n_cases || !isnan(ns) || m->over)
			continue;
		medians[i].ns = m->newest[medians[i].case_id];
		medians[i].first = true;
		m->has_first |= !isnan(medians[i].ns);
	}
	if (!m->over)
		take_paired(m, medians);
	return counted;
}

/*
 * A median as printed. Round trips have three digits: 0.104 against 0.111 us is 7 % apart, which
 * 0.10 and 0.11 would hide.
 */
static const char *median_format(const struct medians *m, double ns, char *buf, size_t size)
{
	const enum model_metric metric = m->table->columns[1].metric;

	if (metric == METRIC_OPERATION && !isnan(ns))
		return latency_format(buf, size, llround(ns));
	return metric_format(buf, size, metric, ns);
}
#define MEDIAN_FIGURE(m, ns) median_format(m, ns, (char[32]) {0}, 32)

/* The text in place of an unknown median, which shows whether the case is being measured now. */
static const char *median_pending(const struct model *model, uint32_t case_id)
{
	const struct model_run *running = model_running(model);

	if (running && running->id.case_id == case_id)
		return "▶";
	return "·";
}

static void draw_figure(const struct medians *m, const struct median *median, bool best, int end,
			int y)
{
	struct style style = STYLE(view_hue(m->model, median->case_id));

	if (median->first)
		style = DIM;
	if (best)
		style.attr = ATTR_BOLD;
	if (isnan(median->ns) && !m->over)
		canvas_right(m->canvas, end, y, style, median_pending(m->model, median->case_id));
	else
		canvas_right(m->canvas, end, y, style, MEDIAN_FIGURE(m, median->ns));
}

/*
 * The value as printed, such as "33 µs". Marks are placed by printed values, because two marks of
 * equal figures at different positions would look like an error.
 */
static double printed_value(const struct medians *m, double ns)
{
	const double figure = strtod(MEDIAN_FIGURE(m, ns), NULL);

	if (!(figure > 0))
		return ns;
	return figure * pow(1000, round(log(ns / figure) / log(1000)));
}

static int axis_column(const struct medians *m, double ns)
{
	const int column = (int)(scale_share(&m->scale, printed_value(m, ns)) * m->axis_w);

	return m->axis_x + MAX(0, MIN(column, m->axis_w - 1));
}

static void median_draw_mark(const struct medians *m, const struct median *median, int x, int y)
{
	const uint8_t hue = view_hue(m->model, median->case_id);

	if (median->first)
		canvas_put(m->canvas, x, y, 0x25cb, STYLE(hue));
	else
		canvas_put(m->canvas, x, y, view_shape(m->model, median->case_id), STYLE_BOLD(hue));
}

/*
 * Draws a line from the left end of the axis to a median, for models that have a line of their own.
 */
static void draw_stem(const struct medians *m, const struct median *median, int y)
{
	const uint8_t hue = view_hue(m->model, median->case_id);
	int x;

	if (m->axis_w == 0 || !m->known || isnan(median->ns))
		return;
	x = axis_column(m, median->ns);
	canvas_hline(m->canvas, m->axis_x, y, x - m->axis_x, 0x2501,
		     median->first ? DIM : STYLE(hue));
	median_draw_mark(m, median, x, y);
}

/* Draws the marks of all models in one line. "=" replaces the marks of models that share a cell. */
static void medians_draw_marks(const struct medians *m, const struct median *sorted, int n, int y)
{
	const int from = axis_column(m, sorted[0].ns);
	int before = -1, x;

	canvas_hline(m->canvas, m->axis_x, y, from - m->axis_x, 0x2501, DIM);
	canvas_hline(m->canvas, from, y, axis_column(m, sorted[n - 1].ns) - from, 0x2500, DIM);
	for (int i = 0; i < n; i++) {
		x = axis_column(m, sorted[i].ns);
		if (x == before)
			canvas_put(m->canvas, x, y, '=', STYLE_BOLD(COLOUR_TITLE));
		else
			median_draw_mark(m, &sorted[i], x, y);
		before = x;
	}
}

/* A bar of one eighth would be invisible if it is half a row high. */
enum { BAR_LEAST = 2 };

/* The end of a median's bar on the axis, in eighths of a cell. */
static int bar_end(const struct medians *m, double ns)
{
	const double share = scale_share(&m->scale, printed_value(m, ns));
	const int most = PLOT_EIGHTHS * m->axis_w;

	return MAX(BAR_LEAST, MIN((int)lround(share * most), most));
}

/* A cell of a bar that is half a row high. Its end is rounded to half a cell. */
static struct cell half_cell(const uint8_t eighths[PLOT_EIGHTHS])
{
	const bool left = eighths[1] != COLOUR_DEFAULT;
	const bool right = eighths[PLOT_EIGHTHS / 2 + 1] != COLOUR_DEFAULT;
	struct cell cell = {.glyph = ' ', .style.fg = eighths[1]};

	if (left && right)
		cell.glyph = 0x2584;
	else if (left)
		cell.glyph = 0x2596;
	return cell;
}

/* A cell of the lower row of a bar, which is half a row high and never longer than the upper row.
 */
static struct cell lower_cell(const uint8_t eighths[PLOT_EIGHTHS])
{
	const bool left = eighths[PLOT_EIGHTHS / 2 - 1] != COLOUR_DEFAULT;
	const bool right = eighths[PLOT_EIGHTHS - 1] != COLOUR_DEFAULT;
	struct cell cell = {.glyph = ' ', .style.fg = eighths[1]};

	if (left && right)
		cell.glyph = 0x2580;
	else if (left)
		cell.glyph = 0x2598;
	return cell;
}

static void draw_bar_cell(const struct medians *m, int x, int y, struct cell cell)
{
	/* The colour of titles would be glaring on a large area. */
	if (cell.style.fg == COLOUR_TITLE)
		cell.style.fg = COLOUR_DEFAULT;
	canvas_put(m->canvas, m->axis_x + x, y, cell.glyph, cell.style);
}

/*
 * Draws a bar that is white up to the faster model's median, and has the colour of the slower model
 * from there on. The bar of first runs is grey. Neighbouring bars must not look like one block, so
 * a bar is half a row high, or one and a half rows if there is a row below it.
 */
static void draw_bar(const struct medians *m, const struct median *sorted, int n, int y)
{
	const struct median *last = &sorted[n - 1];
	const int both = bar_end(m, sorted[0].ns), all = bar_end(m, last->ns);
	const bool first = sorted[0].first || last->first;
	uint8_t colours[2] = {COLOUR_TITLE, view_hue(m->model, last->case_id)};

	if (n < m->models || m->models == 1)
		colours[0] = colours[1];
	if (first)
		colours[0] = colours[1] = COLOUR_DIM;
	for (int x = 0; x * PLOT_EIGHTHS < all; x++) {
		uint8_t eighths[PLOT_EIGHTHS] = {COLOUR_DEFAULT};
		struct cell cell;

		for (int i = 0; i < PLOT_EIGHTHS; i++) {
			const int at = x * PLOT_EIGHTHS + i;

			if (at < all)
				eighths[i] = colours[at >= both];
		}
		if (m->gap > 0)
			cell = plot_split(eighths, COLOUR_DEFAULT);
		else
			cell = half_cell(eighths);
		draw_bar_cell(m, x, y, cell);
		if (m->gap > 0 && y + 1 < m->inner.y + m->inner.h)
			draw_bar_cell(m, x, y + 1, lower_cell(eighths));
	}
	if (printed_value(m, last->ns) > m->scale.high)
		canvas_put(m->canvas, m->axis_x + m->axis_w - 1, y, 0x25b8,
			   (struct style) {.fg = COLOUR_DEFAULT, .attr = ATTR_BOLD});
}

/* Draws the medians of all models in one line. */
static void draw_medians(const struct medians *m, const struct median *medians, int y)
{
	struct median sorted[TABLE_OWN];
	int n = 0;

	for (int i = 0; i < m->models; i++)
		if (medians[i].case_id < m->model->n_cases && !isnan(medians[i].ns))
			sorted[n++] = medians[i];
	if (n == 0 || m->axis_w == 0 || !m->known)
		return;
	qsort(sorted, (size_t)n, sizeof(*sorted), array_by_rank);
	if (m->models > 2)
		medians_draw_marks(m, sorted, n, y);
	else
		draw_bar(m, sorted, n, y);
}

/*
 * The axis of ratios, with 1 in its middle. On the left side the first model is faster, on the
 * right side the other model. The ratios at the two ends are inverse, as on the axis of pairs.
 */

/*
 * Ratios at the right end of the axis. forest_bound() takes the first of them that is large enough.
 */
static const double forest_bounds[] = {1.2, 1.5, 2,   3,   5,	10,  20,  50,
				       100, 200, 500, 1e3, 1e4, 1e5, 1e6, 1e9};

/* Smallest number of trials whose range is drawn, and may widen the axis. */
enum { RANGE_LEAST = 3 };

/* This share of the intervals is completely within the axis. Arrows mark the other intervals. */
#define FOREST_WITHIN 0.7

static double distance(double ratio)
{
	return fmax(ratio, 1 / ratio);
}

/* From RANGE_TRIMMED trials on, RANGE_TRIM trials at each end are left out of the range. */
enum { RANGE_TRIMMED = 5, RANGE_TRIM = 1 };

/*
 * The interval of a ratio. Until the interval is known, the range of the trials, and NaN before
 * there are RANGE_LEAST trials. Without the lowest and the highest trial, the range is about as
 * wide as the interval will be.
 */
static struct stats_interval forest_range(const struct medians *m, const struct answer_row *row)
{
	struct stats_interval range = row->cells[0].ratio;
	struct model_comparison comparison;
	struct pairs pairs;
	size_t trim = 0;

	if (!isnan(range.low) || m->over ||
	    model_compare(&m->settled, row->reference, row->case_id, m->table->columns[1].metric,
			  &comparison))
		return range;
	pairs_read(&pairs, &m->settled, &comparison);
	if (pairs.n >= RANGE_TRIMMED)
		trim = RANGE_TRIM;
	if (pairs.n >= RANGE_LEAST) {
		qsort(pairs.ratios, pairs.n, sizeof(*pairs.ratios), array_by_double);
		range.low = 1 / pairs.ratios[pairs.n - 1 - trim];
		range.high = 1 / pairs.ratios[trim];
	}
	pairs_free(&pairs);
	return range;
}

/*
 * The ratio at the right end of the axis. The axis never shrinks, and a change of its scale moves
 * every mark. So it includes most intervals completely, and of other intervals only the estimate,
 * if the interval is wholly beyond the axis or the difference is real.
 */
static double forest_bound(const struct medians *m, double bound)
{
	const double least = fmax(bound, forest_bounds[0]);
	double distances[SAMPLE_MAX_CASES], reach = bound;
	size_t n = 0, i = 0;

	for (uint32_t case_id = 0; case_id < m->model->n_cases; case_id++) {
		const struct answer_row *row = compared_row(m, case_id);
		struct stats_interval range;

		if (!row)
			continue;
		range = forest_range(m, row);
		if (isnan(range.low))
			continue;
		if (row->cells[0].state != ANSWER_MEASURING || row->cells[0].pairs >= RANGE_TRIMMED)
			distances[n++] = fmax(distance(range.low), distance(range.high));
		if (row->cells[0].state == ANSWER_REAL || range.low > least ||
		    range.high < 1 / least)
			reach = fmax(reach, distance(range.estimate));
	}
	if (n > 0)
		reach = fmax(reach, stats_select(distances, n, FOREST_WITHIN));
	while (i + 1 < LENGTH(forest_bounds) && forest_bounds[i] < reach)
		i++;
	return forest_bounds[i];
}

static int forest_middle(const struct medians *m)
{
	return m->forest_x + m->forest_w / 2;
}

/* The column of a ratio. The column may be outside the axis. */
static int forest_column(const struct medians *m, double ratio)
{
	const double share = fmax(-9, fmin(9, -log(ratio) / log(m->bound)));
	const int half = m->forest_w / 2;

	return forest_middle(m) + (int)lround(share * half);
}

/*
 * The columns of an interval and of its estimate. An interval that includes 1 has a cell on both
 * sides of the line at 1. Any other interval does not touch this line.
 */
struct forest_mark {
	int low, high, at;
	bool known; /* The interval is known. */
};

static struct forest_mark forest_place(const struct medians *m, const struct stats_interval *ratio)
{
	const int middle = forest_middle(m);
	struct forest_mark mark = {.known = !isnan(ratio->low) && !isnan(ratio->high)};

	mark.at = forest_column(m, ratio->estimate);
	if (!mark.known)
		return mark;
	mark.low = forest_column(m, ratio->high);
	mark.high = forest_column(m, ratio->low);
	if (ratio->low > 1)
		mark.at = MIN(mark.at, middle - 1);
	if (ratio->high < 1)
		mark.at = MAX(mark.at, middle + 1);
	mark.low = MIN(mark.low, mark.at - 1);
	mark.high = MAX(mark.high, mark.at + 1);
	if (ratio->low > 1)
		mark.high = MIN(mark.high, middle - 1);
	else
		mark.high = MAX(mark.high, middle + 1);
	if (ratio->high < 1)
		mark.low = MAX(mark.low, middle + 1);
	else
		mark.low = MIN(mark.low, middle - 1);
	return mark;
}

/*
 * Draws an end of an interval. If this end is beyond the axis, draws an arrow at the end of the
 * axis.
 */
static void forest_end(const struct medians *m, int x, int y, uint32_t glyph, struct style style)
{
	const int last = m->forest_x + m->forest_w - 1;

	if (x < m->forest_x)
		canvas_put(m->canvas, m->forest_x, y, 0x25c2, style);
	else if (x > last)
		canvas_put(m->canvas, last, y, 0x25b8, style);
	else
		canvas_put(m->canvas, x, y, glyph, style);
}

static uint32_t forest_faster(const struct answer_row *row)
{
	if (row->cells[0].ratio.estimate < 1)
		return row->case_id;
	return row->reference;
}

/*
 * Only a winner has a colour. The winner of a real difference is bright; the winner of every trial
 * so far is dim.
 */
static struct style result_style(const struct medians *m, const struct answer_row *row)
{
	const uint32_t ahead = answer_ahead(m->answer, m->model, row);

	if (ahead == UINT32_MAX)
		return DIM;
	if (row->cells[0].state == ANSWER_REAL)
		return STYLE_BOLD(view_hue(m->model, ahead));
	return STYLE(view_hue(m->model, ahead));
}

/*
 * Until an interval is known, draws the ratio of each trial, and a line from the lowest to the
 * highest.
 */
static void draw_pairs(const struct medians *m, const struct answer_row *row, int y)
{
	const struct rect axis = {m->forest_x, y, m->forest_w, 1};
	struct model_comparison comparison;
	int low = INT_MAX, high = INT_MIN;
	struct pairs pairs;

	if (model_compare(&m->settled, row->reference, row->case_id, m->table->columns[1].metric,
			  &comparison))
		return;
	pairs_read(&pairs, &m->settled, &comparison);
	for (size_t i = 0; i < pairs.n; i++) {
		const int x = forest_column(m, 1 / pairs.ratios[i]);

		low = MIN(low, x);
		high = MAX(high, x);
	}
	if (pairs.n >= RANGE_LEAST) {
		const int from = MAX(low, m->forest_x);
		const int to = MIN(high, m->forest_x + m->forest_w - 1);

		canvas_hline(m->canvas, from, y, to - from + 1, 0x2500, DIM);
		forest_end(m, low, y, 0x2500, DIM);
		forest_end(m, high, y, 0x2500, DIM);
	}
	if (pairs.n >= RANGE_LEAST && low <= forest_middle(m) && forest_middle(m) <= high)
		canvas_put(m->canvas, forest_middle(m), y, 0x253c, DIM);
	for (size_t i = 0; i < pairs.n; i++) {
		const int x = forest_column(m, 1 / pairs.ratios[i]);

		if (rect_has(&axis, x, y) && x != forest_middle(m))
			canvas_put(m->canvas, x, y, 0xb7, PLAIN);
	}
	pairs_free(&pairs);
}

static void medians_draw_forest(const struct medians *m, const struct answer_row *row, int y)
{
	const struct answer_cell *cell = &row->cells[0];
	const struct style style = result_style(m, row);
	const struct forest_mark mark = forest_place(m, &cell->ratio);
	const int last = m->forest_x + m->forest_w - 1;
	int low = MAX(mark.low, m->forest_x), high = MIN(mark.high, last);
	uint32_t glyph = 0x25c7, line = 0x2500;

	if (isnan(cell->ratio.estimate))
		return;
	if (cell->state == ANSWER_REAL) {
		glyph = view_shape(m->model, forest_faster(row));
		line = 0x2501;
	}
	if (!mark.known)
		draw_pairs(m, row, y);
	if (mark.known) {
		canvas_hline(m->canvas, low, y, high - low + 1, line, style);
		forest_end(m, mark.low, y, 0x251c, style);
		forest_end(m, mark.high, y, 0x2524, style);
	}
	if (mark.known && low <= forest_middle(m) && forest_middle(m) <= high)
		canvas_put(m->canvas, forest_middle(m), y, 0x253c, style);
	forest_end(m, mark.at, y, glyph, style);
}

/*
 * Writes "● threads 1.04x", or "● 1.04x" in a narrow column. If there is no plot, writes "● threads
 * 1.04x (1.01 to 1.07)" if it fits.
 */
static void real_words(const struct medians *m, const struct answer_row *row, int w, char *buf,
		       size_t size)
{
	struct stats_interval ratio = row->cells[0].ratio;
	struct sentence s = sentence_in(buf, size);
	struct claim_ends ends;
	char mark[UTF8_BYTES];

	if (ratio.estimate < 1)
		ratio = stats_inverse(&ratio);
	ends = claim_times_ends(ratio.low, ratio.high);
	utf8_put(view_shape(m->model, forest_faster(row)), mark);
	sentence_add(&s, "%s %s %sx", mark, m->model->cases[forest_faster(row)].model,
		     CLAIM_TIMES(ratio.estimate));
	if (utf8_columns(buf) > w) {
		s = sentence_in(buf, size);
		sentence_add(&s, "%s %sx", mark, CLAIM_TIMES(ratio.estimate));
	}
	if (m->forest_w == 0 &&
	    utf8_columns(buf) + 7 + (int)strlen(ends.low) + (int)strlen(ends.high) <= w)
		sentence_add(&s, " (%s to %s)", ends.low, ends.high);
}

/* The two groups of times that the trials of a case form, with no time between the groups. */
struct levels {
	double low, high; /* The median of each group; NaN if there are no two groups. */
};

/*
 * Smallest number of trials in which groups are looked for. Each group has at least a quarter of
 * the trials.
 */
enum { LEVELS_LEAST = 6 };
/*
 * The times on both sides of the gap between the groups must differ by at least this factor, and by
 * more than the times within either group.
 */
#define LEVELS_APART 1.15

static struct levels read_levels(const struct medians *m, uint32_t case_id)
{
	struct levels levels = {NAN, NAN};
	double *values = calloc(m->model->n_runs + 1, sizeof(*values));
	size_t n = 0, at = 0;

	if (values)
		n = model_trials(m->model, case_id, m->table->columns[1].metric, values, NULL,
				 m->model->n_runs);
	if (n >= LEVELS_LEAST)
		qsort(values, n, sizeof(*values), array_by_double);
	for (size_t i = 1; n >= LEVELS_LEAST && i < n; i++)
		if (at == 0 || values[i] / values[i - 1] > values[at] / values[at - 1])
			at = i;
	if (at > 0 && 4 * MIN(at, n - at) >= n) {
		const double gap = values[at] / values[at - 1];

		if (gap >= LEVELS_APART && gap > values[at - 1] / values[0] &&
		    gap > values[n - 1] / values[at])
			levels = (struct levels) {values[at / 2], values[at + (n - at) / 2]};
	}
	free(values);
	return levels;
}

/*
 * Writes the words of a comparison that is too close because a model's trials form two groups: "too
 * close, trials near 30 or 42 µs". Returns false if neither model's trials do.
 */
static bool levels_words(const struct medians *m, const struct answer_row *row, char *buf,
			 size_t size)
{
	const enum model_metric metric = m->table->columns[1].metric;
	struct levels levels = read_levels(m, row->case_id);
	char low[32];

	if (isnan(levels.low))
		levels = read_levels(m, row->reference);
	if (isnan(levels.low))
		return false;
	metric_format(low, sizeof(low), metric, levels.low);
	low[strcspn(low, " ")] = '\0';
	snprintf(buf, size, "too close, trials near %s or %s", low,
		 METRIC_TEXT(metric, levels.high));
	return true;
}

/*
 * Writes the words until the comparison is decided: "● threads 3.4 % ahead" if threads won every
 * trial, otherwise "no winner yet". Writes nothing if there are few trials.
 */
static void so_far_words(const struct medians *m, const struct answer_row *row, int w, char *buf,
			 size_t size)
{
	const uint32_t ahead = answer_ahead(m->answer, m->model, row);
	const double ratio = distance(row->cells[0].ratio.estimate);
	char mark[UTF8_BYTES], by[48];

	if (isnan(ratio) || row->cells[0].pairs < ANSWER_AHEAD_LEAST)
		return;
	if (ahead == UINT32_MAX) {
		snprintf(buf, size, "no winner yet");
		return;
	}
	if (ratio < 1.0995)
		snprintf(by, sizeof(by), "%.1f %%", 100 * (ratio - 1));
	else if (ratio < 1.995)
		snprintf(by, sizeof(by), "%.0f %%", 100 * (ratio - 1));
	else
		snprintf(by, sizeof(by), "%sx", CLAIM_TIMES(ratio));
	utf8_put(view_shape(m->model, ahead), mark);
	snprintf(buf, size, "%s %s %s ahead", mark, m->model->cases[ahead].model, by);
	if (utf8_columns(buf) > w)
		snprintf(buf, size, "%s %s ahead", mark, by);
}

/*
 * The result of a comparison: "● threads 1.04x", "same", "too close", "no winner yet", or why
 * there is no result.
 */
static const char *result_words(const struct medians *m, const struct answer_row *row, int w,
				char *buf, size_t size)
{
	const struct answer_cell *cell = &row->cells[0];
	const char *apart = CLAIM_EXCLUDED(finding_excluded(&cell->ratio)), *brief = "";

	buf[0] = '\0';
	switch (cell->state) {
	case ANSWER_REAL:
		real_words(m, row, w, buf, size);
		break;
	case ANSWER_SAME:
		brief = "same";
		snprintf(buf, size, "same, at most %s apart", apart);
		break;
	case ANSWER_CLOSE:
		brief = "too close";
		if (!levels_words(m, row, buf, size))
			snprintf(buf, size, "too close, up to %s apart", apart);
		break;
	case ANSWER_MEASURING:
		so_far_words(m, row, w, buf, size);
		break;
	case ANSWER_WITHHELD:
		brief = "no result";
		snprintf(buf, size, "%s", reason_sentence(cell->why));
		break;
	case ANSWER_NONE:
		break;
	}
	if (!*buf || (*brief && utf8_columns(buf) > w))
		return brief;
	return buf;
}

static void draw_result(const struct medians *m, const struct answer_row *row, int y)
{
	const int w = m->inner.x + m->inner.w - m->words_x;
	char words[SAMPLE_NAME + CLAIM_TEXT];

	if (!row)
		return;
	if (m->forest_w > 0)
		medians_draw_forest(m, row, y);
	canvas_text(m->canvas, m->words_x, y, w, result_style(m, row),
		    result_words(m, row, w, words, sizeof(words)));
}

/*
 * Draws the table's words about all models of a combination. If they do not fit, leaves out the
 * text in brackets.
 */
static void medians_draw_words(const struct medians *m, size_t row, int y)
{
	const struct table_cell *found = table_cell(m->table, row, m->table->n_columns - 1);
	const int w = m->inner.x + m->inner.w - m->words_x;
	struct style style = DIM;
	char words[CLAIM_TEXT + SAMPLE_NAME];

	if (found->case_id >= 0)
		style = STYLE_BOLD(view_hue(m->model, (uint32_t)found->case_id));
	else if (found->emphasis == TABLE_WARN)
		style = STYLE(COLOUR_WARN);
	snprintf(words, sizeof(words), "%s", found->words);
	if (utf8_columns(words) > w)
		words[strcspn(words, "(")] = '\0';
	canvas_text(m->canvas, m->words_x, y, w, style, words);
}

/* Draws a combination with a line for each model. */
static void draw_tall(const struct medians *m, uint32_t first, size_t row, int y,
		      const struct median *medians, bool compared)
{
	const int best = table_cell(m->table, row, m->table->n_columns - 1)->case_id;
	const int x = m->inner.x + m->name_w;
	char name[VARIABLES_TEXT];

	canvas_text(
		m->canvas, m->inner.x, y, m->name_w - 1, STYLE_BOLD(COLOUR_DEFAULT),
		combination_name(m, &m->model->cases[first].variables, false, name, sizeof(name)));
	for (int i = 0; i < m->models; i++) {
		const struct median *median = &medians[i];
		const uint32_t case_id = median->case_id;

		if (case_id == m->model->n_cases)
			continue;
		view_mark_name(m->canvas, RECT(x, y + i, m->model_w - 1, 1), m->model, case_id,
			       m->model->cases[case_id].model);
		draw_figure(m, median, best == (int)case_id, x + m->model_w + MEDIAN_W, y + i);
		draw_stem(m, median, y + i);
		if (compared)
			draw_result(m, compared_row(m, case_id), y + i);
		view_zone_case(m->frame->shown, RECT(m->inner.x, y + i, m->inner.w, 1), case_id);
	}
}

/*
 * The width of the column of a model's figures. The title of the column is the model's mark and
 * name.
 */
static int figure_w(const struct medians *m, int column)
{
	return MAX(MEDIAN_W, 2 + utf8_columns(m->table->columns[1 + column].title)) + 1;
}

/* Draws a combination in one line. */
static void draw_flat(const struct medians *m, uint32_t first, size_t row, int y,
		      const struct median *medians, bool compared)
{
	const int best = table_cell(m->table, row, m->table->n_columns - 1)->case_id;
	int x = m->inner.x + m->name_w;
	char name[VARIABLES_TEXT];

	canvas_text(
		m->canvas, m->inner.x, y, m->name_w - 1, PLAIN,
		combination_name(m, &m->model->cases[first].variables, false, name, sizeof(name)));
	for (int i = 0; i < m->models; i++) {
		x += figure_w(m, i);
		if (medians[i].case_id < m->model->n_cases)
			draw_figure(m, &medians[i], best == (int)medians[i].case_id, x - 1, y);
	}
	draw_medians(m, medians, y);
	if (compared && m->models == 2)
		draw_result(m, compared_row(m, medians[1].case_id), y);
	else if (compared)
		medians_draw_words(m, row, y);
	view_zone_case(m->frame->shown, RECT(m->inner.x, y, m->inner.w, m->lines), first);
}

/* The height of the titles, headings and rows. There is no gap below the last row. */
static int rows_h(const struct medians *m)
{
	return m->head + m->n * m->lines - m->gap + (m->groups - 1) * m->above;
}

/*
 * Chooses the widest gaps that fit. A heading has a line of its own. If there are no gaps between
 * the rows, it also has a blank line above it. If there is no room for the heading's own line, the
 * heading is in the gap above its rows.
 */
static void place_gaps(struct medians *m)
{
	const int lines = m->lines;

	for (m->gap = GAP_MOST; m->gap > 0; m->gap--) {
		m->lines = lines + m->gap;
		for (m->above = m->headed; m->above >= 0; m->above--)
			if (rows_h(m) <= m->inner.h)
				return;
	}
	m->lines = lines;
	m->above = m->headed + 1;
	if (rows_h(m) > m->inner.h)
		m->above--;
}

/*
 * Chooses the number of lines of the titles, and of each combination. Returns whether all
 * combinations fit.
 */
static bool place_lines(struct medians *m)
{
	const int rows = m->n * m->models;
	const int room = m->inner.h - (m->headed ? m->groups - 1 : 0);

	m->tall = m->models > 2 && room > rows &&
		  m->inner.w >= m->name_w + m->model_w + MEDIAN_W + FOREST_LEAST + RESULT_W + 3;
	m->lines = m->tall ? m->models : 1;
	m->head = 1 + (room > m->n * m->lines + 1);
	place_gaps(m);
	return m->inner.h >= rows_h(m);
}

/*
 * AXES_GAP: columns between the axes. MEDIANS_SCALE_LEAST: least width of the axis of medians at
 * which the medians can be distinguished.
 */
enum { AXES_GAP = 2, MEDIANS_SCALE_LEAST = 11 };

/* Chooses the columns: names, figures, the two axes, and the words at the right. */
static void place_columns(struct medians *m)
{
	const int end = m->inner.x + m->inner.w;
	const bool wide = m->inner.w >= MEDIANS_WIDE;
	const bool forest = m->tall || m->models == 2;
	int left = m->inner.x + m->name_w, words = wide ? RESULT_W : RESULT_LEAST, rest;

	if (m->tall)
		left += m->model_w + MEDIAN_W;
	for (int i = 0; i < m->models; i++) {
		if (wide)
			words = MAX(words, utf8_columns(m->table->columns[1 + i].title) + RATIO_W);
		if (!m->tall)
			left += figure_w(m, i);
	}
	rest = end - left - words - 2;
	if (forest && rest >= MEDIANS_SCALE_LEAST + AXES_GAP + FOREST_LEAST) {
		m->axis_w = MAX(MEDIANS_SCALE_LEAST, rest * 2 / 5);
		m->axis_w = MIN(m->axis_w, rest - AXES_GAP - FOREST_LEAST);
		m->forest_w = rest - m->axis_w - AXES_GAP;
	} else if (forest && rest >= MEDIANS_SCALE_LEAST) {
		/* The medians matter more than the ratios. */
		m->axis_w = rest;
	} else {
		words = wide ? WORDS_W : WORDS_LEAST;
		m->axis_w = end - left - words - 1;
	}
	if (m->axis_w < MEDIANS_AXIS_LEAST)
		m->axis_w = 0;
	m->axis_x = left + 1;
	/* An odd width has a middle column. */
	m->forest_w -= m->forest_w > 0 && m->forest_w % 2 == 0;
	m->forest_x = m->axis_x;
	if (m->axis_w > 0)
		m->forest_x += m->axis_w + AXES_GAP;
	m->words_x = m->forest_x;
	if (m->forest_w > 0)
		m->words_x += m->forest_w + 1;
	else if (m->axis_w > 0)
		m->words_x--;
}

/*
 * The ends of the axis are this many times as far as its values need, so that few later values
 * change the axis. MEDIANS_SPARE: logarithmic axis. BARS_SPARE: axis from 0. FIRST_SPARE: axis from
 * 0 when it is first chosen.
 */
#define MEDIANS_SPARE 1.1
#define BARS_SPARE    1.04
#define FIRST_SPARE   1.06

/* An end of the logarithmic axis of medians, widened to 1, 2 or 5 times a power of ten. */
static double axis_end(double ns, bool low)
{
	if (low)
		return 1 / plot_step(MEDIANS_SPARE / ns, 1);
	return plot_step(MEDIANS_SPARE * ns, 1);
}

/* The right end of an axis from 0: a round number that leaves little of the width unused. */
static double axis_end_from_0(double ns, double spare)
{
	static const double ends[] = {1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10};
	const double unit = pow(10, floor(log10(ns)));
	size_t i = 0;

	while (ends[i] * unit < ns * spare && i + 1 < LENGTH(ends))
		i++;
	return ends[i] * unit;
}

/* The range of the values on the axis of medians. */
struct median_range {
	double least, most;
	bool is_short; /* More than a quarter of the bars would be too short to show a length. */
	bool all;      /* Each case has a value. */
};

/* A bar that is shorter than this share of the longest bar does not show a length. */
#define BAR_SHORT (1. / 64)
/*
 * The axis includes this share of the first runs. A disturbed run would otherwise widen the axis
 * for good.
 */
#define FIRST_WITHIN 0.875

static bool is_on_scale(const struct medians *m, const struct combination *of, int scale)
{
	return m->n_scales == 1 || of->group == scale;
}

static struct median_range read_range(const struct medians *m, int scale)
{
	const bool counts =
		m->over || m->answer->state != ANSWER_MEASURING || m->answer->pairs >= RANGE_LEAST;
	struct median_range range = {.least = INFINITY, .all = true};
	double values[SAMPLE_MAX_CASES];
	size_t n = 0, n_short = 0;

	for (int k = 0; k < m->n; k++) {
		const struct combination *of = &m->combinations[k];
		double faster = INFINITY;

		for (int i = 0; is_on_scale(m, of, scale) && i < m->models; i++) {
			const double ns = table_cell(m->table, of->row, (size_t)i + 1)->value;
			const uint32_t case_id = median_case(m, of->first, i);

			if (counts) {
				range.least = fmin(range.least, ns);
				range.most = fmax(range.most, ns);
			}
			if (case_id == m->model->n_cases)
				continue;
			range.all &= !isnan(m->newest[case_id]);
			if (isnan(m->newest[case_id]))
				continue;
			range.least = fmin(range.least, m->newest[case_id]);
			faster = fmin(faster, m->newest[case_id]);
			values[n++] = m->newest[case_id];
		}
		/* A disturbed run is seldom the faster one of two. */
		if (m->n_scales > 1 && isfinite(faster) && !m->over)
			range.most = fmax(range.most, faster);
	}
	if (n > 0 && m->n_scales == 1 && !m->over)
		range.most = fmax(range.most, stats_select(values, n, FIRST_WITHIN));
	for (size_t i = 0; i < n; i++)
		n_short += values[i] < range.most * BAR_SHORT;
	range.is_short = 4 * n_short > n;
	return range;
}

/*
 * Chooses a scale of the axis of medians. It begins at 0. If too many bars would then have no
 * length, it is logarithmic. Until each case has a value, there is no scale, because each first run
 * would change it. Afterwards the axis only grows, so marks seldom move.
 */
static struct scale choose_scale(const struct medians *m, struct view_cache *cache, int i)
{
	struct median_range range = read_range(m, i);
	const bool kept = cache->medians_most[i] > 0;
	bool logarithmic = range.is_short && m->n_scales == 1;

	if (!(range.most > 0 && (range.all || kept || m->over)))
		return (struct scale) {.high = 0};
	if (kept)
		logarithmic = cache->medians_least[i] > 0;
	if (!logarithmic) {
		range.least = 0;
		if (range.most > cache->medians_most[i])
			range.most = axis_end_from_0(range.most,
						     kept || m->over ? BARS_SPARE : FIRST_SPARE);
	} else if (!m->over || kept) {
		range.least = axis_end(range.least, true);
		range.most = axis_end(range.most, false);
	}
	if (kept) {
		range.least = fmin(range.least, cache->medians_least[i]);
		range.most = fmax(range.most, cache->medians_most[i]);
	}
	/*
	 * If the session was already over at the first frame, no value will change the axis later.
	 */
	if (!m->over || kept) {
		cache->medians_least[i] = range.least;
		cache->medians_most[i] = range.most;
	}
	if (logarithmic)
		return scale_log(range.least, range.most, false);
	return (struct scale) {.low = 0, .high = range.most};
}

static void use_scale(struct medians *m, int group)
{
	m->scale = m->scales[m->n_scales == 1 ? 0 : group];
	m->known = m->scale.high > 0;
}

/* Each value of the first setting has a scale beside its heading if both models share a bar. */
static void choose_median_axis(struct medians *m, struct view_cache *cache)
{
	m->n_scales = 1;
	if (m->headed && m->models == 2 && m->axis_w > 0 && m->groups <= VIEW_MEDIAN_SCALES)
		m->n_scales = m->groups;
	/* Another size of the screen may have another number of scales. */
	if (cache->medians_scales != m->n_scales) {
		memset(cache->medians_least, 0, sizeof(cache->medians_least));
		memset(cache->medians_most, 0, sizeof(cache->medians_most));
		cache->medians_scales = m->n_scales;
	}
	for (int i = 0; i < m->n_scales; i++)
		m->scales[i] = choose_scale(m, cache, i);
	use_scale(m, 0);
}

static void choose_axes(struct medians *m, struct view_cache *cache)
{
	choose_median_axis(m, cache);
	m->bound = forest_bound(m, cache->forest_bound);
	cache->forest_bound = m->bound;
}

/* The row below the last combination. */
static int medians_end(const struct medians *m)
{
	return m->inner.y + MIN(m->inner.h, rows_h(m));
}

/* Draws the labels of an axis from 0: 0, and its end with the unit. */
static void draw_axis_from_0(const struct medians *m, int y)
{
	const struct scale_unit *unit = scale_unit(m->scale.high, false);
	char text[32];

	snprintf(text, sizeof(text), "%.4g %s", m->scale.high / unit->size, unit->name);
	canvas_put(m->canvas, m->axis_x, y, '0', DIM);
	canvas_right(m->canvas, m->axis_x + m->axis_w, y, DIM, text);
}

/*
 * Draws the axis of medians. A logarithmic axis has dots in all rows, and labels in row y. Its last
 * label has the unit.
 */
static void medians_draw_axis(const struct medians *m, int y)
{
	const struct scale_unit *unit;
	double ticks[SCALE_TICKS];
	int n = 0, begin, end = 0;
	char text[32];

	if (m->known && m->axis_w > 0 && !m->scale.log) {
		draw_axis_from_0(m, y);
		return;
	}
	if (m->known && m->axis_w > 0)
		n = scale_ticks(&m->scale, MAX(2, m->axis_w / TICK_W), ticks);
	if (n == 0)
		return;
	unit = scale_unit(ticks[n - 1], false);
	for (int i = 0; i < n; i++) {
		const int x = axis_column(m, ticks[i]);

		for (int row = m->inner.y + m->head; row < medians_end(m); row++)
			canvas_put(m->canvas, x, row, 0xb7, STYLE(COLOUR_BORDER));
	}
	snprintf(text, sizeof(text), "%.4g %s", ticks[n - 1] / unit->size, unit->name);
	/* The label may extend into the first column after the axis. */
	begin = MIN(axis_column(m, ticks[n - 1]), m->axis_x + m->axis_w + 1 - utf8_columns(text));
	canvas_text(m->canvas, begin, y, -1, DIM, text);
	for (int i = 0; i + 1 < n; i++) {
		const int x = axis_column(m, ticks[i]);

		snprintf(text, sizeof(text), "%.4g", ticks[i] / unit->size);
		if (x >= end && x + utf8_columns(text) < begin)
			end = canvas_text(m->canvas, x, y, -1, DIM, text) + 1;
	}
}

/*
 * Names the model that is faster on each side of the axis: "● threads ◂ faster ▸ ■ processes". If
 * there is no room for both names, draws only the marks, which are also in the titles of the
 * columns.
 */
static void draw_sides(const struct medians *m, int y)
{
	const char *faster = "◂ faster ▸";
	const int middle = forest_middle(m), end = m->forest_x + m->forest_w;
	const uint32_t left = column_case(m, 0), right = column_case(m, 1);
	const int half = m->forest_w / 2;
	const char *names[2] = {m->model->cases[left].model, "others"};
	int from, to, x;

	if (m->models == 2)
		names[1] = m->model->cases[right].model;
	for (int i = 0; i < 2; i++)
		if (2 + utf8_columns(names[i]) > half) {
			names[0] = names[1] = "";
			break;
		}
	from = view_mark_name(m->canvas, RECT(m->forest_x, y, half, 1), m->model, left, names[0]);
	if (m->models > 2) {
		to = canvas_right(m->canvas, end, y, STYLE_BOLD(COLOUR_DEFAULT), names[1]);
	} else {
		to = MAX(from + 1, end - (*names[1] ? 2 : 1) - utf8_columns(names[1]));
		view_mark_name(m->canvas, RECT(to, y, end - to, 1), m->model, right, names[1]);
	}
	if (middle - utf8_columns(faster) / 2 < from || middle + utf8_columns(faster) / 2 > to)
		faster = "◂faster▸";
	x = middle - utf8_columns(faster) / 2;
	if (x >= from && x + utf8_columns(faster) <= to)
		canvas_text(m->canvas, x, y, -1, DIM, faster);
}

/*
 * Like draw_sides(), for a box without a line for the names: draws only the marks, beside the
 * ratios at the ends of the axis.
 */
static void draw_side_marks(const struct medians *m, int y, int w)
{
	const uint32_t left = column_case(m, 0), right = column_case(m, 1);
	const int end = m->forest_x + m->forest_w;

	canvas_put(m->canvas, m->forest_x + w + 1, y, view_shape(m->model, left),
		   STYLE_BOLD(view_hue(m->model, left)));
	if (m->models == 2)
		canvas_put(m->canvas, end - w - 2, y, view_shape(m->model, right),
			   STYLE_BOLD(view_hue(m->model, right)));
}

/* Draws the axis of ratios: the line at 1 and, in row y, the ratios at the ends. */
static void draw_forest_axis(const struct medians *m, int y)
{
	const int middle = forest_middle(m), end = m->forest_x + m->forest_w;
	char text[32];

	if (m->forest_w == 0)
		return;
	for (int row = m->inner.y + m->head; row < medians_end(m); row++)
		canvas_put(m->canvas, middle, row, 0x2502, DIM);
	snprintf(text, sizeof(text), "%gx", m->bound);
	canvas_text(m->canvas, m->forest_x, y, middle - m->forest_x, DIM, text);
	canvas_right(m->canvas, end, y, DIM, text);
	canvas_text(m->canvas, middle, y, 2, STYLE_BOLD(COLOUR_DEFAULT), "1x");
	if (m->head > 1 && m->headed)
		draw_sides(m, y + 1);
	else if (m->head > 1)
		draw_sides(m, y - 1);
	else
		draw_side_marks(m, y, utf8_columns(text));
}

static void draw_titles(const struct medians *m)
{
	/* A heading is just above its rows, so the titles are above the heading. */
	const int y = m->headed ? m->inner.y : m->inner.y + m->head - 1;
	const int words_w = m->inner.x + m->inner.w - m->words_x;
	const char *result = m->table->columns[m->table->n_columns - 1].title;
	int x = m->inner.x + m->name_w;
	char names[VARIABLES_TEXT];

	if (!m->headed || m->head > 1)
		canvas_text(m->canvas, m->inner.x, y, m->name_w - 1, DIM,
			    combination_name(m, &m->model->cases[0].variables, true, names,
					     sizeof(names)));
	if (m->tall)
		canvas_right(m->canvas, x + m->model_w + MEDIAN_W, y, DIM, "median");
	for (int i = 0; i < m->models && !m->tall; i++) {
		const char *name = m->table->columns[1 + i].title;
		const int w = 2 + utf8_columns(name);

		x += figure_w(m, i);
		view_mark_name(m->canvas, RECT(x - 1 - w, y, w, 1), m->model, column_case(m, i),
			       name);
	}
	if (m->forest_w > 0 || m->models == 2)
		result = "who is faster";
	canvas_text(m->canvas, m->words_x, y, words_w, DIM, result);
	if (m->n_scales == 1)
		medians_draw_axis(m, y);
	else if (m->head > 1)
		canvas_text(m->canvas, m->axis_x, y, m->axis_w, DIM, "median");
	draw_forest_axis(m, y);
}

/* The widths of the combinations' names and of the models' names. */
static void measure_names(struct medians *m)
{
	const struct sample_case *cases = m->model->cases;
	char text[VARIABLES_TEXT];

	combination_name(m, &cases[0].variables, true, text, sizeof(text));
	m->name_w = utf8_columns(text);
	for (uint32_t i = 0; i < m->model->n_cases; i++) {
		combination_name(m, &cases[i].variables, false, text, sizeof(text));
		m->name_w = MAX(m->name_w, utf8_columns(text));
		m->model_w = MAX(m->model_w, utf8_columns(cases[i].model));
	}
	m->name_w = MIN(m->name_w, COMBINATION_MOST) + 1;
	m->model_w = MIN(m->model_w, COMBINATION_MOST) + 3;
}

/* Chooses the lines of the rows. Leaves out headings if each model then has a line of its own. */
static void place_rows(struct medians *m)
{
	bool fits, tall;

	measure_names(m);
	place_lines(m);
	tall = m->tall;
	m->headed = m->groups > 1;
	measure_names(m);
	fits = place_lines(m);
	if (!m->headed || (fits && m->tall == tall))
		return;
	m->headed = false;
	measure_names(m);
	place_lines(m);
}

static bool has_interval(const struct medians *m)
{
	for (uint32_t i = 0; i < m->model->n_cases; i++) {
		const struct answer_row *row = compared_row(m, i);

		if (row && !isnan(row->cells[0].ratio.low))
			return true;
	}
	return false;
}

#define MEDIANS_BAR "█ the median of both models. A coloured end is the slower one's."

static const char *medians_hint(const struct medians *m)
{
	if (m->has_first && m->axis_w == 0)
		return "Grey: a first run, which does not count.";
	if (m->has_first)
		return "Grey: a first run, which does not count.";
	if (m->forest_w > 0 && !has_interval(m) && !m->over)
		return "◇ the ratio so far, · each trial's ratio, ─ their range. ahead: in every "
		       "trial.";
	if (m->forest_w == 0 && m->axis_w == 0)
		return "Bold: really faster, pair by pair. m: each operation";
	if (m->forest_w > 0)
		return "├─◇─┤ the ratio and its interval, which is real if it does not touch 1x.";
	if (m->models > 2 && m->axis_w > 0)
		return "● ■ ▲ each model's median, = several in one place. Further left is "
		       "faster.";
	return m->models == 2 ? MEDIANS_BAR : "";
}

/*
 * Lists the combinations by the value of their first setting, such as "one core" before "two
 * cores". Combinations with the same value keep the order of the table. Returns the number of
 * values.
 */
static int list_combinations(const struct model *model, struct combination list[SAMPLE_MAX_CASES])
{
	const struct variable *values[SAMPLE_MAX_CASES] = {NULL};
	int groups = 0, n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *variables = &model->cases[i].variables;
		int group = 0;

		if (variables->n < 2) {
			groups = 1;
			break;
		}
		while (group < groups && !variables_has(variables, values[group]))
			group++;
		values[group] = &variables->list[0];
		groups = MAX(groups, group + 1);
	}
	for (int group = 0; group < groups; group++) {
		size_t row = 0;

		for (uint32_t i = 0; i < model->n_cases; i++) {
			if (model_first(model, i, comparison_alike) != i)
				continue;
			if (groups == 1 || variables_has(&model->cases[i].variables, values[group]))
				list[n++] = (struct combination) {i, row, group};
			row++;
		}
	}
	return groups;
}

/*
 * Draws the line above the rows of a value of the first setting: the value and, as far as it fits,
 * how long a round trip takes, "two cores: 3.6x to 8.2x as long". The value's own scale follows.
 */
static void draw_heading(const struct medians *m, const struct combination *of, int y)
{
	const struct style bold = STYLE_BOLD(COLOUR_TITLE);
	const char *name = value_words(&m->model->cases[of->first].variables.list[0]);
	int x = m->inner.x, w = m->inner.w;
	struct headline_place place;
	char text[3 * sizeof(place.cost)];
	struct sentence s = sentence_in(text, sizeof(text));

	if (m->n_scales > 1)
		w = m->axis_x - x - 1;
	else if (m->forest_w > 0)
		w = m->forest_x - x - 1;
	if (m->n_scales > 1)
		medians_draw_axis(m, y);
	/* If there is only one line of titles, it has no room for the cost of the first value. */
	if ((y < m->inner.y + m->head && m->head == 1) ||
	    !headline_place(m->answer, m->model, of->first, &place)) {
		canvas_text(m->canvas, x, y, w, bold, name);
		return;
	}
	if (*place.times)
		sentence_add(&s, "%s: %s as long", name, place.times);
	else
		sentence_add(&s, "%s: %s", name, place.cost);
	if (utf8_columns(text) > w)
		snprintf(text, sizeof(text), "%s", name);
	canvas_text(m->canvas, x, y, w, bold, text);
}

/*
 * A narrow screen has no captions. On such a screen, explains the bars in the last line if that
 * line is free.
 */
static void draw_bars_legend(const struct medians *m)
{
	const int last = m->inner.y + m->inner.h - 1;

	if (m->models == 2 && m->axis_w > 0 && m->known && medians_end(m) <= last &&
	    m->inner.w < MEDIANS_WIDE)
		canvas_text(m->canvas, m->inner.x, last, m->inner.w, DIM, MEDIANS_BAR);
}

struct view_window view_medians_draw(const struct view_frame *frame, const struct table *table,
				     struct rect inner)
{
	struct medians m = {.frame = frame,
			    .canvas = frame->canvas,
			    .model = frame->model,
			    .table = table,
			    .answer = &frame->cache->answer,
			    .inner = inner,
			    .n = (int)table_rows(table),
			    .models = (int)table->n_columns - 2,
			    .over = model_over(frame->model)};
	struct view_window list = {.n = m.n};
	struct combination combinations[SAMPLE_MAX_CASES];
	const int64_t as_of_ns = MIN(frame->cache->as_of_ns, frame->model->now_ns);

	m.settled = model_as_of(frame->model, as_of_ns);
	m.combinations = combinations;
	view_newest_values(m.model, table->columns[1].metric, m.newest);
	m.groups = list_combinations(m.model, combinations);
	place_rows(&m);
	place_columns(&m);
	choose_axes(&m, frame->cache);
	draw_titles(&m);
	frame->shown->scales = m.n_scales > 1;
	list.shown = MIN(m.n, (inner.h - m.head + m.gap) / m.lines);
	list.first = view_scroll_to(frame, m.n, list.shown);
	for (int i = list.first; i < list.first + list.shown; i++) {
		const struct combination *of = &combinations[i];
		const int y = inner.y + m.head + (i - list.first) * m.lines + of->group * m.above;
		const bool begins = i == 0 || of->group != combinations[i - 1].group;
		struct median medians[TABLE_OWN];
		const int counted = read_medians(&m, of->first, of->row, medians);

		use_scale(&m, of->group);
		if (m.headed && begins)
			draw_heading(&m, of, y - 1);
		/*
		 * Until two models have a median, draw no words, because "no result" would look
		 * like a failure.
		 */
		(m.tall ? draw_tall : draw_flat)(&m, of->first, of->row, y, medians,
						 counted > 1 || m.over);
	}
	draw_bars_legend(&m);
	frame->shown->hint = medians_hint(&m);
	return list;
}
