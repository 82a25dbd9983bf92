/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Detects times in which the front end was stopped: by SIGSTOP, by a paused container (the
 * freezer), or by a suspended machine or host. The first tick after such a time is late, although
 * the front end neither ran nor waited for a core. On a crowded machine, it would have waited for a
 * core. While the machine itself sleeps, CLOCK_MONOTONIC stops and no tick is late, but
 * CLOCK_BOOTTIME advances.
 */

/* The moment at which a tick was taken. */
struct live_moment {
	uint64_t now_ns;  /* When the reading was made, a time of clock_now_ns(). */
	uint64_t due_ns;  /* Earliest time at which the tick could have been taken. */
	int64_t slept_ns; /* How long the machine has slept since it was booted. */
	int64_t ready_ns; /* How long the front end has run or waited for a core; -1: unknown. */
};

/* The files from which the current moment is read. */
struct live_moment_files {
	int timer_fd;
	/* From live_standstill_open(); -1: the kernel does not count this time. */
	int schedstat_fd;
};

/*
 * Opens the kernel's count of the calling thread's time. It stays open, because opening it takes
 * longer than the rest of a reading. Returns -1 if there is none.
 */
int live_standstill_open(void);
/*
 * Reads the current moment. expired: how often the timer of ticks had expired when it was read; 0:
 * not once. asleep_ns: when the front end began to wait for the timer.
 */
struct live_moment live_moment_read(const struct live_moment_files *files, uint64_t expired,
				    uint64_t asleep_ns);
/* Length of a standstill between two moments, ns; 0: none, or too short to report. */
int64_t live_standstill(const struct live_moment *before, const struct live_moment *now);
