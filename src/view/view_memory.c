/* SPDX-License-Identifier: MIT */
#include "views.h"

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
#include "view_cache.h"

enum { MEASURES = 6, CASES = 4, MEMORY_CASES_MOST = 16 };

/*
 * The metrics, in the order of the tables in the Results view. The first metric is an amount and
 * not a peak, and only sessions with writes to the parent's memory have it.
 */
static const struct measure {
	enum model_metric which;
	const char *about;
} measures[MEASURES] = {
	{METRIC_COPIED, "pages copied by writes after a fork"},
	{METRIC_MEMORY, "what it costs in all"},
	{METRIC_PSS, "shared pages are divided"},
	{METRIC_KERNEL, "page tables, stacks, slab"},
	{METRIC_USS, "pages no other process maps"},
	{METRIC_RSS, "shared pages count in each"},
};

struct memory {
	struct canvas *canvas;
	const struct model *model;
	const struct view_frame *frame;
	/* Medians of memory and of copied pages, as the Results view shows them. */
	const struct table *medians, *copied;
	enum model_metric plotted; /* The metric that is plotted over time. */
	/* Only cases that are compared with the case `of` are shown, because there are many. */
	bool only;
	uint32_t of;
	uint32_t cases[MEMORY_CASES_MOST], n; /* The cases shown that have a known value. */
	/* Why the other cases have no value. "": all cases have a value. */
	char others[TABLE_TEXT];
	const struct variables
		/*
		 * The variables that all listed cases share and the title shows once. NULL: none.
		 */
		*value;
};

static bool memory_shows(const struct memory *m, uint32_t case_id)
{
	const struct sample_case *cases = m->model->cases;

	return !m->only || comparison_alike(&cases[case_id], &cases[m->of]);
}

/*
 * The variables that the title shows once because all cases shown have them. NULL if all cases of
 * the session are shown, or if the cases shown differ in more than their models.
 */
static const struct variables *memory_value(const struct memory *m)
{
	const struct variables *value;

	if (!m->only)
		return NULL;
	value = &m->model->cases[m->of].variables;
	if (value->n == 0)
		return NULL;
	for (uint32_t i = 0; i < m->model->n_cases; i++)
		if (memory_shows(m, i) && !variables_equal(&m->model->cases[i].variables, value))
			return NULL;
	return value;
}

/*
 * The cell of a median in the table that the Results view shows. NULL if the table has no such
 * cell.
 */
static const struct table_cell *memory_cell(const struct memory *m, uint32_t case_id,
					    enum model_metric which, char text[TABLE_TEXT])
{
	const struct table *table = m->medians;

	if (which == METRIC_COPIED)
		table = m->copied;
	if (case_id >= table_rows(table))
		return NULL;
	for (size_t i = 1; i < table->n_columns; i++) {
		if (table->columns[i].metric != which)
			continue;
		table_text(table, case_id, i, "", text);
		return table_cell(table, case_id, i);
	}
	return NULL;
}

/* The median of a case, with its text as in the Results view. NaN if no trial has a value yet. */
static double memory_median(const struct memory *m, uint32_t case_id, enum model_metric which,
			    char text[TABLE_TEXT])
{
	const struct table_cell *cell = memory_cell(m, case_id, which, text);

	if (cell)
		return cell->value;
	return NAN;
}

/* A case, and the memory that is drawn for it. */
struct memory_case {
	const struct memory *m;
	uint32_t case_id;
	enum model_metric which;
};

/* The functions below store a run as its index plus 1. 0 means that no run was found. */

static void memory_find_nearest(const void *arg, void *found)
{
	const struct memory_case *of = arg;
	const struct model *model = of->m->model;
	char text[TABLE_TEXT];
	const double median = memory_median(of->m, of->case_id, of->which, text);
	double least = INFINITY;
	size_t *number = found;

	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, of->case_id, 1));) {
		double off = fabs(metric_value(run, of->which) - median);

		if (off < least && run->n_points > 0) {
			least = off;
			*number = (size_t)(run - model->runs) + 1;
		}
	}
}

