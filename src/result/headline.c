/* SPDX-License-Identifier: MIT */
#include "headline_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "model/model.h"
#include "result/latency.h"
#include "result/report.h"

/* The template for a subject in the singular or the plural. */
static const char *in_number(bool plural, const char *of_one, const char *of_several)
{
	if (plural)
		return of_several;
	return of_one;
}

static bool compares_times(const struct answer *answer, const struct model *model)
{
	return answer->n_metrics > 0 && headline_is_time(answer->metrics[0]) &&
	       !model_has_faults(model);
}

static bool is_memory(const struct answer *answer)
{
	return answer->n_metrics > 0 && metric_table[answer->metrics[0]].memory > 0;
}

/*
 * The number of pairs after which an interval of this width would be narrow enough if the spread
 * stays the same.
 */
static uint32_t pairs_to_decide(const struct answer_cell *cell)
{
	double width = log(cell->sampled.high / cell->sampled.low) / 2;
	double apart = fabs(log(cell->ratio.estimate));
	double enough = fmax(apart, log(MODEL_MARGIN) - apart);
	double pairs = ceil(cell->pairs * pow(width / enough, 2));
	double round = pow(10, floor(log10(pairs)) - 1);

	if (round > 1)
		pairs = rint(pairs / round) * round;
	if (pairs > cell->pairs && pairs < 1e6)
		return (uint32_t)pairs;
	return cell->pairs + 1;
}

static const char *how_template(const struct model *model, const struct answer_cell *cell,
				enum model_metric metric)
{
	struct model_busy busy;

	switch (cell->state) {
	case ANSWER_REAL:
		if (headline_is_time(metric))
			return N_(" ({by_pair}{times}x as long; {low} to {high})");
		return N_(" ({by_pair}{times}x as much; {low} to {high})");
	case ANSWER_SAME:
		/* The bound is of the last interim analysis, but the medians are newer. */
		if (!model_over(model))
			return N_(" (within {margin})");
		return N_(" ({by_pair}within {bound})");
	case ANSWER_CLOSE:
		if (model_is_busy(model, &busy))
			return N_(" ({by_pair}at most {bound} apart; run again without other "
				  "programs)");
		return N_(" ({by_pair}at most {bound} apart; about {pairs} trials may decide)");
	case ANSWER_MEASURING:
		return N_(" so far");
	case ANSWER_WITHHELD:
		if (cell->failed > 0)
			return N_(" ({failed} of {all} pairs failed; {n} must succeed)");
		if (cell->least > 0 && model_stopped(model))
			return N_(" (stopped after {ended} of {planned} trials)");
		if (cell->least > 0)
			return N_(" ({why}; use -n {n} or more)");
		return N_(" ({why})");
	case ANSWER_NONE:
		return "";
	}
	return "";
}

/* Medians that exceed the bound of the pairs by this ratio at most do not mislead. */
#define MEDIANS_NEAR 1.01

/*
 * Adds how a case compares with the reference in a metric, in parentheses. Says "per pair" if
 * the medians alone would suggest something else.
 */
static void add_how(struct sentence *s, const struct model *model, const struct answer_cell *cell,
		    double reference, enum model_metric metric)
{
	const double bound = finding_excluded(&cell->ratio);
	const struct claim_ends ends = claim_times_ends(cell->ratio.low, cell->ratio.high);
	const char *why = sentence_text(reason_sentence(cell->why), "");
	const double apart = fmax(cell->median / reference, reference / cell->median);
	const char *by_pair = "";
	char margin[16];

	snprintf(margin, sizeof(margin), "%.0f %%", 100 * (MODEL_MARGIN - 1));
	if (cell->state == ANSWER_REAL) {
		if (!answer_medians_agree(metric, reference, cell->median, cell->ratio.estimate))
			by_pair = headline_text(N_("per pair, "));
	} else if (apart > bound * MEDIANS_NEAR) {
		by_pair = headline_text(N_("medians mislead; per pair, "));
	} else if (apart > bound) {
		by_pair = headline_text(N_("per pair, "));
	}
	FILL(s, how_template(model, cell, metric), {"by_pair", by_pair},
	     {"times", CLAIM_TIMES(cell->ratio.estimate)}, {"low", ends.low}, {"high", ends.high},
	     {"bound", CLAIM_EXCLUDED(bound)}, {"margin", margin},
	     {"pairs", NUMBER(pairs_to_decide(cell))}, {"why", sentence_translated(why)},
	     {"n", NUMBER(cell->least)}, {"failed", NUMBER(cell->failed)},
	     {"all", NUMBER(cell->trials)}, {"ended", NUMBER(cell->pairs)},
	     {"planned", NUMBER(model->session.trials)});
}

/* Turns an interval of b / a into one of a / b. */
static struct stats_interval inverse_of(struct stats_interval ratio)
{
	return (struct stats_interval) {1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low};
}

/*
 * Fills in a sentence about the winner a and the loser b. times: the ratio of the winner's rate to
 * the loser's or, without `rate`, of the loser's time to the winner's.
 */
