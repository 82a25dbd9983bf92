/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clean.h"
#include "report/export_latency.h"
#include "model/model_sweep.h"
#include "model/model_warnings.h"
#include "base/units.h"

/* A hand-out: what ran where, the medians, the comparison, and every trial behind them. */

/* Text in which no character means anything to Markdown. */
static void write_text(FILE *out, const char *text)
{
	char utf8[CLEAN_BYTES];
	uint32_t character;

	while ((character = clean_next(&text)) != 0) {
		if (character < 0x80 && strchr("\\`*_[]<>&|#~", (int)character))
			fputc('\\', out);
		fputs(clean_utf8(character, utf8), out);
	}
}

static int longest_backticks(const char *text)
{
	int longest = 0;

	while ((text = strchr(text, '`')) != NULL) {
		int n = (int)strspn(text, "`");

		longest = n > longest ? n : longest;
		text += n;
	}
	return longest;
}

/* A code span, between two backticks, or more than stand within. */
static void write_code(FILE *out, const char *text)
{
	int within = longest_backticks(text), backticks = within > 1 ? within + 1 : 2;
	char *clean = clean_text(text);

	for (int i = 0; i < backticks; i++)
		fputc('`', out);
	fprintf(out, " %s ", clean ? clean : "?");
	for (int i = 0; i < backticks; i++)
		fputc('`', out);
	free(clean);
}

static void write_name(const struct model *model, uint32_t icase, FILE *out)
{
	char name[SAMPLE_LABEL * 2];

	write_text(out, model_case_name(model, icase, name, sizeof(name)));
}

static void write_session(const struct model_session *session, FILE *out)
{
	time_t at = (time_t)session->wall_s;
	char line[1024], date[32] = "?";
	struct tm tm;

	if (gmtime_r(&at, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &tm);
	write_code(out, session->options);
	fputs("  \n", out);
	write_text(out, export_machine(line, sizeof(line), &session->machine));
	fprintf(out, "  \n%s, tuibench ", date);
	write_text(out, session->version);
	fputc('\n', out);
}

static void write_head(const struct model *model, FILE *out)
{
	char line[256];

	fputs("# ", out);
	write_text(out, model->session.title);
	fputs("\n\n", out);
	if (model->n_origins == 0)
		write_session(&model->session, out);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		fputs(i ? "\n**@" : "**@", out);
		write_text(out, model->origins[i].name);
		fputs("**  \n", out);
		write_session(&model->origins[i].session, out);
	}
	if (export_differences(model, line, sizeof(line)))
		fprintf(out, "\n%s\n", line);
}

static int write_elapsed(const struct model *model, FILE *out)
{
	char a[32], b[64], c[32], d[32];
	struct export_summary s;
	int err;

	fputs(model_has_latency(model) ? "\n## Median until the task runs, of each trial\n\n"
				       : "\n## Elapsed time\n\n",
	      out);
	fputs("| model | median | 95 % interval | fastest | slowest | trials |\n"
	      "|:--|--:|:-:|--:|--:|--:|\n",
	      out);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		err = export_summarize(model, i, model_headline(model), &s);
		if (err)
			return err;
		fputs("| ", out);
		write_name(model, i, out);
		fprintf(out, " | %s | %s | %s | %s | %zu of %zu |\n",
			metric_format(a, sizeof(a), METRIC_ELAPSED, s.median.estimate, false),
			export_format_interval(b, sizeof(b), METRIC_ELAPSED, &s.median, false),
			metric_format(c, sizeof(c), METRIC_ELAPSED, s.least, false),
			metric_format(d, sizeof(d), METRIC_ELAPSED, s.most, false), s.n,
			export_runs_of(model, i));
	}
	return 0;
}

static void write_span(const struct model *model, uint32_t icase, enum model_latency_span span,
		       const struct model_latency_figures *figures, FILE *out)
{
	const int64_t ns[] = {figures->min, figures->p50, figures->p90,
			      figures->p99, figures->max, figures->first};
	char text[32];

	fputs("| ", out);
	write_name(model, icase, out);
	fprintf(out, " | %s | %u", model_latency_words(span), figures->n);
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		fprintf(out, " | %s", export_micros(text, sizeof(text), ns[i]));
	fputs(" | ", out);
	write_text(out, export_quote(&model->cases[icase], span));
	fputs(" |\n", out);
}

