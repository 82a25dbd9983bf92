/* SPDX-License-Identifier: MIT */
#include "model/finding.h"

#include <math.h>

#include "core/comparison.h"
#include "finding_parts.h"
#include "model/model_fault.h"
#include "model/model_sweep.h"
#include "model/model_warnings.h"

/* The badge of several: what is still measured, or else what differs. */

static struct finding_badge answered(bool differs)
{
	return (struct finding_badge) {.answer = differs ? FINDING_DIFFERS : FINDING_CLOSE};
}

static struct finding_badge measuring(const struct model *model, uint32_t pairs)
{
	return (struct finding_badge) {
		.answer = FINDING_MEASURING, .pairs = pairs, .planned = model->session.trials};
}

/* Something is open, and more is planned that may decide it. */
static bool goes_on(const struct model *model, const struct finding_progress *progress)
{
	return !model_over(model) && !progress->ended;
}

/* Where the whole cannot be told: what else differs, by its name. */
static struct finding_badge badge_of_claims(const struct finding *finding)
{
	struct finding_badge badge = answered(false);

	for (uint32_t i = 0; i < finding->n_claims; i++) {
		if (!finding_claim_real(&finding->claims[i]))
			continue;
		badge.answer = FINDING_DIFFERS;
		badge.works[badge.n_works++] = finding_claim_name(&finding->claims[i]);
	}
	return badge;
}

static struct finding_badge badge_of_lead(const struct model *model, const struct finding *finding)
{
	const struct finding_lead *lead = &finding->lead;
	const struct model_comparison *greatest = &finding->groups.greatest;
	bool known = lead->others > 0 && lead->pairs > 0;

	if (!known && !model_over(model))
		return measuring(model, 0);
	if (known && lead->all_open > 0 && goes_on(model, &lead->progress))
		return measuring(model, lead->progress.pairs);
	/* Of creation the lead is between two ways, and the groups are of all. */
	if (known && finding->groups.open > 0 && goes_on(model, &finding->groups.progress))
		return measuring(model, finding->groups.progress.pairs);
	if (lead->all_real > 0 || greatest->a != greatest->b)
		return answered(true);
	return badge_of_claims(finding);
}

/* Comparisons of one model's values that are open, and the one that is furthest behind. */
static uint32_t open_values(const struct finding *finding, struct finding_progress *progress)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < finding->n_values; i++) {
		const struct finding_values *values = &finding->values[i];

		if (values->real + values->none == values->others)
			continue;
		open += values->others - values->real - values->none;
		finding_behind(progress, &values->progress);
	}
	return open;
}

static bool values_differ(const struct finding *finding)
{
	for (uint32_t i = 0; i < finding->n_values; i++)
		if (finding->values[i].real > 0)
			return true;
	return false;
}

/* Where no models differ: what else does, the condition by its name. */
static struct finding_badge badge_of_rest(const struct model *model, const struct finding *finding)
{
	struct finding_badge badge = badge_of_claims(finding);

	if (!values_differ(finding))
		return badge;
	badge.answer = FINDING_DIFFERS;
	badge.works[badge.n_works++] = comparison_condition(model->cases, model->n_cases);
	return badge;
}

/* One model alone. */
static struct finding_badge badge_of_values(const struct model *model,
					    const struct finding *finding)
{
	struct finding_progress progress = {UINT32_MAX, .ended = true};

	if (open_values(finding, &progress) > 0 && goes_on(model, &progress))
		return measuring(model, progress.pairs);
	return answered(values_differ(finding));
}

static struct finding_badge badge_of_sweep(const struct model *model, const struct finding *finding)
{
	const struct finding_sweep *sweep = &finding->sweep;
	struct finding_progress progress = sweep->progress;
	uint32_t open = sweep->all_open + open_values(finding, &progress);
	bool differs = sweep->shared > 0;

