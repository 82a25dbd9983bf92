/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "core/comparison.h"
#include "model/model.h"

/* The twelve sentences that an answer can be, with a slot in braces for each figure and name. */
enum template {
	NO_TRIAL,
	UNREAD,
	FAILED,
	ALONE,
	PAIR,
	MANY,
	SWEEP,
	MANY_SWEPT,
	VALUES,
	FAULT,
	APART_IN_TIME,
	LOST,
};

static const char *const templates[] = {
	[NO_TRIAL] = "No trial {how}",
	[UNREAD] = "no run was long enough to read it",
	[FAILED] = "{a} failed in {n}: nothing to compare ({why})",
	[ALONE] = "{a} {of_a}{what}{how}",
	[PAIR] = "{a} {of_a}, {b} {of_b}{what}{how}",
	[MANY] = "{a} {of_a}{what}{how} {others}",
	[SWEEP] = "{b} {how} at {n} of {all}{name}{ratios}",
	[MANY_SWEPT] = "{a}, at {all}{name}: {others}",
	[VALUES] = "; {name}={b} beside {a}: {others}",
	[FAULT] = "{a} one worker {why}: {others} {verb}",
	[APART_IN_TIME] = "The workers did not run at the same time: nothing to compare",
	[LOST] = "; without a lock up to {n} % of the increments were lost",
};

struct slot {
	const char *name, *text;
};

/* The template with each slot filled. */
static void fill(struct sentence *s, enum template template, const struct slot *slots, size_t n)
{
	const char *at = templates[template], *open, *close;

	while ((open = strchr(at, '{')) != NULL && (close = strchr(open, '}')) != NULL) {
		sentence_add(s, "%.*s", (int)(open - at), at);
		for (size_t i = 0; i < n; i++)
			if (strlen(slots[i].name) == (size_t)(close - open - 1) &&
			    strncmp(slots[i].name, open + 1, strlen(slots[i].name)) == 0)
				sentence_add(s, "%s", slots[i].text);
		at = close + 1;
	}
	sentence_add(s, "%s", at);
}
#define FILL(s, template, ...)                                                                     \
	fill(s, template, (const struct slot[]) {__VA_ARGS__},                                     \
	     sizeof((const struct slot[]) {__VA_ARGS__}) / sizeof(struct slot))

/* "threads"; where one model is compared with itself its values alone, "tree=50x99". */
static const char *name_of(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME])
{
	bool varies = false;

	model_case_name(model, case_id, buf, SAMPLE_NAME);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *one = &model->cases[i];

		if (one->variables.n == 0 || strcmp(one->model, model->cases[0].model) != 0)
			return buf;
		varies |= !variables_equal(&one->variables, &model->cases[0].variables);
	}
	return varies && strchr(buf, ' ') ? strchr(buf, ' ') + 1 : buf;
}
#define NAME_OF(model, case_id) name_of(model, case_id, (char[SAMPLE_NAME]) {0})

/* "~1.0 MiB", "≥320 KiB": as the table has it. */
static const char *median_text(const struct answer *answer, const struct answer_row *row,
			       char buf[48])
{
	const struct answer_cell *cell = &row->cells[0];

	snprintf(buf, 48, "%s%s%s", cell->seen == SEEN_START ? "≥" : "", cell->estimated ? "~" : "",
		 METRIC_TEXT(answer->metrics[0], cell->median));
	return buf;
}
#define MEDIAN_TEXT(answer, row) median_text(answer, row, (char[48]) {0})

static const char *values_of(const struct model *model, uint32_t case_id, char buf[VARIABLES_TEXT])
{
	return variables_format(&model->cases[case_id].variables, ' ', buf, VARIABLES_TEXT);
}
#define VALUES_OF(model, case_id) values_of(model, case_id, (char[VARIABLES_TEXT]) {0})

