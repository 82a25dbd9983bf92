/* SPDX-License-Identifier: MIT */
/*
 * Measures what a worker's notes about its time on a core cost. Each kind of work runs with and
 * without notes, alternately within some milliseconds, so that a busy machine has little effect.
 * The median ratio of the thread's CPU times must not exceed 1.01.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "work/work_tick.h"
#include "work/workload.h"

#define PAIRS	201
#define ENTRIES 2048
#define MOST	1.01

struct kind {
	const char *name;
	enum work_kind kind;
	uint64_t size, alloc;
};

/* Some milliseconds each, which is the shortest work that sessions compare. */
static const struct kind kinds[] = {
	{"cpu", WORK_CPU, 2000000, 0},
	{"cpu -s alloc=400", WORK_CPU, 300000, 400},
	{"fp", WORK_FP, 2000000, 0},
	{"mem of 1 MiB", WORK_MEM, 1 << 20, 0},
	{"mem of 4 MiB", WORK_MEM, 4 << 20, 0},
	{"write of 1 MiB", WORK_WRITE, 1 << 20, 0},
};

static double used(const struct kind *kind, struct slices *ring)
{
	struct work_ticker ticker;
	struct work_args args = {.size = kind->size, .alloc = kind->alloc, .tmp_dir = "/dev/shm"};
	struct work_result result;
	uint64_t begin_ns = clock_thread_ns();

	if (ring) {
		memset(ring, 0, sizeof(*ring));
		work_tick_open(&ticker, ring, ENTRIES, WORK_TICK_NS, work_tick_marked());
		args.ticker = &ticker;
	}
	if (workload_get(kind->kind)->run(&args, &result)) {
		fprintf(stderr, "%s failed\n", kind->name);
		exit(EXIT_FAILURE);
	}
	if (ring)
		work_tick_close(&ticker);
	return (double)(clock_thread_ns() - begin_ns);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_ratio(const struct kind *kind, struct slices *ring)
{
	double ratios[PAIRS];

	used(kind, ring);
	for (int i = 0; i < PAIRS; i++) {
		double first = used(kind, i % 2 ? ring : NULL);
		double second = used(kind, i % 2 ? NULL : ring);

		ratios[i] = i % 2 ? first / second : second / first;
	}
	qsort(ratios, PAIRS, sizeof(*ratios), compare);
	return ratios[PAIRS / 2];
}

int main(void)
{
	struct slices *ring = aligned_alloc(_Alignof(struct slices), slices_size(ENTRIES));
	int status = EXIT_SUCCESS;

	for (size_t i = 0; ring && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		double ratio = median_ratio(&kinds[i], ring);

		printf("%s with notes / without: median ratio %.4f (%d pairs), at most %.2f: %s\n",
		       kinds[i].name, ratio, PAIRS, MOST, ratio <= MOST ? "kept" : "EXCEEDED");
		fflush(stdout);
		if (ratio > MOST)
			status = EXIT_FAILURE;
	}
	free(ring);
	return status;
}
