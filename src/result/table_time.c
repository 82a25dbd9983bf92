/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "base/units.h"
#include "stats/looks.h"
#include "stats/stats.h"
#include "model/model.h"
#include "model/model_latency.h"
#include "model/model_slices.h"
#include "result/report.h"
#include "table_add.h"

/* The table of a tree's time by level: medians over each trial's own figures. */

/* The gate is tuibench's own. */
static const enum model_phase phases[] = {PHASE_CREATE, PHASE_START, PHASE_WORK, PHASE_JOIN};

/* The values of one span over the trials. */
struct spans {
	double *medians, *p99s;
	size_t n;
};

/* Of a level; NULL: of all. */
static void take_spans(const struct model *model, uint32_t case_id, const uint32_t *level,
		       enum model_phase phase, struct spans *spans)
{
	spans->n = 0;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct model_levels *levels = model_levels(model, run);
		const struct model_span *span;

		if (run->id.case_id != case_id || !model_measured(model, run) || !levels)
			continue;
		span = &(level ? &levels->level[*level] : &levels->all)->phase[phase];
		if (span->n == 0)
			continue;
		spans->medians[spans->n] = span->median;
		spans->p99s[spans->n++] = span->p99;
	}
}

static void add_level(const struct model *model, uint32_t case_id, const uint32_t *level,
		      struct spans *spans, struct table *table)
{
	const struct plan *plan = &model->cases[case_id].plan;
	uint32_t tasks = plan_count(plan);

	if (level)
		plan_level(plan, *level, &tasks);
	table_add_case(table, model, case_id);
	if (level)
		table_add_words(table, "%u", *level + 1);
	else
		table_add_words(table, "all");
	table_add_value(table, tasks);
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		take_spans(model, case_id, level, phases[i], spans);
		table_add_value(table, stats_select(spans->medians, spans->n, 0.5));
		table_add_value(table, stats_select(spans->p99s, spans->n, 0.5));
	}
}

static bool has_trees(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!model->cases[i].plan.gated && !plan_is_creation(&model->cases[i].plan))
			return true;
	}
	return false;
}

/* Of all levels: the median of the trials' shares; NaN. */
static double median_inversions(const struct model *model, uint32_t case_id, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct model_levels *levels = model_levels(model, run);

		if (run->id.case_id != case_id || !model_measured(model, run) || !levels)
			continue;
		values[n] = model_inversions(&levels->all);
		n += !isnan(values[n]);
	}
	return stats_select(values, n, 0.5);
}

/* A column more would take the table apart at 80 columns. */
static void note_inversions(const struct model *model, double *values, struct table *table)
{
	char text[SAMPLE_TEXT] = "";
	struct sentence note = {text, sizeof(text), 0};

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const double share = median_inversions(model, i, values);

		if (!isnan(share))
			sentence_add(&note, "%s%s %s", note.used ? ", " : "",
				     MODEL_CASE_NAME(model, i), METRIC_TEXT(METRIC_SHARE, share));
	}
	if (note.used)
		table_note(table,
			   "Inversions: the share of pairs of siblings in which the first to end "
			   "was the last to be joined: %s.",
			   text);
}

void table_levels(const struct model *model, struct table *table)
{
	double *values = malloc(2 * (model->n_runs + 1) * sizeof(*values));
	struct spans spans = {values, values + model->n_runs + 1, 0};

	if (!values)
		table_fail(table, -ENOMEM);
	for (uint32_t i = 0; values && has_trees(model) && i < model->n_cases; i++) {
		uint32_t levels = model->cases[i].plan.levels;

		for (uint32_t level = 0; level < levels && levels > 1; level++)
			add_level(model, i, &level, &spans, table);
		add_level(model, i, NULL, &spans, table);
	}
	if (values && table->n_cells > 0)
		note_inversions(model, values, table);
	free(values);
}

/* The tables of where the elapsed time went, and of why one of two takes longer. */

/* Pairs in the table; JSON has all of them. */
#define PAIRS_MOST 6

/* Which columns the cases need, and the least and the greatest factor. */
struct path_needs {
	bool any, split, running;
	double least, most;
};

