/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "draw/text.h"
#include "view_race.h"

/*
 * The figures of the race: a pair of bars for each headline metric, or one line without bars on a
 * small screen.
 */

/* A metric of the answer that the race shows. */
struct race_metric {
	const struct race *race;
	uint32_t place; /* Index of the metric among the answer's metrics. */
	/*
	 * Medians are shown, because each model has a measured trial or the session is over. If
	 * false, values of single runs are shown.
	 */
	bool counted;
	/*
	 * Set to true if a ratio is shown, so that the line below the bars says that ratios are per
	 * pair. NULL: there is no line below the bars.
	 */
	bool *unlabelled;
	/* All metrics are in one line. A ratio for which there is no room is left out. */
	bool line;
};

static const struct answer_row *race_row(const struct race *race, uint32_t case_id)
{
	const struct answer *answer = &race->frame->cache->answer;

	if (case_id >= answer->n_rows)
		return NULL;
	return &answer->rows[case_id];
}

/* Whether the model is a program. */
static bool race_has_programs(const struct race *race)
{
	return race->model->cases[race->compared].plan.leaves[WORK_PROGRAM] > 0;
}

/*
 * The greatest median of a metric. Before any trial counts, the greatest value of a run. NaN: there
 * is no value.
 */
static double race_greatest(const struct race_metric *metric);

/* Number of MiB up to which texts of memory have two decimals. */
#define RACE_DECIMALS 10
#define RACE_KIB      1024.

const char *view_memory_alike(enum model_metric of, const char *mark, double kib, double greatest,
			      char text[48])
{
	const double mib = greatest / RACE_KIB;

	if (mib >= 0.5 && mib < RACE_KIB / 2)
		snprintf(text, 48, "%s%.*f MiB", mark, mib < RACE_DECIMALS ? 2 : 1, kib / RACE_KIB);
	else
		snprintf(text, 48, "%s%s", mark, METRIC_TEXT(of, kib));
	return text;
}

/*
 * Writes memory of a program in the unit of the metric's greatest value. Returns false for other
 * metrics, whose values have their own units.
 */
static bool race_memory_text(const struct race_metric *metric, const char *mark, double kib,
			     char text[48])
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];

	if (metric_table[of].unit != METRIC_KIB || isnan(kib) || !race_has_programs(race))
		return false;
	view_memory_alike(of, mark, kib, race_greatest(metric), text);
	return true;
}

/* The median of a row, "318 ms". */
static const char *race_median_text(const struct race_metric *metric, const struct answer_row *row,
				    char text[48])
{
	const struct answer_cell *cell = &row->cells[metric->place];

	if (race_memory_text(metric, METRIC_MARKED(cell->seen, cell->estimated), cell->median,
			     text))
		return text;
	return answer_median(&metric->race->frame->cache->answer, row, metric->place, text);
}

enum { RACE_DIFFERENCE = 48 };

/* How much of a difference's text is written: all of it, only the ratio, or the shortest text. */
enum race_words { RACE_WORDS_ALL, RACE_WORDS_RATIO, RACE_WORDS_LEAST };

static bool race_has_ratio(const struct answer_cell *cell)
{
	return cell->state == ANSWER_REAL && isfinite(cell->ratio.estimate);
}

/*
 * Writes the text for a real difference. Its ratio is computed from the pairs of trials. If no line
 * below the bars says so, the text does, unless the medians have the same ratio or there is no
 * room.
 */
static void race_name_real(const struct race_metric *metric, const struct answer_row *row,
			   enum race_words words, char text[RACE_DIFFERENCE])
{
	const struct answer_cell *cell = &row->cells[metric->place];
	const char *real = words == RACE_WORDS_ALL ? ", real" : "";
	const char *by_pair = "";

	/* Survivors are counted, so a difference between them has no ratio. */
	if (!isfinite(cell->ratio.estimate)) {
		snprintf(text, RACE_DIFFERENCE, "real");
		return;
	}
	if (words < RACE_WORDS_LEAST && !metric->unlabelled)
		by_pair = answer_by_pair(&metric->race->frame->cache->answer, row, metric->place);
	snprintf(text, RACE_DIFFERENCE, "%sx%s%s", CLAIM_TIMES(cell->ratio.estimate), by_pair,
		 real);
}

/* Says why there is no result, if there is room for the reason. */
static const char *race_name_withheld(enum reason why, enum race_words words)
{
	if (words == RACE_WORDS_ALL)
		return "not compared";
	if (words == RACE_WORDS_LEAST)
		return "?";
	if (why == REASON_UNLIKE || why == REASON_BOUNDS)
		return "bound only";
	if (why == REASON_FEW_TRIALS)
		return "few trials";
	if (why == REASON_FAILED_PAIRS)
		return "runs failed";
	return "?";
}

