/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error_line.h"
#include "experiment/experiment.h"

/* The steps of experiment_build(), which are in files of their own. */

/* A line of the table of experiments. */
struct experiment_kind {
	const char *name, *question, *about;
	uint32_t seconds; /* on two cores, with the defaults */
	const char *note; /* behind that time; NULL: none */
	const char *models;
	const struct experiment_choice *sizes; /* the defaults first; NULL: those alone */
	const char *tree;		       /* its structure; NULL: a set of workers */
	uint32_t workers[WORK_KINDS];	       /* of a set */
	uint64_t work_size[WORK_KINDS];	       /* 0: the workload's own */
	const char *sweep;		       /* where none is asked for; NULL: none */
	bool by_kind;	   /* each kind of work by itself, one after the other */
	const char *fault; /* what one worker of each run does; NULL: nothing */
	uint32_t trials;   /* of those with a fault, where none are asked for */
	bool creates;	   /* models are primitives; their tasks do nothing */
	bool one_core;	   /* all of it on one CPU unless --pin says otherwise */
	/* hybrids are so many processes of so many threads where that is at most one too many */
	uint32_t hybrid_side;
	uint32_t interval_ms; /* where none is asked for; 0: that of most */
	/* of runs too short for a tick: memory is read before the workers are released */
	bool holds_for_memory;
};

/* The rows of the table; NULL after the last. */
const struct experiment_kind *experiment_kind_at(size_t i);

/* The variables that differ from case to case besides structures, stacks and models. */
struct experiment_sweep {
	enum { SWEEP_NONE, SWEEP_WORKERS, SWEEP_SIZE } what;
	enum work_kind kind; /* whose size; WORK_KINDS: of every worker */
	char name[16];	     /* as it was typed: "workers", "size", "cpu" */
	uint64_t values[SAMPLE_MAX_CASES];
	size_t n;
};

/* The workers of a case, or the work of a tree's leaves. */
struct experiment_set {
	enum work_kind kind; /* the only one; WORK_KINDS: as asked for */
	uint32_t workers[WORK_KINDS];
	uint64_t work_size[WORK_KINDS]; /* 0: in a tree, none of it */
	char value[32];			/* of the variable that is swept, "" where none is */
};

struct experiment_build {
	struct experiment *experiment; /* its request is filled in step by step */
	const struct experiment_kind *kind;
	bool asked_null;   /* --null was given */
	int cpus;	   /* that the workers may use */
	bool leaves_work;  /* of a tree: a kind of work has a size */
	uint64_t io_bytes; /* of --io-file, 0: none */
	struct experiment_sweep sweep;
	char *error;
	size_t size;
};

/* Writes the line for the user and returns err. */
#define REFUSE(build, err, ...) error_line((build)->error, (build)->size, err, __VA_ARGS__)

/* Each returns 0, or what experiment_build() returns, with the line for the user. */

/* Reads the variable of --sweep, or the experiment's own. */
int experiment_sweep(struct experiment_build *build);
/* The value with that number, below sweep.n, to the set; without a sweep nothing changes. */
int experiment_sweep_apply(struct experiment_build *build, size_t i, struct experiment_set *set);
/* Every structure and value of the sweep with every stack size in every model. */
int experiment_cases(struct experiment_build *build);
/* How many trials there are where none were asked for, and what those of --quick tell. */
int experiment_trials(struct experiment_build *build);
/* Checks that the file to copy can be copied; gives the io workers its size. */
int experiment_check_io_file(struct experiment_build *build);
/* Checks that the CPUs to pin to may be used. */
int experiment_check_pin(struct experiment_build *build);
/* Checks that each case fits the machine's limits on tasks and memory. */
int experiment_check_limits(struct experiment_build *build);
/* Reads the fault that one worker commits. */
int experiment_fault(struct experiment_build *build);
int experiment_check_alloc(struct experiment_build *build);
/* Checks that the memory of the workers fits. */
int experiment_check_memory(struct experiment_build *build);
/* Checks that the ballast fits in the creator, and beside it what forks of it take. */
int experiment_check_ballast(struct experiment_build *build);
/* Checks that the files that the workers write fit. */
int experiment_check_disk(struct experiment_build *build);
/* Checks that the files to be cold can be dropped from the page cache. */
int experiment_check_cache(struct experiment_build *build);

/* The kind of work that is asked for most: the option to name where workers are too many. */
enum work_kind experiment_largest_kind(const struct request *request);
