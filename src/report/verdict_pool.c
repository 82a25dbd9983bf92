/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>

#include "model/finding_pool.h"
#include "table_add.h"

/* The length of a task from which a pool no longer matters: a sentence, and a table's row. */

/* The share of time below which a pool no longer matters. */
#define PERCENT	   (100 * (FINDING_POOL_LEAST - 1))
#define LENGTH(ns) METRIC_TEXT(METRIC_OPERATION, ns)

/* Says it of the pair, or why it is not known. */
static void say_pool(struct sentence *s, const struct model *model, uint32_t a, uint32_t b,
		     const struct finding_pool *found)
{
	const char *pool = model->cases[a].model, *each = model->cases[b].model;
	bool cpu = found->metric == METRIC_CPU;
	const char *from = cpu ? " In CPU time, which elapsed time cannot tell, from" : " From";
	size_t begin = s->used + 1;

	if (found->answer == FINDING_POOL_FOUND) {
		sentence_add(s, "%s about %s a task on", from, LENGTH(found->at));
		sentence_add(s, " (between %s", LENGTH(found->low));
		sentence_add(s, " and %s)", LENGTH(found->high));
		sentence_add(s, " %s is ahead of %s by less than %.0f %%.", pool, each, PERCENT);
		return;
	}
	if (found->answer == FINDING_POOL_OPEN) {
		sentence_add(s,
			     " From which length of a task on %s is ahead of %s by less than "
			     "%.0f %% is not decided, in CPU time neither.",
			     pool, each, PERCENT);
		return;
	}
	sentence_add(s, "%s%s is ahead of %s by", cpu ? " In CPU time " : " ", pool, each);
	sentence_begin(s, begin);
	if (found->answer == FINDING_POOL_ALWAYS)
		sentence_add(s, " more than %.0f %% at every length tried, up to %s a task.",
			     PERCENT, LENGTH(found->most));
	else
		sentence_add(s, " less than %.0f %% at every length tried, from %s a task.",
			     PERCENT, LENGTH(found->least));
}

/* What is not decided is told only when nothing more comes. */
static int add_sentence(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct finding_pool found;
	int err = finding_pool(model, a, b, &found);

	if (!err && (found.answer == FINDING_POOL_FOUND || model_over(model)))
		say_pool(arg, model, a, b, &found);
	return err;
}

void verdict_pool(struct sentence *s, const struct model *model)
{
	if (model->n_origins == 0 && finding_pools(model, add_sentence, s))
		sentence_add(s, " Too little memory to compare.");
}

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