/* Of all creations of all trials. */
static void write_latencies(const struct model *model, FILE *out)
{
	char line[512];

	if (!model_has_latency(model))
		return;
	fputs("\n## µs per creation\n\n"
	      "| primitive | time | n | min | p50 | p90 | p99 | max | first | quoted |\n"
	      "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n",
	      out);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_latency *latency = model_latency(model, i);

		for (int span = 0; latency && span < MODEL_LATENCIES; span++)
			write_span(model, i, (enum model_latency_span)span, &latency->span[span],
				   out);
	}
	fprintf(out, "\n%s %s\n\n> %s\n", export_conditions(line, sizeof(line), model, false),
		export_first, export_quoted);
}

static int write_medians(const struct model *model, FILE *out, const char *title,
			 const enum model_metric *columns)
{
	struct export_summary s;
	char text[32];
	int err = 0;

	fprintf(out, "\n## %s\n\n| model |", title);
	for (int j = 0; columns[j] < METRICS; j++)
		fprintf(out, " %s |", metric_table[columns[j]].title);
	fputs("\n|:--|--:|--:|--:|--:|\n", out);
	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		fputs("| ", out);
		write_name(model, i, out);
		for (int j = 0; columns[j] < METRICS && !err; j++) {
			err = export_summarize(model, i, columns[j], &s);
			if (!err)
				fprintf(out, " | %s",
					metric_format(text, sizeof(text), columns[j],
						      s.median.estimate, false));
		}
		fputs(" |\n", out);
	}
	return err;
}

static void write_scaling_row(void *arg, const struct export_scaling_row *row)
{
	FILE *out = arg;

	for (int i = 0; i < EXPORT_SCALING; i++) {
		fputs("| ", out);
		write_text(out, row->cell[i]);
		fputc(' ', out);
	}
	fputs("|\n", out);
}

static int write_scaling(const struct model *model, FILE *out)
{
	if (!export_has_scaling(model))
		return 0;
	fputs("\n## How it scales\n\n", out);
	for (int i = 0; i < EXPORT_SCALING; i++)
		fprintf(out, "| %s ", export_scaling_titles[i]);
	fputs("|\n|:--|:--|--:|--:|--:|--:|--:|\n", out);
	return export_scaling(model, write_scaling_row, out);
}

static void write_level(const struct model *model, uint32_t icase, const char *name,
			const struct model_level *level, FILE *out)
{
	char text[32];

	fputs("| ", out);
	write_name(model, icase, out);
	fprintf(out, " | %s | %s", name, units_format_count(text, sizeof(text), level->tasks));
	for (int i = 0; i < EXPORT_PHASES; i++) {
		const struct model_span *span = &level->phase[export_phases[i]];

		fprintf(out, " | %s",
			metric_format(text, sizeof(text), METRIC_ELAPSED, span->median, false));
		fprintf(out, " | %s",
			metric_format(text, sizeof(text), METRIC_ELAPSED, span->p99, false));
	}
	fputs(" |\n", out);
}

static int write_case_levels(const struct model *model, uint32_t icase, FILE *out)
{
	struct model_levels levels;
	char name[16];
	int err = export_levels(model, icase, &levels);

	if (err)
		return err;
	for (uint32_t i = 0; i < levels.levels && levels.levels > 1; i++) {
		snprintf(name, sizeof(name), "%u", i + 1);
		write_level(model, icase, name, &levels.level[i], out);
	}
	write_level(model, icase, "all", &levels.all, out);
	return 0;
}

/* Medians and 99th percentiles of what a task's life is made of. */
static int write_levels(const struct model *model, FILE *out)
{
	int err = 0;

	if (!export_has_levels(model))
		return 0;
	fputs("\n## Where the time of a task goes\n\n| model | level | tasks |", out);
	for (int i = 0; i < EXPORT_PHASES; i++)
		fprintf(out, " %s | 99 %% |", model_phase_name(export_phases[i]));
	fputs("\n|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", out);
	for (uint32_t i = 0; i < model->n_cases && !err; i++)
		err = write_case_levels(model, i, out);
	return err;
}

static void write_ratio(FILE *out, const struct model_comparison *c)
{
	struct stats_interval ratio = export_inverse(&c->ratio);

	if (isnan(ratio.estimate))
		fputs(" | ?", out);
	else
		fprintf(out, " | %.3f", ratio.estimate);
	if (isnan(ratio.low))
		fputs(" | ?", out);
	else
		fprintf(out, " | %.3f to %.3f", ratio.low, ratio.high);
}

