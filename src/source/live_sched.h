/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counters.h"
#include "core/sample_session.h"
#include "core/scoreboard.h"
#include "experiment/experiment.h"
#include "live_slices.h"

struct live_sched {
	enum experiment_sched source; /* never SCHED_AUTO */
	enum ring_reach reach;	      /* of SCHED_PERF */
	struct live_ring ring;	      /* from one run to the next; the session closes it */
	int wakes;		      /* wake-ups come as well: 0, or -errno why not */
	int perf;		      /* the kernel's records may be had: 0, or -errno why not */
	enum tasks_by tasks;	      /* the tasks of commands */
};

/*
 * Obeys the request. SCHED_AUTO takes the kernel's records if they are allowed and cost little,
 * else the workers' notes. tasks: see live_tasks_choose(). 0, or -errno with a line for the user:
 * the choice is not allowed.
 */
int live_sched_choose(const struct experiment *experiment, const char *tasks,
		      struct live_sched *sched, char *error, size_t size);
/* Whether the kernel's records take at most 1 % of the runs' time and 64 MiB of kernel memory. */
bool live_sched_is_cheap(const struct experiment *experiment, enum ring_reach reach, uint32_t cpus);
const char *live_sched_name(const struct live_sched *sched);
/* SAMPLE_WAKES, or why wake-ups are not seen; "" where nothing is. */
const char *live_sched_wakes(const struct live_sched *sched);
/* Why perf_event_open(2) failed. level: kernel.perf_event_paranoid. Returns buf. */
char *live_sched_refusal(int err, int level, char *buf, size_t size);
/* SAMPLE_PERF, or why the kernel's records cannot be had; "" where nothing is. Returns buf. */
char *live_sched_perf(const struct live_sched *sched, char *buf, size_t size);

/*
 * Returns the step between processes whose memory is read, evenly over the tree because inner
 * processes hold more. Tasks that come and go are all read when they are found. Processes of one
 * level and kind of work that wait at the barrier have all done the same, so one in 32 is as good
 * as one in 4. They differ by a page or two, in long rows of neighbours. An even step is off by
 * less than a page in twice the number read, 1 % of a process.
 */
uint32_t live_pick_step(const struct board_request *request);

/*
 * The CPUs that this program may use, sched_getaffinity(2): online, in its cpuset, allowed by
 * taskset(1). They may change during a session, and a run on other CPUs is no trial of the same
 * thing.
 */

/* Empty: not known. */
cpu_set_t live_usable(void);
/*
 * Whether the CPUs of a run have changed since then; cpus empty: all of them, and then a new one
 * counts as well. text says which and how, as a clause. Changes between two calls that were undone
 * are not seen.
 */
bool live_usable_changed(const cpu_set_t *usable, const cpu_set_t *cpus, char *text, size_t size);

struct live_count {
	enum counters_kind kind;
	char said[SAMPLE_LABEL]; /* as sample_session.counters */
	/*
	 * Our own counters, which never count. The first ones in the system cost 10 ms or more,
	 * because the kernel notifies every core of them: so no worker opens the first.
	 */
	struct counters held;
};

/*
 * Finds out whether counters are allowed and take at most 1 % of the runs' time. wish:
 * $TUIBENCH_COUNTERS, "software" or "off" for tests, or NULL. 0, or -EINVAL for another wish.
 */
int live_count_choose(const struct experiment *experiment, const char *wish,
		      struct live_count *count);
/* Why a worker that should have been counted was not, in words; NULL: they all were. */
const char *live_count_missed(const struct scoreboard *board);
void live_count_close(struct live_count *count);