static void memory_find_known(const void *arg, void *found)
{
	const struct memory_case *of = arg;
	const struct model *model = of->m->model;
	size_t *number = found;

	for (size_t i = model_runs_begun(model); i > 0 && *number == 0; i--) {
		const struct model_run *run = &model->runs[i - 1];

		if (run->id.case_id == of->case_id &&
		    !isnan(metric_kib(&run->totals.memory, of->which)))
			*number = i;
	}
}

/*
 * The run to draw. After the session, it is the run whose memory is nearest to the median; before,
 * the newest run. If the newest run was too short for readings of its memory, it is the newest run
 * that has readings.
 */
static const struct model_run *memory_run(const struct memory *m, uint32_t case_id,
					  enum model_metric which)
{
	const struct model_run *latest = model_latest(m->model, case_id);
	const struct memory_case arg = {m, case_id, which};
	struct view_reading_of of = {
		.kind = READING_NEAREST, .a = case_id, .metric = which, .size = sizeof(size_t)};
	const size_t *number = NULL;

	if (model_over(m->model))
		number = view_cache_reading(m->frame->cache, &of, memory_find_nearest, &arg);
	if (number && *number > 0)
		return &m->model->runs[*number - 1];
	if (!latest || !view_memory_unknown(m->model, latest, which))
		return latest;
	of.kind = READING_KNOWN;
	number = view_cache_reading(m->frame->cache, &of, memory_find_known, &arg);
	if (number && *number > 0)
		return &m->model->runs[*number - 1];
	return latest;
}

/*
 * Draws the names, "● threads ■ processes", each in its hue, in as many lines as needed. Returns
 * the number of lines.
 */
static int memory_names(const struct memory *m, struct rect rect)
{
	int x = rect.x, line = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		/* Leave out of the names what all listed cases share. */
		const char *name = MODEL_CASE_NAME(m->model, m->cases[i]);
		int w;

		if (m->value)
			name = m->model->cases[m->cases[i]].model;
		w = MIN(2 + utf8_columns(name), rect.w);
		if (x > rect.x && x + w > rect.x + rect.w) {
			x = rect.x;
			line++;
		}
		if (line == rect.h)
			return line;
		view_mark_name(m->canvas, RECT(x, rect.y + line, w, 1), m->model, m->cases[i],
			       name);
		view_zone_case(m->frame->shown, RECT(x, rect.y + line, w, 1), m->cases[i]);
		x += w + 2;
	}
	return line + 1;
}

/* A value and how it was measured, or why the value is unknown. */
struct memory_reading {
	double kib; /* NaN: unknown */
	char text[TABLE_TEXT];
	const char *how;
};

/* Writes "3.4 MiB", or "~3.4 MiB" for an estimate. */
static const char *memory_text(const struct sample_memory *memory, enum model_metric which,
			       double kib, char text[48])
{
	const char *mark = metric_is_estimated(memory, which) ? "~" : "";

	snprintf(text, 48, "%s%s", mark, METRIC_TEXT(which, kib));
	return text;
}

/* The median. Until it is known, the value of the newest run, or why that value is unknown. */
static struct memory_reading memory_figure(const struct memory *m, uint32_t case_id,
					   enum model_metric which)
{
	static const char *const words[SEEN_WAYS] = {
		[SEEN_START] = "read at the start",
		[SEEN_SAMPLED] = "sampled",
		[SEEN_PEAK] = "",
		[SEEN_PEAKS] = "sum of peaks",
		[SEEN_LEAST] = "sampled, too low",
		[SEEN_MOST] = "at most",
	};
	struct memory_reading f = {.kib = NAN, .how = ""};
	const struct table_cell *median = memory_cell(m, case_id, which, f.text);
	const struct model_run *run;
	enum reason unknown;
	struct sample_memory memory;

