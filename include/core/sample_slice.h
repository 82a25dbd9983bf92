/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"

/* Why a slice ended, and what the worker does until its next slice. */
enum sample_why {
	WHY_UNKNOWN,
	WHY_PREEMPTED, /* The worker waits for a core. */
	WHY_BLOCKED,   /* The worker waits for something else, and then for a core; see ready_ns. */
	WHY_ENDED,     /* The worker has no next slice. */
	WHYS
};

/* Who woke a task that was blocked or had not begun. */
enum sample_woken {
	WOKEN_UNKNOWN,
	/* the run's first task, which creates the workers, opens the barrier and joins */
	WOKEN_BY_MAIN,
	WOKEN_BY_WORKER,    /* the worker in `waker` */
	WOKEN_BY_INTERRUPT, /* an interrupt: a disk, a timer, another core */
	WOKEN_BY_OTHERS,    /* another program, or a kernel thread */
	WOKENS
};

/* The longest span over which a recording merges slices, ns: about one column of the Timeline. */
#define SAMPLE_MERGED_NS 1000000

/* The index of a slice in which tasks outside the run had the core. */
#define SAMPLE_OTHERS UINT32_MAX

/*
 * The shortest span of a slice from schedstat. The kernel adds a wait to the count only when the
 * wait ends, so shorter spans would be wrong.
 */
#define SAMPLE_SCHEDSTAT_NS 50000000

/* Why a task of a command was blocked; 0 or less: unknown. Recordings store the number. */
enum sample_wait {
	WAIT_SEVERAL = 1, /* several reasons within one slice of schedstat */
	WAIT_FILE,
	WAIT_PIPE,
	WAIT_SOCKET,
	WAIT_TERMINAL,
	WAIT_EVENTS, /* the first of several files to become ready: poll, epoll, an eventfd */
	WAIT_SLEEP,
	WAIT_CHILD,
	WAIT_THREAD, /* the end of a thread */
	WAIT_SIGNAL,
	WAIT_PAGE, /* a page fault, outside a system call */
	WAIT_OTHER,
	WAIT_GIL, /* Python's global interpreter lock */
	WAITS,
	WAIT_LOCK = 100 /* A futex. Lock n has the number WAIT_LOCK + n. */
};

/* At most this many locks of a run get a number. */
#define SAMPLE_MOST_LOCKS 10000

/*
 * A time span in which a worker ran on one core; ns since the run's beginning. The slices of a
 * worker are in order and never overlap.
 */
struct sample_slice {
	int64_t on_ns, off_ns; /* off_ns -1: the worker is still on the core */
	uint32_t index;	       /* the worker, or SAMPLE_OTHERS */
	int16_t cpu;	       /* -1: unknown */
	uint8_t why;	       /* enum sample_why */
	bool open;	       /* The slice is not final: a later sample has it again. */
	int32_t waker; /* The worker that woke this one before the slice; -1: none, or unknown. */
	uint8_t woken; /* enum sample_woken: who woke the worker */
	/*
	 * Number of slices that a recording has merged into this one, to save space; 0: none. The
	 * merged slice ends when the last of them ended. The waits between them are added to the
	 * gap before the merged slice.
	 */
	uint8_t merged;
	int16_t waited; /* enum sample_wait: why the worker was blocked before the slice */
	/* When the worker became runnable and began to wait for this core; -1: unknown. */
	int64_t ready_ns;
};

/* The names in recordings, see names_at(). */
extern const char *const sample_why_names[WHYS];
extern const char *const sample_woken_names[WOKENS];
#define SAMPLE_WAKE_KINDS 3
extern const char *const sample_wake_names[SAMPLE_WAKE_KINDS]; /* one for each enum model_wake */
extern const char *const sample_wait_names[WAITS];	       /* one for each enum sample_wait */
/* The name of an enum sample_wait, such as "sleep" or "lock 3"; "" if unknown. Returns buf. */
char *sample_wait_name(int waited, char *buf, size_t size);
#define SAMPLE_WAIT(waited) sample_wait_name(waited, (char[16]) {0}, 16)

/*
 * The members by their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_slice_fields[];
