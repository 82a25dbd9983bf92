/* SPDX-License-Identifier: MIT */
#include "live_pick.h"

#include "live_memory.h"

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
