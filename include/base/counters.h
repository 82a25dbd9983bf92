/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The processor's own counters for the calling thread, without the kernel's part. So the counts are
 * the same for every user, and kernel.perf_event_paranoid 2 is low enough: perf_event_open(2).
 */

enum { COUNTERS_CYCLES, COUNTERS_INSTRUCTIONS, COUNTERS_CACHE, COUNTERS_TLB, COUNTERS };

enum counters_kind {
	COUNTERS_NONE,
	COUNTERS_HARDWARE, /* cycles, instructions, misses of the last cache, of loads in the TLB */
	/* For tests, in the same places: the time on a core in ns, all faults, minor, major. */
	COUNTERS_SOFTWARE,
};

/* One group: all count at the same time, or none does. */
struct counters {
	int fd[COUNTERS]; /* -1: the machine has no such counter */
};

/* Open files of a process with that number of counted threads, including its other files. */
uint32_t counters_files(uint32_t threads);
/*
 * Raises the limit of open files and enlarges the table, as far as the hard limit allows. Call it
 * while there is only one thread, because otherwise the kernel delays a larger table by 10 ms or
 * more.
 */
void counters_reserve(uint32_t threads);
/*
 * Opens the counters of the calling thread, without starting them. Returns 0 or -errno: -ENOENT or
 * -EOPNOTSUPP if the machine has none; -EACCES or -EPERM if not allowed; -EMFILE.
 */
int counters_open(struct counters *counters, enum counters_kind kind);
void counters_begin(const struct counters *counters);
/*
 * Reads the counts since the start, -1 for a missing counter. Returns 0, or -EBUSY if they did not
 * count all the time, because other programs use them.
 */
int counters_read(const struct counters *counters, int64_t value[COUNTERS]);
/* Bytes that counters_read() reads. */
size_t counters_bytes(const struct counters *counters);
void counters_close(struct counters *counters);
