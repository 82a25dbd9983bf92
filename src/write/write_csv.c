/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <math.h>

#include "base/error_line.h"
#include "model/model.h"
#include "model/model_latency.h"
#include "result/report.h"
#include "write_parts.h"

/* Times in ms, with as many decimals as they are known to. */
static void write_figure(struct csv_row *row, double value, enum metric_unit unit)
{
	int64_t whole = isnan(value) ? -1 : llround(value);

	if (unit == METRIC_PERCENT)
		csv_row_decimal(row, isnan(value) ? -1 : llround(100 * value), 2);
	else if (unit == METRIC_DECIMAL)
		csv_row_decimal(row, isnan(value) ? -1 : llround(value * 1e4), 4);
	else if (unit == METRIC_SHORT)
		csv_row_decimal(row, isnan(value) ? -1 : llround(1000 * value), 3);
	else if (unit == METRIC_US)
		csv_row_decimal(row, whole < 0 ? -1 : whole / 1000, 3);
	else
		csv_row_decimal(row, whole, unit == METRIC_NS ? 6 : 0);
}

/* Which columns the table has: found once, since each question goes through all runs. */
struct columns {
	bool metric[METRICS], fault, command;
};

/* The places that any run of the session may have figures of. */
static bool has_place(const struct model *model, enum model_latency_place place)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct plan *plan = &model->cases[i].plan;

		if (plan_is_creation(plan) &&
		    model_latency_has((enum plan_placement)plan->placement, place))
			return true;
	}
	return false;
}

static void write_operations(struct csv_row *row, const struct model *model,
			     const struct model_run *run)
{
	static const struct model_latency_figures unknown = {
		.min = -1, .p50 = -1, .p90 = -1, .p99 = -1, .max = -1};
	const struct model_latency_figures *f = model_operations_run(model, run);
	double mean = f ? model_operations_mean(run) : NAN;
	const int64_t n = f ? run->totals.operations : -1;

	if (!model_has_operations(model))
		return;
	if (!f)
		f = &unknown;
	const int64_t values[] = {
		n, isnan(mean) ? -1 : llround(mean), f->min, f->p50, f->p90, f->p99, f->max};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		csv_row_number(row, values[i]);
}

/* Metrics from here on came later: their columns are the last ones, so that no other moves. */
#define FIRST_LATE METRIC_WRONG

/* The metrics' columns of a run, or their names without one. */
static void write_metrics(struct csv_row *row, const struct columns *columns,
			  const struct model_run *run, enum model_metric from, enum model_metric to)
{
	for (enum model_metric i = from; i < to; i++) {
		const char *split = run ? model_split_names[run->split.source] : "split";

		if (columns->metric[i] && run)
			write_figure(row, metric_result(run, i), metric_table[i].unit);
		else if (columns->metric[i])
			csv_row_text(row, metric_table[i].name);
		if (i == METRIC_SYSTEM)
			csv_row_text(row, split ? split : "");
	}
}

/* What surrounded the run, and whether figures of its memory are estimates: empty without them. */
static void write_surroundings(struct csv_row *row, const struct model_run *run)
{
	const struct sample_memory *memory = &run->totals.memory;

	csv_row_decimal(row, run->totals.others, 1);
	csv_row_decimal(row, run->totals.steal, 1);
	csv_row_number(row, run->begin_ns);
	csv_row_number(row, memory->pss_kb >= 0 || memory->uss_kb >= 0 ? memory->estimated : -1);
	csv_row_number(row, memory->kernel_kb >= 0 && memory->kernel_other_kb >= 0
				    ? memory->kernel_estimated
				    : -1);
}

static void write_latencies(struct csv_row *row, const struct model *model,
			    const struct model_run *run)
{
	static const struct model_latency_at unknown = {
		.share = NAN, .span = {{.first = -1}, {.first = -1}, {.first = -1}}};
	const struct model_latency *latency = model_latency_run(model, run);

	for (int i = 0; i < MODEL_PLACES; i++) {
		enum model_latency_place place = (enum model_latency_place)i;
		bool known = latency && model_latency_has(latency->placement, place);
		const struct model_latency_at *at = known ? &latency->at[i] : &unknown;

		if (!has_place(model, place))
			continue;
		/* A share is written with three decimals. */
		if (place != LATENCY_NOT_RECORDED)
			csv_row_decimal(row, isnan(at->share) ? -1 : llround(1000 * at->share), 3);
		for (int span = 0; span < MODEL_LATENCIES; span++) {
			const struct model_latency_figures *f = &at->span[span];
			const int64_t ns[] = {f->min, f->p50, f->p90, f->p99, f->max};

			csv_row_number(row, f->n);
			for (size_t k = 0; k < sizeof(ns) / sizeof(ns[0]); k++)
				csv_row_number(row, f->n > 0 ? ns[k] : -1);
			csv_row_number(row, f->first);
		}
	}
}

