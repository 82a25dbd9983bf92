/* SPDX-License-Identifier: MIT */
#include <sys/param.h>

#include "core/tally.h"

/* log2 of TALLY_STEPS */
#define STEP_BITS 5

uint32_t tally_bucket(uint64_t ns)
{
	uint32_t power, bucket;

	if (ns < TALLY_STEPS)
		return (uint32_t)ns;
	power = 63 - (uint32_t)__builtin_clzll(ns);
	bucket = (power - STEP_BITS + 1) * TALLY_STEPS +
		 (uint32_t)(ns >> (power - STEP_BITS)) % TALLY_STEPS;
	if (bucket < TALLY_BUCKETS)
		return bucket;
	return TALLY_BUCKETS - 1;
}

uint64_t tally_edge(uint32_t bucket)
{
	uint32_t power = bucket / TALLY_STEPS;

	if (power == 0)
		return bucket;
	return (uint64_t)(TALLY_STEPS + bucket % TALLY_STEPS) << (power - 1);
}

static void raise_to(_Atomic uint64_t *most, uint64_t value)
{
	uint64_t before = atomic_load_explicit(most, memory_order_relaxed);

	while (value > before &&
	       !atomic_compare_exchange_weak_explicit(most, &before, value, memory_order_relaxed,
						      memory_order_relaxed))
		;
}

/*
 * Adds an operation. Relaxed order is enough, because readers wait for the worker's end, which is
 * announced separately.
 */
void tally_add(struct tally *tally, uint64_t ns)
{
	atomic_fetch_add_explicit(&tally->count[tally_bucket(ns)], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&tally->n, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&tally->sum_ns, ns, memory_order_relaxed);
	raise_to(&tally->max_ns, ns);
	raise_to(&tally->least, UINT64_MAX - ns);
}

void tally_note(struct tally_sheet *sheet, uint64_t ns)
{
	sheet->count[tally_bucket(ns)]++;
	sheet->n++;
	sheet->sum_ns += ns;
	sheet->max_ns = MAX(ns, sheet->max_ns);
	sheet->least = MAX(UINT64_MAX - ns, sheet->least);
}

void tally_merge(struct tally *tally, const struct tally_sheet *sheet)
{
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++)
		if (sheet->count[i] > 0)
			atomic_fetch_add_explicit(&tally->count[i], sheet->count[i],
						  memory_order_relaxed);
	atomic_fetch_add_explicit(&tally->n, sheet->n, memory_order_relaxed);
	atomic_fetch_add_explicit(&tally->sum_ns, sheet->sum_ns, memory_order_relaxed);
	raise_to(&tally->max_ns, sheet->max_ns);
	raise_to(&tally->least, sheet->least);
}
