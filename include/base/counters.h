/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The processor's own counters of the calling thread, outside of the kernel: so the figures are the
 * same for every user, and kernel.perf_event_paranoid 2 is low enough: perf_event_open(2).
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
	int fd[COUNTERS]; /* -1: this machine has no such */
};

/* Open files of a process with that many counted threads, its other files included. */
uint32_t counters_files(uint32_t threads);
/*
 * Makes room for them as far as the hard limit allows. While there is one thread only: the kernel
 * makes others wait for 10 ms and more until a larger table of files is in place.
 */
void counters_reserve(uint32_t threads);
/*
 * Opens them for the calling thread; they do not count yet. 0 or -errno: -ENOENT, -EOPNOTSUPP: the
 * machine has none; -EACCES, -EPERM: not allowed; -EMFILE.
 */
int counters_open(struct counters *counters, enum counters_kind kind);
void counters_begin(const struct counters *counters);
/*
 * What they counted since, -1 where there is none. 0 or -EBUSY: they did not count all the time,
 * since others have them.
 */
int counters_read(const struct counters *counters, int64_t value[COUNTERS]);
/* Bytes that counters_read() reads. */
size_t counters_bytes(const struct counters *counters);
void counters_close(struct counters *counters);
