/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "core/comparison.h"
#include "model/model.h"

/*
 * An answer is made from templates: whole sentences, parts that fill a slot of a sentence, and
 * single words. A slot in braces is filled with a figure, a name or another part. Translations have
 * the same slots in the order of their language. Templates are not printf() formats, so a wrong
 * translation can do no harm.
 */

/* How often a slot, with its braces, occurs in a text. */
static size_t count_slot(const char *text, const char *slot, size_t length)
{
	size_t n = 0;

	while ((text = strchr(text, '{')) != NULL)
		n += strncmp(text++, slot, length) == 0;
	return n;
}

bool headline_fits(const char *template, const char *translation)
{
	const char *const texts[] = {template, translation};

	for (int i = 0; i < 2; i++) {
		const char *open = texts[i], *close;

		for (; (open = strchr(open, '{')) != NULL; open = close) {
			size_t length = strcspn(open, "}") + 1;

			close = open + length - 1;
			if (!*close || count_slot(template, open, length) !=
					       count_slot(translation, open, length))
				return false;
		}
	}
	return true;
}

static const char *text_of(const char *template)
{
	const char *text = sentence_translated(template);

	if (headline_fits(template, text))
		return text;
	return template;
}

struct slot {
	const char *name, *text;
};

static void fill(struct sentence *s, const char *template, const struct slot *slots, size_t n)
{
	const char *at = text_of(template), *open, *close;

	while ((open = strchr(at, '{')) != NULL && (close = strchr(open, '}')) != NULL) {
		sentence_marked(s, at, (size_t)(open - at));
		for (size_t i = 0; i < n; i++)
			if (strlen(slots[i].name) == (size_t)(close - open - 1) &&
			    strncmp(slots[i].name, open + 1, strlen(slots[i].name)) == 0)
				sentence_add(s, "%s", slots[i].text);
		at = close + 1;
	}
	sentence_marked(s, at, strlen(at));
}
#define FILL(s, template, ...)                                                                     \
	fill(s, template, (const struct slot[]) {__VA_ARGS__},                                     \
	     sizeof((const struct slot[]) {__VA_ARGS__}) / sizeof(struct slot))

#define HEADLINE_ADD(s, template) fill(s, template, NULL, 0)

/* The template for a subject of that number. */
static const char *in_number(bool plural, const char *of_one, const char *of_several)
{
	if (plural)
		return of_several;
	return of_one;
}

/* Returns the list, after adding a comma unless the list is empty. */
static struct sentence *in_list(struct sentence *list)
{
	if (list->used)
		HEADLINE_ADD(list, N_(", "));
	return list;
}

static const char *number(uint32_t n, char buf[16])
{
	snprintf(buf, 16, "%u", n);
	return buf;
}
#define NUMBER(n) number(n, (char[16]) {0})

/*
 * If a command has at least this many bytes, the sentence names the programs instead of the
 * commands.
 */
enum { HEADLINE_NAME = 24 };

/* The length of the program's name in a command, without its directory. */
static int program_length(const char *command, const char **name)
{
	const int n = (int)strcspn(command, " ");
	const char *folder = memrchr(command, '/', (size_t)n);

	*name = command;
	if (folder)
		*name = folder + 1;
	return n - (int)(*name - command);
}

/*
 * Writes the program's name, such as "awk", if a session compares long commands of different
 * programs without labels. Otherwise returns false. Tables show the whole commands.
 */
static bool short_command(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME])
{
	const char *name, *other;
	const int n = program_length(model->cases[case_id].command, &name);
	bool is_long = false, same = n == 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		const int length = program_length(config->command, &other);

		is_long |= strlen(config->command) >= HEADLINE_NAME;
		same |= strcmp(config->model, config->command) != 0 || config->variables.n > 0;
		same |= i != case_id && length == n && strncmp(name, other, (size_t)n) == 0;
	}
	if (same || !is_long)
		return false;
	snprintf(buf, SAMPLE_NAME, "%.*s", n, name);
	return true;
}

/*
 * The name of a case, such as "threads". If a model is compared with itself, only the values, such
 * as "tree=50x99".
 */
static const char *name_of(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME])
{
	const char *values;
	bool varies = false;

	if (short_command(model, case_id, buf))
		return buf;
	model_case_name(model, case_id, buf, SAMPLE_NAME);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];

		if (config->variables.n == 0 || strcmp(config->model, model->cases[0].model) != 0)
			return buf;
		varies |= !variables_equal(&config->variables, &model->cases[0].variables);
	}
	/* Skip the model's name, which may contain blanks; the values follow. */
	values = buf + strlen(model->cases[case_id].model);
	if (varies && *values == ' ')
		return values + 1;
	return buf;
}
#define NAME_OF(model, case_id) name_of(model, case_id, (char[SAMPLE_NAME]) {0})

#define MEDIAN_TEXT(answer, row) answer_median(answer, row, 0, (char[48]) {0})

/*
 * The template to use if no trial was measured. crowded: number of a case's trials that do not
 * count, because other programs used the cores.
 */
static const char *no_trial_template(const struct model *model, uint32_t crowded)
{
	if (model_over(model))
		return N_("No trial was measured");
	if (crowded == 0)
		return N_("No trial is complete yet");
	if (crowded == 1)
		return N_("No trial counts yet: other programs used the cores in the one so far");
	return N_("No trial counts yet: other programs used the cores in all {n} so far");
}

static void add_no_trial(struct sentence *s, const struct model *model)
{
	uint32_t crowded = 0;
	enum reason reason = REASON_NOT_KNOWN;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_headline(model) != METRIC_PRINTED)
			break;
		if (reason == REASON_NOT_KNOWN)
			reason = report_missed(model, i, METRIC_PRINTED);
	}
	if (reason != REASON_NOT_KNOWN) {
		FILL(s, N_("{name} is not known: {why}"), {"name", model->session.metric},
		     {"why", sentence_translated(reason_sentence(reason))});
		return;
	}
	for (uint32_t i = 0; i < model->n_cases; i++)
		crowded = MAX(crowded, model_replaced(model, i));
	FILL(s, no_trial_template(model, crowded), {"n", NUMBER(crowded)});
}

