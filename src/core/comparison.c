/* SPDX-License-Identifier: MIT */
#include "core/comparison.h"

#include <math.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"

static const char work_name[] = "work";
static const char via_variable[] = "via";

/*
 * Whether the variable is the way in which share workers increment their counter. Like different
 * kinds of work, ways to increment are never compared; ways to hand over are.
 */
static bool is_way_to_count(const struct sample_case *config, const char *name)
{
	return config->plan.leaves[WORK_SHARE] > 0 && strcmp(name, via_variable) == 0;
}

const struct variable *comparison_work(const struct sample_case *config)
{
	const struct variable *work = variables_find(&config->variables, work_name);

	if (work || config->plan.leaves[WORK_SHARE] == 0)
		return work;
	return variables_find(&config->variables, via_variable);
}

bool comparison_structure(const struct variable *variable)
{
	return strcmp(variable->name, "tree") == 0 || strcmp(variable->name, "stack") == 0;
}

/*
 * The variable "cores" is swept only if its value is a number. For a measured creation its value is
 * a placement, and there is no curve over placements.
 */
bool comparison_swept(const struct variable *variable)
{
	bool cores = strcmp(variable->name, "cores") == 0 && isnan(variable->number);

	return !cores && strcmp(variable->name, via_variable) != 0 &&
	       !comparison_structure(variable) && strcmp(variable->name, work_name) != 0 &&
	       strcmp(variable->name, "placement") != 0;
}

bool comparison_mixed(const struct sample_case *config)
{
	return config->plan.placement > PLAN_PINNED;
}

/*
 * Whether the case is compared with no other case. The case that reads the clock creates no task,
 * and the figures of all other cases include its time. A case whose tasks begin in several places
 * has no single figure.
 */
static bool compares_with_none(const struct sample_case *config)
{
	return config->plan.primitive == PLAN_CALL || comparison_mixed(config);
}

bool comparison_alike(const struct sample_case *a, const struct sample_case *b)
{
	if (a != b && (compares_with_none(a) || compares_with_none(b)))
		return false;
	return variables_equal_but(&a->variables, &b->variables, comparison_structure);
}

bool comparison_same_curve(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(a->model, b->model) == 0 &&
	       variables_equal_but(&a->variables, &b->variables, comparison_swept);
}

/* Whether an earlier case has the same variable with the same value. */
static bool is_value_before(const struct sample_case *cases, uint32_t case_id,
			    const struct variable *variable)
{
	for (uint32_t i = 0; i < case_id; i++)
		if (variables_has(&cases[i].variables, variable))
			return true;
	return false;
}

static uint32_t count_values(const struct sample_case *cases, uint32_t n, const char *name)
{
	uint32_t values = 0;

	if (strcmp(name, work_name) == 0 || (n > 0 && is_way_to_count(cases, name)))
		return 1;
	/* Count the cases with a value of the variable that no earlier case has. */
	for (uint32_t i = 0; i < n; i++) {
		const struct variable *new = variables_find(&cases[i].variables, name);

		if (new && !is_value_before(cases, i, new))
			values++;
	}
	return values;
}

const char *comparison_variable(const struct sample_case *cases, uint32_t n)
{
	const char *name = work_name;
	uint32_t most = 1;

	for (uint32_t i = 0; i < n; i++) {
		const struct variables *variables = &cases[i].variables;

		for (uint32_t j = 0; j < variables->n; j++) {
			const char *other = variables->list[j].name;
			uint32_t before = 0, values;

			/*
			 * Skip a variable that an earlier case has, because it was counted for that
			 * case.
			 */
			while (before < i && !variables_find(&cases[before].variables, other))
				before++;
			if (before < i)
				continue;
			values = count_values(cases, n, other);
			if (values > most) {
				name = other;
				most = values;
			}
		}
	}
	return name;
}

/*
 * Whether both cases have the same value. A case without the variable matches every value, because
 * a curve draws the case as a line over all values.
 */
