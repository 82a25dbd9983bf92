/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clean.h"
#include "model/model_latency.h"

/* Quoted where RFC 4180 asks for it. */
static void write_text(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"") != NULL;
	char utf8[CLEAN_BYTES];
	uint32_t character;

	if (quoted)
		fputc('"', out);
	while ((character = clean_next(&text)) != 0)
		fputs(character == '"' ? "\"\"" : clean_utf8(character, utf8), out);
	if (quoted)
		fputc('"', out);
}

/* Times in ms; by whole numbers: the decimal point of %f depends on the locale. Unknown: an empty
 * cell. */
static void write_figure(FILE *out, double value, enum metric_unit unit)
{
	long long whole = isnan(value) ? -1 : llround(value);

	if (whole < 0)
		fputc(',', out);
	else if (unit == METRIC_NS)
		fprintf(out, ",%lld.%06lld", whole / 1000000, whole % 1000000);
	else if (unit == METRIC_US)
		fprintf(out, ",%lld.%03lld", whole / 1000000, whole / 1000 % 1000);
	else
		fprintf(out, ",%lld", whole);
}

/* As the JSON names them; only where tasks are created one by one. */
static void write_latency_names(const char *span, FILE *out)
{
	static const char *const names[] = {"n",      "min_ns", "p50_ns",  "p90_ns",
					    "p99_ns", "max_ns", "first_ns"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		fprintf(out, ",%s_%s", span, names[i]);
}

static void write_latency(const struct model_latency_figures *f, FILE *out)
{
	const int64_t values[] = {f->min, f->p50, f->p90, f->p99, f->max, f->first};

	fprintf(out, ",%u", f->n);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		fputc(',', out);
		if (values[i] >= 0)
			fprintf(out, "%" PRId64, values[i]);
	}
}

static void write_header(FILE *out, bool latencies)
{
	fputs("trial,model,variables", out);
	for (enum model_metric i = 0; i < METRICS; i++)
		if (metric_is(i, METRIC_OF_RUNS))
			fprintf(out, ",%s", metric_table[i].name);
	for (int i = 0; latencies && i < MODEL_LATENCIES; i++)
		write_latency_names(model_latency_name((enum model_latency_span)i), out);
	fputs(",status\n", out);
}

static void write_latencies(const struct model *model, const struct model_run *run, FILE *out)
{
	const struct model_latency_figures unknown = {
		.min = -1, .p50 = -1, .p90 = -1, .p99 = -1, .max = -1, .first = -1};
	const struct model_latency *latency = model_latency_run(model, run);

	for (int i = 0; i < MODEL_LATENCIES; i++)
		write_latency(latency ? &latency->span[i] : &unknown, out);
}

static void write_run(const struct model *model, const struct model_run *run, FILE *out)
{
	const struct sample_case *one = &model->cases[run->id.icase];
	char variables[SAMPLE_LABEL];

	fprintf(out, "%u,", run->id.trial);
	write_text(out, one->model);
	fputc(',', out);
	write_text(out, variables_format(&one->variables, ';', variables, sizeof(variables)));
	for (enum model_metric i = 0; i < METRICS; i++)
		if (metric_is(i, METRIC_OF_RUNS))
			write_figure(out, metric_result(run, i), metric_table[i].unit);
	if (model_has_latency(model))
		write_latencies(model, run, out);
	fprintf(out, ",%s\n", export_status(run));
}

int export_csv(const struct model *model, FILE *out)
{
	write_header(out, model_has_latency(model));
	for (size_t i = 0; i < model->n_runs; i++) {
		if (export_counts(model, &model->runs[i]))
			write_run(model, &model->runs[i], out);
	}
	return export_finish(out);
}
