/* SPDX-License-Identifier: MIT */
#include "result/answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "core/comparison.h"
#include "model/model.h"
#include "result/report.h"

/* The probability that, by chance, all of n values are on one side of all of m values. */
static double chance(uint32_t n, uint32_t m)
{
	return 2 * exp(lgamma(n + 1.0) + lgamma(m + 1.0) - lgamma(n + m + 1.0));
}

/*
 * Compares survivors by counting. The difference is significant if every trial of one case had more
 * than every trial of the other, and if there are enough trials that this is hardly chance.
 */
static int read_survivors(const struct model *model, const struct answer_row *row,
			  struct answer_cell *cell)
{
	const uint32_t pairs = model->n_cases * (model->n_cases - 1) / 2;
	struct model_fault a, b;
	int err = model_fault_read(model, row->reference, &a);

	if (!err)
		err = model_fault_read(model, row->case_id, &b);
	if (err)
		return err;
	cell->pairs = MIN(a.trials, b.trials);
	cell->why = REASON_NO_FAULT;
	if (cell->pairs < model->session.trials && !model_over(model))
		cell->state = ANSWER_MEASURING;
	else if (cell->pairs == 0)
		cell->state = ANSWER_WITHHELD;
	else if (a.most >= b.least && b.most >= a.least) {
		if (a.least == b.least && a.most == b.most)
			cell->state = ANSWER_SAME;
		else
			cell->state = ANSWER_CLOSE;
	} else if (pairs * chance(a.trials, b.trials) <= 0.05) {
		cell->state = ANSWER_REAL;
	} else {
		/* The values do not overlap, but with so few trials that may be chance. */
		cell->state = ANSWER_WITHHELD;
		cell->why = REASON_FEW_TRIALS;
		cell->least = cell->pairs + 1;
		while (pairs * chance(cell->least, cell->least) > 0.05)
			cell->least++;
	}
	cell->planned = model->session.trials;
	return 0;
}

bool answer_is_estimated(const struct model *model, uint32_t case_id, enum model_metric metric,
			 int *seen)
{
	const struct model_value *value;
	bool estimated = false;
	struct model_values values;

	*seen = model_seen(model, case_id, metric);
	if (metric_table[metric].guess == 0)
		return false;
	values = model_values(model, case_id, metric);
	while (!estimated && (value = model_values_next(&values)))
		estimated = value->estimated;
	return estimated;
}

/*
 * Whether all trials of both cases counted the same number. Such a count has no noise and needs no
 * more trials.
 */
static bool all_equal(const struct model *model, const struct model_comparison *c, double *room)
{
	const uint32_t cases[2] = {c->a, c->b};
	double first = NAN;
	bool equal = true;

	if (c->pairs == 0)
		return false;
	for (int i = 0; i < 2; i++) {
		size_t n = model_trials(model, cases[i], c->metric, room, NULL, model->n_runs);

		for (size_t k = 0; k < n; k++) {
			if (isnan(first))
				first = room[k];
			equal &= room[k] == first;
		}
	}
	return equal;
}

/*
 * Fills in a cell: the median of the row's case and, unless the row is its own reference, how the
 * case compares with the reference.
 */
static int read_cell(const struct model *model, const struct answer_row *row,
		     enum model_metric metric, double *room, struct answer_cell *cell)
{
	struct model_comparison c;
	int err;

