/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The kernel's records of a run's context switches, perf_event_open(2): one bounded ring for each
 * core, read in the order of time. It needs perf_event_paranoid 2 or less for one's own tasks, 0 or
 * less, CAP_PERFMON or root for all that the cores do.
 */

enum ring_reach {
	RING_NONE,  /* not allowed, or the kernel has it not */
	RING_TASKS, /* the runner and all that it creates */
	RING_CORES, /* whoever is on the cores; costs less, as no task inherits anything */
};

enum ring_kind {
	RING_ON,     /* tid is on the core now; of RING_CORES after other */
	RING_OFF,    /* tid left it; preempted: it could have gone on; of RING_CORES to other */
	RING_FORK,   /* tid was created by other */
	RING_EXIT,   /* tid ends, and may still be on the core for a moment */
	RING_WAKING, /* other was woken by tid */
	RING_NAME,   /* tid runs the program name now; of RING_CORES only */
};

struct ring_event {
	enum ring_kind kind;
	bool preempted;
	bool interrupt; /* of RING_WAKING: tid was only interrupted by what woke other */
	int16_t cpu;
	int32_t pid, tid, other;
	char name[16];	  /* of RING_NAME */
	uint64_t time_ns; /* clock_now_ns() */
};

struct ring_core {
	int fd, waking_fd; /* -1: none */
	int16_t cpu;
	void *map; /* NULL: none */
	uint64_t tail, head;
	struct ring_event next;
	bool has_next;
};

struct live_ring {
	enum ring_reach reach;
	bool wakes; /* RING_WAKING comes as well */
	bool rests; /* open between two runs, not recording */
	cpu_set_t set;
	uint32_t n;
	struct ring_core *cores;
	size_t size;	   /* of each ring, bytes */
	int waking_pid_at; /* in a record of sched_waking */
	int64_t ahead_ns;  /* of a time namespace's clock before that of the records */
	uint64_t until_ns; /* live_ring_next() hands out nothing later */
	uint64_t lost, events;
	bool counted; /* lost is complete */
};

/* The best of what is allowed, by trying it; not more than wanted. *err says why it is not more. */
enum ring_reach live_ring_try(enum ring_reach wanted, int *err);
/* Whether wake-ups come with RING_CORES: tracepoints may be read. 0 or -errno. */
int live_ring_try_wakes(void);
/*
 * Opens the rings of the CPUs in the set, with wake-ups where tracepoints may be read, or uses
 * again those that rest on the same CPUs. For RING_TASKS pid is the runner, which has not created
 * any task yet. Before its first run the ring is zeroed. 0 or -errno, nothing left open.
 */
int live_ring_open(struct live_ring *ring, enum ring_reach reach, pid_t pid, const cpu_set_t *set);
/* From here on live_ring_next() hands out all that has happened until now. */
void live_ring_begin(struct live_ring *ring);
/* The next event in time; false: none any more. */
bool live_ring_next(struct live_ring *ring, struct ring_event *event);
/*
 * Adds to lost what no record has reported: the kernel does so with the next record that has room.
 * After the run, since it looks at every task that there is.
 */
void live_ring_count_lost(struct live_ring *ring);
/*
 * Keeps the rings open for the next run: mapping those of two cores is a sixth of what a run of
 * 250 ms costs the front end. RING_TASKS are closed, because they belong to one runner. So are
 * rings that have lost records: the kernel would report that loss in the next run.
 */
void live_ring_rest(struct live_ring *ring);
/* Safe on a zeroed one. */
void live_ring_close(struct live_ring *ring);
