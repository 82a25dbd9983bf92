/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"

/* The least CPU time of a task, in ticks, for which its user and system times are reliable. */
#define SAMPLE_SPLIT_TICKS 50

enum sample_status {
	SAMPLE_OK,
	SAMPLE_FAILED,	    /* a wrong result, an errno */
	SAMPLE_CRASHED,	    /* ended by a signal */
	SAMPLE_INTERRUPTED, /* stopped from outside before it was done */
	SAMPLE_REFUSED,	    /* a worker that could not be created */
	SAMPLE_RUNNING,	    /* not over yet */
};

/*
 * The state of one worker, as known now; ns since the run's beginning. Small, because many are
 * kept.
 */
struct sample_worker {
	int64_t create_ns, created_ns, start_ns, work_ns, finish_ns, join_ns;
	uint64_t result;
	uint32_t user_us, system_us, minflt, nvcsw, nivcsw; /* 0 until finish_ns is known */
	int32_t pid, tid;
	int32_t delay_us; /* time runnable without a core, from schedstat's run delay; -1: unknown
			   */
	int16_t cpu_first, cpu_last;
	int16_t parent_cpu; /* the parent's core at the call */
	uint8_t status;	    /* enum sample_status */
	uint8_t pad;	    /* 0: workers are compared as bytes */
	/*
	 * From here on: values that most workers lack, which a model keeps apart (MODEL_COUNTS).
	 * First the processor's counts, of the work only and without the kernel's part; -1:
	 * unknown.
	 */
	int64_t cycles, instructions, cache_misses, tlb_misses;
	uint32_t majflt;    /* 0 until finish_ns is known */
	int32_t migrations; /* from core to core, by the kernel's count; -1: not known */
	int32_t tasks;	    /* handed-out pieces of work that it did; -1: no such work */
	int16_t error;	    /* errno or signal number that goes with the status, 0 */
	uint8_t pads[2];    /* 0 */
};

/* A worker reports its usage at its end; one that was cut off does not. */
static inline bool sample_worker_told(const struct sample_worker *worker)
{
	return worker->finish_ns >= 0 &&
	       (worker->status == SAMPLE_OK || worker->status == SAMPLE_FAILED);
}

/* "ok", "failed", … and back (SAMPLE_RUNNING for an unknown word). */
const char *sample_status_name(enum sample_status status);
enum sample_status sample_status_parse(const char *name);

/*
 * The beginning of a worker: its first instruction or the return of its parent's call, whichever
 * came first. -1: unknown, or the worker never existed.
 */
int64_t sample_worker_begin(const struct sample_worker *worker);

/* Whether it began on its parent's core: 1, 0; -1: not known. */
int sample_worker_same_core(const struct sample_worker *worker);

/* A worker about which nothing is known yet. */
extern const struct sample_worker sample_worker_unknown;

/* Its members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_worker_fields[];
