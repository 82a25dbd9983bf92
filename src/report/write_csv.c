/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>

#include "model/model_latency.h"
#include "report/csv_row.h"

/* Times in ms, with as many decimals as they are known to. */
static void write_figure(struct csv_row *row, double value, enum metric_unit unit)
{
	int64_t whole = isnan(value) ? -1 : llround(value);

	if (unit == METRIC_US)
		csv_row_decimal(row, whole < 0 ? -1 : whole / 1000, 3);
	else
		csv_row_decimal(row, whole, unit == METRIC_NS ? 6 : 0);
}

/* The columns of latency, named as in the JSON; only where tasks are created one by one. */
static void write_latency_names(struct csv_row *row, const char *span)
{
	static const char *const names[] = {"n",      "min_ns", "p50_ns",  "p90_ns",
					    "p99_ns", "max_ns", "first_ns"};
	char text[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(text, sizeof(text), "%s_%s", span, names[i]);
		csv_row_text(row, text);
	}
}

static void write_header(struct csv_row *row, bool latencies)
{
	csv_row_text(row, "trial");
	csv_row_text(row, "model");
	csv_row_text(row, "variables");
	for (enum model_metric i = 0; i < METRICS; i++) {
		if (metric_is(i, METRIC_OF_RUNS))
			csv_row_text(row, metric_table[i].name);
		if (i == METRIC_SYSTEM)
			csv_row_text(row, "split");
	}
	for (int i = 0; latencies && i < MODEL_LATENCIES; i++)
		write_latency_names(row, model_latency_names[i]);
	csv_row_text(row, "status");
	csv_row_end(row);
}

static void write_latencies(struct csv_row *row, const struct model *model,
			    const struct model_run *run)
{
	const struct model_latency_figures unknown = {
		.min = -1, .p50 = -1, .p90 = -1, .p99 = -1, .max = -1, .first = -1};
	const struct model_latency *latency = model_latency_run(model, run);

	for (int i = 0; i < MODEL_LATENCIES; i++) {
		const struct model_latency_figures *f = latency ? &latency->span[i] : &unknown;
		const int64_t values[] = {f->n, f->min, f->p50, f->p90, f->p99, f->max, f->first};

		for (size_t j = 0; j < sizeof(values) / sizeof(values[0]); j++)
			csv_row_number(row, values[j]);
	}
}

static void write_run(struct csv_row *row, const struct model *model, const struct model_run *run)
{
	const struct sample_case *one = &model->cases[run->id.case_id];
	const char *split = model_split_names[run->split.source];
	char variables[SAMPLE_LABEL];

	csv_row_number(row, run->id.trial);
	csv_row_text(row, one->model);
	csv_row_text(row, variables_format(&one->variables, ';', variables, sizeof(variables)));
	for (enum model_metric i = 0; i < METRICS; i++) {
		if (metric_is(i, METRIC_OF_RUNS))
			write_figure(row, metric_result(run, i), metric_table[i].unit);
		if (i == METRIC_SYSTEM)
			csv_row_text(row, split ? split : "");
	}
	if (model_has_latency(model))
		write_latencies(row, model, run);
	csv_row_text(row, report_status(run));
	csv_row_end(row);
}

int write_csv(const struct model *model, FILE *out)
{
	struct csv_row row = {.out = out};

	write_header(&row, model_has_latency(model));
	for (size_t i = 0; i < model->n_runs; i++) {
		if (report_counts(model, &model->runs[i]))
			write_run(&row, model, &model->runs[i]);
	}
	return report_finish(out);
}
