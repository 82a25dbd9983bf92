/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Detects times in which the front end, and so the run too, was stopped: by SIGSTOP, by a paused
 * container (the freezer), or by a suspended machine or host. During that time nothing can be
 * observed. Afterwards a tick is late, though the front end neither worked nor waited for a core;
 * on a crowded machine it would have waited. While a machine sleeps no tick is late, because its
 * clock stops, but CLOCK_BOOTTIME advances.
 */

/* When a tick was taken. */
struct live_moment {
	uint64_t now_ns;  /* clock_now_ns() */
	uint64_t due_ns;  /* when it could have been taken at the earliest */
	int64_t slept_ns; /* of the machine, since it was started */
	int64_t ready_ns; /* on a core or waiting for one; -1: not known */
};

/*
 * Now, with a timer of ticks that was read as having expired so often; 0: it had not. asleep_ns:
 * when the front end began to wait for it.
 */
struct live_moment live_moment_read(int timer_fd, uint64_t expired, uint64_t asleep_ns);
/* Nanoseconds of a standstill between two moments; 0: there was none worth a word. */
int64_t live_standstill(const struct live_moment *before, const struct live_moment *now);
