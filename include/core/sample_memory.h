/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"

/* How a memory value was measured; -1: unknown, as in recordings of old versions. */
enum sample_seen {
	SEEN_START,   /* read at the start barrier, before the work */
	SEEN_SAMPLED, /* the most of some readings during the work */
	SEEN_PEAK,    /* the kernel's own peak of the one process */
	SEEN_PEAKS,   /* upper bound: the sum of the peaks of processes that worked at the same time
		       */
	SEEN_LEAST,   /* the most of some readings, or of some tasks; the peak may be far above */
	SEEN_MOST,    /* an upper bound: nothing came near the peak */
	SEEN_WAYS
};

/* The relation of such a value to the true one. */
enum sample_bound {
	BOUND_NONE, /* it is not known how it was seen, or it was counted */
	BOUND_LEAST,
	BOUND_PEAK,
	BOUND_MOST,
};

/* The memory of the model's own tasks, KiB, without the scoreboard that tuibench itself maps. */
struct sample_memory {
	int64_t rss_kb;	   /* summed over processes, as top does: shared pages count each time */
	int64_t pss_kb;	   /* shared pages divided among the processes that map them */
	int64_t uss_kb;	   /* pages that no other process maps */
	int64_t kernel_kb; /* all memory that the kernel takes for the tasks: the sum of its parts
			    */
	bool estimated;	   /* pss and uss extrapolated from some of the processes */
	bool kernel_estimated; /* kernel_other_kb was measured with such tasks before the session */
	int64_t kernel_tables_kb, kernel_stacks_kb;
	int64_t kernel_other_kb; /* slab and the like; -1: kernel_kb lacks it, as of old */
	/* enum sample_seen, of a run's peaks; pss_seen is that of USS as well */
	int16_t rss_seen, pss_seen, kernel_seen;
};

/* "start", "sampled", "peak", "peaks"; NULL for any other number. */
const char *sample_seen_name(int seen);
enum sample_bound sample_seen_bound(int seen);
/* Before a number: "≥" of a least, "≤" of a most, "" of others. */
const char *sample_seen_mark(int seen);

struct sample_memory sample_memory_unknown(void);

/* Its members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_memory_fields[];
