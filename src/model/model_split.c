/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <math.h>
#include <sys/param.h>

/* The longest tick that Linux is built with, CONFIG_HZ=100. */
#define LONGEST_TICK 10000000

/*
 * Number of ticks of /proc/stat that a split needs. If half of the CPU time is user time, two
 * standard deviations are then 20 % of it; if 95 % is, they are 9 %.
 */
#define ENOUGH_TICKS 25

/*
 * Largest difference between /proc/stat and the run's own CPU time: a tenth of that time, plus one
 * unit of /proc/stat.
 */
#define STRANGE_PART 10
#define STRANGE_US   10000

/* Largest steal, and largest use by other programs, in 0.1 %. */
#define STEAL_MOST  20
#define OTHERS_MOST 20

const char *const model_split_names[] = {
	[MODEL_SPLIT_NONE] = NULL,
	[MODEL_SPLIT_RUSAGE] = "rusage",
	[MODEL_SPLIT_PROC_STAT] = "proc_stat",
};

int64_t model_split_tick(const struct model *model, uint32_t case_id)
{
	int64_t tick_ns = model_session(model, case_id)->machine.tick_ns;

	if (tick_ns >= 0)
		return tick_ns;
	return LONGEST_TICK;
}

static bool has_ticks(double cpu_us, int ticks, int64_t tick_ns)
{
	return cpu_us * 1000 >= ticks * (double)tick_ns;
}

/* Sums over several runs of a case, µs. known: all these runs have all values, and little steal. */
struct pool {
	double cpu, user, system;
	double elapsed, others; /* others: 0.1 % of a core's time, weighted by the runs' lengths. */
	bool known;
};

static void pool_add(struct pool *pool, const struct sample_totals *t)
{
	pool->cpu += (double)t->user_us + (double)t->system_us;
	pool->user += (double)t->stat_user_us;
	pool->system += (double)t->stat_system_us;
	pool->known &= t->user_us >= 0 && t->system_us >= 0 && t->stat_user_us >= 0 &&
		       t->stat_system_us >= 0 && t->steal >= 0 && t->steal <= STEAL_MOST &&
		       t->others >= 0 && t->elapsed_ns > 0;
	pool->elapsed += (double)t->elapsed_ns;
	pool->others += (double)t->others * (double)t->elapsed_ns;
}

struct model_split model_split(const struct model *model, const struct model_run *run)
{
	const struct sample_totals *t = &run->totals;
	int64_t tick_ns = model_split_tick(model, run->id.case_id);
	const struct plan *plan = model_plan(model, run);
	double cpu_us = (double)t->user_us + (double)t->system_us;
	uint32_t processes = 0, count;
	struct pool pool = {.known = true};

	if (t->user_us < 0 || t->system_us < 0 || cpu_us >= (double)INT64_MAX)
		return (struct model_split) {MODEL_SPLIT_NONE, -1, -1};
	/*
	 * Count the processes, because the kernel has one account for each of them, which includes
	 * its ended threads.
	 */
	for (uint32_t i = 0; i < plan->levels; i++) {
		plan_level(plan, i, &count);
		if (plan->task[i] == PLAN_PROCESS)
			processes += count;
	}
	if (has_ticks(cpu_us / MAX(processes, 1), SAMPLE_SPLIT_TICKS, tick_ns))
		return (struct model_split) {MODEL_SPLIT_RUSAGE, t->user_us, t->system_us};
	/* Adds up the run and as many earlier runs of its case as are needed for enough ticks. */
	pool_add(&pool, t);
	for (size_t i = model->n_runs; i > 0; i--) {
		const struct model_run *other = &model->runs[i - 1];

		if (has_ticks(pool.cpu, ENOUGH_TICKS, tick_ns))
			break;

		if (other->id.case_id == run->id.case_id && other->id.run < run->id.run &&
		    other->end_ns != INT64_MAX)
			pool_add(&pool, &other->totals);
	}
	pool.known &= has_ticks(pool.cpu, ENOUGH_TICKS, tick_ns);
	/*
	 * Use /proc/stat only if other programs used almost nothing, because it includes their
	 * time.
	 */
	if (!pool.known || pool.others >= OTHERS_MOST * pool.elapsed ||
	    fabs(pool.user + pool.system - pool.cpu) > pool.cpu / STRANGE_PART + STRANGE_US)
		return (struct model_split) {MODEL_SPLIT_NONE, -1, -1};
	/* Splits the exact sum in the proportion of /proc/stat. */
	int64_t exact_us = t->user_us + t->system_us;
	int64_t system_us = llround((double)exact_us * pool.system / (pool.user + pool.system));

	return (struct model_split) {MODEL_SPLIT_PROC_STAT, exact_us - system_us, system_us};
}

bool model_split_worker(const struct model *model, const struct model_run *run,
			const struct sample_worker *worker)
{
	return has_ticks((double)worker->user_us + worker->system_us, SAMPLE_SPLIT_TICKS,
			 model_split_tick(model, run->id.case_id));
}

struct model_kinds model_kinds_make(const struct model *model, const struct model_run *run)
{
	const struct plan *plan = model_plan(model, run);
	int64_t from_ns = MAX(run->totals.go_ns, 0);
	struct model_kinds kinds;
	struct plan_node node;

	for (int i = 0; i < WORK_KINDS; i++)
		kinds.ns[i] = -1;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		int64_t finish_ns = model_known(run, i).finish_ns;
		double took = finish_ns < 0 ? NAN : (double)(finish_ns - from_ns), *last;

		plan_node(plan, i, &node);
		last = &kinds.ns[node.work];
		/* The time of the last finish; NaN if the time of any finish is unknown. */
		if (node.children == 0 && !isnan(*last) && (isnan(took) || took > *last))
			*last = took;
	}
	for (int i = 0; i < WORK_KINDS; i++)
		if (kinds.ns[i] < 0)
			kinds.ns[i] = NAN;
	return kinds;
}
