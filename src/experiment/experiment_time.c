/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "core/variables.h"
#include "work/workload.h"

/*
 * Estimates how long a session takes: the usual time of its experiment (a row of experiment_kinds),
 * scaled to its work.
 */

#define MIB 1048576.0
/* Time to touch a MiB of ballast, s. */
#define TOUCH_S 3e-4
/* Time to copy the page tables of a MiB, write to both copies and end a process, s. */
#define COPY_S 5e-5
/*
 * The ballast for which the experiment cow has its usual time, MiB. The workers of that experiment
 * write to the ballast.
 */
#define WRITTEN_MIB 64

/* How long a share worker's step takes, relative to a step with a mutex. */
static double counting_weight(enum counting counting)
{
	static const double weights[] = {
		[COUNTING_NONE] = 1,	[COUNTING_MUTEX] = 1,	[COUNTING_SPINLOCK] = .5,
		[COUNTING_ATOMIC] = .4, [COUNTING_FALSE] = .03, [COUNTING_LINE] = .01,
		[COUNTING_PLAIN] = .03,
	};

	return weights[counting];
}

/* How long a worker of that kind works, as a multiple of the time that its default work takes. */
static double worker_work(const struct sample_case *config, enum work_kind kind)
{
	const double usual = (double)workload_get(kind)->default_size;
	double work = (double)config->work_size[kind] / usual;

	if (usual <= 0)
		return 0;
	if (kind == WORK_SHARE)
		work *= counting_weight(config->counting);
	if (kind == WORK_TOUCH)
		work *= (double)config->ballast / MIB / WRITTEN_MIB;
	return work;
}

/*
 * How long the workers of a run work in total, as a multiple of the time that a worker's default
 * work takes. If they have no work, the number of tasks. For a server, its time in ns.
 */
static double run_work(const struct sample_case *config)
{
	double work = 0;

	if (plan_serves(&config->plan))
		work = experiment_server_time(config);
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		uint32_t n = config->plan.leaves[kind];

		if (n > 0 && config->plan.tasks > 0)
			n = config->plan.tasks;
		work += n * worker_work(config, (enum work_kind)kind);
	}
	if (work > 0)
		return work;
	return plan_count(&config->plan);
}

/* The number of tasks of a run that get a copy of the ballast's page tables. */
static double run_copies(const struct plan *plan)
{
	double copies = 0;

	if (plan->primitive != PLAN_PLAIN && plan->primitive != PLAN_FORK &&
	    plan->primitive != PLAN_FORK_EXEC)
		return 0;
	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t n;

		plan_level(plan, level, &n);
		if (plan->task[level] == PLAN_PROCESS)
			copies += n;
	}
	if (plan_creates_each(plan) && copies > 0)
		return plan->tasks;
	return copies;
}

/*
 * Time of a run that does not depend on the amount of its work, s: to touch the ballast and copy
 * its page tables, and the waits that workers make on purpose while they play ping-pong.
 */
static double run_extra(const struct sample_case *config)
{
	const double mib = (double)config->ballast / MIB;
	const double wait_s = (double)config->serving.wait_ns * 1e-9;
	double seconds = mib * TOUCH_S;
	double waits = 0;

	if (!plan_serves(&config->plan))
		seconds += mib * COPY_S * run_copies(&config->plan);
	if (config->plan.leaves[WORK_TOKEN] > 0)
		waits = (double)config->work_size[WORK_TOKEN];
	/*
	 * Only the first fiber of each pair sleeps. While it does, no other fiber of its thread
	 * runs.
	 */
	if (config->fibers > 0)
		waits *= config->fibers / 2.0;
	return seconds + waits * wait_s;
}

/* Sums over all runs of a session. */
struct experiment_scale {
	double work;  /* of run_work() */
	double extra; /* of run_extra(), s */
};

static struct experiment_scale scale_of(const struct experiment *experiment)
{
	const uint32_t runs = experiment->request.trials + experiment->request.warmup;
	struct experiment_scale all = {0};

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		all.work += run_work(&experiment->cases[i]) * runs;
		all.extra += run_extra(&experiment->cases[i]) * runs;
	}
	return all;
}

double experiment_time(const struct experiment *experiment)
{
	const struct request *request = &experiment->request;
	const struct experiment_kind *kind = experiment_find(request->experiment);
	const struct experiment_scale now = scale_of(experiment);
	struct experiment_scale row_time = {.work = NAN};
	struct experiment *usual;
	struct request row;
	char error[512];

	if (!kind)
		return NAN;
	/* The usual time of a tree is for leaves without work. */
	if (kind->tree) {
		for (int i = 0; i < WORK_KINDS; i++) {
			if (i != WORK_NULL && experiment->cases[0].plan.leaves[i] > 0)
				return NAN;
		}
	}
	/*
	 * Build the experiment with its defaults, to find the amount of work for which its usual
	 * time holds. This fails if the machine has no room for that work.
	 */
	usual = calloc(1, sizeof(*usual));
	request_init(&row);
	row.experiment = kind->name;
	if (usual && experiment_build(&row, usual, error, sizeof(error)) == 0)
		row_time = scale_of(usual);
	free(usual);
	return (kind->seconds - row_time.extra) * now.work / row_time.work + now.extra;
}

double experiment_time_most(const struct experiment *experiment)
{
	const double seconds = experiment_time(experiment);

	if (!experiment->request.fits_time)
		return seconds;
	return MAX(seconds, (double)EXPERIMENT_SHOW_NS / 1e9);
}
