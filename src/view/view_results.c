/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/utf8.h"
#include "draw/text.h"
#include "model/model_kind.h"
#include "stats/stats.h"
#include "result/answer.h"
#include "view_cache.h"

enum {
	VALUES = 1024,
	NAME_LEAST = 14,
	RESULTS_CELL_W = 10,
	RESULTS_MEDIAN_W = 9,
	PART_W = 8,
	INTERVAL_W = 19,
	LEADS_W = 38,
	LEADS_LEAST = 18,
	RESULTS_WIDE = 90,
	TABLE_GAP = 2, /* Number of blanks between columns. */
};

/*
 * A page that may be longer than the screen. Its visible rows are drawn on a separate canvas, which
 * clips them.
 */
struct results {
	struct canvas canvas;
	const struct model *model;
	const struct view_frame *frame;
	int width, name_w;
	int left, top; /* Position on the screen of the page's first row. */
	int y; /* Row of the next section; below 0 if the section begins above the screen. */
	/* Whether the first and the last visible row are inside a box, and not on its edge. */
	bool first_inside, last_inside;
	const struct table *tables[TABLES]; /* NULL: the table is not shown. */
};

/* How each table is drawn. */
static const struct {
	bool medians; /* The box's title says that the figures are medians. */
	bool note;    /* The table's note is drawn below it. */
	/*
	 * cell: width of a column of values. range: width of a column of ranges. 0: such columns
	 * are left out.
	 */
	int cell, range;
	/*
	 * Widths of the other columns, by index. 0 for the first column: it is as wide as the
	 * names.
	 */
	int widths[TABLE_OWN];
} table_looks[TABLES] = {
	[TABLE_ANSWER] = {true, true, 1},
	[TABLE_ELAPSED] = {true, false, 0, INTERVAL_W, {0, RESULTS_MEDIAN_W, RESULTS_MEDIAN_W}},
	[TABLE_FAULTS] = {.cell = RESULTS_CELL_W,
			  .widths = {[4] = RESULTS_CELL_W + 1, [5] = 25, [6] = 6}},
	[TABLE_SPEEDUP] = {true, true, RESULTS_CELL_W, 16, {14, 5, [6] = 6}},
	[TABLE_SCALING] = {true, .cell = RESULTS_CELL_W, .widths = {14, 8, 5}},
	[TABLE_PIVOT] = {.cell = RESULTS_CELL_W, .widths = {20}},
	[TABLE_VALUES] = {.range = INTERVAL_W, .widths = {14, 14, 9, [4] = 28, [5] = 6}},
	[TABLE_PATH] = {true, .cell = PART_W},
	[TABLE_WHY] = {.cell = RESULTS_CELL_W,
		       .widths = {24, PART_W, [3] = INTERVAL_W, [4] = 5, [5] = CLAIM_TEXT}},
	[TABLE_WAKES] = {.cell = RESULTS_CELL_W, .widths = {[2] = INTERVAL_W, [3] = 8}},
	[TABLE_MEMORY] = {true, .cell = RESULTS_CELL_W},
	[TABLE_STEPS] = {true, .cell = RESULTS_CELL_W + 1},
	[TABLE_MESSAGES] = {true, .cell = RESULTS_CELL_W, .range = 24},
	[TABLE_REQUESTS] = {true, .cell = RESULTS_CELL_W, .range = 24},
	[TABLE_COSTS] = {true, .cell = RESULTS_CELL_W},
	[TABLE_COUNTERS] = {true, true, RESULTS_CELL_W},
	[TABLE_LONGEST] = {.note = true, .cell = 8, .widths = {[1] = 14, [8] = 16, [9] = 4}},
	[TABLE_RUNS] = {.widths = {0, RESULTS_CELL_W, RESULTS_CELL_W, RESULTS_CELL_W,
				   RESULTS_CELL_W, RESULTS_CELL_W, 0, SAMPLE_TEXT}},
};

/* Only the visible rows of the table of all runs are built, because there may be 100,000 rows. */
static int results_rows(const struct results *results, enum table_id id)
{
	if (id == TABLE_RUNS)
		return (int)model_runs_begun(results->model);
	return (int)table_rows(results->tables[id]);
}

/* Whether the row is visible. Nothing is computed for a hidden row. */
static bool results_shows(const struct results *results, int y)
{
	return y >= 0 && y < results->canvas.height;
}

static void results_zone(const struct results *results, int y, const struct table_cell *name)
{
	struct rect line = {results->left, results->top + y, results->width, 1};

	if (results_shows(results, y) && name->case_id >= 0)
		view_zone_case(results->frame->shown, line, (uint32_t)name->case_id);
}

