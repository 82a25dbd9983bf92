/* SPDX-License-Identifier: MIT */
#include "live_work.h"

#include <math.h>
#include <string.h>

#include "core/step.h"

/* The sums over the workers, and the time from the first step's begin to the last one's end.
 */
struct sums {
	uint64_t n, ns, faults, copied_kb, begin_ns, end_ns, lost;
	bool known, copied;
	double rates, squares; /* of the workers, and of their squares */
	uint32_t workers;
};

/* Jain, Chiu & Hawe 1984: (sum of rates)^2 / (n * sum of their squares). */
static void add_rate(struct sums *sums, const struct worker_slot *slot)
{
	double rate = (double)slot->step_n / (double)(slot->step_end_ns - slot->step_begin_ns + 1);

	sums->workers++;
	sums->rates += rate;
	sums->squares += rate * rate;
}

static void add(struct sums *sums, const struct worker_slot *slot)
{
	if (slot->step_begin_ns == 0 || slot->step_end_ns < slot->step_begin_ns) {
		sums->known = false;
		return;
	}
	sums->n += slot->step_n;
	add_rate(sums, slot);
	sums->ns += slot->step_used_ns;
	sums->faults += slot->step_faults;
	sums->lost += slot->step_lost;
	sums->copied &= slot->step_copied_kb != UINT64_MAX;
	sums->copied_kb += slot->step_copied_kb;
	if (sums->begin_ns == 0 || slot->step_begin_ns < sums->begin_ns)
		sums->begin_ns = slot->step_begin_ns;
	if (slot->step_end_ns > sums->end_ns)
		sums->end_ns = slot->step_end_ns;
}

/* Threads of several processes see the copies of one another as their own. */
static bool copies_are_known(const struct plan *plan)
{
	return !plan_has(plan, PLAN_THREAD) || !plan_has(plan, PLAN_PROCESS);
}

void live_step_collect(const struct live_run *run, struct sample_totals *totals)
{
	const struct plan *plan = &run->board->request.plan;
	struct sums sums = {.known = true, .copied = copies_are_known(plan)};
	enum work_kind kind = step_of(plan);
	struct plan_node node;

	if (kind == WORK_KINDS)
		return;
	for (uint32_t i = 0; i < run->n; i++) {
		plan_node(plan, i, &node);
		if (node.children == 0 && node.work == kind)
			add(&sums, &run->board->slot[i]);
	}
	if (!sums.known)
		return;
	totals->steps = (int64_t)sums.n;
	totals->steps_ns = (int64_t)sums.ns;
	totals->steps_span_ns = (int64_t)(sums.end_ns - sums.begin_ns);
	totals->steps_faults = (int64_t)sums.faults;
	if (sums.squares > 0)
		totals->fairness =
			llround(1000 * sums.rates * sums.rates / (sums.workers * sums.squares));
	if (kind == WORK_SHARE)
		totals->increments_lost = (int64_t)sums.lost;
	totals->copied_kb = sums.copied ? (int64_t)sums.copied_kb : -1;
}

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

/* Behind the senders of their group. */
static bool receives(const struct board_request *request, const struct plan_node *node)
{
	return node->work == WORK_MESSAGE &&
	       node->number % (request->senders + request->receivers) >= request->senders;
}

void live_messages_collect(const struct live_run *run, struct sample_totals *totals)
{
	const struct board_request *request = &run->board->request;
	struct plan_node node;
	int64_t sum = 0;

	if (request->plan.leaves[WORK_MESSAGE] == 0)
		return;
	for (uint32_t i = 0; i < run->n; i++) {
		plan_node(&request->plan, i, &node);
		if (!receives(request, &node))
			continue;
		if (run->known[i].status != SAMPLE_OK)
			return;
		if (__builtin_add_overflow(sum, run->known[i].result, &sum))
			return;
	}
	totals->messages = sum;
}