	if (median && !isnan(median->value)) {
		f.kib = median->value;
		if (median->seen >= 0 && which != METRIC_COPIED)
			f.how = words[median->seen];
		return f;
	}
	snprintf(f.text, sizeof(f.text), "not yet");
	if (which == METRIC_COPIED)
		run = model_latest(m->model, case_id);
	else
		run = memory_run(m, case_id, which);
	if (!run)
		return f;
	if (which == METRIC_COPIED) {
		f.kib = metric_value(run, which);
		f.how = "this run";
		if (!isnan(f.kib))
			snprintf(f.text, sizeof(f.text), "%s", METRIC_TEXT(which, f.kib));
		return f;
	}
	unknown = view_memory_unknown(m->model, run, which);
	if (unknown) {
		snprintf(f.text, sizeof(f.text), "? %s", reason_sentence(unknown));
		return f;
	}
	memory = view_memory_of(m->model, run);
	f.kib = metric_kib(&memory, which);
	/* Skip readings that do not have this metric. */
	for (size_t i = 0; i < run->n_points; i++) {
		if (run->points[i].time_ns > m->model->now_ns)
			break;
		f.kib = fmax(f.kib, metric_kib(&run->points[i].memory, which));
	}
	f.how = "this run";
	if (!isnan(f.kib))
		memory_text(&memory, which, f.kib, f.text);
	return f;
}

/* The values of all listed cases. If no value is known, figures[0] has the reason. */
struct measure_group {
	struct memory_reading figures[MEMORY_CASES_MOST];
	bool known;
};

enum { NAME_W = 11, MEMORY_FIGURE_W = 10, HOW_W = 18, MEMORY_WIDE = 50 };

/* Draws a bar, exact to an eighth of a cell. All bars have the same scale. */
static void memory_bar(const struct memory *m, struct rect row, const struct memory_reading *f,
		       uint32_t case_id, double most)
{
	const bool wide = row.w >= MEMORY_WIDE;
	struct style hue = STYLE(view_hue(m->model, case_id));
	int x = row.x + 2 + MEMORY_FIGURE_W, w = row.w - 2 - MEMORY_FIGURE_W, eighths;

	if (wide)
		w -= HOW_W;
	canvas_put(m->canvas, row.x, row.y, view_shape(m->model, case_id), hue);
	canvas_text(m->canvas, row.x + 2, row.y, row.w - 2, PLAIN, f->text);
	if (isnan(f->kib) || w < 1)
		return;
	eighths = MAX(1, (int)lround(f->kib / most * w * 8));
	view_fill_eighths(m->canvas, RECT(x, row.y, w, 1), eighths, hue);
	if (wide)
		canvas_text(m->canvas, x + (eighths + 7) / 8 + 1, row.y, HOW_W - 1, DIM, f->how);
}

/*
 * Draws the bars of a metric beside the metric's name. If there is room, draws them below the name
 * and an explanation.
 */
static void memory_group(const struct memory *m, struct rect rect, const struct measure *measure,
			 const struct measure_group *group, bool roomy, double most)
{
	struct style style = PLAIN;
	int y = rect.y, end;

	if (measure->which == m->plotted)
		style = STYLE_BOLD(COLOUR_TITLE);
	/* A click shows the metric in the plot of memory over time, which an amount cannot have. */
	if (measure->which != METRIC_COPIED)
		view_zone_add(m->frame->shown,
			      (struct view_zone) {rect, 0, UINT32_MAX, measure->which});
	end = canvas_text(m->canvas, rect.x, y, rect.w, style, metric_brief(measure->which));
	if (roomy) {
		canvas_printf(m->canvas, end, y++, rect.x + rect.w - end, DIM, ": %s",
			      measure->about);
		end = rect.x + 2;
	} else {
		end = rect.x + NAME_W;
	}
	for (uint32_t i = 0; i < m->n; i++) {
		if (y >= rect.y + rect.h)
			break;
		memory_bar(m, RECT(end, y++, rect.x + rect.w - end, 1), &group->figures[i],
			   m->cases[i], most);
	}
}

