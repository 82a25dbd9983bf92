/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "stats/stats.h"
#include "view_race.h"

/* The runs of the race: a mark for each run, on one axis. */

#define RUNS_APART 1.1 /* Smallest ratio of the ends of the axis of runs. */
/*
 * If most runs would have less than a third of the axis of runs, the axis ends before the far runs:
 * runs above the third quartile by more than three times the distance of the quartiles (Tukey's
 * outer fence).
 */
#define RUNS_SHARE 3
#define RUNS_FENCE 3
/*
 * The ends of the axis are multiples of a round step. RUNS_STEPS: largest number of steps in the
 * span of the runs.
 */
#define RUNS_STEPS 10

/* The ends of an axis on which most runs can be distinguished. */
struct runs_ends {
	double least, most; /* most: 0 if there is no run. */
	/*
	 * The axis is not widened for runs above this value. INFINITY: it is widened for all runs.
	 */
	double far;
};

/* All runs of the race. */
struct runs {
	const struct race *race;
	const struct model *model;
	enum model_metric metric;
	/* The ends of the axis. It may be the axis of the lanes. */
	double low, high;
	bool on_lanes;
};

/* Columns of " every run". */
enum { RUNS_NAME_W = 10 };

/*
 * RUNS_READ: largest number of values from which quartiles are computed; they are spread evenly
 * over all runs. RUNS_FEWEST: smallest number of values for quartiles.
 */
enum { RUNS_READ = 512, RUNS_FEWEST = 6 };

/* Reads the values of a case's runs. Returns the number of values. */
static size_t runs_read(const struct runs *runs, uint32_t case_id, double read[RUNS_READ + 1])
{
	struct model_values values = model_values(runs->model, case_id, runs->metric);
	const size_t step = 1 + values.n / RUNS_READ;
	const struct model_value *value;
	size_t n = 0;

	for (size_t i = 0; (value = model_values_next(&values)); i++)
		if (i % step == 0 && n <= RUNS_READ && !isnan(value->value))
			read[n++] = value->value;
	return n;
}

/* Returns the value above which runs of the case are far, or INFINITY if there are too few runs. */
static double runs_fence(const struct runs *runs, uint32_t case_id)
{
	double read[RUNS_READ + 1], low, high;
	const size_t n = runs_read(runs, case_id, read);

	if (n < RUNS_FEWEST)
		return INFINITY;
	low = stats_select(read, n, .25);
	high = stats_select(read, n, .75);
	return high + RUNS_FENCE * (high - low);
}

static struct runs runs_of(const struct race *race, const struct model *model)
{
	struct runs runs = {.race = race, .model = model, .metric = METRIC_ELAPSED};

	/*
	 * With the setting "for", all programs end after the same time, so compare their CPU time.
	 */
	if (view_headline(race->model) == METRIC_CPU)
		runs.metric = METRIC_CPU;
	return runs;
}

static void runs_find_ends(const void *arg, void *found)
{
	const struct runs *runs = arg;
	const struct race *race = runs->race;
	struct runs_ends *ends = found;
	const struct model_value *value;
	double fence = 0, bulk = 0;

	*ends = (struct runs_ends) {.least = INFINITY, .far = INFINITY};
	for (int i = 0; i < race->layout.compared; i++)
		fence = fmax(fence, runs_fence(runs, race->compared + (uint32_t)i));
	for (int i = 0; i < race->layout.compared; i++) {
		struct model_values values =
			model_values(runs->model, race->compared + (uint32_t)i, runs->metric);

		while ((value = model_values_next(&values))) {
			/* A NaN is ignored, because fmin() and fmax() return the other argument. */
			ends->least = fmin(ends->least, value->value);
			ends->most = fmax(ends->most, value->value);
			if (value->value <= fence)
				bulk = fmax(bulk, value->value);
		}
	}
	if (ends->most - ends->least > RUNS_SHARE * (bulk - ends->least))
		ends->far = fence;
	if (isfinite(ends->far))
		ends->most = bulk;
}

/*
 * Widens the axis of all runs. Its ends are round numbers, so that marks do not jump at each
 * shorter or longer run. The axis becomes shorter only if the runs cover less than a third of it.
 */
