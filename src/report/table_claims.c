/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "core/claims.h"
#include "core/looks.h"
#include "model/model_sweep.h"
#include "report/report.h"
#include "table_add.h"

/* The table of what is told beside the whole: each kind of work, and CPU time. */

struct adding {
	struct table *table;
	enum model_metric metric;
	struct table_intervals *intervals;
};

static double median_of(const struct adding *adding, const struct model *model, uint32_t case_id)
{
	struct report_summary summary;

	table_fail(adding->table, report_summarize(model, case_id, adding->metric, &summary));
	return summary.n > 0 ? summary.median.estimate : NAN;
}

static int add_pair(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct adding *adding = arg;
	const struct metric *metric = &metric_table[adding->metric];
	struct table *table = adding->table;
	struct model_comparison c;
	int err = model_compare(model, a, b, adding->metric, &c);

	if (err || !model_compares(model, a, b))
		return err;
	table_add_words(table, "%s", metric->words ? metric->words : metric->title);
	table_add_words(table, "%s / %s", MODEL_CASE_NAME(model, b), MODEL_CASE_NAME(model, a));
	table_add_value(table, median_of(adding, model, b));
	table_add_value(table, median_of(adding, model, a));
	table_add_verdict(table, model, &c);
	table_add_value(table, c.ratio.estimate);
	table_add_range(table, &c.ratio, "");
	table_add_value(table, c.pairs);
	table_levels_take(adding->intervals, &c);
	return 0;
}

static void add_metric(struct table *table, const struct model *model, enum model_metric metric,
		       struct table_intervals *intervals)
{
	struct adding adding = {table, metric, intervals};

	table_fail(table, report_pairs(model, add_pair, &adding));
}

static void note_kinds(struct table *table, uint32_t beside)
{
	table_note(table,
		   "A kind's time: from the gate's opening until the last worker of the kind had "
		   "finished its work.");
	if (beside > 0)
		table_note(table,
			   "The 5 %% of sessions that may name a false winner are shared: %.4g %% "
			   "by the elapsed time, %.2g %% by each of these %u.",
			   75 * LOOKS_ERROR, 25 * LOOKS_ERROR / beside, beside);
}

static void note_creation(struct table *table)
{
	table_note(table,
		   "Time to create: in the calls. vfork and posix_spawn return when the program is "
		   "loaded; fork before, so that execve is not in its.");
}

/* A sweep has its CPU time in the curves. */
void table_claims(const struct model *model, struct table *table)
{
	uint32_t beside = claims_beside(model->cases, model->n_cases);
	struct table_intervals intervals = {NAN, NAN, 0,
					    claims_error_beside(model->cases, model->n_cases)};
	bool kinds = false;

	for (int i = 0; i < WORK_KINDS; i++) {
		enum model_metric metric = metric_of_kind(plan_work_order[i]);

		if (!metric_applies(model, metric))
			continue;
		add_metric(table, model, metric, &intervals);
		kinds = true;
	}
	if (kinds)
		snprintf(table->title, sizeof(table->title), "%s",
			 beside > 0 ? "each kind of work, and CPU time" : "each kind of work");
	if (beside > 0 && claims_creation(model->cases, model->n_cases)) {
		add_metric(table, model, METRIC_CREATE, &intervals);
		snprintf(table->title, sizeof(table->title), "time to create, and CPU time");
		note_creation(table);
	}
	if (beside > 0)
		add_metric(table, model, METRIC_CPU, &intervals);
	if (kinds)
		note_kinds(table, beside);
	if (beside > 0)
		table_note_levels(table, &intervals);
}
