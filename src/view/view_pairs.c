/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "draw/text.h"
#include "result/report.h"

/*
 * The pairs of two cases on a logarithmic axis that has 1 in its middle: twice and half lie equally
 * far out. The line at 1 is drawn last, over everything.
 */

/* The scale below the axis has a number at both ends and SAME between them. */
enum { AXIS_LEAST = 11, NUMBER_W = 6, SCALE_LEAST = 2 * NUMBER_W + 6 };

struct ratio_axis {
	struct canvas *canvas;
	struct rect rect; /* all of it, with the ends' names and the scale */
	int x, w, y;	  /* the axis itself */
	double bound;	  /* right end; the left one is its inverse */
	const struct model *model;
	const struct model_comparison *comparison;
};

static int ratio_column(const struct ratio_axis *axis, double ratio)
{
	double part = 0.5 + 0.5 * log(ratio) / log(axis->bound);

	return axis->x + (int)lround(fmax(0, fmin(1, part)) * (axis->w - 1));
}

static int ratio_middle(const struct ratio_axis *axis)
{
	return axis->x + axis->w / 2;
}

/* The columns of the interval: the comparison is b / a, the axis a / b. False: there is none. */
static bool ratio_interval(const struct ratio_axis *axis, int *low, int *high)
{
	const struct stats_interval *ratio = &axis->comparison->ratio;

	if (isnan(ratio->low) || isnan(ratio->high))
		return false;
	*low = ratio_column(axis, 1 / ratio->high);
	*high = ratio_column(axis, 1 / ratio->low);
	/* What leaves 1 out never touches its line, and what does not is seen on both sides. */
	*high = ratio->low > 1 ? MIN(*high, ratio_middle(axis) - 1)
			       : MAX(*high, ratio_middle(axis) + 1);
	*low = ratio->high < 1 ? MAX(*low, ratio_middle(axis) + 1)
			       : MIN(*low, ratio_middle(axis) - 1);
	*low = MIN(*low, *high);
	return true;
}

static void draw_interval(const struct ratio_axis *axis)
{
	struct style style = STYLE_BOLD(COLOUR_TITLE);
	int low, high;

	if (!ratio_interval(axis, &low, &high))
		return;
	canvas_hline(axis->canvas, low, axis->y, high - low + 1, 0x2550, style);
	canvas_put(axis->canvas, low, axis->y, '[', style);
	canvas_put(axis->canvas, high, axis->y, ']', style);
}

/* Through all rows but that of the scale, where the word for it stands. */
static void draw_one(const struct ratio_axis *axis)
{
	int low, high, x = ratio_middle(axis);
	bool crossed = ratio_interval(axis, &low, &high) && low <= x && x <= high;

	for (int y = axis->rect.y; y < axis->y; y++)
		canvas_put(axis->canvas, x, y, 0x2502, STYLE_BOLD(COLOUR_TITLE));
	canvas_put(axis->canvas, x, axis->y, crossed ? 0x256a : 0x253c, STYLE_BOLD(COLOUR_TITLE));
}

/* The scale */

/* "work=fp workers=2" where both have it, and need not say it at both ends; NULL. */
static const struct variables *common_of(const struct ratio_axis *axis)
{
	const struct sample_case *a = &axis->model->cases[axis->comparison->a];
	const struct sample_case *b = &axis->model->cases[axis->comparison->b];
	bool same = a->variables.n > 0 && variables_equal(&a->variables, &b->variables);

	return same && strcmp(a->model, b->model) != 0 ? &a->variables : NULL;
}

/* "at work=fp workers=2  ○ a pair  ● estimate", as much of it as there is room for. */
static void draw_key(const struct ratio_axis *axis, int x, int w)
{
	const struct variables *common = common_of(axis);
	char at[VARIABLES_TEXT + 8] = "", variables[VARIABLES_TEXT];
	int y = axis->y + 1, end = x + w;

	if (common)
		snprintf(at, sizeof(at), "at %s  ",
			 variables_format(common, ' ', variables, sizeof(variables)));
	if (utf8_columns(at) <= w)
		x = canvas_text(axis->canvas, x, y, w, STYLE(COLOUR_DEFAULT), at);
	if (end - x >= 17)
		canvas_text(axis->canvas, x, y, end - x, STYLE(COLOUR_DIM),
			    end - x >= 20 ? "○ a pair  ● estimate" : "○ pair ● estimate");
}

/* How many times as fast the one is at its own end, on either side: no ratio runs backwards. */
static char *format_end(const struct ratio_axis *axis, char *buf, size_t size)
{
	int decimals = axis->bound < 1.015 ? 3 : 2;

	snprintf(buf, size, "%.*fx", axis->bound < 10 ? decimals : 0, axis->bound);
	return buf;
}

/* The names at both ends */

struct ends {
	char left[SAMPLE_NAME], right[SAMPLE_NAME];
};

/* Each in at most so many columns: shortened, never left out. */
static void make_ends(const struct ratio_axis *axis, bool brief, int most, struct ends *ends)
{
	uint32_t a = axis->comparison->a, b = axis->comparison->b;
	const struct sample_case *cases = axis->model->cases;

	text_fit_two(ends->left, ends->right, sizeof(ends->left),
		     brief ? cases[a].model : MODEL_CASE_NAME(axis->model, a),
		     brief ? cases[b].model : MODEL_CASE_NAME(axis->model, b), most);
}

