/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* The ways by which two workers hand something to one another, and where they do it. */

enum via {
	VIA_NONE, /* they hand over nothing */
	VIA_PIPE,
	VIA_SOCKET,  /* socketpair(2), of streams */
	VIA_EVENTFD, /* one for each direction */
	VIA_FUTEX,   /* a word in shared memory, slept on */
	VIA_SIGNAL,  /* a queued signal with a value, waited for */
	VIA_MEMORY,  /* a word in shared memory, looked at without a pause */
	VIAS
};

/* The cores of such a pair of workers. */
enum via_cores {
	VIA_FREE, /* the kernel's choice */
	VIA_SAME, /* both on one */
	VIA_TWO,  /* each on one of its own */
	VIA_CORES
};

/* "pipe", …, as in -s via; "" for none. And back: 0 or -EINVAL. */
const char *via_name(enum via via);
int via_parse(const char *name, enum via *via);
/* "same", "two"; "" where the kernel chooses. */
const char *via_cores_name(enum via_cores cores);
