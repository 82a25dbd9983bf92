/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/units.h"
#include "report/latency.h"
#include "report/report.h"
#include "table_add.h"

/* How long each operation of the workers takes, of all counted trials. */

static void add_figures(const struct model_latency_figures *f, struct table *table)
{
	const int64_t ns[] = {f->min, f->p50, f->p90, f->p99, f->max};

	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		table_add_value(table, fields_known(ns[i]));
}

static void add_case(const struct model *model, uint32_t case_id, struct table *table)
{
	static const struct model_latency_figures unknown = {
		.min = -1, .p50 = -1, .p90 = -1, .p99 = -1, .max = -1};
	const struct model_latency_figures *f = model_operations(model, case_id);
	struct report_summary s;

	table_fail(table, report_summarize(model, case_id, METRIC_OPERATION_MEAN, &s));
	table_add_case(table, model, case_id);
	table_add_words(table, "%s", f ? UNITS_COUNT(f->n) : "?");
	table_add_value(table, s.median.estimate);
	add_figures(f ? f : &unknown, table);
}

void table_operations(const struct model *model, struct table *table)
{
	if (!model_has_operations(model))
		return;
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (plan_operates(&model->cases[i].plan))
			add_case(model, i, table);
	table_note(table,
		   "Each is a %s, of all trials; the mean is the median of the trials' means, "
		   "percentiles are right to 3 %%.",
		   latency_operation(model));
}