static bool is_time(enum model_metric metric)
{
	uint8_t unit = metric_table[metric].unit;

	/*
	 * CPU time is not a speed. It is the headline only if elapsed times mean nothing: see
	 * model_headline().
	 */
	if (metric == METRIC_CPU)
		return false;
	return unit == METRIC_NS || unit == METRIC_US || unit == METRIC_SHORT;
}

static bool compares_times(const struct answer *answer, const struct model *model)
{
	return answer->n_metrics > 0 && is_time(answer->metrics[0]) && !model_has_faults(model);
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
	double width = log(cell->ratio.high / cell->ratio.low) / 2;
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
		if (is_time(metric))
			return N_(" ({by_pair}{times}x as long; {low} to {high})");
		return N_(" ({by_pair}{times}x as much; {low} to {high})");
	case ANSWER_SAME:
		return N_(" ({by_pair}at most {bound} apart)");
	case ANSWER_CLOSE:
		if (model_is_busy(model, &busy))
			return N_(" ({by_pair}at most {bound} apart; run it again without other "
				  "programs)");
		return N_(" ({by_pair}at most {bound} apart; about {pairs} trials may decide)");
	case ANSWER_MEASURING:
		return N_(" so far");
	case ANSWER_WITHHELD:
		if (cell->least > 0)
			return N_(" ({why}; use -n {n} or more)");
		return N_(" ({why})");
	case ANSWER_NONE:
		return "";
	}
	return "";
}

/*
 * Adds how a case compares with the reference in a metric, in parentheses. Says "per pair" if
 * the medians alone would suggest something else.
 */
static void add_how(struct sentence *s, const struct model *model, const struct answer_cell *cell,
		    double reference, enum model_metric metric)
{
	const double bound = finding_excluded(&cell->counted);
	const struct claim_ends ends = claim_times_ends(cell->ratio.low, cell->ratio.high);
	const char *why = sentence_text(reason_sentence(cell->why), "");
	const char *by_pair = "";

	if (cell->state == ANSWER_REAL) {
		if (!answer_medians_agree(reference, cell->median, cell->ratio.estimate))
			by_pair = text_of(N_("per pair, "));
	} else if (cell->median > reference * bound || reference > cell->median * bound) {
		by_pair = text_of(N_("medians mislead; per pair, "));
	}
	FILL(s, how_template(model, cell, metric), {"by_pair", by_pair},
	     {"times", CLAIM_TIMES(cell->ratio.estimate)}, {"low", ends.low}, {"high", ends.high},
	     {"bound", CLAIM_EXCLUDED(bound)}, {"pairs", NUMBER(pairs_to_decide(cell))},
	     {"why", sentence_translated(why)}, {"n", NUMBER(cell->least)});
}

/*
 * The words after a median: its meaning, such as " per operation", or the unit of printed numbers.
 */