static int write_comparison(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct model_comparison c;
	FILE *out = arg;
	int err = model_compare(model, a, b, model_headline(model), &c);

	if (err)
		return err;
	fputs("| ", out);
	write_name(model, a, out);
	fputs(" / ", out);
	write_name(model, b, out);
	write_ratio(out, &c);
	fprintf(out, " | %u | ", c.pairs);
	if (c.verdict == STATS_A || c.verdict == STATS_B)
		write_name(model, c.verdict == STATS_A ? a : b, out);
	else
		fputs(c.verdict == STATS_NONE	 ? "neither"
		      : c.verdict == STATS_APART ? "not measured together"
						 : "too few trials",
		      out);
	fputs(" |\n", out);
	return 0;
}

static int write_crossover(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	static const enum model_metric metrics[] = {METRIC_ELAPSED, METRIC_CPU, METRIC_PSS};
	char name[SAMPLE_LABEL], text[160];
	FILE *out = arg;
	int err = 0;

	fputs("| ", out);
	write_text(out, export_curve_name(model, a, name, sizeof(name)));
	fputs(" / ", out);
	write_text(out, model->cases[b].model);
	for (size_t i = 0; i < 3 && !err; i++) {
		err = export_crossover(model, a, b, metrics[i], text, sizeof(text));
		fprintf(out, " | %s", text);
	}
	fputs(" |\n", out);
	return err;
}

static int write_crossovers(const struct model *model, FILE *out)
{
	const struct variable *swept = model_swept(&model->cases[0]);

	if (model_has_latency(model) || !swept)
		return 0;
	fprintf(out,
		"\n## Where the curves cross\n\nBetween the last value of %s at which one really "
		"leads and the first at which the other does.\n\n"
		"| compared | elapsed | cpu time | PSS |\n|:--|:-:|:-:|:-:|\n",
		swept->name);
	return model_curves(model, write_crossover, out);
}

/* What explains the figures, and what to try next. */
static void write_advice(const struct model *model, FILE *out)
{
	const char *text;

	for (size_t i = 0; (text = export_advice(model, &i));) {
		fputc('\n', out);
		write_text(out, text);
		fputc('\n', out);
	}
}

static int write_warnings(const struct model *model, FILE *out)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	int n = model_warnings(model, warnings);

	for (int i = 0; i < n; i++) {
		fputs("\n> **Warning:** ", out);
		write_text(out, warnings[i].text);
		fputc('\n', out);
	}
	return n < 0 ? n : 0;
}

static int write_comparisons(const struct model *model, FILE *out)
{
	int err;
	char verdict[SAMPLE_TEXT];

	fputs("\n## Which is faster\n\n**", out);
	write_text(out, model_verdict(model, verdict, sizeof(verdict)));
	fputs("**\n", out);
	write_advice(model, out);
	err = write_warnings(model, out);
	if (err || model->n_cases < 2)
		return err;
	fputs("\n| compared | ratio | 95 % interval | pairs | faster |\n"
	      "|:--|--:|:-:|--:|:--|\n",
	      out);
	err = export_pairs(model, write_comparison, out);
	return err ? err : write_crossovers(model, out);
}

static void write_run(const struct model *model, const struct model_run *run, FILE *out)
{
	static const enum model_metric metrics[] = {METRIC_ELAPSED, METRIC_CREATE, METRIC_CPU,
						    METRIC_PSS};
	char text[32];

	fprintf(out, "| %u | ", run->id.trial);
	write_name(model, run->id.icase, out);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		fprintf(out, " | %s",
			metric_format(text, sizeof(text), metrics[i], metric_value(run, metrics[i]),
				      false));
	fprintf(out, " | %s |\n", export_status(run));
}

static void write_runs(const struct model *model, FILE *out)
{
	fputs("\n## Every trial\n\n"
	      "| trial | model | elapsed | created in | cpu time | PSS | status |\n"
	      "|--:|:--|--:|--:|--:|--:|:--|\n",
	      out);
	for (size_t i = 0; i < model->n_runs; i++) {
		if (export_counts(model, &model->runs[i]))
			write_run(model, &model->runs[i], out);
	}
}

int export_markdown(const struct model *model, FILE *out)
{
	int err;

	write_head(model, out);
	err = write_comparisons(model, out);
	if (!err)
		write_latencies(model, out);
	if (!err)
		err = write_scaling(model, out);
	if (!err)
		err = write_elapsed(model, out);
	if (!err)
		err = write_medians(model, out, "What it took", metric_costs);
	if (!err)
		err = write_medians(model, out, "Memory at its peak", metric_memory);
	if (!err)
		err = write_levels(model, out);
	if (err)
		return err;
	write_runs(model, out);
	return export_finish(out);
}
