/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"

/* The reason why a slice ended: what the worker does until its next one. */
enum sample_why {
	WHY_UNKNOWN,
	WHY_PREEMPTED, /* it waits for a core */
	WHY_BLOCKED,   /* it waits for something else; then for a core, see ready_ns */
	WHY_ENDED,     /* it has none */
	WHYS
};

/* The waker of a task that was blocked, or had not begun. */
enum sample_woken {
	WOKEN_UNKNOWN,
	WOKEN_BY_MAIN,	    /* the run's first task: it creates, opens the barrier and joins */
	WOKEN_BY_WORKER,    /* see waker */
	WOKEN_BY_INTERRUPT, /* a disk, a timer, another core */
	WOKEN_BY_OTHERS,    /* another program, or a task of the kernel's own */
	WOKENS
};

/* The worker of a slice of others: tasks that are not of the run had the core. */
#define SAMPLE_OTHERS UINT32_MAX

/*
 * The least span of a task's slices from schedstat. In shorter spans the kernel's accounting shows,
 * because it counts a wait only when the wait ends.
 */
#define SAMPLE_SCHEDSTAT_NS 50000000

/*
 * The reason why a task of a command was blocked; 0 or less: unknown. Recordings have the number.
 */
enum sample_wait {
	WAIT_SEVERAL = 1, /* in one slice of schedstat */
	WAIT_FILE,
	WAIT_PIPE,
	WAIT_SOCKET,
	WAIT_TERMINAL,
	WAIT_EVENTS, /* whichever of its files is ready first: poll, epoll, an eventfd */
	WAIT_SLEEP,
	WAIT_CHILD,
	WAIT_THREAD, /* until it ends */
	WAIT_SIGNAL,
	WAIT_PAGE, /* of memory, outside of a system call */
	WAIT_OTHER,
	WAIT_GIL, /* Python's lock of its interpreter */
	WAITS,
	WAIT_LOCK = 100 /* a futex; + n: lock n */
};

/* Locks of a run that get numbers, at most. */
#define SAMPLE_MOST_LOCKS 10000

/*
 * A worker's time on a core; ns since the run's beginning. Slices of a worker are in order and
 * never overlap.
 */
struct sample_slice {
	int64_t on_ns, off_ns; /* off_ns -1: still on the core */
	uint32_t index;	       /* the worker, or SAMPLE_OTHERS */
	int16_t cpu;	       /* -1: not known */
	uint8_t why;	       /* enum sample_why */
	bool open;	       /* not final: a later sample replaces it */
	int32_t waker;	       /* the worker that woke it before; -1: none, or not known */
	uint8_t woken;	       /* enum sample_woken: who did */
	int16_t waited;	       /* enum sample_wait, before it */
	int64_t ready_ns; /* since when it was runnable and waited for this core; -1: unknown */
};

/* As in recordings, see names_at(). */
extern const char *const sample_why_names[WHYS];
extern const char *const sample_woken_names[WOKENS];
/* "sleep", "lock 3"; "" where it is not known. Returns buf. */
char *sample_wait_name(int waited, char *buf, size_t size);
#define SAMPLE_WAIT(waited) sample_wait_name(waited, (char[16]) {0}, 16)

/* Its members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_slice_fields[];