static const char *what_of(const struct model *model, enum model_metric metric,
			   char buf[SAMPLE_UNIT + 1])
{
	switch (metric) {
	case METRIC_TASK:
		return text_of(N_(" until the task runs"));
	case METRIC_OPERATION:
		return text_of(N_(" a round trip"));
	case METRIC_STEP:
		return text_of(N_(" per operation"));
	case METRIC_REQUEST:
		return text_of(N_(" a request"));
	case METRIC_REQUEST_P99:
		return text_of(N_(" at p99"));
	case METRIC_CPU:
		return text_of(N_(" of CPU time"));
	case METRIC_PRINTED:
		if (!*model->printed_unit)
			return "";
		snprintf(buf, SAMPLE_UNIT + 1, " %s", model->printed_unit);
		return buf;
	default:
		return "";
	}
}
#define WHAT_OF(model, metric) what_of(model, metric, (char[SAMPLE_UNIT + 1]) {0})

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
	const char *name = NAME_OF(model, loser->case_id), *by_pair = "";
	struct sentence takes = SENTENCE(SAMPLE_NAME + 40);
	double below = winner->cells[0].median, above = loser->cells[0].median;

	if (rate) {
		below = above;
		above = winner->cells[0].median;
	}
	if (answer_medians_agree(below, above, times.estimate)) {
		sentence_add(&takes, "%s", name);
	} else {
		by_pair = text_of(N_("per pair, "));
		FILL(&takes,
		     in_number(report_name_is_plural(name), N_("per pair, {b} takes"),
			       N_("per pair, {b} take")),
		     {"b", name});
	}
	FILL(s, text, {"a", NAME_OF(model, winner->case_id)}, {"of_a", MEDIAN_TEXT(answer, winner)},
	     {"b", takes.buf}, {"of_b", MEDIAN_TEXT(answer, loser)},
	     {"what", WHAT_OF(model, answer->metrics[0])}, {"by_pair", by_pair},
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
	fill_lead(s, answer, model,
		  in_number(report_name_is_plural(NAME_OF(model, winner->case_id)),
			    N_("{a} is faster: {of_a} against {of_b}{what} ({b} {times}x as long; "
			       "{low} to {high})"),
			    N_("{a} are faster: {of_a} against {of_b}{what} ({b} {times}x as long; "
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

/*
 * Adds a row: "processes 2.0x", "hybrid same", "pool close". If the row is not compared: "processes
 * 1.2 MiB" or "?".
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
		FILL(s, N_("{a} close"), name);
	else
		FILL(s, N_("{a} {of_a}"), name, {"of_a", MEDIAN_TEXT(answer, row)});
}

enum outcome { SLOWER, FASTER, ALIKE, NEAR, UNDECIDED, OUTCOMES };

struct outcome_tally {
	uint32_t n;
	double low, high; /* Range of the significant ratios; NaN if none. */
	uint32_t last;	  /* the last case with that outcome */
};

static enum outcome outcome_of(const struct answer_cell *cell)
{
	switch (cell->state) {
	case ANSWER_REAL: {
		if (cell->ratio.estimate > 1)
			return SLOWER;
		return FASTER;
	}
	case ANSWER_SAME:
		return ALIKE;
	case ANSWER_CLOSE:
		return NEAR;
	default:
		return UNDECIDED;
	}
}

static uint32_t count(const struct answer *answer, const struct model *model, const char *name,
		      struct outcome_tally tallies[OUTCOMES])
{
	uint32_t all = 0;

	for (int i = 0; i < OUTCOMES; i++)
		tallies[i] = (struct outcome_tally) {0, NAN, NAN, 0};
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const struct answer_cell *cell = &row->cells[0];
		double ratio = NAN;
		struct outcome_tally *tally = &tallies[outcome_of(cell)];

		if (cell->state == ANSWER_REAL)
			ratio = cell->ratio.estimate;
		if (!answer_compares_models(model, row) ||
		    strcmp(model->cases[row->case_id].model, name) != 0)
			continue;
		all++;
		tally->n++;
		tally->low = fmin(tally->low, ratio);
		tally->high = fmax(tally->high, ratio);
		tally->last = row->case_id;
	}
	return all;
}

/*
 * Adds the values that all rows of an outcome share, if some other row has different ones: ", all
 * with cores=same".
 */
static void add_common(struct sentence *s, const struct answer *answer, const struct model *model,
		       const char *name, const struct outcome_tally *tallies, enum outcome outcome)
{
	const struct variables *of = &model->cases[tallies[outcome].last].variables;

	if (tallies[outcome].n < 2)
		return;
	for (uint32_t v = 0; v < of->n; v++) {
		bool common = true, of_all = true;

		for (uint32_t i = 0; i < answer->n_rows; i++) {
			const struct answer_row *row = &answer->rows[i];
			bool has =
				variables_has(&model->cases[row->case_id].variables, &of->list[v]);

			if (!answer_compares_models(model, row) ||
			    strcmp(model->cases[row->case_id].model, name) != 0)
				continue;
			of_all &= has;
			common &= has || outcome_of(&row->cells[0]) != outcome;
		}
		if (common && !of_all)
			FILL(s, N_(", all with {name}={value}"), {"name", of->list[v].name},
			     {"value", of->list[v].value});
	}
}

static const char *outcome_word(enum outcome outcome, enum model_metric metric)
{
	static const char *const words[OUTCOMES] = {
		[SLOWER] = N_("more"),	  [FASTER] = N_("less"),	   [ALIKE] = N_("same"),
		[NEAR] = N_("too close"), [UNDECIDED] = N_("not decided"),
	};

	if (outcome == SLOWER && is_time(metric))
		return text_of(N_("slower"));
	if (outcome == FASTER && is_time(metric))
		return text_of(N_("faster"));
	return text_of(words[outcome]);
}

/* Whether no comparison has a verdict, and none can still get one. */
static bool is_bare(const struct answer *answer)
{
	return answer->state == ANSWER_WITHHELD && answer->real == 0;
}

struct reach {
	const struct answer_row *low, *high; /* NULL: no median is known. */
};

static void reach_add(struct reach *reach, const struct answer_row *row)
{
	if (!reach->low || row->cells[0].median < reach->low->cells[0].median)
		reach->low = row;
	if (!reach->high || row->cells[0].median > reach->high->cells[0].median)
		reach->high = row;
}

/* "24 us to 31 us", or "0.10 us" if both ends are printed alike. */
static const char *reach_text(const struct answer *answer, const struct reach *reach, char buf[128])
{
	const char *low = MEDIAN_TEXT(answer, reach->low), *high = MEDIAN_TEXT(answer, reach->high);
	struct sentence s = sentence_in(buf, 128);

	if (strcmp(low, high) == 0)
		sentence_add(&s, "%s", low);
	else
		FILL(&s, N_("{low} to {high}"), {"low", low}, {"high", high});
	return buf;
}
#define REACH_TEXT(answer, reach) reach_text(answer, reach, (char[128]) {0})

static bool has_setting(const struct model *model, uint32_t case_id, const char *name,
			const char *value)
{
	const struct variable *found = variables_find(&model->cases[case_id].variables, name);

	return found && strcmp(found->value, value) == 0;
}

/*
 * If two workers exchange messages on the same core and on two, adds the first model's cost of
 * each: "threads 4 us to 8 us a round trip on the same core, 30 us to 34 us on two, 0.1 us by
 * shared memory on two". Returns false if a cost is unknown.
 */
static bool add_places(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct reach same = {NULL, NULL}, two = {NULL, NULL}, memory = {NULL, NULL};

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (answer->metrics[0] != METRIC_OPERATION || isnan(row->cells[0].median) ||
		    strcmp(model->cases[row->case_id].model, model->cases[0].model) != 0)
			continue;
		if (has_setting(model, row->case_id, "cores", "same"))
			reach_add(&same, row);
		else if (!has_setting(model, row->case_id, "cores", "two"))
			return false;
		else if (has_setting(model, row->case_id, "via", "memory"))
			reach_add(&memory, row);
		else
			reach_add(&two, row);
	}
	if (!same.low || !two.low || !memory.low)
		return false;
	FILL(in_list(s),
	     N_("{a} {same}{what} on the same core, {two} on two, {memory} by shared memory on "
		"two"),
	     {"a", model->cases[0].model}, {"same", REACH_TEXT(answer, &same)},
	     {"what", WHAT_OF(model, METRIC_OPERATION)}, {"two", REACH_TEXT(answer, &two)},
	     {"memory", REACH_TEXT(answer, &memory)});
	return true;
}

/*
 * If all work is of one kind, adds the range of a model's cost: "threads 0.33 us to 9.19 us a round
 * trip". If no difference is significant, adds the other models too: ", processes 0.31 us to 9 us".
 */
static void add_reach(struct sentence *s, const struct answer *answer, const struct model *model)
{
	for (uint32_t case_id = 0; case_id < model->n_cases; case_id++) {
		const struct answer_row *low = NULL, *high = NULL;
		const char *template = N_("{a} {low}{what}"), *what = "";
		char unit[SAMPLE_UNIT + 1];
		if (case_id > 0 && answer->real > 0)
			break;
		if (model_first_alike(model, case_id) != case_id)
			continue;
		for (uint32_t i = 0; i < answer->n_rows; i++) {
			const struct answer_row *row = &answer->rows[i];

			if (strcmp(model->cases[row->case_id].model, model->cases[case_id].model) !=
				    0 ||
			    isnan(row->cells[0].median))
				continue;
			if (!low || row->cells[0].median < low->cells[0].median)
				low = row;
			if (!high || row->cells[0].median > high->cells[0].median)
				high = row;
		}
		if (!low || variables_find(&model->cases[0].variables, "work"))
			continue;
		/*
		 * Without a spread, add the figures only to a sentence without a verdict, which
		 * should at least have these.
		 */
		if (high->cells[0].median > MODEL_MARGIN * low->cells[0].median)
			template = N_("{a} {low} to {high}{what}");
		else if (!is_bare(answer))
			continue;
		if (case_id == 0)
			what = what_of(model, answer->metrics[0], unit);
		FILL(in_list(s), template, {"a", model->cases[case_id].model},
		     {"low", MEDIAN_TEXT(answer, low)}, {"high", MEDIAN_TEXT(answer, high)},
		     {"what", what});
	}
}

/* A range of ratios: "1.1x to 2.3x" or, if both ends are printed alike, "1.1x". */
static const char *range_of(double low, double high, char buf[64])
{
	struct sentence s = sentence_in(buf, 64);
	const struct slot first = {"low", CLAIM_TIMES(low)}, last = {"high", CLAIM_TIMES(high)};

	if (strcmp(first.text, last.text) == 0)
		FILL(&s, N_("{low}x"), first);
	else
		FILL(&s, N_("{low}x to {high}x"), first, last);
	return buf;
}
#define RANGE_OF(low, high) range_of(low, high, (char[64]) {0})

/*
 * Adds the outcomes of a model relative to the first one: "processes slower at 5 of 7 values of
 * size (1.10x to 2.3x), same at 2".
 */
static void add_tallies(struct sentence *s, const struct answer *answer, const struct model *model,
			const char *names)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const char *name = model->cases[i].model;
		struct outcome_tally tallies[OUTCOMES];
		uint32_t all = count(answer, model, name, tallies);
		const char *template = N_("{b} {how} at {n} of {all}{name}{ratios}");

		if (all == 0 || model_first_alike(model, i) != i)
			continue;
		if (s->used)
			HEADLINE_ADD(s, N_("; "));
		for (int k = 0; k < OUTCOMES; k++) {
			const struct outcome_tally *tally = &tallies[k];
			char values[VARIABLES_TEXT];
			struct sentence ratios = SENTENCE(VARIABLES_TEXT + 160);
			struct sentence common = SENTENCE(VARIABLES_TEXT + 40);

			if (tally->n == 0)
				continue;
			if (!isnan(tally->low) && tally->n == 1 && all > 1) {
				FILL(&ratios, N_(" ({times}x at {at})"),
				     {"times", CLAIM_TIMES(tally->low)},
				     {"at", variables_format(&model->cases[tally->last].variables,
							     ' ', values, sizeof(values))});
			} else if (!isnan(tally->low)) {
				add_common(&common, answer, model, name, tallies, k);
				FILL(&ratios, N_(" ({range}{with})"),
				     {"range", RANGE_OF(tally->low, tally->high)},
				     {"with", common.buf});
			}
			FILL(s, template, {"b", name}, {"how", outcome_word(k, answer->metrics[0])},
			     {"n", NUMBER(tally->n)}, {"all", NUMBER(all)}, {"name", names},
			     {"ratios", ratios.buf});
			template = N_(", {how} at {n}{ratios}");
		}
		names = "";
	}
}

