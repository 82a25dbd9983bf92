/* SPDX-License-Identifier: MIT */
#include "core/slices.h"

#define RINGS_MOST (UINT64_C(16) << 20)
/*
 * RINGS_MOST: bytes of all rings together. ENTRIES_MOST: entries of a ring. They are enough for a
 * worker that shares its core, which ends some hundred slices per second.
 */
#define ENTRIES_MOST  2048
#define ENTRIES_LEAST 16

size_t slices_size(uint32_t entries)
{
	size_t line = _Alignof(struct slices);
	size_t size = sizeof(struct slices) + entries * sizeof(struct slice);

	if (entries)
		return (size + line - 1) / line * line;
	return 0;
}

uint32_t slices_entries(uint32_t workers)
{
	uint32_t entries = ENTRIES_MOST;

	while (entries >= ENTRIES_LEAST && workers * (uint64_t)slices_size(entries) > RINGS_MOST)
		entries /= 2;
	if (entries < ENTRIES_LEAST)
		return 0;
	return entries;
}

void slices_seen(struct slices *ring, uint64_t now_ns)
{
	atomic_store_explicit(&ring->seen_ns, now_ns, memory_order_relaxed);
}

/*
 * Stores with release order, so that a reader that sees the new slice's beginning also finds all
 * earlier slices.
 */
void slices_begin(struct slices *ring, uint64_t on_ns, int cpu)
{
	slices_seen(ring, on_ns);
	atomic_store_explicit(&ring->cpu, cpu, memory_order_relaxed);
	atomic_store_explicit(&ring->on_ns, on_ns, memory_order_release);
}

void slices_put(struct slices *ring, uint32_t entries, const struct slice *slice)
{
	uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);

	/* Load with acquire order: an entry is overwritten only after it was read. */
	if (put - atomic_load_explicit(&ring->taken, memory_order_acquire) >= entries) {
		atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
		return;
	}
	ring->entry[put % entries] = *slice;
	atomic_store_explicit(&ring->put, put + 1, memory_order_release);
}

void slices_end(struct slices *ring)
{
	atomic_store_explicit(&ring->on_ns, 0, memory_order_release);
	atomic_store_explicit(&ring->ended, 1, memory_order_release);
}

uint32_t slices_take(struct slices *ring, uint32_t entries, struct slice *out, uint32_t most,
		     struct slices_open *open)
{
	uint32_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
	uint32_t put, n;

	/*
	 * Read the open slice before the ended slices. If it ends between the two readings, it is
	 * among the ended ones.
	 */
	open->on_ns = atomic_load_explicit(&ring->on_ns, memory_order_acquire);
	open->seen_ns = atomic_load_explicit(&ring->seen_ns, memory_order_relaxed);
	open->cpu = (int16_t)atomic_load_explicit(&ring->cpu, memory_order_relaxed);
	put = atomic_load_explicit(&ring->put, memory_order_acquire);
	/*
	 * The ring claims more new entries than it can hold. Our workers never cause this, so the
	 * board may be damaged.
	 */
	if (put - taken > entries)
		taken = put - entries;
	for (n = 0; n < most; n++) {
		if (taken == put)
			break;
		out[n] = ring->entry[taken % entries];
		taken++;
	}
	atomic_store_explicit(&ring->taken, taken, memory_order_release);
	if (taken != put || (n > 0 && out[n - 1].on_ns >= open->on_ns))
		open->on_ns = 0;
	return n;
}

uint32_t slices_lost(const struct slices *ring)
{
	return atomic_load_explicit(&ring->lost, memory_order_relaxed);
}
