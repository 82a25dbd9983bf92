/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/comparison.h"
#include "base/error_line.h"
#include "result/latency.h"
#include "result/report.h"
#include "table_add.h"

/* How long creating one task takes, of all creations of all trials. */

static const char first_is[] =
	"First is the first creation of a run, the median of all runs; it is not in the other "
	"figures.";

static const char placed_is[] =
	"On one core all tasks are pinned to it: the cost of the call itself. Else the scheduler "
	"chose where each began, on its creator's core or another; the figures of both are apart.";

static const char quoted_is[] =
	"Quoted are the figures of one laptop at 1.3 to 3.9 GHz (M. Sysel, A Comparison of "
	"Processes and Threads Creation, 2020), ranges over its frequencies; nothing that is "
	"expected here.";

static const char clocks_are[] =
	"MHz is the range of the cores at work during these runs, read about once a second "
	"where the kernel shows it (cpufreq).";

/* The primitive with its ballast, and where it begins. */
static void add_names(const struct model *model, const struct latency_row *row, struct table *table)
{
	char ballast[48], where[64];

	latency_ballast(model, row->case_id, ballast, sizeof(ballast));
	table_add_words(table, "%s%s%s", model->cases[row->case_id].model, *ballast ? ", " : "",
			ballast)
		->case_id = (int32_t)row->case_id;
	table_add_words(table, "%s", latency_where(model, row, false, where, sizeof(where)));
}

/* The frequency of the cores in all counted runs of a case: "3400", "1200 to 3400", "?". */
static void add_clocks(const struct model *model, uint32_t case_id, struct table *table)
{
	int16_t range[2] = {0, 0};

	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.case_id == case_id && report_counts(model, &model->runs[i]))
			latency_clocks(model, &model->runs[i], range);
	if (range[1] == 0)
		table_add_words(table, "?");
	else if (range[0] == range[1])
		table_add_words(table, "%d", range[0]);
	else
		table_add_words(table, "%d to %d", range[0], range[1]);
}

static void add_span(const struct model *model, const struct latency_row *row,
		     enum model_latency_span span, const struct model_latency_figures *f,
		     struct table *table)
{
	add_names(model, row, table);
	table_add_words(table, "%s", metric_table[METRIC_CALLER + span].title);
	table_add_value(table, f->n);
	table_add_times(table, (const int64_t[]) {f->min, f->p50, f->p90, f->p99, f->max, f->first},
			6);
	add_clocks(model, row->case_id, table);
	table_add_words(table, "%s", latency_quote(&model->cases[row->case_id], span));
}

static void add_missing(const struct model *model, const struct latency_row *row,
			struct table *table)
{
	add_names(model, row, table);
	table_add_words(table, latency_at(model, row) ? "none began there" : "not measured");
	for (size_t i = 3; i + 1 < table->n_columns; i++)
		table_add_value(table, NAN);
	table_add_words(table, "%s", "");
}

static void note(const struct model *model, struct table *table)
{
	const struct machine *machine = &model->session.machine;
	char frequency[256] = "", text[32];
	struct sentence s = {frequency, sizeof(frequency), 0};
	bool mixed = false;

	for (uint32_t i = 0; i < model->n_cases; i++)
		mixed |= comparison_mixed(&model->cases[i]);
	if (machine->mhz < 0)
		sentence_add(&s, "CPU frequency ?: this machine shows none");
	else
		sentence_add(&s, "CPU at %" PRId64 " MHz%s", (int64_t)machine->mhz,
			     strcmp(machine->frequency_source, "cpufreq") == 0 ? ""
			     : strcmp(machine->frequency_source, "measured") == 0
				     ? " as measured, changes unseen"
				     : " as /proc/cpuinfo says, changes unseen");
	if (*machine->governor)
		sentence_add(&s, ", governor %s", machine->governor);
	table_note(table,
		   "%s. Reading the clock takes %s, which is a part of every figure. "
		   "Ballast is touched in pages of 4 KiB. %s %s%s%s %s",
		   frequency, latency_format(text, sizeof(text), latency_clock(model, 0)),
		   clocks_are, first_is, mixed ? " " : "", mixed ? placed_is : "", quoted_is);
}

void table_latency(const struct model *model, struct table *table)
{
	enum model_latency_place places[2];

	if (!model_has_latency(model))
		return;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t n = latency_places(&model->cases[i], places);
		/* The clock is no task: nothing of it runs or is joined. */
		int spans = model->cases[i].plan.primitive == PLAN_CALL ? 1 : MODEL_LATENCIES;

		for (uint32_t j = 0; j < n; j++) {
			struct latency_row row = {i, places[j]};
			const struct model_latency_at *at = latency_at(model, &row);
			size_t before = table->n_cells;

			for (int span = 0; at && span < spans; span++)
				if (at->span[span].n > 0)
					add_span(model, &row, (enum model_latency_span)span,
						 &at->span[span], table);
			if (table->n_cells == before)
				add_missing(model, &row, table);
		}
	}
	note(model, table);
}
