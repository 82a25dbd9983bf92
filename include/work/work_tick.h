/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/slices.h"

/*
 * A worker that works in a loop checks after about every 16 µs of work whether it was off its core.
 * With marks, the kernel changes a mark in the worker's memory whenever it switches the worker, see
 * work_parts.h. Without marks, the worker compares the time that has passed with the time that its
 * work takes, and its core with the core at the last check. After an absence, the worker reads the
 * kernel's counters, which say how long it was off the core, and why. This needs no permission and
 * disturbs no other task.
 */

/* Work between two checks, ns. Longer if reading the clock takes long. */
#define WORK_TICK_NS 16000
/*
 * Without marks: the shortest absence that is detected, in multiples of the work between two
 * checks.
 */
#define WORK_TICK_GAP 4
/*
 * With marks, the worker reads the clock only at every WORK_TICK_MARKED-th check, and is then
 * recorded as seen on its core.
 */
#define WORK_TICK_MARKED 8

/* The records of one worker. No other task uses them. */
struct work_ticker {
	struct slices *ring;
	uint32_t entries; /* entries of the ring */
	uint64_t tick_ns; /* amount of work between two checks, ns */
	/* most: checks between two readings of the clock. looks: checks since the last reading. */
	uint32_t most, looks;
	/* on_ns: when the worker came onto its core. seen_ns: when it was last seen there. */
	uint64_t on_ns, seen_ns;
	int cpu;
	/* Values at the last reading of the kernel's counters. */
	uint64_t read_ns, used_ns; /* Time of the clock, and CPU time of the thread. */
	long voluntary, forced;	   /* Context switches of the thread. */
};

/* The worker calls this when its work begins. `marked` is the result of work_tick_marked(). */
void work_tick_open(struct work_ticker *ticker, struct slices *ring, uint32_t entries,
		    uint64_t tick_ns, bool marked);
/* The worker calls this when its work ends. That is also the end of its last slice. */
void work_tick_close(struct work_ticker *ticker);

/* Whether the kernel marks every context switch. Sleeps for a moment to find out. */
bool work_tick_marked(void);

/*
 * Checks for an absence. `steps`: number of steps since the previous check. Returns the number of
 * steps until the next check, at least 1.
 */
uint64_t work_tick_look(struct work_ticker *ticker, uint64_t steps);

/* Like work_tick_look(); without a ticker (NULL), only returns `steps`. */
static inline uint64_t work_tick(struct work_ticker *ticker, uint64_t steps)
{
	return ticker ? work_tick_look(ticker, steps) : steps;
}

/*
 * The checks of a loop. steps: number of steps between two checks. left: number of steps until the
 * next check.
 */
struct work_pace {
	struct work_ticker *ticker; /* NULL: do not check. */
	uint64_t steps, left;
};

/* Call it after each step. */
static inline void work_step(struct work_pace *pace)
{
	if (--pace->left == 0)
		pace->left = pace->steps = work_tick(pace->ticker, pace->steps);
}
