/* SPDX-License-Identifier: MIT */
#include "model_series.h"

#include <errno.h>
#include <stdlib.h>

int model_series_read(struct model_series two[2], const struct model *model, uint32_t a, uint32_t b,
		      enum model_metric metric)
{
	size_t max = model->n_runs;
	double *values = calloc(2 * max + 1, sizeof(*values));
	uint32_t *trials = calloc(2 * max + 1, sizeof(*trials));

	two[0] = (struct model_series) {values, trials, 0};
	two[1] = (struct model_series) {values + max, trials + max, 0};
	if (!values || !trials)
		return -ENOMEM;
	two[0].n = model_trials(model, a, metric, two[0].values, two[0].trials, max);
	two[1].n = model_trials(model, b, metric, two[1].values, two[1].trials, max);
	return 0;
}

void model_series_free(struct model_series two[2])
{
	free(two[0].values);
	free(two[0].trials);
}

size_t model_series_pair(struct model_series two[2])
{
	struct model_series *a = &two[0], *b = &two[1];
	size_t pairs = 0, i = 0, j = 0;

	while (i < a->n && j < b->n) {
		if (a->trials[i] < b->trials[j]) {
			i++;
		} else if (a->trials[i] > b->trials[j]) {
			j++;
		} else {
			a->trials[pairs] = b->trials[pairs] = a->trials[i];
			a->values[pairs] = a->values[i++];
			b->values[pairs++] = b->values[j++];
		}
	}
	a->n = b->n = pairs;
	return pairs;
}