/*
 * The text for a difference: "so far", "same", "too close to call", "2.4x, real", "not compared".
 * With fewer words, the texts are shorter: "too close", "2.4x", "bound only".
 */
static void race_name_difference(const struct race_metric *metric, const struct answer_row *row,
				 enum race_words words, char text[RACE_DIFFERENCE],
				 struct style *style)
{
	const struct answer_cell *cell = &row->cells[metric->place];
	const bool brief = words != RACE_WORDS_ALL;

	switch (cell->state) {
	case ANSWER_MEASURING:
		snprintf(text, RACE_DIFFERENCE, "%s", view_preliminary(metric->race->frame));
		break;
	case ANSWER_REAL:
		race_name_real(metric, row, words, text);
		*style = STYLE_BOLD(COLOUR_GOOD);
		break;
	case ANSWER_SAME:
		snprintf(text, RACE_DIFFERENCE, "same");
		break;
	case ANSWER_CLOSE:
		snprintf(text, RACE_DIFFERENCE, brief ? "too close" : "too close to call");
		break;
	case ANSWER_WITHHELD:
		snprintf(text, RACE_DIFFERENCE, "%s", race_name_withheld(cell->why, words));
		break;
	default:
		break;
	}
}

/*
 * Returns a row of the answer if there are more than two models, and the survivors of each really
 * differ from the survivors of the model that it is compared with. NULL otherwise.
 */
static const struct answer_row *race_survivors_differ(const struct race_metric *metric)
{
	const struct answer *answer = &metric->race->frame->cache->answer;
	const struct answer_row *found = NULL;

	if (answer->metrics[metric->place] != METRIC_SURVIVED)
		return NULL;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (row->reference == row->case_id)
			continue;
		if (row->cells[metric->place].state != ANSWER_REAL)
			return NULL;
		found = row;
	}
	return found;
}

/*
 * Writes the difference between two models, in as many words as fit. Until each model has a
 * measured trial, writes that the values are from single runs. Returns the column after the text; x
 * if nothing is written.
 */
static int race_draw_difference(const struct race_metric *metric, enum race_words words, int x,
				int y, int end)
{
	const struct race *race = metric->race;
	const struct answer *answer = &race->frame->cache->answer;
	const struct answer_row *row = race_survivors_differ(metric);
	char text[RACE_DIFFERENCE] = "";
	struct style style = DIM;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (answer->n_rows == 2 && answer->rows[i].reference != answer->rows[i].case_id)
			row = &answer->rows[i];
	if (metric->counted && !row)
		return x;
	if (!metric->counted)
		snprintf(text, sizeof(text), "of one run");
	else
		for (; words <= RACE_WORDS_LEAST; words++) {
			race_name_difference(metric, row, words, text, &style);
			if (x + utf8_columns(text) <= end)
				break;
		}
	if (metric->counted && metric->unlabelled && race_has_ratio(&row->cells[metric->place]))
		*metric->unlabelled = true;
	if (words == RACE_WORDS_LEAST && !metric->unlabelled && row &&
	    row->cells[metric->place].state == ANSWER_REAL &&
	    *answer_by_pair(answer, row, metric->place)) {
		if (metric->line)
			return x;
		snprintf(text, sizeof(text), "real");
	}
	if (x + utf8_columns(text) > end) /* A truncated text would look complete. */
		return x;
	return canvas_text(race->canvas, x, y, end - x, style, text);
}

/* The median that a model's bar showed before the last refresh; NaN if the bar is new. */
static double race_was(const struct race_metric *metric, uint32_t case_id)
{
	if (case_id >= VIEW_RACERS)
		return NAN;
	return metric->race->frame->cache->was[metric->place][case_id];
}

/* Largest contradiction between moving bars and their medians, as a share of the shorter bar. */
#define RACE_APART (1. / 20)

/* Whether the bars of two models would contradict their medians if they kept their old lengths. */
static bool race_contradicts(const struct race_metric *metric, const struct answer_row *a,
			     const struct answer_row *b)
{
	const double median_a = a->cells[metric->place].median;
	const double median_b = b->cells[metric->place].median;
	const double was_a = race_was(metric, a->case_id), was_b = race_was(metric, b->case_id);
	const double shorter = fmin(was_a * median_b, was_b * median_a);

	if ((was_a < was_b && median_a > median_b) || (was_a > was_b && median_a < median_b))
		return true;
	/* NaN means that a bar was not there before. */
	return !(fabs(was_a * median_b - was_b * median_a) <= RACE_APART * shorter);
}

