/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/units.h"
#include "base/error_line.h"
#include "draw/text.h"
#include "view_cache.h"

struct column {
	struct canvas *canvas;
	const struct model *model;
	const struct view_state *state;
	const struct view_shown *shown;
	struct view_cache *cache;
	uint32_t case_id;
	const struct model_run *run; /* NULL before the first run. */
	bool ended;
	struct view_median median; /* Median in the metric of verdicts. */
	int workers;
	/* There are many workers, so the number of living workers is plotted, by level. */
	bool many;
	/* Width for a worker's share of a core, beside its name; 0: shares are not drawn. */
	int share_w;
	struct layout_column layout;
	struct plot_axis axis;
	uint8_t hue;
	/*
	 * The cases first … end - 1 use the same scales: all cases that are shown, and those with
	 * which they are compared.
	 */
	uint32_t first, end;
};

/*
 * Columns of a box's upper edge that the title cannot use. TITLE_EDGES: corners and blanks.
 * TITLE_REST: corners, blanks and seven columns for the time.
 */
enum { TITLE_REST = 16, TITLE_EDGES = 9 };

int64_t view_held_ns(const struct model *model, const struct model_run *run)
{
	if (!model_ended(model, run) || run->totals.held_ns < MAX(1, model_length(model, run) / 50))
		return 0;
	return run->totals.held_ns;
}

/*
 * Writes the run's time. The time axis also covers the pauses in which memory was read, but the
 * run's time does not: "29.9 ms + 118 ms reading memory". Uses fewer words if there is less room.
 * Writes "" if there is no run. Returns false if the pauses do not fit.
 */
static bool column_took(const struct column *c, int width, char *buf, size_t size)
{
	const char *took;
	int64_t held_ns;

	buf[0] = '\0';
	if (!c->run)
		return true;
	held_ns = view_held_ns(c->model, c->run);
	took = UNITS_TIME(model_elapsed(c->model, c->run), false);
	snprintf(buf, size, "%s", took);
	if (held_ns == 0)
		return true;
	snprintf(buf, size, "%s + %s reading memory", took, UNITS_TIME(held_ns, false));
	if (utf8_columns(buf) > width)
		snprintf(buf, size, "%s + %s held", took, UNITS_TIME(held_ns, false));
	if (utf8_columns(buf) > width)
		snprintf(buf, size, "%s + held", took);
	if (utf8_columns(buf) <= width)
		return true;
	snprintf(buf, size, "%s", took);
	return false;
}

static struct column column_begin(const struct view_frame *frame, uint32_t case_id)
{
	const struct model_run *run = model_latest(frame->model, case_id);

	return (struct column) {.canvas = frame->canvas,
				.model = frame->model,
				.state = frame->state,
				.shown = frame->shown,
				.cache = frame->cache,
				.case_id = case_id,
				.run = run,
				.ended = run && model_ended(frame->model, run),
				.median = view_cache_median(frame->cache, frame->whole, case_id),
				.hue = view_hue(frame->model, case_id)};
}

/*
 * Writes the median and its name. If the title has too little room, writes only the median. Writes
 * "" as long as there are too few trials. name_w: width of the case's name and of the box's
 * corners.
 */
static void column_median(const struct column *c, struct rect box, int name_w, char *buf,
			  size_t size)
{
	const enum model_metric metric = view_headline(c->model);
	const char *figure = METRIC_TEXT(metric, c->median.value), *label = metric_brief(metric);

	buf[0] = '\0';
	if (c->median.trials <= 1 || isnan(c->median.value))
		return;
	if (metric == METRIC_SURVIVED) {
		label = " survived";
		if (box.w < LAYOUT_COLUMN_W)
			label = "";
		snprintf(buf, size, "%.0f of %u%s", c->median.value, c->median.workers, label);
		return;
	}
	if (metric == METRIC_ELAPSED)
		label = "median";
	snprintf(buf, size, "%s %s", label, figure);
	if (name_w + utf8_columns(buf) > box.w)
		snprintf(buf, size, "%s", figure);
}