static void fill_lead(struct sentence *s, const struct answer *answer, const struct model *model,
		      const char *text, const struct answer_row *winner,
		      const struct answer_row *loser, bool rate, struct stats_interval times)
{
	const struct claim_ends ends = claim_times_ends(times.low, times.high);
	const char *name = NAME_OF(model, loser->case_id), *by_pair = "", *slightly = "";
	struct sentence takes = SENTENCE(SAMPLE_NAME + 40);
	double below = winner->cells[0].median, above = loser->cells[0].median;

	if (rate) {
		below = above;
		above = winner->cells[0].median;
	}
	if (answer_medians_agree(answer->metrics[0], below, above, times.estimate)) {
		sentence_add(&takes, "%s", name);
	} else {
		by_pair = headline_text(N_("per pair, "));
		FILL(&takes,
		     in_number(report_name_is_plural(name), N_("per pair, {b} takes"),
			       N_("per pair, {b} take")),
		     {"b", name});
	}
	if (answer_is_slight(times.estimate))
		slightly = headline_text(N_("slightly "));
	FILL(s, text, {"a", NAME_OF(model, winner->case_id)}, {"of_a", MEDIAN_TEXT(answer, winner)},
	     {"b", takes.buf}, {"of_b", MEDIAN_TEXT(answer, loser)}, {"slightly", slightly},
	     {"what", SUFFIX_OF(model, answer->metrics[0])}, {"by_pair", by_pair},
	     {"times", CLAIM_TIMES(times.estimate)}, {"low", ends.low}, {"high", ends.high});
}

/*
 * Compares two cases, the faster one first: "processes are faster: 520 ms against 829 ms (threads
 * 1.6x …)".
 */
static void add_winner(struct sentence *s, const struct answer *answer, const struct model *model,
		       const struct answer_row *first, const struct answer_row *last)
{
	const struct answer_row *winner = first, *loser = last;
	struct stats_interval times = last->cells[0].ratio;

	if (times.estimate < 1) {
		winner = last;
		loser = first;
		times = inverse_of(times);
	}
	fill_lead(
		s, answer, model,
		in_number(
			report_name_is_plural(NAME_OF(model, winner->case_id)),
			N_("{a} is {slightly}faster: {of_a} against {of_b}{what} ({b} {times}x as "
			   "long; "
			   "{low} to {high})"),
			N_("{a} are {slightly}faster: {of_a} against {of_b}{what} ({b} {times}x as "
			   "long; "
			   "{low} to {high})")),
		winner, loser, false, times);
}

/*
 * Compares two cases, the better one first: "b is better: 520 against 400 req/s (1.3x as much; 1.2
 * to 1.4)".
 */
static void add_better(struct sentence *s, const struct answer *answer, const struct model *model,
		       const struct answer_row *first, const struct answer_row *last)
{
	const struct answer_row *winner = last, *loser = first;
	struct stats_interval times = last->cells[0].ratio;

	if ((times.estimate > 1) == model_prints_time(model)) {
		winner = first;
		loser = last;
		times = inverse_of(times);
	}
	fill_lead(s, answer, model,
		  N_("{a} is better: {of_a} against {of_b}{what} ({by_pair}{times}x as much; {low} "
		     "to "
		     "{high})"),
		  winner, loser, true, times);
}

/* Adds a list of ratios. by_pair: some of them are not the quotients of medians that are shown. */
static void add_list(struct sentence *s, const char *list, bool by_pair)
{
	sentence_add(s, "%s%s", by_pair ? headline_text(N_("per pair, ")) : "", list);
}

/* Whether the row shows a ratio per pair that is not the quotient of the medians shown. */
static bool is_by_pair(const struct answer *answer, const struct answer_row *row)
{
	return row->cells[0].state == ANSWER_REAL && isfinite(row->cells[0].ratio.estimate) &&
	       !answer_is_quotient(answer, row, 0);
}

/*
 * Adds a row: "processes 2.0x", "hybrid same", "pool too close". If the row is not compared:
 * "processes 1.2 MiB".
 */
static void add_beside(struct sentence *s, const struct answer *answer, const struct model *model,
		       const struct answer_row *row)
{
	const struct answer_cell *cell = &row->cells[0];

	const struct slot name = {"a", NAME_OF(model, row->case_id)};

	if (cell->state == ANSWER_REAL)
		FILL(s, N_("{a} {times}x"), name, {"times", CLAIM_TIMES(cell->ratio.estimate)});
	else if (cell->state == ANSWER_SAME)
		FILL(s, N_("{a} same"), name);
	else if (cell->state == ANSWER_CLOSE)
		FILL(s, N_("{a} too close"), name);
	else
		FILL(s, N_("{a} {of_a}"), name, {"of_a", MEDIAN_TEXT(answer, row)});
}

/* The title for the number of workers that the fault did not harm. */
static const char *survival_title(enum fault_kind kind)
{
	if (kind == FAULT_OVERRUN)
		return N_("Correct results");
	if (kind == FAULT_HANG)
		return N_("Finished");
	return N_("Survivors");
}

