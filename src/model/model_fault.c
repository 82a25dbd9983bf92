/* SPDX-License-Identifier: MIT */
#include "model/model_fault.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool model_has_faults(const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (model_ended(model, &model->runs[i]) && model->runs[i].totals.fault &&
		    model->runs[i].totals.status == SAMPLE_OK)
			return true;
	return false;
}

static bool counts(const struct model *model, const struct model_run *run, uint32_t case_id)
{
	return run->id.case_id == case_id && run->id.trial > 0 && model_ended(model, run) &&
	       !model_is_replaced(model, run) && run->totals.status == SAMPLE_OK &&
	       run->totals.fault && run->totals.survived >= 0;
}

static void widen(bool first, int64_t value, int64_t *least, int64_t *most)
{
	if (first || value < *least)
		*least = value;
	if (first || value > *most)
		*most = value;
}

static void take(struct model_fault *fault, const struct sample_totals *totals, double *told)
{
	const int64_t wrong = totals->wrong_results > 0 ? totals->wrong_results : 0;
	const bool first = fault->trials == 0;

	widen(first, totals->survived, &fault->least, &fault->most);
	widen(first, totals->wrong_results, &fault->wrong_least, &fault->wrong_most);
	widen(first, fault->workers - totals->survived - wrong, &fault->lost_least,
	      &fault->lost_most);
	fault->kind = (enum fault_kind)totals->fault;
	fault->left |= totals->left;
	fault->trials++;
	if (totals->told_ns >= 0)
		told[fault->told++] = (double)totals->told_ns;
}

int model_fault_read(const struct model *model, uint32_t case_id, struct model_fault *out)
{
	double *told = calloc(model->n_runs + 1, sizeof(*told));

	*out = (struct model_fault) {.workers = plan_leaves(&model->cases[case_id].plan),
				     .least = -1,
				     .most = -1,
				     .told_ns = NAN,
				     .told_most_ns = NAN};
	if (!told)
		return -ENOMEM;
	for (size_t i = 0; i < model->n_runs; i++)
		if (counts(model, &model->runs[i], case_id))
			take(out, &model->runs[i].totals, told);
	if (out->told > 0) {
		out->told_most_ns = stats_select(told, out->told, 1);
		out->told_ns = stats_select(told, out->told, 0.5);
	}
	free(told);
	return 0;
}
