/* SPDX-License-Identifier: MIT */
#include "model/model_lead.h"

#include <math.h>

#include "model_creation_verdict.h"
#include "model/model_latency.h"
#include "model/model_sweep.h"

/* The next case after icase that can be compared with the first; last + 1 where there is none. */
static uint32_t next_case(const struct model *model, uint32_t first, uint32_t last, uint32_t icase)
{
	do
		icase++;
	while (icase <= last && !model_comparable(&model->cases[first], &model->cases[icase]));
	return icase;
}

static bool is_measured(const struct model *model, uint32_t icase)
{
	double value;

	return model_trials(model, icase, model_headline(model), &value, NULL, 1) > 0;
}

/* Each case meets the fastest of those before it. */
static int find_fastest(const struct model *model, uint32_t first, uint32_t last, uint32_t *fastest)
{
	struct model_comparison c;
	int err;

	*fastest = first;
	for (uint32_t i = first; (i = next_case(model, first, last, i)) <= last;) {
		err = model_compare(model, *fastest, i, model_headline(model), &c);
		if (err)
			return err;
		if (c.ratio.estimate < 1 || !is_measured(model, *fastest))
			*fastest = i;
	}
	return 0;
}

static void take(struct model_lead *lead, const struct model_comparison *c)
{
	double nearest = lead->others ? lead->next.ratio.estimate : NAN;

	if (lead->others == 0 || c->ratio.estimate < nearest ||
	    (isnan(nearest) && !isnan(c->ratio.estimate)))
		lead->next = *c;
	lead->others++;
	lead->real += c->verdict == STATS_A;
	lead->pairs = c->pairs < lead->pairs ? c->pairs : lead->pairs;
}

/* Of ways to create a task, the two that are of different kinds: the sentence is of them. */
static void lead_creation(const struct model *model, uint32_t first, uint32_t last,
			  struct model_lead *out)
{
	struct model_comparison c;

	if (!model_creation_pair(model, first, last, &c))
		return;
	*out = (struct model_lead) {.fastest = c.ratio.estimate < 1 ? c.b : c.a,
				    .others = 1,
				    .real = c.verdict == STATS_A || c.verdict == STATS_B,
				    .pairs = c.pairs,
				    .next = c};
}

int model_lead(const struct model *model, uint32_t first, uint32_t last, struct model_lead *out)
{
	struct model_comparison c;
	int err;

	*out = (struct model_lead) {.pairs = UINT32_MAX};
	if (model_has_latency(model)) {
		lead_creation(model, first, last, out);
		return 0;
	}
	err = find_fastest(model, first, last, &out->fastest);
	for (uint32_t i = first; i <= last && !err; i = next_case(model, first, last, i)) {
		if (i == out->fastest)
			continue;
		err = model_compare(model, out->fastest, i, model_headline(model), &c);
		if (!err)
			take(out, &c);
	}
	if (!err && out->others == 1 && out->next.a > out->next.b)
		err = model_compare(model, out->next.b, out->next.a, model_headline(model),
				    &out->next);
	return err;
}