static void add_faults(struct sentence *s, const struct answer *answer, const struct model *model)
{
	static const char *const does[] = {
		[FAULT_NONE] = N_("fails"),
		[FAULT_SEGV] = N_("crashes"),
		[FAULT_ABORT] = N_("calls abort()"),
		[FAULT_EXIT] = N_("calls exit()"),
		[FAULT_HANG] = N_("hangs"),
		[FAULT_OOM] = N_("runs out of memory"),
		[FAULT_OVERRUN] = N_("writes past its memory"),
	};
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	uint32_t trials = UINT32_MAX, least = 0;
	enum fault_kind kind = FAULT_NONE;
	struct model_fault fault;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const char *template = N_("{a} {n} of {all}");

		if (model_fault_read(model, i, &fault) || fault.trials == 0)
			continue;
		kind = fault.kind;
		trials = MIN(fault.trials, trials);
		if (fault.most > fault.least)
			template = N_("{a} {n} to {most} of {all}");
		FILL(headline_list(&list), template, {"a", NAME_OF(model, i)},
		     {"n", NUMBER((uint32_t)fault.least)}, {"most", NUMBER((uint32_t)fault.most)},
		     {"all", NUMBER(fault.workers)});
	}
	if (!list.used) {
		headline_no_trial(s, model);
		return;
	}
	FILL(s,
	     in_number(trials != 1, N_("One worker {why} in one trial. {counted}: {others}"),
		       N_("One worker {why} in each of {n} trials. {counted}: {others}")),
	     {"n", NUMBER(trials)}, {"why", headline_text(does[kind])}, {"others", list.buf},
	     {"counted", headline_text(survival_title(kind))});
	for (uint32_t i = 0; i < answer->n_rows; i++)
		least = MAX(least, answer->rows[i].cells[0].least);
	if (least == 0 || answer->state != ANSWER_WITHHELD)
		return;
	if (model_stopped(model))
		FILL(s, N_(" (stopped after {ended} of {planned} trials)"),
		     {"ended", NUMBER(trials)}, {"planned", NUMBER(model->session.trials)});
	else
		FILL(s, N_(" ({why}; use -n {n} or more)"),
		     {"why", sentence_translated(reason_sentence(REASON_FEW_TRIALS))},
		     {"n", NUMBER(least)});
}

/*
 * The name of a case that failed, or its command if the name says only how the command was started.
 */
static const char *failed_name(const struct model *model, uint32_t case_id, char name[SAMPLE_NAME])
{
	const struct sample_case *config = &model->cases[case_id];
	bool only = *config->command != '\0';

	for (uint32_t i = 0; i < model->n_cases; i++)
		only &= strcmp(model->cases[i].command, config->command) == 0;
	if (model->n_cases == 1)
		only &= strcmp(config->model, "threads") == 0 ||
			strcmp(config->model, "processes") == 0;
	if (only)
		return config->command;
	return headline_name(model, case_id, name);
}

static bool add_failure(struct sentence *s, const struct model *model)
{
	if (model_has_faults(model))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const char *why = "";
		char name[SAMPLE_NAME];
		uint32_t failures = report_failed_trials(model, i, &why);

		if (failures == 0)
			continue;
		FILL(s,
		     in_number(failures != 1,
			       N_("{a} failed in its only trial, so nothing is compared ({why})"),
			       N_("{a} failed in all {n} trials, so nothing is compared ({why})")),
		     {"a", failed_name(model, i, name)}, {"n", NUMBER(failures)},
		     {"why", sentence_text(why, headline_text(N_("Messages says more")))});
		return true;
	}
	return false;
}

/* If more cases than this are compared, the sentence has no room for a winner. */
enum { FASTEST_MOST = 16 };

/*
 * The case of a group of at least three that is significantly faster than all others; UINT32_MAX if
 * none.
 */
static uint32_t find_fastest(const struct answer *answer, const struct model *model,
			     uint32_t reference)
{
	uint32_t cases[FASTEST_MOST], n = 0;
	struct finding_lead found;

	if (!compares_times(answer, model))
		return UINT32_MAX;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (row->reference != reference || isnan(row->cells[0].median))
			continue;
		if (n == FASTEST_MOST)
			return UINT32_MAX;
		cases[n++] = row->case_id;
	}
	if (n < 3 || finding_among(model, cases, n, answer->metrics[0], &found) ||
	    found.sure != FINDING_REAL)
		return UINT32_MAX;
	return found.lead;
}

/*
 * Records the text in parentheses, if it is the end of the sentence. A translation may put it
 * elsewhere.
 */
static void note_aside(const struct sentence *s, const struct sentence *aside)
{
	const size_t begin = s->used - MIN(s->used, aside->used);

	if (!s->parts || s->parts->aside_end > 0 || strncmp(aside->buf, " (", 2) != 0 ||
	    strcmp(s->buf + begin, aside->buf) != 0)
		return;
	s->parts->aside = begin;
	s->parts->aside_end = s->used;
	if (aside->parts->detail > 0)
		s->parts->detail = begin + aside->parts->detail;
}