static int table_longest_text(const struct table *table, size_t column)
{
	char text[TABLE_TEXT];
	int longest = 0;

	for (size_t row = 0; row < table_rows(table); row++)
		longest = MAX(longest, utf8_columns(table_text(table, row, column, "", text)));
	return longest;
}

/*
 * If the first column needs the room, drops the column of pairs, and then the column of the
 * interval. The compared cases and the verdict are shown at any width.
 */
static void table_widen_why(const struct table *table, int width, int *columns)
{
	enum { INTERVAL = 3, PAIRS, REAL };
	int longest = table_longest_text(table, 0) + 1;

	columns[REAL] = MAX(table_longest_text(table, REAL),
			    utf8_columns(table_title(&table->columns[REAL])));
	width -= columns[REAL] + TABLE_GAP;
	for (size_t i = 1; i < REAL; i++)
		width -= columns[i] + TABLE_GAP;
	for (size_t i = PAIRS; i >= INTERVAL; i--) {
		if (width >= longest)
			break;
		width += columns[i] + TABLE_GAP;
		columns[i] = 0;
	}
	columns[0] = MAX(NAME_LEAST, MIN(longest, width));
}

static struct style table_cell_style(const struct model *model, const struct table_column *column,
				     const struct table_cell *cell)
{
	if (cell->case_id >= 0)
		return STYLE_BOLD(view_hue(model, (uint32_t)cell->case_id));
	switch (cell->emphasis ? cell->emphasis : column->emphasis) {
	case TABLE_STRONG:
		return STYLE_BOLD(COLOUR_DEFAULT);
	case TABLE_DIM:
		return DIM;
	case TABLE_WARN:
		return STYLE(COLOUR_WARN);
	case TABLE_BAD:
		return STYLE(COLOUR_BAD);
	case TABLE_PLAIN:
		break;
	}
	return PLAIN;
}

/*
 * Draws a text. If it names a pair of cases, neither name is dropped. A text in brackets after
 * other words is either drawn completely or dropped.
 */
static void draw_table_text(struct canvas *canvas, const struct model *model, struct rect place,
			    struct style style, bool left, const char *text)
{
	const int x = place.x, y = place.y, w = place.w;
	char pair[2 * SAMPLE_NAME + 8];

	if (left && utf8_columns(text) > w && (strstr(text, " / ") || strstr(text, " - "))) {
		text = view_fit(model, text, w, pair, sizeof(pair));
	} else if (left && utf8_columns(text) > w && strrchr(text, '(') > text) {
		snprintf(pair, sizeof(pair), "%.*s", (int)(strrchr(text, '(') - text), text);
		text = pair;
	} else if (left && strchr(text, '=')) {
		text = text_fit(pair, sizeof(pair), text, w);
	}
	if (left)
		canvas_text(canvas, x, y, w, style, text);
	else
		canvas_right(canvas, x + w, y, style, text);
}

static void draw_table_cell(struct canvas *canvas, struct rect place, const struct model *model,
			    const struct table *table, size_t row, size_t i)
{
	const struct table_column *column = &table->columns[i];
	const struct table_cell *cell = table_cell(table, row, i);
	char buf[TABLE_TEXT];
	const char *text = table_text(table, row, i, " – ", buf);

	if (isnan(cell->value) && cell->words)
		text = cell->words;
	if (cell->case_id >= 0 && i == 0) {
		view_mark_name(canvas, place, model, (uint32_t)cell->case_id, text);
		return;
	}
	draw_table_text(canvas, model, place, table_cell_style(model, column, cell),
			column->align == TABLE_LEFT, text);
}

/* Least width of a truncated text. A shorter text would say nothing. */
#define LEAST_WORDS 8

/*
 * Draws a line of titles, then a line for each row. columns has the width of each column; 0 leaves
 * the column out. A column of words that does not fit into rect is truncated, to LEAST_WORDS
 * columns or more. Other columns that do not fit are left out and counted in *lost. The first
 * column has no title, because the box has a title. Returns the x after the last column.
 */
static int draw_table_columns(struct canvas *canvas, struct rect rect, const struct model *model,
			      const struct table *table, const int *columns, int *lost)
{
	int x = rect.x, end = rect.x + rect.w;
	int n = MIN((int)table_rows(table), canvas->height - 1 - rect.y);

	for (size_t i = 0; i < table->n_columns; i++) {
		bool words = i > 0 && table->columns[i].align == TABLE_LEFT;
		bool cut = words && x + columns[i] > end;
		int w = columns[i], least = 1;

		if (cut) {
			w = end - x;
			least = LEAST_WORDS;
		}
		*lost += columns[i] > 0 && (x + w > end || w < least);
		if (w < least)
			continue;
		if (i > 0 && x + w <= end)
			draw_table_text(canvas, model, RECT(x, rect.y, w, 1), DIM,
					table->columns[i].align == TABLE_LEFT,
					table_title(&table->columns[i]));
		/* Draw only the rows of a long table that are on the canvas. */
		for (int row = MAX(0, -1 - rect.y); row < n; row++) {
			if (x + w > end)
				break;
			draw_table_cell(canvas, RECT(x, rect.y + 1 + row, w - (i == 0), 1), model,
					table, (size_t)row, i);
		}
		x += w + (i > 0 ? TABLE_GAP : 0);
	}
	return x;
}

