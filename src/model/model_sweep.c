/* SPDX-License-Identifier: MIT */
#include "model/model_sweep.h"
#include "model/model_latency.h"

#include <math.h>
#include <string.h>

static bool is_structure(const struct variable *variable)
{
	return strcmp(variable->name, "tree") == 0 || strcmp(variable->name, "stack") == 0;
}

static bool is_work(const struct variable *variable)
{
	return strcmp(variable->name, "work") == 0;
}

/* Where tasks are created has an answer for each placement, and no curve. */
static bool is_placement(const struct variable *variable)
{
	return strcmp(variable->name, "placement") == 0;
}

static bool is_swept(const struct variable *variable)
{
	return !is_structure(variable) && !is_work(variable) && !is_placement(variable);
}

const struct variable *model_swept(const struct sample_case *one)
{
	const struct variables *variables = &one->variables;

	for (uint32_t i = 0; i < variables->n; i++)
		if (is_swept(&variables->list[i]) && !isnan(variables->list[i].number))
			return &variables->list[i];
	return NULL;
}

const char *model_work(const struct sample_case *one)
{
	const struct variable *work = variables_find(&one->variables, "work");

	return work ? work->value : "";
}

bool model_sweeps(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *variables = &model->cases[i].variables;

		for (uint32_t j = 0; j < variables->n; j++)
			if (!is_structure(&variables->list[j]) &&
			    !is_placement(&variables->list[j]))
				return true;
	}
	return false;
}

/*
 * The case that measures the clock creates no task: its time is in theirs. One whose tasks begin
 * in several places has no figure that could be compared.
 */
static bool compares_with_none(const struct sample_case *one)
{
	return one->plan.primitive == PLAN_CALL || model_latency_mixed(one);
}

bool model_comparable(const struct sample_case *a, const struct sample_case *b)
{
	if (a != b && (compares_with_none(a) || compares_with_none(b)))
		return false;
	return variables_equal_but(&a->variables, &b->variables, is_structure);
}

bool model_same_curve(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(a->model, b->model) == 0 &&
	       variables_equal_but(&a->variables, &b->variables, is_swept);
}

/* The case is the first of its curve, and there is a curve. */
static bool begins_curve(const struct model *model, uint32_t case_id)
{
	return model_swept(&model->cases[case_id]) &&
	       model_first(model, case_id, model_same_curve) == case_id;
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
			    model_comparable(&model->cases[a], &model->cases[b]))
				err = take(arg, model, a, b);
		}
	}
	return err;
}
