/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Measurements of work that repeats one operation, see plan_step(). */
struct work_steps {
	uint64_t n;		   /* 0: nothing was counted */
	uint64_t begin_ns, end_ns; /* as of clock_now_ns() */
	uint64_t used_ns;	   /* on a core in between */
	uint64_t faults;	   /* minor ones, of this worker */
	uint64_t copied_kb; /* that the process has of its own since; UINT64_MAX: not known */
	uint64_t told;	    /* bytes read to report on it */
	uint64_t lost; /* share: of all workers' increments, as the last one found; in others 0 */
};

/*
 * How long each of many operations took: how many were in each bucket of time. Buckets are a 32nd
 * of a power of two wide, 3 % at most; below 32 ns they are of 1 ns. Threads and processes add to
 * one tally in shared memory, all at once.
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

/* The same of one worker alone, which costs it less; merged when its work is done. */
struct tally_sheet {
	uint64_t n, sum_ns, max_ns, least;
	uint32_t count[TALLY_BUCKETS];
};

/* The bucket of a time, and the least time of a bucket; of TALLY_BUCKETS the end of the last. */
uint32_t tally_bucket(uint64_t ns);
uint64_t tally_edge(uint32_t bucket);

/* One operation took so long. */
void tally_add(struct tally *tally, uint64_t ns);
void tally_note(struct tally_sheet *sheet, uint64_t ns);
void tally_merge(struct tally *tally, const struct tally_sheet *sheet);
