/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The ring in which a worker notes when it was on which core, after the slots of the scoreboard.
 * Only the worker puts slices and only the front end takes them. Neither waits for the other, so
 * slices that find no room are counted as lost. Times are clock_now_ns().
 */

struct slice {
	uint64_t on_ns, off_ns;
	int16_t cpu;
	uint8_t why;	   /* enum sample_why */
	uint8_t switches;  /* seen as one gap after it; 255: 255 or more */
	uint32_t guess_ns; /* of its end: on a core then or later, before the next slice */
};

struct slices {
	/* the worker's line */
	_Alignas(64) _Atomic uint32_t put; /* slices in all, without lost ones */
	_Atomic uint32_t lost;
	_Atomic uint64_t on_ns;	  /* of the open slice; 0: none is open */
	_Atomic uint64_t seen_ns; /* when the worker was last seen on its core */
	_Atomic int32_t cpu;	  /* of that slice */
	_Atomic uint8_t ended;	  /* 1: nothing more will be put */
	/* the front end's line */
	_Alignas(64) _Atomic uint32_t taken;
	_Alignas(64) struct slice entry[];
};

/* The open slice. on_ns 0: none is open, or it has ended and is among the taken slices. */
struct slices_open {
	uint64_t on_ns, seen_ns;
	int16_t cpu;
};

/* Bytes of a ring. entries is a power of two, or 0 for no ring. */
size_t slices_size(uint32_t entries);
/*
 * Entries for each worker, so that all rings stay within 16 MiB. 0: too many workers for rings that
 * are of use.
 */
uint32_t slices_entries(uint32_t workers);

/* The worker's side. */
void slices_begin(struct slices *ring, uint64_t on_ns, int cpu);
void slices_seen(struct slices *ring, uint64_t now_ns);
void slices_put(struct slices *ring, uint32_t entries, const struct slice *slice);
void slices_end(struct slices *ring);

/*
 * The front end's side: moves up to `most` of the oldest slices to out and returns their number.
 * *open is the open slice after the last of these.
 */
uint32_t slices_take(struct slices *ring, uint32_t entries, struct slice *out, uint32_t most,
		     struct slices_open *open);
uint32_t slices_lost(const struct slices *ring);
