/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "draw/text.h"
#include "result/report.h"
#include "view_cache.h"

/* The slide that sums a lecture up: a list of items, each with what its scene has measured. */

/* Columns for the answer of a session that does not compare two models. */
enum { RESULT_SENTENCE_W = 110 };

/* The row that is compared with another case, if there is only one such row; otherwise NULL. */
static const struct answer_row *result_compared(const struct answer *answer)
{
	const struct answer_row *row = NULL;

	if (answer->n_rows != 2 || answer->compared != 1)
		return NULL;
	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (answer->rows[i].reference != i)
			row = &answer->rows[i];
	return row;
}

/* Writes how many times as great as the smaller median the greater one is. */
static void result_times(struct view_result *result, const struct answer *answer,
			 const struct answer_row *row)
{
	const struct answer_cell *cell = &row->cells[0];
	const double reference = answer->rows[row->reference].cells[0].median;
	const double times = fmax(cell->ratio.estimate, 1 / cell->ratio.estimate);
	double less = reference, more = cell->median;
	const char *by_pair = " per pair";

	if (!isfinite(times))
		return;
	if (cell->ratio.estimate < 1) {
		less = cell->median;
		more = reference;
	}
	if (answer_medians_agree(answer->metrics[0], less, more, times))
		by_pair = "";
	snprintf(result->figure, sizeof(result->figure), "%sx%s", CLAIM_TIMES(times), by_pair);
}

/* Writes how the two models of the row differ. */
static void result_difference(struct view_result *result, const struct answer *answer,
			      const struct answer_row *row, const struct model *model)
{
	const struct answer_cell *cell = &row->cells[0];
	const double bound = finding_excluded(&cell->ratio);

	if (cell->state == ANSWER_REAL)
		result_times(result, answer, row);
	else if (cell->state == ANSWER_SAME && !isnan(bound))
		snprintf(result->figure, sizeof(result->figure), "within %s",
			 CLAIM_EXCLUDED(bound));
	else if (cell->state == ANSWER_CLOSE && !isnan(bound))
		snprintf(result->figure, sizeof(result->figure), "%s", CLAIM_APART(bound));
	else if (cell->state == ANSWER_MEASURING)
		snprintf(result->figure, sizeof(result->figure), "so far");
	else if (cell->state == ANSWER_WITHHELD && model_stopped(model))
		snprintf(result->figure, sizeof(result->figure), "stopped after %u of %u trials",
			 cell->pairs, model->session.trials);
}

/* Writes the survivors of each model, "0 / 3 of 4 survived". */
static void result_survivors(struct view_result *result, const struct answer *answer,
			     const struct model *model)
{
	const unsigned long long all = plan_leaves(&model->cases[0].plan);
	struct sentence s = sentence_in(result->figure, sizeof(result->figure));

	for (uint32_t i = 0; i < answer->n_rows; i++)
		sentence_join(&s, " / ", "%.0f", answer->rows[i].cells[0].median);
	sentence_add(&s, " of %llu %s", all, answer_title(model, METRIC_SURVIVED));
}

/* Makes a bar for each model of a small comparison. */
static void result_rows(struct view_result *result, const struct answer *answer,
			const struct model *model)
{
	const bool survivors = answer->metrics[0] == METRIC_SURVIVED;
	double most = survivors ? (double)plan_leaves(&model->cases[0].plan) : 0;

	result->track = survivors;
	if (answer->n_rows < 2 || answer->n_rows > VIEW_RESULT_ROWS || model_sweeps(model))
		return;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (isnan(answer->rows[i].cells[0].median))
			return;
		most = fmax(most, answer->rows[i].cells[0].median);
	}
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const double median = answer->rows[i].cells[0].median;
		struct view_result_row *row = &result->rows[result->n++];

		snprintf(row->name, sizeof(row->name), "%s", MODEL_CASE_NAME(model, i));
		answer_median(answer, &answer->rows[i], 0, row->median);
		if (survivors)
			snprintf(row->median, sizeof(row->median), "%.0f of %.0f", median, most);
		row->shape = view_shape(model, i);
		row->hue = view_hue(model, i);
		row->share = most > 0 ? median / most : 0;
	}
}

/* The case with the most survivors. */
static uint32_t result_survivor(const struct answer *answer)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < answer->n_rows; i++)
		if (answer->rows[i].cells[0].median > answer->rows[most].cells[0].median)
			most = i;
	return most;
}

