/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/*
 * Where work is handed out: the length of a task from which a pool no longer matters. It matters as
 * long as a thread or a process created for each task takes more than FINDING_POOL_LEAST times as
 * long as the pool: in elapsed time, or where that cannot tell, as much CPU time.
 */

#define FINDING_POOL_LEAST 1.03

enum finding_pool_answer {
	FINDING_POOL_OPEN,   /* no two lengths tell it for real */
	FINDING_POOL_FOUND,  /* between low and high */
	FINDING_POOL_ALWAYS, /* it matters at every length that was tried, for real */
	FINDING_POOL_NEVER,  /* at none, for real */
};

/*
 * Lengths are the medians of the pool's median latencies, from taken to done, in ns; NaN where not
 * known.
 */
struct finding_pool {
	enum finding_pool_answer answer;
	enum model_metric metric; /* by which; METRIC_CPU where OPEN */
	double at;		  /* FOUND: about there, by lines between the logarithms */
	double low, high;   /* FOUND: it matters for real at low, and for real no longer at high */
	double least, most; /* that were tried */
};

/*
 * Whether a session sweeps the length of tasks, and a is a pool and b creates tasks of the same
 * kind one by one, as many at once as the pool has workers.
 */
bool finding_pool_pair(const struct model *model, uint32_t a, uint32_t b);
/* Reads it of the two curves that such a pair is of: 0 or -ENOMEM. */
int finding_pool(const struct model *model, uint32_t a, uint32_t b, struct finding_pool *out);
/*
 * Calls take() for each such pair, the pool first, until it returns non-zero, which is returned.
 */
int finding_pools(const struct model *model,
		  int (*take)(void *arg, const struct model *model, uint32_t a, uint32_t b),
		  void *arg);