	if (sweep->values == 0)
		return (struct finding_badge) {.answer = FINDING_NO_ANSWER};
	if (sweep->measured < sweep->values && !model_over(model))
		return measuring(model, 0);
	if (open > 0 && goes_on(model, &progress))
		return measuring(model, progress.pairs);
	for (uint32_t i = 0; i < sweep->n_shares; i++)
		differs |= sweep->share[i].values > 0 || sweep->share[i].behind > 0;
	return differs ? answered(true) : badge_of_rest(model, finding);
}

static struct finding_badge badge_alone(const struct model *model, uint32_t case_id)
{
	double value[64];

	if (model_over(model))
		return (struct finding_badge) {.answer = FINDING_NO_ANSWER};
	if (case_id >= model->n_cases)
		return measuring(model, 0);
	return measuring(model, (uint32_t)model_trials(model, case_id, model_headline(model), value,
						       NULL, sizeof(value) / sizeof(value[0])));
}

static struct finding_badge badge_of_faults(const struct model *model,
					    const struct finding_faults *faults)
{
	if (faults->trials < model->session.trials && !model_over(model))
		return measuring(model, faults->trials);
	if (faults->differ && !faults->real && faults->trials < faults->least)
		return (struct finding_badge) {.answer = FINDING_WITHHELD};
	return answered(faults->real);
}

static struct finding_badge badge_of_ways(const struct model *model,
					  const struct finding_ways *ways)
{
	uint32_t pairs = ways->pairs + ways->ways, open = ways->open + ways->ways_open;

	if (pairs == 0)
		return badge_alone(model, 0);
	if (open > 0 && goes_on(model, &ways->progress))
		return measuring(model, ways->progress.pairs);
	return answered(ways->real + ways->ways_real > 0);
}

static struct finding_badge badge_of(const struct model *model, const struct finding *finding)
{
	switch (finding->kind) {
	case FINDING_FAILED:
		return model_over(model) ? (struct finding_badge) {.answer = FINDING_WITHHELD}
					 : measuring(model, 0);
	case FINDING_ALONE:
		return badge_alone(model, finding->case_id);
	case FINDING_LEAD:
		return badge_of_lead(model, finding);
	case FINDING_SWEEP:
		return badge_of_sweep(model, finding);
	case FINDING_FAULT:
		return badge_of_faults(model, &finding->faults);
	case FINDING_WAYS:
		return badge_of_ways(model, &finding->ways);
	case FINDING_UNPAIRED:
		if (finding->n_values > 0)
			return badge_of_values(model, finding);
		break;
	}
	return (struct finding_badge) {.answer = FINDING_NO_ANSWER};
}

/* What is measured least of all that is not over, or else the one that says more. */
static bool says_more(const struct finding_badge *a, const struct finding_badge *b)
{
	if (a->answer == FINDING_MEASURING)
		return b->answer != FINDING_MEASURING || a->pairs < b->pairs;
	return b->answer != FINDING_MEASURING && a->answer > b->answer;
}

/* The kinds of work that differ, where others do not. */
static void name_works(struct finding_badge *badge, const struct finding_list *list)
{
	uint32_t n = 0, all = list->n;

	for (uint32_t i = 0; i < all; i++) {
		const char *work = model_work(&list->model->cases[list->list[i].first]);

		if (badge_of(list->model, &list->list[i]).answer != badge->answer)
			continue;
		if (*work && n < WORK_KINDS)
			badge->works[n] = work;
		n++;
	}
	badge->n_works = n < all && n <= WORK_KINDS ? n : 0;
}

/* Where no difference is real: how close all that is compared is by the headline metric. */
static enum finding_answer how_close(const struct model *model)
{
	uint32_t known = 0, wide = 0;
	struct model_comparison c;