static struct path_needs needs_of(const struct model_parts *parts, uint32_t n)
{
	struct path_needs needs = {.least = INFINITY};

	for (uint32_t i = 0; i < n; i++) {
		if (parts[i].n == 0)
			continue;
		needs.any = true;
		needs.split |= parts[i].split;
		needs.running |= !parts[i].split;
		needs.least = fmin(needs.least, parts[i].scale);
		needs.most = fmax(needs.most, parts[i].scale);
	}
	return needs;
}

static double value_of(const struct model_parts *parts, enum model_metric metric)
{
	if (metric == METRIC_PATH)
		return parts->all_ns;
	return metric == METRIC_RUNNING ? parts->running_ns : parts->ns[metric - METRIC_CREATING];
}

static void fill(const struct model *model, const struct model_parts *parts, struct table *table)
{
	struct path_needs needs = needs_of(parts, model->n_cases);

	table_begin_columns(table, "model");
	for (enum model_metric i = METRIC_CREATING; i <= METRIC_PATH; i++) {
		bool middle = i >= METRIC_WORKING && i <= METRIC_BLOCKED;

		if ((!middle || needs.split) && (i != METRIC_RUNNING || needs.running))
			table_add_column(table, NULL, i);
	}
	for (uint32_t i = 0; i < model->n_cases && needs.any; i++) {
		table_add_case(table, model, i);
		for (size_t k = 1; k < table->n_columns; k++)
			table_add_value(table, value_of(&parts[i], table->columns[k].metric));
	}
	if (needs.any) {
		char least[16], most[16], source[SCHED_SENTENCE];

		snprintf(least, sizeof(least), "%.3f", needs.least);
		snprintf(most, sizeof(most), "%.3f", needs.most);
		table_note(table,
			   "The critical path is the chain that ends last. Its parts are medians "
			   "over the trials, multiplied by %s%s%s so that they add up to the "
			   "median elapsed time.",
			   least, strcmp(least, most) ? " to " : "",
			   strcmp(least, most) ? most : "");
		if (needs.running)
			table_note(table, "Running is working, waiting for a core and blocked: "
					  "without lanes, they cannot be separated.");
		if (*sched_sentence(model, source, sizeof(source)))
			table_note(table, "%s", source);
	}
}

/* Where tasks are created one by one the elapsed time has no meaning. */
void table_path(const struct model *model, struct table *table)
{
	struct model_parts *parts = calloc(model->n_cases + 1, sizeof(*parts));

	for (uint32_t i = 0; i < model->n_cases && parts && !model_has_latency(model); i++)
		table_fail(table, model_parts(model, i, &parts[i]));
	if (parts)
		fill(model, parts, table);
	else
		table_fail(table, -ENOMEM);
	free(parts);
}

/* Why */

static void add_difference(const struct model *model, const struct model_comparison *c,
			   struct table *table)
{
	char reality[CLAIM_TEXT];

	table_add_words(table, "%s - %s", MODEL_CASE_NAME(model, c->b),
			MODEL_CASE_NAME(model, c->a));
	table_add_words(table, "%s", metric_table[c->metric].title);
	table_add_words(table, "%s", WHY_SIGNED(c->ratio.estimate));
	if (isnan(c->ratio.low))
		table_add_words(table, "?");
	else
		table_add_words(table, "%s to %s", WHY_SIGNED(c->ratio.low),
				WHY_SIGNED(c->ratio.high));
	table_add_value(table, c->pairs);
	table_add_words(table, "%s", why_reality(model, c, reality, sizeof(reality)));
}

/* Of many pairs the first ones, and the one that the sentence is about. */
struct differences {
	struct table *table;
	uint32_t a, b; /* the same: there is no such, or it is in the table */
};

static int add_pair(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct differences *pairs = arg;
	struct table *table = pairs->table;
	struct model_parts_difference d;
	int err;

	if (table_rows(table) >= PAIRS_MOST * (MODEL_PARTS + 1) && (a != pairs->a || b != pairs->b))
		return 0;
	err = model_parts_compare(model, a, b, &d);
	if (err || isnan(d.whole.ratio.estimate))
		return err;
	add_difference(model, &d.whole, table);
	for (uint32_t i = 0; i < d.n; i++)
		add_difference(model, &d.part[i], table);
	if (a == pairs->a && b == pairs->b)
		pairs->b = pairs->a;
	return 0;
}

