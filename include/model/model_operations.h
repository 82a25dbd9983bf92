/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model_latency.h"

/*
 * The time of each of many operations that workers do and tell of: a round trip, a task, a write.
 * They are known by their buckets, see core/tally.h, and the shortest and longest exactly; other
 * percentiles lie within a bucket, 3 % at most.
 */

/* Whether the cases have such workers. */
bool model_has_operations(const struct model *model);
/* Whether the cases are ways to hand something over: then the operation is what is compared. */
bool model_has_ways(const struct model *model);
/*
 * The operations of one run that has ended; NULL: it tells of none, or memory was short. Of
 * creations, which model_latency_run() has, this is NULL, and the other way round.
 */
const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run);
/* Of all counted trials of a case measured by now, taken together. */
const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id);
/* What one operation took on average, ns; NaN: not known. */
double model_operations_mean(const struct model_run *run);

/*
 * For model.c alone, at the end of a run, which is the newest: keeps the buckets, and fills
 * run->latency and run->latency_all. 0 or -ENOMEM.
 */
int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n);
