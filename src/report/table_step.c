/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "core/step.h"
#include "model/model_step.h"
#include "table_add.h"

/* The table of workers that do one operation many times. */

static const char touch_note[] =
	"Of the writes alone, by each worker's own time on a core. Page faults by getrusage(2), "
	"copied by the growth of Private_Dirty in smaps: an operation of a process faults where "
	"its "
	"creator's page is still shared, and the kernel copies the page. Since Linux 5.8 a write "
	"to "
	"a huge page copies 4 KiB of it as well: what huge pages save is in the fork.";

/* What is told of each kind, ended by METRICS. */
static const enum model_metric touched[] = {METRIC_STEPS, METRIC_STEP_FAULTS, METRIC_COPIED,
					    METRIC_STEP, METRICS};

static const enum model_metric shared[] = {METRIC_STEPS, METRIC_LOST, METRIC_TOGETHER,
					   METRIC_STEP,	 METRIC_RATE, METRIC_FAIRNESS,
					   METRICS};
static const enum model_metric none[] = {METRICS};

static const enum model_metric *metrics_of(enum work_kind kind)
{
	return kind == WORK_TOUCH ? touched : kind == WORK_SHARE ? shared : NULL;
}

static void add_columns(struct table *table, const enum model_metric *metrics)
{
	table->own[0] = (struct table_column) {"model"};
	table->n_columns = 1;
	for (; *metrics < METRICS; metrics++)
		table->own[table->n_columns++] = (struct table_column) {
			.align = TABLE_RIGHT, .kind = TABLE_METRIC, .metric = *metrics};
	table->columns = table->own;
}

static void note_sharing(struct table *table)
{
	table_note(table,
		   "All workers take from one number until it is used up, or each has its part "
		   "where counters are their own, or where nothing guards the one (plain): the sum "
		   "is checked. Lost: increments done less those found in the counter. Together: "
		   "the share of the "
		   "time in which all of them, or as many as there are cores, were at it at once, "
		   "by their lanes: on cores, or asleep for the mutex while another was on one; "
		   "below %d %% what was measured is withheld (?), as what is done alone costs a "
		   "fraction (together is of all trials, the rest of those that are not withheld). "
		   "Fairness is Jain's index of their rates: 100 %% where all count as "
		   "fast as another.",
		   (int)(100 * MODEL_TOGETHER_LEAST));
}

void table_steps(const struct model *model, struct table *table)
{
	enum work_kind kind = model_step(model);
	const enum model_metric *metrics = kind < WORK_KINDS ? metrics_of(kind) : NULL;

	add_columns(table, metrics ? metrics : none);
	if (!metrics)
		return;
	snprintf(table->title, sizeof(table->title), "every %s", step_name(kind));
	for (uint32_t i = 0; i < model->n_cases; i++) {
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (kind == WORK_SHARE)
		note_sharing(table);
	if (kind == WORK_TOUCH)
		table_note(table, "%s", touch_note);
}
