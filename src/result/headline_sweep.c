/* SPDX-License-Identifier: MIT */
#include "headline_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/comparison.h"
#include "model/model.h"
#include "result/report.h"

enum outcome { SLOWER, FASTER, ALIKE, UNDECIDED, OUTCOMES };

struct outcome_tally {
	uint32_t n;
	double low, high; /* Range of the significant ratios; NaN if none. */
	uint32_t last;	  /* the last case with that outcome */
};

static enum outcome outcome_of(const struct answer_cell *cell)
{
	switch (cell->state) {
	case ANSWER_REAL:
		if (cell->ratio.estimate > 1)
			return SLOWER;
		return FASTER;
	case ANSWER_SAME:
		return ALIKE;
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
 * Adds the values that all rows of an outcome share, if some row of another outcome has different
 * ones: ", all with cores=same".
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
		[SLOWER] = N_("more"),
		[FASTER] = N_("less"),
		[ALIKE] = N_("same"),
		[UNDECIDED] = N_("not decided"),
	};

	if (outcome == SLOWER && headline_is_time(metric))
		return headline_text(N_("slower"));
	if (outcome == FASTER && headline_is_time(metric))
		return headline_text(N_("faster"));
	return headline_text(words[outcome]);
}

/* Whether no comparison has a verdict, and none can still get one. */
static bool is_bare(const struct answer *answer)
{
	return answer->state == ANSWER_WITHHELD && answer->real == 0;
}

/*
 * If all work is of one kind, adds the range of the first model's cost: "threads 0.33 us to 9.19 us
 * a round trip". If no difference is significant, adds the ranges of the other models too: ",
 * processes 0.31 us to 9 us".
 */
static void add_reach(struct sentence *s, const struct answer *answer, const struct model *model)
{
	char unit[SAMPLE_UNIT + 1];

	if (variables_find(&model->cases[0].variables, "work"))
		return;
	for (uint32_t case_id = 0; case_id < model->n_cases; case_id++) {
		const char *name = model->cases[case_id].model, *what = "";
		const char *template = N_("{a} {low}{what}");
		struct reach reach = {NULL, NULL};

		if (case_id > 0 && answer->real > 0)
			break;
		if (model_first_alike(model, case_id) != case_id)
			continue;
		for (uint32_t i = 0; i < answer->n_rows; i++) {
			const struct answer_row *row = &answer->rows[i];
			const char *other = model->cases[row->case_id].model;

			if (!isnan(row->cells[0].median) && strcmp(other, name) == 0)
				headline_places_reach(&reach, row);
		}
		if (!reach.low)
			continue;
		/*
		 * If the costs hardly vary, add them only to a sentence without a verdict, which
		 * has no other figures.
		 */
		if (reach.high->cells[0].median > MODEL_MARGIN * reach.low->cells[0].median)
			template = N_("{a} {low} to {high}{what}");
		else if (!is_bare(answer))
			continue;
		if (case_id == 0)
			what = headline_suffix(model, answer->metrics[0], unit);
		FILL(headline_list(s), template, {"a", name},
		     {"low", MEDIAN_TEXT(answer, reach.low)},
		     {"high", MEDIAN_TEXT(answer, reach.high)}, {"what", what});
	}
}

/*
 * The range of an outcome's ratios. For times, the ratio of a faster case says how much faster it
 * is, as in tables: 1.25 instead of 0.8.
 */
static struct outcome_tally outcome_range(const struct outcome_tally *tally, enum outcome outcome,
					  enum model_metric metric)
{
	struct outcome_tally range = *tally;

	if (outcome != FASTER || !headline_is_time(metric))
		return range;
	range.low = 1 / tally->high;
	range.high = 1 / tally->low;
	return range;
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

/* Adds the ratios of an outcome: " (2.0x at size=64)", " (1.10x to 2.3x, all with cores=same)". */
static void add_ratios(struct sentence *s, const struct answer *answer, const struct model *model,
		       const char *name, const struct outcome_tally tallies[OUTCOMES],
		       enum outcome outcome)
{
	const struct outcome_tally tally =
		outcome_range(&tallies[outcome], outcome, answer->metrics[0]);
	struct sentence common = SENTENCE(VARIABLES_TEXT + 40);
	uint32_t all = 0;
	char values[VARIABLES_TEXT];

