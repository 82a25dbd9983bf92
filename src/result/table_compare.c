/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_line.h"
#include "core/comparison.h"
#include "result/finding.h"
#include "model/model.h"
#include "result/report.h"
#include "table_add.h"

/* The tables of which case is faster, and where two curves cross. */

/* A table of comparisons, and what their intervals hold for. */
struct comparing {
	struct table *table;
	double low, high; /* the levels; NaN until one is known */
	uint32_t family;  /* comparisons that share the error */
};

static void take_level(struct comparing *comparing, const struct model_comparison *c)
{
	comparing->low = fmin(comparing->low, c->level);
	comparing->high = fmax(comparing->high, c->level);
	comparing->family = c->family;
}

static void note_levels(const struct comparing *comparing)
{
	char low[32], high[32];

	if (isnan(comparing->low))
		return;
	claim_level(low, sizeof(low), comparing->low);
	claim_level(high, sizeof(high), comparing->high);
	if (comparing->family < 2)
		table_note(comparing->table, "The interval is one of %s.", low);
	else
		table_note(comparing->table,
			   "The %u comparisons of a metric share the %.4g %% of sessions that may "
			   "call a difference real that is not. The intervals hold together; each "
			   "alone is one of %s%s%s.",
			   comparing->family, 100 * LOOKS_ERROR, low,
			   strcmp(low, high) == 0 ? "" : " to ",
			   strcmp(low, high) == 0 ? "" : high);
}

static void add_ratio(struct table *table, const struct model_comparison *c)
{
	table_add_value(table, c->ratio.estimate);
	table_add_range(table, &c->ratio, "");
}

void table_comparison(const struct model *model, struct table *table)
{
	struct comparing comparing = {table, NAN, NAN, 0};
	struct model_comparison c;
	char none[CLAIM_TEXT];

	snprintf(table->title, sizeof(table->title), "%s compared", table_headline(model));
	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);) {
		table_fail(table, model_compare(model, a, b, model_headline(model), &c));
		table_add_words(table, "%s / %s", MODEL_CASE_NAME(model, b),
				MODEL_CASE_NAME(model, a));
		add_ratio(table, &c);
		table_add_value(table, c.pairs);
		if (c.verdict == STATS_A || c.verdict == STATS_B)
			table_add_case(table, model, c.verdict == STATS_A ? a : b);
		else
			table_add_words(table, "%s", claim_none(model, &c, none, sizeof(none)));
		take_level(&comparing, &c);
	}
	note_levels(&comparing);
}

void table_crossover(const struct model *model, struct table *table)
{
	const struct variable *swept = model->n_cases ? model_swept(&model->cases[0]) : NULL;
	const enum model_metric metrics[] = {model_headline(model), METRIC_CPU, METRIC_PSS};
	char text[SAMPLE_NAME + 160];

	/* Runs that create more or fewer tasks do not compare by their time. */
	if (model_has_latency(model) || !swept)
		return;
	memcpy(table->own, table->columns, table->n_columns * sizeof(*table->columns));
	table->own[1].title = table_headline(model);
	table->columns = table->own;
	for (uint32_t a = 0, b = 0; model_next_curves(model, &a, &b);) {
		table_add_words(table, "%s / %s", report_curve_name(model, a, text, sizeof(text)),
				model->cases[b].model);
		for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
			table_fail(table,
				   report_crossover(model, a, b, metrics[i], text, sizeof(text)));
			table_add_words(table, "%s", text);
		}
	}
	table_note(table,
		   "Where the lines cross, and in brackets between which values of %s: the last at "
		   "which one model is really faster, and the first at which the other is.%s",
		   swept->name,
		   model->n_origins ? " Separate recordings have no pairs of trials, so tuibench "
				      "claims no crossover between them."
				    : "");
}

/*
 * A sweep, or several ways, at a glance: what each model takes at each value or in each way, and
 * who leads there.
 */

/* A row: the cases at a value. */
struct row {
	uint32_t cases[SAMPLE_MAX_CASES], n;
};

/* "1.9x (1.8 to 2.0)" of two models, "1.9 to 3.1x" of more: how much longer the others take */
static char *write_times(const struct model *model, struct table *table, const struct row *row,
			 const struct finding_lead *lead, char buf[CLAIM_TEXT])
{
	struct stats_interval ahead = finding_ahead(lead);
	double low = NAN, high = NAN;
	struct model_comparison c;

	for (uint32_t i = 0; i < row->n; i++) {
		if (row->cases[i] == lead->lead)
			continue;
		table_fail(table, model_compare(model, lead->lead, row->cases[i],
						model_headline(model), &c));
		low = fmin(low, c.ratio.estimate);
		high = fmax(high, c.ratio.estimate);
	}
	if (lead->others == 1)
		snprintf(buf, CLAIM_TEXT, "%sx (%s)", CLAIM_TIMES(ahead.estimate),
			 CLAIM_TIMES_INTERVAL(ahead.low, ahead.high));
	else
		snprintf(buf, CLAIM_TEXT, "%sx", CLAIM_TIMES_RANGE(low, high));
	return buf;
}

