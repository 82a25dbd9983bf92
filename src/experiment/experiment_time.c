/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "work/workload.h"

/* How long an experiment takes, from what its row says of its defaults. */

/* In parts of what workers do where nothing is asked for; who has nothing to do counts by heads. */
static double case_work(const struct sample_case *one)
{
	double work = 0;

	for (int i = 0; i < WORK_KINDS; i++) {
		uint64_t usual = workload_get((enum work_kind)i)->default_size;

		uint32_t n = one->plan.leaves[i] > 0 && one->plan.tasks > 0 ? one->plan.tasks
									    : one->plan.leaves[i];

		if (usual > 0)
			work += (double)n * (double)one->work_size[i] / (double)usual;
	}
	return work > 0 ? work : plan_count(&one->plan);
}

static double runs_work(const struct experiment *experiment)
{
	double work = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++)
		work += case_work(&experiment->cases[i]);
	return work * (experiment->request.trials + experiment->request.warmup);
}

/* What its row's time is of; NaN where this machine has no room for it. */
static double row_work(const struct experiment_kind *kind)
{
	struct experiment *usual = calloc(1, sizeof(*usual));
	struct request request;
	char error[512];
	double work = NAN;

	request_init(&request);
	request.experiment = kind->name;
	if (usual && experiment_build(&request, usual, error, sizeof(error)) == 0)
		work = runs_work(usual);
	free(usual);
	return work;
}

/* Memory that is copied with each task, or work where the row has none, is in no row's time. */
static bool is_like_row(const struct experiment *experiment, const struct experiment_kind *kind)
{
	for (int i = 0; kind->tree && i < WORK_KINDS; i++)
		if (i != WORK_NULL && experiment->request.workers[i] > 0)
			return false;
	return strcmp(experiment->request.ballasts, kind->ballast ? kind->ballast : "0") == 0;
}

double experiment_time(const struct experiment *experiment)
{
	const struct experiment_kind *kind = experiment_kind_named(experiment->request.experiment);

	if (!kind || !is_like_row(experiment, kind))
		return NAN;
	return kind->seconds * runs_work(experiment) / row_work(kind);
}
