/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/comparison.h"
#include "core/looks.h"
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
							 TABLE_METRIC, model_headline(model)};
	}
	table->own[n++] = (struct table_column) {"leads, others' times"};
	table->columns = table->own;
	table->n_columns = n;
	return n > 3;
}

/* A row: the cases at a value, by a metric. */
struct row {
	enum model_metric metric;
	struct table_intervals *intervals;
	uint32_t cases[SAMPLE_MAX_CASES];
	uint32_t n;
};

static void read_row(const struct model *model, uint32_t first, struct row *row)
{
	for (uint32_t i = first; i < model->n_cases; i++)
		if (comparison_alike(&model->cases[first], &model->cases[i]))
			row->cases[row->n++] = i;
}

/* The median of that model in the row; NaN where it has none. */
static double median_of(const struct model *model, struct table *table, const struct row *row,
			const char *name)
{
	struct report_summary summary = {.n = 0};

	for (uint32_t i = 0; i < row->n; i++) {
		if (strcmp(model->cases[row->cases[i]].model, name) != 0)
			continue;
		table_fail(table, report_summarize(model, row->cases[i], row->metric, &summary));
		break;
	}
	return summary.n > 0 ? summary.median.estimate : NAN;
}

/* "1.9 (1.8 to 2.0)" of two models, "1.9 to 3.1" of more: so many times as long the others take */
static char *write_times(const struct model *model, struct table *table, const struct row *row,
			 const struct finding_lead *lead, char buf[CLAIM_TEXT])
{
	struct stats_interval ahead = finding_ahead(lead);
	double low = NAN, high = NAN;
	struct model_comparison c;

	for (uint32_t i = 0; i < row->n; i++) {
		if (row->cases[i] == lead->lead)
			continue;
		table_fail(table, model_compare(model, lead->lead, row->cases[i], row->metric, &c));
		low = fmin(low, c.ratio.estimate);
		high = fmax(high, c.ratio.estimate);
	}
	if (lead->others == 1)
		snprintf(buf, CLAIM_TEXT, "%s (%s)", CLAIM_TIMES(ahead.estimate),
			 CLAIM_TIMES_INTERVAL(ahead.low, ahead.high));
	else
		snprintf(buf, CLAIM_TEXT, "%s", CLAIM_TIMES_RANGE(low, high));
	return buf;
}

/* "threads (real) 1.9 (1.8 to 2.0)", "at most 3.1 % apart", "some differ, none leads" */
static void add_leader(const struct model *model, struct table *table, const struct row *row)
{
	struct finding_lead lead = {.sure = FINDING_UNKNOWN};
	char times[CLAIM_TEXT];

	table_fail(table, finding_among(model, row->cases, row->n, row->metric, &lead));
	if (lead.others > 0)
		table_levels_take(row->intervals, &lead.next);
	if (lead.others == 0 || lead.pairs == 0)
		table_add_words(table, "?");
	else if (lead.sure == FINDING_REAL)
		table_add_words(table, "%s (real) %s", model->cases[lead.lead].model,
				write_times(model, table, row, &lead, times))
			->case_id = (int32_t)lead.lead;
	else if (lead.sure == FINDING_NONE)
		table_add_words(table, "at most %s apart", CLAIM_EXCLUDED(lead.excluded));
	else
		table_add_words(table, lead.sure == FINDING_NO_WINNER ? "some differ, no fastest"
								      : "not decided");
}

/* The value, each model's median, and who is fastest. */
static void add_row(const struct model *model, struct table *table, uint32_t first,
		    struct table_intervals *intervals)
{
	struct row row = {.metric = model_headline(model), .intervals = intervals};
	char value[VARIABLES_TEXT];

	read_row(model, first, &row);
	variables_format(&model->cases[first].variables, ' ', value, sizeof(value));
	table_add_words(table, "%s", value);
	for (size_t i = 1; i + 1 < table->n_columns; i++)
		table_add_value(table, median_of(model, table, &row, table->columns[i].title));
	add_leader(model, table, &row);
}

static bool is_pivot(const struct model *model)
{
	bool shown = model_sweeps(model) || model_has_ways(model);

	return shown && !model_has_latency(model) && !model_has_faults(model) &&
	       model->n_origins == 0;
}

void table_pivot(const struct model *model, struct table *table)
{
	struct table_intervals whole = {NAN, NAN, 0, LOOKS_ERROR};

	if (!is_pivot(model) || !add_columns(model, table))
		return;
	snprintf(table->title, sizeof(table->title), "median %s", table_headline(model));
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first(model, i, comparison_alike) == i)
			add_row(model, table, i, &whole);
	table_note_levels(table, &whole);
}

/* One model over the values */

struct over {
	struct table *table;
	struct table_intervals intervals;
};

static const char *value_of(const struct model *model, uint32_t case_id)
{
	const char *name = comparison_condition(model->cases, model->n_cases);

	return variables_find(&model->cases[case_id].variables, name)->value;
}

/* "threads", "threads cache=warm", "mem: threads": all but the value */
static void add_whose(const struct model *model, struct table *table, uint32_t case_id)
{
	const char *name = comparison_condition(model->cases, model->n_cases);
	const struct sample_case *one = &model->cases[case_id];
	struct variables rest = {.n = 0};
	char text[VARIABLES_TEXT];

	for (uint32_t i = 0; i < one->variables.n; i++)
		if (strcmp(one->variables.list[i].name, name) != 0)
			rest.list[rest.n++] = one->variables.list[i];
	variables_format(&rest, ' ', text, sizeof(text));
	table_add_words(table, "%s%s%s", one->model, rest.n ? " " : "", text);
}

static int add_values(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct over *over = arg;
	struct model_comparison c;
	char none[CLAIM_TEXT];
	int err;

	if (!comparison_of_values(model->cases, model->n_cases, a, b))
		return 0;
	err = model_compare(model, a, b, model_headline(model), &c);
	add_whose(model, over->table, a);
	table_add_words(over->table, "%s / %s", value_of(model, b), value_of(model, a));
	table_add_value(over->table, c.ratio.estimate);
	table_add_range(over->table, &c.ratio, "");
	if (c.verdict == STATS_A || c.verdict == STATS_B)
		table_add_words(over->table, "%s (real)",
				value_of(model, c.verdict == STATS_A ? a : b));
	else
		table_add_words(over->table, "%s", claim_none(model, &c, none, sizeof(none)));
	table_add_value(over->table, c.pairs);
	table_levels_take(&over->intervals, &c);
	return err;
}

void table_values(const struct model *model, struct table *table)
{
	const char *name = comparison_condition(model->cases, model->n_cases);
	struct over over = {table, {NAN, NAN, 0, LOOKS_ERROR}};

	if (!name || model->n_origins > 0 || model_has_faults(model))
		return;
	snprintf(table->title, sizeof(table->title), "%s over %s", table_headline(model), name);
	table_fail(table, report_pairs(model, add_values, &over));
	table_note_levels(table, &over.intervals);
}

/* Where the two tables say what the list of all comparisons does */

static size_t count_models(const struct model *model)
{
	size_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		n += model_first_alike(model, i) == i;
	return n;
}

bool table_replaced(const struct model *model, enum table_id id)
{
	size_t models = count_models(model);

	if (id != TABLE_COMPARISON || !is_pivot(model) || model_has_ways(model))
		return false;
	if (models == 1)
		return model->cases->variables.n == 1 &&
		       comparison_condition(model->cases, model->n_cases);
	return models + 2 <= TABLE_OWN;
}