/* Adds "fork slower at 3 (1.1x to 2.3x), same at 2". Returns false if a comparison is undecided. */
static bool add_some_decided(struct sentence *list, const char *name, enum model_metric metric,
			     const struct outcome_tally t[OUTCOMES])
{
	bool begins = true;

	for (int k = SLOWER; k <= ALIKE; k++) {
		const char *template = N_(", {how} at {n}{ratios}");
		struct sentence ratios = SENTENCE(80);

		if (t[k].n == 0)
			continue;
		if (k != ALIKE)
			FILL(&ratios, N_(" ({range}{with})"),
			     {"range", RANGE_OF(t[k].low, t[k].high)});
		if (begins) {
			in_list(list);
			template = N_("{a} {how} at {n}{ratios}");
		}
		FILL(list, template, {"a", name}, {"how", outcome_word(k, metric)},
		     {"n", NUMBER(t[k].n)}, {"ratios", ratios.buf});
		begins = false;
	}
	return t[NEAR].n + t[UNDECIDED].n == 0;
}

/*
 * Adds the outcomes of a model: "fork 6.4x to 64x", "fork same", "fork slower at 3 (1.1x to 2.3x)".
 * Returns false if a comparison is undecided.
 */
static bool add_decided(struct sentence *list, const struct answer *answer, const char *name,
			const struct outcome_tally t[OUTCOMES], uint32_t all)
{
	const char *how;
	char range[64];

	if (t[ALIKE].n == all)
		how = text_of(N_("same"));
	else if (t[NEAR].n == all)
		how = text_of(N_("close"));
	else if (t[SLOWER].n + t[FASTER].n == all)
		how = range_of(fmin(t[SLOWER].low, t[FASTER].low),
			       fmax(t[SLOWER].high, t[FASTER].high), range);
	else
		return add_some_decided(list, name, answer->metrics[0], t);
	FILL(in_list(list), N_("{a} {how}"), {"a", name}, {"how", how});
	return true;
}

/*
 * For more than three models, adds the outcomes of each: "Compared with pthread_create at 2
 * values of ballast: fork 6.4x to 64x; all others undecided". Returns false if there are three or
 * fewer, or if nothing is decided.
 */
static bool add_ranges(struct sentence *s, const struct answer *answer, const struct model *model,
		       const char *names)
{
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	const char *first = NULL;
	uint32_t n = 0, most = 0;
	bool complete = true;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const char *name = model->cases[row->case_id].model;
		struct outcome_tally t[OUTCOMES];
		uint32_t all;

		if (!answer_compares_models(model, row))
			continue;
		if (!first)
			first = model->cases[row->reference].model;
		if (model_first_alike(model, row->case_id) != i)
			continue;
		all = count(answer, model, name, t);
		most = MAX(most, all);
		n++;
		complete &= add_decided(&list, answer, name, t, all);
	}
	if (n < 3 || (list.used == 0 && answer->state != ANSWER_MEASURING))
		return false;
	if (list.used == 0) {
		HEADLINE_ADD(&list, N_("nothing is decided yet"));
		complete = true;
	}
	FILL(s, N_("Compared with {a} at {all}{name}: {others}"), {"a", first},
	     {"all", NUMBER(most)}, {"name", names}, {"others", list.buf});
	if (!complete)
		HEADLINE_ADD(s, N_("; all others undecided"));
	return true;
}

