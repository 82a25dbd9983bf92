/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_line.h"
#include "result/report.h"
#include "table_add.h"

/* Models named at most; a sweep has many. */
#define NAMED 4

/* Whether the user and system time of any run of the case comes from there. */
static bool has_source(const struct model *model, uint32_t case_id, enum model_split_source source)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && model_measured(model, run) &&
		    run->split.source == source)
			return true;
	}
	return false;
}

/* "fork, vfork and 3 more"; how many in all. */
static unsigned name_cases(const struct model *model, enum model_split_source source,
			   struct sentence *names)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!has_source(model, i, source))
			continue;
		if (n < NAMED)
			sentence_add(names, "%s%s", n ? ", " : "", MODEL_CASE_NAME(model, i));
		n++;
	}
	if (n > NAMED)
		sentence_add(names, " and %u more", n - NAMED);
	return n;
}

void table_note_split(const struct model *model, struct table *table)
{
	char text[1024] = "", list[512] = "";
	struct sentence note = {text, sizeof(text), 0}, names = {list, sizeof(list), 0};
	bool unknown = false, known = false;

	if (name_cases(model, MODEL_SPLIT_PROC_STAT, &names) > 0)
		sentence_add(&note, "User and system of %s: split by /proc/stat, the sum is exact.",
			     list);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		unknown |= has_source(model, i, MODEL_SPLIT_NONE);
		known |= has_source(model, i, MODEL_SPLIT_RUSAGE) ||
			 has_source(model, i, MODEL_SPLIT_PROC_STAT);
	}
	if (unknown)
		sentence_add(&note,
			     "%sUser and system%s are not known: the kernel looks every %g ms, and "
			     "their tasks had fewer than %d such ticks. The CPU time, their sum, "
			     "is exact.",
			     note.used ? " " : "", known ? " of some runs" : "",
			     (double)model_split_tick(model, 0) / 1e6, SAMPLE_SPLIT_TICKS);
	if (note.used > 0)
		table_note(table, "%s", text);
}

/* The table of what the kernel and the processor counted: of what no case has, the reason. */

static const enum model_metric counted[] = {
	METRIC_MIGRATIONS,   METRIC_MINFLT,    METRIC_MAJFLT,	    METRIC_CYCLES,
	METRIC_INSTRUCTIONS, METRIC_PER_CYCLE, METRIC_CACHE_MISSES, METRIC_TLB_MISSES,
};

enum { COUNTED = sizeof(counted) / sizeof(counted[0]) };

static bool is_counting(const struct sample_session *session)
{
	return strcmp(session->counters, "user") == 0 || strcmp(session->counters, "software") == 0;
}

/* Why no case has it, in words. */
static const char *reason_of(const struct sample_session *session, enum model_metric metric)
{
	if (*session->counters == '\0')
		return "not in recordings of earlier versions";
	if (metric != METRIC_MIGRATIONS && is_counting(session))
		return "others had the counters, or this processor has none of them";
	if (metric != METRIC_MIGRATIONS)
		return session->counters;
	if (strcmp(session->sched, "off") == 0)
		return "-s sched=off";
	return "read of loops that take 3 ms, or by -s sched=perf";
}

/* "Not known: migrations (-s sched=off); cycles, instructions (this machine ...)." */
static void note_unknown(const struct model *model, const bool *known, struct table *table)
{
	char text[SAMPLE_TEXT] = "";
	struct sentence note = {text, sizeof(text), 0};
	const char *before = NULL;

	for (int i = 0; i < COUNTED; i++) {
		const char *reason = reason_of(&model->session, counted[i]);

		if (known[i])
			continue;
		if (before && before != reason)
			sentence_add(&note, " (%s); ", before);
		else if (before)
			sentence_add(&note, ", ");
		sentence_add(&note, "%s", metric_table[counted[i]].title);
		before = reason;
	}
	if (before)
		table_note(table, "Not known: %s (%s).", text, before);
}

/* Faults are of all that the model took, its creators too; the others of those that work. */
void table_counters(const struct model *model, struct table *table)
{
	bool known[COUNTED], any = false, events = false;

	table_begin_columns(table, "model");
	for (int i = 0; i < COUNTED; i++) {
		known[i] = false;
		for (size_t k = 0; k < model->n_runs; k++)
			known[i] |= report_counts(model, &model->runs[k]) &&
				    !isnan(metric_result(&model->runs[k], counted[i]));
		any |= known[i];
		events |= known[i] && metric_is(counted[i], METRIC_OF_COUNTERS);
		if (known[i])
			table_add_column(table, NULL, counted[i]);
	}
	for (uint32_t i = 0; i < model->n_cases && any; i++) {
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (events)
		table_note(table, "The processor counted the workers' work, without the kernel.");
	if (any)
		note_unknown(model, known, table);
	/* "laptop: kernel.perf_event_paranoid is 4, ..." of each recording that has none. */
	for (uint32_t i = 0; i < model->n_origins && any; i++) {
		const struct model_origin *origin = &model->origins[i];

		if (!is_counting(&origin->session))
			table_note(table, "%s: %s.", origin->name,
				   reason_of(&origin->session, METRIC_CYCLES));
	}
}