static bool same_value(const struct sample_case *a, const struct sample_case *b, const char *name)
{
	const struct variable *of_a = variables_find(&a->variables, name);
	const struct variable *of_b = variables_find(&b->variables, name);

	return !of_a || !of_b || strcmp(of_a->value, of_b->value) == 0;
}

static bool is_via(const struct variable *variable)
{
	return strcmp(variable->name, via_variable) == 0;
}

static bool creates(const struct sample_case *cases, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (plan_is_creation(&cases[i].plan))
			return true;
	return false;
}

/*
 * Whether the variable is an amount of work, or of resources for the work. A larger amount
 * obviously takes longer, so the values of an amount are not compared. Exception: the cores of a
 * program are compared, because the program does the same work on any number of cores.
 */
static bool is_amount(const struct sample_case *cases, const char *name)
{
	static const char *const amounts[] = {"workers", "size",       "cores", "tasks", "touch",
					      "clients", "steps",      "wait",	"rate",	 "request",
					      "reply",	 "keep-alive", "idle"};
	static const char workers_of[] = "-workers";
	size_t length = strlen(name), end = strlen(workers_of);
	enum work_kind kind;

	if (cases->plan.leaves[WORK_PROGRAM] > 0 && strcmp(name, "cores") == 0)
		return false;
	for (size_t i = 0; i < LENGTH(amounts); i++)
		if (strcmp(name, amounts[i]) == 0)
			return true;
	return plan_work_parse(name, &kind) == 0 ||
	       (length > end && strcmp(name + length - end, workers_of) == 0);
}

const char *comparison_condition(const struct sample_case *cases, uint32_t n)
{
	const char *name = comparison_variable(cases, n);
	const struct variable *variable = NULL;

	for (uint32_t i = 0; i < n; i++) {
		variable = variables_find(&cases[i].variables, name);
		if (variable)
			break;
	}
	if (!variable || !comparison_swept(variable) || is_amount(cases, name) ||
	    creates(cases, n) || cases->via != VIA_NONE)
		return NULL;
	if (count_values(cases, n, name) > 1)
		return name;
	return NULL;
}

/*
 * The only variable in which two cases of one model differ; NULL if they differ in none, or in
 * several.
 */
static const struct variable *only_difference(const struct sample_case *a,
					      const struct sample_case *b)
{
	const struct variable *only = NULL;

	if (strcmp(a->model, b->model) != 0 || a->variables.n != b->variables.n)
		return NULL;
	for (uint32_t i = 0; i < a->variables.n; i++) {
		const struct variable *variable = &a->variables.list[i];

		if (variables_has(&b->variables, variable))
			continue;
		if (only || !variables_find(&b->variables, variable->name))
			return NULL;
		only = variable;
	}
	return only;
}

bool comparison_of_values(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b)
{
	uint32_t first = MIN(a, b), other = MAX(b, a), i = 0;
	const struct variable *variable = only_difference(&cases[first], &cases[other]);
	const char *name;

	/* The first value is that of the first case that has the variable. */
	while (variable && !variables_find(&cases[i].variables, variable->name))
		i++;
	if (!variable || !variables_has(&cases[i].variables, variable))
		return false;
	name = comparison_condition(cases, n);
	return name && strcmp(name, variable->name) == 0;
}

bool comparison_made(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b)
{
	const struct sample_case *config = &cases[a], *other = &cases[b];

	if (comparison_alike(config, other))
		return true;
	/* Compare ways to hand over, for one model and placement. */
	if (config->via != VIA_NONE)
		return other->via != VIA_NONE && strcmp(config->model, other->model) == 0 &&
		       variables_equal_but(&config->variables, &other->variables, is_via);
	if (creates(cases, n))
		return comparison_same_curve(config, other) && !compares_with_none(config) &&
		       !compares_with_none(other);
	/*
	 * Compare models at one value; also compare cases that differ in other variables at this
	 * value.
	 */
	if (same_value(config, other, comparison_variable(cases, n)) &&
	    same_value(config, other, work_name) &&
	    (!is_way_to_count(config, via_variable) || same_value(config, other, via_variable)))
		return true;
	return comparison_of_values(cases, n, a, b);
}
