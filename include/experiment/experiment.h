/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan.h"
#include "core/own_about.h"
#include "core/sample_session.h"
#include "core/scoreboard.h"
#include "topology/topology.h"

struct sample_run;

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

/* The source that says from when to when a worker was on a core. */
enum experiment_sched {
	SCHED_AUTO, /* the best that there is */
	SCHED_OWN,  /* the workers' own notes */
	SCHED_PERF, /* the kernel's records */
	SCHED_OFF,
};

/* Settings of one session, those with several values, and variables of the environment. */
enum { REQUEST_SETTINGS = 32, REQUEST_VALUES = 40, REQUEST_SWEEPS = 4, REQUEST_ENVS = 8 };

/* The pages of the parent's memory. */
enum experiment_pages { BALLAST_SMALL, BALLAST_HUGE };

/* Words of -s input and -s output, which are no files' names. */
#define EXPERIMENT_NULL "null"
#define EXPERIMENT_PIPE "pipe"

/* The process with which a run of programs ends. */
enum experiment_wait { WAIT_FOR_FIRST, WAIT_FOR_ALL };

/* A setting as typed, "NAME=VALUES", and the one of its values that a case has. */
struct request_value {
	const char *typed, *value;
};

struct request {
	const char *experiment; /* a name from the table; NULL: what the rest implies */
	const char *models;	/* NULL: the experiment's own; else as typed */
	const char *tree;	/* NULL or as typed: structures, separated by commas */
	/* "NAME=VALUES" as typed, NULL after the last, each name once. */
	const char *settings[REQUEST_SETTINGS + 1];
	/*
	 * Values of each setting, those that the experiment sets included; the entry after the last
	 * has typed NULL.
	 */
	struct request_value values[REQUEST_VALUES + 1];
	/* From here on to the trials, what settings set, and what the rest of the options do. */
	uint64_t stack_size; /* stack size of threads; 0: the system's */
	uint64_t ballast;    /* touched memory in the parent */
	enum experiment_pages ballast_pages;
	int64_t workers[WORK_KINDS]; /* -1: not asked for; all are: the experiment's own */
	uint32_t total; /* total of workers, in the proportion of these; 0: unchanged */
	uint64_t size;	/* size of every worker's work; 0: see work_size */
	uint64_t work_size[WORK_KINDS]; /* 0: the workload's own */
	uint64_t alloc;
	struct mistakes mistakes;
	uint32_t tasks;		 /* tasks that the pool experiment hands out; 0: the default */
	uint64_t batch;		 /* tasks to create and join at a time; 0: all */
	const char *io_file;	 /* NULL: one is made for the run */
	enum sample_cache cache; /* page cache of the file that io workers read */
	enum board_sink sink;	 /* where hello workers write */
	enum experiment_sched sched;
	bool pinned;
	cpu_set_t pin;
	enum topology_place place; /* placement among the usable CPUs */
	uint32_t cores;		   /* number of the usable CPUs; 0: not given */
	bool niced;
	int nice;   /* nice value of the workers, if niced */
	int policy; /* scheduling policy of the workers, 1 + sched(7)'s SCHED_*; 0: tuibench's own
		     */
	uint32_t quota;		       /* CPUs of a run, in thousandths; 0: no limit of its own */
	const char *env[REQUEST_ENVS]; /* "NAME=VALUE" of what runs, "NAME=-" not; NULL ends them */
	uint32_t trials;	       /* 0: what the comparisons need */
	bool until_decided;	       /* they may be fewer: none were asked for */
	bool fits_time;		       /* and as many as fit into EXPERIMENT_SHOW_NS */
	uint32_t warmup;
	bool quick; /* fewer trials of less work, as few as can still decide */
	enum experiment_order order;
	uint64_t seed;	      /* seed of the randomized order */
	uint32_t interval_ms; /* 0: the experiment's own */
	bool hold;	      /* wait for SOURCE_START before the first run */
	bool no_estimate;     /* skip the estimate of the kernel's memory */
	bool all_alive;
	enum via via;		     /* VIA_NONE: nothing is handed over */
	enum counting counting;	     /* COUNTING_NONE: nothing is counted together */
	uint32_t senders, receivers; /* workers in each group of message workers */
	struct serving serving;	     /* how a server and its clients behave */
	/*
	 * Fault of one worker in each run, after part of its work; FAULT_NONE: the experiment's
	 * own.
	 */
	enum fault_kind fault;
	uint32_t fault_percent;
	const char *work;     /* path of the shared object that own workers run; "": the manual's
				 example; NULL if none */
	struct own_about own; /* the object's description of itself, which the caller has read */
	/* Programs that workers run, as typed; NULL: none, or the experiment's own. */
	const char *const *programs;
	uint32_t n_programs;
	/* Names of the first n_names programs; the other names are the programs as typed. */
	const char *const *program_names;
	uint32_t n_names;
	bool ignore_failure; /* accept a program's exit status other than 0 */
	enum experiment_wait wait;
	const char *metric; /* the name in their output whose number is a metric; NULL: none */
	uint64_t for_ns;    /* time after which programs are ended; 0: they end without a signal */
	/* The programs' standard input and output, as typed; NULL: /dev/null. */
	const char *input, *output;
	const char *label; /* the machine's name in the recording; NULL if none */
	bool anonymous;	   /* record no name of a host, path, command or other program */
	/*
	 * Commands that run to their end around runs, as typed: before the first run of a
	 * configuration, before each run, after the last run; NULL if none.
	 */
	const char *setup, *prepare, *cleanup;
	const char *command; /* the command line, for the log */
	/* For the log, too: what built the runner, and from which commit; NULL: not known. */
	const char *compiler, *commit;
};