	*cell = (struct answer_cell) {.median =
					      model_median(model, row->case_id, metric, room, NULL),
				      .ratio = {NAN, NAN, NAN},
				      .sampled = {NAN, NAN, NAN}};
	cell->estimated = answer_is_estimated(model, row->case_id, metric, &cell->seen);
	if (row->reference == row->case_id) {
		if (isnan(cell->median) && model_over(model))
			cell->state = ANSWER_WITHHELD;
		else
			cell->state = ANSWER_NONE;
		cell->why = report_missed(model, row->case_id, metric);
		return 0;
	}
	if (model_has_faults(model)) {
		if (metric == METRIC_SURVIVED)
			return read_survivors(model, row, cell);
		if (metric == METRIC_NOTICED && isnan(cell->median))
			cell->why = report_missed(model, row->case_id, metric);
		return 0;
	}
	err = model_compare(model, row->reference, row->case_id, metric, &c);
	if (err)
		return err;
	if (c.verdict == STATS_A || c.verdict == STATS_B)
		cell->state = ANSWER_REAL;
	else if (c.verdict != STATS_UNPAIRED && c.ratio.low > 1 / MODEL_MARGIN &&
		 c.ratio.high < MODEL_MARGIN)
		cell->state = ANSWER_SAME;
	else if (c.left)
		cell->state = ANSWER_WITHHELD;
	else if (c.verdict != STATS_UNPAIRED && !model_over(model) && !c.ended)
		cell->state = ANSWER_MEASURING;
	else if (c.verdict == STATS_UNPAIRED || isnan(c.ratio.low))
		cell->state = ANSWER_WITHHELD;
	else
		cell->state = ANSWER_CLOSE;
	cell->ratio = c.ratio;
	cell->sampled = c.sampled;
	cell->pairs = c.pairs;
	cell->planned = c.planned;
	cell->why = report_reason(model, &c);
	if (metric == METRIC_TASKS_CREATED && model_over(model) && !c.left &&
	    all_equal(model, &c, room))
		cell->state = ANSWER_SAME;
	if (cell->state == ANSWER_WITHHELD && c.pairs > 0 && !c.no_ratio)
		cell->least = c.least;
	if (cell->why == REASON_FAILED_PAIRS)
		cell->failed =
			report_failed_pairs(model, row->reference, row->case_id, &cell->trials);
	return 0;
}

/*
 * The case that the row is compared with: the first model at the same value of each setting; if
 * that is the row itself, the same model at the first value. Ways of creation are compared with
 * pthread_create, if the session has it. After a crash, a row that has no such case is compared
 * with the first case.
 */
static uint32_t find_reference(const struct model *model, uint32_t case_id)
{
	uint32_t found = case_id;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		bool alike = comparison_alike(config, &model->cases[case_id]);

		if (alike && config->plan.primitive == PLAN_PTHREAD &&
		    (i == case_id || model_compares(model, i, case_id)))
			return i;
	}
	for (uint32_t i = 0; i < case_id; i++) {
		if (!model_compares(model, i, case_id))
			continue;
		if (comparison_alike(&model->cases[i], &model->cases[case_id]))
			return i;
		if (found == case_id)
			found = i;
	}
	if (model_has_faults(model))
		return 0;
	return found;
}

bool answer_compares_models(const struct model *model, const struct answer_row *row)
{
	return row->reference != row->case_id &&
	       comparison_alike(&model->cases[row->reference], &model->cases[row->case_id]);
}

/* The case that was smaller in every trial; UINT32_MAX if there is none, or too few trials. */
static uint32_t ahead_in_trials(const struct model *model, const struct answer_row *row,
				enum model_metric metric)
{
	struct model_comparison comparison;
	double *ratios = NULL;
	size_t n = 0, above = 0, below = 0;

	if (model_compare(model, row->reference, row->case_id, metric, &comparison) ||
	    model_ratios(model, &comparison, &ratios, &n))
		return UINT32_MAX;
	for (size_t i = 0; i < n; i++) {
		above += ratios[i] > 1;
		below += ratios[i] < 1;
	}
	free(ratios);
	if (n < ANSWER_AHEAD_LEAST)
		return UINT32_MAX;
	if (above == n)
		return row->case_id;
	if (below == n)
		return row->reference;
	return UINT32_MAX;
}

uint32_t answer_ahead(const struct answer *answer, const struct model *model,
		      const struct answer_row *row)
{
	const struct answer_cell *cell = &row->cells[0];

	if (cell->state == ANSWER_REAL && cell->ratio.estimate < 1)
		return row->case_id;
	if (cell->state == ANSWER_REAL)
		return row->reference;
	if (cell->state == ANSWER_MEASURING)
		return ahead_in_trials(model, row, answer->metrics[0]);
	return UINT32_MAX;
}

/*
 * Sets the state of the first metric for all rows together. If models are compared, rows that
 * compare one model with itself at another value are left out.
 */
