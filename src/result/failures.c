/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <stdlib.h>
#include <sys/param.h>

#include "model/model.h"

bool report_counts(const struct model *model, const struct model_run *run)
{
	return run->id.trial > 0 && model_ended(model, run) && !model_is_replaced(model, run);
}

uint32_t report_failed_trials(const struct model *model, uint32_t case_id, const char **why)
{
	uint32_t failed = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const uint8_t status = run->totals.status;

		if (run->id.case_id != case_id || !report_counts(model, run) ||
		    status == SAMPLE_INTERRUPTED)
			continue;
		if (status == SAMPLE_OK)
			return 0;
		failed++;
		if (why)
			*why = run->totals.reason;
	}
	return failed;
}

uint64_t report_exit_status(const struct model *model, const struct model_run *run)
{
	const struct plan *plan = model_plan(model, run);
	uint64_t status = 0;

	if (run->workers.gone || plan->leaves[WORK_PROGRAM] == 0)
		return 0;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		struct plan_node node;

		plan_node(plan, i, &node);
		if (node.work == WORK_PROGRAM && status == 0)
			status = model_known(run, i).result;
	}
	return status;
}

bool report_run_failed(const struct model *model, const struct model_run *run)
{
	const uint8_t status = run->totals.status;

	return report_counts(model, run) && status != SAMPLE_OK && status != SAMPLE_INTERRUPTED &&
	       !model_has_faults(model);
}

uint32_t report_failed_pairs(const struct model *model, uint32_t a, uint32_t b, uint32_t *trials)
{
	enum { RAN = 1, FAILED = 2 };
	uint32_t failed = 0, last = 0;
	uint8_t *seen; /* By trial. */

	*trials = 0;
	for (size_t i = 0; i < model->n_runs; i++)
		last = MAX(last, model->runs[i].id.trial);
	seen = calloc(last + 1, sizeof(*seen));
	if (!seen)
		return 0;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if ((run->id.case_id != a && run->id.case_id != b) || !report_counts(model, run))
			continue;
		seen[run->id.trial] |= RAN;
		if (report_run_failed(model, run))
			seen[run->id.trial] |= FAILED;
	}
	for (uint32_t i = 0; i <= last; i++) {
		*trials += seen[i] != 0;
		failed += (seen[i] & FAILED) != 0;
	}
	free(seen);
	return failed;
}