/* From this ratio on, a sentence says how many times as long the slower case takes so far. */
#define SO_FAR_TIMES 2
/* The ratio of the medians may differ from that of the pairs by this part of it, as logarithms. */
#define SO_FAR_APART 0.08

/*
 * While trials go on, adds "So far b takes 8.5x as long: 1.18 s against 139 ms", the ratio of these
 * two figures. Returns false if the ratio is too small, or if the pairs have another one.
 */
static bool add_takes_so_far(struct sentence *s, const struct answer *answer,
			     const struct model *model, const struct answer_row *first,
			     const struct answer_row *last)
{
	const struct answer_cell *cell = &last->cells[0];
	const struct answer_row *winner = first, *loser = last;
	const enum model_metric metric = answer->metrics[0];
	double times = cell->ratio.estimate, quotient;
	const char *name;

	if (s->used > 0 || cell->state != ANSWER_MEASURING || !headline_is_time(metric))
		return false;
	if (times < 1) {
		winner = last;
		loser = first;
		times = 1 / times;
	}
	quotient = metric_printed(metric, loser->cells[0].median) /
		   metric_printed(metric, winner->cells[0].median);
	if (!(times >= SO_FAR_TIMES) || !(fabs(log(quotient / times)) <= SO_FAR_APART * log(times)))
		return false;
	name = NAME_OF(model, loser->case_id);
	FILL(s,
	     in_number(report_name_is_plural(name),
		       N_("So far {b} takes {times}x as long: {of_b} against {of_a}{what}"),
		       N_("So far {b} take {times}x as long: {of_b} against {of_a}{what}")),
	     {"b", name}, {"times", CLAIM_TIMES(quotient)}, {"of_b", MEDIAN_TEXT(answer, loser)},
	     {"of_a", MEDIAN_TEXT(answer, winner)}, {"what", SUFFIX_OF(model, metric)});
	return true;
}

static void add_pair(struct sentence *s, const struct answer *answer, const struct model *model,
		     const struct answer_row *first, const struct answer_row *last)
{
	const struct answer_cell *cell = &last->cells[0];
	const enum model_metric metric = answer->metrics[0];
	struct sentence_parts parts = {.begin = 0};
	struct sentence how = SENTENCE(256);

	how.parts = &parts;
	if (cell->state == ANSWER_REAL && headline_is_time(metric)) {
		add_winner(s, answer, model, first, last);
		return;
	}
	if (cell->state == ANSWER_REAL && metric == METRIC_PRINTED) {
		add_better(s, answer, model, first, last);
		return;
	}
	if (add_takes_so_far(s, answer, model, first, last))
		return;
	add_how(&how, model, cell, first->cells[0].median, metric);
	FILL(s, N_("{a} {of_a}, {b} {of_b}{what}{how}"), {"a", NAME_OF(model, first->case_id)},
	     {"of_a", MEDIAN_TEXT(answer, first)}, {"b", NAME_OF(model, last->case_id)},
	     {"of_b", MEDIAN_TEXT(answer, last)}, {"how", how.buf},
	     {"what", SUFFIX_OF(model, metric)});
	note_aside(s, &how);
}

/*
 * While trials of creation go on and none is decided, adds the fastest way so far, and the least
 * and the greatest ratio, as in their column: "So far clone is fastest (0.87x as long as
 * pthread_create), fork+exec 46x". Returns false if fewer than two ratios are known.
 */
static bool add_creation_so_far(struct sentence *s, const struct answer *answer,
				const struct model *model, uint32_t reference)
{
	const char *text = N_("So far {first} is fastest; {a} takes {low}x as long, {b} {high}x");
	const struct answer_row *low = NULL, *high = NULL;

	if (s->used > 0 || answer->state != ANSWER_MEASURING || answer->metrics[0] != METRIC_TASK)
		return false;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const struct answer_cell *cell = &row->cells[0];

		if (row->reference != reference || i == reference)
			continue;
		if (cell->state != ANSWER_MEASURING)
			return false;
		if (isnan(cell->ratio.estimate))
			continue;
		if (!low || cell->ratio.estimate < low->cells[0].ratio.estimate)
			low = row;
		if (!high || cell->ratio.estimate > high->cells[0].ratio.estimate)
			high = row;
	}
	if (low == high)
		return false;
	if (low->cells[0].ratio.estimate < 1)
		text = N_("So far {a} is fastest ({low}x as long as {first}), {b} {high}x");
	FILL(s, text, {"a", NAME_OF(model, low->case_id)}, {"first", NAME_OF(model, reference)},
	     {"b", NAME_OF(model, high->case_id)},
	     {"low", CLAIM_TIMES(low->cells[0].ratio.estimate)},
	     {"high", CLAIM_TIMES(high->cells[0].ratio.estimate)});
	return true;
}

