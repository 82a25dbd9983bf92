/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/claims.h"
#include "core/comparison.h"

/* What a session tells beside the whole: see core/claims.h. */

bool finding_claim_real(const struct finding_claim *claim)
{
	return claim->greatest.a != claim->greatest.b;
}

const char *finding_claim_name(const struct finding_claim *claim)
{
	const struct metric *metric = &metric_table[claim->metric];

	return metric->words ? metric->words : metric->title;
}

static void take(struct model_comparison *most, const struct model_comparison *c)
{
	if (c->ratio.estimate > 1 &&
	    (most->a == most->b || c->ratio.estimate > most->ratio.estimate))
		*most = *c;
}

static int find_greatest(const struct model *model, const uint32_t *cases, uint32_t n,
			 struct finding_claim *claim)
{
	struct model_comparison c;
	int err = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < n && !err; j++) {
			if (i == j)
				continue;
			err = model_compare(model, cases[i], cases[j], claim->metric, &c);
			if (!err && c.verdict == STATS_TOO_FEW)
				take(&claim->widest, &c);
			if (!err && c.verdict == STATS_A)
				take(&claim->greatest, &c);
		}
	}
	return err;
}

static int add_claim(const struct model *model, struct finding *finding, const uint32_t *cases,
		     uint32_t n, enum model_metric metric)
{
	struct finding_claim *claim = &finding->claims[finding->n_claims++];
	int err;

	claim->metric = metric;
	err = finding_among(model, cases, n, metric, &claim->lead);
	return err ? err : find_greatest(model, cases, n, claim);
}

static int add_claims(const struct model *model, struct finding *finding, const uint32_t *cases,
		      uint32_t n)
{
	const struct sample_case *first = &model->cases[finding->first];
	uint32_t all = finding->last - finding->first + 1;
	int err = 0;

	for (int i = 0; i < WORK_KINDS && !err; i++) {
		enum work_kind kind = plan_work_order[i];

		if (claims_kind(first, all, kind))
			err = add_claim(model, finding, cases, n, metric_of_kind(kind));
	}
	if (!err && claims_creation(first, all))
		err = add_claim(model, finding, cases, n, METRIC_CREATE);
	return err ? err : add_claim(model, finding, cases, n, METRIC_CPU);
}

/* Over the values of a sweep */

/* The cases up to the last that have the first one's value; returns how many. */
static uint32_t list_alike(const struct model *model, uint32_t first, uint32_t last,
			   uint32_t *cases)
{
	uint32_t n = 0;

	for (uint32_t i = first; i <= last; i++)
		if (comparison_alike(&model->cases[first], &model->cases[i]))
			cases[n++] = i;
	return n;
}

/* What a value adds to a claim; the pair that differs most is known when all have been looked at.
 */
static int take_value(const struct model *model, const uint32_t *cases, uint32_t n,
		      struct finding_claim *claim)
{
	struct finding_lead lead;
	int err = finding_among(model, cases, n, claim->metric, &lead);

	if (err || n < 2)
		return err;
	claim->values++;
	claim->open += lead.all_open > 0 || lead.pairs == 0;
	if (lead.pairs > 0 && lead.all_real == 0 && lead.all_open == 0) {
		claim->none++;
		claim->excluded = fmax(claim->excluded, lead.all_excluded);
	}
	return find_greatest(model, cases, n, claim);
}

static int count_same(const struct model *model, uint32_t case_id, struct finding_claim *claim)
{
	uint32_t other = finding_partner(model, case_id, claim->greatest.b);
	struct model_comparison c;
	int err;

	if (!comparison_same_curve(&model->cases[case_id], &model->cases[claim->greatest.a]) ||
	    other == model->n_cases)
		return 0;
	err = model_compare(model, case_id, other, claim->metric, &c);
	claim->same += c.verdict == STATS_A;
	claim->turned += c.verdict == STATS_B;
	return err;
}

static int read_claim(const struct model *model, uint32_t *cases, enum model_metric metric,
		      struct finding_claim *claim)
{
	int err = 0;

	claim->metric = metric;
	claim->excluded = NAN;
	for (uint32_t i = 0; i < model->n_cases && !err; i++)
		if (model_first(model, i, comparison_alike) == i)
			err = take_value(model, cases,
					 list_alike(model, i, model->n_cases - 1, cases), claim);
	for (uint32_t i = 0; i < model->n_cases && !err && finding_claim_real(claim); i++)
		err = count_same(model, i, claim);
	return err;
}

int finding_sweep_claims(const struct model *model, struct finding *finding)
{
	uint32_t n = model->n_cases, *cases;
	int err = 0;

	if (claims_beside(model->cases, n) == 0 || model->n_origins > 0)
		return 0;
	cases = calloc(n, sizeof(*cases));
	if (!cases)
		return -ENOMEM;
	for (int i = 0; i < WORK_KINDS && !err; i++)
		if (claims_kind(model->cases, n, plan_work_order[i]))
			err = read_claim(model, cases, metric_of_kind(plan_work_order[i]),
					 &finding->claims[finding->n_claims++]);
	if (!err)
		err = read_claim(model, cases, METRIC_CPU, &finding->claims[finding->n_claims++]);
	free(cases);
	return err;
}

/* Of one value */

int finding_claims(const struct model *model, struct finding *finding)
{
	const struct sample_case *first = &model->cases[finding->first];
	uint32_t all = finding->last - finding->first + 1, n, *cases;
	int err;

	if (claims_beside(first, all) == 0)
		return 0;
	cases = calloc(all, sizeof(*cases));
	if (!cases)
		return -ENOMEM;
	n = list_alike(model, finding->first, finding->last, cases);
	err = add_claims(model, finding, cases, n);
	free(cases);
	return err;
}