/*
 * Draws a column's title. The case's name has the width that the widest time leaves, so it does not
 * move while the time grows. Once two trials count, the case's median is at the right, and the
 * newest run's time, dim, is beside the name.
 */
void view_column_title(const struct view_frame *frame, struct rect box, uint32_t case_id)
{
	const struct column c = column_begin(frame, case_id);
	char name[SAMPLE_NAME + 8], full[SAMPLE_NAME], fit[SAMPLE_NAME],
		trial[32] = "", place[32] = "", took[64], newest[112], median[96];
	struct style border = STYLE(COLOUR_BORDER);
	const char *figure;
	int x, width;

	if (c.run && c.run->id.trial)
		snprintf(trial, sizeof(trial), "trial %u ", c.run->id.trial);
	else if (c.run)
		snprintf(trial, sizeof(trial), "warm-up ");
	if (c.shown->most_column > 0) /* Not all cases are shown. */
		snprintf(place, sizeof(place), "← %u of %u → ", c.case_id + 1, c.model->n_cases);
	model_case_name(c.model, c.case_id, full, sizeof(full));
	column_median(&c, box, 2 + utf8_columns(full) + TITLE_EDGES, median, sizeof(median));
	width = box.w - MAX(TITLE_REST, utf8_columns(median) + TITLE_EDGES);
	view_fit(c.model, full, width - 2, fit, sizeof(fit));
	snprintf(name, sizeof(name), "%s %s",
		 utf8_put(view_shape(c.model, c.case_id), (char[UTF8_BYTES]) {0}), fit);
	width = box.w - utf8_columns(name) - TITLE_EDGES;
	if (*median)
		width -= utf8_columns(median) + utf8_columns(trial) + utf8_columns(place) + 2;
	/* The trial's number is dropped first, because the top line shows it too. */
	if (!column_took(&c, width, took, sizeof(took)) && *median &&
	    column_took(&c, width + utf8_columns(trial) + 1, took, sizeof(took)))
		snprintf(newest, sizeof(newest), "%s ", took);
	else if (*median && *trial)
		snprintf(newest, sizeof(newest), "%.*s: %s ", (int)strlen(trial) - 1, trial, took);
	else
		snprintf(newest, sizeof(newest), "%s", trial);
	figure = sentence_text(median, took);
	if (c.run && !c.ended)
		border = STYLE(c.hue);
	canvas_box(c.canvas, box, border, name, STYLE_BOLD(c.hue), figure);
	x = box.x + 4 + utf8_columns(name);
	width = box.x + box.w - utf8_columns(figure) - 5 - x;
	if (utf8_columns(place) > width)
		snprintf(place, sizeof(place), "←%u/%u→", c.case_id + 1, c.model->n_cases);
	if (utf8_columns(place) > width || c.shown->most_column == 0)
		place[0] = '\0';
	if (utf8_columns(place) + utf8_columns(newest) <= width)
		x = canvas_text(c.canvas, x, box.y, -1, DIM, newest);
	canvas_text(c.canvas, x, box.y, -1, DIM, place);
}

/*
 * The number of rows that show a worker. If there are more workers, the last row says how many are
 * hidden.
 */
static int column_shown(const struct column *c)
{
	int h = c->layout.rows.h;

	if (c->workers <= h)
		return c->workers;
	if (h > 0)
		return h - 1;
	return 0;
}

static void column_name(const struct column *c, uint32_t index, int y, uint8_t colour)
{
	const struct plan *plan = &c->model->cases[c->case_id].plan;
	int w = c->layout.left - 1;
	char name[64];

	if (c->run)
		w -= c->share_w;
	canvas_text(c->canvas, c->layout.rows.x, y, w, STYLE(colour),
		    plan_name(plan, index, name, sizeof(name)));
}

