/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "live_ring.h"

/* Where a session's slices come from, chosen once: all its runs are alike. */

struct live_sched {
	enum experiment_sched source; /* never SCHED_AUTO */
	enum ring_reach reach;	      /* of SCHED_PERF */
	int wakes;		      /* they come as well: 0, or -errno why not */
	int perf;		      /* the kernel's records may be had: 0, or -errno why not */
};

/*
 * The request's choice; of SCHED_AUTO the kernel's records where they are allowed and cost little,
 * else the workers' notes. 0 or -errno with a line for the user: what was asked for is not allowed.
 */
int live_sched_choose(const struct experiment *experiment, struct live_sched *sched, char *error,
		      size_t size);
/*
 * Whether they take at most 1 % of the runs' time and 64 MiB of the kernel's memory, by what each
 * task takes on top of what it is worth.
 */
bool live_sched_is_cheap(const struct experiment *experiment, enum ring_reach reach, uint32_t cpus);
/* Whether all work of the plan has a loop, in which its workers can be watched. */
bool live_sched_has_loops(const struct plan *plan);
/* "own", "perf", "off" */
const char *live_sched_name(const struct live_sched *sched);
/* SAMPLE_WAKES, or why wake-ups are not seen; "" where nothing is. */
const char *live_sched_wakes(const struct live_sched *sched);
/* SAMPLE_PERF, or why the kernel's records cannot be had; "" where nothing is. Returns buf. */
char *live_sched_perf(const struct live_sched *sched, char *buf, size_t size);