/* Draws a table. Returns the x after its last column. */
static int results_table(struct results *results, struct rect inner, enum table_id id)
{
	int columns[TABLE_OWN], lost = 0, x;
	const struct table *table = results->tables[id];
	char wider[48];

	memcpy(columns, table_looks[id].widths, sizeof(columns));
	if (columns[0] == 0)
		columns[0] = results->name_w;
	for (size_t i = 1; i < table->n_columns; i++) {
		const struct table_column *column = &table->columns[i];

		if (columns[i] == 0 && column->range)
			columns[i] = table_looks[id].range;
		else if (columns[i] == 0)
			columns[i] = table_looks[id].cell;
		if (columns[i] > 0)
			columns[i] = MAX(columns[i], utf8_columns(table_title(column)));
	}
	/* On a narrow screen, leave out the mean to make room for the dots. */
	if (id == TABLE_ELAPSED && inner.w < RESULTS_WIDE)
		columns[2] = 0;
	/*
	 * On a narrow screen, leave out when a task began and how long it ran, because the object
	 * for which it waited is more important.
	 */
	if (id == TABLE_LONGEST && inner.w < RESULTS_WIDE)
		columns[2] = columns[4] = columns[5] = 0;
	if (id == TABLE_ANSWER)
		for (size_t i = 1; i < table->n_columns; i++)
			columns[i] = MAX(columns[i], table_longest_text(table, i));
	if (id == TABLE_WHY) {
		columns[0] = MAX(columns[0], table_longest_text(table, 0) + 1);
		table_widen_why(table, inner.w, columns);
	}
	if (id == TABLE_PIVOT) {
		columns[table->n_columns - 1] = LEADS_W;
		columns[0] =
			MIN(table_longest_text(table, 0) + 1,
			    inner.w - ((int)table->n_columns - 2) * (RESULTS_CELL_W + TABLE_GAP) -
				    LEADS_LEAST);
	}
	for (size_t row = 0; row < table_rows(table); row++)
		results_zone(results, inner.y + 1 + (int)row, table_cell(table, row, 0));
	x = draw_table_columns(&results->canvas, inner, results->model, table, columns, &lost);
	snprintf(wider, sizeof(wider), " wider: %d more column%s ", lost, sentence_plural(lost));
	if (lost)
		canvas_right(&results->canvas, results->width - 2, results->y - 1, DIM, wider);
	return x;
}

static bool is_inside(struct rect box, int y)
{
	return y > box.y && y < box.y + box.h - 1;
}

static struct rect results_section(struct results *results, const char *title, const char *note,
				   int lines)
{
	struct rect box = {0, results->y, results->width, lines + 2};
	struct rect inner = view_box(&results->canvas, box, title, NULL);

	if (note && utf8_columns(title) + utf8_columns(note) + 8 < results->width)
		canvas_right(&results->canvas, results->width - 2, results->y, DIM, note);
	results->first_inside |= is_inside(box, 0);
	results->last_inside |= is_inside(box, results->canvas.height - 1);
	results->y += lines + 2;
	return inner;
}

enum { RESULTS_DIFFERENCES = 1024 };

static void results_origins_draw(struct results *results)
{
	const struct model *model = results->model;
	char text[RESULTS_DIFFERENCES];
	struct rect inner;

	if (!model->n_origins)
		return;
	report_differences(model, text, sizeof(text));
	inner = results_section(results, "recordings", NULL,
				2 * (int)model->n_origins + text_lines(text, results->width - 4));
	for (uint32_t i = 0; i < model->n_origins; i++, inner.y += 2, inner.h -= 2) {
		const struct model_origin *origin = &model->origins[i];
		int x = inner.x + results->name_w, w = inner.x + inner.w - x;
		char machine[1024];

		canvas_text(&results->canvas, inner.x, inner.y, results->name_w - 1,
			    STYLE_BOLD(COLOUR_DEFAULT), origin->name);
		report_machine(machine, sizeof(machine), &origin->session.machine);
		canvas_text(&results->canvas, x, inner.y, w, PLAIN, machine);
		canvas_text(&results->canvas, x, inner.y + 1, w, DIM, origin->session.options);
	}
	text_draw(&results->canvas, inner, STYLE(COLOUR_WARN), text);
}