static void add_no_trial(struct sentence *s, const struct model *model)
{
	uint32_t crowded = 0;
	char how[128];

	for (uint32_t i = 0; i < model->n_cases; i++)
		crowded = MAX(crowded, model_replaced(model, i));
	snprintf(how, sizeof(how),
		 crowded == 1 ? "counts yet: other programs used the cores in the one so far"
			      : "counts yet: other programs used the cores in all %u so far",
		 crowded);
	FILL(s, NO_TRIAL,
	     {"how", model_over(model) ? "was measured"
		     : crowded > 0     ? how
				       : "is complete yet"});
}

/* How two compare */

static bool is_time(enum model_metric metric)
{
	uint8_t unit = metric_table[metric].unit;

	return unit == METRIC_NS || unit == METRIC_US || unit == METRIC_SHORT;
}

static bool is_memory(const struct answer *answer)
{
	return answer->n_metrics > 0 && metric_table[answer->metrics[0]].memory > 0;
}

/* The pairs after which an interval of this width would be narrow enough, if nothing changes. */
static uint32_t pairs_to_decide(const struct answer_cell *cell)
{
	double width = log(cell->ratio.high / cell->ratio.low) / 2;
	double apart = fabs(log(cell->ratio.estimate));
	double enough = fmax(apart, log(MODEL_MARGIN) - apart);
	double pairs = ceil(cell->pairs * pow(width / enough, 2));
	double round = pow(10, floor(log10(pairs)) - 1);

	if (round > 1)
		pairs = rint(pairs / round) * round;
	return pairs > cell->pairs && pairs < 1e6 ? (uint32_t)pairs : cell->pairs + 1;
}

static void add_how(struct sentence *s, const struct answer_cell *cell, double reference,
		    enum model_metric metric)
{
	double bound = finding_excluded(&cell->ratio);
	bool outside = cell->median > reference * bound || reference > cell->median * bound;
	bool told = cell->state == ANSWER_REAL
			    ? answer_medians_agree(reference, cell->median, cell->ratio.estimate)
			    : !outside;
	const char *by_pair = told ? "" : "pair by pair ";

	switch (cell->state) {
	case ANSWER_REAL:
		sentence_add(s, " (%s%sx as %s; ", by_pair, CLAIM_TIMES(cell->ratio.estimate),
			     is_time(metric) ? "long" : "much");
		sentence_add(s, "%s)", CLAIM_TIMES_INTERVAL(cell->ratio.low, cell->ratio.high));
		return;
	case ANSWER_SAME:
		sentence_add(s, " (%sat most %s apart)", by_pair, CLAIM_EXCLUDED(bound));
		return;
	case ANSWER_CLOSE:
		sentence_add(s, " (%sat most %s apart; about %u trials may decide)", by_pair,
			     CLAIM_EXCLUDED(bound), pairs_to_decide(cell));
		return;
	case ANSWER_MEASURING:
		sentence_add(s, " so far");
		return;
	case ANSWER_WITHHELD:
		sentence_add(s, " (%s", cell->why);
		if (cell->least > 0)
			sentence_add(s, ": -n %u is the least", cell->least);
		sentence_add(s, ")");
		return;
	case ANSWER_NONE:
		return;
	}
}

/* The part of the time that a median is of. */
static const char *what_of(enum model_metric metric)
{
	return metric == METRIC_TASK	    ? " to the task"
	       : metric == METRIC_OPERATION ? " a round trip"
	       : metric == METRIC_STEP	    ? " per operation"
					    : "";
}

/* "processes 2.0x", "hybrid same", "pool close", "?"; if not compared "processes 1.2 MiB" */
static void add_beside(struct sentence *s, const struct answer *answer, const struct model *model,
		       const struct answer_row *row)
{
	const struct answer_cell *cell = &row->cells[0];

	sentence_add(s, "%s ", NAME_OF(model, row->case_id));
	if (cell->state == ANSWER_NONE || (isnan(cell->ratio.estimate) && is_memory(answer)))
		sentence_add(s, "%s", MEDIAN_TEXT(answer, row));
	else if (cell->state == ANSWER_REAL)
		sentence_add(s, "%sx", CLAIM_TIMES(cell->ratio.estimate));
	else
		sentence_add(s, cell->state == ANSWER_SAME    ? "same"
				: cell->state == ANSWER_CLOSE ? "close"
							      : "?");
}