/* The box of the bars. Its title is shortened if the values of the sweep need the room. */
static struct rect memory_box(const struct memory *m, struct rect box)
{
	const char *title = "median peak so far";
	char note[VARIABLES_TEXT] = "";

	if (model_over(m->model))
		title = "median peak";
	if (m->value)
		variables_format(m->value, ' ', note, sizeof(note));
	if (utf8_columns(title) + utf8_columns(note) + 9 > box.w)
		title += strlen("median ");
	return view_box(m->canvas, box, title, note);
}

/* Lists the metrics that are not known, and why the last metric is not known. */
static void memory_unknown(const struct measure_group groups[MEASURES], struct sentence *missing)
{
	const char *why = "";

	for (int i = 0; i < MEASURES; i++) {
		if (groups[i].known || measures[i].which == METRIC_COPIED)
			continue;
		sentence_join(missing, ", ", "%s", metric_brief(measures[i].which));
		why = groups[i].figures[0].text;
	}
	if (missing->used)
		sentence_add(missing, " %s", why);
}

/* Writes a text at the lower end of rect, if there is room. Returns the remaining height. */
static int memory_note(const struct memory *m, struct rect rect, const char *text)
{
	int lines;

	if (!*text || rect.h <= (int)m->n)
		return rect.h;
	lines = text_lines(text, rect.w);
	rect.h -= lines;
	text_draw(m->canvas, RECT(rect.x, rect.y + rect.h, rect.w, lines), DIM, text);
	return rect.h;
}

/*
 * Draws the metrics, beginning with the metric to which the user scrolled. The unknown metrics are
 * listed below. Returns whether the user scrolled past the last metric. If there is no room for
 * bars and plot together, the plot is shown then.
 */
static bool memory_bars(const struct memory *m, struct rect box,
			const struct measure_group groups[MEASURES], double most, bool alone)
{
	struct rect left = memory_box(m, box);
	char text[2 * TABLE_TEXT] = "";
	struct sentence missing = sentence_in(text, sizeof(text));
	int known[MEASURES], n = 0, fit, first, air, lines, bottom;

	for (int i = 0; i < MEASURES; i++)
		if (groups[i].known)
			known[n++] = i;
	memory_unknown(groups, &missing);
	lines = memory_names(m, RECT(left.x, left.y, left.w, MIN(4, left.h)));
	left.y += lines;
	left.h -= lines;
	left.h = memory_note(m, left, m->others);
	left.h = memory_note(m, left, text);
	air = MAX(0, MIN(2, left.h / n - (int)m->n));
	fit = MAX(1, MIN(n, left.h / ((int)m->n + air)));
	left.h -= fit < n;
	fit = MAX(1, MIN(n, left.h / ((int)m->n + air)));
	first = view_scroll_to(m->frame, n + alone, fit);
	if (first + fit > n)
		return true;
	bottom = left.y + left.h;
	if (fit < n)
		view_rows_hidden(m->canvas, RECT(left.x, bottom, left.w, 1), first,
				 n - first - fit);
	for (int i = first; i < first + fit; i++) {
		left.h = MIN((int)m->n + (air > 0), bottom - left.y);
		memory_group(m, left, &measures[known[i]], &groups[known[i]], air > 0, most);
		left.y += (int)m->n + air;
	}
	return false;
}

enum { MEMORY_SCALE_W = 9, ENDS_W = 13 };

/*
 * Writes the parts of the kernel's memory in the drawn runs, a line for each run, if the plotted
 * metric includes that memory and all lines fit. Returns the number of lines, or 0.
 */
