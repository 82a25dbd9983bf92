/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <string.h>

#include "core/comparison.h"

/* The candidates of a vote. They follow from the cases alone, so they are known before any run. */

bool model_varies(const struct model *model, const char *name)
{
	const struct variable *one = NULL;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *other = variables_find(&model->cases[i].variables, name);

		if (one && other && strcmp(one->value, other->value) != 0)
			return true;
		if (other)
			one = other;
	}
	return false;
}

/* The case that only reads the clock creates no task, so nobody votes on it. */
static bool is_no_candidate(const struct sample_case *config)
{
	return config->plan.primitive == PLAN_CALL;
}

const char *model_candidate_variable(const struct model *model)
{
	static const char *const ways[] = {"work", "via"};
	const struct sample_case *first = NULL;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];

		if (is_no_candidate(config))
			continue;
		if (!first)
			first = config;
		if (!model_same_identity(first, config))
			return NULL;
	}
	for (int i = 0; i < 2; i++)
		if (model_varies(model, ways[i]))
			return ways[i];
	return comparison_variable(model->cases, model->n_cases);
}

/* Whether all variables but this one are equal. */
static bool only_differs_in(const struct sample_case *a, const struct sample_case *b,
			    const char *name)
{
	for (uint32_t i = 0; i < a->variables.n; i++) {
		const struct variable *variable = &a->variables.list[i];

		if (strcmp(variable->name, name) != 0 && !variables_has(&b->variables, variable))
			return false;
	}
	return true;
}

/* Whether both cases are the same candidate. by: model_candidate_variable(). */
static bool is_same_candidate(const struct sample_case *a, const struct sample_case *b,
			      const char *by)
{
	const struct variable *value;

	if (!by)
		return model_same_identity(a, b);
	value = variables_find(&a->variables, by);
	return !value || variables_has(&b->variables, value);
}

/* Whether the case has the values of `beside`, except for what makes it another candidate. */
static bool is_beside(const struct sample_case *config, const struct sample_case *beside,
		      const char *by)
{
	if (by)
		return only_differs_in(config, beside, by);
	return comparison_alike(config, beside);
}

uint32_t model_candidates(const struct model *model, uint32_t beside,
			  uint32_t list[SAMPLE_MAX_CASES])
{
	const struct sample_case *cases = model->cases;
	const char *by = model_candidate_variable(model);
	uint32_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t at = 0;

		if (is_no_candidate(&cases[i]))
			continue;
		while (at < n && !is_same_candidate(&cases[list[at]], &cases[i], by))
			at++;
		if (at == n)
			list[n++] = i;
		else if (is_beside(&cases[i], &cases[beside], by) &&
			 !is_beside(&cases[list[at]], &cases[beside], by))
			list[at] = i;
	}
	return n;
}

uint32_t model_last_candidate(const struct model *model)
{
	for (uint32_t i = model->n_cases; i > 0; i--)
		if (!is_no_candidate(&model->cases[i - 1]) &&
		    !comparison_mixed(&model->cases[i - 1]))
			return i - 1;
	return 0;
}
