/* SPDX-License-Identifier: MIT */
#include "live_peak.h"

#include <math.h>
#include <stdlib.h>

#include "live_run.h"

enum { RSS, PSS, USS, FIGURES };

/* A process comes, begins its work or ends: what is resident grows by kb, the processes by n. */
struct step {
	int64_t at_ns, kb;
	int n;
};

/* What resident memory exceeds each figure by, of one of n processes; NaN: not known. */
static void set_shared(const struct live_resident *read, double shared[FIGURES])
{
	const int64_t figures[FIGURES] = {read->rss_kb, read->pss_kb, read->uss_kb};

	for (int i = 0; i < FIGURES; i++)
		shared[i] = read->n == 0 ? 0
			    : figures[i] < 0
				    ? NAN
				    : (double)(read->all_kb - figures[i]) / (double)read->n;
}

static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/*
 * The steps of all processes but the runner, 3 each at most; -1: the mark of one is not known.
 * Until a worker leaves the gate it has what one of them had there.
 */
static long list_steps(const struct live_run *run, struct step *steps)
{
	const struct plan *plan = &run->board->request.plan;
	const struct live_resident *read = &run->resident.workers;
	int64_t idle_kb = read->n > 0 ? read->all_kb / (int64_t)read->n : 0;
	long n = 0;

	for (uint32_t i = 0; i < run->n; i++) {
		const struct worker_slot *slot = &run->board->slot[i];
		const struct sample_worker *w = &run->known[i];
		int64_t kb = slot->peak_kb ? slot->peak_kb : slot->reaped_kb;
		int64_t begin_ns = sample_worker_begin(w);
		int64_t end_ns = w->finish_ns >= 0 ? w->finish_ns : w->join_ns;
		struct plan_node node;

		plan_node(plan, i, &node);
		if (begin_ns < 0 || (node.task != PLAN_PROCESS && node.work != WORK_PROGRAM))
			continue;
		if (kb == 0)
			return -1;
		if (plan->gated && node.work != WORK_PROGRAM && w->work_ns > begin_ns &&
		    kb > idle_kb && idle_kb > 0) {
			steps[n++] = (struct step) {begin_ns, idle_kb, 1};
			steps[n++] = (struct step) {w->work_ns, kb - idle_kb, 0};
		} else {
			steps[n++] = (struct step) {begin_ns, kb, 1};
		}
		if (end_ns >= 0)
			steps[n++] = (struct step) {end_ns, -kb, -1};
	}
	return n;
}

/* The most that there was at one time of each figure, beside the runner. */
static void sum_peaks(const struct step *steps, long n, const double shared[FIGURES],
		      double most[FIGURES])
{
	int64_t kb = 0, processes = 0;

	for (long i = 0; i < n; i++) {
		kb += steps[i].kb;
		processes += steps[i].n;
		for (int k = 0; k < FIGURES && (i + 1 == n || steps[i + 1].at_ns > steps[i].at_ns);
		     k++)
			most[k] = fmax(most[k], (double)kb - (double)processes * shared[k]);
	}
}

void live_peak_raise(const struct live_run *run, int64_t runner_kb, struct sample_memory *peak)
{
	const struct plan *plan = &run->board->request.plan;
	const bool copies = plan->leaves[WORK_TOUCH] > 0 && plan_has(plan, PLAN_PROCESS);
	int64_t *const figures[FIGURES] = {&peak->rss_kb, &peak->pss_kb, &peak->uss_kb};
	double of_runner[FIGURES], shared[FIGURES], most[FIGURES] = {0, 0, 0};
	struct step *steps;
	long n;

	/* A way of creation may have its creator's memory. */
	if (run->resident.runner.n == 0 || plan_is_creation(plan))
		return;
	steps = calloc(3 * (size_t)run->n + 1, sizeof(*steps));
	n = steps ? list_steps(run, steps) : -1;
	if (n < 0 || (n == 0 && runner_kb < 0)) {
		free(steps);
		return;
	}
	qsort(steps, (size_t)n, sizeof(*steps), compare_steps);
	set_shared(&run->resident.runner, of_runner);
	set_shared(&run->resident.workers, shared);
	sum_peaks(steps, n, shared, most);
	free(steps);
	for (int i = 0; i < FIGURES; i++) {
		int64_t own_kb = runner_kb < 0 ? run->resident.runner.all_kb : runner_kb;
		double kb = (double)own_kb - of_runner[i] + most[i];

		/* Pages that a write copies are shared no longer: RSS stays, PSS and USS grow. */
		if (isnan(kb) || isnan(shared[i]) || (copies && i != RSS))
			continue;
		if (kb > (double)*figures[i])
			*figures[i] = llround(kb);
		if (i == RSS)
			peak->rss_seen = n > 0 ? SEEN_PEAKS : SEEN_PEAK;
		else
			peak->pss_seen = n > 0 ? SEEN_PEAKS : SEEN_PEAK;
	}
}

static bool is_read(const struct live_memory *memory, pid_t pid)
{
	for (size_t i = 0; i < memory->n_tasks; i++)
		if (memory->tasks[i].pid == pid)
			return true;
	return false;
}

void live_children_add(struct live_run *run)
{
	if (run->board->request.plan.leaves[WORK_PROGRAM] == 0)
		return;
	for (uint32_t i = run->first_open; i < run->n; i++) {
		const struct worker_slot *slot = &run->board->slot[i];
		pid_t child = atomic_load_explicit(&slot->child, memory_order_acquire);

		if (child > 0 && atomic_load(&slot->worker) == WORKER_WORKING &&
		    !is_read(&run->memory, child))
			live_memory_add(&run->memory, child);
	}
}