/*
 * How far a metric's bars still are from their medians: 1 at their old lengths, 0 at the new
 * lengths. The bars move only if no frame on the way contradicts the medians, and if nothing is
 * decided yet.
 */
static double race_unsettled(const struct race_metric *metric)
{
	const struct race *race = metric->race;

	if (race->frame->cache->answer.state == ANSWER_REAL)
		return 0;
	for (int i = 1; i < race->layout.compared; i++)
		for (int j = 0; j < i; j++) {
			const struct answer_row *a = race_row(race, race->compared + (uint32_t)i);
			const struct answer_row *b = race_row(race, race->compared + (uint32_t)j);

			if (!a || !b || race_contradicts(metric, a, b))
				return 0;
		}
	return race->frame->state->unsettled;
}

/* The length of a bar, which may still be moving to a new median. */
static double race_shown(const struct race_metric *metric, const struct answer_row *row)
{
	const double median = row->cells[metric->place].median;
	const double left = race_unsettled(metric);

	if (left <= 0 || isnan(race_was(metric, row->case_id)))
		return median;
	return median + (race_was(metric, row->case_id) - median) * left;
}

/*
 * The first model whose median is printed as the same figure as the row's median. Bars with the
 * same figure have the length of the first of these bars, because nobody would understand two
 * lengths for one figure.
 */
static const struct answer_row *race_printed_alike(const struct race_metric *metric,
						   const struct answer_row *row)
{
	const struct race *race = metric->race;
	char text[48], other[48];

	race_median_text(metric, row, text);
	for (int i = 0; i < race->layout.compared; i++) {
		const struct answer_row *before = race_row(race, race->compared + (uint32_t)i);

		if (before && strcmp(race_median_text(metric, before, other), text) == 0)
			return before;
	}
	return row;
}

/*
 * Writes, instead of a bar, why the median is unknown, once each model has run: "● ? its trials are
 * too few".
 */
static void race_draw_unknown(const struct race_metric *metric, const struct answer_row *row,
			      struct rect place)
{
	const struct race *race = metric->race;
	const enum reason why = row->cells[metric->place].why;
	char mark[UTF8_BYTES], text[SAMPLE_TEXT];

	if (why == REASON_NONE || !model_latest(race->model, row->case_id) ||
	    model_runs_ended(race->model) < race->model->n_cases)
		return;
	utf8_put(view_shape(race->model, row->case_id), mark);
	/* That the parent died is certain, so the text needs no question mark. */
	snprintf(text, sizeof(text), "%s %s%s", mark, why == REASON_PARENT_ENDED ? "" : "? ",
		 reason_sentence(why));
	text_draw(race->canvas, place, DIM, text);
}

/*
 * The value of a run, shown until each model has a measured trial. While a trial is played, it is
 * the value of the trial's run, once the run's lanes have been played to their end; otherwise the
 * value of the last run that has ended. NaN if there is no such run.
 */
static double race_run_value(const struct race_metric *metric, uint32_t case_id)
{
	const struct model *model = metric->race->model;
	const struct view_race *state = &metric->race->frame->state->race;
	const enum model_metric of = metric->race->frame->cache->answer.metrics[metric->place];
	const struct model_run *run;

	if (state->trial.number)
		run = model_trial_run(model, &state->trial, case_id);
	else
		run = model_latest_ended(model, case_id);
	if (!run || run->totals.status != SAMPLE_OK || run->totals.paused)
		return NAN;
	if (state->trial.number && state->ns < model_elapsed(model, run))
		return NAN;
	return metric_value(run, of);
}

static double race_greatest(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	double greatest = NAN;

	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);

		if (!metric->counted)
			greatest = fmax(greatest, race_run_value(metric, id));
		else if (row)
			greatest = fmax(greatest, row->cells[metric->place].median);
	}
	return greatest;
}

/*
 * Whether the metric has anything to show. If it has no values, its title is not drawn either.
 * Values that are all 0, such as counts of wrong results, compare nothing. An exception is 0
 * survivors, which is worth showing.
 */
static bool race_has_values(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];
	bool known = false, zero = true;

	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		double value = NAN;

		if (!metric->counted)
			value = race_run_value(metric, id);
		else if (row)
			value = row->cells[metric->place].median;
		known |= !isnan(value);
		zero &= value == 0;
	}
	if (zero && of != METRIC_SURVIVED)
		return false;
	return metric->counted || known;
}

/*
 * Writes a value such as "● 862 ms". There is no bar, because readers would take the length of a
 * single run's bar for a result.
 */