static void result_answer(struct view_result *result, const struct answer *answer,
			  const struct model *model)
{
	const bool survivors = answer->n_metrics > 0 && answer->metrics[0] == METRIC_SURVIVED;
	const struct answer_row *row = result_compared(answer);
	struct view_headline lead = {.leader = 0};
	bool known = false;
	char sentence[HEADLINE_TEXT];
	struct sentence_parts parts;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		known |= !isnan(answer->rows[i].cells[0].median);
	result->measured = known || model->n_runs > 0;
	if (!result->measured)
		return;
	headline_badge(answer, model, result->badge, sizeof(result->badge));
	result->badge_hue = result->hue = view_badge_hue(headline_state(answer, model));
	result_rows(result, answer, model);
	if (survivors && known) {
		lead.decided = answer->state == ANSWER_REAL;
		lead.leader = result_survivor(answer);
	} else {
		view_cache_lead(&lead, model, answer->metrics[0]);
	}
	if (lead.decided && answer->state == ANSWER_REAL)
		result->hue = view_hue(model, lead.leader);
	if (survivors && known) {
		result_survivors(result, answer, model);
	} else if (row && known) {
		result_difference(result, answer, row, model);
	} else {
		headline_sentence(answer, model, sentence, sizeof(sentence), &parts);
		sentence_shorten(sentence, 0, &parts, RESULT_SENTENCE_W);
		text_fit(result->sentence, sizeof(result->sentence), sentence, RESULT_SENTENCE_W);
	}
}

void view_result_read(struct view_result *result, const struct model *model)
{
	const struct model whole = model_as_of(model, model->newest_ns);
	struct answer answer;

	*result = (struct view_result) {.n = 0};
	if (answer_read(&answer, &whole) == 0 && answer.n_rows > 0)
		result_answer(result, &answer, &whole);
	answer_free(&answer);
}

enum { SUMS_W = 110, SLIDE_INDENT = 2, SLIDE_GAP = 2 };

/*
 * The layout of the slide. rows: each model has a line with its bar; without them, the medians are
 * in the line of the badge. beside: badge and figure are at the right of the bars, not above them.
 */
struct slide_layout {
	bool rows, beside;
	int gap; /* Number of empty lines between items. */
};

/* The columns of the bars, which begin at the same place in all items. */
struct slide_columns {
	int name_w, median_w, figures_w;
};

static int slide_item_height(const struct view_lecture_item *item,
			     const struct slide_layout *layout, int w)
{
	const int h = text_lines(item->text, w);

	if (!item->result)
		return h;
	if (!layout->rows || item->result->n == 0)
		return h + 1;
	return h + (int)item->result->n + !layout->beside;
}

static int slide_height(const struct view_lecture *lecture, const struct slide_layout *layout,
			int w)
{
	int h = 0;

	for (size_t i = 0; i < lecture->n_items; i++)
		h += slide_item_height(&lecture->items[i], layout, w) + (i > 0 ? layout->gap : 0);
	return h;
}

/* Draws the badge, the main figure and, if there are no bars, the medians. */
static void slide_figures(struct canvas *canvas, struct rect place,
			  const struct view_result *result, bool bars)
{
	const struct style badge = {.fg = result->badge_hue, .attr = ATTR_BOLD | ATTR_REVERSE};
	const int end = place.x + place.w;
	char text[sizeof(result->badge) + 2];
	int x = place.x;

	if (!result->measured) {
		canvas_text(canvas, x, place.y, place.w, DIM, "not run");
		return;
	}
	if (*result->badge) {
		snprintf(text, sizeof(text), "[%s]", result->badge);
		x = canvas_text(canvas, x, place.y, end - x, badge, text) + SLIDE_GAP;
	}
	if (*result->figure)
		x = canvas_text(canvas, x, place.y, end - x, STYLE_BOLD(result->hue),
				result->figure) +
		    SLIDE_GAP;
	if (*result->sentence)
		text_draw(canvas, RECT(x, place.y, end - x, 1), PLAIN, result->sentence);
	for (uint32_t i = 0; i < result->n && !bars && !*result->sentence; i++) {
		const struct view_result_row *row = &result->rows[i];
		const int w = 2 + utf8_columns(row->name) + 1 + utf8_columns(row->median);

		if (x + w > end)
			return;
		canvas_put(canvas, x, place.y, row->shape, STYLE_BOLD(row->hue));
		canvas_printf(canvas, x + 2, place.y, w - 2, STYLE(row->hue), "%s %s", row->name,
			      row->median);
		x += w + SLIDE_GAP;
	}
}

/* Measures the columns of all items. */
static struct slide_columns slide_columns(const struct view_lecture *lecture, int w)
{
	struct slide_columns columns = {.name_w = 0};

