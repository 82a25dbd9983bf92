/* SPDX-License-Identifier: MIT */
#include "result/finding.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "core/comparison.h"
#include "model/model.h"
#include "result/report.h"

bool curve_swept(const struct model *model)
{
	const struct variables *first = NULL;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *variables = &model->cases[i].variables;

		if (variables->n > 0 && first && !variables_equal(first, variables))
			return true;
		if (variables->n > 0 && !first)
			first = variables;
	}
	return false;
}

const char *curve_variable(const struct model *model)
{
	const char *name = comparison_variable(model->cases, model->n_cases);

	/* If only the way to count varies, the curve is over the ways. */
	if (strcmp(name, "work") == 0 && !model_varies(model, name) && model_varies(model, "via"))
		return "via";
	return name;
}

/* Finds the kinds of work, unless the work is itself the variable of the curves. */
static void find_work(struct curve *curve, const struct model *model, uint32_t wanted)
{
	const struct variable *first = NULL;
	const char *name = "work", *works[MODEL_JOIN_CASES];
	uint32_t n = 0;

	if (model->n_cases > 0)
		first = comparison_work(&model->cases[0]);
	if (first)
		name = first->name;
	if (strcmp(curve->name, name) == 0)
		return;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *work = variables_find(&model->cases[i].variables, name);
		bool known = !work;

		for (uint32_t k = 0; k < i; k++) {
			if (known)
				break;
			known = variables_has(&model->cases[k].variables, work);
		}
		if (!known)
			works[n++] = work->value;
	}
	curve->n_works = n;
	if (n == 0)
		return;
	snprintf(curve->work, sizeof(curve->work), "%s", works[wanted % n]);
	snprintf(curve->next_work, sizeof(curve->next_work), "%s", works[(wanted + 1) % n]);
}

static bool case_belongs(const struct curve *curve, const struct sample_case *config)
{
	const struct variable *work = comparison_work(config);

	return !curve->n_works || !work || strcmp(work->value, curve->work) == 0;
}

/* Fills in the points. A case that lacks the swept variable has a point at each value. */
static int find_points(struct curve *curve, const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		const struct variable *swept = variables_find(&config->variables, curve->name);
		struct curve_point point = {.case_id = (int32_t)i};
		char name[SAMPLE_NAME];
		struct sentence s = sentence_in(name, sizeof(name));
		struct report_summary summary;
		uint32_t line = 0;

		if (!case_belongs(curve, config))
			continue;
		if (report_summarize(model, i, curve->metric, &summary))
			return -ENOMEM;
		point.n = (uint32_t)summary.n;
		point.median = summary.median.estimate;
		point.least = summary.least;
		point.most = summary.most;
		/* The name: the model, and the variables other than the swept one and the work. */
		sentence_add(&s, "%s", config->model);
		for (uint32_t k = 0; k < config->variables.n; k++) {
			const struct variable *variable = &config->variables.list[k];

			if (strcmp(variable->name, curve->name) != 0 &&
			    variable != comparison_work(config))
				sentence_add(&s, " %s=%s", variable->name, variable->value);
		}
		while (line < curve->n_lines && strcmp(curve->line[line].name, name) != 0)
			line++;
		if (line == CURVE_LINES)
			continue;
		if (line == curve->n_lines) {
			snprintf(curve->line[line].name, sizeof(curve->line[line].name), "%s",
				 name);
			curve->line[line].case_id = i;
			curve->n_lines++;
		}
		for (uint32_t v = 0; v < curve->n_values; v++)
			if (!swept || strcmp(swept->value, curve->value[v].text) == 0)
				curve->point[line][v] = point;
	}
	return 0;
}

/* The line with the lowest median at a value, except line `but`; -1 if none. */
static int least_line(const struct curve *curve, uint32_t value, int but)
{
	int least = -1;

	for (int i = 0; i < (int)curve->n_lines; i++)
		if (i != but && !isnan(curve->point[i][value].median) &&
		    (least < 0 ||
		     curve->point[i][value].median < curve->point[least][value].median))
			least = i;
	return least;
}

/*
 * Finds the fastest line at a value. Takes the verdict from the pairs of trials, because the median
 * of their ratios may differ from the ratio of the medians.
 */
static int find_lead(struct curve *curve, const struct model *model, uint32_t value)
{
	struct curve_lead *lead = &curve->lead[value];
	uint32_t cases[CURVE_LINES], n = 0;
	struct finding_lead found;
	double paired;
	int next, err;

	*lead = (struct curve_lead) {FINDING_UNKNOWN, least_line(curve, value, -1), NAN, NAN};
	if (lead->line < 0 || least_line(curve, value, lead->line) < 0)
		return 0;
	for (uint32_t i = 0; i < curve->n_lines; i++)
		if (!isnan(curve->point[i][value].median))
			cases[n++] = (uint32_t)curve->point[i][value].case_id;
	err = finding_among(model, cases, n, curve->metric, &found);
	if (err)
		return err;
	lead->sure = found.sure;
	lead->excluded = found.excluded;
	if (found.sure == FINDING_REAL) {
		for (int line = 0; line < (int)curve->n_lines; line++) {
			if (curve->point[line][value].case_id == (int32_t)found.lead)
				lead->line = line;
		}
	}
	next = least_line(curve, value, lead->line);
	lead->ahead = curve->point[next][value].median / curve->point[lead->line][value].median;
	paired = finding_ahead(&found).estimate;
	if (found.sure == FINDING_REAL || (n == 2 && !isnan(paired)))
		lead->ahead = fmax(paired, 1 / paired);
	return 0;
}