static int results_axis_cell(const struct plot_axis *axis, double ns)
{
	return axis->x + MAX(0, MIN(plot_cell(axis, (int64_t)ns), axis->w - 1));
}

/* The ends of the axis of trials. high is 0 if there is no trial. */
struct trials_range {
	double low, high;
};

static void trials_find_range(const void *arg, void *found)
{
	struct trials_range *range = found;

	report_range(arg, &range->low, &range->high);
}

/* The trials of a case, on an axis. */
struct trials_row {
	const struct model *model;
	const struct plot_axis *axis;
	uint32_t case_id;
};

static void trials_find_marks(const void *arg, void *found)
{
	const struct trials_row *row = arg;
	double values[VALUES];
	const size_t n = model_trials(row->model, row->case_id, model_headline(row->model), values,
				      NULL, VALUES);
	char *marks = found;

	for (size_t i = 0; i < n; i++)
		marks[results_axis_cell(row->axis, values[i]) - row->axis->x] = 1;
}

static const char *trials_marks(const struct results *results, const struct plot_axis *axis,
				uint32_t case_id)
{
	const struct trials_row row = {results->model, axis, case_id};
	const struct view_reading_of of = {.kind = READING_TRIAL_MARKS,
					   .a = case_id,
					   .metric = model_headline(results->model),
					   .low = (double)axis->from_ns,
					   .high = (double)axis->to_ns,
					   .size = (size_t)axis->w};

	return view_cache_reading(results->frame->cache, &of, trials_find_marks, &row);
}

static void results_elapsed_dots(struct results *results, struct rect inner, int x)
{
	const struct model *model = results->model;
	const struct table *table = results->tables[TABLE_ELAPSED];
	struct canvas *canvas = &results->canvas;
	struct plot_axis axis = {.x = x + TABLE_GAP, .w = inner.x + inner.w - x - TABLE_GAP};
	const struct view_reading_of of = {.kind = READING_RANGE,
					   .metric = model_headline(model),
					   .size = sizeof(struct trials_range)};
	const struct trials_range *range =
		view_cache_reading(results->frame->cache, &of, trials_find_range, model);
	double low, high;

	if (axis.w < 16 || !range || range->high <= 0)
		return;
	low = range->low;
	high = range->high;
	/*
	 * Begin the axis just below the fastest trial instead of at 0, so that a difference of 1 %
	 * is visible. The margin keeps circles away from the axis's ends.
	 */
	low = fmax(0, low - fmax(high - low, high * 0.01) * 0.1);
	high += fmax(high - low, high * 0.01) * 0.1;
	axis.from_ns = (int64_t)low;
	axis.to_ns = (int64_t)high + 1;
	if (model_prints(model)) {
		canvas_text(canvas, axis.x, inner.y, axis.w / 2, DIM,
			    METRIC_TEXT(METRIC_PRINTED, low));
		canvas_right(canvas, axis.x + axis.w - 1, inner.y, DIM,
			     METRIC_TEXT(METRIC_PRINTED, high));
	} else {
		plot_time_labels(canvas, &axis, inner.y, DIM);
	}
	for (size_t row = 0; row < table_rows(table); row++) {
		const struct table_cell *median = table_cell(table, row, 1);
		const struct table_cell *interval = table_cell(table, row, 3);
		uint32_t case_id = (uint32_t)table_cell(table, row, 0)->case_id;
		struct style hue = STYLE(view_hue(model, case_id));
		int y = inner.y + 1 + (int)row;
		const char *marks;
		bool any = false;

		if (!results_shows(results, y))
			continue;
		marks = trials_marks(results, &axis, case_id);
		for (int i = 0; marks && i < axis.w; i++)
			any |= marks[i];
		canvas_hline(canvas, axis.x, y, axis.w, 0xb7, STYLE(COLOUR_BORDER));
		if (any && !isnan(interval->value)) {
			int from = results_axis_cell(&axis, interval->value);

			canvas_hline(canvas, from, y,
				     results_axis_cell(&axis, interval->high) - from + 1, 0x2501,
				     hue);
		}
		for (int i = 0; marks && i < axis.w; i++)
			if (marks[i])
				canvas_put(canvas, axis.x + i, y, 0x25cb, hue);
		if (any)
			canvas_put(canvas, results_axis_cell(&axis, median->value), y, 0x25cf,
				   STYLE_BOLD(COLOUR_TITLE));
	}
}

enum { RESULTS_BRIEF_W = 8, FOUND_W = 25, READ_W = 16 };

