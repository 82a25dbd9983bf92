/* SPDX-License-Identifier: MIT */
#include "model/model_kinds.h"

#include <math.h>

#include "model/model.h"

/* The last finish so far, or NaN once one is not known. */
static void take(double *ns, const struct sample_worker *worker, int64_t from_ns)
{
	double took = worker->finish_ns < 0 ? NAN : (double)(worker->finish_ns - from_ns);

	if (*ns < 0 || isnan(took) || took > *ns)
		*ns = isnan(*ns) ? NAN : took;
}

struct model_kinds model_kinds_make(const struct model *model, const struct model_run *run)
{
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	int64_t from_ns = run->totals.go_ns > 0 ? run->totals.go_ns : 0;
	struct model_kinds kinds;
	struct plan_node node;

	for (int i = 0; i < WORK_KINDS; i++)
		kinds.ns[i] = -1;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		plan_node(plan, i, &node);
		if (node.children == 0)
			take(&kinds.ns[node.work], model_known(run, i), from_ns);
	}
	for (int i = 0; i < WORK_KINDS; i++)
		if (kinds.ns[i] < 0)
			kinds.ns[i] = NAN;
	return kinds;
}
