/* SPDX-License-Identifier: MIT */
#include "live_step.h"

#include <math.h>

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
