/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The ring in which a worker records when it ran, and on which core. The rings follow the slots of
 * the scoreboard. Only the worker adds slices, and only the front end takes them. Neither waits for
 * the other, so slices that a full ring cannot take are counted as lost. Times are from
 * clock_now_ns().
 */

struct slice {
	uint64_t on_ns, off_ns;
	int16_t cpu;
	uint8_t why; /* enum sample_why */
	/* Number of context switches between this slice and the next one; 255: 255 or more. */
	uint8_t switches;
	/*
	 * Length of the last part of this slice, in which the worker was not seen on its core. It
	 * used this much CPU time before its next slice, at an unknown moment.
	 */
	uint32_t guess_ns;
};

struct slices {
	/* The cache line that the worker writes. */
	/* Number of slices added so far, not counting lost ones. */
	_Alignas(64) _Atomic uint32_t put;
	_Atomic uint32_t lost;
	_Atomic uint64_t on_ns;	  /* Start of the open slice; 0: no slice is open. */
	_Atomic uint64_t seen_ns; /* when the worker was last seen on its core */
	_Atomic int32_t cpu;	  /* CPU of the open slice. */
	_Atomic uint8_t ended;	  /* 1: no more slices will be added */
	/* The cache line that the front end writes. */
	_Alignas(64) _Atomic uint32_t taken;
	_Alignas(64) struct slice entry[];
};

/*
 * The open slice, which has not ended. on_ns 0: there is none; it ended during the call and is
 * among the slices taken; or older slices are still in the ring.
 */
struct slices_open {
	uint64_t on_ns, seen_ns;
	int16_t cpu;
};

/* Bytes of a ring. entries is a power of two, or 0 for no ring. */
size_t slices_size(uint32_t entries);
/*
 * Entries of each worker's ring, so that all rings together have at most 16 MiB. 0: with this
 * number of workers, rings would be too short to be useful.
 */
uint32_t slices_entries(uint32_t workers);

/* For the worker. */
void slices_begin(struct slices *ring, uint64_t on_ns, int cpu);
void slices_seen(struct slices *ring, uint64_t now_ns);
void slices_put(struct slices *ring, uint32_t entries, const struct slice *slice);
void slices_end(struct slices *ring);

/*
 * For the front end. Moves up to `most` of the oldest slices to out and returns their number. *open
 * is the open slice that follows these.
 */
uint32_t slices_take(struct slices *ring, uint32_t entries, struct slice *out, uint32_t most,
		     struct slices_open *open);
uint32_t slices_lost(const struct slices *ring);