static int memory_parts(const struct memory *m, struct rect rect)
{
	static const char *const words[][3] = {
		{"page tables ", ", stacks ", ", slab and other "},
		{"tables ", ", stacks ", ", slab "},
	};
	const char *const *word = words[rect.w < 66];
	int lines = 0;

	if (rect.w < 50 || rect.h < (int)m->n + 6 ||
	    (m->plotted != METRIC_MEMORY && m->plotted != METRIC_KERNEL))
		return 0;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct model_run *run = memory_run(m, m->cases[i], m->plotted);
		struct sample_memory memory;
		char text[128];

		if (run)
			memory = view_memory_of(m->model, run);
		if (!run || memory.kernel_kb < 0)
			continue;
		/* For example "page tables 4.2 MiB, stacks 16.3 MiB, slab and other ~6.7 MiB". */
		snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", word[0],
			 UNITS_KIB(memory.kernel_tables_kb), word[1],
			 UNITS_KIB(memory.kernel_stacks_kb), word[2],
			 memory.kernel_estimated ? "~" : "", UNITS_KIB(memory.kernel_other_kb));
		view_mark_name(m->canvas, RECT(rect.x, rect.y + lines++, rect.w, 1), m->model,
			       m->cases[i], text);
	}
	return lines;
}

struct memory_line {
	const struct model_run *run;
	/* For an ended run, its memory over the whole run; for a running one, its memory now. */
	struct sample_memory memory;
	/*
	 * Highest and last value of the curve, and peak of the run. NaN: unknown, or not known yet.
	 */
	double most, last, peak;
};

static void memory_line(const struct memory *m, struct memory_line *line,
			const struct plot_axis *axis, double *y)
{
	line->memory = view_memory_of(m->model, line->run);
	line->most = line->last = line->peak = NAN;
	if (model_ended(m->model, line->run))
		line->peak = metric_kib(&line->memory, m->plotted);
	view_series(m->model, line->run, axis, m->plotted, y);
	for (int j = 0; j < MIN(2 * axis->w, PLOT_DOTS); j++) {
		line->most = fmax(line->most, y[j]);
		if (!isnan(y[j]))
			line->last = y[j];
	}
}

/*
 * Moves curve n by half a cell or more wherever an earlier curve has the same height, so that both
 * curves are visible.
 */
static void memory_part_lines(struct rect plot, double top, double *y, uint16_t taken[][PLOT_DOTS],
			      uint32_t n)
{
	const int halves = 2 * plot.h;

	for (int j = 0; j < 2 * plot.w; j++) {
		int wanted, at;
		bool free = false;

		if (j >= PLOT_DOTS)
			break;
		taken[n][j] = 0;
		if (!(y[j] > 0))
			continue;
		at = wanted = MAX(1, (int)lround(y[j] / top * halves));
		for (int step = 1; step <= 2 * halves; step++) {
			if (free)
				break;
			free = at >= 1 && at <= halves;
			for (uint32_t i = 0; i < n; i++)
				free &= taken[i][j] != at;
			if (!free) {
				if (step & 1)
					at = wanted - (step + 1) / 2;
				else
					at = wanted + step / 2;
			}
		}
		if (!free)
			at = wanted;
		taken[n][j] = (uint16_t)at;
		y[j] = top * at / halves;
	}
}

/*
 * Draws a line at the peak of a run. Returns the peak. Returns NaN if the run's curve ends at its
 * peak, so that it needs no line, or if the peak does not fit.
 */
static double memory_peak(const struct memory *m, struct rect plot, const struct memory_line *line,
			  uint8_t hue, double top)
{
	const int row = plot_line_row(plot, line->peak, top);
	const int highest = plot_line_row(plot, line->most, top);

	if (row < plot.y || row > highest || (row == highest && line->last >= line->most))
		return NAN;
	canvas_hline(m->canvas, plot.x, row, plot.w, 0x2504, STYLE(hue));
	return line->peak;
}

/* A label with a value, in its case's hue, at the height where a curve or a line at a peak ends. */
struct end {
	double below; /* Minus the value in KiB, so that sorting puts the highest value first. */
	uint32_t case_id;
	char text[48];
};

/*
 * Draws each label at its height. If other labels are in the way, draws the label as near to its
 * height as possible. The order of the labels stays.
 */
