/* SPDX-License-Identifier: MIT */
#include "model/model_sweep.h"

#include <math.h>
#include <string.h>

#include "core/comparison.h"

const struct variable *model_swept(const struct sample_case *one)
{
	const struct variables *variables = &one->variables;

	for (uint32_t i = 0; i < variables->n; i++)
		if (comparison_swept(&variables->list[i]) && !isnan(variables->list[i].number))
			return &variables->list[i];
	return NULL;
}

const char *model_work(const struct sample_case *one)
{
	const struct variable *work = comparison_work(one);

	return work ? work->value : "";
}

bool model_sweeps(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *variables = &model->cases[i].variables;

		for (uint32_t j = 0; j < variables->n; j++)
			if (comparison_swept(&variables->list[j]) ||
			    comparison_work(&model->cases[i]))
				return true;
	}
	return false;
}

/* The case is the first of its curve, and there is a curve. */
static bool begins_curve(const struct model *model, uint32_t case_id)
{
	return model_swept(&model->cases[case_id]) &&
	       model_first(model, case_id, comparison_same_curve) == case_id;
}

int model_curves(const struct model *model,
		 int (*take)(void *arg, const struct model *model, uint32_t a, uint32_t b),
		 void *arg)
{
	int err = 0;

	for (uint32_t a = 0; a < model->n_cases; a++) {
		for (uint32_t b = a + 1; b < model->n_cases && !err; b++) {
			if (begins_curve(model, a) && begins_curve(model, b) &&
			    model_origin(model, a) == model_origin(model, b) &&
			    comparison_alike(&model->cases[a], &model->cases[b]))
				err = take(arg, model, a, b);
		}
	}
	return err;
}