static void runs_axis_grow(struct view_cache *cache, const struct runs_ends *runs)
{
	const double span = fmax(runs->most - runs->least, runs->least * (RUNS_APART - 1));
	const double step = plot_step(span, RUNS_STEPS);
	const double low = floor(runs->least / step) * step;
	const double high = fmax(ceil(runs->most / step) * step, low + step);

	if (cache->runs_high - cache->runs_low > RUNS_SHARE * (high - low))
		cache->runs_high = 0;
	if (cache->runs_high <= 0)
		cache->runs_low = low;
	cache->runs_low = fmin(cache->runs_low, low);
	cache->runs_high = fmax(cache->runs_high, high);
}

/* A case, and the axis of its runs. */
struct runs_row {
	const struct runs *runs;
	uint32_t case_id;
	double low, high, scale;
	int w;
};

/* A case's runs beyond the axis. most: the greatest value. n: their number. */
struct runs_far {
	double most;
	int n;
};

static void runs_find_far(const void *arg, void *found)
{
	const struct runs_row *row = arg;
	struct model_values values =
		model_values(row->runs->model, row->case_id, row->runs->metric);
	const struct model_value *value;
	struct runs_far *far = found;

	while ((value = model_values_next(&values))) {
		far->n += value->value > row->high;
		far->most = fmax(far->most, value->value);
	}
}

/* Writes how many runs of a case are beyond the axis: "2 up to 260 ms →". */
static void runs_name_far(const struct runs *runs, uint32_t case_id, char *text, size_t size)
{
	struct view_cache *cache = runs->race->frame->cache;
	const struct runs_row row = {.runs = runs, .case_id = case_id, .high = runs->high};
	const struct view_reading_of of = {.kind = READING_RUNS_FAR,
					   .a = case_id,
					   .metric = runs->metric,
					   .high = row.high,
					   .size = sizeof(struct runs_far)};
	const struct runs_far *far = view_cache_reading(cache, &of, runs_find_far, &row);

	*text = '\0';
	if (far && far->n > 0)
		snprintf(text, size, "%d %s %s →", far->n, far->n == 1 ? "at" : "up to",
			 METRIC_TEXT(runs->metric, far->most));
}

/*
 * Chooses the axis. If the times of programs' runs are far apart, they are drawn on the axis of the
 * lanes above them: their own axis would nearly agree with it, and readers would take both for the
 * same axis.
 */
static void runs_choose_axis(struct runs *runs, const struct runs_ends *ends)
{
	const struct race *race = runs->race;
	const struct view_cache *cache = race->frame->cache;
	const struct plot_axis *lanes = &race->axis;
	const bool programs = race->model->cases[race->compared].plan.leaves[WORK_PROGRAM] > 0;

	runs->low = cache->runs_low;
	runs->high = cache->runs_high;
	runs->on_lanes = programs && race->layout.n > 0 && runs->metric == METRIC_ELAPSED &&
			 ends->least <= ends->most / 2 && lanes->from_ns == 0 &&
			 ends->most < (double)lanes->to_ns;
	if (!runs->on_lanes)
		return;
	runs->low = 0;
	runs->high = (double)lanes->to_ns;
}

/* The column of a value on the axis; -1 if it is beyond the axis. */
static int runs_column(const struct runs_row *row, double value)
{
	const double column = (value - row->low) * row->scale;

	if (!(value <= row->high) || !(column >= 0) || column >= row->w)
		return -1;
	return (int)column;
}

enum runs_mark { RUNS_NONE, RUNS_RUN, RUNS_MEDIAN };

static void runs_find_marks(const void *arg, void *found)
{
	const struct runs_row *row = arg;
	struct model_values values =
		model_values(row->runs->model, row->case_id, row->runs->metric);
	const struct model_value *value;
	double read[RUNS_READ + 1];
	const size_t n = runs_read(row->runs, row->case_id, read);
	char *marks = found;
	int column;

	while ((value = model_values_next(&values))) {
		column = runs_column(row, value->value);
		if (column >= 0)
			marks[column] = RUNS_RUN;
	}
	if (n == 0)
		return;
	column = runs_column(row, stats_select(read, n, .5));
	if (column >= 0)
		marks[column] = RUNS_MEDIAN;
}

/*
 * Draws the runs of a case: a dot in an empty cell, ○ for a run, and the model's mark at the
 * median.
 */