/* Draws a worker's name, bar and time. */
static void column_worker(const struct column *c, uint32_t index, int y)
{
	const struct plan *plan = &c->model->cases[c->case_id].plan;
	const struct sample_worker worker = model_worker(c->model, c->run, index);
	const int right = c->axis.x + c->axis.w + c->layout.right;
	struct view_bar bar = {.canvas = c->canvas,
			       .axis = &c->axis,
			       .y = y,
			       .until_ns = model_length(c->model, c->run),
			       .model = c->model,
			       .run = c->run,
			       .cache = c->cache,
			       .worker = index};
	const bool bad = view_bar_bad(&worker);
	struct plan_node node;

	if (bad)
		column_name(c, index, y, COLOUR_BAD);
	else
		column_name(c, index, y, COLOUR_DEFAULT);
	plan_node(plan, index, &node);
	bar.barrier = plan->barrier && !node.children;
	view_bar_worker(&bar, &worker, node.work);
	if (c->share_w > 0)
		view_lane_share(&bar, c->axis.x - 1, DIM);
	if (bad)
		return;
	if (worker.start_ns < 0)
		canvas_right(c->canvas, right, y, DIM, "–");
	else if (worker.finish_ns < 0)
		canvas_right(
			c->canvas, right, y, DIM,
			UNITS_TIME(model_between(c->run, worker.start_ns, bar.until_ns), false));
	else
		canvas_right(c->canvas, right, y, PLAIN,
			     UNITS_TIME(model_between(c->run, worker.start_ns, worker.finish_ns),
					false));
}

static void column_rows(const struct column *c)
{
	const struct rect rows = c->layout.rows;
	const int n = c->workers, shown = column_shown(c);
	int first = 0;

	plot_grid(c->canvas, &c->axis, rows.y, rows.h);
	if (c->run && c->run->workers.gone) {
		canvas_text(c->canvas, c->axis.x, rows.y, c->axis.w, DIM,
			    view_list_waits(c->state, c->run));
		return;
	}
	if (c->run)
		first = MIN(c->state->scroll, n - shown);
	for (int i = 0; i < shown; i++)
		if (c->run)
			column_worker(c, (uint32_t)(first + i), rows.y + i);
		else
			column_name(c, (uint32_t)i, rows.y + i, COLOUR_DIM);
	if (c->run && shown < n && rows.h > 0)
		view_rows_hidden(c->canvas, RECT(c->axis.x, rows.y + rows.h - 1, c->axis.w, 1),
				 first, n - first - shown);
}

static void column_plot(const struct column *c, struct rect rect, const double *y, double top,
			const char *label, const char *scale, const char *figure)
{
	struct rect plot = {c->axis.x, rect.y, c->axis.w, rect.h};

	if (rect.h < 1)
		return;
	plot_grid(c->canvas, &c->axis, rect.y, rect.h);
	plot_area(c->canvas, plot, y, top, STYLE(c->hue));
	view_plot_labels(c->canvas, rect, plot, c->layout.right, label, scale, figure);
}

/* A run's memory so far, KiB; NaN if it is not known. */
static double column_memory_of(const struct model *model, const struct model_run *run,
			       enum model_metric which)
{
	double peak = NAN;

	if (model_ended(model, run))
		peak = metric_kib(&run->totals.memory, which);
	if (!isnan(peak))
		return peak;
	for (size_t i = 0; i < run->n_points; i++)
		if (run->points[i].time_ns <= model->now_ns)
			peak = fmax(peak, metric_kib(&run->points[i].memory, which));
	return peak;
}

/* The largest memory of the first `runs` runs. */
struct column_most {
	size_t runs;
	double kib;
};

static void column_add_runs(const struct column *c, enum model_metric which, size_t end,
			    struct column_most *most)
{
	for (; most->runs < end; most->runs++) {
		const struct model_run *run = &c->model->runs[most->runs];

		if (run->id.case_id >= c->first && run->id.case_id < c->end)
			most->kib = fmax(most->kib, column_memory_of(c->model, run, which));
	}
}