/* others: the cases that are compared with the first, as a list. */
static void add_several(struct sentence *s, const struct answer *answer, const struct model *model,
			const struct answer_row *first, const char *others)
{
	const uint32_t fastest = find_fastest(answer, model, first->reference);
	const char *name = NAME_OF(model, first->case_id), *text;

	if (fastest != UINT32_MAX && fastest != first->case_id) {
		const char *winner = NAME_OF(model, fastest);

		FILL(s,
		     in_number(report_name_is_plural(winner), N_("{a} is fastest; "),
			       N_("{a} are fastest; ")),
		     {"a", winner});
	}
	if (fastest == first->case_id)
		text = in_number(report_name_is_plural(name),
				 N_("{a} is fastest ({of_a}{what}): {others}"),
				 N_("{a} are fastest ({of_a}{what}): {others}"));
	else if (model_has_faults(model))
		text = N_("{a} {of_a}{what}, {others} (not compared: the crash cut runs short)");
	else if (s->used == 0)
		text = N_("Compared with {a} ({of_a}{what}): {others}");
	else
		text = N_("compared with {a} ({of_a}{what}): {others}");
	FILL(s, text, {"a", name}, {"of_a", MEDIAN_TEXT(answer, first)},
	     {"what", SUFFIX_OF(model, answer->metrics[0])}, {"others", others});
}

/* The row with the next higher ratio than `above`, among those compared with the reference. */
static const struct answer_row *next_ratio(const struct answer *answer, uint32_t reference,
					   double above)
{
	const struct answer_row *next = NULL;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const double ratio = row->cells[0].ratio.estimate;

		if (row->reference != reference || i == reference || !(ratio > above))
			continue;
		if (!next || ratio < next->cells[0].ratio.estimate)
			next = row;
	}
	return next;
}

/*
 * If one way to create a task is the fastest, but not the reference, and another one really takes
 * longer than the reference, adds both times, then the ratios of all ways in the order of
 * their rows. Returns false otherwise.
 */
static bool add_creation(struct sentence *s, const struct answer *answer, const struct model *model,
			 uint32_t reference)
{
	const struct answer_row *first = &answer->rows[reference];
	const struct answer_row *row, *longest = NULL;
	struct sentence list = SENTENCE(HEADLINE_TEXT), others = SENTENCE(HEADLINE_TEXT);
	bool by_pair = false;
	uint32_t fastest;

	if (answer->metrics[0] != METRIC_TASK || s->used > 0)
		return false;
	fastest = find_fastest(answer, model, reference);
	for (row = next_ratio(answer, reference, 0); row;
	     row = next_ratio(answer, reference, row->cells[0].ratio.estimate))
		longest = row;
	if (fastest == UINT32_MAX || fastest == reference || !longest)
		return false;
	if (longest->cells[0].state != ANSWER_REAL || longest->cells[0].ratio.estimate < 1)
		return false;
	for (row = next_ratio(answer, reference, 0); row;
	     row = next_ratio(answer, reference, row->cells[0].ratio.estimate)) {
		add_beside(headline_list(&list), answer, model, row);
		by_pair |= is_by_pair(answer, row);
	}
	add_list(&others, list.buf, by_pair);
	FILL(s,
	     N_("{a} is fastest, {of_a}{what}; {b} takes longest, {of_b}; compared with {first} "
		"({of_first}): {others}"),
	     {"a", NAME_OF(model, fastest)},
	     {"of_a", LATENCY_TEXT(llround(answer->rows[fastest].cells[0].median))},
	     {"what", SUFFIX_OF(model, answer->metrics[0])},
	     {"b", NAME_OF(model, longest->case_id)},
	     {"of_b", LATENCY_TEXT(llround(longest->cells[0].median))},
	     {"first", NAME_OF(model, reference)},
	     {"of_first", LATENCY_TEXT(llround(first->cells[0].median))}, {"others", others.buf});
	return true;
}

/*
 * Adds the cases that are compared with that reference: one other case as a comparison, several as
 * a list.
 */
static void add_group(struct sentence *s, const struct answer *answer, const struct model *model,
		      uint32_t reference)
{
	struct sentence list = SENTENCE(HEADLINE_TEXT), others = SENTENCE(HEADLINE_TEXT);
	const struct answer_row *first = &answer->rows[reference], *last = NULL;
	bool by_pair = false;
	uint32_t n = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[answer->order[i]];

		if (row->reference != reference || row == first || isnan(row->cells[0].median))
			continue;
		n++;
		add_beside(headline_list(&list), answer, model, row);
		by_pair |= is_by_pair(answer, row);
		last = row;
	}
	add_list(&others, list.buf, by_pair);
	if (s->used > 0)
		HEADLINE_ADD(s, N_("; "));
	if (n == 0 || (isnan(first->cells[0].median) && !is_memory(answer)))
		headline_no_trial(s, model);
	else if (isnan(first->cells[0].median))
		FILL(s, N_("{others} (not compared, because the others' memory was not read)"),
		     {"others", list.buf});
	else if (n == 1)
		add_pair(s, answer, model, first, last);
	else if (!add_creation_so_far(s, answer, model, reference) &&
		 !add_creation(s, answer, model, reference))
		add_several(s, answer, model, first, others.buf);
}

