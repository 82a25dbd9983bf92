/* SPDX-License-Identifier: MIT */
#include "result/answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/model_fault.h"

/* After the session's headline metric; those that no run has are left out. */
static const enum model_metric usual[] = {METRIC_CPU, METRIC_MEMORY, METRIC_CREATE};
static const enum model_metric of_creation[] = {METRIC_CALLER, METRIC_JOINED, METRIC_MEMORY};
static const enum model_metric of_faults[] = {METRIC_SURVIVED, METRIC_TOLD, METRIC_WRONG};
static const enum model_metric of_messages[] = {METRIC_MESSAGE_RATE, METRIC_CPU, METRIC_MEMORY};
static const enum model_metric of_tasks[] = {METRIC_PER_SECOND, METRIC_TASK_CREATE, METRIC_MEMORY};

static double median_of(const struct model *model, uint32_t case_id, enum model_metric metric,
			double *room)
{
	return stats_select(room, model_trials(model, case_id, metric, room, NULL, model->n_runs),
			    0.5);
}

static void add_metrics(struct answer *answer, const struct model *model,
			const enum model_metric *metrics, size_t n, double *room)
{
	for (size_t i = 0; i < n && answer->n_metrics < ANSWER_METRICS; i++) {
		bool known = false;

		for (uint32_t id = 0; id < model->n_cases && !known; id++)
			known = !isnan(median_of(model, id, metrics[i], room));
		if (known)
			answer->metrics[answer->n_metrics++] = metrics[i];
	}
}

static void choose_metrics(struct answer *answer, const struct model *model, double *room)
{
	enum model_metric headline = model_headline(model);

#define ADD(list) add_metrics(answer, model, list, sizeof(list) / sizeof((list)[0]), room)
	if (model_has_faults(model)) {
		ADD(of_faults);
		return;
	}
	answer->metrics[answer->n_metrics++] = headline;
	if (headline == METRIC_TASK)
		ADD(of_creation);
	else if (metric_applies(model, METRIC_MESSAGE_RATE))
		ADD(of_messages);
	else if (metric_applies(model, METRIC_PER_SECOND))
		ADD(of_tasks);
	else
		ADD(usual);
#undef ADD
}

static bool goes_on(const struct model *model, const struct model_comparison *c)
{
	return !model_over(model) && !c->ended;
}

static enum answer_state judge(const struct model *model, const struct model_comparison *c)
{
	if (c->verdict == STATS_UNPAIRED)
		return ANSWER_WITHHELD;
	if (c->verdict == STATS_A || c->verdict == STATS_B)
		return ANSWER_REAL;
	if (c->ratio.low > 1 / MODEL_MARGIN && c->ratio.high < MODEL_MARGIN)
		return ANSWER_SAME;
	if (goes_on(model, c))
		return ANSWER_MEASURING;
	return c->pairs > 0 && !c->no_ratio ? ANSWER_CLOSE : ANSWER_WITHHELD;
}

static const char *reason(const struct model_comparison *c)
{
	if (c->verdict == STATS_UNPAIRED)
		return "not measured together";
	return c->no_ratio ? "a value is 0" : "no pair of trials has both";
}

bool answer_is_estimated(const struct model *model, uint32_t case_id, enum model_metric metric,
			 int *seen)
{
	bool estimated = false;

	*seen = -1;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int how = metric_seen(&run->totals.memory, metric);

		if (run->id.case_id != case_id || run->id.trial == 0 || !model_ended(model, run) ||
		    model_is_replaced(model, run))
			continue;
		estimated |= metric_is_estimated(&run->totals.memory, metric);
		if (how >= 0 && (*seen < 0 || how < *seen))
			*seen = how;
	}
	return estimated;
}

static int read_cell(const struct model *model, const struct answer_row *row,
		     enum model_metric metric, double *room, struct answer_cell *cell)
{
	struct model_comparison c;
	int err;

	*cell = (struct answer_cell) {.median = median_of(model, row->case_id, metric, room),
				      .ratio = {NAN, NAN, NAN}};
	cell->estimated = answer_is_estimated(model, row->case_id, metric, &cell->seen);
	if (row->reference == row->case_id) {
		cell->state =
			isnan(cell->median) && model_over(model) ? ANSWER_WITHHELD : ANSWER_NONE;
		cell->why = "not known";
		return 0;
	}
	err = model_compare(model, row->reference, row->case_id, metric, &c);
	if (err)
		return err;
	cell->state = judge(model, &c);
	cell->ratio = c.ratio;
	cell->pairs = c.pairs;
	cell->planned = c.planned;
	cell->why = reason(&c);
	return 0;
}

/* The first case before it that it compares with: mostly the session's first model. */
static uint32_t find_reference(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < case_id; i++)
		if (model_compares(model, i, case_id))
			return i;
	return case_id;
}

int answer_read(struct answer *answer, const struct model *model)
{
	double *room = calloc(model->n_runs + 1, sizeof(*room));
	int err = 0;

	*answer = (struct answer) {0};
	answer->rows = calloc(model->n_cases + 1, sizeof(*answer->rows));
	if (!room || !answer->rows)
		err = -ENOMEM;
	else if (model->has_session)
		choose_metrics(answer, model, room);
	while (!err && answer->n_metrics > 0 && answer->n_rows < model->n_cases) {
		struct answer_row *row = &answer->rows[answer->n_rows];

		row->case_id = answer->n_rows++;
		row->reference = find_reference(model, row->case_id);
		for (uint32_t i = 0; i < answer->n_metrics && !err; i++)
			err = read_cell(model, row, answer->metrics[i], room, &row->cells[i]);
	}
	free(room);
	return err;
}

void answer_free(struct answer *answer)
{
	free(answer->rows);
	*answer = (struct answer) {0};
}

bool answer_is_decided(const struct answer *answer)
{
	bool compared = false;

	for (uint32_t row = 0; row < answer->n_rows; row++)
		for (uint32_t i = 0; i < answer->n_metrics; i++) {
			enum answer_state state = answer->rows[row].cells[i].state;

			if (state == ANSWER_MEASURING)
				return false;
			compared |= state == ANSWER_REAL || state == ANSWER_SAME;
		}
	return compared;
}

const char *answer_state_name(enum answer_state state)
{
	static const char *const names[] = {
		[ANSWER_NONE] = "reference", [ANSWER_MEASURING] = "measuring",
		[ANSWER_REAL] = "real",	     [ANSWER_SAME] = "same",
		[ANSWER_CLOSE] = "close",    [ANSWER_WITHHELD] = "withheld",
	};

	return names[state];
}
