/* SPDX-License-Identifier: MIT */
#include "core/comparison.h"
#include "finding_parts.h"

static void take(struct finding_ways *ways, const struct model_comparison *c, bool alike)
{
	bool real = c->verdict == STATS_A || c->verdict == STATS_B;
	bool open = c->verdict == STATS_TOO_FEW;

	*(alike ? &ways->pairs : &ways->ways) += 1;
	*(alike ? &ways->real : &ways->ways_real) += real;
	*(alike ? &ways->open : &ways->ways_open) += open;
	if (open)
		finding_behind(&ways->progress, &(struct finding_progress) {c->pairs, c->planned,
									    c->least, c->ended});
}

int finding_ways(const struct model *model, struct finding *finding)
{
	struct finding_ways *ways = &finding->ways;
	struct model_comparison c;
	int err = 0;

	*ways = (struct finding_ways) {.progress = {UINT32_MAX, .ended = true}};
	finding->kind = FINDING_WAYS;
	for (uint32_t a = finding->first; a <= finding->last; a++) {
		for (uint32_t b = a + 1; b <= finding->last && !err; b++) {
			bool alike = comparison_alike(&model->cases[a], &model->cases[b]);

			if (!alike && !comparison_other_way(&model->cases[a], &model->cases[b]))
				continue;
			err = model_compare(model, a, b, model_headline(model), &c);
			if (!err)
				take(ways, &c, alike);
		}
	}
	ways->progress.stopped = model_over(model);
	return err;
}
