/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "core/sample.h"

/*
 * Sessions that nobody ran, for tests: the samples that a live source would deliver, with the same
 * figures everywhere and always. Runs begin and end on the ns; a tick every 100 ms, the seventeenth
 * lost; durations scatter by 1 %.
 */

#define SYNTHETIC_CASES 33
#define SYNTHETIC_NONE	UINT32_MAX

struct synthetic {
	const char *experiment, *title, *options;
	const char *host;
	int64_t wall_s, wall_ns; /* when it began */
	uint32_t trials, warmup;
	uint32_t planned; /* trials, as found after the warm-up; 0: as many as there are */
	uint32_t cores;	  /* above 8, core 5 is offline */
	const char *topology, *online, *allowed; /* NULL: not known, from 0 on, all */
	uint32_t busy; /* CPUs that work in a run; 0: as many as workers */
	uint32_t cases;
	struct sample_case list[SYNTHETIC_CASES];
	int64_t span_ns[SYNTHETIC_CASES]; /* about how long a run of the case takes */
	int64_t stop_ns;		  /* what comes later is left out; INT64_MAX: nothing */
	uint32_t paused_run;		  /* its middle third was spent in a pause */
	uint32_t broken_run;		  /* ends as `broken`, because of worker 3 */
	enum sample_status broken;
	int16_t others; /* what other programs used of the cores, in 0.1 % */
	/*
	 * In the last run of this trial they used half, and processes took ten times as long: one
	 * more trial is at the end. 0: no trial was crowded.
	 */
	uint32_t crowded_trial;
	/*
	 * Workers of sets take turns of 4 ms on their core; every ninth turn is on the next core.
	 * Three of four turns of io workers end blocked, for twice as long.
	 */
	bool slices;
	/*
	 * Of slices also who made a worker able to run, and since when: the barrier, and 60 us and
	 * more before a slice after a blocked one, an interrupt or the next worker in turn.
	 */
	bool wakes;
	bool counters; /* migrations, and what a processor counts: 3 cycles each ns on a core */
};

/* 6 cpu + 2 io as threads (2.97 s) and as processes (3.01 s) on two cores. */
void synthetic_mixed(struct synthetic *session, uint32_t trials);
/* 5,000 threads (271 ms) and 5,000 processes (381 ms) in the tree 20x3x82. */
void synthetic_tree(struct synthetic *session, uint32_t trials);
/* 2 … 8 workers of cpu: threads need less up to 4, processes from 6 on. */
void synthetic_scaling(struct synthetic *session, uint32_t trials);
/* 16 workers on 1, 2, 4 … 32 cores: 3 % contention, 0.2 % coherency; none beyond 16. */
void synthetic_cores(struct synthetic *session, uint32_t trials);
/* 10, 50, 100, 200 … 900 lines from threads, processes and hybrid:2x4. */
void synthetic_hello(struct synthetic *session, uint32_t trials);
/* Threads in the trees 5000, 50x99 and 20x3x82, with the system's stacks and with 16K. */
void synthetic_shapes(struct synthetic *session, uint32_t trials);
/*
 * 200 tasks from each primitive, one after the other: fork 47 µs to the caller and ten times that
 * with 1G of ballast, pthread_create 7 µs with and without. One in fifty takes thirty times as
 * long, and so does the first. Pinned, without ballast also free and idle: on another core twice
 * and three times as long.
 */
void synthetic_creation(struct synthetic *session, uint32_t trials);
/* The same as an earlier version recorded it, without the cores of parents. */
void synthetic_creation_old(struct synthetic *session, uint32_t trials);
/* As variables_parse(), of a text that is formatted. */
void synthetic_vary(struct variables *variables, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* One case more like the last one, of another name and duration; variables may be "". */
void synthetic_add(struct synthetic *session, const char *model, const char *variables,
		   int64_t span_ns);

/* Hands every sample to take(); ends with its first non-zero return, and returns that. */
int synthetic_play(const struct synthetic *session,
		   int (*take)(void *arg, const struct sample *sample), void *arg);
/* The model that has taken all of them; the caller's to free. */
void synthetic_model(const struct synthetic *session, struct model *model);
/* Forgets what the model has read of runs that a test has changed since. */
void synthetic_changed(struct model *model);