	for (int i = 0; i < OUTCOMES; i++)
		all += tallies[i].n;
	if (isnan(tally.low))
		return;
	if (tally.n == 1 && all > 1) {
		FILL(s, N_(" ({times}x at {at})"), {"times", CLAIM_TIMES(tally.low)},
		     {"at", variables_format(&model->cases[tally.last].variables, ' ', values,
					     sizeof(values))});
		return;
	}
	add_common(&common, answer, model, name, tallies, outcome);
	FILL(s, N_(" ({range}{with})"), {"range", RANGE_OF(tally.low, tally.high)},
	     {"with", common.buf});
}

/* The name of the second model of a session that has two; NULL if it has more or fewer. */
static const char *second_of_two(const struct model *model)
{
	const char *second = NULL;

	for (uint32_t i = 1; i < model->n_cases; i++) {
		if (model_first_alike(model, i) != i)
			continue;
		if (second)
			return NULL;
		second = model->cases[i].model;
	}
	return second;
}

/*
 * A model that is significantly faster at some values: its outcome, as seen from the second model.
 */
struct winner {
	const char *name;
	enum outcome outcome;
	uint32_t n;
};

/* Reads the winners of two models, the more frequent one first. Returns their number. */
static int read_winners(const struct model *model, const char *second,
			const struct outcome_tally tallies[OUTCOMES], struct winner winners[2])
{
	const struct winner both[2] = {{model->cases[0].model, SLOWER, tallies[SLOWER].n},
				       {second, FASTER, tallies[FASTER].n}};
	const int first = both[1].n > both[0].n;
	int n = 0;

	for (int i = 0; i < 2; i++)
		if (both[i ^ first].n > 0)
			winners[n++] = both[i ^ first];
	return n;
}

/*
 * For two models and times, adds the winners: "threads are faster at 5 of 7 values of size (1.10x
 * to 2.3x), processes slightly faster at 1 (1.02x at size=10), same at 1". Returns false if there
 * is no winner.
 */
static bool add_winners(struct sentence *s, const struct answer *answer, const struct model *model,
			const char *names)
{
	const char *second = second_of_two(model), *text;
	struct outcome_tally tallies[OUTCOMES];
	struct winner winners[2];
	uint32_t all;
	int n = 0;

	if (!second || !headline_is_time(answer->metrics[0]))
		return false;
	all = count(answer, model, second, tallies);
	n = read_winners(model, second, tallies, winners);
	if (n == 0)
		return false;
	if (s->used)
		HEADLINE_ADD(s, N_("; "));
	for (int i = 0; i < n; i++) {
		const struct winner *of = &winners[i];
		const struct outcome_tally range =
			outcome_range(&tallies[of->outcome], of->outcome, answer->metrics[0]);
		struct sentence ratios = SENTENCE(VARIABLES_TEXT + 160);
		const char *slightly = "";

		if (answer_is_slight(range.high))
			slightly = headline_text(N_("slightly "));
		if (i > 0)
			text = N_(", {a} {slightly}faster at {n}{ratios}");
		else if (report_name_is_plural(of->name))
			text = N_("{a} are {slightly}faster at {n} of {all}{name}{ratios}");
		else
			text = N_("{a} is {slightly}faster at {n} of {all}{name}{ratios}");
		add_ratios(&ratios, answer, model, second, tallies, of->outcome);
		FILL(s, text, {"a", of->name}, {"slightly", slightly}, {"n", NUMBER(of->n)},
		     {"all", NUMBER(all)}, {"name", names}, {"ratios", ratios.buf});
	}
	for (int k = ALIKE; k < OUTCOMES; k++)
		if (tallies[k].n > 0)
			FILL(s, N_(", {how} at {n}{ratios}"),
			     {"how", outcome_word(k, answer->metrics[0])},
			     {"n", NUMBER(tallies[k].n)}, {"ratios", ""});
	return true;
}

/*
 * add_winners() after the costs of a round trip, in few words: "; threads are faster at 3 of 12,
 * processes at 2 (1.007x to 1.06x)".
 */
static bool add_winners_at_places(struct sentence *s, const struct answer *answer,
				  const struct model *model)
{
	const char *second = second_of_two(model), *text;
	struct outcome_tally tallies[OUTCOMES], lost, won;
	struct winner winners[2];
	uint32_t all;
	int n = 0;

	if (!second)
		return false;
	all = count(answer, model, second, tallies);
	n = read_winners(model, second, tallies, winners);
	if (n == 0)
		return false;
	if (report_name_is_plural(winners[0].name))
		text = N_("; {a} are faster at {n} of {all}");
	else
		text = N_("; {a} is faster at {n} of {all}");
	FILL(s, text, {"a", winners[0].name}, {"n", NUMBER(winners[0].n)}, {"all", NUMBER(all)});
	if (n > 1)
		FILL(s, N_(", {a} at {n}"), {"a", winners[1].name}, {"n", NUMBER(winners[1].n)});
	lost = outcome_range(&tallies[SLOWER], SLOWER, answer->metrics[0]);
	won = outcome_range(&tallies[FASTER], FASTER, answer->metrics[0]);
	FILL(s, N_(" ({range})"),
	     {"range", RANGE_OF(fmin(lost.low, won.low), fmax(lost.high, won.high))});
	return true;
}

/*
 * After the growth, adds that no model of two is faster: "; threads and processes are the same at 2
 * of 10, not decided at 8". Returns false if there are not two models.
 */
static bool add_no_winner(struct sentence *s, const struct answer *answer,
			  const struct model *model)
{
	const char *text = N_("; {a} and {b} are the same at {n} of {all}");
	const char *second = second_of_two(model);
	struct outcome_tally tallies[OUTCOMES];
	uint32_t all;

	if (!second)
		return false;
	all = count(answer, model, second, tallies);
	if (tallies[ALIKE].n > 0)
		FILL(s, text, {"a", model->cases[0].model}, {"b", second},
		     {"n", NUMBER(tallies[ALIKE].n)}, {"all", NUMBER(all)});
	if (tallies[UNDECIDED].n == 0)
		return true;
	text = N_(", not decided at {n}");
	if (tallies[ALIKE].n == 0)
		text = N_("; whether {a} or {b} are faster is not decided at {n} of {all}");
	FILL(s, text, {"a", model->cases[0].model}, {"b", second},
	     {"n", NUMBER(tallies[UNDECIDED].n)}, {"all", NUMBER(all)});
	return true;
}

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
			struct sentence ratios = SENTENCE(VARIABLES_TEXT + 160);

