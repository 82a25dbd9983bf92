/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/looks.h"
#include "model/model_latency.h"
#include "model/model_parts.h"
#include "report/claim.h"
#include "report/report.h"
#include "report/sched.h"
#include "report/why.h"
#include "table_add.h"

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

static void add_column(struct table *table, enum model_metric metric)
{
	table->own[table->n_columns++] =
		(struct table_column) {NULL, TABLE_RIGHT, TABLE_METRIC, metric};
}

static void add_columns(struct table *table, const struct path_needs *needs)
{
	table->columns = table->own;
	table->own[table->n_columns++] = (struct table_column) {"model"};
	for (enum model_metric i = METRIC_CREATING; i <= METRIC_PATH; i++) {
		bool middle = i >= METRIC_WORKING && i <= METRIC_BLOCKED;

		if ((middle && !needs->split) || (i == METRIC_RUNNING && !needs->running))
			continue;
		add_column(table, i);
	}
}

static double value_of(const struct model_parts *parts, enum model_metric metric)
{
	if (metric == METRIC_PATH)
		return parts->all_ns;
	return metric == METRIC_RUNNING ? parts->running_ns : parts->ns[metric - METRIC_CREATING];
}

static void add_case(const struct model *model, uint32_t case_id, const struct model_parts *parts,
		     struct table *table)
{
	table_add_case(table, model, case_id);
	for (size_t i = 1; i < table->n_columns; i++)
		table_add_value(table, value_of(parts, table->columns[i].metric));
}

static void note_scale(const struct model *model, struct table *table,
		       const struct path_needs *needs)
{
	char least[16], most[16], source[SCHED_SENTENCE];

	snprintf(least, sizeof(least), "%.3f", needs->least);
	snprintf(most, sizeof(most), "%.3f", needs->most);
	table_note(table,
		   "The critical path, the chain that ends last, by the medians of its parts over "
		   "the trials, multiplied by %s%s%s so that they add up to the median elapsed "
		   "time.",
		   least, strcmp(least, most) ? " to " : "", strcmp(least, most) ? most : "");
	if (needs->running)
		table_note(table, "Running is working, waiting for a core and blocked together: "
				  "no slices tell them apart.");
	if (*sched_sentence(model, source, sizeof(source)))
		table_note(table, "%s", source);
}

static void fill(const struct model *model, const struct model_parts *parts, struct table *table)
{
	struct path_needs needs = needs_of(parts, model->n_cases);

	add_columns(table, &needs);
	for (uint32_t i = 0; i < model->n_cases && needs.any; i++)
		add_case(model, i, &parts[i], table);
	if (needs.any)
		note_scale(model, table, &needs);
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
struct pairs {
	struct table *table;
	uint32_t a, b; /* the same: there is no such, or it is in the table */
};

static int add_pair(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct pairs *pairs = arg;
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
	struct pairs pairs = {.table = table};
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
		   "Hodges-Lehmann estimates of the paired differences with their signed-rank "
		   "intervals. Each part is for itself: they need not add up to the whole, and one "
		   "that does not differ is called real in at most %.0f %% of sessions.%s",
		   100 * LOOKS_ERROR, err > 0 ? " These are the first pairs; JSON has all." : "");
}