/*
 * For each model, compares the last value of a setting with the first. Adds only significant
 * differences.
 */
static void add_values(struct sentence *s, const struct model *model, enum model_metric metric)
{
	const char *condition = comparison_condition(model->cases, model->n_cases);
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	const struct variable *first = NULL, *last = NULL;

	if (!condition)
		return;
	for (uint32_t b = 0; b < model->n_cases; b++) {
		uint32_t a = model_first_alike(model, b);
		const struct variable *of_b = variables_find(&model->cases[b].variables, condition);
		struct model_comparison c;

		if (of_b)
			last = of_b;
		if (!first)
			first = of_b;
		if (!of_b ||
		    variables_has(&model->cases[model->n_cases - 1].variables, of_b) == 0 ||
		    !comparison_of_values(model->cases, model->n_cases, a, b) ||
		    model_compare(model, a, b, metric, &c) ||
		    (c.verdict != STATS_A && c.verdict != STATS_B))
			continue;
		FILL(in_list(&list), N_("{a} {times}x"), {"a", model->cases[b].model},
		     {"times", CLAIM_TIMES(c.ratio.estimate)});
	}
	if (!list.used || !first || first == last)
		return;
	FILL(s, N_("; {name}={b} compared with {a}: {others}"), {"name", condition},
	     {"a", first->value}, {"b", last->value}, {"others", list.buf});
}

enum { SO_FAR_MODELS = 8 };

/* At how many values each model has been faster than all others, while trials go on. */
struct so_far {
	struct so_far_model {
		uint32_t case_id;   /* The model's first case. */
		uint32_t looks, is; /* Number of values: not decided yet, and decided. */
	} models[SO_FAR_MODELS];
	/*
	 * n: number of models. all: of values. looks, is: as in struct so_far_model, over all
	 * models. same: number of comparisons whose cases are equivalent.
	 */
	uint32_t n, all, looks, is, same;
	uint32_t even; /* Number of values at which no model looks faster. */
	uint32_t most; /* Largest number of models at a value. */
};

/* Whether a case is compared with the first model of the reference's value. */
static bool is_at_value(const struct answer *answer, const struct model *model, uint32_t case_id,
			uint32_t reference)
{
	const struct answer_row *row = &answer->rows[case_id];

	return row->reference == reference && answer_compares_models(model, row);
}

/* Whether the ratio of each case that is compared with a reference is known. */
static bool ratios_are_known(const struct answer *answer, const struct model *model,
			     uint32_t reference)
{
	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (is_at_value(answer, model, i, reference) &&
		    isnan(answer->rows[i].cells[0].ratio.estimate))
			return false;
	return true;
}

/*
 * The fastest case so far among those compared with a reference; UINT32_MAX if two are equally
 * fast.
 */
static uint32_t fastest_so_far(const struct answer *answer, const struct model *model,
			       uint32_t reference)
{
	uint32_t fastest = reference;
	double least = 1;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const double ratio = answer->rows[i].cells[0].ratio.estimate;

		if (!is_at_value(answer, model, i, reference))
			continue;
		if (ratio < least)
			fastest = i;
		else if (ratio == least)
			fastest = UINT32_MAX;
		least = fmin(least, ratio);
	}
	return fastest;
}

/*
 * Whether the median of the fastest case is so far below all others at its value that a reader of
 * the table sees it, too.
 */
static bool is_visibly_fastest(const struct answer *answer, const struct model *model,
			       uint32_t reference, uint32_t fastest)
{
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const double median = answer->rows[i].cells[0].median;

		if (i == fastest || (i != reference && !is_at_value(answer, model, i, reference)))
			continue;
		if (!(median > MODEL_MARGIN * answer->rows[fastest].cells[0].median))
			return false;
	}
	return true;
}

/* Counts the value of a reference. */
static void so_far_add(struct so_far *so_far, const struct answer *answer,
		       const struct model *model, uint32_t reference)
{
	uint32_t others = 0, real = 0, same = 0, fastest;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const enum answer_state state = answer->rows[i].cells[0].state;

		if (!is_at_value(answer, model, i, reference))
			continue;
		others++;
		real += state == ANSWER_REAL;
		same += state == ANSWER_SAME;
	}
	so_far->all += others > 0;
	so_far->same += same;
	so_far->is += real;
	so_far->most = MAX(so_far->most, others + 1);
	if (others == 0 || same > 0 || !ratios_are_known(answer, model, reference))
		return;
	fastest = fastest_so_far(answer, model, reference);
	if (real == 0 &&
	    (fastest == UINT32_MAX || !is_visibly_fastest(answer, model, reference, fastest))) {
		so_far->even++;
		return;
	}
	so_far->looks += real == 0;
	for (uint32_t i = 0; i < so_far->n; i++) {
		struct so_far_model *of = &so_far->models[i];

		if (fastest == UINT32_MAX || model_first_alike(model, fastest) != of->case_id)
			continue;
		of->is += real;
		of->looks += real == 0;
	}
}

/* The model that looks fastest at most values comes first. */
static int by_looks(const void *a, const void *b)
{
	const struct so_far_model *left = a, *right = b;

	if (left->looks != right->looks)
		return left->looks < right->looks ? 1 : -1;
	return left->case_id < right->case_id ? -1 : 1;
}

/* If the work varies, adds " (3 kinds of work)" after the first number of values. */
static void add_kinds(struct sentence *s, const struct model *model)
{
	uint32_t kinds = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *work = variables_find(&model->cases[i].variables, "work");
		bool is_new = work != NULL;

		for (uint32_t j = 0; j < i; j++)
			if (work && variables_has(&model->cases[j].variables, work))
				is_new = false;
		kinds += is_new;
	}
	if (kinds > 1)
		FILL(s, N_(" ({kinds} kinds of work)"), {"kinds", NUMBER(kinds)});
}