/*
 * The smallest round size, in KiB, that is at least the memory so far of every run of the cases
 * that share the scale.
 */
static int64_t column_memory_top(const struct column *c, enum model_metric which)
{
	/* Columns may show different times, so each has its own reading. */
	const struct view_reading_of of = {.kind = READING_MEMORY,
					   .a = c->case_id,
					   .b = c->end,
					   .metric = which,
					   .low = c->first,
					   .size = sizeof(struct column_most)};
	const size_t ended = model_runs_ended(c->model);
	struct column_most *kept = view_cache_reading(c->cache, &of, NULL, NULL), most = {0};

	if (kept && kept->runs > ended)
		*kept = most;
	if (kept)
		column_add_runs(c, which, ended, kept);
	if (kept)
		most = *kept;
	column_add_runs(c, which, model_runs_begun(c->model), &most);
	return plot_nice_kib(llround(most.kib));
}

static void column_memory(const struct column *c, struct rect rect, enum model_metric which)
{
	enum reason unknown;
	struct sample_memory memory;
	double y[PLOT_DOTS];
	int64_t top;

	if (!c->run) {
		for (int i = 0; i < PLOT_DOTS; i++)
			y[i] = NAN;
		column_plot(c, rect, y, 1, metric_brief(which), "", "–");
		return;
	}
	unknown = view_memory_unknown(c->model, c->run, which);
	memory = view_memory_of(c->model, c->run);
	/* Both plots of all columns have the same scale, because they are drawn side by side. */
	top = MAX(column_memory_top(c, view_measure(c->state)),
		  column_memory_top(c, METRIC_KERNEL));
	view_series(c->model, c->run, &c->axis, which, y);
	column_plot(c, rect, y, (double)top, metric_brief(which), UNITS_KIB(top),
		    VIEW_MEMORY_FIGURE(&memory, which));
	if (unknown && rect.h > 0) {
		const char *whole = reason_sentence(unknown);
		const char *text = reason_brief(unknown);

		if (utf8_columns(whole) <= c->axis.w)
			text = whole;

		canvas_text(c->canvas, c->axis.x + (c->axis.w - utf8_columns(text)) / 2,
			    rect.y + rect.h / 2, c->axis.w, DIM, text);
	}
}

/*
 * Draws item i of the totals. The box's width decides how many items share a line. Items below the
 * box are omitted.
 */
static void column_item(const struct column *c, int i, const char *label, const char *figure)
{
	struct rect rect = c->layout.totals;
	int across = 1, gap = 2, x, y, right, end;

	if (rect.w >= 50)
		across = 3;
	else if (rect.w >= 34)
		across = 2;
	if (i / across >= rect.h)
		return;
	x = rect.x + (rect.w + gap) * (i % across) / across;
	y = rect.y + i / across;
	right = rect.x + (rect.w + gap) * (i % across + 1) / across - gap;
	end = canvas_right(c->canvas, right, y, PLAIN, figure);
	canvas_text(c->canvas, x, y, end - x - 1, DIM, label);
}

static void column_totals(const struct column *c)
{
	enum model_metric totals[METRICS];
	const size_t n_totals = metric_places(offsetof(struct metric, total), totals);
	int n = 0;

	if (c->many) {
		struct model_counts counts = {0};

		if (c->run)
			counts = model_counts(c->model, c->run);
		column_item(c, n++, "created", UNITS_COUNT(counts.created));
		column_item(c, n++, "joined", UNITS_COUNT(counts.joined));
		column_item(c, n++, "alive", UNITS_COUNT(counts.alive));
	}
	for (size_t i = 0; i < n_totals; i++) {
		/*
		 * The totals are known only at the end of the run. Until then, the first figure
		 * says so.
		 */
		const char *label = metric_brief(totals[i]);

		if (c->ended)
			column_item(c, n++, label,
				    METRIC_TEXT(totals[i], metric_value(c->run, totals[i])));
		else if (i == 0)
			column_item(c, n++, label, "at the end");
		else
			column_item(c, n++, label, "–");
	}
}