	for (uint32_t b = 1; b < model->n_cases; b++)
		for (uint32_t a = 0; a < b; a++) {
			if (!model_compares(model, a, b) ||
			    model_compare(model, a, b, model_headline(model), &c))
				continue;
			known += !isnan(c.ratio.low);
			wide += !(c.ratio.low > 1 / MODEL_MARGIN && c.ratio.high < MODEL_MARGIN);
		}
	return known == 0 ? FINDING_WITHHELD : wide == 0 ? FINDING_SAME : FINDING_CLOSE;
}

struct finding_badge finding_badge(const struct finding_list *list)
{
	struct finding_badge badge = {.answer = FINDING_NO_ANSWER};

	for (uint32_t i = 0; i < list->n; i++) {
		struct finding_badge one = badge_of(list->model, &list->list[i]);

		if (says_more(&one, &badge))
			badge = one;
	}
	if (list->n > 1 && badge.answer == FINDING_DIFFERS && list->list->kind == FINDING_SWEEP)
		name_works(&badge, list);
	if (badge.answer == FINDING_CLOSE && !model_has_faults(list->model))
		badge.answer = how_close(list->model);
	badge.busy = list->n > 0 && model_is_busy(list->model);
	return badge;
}

/* The pair that is told of */

static const struct finding *finding_of(const struct finding_list *list, uint32_t case_id)
{
	const struct sample_case *cases = list->model->cases;
	const struct finding *found = list->list;

	for (uint32_t i = 0; i < list->n; i++)
		if (finding_same_work(&cases[list->list[i].first], &cases[case_id]))
			found = &list->list[i];
	return found;
}

/* The two that a sweep tells of first, at the value that was measured last. */
static int pair_of_sweep(const struct finding_list *list, uint32_t pair[2])
{
	const struct model *model = list->model;
	const struct model_run *run = model_newest(model);
	uint32_t case_id = run ? run->id.case_id : 0;
	const struct finding_sweep *sweep = &finding_of(list, case_id)->sweep;
	const struct finding_last *last = &sweep->last;
	struct finding_lead lead;
	int err;

	if (last->share < sweep->n_shares) {
		pair[0] = finding_partner(model, case_id, sweep->share[last->than].case_id);
		pair[1] = finding_partner(model, case_id, sweep->share[last->share].case_id);
		return 0;
	}
	case_id = model_first(model, case_id, comparison_alike);
	err = finding_lead(model, case_id, model->n_cases - 1, &lead);
	if (!err && lead.others > 0)
		pair[0] = lead.next.a, pair[1] = lead.next.b;
	return err;
}

static void pair_of_lead(const struct finding *finding, uint32_t pair[2])
{
	const struct finding_groups *groups = &finding->groups;
	const struct model_comparison *c = &finding->lead.next;
	bool all = finding->lead.others > 1; /* of ways to create a task two lead */

	if (all && groups->n_groups == 1 && groups->greatest.a != groups->greatest.b)
		c = &groups->greatest;
	pair[0] = all && groups->n_groups > 1 ? groups->cases[0] : c->a;
	pair[1] = all && groups->n_groups > 1 ? groups->cases[groups->group[1].first] : c->b;
}

int finding_pair(const struct finding_list *list, struct model_comparison *out)
{
	uint32_t pair[2] = {0, 0}, most = list->n > 0 ? list->model->n_cases : 0;
	int err = 0;

	*out = (struct model_comparison) {.a = 0};
	if (list->n > 0 && list->list->kind == FINDING_SWEEP && list->model->n_origins == 0)
		err = pair_of_sweep(list, pair);
	else if (list->n > 0 && list->list->kind == FINDING_LEAD && list->list->lead.others > 0)
		pair_of_lead(list->list, pair);
	if (err || pair[0] == pair[1] || pair[0] >= most || pair[1] >= most)
		return err;
	return model_compare(list->model, pair[0] < pair[1] ? pair[0] : pair[1],
			     pair[0] < pair[1] ? pair[1] : pair[0], model_headline(list->model),
			     out);
}
