/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <math.h>

#include "core/comparison.h"
#include "model/model_latency.h"
#include "model/model_sweep.h"

/* The first case of the primitive within the range that can be compared; last + 1. */
static uint32_t find(const struct model *model, uint32_t first, uint32_t last,
		     enum plan_primitive primitive)
{
	while (first <= last && (model->cases[first].plan.primitive != primitive ||
				 comparison_mixed(&model->cases[first])))
		first++;
	return first;
}

/* The first such one that creates a task; last + 1. */
static uint32_t find_task(const struct model *model, uint32_t first, uint32_t last)
{
	while (first <= last && (model->cases[first].plan.primitive == PLAN_CALL ||
				 comparison_mixed(&model->cases[first])))
		first++;
	return first;
}

bool finding_creation_pair(const struct model *model, uint32_t first, uint32_t last, uint32_t *a,
			   uint32_t *b)
{
	*a = find(model, first, last, PLAN_PTHREAD);
	*b = find(model, first, last, PLAN_FORK);
	if (*a <= last && *b <= last)
		return true;
	*a = find_task(model, first, last);
	*b = find_task(model, *a + 1, last);
	return *b <= last;
}

/* The same primitive with the most ballast; case_id where none has more. */
static uint32_t most_ballast(const struct model *model, uint32_t case_id, uint32_t last)
{
	uint32_t most = case_id;

	for (uint32_t i = case_id + 1; i <= last; i++) {
		const struct sample_case *one = &model->cases[i], *so_far = &model->cases[most];

		if (comparison_same_curve(one, so_far) && one->ballast > so_far->ballast)
			most = i;
	}
	return most;
}

static int add_growth(const struct model *model, struct finding *finding, uint32_t case_id)
{
	struct model_comparison *growth = &finding->growth[finding->n_growth];
	uint32_t most = most_ballast(model, case_id, finding->last);
	int err;

	if (case_id > finding->last || most == case_id)
		return 0;
	err = model_compare(model, case_id, most, METRIC_TASK, growth);
	finding->n_growth += !err && !isnan(growth->ratio.estimate);
	return err;
}

int finding_creation(const struct model *model, struct finding *finding)
{
	uint32_t a, b;
	bool two = finding_creation_pair(model, finding->first, finding->last, &a, &b);
	int err = 0;

	finding->kind = two ? FINDING_LEAD : FINDING_ALONE;
	finding->case_id = a;
	if (two)
		err = finding_lead(model, finding->first, finding->last, &finding->lead);
	if (err || (two && finding->lead.others == 0))
		return err;
	err = finding_groups(model, finding, a, METRIC_TASK);
	if (!err)
		err = add_growth(model, finding, b);
	return err ? err : add_growth(model, finding, a);
}