static void runs_draw(const struct runs *runs, struct rect axis, uint32_t case_id)
{
	const struct race *race = runs->race;
	const double scale = (axis.w - !runs->on_lanes) / fmax(1, runs->high - runs->low);
	const struct style hue = STYLE(view_hue(race->model, case_id));
	const struct view_median median =
		view_cache_median(race->frame->cache, race->model, case_id);
	const struct runs_row row = {runs, case_id, runs->low, runs->high, scale, axis.w};
	const struct view_reading_of of = {.kind = READING_RUN_MARKS,
					   .a = case_id,
					   .metric = runs->metric,
					   .low = row.low,
					   .high = row.high,
					   .size = (size_t)axis.w};
	const char *marks = view_cache_reading(race->frame->cache, &of, runs_find_marks, &row);
	int at = -1;

	canvas_put(race->canvas, MAX(axis.x - 2, race->layout.runs.x + RUNS_NAME_W), axis.y,
		   view_shape(race->model, case_id), STYLE_BOLD(hue.fg));
	canvas_hline(race->canvas, axis.x, axis.y, axis.w, 0xb7, STYLE(COLOUR_BORDER));
	for (int i = 0; marks && i < axis.w; i++)
		if (marks[i])
			canvas_put(race->canvas, axis.x + i, axis.y, 0x25cb, hue);
	if (median.trials == 0)
		return;
	if (view_headline(race->model) == runs->metric) {
		at = runs_column(&row, median.value);
	} else {
		const char *found = marks ? memchr(marks, RUNS_MEDIAN, (size_t)axis.w) : NULL;

		if (found)
			at = (int)(found - marks);
	}
	if (at >= 0)
		canvas_put(race->canvas, axis.x + at, axis.y, view_shape(race->model, case_id),
			   STYLE_BOLD(COLOUR_TITLE));
}

void view_race_draw_runs(const struct race *race)
{
	const struct rect rect = race->layout.runs;
	struct view_cache *cache = race->frame->cache;
	/* Take the runs as of the same moment as the medians and the number of trials. */
	const struct model counted =
		model_as_of(race->model, MIN(cache->as_of_ns, race->model->now_ns));
	struct runs runs = runs_of(race, &counted);
	const struct view_reading_of of = {.kind = READING_RUNS,
					   .a = race->compared,
					   .b = (uint32_t)race->layout.compared,
					   .metric = runs.metric,
					   .size = sizeof(struct runs_ends)};
	const struct runs_ends *found = view_cache_reading(cache, &of, runs_find_ends, &runs);
	char ends[2][64] = {""}, far[LAYOUT_COLUMNS][64];
	const char *low, *high;
	struct rect axis;
	int end = rect.x + rect.w, far_w = 0, ends_w = 0;

	if (rect.h < 1)
		return;
	canvas_text(race->canvas, rect.x + 1, rect.y, race->layout.left - 2, DIM, "every run");
	if (!found || found->most <= 0)
		return;
	runs_axis_grow(cache, found);
	runs_choose_axis(&runs, found);
	for (int i = 0; i < race->layout.compared; i++) {
		runs_name_far(&runs, race->compared + (uint32_t)i, far[i], sizeof(far[i]));
		far_w = MAX(far_w, utf8_columns(far[i]));
	}
	for (int i = 0; i < race->layout.compared; i++)
		canvas_text(race->canvas, end - far_w, rect.y + i, far_w,
			    STYLE(view_hue(race->model, race->compared + (uint32_t)i)), far[i]);
	if (far_w > 0)
		end -= far_w + 2;
	/* Each row has its model's mark before the runs, and the ends of the axis after them. */
	low = runs.low > 0 ? METRIC_TEXT(runs.metric, runs.low) : "0";
	high = METRIC_TEXT(runs.metric, runs.high);
	if (runs.on_lanes) {
		*ends[0] = '\0';
	} else if (rect.h > 1) {
		/* One sentence, because an end of the axis would be read as that of its row. */
		snprintf(ends[0], sizeof(ends[0]), "the axis is");
		snprintf(ends[1], sizeof(ends[1]), "%s to %s", low, high);
	} else {
		snprintf(ends[0], sizeof(ends[0]), "%s to %s", low, high);
	}
	for (int i = 0; i < MIN(rect.h, 2) && !runs.on_lanes; i++) {
		canvas_right(race->canvas, end, rect.y + i, DIM, ends[i]);
		ends_w = MAX(ends_w, utf8_columns(ends[i]));
	}
	end -= ends_w;
	axis = RECT(race->axis.x + 2, rect.y, end - 1 - race->axis.x - 2, 1);
	if (runs.on_lanes)
		axis = RECT(race->axis.x, rect.y, MIN(race->axis.w, end - race->axis.x), 1);
	if (axis.w < 2)
		return;
	for (int i = 0; i < race->layout.compared; i++, axis.y++)
		runs_draw(&runs, axis, race->compared + (uint32_t)i);
}
