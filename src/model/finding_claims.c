/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <errno.h>
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

int finding_claims(const struct model *model, struct finding *finding)
{
	const struct sample_case *first = &model->cases[finding->first];
	uint32_t all = finding->last - finding->first + 1, n = 0;
	uint32_t *cases;
	int err;

	if (claims_beside(first, all) == 0)
		return 0;
	cases = calloc(all, sizeof(*cases));
	if (!cases)
		return -ENOMEM;
	for (uint32_t i = finding->first; i <= finding->last; i++)
		if (comparison_alike(first, &model->cases[i]))
			cases[n++] = i;
	err = add_claims(model, finding, cases, n);
	free(cases);
	return err;
}