/* Sessions of several values */

/* How many rows of a model say so, and between which ratios. */
struct tally {
	uint32_t all, slower, faster, same;
	double slower_low, slower_high, faster_low, faster_high;
	uint32_t slower_case, faster_case; /* the last of each */
};

static bool is_first_alike(const struct model *model, const struct answer_row *row)
{
	return row->reference != row->case_id &&
	       comparison_alike(&model->cases[row->reference], &model->cases[row->case_id]);
}

static void count(const struct answer *answer, const struct model *model, const char *name,
		  struct tally *tally)
{
	*tally = (struct tally) {0, 0, 0, 0, NAN, NAN, NAN, NAN, 0, 0};
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const struct answer_cell *cell = &row->cells[0];
		double ratio = cell->ratio.estimate;

		if (!is_first_alike(model, row) ||
		    strcmp(model->cases[row->case_id].model, name) != 0)
			continue;
		tally->all++;
		tally->same += cell->state == ANSWER_SAME;
		if (cell->state == ANSWER_REAL && ratio > 1) {
			tally->slower++;
			tally->slower_case = row->case_id;
			tally->slower_low = fmin(tally->slower_low, ratio);
			tally->slower_high = fmax(tally->slower_high, ratio);
		} else if (cell->state == ANSWER_REAL) {
			tally->faster++;
			tally->faster_case = row->case_id;
			tally->faster_low = fmin(tally->faster_low, ratio);
			tally->faster_high = fmax(tally->faster_high, ratio);
		}
	}
}

/*
 * "processes slower at 5 of 7 values of size (1.10x to 2.3x), same at 2": beside the first model.
 */
static void add_tallies(struct sentence *s, const struct answer *answer, const struct model *model,
			const char *names)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const char *name = model->cases[i].model;
		bool begins = true;
		struct tally t;

		count(answer, model, name, &t);
		if (t.all == 0 || model_first_alike(model, i) != i)
			continue;
		const struct {
			const char *how;
			uint32_t n;
			double low, high;
			uint32_t only; /* where n is 1 */
		} parts[] = {{is_time(answer->metrics[0]) ? "slower" : "more", t.slower,
			      t.slower_low, t.slower_high, t.slower_case},
			     {is_time(answer->metrics[0]) ? "faster" : "less", t.faster,
			      t.faster_low, t.faster_high, t.faster_case},
			     {"same", t.same, NAN, NAN, 0},
			     {"undecided", t.all - t.slower - t.faster - t.same, NAN, NAN, 0}};
		for (size_t j = 0; j < sizeof(parts) / sizeof(parts[0]); j++) {
			char ratios[VARIABLES_TEXT + 80] = "", n[16], all[16];
			struct sentence text = {ratios, sizeof(ratios), 0};

			if (parts[j].n == 0)
				continue;
			if (!isnan(parts[j].low)) {
				sentence_add(&text, " (%sx", CLAIM_TIMES(parts[j].low));
				if (strcmp(CLAIM_TIMES(parts[j].low), CLAIM_TIMES(parts[j].high)) !=
				    0)
					sentence_add(&text, " to %sx", CLAIM_TIMES(parts[j].high));
				else if (parts[j].n == 1 && t.all > 1)
					sentence_add(&text, " at %s",
						     VALUES_OF(model, parts[j].only));
				sentence_add(&text, ")");
			}
			snprintf(n, sizeof(n), "%u", parts[j].n);
			snprintf(all, sizeof(all), "%u", t.all);
			if (begins) {
				sentence_add(s, s->used ? "; " : "");
				FILL(s, SWEEP, {"b", name}, {"how", parts[j].how}, {"n", n},
				     {"all", all}, {"name", names}, {"ratios", ratios});
				begins = false;
			} else {
				sentence_add(s, ", %s at %s%s", parts[j].how, n, ratios);
			}
		}
		names = "";
	}
}