static void results_ratio(struct results *results, struct rect inner, int y,
			  const struct model_comparison *comparison)
{
	const struct stats_interval *r = &comparison->ratio;
	const struct sample_case *config = &results->model->cases[comparison->a];
	const struct sample_case *other = &results->model->cases[comparison->b];
	/*
	 * In "processes / threads alloc=0", the variables that both cases share are written only
	 * once.
	 */
	bool once = strcmp(config->model, other->model) != 0 &&
		    variables_equal(&config->variables, &other->variables);
	char a[SAMPLE_NAME], b[SAMPLE_NAME], names[2 * SAMPLE_NAME + 64];
	char ratio[32], range[96] = "", buf[CLAIM_TEXT];
	int x = inner.x, end = inner.x + inner.w, w;
	const char *verdict;

	snprintf(ratio, sizeof(ratio), "  %s   ", CLAIM_TIMES(r->estimate));
	if (!isnan(r->low))
		snprintf(range, sizeof(range), "%s   ", CLAIM_TIMES_INTERVAL(r->low, r->high));
	/*
	 * Leave FOUND_W columns for the verdict, unless a name would then have fewer than READ_W
	 * columns.
	 */
	w = inner.w - utf8_columns(ratio) - utf8_columns(range) - 3;
	w = MIN((w - RESULTS_BRIEF_W) / 2, MAX(READ_W, (w - FOUND_W) / 2));
	view_fit(results->model,
		 once ? other->model : MODEL_CASE_NAME(results->model, comparison->b), w, b,
		 sizeof(b));
	view_fit(results->model, MODEL_CASE_NAME(results->model, comparison->a), w, a, sizeof(a));
	snprintf(names, sizeof(names), "%s / %s%s", b, a, ratio);
	x = canvas_text(&results->canvas, x, y, end - x, STYLE_BOLD(COLOUR_TITLE), names);
	x = canvas_text(&results->canvas, x, y, end - x, PLAIN, range);
	if (comparison->verdict == STATS_A || comparison->verdict == STATS_B)
		verdict = "real: 1 lies outside the interval";
	else if (comparison->verdict == STATS_UNPAIRED && !comparison->left)
		verdict = "separate recordings have no pairs, so no interval";
	else
		verdict = claim_none(results->model, comparison, buf, sizeof(buf));
	/* If the verdict does not fit, a short form still says whether the difference is real. */
	if (utf8_columns(verdict) > end - x)
		verdict = why_reality(results->model, comparison, buf, sizeof(buf));
	text_draw(&results->canvas, RECT(x, y, end - x, 1), DIM, verdict);
}

static const char *results_elapsed_note(const struct model *model, const struct view_cache *cache)
{
	if (model_has_faults(model))
		return " times not compared: a worker crashed ";
	if (!metric_is(model_headline(model), METRIC_MORE_IS_WORSE)) {
		if (cache->n_compared > 0)
			return " ratios come from pairs, not medians ";
		return "";
	}
	if (cache->n_compared > 0)
		return " lower is better · ratios come from pairs, not medians ";
	return " lower is better ";
}

static void results_elapsed_draw(struct results *results)
{
	const struct view_cache *cache = results->frame->cache;
	struct rect inner = results_section(results, results->tables[TABLE_ELAPSED]->title,
					    results_elapsed_note(results->model, cache),
					    1 + results_rows(results, TABLE_ELAPSED) +
						    2 * (int)cache->n_compared);
	int y = inner.y + results_rows(results, TABLE_ELAPSED);
	double bound = 0;

	/* All comparisons share one axis. */
	for (uint32_t i = 0; cache->n_compared > 1; i++) {
		if (i >= cache->n_compared)
			break;
		bound = fmax(bound, view_pairs_bound(results->frame, &cache->elapsed[i]));
	}
	results_elapsed_dots(results, inner, results_table(results, inner, TABLE_ELAPSED));
	for (uint32_t i = 0; i < cache->n_compared; i++, y += 2) {
		const struct model_comparison *comparison = &cache->elapsed[i];

		if (results_shows(results, y + 1))
			results_ratio(results, inner, y + 1, comparison);
		if (results_shows(results, y + 2))
			view_pairs_draw(&results->canvas, RECT(inner.x, y + 2, inner.w, 1),
					results->frame, comparison, bound);
	}
}

/* The critical path of each case, drawn as a row of its parts. All rows have the same axis. */

static const struct {
	enum model_metric metric;
	uint32_t glyph;
} part_inks[] = {
	{METRIC_CREATING, 0x2592}, {METRIC_STARTING, 0x254c}, {METRIC_WORKING, 0x2588},
	{METRIC_RUNNING, 0x2501},  {METRIC_WAITING, 0x2591},  {METRIC_BLOCKED, 0x2508},
	{METRIC_JOINING, 0x2593},
};