static int race_draw_run_value(const struct race_metric *metric, uint32_t case_id,
			       struct rect place)
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];
	const double value = race_run_value(metric, case_id);
	const uint8_t hue = view_hue(race->model, case_id);
	char mark[UTF8_BYTES], text[48];

	if (isnan(value))
		return place.x;
	utf8_put(view_shape(race->model, case_id), mark);
	if (!race_memory_text(metric, "", value, text))
		snprintf(text, sizeof(text), "%s", METRIC_TEXT(of, value));
	return canvas_printf(race->canvas, place.x, place.y, place.w, STYLE(hue), "%s %s", mark,
			     text);
}

/*
 * Whether the row's model is significantly better than the other model. If there are more than two
 * models, each is only compared with the reference, so none is known to be the best.
 */
static bool race_wins(const struct race_metric *metric, const struct answer_row *row)
{
	const struct answer *answer = &metric->race->frame->cache->answer;
	const struct answer_row *other;

	if (answer->n_rows != 2)
		return false;
	other = &answer->rows[row == answer->rows];
	if (row->cells[metric->place].state != ANSWER_REAL &&
	    other->cells[metric->place].state != ANSWER_REAL)
		return false;
	if (metric_is(answer->metrics[metric->place], METRIC_MORE_IS_WORSE))
		return row->cells[metric->place].median < other->cells[metric->place].median;
	return row->cells[metric->place].median > other->cells[metric->place].median;
}

/* Writes a model's mark and median, "● 318 ms". */
static void race_draw_median(const struct race_metric *metric, const struct answer_row *row,
			     struct rect place)
{
	const struct race *race = metric->race;
	char mark[UTF8_BYTES], text[48];

	utf8_put(view_shape(race->model, row->case_id), mark);
	canvas_printf(race->canvas, place.x, place.y, place.w,
		      STYLE_BOLD(view_hue(race->model, row->case_id)), "%s %s", mark,
		      race_median_text(metric, row, text));
}

/*
 * Writes the range of the metric over the trials of a case, "99 µs to 27.3 ms", if there are
 * several trials. These are the trials of the medians, so newer trials are left out. Returns
 * whether the range is written.
 */
static bool race_draw_range(const struct race_metric *metric, uint32_t case_id, struct rect place)
{
	const struct model *model = metric->race->model;
	const struct view_cache *cache = metric->race->frame->cache;
	const struct model then = model_as_of(model, MIN(cache->as_of_ns, model->now_ns));
	const enum model_metric of = cache->answer.metrics[metric->place];
	const struct model_run *run = NULL;
	double least = INFINITY, most = -INFINITY;
	char text[80];

	while ((run = model_next_measured(&then, run, case_id, 1))) {
		least = fmin(least, metric_value(run, of));
		most = fmax(most, metric_value(run, of));
	}
	if (!(least < most))
		return false;
	snprintf(text, sizeof(text), "%s to %s", METRIC_TEXT(of, least), METRIC_TEXT(of, most));
	if (utf8_columns(text) > place.w)
		return false;
	canvas_text(metric->race->canvas, place.x, place.y, place.w, DIM, text);
	return true;
}

/*
 * Writes how soon the parents noticed a crash: the median, and the range of the trials. The lanes
 * show a single trial, which may be far from the median. There are no bars, because the number of
 * survivors is more important.
 */
static void race_draw_noticed(const struct race_metric *metric, struct rect rect)
{
	static const char aside[] = " (median, range)";
	const struct race *race = metric->race;
	const int above = rect.h > race->layout.compared;
	bool ranges = false;
	int x;

	if (above == 0 || !metric->counted)
		return;
	x = canvas_text(race->canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_TITLE),
			"parent noticed the crash after");
	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		const int y = rect.y + above + i * race->layout.bar;

		if (!row || isnan(row->cells[metric->place].median)) {
			if (row)
				race_draw_unknown(metric, row, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		race_draw_median(metric, row, RECT(rect.x, y, rect.w - 1, 1));
		ranges |= race_draw_range(metric, id, RECT(rect.x + 12, y, rect.w - 13, 1));
	}
	if (ranges && x + utf8_columns(aside) <= rect.x + rect.w)
		canvas_text(race->canvas, x, rect.y, -1, DIM, aside);
}

/*
 * BAR_FIGURE_W: columns of a mark and a figure before a bar, "● 64.6 ms   " or "● 3 of 4    ".
 * BAR_GAP: columns of the gap after a bar. Below BAR_NARROW columns, the figure and the gap are as
 * narrow as possible. BAR_TEXT_LEAST: smallest width of a figure there.
 */