static void memory_ends(const struct memory *m, struct rect plot, struct end *ends, uint32_t n,
			double top)
{
	int rows[2 * MEMORY_CASES_MOST], next = plot.y, limit = plot.y + plot.h;

	qsort(ends, n, sizeof(*ends), array_by_rank);
	for (uint32_t i = 0; i < n; i++) {
		rows[i] = MAX(next, plot_line_row(plot, -ends[i].below, top));
		next = rows[i] + 1;
	}
	for (uint32_t i = n; i-- > 0;) {
		struct rect end = {plot.x + plot.w + 1, MIN(rows[i], limit - 1), ENDS_W - 1, 1};

		limit = end.y;
		if (end.y < plot.y)
			return;
		view_mark_name(m->canvas, end, m->model, ends[i].case_id, ends[i].text);
		view_zone_case(m->frame->shown, end, ends[i].case_id);
	}
}

/* The plot of one metric over time, while it is drawn. */
struct memory_plot {
	struct rect rect;
	struct plot_axis axis;
	double top; /* The value at the upper end of the plot, KiB. */
	struct memory_line lines[MEMORY_CASES_MOST];
	/* The heights of the drawn curves, in halves of a cell. */
	uint16_t taken[MEMORY_CASES_MOST][PLOT_DOTS];
	uint32_t n_taken;
	struct end ends[2 * MEMORY_CASES_MOST];
	uint32_t n_ends;
	const char *dashes; /* The meaning of a dashed line. NULL: there is no dashed line. */
};

static void memory_end_add(struct memory_plot *plot, uint32_t case_id, double kib, const char *text)
{
	struct end *end = &plot->ends[plot->n_ends++];

	*end = (struct end) {.below = -kib, .case_id = case_id};
	snprintf(end->text, sizeof(end->text), "%s", text);
}

/* Finds the runs to draw. Returns the length of the longest run; 0 if there is no run. */
static int64_t memory_find_runs(const struct memory *m, struct memory_line *lines)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct model_run *run = memory_run(m, m->cases[i], m->plotted);

		if (!run || view_memory_unknown(m->model, run, m->plotted))
			continue;
		lines[i].run = run;
		longest = MAX(longest, model_length(m->model, run));
	}
	return longest;
}

/* The highest value of all curves and peaks, rounded up; 0 if no value is known. */
static double memory_top(const struct memory *m, struct memory_plot *plot)
{
	double y[PLOT_DOTS], top = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		struct memory_line *line = &plot->lines[i];

		if (!line->run)
			continue;
		memory_line(m, line, &plot->axis, y);
		top = fmax(top, fmax(line->most, line->peak));
	}
	if (top > 0)
		return (double)plot_nice_kib(llround(top));
	return 0;
}

static void memory_draw_line(const struct memory *m, struct memory_plot *plot,
			     struct memory_line *line, uint32_t case_id)
{
	const uint8_t hue = view_hue(m->model, case_id);
	double y[PLOT_DOTS], peak;
	char text[48];

	memory_line(m, line, &plot->axis, y);
	peak = memory_peak(m, plot->rect, line, hue, plot->top);
	if (!isnan(peak) && metric_seen(&line->memory, m->plotted) == SEEN_PEAKS)
		plot->dashes = " ┄ each process's peak, summed ";
	else if (!isnan(peak) && !plot->dashes)
		plot->dashes = " ┄ peak, between two samples ";
	/*
	 * If a curve ends at its highest value, the line at the peak would end there too, so value
	 * and peak share one label.
	 */
	if (isnan(peak) && line->last >= line->most && !isnan(line->peak))
		line->last = peak = line->peak;
	if (!isnan(peak))
		memory_end_add(plot, case_id, peak, VIEW_MEMORY_FIGURE(&line->memory, m->plotted));
	if (line->last > 0 && line->last != peak)
		memory_end_add(plot, case_id, line->last,
			       memory_text(&line->memory, m->plotted, line->last, text));
	memory_part_lines(plot->rect, plot->top, y, plot->taken, plot->n_taken++);
	plot_line(m->canvas, plot->rect, y, plot->top, STYLE(hue));
}

static struct rect memory_plot_box(const struct memory *m, struct rect box)
{
	const char *which = "run nearest the median";
	char title[64];