enum { INKS = LENGTH(part_inks) };

/* The index of a metric's column in a table; 0 if the table has no such column. */
static size_t table_column_of(const struct table *table, enum model_metric metric)
{
	for (size_t i = 1; i < table->n_columns; i++)
		if (table->columns[i].metric == metric)
			return i;
	return 0;
}

static void results_paths_draw(struct results *results, struct rect inner)
{
	const struct table *table = results->tables[TABLE_PATH];
	struct rect line = {inner.x + results->name_w, inner.y,
			    inner.w - results->name_w - RESULTS_CELL_W, 1};
	struct canvas *canvas = &results->canvas;
	size_t whole = table_column_of(table, METRIC_PATH);
	size_t split = table_column_of(table, METRIC_WORKING);
	double most = 0;

	for (size_t row = 0; row < table_rows(table); row++)
		most = fmax(most, table_cell(table, row, whole)->value);
	for (size_t row = 0; row < table_rows(table); row++, line.y++) {
		const struct table_cell *cell = table_cell(table, row, 0);
		uint8_t hue = view_hue(results->model, (uint32_t)cell->case_id);
		/*
		 * If the parts of the running time are known (working, waiting, blocked), do not
		 * draw the running time as well.
		 */
		bool parts = split > 0 && !isnan(table_cell(table, row, split)->value);
		double at = 0;

		view_mark_name(canvas, RECT(inner.x, line.y, results->name_w - 1, 1),
			       results->model, (uint32_t)cell->case_id, cell->words);
		results_zone(results, line.y, cell);
		for (int i = 0; i < INKS; i++) {
			size_t column = table_column_of(table, part_inks[i].metric);
			double ns = column ? table_cell(table, row, column)->value : NAN;
			int from = line.x + (int)lround(at / most * line.w), to;

			if (isnan(ns) || (parts && part_inks[i].metric == METRIC_RUNNING))
				continue;
			at += ns;
			to = line.x + (int)lround(at / most * line.w);
			canvas_hline(canvas, from, line.y, to - from, part_inks[i].glyph,
				     STYLE(hue));
		}
		canvas_right(canvas, inner.x + inner.w, line.y, PLAIN,
			     METRIC_TEXT(METRIC_PATH, table_cell(table, row, whole)->value));
	}
}

static void results_path_draw(struct results *results)
{
	const struct why *found;
	int rows = results_rows(results, TABLE_PATH), why, x, end;
	char text[2 * WHY_TEXT] = "";
	struct sentence s = sentence_in(text, sizeof(text));
	struct rect inner;

	/* After a crash the critical paths are incomplete, so do not show them. */
	if (rows == 0 || model_has_faults(results->model))
		return;
	found = view_cache_why(results->frame->cache, results->model);
	sentence_add(&s, "%s", found->differs);
	if (*found->sentence)
		sentence_join(&s, " ", "%s", found->sentence);
	/* Add the likely cause and, in the line below, the experiment that would show the cause. */
	if (found->has_cause)
		sentence_join(&s, " ", "%s", found->cause.text);
	if (view_cache_runs_why(results->frame->cache, results->model, results->frame->state->live))
		sentence_add(&s, " y runs it with %s.", found->cause.options);
	else if (found->has_cause && *found->cause.options)
		sentence_add(&s, " %s would show it.", found->cause.options);
	if (*text)
		why = text_lines(text, results->width - 4);
	else
		why = 0;
	inner = results_section(results, results->tables[TABLE_PATH]->title, " medians ",
				2 * rows + 2 + why);
	inner.y += text_draw(&results->canvas, RECT(inner.x, inner.y, inner.w, why),
			     STYLE_BOLD(COLOUR_TITLE), text);
	results_paths_draw(results, inner);
	end = inner.x + inner.w;
	inner.y += rows;
	x = inner.x;
	for (int i = 0; i < INKS; i++) {
		const struct metric *metric = &metric_table[part_inks[i].metric];
		const char *name = sentence_text(metric->words, metric->title);

		if (table_column_of(results->tables[TABLE_PATH], part_inks[i].metric) == 0 ||
		    x + utf8_columns(name) + 2 > end)
			continue;
		canvas_put(&results->canvas, x, inner.y, part_inks[i].glyph, STYLE(COLOUR_TITLE));
		x = canvas_text(&results->canvas, x + 2, inner.y, end - x - 2, DIM, name) + 3;
	}
	inner.y++;
	results_table(results, inner, TABLE_PATH);
}