bool curve_wants_log(const struct curve *curve)
{
	double values[CURVE_VALUES];

	for (uint32_t i = 0; i < curve->n_values; i++)
		values[i] = curve->value[i].number;
	return curve->numeric && finding_wants_log(values, curve->n_values);
}

/*
 * Adds the crossings of two lines where the significantly faster line changes. Returns 0 or
 * -ENOMEM.
 */
static int add_crosses(struct curve *curve, const struct model *model, int a, int b)
{
	struct crossover_point points[CURVE_VALUES];
	struct crossover found[CURVE_CROSSES];
	size_t n;

	/* Compare both lines at each value. The result is NaN where either line is unknown. */
	for (uint32_t v = 0; v < curve->n_values; v++) {
		const struct curve_point *of_a = &curve->point[a][v], *of_b = &curve->point[b][v];
		struct model_comparison c = {.ratio = {NAN, NAN, NAN}};
		int err = 0;

		if (!isnan(of_a->median) && !isnan(of_b->median))
			err = model_compare(model, (uint32_t)of_a->case_id, (uint32_t)of_b->case_id,
					    curve->metric, &c);
		if (err)
			return err;
		points[v] = (struct crossover_point) {curve->value[v].number, c.ratio, of_a->median,
						      of_b->median};
	}
	n = crossover_find(points, curve->n_values, curve_wants_log(curve), found, CURVE_CROSSES);
	for (size_t i = 0; i < MIN(n, CURVE_CROSSES); i++) {
		struct curve_cross *cross = &curve->cross[curve->n_crosses];

		if (curve->n_crosses == CURVE_CROSSES)
			break;
		curve->n_crosses++;
		*cross = (struct curve_cross) {found[i].at, a, b, (int)found[i].from,
					       (int)found[i].to};
		if (found[i].before != STATS_A) {
			cross->a = b;
			cross->b = a;
		}
	}
	return 0;
}

/*
 * Finds all crossings, except of lines from two recordings: without pairs of trials, such a
 * crossing could be chance.
 */
static int find_crosses(struct curve *curve, const struct model *model)
{
	for (int a = 0; a < (int)curve->n_lines; a++)
		for (int b = a + 1; b < (int)curve->n_lines; b++) {
			int err;

			if (model_origin(model, curve->line[a].case_id) !=
			    model_origin(model, curve->line[b].case_id))
				continue;
			err = add_crosses(curve, model, a, b);
			if (err)
				return err;
		}
	qsort(curve->cross, curve->n_crosses, sizeof(curve->cross[0]), array_by_double);
	return 0;
}

int curve_read(struct curve *curve, const struct model *model, enum model_metric metric,
	       uint32_t work)
{
	int err;

	memset(curve, 0, sizeof(*curve));
	curve->metric = metric;
	snprintf(curve->name, sizeof(curve->name), "%s", curve_variable(model));
	find_work(curve, model, work);
	curve->numeric = true;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		const struct variable *found = variables_find(&config->variables, curve->name);
		struct curve_value *value = &curve->value[curve->n_values];
		bool known = false;

		if (curve->n_values == CURVE_VALUES)
			break;
		if (found)
			for (uint32_t v = 0; v < curve->n_values; v++)
				known |= strcmp(curve->value[v].text, found->value) == 0;
		if (!found || known || !case_belongs(curve, config))
			continue;
		snprintf(value->text, sizeof(value->text), "%s", found->value);
		value->number = found->number;
		curve->numeric &= !isnan(value->number);
		curve->n_values++;
	}
	if (curve->numeric)
		qsort(curve->value, curve->n_values, sizeof(curve->value[0]), array_by_double);
	for (int line = 0; line < CURVE_LINES; line++)
		for (int v = 0; v < CURVE_VALUES; v++)
			curve->point[line][v] = (struct curve_point) {-1, 0, NAN, NAN, NAN};
	err = find_points(curve, model);
	/* A line can be the fastest only if a higher value of the metric is worse. */
	for (uint32_t v = 0; v < curve->n_values; v++)
		curve->lead[v] = (struct curve_lead) {FINDING_UNKNOWN, -1, NAN, NAN};
	if (!metric_is(metric, METRIC_MORE_IS_WORSE))
		return err;
	for (uint32_t v = 0; v < curve->n_values; v++) {
		if (err)
			break;
		err = find_lead(curve, model, v);
	}
	if (!err && curve->numeric)
		err = find_crosses(curve, model);
	return err;
}
