/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <string.h>

#include "model/model_sweep.h"

static bool is_first_of_value(const struct model *model, uint32_t case_id)
{
	return model_first(model, case_id, model_comparable) == case_id;
}

bool finding_sweep_pairs(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++) {
		if (!is_first_of_value(model, i))
			return true;
	}
	return false;
}

static bool same_work(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(model_work(a), model_work(b)) == 0;
}

bool finding_sweep_begins(const struct model *model, uint32_t case_id)
{
	return model_first(model, case_id, same_work) == case_id;
}

static void count_lead(const struct model *model, struct finding_sweep *sweep, uint32_t case_id)
{
	uint32_t i = 0;

	while (i < sweep->n_shares &&
	       !model_same_curve(&model->cases[sweep->share[i].case_id], &model->cases[case_id]))
		i++;
	if (i == FINDING_MODELS)
		return;
	if (i == sweep->n_shares)
		sweep->share[sweep->n_shares++] = (struct finding_share) {.case_id = case_id};
	sweep->share[i].values++;
}

/* Compares all cases that have the first one's value. */
static int take_value(const struct model *model, struct finding_sweep *sweep, uint32_t first)
{
	struct finding_lead lead;
	int err = finding_lead(model, first, model->n_cases - 1, &lead);

	sweep->values++;
	if (err || lead.pairs == 0 || lead.others == 0)
		return err;
	sweep->measured++;
	sweep->pairs = lead.pairs < sweep->pairs ? lead.pairs : sweep->pairs;
	if (lead.sure == FINDING_NONE)
		sweep->none++;
	else
		count_lead(model, sweep, lead.lead);
	return 0;
}

/* Models that lead equally often stay in the order of their cases. */
static void sort_shares(struct finding_sweep *sweep)
{
	for (uint32_t i = 1; i < sweep->n_shares; i++) {
		struct finding_share one = sweep->share[i];
		uint32_t at = i;

		for (; at > 0 && sweep->share[at - 1].values < one.values; at--)
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
		if (!model_comparable(&model->cases[first], &model->cases[i]))
			continue;
		err = finding_crosses(model, first, i, METRIC_ELAPSED, &found);
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
	sweep->pairs = UINT32_MAX;
	for (uint32_t i = finding->first; i < model->n_cases && !err; i++) {
		if (same_work(&model->cases[finding->first], &model->cases[i]) &&
		    is_first_of_value(model, i))
			err = take_value(model, sweep, i);
	}
	sort_shares(sweep);
	if (err || sweep->measured == 0 || sweep->pairs < STATS_LEAST_PAIRS)
		return err;
	return find_crossing(model, finding);
}
