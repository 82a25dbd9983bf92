/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error_line.h"
#include "experiment/experiment.h"
#include "core/command_words.h"
#include "core/plan.h"

/* The workers of a case, or the work of the leaves of a tree. */
struct experiment_set {
	enum work_kind kind; /* The only kind of work; WORK_KINDS: all kinds of the request. */
	uint32_t workers[WORK_KINDS];
	uint64_t work_size[WORK_KINDS]; /* 0: in a tree, the leaves do none of this work. */
};

/* A setting with several values. Each value is set in a copy of the request. */
struct experiment_vary {
	const struct setting *setting;
	char name[VARIABLE_NAME],
		/* name: as typed. variable: the name that cases use. */
		variable[VARIABLE_NAME];
	const char *typed;		      /* "alloc=0,400" */
	const char *values[SAMPLE_MAX_CASES]; /* values, stored in the experiment's `words` */
	size_t n;
	bool inner; /* The value is part of a case's name. */
};

enum { INNER_SETTINGS = 3 };

/*
 * All settings with several values. Every value of one setting is combined with every value of the
 * others.
 */
struct experiment_grid {
	struct experiment_vary options[REQUEST_SWEEPS + INNER_SETTINGS];
	size_t n, inner; /* inner: how many of the n are inner settings */
};

struct experiment_build {
	struct experiment *experiment;
	struct request *request; /* The experiment's request, which is completed step by step. */
	const struct experiment_kind *kind;
	bool asked_null; /* The user has given -w null. */
	int cpus;	 /* CPUs that the workers may use */
	const struct experiment_grid *grid;
	/* The values of the grid's settings in this combination. */
	const char *values[REQUEST_SWEEPS + INNER_SETTINGS];
	bool fits;		   /* Do not check whether the machine has room. */
	uint64_t io_bytes;	   /* bytes of -s io-file, 0: none */
	cpu_set_t allowed;	   /* The CPUs that the workers may use; empty: unknown. */
	struct topology *topology; /* Read when it is first needed. */
	uint32_t groups;	   /* Number of groups (kinds of work, ways to hand over) so far. */
	char *error;
	size_t size;
};

#define REFUSE_AS(build, err, ...) error_line((build)->error, (build)->size, err, __VA_ARGS__)
#define REFUSE(build, ...)	   REFUSE_AS(build, -EINVAL, __VA_ARGS__)

int experiment_grid_read(struct experiment_build *build, struct experiment_grid *grid);
int experiment_grid_set(struct experiment_build *build, size_t combination);
bool experiment_grid_has(const struct experiment_grid *grid, const char *name);

/* The value of -s NAME in the request's case; NULL if it is not set. */
const char *argument_value(const struct request *request, const char *name);

/*
 * The experiment's own sweep, "NAME=VALUES"; NULL if there is none, or if the request replaces it.
 */
const char *experiment_usual_sweep(const struct experiment_build *build);
/*
 * Refuses the way to hand over or to count that the request names, because the experiment does not
 * have it.
 */
int experiment_refuse_way(const struct experiment_build *build);
int experiment_check_rows(struct experiment_build *build);
enum { EXPERIMENT_WAYS = 128 };
/* The values of -s via in that experiment: "pipe, socketpair"; "" if it has none. */
const char *experiment_ways(const struct experiment_kind *kind, char text[EXPERIMENT_WAYS]);
/* Refuses a setting, with -ENOENT, if it has no effect in any case. */
int experiment_check_settings(struct experiment_build *build);

/*
 * From here on, a function with a result of type int returns 0, or the error of experiment_build()
 * with a line for the user.
 */
/* Replaces the experiment's work by the user's own work (--own). */
int experiment_own(struct experiment_build *build);
/*
 * Checks the workers, and completes the request: their numbers and everything that depends on
 * these.
 */
int experiment_check_workers(struct experiment_build *build);
/* Checks the cases and, unless build->fits, whether the machine has room for them. */
int experiment_check_cases(struct experiment_build *build);
int experiment_cases(struct experiment_build *build);
void experiment_trials(struct experiment_build *build);
bool experiment_places(const struct experiment_build *build);
struct mistakes experiment_mistakes(const struct request *request, const struct plan *plan);
int experiment_program(struct experiment_build *build);
int experiment_check_nice(struct experiment_build *build);
int experiment_check_policy(struct experiment_build *build);
int experiment_check_hooks(struct experiment_build *build);
int experiment_check_pages(struct experiment_build *build);
int experiment_check_alloc(struct experiment_build *build);
int experiment_check_input(struct experiment_build *build);
int experiment_check_output(struct experiment_build *build);
int experiment_check_metric(struct experiment_build *build);
int experiment_check_cache(struct experiment_build *build);
int experiment_check_share_file(struct experiment_build *build);

/*
 * Makes the plan of a model of the experiment "server", such as "pool:4", and the name that this
 * model has in cases.
 */
int experiment_server_plan(struct experiment_build *build, const struct experiment_set *set,
			   const char *model, struct plan *plan);
