/* SPDX-License-Identifier: MIT */
#include "model/finding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/comparison.h"
#include "model/model_sweep.h"

double finding_excluded(const struct stats_interval *ratio)
{
	return fmax(ratio->high, 1 / ratio->low);
}

struct stats_interval finding_ahead(const struct finding_lead *lead)
{
	return lead->next.a == lead->lead ? lead->next.ratio : stats_inverse(&lead->next.ratio);
}

/* Case b took less, or a has no measured trial. */
static bool overtakes(const struct model *model, const struct model_comparison *c)
{
	double value;

	return c->ratio.estimate < 1 || model_trials(model, c->a, c->metric, &value, NULL, 1) == 0;
}

/* Takes the comparison of the lead with another one. */
static void take(struct finding_lead *lead, const struct model_comparison *c)
{
	static const enum finding_sure sure_of[] = {
		[STATS_TOO_FEW] = FINDING_FEW,	    [STATS_NONE] = FINDING_NONE,
		[STATS_A] = FINDING_REAL,	    [STATS_B] = FINDING_NONE,
		[STATS_UNPAIRED] = FINDING_MEDIANS,
	};
	double nearest = lead->others ? lead->next.ratio.estimate : NAN;

	if (lead->others == 0 || c->ratio.estimate < nearest ||
	    (isnan(nearest) && !isnan(c->ratio.estimate)))
		lead->next = *c;
	if (lead->others == 0 || sure_of[c->verdict] < lead->sure)
		lead->sure = sure_of[c->verdict];
	lead->others++;
	lead->pairs = c->pairs < lead->pairs ? c->pairs : lead->pairs;
}

int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out)
{
	uint32_t open = 0, real = 0;
	struct model_comparison c;
	int err = 0;

	*out = (struct finding_lead) {.lead = cases[0], .pairs = UINT32_MAX, .excluded = NAN};
	for (uint32_t i = 1; i < n && !err; i++) {
		err = model_compare(model, out->lead, cases[i], metric, &c);
		if (!err && overtakes(model, &c))
			out->lead = cases[i];
	}
	for (uint32_t i = 0; i < n && !err; i++) {
		if (cases[i] == out->lead)
			continue;
		err = model_compare(model, out->lead, cases[i], metric, &c);
		if (!err)
			take(out, &c);
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n && !err; j++) {
			err = model_compare(model, cases[i], cases[j], metric, &c);
			real += c.verdict == STATS_A || c.verdict == STATS_B;
			open += c.verdict == STATS_TOO_FEW;
			if (c.verdict == STATS_NONE)
				out->excluded = fmax(out->excluded, finding_excluded(&c.ratio));
		}
	if (out->sure == FINDING_NONE)
		out->sure = open > 0 ? FINDING_FEW : real > 0 ? FINDING_NO_WINNER : FINDING_NONE;
	if (!err && n == 2 && out->lead == cases[1])
		err = model_compare(model, cases[0], cases[1], metric, &out->next);
	return err;
}

uint32_t finding_partner(const struct model *model, uint32_t one, uint32_t b)
{
	uint32_t i = 0;

	while (i < model->n_cases && (!comparison_same_curve(&model->cases[i], &model->cases[b]) ||
				      !comparison_alike(&model->cases[i], &model->cases[one])))
		i++;
	return i;
}

static int compare_points(const void *left, const void *right)
{
	const struct crossover_point *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

/* The ratios along the two curves; a point for each value that both have. Returns how many. */
static int read_points(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		       struct crossover_point *points, struct finding_crosses *out)
{
	struct model_comparison comparison;
	int n = 0, err = 0;

	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		const struct variable *swept = model_swept(&model->cases[i]);
		uint32_t other = finding_partner(model, i, b);

		if (!comparison_same_curve(&model->cases[i], &model->cases[a]) ||
		    other == model->n_cases || !swept)
			continue;
		err = model_compare(model, i, other, metric, &comparison);
		points[n++] = (struct crossover_point) {swept->number, comparison.ratio};
		out->pairs = comparison.pairs > out->pairs ? comparison.pairs : out->pairs;
		out->decided += comparison.verdict != STATS_TOO_FEW;
	}
	qsort(points, (size_t)n, sizeof(*points), compare_points);
	return err ? err : n;
}

int finding_crosses(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		    struct finding_crosses *out)
{
	struct crossover_point *points = calloc(model->n_cases + 1, sizeof(*points));
	int n = -ENOMEM;

	*out = (struct finding_crosses) {.n = 0};
	if (points)
		n = read_points(model, a, b, metric, points, out);
	if (n > 0)
		out->n = crossover_find(points, (size_t)n, out->cross, FINDING_CROSSES);
	if (out->n > FINDING_CROSSES)
		out->n = FINDING_CROSSES;
	free(points);
	return n < 0 ? n : 0;
}