/*
 * Of more than three models the range of each: "pthread_create, at 2 values of ballast: fork 6.4x
 * to 64x, vfork ?". False: there are fewer.
 */
static bool add_ranges(struct sentence *s, const struct answer *answer, const struct model *model,
		       const char *names)
{
	char others[HEADLINE_TEXT] = "", all[16];
	struct sentence list = {others, sizeof(others), 0};
	const char *first = NULL;
	uint32_t n = 0, most = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const char *name = model->cases[row->case_id].model;
		struct tally t;
		double low, high;

		if (!is_first_alike(model, row))
			continue;
		first = first ? first : model->cases[row->reference].model;
		count(answer, model, name, &t);
		if (model_first_alike(model, row->case_id) != i)
			continue;
		most = t.all > most ? t.all : most;
		low = fmin(t.slower_low, t.faster_low);
		high = fmax(t.slower_high, t.faster_high);
		sentence_add(&list, "%s%s ", n++ ? ", " : "", name);
		if (t.same == t.all)
			sentence_add(&list, "same");
		else if (t.slower + t.faster < t.all)
			sentence_add(&list, "?");
		else
			sentence_add(&list, "%sx to %sx", CLAIM_TIMES(low), CLAIM_TIMES(high));
	}
	if (n < 3)
		return false;
	snprintf(all, sizeof(all), "%u", most);
	FILL(s, MANY_SWEPT, {"a", first}, {"all", all}, {"name", names}, {"others", others});
	return true;
}

/* Of each model the last value of a condition beside the first, where that is real. */
static void add_values(struct sentence *s, const struct model *model, enum model_metric metric)
{
	const char *condition = comparison_condition(model->cases, model->n_cases);
	char others[HEADLINE_TEXT] = "";
	struct sentence list = {others, sizeof(others), 0};
	const struct variable *first = NULL, *last = NULL;

	for (uint32_t b = 0; b < model->n_cases && condition; b++) {
		uint32_t a = model_first_alike(model, b);
		const struct variable *of_b = variables_find(&model->cases[b].variables, condition);
		struct model_comparison c;

		last = of_b ? of_b : last;
		first = first ? first : of_b;
		if (!of_b ||
		    variables_has(&model->cases[model->n_cases - 1].variables, of_b) == 0 ||
		    !comparison_of_values(model->cases, model->n_cases, a, b) ||
		    model_compare(model, a, b, metric, &c) ||
		    (c.verdict != STATS_A && c.verdict != STATS_B))
			continue;
		sentence_add(&list, "%s%s %sx", list.used ? ", " : "", model->cases[b].model,
			     CLAIM_TIMES(c.ratio.estimate));
	}
	if (!list.used || !first || first == last)
		return;
	FILL(s, VALUES, {"name", condition}, {"a", first->value}, {"b", last->value},
	     {"others", others});
}

/* Workers that commit a fault */

static void add_faults(struct sentence *s, const struct model *model)
{
	static const char *const what[] = {
		[FAULT_NONE] = "fails",
		[FAULT_SEGV] = "crashes",
		[FAULT_ABORT] = "calls abort()",
		[FAULT_EXIT] = "calls exit()",
		[FAULT_HANG] = "hangs",
		[FAULT_OOM] = "runs out of memory",
		[FAULT_OVERRUN] = "writes past its memory",
	};
	char others[HEADLINE_TEXT] = "", when[32] = "";
	struct sentence list = {others, sizeof(others), 0};
	uint32_t trials = UINT32_MAX;
	enum fault_kind kind = FAULT_NONE;
	struct model_fault fault;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_fault_read(model, i, &fault) || fault.trials == 0)
			continue;
		kind = fault.kind;
		trials = fault.trials < trials ? fault.trials : trials;
		sentence_add(&list, "%s%lld", list.used ? ", " : "", (long long)fault.least);
		if (fault.most > fault.least)
			sentence_add(&list, " to %lld", (long long)fault.most);
		sentence_add(&list, " of %u %s", fault.workers, NAME_OF(model, i));
	}
	if (!list.used) {
		add_no_trial(s, model);
		return;
	}
	snprintf(when, sizeof(when), trials == 1 ? "In one trial" : "In each of %u trials", trials);
	FILL(s, FAULT, {"a", when}, {"why", what[kind]}, {"others", others},
	     {"verb", kind == FAULT_OVERRUN ? "keep a right result"
		      : kind == FAULT_HANG  ? "finish"
					    : "survive"});
}

