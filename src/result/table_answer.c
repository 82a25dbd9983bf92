/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <sys/param.h>

#include "model/model.h"
#include "base/error_line.h"
#include "base/utf8.h"
#include "result/report.h"
#include "result/finding.h"
#include "result/answer.h"
#include "table_add.h"

/* The table of the answer: a row for each case, and for each headline metric its median and how it
 * compares with the row of reference. */

static void add_state(struct table *table, const struct answer_cell *cell)
{
	struct table_cell *added;

	switch (cell->state) {
	case ANSWER_REAL:
		if (isnan(cell->ratio.estimate)) {
			table_add_words(table, "real")->emphasis = TABLE_STRONG;
			return;
		}
		added = table_add_words(table, "%sx", CLAIM_TIMES(cell->ratio.estimate));
		added->emphasis = TABLE_STRONG;
		return;
	case ANSWER_SAME:
		table_add_words(table, "same");
		return;
	case ANSWER_CLOSE:
		table_add_words(table, "close");
		return;
	case ANSWER_MEASURING:
	case ANSWER_WITHHELD:
		table_add_words(table, isnan(cell->median) ? "%s" : "?%s", "");
		return;
	case ANSWER_NONE:
		table_add_words(table, "%s", "");
		return;
	}
}

static void note_answer(const struct model *model, struct table *table, const struct answer *answer)
{
	bool same = false, few = false, estimated = false, pairs = false, tree = false;
	bool counted = false, create = false;
	const char *partial = NULL;
	char close[256] = "";
	struct sentence s = {close, sizeof(close), 0};

	for (uint32_t row = 0; row < answer->n_rows; row++)
		for (uint32_t i = 0; i < answer->n_metrics; i++) {
			const struct answer_cell *cell = &answer->rows[row].cells[i];

			double reference =
				answer->rows[answer->rows[row].reference].cells[i].median;

			same |= cell->state == ANSWER_SAME;
			pairs |= cell->state == ANSWER_REAL && !isnan(cell->ratio.estimate) &&
				 !answer_medians_agree(reference, cell->median,
						       cell->ratio.estimate);
			estimated |= cell->estimated && !isnan(cell->median);
			if (answer->metrics[i] == METRIC_TASKS_CREATED && isnan(cell->median) &&
			    cell->state == ANSWER_WITHHELD)
				partial = cell->why;
			counted |= cell->state == ANSWER_CLOSE &&
				   cell->counted.high > cell->ratio.high;
			few |= cell->state == ANSWER_MEASURING || cell->least > 0;
		}
	for (uint32_t i = 0; i < answer->n_metrics; i++)
		create |= answer->metrics[i] == METRIC_CREATE;
	for (uint32_t i = 0; i < model->n_cases; i++)
		tree |= model->cases[i].plan.levels > 1;
	if (create)
		table_note(table, "creation: from the first create call to the last%s.",
			   tree ? " of all branches" : "");
	if (same)
		table_note(table, "same: less than %.0f %% apart.", 100 * (MODEL_MARGIN - 1));
	if (pairs)
		table_note(table, "x: pair by pair, so not as the medians.");
	if (estimated)
		table_note(table, "~: an estimate.");
	if (few)
		table_note(table, "?: more trials are needed.");
	if (partial)
		table_note(table, "?: tasks are not counted, %s.", partial);
	for (uint32_t i = 0; i < answer->n_metrics; i++) {
		double bound = NAN;

		/* The greatest ratio above which the two are not, where nothing is decided. */
		for (uint32_t row = 0; row < answer->n_rows; row++) {
			const struct answer_cell *cell = &answer->rows[row].cells[i];

			if (cell->state == ANSWER_CLOSE && !isnan(cell->ratio.low))
				bound = fmax(bound, finding_excluded(&cell->counted));
		}
		if (isnan(bound))
			continue;
		sentence_add(&s, "%s %s %s", s.used ? "," : "close: too close to call,",
			     answer_title(answer->metrics[i]), CLAIM_APART(bound));
	}
	if (s.used)
		table_note(table, "%s.", close);
	if (counted)
		table_note(table, "The kernel counts a process's memory in batches of pages.");
}

void table_answer(const struct model *model, struct table *table)
{
	struct answer answer;
	uint32_t unknown = 0, most;
	bool cold = false;
	int err = answer_read(&answer, model), names = 0;

	for (uint32_t id = 0; id < model->n_cases; id++)
		names = MAX(names, utf8_columns(MODEL_CASE_NAME(model, id)));
	/*
	 * As many as fit 80 columns beside the names: a value and a ratio take about 17. A few long
	 * names have their own lines instead.
	 */
	most = (uint32_t)(80 - (names < 63 ? names : 63)) / 17;
	most = answer.n_rows <= 4 ? MAX(most, 4) : most;
	answer.n_metrics = MIN(answer.n_metrics, most);
	table->columns = table->own;
	table->own[table->n_columns++] = (struct table_column) {.title = ""};
	for (uint32_t i = 0; i < answer.n_metrics; i++) {
		table->own[table->n_columns++] =
			(struct table_column) {.title = answer_title(answer.metrics[i]),
					       .align = TABLE_RIGHT,
					       .kind = TABLE_METRIC,
					       .metric = answer.metrics[i]};
		table->own[table->n_columns++] = (struct table_column) {.title = ""};
	}
	for (uint32_t at = 0; at < answer.n_rows && !err; at++) {
		uint32_t row = answer.order[at];
		bool known = false;

		for (uint32_t i = 0; i < answer.n_metrics; i++)
			known |= !isnan(answer.rows[row].cells[i].median);
		if (!known) {
			unknown += model_over(model);
			continue;
		}
		table_add_case(table, model, answer.rows[row].case_id);
		for (uint32_t i = 0; i < answer.n_metrics; i++) {
			const struct answer_cell *from = &answer.rows[row].cells[i];
			struct table_cell *cell = table_add_value(table, from->median);

			cell->estimated = from->estimated;
			cell->at_start = from->seen == SEEN_START;
			/* Where rows are in order of time, it is not the first one. */
			if (at > 0 && model_has_latency(model) &&
			    answer.rows[row].reference == row && !isnan(from->median))
				table_add_words(table, "1x");
			else
				add_state(table, from);
		}
		cold |= model->cases[answer.rows[row].case_id].plan.primitive == PLAN_PTHREAD_COLD;
	}
	if (cold)
		table_note(table, "cold: on a stack that was never used before.");
	if (unknown > 0 && model_has_latency(model))
		table_note(table, "Not compared: %u cases not held on one core.", unknown);
	else if (unknown > 0)
		table_note(table, "%u case%s not have this figure.", unknown,
			   unknown == 1 ? " does" : "s do");
	if (!err)
		note_answer(model, table, &answer);
	table_fail(table, err);
	answer_free(&answer);
}
