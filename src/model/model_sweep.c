/* SPDX-License-Identifier: MIT */
#include "model/model_sweep.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static bool is_structure(const struct variable *variable)
{
	return strcmp(variable->name, "tree") == 0 || strcmp(variable->name, "stack") == 0;
}

static bool is_work(const struct variable *variable)
{
	return strcmp(variable->name, "work") == 0;
}

static bool is_swept(const struct variable *variable)
{
	return !is_structure(variable) && !is_work(variable);
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
			if (!is_structure(&variables->list[j]))
				return true;
	}
	return false;
}

/* What the clock takes is a part of all the others. */
static bool creates_nothing(const struct sample_case *one)
{
	return one->plan.primitive == PLAN_CALL;
}

bool model_comparable(const struct sample_case *a, const struct sample_case *b)
{
	if (a != b && (creates_nothing(a) || creates_nothing(b)))
		return false;
	return variables_equal_but(&a->variables, &b->variables, is_structure);
}

bool model_same_curve(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(a->model, b->model) == 0 &&
	       variables_equal_but(&a->variables, &b->variables, is_swept);
}

/* The case on b's curve that is comparable with the one; n_cases where there is none. */
static uint32_t partner(const struct model *model, uint32_t one, uint32_t b)
{
	uint32_t i = 0;

	while (i < model->n_cases && (!model_same_curve(&model->cases[i], &model->cases[b]) ||
				      !model_comparable(&model->cases[i], &model->cases[one])))
		i++;
	return i;
}

static int compare_points(const void *left, const void *right)
{
	const struct crossover_point *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

/* The ratios along the two curves; a point for each value that both have. */
static int read_points(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		       struct crossover_point *points, size_t *n)
{
	struct model_comparison comparison;
	int err = 0;

	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		const struct variable *swept = model_swept(&model->cases[i]);
		uint32_t other = partner(model, i, b);

		if (!model_same_curve(&model->cases[i], &model->cases[a]) ||
		    other == model->n_cases || !swept)
			continue;
		err = model_compare(model, i, other, metric, &comparison);
		points[(*n)++] = (struct crossover_point) {swept->number, comparison.ratio};
	}
	qsort(points, *n, sizeof(*points), compare_points);
	return err;
}

int model_crossovers(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     struct crossover *out, size_t most, size_t *n)
{
	struct crossover_point *points = calloc(model->n_cases + 1, sizeof(*points));
	size_t n_points = 0;
	int err = -ENOMEM;

	*n = 0;
	if (points)
		err = read_points(model, a, b, metric, points, &n_points);
	if (!err)
		*n = crossover_find(points, n_points, out, most);
	free(points);
	return err;
}

/* Between 4 and 6 workers a half matters; between 300 and 500 lines it does not. */
static void format_at(double at, char *buf, size_t size)
{
	if (at < 9.95 && at != round(at))
		snprintf(buf, size, "%.1f", at);
	else
		units_format_exact(buf, size, (uint64_t)round(at));
}

char *model_crossover_text(const struct crossover *found, char *buf, size_t size)
{
	char at[32], low[32], high[32];

	format_at(found->at, at, sizeof(at));
	snprintf(buf, size, "%s (%s to %s)", at,
		 units_format_exact(low, sizeof(low), (uint64_t)found->low),
		 units_format_exact(high, sizeof(high), (uint64_t)found->high));
	return buf;
}

/* Whether it is the first case of its curve, and there is a curve. */
static bool begins_curve(const struct model *model, uint32_t icase)
{
	if (!model_swept(&model->cases[icase]))
		return false;
	for (uint32_t i = 0; i < icase; i++) {
		if (model_same_curve(&model->cases[i], &model->cases[icase]))
			return false;
	}
	return true;
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