/* All together */

/* How many counted trials of the case have failed; 0 if any was measured. */
static uint32_t count_failures(const struct model *model, uint32_t case_id, const char **why)
{
	uint32_t failures = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id != case_id || run->id.trial == 0 || !model_ended(model, run) ||
		    run->totals.status == SAMPLE_INTERRUPTED || model_is_replaced(model, run))
			continue;
		if (run->totals.status == SAMPLE_OK)
			return 0;
		*why = run->totals.reason;
		failures++;
	}
	return failures;
}

static bool add_failure(struct sentence *s, const struct model *model)
{
	const char *why = "";
	char n[32];

	for (uint32_t i = 0; i < model->n_cases && !model_has_faults(model); i++) {
		uint32_t failures = count_failures(model, i, &why);

		if (failures == 0)
			continue;
		snprintf(n, sizeof(n), failures == 1 ? "its only trial" : "all %u trials",
			 failures);
		FILL(s, FAILED, {"a", NAME_OF(model, i)}, {"n", n},
		     {"why", *why ? why : "Messages says more"});
		return true;
	}
	return false;
}

static uint32_t count_trials(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	uint32_t n = 0;
	double value;

	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.case_id == case_id &&
		    model_measured(model, &model->runs[i])) {
			value = metric_value(&model->runs[i], metric);
			n += !isnan(value);
		}
	return n;
}

/* The cases that compare with one and the same: a line for two, a list for more. */
static void add_group(struct sentence *s, const struct answer *answer, const struct model *model,
		      uint32_t reference)
{
	char others[HEADLINE_TEXT] = "", how[128] = "";
	struct sentence list = {others, sizeof(others), 0}, pair = {how, sizeof(how), 0};
	const struct answer_row *first = &answer->rows[reference], *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[answer->order[i]];

		if (row->reference != reference || row == first || isnan(row->cells[0].median))
			continue;
		sentence_add(&list, n++ ? ", " : "");
		add_beside(&list, answer, model, row);
		last = row;
	}
	if (s->used > 0)
		sentence_add(s, "; ");
	if (n == 0 || (isnan(first->cells[0].median) && !is_memory(answer))) {
		add_no_trial(s, model);
		return;
	}
	if (isnan(first->cells[0].median)) {
		sentence_add(s, "%s (not compared: the others were not read)", others);
		return;
	}
	if (n == 1)
		add_how(&pair, &last->cells[0], first->cells[0].median, answer->metrics[0]);
	else
		sentence_add(&pair, model_has_faults(model) ? "," : " (1x);");
	if (model_has_faults(model))
		sentence_add(&list, " (not compared)");
	FILL(s, n == 1 ? PAIR : MANY, {"a", NAME_OF(model, first->case_id)},
	     {"of_a", MEDIAN_TEXT(answer, first)}, {"b", NAME_OF(model, last->case_id)},
	     {"of_b", MEDIAN_TEXT(answer, last)}, {"how", how},
	     {"what", what_of(answer->metrics[0])}, {"others", others});
}

struct crossings {
	uint32_t n;
	char first[HEADLINE_TEXT]; /* "threads and processes cross at 5.2 (4 to 6)" */
};

static int take_cross(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct crossings *crossings = arg;
	struct finding_crosses found;
	char at[64];
	int err = finding_crosses(model, a, b, model_headline(model), &found);

	if (err || found.n == 0)
		return err;
	if (crossings->n++ == 0)
		snprintf(crossings->first, sizeof(crossings->first), "%s and %s cross at %s",
			 model->cases[a].model, model->cases[b].model,
			 report_crossing(&found.cross[0], at, sizeof(at)));
	return 0;
}