/* Adds "threads are faster at 3 of 12, processes at 1, same at 2". */
static void add_is_faster(struct sentence *s, const struct so_far *so_far,
			  const struct model *model)
{
	const char *same = N_("same at {n} of {all}");
	const char *text;
	bool begins = s->used == 0;

	for (uint32_t i = 0; i < so_far->n; i++) {
		const struct so_far_model *of = &so_far->models[i];
		const char *name = model->cases[of->case_id].model;

		if (of->is == 0)
			continue;
		if (report_name_is_plural(name))
			text = N_("{a} are faster at {n} of {all}");
		else
			text = N_("{a} is faster at {n} of {all}");
		if (!begins)
			text = N_(", {a} at {n}");
		FILL(s, text, {"a", name}, {"n", NUMBER(of->is)}, {"all", NUMBER(so_far->all)});
		if (begins)
			add_kinds(s, model);
		begins = false;
	}
	if (!begins)
		same = N_(", same at {n}");
	if (so_far->same == 0)
		return;
	FILL(s, same, {"n", NUMBER(so_far->same)}, {"all", NUMBER(so_far->all)});
	if (begins)
		add_kinds(s, model);
}

/* Adds "So far threads look faster at 3 of 12, processes at 1, even at 8; no winner yet". */
static void add_looks_faster(struct sentence *s, const struct so_far *so_far,
			     const struct model *model)
{
	const char *how = so_far->most > 2 ? N_("fastest") : N_("faster");
	const bool decided = s->used > 0;
	bool begins = true;
	const char *text;

	for (uint32_t i = 0; i < so_far->n; i++) {
		const struct so_far_model *of = &so_far->models[i];
		const char *name = model->cases[of->case_id].model;
		const bool plural = report_name_is_plural(name);

		if (of->looks == 0)
			continue;
		if (!begins)
			text = N_(", {a} at {n}");
		else if (decided)
			text = plural ? N_("; so far {a} look {how} at {n} more")
				      : N_("; so far {a} looks {how} at {n} more");
		else
			text = plural ? N_("So far {a} look {how} at {n} of {all}")
				      : N_("So far {a} looks {how} at {n} of {all}");
		FILL(s, text, {"a", name}, {"how", text_of(how)}, {"n", NUMBER(of->looks)},
		     {"all", NUMBER(so_far->all)});
		if (begins && !decided)
			add_kinds(s, model);
		begins = false;
	}
	if (!begins)
		text = N_(", even at {n}");
	else if (decided)
		text = N_("; so far even at {n} more");
	else
		text = N_("So far even at {n} of {all}");
	if (so_far->even > 0)
		FILL(s, text, {"n", NUMBER(so_far->even)}, {"all", NUMBER(so_far->all)});
	if (begins && !decided)
		add_kinds(s, model);
	if (!decided)
		HEADLINE_ADD(s, N_("; no winner yet"));
}

static bool has_ratio(const struct answer *answer)
{
	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (!isnan(answer->rows[i].cells[0].ratio.estimate))
			return true;
	return false;
}

/*
 * While trials go on, adds at how many values each model is, and looks, the fastest. Returns false
 * if no value has a ratio yet. Also returns false if some of more than two models are decided,
 * because the fastest model need not be one of these.
 */
static bool add_so_far(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct so_far so_far = {.n = 0};

	if (answer->state != ANSWER_MEASURING || !is_time(answer->metrics[0]))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_first_alike(model, i) != i)
			continue;
		if (so_far.n == SO_FAR_MODELS)
			return false;
		so_far.models[so_far.n++] = (struct so_far_model) {i, 0, 0};
	}
	for (uint32_t i = 0; i < answer->n_rows; i++)
		so_far_add(&so_far, answer, model, i);
	if (so_far.all > 0 && !has_ratio(answer)) {
		add_no_trial(s, model);
		return true;
	}
	if (so_far.looks + so_far.even == 0 || (so_far.most > 2 && so_far.is + so_far.same > 0))
		return false;
	add_is_faster(s, &so_far, model);
	qsort(so_far.models, so_far.n, sizeof(so_far.models[0]), by_looks);
	add_looks_faster(s, &so_far, model);
	return true;
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
	uint32_t trials = UINT32_MAX;
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
		FILL(in_list(&list), template, {"a", NAME_OF(model, i)},
		     {"n", NUMBER((uint32_t)fault.least)}, {"most", NUMBER((uint32_t)fault.most)},
		     {"all", NUMBER(fault.workers)});
	}
	if (!list.used) {
		add_no_trial(s, model);
		return;
	}
	FILL(s,
	     in_number(trials != 1, N_("One worker {why} in one trial. {counted}: {others}"),
		       N_("One worker {why} in each of {n} trials. {counted}: {others}")),
	     {"n", NUMBER(trials)}, {"why", text_of(does[kind])}, {"others", list.buf},
	     {"counted", text_of(survival_title(kind))});
	trials = 0;
	for (uint32_t i = 0; i < answer->n_rows; i++)
		trials = MAX(trials, answer->rows[i].cells[0].least);
	if (trials > 0 && answer->state == ANSWER_WITHHELD)
		FILL(s, N_(" ({why}; use -n {n} or more)"),
		     {"why", sentence_translated(reason_sentence(REASON_FEW_TRIALS))},
		     {"n", NUMBER(trials)});
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
	return name_of(model, case_id, name);
}

static bool add_failure(struct sentence *s, const struct model *model)
{
	if (model_has_faults(model))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const char *why = "";
		char name[SAMPLE_NAME];
		uint32_t failures = report_failed(model, i, &why);

		if (failures == 0)
			continue;
		FILL(s,
		     in_number(failures != 1,
			       N_("{a} failed in its only trial: nothing to compare ({why})"),
			       N_("{a} failed in all {n} trials: nothing to compare ({why})")),
		     {"a", failed_name(model, i, name)}, {"n", NUMBER(failures)},
		     {"why", sentence_text(why, text_of(N_("Messages says more")))});
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
}

/* From this ratio on, a sentence says how many times as long the slower case takes so far. */
#define SO_FAR_TIMES 2

/*
 * While trials go on, adds "So far b takes 8.5x as long: 1.18 s against 139 ms". Returns false if
 * the ratio is too small, or if the medians suggest another one.
 */
