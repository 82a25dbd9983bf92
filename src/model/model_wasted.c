/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <stdlib.h>
#include <sys/param.h>

#include "base/array.h"

/*
 * Shorter gaps are not counted as idle, ns: the runner, which creates the workers and joins them,
 * may have had the core. Its slices are not recorded.
 */
#define IDLE_LEAST_NS 500000

/* A moment at which the number of idle cores, or of workers that wait for a core, changes. */
struct edge {
	int64_t ns; /* first, for array_by_int64() */
	int idle, waiting;
};

struct edges {
	struct edge *list;
	size_t n, cap;
	/* Memory is short, or a slice was merged from several, so its gaps are not known. */
	bool unknown;
};

static void add_edge(struct edges *edges, struct edge edge)
{
	if (array_grow(&edges->list, edges->n, &edges->cap, sizeof(*edges->list)))
		edges->list[edges->n++] = edge;
	else
		edges->unknown = true;
}

static void add_idle_core(void *arg, const struct model_core_stretch *stretch)
{
	if (stretch->state != CORE_FREE || stretch->to_ns - stretch->from_ns < IDLE_LEAST_NS)
		return;
	add_edge(arg, (struct edge) {.ns = stretch->from_ns, .idle = 1});
	add_edge(arg, (struct edge) {.ns = stretch->to_ns, .idle = -1});
}

static void add_waiting_worker(void *arg, const struct model_stretch *stretch)
{
	struct edges *edges = arg;

	edges->unknown |= stretch->merged > 0;
	if (stretch->state != STATE_WAITING)
		return;
	add_edge(edges, (struct edge) {.ns = stretch->from_ns, .waiting = 1});
	add_edge(edges, (struct edge) {.ns = stretch->to_ns, .waiting = -1});
}

/* Sorts the edges and adds up the time in which a core is idle while a worker waits. */
static int64_t sum_wasted(struct edges *edges)
{
	int64_t sum_ns = 0, from_ns = 0;
	int idle = 0, waiting = 0;

	qsort(edges->list, edges->n, sizeof(*edges->list), array_by_int64);
	for (size_t i = 0; i < edges->n; i++) {
		const struct edge *edge = &edges->list[i];

		sum_ns += MIN(idle, waiting) * (edge->ns - from_ns);
		idle += edge->idle;
		waiting += edge->waiting;
		from_ns = edge->ns;
	}
	return sum_ns;
}

int64_t model_wasted(const struct model *model, const struct model_run *run)
{
	const size_t n_cores = model_cores_seen(run);
	struct edges edges = {0};
	int64_t wasted_ns = -1;

	if (n_cores == 0 || !model_cores_exact(run) || run->n_tasks > 0)
		return -1;
	/*
	 * Throttled workers wait for the quota, and no core can run them. Workers that pass a token
	 * may have one core each, so no other core can run them, either.
	 */
	if (model_throttled_until(run, INT64_MAX) > 0 ||
	    model_plan(model, run)->leaves[WORK_TOKEN] > 0)
		return -1;
	for (size_t cpu = 0; cpu < n_cores; cpu++)
		if (model_core_used(run, cpu))
			model_core_stretches(model, run, cpu, 0, INT64_MAX, add_idle_core, &edges);
	for (uint32_t i = 0; i < run->n_workers; i++)
		model_stretches(model, run, i, 0, INT64_MAX, add_waiting_worker, &edges);
	if (!edges.unknown)
		wasted_ns = sum_wasted(&edges);
	free(edges.list);
	return wasted_ns;
}