enum { EXPERIMENT_WORDS = 4096 };

/* The request of one case's runs: cases differ in the options that are swept. */
struct experiment_case {
	struct request request;
	uint32_t program;	  /* among request.programs */
	uint32_t cores;		  /* CPUs that it may use, {cores} in its command */
	char model[SAMPLE_MODEL]; /* {model} in its command: "threads", though named otherwise */
	uint32_t group;		  /* group of cases with the same kind of work or way */
	uint32_t block;		  /* the first case that it is compared with, of itself too */
};

struct experiment {
	struct request request; /* where options are swept, that of the first case */
	char title[SAMPLE_LABEL];
	char promise[SAMPLE_TEXT]; /* the difference that --quick or too few trials can find; ""
				      otherwise */
	bool holds_for_memory; /* tasks stay until their memory is read; that time does not count */
	int one_cpu;	       /* the core to which tasks are pinned, if all are pinned to one */
	uint32_t n_cases;
	char words[EXPERIMENT_WORDS]; /* the values of settings */
	size_t n_words;		      /* bytes of them */
	struct experiment_case each[SAMPLE_MAX_CASES];
	struct sample_case cases[SAMPLE_MAX_CASES]; /* n_cases of them are set, no more */
};

/* "NAME=VALUES" as it was typed; NULL: it was not. */
const char *experiment_typed(const struct request *request, const char *name);
/* The settings, "alloc=0,400;nice=5"; what does not fit is left out. */
char *experiment_settings(const struct request *request, char *buf, size_t size);

enum { EXPERIMENT_QUOTA = 24 };
/* "0.5" of 500 thousandths of a CPU. Returns buf. */
char *experiment_quota(uint32_t thousandths, char buf[EXPERIMENT_QUOTA]);

/* With every default. */
void request_init(struct request *request);
/*
 * 0; -EINVAL a wrong value (exit 2), -ENOSPC or -EAGAIN what the machine's limits do not allow
 * (exit 3); then error holds one line that names the option, the value and what would be right.
 * Strings in the request must outlive the experiment.
 */
int experiment_build(const struct request *request, struct experiment *experiment, char *error,
		     size_t size);
/*
 * The same checks, except whether the machine has room for the tasks, memory and files. Returns
 * -ENOENT if a setting has no effect in this experiment.
 */