static bool add_takes_so_far(struct sentence *s, const struct answer *answer,
			     const struct model *model, const struct answer_row *first,
			     const struct answer_row *last)
{
	const struct answer_cell *cell = &last->cells[0];
	const struct answer_row *winner = first, *loser = last;
	double times = cell->ratio.estimate;
	const char *name;

	if (s->used > 0 || cell->state != ANSWER_MEASURING || !is_time(answer->metrics[0]))
		return false;
	if (times < 1) {
		winner = last;
		loser = first;
		times = 1 / times;
	}
	if (!(times >= SO_FAR_TIMES) ||
	    !answer_medians_agree(winner->cells[0].median, loser->cells[0].median, times))
		return false;
	name = NAME_OF(model, loser->case_id);
	FILL(s,
	     in_number(report_name_is_plural(name),
		       N_("So far {b} takes {times}x as long: {of_b} against {of_a}{what}"),
		       N_("So far {b} take {times}x as long: {of_b} against {of_a}{what}")),
	     {"b", name}, {"times", CLAIM_TIMES(times)}, {"of_b", MEDIAN_TEXT(answer, loser)},
	     {"of_a", MEDIAN_TEXT(answer, winner)}, {"what", WHAT_OF(model, answer->metrics[0])});
	return true;
}

static void add_pair(struct sentence *s, const struct answer *answer, const struct model *model,
		     const struct answer_row *first, const struct answer_row *last)
{
	const struct answer_cell *cell = &last->cells[0];
	const enum model_metric metric = answer->metrics[0];
	struct sentence how = SENTENCE(256);

	if (cell->state == ANSWER_REAL && is_time(metric)) {
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
	     {"what", WHAT_OF(model, metric)});
	note_aside(s, &how);
}

/*
 * While trials of creation go on and none is decided, adds the least and the greatest ratio: "So
 * far clone takes 0.86x as long as pthread_create, fork+exec 46x". Returns false if fewer than two
 * ratios are known.
 */
static bool add_creation_so_far(struct sentence *s, const struct answer *answer,
				const struct model *model, uint32_t reference)
{
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
	FILL(s, N_("So far {a} takes {low}x as long as {first}, {b} {high}x"),
	     {"a", NAME_OF(model, low->case_id)}, {"first", NAME_OF(model, reference)},
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
	     {"what", WHAT_OF(model, answer->metrics[0])}, {"others", others});
}

/*
 * Adds the cases that are compared with that reference: one other case as a comparison, several as
 * a list.
 */
static void add_group(struct sentence *s, const struct answer *answer, const struct model *model,
		      uint32_t reference)
{
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	const struct answer_row *first = &answer->rows[reference], *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[answer->order[i]];

		if (row->reference != reference || row == first || isnan(row->cells[0].median))
			continue;
		n++;
		add_beside(in_list(&list), answer, model, row);
		last = row;
	}
	if (s->used > 0)
		HEADLINE_ADD(s, N_("; "));
	if (n == 0 || (isnan(first->cells[0].median) && !is_memory(answer)))
		add_no_trial(s, model);
	else if (isnan(first->cells[0].median))
		FILL(s, N_("{others} (not compared: the others were not read)"),
		     {"others", list.buf});
	else if (n == 1)
		add_pair(s, answer, model, first, last);
	else if (!add_creation_so_far(s, answer, model, reference))
		add_several(s, answer, model, first, list.buf);
}

static void add_sweep(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct sentence varied = SENTENCE(SAMPLE_TEXT), names = SENTENCE(SAMPLE_TEXT);
	struct sentence first_cross = SENTENCE(HEADLINE_TEXT);
	uint32_t n_varied = 0;
	bool crosses = answer->metrics[0] == model_headline(model) && model->n_origins == 0;
	struct finding_crosses found;
	uint32_t n = 0;
	char at[64];

	/*
	 * Add the settings that vary between the compared models: " combinations of cores and via".
	 */
	const struct variables *first = &model->cases[0].variables;

	for (uint32_t v = 0; v < first->n; v++) {
		bool varies = false;

		for (uint32_t i = 1; i < model->n_cases; i++)
			varies |= !variables_has(&model->cases[i].variables, &first->list[v]);
		if (varies && strcmp(first->list[v].name, "placement") != 0 &&
		    !comparison_structure(&first->list[v])) {
			sentence_join(&varied, text_of(N_(" and ")), "%s", first->list[v].name);
			n_varied++;
		}
	}
	if (n_varied > 1)
		FILL(&names, N_(" combinations of {names}"), {"names", varied.buf});
	else if (n_varied > 0)
		FILL(&names, N_(" values of {names}"), {"names", varied.buf});
	else if (model->n_origins > 0)
		HEADLINE_ADD(&names, N_(" recordings"));
	else
		HEADLINE_ADD(&names, N_(" kinds of work"));
	if (!add_so_far(s, answer, model) &&
	    (is_bare(answer) || !add_ranges(s, answer, model, names.buf))) {
		if (!add_places(s, answer, model))
			add_reach(s, answer, model);
		add_tallies(s, answer, model, names.buf);
	}
	for (uint32_t a = 0, b = 0; crosses;) {
		if (!model_next_curves(model, &a, &b))
			break;
		crosses = finding_crosses(model, a, b, answer->metrics[0], &found) == 0;
		/* For example "; threads and processes cross at 5.2 (4 to 6)". */
		if (crosses && found.n > 0 && n++ == 0)
			FILL(&first_cross, N_("; {a} and {b} cross at {at}"),
			     {"a", model->cases[a].model}, {"b", model->cases[b].model},
			     {"at", report_crossing(&found.cross[0], at, sizeof(at))});
	}
	if (n == 1)
		sentence_add(s, "%s", first_cross.buf);
	else if (n > 1)
		FILL(s, N_("; {n} pairs of models cross"), {"n", NUMBER(n)});
	add_values(s, model, answer->metrics[0]);
}

