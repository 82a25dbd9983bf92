/* SPDX-License-Identifier: MIT */
#include "report/pairs.h"

#include <math.h>
#include <stdlib.h>

static double find_bound(const struct pairs *pairs, const struct stats_interval *ratio)
{
	static const double bounds[] = {1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100};
	const double ends[] = {ratio->estimate, ratio->low, ratio->high};
	double furthest = 0;
	size_t i = 0;

	for (size_t j = 0; j < pairs->n; j++)
		furthest = fmax(furthest, fabs(log(pairs->ratios[j])));
	for (size_t j = 0; j < sizeof(ends) / sizeof(ends[0]); j++)
		furthest = fmax(furthest, fabs(log(ends[j]))); /* leaves out what is NaN */
	while (i < sizeof(bounds) / sizeof(bounds[0]) - 1 && log(bounds[i]) < furthest * 1.02)
		i++;
	return bounds[i];
}

int pairs_read(struct pairs *pairs, const struct model *model,
	       const struct model_comparison *comparison)
{
	int err = model_ratios(model, comparison, &pairs->ratios, &pairs->n);

	pairs->bound = find_bound(pairs, &comparison->ratio);
	return err;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->ratios);
	*pairs = (struct pairs) {.n = 0};
}
