/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "model/model.h"
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
		spans->n = 0;
		for (const struct model_run *run = NULL;
		     (run = model_next_measured(model, run, case_id, 1));) {
			const struct model_levels *levels = model_levels(model, run);
			const struct model_span *span;

			if (!levels)
				continue;
			span = &(level ? &levels->level[*level] : &levels->all)->phase[phases[i]];
			if (span->n == 0)
				continue;
			spans->medians[spans->n] = span->median;
			spans->p99s[spans->n++] = span->p99;
		}
		table_add_value(table, stats_select(spans->medians, spans->n, 0.5));
		table_add_value(table, stats_select(spans->p99s, spans->n, 0.5));
	}
}

void table_levels(const struct model *model, struct table *table)
{
	double *values = malloc(2 * (model->n_runs + 1) * sizeof(*values));
	struct spans spans = {values, values + model->n_runs + 1, 0};
	char text[SAMPLE_TEXT] = "";
	struct sentence note = {text, sizeof(text), 0};
	bool trees = false;

	if (!values)
		table_fail(table, -ENOMEM);
	for (uint32_t i = 0; values && i < model->n_cases; i++)
		trees |= !model->cases[i].plan.gated && !plan_is_creation(&model->cases[i].plan);
	for (uint32_t i = 0; trees && i < model->n_cases; i++) {
		uint32_t levels = model->cases[i].plan.levels;
		size_t n = 0;
		double share;

		for (uint32_t level = 0; level < levels && levels > 1; level++)
			add_level(model, i, &level, &spans, table);
		add_level(model, i, NULL, &spans, table);
		/*
		 * Of all levels the median of the trials' shares: a column more would take the
		 * table apart at 80 columns.
		 */
		for (const struct model_run *run = NULL;
		     (run = model_next_measured(model, run, i, 1));) {
			const struct model_levels *all = model_levels(model, run);

			if (!all)
				continue;
			values[n] = model_inversions(&all->all);
			n += !isnan(values[n]);
		}
		share = stats_select(values, n, 0.5);
		if (!isnan(share))
			sentence_add(&note, "%s%s %s", note.used ? ", " : "",
				     MODEL_CASE_NAME(model, i), METRIC_TEXT(METRIC_SHARE, share));
	}
	if (note.used)
		table_note(table,
			   "Inversions: the share of pairs of siblings in which the first to end "
			   "was the last to be joined: %s.",
			   text);
	free(values);
}

/* The tables of where the elapsed time went, and of why one of two takes longer. */

/* Pairs in the table; JSON has all of them. */
#define PAIRS_MOST 6

static void fill_path(const struct model *model, const struct model_parts *parts,
		      struct table *table)
{
	bool any = false, all = true, split = false, running = false;
	double lowest = INFINITY, highest = 0;
	char least[16], most[16], source[SCHED_SENTENCE];

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (parts[i].n == 0) {
			all = false;
			continue;
		}
		any = true;
		split |= parts[i].split;
		running |= !parts[i].split;
		lowest = fmin(lowest, parts[i].scale);
		highest = fmax(highest, parts[i].scale);
	}
	table_begin_columns(table, "model");
	for (enum model_metric i = METRIC_CREATING; i <= METRIC_PATH; i++) {
		bool middle = i >= METRIC_WORKING && i <= METRIC_BLOCKED;

		if ((!middle || split) && (i != METRIC_RUNNING || running))
			table_add_column(table, i == METRIC_CREATING ? "create calls" : NULL, i);
	}
	for (uint32_t i = 0; i < model->n_cases && any; i++) {
		table_add_case(table, model, i);
		for (size_t k = 1; k < table->n_columns; k++) {
			enum model_metric metric = table->columns[k].metric;

			table_add_value(table, metric == METRIC_PATH ? parts[i].all_ns
					       : metric == METRIC_RUNNING
						       ? parts[i].running_ns
						       : parts[i].ns[metric - METRIC_CREATING]);
		}
	}
	if (!any)
		return;
	/* Of a tree, the answer's creation is that of all branches. */
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].plan.levels > 1)
			snprintf(table->title, sizeof(table->title), "%s",
				 "where the elapsed time went, along the branch that ended last");
	snprintf(least, sizeof(least), "%.3f", lowest);
	snprintf(most, sizeof(most), "%.3f", highest);
	table_note(table,
		   "The critical path is the chain that ends last. Its parts are medians "
		   "over the trials, multiplied by %s%s%s so that they add up to the "
		   "median elapsed time.",
		   least, strcmp(least, most) ? " to " : "", strcmp(least, most) ? most : "");
	if (!all)
		table_note(table, "?: in too many trials it is not known when each worker ended.");
	if (running)
		table_note(table, "Running is working, waiting for a core and blocked: "
				  "without lanes, they cannot be separated.");
	if (*sched_sentence(model, source, sizeof(source)))
		table_note(table, "%s", source);
}

