/* SPDX-License-Identifier: MIT */
#include "finding_parts.h"

#include <errno.h>
#include <stdlib.h>

#include "core/comparison.h"
#include "model/model_sweep.h"

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
