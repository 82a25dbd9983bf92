/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"

/* How a memory value was measured. -1: unknown, as in recordings of old versions. */
enum sample_seen {
	SEEN_START,   /* read at the start barrier, before the work */
	SEEN_SAMPLED, /* the highest of some readings during the work */
	SEEN_PEAK,    /* the process's own peak, as the kernel reports it */
	/*
	 * The sum of the peaks of processes that worked at the same time. An upper bound, which is
	 * treated like a peak.
	 */
	SEEN_PEAKS,
	/*
	 * The highest of some readings, or the sum over some tasks only. The peak may be much
	 * higher.
	 */
	SEEN_LEAST,
	SEEN_MOST, /* an upper bound; no reading came near the peak */
	SEEN_WAYS
};

/* How a value relates to the true one, which follows from how it was measured. */
enum sample_bound {
	/* The value was counted, or the recording does not say how it was measured. */
	BOUND_NONE,
	BOUND_LEAST,
	BOUND_PEAK,
	BOUND_MOST,
};

/* The memory of the model's own tasks in KiB, without the scoreboard, which only tuibench needs. */
struct sample_memory {
	/* Sum over the processes, as top shows it. Shared pages count once for each process. */
	int64_t rss_kb;
	int64_t pss_kb; /* A shared page is divided among the processes that map it. */
	int64_t uss_kb; /* Pages that no other process maps. */
	/* All memory that the kernel uses for the tasks: the sum of the members below. */
	int64_t kernel_kb;
	bool estimated; /* pss and uss are extrapolated from some of the processes. */
	/* kernel_other_kb was measured before the session, with tasks of the same kind. */
	bool kernel_estimated;
	int64_t kernel_tables_kb, kernel_stacks_kb;
	/* Slab and similar memory. -1: kernel_kb does not include it, as in old recordings. */
	int64_t kernel_other_kb;
	/* enum sample_seen of a run's peaks. pss_seen is also that of USS. */
	int16_t rss_seen, pss_seen, kernel_seen;
};

/*
 * The name of an enum sample_seen: "start", "sampled", "peak", "peaks", "least" or "most"; NULL for
 * an invalid number.
 */
const char *sample_seen_name(int seen);
enum sample_bound sample_seen_bound(int seen);
/* The sign before a number: "≥" for a lower bound, "≤" for an upper bound, otherwise "". */
const char *sample_seen_mark(int seen);

struct sample_memory sample_memory_unknown(void);

/*
 * The members with their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_memory_fields[];
