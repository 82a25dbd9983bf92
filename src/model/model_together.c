/* SPDX-License-Identifier: MIT */
#include "model/model_step.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/model_slices.h"

/* Workers that share something are measured only while they do so. */

/* A worker comes onto a core, or leaves it. */
struct event {
	int64_t ns;
	int change;
};

static int compare(const void *a, const void *b)
{
	const struct event *one = a, *other = b;

	return (one->ns > other->ns) - (one->ns < other->ns);
}

static size_t count_slices(const struct model_run *run)
{
	size_t n = 0, one;

	for (uint32_t i = 0; i < run->n_workers; i++) {
		model_slices(run, i, &one);
		n += one;
	}
	return n;
}

/* Those of the workers that work; how many they are. */
static uint32_t collect(const struct model_run *run, struct event *events, size_t *n)
{
	uint32_t workers = 0;
	size_t slices;

	for (uint32_t i = 0; i < run->n_workers; i++) {
		const struct sample_slice *list = model_slices(run, i, &slices);

		workers += run->workers[i].work_ns >= 0;
		for (size_t j = 0; j < slices && run->workers[i].work_ns >= 0; j++) {
			events[(*n)++] = (struct event) {list[j].on_ns, 1};
			/* The last one may be open: it ends with its worker. */
			events[(*n)++] = (struct event) {
				list[j].off_ns < 0 ? run->workers[i].finish_ns : list[j].off_ns,
				-1};
		}
	}
	qsort(events, *n, sizeof(*events), compare);
	return workers;
}

/* From the first one's begin to the last one's end. */
static void find_span(const struct model_run *run, int64_t *from_ns, int64_t *to_ns)
{
	*from_ns = INT64_MAX;
	*to_ns = -1;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		const struct sample_worker *worker = &run->workers[i];

		if (worker->work_ns < 0)
			continue;
		*from_ns = worker->work_ns < *from_ns ? worker->work_ns : *from_ns;
		*to_ns = worker->finish_ns > *to_ns ? worker->finish_ns : *to_ns;
	}
}

static int64_t time_with(const struct event *events, size_t n, int wanted, int64_t from_ns,
			 int64_t to_ns)
{
	int64_t sum = 0;
	int on = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		int64_t begin = events[i].ns, end = events[i + 1].ns;

		on += events[i].change;
		begin = begin > from_ns ? begin : from_ns;
		end = end < to_ns ? end : to_ns;
		if (on >= wanted && end > begin)
			sum += end - begin;
	}
	return sum;
}

double model_together_make(const struct model_run *run, int cores)
{
	struct event *events = calloc(2 * count_slices(run) + 1, sizeof(*events));
	int64_t from_ns, to_ns;
	double together = NAN;
	uint32_t workers;
	size_t n = 0;

	if (!events)
		return NAN;
	workers = collect(run, events, &n);
	find_span(run, &from_ns, &to_ns);
	/* On one core no two are ever together; of more workers than cores as many as can be. */
	if (cores > 1 && workers > (uint32_t)cores)
		workers = (uint32_t)cores;
	if (n > 0 && to_ns > from_ns)
		together = (double)time_with(events, n, (int)workers, from_ns, to_ns) /
			   (double)(to_ns - from_ns);
	free(events);
	return together;
}