static const enum table_id sections[] = {
	TABLE_VALUES,  TABLE_PIVOT,    TABLE_STEPS,   TABLE_MESSAGES, TABLE_REQUESTS,
	TABLE_SPEEDUP, TABLE_SCALING,  TABLE_LONGEST, TABLE_MEMORY,   TABLE_COSTS,
	TABLE_WHY,     TABLE_COUNTERS, TABLE_WAKES};

static int results_note_lines(const struct results *results, enum table_id id)
{
	const char *note = table_looks[id].note ? results->tables[id]->note : NULL;

	if (note)
		return text_lines(note, results->width - 4);
	return 0;
}

/*
 * The number of lines of a section inside its box. 0: the section is not shown. The section of runs
 * has at least one line.
 */
static int results_lines(const struct results *results, enum table_id id)
{
	int rows = results_rows(results, id);

	if ((rows == 0 && id != TABLE_RUNS) ||
	    (id == TABLE_ANSWER &&
	     ((results_rows(results, TABLE_PIVOT) > 0 && rows > ANSWER_ROWS) ||
	      results_rows(results, TABLE_FAULTS) > 0)))
		return 0;
	return rows + 1 + (id == TABLE_MEMORY) + results_note_lines(results, id);
}

static void results_section_draw(struct results *results, enum table_id id)
{
	const struct table *table = results->tables[id];
	int lines = results_lines(results, id), note = results_note_lines(results, id), x, w;
	struct rect inner;
	double most = 1;

	if (lines == 0)
		return;
	inner = results_section(results, table->title, table_looks[id].medians ? " medians " : NULL,
				lines);
	x = results_table(results, inner, id);
	if (note > 0)
		text_draw(&results->canvas, RECT(inner.x, inner.y + inner.h - note, inner.w, note),
			  DIM, table->note);
	if (id != TABLE_MEMORY)
		return;
	/* Draw the total times as bars beside the table. */
	w = inner.x + inner.w - x - TABLE_GAP;
	if (w > 4)
		canvas_text(&results->canvas, x + TABLE_GAP, inner.y, w, DIM,
			    table_title(&table->columns[1]));
	for (size_t row = 0; row < table_rows(table); row++)
		most = fmax(most, table_cell(table, row, 1)->value);
	for (size_t row = 0; row < table_rows(table) && w > 4; row++) {
		double kib = table_cell(table, row, 1)->value;

		canvas_hline(&results->canvas, x + TABLE_GAP, inner.y + 1 + (int)row,
			     isnan(kib) ? 0 : (int)(kib / most * w), 0x2588,
			     STYLE(view_hue(results->model, (uint32_t)row)));
	}
	text_draw(&results->canvas, RECT(inner.x, inner.y + inner.h - 1, inner.w, 1), DIM,
		  "PSS + kernel is all of a model's memory. RSS counts shared pages once per "
		  "process.");
}

static void results_runs_draw(struct results *results)
{
	struct rect inner =
		results_section(results, "all runs", NULL, results_lines(results, TABLE_RUNS));
	/* The first line of the table has the titles. */
	const int first = MAX(0, -1 - inner.y);
	struct table table;

	if (!table_build_runs(results->model, (size_t)first, (size_t)results->canvas.height,
			      &table)) {
		results->tables[TABLE_RUNS] = &table;
		inner.y += first;
		results_table(results, inner, TABLE_RUNS);
		results->tables[TABLE_RUNS] = NULL;
	}
	table_free(&table);
}

bool view_answer_draw(const struct view_frame *frame, struct rect box)
{
	const struct canvas *canvas = frame->canvas;
	const struct table *table = view_cache_table(frame->cache, frame->model, TABLE_ANSWER);
	struct results results = {
		.canvas = {.width = canvas->width,
			   .height = box.h,
			   .cells = canvas->cells + box.y * canvas->width + box.x},
		.model = frame->model,
		.frame = frame,
		.width = box.w,
		.left = box.x,
		.top = box.y,
		.tables = {[TABLE_ANSWER] = table},
	};
	struct rect inner;

	results.name_w = table_longest_text(table, 0) + 3;
	if (table_rows(table) == 0 || (int)table_rows(table) + 3 > box.h)
		return false;
	inner = results_section(&results, table->title, " medians ", box.h - 2);
	results_table(&results, inner, TABLE_ANSWER);
	inner.y += (int)table_rows(table) + 2;
	inner.h -= (int)table_rows(table) + 2;
	text_draw(&results.canvas, inner, DIM, sentence_text(table->note, ""));
	return true;
}

/*
 * Draws a sign that n more rows are hidden. If row y is a box's edge, the sign is on the edge.
 * Inside a box, the sign has a row of its own, so that no row is partly covered.
 */
