/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Measurements of work that repeats one operation, see plan_step(). */
struct work_steps {
	uint64_t n;		   /* 0: nothing was counted */
	uint64_t begin_ns, end_ns; /* as of clock_now_ns() */
	uint64_t used_ns;	   /* CPU time in between */
	uint64_t faults;	   /* minor ones, of this worker */
	uint64_t copied_kb;	   /* memory that the process has of its own since then; UINT64_MAX:
				      unknown */
	uint64_t told;		   /* bytes read in order to report it */
	uint64_t lost; /* share: the sum of all workers' increments, as last read; 0 for other kinds
			*/
};

/*
 * A histogram of the durations of many operations. Buckets are a 32nd of a power of two wide, 3 %
 * at most; below 32 ns they are 1 ns wide. Threads and processes add to one tally in shared memory
 * at the same time.
 */

#define TALLY_STEPS   32 /* buckets for each power of two */
#define TALLY_BITS    40 /* the last bucket also has all that took longer than 18 minutes */
#define TALLY_BUCKETS (TALLY_STEPS * (TALLY_BITS - 4))

/* All 0 where nothing was added yet. */
struct tally {
	_Atomic uint64_t n, sum_ns, max_ns;
	_Atomic uint64_t least; /* UINT64_MAX - the shortest */
	_Atomic uint32_t count[TALLY_BUCKETS];
};

/* The tally of one worker, which is cheaper to fill; merged when its work is done. */
struct tally_sheet {
	uint64_t n, sum_ns, max_ns, least;
	uint32_t count[TALLY_BUCKETS];
};

/* The bucket of a time, and the least time of a bucket; for TALLY_BUCKETS the end of the last. */
uint32_t tally_bucket(uint64_t ns);
uint64_t tally_edge(uint32_t bucket);

/* Adds one operation with that duration. */
void tally_add(struct tally *tally, uint64_t ns);
void tally_note(struct tally_sheet *sheet, uint64_t ns);
void tally_merge(struct tally *tally, const struct tally_sheet *sheet);
