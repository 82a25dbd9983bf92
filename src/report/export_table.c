/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "report/export_latency.h"
#include "model/model_sweep.h"
#include "model/model_warnings.h"
#include "base/units.h"

/*
 * Plain ASCII in 80 columns: it lands in pipes, mails and terminals of any kind. One line per
 * case, because there may be many cases and never many metrics.
 */

#define WIDTH	   80
#define NAME_WIDTH 12 /* at least */

struct table {
	const struct model *model;
	FILE *out;
	int name_width;
};

/* Columns that text takes: UTF-8's continuation bytes take none. */
static int width_of(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void write_padded(FILE *out, const char *text, int width)
{
	fprintf(out, "%s%*s", text, width > width_of(text) ? width - width_of(text) : 0, "");
}

/* Text in lines of at most WIDTH columns, broken at blanks. */
static void write_wrapped(FILE *out, const char *text)
{
	char word[SAMPLE_TEXT];
	int at = 0;

	while (*text) {
		size_t n = strcspn(text, " ");
		int width;

		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		width = width_of(word);
		if (at > 0)
			fputc(at + 1 + width > WIDTH ? '\n' : ' ', out);
		at = at == 0 || at + 1 + width > WIDTH ? width : at + 1 + width;
		fputs(word, out);
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void write_name(const struct table *table, uint32_t icase)
{
	char name[SAMPLE_LABEL * 2];

	model_case_name(table->model, icase, name, sizeof(name));
	write_padded(table->out, name, table->name_width);
}

static int name_width(const struct model *model)
{
	char name[SAMPLE_LABEL * 2];
	int words = width_of(model_headline_words(model)) + 2;
	int width = words > NAME_WIDTH ? words : NAME_WIDTH;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		int n = width_of(model_case_name(model, i, name, sizeof(name)));

		width = n + 2 > width ? n + 2 : width;
	}
	return width;
}

static void write_head(const struct model *model, FILE *out)
{
	const struct model_session *session = &model->session;
	char line[1024];

	snprintf(line, sizeof(line), "%s: %s, %u trial%s of each%s; tuibench %s",
		 session->experiment, session->title, session->trials,
		 session->trials == 1 ? "" : "s", session->warmup ? " after warm-ups" : "",
		 session->version);
	write_wrapped(out, line);
	if (model->n_origins == 0)
		write_wrapped(out, export_machine(line, sizeof(line), &session->machine));
	for (uint32_t i = 0; i < model->n_origins; i++) {
		fprintf(out, "@%s: ", model->origins[i].name);
		write_wrapped(out, export_machine(line, sizeof(line),
						  &model->origins[i].session.machine));
	}
	if (export_differences(model, line, sizeof(line)))
		write_wrapped(out, line);
}

static int write_elapsed(const struct table *table)
{
	FILE *out = table->out;
	struct export_summary s;
	char a[32], b[64], c[32], d[32];
	int err;

	fprintf(out, "\n%-*s%10s   %-20s%10s%10s   %s\n", table->name_width,
		model_headline_words(table->model), "median", "95 % interval", "fastest", "slowest",
		"trials");
	for (uint32_t i = 0; i < table->model->n_cases; i++) {
		err = export_summarize(table->model, i, model_headline(table->model), &s);
		if (err)
			return err;
		write_name(table, i);
		fprintf(out, "%10s   %-20s%10s%10s   %zu of %zu\n",
			metric_format(a, sizeof(a), METRIC_ELAPSED, s.median.estimate, true),
			export_format_interval(b, sizeof(b), METRIC_ELAPSED, &s.median, true),
			metric_format(c, sizeof(c), METRIC_ELAPSED, s.least, true),
			metric_format(d, sizeof(d), METRIC_ELAPSED, s.most, true), s.n,
			export_runs_of(table->model, i));
	}
	return 0;
}

static int write_medians(const struct table *table, const char *title,
			 const enum model_metric *columns)
{
	FILE *out = table->out;
	struct export_summary s;
	char text[32];
	int err = 0;

	fprintf(out, "\n%-*s", table->name_width, title);
	for (int j = 0; columns[j] < METRICS; j++)
		fprintf(out, "%14s", metric_table[columns[j]].title);
	fputc('\n', out);
	for (uint32_t i = 0; i < table->model->n_cases && !err; i++) {
		write_name(table, i);
		for (int j = 0; columns[j] < METRICS && !err; j++) {
			err = export_summarize(table->model, i, columns[j], &s);
			if (!err)
				fprintf(out, "%14s",
					metric_format(text, sizeof(text), columns[j],
						      s.median.estimate, true));
		}
		fputc('\n', out);
	}
	return err;
}

static void write_scaling_row(void *arg, const struct export_scaling_row *row)
{
	FILE *out = arg;

	fprintf(out, "%-14s%-8s", row->cell[0], row->cell[1]);
	for (int i = EXPORT_SCALING_TEXTS; i < EXPORT_SCALING; i++)
		fprintf(out, "%*s", i == EXPORT_SCALING_TEXTS ? 6 : 13, row->cell[i]);
	fputc('\n', out);
}

/* The same cases once more, as many as they are: here they can be read down the column. */
static int write_scaling(const struct model *model, FILE *out)
{
	struct export_scaling_row titles;

	if (!export_has_scaling(model))
		return 0;
	for (int i = 0; i < EXPORT_SCALING; i++)
		snprintf(titles.cell[i], sizeof(titles.cell[i]), "%s", export_scaling_titles[i]);
	fputc('\n', out);
	write_scaling_row(out, &titles);
	return export_scaling(model, write_scaling_row, out);
}

#define LABEL_WIDTH 16
#define SPAN_WIDTH  8

static void write_level(FILE *out, const char *name, const struct model_level *level)
{
	char tasks[32], label[64], text[32];

	units_format_count(tasks, sizeof(tasks), level->tasks);
	snprintf(label, sizeof(label), "  %s: %s", name, tasks);
	fprintf(out, "%-*s", LABEL_WIDTH, label);
	for (int i = 0; i < EXPORT_PHASES; i++) {
		const struct model_span *span = &level->phase[export_phases[i]];

		fprintf(out, "%*s", SPAN_WIDTH,
			metric_format(text, sizeof(text), METRIC_ELAPSED, span->median, true));
		fprintf(out, "%*s", SPAN_WIDTH,
			metric_format(text, sizeof(text), METRIC_ELAPSED, span->p99, true));
	}
	fputc('\n', out);
}

static int write_case_levels(const struct table *table, uint32_t icase)
{
	struct model_levels levels;
	char name[SAMPLE_LABEL * 2];
	int err = export_levels(table->model, icase, &levels);

	if (err)
		return err;
	fprintf(table->out, "%s\n", model_case_name(table->model, icase, name, sizeof(name)));
	for (uint32_t i = 0; i < levels.levels && levels.levels > 1; i++) {
		snprintf(name, sizeof(name), "level %u", i + 1);
		write_level(table->out, name, &levels.level[i]);
	}
	write_level(table->out, "all", &levels.all);
	return 0;
}

/* Medians and 99th percentiles of what a task's life is made of. */
static int write_levels(const struct table *table)
{
	int err = 0;

	if (!export_has_levels(table->model))
		return 0;
	fprintf(table->out, "\n%-*s", LABEL_WIDTH, "time of a task");
	for (int i = 0; i < EXPORT_PHASES; i++)
		fprintf(table->out, "%*s%*s", SPAN_WIDTH, model_phase_name(export_phases[i]),
			SPAN_WIDTH, "99 %");
	fputc('\n', table->out);
	for (uint32_t i = 0; i < table->model->n_cases && !err; i++)
		err = write_case_levels(table, i);
	return err;
}

static void write_span(const struct table *table, uint32_t icase, enum model_latency_span span,
		       const struct model_latency_figures *figures)
{
	const int64_t ns[] = {figures->min, figures->p50, figures->p90,
			      figures->p99, figures->max, figures->first};
	const char *quote = export_quote(&table->model->cases[icase], span);
	char text[32];

	fprintf(table->out, "  %-14s%6u", model_latency_words(span), figures->n);
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		fprintf(table->out, "%8s", export_micros(text, sizeof(text), ns[i]));
	fprintf(table->out, *quote ? "%10s\n" : "%s\n", quote);
}

static void write_latency(const struct table *table, uint32_t icase)
{
	const struct model_latency *latency = model_latency(table->model, icase);
	char name[SAMPLE_LABEL * 2];

	fprintf(table->out, "%s%s\n", model_case_name(table->model, icase, name, sizeof(name)),
		latency ? "" : ": not measured");
	for (int i = 0; latency && i < MODEL_LATENCIES; i++)
		write_span(table, icase, (enum model_latency_span)i, &latency->span[i]);
}

/* Of all creations of all trials. */
static void write_latencies(const struct table *table)
{
	FILE *out = table->out;
	char line[512];

	if (!model_has_latency(table->model))
		return;
	fprintf(out, "\n%-16s%6s%8s%8s%8s%8s%8s%8s%10s\n", "us per creation", "n", "min", "p50",
		"p90", "p99", "max", "first", "quoted");
	for (uint32_t i = 0; i < table->model->n_cases; i++)
		write_latency(table, i);
	write_wrapped(out, export_conditions(line, sizeof(line), table->model, true));
	write_wrapped(out, export_first);
	write_wrapped(out, export_quoted);
}

static void write_ratio(FILE *out, const struct model_comparison *c)
{
	struct stats_interval ratio = export_inverse(&c->ratio);

	if (isnan(ratio.estimate))
		fprintf(out, "%8s", "?");
	else
		fprintf(out, "%8.3f", ratio.estimate);
	if (isnan(ratio.low))
		fprintf(out, "   %-18s", "?");
	else
		fprintf(out, "   %.3f to %-9.3f", ratio.low, ratio.high);
}

static int write_comparison(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	const struct table *table = arg;
	char names[2][SAMPLE_LABEL * 2], pair[SAMPLE_LABEL * 4 + 4];
	struct model_comparison c;
	const char *word = "too few trials";
	int err = model_compare(model, a, b, model_headline(model), &c);

	if (err)
		return err;
	model_case_name(model, a, names[0], sizeof(names[0]));
	model_case_name(model, b, names[1], sizeof(names[1]));
	snprintf(pair, sizeof(pair), "%s / %s", names[0], names[1]);
	if (c.verdict == STATS_NONE)
		word = "neither";
	else if (c.verdict == STATS_APART)
		word = "not measured together";
	else if (c.verdict != STATS_TOO_FEW)
		word = names[c.verdict == STATS_B];
	fprintf(table->out, "%-*s", table->name_width * 2 + 1, pair);
	write_ratio(table->out, &c);
	fprintf(table->out, "%5u   %s\n", c.pairs, word);
	return 0;
}

static int write_comparisons(const struct table *table)
{
	char title[64];

	if (table->model->n_cases < 2)
		return 0;
	snprintf(title, sizeof(title), "%s compared", model_headline_words(table->model));
	fprintf(table->out, "\n%-*s%8s   %-18s%5s   %s\n", table->name_width * 2 + 1, title,
		"ratio", "95 % interval", "pairs", "faster");
	return export_pairs(table->model, write_comparison, (void *)table);
}

static int write_crossover(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	static const enum model_metric metrics[] = {METRIC_ELAPSED, METRIC_CPU, METRIC_PSS};
	char names[2][SAMPLE_LABEL], pair[SAMPLE_LABEL * 2 + 4], text[160];
	FILE *out = arg;
	int err = 0;

	snprintf(pair, sizeof(pair), "%s / %s",
		 export_curve_name(model, a, names[0], sizeof(names[0])), model->cases[b].model);
	fprintf(out, "%-32s", pair);
	for (size_t i = 0; i < 3 && !err; i++) {
		err = export_crossover(model, a, b, metrics[i], text, sizeof(text));
		fprintf(out, i < 2 ? "%-19s" : "%s\n", text);
	}
	return err;
}

/* Where the lead changes over the variable that is swept. */
static int write_crossovers(const struct table *table)
{
	const struct variable *swept = model_swept(&table->model->cases[0]);
	char title[VARIABLE_NAME + 16];

	if (model_has_latency(table->model) || !swept)
		return 0;
	snprintf(title, sizeof(title), "crossover in %s", swept->name);
	fprintf(table->out, "\n%-32s%-19s%-19s%s\n", title, "elapsed", "cpu time", "PSS");
	return model_curves(table->model, write_crossover, table->out);
}

/* What explains the figures, and what to try next. */
static void write_advice(const struct model *model, FILE *out)
{
	const char *text;

	for (size_t i = 0; (text = export_advice(model, &i));) {
		fputc('\n', out);
		write_wrapped(out, text);
	}
}

static int write_warnings(const struct model *model, FILE *out)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	char text[SAMPLE_TEXT + 16];
	int n = model_warnings(model, warnings);

	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "Warning: %s", warnings[i].text);
		fputc('\n', out);
		write_wrapped(out, text);
	}
	return n < 0 ? n : 0;
}

int export_table(const struct model *model, FILE *out)
{
	const struct table table = {model, out, name_width(model)};
	char verdict[SAMPLE_TEXT];
	int err;

	write_head(model, out);
	write_latencies(&table);
	err = write_elapsed(&table);
	if (!err)
		err = write_medians(&table, "medians", metric_costs);
	if (!err)
		err = write_medians(&table, "memory", metric_memory);
	if (!err)
		err = write_scaling(model, out);
	if (!err)
		err = write_levels(&table);
	if (!err)
		err = write_comparisons(&table);
	if (!err)
		err = write_crossovers(&table);
	if (err)
		return err;
	fputc('\n', out);
	write_wrapped(out, model_verdict(model, verdict, sizeof(verdict)));
	write_advice(model, out);
	err = write_warnings(model, out);
	return err ? err : export_finish(out);
}
