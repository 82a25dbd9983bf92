/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model_latency.h"
#include "model/model_sweep.h"
#include "core/looks.h"
#include "report/claim.h"
#include "report/report.h"
#include "table_add.h"

/* The tables of which case is faster, and where two curves cross. */

void table_add_verdict(struct table *table, const struct model *model,
		       const struct model_comparison *c)
{
	char none[CLAIM_TEXT];

	if (c->verdict == STATS_A || c->verdict == STATS_B)
		table_add_case(table, model, c->verdict == STATS_A ? c->a : c->b);
	else
		table_add_words(table, "%s", claim_none(model, c, none, sizeof(none)));
}

void table_levels_take(struct table_intervals *intervals, const struct model_comparison *c)
{
	intervals->low = fmin(intervals->low, c->level);
	intervals->high = fmax(intervals->high, c->level);
	intervals->family = c->family;
}

void table_note_levels(struct table *table, const struct table_intervals *intervals)
{
	char low[32], high[32];

	if (isnan(intervals->low))
		return;
	claim_level(low, sizeof(low), intervals->low);
	claim_level(high, sizeof(high), intervals->high);
	if (intervals->family < 2) {
		table_note(table, "The interval is one of %s.", low);
		return;
	}
	table_note(table,
		   "The %u comparisons of a metric share the %.4g %% of sessions that may name a "
		   "false winner by it: the intervals hold together, each alone is one of %s%s%s.",
		   intervals->family, 100 * intervals->error, low,
		   strcmp(low, high) == 0 ? "" : " to ", strcmp(low, high) == 0 ? "" : high);
}

struct comparing {
	struct table *table;
	struct table_intervals intervals;
};

static int add_pair(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct comparing *comparing = arg;
	struct table *table = comparing->table;
	struct model_comparison c;
	int err = model_compare(model, a, b, model_headline(model), &c);

	if (err)
		return err;
	table_add_words(table, "%s / %s", MODEL_CASE_NAME(model, b), MODEL_CASE_NAME(model, a));
	table_add_value(table, c.ratio.estimate);
	table_add_range(table, &c.ratio, "");
	table_add_value(table, c.pairs);
	table_add_verdict(table, model, &c);
	table_levels_take(&comparing->intervals, &c);
	return 0;
}

void table_comparison(const struct model *model, struct table *table)
{
	struct comparing comparing = {table, {NAN, NAN, 0, LOOKS_ERROR}};

	snprintf(table->title, sizeof(table->title), "%s compared", table_headline(model));
	table_fail(table, report_pairs(model, add_pair, &comparing));
	table_note_levels(table, &comparing.intervals);
}

static int add_curves(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	const enum model_metric metrics[] = {model_headline(model), METRIC_CPU, METRIC_PSS};
	char name[SAMPLE_NAME], text[160];
	struct table *table = arg;
	int err = 0;

	table_add_words(table, "%s / %s", report_curve_name(model, a, name, sizeof(name)),
			model->cases[b].model);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]) && !err; i++) {
		err = report_crossover(model, a, b, metrics[i], text, sizeof(text));
		table_add_words(table, "%s", text);
	}
	return err;
}

void table_crossover(const struct model *model, struct table *table)
{
	const struct variable *swept = model->n_cases ? model_swept(&model->cases[0]) : NULL;

	/* Runs that create more or fewer tasks do not compare by their time. */
	if (model_has_latency(model) || !swept)
		return;
	memcpy(table->own, table->columns, table->n_columns * sizeof(*table->columns));
	table->own[1].title = table_headline(model);
	table->columns = table->own;
	table_fail(table, model_curves(model, add_curves, table));
	table_note(table,
		   "About where, and in brackets between which values of %s: the last at which the "
		   "one really leads and the first at which the other does.%s",
		   swept->name,
		   model->n_origins ? " Recordings apart have no pairs of trials: between them no "
				      "crossover is claimed."
				    : "");
}
