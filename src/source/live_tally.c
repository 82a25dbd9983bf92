/* SPDX-License-Identifier: MIT */
#include "live_tally.h"

#include <stdlib.h>

void live_tally_take(struct live_tally *out, const struct scoreboard *board,
		     struct sample_totals *totals)
{
	const struct tally *tally = &board->tally;
	int64_t n = (int64_t)atomic_load(&tally->n);

	if (n == 0 || out->list)
		return;
	out->list = calloc(TALLY_BUCKETS, sizeof(*out->list));
	if (!out->list)
		return;
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
		uint32_t count = atomic_load_explicit(&tally->count[i], memory_order_relaxed);

		if (count > 0)
			out->list[out->n++] =
				(struct sample_bucket) {(int64_t)tally_edge(i), count};
	}
	totals->operations = n;
	totals->operations_ns = (int64_t)atomic_load(&tally->sum_ns);
	totals->operation_min_ns = (int64_t)(UINT64_MAX - atomic_load(&tally->least));
	totals->operation_max_ns = (int64_t)atomic_load(&tally->max_ns);
}

void live_tally_close(struct live_tally *tally)
{
	free(tally->list);
	*tally = (struct live_tally) {.n = 0};
}