static void results_draw_more(struct results *results, int y, bool inside, const char *mark, int n)
{
	struct canvas *canvas = &results->canvas;
	const int w = results->width, signs = MIN(24, w - 2);
	char text[48];

	if (inside)
		canvas_fill(canvas, RECT(0, y, w, 1), ' ', PLAIN);
	else
		canvas_hline(canvas, w - 2 - signs, y, signs, 0x2500, STYLE(COLOUR_BORDER));
	snprintf(text, sizeof(text), " %s %d more ", mark, n + inside);
	canvas_right(canvas, w - 2, y, STYLE(COLOUR_TITLE), text);
}

static void results_sections(struct results *results, int y)
{
	results->y = y;
	/*
	 * The answer. For a long sweep, it is the table with a row for each value. After a crash,
	 * the table of faults follows.
	 */
	results_section_draw(results,
			     results_lines(results, TABLE_ANSWER) > 0 ? TABLE_ANSWER : TABLE_PIVOT);
	results_section_draw(results, TABLE_FAULTS);
	results_elapsed_draw(results);
	results_origins_draw(results);
	results_path_draw(results);
	for (size_t i = 0; i < LENGTH(sections); i++)
		if (sections[i] != TABLE_PIVOT || results_lines(results, TABLE_ANSWER) > 0)
			results_section_draw(results, sections[i]);
	results_runs_draw(results);
}

static void results_draw(const struct view_frame *frame, struct rect rect)
{
	const struct canvas *canvas = frame->canvas;
	const struct model *model = frame->model;
	struct results results = {
		.canvas = {.width = canvas->width,
			   .cells = canvas->cells + (size_t)rect.y * (size_t)canvas->width},
		.model = model,
		.frame = frame,
		.width = rect.w,
		.top = rect.y,
		.name_w = NAME_LEAST,
	};
	int above, below;

	/* Names get at most half the screen's width. Longer names are shortened. */
	for (uint32_t i = 0; i < model->n_cases; i++)
		results.name_w = MAX(results.name_w, utf8_columns(MODEL_CASE_NAME(model, i)) + 4);
	results.name_w = MIN(results.name_w, MAX(rect.w / 2, NAME_LEAST));
	for (int id = 0; id < TABLES; id++)
		if (id != TABLE_RUNS && (table_looks[id].cell > 0 || table_looks[id].widths[1] > 0))
			results.tables[id] =
				view_cache_table(frame->cache, model, (enum table_id)id);
	results_sections(&results,
			 0); /* The canvas has no height yet, so this call only measures. */
	results.canvas.height = rect.h;
	above = view_scroll_to(frame, results.y, rect.h);
	results_sections(&results, -above);
	below = frame->shown->most_scroll - above;
	if (above > 0)
		results_draw_more(&results, 0, results.first_inside, "▴", above);
	if (below > 0)
		results_draw_more(&results, rect.h - 1, results.last_inside, "▾", below);
}

static const char results_help[] =
	"#Results\n"
	"○\tOne trial; on the ratio axis, one pair of trials.\n"
	"●\tThe median. For a ratio: the Hodges-Lehmann estimate.\n"
	"━\tThe 95 % interval. With fewer than six trials, a median has no interval.\n"
	"ratio\tBelow 1, the model named first needed less. Real: the interval excludes "
	"1. " REPORT_ERROR_RATE "\n"
	"over\tIf a setting varies: each model at every value, compared with the first value.\n"
	"medians\tOver the counted trials. Warm-ups and failed or paused runs do not count.\n"
	"where the elapsed time went\tThe critical path: the chain of steps up to the end of the "
	"worker that ended last. Its waits for a core include the time in which other workers ran "
	"there. Its parts are creation, start, work, waits for a core, other waits and joins, "
	"which add up to the elapsed time.\n"
	"all runs\tEvery run, in the order in which it ran.\n";

static const char *const *results_captions(const struct view_frame *frame)
{
	static const char *const captions[] = {
		"Each model's median with its 95 % interval and every trial. Then the ratio, and "
		"where the difference comes from.",
		"Real: the interval of the ratio excludes 1. size: how much work one worker does; "
		"in hello, how many lines it writes."};

	if (frame->model->n_cases > 0 && variables_find(&frame->model->cases->variables, "size"))
		return captions;
	return NULL;
}

const struct view_ops view_results = {
	.number = 4,
	.name = "Results",
	.brief = "Res",
	.captions = {"Each model's median with its 95 % interval and every trial. Then the ratio, "
		     "and where the difference comes from.",
		     "Real: the interval of the ratio excludes 1. The more comparisons, the wider "
		     "the interval, so noise seldom looks real."},
	.captions_now = results_captions,
	.help = results_help,
	.draw = results_draw,
};
