/* SPDX-License-Identifier: MIT */
#include "live_sched.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/procfs.h"
#include "work/workload.h"

/* Each task inherits so much for each CPU: sizeof(struct perf_event) of Linux 6.18. */
#define INHERITED   1352
#define MOST_MEMORY (UINT64_C(64) << 20)
/*
 * On two cores of a virtual machine (Linux 6.18) 5,000 tasks that do nothing took 13 % longer as
 * threads and 6 % as processes where they inherit, 1 to 6 % where the cores are looked at: 7 and
 * 2 us for each. Work of a kind with a loop takes at least so long that this is little, up to so
 * many.
 */
#define MOST_TASKS 1000u

static bool all_leaves(const struct plan *plan, bool programs)
{
	uint32_t n = programs ? plan->leaves[WORK_PROGRAM] : 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (workload_get((enum work_kind)kind)->ticks)
			n += plan->leaves[kind];
	return plan->primitive == PLAN_PLAIN && n == plan_leaves(plan);
}

bool live_sched_has_loops(const struct plan *plan)
{
	return all_leaves(plan, false);
}

static bool is_cheap(const struct plan *plan, enum ring_reach reach, uint32_t cpus)
{
	uint32_t tasks = plan_count(plan);
	uint64_t memory = reach == RING_TASKS ? (uint64_t)tasks * cpus * INHERITED : 0;

	return all_leaves(plan, true) && tasks <= MOST_TASKS && memory <= MOST_MEMORY;
}

bool live_sched_is_cheap(const struct experiment *experiment, enum ring_reach reach, uint32_t cpus)
{
	for (uint32_t i = 0; i < experiment->n_cases; i++)
		if (!is_cheap(&experiment->cases[i].plan, reach, cpus))
			return false;
	return true;
}

static uint32_t count_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 ? CPU_SETSIZE
							   : (uint32_t)CPU_COUNT(&set);
}

/* "kernel.perf_event_paranoid is 4" */
static char *reason(int err, char *buf, size_t size)
{
	int level = procfs_perf_paranoid();

	if (level != INT_MIN && err == -EACCES)
		snprintf(buf, size, "kernel.perf_event_paranoid is %d", level);
	else
		snprintf(buf, size, "%s", strerror(-err));
	return buf;
}

int live_sched_choose(const struct experiment *experiment, struct live_sched *sched, char *error,
		      size_t size)
{
	enum experiment_sched asked = experiment->request.sched;
	enum ring_reach reach;

	*sched = (struct live_sched) {.source = asked == SCHED_AUTO ? SCHED_OWN : asked};
	if (asked == SCHED_OFF)
		return 0;
	reach = live_ring_try(RING_CORES, &sched->perf);
	if (reach != RING_NONE)
		sched->perf = 0;
	if (asked == SCHED_PERF && reach == RING_NONE) {
		int level = procfs_perf_paranoid();
		char why[64] = "";

		if (level != INT_MIN)
			snprintf(why, sizeof(why),
				 " (kernel.perf_event_paranoid is %d, 2 is low enough)", level);
		snprintf(error, size,
			 "-s sched=perf: the kernel's records cannot be had: %s%s; -s sched=own "
			 "needs no permission",
			 strerror(-sched->perf), why);
		return sched->perf;
	}
	if (asked == SCHED_AUTO && reach != RING_NONE &&
	    live_sched_is_cheap(experiment, reach, count_cpus()))
		sched->source = SCHED_PERF;
	if (sched->source == SCHED_PERF)
		sched->reach = reach;
	if (sched->reach == RING_CORES)
		sched->wakes = live_ring_try_wakes();
	return 0;
}

const char *live_sched_name(const struct live_sched *sched)
{
	static const char *const names[] = {
		[SCHED_AUTO] = "", [SCHED_OWN] = "own", [SCHED_PERF] = "perf", [SCHED_OFF] = "off"};

	return names[sched->source];
}

const char *live_sched_wakes(const struct live_sched *sched)
{
	if (sched->source == SCHED_OFF)
		return "";
	if (sched->source == SCHED_OWN)
		return "the workers' own clock sees none";
	if (sched->reach != RING_CORES)
		return "one's own tasks alone may be looked at";
	if (sched->wakes == 0)
		return SAMPLE_WAKES;
	return sched->wakes == -ENOENT ? SAMPLE_NO_TRACEFS : "tracefs cannot be read";
}

char *live_sched_perf(const struct live_sched *sched, char *buf, size_t size)
{
	char why[128];

	*buf = '\0';
	if (sched->source != SCHED_OFF)
		snprintf(buf, size, "%s",
			 sched->perf ? reason(sched->perf, why, sizeof(why)) : SAMPLE_PERF);
	return buf;
}
