/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "model/model_wakes.h"
#include "report/sched.h"
#include "table_add.h"

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

static double known(int64_t ns)
{
	return ns < 0 ? NAN : (double)ns;
}

/* Whether there is a row: none of nobody. */
static bool add_row(const struct model *model, uint32_t case_id, enum model_wake wake,
		    enum sample_woken who, struct table *table)
{
	struct model_wake_figures f = model_wakes_figures(model_wakes(model, case_id), wake, who);
	const int64_t ns[] = {f.p50, f.p90, f.p99, f.max};

	if (f.n == 0)
		return false;
	table_add_case(table, model, case_id);
	table_add_words(table, "%s", after[wake]);
	table_add_words(table, "%s", by[who]);
	table_add_value(table, (double)f.n);
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		table_add_value(table, known(ns[i]));
	return true;
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
		   "From the wake-up, the creation or the gate's opening until on a core; who was "
		   "preempted is in none. Of all trials; percentiles to %.0f %%, the longest is "
		   "exact.",
		   100 * WAKES_ERROR);
	if (*sched_no_wakes(model, why, sizeof(why)))
		table_note(table, "Those after a block are not known: %s.", why);
}