/* "threads, 1.9x (1.8 to 2.0)", "at most 3.1 % apart", "some differ, no fastest" */
static void add_leader(const struct model *model, struct comparing *comparing,
		       const struct row *row)
{
	struct table *table = comparing->table;
	struct finding_lead lead = {.sure = FINDING_UNKNOWN};
	char times[CLAIM_TEXT];

	table_fail(table, finding_among(model, row->cases, row->n, model_headline(model), &lead));
	if (lead.others > 0)
		take_level(comparing, &lead.next);
	if (lead.others == 0 || lead.pairs == 0)
		table_add_words(table, "?");
	else if (lead.sure == FINDING_REAL)
		table_add_words(table, "%s, %s", model->cases[lead.lead].model,
				write_times(model, table, row, &lead, times))
			->case_id = (int32_t)lead.lead;
	else if (lead.sure == FINDING_NONE)
		table_add_words(table, "%s", CLAIM_APART(lead.excluded))->emphasis =
			lead.excluded >= CLAIM_NOISY ? TABLE_WARN : TABLE_PLAIN;
	else
		table_add_words(table, lead.sure == FINDING_NO_WINNER ? "some differ, no fastest"
								      : "not decided");
}

/* The value, each model's median, and who is fastest. */
static void add_pivot_value(const struct model *model, struct comparing *comparing, uint32_t first)
{
	struct table *table = comparing->table;
	struct row row = {.n = 0};
	char value[VARIABLES_TEXT];

	for (uint32_t i = first; i < model->n_cases; i++)
		if (comparison_alike(&model->cases[first], &model->cases[i]))
			row.cases[row.n++] = i;
	variables_format(&model->cases[first].variables, ' ', value, sizeof(value));
	table_add_words(table, "%s", value);
	for (size_t i = 1; i + 1 < table->n_columns; i++) {
		struct report_summary summary = {.n = 0};
		uint32_t k = 0;

		while (k < row.n &&
		       strcmp(model->cases[row.cases[k]].model, table->columns[i].title) != 0)
			k++;
		if (k < row.n)
			table_fail(table, report_summarize(model, row.cases[k],
							   model_headline(model), &summary));
		table_add_value(table, summary.n > 0 ? summary.median.estimate : NAN);
	}
	add_leader(model, comparing, &row);
}

static size_t count_models(const struct model *model)
{
	size_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		n += model_first_alike(model, i) == i;
	return n;
}

static bool is_pivot(const struct model *model)
{
	bool shown = model_sweeps(model) || model_has_ways(model);

	return shown && !model_has_latency(model) && !model_has_faults(model) &&
	       model->n_origins == 0;
}

/* A column for each model, in the order of the cases, unless they are too many. */
void table_pivot(const struct model *model, struct table *table)
{
	struct comparing comparing = {table, NAN, NAN, 0};
	size_t models = count_models(model);

	table_begin_columns(table, "value");
	if (!is_pivot(model) || models < 2 || models + 2 > TABLE_OWN)
		return;
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first_alike(model, i) == i)
			table_add_column(table, model->cases[i].model, model_headline(model));
	table->own[table->n_columns++] = (struct table_column) {"fastest, or how close"};
	snprintf(table->title, sizeof(table->title), "median %s", table_headline(model));
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first(model, i, comparison_alike) == i)
			add_pivot_value(model, &comparing, i);
	note_levels(&comparing);
}

/* One model over the values */

static const char *value_of_condition(const struct model *model, uint32_t case_id)
{
	const char *name = comparison_condition(model->cases, model->n_cases);

	return variables_find(&model->cases[case_id].variables, name)->value;
}

