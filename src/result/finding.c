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

double finding_excluded(const struct stats_interval *ratio)
{
	return fmax(ratio->high, 1 / ratio->low);
}

struct stats_interval finding_ahead(const struct finding_lead *lead)
{
	if (lead->next.a == lead->lead)
		return lead->next.ratio;
	return stats_inverse(&lead->next.ratio);
}

int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out)
{
	static const enum finding_sure sure_of[] = {
		[STATS_TOO_FEW] = FINDING_FEW,	    [STATS_NONE] = FINDING_NONE,
		[STATS_A] = FINDING_REAL,	    [STATS_B] = FINDING_NONE,
		[STATS_UNPAIRED] = FINDING_MEDIANS,
	};
	uint32_t open = 0, real = 0;
	struct model_comparison c;
	double nearest;
	int err = 0;

	*out = (struct finding_lead) {.lead = cases[0], .pairs = UINT32_MAX, .excluded = NAN};
	for (uint32_t i = 1; i < n; i++) {
		double value;

		if (err)
			break;
		err = model_compare(model, out->lead, cases[i], metric, &c);
		/*
		 * The case is faster than the fastest one so far, or that one has no measured
		 * trial.
		 */
		if (!err && (c.ratio.estimate < 1 ||
			     model_trials(model, c.a, metric, &value, NULL, 1) == 0))
			out->lead = cases[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		if (err)
			break;
		if (cases[i] == out->lead)
			continue;
		err = model_compare(model, out->lead, cases[i], metric, &c);
		if (err)
			break;
		if (out->others)
			nearest = out->next.ratio.estimate;
		else
			nearest = NAN;
		if (out->others == 0 || c.ratio.estimate < nearest ||
		    (isnan(nearest) && !isnan(c.ratio.estimate)))
			out->next = c;
		if (out->others++ == 0 || sure_of[c.verdict] < out->sure)
			out->sure = sure_of[c.verdict];
		out->pairs = MIN(out->pairs, c.pairs);
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n; j++) {
			if (err)
				break;
			err = model_compare(model, cases[i], cases[j], metric, &c);
			real += c.verdict == STATS_A || c.verdict == STATS_B;
			open += c.verdict == STATS_TOO_FEW;
			if (c.verdict == STATS_NONE)
				out->excluded = fmax(out->excluded, finding_excluded(&c.counted));
		}
	if (out->sure == FINDING_NONE) {
		if (open > 0)
			out->sure = FINDING_FEW;
		else if (real > 0)
			out->sure = FINDING_NO_WINNER;
		else
			out->sure = FINDING_NONE;
	}
	if (!err && n == 2 && out->lead == cases[1])
		err = model_compare(model, cases[0], cases[1], metric, &out->next);
	return err;
}

/* The case on b's curve that can be compared with case_id; n_cases if there is none. */
static uint32_t finding_partner(const struct model *model, uint32_t case_id, uint32_t b)
{
	uint32_t i = 0;

	while (i < model->n_cases && (!comparison_same_curve(&model->cases[i], &model->cases[b]) ||
				      !comparison_alike(&model->cases[i], &model->cases[case_id])))
		i++;
	return i;
}

int finding_crosses(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		    struct finding_crosses *out)
{
	struct crossover_point *points = calloc(model->n_cases + 1, sizeof(*points));
	int err = points ? 0 : -ENOMEM;
	size_t n = 0;

	*out = (struct finding_crosses) {.n = 0};
	/* Read the ratios along the two curves: a point for each value that both have. */
	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		const struct variable *swept = model_swept(&model->cases[i]);
		uint32_t other = finding_partner(model, i, b);
		struct model_comparison c;

		if (!comparison_same_curve(&model->cases[i], &model->cases[a]) ||
		    other == model->n_cases || !swept)
			continue;
		err = model_compare(model, i, other, metric, &c);
		points[n++] = (struct crossover_point) {swept->number, c.ratio};
		out->pairs = MAX(c.pairs, out->pairs);
		out->decided += c.verdict != STATS_TOO_FEW;
	}
	if (!err && n > 0) {
		qsort(points, n, sizeof(*points), array_by_double);
		out->n = crossover_find(points, n, out->cross, FINDING_CROSSES);
	}
	if (out->n > FINDING_CROSSES)
		out->n = FINDING_CROSSES;
	free(points);
	return err;
}

