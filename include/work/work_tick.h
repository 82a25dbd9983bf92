/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/slices.h"

/*
 * A worker that works in a loop looks every 16 µs of it whether it was away from its core: the
 * kernel marks that in its memory, see work_parts.h. Where it does not, more time has passed than
 * the work takes, or the core is another one. The kernel's counters then say for how long it was
 * away, and why. So no permission is needed, and nobody is disturbed.
 */

/* The work between two looks, ns; more where reading the clock takes long. */
#define WORK_TICK_NS 16000
/* Without the mark, the least time away that is seen, in times of the work between two looks. */
#define WORK_TICK_GAP 4
/* With the mark, the clock is read at each eighth look only: then the worker was last seen. */
#define WORK_TICK_MARKED 8

/* The notes of one worker, its own alone. */
struct work_ticker {
	struct slices *ring;
	uint32_t entries;	 /* entries of the ring */
	uint64_t tick_ns;	 /* wanted between two looks */
	uint32_t most, looks;	 /* looks for each at the clock; since that one */
	uint64_t on_ns, seen_ns; /* on its core since; seen on it last */
	int cpu;
	/* At the last reading of the kernel's counters. */
	uint64_t read_ns, used_ns; /* on the two clocks: the wall's, the thread's */
	long voluntary, forced;	   /* its switches */
};

/* At the work's begin, in the worker itself; marked as work_tick_marked(). */
void work_tick_open(struct work_ticker *ticker, struct slices *ring, uint32_t entries,
		    uint64_t tick_ns, bool marked);
/* At its end, which is that of the last slice. */
void work_tick_close(struct work_ticker *ticker);

/* The kernel marks every switch; sleeps to find out. */
bool work_tick_marked(void);

/* Looks, and returns how many of `steps` to do until the next look, 1 at least. */
uint64_t work_tick_look(struct work_ticker *ticker, uint64_t steps);

/* The same for work that may run without a ticker: NULL. */
static inline uint64_t work_tick(struct work_ticker *ticker, uint64_t steps)
{
	return ticker ? work_tick_look(ticker, steps) : steps;
}

/* A loop of work: how many steps are left until its next look, out of how many. */
struct work_pace {
	struct work_ticker *ticker; /* or NULL */
	uint64_t steps, left;
};

/* Call it after each step. */
static inline void work_step(struct work_pace *pace)
{
	if (--pace->left == 0)
		pace->left = pace->steps = work_tick(pace->ticker, pace->steps);
}