/* Describes the cases, because nothing is compared. */
static void add_lone(struct sentence *s, const struct answer *answer, const struct model *model)
{
	uint32_t known[2] = {0, 0}, n = 0;
	struct report_summary summary = {.n = 0};
	const char *template = N_("{a} {of_a}{what}{how}");
	struct sentence how = SENTENCE(256);

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (isnan(answer->rows[i].cells[0].median))
			continue;
		known[n > 0] = i;
		n++;
	}
	report_summarize(model, known[0], answer->metrics[0], &summary);
	if (n > 1 && model->n_origins > 0)
		HEADLINE_ADD(&how, N_(" (not measured together)"));
	else if (n > 1)
		HEADLINE_ADD(&how, N_(" (other work: not compared)"));
	else if (summary.n == 1)
		HEADLINE_ADD(&how, N_(" (one trial, nothing to compare)"));
	else
		FILL(&how, N_(" (median of {n} trials, nothing to compare)"),
		     {"n", NUMBER((uint32_t)summary.n)});
	if (n > 1)
		template = N_("{a} {of_a}, {b} {of_b}{what}{how}");
	FILL(s, template, {"a", NAME_OF(model, known[0])},
	     {"of_a", MEDIAN_TEXT(answer, &answer->rows[known[0]])},
	     {"b", NAME_OF(model, known[n > 1])},
	     {"of_b", MEDIAN_TEXT(answer, &answer->rows[known[n > 1]])}, {"how", how.buf},
	     {"what", WHAT_OF(model, answer->metrics[0])});
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
 * or lower.
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
	struct sentence list = SENTENCE(HEADLINE_TEXT);

	while (row->reference == row->case_id)
		row++;
	for (uint32_t i = 1; i < answer->n_metrics; i++) {
		const struct answer_cell *cell = &row->cells[i];

		if (cell->state != ANSWER_REAL || isnan(cell->ratio.estimate))
			continue;
		if ((cell->ratio.estimate > 1) != more)
			continue;
		FILL(in_list(&list), N_("{a} {times}x"),
		     {"a", sentence_translated(answer_title(model, answer->metrics[i]))},
		     {"times", CLAIM_TIMES(cell->ratio.estimate)});
	}
	if (list.used)
		FILL(s, templates[measuring][more], {"b", NAME_OF(model, row->case_id)},
		     {"others", list.buf});
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
			name = text_of(N_("the program"));
		FILL(s,
		     in_number(left != 1, N_("A process was still running when {a} ended: "),
			       N_("{n} processes were still running when {a} ended: ")),
		     {"a", name}, {"n", NUMBER(left)});
		return;
	}
}

char *headline_sentence(const struct answer *answer, const struct model *model, char *buf,
			size_t size, struct sentence_parts *parts)
{
	struct sentence lead = sentence_in(buf, size), s;
	uint32_t groups[MODEL_JOIN_CASES], n = 0;
	uint32_t n_known = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		bool begins = answer->rows[i].reference != i;

		if (n >= MODEL_JOIN_CASES)
			break;
		for (uint32_t j = 0; j < n; j++)
			begins &= groups[j] != answer->rows[i].reference;
		if (begins)
			groups[n++] = answer->rows[i].reference;
	}
	for (uint32_t i = 0; i < answer->n_rows; i++)
		n_known += !isnan(answer->rows[i].cells[0].median);
	if (n_known > 0)
		add_left(&lead, model);
	s = sentence_in(buf + lead.used, size - lead.used);
	if (parts)
		*parts = (struct sentence_parts) {.begin = lead.used};
	s.parts = parts;
	if (answer->n_rows == 0)
		add_no_trial(&s, model);
	else if (add_failure(&s, model))
		return buf;
	else if (answer->metrics[0] == METRIC_SURVIVED)
		add_faults(&s, answer, model);
	else if (n_known == 0 && is_memory(answer) && model_runs_ended(model) > 0)
		HEADLINE_ADD(&s, N_("every run was too short to read it"));
	else if (n_known == 0 && model_step(model) == WORK_SHARE && model_runs_ended(model) > 0)
		HEADLINE_ADD(&s,
			     N_("The workers did not run at the same time: nothing to compare"));
	else if (n_known == 0)
		add_no_trial(&s, model);
	else if (n == 0 || (n_known == 1 && is_memory(answer)))
		add_lone(&s, answer, model);
	else if (n > 1 && (model->n_origins == 0 || model_sweeps(model)))
		add_sweep(&s, answer, model);
	else
		for (uint32_t i = 0; i < n; i++)
			add_group(&s, answer, model, groups[i]);
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
	return words[answer->state];
}

char *headline_badge(const struct answer *answer, const struct model *model, char *buf, size_t size)
{
	struct sentence word = SENTENCE(HEADLINE_BADGE), counted = SENTENCE(HEADLINE_BADGE);
	struct sentence s = sentence_in(buf, size);
	const bool times = !is_memory(answer);
	const char *template = "{badge}";
	struct model_busy busy = {0};

	if (answer->state == ANSWER_NONE)
		return buf;
	if (answer->real > 0 && answer->close > 0)
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

enum answer_state headline_memory(const struct model *model, enum model_metric *metric, char *buf,
				  size_t size)
{
	static const enum model_metric ways[] = {METRIC_MEMORY, METRIC_PSS, METRIC_KERNEL,
						 METRIC_RSS};
	char badge[HEADLINE_BADGE], text[HEADLINE_TEXT];
	enum answer_state state = ANSWER_NONE;
	struct sentence s;
	uint32_t most = 0;

	*metric = METRIC_MEMORY;
	buf[0] = '\0';
	for (size_t way = 0; way < LENGTH(ways); way++) {
		struct answer answer;
		uint32_t known = 0;

		if (answer_read_metric(&answer, model, ways[way]) == 0) {
			for (uint32_t i = 0; i < answer.n_rows; i++)
				known += !isnan(answer.rows[i].cells[0].median);
			if (known > most || way == 0) {
				headline_badge(&answer, model, badge, sizeof(badge));
				if (!*badge && known > 0 && model_has_faults(model))
					snprintf(badge, sizeof(badge), "%s",
						 text_of(N_("NOT COMPARED")));
				headline_sentence(&answer, model, text, sizeof(text), NULL);
				s = sentence_in(buf, size);
				if (*badge)
					sentence_add(&s, "[%s] ", badge);
				FILL(&s, N_("Median memory ({how}): {text}"),
				     {"how", metric_table[ways[way]].title}, {"text", text});
				state = answer.state;
				*metric = ways[way];
				most = known;
			}
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