/* Where tasks are created one by one the elapsed time has no meaning. */
void table_path(const struct model *model, struct table *table)
{
	struct model_parts *parts = calloc(model->n_cases + 1, sizeof(*parts));

	for (uint32_t i = 0; i < model->n_cases && parts && !model_has_latency(model); i++)
		table_fail(table, model_parts(model, i, &parts[i]));
	if (parts)
		fill_path(model, parts, table);
	else
		table_fail(table, -ENOMEM);
	free(parts);
}

/* Why */

static void add_path_difference(const struct model *model, const struct model_comparison *c,
				double ns, struct table *table)
{
	char reality[CLAIM_TEXT];

	table_add_words(table, "%s - %s", MODEL_CASE_NAME(model, c->b),
			MODEL_CASE_NAME(model, c->a));
	table_add_words(table, "%s",
			c->metric == METRIC_CREATING ? "create calls"
						     : metric_table[c->metric].title);
	table_add_words(table, "%s", WHY_SIGNED(ns));
	if (isnan(c->ratio.low))
		table_add_words(table, "?");
	else
		table_add_words(table, "%s to %s", WHY_SIGNED(c->ratio.low),
				WHY_SIGNED(c->ratio.high));
	table_add_value(table, c->pairs);
	table_add_words(table, "%s", why_reality(model, c, reality, sizeof(reality)));
}

/* Of many pairs the first ones, and the one that the sentence is about. */
void table_why(const struct model *model, struct table *table)
{
	uint32_t one, other;
	bool about = model_parts_pair(model, &one, &other);

	for (uint32_t a = 0, b = 0; !model_has_latency(model) && report_next_pair(model, &a, &b);) {
		struct model_parts_difference d;
		bool it = about && a == one && b == other;

		if (table_rows(table) >= PAIRS_MOST * (MODEL_PARTS + 1) && !it)
			continue;
		table_fail(table, model_parts_compare(model, a, b, &d));
		if (table->err || isnan(d.whole.ratio.estimate))
			continue;
		add_path_difference(model, &d.whole, d.whole_ns, table);
		for (uint32_t i = 0; i < d.n; i++)
			add_path_difference(model, &d.part[i], d.part_ns[i], table);
	}
	if (table_rows(table) > 0)
		table_note(
			table,
			"Differences of the medians above. The interval and what is real are of "
			"the pairs of trials, by their signed ranks. A part that does not differ "
			"is called real in at most %.0f %% of sessions.",
			100 * LOOKS_ERROR);
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

/* A row for all who woke, and for each; one who woke them all is named in theirs. */
static void add_wake_rows(const struct model *model, uint32_t case_id, enum model_wake wake,
			  struct table *table)
{
	const struct model_wakes *wakes = model_wakes(model, case_id);
	int kinds = 0;

	for (enum sample_woken who = 0; who < WOKENS; who++)
		kinds += model_wakes_figures(wakes, wake, who).n > 0;
	for (int i = -1; i < WOKENS; i++) {
		enum sample_woken who = i < 0 ? WOKENS : (enum sample_woken)i;
		struct model_wake_figures f = model_wakes_figures(wakes, wake, who);

		if (f.n == 0 || (kinds == 1 && who == WOKENS) ||
		    (kinds > 1 && who != WOKENS && model->n_cases > CASES_MOST))
			continue;
		table_add_case(table, model, case_id);
		table_add_words(table, "%s", after[wake]);
		table_add_words(table, "%s", by[who]);
		table_add_value(table, (double)f.n);
		table_add_times(table, (const int64_t[]) {f.p50, f.p90, f.p99, f.max}, 4);
	}
}

void table_wakes(const struct model *model, struct table *table)
{
	char why[SCHED_TEXT];

	for (uint32_t i = 0; i < model->n_cases; i++)
		for (int wake = 0; wake < MODEL_WAKES && model_wakes(model, i); wake++)
			add_wake_rows(model, i, (enum model_wake)wake, table);
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
