/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

#include "model/model_sweep.h"

char *export_curve_name(const struct model *model, uint32_t icase, char *buf, size_t size)
{
	const struct sample_case *one = &model->cases[icase];
	const char *work = model_work(one);

	snprintf(buf, size, "%s%s%s", work, *work ? ": " : "", one->model);
	return buf;
}

static uint32_t pairs_at(const struct model *model, uint32_t i, uint32_t j,
			 enum model_metric metric)
{
	struct model_comparison comparison;

	if (model_compare(model, i, j, metric, &comparison) != 0)
		return 0;
	return comparison.pairs;
}

/* The most pairs of trials at any value of the two curves. */
static uint32_t most_pairs(const struct model *model, uint32_t a, uint32_t b,
			   enum model_metric metric)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		for (uint32_t j = 0; j < model->n_cases; j++) {
			uint32_t pairs = 0;

			if (model_same_curve(&model->cases[i], &model->cases[a]) &&
			    model_same_curve(&model->cases[j], &model->cases[b]) &&
			    model_comparable(&model->cases[i], &model->cases[j]))
				pairs = pairs_at(model, i, j, metric);
			most = pairs > most ? pairs : most;
		}
	}
	return most;
}

/* Nothing was found: was there a chance to? */
static const char *why_none(uint32_t pairs)
{
	if (pairs == 0)
		return "?";
	return pairs < STATS_LEAST_PAIRS ? "too few trials" : "none found";
}

static void write_found(const struct crossover *found, size_t n, char *buf, size_t size)
{
	struct sentence sentence = {buf, size, 0};
	char text[96];

	for (size_t i = 0; i < n && i < EXPORT_CROSSOVERS; i++)
		sentence_add(&sentence, "%s%s", i ? "; " : "",
			     model_crossover_text(&found[i], text, sizeof(text)));
}

int export_crossover(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     char *buf, size_t size)
{
	struct crossover found[EXPORT_CROSSOVERS];
	size_t n;
	int err = model_crossovers(model, a, b, metric, found, EXPORT_CROSSOVERS, &n);

	if (n > 0)
		write_found(found, n, buf, size);
	else
		snprintf(buf, size, "%s", why_none(most_pairs(model, a, b, metric)));
	return err;
}
