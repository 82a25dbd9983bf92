/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "result/report.h"
#include "view_cache.h"

/*
 * The pairs of two cases on a logarithmic axis. Its middle is 1, so 2x and 0.5x are equally far
 * from the middle. The line at 1 is drawn over everything else except the estimate, whose text is
 * beside the line.
 */

/* The scale below the axis has a number at both ends and SAME between them. */
enum { NAMES_W = 26, AXIS_LEAST = 11, NUMBER_W = 6, SCALE_LEAST = 2 * NUMBER_W + 6 };

struct ratio_axis {
	struct canvas *canvas;
	struct rect rect; /* The whole area, including the names beside the axis and the scale. */
	int x, w, y;	  /* Position and width of the axis itself. */
	double bound;	  /* Ratio at the right end. The left end is its inverse. */
	/* The label of both ends: how many times as fast the case on that side is. */
	char ends[16];
	/*
	 * Variables that both cases share, "work=fp workers=2", so that the names beside the axis
	 * need not repeat them. NULL: no such variables.
	 */
	const struct variables *common;
	bool has_pairs;
	bool shared; /* Other comparisons on the same scale are above and below this comparison. */
	const struct model *model;
	struct view_cache *cache;
	const struct model_comparison *comparison;
};

/*
 * The pairs of a comparison. any: there are pairs. bound: the right end of the axis that suits the
 * pairs.
 */
struct pairs_ends {
	bool any;
	double bound;
};

static int ratio_column(const struct ratio_axis *axis, double ratio)
{
	double part = 0.5 + 0.5 * log(ratio) / log(axis->bound);

	return axis->x + (int)lround(fmax(0, fmin(1, part)) * (axis->w - 1));
}

enum pair_mark { PAIR_NONE, PAIR_A, PAIR_B }; /* the faster case of the column's last pair */

static void ratio_find_marks(const void *arg, void *found)
{
	const struct ratio_axis *axis = arg;
	char *marks = found;
	struct pairs pairs;

	pairs_read(&pairs, axis->model, axis->comparison);
	for (size_t i = 0; i < pairs.n; i++) {
		char *mark = &marks[ratio_column(axis, pairs.ratios[i]) - axis->x];

		*mark = PAIR_B;
		if (pairs.ratios[i] < 1)
			*mark = PAIR_A;
	}
	pairs_free(&pairs);
}

static void ratio_draw_pairs(const struct ratio_axis *axis)
{
	const struct view_reading_of of = {.kind = READING_PAIR_MARKS,
					   .a = axis->comparison->a,
					   .b = axis->comparison->b,
					   .metric = axis->comparison->metric,
					   .high = axis->bound,
					   .size = (size_t)axis->w};
	const uint32_t faster[] = {[PAIR_A] = axis->comparison->a, [PAIR_B] = axis->comparison->b};
	const char *marks = view_cache_reading(axis->cache, &of, ratio_find_marks, axis);

	for (int i = 0; marks && i < axis->w; i++)
		if (marks[i])
			canvas_put(axis->canvas, axis->x + i, axis->y, 0x25cb,
				   STYLE(view_hue(axis->model, faster[(int)marks[i]])));
}

/*
 * Draws the interval. The line at 1 crosses all rows except the row of the scale, which has the
 * text SAME there.
 */