static void conclude(struct answer *answer, const struct model *model)
{
	uint32_t count[ANSWER_WITHHELD + 1] = {0};
	bool of_models = false;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		of_models |= answer_compares_models(model, &answer->rows[i]);
	answer->pairs = UINT32_MAX;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const struct answer_cell *cell = &row->cells[0];

		if (of_models && row->reference != row->case_id &&
		    !answer_compares_models(model, row))
			continue;
		count[cell->state]++;
		answer->compared += cell->state != ANSWER_NONE;
		if (cell->state == ANSWER_MEASURING && cell->pairs < answer->pairs) {
			answer->pairs = cell->pairs;
			answer->planned = cell->planned;
		}
	}
	answer->real = count[ANSWER_REAL];
	answer->close = count[ANSWER_CLOSE];
	if (count[ANSWER_MEASURING] > 0)
		answer->state = ANSWER_MEASURING;
	else if (count[ANSWER_REAL] > 0 && count[ANSWER_REAL] >= count[ANSWER_CLOSE])
		answer->state = ANSWER_REAL;
	else if (count[ANSWER_CLOSE] > 0)
		answer->state = ANSWER_CLOSE;
	else if (count[ANSWER_SAME] > 0)
		answer->state = ANSWER_SAME;
	else if (count[ANSWER_WITHHELD] > 0)
		answer->state = ANSWER_WITHHELD;
}

static double place_of(const struct answer *answer, uint32_t row)
{
	double median = answer->rows[row].cells[0].median;

	if (isnan(median))
		return INFINITY;
	return median;
}

static void sort_rows(const struct answer *answer, const struct model *model)
{
	uint32_t reference = UINT32_MAX, n = 0, *order = answer->order;
	bool alike = true;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (row->reference == i || isnan(row->cells[0].median))
			continue;
		alike &= reference == UINT32_MAX || reference == row->reference;
		alike &= comparison_alike(&model->cases[row->reference], &model->cases[i]);
		reference = row->reference;
		n++;
	}
	if (!alike || n <= 2)
		return;
	for (uint32_t i = 1; i < answer->n_rows; i++) {
		for (uint32_t j = i; j > 0; j--) {
			uint32_t swap = order[j];

			if (place_of(answer, swap) >= place_of(answer, order[j - 1]))
				break;
			order[j] = order[j - 1];
			order[j - 1] = swap;
		}
	}
}

static int read_rows(struct answer *answer, const struct model *model, double *room)
{
	int err = 0;

	while (!err && answer->n_metrics > 0 && answer->n_rows < model->n_cases) {
		struct answer_row *row = &answer->rows[answer->n_rows];

		row->case_id = answer->n_rows++;
		row->reference = find_reference(model, row->case_id);
		for (uint32_t i = 0; i < answer->n_metrics; i++) {
			if (err)
				break;
			err = read_cell(model, row, answer->metrics[i], room, &row->cells[i]);
		}
	}
	if (!err) {
		conclude(answer, model);
		sort_rows(answer, model);
	}
	return err;
}

/* Reads one metric; with METRICS, the experiment's headline metrics. */
int answer_read_metric(struct answer *answer, const struct model *model, enum model_metric metric)
{
	double *room = calloc(model->n_runs + 1, sizeof(*room));
	int err = -ENOMEM;

	*answer = (struct answer) {0};
	answer->rows = calloc(model->n_cases + 1, sizeof(*answer->rows));
	answer->order = calloc(model->n_cases + 1, sizeof(*answer->order));
	if (room && answer->rows && answer->order) {
		for (uint32_t i = 0; i < model->n_cases; i++)
			answer->order[i] = i;
		if (metric < METRICS)
			answer->metrics[answer->n_metrics++] = metric;
		else if (model->has_session) {
			enum model_metric metrics[INTERIM_METRICS_MOST];
			uint32_t n = model_headlines(model, metrics);

			for (uint32_t i = 0; i < n; i++) {
				bool known = i == 0 && !model_has_faults(model);

				/*
				 * Keep these two metrics even if no case has a value: the answer
				 * then gives the reason.
				 */
				known |= metrics[i] == METRIC_TASKS_CREATED &&
					 metric_applies(model, metrics[i]);
				known |= metrics[i] == METRIC_ELAPSED;

				for (uint32_t id = 0; id < model->n_cases; id++) {
					if (known)
						break;
					known = !isnan(
						model_median(model, id, metrics[i], room, NULL));
				}
				if (known)
					answer->metrics[answer->n_metrics++] = metrics[i];
			}
		}
		err = read_rows(answer, model, room);
	}
	free(room);
	return err;
}

int answer_read(struct answer *answer, const struct model *model)
{
	return answer_read_metric(answer, model, METRICS);
}