	canvas_fill(m->canvas, box, ' ', PLAIN);
	if (!model_over(m->model))
		which = "the newest run";
	else if (box.w < 40)
		which = "median run";
	snprintf(title, sizeof(title), "%s, %s", metric_brief(m->plotted), which);
	return view_box(m->canvas, box, title, NULL);
}

static void memory_plot(const struct memory *m, struct rect box)
{
	const struct rect inner = memory_plot_box(m, box);
	const int parts = memory_parts(m, inner);
	struct memory_plot plot = {.dashes = NULL};
	struct rect rect = RECT(inner.x + MEMORY_SCALE_W, inner.y + parts,
				inner.w - MEMORY_SCALE_W - ENDS_W, inner.h - parts - 1);
	int64_t longest;

	if (rect.h < 2 || rect.w < 4)
		return;
	plot.rect = rect;
	longest = memory_find_runs(m, plot.lines);
	/*
	 * The axis is as long as the longest drawn run. While the session runs, it is as long as
	 * the longest of all runs, so that it seldom changes.
	 */
	if (model_over(m->model))
		plot.axis = view_axis_of(m->frame->state, longest, rect.x, rect.w);
	else
		plot.axis =
			view_axis(m->model, m->frame->state, 0, m->model->n_cases, rect.x, rect.w);
	plot.top = memory_top(m, &plot);
	/* Without a curve, draw no axis, because it would look like a measurement of 0. */
	if (plot.top == 0) {
		const struct memory_reading reading = memory_figure(m, m->cases[0], m->plotted);

		text_draw(m->canvas, inner, PLAIN, longest > 0 ? "not yet" : reading.text);
		return;
	}
	plot_grid(m->canvas, &plot.axis, rect.y, rect.h);
	for (uint32_t i = 0; i < m->n; i++)
		if (plot.lines[i].run)
			memory_draw_line(m, &plot, &plot.lines[i], m->cases[i]);
	if (plot.dashes)
		canvas_text(m->canvas, box.x + 3, box.y + box.h - 1, box.w - 6, DIM, plot.dashes);
	memory_ends(m, rect, plot.ends, plot.n_ends, plot.top);
	canvas_right(m->canvas, rect.x - 1, rect.y, PLAIN, UNITS_KIB((int64_t)plot.top));
	canvas_right(m->canvas, rect.x - 1, rect.y + rect.h - 1, DIM, "0");
	plot_time_labels(m->canvas, &plot.axis, rect.y + rect.h, DIM);
}

/*
 * Smallest number of readings in a run for a curve. With fewer readings, each value would be drawn
 * over a long time.
 */
enum { MEMORY_READINGS = 5 };

/* Whether the memory of some run was read often enough for a curve. */
static bool memory_has_curve(const struct memory *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct model_run *run = memory_run(m, m->cases[i], m->plotted);
		size_t readings = 0;

		if (run)
			for (size_t k = 0; k < run->n_points; k++)
				readings += !isnan(metric_kib(&run->points[k].memory, m->plotted));
		if (readings >= MEMORY_READINGS)
			return true;
	}
	return false;
}

