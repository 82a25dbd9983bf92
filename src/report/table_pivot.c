/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/comparison.h"
#include "model/finding.h"
#include "model/model_fault.h"
#include "model/model_latency.h"
#include "model/model_operations.h"
#include "model/model_sweep.h"
#include "report/claim.h"
#include "report/report.h"
#include "table_add.h"

/*
 * A sweep, or several ways, at a glance: what each model takes at each value or in each way, and
 * who leads there.
 */

/* Ways are told apart by what one operation takes, where there is one. */
static enum model_metric metric_of(const struct model *model)
{
	return model_has_ways(model) ? model_headline(model) : METRIC_ELAPSED;
}

/* A column for each model, in the order of the cases; false: they are too many. */
static bool add_columns(const struct model *model, struct table *table)
{
	size_t n = 0;

	table->own[n++] = (struct table_column) {"value"};
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_first_alike(model, i) != i)
			continue;
		if (n + 1 == TABLE_OWN)
			return false;
		table->own[n++] = (struct table_column) {model->cases[i].model, TABLE_RIGHT,
							 TABLE_METRIC, metric_of(model)};
	}
	table->own[n++] = (struct table_column) {"leads"};
	table->columns = table->own;
	table->n_columns = n;
	return n > 3;
}

/* The case of a model that is compared with the one; NaN where there is none. */
static double median_of(const struct model *model, struct table *table, uint32_t first,
			const char *name)
{
	struct report_summary summary = {.n = 0};

	for (uint32_t i = first; i < model->n_cases; i++) {
		const struct sample_case *one = &model->cases[i];

		if (strcmp(one->model, name) != 0 || !comparison_alike(&model->cases[first], one))
			continue;
		table_fail(table, report_summarize(model, i, metric_of(model), &summary));
		break;
	}
	return summary.n > 0 ? summary.median.estimate : NAN;
}

/* "threads (real)", "no difference above 3.1 %", "some differ, none leads", "not decided" */
static void add_leader(const struct model *model, struct table *table, uint32_t first)
{
	struct finding_lead lead = {.sure = FINDING_UNKNOWN};

	table_fail(table, finding_lead(model, first, model->n_cases - 1, &lead));
	if (lead.others == 0 || lead.pairs == 0)
		table_add_words(table, "?");
	else if (lead.sure == FINDING_REAL)
		table_add_words(table, "%s (real)", model->cases[lead.lead].model)->case_id =
			(int32_t)lead.lead;
	else if (lead.sure == FINDING_NONE)
		table_add_words(table, "no difference above %s", CLAIM_EXCLUDED(lead.all_excluded));
	else
		table_add_words(table, lead.sure == FINDING_SHARED ? "some differ, none leads"
								   : "not decided");
}

static void add_row(const struct model *model, struct table *table, uint32_t first)
{
	char value[SAMPLE_LABEL];

	variables_format(&model->cases[first].variables, ' ', value, sizeof(value));
	table_add_words(table, "%s", value);
	for (size_t i = 1; i + 1 < table->n_columns; i++)
		table_add_value(table, median_of(model, table, first, table->columns[i].title));
	add_leader(model, table, first);
}

void table_pivot(const struct model *model, struct table *table)
{
	bool shown = model_sweeps(model) || model_has_ways(model);

	if (!shown || model_has_latency(model) || model_has_faults(model) || model->n_origins > 0 ||
	    !add_columns(model, table))
		return;
	if (model_has_ways(model))
		snprintf(table->title, sizeof(table->title), "median %s", table_headline(model));
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first(model, i, comparison_alike) == i)
			add_row(model, table, i);
}
