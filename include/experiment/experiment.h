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
 * Experiments determine which runs are made, and in which order. A request has the values that the
 * user asked for. An experiment is the list of cases that follow from a request, and the order of
 * their trials.
 */

/*
 * The order of runs in a trial. Cases that are compared form a block, whose runs are adjacent, so
 * that slow changes of the machine affect them alike. ORDER_RANDOM draws the order of the blocks,
 * and of the runs within each block, for every trial. ORDER_ALTERNATE draws an order for every two
 * trials and reverses it in the second. ORDER_FIXED is the order of the cases.
 */
enum experiment_order { ORDER_RANDOM, ORDER_ALTERNATE, ORDER_FIXED };

/* The source of the times at which workers were on a core. */
enum experiment_sched {
	SCHED_AUTO, /* the best source available */
	SCHED_OWN,  /* the workers' own clocks, which show gaps in their loops */
	SCHED_PERF, /* the kernel's records */
	SCHED_OFF,
};

/*
 * The largest numbers in a session: of settings, of all their values together, of settings with
 * several values, and of environment variables.
 */
enum { REQUEST_SETTINGS = 32, REQUEST_VALUES = 40, REQUEST_SWEEPS = 4, REQUEST_ENVS = 8 };

/* Size of the pages of the parent's ballast. */
enum experiment_pages { BALLAST_SMALL, BALLAST_HUGE };

/* Words of -s input and -s output that are not file names. */
#define EXPERIMENT_NULL "null"
#define EXPERIMENT_PIPE "pipe"

/* What ends a run of programs: the end of the first process, or of all processes. */
enum experiment_wait { WAIT_FOR_FIRST, WAIT_FOR_ALL };

/* A setting as typed, "NAME=VALUES", and the value that one case has. */
struct request_value {
	const char *typed, *value;
};

struct request {
	/* A name from the table of experiments; NULL: the other options imply it. */
	const char *experiment;
	const char *models; /* The list as typed; NULL: the experiment's own models. */
	const char *tree;   /* Tree structures as typed, separated by commas; NULL if none. */
	/* "NAME=VALUES" as typed, NULL after the last. Each name occurs once. */
	const char *settings[REQUEST_SETTINGS + 1];
	/*
	 * The values of each setting, including settings that the experiment makes. typed is NULL
	 * in the entry after the last.
	 */
	struct request_value values[REQUEST_VALUES + 1];
	/* Settings and other options set the following members. */
	uint64_t stack_size; /* Stack size of threads, bytes; 0: the system's default. */
	uint64_t ballast;    /* Memory that the parent touches, bytes. */
	enum experiment_pages ballast_pages;
	/*
	 * Number of workers of each kind; -1: not given. If all are -1, the experiment's own
	 * numbers apply.
	 */
	int64_t workers[WORK_KINDS];
	/*
	 * Total number of workers, split in the proportion of `workers`; 0: as many as in
	 * `workers`.
	 */
	uint32_t total;
	uint64_t size;			/* amount of work of every worker; 0: use work_size */
	uint64_t work_size[WORK_KINDS]; /* 0: the workload's own size */
	uint64_t alloc; /* bytes that a cpu worker allocates and frees in every step */
	struct mistakes mistakes;
	/*
	 * number of pieces of work that pool hands out, or of requests to a server; 0: the default
	 */
	uint32_t tasks;
	/* number of tasks that are created and joined at a time; 0: all at once */
	uint64_t batch;
	const char *io_file;	 /* NULL: the run makes a file */
	enum sample_cache cache; /* page cache of the file that io workers read */
	enum board_sink sink;	 /* where hello workers write */
	enum experiment_sched sched;
	bool pinned;
	cpu_set_t pin;
	/* The order in which the case's CPUs are chosen from the usable ones. */
	enum topology_place place;
	uint32_t cores; /* Number of usable CPUs that are used; 0: not given. */
	bool niced;
	int nice; /* nice value of the workers, if `niced` is set */
	/*
	 * scheduling policy of the workers: SCHED_* of sched(7), plus 1; 0: tuibench's own policy
	 */
	int policy;
	uint32_t quota; /* CPU limit of a run, in thousandths of a CPU; 0: no limit */
	/*
	 * For the programs' environment: "NAME=VALUE" sets a variable, "NAME=-" removes it. NULL
	 * after the last.
	 */
	const char *env[REQUEST_ENVS];
	uint32_t trials; /* 0: as many as the comparisons need */
	/* The session may end early, because the user gave no number of trials. */
	bool until_decided;
	/* The session may also have as many trials as fit into EXPERIMENT_SHOW_NS. */
	bool fits_time;
	uint32_t warmup;
	bool quick; /* Fewer trials with less work: as few trials as can still decide. */
	enum experiment_order order;
	uint64_t seed;	      /* seed of the randomized order */
	uint32_t interval_ms; /* Time between ticks; 0: the experiment's own. */
	bool hold;	      /* wait for SOURCE_START before the first run (--hold) */
	bool no_estimate;     /* skip the measurement of the kernel's memory before the session */
	bool all_alive;
	enum via via;		     /* VIA_NONE: workers hand over nothing */
	enum counting counting;	     /* COUNTING_NONE: workers do not increment a counter */
	uint32_t senders, receivers; /* workers in each group of message workers */
	struct serving serving;	     /* how a server and its clients behave */
	/*
	 * The fault of one worker in each run, and the share of the worker's work after which it
	 * occurs. FAULT_NONE: the experiment's own fault.
	 */
	enum fault_kind fault;
	uint32_t fault_percent;
	/* Path of the shared object that own workers run. "": the manual's example. NULL: none. */
	const char *work;
	struct own_about own; /* The object's own description, which the caller has read. */
	/* The programs that workers run, as typed; NULL: none, or the experiment's own. */
	const char *const *programs;
	uint32_t n_programs;
	/* Names of the first n_names programs. Each other program is named by its command. */
	const char *const *program_names;
	uint32_t n_names;
	bool ignore_failure; /* a program's exit status other than 0 is no failure */
	enum experiment_wait wait;
	/* the word in the programs' output whose number is a metric; NULL: none */
	const char *metric;
	const char *prediction; /* what the user expects, for the recording; NULL: nothing */
	uint64_t for_ns;	/* time after which programs are ended with a signal; 0: never */
	/* Files for the programs' standard input and output, as typed; NULL: /dev/null. */
	const char *input, *output;
	const char *label; /* the machine's name in the recording; NULL if none */
	bool anonymous;	   /* Do not record names of hosts, paths, commands and other programs. */
	/*
	 * Commands as typed, for which tuibench waits: before the first run of a case, before each
	 * run, and after the last run of a case. NULL: none.
	 */
	const char *setup, *prepare, *cleanup;
	const char *command; /* the command line, for the recording */
	/*
	 * For the recording: the compiler of the runner, and the commit from which the runner was
	 * built; NULL: unknown.
	 */
	const char *compiler, *commit;
};