enum { BAR_FIGURE_W = 12, BAR_GAP = 3, BAR_NARROW = 24, BAR_TEXT_LEAST = 8 };

/*
 * Writes a model's mark and median before its bar, because readers begin there. Times are always
 * bold, other metrics only if the model is better.
 */
static void race_draw_bar_figure(const struct race_metric *metric, const struct answer_row *row,
				 int x, int y, int text_w)
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];
	struct style hue = STYLE(view_hue(race->model, row->case_id));
	char text[48];

	if (metric->place == 0 || race->faults || race_wins(metric, row))
		hue = STYLE_BOLD(hue.fg);
	canvas_put(race->canvas, x, y, view_shape(race->model, row->case_id), hue);
	canvas_right(race->canvas, x + 2 + text_w, y, hue, race_median_text(metric, row, text));
	if (of == METRIC_SURVIVED)
		canvas_printf(
			race->canvas, x + 2 + text_w, y, -1, hue, " of %llu",
			(unsigned long long)plan_leaves(&race->model->cases[race->compared].plan));
}

/*
 * Memory of a program is also drawn over time, as sampled, so the title of its bars says that they
 * show the peak.
 */
static const char *race_title(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];

	if (of == METRIC_MEMORY && race_has_programs(race))
		return "peak memory";
	return answer_title(race->frame->model, of);
}

/*
 * Writes the difference in the line of the title, so that the text ends before column x. Texts are
 * separated by two blanks or, if there is little room, by one.
 */
static void race_draw_beside_title(const struct race_metric *metric, int x, struct rect rect)
{
	const int end = rect.x + rect.w;

	if (race_draw_difference(metric, RACE_WORDS_ALL, x, rect.y, end - 2) > x)
		return;
	if (race_draw_difference(metric, RACE_WORDS_ALL, x - 1, rect.y, end - 2) > x - 1)
		return;
	race_draw_difference(metric, RACE_WORDS_ALL, x - 1, rect.y, end - 1);
}