static void memory_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct memory m = {
		.canvas = frame->canvas,
		.model = model,
		.frame = frame,
		.medians = view_cache_table(frame->cache, model, TABLE_MEMORY),
		.copied = view_cache_table(frame->cache, model, TABLE_STEPS),
		.plotted = frame->state->memory,
		.only = model->n_cases > CASES,
	};
	struct measure_group groups[MEASURES] = {{.known = false}};
	struct rect boxes[2];
	int n = layout_grid(rect, 2, boxes);
	double most = 0; /* The largest value of any bar. */
	uint32_t first, end;

	/*
	 * If there are more cases than curves that can be distinguished, draw only the cases that
	 * are compared with the current case, or with the case that the user chose.
	 */
	m.of = view_alike(frame, &first, &end);
	if (frame->state->picked && frame->state->chosen < model->n_cases)
		m.of = frame->state->chosen;
	frame->shown->one_value = m.only;
	m.value = memory_value(&m);
	/* Instead of the total, plot the metric of memory that the answer is about. */
	if (m.plotted == METRIC_MEMORY)
		m.plotted = view_cache_memory(frame->cache, model)->metric;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		bool known = false;

		if (m.n >= MEMORY_CASES_MOST)
			break;
		if (!memory_shows(&m, i))
			continue;
		for (int j = 0; j < MEASURES; j++) {
			struct memory_reading *f = &groups[j].figures[m.n];

			*f = memory_figure(&m, i, measures[j].which);
			most = fmax(most, f->kib);
			known |= !isnan(f->kib);
			groups[j].known |= !isnan(f->kib);
		}
		if (known)
			m.cases[m.n++] = i;
		else
			snprintf(m.others, sizeof(m.others), "others %s",
				 groups[1].figures[m.n].text);
	}
	if (m.n == 0) {
		text_draw(m.canvas, view_box(m.canvas, rect, "median peak", NULL), PLAIN,
			  m.others + strlen("others "));
		return;
	}
	if (!memory_has_curve(&m)) {
		memory_bars(&m, rect, groups, most, false);
		return;
	}
	if (memory_bars(&m, boxes[0], groups, most, n == 1) || n == 2)
		memory_plot(&m, boxes[n - 1]);
}

/* c: shows the cases of the next value. */
static bool memory_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	struct view_state *state = &view->state;
	const uint32_t n = model->n_cases, of = state->chosen < n ? state->chosen : 0;

	(void)key;
	if (act != KEYS_MODEL || n <= CASES)
		return false;
	state->chosen = of;
	for (uint32_t i = 1; i < n; i++) {
		state->chosen = (of + i) % n;
		if (!comparison_alike(&model->cases[state->chosen], &model->cases[of]))
			break;
	}
	state->picked = true;
	return true;
}

static const char memory_help[] =
	"#Memory\n"
	"bars\tThe median of the trials' peaks for each model, all on one scale. Before the first "
	"trial has ended, they show the newest run.\n"
	"PSS+kernel\tThe sum of PSS and kernel memory. The answer is about this sum.\n"
	"copied\tIn cow, the memory that the kernel copied because a worker wrote to it after a "
	"fork. It is an amount, not a peak.\n"
	"plot\tOne measure over time, if a run has at least five readings of it. m, or a click on "
	"its bars, chooses another. After the session, the plot shows the run whose peak is "
	"nearest to the median, before that the newest run.\n"
	"gap ?\tNothing was read. tuibench does not read PSS and USS while tasks are created, "
	"because that would slow them down, and a short run may end before it can be read. -s "
	"all-alive=yes keeps the tasks of a tree alive until they have been read.\n"
	"~\tAn estimate, read from only some of the processes. The kernel's slab and other memory "
	"is estimated from idle tasks before the session.\n"
	"≥\tA lower bound, read at the start, or the highest of some readings.\n"
	"≤\tAn upper bound: the peak of the run's cgroup, files included.\n"
	"┄┄┄\tThe peak, if it is above every sample. The kernel keeps the peak of each process. A "
	"sum adds the peaks of several processes, which may have come at different moments.\n"
	"slab ?\tNot known. If page tables and stacks are known, the sum includes only them.\n";

static bool memory_offered(const struct model *model)
{
	return !model_has_latency(model);
}

const struct view_ops view_memory = {
	.number = 3,
	.name = "Memory",
	.brief = "Mem",
	.captions =
		{"Bars are median peaks, a plot one run. A sum of peaks adds each process's "
		 "own, which may come at different moments.",
		 "PSS divides shared pages among processes, RSS (as in top) counts them in each, "
		 "USS in none."},
	.absent = "3 Memory has nothing to compare: in creation, each task ends before the "
		  "next one begins.",
	.help = memory_help,
	.offered = memory_offered,
	.zooms = true,
	.draw = memory_draw,
	.act = memory_act,
};
