/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <math.h>
#include <string.h>

#include "core/comparison.h"
#include "model/model_sweep.h"

/* One model at the values of a condition: each with the first. */

/* How far from 1, whichever takes longer. */
static double times_of(const struct model_comparison *c)
{
	return fmax(c->ratio.estimate, 1 / c->ratio.estimate);
}

static void take(struct finding_values *values, const struct model_comparison *c)
{
	bool real = c->verdict == STATS_A || c->verdict == STATS_B;
	bool none = c->verdict == STATS_NONE;

	values->others++;
	values->real += real;
	values->none += none;
	if (none)
		values->excluded = fmax(values->excluded, finding_excluded(&c->ratio));
	if (!real && !none)
		finding_behind(&values->progress, &(struct finding_progress) {c->pairs, c->planned,
									      c->least, c->ended});
	if (real &&
	    (values->greatest.a == values->greatest.b || times_of(c) > times_of(&values->greatest)))
		values->greatest = *c;
}

/* The others at which that model has another value than in the case. */
static int take_others(const struct model *model, uint32_t first, struct finding_values *values)
{
	struct model_comparison c;
	int err = 0;

	*values = (struct finding_values) {
		.first = first, .excluded = NAN, .progress = {UINT32_MAX, .ended = true}};
	for (uint32_t i = first + 1; i < model->n_cases && !err; i++) {
		if (!comparison_of_values(model->cases, model->n_cases, first, i))
			continue;
		err = model_compare(model, first, i, model_headline(model), &c);
		if (!err)
			take(values, &c);
	}
	values->progress.stopped = model_over(model);
	return err;
}

int finding_values(const struct model *model, struct finding *finding)
{
	const struct sample_case *cases = model->cases;
	int err = 0;

	if (model->n_origins > 0 || !comparison_condition(cases, model->n_cases))
		return 0;
	for (uint32_t i = finding->first; i < model->n_cases && !err; i++) {
		struct finding_values *values = &finding->values[finding->n_values];

		if (finding->n_values == FINDING_MODELS)
			break;
		if (!finding_same_work(&cases[finding->first], &cases[i]))
			continue;
		err = take_others(model, i, values);
		finding->n_values += values->others > 0;
	}
	return err;
}