static void ratio_draw_interval(const struct ratio_axis *axis)
{
	const struct style bold = STYLE_BOLD(COLOUR_TITLE);
	const struct stats_interval *ratio = &axis->comparison->ratio;
	const double estimate = 1 / ratio->estimate;
	int low = 0, high = -1, middle = axis->x + axis->w / 2, at = 0;
	bool has_estimate = (axis->has_pairs || axis->comparison->verdict == STATS_UNPAIRED) &&
			    !isnan(estimate);
	bool known = !isnan(ratio->low) && !isnan(ratio->high), crossed;
	int apart;

	/* Invert the ends: the comparison is b / a, but the axis shows a / b. */
	if (known) {
		low = ratio_column(axis, 1 / ratio->high);
		high = ratio_column(axis, 1 / ratio->low);
		/*
		 * An interval that excludes 1 must not touch the line at 1. An interval that
		 * includes 1 must be visible on both sides of the line.
		 */
		if (ratio->low > 1)
			high = MIN(high, middle - 1);
		else
			high = MAX(high, middle + 1);
		if (ratio->high < 1)
			low = MAX(low, middle + 1);
		else
			low = MIN(low, middle - 1);
		low = MIN(low, high);
	}
	crossed = known && low <= middle && middle <= high;
	if (known && !crossed)
		apart = 2;
	else
		apart = 1;
	/* The estimate must not cover the line at 1 or an end of the interval. */
	if (has_estimate) {
		at = ratio_column(axis, estimate);
		if (estimate < 1)
			at = MIN(at, middle - apart);
		else if (estimate > 1)
			at = MAX(at, middle + apart);
		at = MAX(axis->x + 1, MIN(at, axis->x + axis->w - 2));
		if (known) {
			low = MIN(low, at - 1);
			high = MAX(high, at + 1);
		}
	}
	canvas_hline(axis->canvas, low, axis->y, high - low + 1, 0x2550, bold);
	ratio_draw_pairs(axis);
	if (high >= low) {
		canvas_put(axis->canvas, low, axis->y, '[', bold);
		canvas_put(axis->canvas, high, axis->y, ']', bold);
	}
	for (int y = axis->rect.y; y < axis->y; y++)
		canvas_put(axis->canvas, middle, y, 0x2502, bold);
	if (crossed)
		canvas_put(axis->canvas, middle, axis->y, 0x256a, bold);
	else
		canvas_put(axis->canvas, middle, axis->y, 0x253c, bold);
	if (has_estimate)
		canvas_put(axis->canvas, at, axis->y, 0x25cf, bold);
}

/*
 * Writes the names of both cases, each in at most `most` columns. Names are shortened, but never
 * left out.
 */
static void ratio_names(const struct ratio_axis *axis, bool brief, int most,
			char names[2][SAMPLE_NAME])
{
	const uint32_t pair[] = {axis->comparison->a, axis->comparison->b};
	const struct model *model = axis->model;

	for (int i = 0; i < 2; i++) {
		const char *name = MODEL_CASE_NAME(model, pair[i]);

		if (brief)
			name = model->cases[pair[i]].model;
		view_fit(model, name, most, names[i], SAMPLE_NAME);
	}
}

/* Writes "threads faster │ processes faster" above the axis, each text on the case's own side. */
static void ratio_draw_above(struct ratio_axis *axis)
{
	const uint32_t cases[] = {axis->comparison->a, axis->comparison->b};
	int half = axis->rect.w / 2;
	char names[2][SAMPLE_NAME];

	axis->y = axis->rect.y + 1;
	ratio_names(axis, axis->common, half - 10, names);
	for (int i = 0; i < 2; i++) {
		char text[2 * SAMPLE_NAME + 8];
		int x = axis->rect.x + i * (half + 1), columns;

		snprintf(text, sizeof(text), "%s faster", names[i]);
		columns = 2 + utf8_columns(text);
		view_mark_name(axis->canvas,
			       RECT(x + MAX(0, half - columns) / 2, axis->rect.y, half, 1),
			       axis->model, cases[i], text);
	}
}

/*
 * Writes the names beside the axis: "● threads ──┼── ■ processes". If there is only one row, also
 * writes "1.20x" at both ends. These texts take room from the axis.
 */
static void ratio_draw_within(struct ratio_axis *axis)
{
	bool numbers = axis->rect.h == 1;
	int least = SCALE_LEAST, most, left, right, w;
	char names[2][SAMPLE_NAME];

	if (numbers)
		least = AXIS_LEAST + 2 * NUMBER_W + 2;
	most = (axis->w - least - 8) / 2;
	ratio_names(axis, axis->common && (!numbers || most < 24), most, names);
	left = 2 + utf8_columns(names[0]);
	right = 2 + utf8_columns(names[1]);
	if (axis->shared) {
		left = MAX(left, MIN(NAMES_W, 2 + most));
		right = MAX(right, MIN(NAMES_W, 2 + most));
	}
	view_mark_name(axis->canvas, RECT(axis->x, axis->y, left, 1), axis->model,
		       axis->comparison->a, names[0]);
	view_mark_name(axis->canvas, RECT(axis->x + axis->w - right, axis->y, right, 1),
		       axis->model, axis->comparison->b, names[1]);
	axis->x += left + 1;
	axis->w -= left + right + 2;
	if (!numbers)
		return;
	w = utf8_columns(axis->ends);
	canvas_text(axis->canvas, axis->x, axis->y, w, DIM, axis->ends);
	canvas_right(axis->canvas, axis->x + axis->w, axis->y, DIM, axis->ends);
	axis->x += w + 1;
	axis->w -= 2 * w + 2;
}