/* If at most this many cases are not compared, the sentence names all of them; otherwise two. */
enum { LONE_MOST = 4 };

/* Lists the cases with their medians. */
static const char *lone_list(const struct answer *answer, const struct model *model,
			     char list[HEADLINE_TEXT])
{
	struct sentence all = sentence_in(list, HEADLINE_TEXT);

	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (!isnan(answer->rows[i].cells[0].median))
			FILL(headline_list(&all), N_("{a} {of_a}"), {"a", NAME_OF(model, i)},
			     {"of_a", MEDIAN_TEXT(answer, &answer->rows[i])});
	return list;
}

/* Up to this number of cases without a median, the sentence names all. */
enum { APART_MOST = 2 };

/*
 * Says that the workers of the cases without a median did not run at the same time. Returns false
 * if no case lacks its median for that reason.
 */
static bool add_not_together(struct sentence *s, const struct answer *answer,
			     const struct model *model)
{
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	uint32_t n = 0;

	if (model_step(model) != WORK_SHARE || is_memory(answer))
		return false;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (!isnan(answer->rows[i].cells[0].median))
			continue;
		n++;
		sentence_join(&list, ", ", "%s", NAME_OF(model, i));
	}
	if (n == 0)
		return false;
	if (n > APART_MOST)
		FILL(s,
		     N_(" (the workers of {n} of {all} configurations did not run at the same "
			"time)"),
		     {"n", NUMBER(n)}, {"all", NUMBER(answer->n_rows)});
	else
		FILL(s, N_(" (the workers of {others} did not run at the same time)"),
		     {"others", list.buf});
	return true;
}

/* Says why nothing is compared. first: the first of the n cases that have a median. */
static void add_lone_how(struct sentence *s, const struct answer *answer, const struct model *model,
			 uint32_t first, uint32_t n)
{
	struct report_summary summary = {.n = 0};

	report_summarize(model, first, answer->metrics[0], &summary);
	if (n > 1 && model->n_origins > 0)
		HEADLINE_ADD(s, N_(" (not measured together)"));
	else if (add_not_together(s, answer, model))
		return;
	else if (n > 1 && model_step(model) == WORK_SHARE)
		HEADLINE_ADD(s, N_(" (not compared, because each way to count is other work)"));
	else if (n > 1)
		HEADLINE_ADD(s, N_(" (not compared, because the work differs)"));
	else if (summary.n == 1)
		HEADLINE_ADD(s, N_(" (one trial, nothing to compare)"));
	else
		FILL(s, N_(" (median of {n} trials, nothing to compare)"),
		     {"n", NUMBER((uint32_t)summary.n)});
}

/* Describes the cases, because nothing is compared. */
static void add_lone(struct sentence *s, const struct answer *answer, const struct model *model)
{
	uint32_t known[2] = {0, 0}, n = 0;
	const char *template = N_("{a} {of_a}{what}{how}");
	struct sentence how = SENTENCE(256);
	char list[HEADLINE_TEXT] = "";

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (isnan(answer->rows[i].cells[0].median))
			continue;
		known[n > 0] = i;
		n++;
	}
	add_lone_how(&how, answer, model, known[0], n);
	if (n > 2 && n <= LONE_MOST) {
		FILL(s, N_("{others}{what}{how}"), {"others", lone_list(answer, model, list)},
		     {"what", SUFFIX_OF(model, answer->metrics[0])}, {"how", how.buf});
		return;
	}
	if (n > 1)
		template = N_("{a} {of_a}, {b} {of_b}{what}{how}");
	FILL(s, template, {"a", NAME_OF(model, known[0])},
	     {"of_a", MEDIAN_TEXT(answer, &answer->rows[known[0]])},
	     {"b", NAME_OF(model, known[n > 1])},
	     {"of_b", MEDIAN_TEXT(answer, &answer->rows[known[n > 1]])}, {"how", how.buf},
	     {"what", SUFFIX_OF(model, answer->metrics[0])});
}

/* Adds the share of lost increments. A result with lost increments is wrong, however fast it is. */
static void add_lost(struct sentence *s, const struct model *model)
{
	double share, most = 0;
	char n[32];

	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, 0, model->n_cases));) {
		share = metric_value(run, METRIC_LOST) / metric_value(run, METRIC_STEPS);
		most = fmax(most, share);
	}
	if (most == 0)
		return;
	if (most < 0.01)
		snprintf(n, sizeof(n), "%.3f", 100 * most);
	else
		snprintf(n, sizeof(n), "%.0f", 100 * most);
	/* xgettext:no-c-format */
	FILL(s, N_("; without a lock up to {n} % of the increments were lost"), {"n", n});
}

/*
 * Adds the other headline metrics in which the second of two cases is significantly higher (`more`)
 * or lower. Slight differences are left out, because nobody would choose by them.
 */