void table_why(const struct model *model, struct table *table)
{
	struct differences pairs = {.table = table};
	int err;

	if (!model_parts_pair(model, &pairs.a, &pairs.b))
		pairs.a = pairs.b = 0;
	err = model_has_latency(model) ? 0 : report_pairs(model, add_pair, &pairs);
	if (!err && pairs.a != pairs.b)
		err = add_pair(&pairs, model, pairs.a, pairs.b);
	if (err < 0)
		table_fail(table, err);
	if (table_rows(table) == 0)
		return;
	table_note(table,
		   "Hodges-Lehmann estimates of the paired differences, with their signed-rank "
		   "intervals. The parts need not add up to the whole. A part that does not differ "
		   "is called real in at most %.0f %% of sessions.%s",
		   100 * LOOKS_ERROR,
		   err > 0 ? " These are the first pairs. JSON has all of them." : "");
}

/* From when a task could run until it was on a core, by what it had waited for and who woke it. */

/* With more cases a row for each who woke is left out; JSON has them. */
#define CASES_MOST 6

static const char *const after[MODEL_WAKES] = {
	[WAKE_CREATED] = "creation",
	[WAKE_GATE] = "the gate",
	[WAKE_BLOCKED] = "a block",
};

static const char *const by[WOKENS + 1] = {
	[WOKEN_UNKNOWN] = "?",		[WOKEN_BY_MAIN] = "the first task",
	[WOKEN_BY_WORKER] = "a worker", [WOKEN_BY_INTERRUPT] = "an interrupt",
	[WOKEN_BY_OTHERS] = "others",	[WOKENS] = "all",
};

/* Of nobody there is no row. */
static void add_row(const struct model *model, uint32_t case_id, enum model_wake wake,
		    enum sample_woken who, struct table *table)
{
	struct model_wake_figures f = model_wakes_figures(model_wakes(model, case_id), wake, who);

	if (f.n == 0)
		return;
	table_add_case(table, model, case_id);
	table_add_words(table, "%s", after[wake]);
	table_add_words(table, "%s", by[who]);
	table_add_value(table, (double)f.n);
	table_add_times(table, (const int64_t[]) {f.p50, f.p90, f.p99, f.max}, 4);
}

/* One who woke them all is named in their row. */
static enum sample_woken only_one(const struct model_wakes *wakes, enum model_wake wake)
{
	enum sample_woken only = WOKENS;

	for (enum sample_woken who = 0; who < WOKENS; who++) {
		if (model_wakes_figures(wakes, wake, who).n == 0)
			continue;
		if (only != WOKENS)
			return WOKENS;
		only = who;
	}
	return only;
}

static void add_wake(const struct model *model, uint32_t case_id, enum model_wake wake,
		     struct table *table)
{
	enum sample_woken only = only_one(model_wakes(model, case_id), wake);

	add_row(model, case_id, wake, only, table);
	for (enum sample_woken who = 0;
	     who < WOKENS && only == WOKENS && model->n_cases <= CASES_MOST; who++)
		add_row(model, case_id, wake, who, table);
}

void table_wakes(const struct model *model, struct table *table)
{
	char why[SCHED_TEXT];

	for (uint32_t i = 0; i < model->n_cases; i++)
		for (int wake = 0; wake < MODEL_WAKES && model_wakes(model, i); wake++)
			add_wake(model, i, (enum model_wake)wake, table);
	if (table_rows(table) == 0)
		return;
	table_note(table,
		   "From the wake-up, the creation or the opening of the start gate until the task "
		   "is on a core. Preempted tasks are not included. Over all trials. Percentiles "
		   "are right to %.0f %%, the longest is exact.",
		   100 * WAKES_ERROR);
	if (*sched_no_wakes(model, why, sizeof(why)))
		table_note(table, "Those after a block are not known: %s.", why);
}
