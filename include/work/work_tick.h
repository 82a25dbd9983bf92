/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/slices.h"

/*
 * A worker that works in a loop looks every 16 µs of it whether it was away from its core: the
 * kernel marks that in its memory, see work_watch.h. Where it does not, more time has passed than
 * the work takes, or the core is another one. The kernel's counters then say for how long it was
 * away, and why. So no permission is needed, and nobody is disturbed.
 */

/* The work between two looks, ns; more where reading the clock takes long. */
#define WORK_TICK_NS 16000
/* Without the mark, the least time away that is seen: so many times the work between two looks. */
#define WORK_TICK_GAP 4

/* The notes of one worker, its own alone. */
struct work_ticker {
	struct slices *ring;
	uint32_t entries;	 /* of the ring */
	uint64_t tick_ns;	 /* wanted between two looks */
	uint64_t on_ns, seen_ns; /* on its core since; seen on it last */
	int cpu;
	/* At the last reading of the kernel's counters. */
	uint64_t read_ns, used_ns; /* on the two clocks: the wall's, the thread's */
	long voluntary, forced;	   /* its switches */
};

/* At the work's begin, in the worker itself. */
void work_tick_open(struct work_ticker *ticker, struct slices *ring, uint32_t entries,
		    uint64_t tick_ns);
/* At its end, which is that of the last slice. */
void work_tick_close(struct work_ticker *ticker);

/* The least time away that is seen where workers look so often; sleeps to find out. */
uint64_t work_tick_least(uint64_t tick_ns);

/* Looks; and says how many of so many steps to do until the next look, 1 at least. */
uint64_t work_tick_look(struct work_ticker *ticker, uint64_t steps);

/* The same for work that may be watched or not: NULL. */
static inline uint64_t work_tick(struct work_ticker *ticker, uint64_t steps)
{
	return ticker ? work_tick_look(ticker, steps) : steps;
}