int experiment_fits(const struct request *request, char *error, size_t size);
/* Warnings about requests that are known to mislead, one line each; returns their number. */
enum { EXPERIMENT_WARNINGS = 4 };
size_t experiment_warnings(const struct experiment *experiment,
			   const char *out[EXPERIMENT_WARNINGS]);
/* Runs that are planned: (warmup + trials) × cases. */
uint32_t experiment_runs(const struct experiment *experiment);
/* The time that a session takes at the latest, unless a number of trials was asked for. */
#define EXPERIMENT_SHOW_NS INT64_C(15000000000)
/*
 * Plans as many trials as fit into that time, if one takes so long; at least as many as can still
 * decide, at most 200. The looks are planned before the first counted trial, so that what they find
 * has no part in it. Without effect where a number of trials was asked for.
 */
void experiment_fit_trials(struct experiment *experiment, int64_t trial_ns);
/* The case and trial of the run with that number; trials beyond the planned go on in order. */
void experiment_run(const struct experiment *experiment, uint32_t run, struct sample_run *out);

/* Choices of an experiment in the menu, in addition to its settings. */
enum experiment_aspect {
	EXPERIMENT_MODELS,
	EXPERIMENT_SIZE,
	EXPERIMENT_TRIALS,
	EXPERIMENT_ASPECTS
};

struct experiment_choice {
	const char *label, *options; /* options: as typed, with blanks between; "": none */
};

enum { EXPERIMENT_SIZES = 7 };

/* A row of the table of experiments. */
struct experiment_kind {
	const char *name, *question, *about;
	const char *ballot;	    /* question of a vote; NULL: which will be faster */
	const char *look, *example; /* where the answer is to be seen; worth a try */
	uint32_t seconds;	    /* on two cores, with the defaults */
	const char *note;	    /* behind that time; NULL: none */
	const char *models;
	struct experiment_choice
		sizes[EXPERIMENT_SIZES]; /* the defaults first; none: those alone */
	const char *tree;		 /* its structure; NULL: a set of workers */
	uint32_t workers[WORK_KINDS];	 /* workers of one set */
	uint64_t work_size[WORK_KINDS];	 /* 0: the workload's own */
	const char *sweep;		 /* where none is asked for; NULL: none */
	bool by_kind;			 /* runs each kind of work alone, one after the other */
	bool to_all_cores;		 /* its sweep of workers ends at one for each core */
	bool counts;			 /* its workers count together, in those ways */
	const char *ballast;		 /* "ballast=64M" where none is asked for; NULL: none */
	enum fault_kind fault;		 /* fault of one worker in each run */
	const char *vias; /* "via=" ways to hand over a token, or to count; NULL: there are none */
	uint32_t trials;  /* trials of an experiment with a fault, unless the user gives a number */
	const char *script; /* its programs are ways of that, for Python; NULL: true */
	bool creates;	    /* models are primitives; their tasks do nothing */
	bool hands_out;	    /* pieces of work, to pools or to a task created for each */
	bool serves;	    /* requests of clients */
	bool one_core;	    /* all of it on one CPU unless -s pin says otherwise */
	/* hybrids are P processes of T threads, at most one too many */
	uint32_t hybrid_side;
	uint32_t interval_ms; /* where none is asked for; 0: that of most */
	/* runs are too short for a tick, so memory is read before the workers are released */
	bool holds_for_memory;
};

/* In the order of --help experiments; NULL after the last. */
const struct experiment_kind *experiment_at(size_t i);
/* The experiment of that name; NULL: there is none. */
const struct experiment_kind *experiment_find(const char *name);

/* The choices of an experiment, its defaults first; false after the last. */
bool experiment_choice(const struct experiment_kind *kind, enum experiment_aspect aspect,
		       size_t choice, struct experiment_choice *out);
/*
 * Seconds that the experiment takes on two cores: the time in its row, scaled by the runs and their
 * work. NaN if the row's time does not apply.
 */
double experiment_time(const struct experiment *experiment);
