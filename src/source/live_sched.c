/* SPDX-License-Identifier: MIT */
#include "live_sched.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/procfs.h"
#include "work/workload.h"
#include "live_memory.h"

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

/* Of those that are alike: all up to so many, else one of so many, and no fewer than a few. */
#define ALIKE_ALL 8
#define ALIKE_ONE 32
#define ALIKE_FEW 4

/* Leaves beyond those of every kind only fill up the last level. */
static bool has_one_work(const struct plan *plan)
{
	int kinds = 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		kinds += plan->leaves[kind] > 0;
	return kinds == 1;
}

static uint32_t count_processes(const struct plan *plan, uint32_t *levels)
{
	uint32_t processes = 0, count;

	*levels = 0;
	for (uint32_t i = 0; i < plan->levels; i++) {
		if (plan->task[i] != PLAN_PROCESS)
			continue;
		plan_level(plan, i, &count);
		processes += count;
		++*levels;
	}
	return processes;
}

static uint32_t most_alike(uint32_t processes)
{
	const uint32_t part = processes / ALIKE_ONE;

	if (processes <= ALIKE_ALL)
		return ALIKE_ALL;
	if (part > LIVE_MEMORY_MOST)
		return LIVE_MEMORY_MOST;
	return part > ALIKE_FEW ? part : ALIKE_FEW;
}

uint32_t live_pick_step(const struct board_request *request)
{
	const struct plan *plan = &request->plan;
	uint32_t levels, processes = count_processes(plan, &levels), most = LIVE_MEMORY_MOST;

	if (!plan->gated && !plan->all_alive)
		return 1;
	if (request->hold_ms > 0 && levels == 1 && has_one_work(plan))
		most = most_alike(processes);
	return processes / most + (processes % most != 0);
}

void live_usable_begin(struct live_usable *usable)
{
	CPU_ZERO(&usable->begin);
	if (sched_getaffinity(0, sizeof(usable->begin), &usable->begin))
		CPU_ZERO(&usable->begin);
}

/* CPU 0 of most machines has no such file. */
static bool is_offline(int cpu)
{
	char path[64], online[8];

	snprintf(path, sizeof(path), "cpu%d/online", cpu);
	return procfs_read_text("/sys/devices/system/cpu", path, online, sizeof(online)) >= 0 &&
	       online[0] == '0';
}

bool live_usable_changed(const struct live_usable *usable, const cpu_set_t *cpus, char *text,
			 size_t size)
{
	bool all = CPU_COUNT(cpus) == 0;
	cpu_set_t now;

	CPU_ZERO(&now);
	if (CPU_COUNT(&usable->begin) == 0 || sched_getaffinity(0, sizeof(now), &now) ||
	    CPU_EQUAL(&now, &usable->begin))
		return false;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		bool before = CPU_ISSET(cpu, &usable->begin);

		if (before == !!CPU_ISSET(cpu, &now) || !(all || CPU_ISSET(cpu, cpus)))
			continue;
		if (before) {
			if (is_offline(cpu))
				snprintf(text, size,
					 "CPU %d has gone offline since the session began", cpu);
			else
				snprintf(text, size,
					 "CPU %d, which it could use when the session began, was "
					 "taken from it (cpuset, taskset)",
					 cpu);
			return true;
		}
		if (all) {
			snprintf(text, size, "CPU %d was not there when the session began", cpu);
			return true;
		}
	}
	return false;
}
