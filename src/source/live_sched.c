/* SPDX-License-Identifier: MIT */
#include "live_sched.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>

#include "base/procfs.h"
#include "work/workload.h"
#include "live_memory.h"

/* Bytes that each task inherits for each CPU: sizeof(struct perf_event) in Linux 6.18. */
#define INHERITED   1352
#define MOST_MEMORY (UINT64_C(64) << 20)
/*
 * On two cores of a virtual machine (Linux 6.18), RING_TASKS made 5,000 empty tasks slower by 13 %
 * (threads) and 6 % (processes), RING_CORES by 1 to 6 %. That is at most 7 µs per task. Tasks with
 * a loop run longer, so the cost is small up to this number of tasks. Counters have the same limit,
 * because the counters of one task cost 0.1 ms and 6 KiB of kernel memory.
 */
#define MOST_TASKS 1000u

/*
 * Whether all workers have a loop, in which they can record when they run. With `programs`, a
 * program counts as a loop.
 */
static bool has_loops(const struct plan *plan, bool programs)
{
	uint32_t n = programs ? plan->leaves[WORK_PROGRAM] : 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (workload_get((enum work_kind)kind)->ticks)
			n += plan->leaves[kind];
	return plan->primitive == PLAN_PLAIN && n == plan_leaves(plan);
}

bool live_sched_is_cheap(const struct experiment *experiment, enum ring_reach reach, uint32_t cpus)
{
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct plan *plan = &experiment->cases[i].plan;
		const uint32_t tasks = plan_count(plan);

		if (!has_loops(plan, true) || tasks > MOST_TASKS ||
		    (reach == RING_TASKS && (uint64_t)tasks * cpus * INHERITED > MOST_MEMORY))
			return false;
	}
	return true;
}

/*
 * Users may record their own tasks up to this kernel.perf_event_paranoid. Debian and Ubuntu set 3
 * and 4.
 */
#define PARANOID_ENOUGH 2

char *live_sched_refusal(int err, int level, char *buf, size_t size)
{
	if (err != -EACCES && err != -EPERM)
		snprintf(buf, size, "perf_event_open: %s", strerror(-err));
	else if (level > PARANOID_ENOUGH)
		snprintf(buf, size, "kernel.perf_event_paranoid is %d, but must be at most %d",
			 level, PARANOID_ENOUGH);
	else
		snprintf(buf, size, "perf_event_open is not allowed here");
	return buf;
}

static bool runs_programs(const struct experiment *experiment)
{
	for (uint32_t i = 0; i < experiment->n_cases; i++)
		if (experiment->cases[i].plan.leaves[WORK_PROGRAM] > 0)
			return true;
	return false;
}

int live_sched_choose(const struct experiment *experiment, const char *tasks,
		      struct live_sched *sched, char *error, size_t size)
{
	enum experiment_sched asked = experiment->request.sched;
	enum ring_reach reach;
	cpu_set_t set;

	*sched = (struct live_sched) {.source = asked == SCHED_AUTO ? SCHED_OWN : asked};
	if (asked == SCHED_OFF)
		return 0;
	reach = live_ring_try(&sched->perf);
	if (asked == SCHED_PERF && reach == RING_NONE) {
		char why[SAMPLE_LABEL];

		live_sched_refusal(sched->perf, procfs_perf_paranoid(), why, sizeof(why));
		snprintf(error, size,
			 "-s sched=perf: the kernel's records are not available (%s); -s sched=own "
			 "needs no permission",
			 why);
		return sched->perf;
	}
	if (asked == SCHED_AUTO && reach != RING_NONE &&
	    live_sched_is_cheap(experiment, reach,
				sched_getaffinity(0, sizeof(set), &set) < 0
					? CPU_SETSIZE
					: (uint32_t)CPU_COUNT(&set)))
		sched->source = SCHED_PERF;
	if (sched->source == SCHED_PERF)
		sched->reach = reach;
	if (sched->reach == RING_CORES)
		sched->wakes = live_ring_try_wakes("");
	if (runs_programs(experiment))
		sched->tasks = live_tasks_choose(
			sched->reach == RING_NONE ? TASKS_BY_CONNECTOR : TASKS_BY_PERF, tasks);
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
		return "the workers' own clock cannot see them";
	if (sched->reach != RING_CORES)
		return "wake-ups of other users' tasks are visible to root only";
	if (sched->wakes == 0)
		return SAMPLE_WAKES;
	if (sched->wakes == -ENOENT)
		return SAMPLE_NO_TRACEFS;
	if (sched->wakes == -EACCES || sched->wakes == -EPERM)
		return SAMPLE_HIDDEN_TRACEFS;
	return "the kernel's wake-up event cannot be opened";
}

char *live_sched_perf(const struct live_sched *sched, char *buf, size_t size)
{
	*buf = '\0';
	if (sched->source == SCHED_OFF)
		return buf;
	if (sched->perf)
		return live_sched_refusal(sched->perf, procfs_perf_paranoid(), buf, size);
	snprintf(buf, size, "%s", SAMPLE_PERF);
	return buf;
}

/*
 * If processes do the same work, up to ALIKE_ALL of them are all read. Of more processes, one in
 * ALIKE_ONE is read, but at least ALIKE_FEW.
 */
#define ALIKE_ALL 8
#define ALIKE_ONE 32
#define ALIKE_FEW 4

