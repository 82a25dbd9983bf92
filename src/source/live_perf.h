/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample.h"
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
	bool seen;	  /* a record told where it is */
	int16_t cpu;	  /* of the slice that goes on */
	int64_t since_ns; /* its creation; 0: before all */
	int64_t on_ns;	  /* -1: not on a core */
	int64_t off_ns;	  /* the end of its last slice; -1: had none */
	int64_t ready_ns; /* since when it waits for a core, or did before this slice; -1 */
};

#define PERF_NOBODY UINT32_MAX

struct live_perf {
	struct live_ring ring;
	pid_t runner;
	struct perf_life *lives;
	size_t n_lives, cap_lives;
	uint32_t *bucket;  /* by tid: the youngest life, plus 1 */
	uint32_t *running; /* by core of the ring: the life that is on it, plus 1 */
	/* Ended, and not handed out yet, on the monotonic clock; index is the life. */
	struct sample_slice *ended;
	size_t n_ended, cap_ended;
	struct sample_slice *slices; /* what live_perf_take() hands out */
	size_t n_slices, cap_slices;
	uint64_t given;
	uint64_t lost; /* slices for which there was no room */
	bool *met;     /* by worker */
};

/*
 * Opens the rings of a runner that has created nothing yet, for so many workers. Only the CPUs of
 * the set are looked at. 0 or -errno, and then there is nothing to close.
 */
int live_perf_open(struct live_perf *perf, enum ring_reach reach, pid_t runner,
		   const cpu_set_t *set, uint32_t workers);
/*
 * Reads the records until now and makes slices of them, times from begin_ns on; the workers that
 * changed tell whose they are. What cannot be told yet comes later.
 */
void live_perf_take(struct live_perf *perf, uint64_t begin_ns, const struct sample_change *workers,
		    uint32_t n);
/* The records and slices that were lost, after the last live_perf_take(). */
uint64_t live_perf_lost(struct live_perf *perf);
void live_perf_close(struct live_perf *perf);