static void add_sweep(struct sentence *s, const struct answer *answer, const struct model *model)
{
	char names[SAMPLE_TEXT] = "";
	struct sentence list = {names, sizeof(names), 0};
	struct crossings crossings = {0};

	/* What the session varies between models that compare: " values of cores and via". */
	const struct variables *first = &model->cases[0].variables;
	uint32_t said = 0;

	for (uint32_t v = 0; v < first->n; v++) {
		bool varies = false;

		for (uint32_t i = 1; i < model->n_cases; i++)
			varies |= !variables_has(&model->cases[i].variables, &first->list[v]);
		if (varies && strcmp(first->list[v].name, "placement") != 0 &&
		    !comparison_structure(&first->list[v]))
			sentence_add(&list, "%s%s", said++ ? " and " : " values of ",
				     first->list[v].name);
	}
	if (said == 0)
		sentence_add(&list, model->n_origins > 0 ? " recordings" : " kinds of work");
	if (!add_ranges(s, answer, model, names))
		add_tallies(s, answer, model, names);
	if (answer->metrics[0] == model_headline(model) && model->n_origins == 0)
		model_curves(model, take_cross, &crossings);
	if (crossings.n == 1)
		sentence_add(s, "; %s", crossings.first);
	else if (crossings.n > 1)
		sentence_add(s, "; %u pairs of models cross", crossings.n);
	add_values(s, model, answer->metrics[0]);
}

/* Nothing is compared: what there is. */
static void add_lone(struct sentence *s, const struct answer *answer, const struct model *model)
{
	uint32_t known[2] = {0, 0}, n = 0, trials;
	char of[64];

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (isnan(answer->rows[i].cells[0].median))
			continue;
		known[n > 0] = i;
		n++;
	}
	trials = count_trials(model, known[0], answer->metrics[0]);
	if (n > 1)
		snprintf(of, sizeof(of), " (%s)",
			 model->n_origins > 0 ? "not measured together"
					      : "other work: not compared");
	else
		snprintf(of, sizeof(of),
			 trials == 1 ? " (one trial, nothing to compare)"
				     : " (median of %u trials, nothing to compare)",
			 trials);
	FILL(s, n == 1 ? ALONE : PAIR, {"a", NAME_OF(model, known[0])},
	     {"of_a", MEDIAN_TEXT(answer, &answer->rows[known[0]])},
	     {"b", NAME_OF(model, known[n > 1])},
	     {"of_b", MEDIAN_TEXT(answer, &answer->rows[known[n > 1]])}, {"how", of},
	     {"what", what_of(answer->metrics[0])});
}

/* However fast it is: what lost increments is no right answer. */
static void add_lost(struct sentence *s, const struct model *model)
{
	double share, most = 0;
	char n[32];

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!model_measured(model, run))
			continue;
		share = metric_value(run, METRIC_LOST) / metric_value(run, METRIC_STEPS);
		most = fmax(most, share);
	}
	snprintf(n, sizeof(n), "%.*f", most < 0.01 ? 3 : 0, 100 * most);
	if (most > 0)
		FILL(s, LOST, {"n", n});
}

/* The other headline metrics of the two that are real before the first one is. */
static void add_decided(struct sentence *s, const struct answer *answer)
{
	const struct answer_row *row = answer->rows;
	const char *before = "; already real: ";

	while (row->reference == row->case_id)
		row++;
	for (uint32_t i = 1; i < answer->n_metrics; i++) {
		if (row->cells[i].state != ANSWER_REAL || isnan(row->cells[i].ratio.estimate))
			continue;
		sentence_add(s, "%s%s %sx", before, answer_title(answer->metrics[i]),
			     CLAIM_TIMES(row->cells[i].ratio.estimate));
		before = ", ";
	}
}

