/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "core/sample.h"

/*
 * Made-up sessions for tests: the samples that a live source would deliver, always with the same
 * values. Runs begin and end exactly to the ns. There is a tick every 100 ms; the seventeenth is
 * lost. Durations vary by 1 %.
 */

#define SYNTHETIC_CASES 33
#define SYNTHETIC_NONE	UINT32_MAX

struct synthetic {
	const char *experiment, *title, *options;
	const char *host;
	int64_t wall_s, wall_ns; /* when the session began */
	uint32_t trials, warmup;
	uint32_t planned; /* trials, as determined after the warm-up; 0: the value of trials */
	uint32_t cores;	  /* with more than 8, core 5 is offline */
	const char *topology, *online, *allowed; /* NULL: unknown; all from 0 on; all */
	uint32_t busy; /* CPUs that work in a run; 0: one for each worker */
	uint32_t cases;
	struct sample_case list[SYNTHETIC_CASES];
	int64_t span_ns[SYNTHETIC_CASES]; /* approximate length of a run of the case */
	int64_t stop_ns;		  /* later samples are left out; INT64_MAX: none are */
	uint32_t paused_run;		  /* the run whose middle third was a pause */
	/* the run that ends with status `broken`, because of worker 3 */
	uint32_t broken_run;
	enum sample_status broken;
	int16_t others; /* share of the cores' time that other programs used, in 0.1 % */
	/*
	 * The trial in whose last run other programs used half of the cores' time, and in which
	 * processes took ten times as long. One more trial is added at the end. 0: no trial was
	 * crowded.
	 */
	uint32_t crowded_trial;
	/*
	 * Workers of sets take turns of 4 ms on their core. Every ninth turn is on the next core.
	 * Three of four turns of io workers end blocked, for twice as long.
	 */
	bool slices;
	/*
	 * Slices also say who made the worker runnable, and when. At first it was the barrier.
	 * Before a slice that follows a blocked one it was an interrupt or the next worker in turn,
	 * at least 60 us earlier.
	 */
	bool wakes;
	bool counters; /* migrations, and counts of the processor: 3 cycles for each ns on a core */
};

/* 6 cpu + 2 io workers as threads (2.97 s) and as processes (3.01 s) on two cores. */
void synthetic_mixed(struct synthetic *session, uint32_t trials);
/* 5,000 threads (271 ms) and 5,000 processes (381 ms) in the tree 20x3x82. */
void synthetic_tree(struct synthetic *session, uint32_t trials);
/* 2 … 8 cpu workers: up to 4, threads need less time; from 6 on, processes. */
void synthetic_scaling(struct synthetic *session, uint32_t trials);
/* 16 workers on 1, 2, 4 … 32 cores: 3 % contention, 0.2 % coherency; neither above 16 cores. */
void synthetic_cores(struct synthetic *session, uint32_t trials);
/* 10, 50, 100, 200 … 900 lines from threads, processes and hybrid:2x4. */
void synthetic_hello(struct synthetic *session, uint32_t trials);
/* Threads in the trees 5000, 50x99 and 20x3x82, with the system's stacks and with 16K. */
void synthetic_shapes(struct synthetic *session, uint32_t trials);
/*
 * 200 tasks from each primitive, one after the other: fork 47 µs to the caller and ten times that
 * with 1G of ballast, pthread_create 7 µs with and without. One in fifty takes thirty times as
 * long, and so does the first. All are pinned; those without ballast are also free and idle. Free
 * tasks that begin on another core take twice as long, idle ones three times.
 */
void synthetic_creation(struct synthetic *session, uint32_t trials);
/* synthetic_creation() as an earlier version recorded it, without the cores of parents. */
void synthetic_creation_old(struct synthetic *session, uint32_t trials);
/* Like variables_parse(), with a text that is formatted first. */
void synthetic_vary(struct variables *variables, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds a case like the last one, with another name and duration. variables may be "". */
void synthetic_add(struct synthetic *session, const char *model, const char *variables,
		   int64_t span_ns);

/* Passes every sample to take(). Ends at the first non-zero return, and returns that. */
int synthetic_play(const struct synthetic *session,
		   int (*take)(void *arg, const struct sample *sample), void *arg);
/* Makes the model of the session. The caller frees it. */
void synthetic_model(const struct synthetic *session, struct model *model);
/* Makes the model forget what it has read of runs that a test has changed since. */
void synthetic_changed(struct model *model);
