/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"

/* The shortest CPU time of a task, in ticks, whose split into user and system time is reliable. */
#define SAMPLE_SPLIT_TICKS 50

enum sample_status {
	SAMPLE_OK,
	SAMPLE_FAILED,	    /* The work failed with an errno, or its result is wrong. */
	SAMPLE_CRASHED,	    /* A signal ended the worker. */
	SAMPLE_INTERRUPTED, /* The worker was stopped from outside before its work was done. */
	SAMPLE_REFUSED,	    /* The worker could not be created. */
	SAMPLE_RUNNING,	    /* The worker has not ended yet. */
};

/*
 * The state of one worker as known so far. Times are in ns since the run's beginning. Keep the
 * struct small, because a model has many of them.
 */
struct sample_worker {
	int64_t create_ns, created_ns, start_ns, work_ns, finish_ns, join_ns;
	uint64_t result;
	uint32_t user_us, system_us, minflt, nvcsw, nivcsw; /* 0 until finish_ns is set */
	int32_t pid, tid;
	/* time runnable without a core, from schedstat's run delay; -1: unknown */
	int32_t delay_us;
	int16_t cpu_first, cpu_last;
	int16_t parent_cpu; /* The parent's core when it called create. */
	uint8_t status;	    /* enum sample_status */
	uint8_t pad;	    /* Always 0, because workers are compared as bytes. */
	/*
	 * Most workers lack the values from here on, so a model stores them separately
	 * (MODEL_COUNTS). The first four are the processor's counts of the work, without the
	 * kernel's part; -1: unknown.
	 */
	int64_t cycles, instructions, cache_misses, tlb_misses;
	uint32_t majflt;    /* 0 until finish_ns is set */
	int32_t migrations; /* Number of moves between cores, by the kernel's count; -1: unknown. */
	/* Number of handed-out pieces of work that the worker did; -1: no work is handed out. */
	int32_t tasks;
	int16_t error;	 /* errno or signal number that explains the status, or 0. */
	uint8_t pads[2]; /* Always 0. */
};

/*
 * Whether the worker reported its usage. It does so at its end, so a crashed or interrupted worker
 * has not.
 */
static inline bool sample_worker_reported(const struct sample_worker *worker)
{
	return worker->finish_ns >= 0 &&
	       (worker->status == SAMPLE_OK || worker->status == SAMPLE_FAILED);
}

/*
 * The name of a status, such as "ok" or "failed", and the status with that name (SAMPLE_RUNNING if
 * unknown).
 */
const char *sample_status_name(enum sample_status status);
enum sample_status sample_status_parse(const char *name);

/*
 * When a worker began: at its first instruction, or when its parent's call returned if that was
 * earlier. -1: unknown, or the worker never existed.
 */
int64_t sample_worker_begin(const struct sample_worker *worker);

/* Whether the worker began on its parent's core: 1 or 0; -1: unknown. */
int sample_worker_same_core(const struct sample_worker *worker);

/* A worker about which nothing is known yet. */
extern const struct sample_worker sample_worker_unknown;

/*
 * The members by their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_worker_fields[];
