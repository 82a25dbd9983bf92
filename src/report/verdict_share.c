/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include "model/model_step.h"

/* Workers that were not together shared nothing: what is said of that instead of a figure. */

/* Trials of the case that were measured and withheld. */
static uint32_t withheld(const struct model *model, uint32_t case_id, uint32_t *trials)
{
	uint32_t n = 0;

	*trials = 0;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id != case_id || !model_measured(model, run))
			continue;
		++*trials;
		n += model_withheld(run);
	}
	return n;
}

/* " Without a lock up to 53 % of the increments were lost (threads via=plain workers=2): …" */
static void say_lost(struct sentence *s, const struct model *model)
{
	const struct model_run *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		double share;

		if (!model_measured(model, run))
			continue;
		share = metric_value(run, METRIC_LOST) / metric_value(run, METRIC_STEPS);
		if (share > most) {
			most = share;
			worst = run;
		}
	}
	if (worst)
		sentence_add(
			s,
			" Without a lock up to %.*f %% of the increments were lost (%s): plain is "
			"no right answer, however fast.",
			most < 0.01 ? 3 : 0, 100 * most, VERDICT_NAME_OF(model, worst->id.case_id));
}

/* " Withheld: threads via=mutex workers=2 (6 of 6 trials), …: …" */
void verdict_share(struct sentence *s, const struct model *model)
{
	uint32_t said = 0, n, trials;

	if (model_step(model) == WORK_SHARE)
		say_lost(s, model);
	for (uint32_t i = 0; i < model->n_cases && model_step(model) == WORK_SHARE; i++) {
		n = withheld(model, i, &trials);
		if (n == 0 || ++said > 3)
			continue;
		sentence_add(s, "%s %s (%u of %u trials)",
			     said > 1 ? "," : " Withheld:", VERDICT_NAME_OF(model, i), n, trials);
	}
	if (said > 3)
		sentence_add(s, " and %u more", said - 3);
	if (said > 0)
		sentence_add(s,
			     ": the workers were at it together for less than %d %% of the "
			     "time, or that is not known.",
			     (int)(100 * MODEL_TOGETHER_LEAST));
}