uint32_t live_pick_step(const struct board_request *request)
{
	const struct plan *plan = &request->plan;
	uint32_t levels = 0, processes = 0, count, most = LIVE_MEMORY_MOST;
	int kinds = 0;

	if (!plan->barrier && !plan->all_alive)
		return 1;
	for (uint32_t i = 0; i < plan->levels; i++) {
		if (plan->task[i] != PLAN_PROCESS)
			continue;
		plan_level(plan, i, &count);
		processes += count;
		levels++;
	}
	/* Leaves without work are not in any leaves[kind] and are not a kind of their own. */
	for (int kind = 0; kind < WORK_KINDS; kind++)
		kinds += plan->leaves[kind] > 0;
	if (request->hold_ms > 0 && levels == 1 && kinds == 1) {
		if (processes <= ALIKE_ALL)
			most = ALIKE_ALL;
		else
			most = MIN(MAX(processes / ALIKE_ONE, ALIKE_FEW), LIVE_MEMORY_MOST);
	}
	return processes / most + (processes % most != 0);
}

cpu_set_t live_usable(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		CPU_ZERO(&set);
	return set;
}

bool live_usable_changed(const cpu_set_t *usable, const cpu_set_t *cpus, char *text, size_t size)
{
	bool all = CPU_COUNT(cpus) == 0, before;
	char path[64], online[8] = "";
	const cpu_set_t now = live_usable();
	int cpu = 0;

	if (CPU_COUNT(usable) == 0 || CPU_COUNT(&now) == 0 || CPU_EQUAL(usable, &now))
		return false;
	/* If the run has chosen CPUs, a CPU that is new is no change. */
	for (; cpu < CPU_SETSIZE; cpu++) {
		before = CPU_ISSET(cpu, usable);
		if (before != !!CPU_ISSET(cpu, &now) && (all || (before && CPU_ISSET(cpu, cpus))))
			break;
	}
	if (cpu == CPU_SETSIZE)
		return false;
	if (before) {
		/*
		 * A CPU without the file `online`, such as CPU 0 on most machines, cannot go
		 * offline.
		 */
		snprintf(path, sizeof(path), "cpu%d/online", cpu);
		procfs_read_text("/sys/devices/system/cpu", path, online, sizeof(online));
	}
	if (!before)
		snprintf(text, size, "CPU %d did not exist when the session began", cpu);
	else if (online[0] == '0')
		snprintf(text, size, "CPU %d has gone offline since the session began", cpu);
	else
		snprintf(text, size, "CPU %d was taken away from the session (cpuset, taskset)",
			 cpu);
	return true;
}

/* Largest errno of the kernel (MAX_ERRNO). */
#define ERRNO_MOST 4095
/* If work has at least 1/8 of its default size, it takes at least 10 ms. */
#define LONG_PART 8

int live_count_choose(const struct experiment *experiment, const char *wish,
		      struct live_count *count)
{
	bool off = wish && strcmp(wish, "off") == 0;
	enum counters_kind kind = wish ? COUNTERS_SOFTWARE : COUNTERS_HARDWARE;
	const char *text = NULL;
	const size_t size = sizeof(count->said);
	struct rlimit limit;
	int err;

	*count = (struct live_count) {.kind = COUNTERS_NONE};
	if (wish && !off && strcmp(wish, "software") != 0)
		return -EINVAL;
	if (experiment->request.sched == SCHED_OFF)
		text = "-s sched=off";
	else if (off)
		text = "TUIBENCH_COUNTERS=off";
	/*
	 * The reason why a case is not counted. If there are several, the last one in this list is
	 * reported, because it is the most important.
	 */
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *config = &experiment->cases[i];
		const struct plan *plan = &config->plan;
		uint32_t threads = 1; /* threads that share the files of one process */

		if (text)
			break;
		for (uint32_t k = 0; k < plan->levels; k++) {
			if (plan->task[k] == PLAN_PROCESS)
				threads = 1;
			else
				threads = threads * plan->fanout[k];
		}
		if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
		    counters_files(threads) > limit.rlim_max)
			text = "each worker needs 4 more open files; ulimit -Hn allows too few";
		for (int work = 0; work < WORK_KINDS; work++)
			if (plan->leaves[work] > 0 &&
			    config->work_size[work] <
				    workload_get((enum work_kind)work)->default_size / LONG_PART)
				text = "the work is too short: counting would take 1 % of its time";
		if (plan_count(plan) > MOST_TASKS)
			text = "hardware events are not counted for more than 1,000 tasks";
		if (!has_loops(plan, false))
			text = "hardware events are not counted for tasks without a loop";
	}
	err = 0;
	if (!text) {
		err = counters_open(&count->held, kind);
		if (!err) {
			count->kind = kind;
			if (kind == COUNTERS_SOFTWARE)
				text = "software";
			else
				text = "user";
		}
	}
	if (!err)
		snprintf(count->said, size, "%s", text);
	else if (err == -ENOENT || err == -ENODEV || err == -EOPNOTSUPP)
		snprintf(count->said, size, "this machine shows no hardware counters");
	else
		live_sched_refusal(err, procfs_perf_paranoid(), count->said, size);
	return 0;
}

const char *live_count_missed(const struct scoreboard *board)
{
	for (uint32_t i = 0; i < board->slots; i++) {
		int err = board->slot[i].count_error;

		if (err == EBUSY)
			return "something else, such as the kernel's watchdog or perf, was using "
			       "the "
			       "counters";
		if (err) {
			if (err > 0 && err <= ERRNO_MOST)
				return strerror(err);
			return "the runner reported an invalid error";
		}
	}
	return NULL;
}

void live_count_close(struct live_count *count)
{
	if (count->kind != COUNTERS_NONE)
		counters_close(&count->held);
	count->kind = COUNTERS_NONE;
}
