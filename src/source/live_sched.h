/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counters.h"
#include "core/sample.h"
#include "core/scoreboard.h"
#include "experiment/experiment.h"
#include "live_slices.h"

struct live_sched {
	enum experiment_sched source; /* Never SCHED_AUTO. */
	enum ring_reach reach;	      /* For SCHED_PERF. */
	struct live_ring ring;	      /* Kept open between runs; the session closes it. */
	/* With RING_CORES: 0 if wake-ups are recorded, otherwise -errno. */
	int wakes;
	int perf;	     /* 0: the kernel's records are available; otherwise -errno. */
	enum tasks_by tasks; /* How the tasks of commands are found. */
	bool seldom;	     /* They are read every TASKS_ALONE_NS, because they switch often. */
};

/*
 * Chooses the source as requested. SCHED_AUTO takes the kernel's records if they are allowed and
 * cost little, otherwise the workers' own records. tasks: see live_tasks_choose(). Returns 0, or
 * -errno with a line for the user if the requested source is not allowed.
 */
int live_sched_choose(const struct experiment *experiment, const char *tasks,
		      struct live_sched *sched, char *error, size_t size);
/* Whether the kernel's records take at most 1 % of the runs' time and 64 MiB of kernel memory. */
bool live_sched_is_cheap(const struct experiment *experiment, enum ring_reach reach, uint32_t cpus);

/*
 * The warm-up with the most switches. rate: switches per second. on_core: switches per second of
 * the run's time without that of other programs. Zero it before the first use.
 */
struct live_rate {
	uint32_t case_id;
	double rate, on_core;
	int64_t elapsed_ns;
};

void live_rate_take(struct live_rate *most, uint32_t case_id, const struct sample_totals *totals);
/* Whether recording the switches of that warm-up may take a notable part of its time. */
bool live_rate_matters(const struct live_rate *most);
/*
 * Measures, within about 50 ms, how long recording one switch takes: two processes pass a byte to
 * each other, with and without records. Returns ns, or -1 if the time cannot be measured, or if
 * other programs hide it. Closes the session's rings, because they would record the trips that must
 * not be recorded.
 */
int64_t live_record_ns(const char *runner, struct live_sched *session);
/*
 * Writes the cost of recording each switch to *watched. If change is set and the cost is too high,
 * turns the kernel's records off for the next runs. record_ns -1: not measured. tasks: see
 * live_tasks_choose(). The caller sets watched->sched_ns.
 */
void live_sched_judge(struct live_sched *sched, const struct live_rate *most, bool change,
		      int64_t record_ns, const char *tasks, struct sample_watched *watched);

const char *live_sched_name(const struct live_sched *sched);
/* SAMPLE_WAKES, or the reason why wake-ups are not recorded; "" if there is no source. */
const char *live_sched_wakes(const struct live_sched *sched);
/* Why perf_event_open(2) failed. level: value of kernel.perf_event_paranoid. Returns buf. */
char *live_sched_refusal(int err, int level, char *buf, size_t size);
/*
 * SAMPLE_PERF, or the reason why the kernel's records are not available; "" if there is no source.
 * Returns buf.
 */
char *live_sched_perf(const struct live_sched *sched, char *buf, size_t size);

/*
 * Returns n if the memory of every n-th process is read. This spreads the readings over the tree,
 * whose inner processes have more memory. If tasks come and go, n is 1. Processes of one level and
 * kind of work that wait at the barrier have all done the same, and their memory differs by a page
 * or two. Of these, reading one in 32 is as good as one in 4: the error is about 1 % of a process.
 */
uint32_t live_pick_step(const struct board_request *request);

/*
 * The CPUs that this program may use, sched_getaffinity(2): online, in its cpuset, allowed by
 * taskset(1). They may change during a session, and a run on other CPUs is not a trial of the same
 * case.
 */

/* The CPUs that this program may use now; empty: unknown. */
cpu_set_t live_usable(void);
/*
 * Whether the CPUs of a run have changed since `usable` was read. cpus: the CPUs of the run; empty:
 * all CPUs, so that a new CPU is a change too. text: how the first of the changed CPUs has changed,
 * as a clause. A change that was undone between two calls is not noticed.
 */
bool live_usable_changed(const cpu_set_t *usable, const cpu_set_t *cpus, char *text, size_t size);

struct live_count {
	enum counters_kind kind;
	char said[SAMPLE_LABEL]; /* The text for sample_session.counters. */
	/*
	 * The front end's own counters, which are never enabled. Opening the first counters of the
	 * whole system takes 10 ms or more, because the kernel notifies every core. The front end
	 * opens these counters first, so that no worker has to wait for that.
	 */
	struct counters held;
};

/*
 * Finds out whether counters are allowed and cost at most 1 % of the runs' time. wish:
 * $TUIBENCH_COUNTERS ("software" or "off", for tests), or NULL. Returns 0, or -EINVAL for another
 * value.
 */
int live_count_choose(const struct experiment *experiment, const char *wish,
		      struct live_count *count);
/* Why counts of a worker are missing, in words; NULL: all workers were counted. */
const char *live_count_missed(const struct scoreboard *board);
void live_count_close(struct live_count *count);
