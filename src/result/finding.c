/* SPDX-License-Identifier: MIT */
#include "result/finding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/comparison.h"
#include "model/model.h"

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
		 * The case is faster than the fastest one so far, or the fastest so far has no
		 * measured trial.
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
				out->excluded = fmax(out->excluded, finding_excluded(&c.ratio));
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

bool finding_wants_log(const double *values, size_t n)
{
	return n > 2 && values[0] > 0 && values[n / 2] < values[n - 1] / 4;
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
	double *scratch = calloc(model->n_runs + model->n_cases + 1, sizeof(*scratch));
	size_t n = 0;
	int err = 0;

	*out = (struct finding_crosses) {.n = 0};
	if (!points || !scratch)
		err = -ENOMEM;
	/* Read the ratios along the two curves: a point for each value that both have. */
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variable *swept = model_swept(&model->cases[i]);
		uint32_t other = finding_partner(model, i, b);
		struct model_comparison c;

		if (err)
			break;
		if (!comparison_same_curve(&model->cases[i], &model->cases[a]) ||
		    other == model->n_cases || !swept)
			continue;
		err = model_compare(model, i, other, metric, &c);
		points[n++] = (struct crossover_point) {
			swept->number, c.ratio, model_median(model, i, metric, scratch, NULL),
			model_median(model, other, metric, scratch, NULL)};
		out->pairs = MAX(c.pairs, out->pairs);
		out->decided += c.verdict != STATS_TOO_FEW;
	}
	if (!err && n > 0) {
		qsort(points, n, sizeof(*points), array_by_double);
		for (size_t i = 0; i < n; i++)
			scratch[i] = points[i].x;
		out->n = crossover_find(points, n, finding_wants_log(scratch, n), out->cross,
					FINDING_CROSSES);
	}
	if (out->n > FINDING_CROSSES)
		out->n = FINDING_CROSSES;
	free(points);
	free(scratch);
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
		/* Divide the ratio by FINDING_POOL_LEAST. Skip inconclusive values. */
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
	size_t crosses = crossover_find(points, n, false, &found, 1), matters = 0, none = 0;

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