/* "" where it is not known. */
static void write_seen(struct csv_row *row, int seen)
{
	const char *name = sample_seen_name(seen);

	csv_row_text(row, name ? name : "");
}

static void write_run_row(struct csv_row *row, const struct columns *columns,
			  const struct model_run *run)
{
	const struct model *model = row->model;
	const struct sample_case *one = &model->cases[run->id.case_id];
	char variables[VARIABLES_TEXT], wall[REPORT_WALL];

	csv_row_run(row, run);
	csv_row_text(row, variables_format(&one->variables, ';', variables, sizeof(variables)));
	write_metrics(row, columns, run, 0, FIRST_LATE);
	write_latencies(row, model, run);
	write_operations(row, model, run);
	if (columns->fault) {
		/* Of what was left "file+lock", "nothing"; "" where it is not known. */
		char text[64] = "";
		struct sentence left = {text, sizeof(text), 0};

		for (unsigned i = 0; run->totals.survived >= 0 && fault_left_name(i); i++)
			if (run->totals.left & 1u << i)
				sentence_add(&left, "%s%s", left.used ? "+" : "",
					     fault_left_name(i));
		csv_row_text(row, fault_name((enum fault_kind)run->totals.fault));
		csv_row_text(row, left.used || run->totals.survived < 0 ? text : "nothing");
	}
	csv_row_text(row, report_status(run));
	csv_row_keys(row, run, NULL);
	if (columns->command)
		csv_row_name(row, one->command);
	csv_row_text(row, report_wall(run->totals.wall_ns, wall));
	write_surroundings(row, run);
	csv_row_number(row, run->totals.cgroup_kb);
	write_seen(row, run->totals.memory.rss_seen);
	write_seen(row, run->totals.memory.pss_seen);
	write_seen(row, run->totals.memory.kernel_seen);
	csv_row_number(row, run->children);
	csv_row_number(row, run->threads);
	write_metrics(row, columns, run, FIRST_LATE, METRICS);
	csv_row_number(row, run->processes);
	csv_row_end(row);
}

int write_csv(const struct model *model, FILE *out)
{
	struct csv_row row;
	struct columns columns = {.fault = model_has_faults(model),
				  .command = report_commands(model)};

	if (csv_row_open(&row, model, out))
		return -ENOMEM;
	/* The times of kinds of work stand in sessions that have several. */
	for (enum model_metric i = 0; i < METRICS; i++)
		columns.metric[i] = metric_is(i, METRIC_OF_RUNS) ||
				    (metric_is(i, METRIC_OF_KINDS) && metric_applies(model, i));
	fputs("trial,model,variables", row.out);
	row.inside = true;
	write_metrics(&row, &columns, NULL, 0, FIRST_LATE);

	/*
	 * The columns of latency, named as in the JSON; only where tasks are created one by one.
	 * Recordings that know no places keep the names they had.
	 */
	for (int i = 0; i < MODEL_PLACES; i++) {
		const char *place = i == LATENCY_NOT_RECORDED ? "" : model_latency_places[i];
		const char *separator = *place ? "_" : "";

		if (!has_place(model, (enum model_latency_place)i))
			continue;
		if (*place)
			fprintf(row.out, ",%s_share", place);
		for (int span = 0; span < MODEL_LATENCIES; span++) {
			static const char *const names[] = {"n",      "min_ns", "p50_ns",  "p90_ns",
							    "p99_ns", "max_ns", "first_ns"};

			for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
				fprintf(row.out, ",%s%s%s_%s", place, separator,
					model_latency_names[span], names[k]);
		}
	}

	if (model_has_operations(model))
		fputs(",operations_n,operation_mean_ns,operation_min_ns,operation_p50_ns,"
		      "operation_p90_ns,operation_p99_ns,operation_max_ns",
		      row.out);
	fputs(columns.fault ? ",fault,left_behind,status" : ",status", row.out);
	csv_row_key_names(&row, false);
	if (columns.command)
		csv_row_text(&row, "command");
	fputs(",began,others_percent,steal_percent,begin_ns,estimated,kernel_estimated,"
	      "cgroup_peak_kb,rss_seen,pss_seen,kernel_seen,program_children,program_threads",
	      row.out);
	write_metrics(&row, &columns, NULL, FIRST_LATE, METRICS);
	csv_row_text(&row, "program_processes");
	csv_row_end(&row);
	for (size_t i = 0; i < model->n_runs && !ferror(out); i++) {
		if (report_counts(model, &model->runs[i]))
			write_run_row(&row, &columns, &model->runs[i]);
	}
	return csv_row_close(&row);
}
