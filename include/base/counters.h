/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The processor's own counters for the calling thread. They leave out the kernel's part, so every
 * user gets the same counts and kernel.perf_event_paranoid may be 2: perf_event_open(2).
 */

enum { COUNTERS_CYCLES, COUNTERS_INSTRUCTIONS, COUNTERS_CACHE, COUNTERS_TLB, COUNTERS };

enum counters_kind {
	COUNTERS_NONE,
	/* Cycles, instructions, misses in the last-level cache, and TLB misses of loads. */
	COUNTERS_HARDWARE,
	/*
	 * For tests: software events in place of the hardware's. CPU time in ns, all page faults,
	 * minor faults, major faults.
	 */
	COUNTERS_SOFTWARE,
};

/* One group of the kernel: either all its counters count, or none does. */
struct counters {
	int fd[COUNTERS]; /* -1: the machine has no such counter. */
};

/*
 * Number of open files that a process needs to count in this number of threads, including its other
 * files.
 */
uint32_t counters_files(uint32_t threads);
/*
 * Raises the limit of open files as far as needed, and enlarges the process's file table. Does
 * nothing if the hard limit is too low. Call it while the process has only one thread: with
 * several, the kernel takes 10 ms or more to enlarge the table.
 */
void counters_reserve(uint32_t threads);
/*
 * Opens the counters of the calling thread without starting them. Returns 0 or -errno. -ENOENT or
 * -EOPNOTSUPP: the machine has no counters. -EACCES or -EPERM: not allowed. -EMFILE: too many open
 * files.
 */
int counters_open(struct counters *counters, enum counters_kind kind);
void counters_begin(const struct counters *counters);
/*
 * Reads the counts since counters_begin(); -1 for a missing counter. Returns 0; -EBUSY if another
 * program had the counters for some or all of the time; or another -errno.
 */
int counters_read(const struct counters *counters, int64_t value[COUNTERS]);
/* Number of bytes that one call of counters_read() reads. */
size_t counters_bytes(const struct counters *counters);
void counters_close(struct counters *counters);