/* Draws the bars of one metric in rect: a title, and a line for each model. */
static void race_draw_metric(const struct race_metric *metric, struct rect rect)
{
	const struct race *race = metric->race;
	const struct answer *answer = &race->frame->cache->answer;
	/* If there is no line for the title, the title is beside the bars. */
	const int above = rect.h > race->layout.compared;
	const bool survivors = answer->metrics[metric->place] == METRIC_SURVIVED;
	double most = 0;
	char figure[48];
	int x, w, text_w = 0, figure_w = BAR_FIGURE_W, gap = BAR_GAP;

	if (!race_has_values(metric))
		return;
	if (answer->metrics[metric->place] == METRIC_NOTICED) {
		race_draw_noticed(metric, rect);
		return;
	}
	x = canvas_text(race->canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_TITLE),
			race_title(metric)) +
	    2;
	if (above > 0) {
		race_draw_beside_title(metric, x, rect);
	} else {
		race_draw_difference(metric, RACE_WORDS_ALL, rect.x, rect.y + 1, race->axis.x - 1);
		rect.w -= race->axis.x - rect.x;
		rect.x = race->axis.x;
	}
	for (int i = 0; i < race->layout.compared; i++) {
		const struct answer_row *row = race_row(race, race->compared + (uint32_t)i);

		if (!row)
			continue;
		/* While bars move, too, the longest bar has the full width. */
		most = fmax(most, race_shown(metric, row));
		text_w = MAX(text_w, utf8_columns(race_median_text(metric, row, figure)));
	}
	/* If there is little room, the figures keep their width, and a bar gets the rest. */
	if (rect.w < BAR_NARROW && !survivors) {
		figure_w = MAX(text_w, BAR_TEXT_LEAST) + 3;
		gap = 1;
	}
	w = MAX(3, rect.w - figure_w - gap);
	/* If all workers survived, the bar is full. */
	if (survivors)
		most = plan_leaves(&race->model->cases[race->compared].plan);
	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		const double median = row ? row->cells[metric->place].median : NAN;
		const struct style hue = STYLE(view_hue(race->model, id));
		const int y = rect.y + above + i * race->layout.bar;
		const int bar_x = rect.x + figure_w;
		double shown;
		int eighths = 0;

		if (!metric->counted) {
			race_draw_run_value(metric, id, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		if (isnan(median)) {
			if (row)
				race_draw_unknown(metric, row, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		/*
		 * The bar of a single model would compare nothing. A bar of survivors compares them
		 * with all workers.
		 */
		if (race->layout.compared == 1 && !survivors) {
			race_draw_median(metric, row, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		shown = race_shown(metric, race_printed_alike(metric, row));
		/* If all medians are 0, no bar has a length. */
		if (most > 0)
			eighths = (int)lround(fmin(1, shown / most) * w * 8);
		/* The line after a bar of survivors shows the workers that died. */
		if (survivors)
			canvas_hline(race->canvas, bar_x, y, w, 0x2500, STYLE(COLOUR_BORDER));
		/* The dots after the bar of a lower bound show that the peak may be higher. */
		if (sample_seen_bound(row->cells[metric->place].seen) == BOUND_LEAST)
			canvas_hline(race->canvas, bar_x, y, w, 0x2508, STYLE(COLOUR_BORDER));
		view_fill_eighths(race->canvas, RECT(bar_x, y, w, race->layout.bar), eighths, hue);
		race_draw_bar_figure(metric, row, rect.x, y, text_w);
	}
}

/*
 * Whether each model has a measured trial. Before that, no bar is shown, because a bar of a single
 * model would look like a result.
 */
static bool race_has_trials(const struct race *race)
{
	for (int i = 0; i < race->layout.compared; i++)
		if (view_cache_median(race->frame->cache, race->model, race->compared + (uint32_t)i)
			    .trials == 0)
			return false;
	return true;
}

/* Whether each model has a median in the metric. */
static bool race_has_medians(const struct race *race, uint32_t place)
{
	for (int i = 0; i < race->layout.compared; i++) {
		const struct answer_row *row = race_row(race, race->compared + (uint32_t)i);

		if (!row || isnan(row->cells[place].median))
			return false;
	}
	return true;
}

/*
 * Whether the bars of a metric would say nothing because each program creates the same number of
 * tasks: in its median or, before any trial counts, in the run that is shown.
 */
static bool race_is_trivial(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	double least = INFINITY, most = -INFINITY;

	if (race->frame->cache->answer.metrics[metric->place] != METRIC_TASKS_CREATED)
		return false;
	/* Until each program has run, it is not known whether the numbers are equal. */
	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		double value = race_run_value(metric, id);

		if (metric->counted)
			value = row ? row->cells[metric->place].median : NAN;
		if (isnan(value))
			return !metric->counted;
		least = fmin(least, value);
		most = fmax(most, value);
	}
	return race->layout.compared > 1 && least == most;
}

/*
 * Whether bars of the time of creation would repeat the bars of the time of the run. Compares the
 * medians or, before any trial counts, the runs that are shown.
 */
static bool race_repeats_time(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	const struct answer *answer = &race->frame->cache->answer;
	const struct race_metric time = {.race = race, .place = 0};

	if (metric->counted)
		return answer_repeats_time(answer, metric->place);
	if (answer->metrics[metric->place] != METRIC_CREATE || answer->metrics[0] != METRIC_ELAPSED)
		return false;
	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;

		if (!(race_run_value(metric, id) >= ANSWER_REPEATS * race_run_value(&time, id)))
			return false;
	}
	return true;
}

/*
 * Draws the bars of all metrics side by side. If there is no line for titles, draws only the first
 * metric. For a tree, metrics in which a model has no median are left out, because no memory is
 * read while tasks are created.
 */
void view_race_draw_bars(const struct race *race)
{
	const struct rect bars = race->layout.bars;
	struct race_metric metric = {.race = race};
	uint32_t places[INTERIM_METRICS_MOST], n = 0;
	bool unlabelled = false;
	int first_w, w;

	if (bars.h <= 0)
		return;
	/*
	 * There is a line below the bars if bars.h has room for more than the title and the bars.
	 */
	if (bars.h > 1 + race->layout.compared * race->layout.bar)
		metric.unlabelled = &unlabelled;
	metric.counted = race_has_trials(race) || model_over(race->model);
	for (metric.place = 0; metric.place < race->frame->cache->answer.n_metrics;
	     metric.place++) {
		if (race->bands && metric.counted && !race_has_medians(race, metric.place))
			continue;
		if (race_has_values(&metric) && !race_is_trivial(&metric) &&
		    !race_repeats_time(&metric))
			places[n++] = metric.place;
	}
	if (bars.h <= race->layout.compared)
		n = MIN(n, 1);
	/*
	 * After a fault, the number of survivors is the most important metric, so its bars have
	 * most of the width.
	 */
	if (race->faults && n > 1)
		first_w = (bars.w - 1) * 3 / 5;
	else
		first_w = (bars.w - 1) / (int)MAX(1, n);
	w = (bars.w - 1 - first_w) / (int)MAX(1, n - 1);
	for (uint32_t i = 0; i < n; i++) {
		struct rect rect = {bars.x + 1, bars.y, first_w, bars.h};

		if (i > 0)
			rect.x += first_w + ((int)i - 1) * w;
		if (i > 0)
			rect.w = w;
		metric.place = places[i];
		race_draw_metric(&metric, rect);
	}
	if (unlabelled)
		canvas_right(race->canvas, bars.x + bars.w - 1, bars.y + bars.h - 1, DIM,
			     "ratios per pair");
}

/*
 * Whether the metric is the first metric, and the sentence above the race has the medians of all
 * models.
 */
static bool race_headline_has(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	char text[48];

	/* Survivors are counted, and the same small numbers may occur elsewhere in the sentence. */
	if (metric->place > 0 || race->faults)
		return false;
	for (int i = 0; i < race->layout.compared; i++) {
		const struct answer_row *row = race_row(race, race->compared + (uint32_t)i);

		if (!metric->counted || !row || isnan(row->cells[metric->place].median))
			return false;
		answer_median(&race->frame->cache->answer, row, metric->place, text);
		text[strcspn(text, " ")] = '\0';
		if (!strstr(race->frame->sentence, text))
			return false;
	}
	return true;
}

/*
 * Whether the next model's median has the same unit, which is then written only once, after both
 * medians.
 */
static bool race_shares_unit(const struct race_metric *metric, int i)
{
	const struct race *race = metric->race;
	const struct answer_row *row = race_row(race, race->compared + (uint32_t)i);
	const struct answer_row *next = NULL;
	char text[48], other[48];

	if (i + 1 < race->layout.compared)
		next = race_row(race, race->compared + (uint32_t)i + 1);
	if (!next || isnan(next->cells[metric->place].median))
		return false;
	race_median_text(metric, row, text);
	race_median_text(metric, next, other);
	return strcmp(text + strcspn(text, " "), other + strcspn(other, " ")) == 0;
}

/*
 * Writes the medians of a metric, or the values of single runs. Returns the column after the text.
 */
static int race_draw_figure(const struct race_metric *metric, int x, int end)
{
	const struct race *race = metric->race;
	const int y = race->layout.figures.y;

	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		const double median = row ? row->cells[metric->place].median : NAN;
		char mark[UTF8_BYTES], text[48];

		if (!metric->counted) {
			x = race_draw_run_value(metric, id, RECT(x, y, end - x, 1)) + 1;
			continue;
		}
		if (isnan(median))
			continue;
		utf8_put(view_shape(race->model, id), mark);
		race_median_text(metric, row, text);
		if (race_shares_unit(metric, i))
			text[strcspn(text, " ")] = '\0';
		x = canvas_printf(race->canvas, x, y, end - x,
				  STYLE_BOLD(view_hue(race->model, id)), "%s%s", mark, text) +
		    1;
	}
	return x;
}

/*
 * The state of a metric's difference between two models; ANSWER_MEASURING if there are not exactly
 * two models.
 */
static enum answer_state race_state(const struct race_metric *metric)
{
	const struct answer *answer = &metric->race->frame->cache->answer;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (answer->n_rows == 2 && answer->rows[i].reference != answer->rows[i].case_id)
			return answer->rows[i].cells[metric->place].state;
	return ANSWER_MEASURING;
}

/*
 * Whether two models really differ in the metric, by more than the margin within which they count
 * as the same. Survivors have no ratio, so for them any real difference counts.
 */
static bool race_differs(const struct race_metric *metric)
{
	const struct answer *answer = &metric->race->frame->cache->answer;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (answer->rows[i].reference != answer->rows[i].case_id &&
		    race_state(metric) == ANSWER_REAL &&
		    !answer_is_slight(answer->rows[i].cells[metric->place].ratio.estimate))
			return true;
	return false;
}

/*
 * Writes only the ratio of the two models, with the mark of the model that has more, "■2.4x".
 * Returns the column after the text; 0 if it does not fit.
 */
static int race_draw_ratio(const struct race_metric *metric, int x, int end)
{
	const struct race *race = metric->race;
	const struct answer *answer = &race->frame->cache->answer;
	char mark[UTF8_BYTES], text[48];

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const double ratio = row->cells[metric->place].ratio.estimate;
		uint32_t more = row->case_id;

		if (row->reference == row->case_id || !isfinite(ratio))
			continue;
		if (ratio < 1)
			more = row->reference;
		utf8_put(view_shape(race->model, more), mark);
		snprintf(text, sizeof(text), "%s%sx", mark, CLAIM_TIMES(fmax(ratio, 1 / ratio)));
		if (x + utf8_columns(text) <= end)
			return canvas_text(race->canvas, x, race->layout.figures.y, end - x,
					   STYLE_BOLD(view_hue(race->model, more)), text) +
			       1;
	}
	return 0;
}