const struct answer_row *answer_foremost(const struct answer *answer, const struct model *model)
{
	const struct model_run *newest = model_newest(model);
	const struct answer_row *found = NULL;
	double most = -1;

	if (newest)
		for (uint32_t i = 0; i < answer->n_rows; i++) {
			const struct answer_row *row = &answer->rows[i];
			const struct answer_cell *cell = &row->cells[0];
			double weight = cell->state == ANSWER_REAL ? 1000 : 0;

			if (row->reference == row->case_id)
				continue;
			if (model_over(model)
				    ? variables_equal(&model->cases[row->case_id].variables,
						      &model->cases[row->reference].variables)
				    : model_sweeps(model) && model->n_origins == 0 &&
					      comparison_alike(&model->cases[row->case_id],
							       &model->cases[newest->id.case_id]))
				weight += 1e6;
			if (isfinite(cell->ratio.estimate))
				weight += fabs(log(cell->ratio.estimate));
			if (weight > most) {
				most = weight;
				found = row;
			}
		}
	return found;
}

void answer_free(struct answer *answer)
{
	free(answer->rows);
	free(answer->order);
	*answer = (struct answer) {0};
}

bool answer_medians_agree(enum model_metric metric, double a, double b, double ratio)
{
	const double quotient = metric_printed(metric, b) / metric_printed(metric, a);

	return a > 0 && b > 0 && strcmp(CLAIM_TIMES(quotient), CLAIM_TIMES(ratio)) == 0;
}

bool answer_is_quotient(const struct answer *answer, const struct answer_row *row, uint32_t metric)
{
	const struct answer_cell *cell = &row->cells[metric];
	const double reference = answer->rows[row->reference].cells[metric].median;
	const enum model_metric of = answer->metrics[metric];

	return answer_medians_agree(of, reference, cell->median, cell->ratio.estimate);
}

const char *answer_by_pair(const struct answer *answer, const struct answer_row *row,
			   uint32_t metric)
{
	if (answer_is_quotient(answer, row, metric))
		return "";
	return " per pair";
}

bool answer_is_slight(double ratio)
{
	return fabs(log(ratio)) < log(MODEL_MARGIN);
}

bool answer_repeats_time(const struct answer *answer, uint32_t metric)
{
	if (answer->metrics[metric] != METRIC_CREATE || answer->metrics[0] != METRIC_ELAPSED)
		return false;
	for (uint32_t row = 0; row < answer->n_rows; row++) {
		const struct answer_cell *cells = answer->rows[row].cells;

		if (!(cells[metric].median >= ANSWER_REPEATS * cells[0].median))
			return false;
	}
	return answer->n_rows > 0;
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

bool answer_is_known(const struct model *model)
{
	struct answer answer;
	bool known;

	/* Judge only when each case has the same number of runs. */
	if (model->n_cases == 0 || model->n_runs % model->n_cases > 0)
		return false;
	known = answer_read(&answer, model) == 0 && answer_is_decided(&answer);
	answer_free(&answer);
	return known;
}

/* Whether all cases, or all but one of several, failed in each of at least three trials. */
static bool failed_throughout(const struct model *model)
{
	enum { FAILED_TRIALS = 3 };
	uint32_t hopeless = 0;

	if (model_has_faults(model))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++)
		hopeless += report_failed_trials(model, i, NULL) >= FAILED_TRIALS;
	if (model->n_cases > 1)
		return hopeless + 1 >= model->n_cases;
	return hopeless > 0;
}

bool answer_is_final(const struct model *model)
{
	return answer_is_known(model) || failed_throughout(model);
}

const char *answer_title(const struct model *model, enum model_metric metric)
{
	switch (metric) {
	case METRIC_PRINTED:
		return model->printed_title;
	case METRIC_ELAPSED:
		return N_("time");
	case METRIC_CPU:
		return N_("CPU time");
	case METRIC_MEMORY:
		return N_("memory");
	case METRIC_TASKS_CREATED:
		return N_("tasks created");
	default:
		return metric_brief(metric);
	}
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

char *answer_median(const struct answer *answer, const struct answer_row *row, uint32_t place,
		    char buf[48])
{
	const struct answer_cell *cell = &row->cells[place];

	snprintf(buf, 48, "%s%s", METRIC_MARKED(cell->seen, cell->estimated),
		 METRIC_TEXT(answer->metrics[place], cell->median));
	return buf;
}