static void add_others(struct sentence *s, const struct answer *answer, const struct model *model,
		       bool more)
{
	static const char *const templates[2][2] = {
		{N_("; less with {b}: {others}"), N_("; more with {b}: {others}")},
		{N_("; already less with {b}: {others}"), N_("; already more with {b}: {others}")},
	};
	const bool measuring = answer->state == ANSWER_MEASURING;
	const struct answer_row *row = answer->rows;
	struct sentence list = SENTENCE(HEADLINE_TEXT), others = SENTENCE(HEADLINE_TEXT);
	bool by_pair = false;

	while (row->reference == row->case_id)
		row++;
	for (uint32_t i = 1; i < answer->n_metrics; i++) {
		const struct answer_cell *cell = &row->cells[i];

		if (cell->state != ANSWER_REAL || isnan(cell->ratio.estimate) ||
		    answer_repeats_time(answer, i))
			continue;
		if ((cell->ratio.estimate > 1) != more || answer_is_slight(cell->ratio.estimate))
			continue;
		FILL(headline_list(&list), N_("{a} {times}x"),
		     {"a", sentence_translated(answer_title(model, answer->metrics[i]))},
		     {"times", CLAIM_TIMES(cell->ratio.estimate)});
		by_pair |= !answer_is_quotient(answer, row, i);
	}
	add_list(&others, list.buf, by_pair);
	if (list.used)
		FILL(s, templates[measuring][more], {"b", NAME_OF(model, row->case_id)},
		     {"others", others.buf});
}

/*
 * Adds "2 processes were still running when ./a ended: ". The times do not cover all that those
 * programs started, so the reader must know.
 */
static void add_left(struct sentence *s, const struct model *model)
{
	bool same = true;

	for (uint32_t i = 1; i < model->n_cases; i++)
		same &= strcmp(model->cases[i].command, model->cases[0].command) == 0;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t left = model_left_running(model, i, NULL);

		if (left == 0)
			continue;
		const char *name = NAME_OF(model, i);

		if (same)
			name = headline_text(N_("the program"));
		FILL(s,
		     in_number(left != 1, N_("A process was still running when {a} ended: "),
			       N_("{n} processes were still running when {a} ended: ")),
		     {"a", name}, {"n", NUMBER(left)});
		return;
	}
}

/* Finds the references of the compared rows, each once, in the order of the rows. */
static uint32_t find_references(const struct answer *answer, uint32_t groups[MODEL_JOIN_CASES])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const uint32_t reference = answer->rows[i].reference;
		bool begins = reference != i;

		if (n == MODEL_JOIN_CASES)
			break;
		for (uint32_t j = 0; j < n; j++)
			begins &= groups[j] != reference;
		if (begins)
			groups[n++] = reference;
	}
	return n;
}

static uint32_t count_known(const struct answer *answer)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		n += !isnan(answer->rows[i].cells[0].median);
	return n;
}

/* Says why no case has a median. */
static void add_nothing(struct sentence *s, const struct answer *answer, const struct model *model)
{
	if (model_runs_ended(model) == 0)
		headline_no_trial(s, model);
	else if (is_memory(answer))
		HEADLINE_ADD(s, N_("every run was too short to read it"));
	else if (model_step(model) == WORK_SHARE)
		HEADLINE_ADD(
			s, N_("The workers did not run at the same time, so nothing is compared"));
	else
		headline_no_trial(s, model);
}

static void add_comparisons(struct sentence *s, const struct answer *answer,
			    const struct model *model, const uint32_t *groups, uint32_t n)
{
	if (n == 0 || (is_memory(answer) && count_known(answer) == 1))
		add_lone(s, answer, model);
	else if (n > 1 && (model->n_origins == 0 || model_sweeps(model)))
		headline_sweep(s, answer, model);
	else
		for (uint32_t i = 0; i < n; i++)
			add_group(s, answer, model, groups[i]);
}

char *headline_sentence(const struct answer *answer, const struct model *model, char *buf,
			size_t size, struct sentence_parts *parts)
{
	struct sentence lead = sentence_in(buf, size), s;
	uint32_t groups[MODEL_JOIN_CASES];
	const uint32_t n = find_references(answer, groups), n_known = count_known(answer);

	if (n_known > 0)
		add_left(&lead, model);
	s = sentence_in(buf + lead.used, size - lead.used);
	if (parts)
		*parts = (struct sentence_parts) {.begin = lead.used};
	s.parts = parts;
	if (answer->n_rows == 0)
		headline_no_trial(&s, model);
	else if (add_failure(&s, model))
		return buf;
	else if (answer->metrics[0] == METRIC_SURVIVED)
		add_faults(&s, answer, model);
	else if (n_known == 0)
		add_nothing(&s, answer, model);
	else
		add_comparisons(&s, answer, model, groups, n);
	if (model_step(model) == WORK_SHARE && !is_memory(answer))
		add_lost(&s, model);
	if (n == 1 && answer->compared == 1) {
		add_others(&s, answer, model, true);
		add_others(&s, answer, model, false);
	}
	return buf;
}

