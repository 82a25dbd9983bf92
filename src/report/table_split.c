/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/error_line.h"
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

/* Whether the split of all measured runs is known from nowhere. */
static bool all_unknown(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (has_source(model, i, MODEL_SPLIT_RUSAGE) ||
		    has_source(model, i, MODEL_SPLIT_PROC_STAT))
			return false;
	return true;
}

static void say_unknown(const struct model *model, struct sentence *note)
{
	int64_t tick_ns = model_split_tick(model, 0);

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!has_source(model, i, MODEL_SPLIT_NONE))
			continue;
		sentence_add(note,
			     "%sUser and system%s cannot be told: the kernel looks every %g ms, "
			     "and their tasks had less than %d such ticks; cpu time, the sum, is "
			     "exact.",
			     note->used ? " " : "", all_unknown(model) ? "" : " of some runs",
			     (double)tick_ns / 1e6, SAMPLE_SPLIT_TICKS);
		return;
	}
}

void table_note_split(const struct model *model, struct table *table)
{
	char text[1024] = "", list[512] = "";
	struct sentence note = {text, sizeof(text), 0}, names = {list, sizeof(list), 0};

	if (name_cases(model, MODEL_SPLIT_PROC_STAT, &names) > 0)
		sentence_add(&note, "User and system of %s: split by /proc/stat, the sum is exact.",
			     list);
	say_unknown(model, &note);
	if (note.used > 0)
		table_note(table, "%s", text);
}
