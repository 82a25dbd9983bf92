/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/stats.h"

const enum model_phase export_phases[EXPORT_PHASES] = {PHASE_CREATE, PHASE_START, PHASE_WORK,
						       PHASE_JOIN};

/* What is summarised of one span over the trials. */
struct spans {
	double *medians, *p99s;
	size_t n;
};

static void take_span(struct spans *spans, const struct model_span *span)
{
	if (span->n == 0)
		return;
	spans->medians[spans->n] = span->median;
	spans->p99s[spans->n++] = span->p99;
}

/* level == levels: all of them. */
static const struct model_level *level_of(const struct model_levels *levels, uint32_t level)
{
	return level == levels->levels ? &levels->all : &levels->level[level];
}

static bool takes_part(const struct model *model, const struct model_run *run, uint32_t icase)
{
	return run->id.icase == icase && export_counts(model, run) &&
	       run->totals.status == SAMPLE_OK && !run->totals.paused && model_levels(model, run);
}

static struct model_span middle(const struct model *model, uint32_t icase, uint32_t level,
				enum model_phase phase, struct spans *spans)
{
	struct model_span out = {.n = 0};

	spans->n = 0;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct model_span *span;

		if (!takes_part(model, run, icase))
			continue;
		span = &level_of(model_levels(model, run), level)->phase[phase];
		out.n = span->n > out.n ? span->n : out.n;
		take_span(spans, span);
	}
	stats_sort(spans->medians, spans->n);
	stats_sort(spans->p99s, spans->n);
	out.median = stats_median(spans->medians, spans->n);
	out.p99 = stats_median(spans->p99s, spans->n);
	return out;
}

int export_levels(const struct model *model, uint32_t icase, struct model_levels *out)
{
	const struct plan *plan = &model->cases[icase].plan;
	double *values = malloc(2 * (model->n_runs + 1) * sizeof(*values));
	struct spans spans = {values, values + model->n_runs + 1, 0};

	if (!values)
		return -ENOMEM;
	*out = (struct model_levels) {.levels = plan->levels, .all.tasks = plan_count(plan)};
	for (uint32_t level = 0; level <= plan->levels; level++) {
		struct model_level *to = level < plan->levels ? &out->level[level] : &out->all;

		if (level < plan->levels)
			plan_level(plan, level, &to->tasks);
		for (int phase = 0; phase < MODEL_PHASES; phase++)
			to->phase[phase] =
				middle(model, icase, level, (enum model_phase)phase, &spans);
	}
	free(values);
	return 0;
}

bool export_has_levels(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!model->cases[i].plan.gated && !plan_is_creation(&model->cases[i].plan))
			return true;
	}
	return false;
}