char *headline_sentence(const struct answer *answer, const struct model *model, char *buf,
			size_t size)
{
	struct sentence s = {buf, size, 0};
	uint32_t groups[MODEL_JOIN_CASES], n = 0;
	uint32_t n_known = 0;

	if (size > 0)
		buf[0] = '\0';
	for (uint32_t i = 0; i < answer->n_rows && n < MODEL_JOIN_CASES; i++) {
		bool begins = answer->rows[i].reference != i;

		for (uint32_t j = 0; j < n; j++)
			begins &= groups[j] != answer->rows[i].reference;
		if (begins)
			groups[n++] = answer->rows[i].reference;
	}
	for (uint32_t i = 0; i < answer->n_rows; i++)
		n_known += !isnan(answer->rows[i].cells[0].median);
	if (answer->n_rows == 0)
		add_no_trial(&s, model);
	else if (add_failure(&s, model))
		return buf;
	else if (answer->metrics[0] == METRIC_SURVIVED)
		add_faults(&s, model);
	else if (n_known == 0 && is_memory(answer) && model_runs_ended(model) > 0)
		FILL(&s, UNREAD, {"", ""});
	else if (n_known == 0 && model_step(model) == WORK_SHARE && model_runs_ended(model) > 0)
		FILL(&s, APART_IN_TIME, {"", ""});
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
	if (n == 1 && answer->state == ANSWER_MEASURING && answer->compared == 1)
		add_decided(&s, answer);
	return buf;
}

const char *headline_word(const struct answer *answer, const struct model *model)
{
	static const char *const words[] = {
		[ANSWER_NONE] = "",	      [ANSWER_MEASURING] = "MEASURING",
		[ANSWER_REAL] = "FASTER",     [ANSWER_SAME] = "SAME SPEED",
		[ANSWER_CLOSE] = "TOO CLOSE", [ANSWER_WITHHELD] = "WITHHELD",
	};
	bool of_speed = !model_has_faults(model) && !is_memory(answer);

	if (answer->state == ANSWER_REAL && (!of_speed || answer->compared > 1))
		return "REAL";
	if (answer->state == ANSWER_SAME && !of_speed)
		return "SAME";
	return words[answer->state];
}

char *headline_badge(const struct answer *answer, const struct model *model, char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};

	buf[0] = '\0';
	if (answer->state == ANSWER_NONE)
		return buf;
	if (answer->real > 0 && answer->close > 0)
		sentence_add(&s, "REAL AT %u OF %u", answer->real, answer->compared);
	else
		sentence_add(&s, "%s", headline_word(answer, model));
	if (answer->state == ANSWER_MEASURING && answer->planned > 0)
		sentence_add(&s, " %u/%u", answer->pairs, answer->planned);
	if (!is_memory(answer) && model_is_limited(model))
		sentence_add(&s, ", under a quota");
	else if (!is_memory(answer) && model_is_busy(model))
		sentence_add(&s, ", on a busy machine");
	return buf;
}

char *headline_of_metric(const struct model *model, enum model_metric metric, char *buf,
			 size_t size)
{
	struct answer answer;

	buf[0] = '\0';
	if (answer_read_metric(&answer, model, metric) == 0)
		headline_sentence(&answer, model, buf, size);
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
	uint32_t most = 0;

	*metric = METRIC_MEMORY;
	buf[0] = '\0';
	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		struct answer answer;
		uint32_t known = 0;

		if (answer_read_metric(&answer, model, ways[way]) == 0) {
			for (uint32_t i = 0; i < answer.n_rows; i++)
				known += !isnan(answer.rows[i].cells[0].median);
			if (known > most || way == 0) {
				headline_badge(&answer, model, badge, sizeof(badge));
				headline_sentence(&answer, model, text, sizeof(text));
				snprintf(buf, size, "%s%s%sMedian memory (%s): %s",
					 *badge ? "[" : "", badge, *badge ? "] " : "",
					 metric_table[ways[way]].title, text);
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
	struct answer answer;

	if (answer_read(&answer, model) != 0)
		snprintf(buf, size, "%s", "Too little memory to compare");
	else
		snprintf(buf, size,
			 *headline_badge(&answer, model, badge, sizeof(badge)) ? "[%s] %s" : "%s%s",
			 badge, headline_sentence(&answer, model, text, sizeof(text)));
	answer_free(&answer);
	return buf;
}
