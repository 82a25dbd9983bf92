/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <math.h>
#include <string.h>

#include "core/comparison.h"
#include "model/model_sweep.h"

static bool is_first_of_value(const struct model *model, uint32_t case_id)
{
	return model_first(model, case_id, comparison_alike) == case_id;
}

bool finding_sweep_pairs(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++) {
		if (!is_first_of_value(model, i))
			return true;
	}
	return false;
}

bool finding_same_work(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(model_work(a), model_work(b)) == 0;
}

bool finding_sweep_begins(const struct model *model, uint32_t case_id)
{
	return model_first(model, case_id, finding_same_work) == case_id;
}

/* The share of the case's model; NULL beyond those that are counted. */
static struct finding_share *share_of(const struct model *model, struct finding_sweep *sweep,
				      uint32_t case_id)
{
	uint32_t i = 0;

	while (i < sweep->n_shares && !comparison_same_curve(&model->cases[sweep->share[i].case_id],
							     &model->cases[case_id]))
		i++;
	if (i == FINDING_MODELS)
		return NULL;
	if (i == sweep->n_shares)
		sweep->share[sweep->n_shares++] =
			(struct finding_share) {.case_id = case_id, .low = NAN, .high = NAN};
	return &sweep->share[i];
}

/* How each of the cases that have the first one's value stands. */
static int take_standings(const struct model *model, struct finding_sweep *sweep, uint32_t first)
{
	int err = 0;

	for (uint32_t i = first; i < model->n_cases && !err; i++) {
		struct finding_share *share = NULL;

		if (comparison_alike(&model->cases[first], &model->cases[i]))
			share = share_of(model, sweep, i);
		if (share)
			err = finding_last_take(model, i, share);
	}
	return err;
}

/* Compares all cases that have the first one's value. */
static int take_value(const struct model *model, struct finding_sweep *sweep, uint32_t first)
{
	struct finding_lead lead;
	int err = finding_lead(model, first, model->n_cases - 1, &lead);
	struct finding_share *share;

	sweep->values++;
	if (!err && lead.pairs > 0 && lead.others > 0)
		err = take_standings(model, sweep, first);
	if (err || lead.pairs == 0 || lead.others == 0)
		return err;
	share = share_of(model, sweep, lead.lead);
	sweep->measured++;
	sweep->none += lead.sure == FINDING_NONE;
	sweep->shared += lead.sure == FINDING_SHARED;
	sweep->open += lead.sure < FINDING_NONE;
	sweep->all_real += lead.all_real;
	sweep->all_open += lead.all_open;
	if (lead.sure == FINDING_NONE)
		sweep->excluded = fmax(sweep->excluded, lead.all_excluded);
	finding_behind(&sweep->progress, &lead.progress);
	if (share) {
		share->values += lead.sure == FINDING_REAL;
		share->led++;
	}
	return 0;
}

static bool leads_less(const struct finding_share *a, const struct finding_share *b)
{
	return a->values != b->values ? a->values < b->values : a->led < b->led;
}

/* Models that lead equally often stay in the order of their cases. */
static void sort_shares(struct finding_sweep *sweep)
{
	for (uint32_t i = 1; i < sweep->n_shares; i++) {
		struct finding_share one = sweep->share[i];
		uint32_t at = i;

		for (; at > 0 && leads_less(&sweep->share[at - 1], &one); at--)
			sweep->share[at] = sweep->share[at - 1];
		sweep->share[at] = one;
	}
}

/* At most one crossing fits the line, and none where kinds of work are told apart. */
static int find_crossing(const struct model *model, struct finding *finding)
{
	struct finding_sweep *sweep = &finding->sweep;
	uint32_t first = finding->first;
	struct finding_crosses found = {.n = 0};
	int err = 0;

	if (*model_work(&model->cases[first]))
		return 0;
	for (uint32_t i = first + 1; i < model->n_cases && !err && found.n == 0; i++) {
		if (!comparison_alike(&model->cases[first], &model->cases[i]))
			continue;
		err = finding_crosses(model, first, i, model_headline(model), &found);
		sweep->a = first;
		sweep->b = i;
	}
	if (found.n == 0)
		sweep->a = sweep->b;
	else
		sweep->cross = found.cross[0];
	return err;
}

int finding_sweep(const struct model *model, struct finding *finding)
{
	struct finding_sweep *sweep = &finding->sweep;
	int err = 0;

	finding->kind = FINDING_SWEEP;
	sweep->progress = (struct finding_progress) {UINT32_MAX, .ended = true};
	sweep->excluded = NAN;
	for (uint32_t i = finding->first; i < model->n_cases && !err; i++) {
		if (finding_same_work(&model->cases[finding->first], &model->cases[i]) &&
		    is_first_of_value(model, i))
			err = take_value(model, sweep, i);
	}
	sort_shares(sweep);
	if (!err)
		err = finding_last(model, sweep);
	if (!err)
		err = finding_values(model, finding);
	if (!err)
		err = finding_sweep_claims(model, finding);
	if (err || sweep->measured == 0 || sweep->open == sweep->measured)
		return err;
	return find_crossing(model, finding);
}