	for (size_t i = 0; i < lecture->n_items; i++) {
		const struct view_result *result = lecture->items[i].result;
		int badge_w, figure_w;

		if (!result || result->n == 0)
			continue;
		badge_w = utf8_columns(result->badge) + (int)strlen("[]");
		figure_w = utf8_columns(result->figure);
		columns.figures_w = MAX(columns.figures_w, MAX(badge_w, figure_w));
		for (uint32_t k = 0; k < result->n; k++) {
			const struct view_result_row *row = &result->rows[k];

			columns.name_w = MAX(columns.name_w, utf8_columns(row->name));
			columns.median_w = MAX(columns.median_w, utf8_columns(row->median));
		}
	}
	columns.name_w = MIN(columns.name_w, w / 3);
	return columns;
}

/* Draws a line for each model: its name, its median, and a bar. */
static void slide_bars(struct canvas *canvas, struct rect place, const struct view_result *result,
		       const struct slide_columns *columns)
{
	const int x = place.x + 2 + columns->name_w + SLIDE_GAP + columns->median_w + SLIDE_GAP;
	const int w = MAX(0, place.x + place.w - x);

	for (uint32_t i = 0; i < result->n; i++) {
		const struct view_result_row *row = &result->rows[i];
		const struct rect bar = {x, place.y + (int)i, w, 1};

		canvas_put(canvas, place.x, bar.y, row->shape, STYLE_BOLD(row->hue));
		text_draw(canvas, RECT(place.x + 2, bar.y, columns->name_w, 1), STYLE(row->hue),
			  row->name);
		canvas_right(canvas, x - SLIDE_GAP, bar.y, STYLE_BOLD(row->hue), row->median);
		if (result->track)
			canvas_fill(canvas, bar, 0xb7, STYLE(COLOUR_BORDER));
		view_fill_eighths(canvas, bar, (int)lround(row->share * w * 8), STYLE(row->hue));
	}
}

/* Draws the bars, with the badge and, below it, the figure at their right. */
static void slide_beside(struct canvas *canvas, struct rect place, const struct view_result *result,
			 const struct slide_columns *columns)
{
	const struct style badge = {.fg = result->badge_hue, .attr = ATTR_BOLD | ATTR_REVERSE};
	const struct rect bars = {place.x, place.y, place.w - columns->figures_w - SLIDE_GAP,
				  place.h};
	const int x = bars.x + bars.w + SLIDE_GAP;

	slide_bars(canvas, bars, result, columns);
	if (*result->badge)
		canvas_printf(canvas, x, place.y, columns->figures_w, badge, "[%s]", result->badge);
	canvas_text(canvas, x, place.y + 1, columns->figures_w, STYLE_BOLD(result->hue),
		    result->figure);
}

/* Draws what the scene of an item has measured. */
static void slide_result(struct canvas *canvas, struct rect place, const struct view_result *result,
			 const struct slide_layout *layout, const struct slide_columns *columns)
{
	const bool bars = layout->rows && result->n > 0;

	if (bars && layout->beside) {
		slide_beside(canvas, place, result, columns);
		return;
	}
	slide_figures(canvas, RECT(place.x, place.y, place.w, 1), result, bars);
	if (bars)
		slide_bars(canvas, RECT(place.x, place.y + 1, place.w, place.h - 1), result,
			   columns);
}

void view_slide_draw(const struct view_frame *frame, struct rect body)
{
	static const struct slide_layout layouts[] = {
		{true, false, 2}, {true, false, 1}, {true, true, 1},
		{true, true, 0},  {false, true, 1}, {false, true, 0},
	};
	const struct view_lecture *lecture = &frame->state->lecture;
	const struct slide_layout *layout = layouts;
	const int w = MIN(body.w, SUMS_W);
	struct rect inner = {body.x + (body.w - w) / 2, body.y, w, body.h};
	struct slide_columns columns;
	int y = 0;

	inner = view_box(frame->canvas, inner, lecture->title, NULL);
	inner = RECT(inner.x + 1, inner.y, inner.w - 2, inner.h);
	columns = slide_columns(lecture, inner.w - SLIDE_INDENT);
	for (size_t i = 0; i + 1 < LENGTH(layouts); i++)
		if (layout == &layouts[i] && slide_height(lecture, layout, inner.w) > inner.h)
			layout++;
	/* There is a blank line above the first item if there is room for it. */
	y += slide_height(lecture, layout, inner.w) < inner.h;
	for (size_t i = 0; i < lecture->n_items; i++) {
		const struct view_lecture_item *item = &lecture->items[i];
		const int h = slide_item_height(item, layout, inner.w);
		struct rect place = {inner.x, inner.y + y, inner.w, MAX(0, inner.h - y)};

		if (h > place.h)
			return;
		place.h = text_draw(frame->canvas, place, STYLE_BOLD(COLOUR_DEFAULT), item->text);
		place = RECT(place.x + SLIDE_INDENT, place.y + place.h, place.w - SLIDE_INDENT,
			     h - place.h);
		if (item->result)
			slide_result(frame->canvas, place, item->result, layout, &columns);
		y += h + layout->gap;
	}
}