enum { EXPERIMENT_WORDS = 4096 };

/* The request for one case's runs. Cases differ in the swept options. */
struct experiment_case {
	struct request request;
	uint32_t program; /* index in request.programs */
	uint32_t cores;	  /* number of CPUs that the case may use: the value of {cores} */
	/* The value of {model} in the case's command, such as "threads". */
	char model[SAMPLE_MODEL];
	/*
	 * Number of the case's group. All cases of a group have the same kind of work or, if they
	 * hand something over, hand it over in the same way.
	 */
	uint32_t group;
	/*
	 * Number of the case's block: the lowest number among this case and the cases that are
	 * compared with it, directly or through others.
	 */
	uint32_t block;
};

struct experiment {
	struct request request; /* If options are swept, the request of the first case. */
	char title[SAMPLE_LABEL];
	/*
	 * With --quick or few trials: a sentence about how small a difference they can find;
	 * otherwise "".
	 */
	char promise[SAMPLE_TEXT];
	/*
	 * Tasks stay alive until their memory is read. The run's time does not include this wait.
	 */
	bool holds_for_memory;
	/* The CPU for tasks that must all be on one CPU: the first one that runs may use. */
	int one_cpu;
	/*
	 * plain_rounds: number of rounds of warm-ups that follow the warm-ups of the request.
	 * plain_case: the case of all their runs. They change no order of trials.
	 */
	uint32_t plain_rounds, plain_case;
	uint32_t n_cases;
	char words[EXPERIMENT_WORDS]; /* Storage for the values of settings. */
	size_t n_words;		      /* bytes of `words` in use */
	struct experiment_case each[SAMPLE_MAX_CASES];
	struct sample_case cases[SAMPLE_MAX_CASES]; /* Only the first n_cases are set. */
};

/* The setting "NAME=VALUES" as typed; NULL if it was not typed. */
const char *experiment_typed(const struct request *request, const char *name);
/* Writes the settings, such as "alloc=0,400;nice=5". Settings that do not fit are left out. */
char *experiment_settings(const struct request *request, char *buf, size_t size);

enum { EXPERIMENT_QUOTA = 24 };
/* Writes a quota in CPUs, such as "0.5" for 500 thousandths. Returns buf. */
char *experiment_quota(uint32_t thousandths, char buf[EXPERIMENT_QUOTA]);

/* Sets every default. */
void request_init(struct request *request);
/*
 * Builds the experiment. Returns 0; -EINVAL for a wrong value (exit status 2); -ENOSPC or -EAGAIN
 * for a request beyond the machine's limits (exit status 3). On an error, `error` has one line with
 * the option, the value and a right value. Strings in the request must outlive the experiment.
 */
int experiment_build(const struct request *request, struct experiment *experiment, char *error,
		     size_t size);
/*
 * Checks what experiment_build() checks, except whether the machine has room for the tasks, memory
 * and files. Also returns -ENOENT if a setting has no effect in this experiment.
 */
int experiment_fits(const struct request *request, char *error, size_t size);
/*
 * Warnings about requests whose results are known to mislead, one line each. Returns their number.
 */