			if (tallies[k].n == 0)
				continue;
			add_ratios(&ratios, answer, model, name, tallies, k);
			FILL(s, template, {"b", name}, {"how", outcome_word(k, answer->metrics[0])},
			     {"n", NUMBER(tallies[k].n)}, {"all", NUMBER(all)}, {"name", names},
			     {"ratios", ratios.buf});
			template = N_(", {how} at {n}{ratios}");
		}
		names = "";
	}
}

/*
 * Adds "fork slower at 3 (1.1x to 2.3x), same at 2". Returns false if other comparisons of the
 * model are undecided.
 */
static bool add_some_decided(struct sentence *list, const char *name, enum model_metric metric,
			     const struct outcome_tally t[OUTCOMES])
{
	bool begins = true;

	for (int k = SLOWER; k <= ALIKE; k++) {
		const char *template = N_(", {how} at {n}{ratios}");
		struct sentence ratios = SENTENCE(80);
		const struct outcome_tally range = outcome_range(&t[k], k, metric);

		if (t[k].n == 0)
			continue;
		if (k != ALIKE)
			FILL(&ratios, N_(" ({range}{with})"),
			     {"range", RANGE_OF(range.low, range.high)});
		if (begins) {
			headline_list(list);
			template = N_("{a} {how} at {n}{ratios}");
		}
		FILL(list, template, {"a", name}, {"how", outcome_word(k, metric)},
		     {"n", NUMBER(t[k].n)}, {"ratios", ratios.buf});
		begins = false;
	}
	return t[UNDECIDED].n == 0;
}

/*
 * Adds the outcomes of a model: "fork 6.4x to 64x", "fork same", "fork slower at 3 (1.1x to 2.3x)".
 * Returns false if it leaves out undecided comparisons.
 */
static bool add_decided(struct sentence *list, const struct answer *answer, const char *name,
			const struct outcome_tally t[OUTCOMES], uint32_t all)
{
	const char *how;
	char range[64];

	if (t[ALIKE].n == all)
		how = headline_text(N_("same"));
	else if (t[SLOWER].n + t[FASTER].n == all)
		how = range_of(fmin(t[SLOWER].low, t[FASTER].low),
			       fmax(t[SLOWER].high, t[FASTER].high), range);
	else
		return add_some_decided(list, name, answer->metrics[0], t);
	FILL(headline_list(list), N_("{a} {how}"), {"a", name}, {"how", how});
	return true;
}

/*
 * For more than three models, adds the outcomes of each: "Compared with pthread_create at 2 values
 * of ballast: fork 6.4x to 64x; all others undecided". Returns false if there are three or fewer,
 * or if nothing was decided when the trials ended.
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

/* Whether each case with the setting has one of these values. */
static bool only_values(const struct model *model, const struct variable *a,
			const struct variable *b)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *of = &model->cases[i].variables;

		if (variables_find(of, a->name) && !variables_has(of, a) && !variables_has(of, b))
			return false;
	}
	return true;
}

/*
 * Adds how a model's value compares: "processes 0.66x". If a difference is not significant, adds it
 * only with `all`: "processes not decided".
 */
static void add_value_outcome(struct sentence *list, const char *name,
			      const struct model_comparison *c, bool all)
{
	const char *how = NULL;

	if (c->verdict == STATS_A || c->verdict == STATS_B) {
		FILL(headline_list(list), N_("{a} {times}x"), {"a", name},
		     {"times", CLAIM_TIMES(c->ratio.estimate)});
		return;
	}
	if (!all || c->left || c->verdict == STATS_UNPAIRED || isnan(c->ratio.low))
		return;
	if (c->ratio.low > 1 / MODEL_MARGIN && c->ratio.high < MODEL_MARGIN)
		how = headline_text(N_("same"));
	else
		how = headline_text(N_("not decided"));
	FILL(headline_list(list), N_("{a} {how}"), {"a", name}, {"how", how});
}