/*
 * How much the line of metrics shows. RACE_LINE_ALL: everything. RACE_LINE_SHORT: short titles, and
 * differences only if there is one. RACE_LINE_FIRST: the same, and the ratio alone where a metric's
 * medians and ratio do not fit. RACE_LINE_REAL: the same, only for metrics that differ.
 * RACE_LINE_RATIOS: only the ratios of these metrics.
 */
enum race_line {
	RACE_LINE_ALL,
	RACE_LINE_SHORT,
	RACE_LINE_FIRST,
	RACE_LINE_REAL,
	RACE_LINE_RATIOS
};

/*
 * Writes the medians of a metric and their difference. Returns the column after the text; 0 if it
 * does not fit as a whole, because a part would look complete.
 */
static int race_draw_figures(const struct race_metric *metric, enum race_line much, int x, int end)
{
	const bool differs = race_differs(metric);
	/* While the figures are preliminary, the sentence above says so. */
	const bool known = race_state(metric) != ANSWER_MEASURING || !metric->counted;
	const int after = race_draw_figure(metric, x, end);
	int difference;

	if (after > end || after <= x)
		return 0;
	if (!known || (!differs && much != RACE_LINE_ALL))
		return after;
	difference = race_draw_difference(metric, RACE_WORDS_RATIO, after,
					  metric->race->layout.figures.y, end);
	if (difference > after)
		return difference + 1;
	return differs ? 0 : after;
}