bool finding_pool_pair(const struct model *model, uint32_t a, uint32_t b)
{
	const struct plan *pool = &model->cases[a].plan, *each = &model->cases[b].plan;
	const struct variable *swept = model_swept(&model->cases[a]);
	enum work_kind kind;

	return swept &&
	       (strcmp(swept->name, "size") == 0 || plan_work_parse(swept->name, &kind) == 0) &&
	       plan_is_pool(pool) && !plan_serves(pool) && each->tasks > 0 && !plan_is_pool(each) &&
	       pool->task[0] == each->task[0] && pool->fanout[0] == each->batch;
}

/*
 * Reads a point for each length that both cases have, in ascending order. Returns the number of
 * points, or -ENOMEM.
 */
static int read_lengths(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
			struct crossover_point *points, double *values)
{
	struct model_comparison c;
	int n = 0, err;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t other = finding_partner(model, i, b);
		struct stats_interval ratio = {NAN, NAN, NAN};
		double length; /* length of the tasks, ns */

		if (!comparison_same_curve(&model->cases[i], &model->cases[a]) ||
		    other == model->n_cases)
			continue;
		err = model_compare(model, i, other, metric, &c);
		if (err)
			return err;
		length = model_median(model, i, METRIC_OPERATION, values, NULL);
		/* The ratio divided by FINDING_POOL_LEAST. Inconclusive values are skipped. */
		if (c.verdict != STATS_TOO_FEW && c.verdict != STATS_UNPAIRED)
			ratio = (struct stats_interval) {c.ratio.estimate / FINDING_POOL_LEAST,
							 c.ratio.low / FINDING_POOL_LEAST,
							 c.ratio.high / FINDING_POOL_LEAST};
		if (length > 0)
			points[n++] = (struct crossover_point) {log(length), ratio};
	}
	qsort(points, (size_t)n, sizeof(*points), array_by_double);
	return n;
}

/* Sets the answer. If the pool matters again at a greater length, the answer stays open. */
static void answer_pool(const struct crossover_point *points, size_t n, struct finding_pool *out)
{
	struct crossover found;
	size_t crosses = crossover_find(points, n, &found, 1), matters = 0, none = 0;

	out->least = exp(points[0].x);
	out->most = exp(points[n - 1].x);
	for (size_t i = 0; i < n; i++) {
		matters += stats_verdict(&points[i].ratio) == STATS_A;
		none += stats_verdict(&points[i].ratio) == STATS_B;
	}
	if (crosses == 0) {
		if (matters == n)
			out->answer = FINDING_POOL_ALWAYS;
		else if (none == n)
			out->answer = FINDING_POOL_NEVER;
		else
			out->answer = FINDING_POOL_OPEN;
	} else if (crosses == 1 && found.before == STATS_A) {
		out->answer = FINDING_POOL_FOUND;
		out->at = exp(found.at);
		out->low = exp(found.low);
		out->high = exp(found.high);
	}
}

int finding_pool(const struct model *model, uint32_t a, uint32_t b, struct finding_pool *out)
{
	struct crossover_point *points = calloc(model->n_cases + 1, sizeof(*points));
	double *values = calloc(model->n_runs + 1, sizeof(*values));
	static const enum model_metric metrics[] = {METRIC_ELAPSED, METRIC_CPU};
	int n = -ENOMEM;

	for (size_t i = 0; i < LENGTH(metrics); i++) {
		*out = (struct finding_pool) {
			FINDING_POOL_OPEN, metrics[i], NAN, NAN, NAN, NAN, NAN};
		if (points && values)
			n = read_lengths(model, a, b, metrics[i], points, values);
		if (n > 0)
			answer_pool(points, (size_t)n, out);
		if (out->answer != FINDING_POOL_OPEN)
			break;
	}
	free(points);
	free(values);
	if (n < 0)
		return n;
	return 0;
}

