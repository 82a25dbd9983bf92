/* SPDX-License-Identifier: MIT */
#include "report/report.h"
#include "table_add.h"

/* How many messages arrive in a second, over the trials. */

static void add_case(const struct model *model, uint32_t case_id, struct table *table)
{
	struct report_summary rate, n;

	table_fail(table, report_summarize(model, case_id, METRIC_MESSAGE_RATE, &rate));
	table_fail(table, report_summarize(model, case_id, METRIC_MESSAGES, &n));
	table_add_case(table, model, case_id);
	table_add_value(table, rate.median.estimate);
	table_add_range(table, &rate.median, report_no_interval(model, case_id, rate.n));
	table_add_value(table, n.median.estimate);
}

void table_messages(const struct model *model, struct table *table)
{
	if (!metric_applies(model, METRIC_MESSAGES))
		return;
	for (uint32_t i = 0; i < model->n_cases; i++)
		add_case(model, i, table);
	table_note(table, "Messages that arrived, by their receivers' count, and what arrives in a "
			  "second from the release of all to the last one: creation and joins are "
			  "in the elapsed time alone.");
}