/* Whether the line shows the metric, because nothing else on the screen has its figures. */
static bool race_line_has(const struct race_metric *metric, enum race_line much)
{
	if (!race_has_values(metric) || race_headline_has(metric) || race_repeats_time(metric))
		return false;
	return much < RACE_LINE_REAL || race_differs(metric);
}

/* Writes all metrics in one line, or only metrics that differ. Returns whether the texts fit. */
static bool race_draw_line(const struct race *race, enum race_line much)
{
	const struct rect line = race->layout.figures;
	const struct answer *answer = &race->frame->cache->answer;
	const int end = line.x + line.w;
	struct race_metric metric = {.race = race, .line = true};
	bool fit = true;
	int x = line.x + 1;

	metric.counted = race_has_trials(race) || model_over(race->model);
	canvas_hline(race->canvas, line.x, line.y, line.w, ' ', PLAIN);
	for (; metric.place < answer->n_metrics; metric.place++) {
		const enum model_metric of = answer->metrics[metric.place];
		const char *title = answer_title(race->frame->model, of);
		int after = 0, figure;

		if (!race_line_has(&metric, much))
			continue;
		if (much != RACE_LINE_ALL && of == METRIC_CPU)
			title = "CPU";
		figure = canvas_text(race->canvas, x, line.y, end - x, DIM, title) + 1;
		if (much < RACE_LINE_RATIOS)
			after = race_draw_figures(&metric, much, figure, end);
		if (after == 0 && much >= RACE_LINE_FIRST && race_differs(&metric)) {
			canvas_hline(race->canvas, figure, line.y, end - figure, ' ', PLAIN);
			after = race_draw_ratio(&metric, figure, end);
		}
		if (after > 0) {
			x = after + 1;
			continue;
		}
		fit = false;
		canvas_hline(race->canvas, x, line.y, end - x, ' ', PLAIN);
	}
	return fit;
}

/*
 * Writes all metrics in one line, "time ●115 ■114 ms  creation ●0.30 ■0.71 ms 2.4x". A metric whose
 * figures are in the sentence above is left out. If there is too little room, titles become
 * shorter; then the last metrics have only their ratios. Metrics that do not differ are left out
 * only after that, because a figure that comes and goes would seem to mean something.
 */
void view_race_draw_figures(const struct race *race)
{
	const struct answer *answer = &race->frame->cache->answer;
	bool real = false;

	if (race->layout.figures.h <= 0)
		return;
	for (uint32_t place = 0; place < answer->n_metrics; place++) {
		const struct race_metric metric = {.race = race, .place = place};

		real |= race_differs(&metric);
	}
	for (enum race_line much = RACE_LINE_ALL; much < RACE_LINE_REAL; much++)
		if (race_draw_line(race, much))
			return;
	if (real && !race_draw_line(race, RACE_LINE_REAL))
		race_draw_line(race, RACE_LINE_RATIOS);
}
