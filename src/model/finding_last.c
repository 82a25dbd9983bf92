/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <math.h>

#include "core/comparison.h"

static bool is_real(const struct model_comparison *c)
{
	return c->verdict == STATS_A || c->verdict == STATS_B;
}

/* How a case stands with all others of its value. */
struct standing {
	bool before, behind; /* all of them, for real */
	bool most;	     /* by the estimates */
	double low, high;    /* so many times as long as the case they take */
};

static int read_standing(const struct model *model, uint32_t one, struct standing *out)
{
	struct model_comparison c;
	int err = 0;

	*out = (struct standing) {true, true, true, NAN, NAN};
	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		if (i == one || !comparison_alike(&model->cases[one], &model->cases[i]))
			continue;
		err = model_compare(model, one, i, model_headline(model), &c);
		out->before &= c.verdict == STATS_A;
		out->behind &= c.verdict == STATS_B;
		out->most &= c.ratio.estimate < 1;
		out->low = fmin(out->low, c.ratio.estimate);
		out->high = fmax(out->high, c.ratio.estimate);
	}
	return err;
}

int finding_last_take(const struct model *model, uint32_t case_id, struct finding_share *share)
{
	struct standing standing;
	int err = read_standing(model, case_id, &standing);

	if (err || isnan(standing.low))
		return err;
	share->behind += standing.behind;
	share->most += standing.most;
	if (standing.before) {
		share->low = fmin(share->low, standing.low);
		share->high = fmax(share->high, standing.high);
	}
	return 0;
}

/* The times at a value where the last one is behind every other. */
static int take_times(const struct model *model, uint32_t one, uint32_t than,
		      struct finding_last *last)
{
	struct model_comparison c;
	struct standing standing;
	int err = read_standing(model, one, &standing);

	if (err || !standing.behind)
		return err;
	err = model_compare(model, than, one, model_headline(model), &c);
	last->low = fmin(last->low, c.ratio.estimate);
	last->high = fmax(last->high, c.ratio.estimate);
	return err;
}

static int take_others(const struct model *model, uint32_t a, uint32_t b, struct finding_last *last)
{
	struct model_comparison c;
	int err = model_compare(model, a, b, model_headline(model), &c);

	last->of_a += c.verdict == STATS_A;
	last->of_b += c.verdict == STATS_B;
	last->none += c.verdict == STATS_NONE;
	last->open += !is_real(&c) && c.verdict != STATS_NONE;
	if (c.verdict == STATS_NONE)
		last->excluded = fmax(last->excluded, finding_excluded(&c.ratio));
	return err;
}

static int take_value(const struct model *model, const struct finding_sweep *sweep, uint32_t one,
		      struct finding_last *last)
{
	uint32_t than = finding_partner(model, one, sweep->share[last->than].case_id), a, b;
	int err = than < model->n_cases ? take_times(model, one, than, last) : 0;

	if (err || !last->told)
		return err;
	a = finding_partner(model, one, sweep->share[last->a].case_id);
	b = finding_partner(model, one, sweep->share[last->b].case_id);
	last->told = a < model->n_cases && b < model->n_cases;
	return last->told ? take_others(model, a, b, last) : 0;
}

/* The one that is last most often; n_shares where some model leads as often, or more. */
static uint32_t find_last(const struct finding_sweep *sweep)
{
	uint32_t leads = 0, last = 0;

	for (uint32_t i = 0; i < sweep->n_shares; i++) {
		leads += sweep->share[i].values;
		if (sweep->share[i].behind > sweep->share[last].behind)
			last = i;
	}
	return sweep->n_shares > 2 && sweep->share[last].behind > leads ? last : sweep->n_shares;
}

static uint32_t other_than(uint32_t a, uint32_t b)
{
	uint32_t other = 0;

	while (other == a || other == b)
		other++;
	return other;
}

int finding_last(const struct model *model, struct finding_sweep *sweep)
{
	struct finding_last *last = &sweep->last;
	uint32_t share = find_last(sweep);
	int err = 0;

	*last = (struct finding_last) {
		.share = share, .low = NAN, .high = NAN, .excluded = NAN, .told = true};
	if (share == sweep->n_shares)
		return 0;
	last->than = last->a = other_than(share, share);
	last->b = other_than(share, last->a);
	last->told = sweep->n_shares == 3;
	for (uint32_t i = 0; i < model->n_cases && !err; i++)
		if (comparison_same_curve(&model->cases[i],
					  &model->cases[sweep->share[share].case_id]))
			err = take_value(model, sweep, i, last);
	return err;
}