/*
 * For each model, compares the last value of a setting with the first. Adds only significant
 * differences, unless the session has just these two values.
 */
static void add_values(struct sentence *s, const struct model *model, enum model_metric metric)
{
	const char *condition = comparison_condition(model->cases, model->n_cases);
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	const struct variable *first = NULL, *last = NULL;
	bool all;

	if (!condition)
		return;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *of = variables_find(&model->cases[i].variables, condition);

		if (of)
			last = of;
		if (!first)
			first = of;
	}
	if (!first || first == last)
		return;
	all = only_values(model, first, last);
	for (uint32_t b = 0; b < model->n_cases; b++) {
		uint32_t a = model_first_alike(model, b);
		struct model_comparison c;

		if (variables_has(&model->cases[b].variables, last) &&
		    comparison_of_values(model->cases, model->n_cases, a, b) &&
		    !model_compare(model, a, b, metric, &c))
			add_value_outcome(&list, model->cases[b].model, &c,
					  all && (c.ended || model_over(model)));
	}
	if (!list.used)
		return;
	FILL(s, N_("; {name}={b} compared with {a}: {others}"), {"name", condition},
	     {"a", first->value}, {"b", last->value}, {"others", list.buf});
}

/* Adds the settings that vary between the compared models: " combinations of cores and via". */
static void add_varied(struct sentence *names, const struct model *model)
{
	const struct variables *first = &model->cases[0].variables;
	struct sentence list = SENTENCE(SAMPLE_TEXT);
	uint32_t n = 0;

	for (uint32_t v = 0; v < first->n; v++) {
		bool varies = false;

		for (uint32_t i = 1; i < model->n_cases; i++)
			varies |= !variables_has(&model->cases[i].variables, &first->list[v]);
		if (!varies || strcmp(first->list[v].name, "placement") == 0 ||
		    comparison_structure(&first->list[v]))
			continue;
		sentence_join(&list, headline_text(N_(" and ")), "%s", first->list[v].name);
		n++;
	}
	if (n > 1)
		FILL(names, N_(" combinations of {names}"), {"names", list.buf});
	else if (n > 0)
		FILL(names, N_(" values of {names}"), {"names", list.buf});
	else if (model->n_origins > 0)
		HEADLINE_ADD(names, N_(" recordings"));
	else
		HEADLINE_ADD(names, N_(" kinds of work"));
}

/* Adds where the curves of two models cross: "; threads and processes cross at about 5.2 (4 to 6)".
 */
static void add_crossings(struct sentence *s, const struct answer *answer,
			  const struct model *model)
{
	struct sentence first = SENTENCE(HEADLINE_TEXT);
	struct finding_crosses found;
	uint32_t n = 0, a = 0, b = 0;
	char at[64];

	if (answer->metrics[0] != model_headline(model) || model->n_origins > 0)
		return;
	while (model_next_curves(model, &a, &b)) {
		if (finding_crosses(model, a, b, answer->metrics[0], &found) != 0)
			break;
		if (found.n == 0)
			continue;
		n++;
		if (n == 1)
			FILL(&first, N_("; {a} and {b} cross at about {at}"),
			     {"a", model->cases[a].model}, {"b", model->cases[b].model},
			     {"at", report_crossing(&found.cross[0], at, sizeof(at))});
	}
	if (n == 1)
		sentence_clause(s, "%s", first.buf);
	else if (n > 1)
		FILL(s, N_("; {n} pairs of models cross"), {"n", NUMBER(n)});
}

void headline_sweep(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct sentence names = SENTENCE(SAMPLE_TEXT);
	bool told = headline_so_far(s, answer, model);
	bool grows = false;

	add_varied(&names, model);
	if (!told && !is_bare(answer))
		told = add_ranges(s, answer, model, names.buf);
	if (!told)
		grows = headline_growth(s, answer, model, false);
	if (grows)
		told = add_winners_at_places(s, answer, model) || add_no_winner(s, answer, model);
	if (!told) {
		const bool placed = headline_places(s, answer, model);

		if (!placed && !grows)
			add_reach(s, answer, model);
		/* The costs at the places have already named the settings that vary. */
		if (placed && !add_winners_at_places(s, answer, model))
			add_tallies(s, answer, model, "");
		if (!placed && !add_winners(s, answer, model, names.buf))
			add_tallies(s, answer, model, names.buf);
	}
	add_crossings(s, answer, model);
	add_values(s, model, answer->metrics[0]);
}
