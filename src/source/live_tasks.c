/* SPDX-License-Identifier: MIT */
#include "live_tasks.h"

void live_tasks_ask(struct board_request *board)
{
	if (board->plan.tasks == 0)
		return;
	board->migrations = false;
	board->counters = COUNTERS_NONE;
	if (plan_creates_each(&board->plan))
		board->slices = 0;
}

/* From the first creation until all of a pool stand at the gate. */
static int64_t pool_creation_ns(const struct live_run *run)
{
	const struct scoreboard *board = run->board;

	return board->go_ns > board->begin_ns ? (int64_t)(board->go_ns - board->begin_ns) : -1;
}

/* From the creation of each task until it runs; -1: not known of one. */
static int64_t sum_creations_ns(const struct live_run *run)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < run->n; i++) {
		const struct sample_worker *w = &run->known[i];

		if (w->create_ns < 0 || w->start_ns < 0)
			return -1;
		sum += w->start_ns - w->create_ns;
	}
	return sum;
}

void live_tasks_collect(const struct live_run *run, struct sample_totals *totals)
{
	const struct plan *plan = &run->board->request.plan;
	const struct board_tasks *tasks = &run->board->tasks;
	int64_t creation_ns;

	if (plan->tasks == 0)
		return;
	creation_ns = plan_is_pool(plan) ? pool_creation_ns(run) : sum_creations_ns(run);
	totals->tasks = (int64_t)tasks->done;
	if (totals->tasks <= 0)
		return;
	if (creation_ns >= 0)
		totals->task_create_ns = creation_ns / totals->tasks;
}
