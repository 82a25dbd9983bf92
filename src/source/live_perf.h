/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample.h"
#include "core/scoreboard.h"
#include "live_ring.h"

/*
 * The kernel's context switches of one run as slices. A task's number may be used again while the
 * run lasts, so each life of it is kept on its own, from its creation to its exit.
 */

struct perf_life {
	int32_t tid;
	uint32_t older;	 /* life of the same bucket, plus 1; 0: none */
	uint32_t worker; /* PERF_NOBODY: none that is known */
	uint8_t ours;	 /* the runner, or created by one of ours */
	bool exits;
	bool seen;		   /* a record told where it is */
	int16_t cpu;		   /* of the slice that goes on */
	int64_t since_ns;	   /* its creation; 0: before all */
	int64_t on_ns;		   /* -1: not on a core */
	int64_t off_ns;		   /* the end of its last slice; -1: had none */
	int64_t given_ns;	   /* the end of the last one that was handed out; -1 */
	int64_t until_ns;	   /* what comes later is none of its worker's; 0: all is */
	int64_t ready_ns;	   /* since when it waited for a core before this slice; -1 */
	int32_t waker;		   /* the life that woke it for this slice; -1 */
	int32_t woken_by;	   /* the same for the next */
	uint8_t woken, woken_what; /* enum sample_woken of both */
	int64_t woken_ns;	   /* -1: it was not since */
	char name[16];		   /* of one that is not ours; "": not known */
	int64_t used_ns;	   /* by it, on the cores that are looked at */
};

#define PERF_NOBODY UINT32_MAX

/* What is known of a core. */
struct perf_core {
	uint32_t running;  /* the life that is on it, plus 1; 0: none of those that are seen */
	int64_t left_ns;   /* when somebody left it last; 0: not known */
	int32_t left_tid;  /* who that was */
	int64_t others_ns; /* since when others are on it; 0: they are not */
};

struct live_perf {
	struct live_ring *ring; /* the session's */
	const struct scoreboard *board;
	pid_t runner;
	uint64_t begin_ns; /* of the run; 0: not yet */
	struct perf_life *lives;
	size_t n_lives, cap_lives;
	uint32_t *bucket;	 /* by tid: the youngest life, plus 1 */
	struct perf_core *cores; /* by core of the ring */
	/* Ended, and not handed out yet, on the monotonic clock; index is the life. */
	struct sample_slice *ended;
	size_t n_ended, cap_ended;
	struct sample_slice *list; /* what was taken last */
	size_t n, cap;
	uint64_t taken;
	uint32_t read;	      /* names of tasks that were there before */
	int64_t lost;	      /* for which there was no room here */
	bool *met;	      /* by worker: its life is known */
	int64_t *lane_ns;     /* the end of each worker's last slice that was given */
	uint32_t first_unmet; /* every worker before it was met */
};

/*
 * Opens the rings of a runner that has created nothing of its plan yet. Only the CPUs of the set
 * are looked at; ring and board stay the caller's. 0 or -errno, and then there is nothing to close.
 */
int live_perf_open(struct live_perf *perf, struct live_ring *ring, enum ring_reach reach,
		   pid_t runner, const cpu_set_t *set, const struct scoreboard *board);
/*
 * Reads the records until now and makes slices of them to list, times from the run's begin on. What
 * belongs to a worker that is not known yet comes later. over: nothing is open any more.
 */
void live_perf_take(struct live_perf *perf, bool over);
/* The records and slices that were lost, once the run is over. */
int64_t live_perf_lost(struct live_perf *perf);
/* The programs that used most of the cores and are not of the run, "cc1 480 ms, sshd 12 ms"; "". */
void live_perf_others(const struct live_perf *perf, char *buf, size_t size);
/* Safe on a zeroed one. */
void live_perf_close(struct live_perf *perf);