static void draw_half(const struct ratio_axis *axis, int x, int w, uint32_t case_id,
		      const char *name)
{
	char text[SAMPLE_NAME + 8];
	int columns;

	snprintf(text, sizeof(text), "%s faster", name);
	columns = 2 + utf8_columns(text);
	view_mark_name(axis->canvas,
		       (struct rect) {x + MAX(0, w - columns) / 2, axis->rect.y, w, 1}, axis->model,
		       case_id, text);
}

/* "threads faster │ processes faster" above the axis, each in its half. */
static void draw_above(struct ratio_axis *axis)
{
	int half = axis->rect.w / 2;
	struct ends ends;

	axis->y = axis->rect.y + 1;
	make_ends(axis, common_of(axis) != NULL, half - 10, &ends);
	draw_half(axis, axis->rect.x, half, axis->comparison->a, ends.left);
	draw_half(axis, axis->rect.x + half + 1, half, axis->comparison->b, ends.right);
}

/* Takes room from both sides of the axis. */
static void draw_beside(struct ratio_axis *axis, const char *bound)
{
	int w = utf8_columns(bound);

	canvas_text(axis->canvas, axis->x, axis->y, w, STYLE(COLOUR_DIM), bound);
	canvas_right(axis->canvas, axis->x + axis->w, axis->y, STYLE(COLOUR_DIM), bound);
	axis->x += w + 1;
	axis->w -= 2 * w + 2;
}

static void draw_ends(struct ratio_axis *axis, const struct ends *ends)
{
	int left = 2 + utf8_columns(ends->left), right = 2 + utf8_columns(ends->right);

	view_mark_name(axis->canvas, (struct rect) {axis->x, axis->y, left, 1}, axis->model,
		       axis->comparison->a, ends->left);
	view_mark_name(axis->canvas, (struct rect) {axis->x + axis->w - right, axis->y, right, 1},
		       axis->model, axis->comparison->b, ends->right);
	axis->x += left + 1;
	axis->w -= left + right + 2;
}

/*
 * "● threads ──┼── ■ processes", and in the same line "1.20x" at both ends where no other is left.
 */
static void draw_within(struct ratio_axis *axis)
{
	bool numbers = axis->rect.h == 1, common = common_of(axis) != NULL;
	int least = numbers ? AXIS_LEAST + 2 * NUMBER_W + 2 : SCALE_LEAST;
	int most = (axis->w - least - 8) / 2;
	char bound[16];
	struct ends ends;

	make_ends(axis, common && (!numbers || most < 24), most, &ends);
	draw_ends(axis, &ends);
	if (!numbers)
		return;
	format_end(axis, bound, sizeof(bound));
	draw_beside(axis, bound);
}

void view_pairs_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		     const struct model_comparison *comparison)
{
	struct ratio_axis axis = {canvas, rect, rect.x, rect.w, rect.y, 1, model, comparison};
	struct pairs pairs;

	if (rect.h < 1 || rect.w < 36)
		return;
	pairs_read(&pairs, model, comparison); /* without memory there are none */
	axis.bound = pairs.bound;
	if (rect.h > 2)
		draw_above(&axis);
	else
		draw_within(&axis);
	axis.w -= (axis.w + 1) % 2; /* odd: there is a middle */
	canvas_hline(axis.canvas, axis.x, axis.y, axis.w, 0x2500, STYLE(COLOUR_DIM));
	for (size_t i = 0; i < pairs.n; i++)
		canvas_put(canvas, ratio_column(&axis, pairs.ratios[i]), axis.y, 0x25cb,
			   STYLE(view_hue(model,
					  pairs.ratios[i] < 1 ? comparison->a : comparison->b)));
	draw_interval(&axis);
	if ((pairs.n || comparison->verdict == STATS_UNPAIRED) &&
	    !isnan(comparison->ratio.estimate))
		canvas_put(canvas, ratio_column(&axis, 1 / comparison->ratio.estimate), axis.y,
			   0x25cf, STYLE_BOLD(COLOUR_TITLE));
	draw_one(&axis);
	if (rect.h > 1) {
		int y = axis.y + 1, middle = ratio_middle(&axis), end = axis.x + axis.w;
		char bound[16], key[48];

		format_end(&axis, bound, sizeof(bound));
		canvas_text(axis.canvas, axis.x, y, axis.w, STYLE(COLOUR_DIM), bound);
		canvas_right(axis.canvas, end, y, STYLE(COLOUR_DIM), bound);
		canvas_text(axis.canvas, middle - 1, y, 4, STYLE_BOLD(COLOUR_TITLE), "SAME");
		draw_key(&axis, axis.x + NUMBER_W + 1, middle - 2 - axis.x - NUMBER_W - 1);
		snprintf(key, sizeof(key),
			 isnan(comparison->level) ? "[═] interval" : "[═] %s interval",
			 CLAIM_LEVEL(comparison->level));
		if (axis.w > 64)
			canvas_right(canvas, end - NUMBER_W - 1, y, STYLE(COLOUR_DIM), key);
	}
	pairs_free(&pairs);
}