void experiment_server_label(const struct plan *plan, const char *asked, char *label, size_t size);
/*
 * The number of CPUs of the server if the user gives none; the clients have the others. 0: all
 * CPUs.
 */
uint32_t experiment_server_cores(const struct experiment_build *build);
/* How long a run of the server takes, roughly, in ns. */
double experiment_server_time(const struct sample_case *config);
int experiment_server_check(struct experiment_build *build);
/* Error text, to follow the name of the option that needs fibers. */
#define FIBERS_MISSING "needs makecontext(3), which this program's C library does not have"

int experiment_check_wait(struct experiment_build *build);

/* The kind of work with the most workers, whose option an error about too many workers names. */
enum work_kind experiment_largest_kind(const struct request *request);

/*
 * How many trials a session with that number of comparisons needs, and how likely a number of
 * trials is to find a difference. The aim is to find a difference of 3 % if the noise of a run is 1
 * %. The comparisons share one error rate by Holm's method, so more comparisons need more trials.
 */

/* The default: 15, or as many as find the difference in 99 of 100 sessions. */
uint32_t trials_needed(double error, uint32_t comparisons);
/* For --quick: 8, or the smallest number that can find anything. */
uint32_t trials_quick(double error, uint32_t comparisons);
/*
 * The share of sessions that find the difference, among 20,000 simulated sessions with a fixed
 * seed.
 */
double trials_found(uint32_t trials, double error, uint32_t comparisons);

/*
 * The limits of the machine, found before a run. Finding them is necessary, because fork(2) and
 * pthread_create(3) return EAGAIN without naming the limit, and a memory cgroup kills without an
 * errno.
 */

#define CAPACITY_UNLIMITED UINT64_MAX

enum capacity_resource {
	CAPACITY_TASKS,
	CAPACITY_MAPPINGS,  /* mappings of one process */
	CAPACITY_ADDRESSES, /* addresses of one process */
	CAPACITY_STACK,	    /* stack of one thread */
	/* memory that all threads may write to, if the kernel accounts for such memory */
	CAPACITY_COMMIT,
	CAPACITY_MEMORY,
	CAPACITY_RESOURCES
};

struct capacity_limit {
	char name[160]; /* "RLIMIT_NPROC", "pids.max of cgroup /user", "free memory" */
	uint64_t value; /* the value that the machine reports */
	/* The part of the value that is left for a plan; CAPACITY_UNLIMITED: no limit. */
	uint64_t available;
};

struct capacity {
	struct capacity_limit limit[CAPACITY_RESOURCES];
	uint64_t stack; /* Stack size of a thread if none is requested, bytes. */
};

/* The limit that a plan exceeds. */
struct capacity_bound {
	const struct capacity_limit *limit;
	enum capacity_resource resource;
	uint64_t need;	  /* How much the plan needs: tasks, mappings, bytes or KiB. */
	struct plan fits; /* The largest plan of the same shape that fits; levels 0: none fits. */
	uint32_t batch;	  /* The largest batch with which the whole plan fits; 0: none. */
	/*
	 * The largest stack size with which the plan fits; 0 if there is none, or if the stacks are
	 * not what exceeds the limit.
	 */
	uint64_t stack;
};

/*
 * Reads RLIMIT_NPROC, pids.max of every cgroup above, pid_max, threads-max, max_map_count,
 * RLIMIT_AS, RLIMIT_DATA, the memory that vm.overcommit_memory refuses, and free memory. root is ""
 * on a real machine, and a directory with copies of the files in tests. A limit that cannot be read
 * counts as no limit.
 */
void capacity_read(const char *root, struct capacity *capacity);

/*
 * Checks that all tasks of the plan, or as many as its batch allows, can be alive at once.
 * stack_size is as in a request: 0 is the system's default. Returns 0, or -EAGAIN with the tightest
 * limit in `bound`: the one that the plan exceeds by the largest factor. For a suggestion, reduces
 * the last fan-out; if even 1 is too many, reduces the fan-out before it too. Suggests no batch if
 * tasks wait for all others.
 */
int capacity_check(const struct capacity *capacity, const struct plan *plan, uint64_t stack_size,
		   struct capacity_bound *bound);

/* The limit that a ballast exceeds. */
struct capacity_ballast {
	struct capacity_limit limit; /* bytes */
	/* need: memory for the requested ballast. fits: the largest ballast that fits. */
	uint64_t need, fits;
};

/*
 * Checks the ballast: memory of more than 0 bytes that the parent of the plan's tasks touches. The
 * check includes the page tables of the forks. If the kernel never promises more memory than it has
 * (vm.overcommit_memory 2), it also includes as much memory again for each fork. Returns 0, or
 * -EAGAIN with the tightest limit.
 */
int capacity_check_ballast(const char *root, const struct plan *plan, uint64_t bytes,
			   struct capacity_ballast *bound);

/*
 * Number of bytes that a user's files may still take in the directory, less a small reserve for the
 * file system itself. Returns 0 or -errno.
 */
int capacity_disk_free(const char *folder, uint64_t *bytes);

/* Memory that new tasks may use, KiB. Each memory cgroup of this process may limit it. */
uint64_t capacity_memory_free(const char *root);