const char *headline_word(const struct answer *answer, const struct model *model)
{
	static const char *const words[] = {
		[ANSWER_NONE] = "",
		[ANSWER_MEASURING] = N_("MEASURING"),
		[ANSWER_REAL] = N_("FASTER"),
		[ANSWER_SAME] = N_("SAME SPEED"),
		[ANSWER_CLOSE] = N_("TOO CLOSE"),
		[ANSWER_WITHHELD] = N_("NO RESULT"),
	};
	const bool of_speed = compares_times(answer, model);

	if (answer->state == ANSWER_REAL && (!of_speed || answer->compared > 1))
		return N_("REAL");
	if (answer->state == ANSWER_SAME && !of_speed)
		return N_("SAME");
	/* In a sweep, some of the undecided cases may still differ a lot. */
	if (answer->state == ANSWER_CLOSE && answer->compared > 1 && curve_swept(model))
		return N_("NOT DECIDED");
	return words[answer->state];
}

char *headline_badge(const struct answer *answer, const struct model *model, char *buf, size_t size)
{
	struct sentence word = SENTENCE(HEADLINE_BADGE), counted = SENTENCE(HEADLINE_BADGE);
	struct sentence s = sentence_in(buf, size);
	const enum answer_state state = headline_state(answer, model);
	const bool times = !is_memory(answer);
	const char *template = "{badge}";
	struct model_busy busy = {0};

	if (answer->state == ANSWER_NONE)
		return buf;
	if (state != answer->state)
		HEADLINE_ADD(&word, N_("REAL"));
	else if (answer->real > 0 && answer->close > 0)
		FILL(&word, N_("REAL AT {n} OF {all}"), {"n", NUMBER(answer->real)},
		     {"all", NUMBER(answer->compared)});
	else
		sentence_add(&word, "%s", sentence_translated(headline_word(answer, model)));
	if (answer->state == ANSWER_MEASURING && answer->planned > 0)
		FILL(&counted, N_("{badge} {n}/{all}"), {"badge", word.buf},
		     {"n", NUMBER(answer->pairs)}, {"all", NUMBER(answer->planned)});
	else
		sentence_add(&counted, "%s", word.buf);
	if (times && model_is_limited(model)) {
		template = N_("{badge}, under a quota");
	} else if (times && model_is_busy(model, &busy)) {
		template = N_("{badge}, the host stole {percent} %");
		if (busy.others > 0)
			template = N_("{badge}, other programs {percent} %");
	}
	FILL(&s, template, {"badge", counted.buf},
	     {"percent", NUMBER(lrint(100 * MAX(busy.others, busy.steal)))});
	return buf;
}

char *headline_of_metric(const struct model *model, enum model_metric metric, char *buf,
			 size_t size)
{
	struct answer answer;

	buf[0] = '\0';
	if (answer_read_metric(&answer, model, metric) == 0)
		headline_sentence(&answer, model, buf, size, NULL);
	answer_free(&answer);
	return buf;
}

/* Writes the answer in a metric of memory, with its badge. */
static void add_memory(const struct answer *answer, const struct model *model, char *buf,
		       size_t size)
{
	char badge[HEADLINE_BADGE], text[HEADLINE_TEXT];
	struct sentence s = sentence_in(buf, size);

	headline_badge(answer, model, badge, sizeof(badge));
	if (*badge)
		sentence_add(&s, "[%s] ", badge);
	else if (count_known(answer) > 0 && model_has_faults(model))
		sentence_add(&s, "[%s] ", headline_text(N_("NOT COMPARED")));
	headline_sentence(answer, model, text, sizeof(text), NULL);
	FILL(&s, N_("Median memory ({how}): {text}"),
	     {"how", metric_table[answer->metrics[0]].title}, {"text", text});
}

enum answer_state headline_memory(const struct model *model, enum model_metric *metric, char *buf,
				  size_t size)
{
	static const enum model_metric ways[] = {METRIC_MEMORY, METRIC_PSS, METRIC_KERNEL,
						 METRIC_RSS};
	enum answer_state state = ANSWER_NONE;
	uint32_t most = 0;

	*metric = METRIC_MEMORY;
	buf[0] = '\0';
	for (size_t way = 0; way < LENGTH(ways); way++) {
		struct answer answer;
		const int error = answer_read_metric(&answer, model, ways[way]);
		const uint32_t known = error ? 0 : count_known(&answer);

		if (!error && (way == 0 || known > most)) {
			add_memory(&answer, model, buf, size);
			state = answer.state;
			*metric = ways[way];
			most = known;
		}
		answer_free(&answer);
		if (most == model->n_cases)
			break;
	}
	return state;
}

char *headline_line(const struct model *model, char *buf, size_t size)
{
	char badge[HEADLINE_BADGE], text[HEADLINE_TEXT];
	struct sentence s = sentence_in(buf, size);
	struct answer answer;

	if (answer_read(&answer, model) != 0) {
		HEADLINE_ADD(&s, N_("Too little memory to compare"));
	} else {
		if (*headline_badge(&answer, model, badge, sizeof(badge)))
			sentence_add(&s, "[%s] ", badge);
		sentence_add(&s, "%s", headline_sentence(&answer, model, text, sizeof(text), NULL));
	}
	answer_free(&answer);
	return buf;
}
