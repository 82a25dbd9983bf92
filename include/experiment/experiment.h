/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fault.h"
#include "core/plan.h"
#include "core/sample.h"
#include "core/scoreboard.h"

/*
 * Experiments: which runs, in which order. A request is what the user asked for, as values. An
 * experiment is the list of cases that comes of it and the order of their trials.
 */

/*
 * Cases that are compared are a block: its runs follow one another, so that what drifts meets them
 * alike. The order of the blocks, and that within each, is drawn in every trial, or drawn for one
 * trial and turned round in the next, or that of the cases.
 */
enum experiment_order { ORDER_RANDOM, ORDER_ALTERNATE, ORDER_FIXED };

/* The page cache of what io workers read. */
enum experiment_cache { EXPERIMENT_WARM, EXPERIMENT_COLD, EXPERIMENT_ONCE_COLD };

/* Where it is known from when a worker was on a core. */
enum experiment_sched {
	SCHED_AUTO, /* the best that there is */
	SCHED_OWN,  /* the workers' own notes */
	SCHED_PERF, /* the kernel's records */
	SCHED_OFF,
};

struct request {
	const char *experiment;		/* a name from the table; NULL: what the rest implies */
	const char *models;		/* NULL: the experiment's own; else as typed */
	const char *tree;		/* NULL or as typed: structures, separated by commas */
	const char *sweep;		/* NULL or as typed; "tree=" and a list is another --tree */
	const char *stack_sizes;	/* of threads, as typed: "default" and sizes */
	const char *ballasts;		/* touched memory in the creator, as typed: sizes */
	int64_t workers[WORK_KINDS];	/* -1: the experiment's own */
	uint64_t work_size[WORK_KINDS]; /* 0: the workload's own */
	uint64_t alloc;
	uint64_t batch;	     /* create and join so many at once; 0: all */
	const char *io_file; /* NULL: one is made for the run */
	enum experiment_cache cache;
	enum board_sink sink; /* of hello workers */
	enum experiment_sched sched;
	bool pinned;
	cpu_set_t pin;
	uint32_t trials; /* 0: what the comparisons need */
	uint32_t warmup;
	bool quick; /* fewer trials of less work, as few as still tell something */
	enum experiment_order order;
	uint64_t seed;	      /* of what the order draws */
	uint32_t interval_ms; /* 0: the experiment's own */
	bool hold;	      /* wait for SOURCE_START before the first run */
	bool all_alive;
	const char *fault;   /* NULL: the experiment's own; else as typed: "segv", "hang@10" */
	const char *command; /* the command line, for the log */
};

struct experiment {
	struct request request;
	char title[SAMPLE_LABEL];
	char promise[SAMPLE_TEXT]; /* what --quick can still tell; "": it was not asked for */
	bool holds_for_memory; /* all stand until their memory was read, which is left out of their
				  time */
	enum fault_kind fault; /* of one worker of each run, after so much of its work */
	uint32_t fault_percent;
	int one_cpu; /* where what is pinned to one runs */
	uint32_t n_cases;
	struct sample_case cases[SAMPLE_MAX_CASES];
	uint32_t block[SAMPLE_MAX_CASES]; /* the first case that each is compared with, of itself
					     too */
};

/* A request with every default. */
void request_init(struct request *request);
/*
 * 0; -EINVAL a wrong value (exit 2), -ENOSPC or -EAGAIN what the machine's limits do not allow
 * (exit 3); then error holds one line that names the option, the value and what would be right.
 * Strings in the request must outlive the experiment.
 */
int experiment_build(const struct request *request, struct experiment *experiment, char *error,
		     size_t size);
/* Runs that are planned: (warmup + trials) × cases. */
uint32_t experiment_runs(const struct experiment *experiment);
/* Which case and trial the run with that number is; trials beyond the planned ones go on in order.
 */
void experiment_run(const struct experiment *experiment, uint32_t run, struct sample_run *out);

/*
 * The names, the question that each answers and a line about it, for --list-experiments; NULL after
 * the last.
 */
const char *experiment_name(size_t i, const char **question, const char **about);
/* "about 35 s": the time that it takes on two cores. Returns buf. */
char *experiment_takes(size_t i, char *buf, size_t size);

/* What may be chosen of an experiment without typing, besides the number of trials. */
enum experiment_aspect {
	EXPERIMENT_MODELS,
	EXPERIMENT_SIZE,
	EXPERIMENT_TRIALS,
	EXPERIMENT_ASPECTS
};

struct experiment_choice {
	const char *label, *options; /* options: as typed, with blanks between; "": none */
};

/* The choices of an experiment, its defaults first; false after the last. */
bool experiment_choice(size_t i, enum experiment_aspect aspect, size_t choice,
		       struct experiment_choice *out);
/*
 * The seconds that an experiment takes on two cores: those of its row, scaled by the runs and their
 * work. NaN where that says nothing.
 */
double experiment_time(const struct experiment *experiment);
/* The number of workers of a kind in the default experiment. */
uint32_t experiment_workers(enum work_kind kind);
