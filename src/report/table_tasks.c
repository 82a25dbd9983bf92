/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "model/finding_pool.h"
#include "table_add.h"

/* The table of work that is handed out piece by piece: medians over the trials. */

void table_tasks(const struct model *model, struct table *table)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model->cases[i].plan.tasks == 0)
			continue;
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (table->n_cells > 0)
		table_note(table, "Latency: the median of a run, from handed out to done; a pool's "
				  "worker takes the next task itself, others are created for it. "
				  "Creation each: of a pool, until all stand, by the tasks; else "
				  "from the call until the task runs.");
}

/* The length of a task from which a pool no longer matters. */

/* The share of time below which a pool no longer matters. */
#define PERCENT	   (100 * (FINDING_POOL_LEAST - 1))
#define LENGTH(ns) METRIC_TEXT(METRIC_OPERATION, ns)

static const char *const words[] = {
	[FINDING_POOL_OPEN] = "not decided",
	[FINDING_POOL_FOUND] = "",
	[FINDING_POOL_ALWAYS] = "above all that were tried",
	[FINDING_POOL_NEVER] = "below all that were tried",
};

static int add_row(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct table *table = arg;
	struct finding_pool found;
	int err = finding_pool(model, a, b, &found);
	const struct stats_interval tried = {NAN, found.least, found.most};

	if (err)
		return err;
	table_add_words(table, "%s / %s%s", model->cases[a].model, model->cases[b].model,
			found.metric == METRIC_CPU ? ", cpu time" : "");
	table_add_value(table, found.at);
	if (found.answer == FINDING_POOL_FOUND)
		table_add_words(table, "%s to %s", LENGTH(found.low), LENGTH(found.high));
	else
		table_add_words(table, "%s", words[found.answer]);
	table_add_range(table, &tried, "");
	return 0;
}

void table_pool(const struct model *model, struct table *table)
{
	table_fail(table, finding_pools(model, add_row, table));
	if (table->n_cells > 0)
		table_note(table,
			   "The length of a task, by the pool's median latency, from which a task "
			   "created for each takes less than %.0f %% longer in all than the pool, "
			   "or as much more CPU time where elapsed time cannot tell: "
			   "between the longest tried at which it really takes more and the "
			   "shortest at which it really takes less.",
			   PERCENT);
}
