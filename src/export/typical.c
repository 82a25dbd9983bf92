/* SPDX-License-Identifier: MIT */
#include "typical.h"

#include <math.h>

#include "report/report.h"

const struct model_run *typical_run(const struct model *model, uint32_t case_id)
{
	const struct model_run *best = NULL;
	struct report_summary summary;
	double nearest = INFINITY;

	if (report_summarize(model, case_id, model_headline(model), &summary) != 0 ||
	    summary.n == 0)
		return model_latest(model, case_id);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		double distance =
			fabs(metric_value(run, model_headline(model)) - summary.median.estimate);

		if (run->id.case_id == case_id && model_measured(model, run) &&
		    distance < nearest) {
			best = run;
			nearest = distance;
		}
	}
	return best;
}
