/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/error_line.h"
#include "core/stats.h"
#include "model/model_levels.h"
#include "report/report.h"
#include "table_add.h"

/* The table of a tree's time by level: medians over each trial's own figures. */

/* The gate is tuibench's own. */
static const enum model_phase phases[] = {PHASE_CREATE, PHASE_START, PHASE_WORK, PHASE_JOIN};

/* The values of one span over the trials. */
struct spans {
	double *medians, *p99s;
	size_t n;
};

/* NULL: all of them. */
static const struct model_span *span_of(const struct model_levels *levels, const uint32_t *level,
					enum model_phase phase)
{
	return &(level ? &levels->level[*level] : &levels->all)->phase[phase];
}

static void take_spans(const struct model *model, uint32_t case_id, const uint32_t *level,
		       enum model_phase phase, struct spans *spans)
{
	spans->n = 0;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct model_levels *levels;
		const struct model_span *span;

		if (run->id.case_id != case_id || !model_measured(model, run))
			continue;
		levels = model_levels(model, run);
		span = levels ? span_of(levels, level, phase) : NULL;
		if (!span || span->n == 0)
			continue;
		spans->medians[spans->n] = span->median;
		spans->p99s[spans->n++] = span->p99;
	}
}

static void add_level(const struct model *model, uint32_t case_id, const uint32_t *level,
		      struct spans *spans, struct table *table)
{
	const struct plan *plan = &model->cases[case_id].plan;
	uint32_t tasks = plan_count(plan);

	if (level)
		plan_level(plan, *level, &tasks);
	table_add_case(table, model, case_id);
	if (level)
		table_add_words(table, "%u", *level + 1);
	else
		table_add_words(table, "all");
	table_add_value(table, tasks);
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		take_spans(model, case_id, level, phases[i], spans);
		table_add_value(table, stats_select(spans->medians, spans->n, 0.5));
		table_add_value(table, stats_select(spans->p99s, spans->n, 0.5));
	}
}

static bool has_trees(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!model->cases[i].plan.gated && !plan_is_creation(&model->cases[i].plan))
			return true;
	}
	return false;
}

/* Of all levels: the median of the trials' shares; NaN. */
static double median_inversions(const struct model *model, uint32_t case_id, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct model_levels *levels;
		double share;

		if (run->id.case_id != case_id || !model_measured(model, run))
			continue;
		levels = model_levels(model, run);
		share = levels ? model_inversions(&levels->all) : NAN;
		if (!isnan(share))
			values[n++] = share;
	}
	return stats_select(values, n, 0.5);
}

/* A column more would take the table apart at 80 columns. */
static void note_inversions(const struct model *model, double *values, struct table *table)
{
	char text[SAMPLE_TEXT] = "";
	struct sentence note = {text, sizeof(text), 0};

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const double share = median_inversions(model, i, values);

		if (!isnan(share))
			sentence_add(&note, "%s%s %s", note.used ? ", " : "",
				     MODEL_CASE_NAME(model, i), METRIC_TEXT(METRIC_SHARE, share));
	}
	if (note.used)
		table_note(table,
			   "Inversions, the share of the pairs of siblings of which the one that "
			   "ended first was joined last: %s.",
			   text);
}

void table_levels(const struct model *model, struct table *table)
{
	double *values = malloc(2 * (model->n_runs + 1) * sizeof(*values));
	struct spans spans = {values, values + model->n_runs + 1, 0};

	if (!values)
		table_fail(table, -ENOMEM);
	for (uint32_t i = 0; values && has_trees(model) && i < model->n_cases; i++) {
		uint32_t levels = model->cases[i].plan.levels;

		for (uint32_t level = 0; level < levels && levels > 1; level++)
			add_level(model, i, &level, &spans, table);
		add_level(model, i, NULL, &spans, table);
	}
	if (values && table->n_cells > 0)
		note_inversions(model, values, table);
	free(values);
}