static void add_compared_values(const struct model *model, struct comparing *comparing, uint32_t a,
				uint32_t b)
{
	struct table *table = comparing->table;
	const char *name = comparison_condition(model->cases, model->n_cases);
	const struct sample_case *one = &model->cases[a];
	char none[CLAIM_TEXT], text[VARIABLES_TEXT];
	struct variables rest = {.n = 0};
	struct model_comparison c;

	if (!comparison_of_values(model->cases, model->n_cases, a, b))
		return;
	table_fail(table, model_compare(model, a, b, model_headline(model), &c));
	/* "threads", "threads cache=warm", "mem: threads": all but the value */
	for (uint32_t i = 0; i < one->variables.n; i++)
		if (strcmp(one->variables.list[i].name, name) != 0)
			rest.list[rest.n++] = one->variables.list[i];
	variables_format(&rest, ' ', text, sizeof(text));
	table_add_words(table, "%s%s%s", one->model, rest.n ? " " : "", text);
	table_add_words(table, "%s / %s", value_of_condition(model, b),
			value_of_condition(model, a));
	add_ratio(table, &c);
	if (c.verdict == STATS_A || c.verdict == STATS_B)
		table_add_words(table, "%s (real)",
				value_of_condition(model, c.verdict == STATS_A ? a : b));
	else
		table_add_words(table, "%s", claim_none(model, &c, none, sizeof(none)));
	table_add_value(table, c.pairs);
	take_level(comparing, &c);
}

void table_values(const struct model *model, struct table *table)
{
	const char *name = comparison_condition(model->cases, model->n_cases);
	struct comparing comparing = {table, NAN, NAN, 0};

	if (!name || model->n_origins > 0 || model_has_faults(model))
		return;
	snprintf(table->title, sizeof(table->title), "%s over %s", table_headline(model), name);
	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);)
		add_compared_values(model, &comparing, a, b);
	note_levels(&comparing);
}

/* Where the two tables say what the list of all comparisons does */

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

/* The table of a sweep of workers, one row for each case: curve by curve. */

void table_scaling(const struct model *model, struct table *table)
{
	const struct variable *swept = model->n_cases ? model_swept(&model->cases[0]) : NULL;

	if (!swept || strcmp(swept->name, "workers") != 0)
		return;
	for (uint32_t i = 0; i < model->n_cases * model->n_cases; i++) {
		uint32_t first = i / model->n_cases, case_id = i % model->n_cases;
		const struct sample_case *one = &model->cases[case_id];
		char text[SAMPLE_LABEL] = "";
		struct sentence work = {text, sizeof(text), 0};

		if (model_first(model, case_id, comparison_same_curve) != first)
			continue;
		/* Its work is "fp", "cpu+io". */
		for (int k = 0; k < WORK_KINDS; k++)
			if (one->plan.leaves[k] > 0)
				sentence_add(&work, "%s%s", work.used ? "+" : "",
					     plan_work_name((enum work_kind)k));
		swept = model_swept(one);
		table_add_words(table, "%s", one->model)->case_id = (int32_t)case_id;
		table_add_words(table, "%s", text);
		table_add_value(table, swept ? swept->number : NAN);
		table_add_medians(table, model, case_id, 3);
	}
}

/* The same work on more and more cores: a row for each number of them, model by model. */

static void add_speedup_point(const struct model *model, const struct model_speedup *speedup,
			      const struct model_speedup_point *point, struct table *table)
{
	char name[SAMPLE_NAME];

	table_add_words(table, "%s", report_curve_name(model, point->case_id, name, sizeof(name)))
		->case_id = (int32_t)point->case_id;
	table_add_value(table, point->cores);
	table_add_value(table, point->median);
	table_add_value(table, point->speedup.estimate);
	if (point == speedup->point)
		table_add_words(table, "%s", "");
	else
		table_add_range(table, &point->speedup, "six trials needed");
	if (isnan(point->efficiency))
		table_add_value(table, NAN);
	else
		table_add_words(table, "%.0f %%", 100 * point->efficiency);
	table_add_value(table, point->cores / speedup->point[0].cores);
}

void table_speedup(const struct model *model, struct table *table)
{
	struct model_speedup speedup;
	char text[SPEEDUP_TEXT];

	for (uint32_t i = 0; i < model->n_cases && !table->err; i++) {
		if (!model_speedup_begins(model, i))
			continue;
		table_fail(table, model_speedup(model, i, &speedup));
		for (uint32_t p = 0; p < speedup.n; p++)
			add_speedup_point(model, &speedup, &speedup.point[p], table);
		if (!table->note || speedup.amdahl.state != AMDAHL_FEW_POINTS)
			table_note(table, "%s.", speedup_law(model, &speedup, text, sizeof(text)));
		/* In ascending order: the last point has the most. */
		if (speedup.workers > 0 && speedup.n > 0 &&
		    speedup.point[speedup.n - 1].cores > speedup.workers)
			table_note(table, "More cores than the %u workers do not help.",
				   speedup.workers);
	}
	if (table->n_cells > 0)
		table_note(table, "The speed-up is of pairs of trials. Each interval alone is one "
				  "of 95 %%. Efficiency is the share of the ideal.");
}
