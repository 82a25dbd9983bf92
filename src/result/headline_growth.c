/* SPDX-License-Identifier: MIT */
#include "headline_sweep.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "result/report.h"

/* The cases with the fewest and the most workers. */
struct growth_ends {
	double from, to;
	uint32_t values; /* Number of different numbers of workers. */
};

static const struct variable *workers_of(const struct model *model, uint32_t case_id)
{
	return variables_find(&model->cases[case_id].variables, "workers");
}

/* Reads the numbers of workers. Returns false if a case has none. */
static bool read_ends(struct growth_ends *ends, const struct model *model)
{
	*ends = (struct growth_ends) {NAN, NAN, 0};
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *workers = workers_of(model, i);
		bool known = false;

		if (!workers || !(workers->number > 0))
			return false;
		for (uint32_t k = 0; k < i && !known; k++)
			known = variables_has(&model->cases[k].variables, workers);
		ends->values += !known;
		ends->from = fmin(ends->from, workers->number);
		ends->to = fmax(ends->to, workers->number);
	}
	return ends->to > ends->from;
}

/* The setting that names the kind of work of a case. NULL: the cases do not name their work. */
static const struct variable *work_of(const struct model *model, uint32_t case_id)
{
	return variables_find(&model->cases[case_id].variables, "work");
}

static bool same_work(const struct model *model, uint32_t a, uint32_t b)
{
	const struct variable *work = work_of(model, a);

	return !work || variables_has(&model->cases[b].variables, work);
}

/* Whether no case before this one has its kind of work. */
static bool is_first_of_kind(const struct model *model, uint32_t case_id)
{
	uint32_t first = 0;

	while (!same_work(model, case_id, first))
		first++;
	return first == case_id;
}

uint32_t headline_kinds_of_work(const struct model *model)
{
	uint32_t kinds = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (work_of(model, i))
			kinds += is_first_of_kind(model, i);
	return kinds;
}

/* Whether nothing but the work, the model and the number of workers varies. */
static bool is_grid(const struct growth_ends *ends, const struct model *model)
{
	const uint32_t kinds = headline_kinds_of_work(model);
	uint32_t models = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		models += model_first_alike(model, i) == i;
	return model->n_cases == ends->values * models * (kinds > 0 ? kinds : 1);
}

/* The median of a model's case with this work and number of workers; NaN if it is unknown. */
static double median_at(const struct answer *answer, const struct model *model, uint32_t like,
			double workers)
{
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const uint32_t id = row->case_id;

		if (strcmp(model->cases[id].model, model->cases[like].model) != 0 ||
		    workers_of(model, id)->number != workers)
			continue;
		if (same_work(model, like, id))
			return row->cells[0].median;
	}
	return NAN;
}

/*
 * "4.0x" or, if the models differ by more than the margin, "4.4x to 5.8x". Returns false if a
 * median is unknown.
 */
static bool growth_text(const struct answer *answer, const struct model *model,
			const struct growth_ends *ends, uint32_t first, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	double low = NAN, high = NAN;

	for (uint32_t i = first; i < model->n_cases; i++) {
		double growth;

		if (!same_work(model, first, i) || workers_of(model, i)->number != ends->from)
			continue;
		growth = median_at(answer, model, i, ends->to) /
			 median_at(answer, model, i, ends->from);
		if (isnan(growth))
			return false;
		low = fmin(low, growth);
		high = fmax(high, growth);
	}
	if (isnan(low))
		return false;
	if (high > MODEL_MARGIN * low)
		FILL(&s, N_("{low}x to {high}x"), {"low", CLAIM_TIMES(low)},
		     {"high", CLAIM_TIMES(high)});
	else
		FILL(&s, N_("{low}x"), {"low", CLAIM_TIMES(low)});
	return true;
}

bool headline_growth(struct sentence *s, const struct answer *answer, const struct model *model,
		     bool so_far)
{
	struct sentence list = SENTENCE(HEADLINE_TEXT);
	const char *text = N_("{work} takes {times} as long"), *name;
	struct growth_ends ends;
	char times[64];

	if (answer->metrics[0] != METRIC_ELAPSED || model->n_origins > 0 ||
	    !read_ends(&ends, model) || !is_grid(&ends, model))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *work = work_of(model, i);

		if (!is_first_of_kind(model, i))
			continue;
		if (!growth_text(answer, model, &ends, i, times, sizeof(times)))
			return false;
		if (work)
			name = work->value;
		else
			name = headline_text(N_("the work"));
		FILL(headline_list(&list), text, {"work", name}, {"times", times});
		text = N_("{work} {times}");
	}
	if (so_far)
		text = N_("So far, from {from} to {to} workers, {list}");
	else
		text = N_("From {from} to {to} workers, {list}");
	FILL(s, text, {"from", NUMBER((uint32_t)ends.from)}, {"to", NUMBER((uint32_t)ends.to)},
	     {"list", list.buf});
	return true;
}