/*
 * Writes the scale below the axis: the ratios at its ends, the variables that both cases share, and
 * the meaning of the signs.
 */
static void ratio_draw_scale(const struct ratio_axis *axis)
{
	int y = axis->y + 1, middle = axis->x + axis->w / 2, right = axis->x + axis->w;
	int x = axis->x + NUMBER_W + 1, end = middle - 2;
	char at[VARIABLES_TEXT + 8] = "", variables[VARIABLES_TEXT];

	canvas_text(axis->canvas, axis->x, y, axis->w, DIM, axis->ends);
	canvas_right(axis->canvas, right, y, DIM, axis->ends);
	canvas_text(axis->canvas, middle - 1, y, 4, STYLE_BOLD(COLOUR_TITLE), "SAME");
	if (axis->common)
		snprintf(at, sizeof(at), "at %s  ",
			 variables_format(axis->common, ' ', variables, sizeof(variables)));
	if (utf8_columns(at) <= end - x)
		x = canvas_text(axis->canvas, x, y, end - x, PLAIN, at);
	if (axis->has_pairs && end - x >= 20)
		canvas_text(axis->canvas, x, y, end - x, DIM, "○ a pair  ● estimate");
	else if (axis->has_pairs && end - x >= 17)
		canvas_text(axis->canvas, x, y, end - x, DIM, "○ pair ● estimate");
	if (axis->w > 64)
		canvas_right(axis->canvas, right - NUMBER_W - 1, y, DIM,
			     "[═] the ratio's interval");
}

/* A comparison, and the model to which it belongs. */
struct pairs_of {
	const struct model *model;
	const struct model_comparison *comparison;
};

static void pairs_find_ends(const void *arg, void *found)
{
	const struct pairs_of *of = arg;
	struct pairs_ends *ends = found;
	struct pairs pairs;

	pairs_read(&pairs, of->model, of->comparison); /* If memory is short, there are no pairs. */
	*ends = (struct pairs_ends) {pairs.n > 0, pairs.bound};
	pairs_free(&pairs);
}

static struct pairs_ends pairs_ends(const struct view_frame *frame,
				    const struct model_comparison *comparison)
{
	const struct pairs_of arg = {frame->model, comparison};
	const struct view_reading_of of = {.kind = READING_PAIRS,
					   .a = comparison->a,
					   .b = comparison->b,
					   .metric = comparison->metric,
					   .size = sizeof(struct pairs_ends)};
	const struct pairs_ends *ends =
		view_cache_reading(frame->cache, &of, pairs_find_ends, &arg);

	if (ends)
		return *ends;
	return (struct pairs_ends) {false, 2};
}

double view_pairs_bound(const struct view_frame *frame, const struct model_comparison *comparison)
{
	return pairs_ends(frame, comparison).bound;
}

void view_pairs_draw(struct canvas *canvas, struct rect rect, const struct view_frame *frame,
		     const struct model_comparison *comparison, double bound)
{
	const struct model *model = frame->model;
	struct ratio_axis axis = {.canvas = canvas,
				  .rect = rect,
				  .x = rect.x,
				  .w = rect.w,
				  .y = rect.y,
				  .model = model,
				  .cache = frame->cache,
				  .comparison = comparison};
	const struct sample_case *a = &model->cases[comparison->a];
	const struct sample_case *b = &model->cases[comparison->b];
	struct pairs_ends ends;
	int digits = 2;

	if (rect.h < 1 || rect.w < 36)
		return;
	ends = pairs_ends(frame, comparison);
	axis.shared = bound > 0;
	axis.bound = fmax(bound, ends.bound);
	axis.has_pairs = ends.any;
	/* Show enough digits to distinguish ratios on both sides of 1. */
	if (axis.bound >= 10)
		digits = 0;
	else if (axis.bound < 1.015)
		digits = 3;
	snprintf(axis.ends, sizeof(axis.ends), "%.*fx", digits, axis.bound);
	if (a->variables.n > 0 && variables_equal(&a->variables, &b->variables) &&
	    strcmp(a->model, b->model) != 0)
		axis.common = &a->variables;
	if (rect.h > 2)
		ratio_draw_above(&axis);
	else
		ratio_draw_within(&axis);
	axis.w -= (axis.w + 1) % 2; /* An odd width has a middle column. */
	canvas_hline(axis.canvas, axis.x, axis.y, axis.w, 0x2500, DIM);
	ratio_draw_interval(&axis);
	if (rect.h > 1)
		ratio_draw_scale(&axis);
}
