/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Measurements of work that repeats one operation, see plan_step(). */
struct work_steps {
	uint64_t n;		   /* Number of operations; 0: not counted. */
	uint64_t begin_ns, end_ns; /* Times of clock_now_ns(). */
	uint64_t used_ns;	   /* CPU time from begin_ns to end_ns */
	uint64_t faults;	   /* Minor page faults of this worker. */
	/*
	 * Memory that the kernel copied for the process during the work, KiB; UINT64_MAX: unknown.
	 */
	uint64_t copied_kb;
	uint64_t report_bytes; /* Bytes that the worker read from /proc to report on the work. */
	/*
	 * Number of increments that share workers lost, set by the last worker to end; otherwise 0.
	 */
	uint64_t lost;
};

/*
 * A histogram of the durations of many operations. Each power of two has 32 buckets, so a bucket is
 * about 3 % wide; below 64 ns, buckets are 1 ns wide. Threads and processes add to one tally in
 * shared memory at the same time.
 */

#define TALLY_STEPS   32 /* Buckets for each power of two. */
#define TALLY_BITS    40 /* Operations of more than 18 minutes are counted in the last bucket. */
#define TALLY_BUCKETS (TALLY_STEPS * (TALLY_BITS - 4))

/* All members are zero while the tally is empty. */
struct tally {
	_Atomic uint64_t n, sum_ns, max_ns;
	/* UINT64_MAX minus the shortest duration, so that zeroed memory means "no duration yet". */
	_Atomic uint64_t least;
	_Atomic uint32_t count[TALLY_BUCKETS];
};

/*
 * The tally of one worker, which is faster to fill than the shared one. It is merged into the
 * shared tally after the work.
 */
struct tally_sheet {
	uint64_t n, sum_ns, max_ns, least;
	uint32_t count[TALLY_BUCKETS];
};

/*
 * The bucket of a duration, and the shortest duration of a bucket. tally_edge(TALLY_BUCKETS) is the
 * end of the last bucket.
 */
uint32_t tally_bucket(uint64_t ns);
uint64_t tally_edge(uint32_t bucket);

/*
 * tally_add() counts one operation of that duration in the shared tally, tally_note() in a sheet.
 * tally_merge() adds a sheet to the shared tally.
 */
void tally_add(struct tally *tally, uint64_t ns);
void tally_note(struct tally_sheet *sheet, uint64_t ns);
void tally_merge(struct tally *tally, const struct tally_sheet *sheet);