enum { EXPERIMENT_WARNINGS = 4 };
size_t experiment_warnings(const struct experiment *experiment,
			   const char *out[EXPERIMENT_WARNINGS]);
/* Number of rounds of warm-ups. */
uint32_t experiment_warmups(const struct experiment *experiment);
/* Number of planned runs: (warm-ups + trials) × cases. */
uint32_t experiment_runs(const struct experiment *experiment);
/*
 * The longest time that the trials of a session should take, ns, unless the user gave a number of
 * trials.
 */
#define EXPERIMENT_SHOW_NS INT64_C(15000000000)
/*
 * Plans as many trials as fit into EXPERIMENT_SHOW_NS if each takes trial_ns: at least as many as
 * --quick would run, at most 200. Call it before the first counted trial, so that results cannot
 * influence the plan of the interim analyses. No effect unless request.fits_time is set.
 */
void experiment_fit_trials(struct experiment *experiment, int64_t trial_ns);
/*
 * Stores the case and the trial of run number `run`, counted from 0. Runs beyond the planned ones
 * continue in the same order.
 */
void experiment_run(const struct experiment *experiment, uint32_t run, struct sample_run *out);

/* What the menu lets the user choose for an experiment, besides settings. */
enum experiment_aspect {
	EXPERIMENT_MODELS,
	EXPERIMENT_SIZE,
	EXPERIMENT_TRIALS,
	EXPERIMENT_ASPECTS
};

struct experiment_choice {
	const char *label, *options; /* options: as typed, separated by blanks; "": none */
};

enum { EXPERIMENT_SIZES = 7 };

/* A row of the table of experiments. */
struct experiment_kind {
	const char *name, *question, *about;
	const char *ballot;	    /* The question for a vote; NULL: which will be faster. */
	const char *look, *example; /* look: where to see the answer. example: a command to try. */
	/* Duration of the experiment on two cores with the defaults, s. */
	uint32_t seconds;
	const char *note; /* A remark after the duration; NULL: none. */
	const char *models;
	/* The choices of models, the experiment's own first. Empty: the usual ones. */
	struct experiment_choice offers[EXPERIMENT_SIZES];
	/* The choices of sizes, the default first. Empty: only the default is offered. */
	struct experiment_choice sizes[EXPERIMENT_SIZES];
	const char *no_own;		/* Why --own cannot be the work; NULL: it can. */
	const char *tree;		/* The tree's shape; NULL: a set of workers. */
	uint32_t workers[WORK_KINDS];	/* workers of one set */
	uint64_t work_size[WORK_KINDS]; /* 0: the workload's own size */
	/* Setting with several values, if the user gives none; NULL: none. */
	const char *sweep;
	/* The experiment runs each kind of work alone, one kind after the other. */
	bool by_kind;
	bool to_all_cores;     /* The sweep of workers ends at one worker for each core. */
	bool counts;	       /* The workers increment a shared counter, in the ways of `vias`. */
	const char *ballast;   /* The ballast if the user gives none, "ballast=64M"; NULL: none. */
	enum fault_kind fault; /* fault of one worker in each run */
	const char *vias; /* "via=" and the ways to hand over a token, or to count; NULL: none. */
	uint32_t trials;  /* Trials of an experiment with a fault, if the user gives no number. */
	/* The programs are variants of this Python script; NULL: the programs are true(1). */
	const char *script;
	bool creates; /* The models are primitives, whose tasks do nothing. */
	/*
	 * The experiment hands out pieces of work, either to a pool or to a new task for each
	 * piece.
	 */
	bool hands_out;
	bool serves;   /* The workers answer requests of clients. */
	bool one_core; /* All tasks run on one CPU unless -s pin says otherwise. */
	/*
	 * The usual hybrid is side x side tasks, for side² workers or one fewer; 0: no usual
	 * hybrid.
	 */
	uint32_t hybrid_side;
	uint32_t interval_ms; /* Tick interval if the user gives none; 0: the usual one. */
	/*
	 * Runs may be shorter than a tick, so memory is read while all tasks are held at the
	 * barrier.
	 */
	bool holds_for_memory;
};

/* The i-th experiment in the order of --help experiments; NULL after the last. */
const struct experiment_kind *experiment_at(size_t i);
/* The experiment with that name; NULL if none. */
const struct experiment_kind *experiment_find(const char *name);

/* The choice with that index, the default first. Returns false after the last. */
bool experiment_choice(const struct experiment_kind *kind, enum experiment_aspect aspect,
		       size_t choice, struct experiment_choice *out);
/*
 * Seconds that the experiment takes on two idle cores: the duration in its row, scaled by the
 * number of runs and their work. NaN if the row says nothing about this request: the request has no
 * experiment, or a tree whose leaves work, or the defaults do not fit on this machine.
 */
double experiment_time(const struct experiment *experiment);
/*
 * Seconds that the experiment takes if no answer is decided early. This is experiment_time(), but
 * at least EXPERIMENT_SHOW_NS if the session has as many trials as fit into that time.
 */
double experiment_time_most(const struct experiment *experiment);