static void column_body(const struct column *c, struct rect box)
{
	int edge = box.y + box.h - 1;
	double y[PLOT_DOTS], top = view_alive_top(c->model, c->first, c->end, false);
	const char *waits = view_list_waits(c->state, NULL), *newest = "newest";
	char why[sizeof(c->run->totals.reason) + 32];

	if (c->layout.axis.h > 0)
		plot_time_labels(c->canvas, &c->axis, c->layout.axis.y, DIM);
	if (c->layout.left > 10)
		newest = "newest run";
	/* The title has medians, so say that the plot shows the newest run. */
	if (c->layout.axis.h > 0 && c->median.trials > 1)
		canvas_text(c->canvas, c->layout.axis.x, c->layout.axis.y, c->layout.left - 1, DIM,
			    newest);
	column_totals(c);
	/*
	 * The reason is on the box's lower edge, so that the rows of all columns are at the same
	 * height.
	 */
	if (c->ended && c->run->totals.status != SAMPLE_OK && box.h >= 2) {
		snprintf(why, sizeof(why), " %s: %s ", sample_status_name(c->run->totals.status),
			 c->run->totals.reason);
		text_draw(c->canvas, RECT(box.x + 3, edge, box.w - 6, 1), STYLE_BOLD(COLOUR_BAD),
			  why);
	} else if (c->run && box.h >= 2) {
		view_lanes_edge(c->canvas, box, c->model, c->run, box.x + 2, true);
	}
	if (c->run && c->layout.alive.h > 0) {
		view_series(c->model, c->run, &c->axis, METRICS, y);
		column_plot(c, c->layout.alive, y, top, "alive", UNITS_COUNT((int64_t)top),
			    UNITS_COUNT(view_alive_peak(c->model, c->run, false)));
	}
	column_rows(c);
	column_memory(c, c->layout.memory, view_measure(c->state));
	column_memory(c, c->layout.kernel, METRIC_KERNEL);
	if (c->run)
		return;
	/* Draw everything before the run begins, so that nothing moves when the run begins. */
	if (utf8_columns(waits) > c->axis.w)
		waits = "waits";
	canvas_text(c->canvas, c->axis.x + (c->axis.w - utf8_columns(waits)) / 2,
		    c->layout.rows.y + c->layout.rows.h / 2, c->axis.w, PLAIN, waits);
}

int view_column_draw(const struct view_frame *frame, struct rect box, uint32_t case_id)
{
	const struct plan *plan = &frame->model->cases[case_id].plan;
	const struct tree_rows *tree = view_folds_tree(frame->state->folds, case_id);
	struct column c = column_begin(frame, case_id);
	struct layout_need need;

	c.workers = (int)plan_count(plan);
	c.many = plan->levels > 1;
	need = (struct layout_need) {
		.workers = c.workers,
		.many = c.many,
		.kernel = view_measure(c.state) != METRIC_KERNEL,
	};
	c.layout = layout_column(box, &need);
	/* Shares are drawn beside the names if the box is wide enough. */
	if (box.w < LAYOUT_COLUMN_W)
		c.share_w = 0;
	else
		c.share_w = view_lanes_share_w(c.model);
	c.layout.left = MAX(c.layout.left, MIN(tree->name_w, 10) + c.share_w);
	view_group(c.model, c.shown->last_case, &c.first, &c.end);
	view_group(c.model, c.shown->first_case, &c.first, &(uint32_t) {0});
	c.axis = view_axis(c.model, c.state, c.first, c.end, c.layout.axis.x + c.layout.left,
			   MIN(c.layout.axis.w - c.layout.left - c.layout.right, DENSITY_CELLS));
	view_column_title(frame, box, case_id);
	if (c.axis.w > 0)
		column_body(&c, box);
	return c.workers - column_shown(&c);
}
