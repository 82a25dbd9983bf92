/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>
#include <string.h>

#include "core/comparison.h"
#include "model/model_step.h"
#include "model/model_sweep.h"

/* What a write costs after a fork, beside the same one in a thread. */

struct costs {
	uint32_t values, real;
	double low, high;	      /* of the medians of a process, ns */
	double times_low, times_high; /* those of a thread; of the estimates that are real */
	struct stats_interval times;  /* of the last value */
	double level;		      /* of that interval */
	bool process_leads;	      /* somewhere, for real */
};

static bool is_model(const struct sample_case *one, const char *name)
{
	return strcmp(one->model, name) == 0;
}

/* The process that a thread is compared with; n_cases: there is none. */
static uint32_t process_of(const struct model *model, uint32_t thread)
{
	uint32_t i = 0;

	while (i < model->n_cases && !(is_model(&model->cases[i], "processes") &&
				       comparison_alike(&model->cases[thread], &model->cases[i])))
		i++;
	return i;
}

static int take(const struct model *model, uint32_t thread, struct costs *costs)
{
	uint32_t process = process_of(model, thread);
	struct model_comparison c;
	double median;
	int err;

	costs->values++;
	if (process == model->n_cases)
		return 0;
	err = model_compare(model, thread, process, METRIC_STEP, &c);
	if (err || c.verdict == STATS_TOO_FEW || c.verdict == STATS_NONE)
		return err;
	median = verdict_median(model, process, METRIC_STEP);
	costs->real++;
	costs->process_leads |= c.verdict == STATS_B;
	costs->low = fmin(costs->low, median);
	costs->high = fmax(costs->high, median);
	costs->times_low = fmin(costs->times_low, c.ratio.estimate);
	costs->times_high = fmax(costs->times_high, c.ratio.estimate);
	costs->times = c.ratio;
	costs->level = c.level;
	return 0;
}

/* Two models alone, each as it is. */
static bool read_costs(const struct model *model, struct costs *costs)
{
	*costs = (struct costs) {.low = NAN, .high = NAN, .times_low = NAN, .times_high = NAN};
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *one = &model->cases[i];

		if (!is_model(one, "threads") && !is_model(one, "processes"))
			return false;
		if (is_model(one, "threads") && take(model, i, costs))
			return false;
	}
	return costs->real > 0 && !costs->process_leads;
}

static void say_values(struct sentence *s, const struct model *model, const struct costs *costs)
{
	const struct variable *swept = model_swept(&model->cases[0]);

	if (costs->values > 1 && swept)
		sentence_add(s, " (real at %u of %u values of %s).", costs->real, costs->values,
			     swept->name);
	else
		sentence_add(s, " (%s interval %s).", CLAIM_LEVEL(costs->level),
			     CLAIM_TIMES_INTERVAL(costs->times.low, costs->times.high));
}

bool verdict_touch(struct sentence *s, const struct model *model)
{
	struct costs costs;
	char low[32], high[32];

	if (model->n_origins > 0 || model_step(model) != WORK_TOUCH || !read_costs(model, &costs))
		return false;
	metric_format(low, sizeof(low), METRIC_STEP, costs.low);
	metric_format(high, sizeof(high), METRIC_STEP, costs.high);
	sentence_add(s, "A write after fork costs %s", low);
	if (strcmp(low, high) != 0)
		sentence_add(s, " to %s", high);
	sentence_add(s, ", %s times that of a thread",
		     CLAIM_TIMES_RANGE(costs.times_low, costs.times_high));
	say_values(s, model, &costs);
	return true;
}
