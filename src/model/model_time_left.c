/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <math.h>

/* The newest durations of each case that the estimate uses. */
#define RECENT 64

/* The median duration of the case's newest measured runs, warm-ups too; NaN without any. */
static double typical_span(const struct model *model, uint32_t case_id)
{
	double spans[RECENT];
	size_t n = 0;

	for (size_t i = model_runs_ended(model); i-- > 0 && n < RECENT;) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && run->totals.status == SAMPLE_OK &&
		    !run->totals.paused)
			spans[n++] = (double)(run->end_ns - run->begin_ns);
	}
	return stats_select(spans, n, 0.5);
}

/* The average time between runs: the next runner starts, files are read. */
static double typical_gap(const struct model *model)
{
	size_t begun = model_runs_begun(model);
	double gaps = 0;

	for (size_t i = 1; i < begun; i++)
		gaps += (double)(model->runs[i].begin_ns - model->runs[i - 1].end_ns);
	return begun > 1 ? gaps / (double)(begun - 1) : 0;
}

static double mean_span(const struct model *model)
{
	double sum = 0;
	uint32_t known = 0;

	for (uint32_t case_id = 0; case_id < model->n_cases; case_id++) {
		double span = typical_span(model, case_id);

		sum += isnan(span) ? 0 : span;
		known += !isnan(span);
	}
	return known > 0 ? sum / known : NAN;
}

/* The runs of the case that are yet to begin; every case has as many. */
static uint32_t runs_to_come(const struct model *model, uint32_t case_id)
{
	size_t begun = model_runs_begun(model);
	uint32_t planned = model->runs[begun - 1].id.planned / model->n_cases, of_case = 0;

	for (size_t i = 0; i < begun; i++)
		of_case += model->runs[i].id.case_id == case_id;
	return planned > of_case ? planned - of_case : 0;
}

/* The time the case still takes: its runs to come and the rest of the running one. */
static double time_of_case(const struct model *model, uint32_t case_id, double fallback)
{
	const struct model_run *running = model_running(model);
	double span = typical_span(model, case_id), left;

	if (isnan(span))
		span = fallback;
	left = runs_to_come(model, case_id) * (span + typical_gap(model));
	if (running && running->id.case_id == case_id)
		left += fmax(0, span - (double)model_elapsed(model, running));
	return left;
}

int64_t model_time_left(const struct model *model)
{
	double left = 0, fallback;

	if (model_over(model))
		return 0;
	if (model_runs_begun(model) == 0)
		return -1;
	fallback = mean_span(model);
	if (isnan(fallback))
		return -1;
	for (uint32_t case_id = 0; case_id < model->n_cases; case_id++)
		left += time_of_case(model, case_id, fallback);
	return (int64_t)left;
}