bool finding_next_pool(const struct model *model, uint32_t *pool, uint32_t *each)
{
	uint32_t a = MIN(*pool, *each), b = MAX(*pool, *each);

	while (model_next_curves(model, &a, &b)) {
		if (finding_pool_pair(model, a, b))
			*pool = a;
		else
			*pool = b;
		if (*pool == a)
			*each = b;
		else
			*each = a;
		if (finding_pool_pair(model, *pool, *each))
			return true;
	}
	return false;
}

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
	return comparison_variable(model->cases, model->n_cases);
}

/* Finds the kinds of work, unless the work is itself the variable of the curves. */
static void find_work(struct curve *curve, const struct model *model, uint32_t wanted)
{
	const struct variable *first = model->n_cases ? comparison_work(&model->cases[0]) : NULL;
	const char *name = first ? first->name : "work", *works[MODEL_JOIN_CASES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < model->n_cases && strcmp(curve->name, name) != 0; i++) {
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

/* Fills in the points. A case that lacks the variable has a point at each value. */
static int find_points(struct curve *curve, const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		const struct variable *swept = variables_find(&config->variables, curve->name);
		struct curve_point point = {.case_id = (int32_t)i};
		char name[SAMPLE_NAME];
		struct sentence s = {name, sizeof(name), 0};
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
 * Finds the fastest line at a value. The verdict comes from the pairs of trials, because the median
 * of their ratios may differ from the ratio of medians.
 */
static int find_lead(struct curve *curve, const struct model *model, uint32_t value)
{
	struct curve_lead *lead = &curve->lead[value];
	uint32_t cases[CURVE_LINES], n = 0;
	struct finding_lead found;
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
	if (found.sure == FINDING_REAL)
		lead->ahead = finding_ahead(&found).estimate;
	return 0;
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

	/* Compare both lines at each value. NaN if either is unknown there. */
	for (uint32_t v = 0; v < curve->n_values; v++) {
		const struct curve_point *of_a = &curve->point[a][v], *of_b = &curve->point[b][v];
		struct model_comparison c = {.ratio = {NAN, NAN, NAN}};
		int err = 0;

		if (!isnan(of_a->median) && !isnan(of_b->median))
			err = model_compare(model, (uint32_t)of_a->case_id, (uint32_t)of_b->case_id,
					    curve->metric, &c);
		if (err)
			return err;
		points[v] = (struct crossover_point) {curve->value[v].number, c.ratio};
	}
	n = crossover_find(points, curve->n_values, found, CURVE_CROSSES);
	for (size_t i = 0; i < n && curve->n_crosses < CURVE_CROSSES && i < CURVE_CROSSES; i++) {
		struct curve_cross *cross = &curve->cross[curve->n_crosses++];

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
 * Finds all crossings, but not between two recordings: without pairs of trials, a crossing could be
 * chance.
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

bool curve_wants_log(const struct curve *curve)
{
	const struct curve_value *value = curve->value;
	uint32_t n = curve->n_values;

	return curve->numeric && n > 2 && value[0].number > 0 &&
	       value[n / 2].number < value[n - 1].number / 4;
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
	for (uint32_t i = 0; i < model->n_cases && curve->n_values < CURVE_VALUES; i++) {
		const struct sample_case *config = &model->cases[i];
		const struct variable *found = variables_find(&config->variables, curve->name);
		struct curve_value *value = &curve->value[curve->n_values];
		bool known = false;

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
	/* If neither more nor less of a metric is better, no line is fastest. */
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
