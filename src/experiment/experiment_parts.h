/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error_line.h"
#include "experiment/experiment.h"
#include "core/command_words.h"
#include "core/plan.h"

/* The workers of a case, or the work of a tree's leaves. */
struct experiment_set {
	enum work_kind kind; /* the only one; WORK_KINDS: as asked for */
	uint32_t workers[WORK_KINDS];
	uint64_t work_size[WORK_KINDS]; /* 0: in a tree, none of it */
};

/* A setting with several values: each is set in a copy of the request. */
struct experiment_vary {
	const struct setting *setting;
	char name[VARIABLE_NAME], variable[VARIABLE_NAME]; /* as typed; as cases have it */
	const char *typed;				   /* "alloc=0,400" */
	const char *values[SAMPLE_MAX_CASES];		   /* values among the experiment's words */
	size_t n;
	bool inner; /* cases name it themselves */
};

enum { INNER_SETTINGS = 3 };

/* All of them: every value of one with every value of the others. */
struct experiment_grid {
	struct experiment_vary options[REQUEST_SWEEPS + INNER_SETTINGS];
	size_t n, inner; /* how many of the n are inner ones */
};

struct experiment_build {
	struct experiment *experiment;
	struct request *request; /* the experiment's, which is filled in step by step */
	const struct experiment_kind *kind;
	bool asked_null; /* -w null was given */
	int cpus;	 /* CPUs that the workers may use */
	const struct experiment_grid *grid;
	/* Values of the experiment's options in this combination. */
	const char *values[REQUEST_SWEEPS + INNER_SETTINGS];
	bool fits;		   /* without a look at the room that there is */
	uint64_t io_bytes;	   /* bytes of -s io-file, 0: none */
	cpu_set_t allowed;	   /* the CPUs that the workers may use; empty: not known */
	struct topology *topology; /* read when it is first asked for */
	uint32_t groups;	   /* groups of work kinds and ways so far */
	char *error;
	size_t size;
};

#define REFUSE(build, err, ...) error_line((build)->error, (build)->size, err, __VA_ARGS__)

int experiment_grid_read(struct experiment_build *build, struct experiment_grid *grid);
int experiment_grid_set(struct experiment_build *build, size_t combination);
/* The value of one that has several in this combination, and whether it is their first; NULL. */
const char *experiment_grid_value(const struct experiment_build *build, const char *name,
				  bool *first);
bool experiment_grid_has(const struct experiment_grid *grid, const char *name);

/* The value of -s NAME in the request's case; NULL: it has none. */
const char *argument_value(const struct request *request, const char *name);

/* The experiment's own "NAME=VALUES"; NULL: none, or something else is asked for. */
const char *experiment_usual_sweep(const struct experiment_build *build);
int experiment_check_rows(struct experiment_build *build);
/* Refuses a setting that does nothing in any case, with -ENOENT. */
int experiment_check_settings(struct experiment_build *build);

/* Each returns 0, or what experiment_build() returns, with the line for the user. */
/* All checks and cases for one value of each setting that is swept. */
int experiment_steps(struct experiment_build *build);
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

/* The experiment server. A model of it, "pool:4"; what that is called in cases. */
int experiment_server_plan(struct experiment_build *build, const struct experiment_set *set,
			   const char *model, struct plan *plan);
void experiment_server_label(const struct plan *plan, const char *asked, char *label, size_t size);
/* The CPUs of the server where nothing is asked for: the clients have the others. 0: all. */
uint32_t experiment_server_cores(const struct experiment_build *build);
int experiment_server_check(struct experiment_build *build);
/* Follows the name of the option that asked for fibers. */
#define FIBERS_MISSING "needs makecontext(3), which this program's C library does not have"

int experiment_check_wait(struct experiment_build *build);

/* The kind of work that is asked for most: the option to name where workers are too many. */
enum work_kind experiment_largest_kind(const struct request *request);

/*
 * How many trials a session needs that makes so many comparisons, and what so many find: a
 * difference of 3 % is to be found where the noise of a run is 1 %. The comparisons share an
 * error as Holm has it, so that more of them need more trials.
 */

/* The default: 15, or what finds it in 99 of 100 sessions. */
uint32_t trials_needed(double error, uint32_t comparisons);
/* For --quick: 8, or the fewest that can find anything. */
uint32_t trials_quick(double error, uint32_t comparisons);
/* The share of sessions that find it, of 20,000 that are simulated, always the same ones. */
double trials_found(uint32_t trials, double error, uint32_t comparisons);

/*
 * The limits of the machine, worked out before a run. fork(2) and pthread_create(3) say EAGAIN
 * without saying which limit it was, and a memory cgroup kills without an errno.
 */

#define CAPACITY_UNLIMITED UINT64_MAX

enum capacity_resource {
	CAPACITY_TASKS,
	CAPACITY_MAPPINGS,  /* mappings of one process */
	CAPACITY_ADDRESSES, /* addresses of one process */
	CAPACITY_STACK,	    /* stack of one thread */
	CAPACITY_COMMIT, /* memory that all threads may write to, if the kernel accounts for it */
	CAPACITY_MEMORY,
	CAPACITY_RESOURCES
};

struct capacity_limit {
	char name[160];	    /* "RLIMIT_NPROC", "pids.max of cgroup /user", "free memory" */
	uint64_t value;	    /* as the machine states it */
	uint64_t available; /* what is left of it for a plan; CAPACITY_UNLIMITED: no limit */
};

struct capacity {
	struct capacity_limit limit[CAPACITY_RESOURCES];
	uint64_t stack; /* bytes of a thread that asks for none */
};

/* The limit that binds, when one does. */
struct capacity_bound {
	const struct capacity_limit *limit;
	enum capacity_resource resource;
	uint64_t need;	  /* the plan's need of the limit: tasks, mappings, bytes or KiB */
	struct plan fits; /* the largest of that shape that fits; levels 0: none does */
	uint32_t batch;	  /* the largest with which the whole plan fits; 0: none does */
	uint64_t stack;	  /* the largest stack size with which the plan fits; 0 if none does, or if
			     stacks are not the cause */
};

/*
 * Reads RLIMIT_NPROC, pids.max of every cgroup above, pid_max, threads-max, max_map_count,
 * RLIMIT_AS, RLIMIT_DATA, what vm.overcommit_memory refuses and free memory. root is "" on a real
 * machine and a fixture tree in tests; what cannot be read does not bind.
 */
void capacity_read(const char *root, struct capacity *capacity);

/*
 * Checks all tasks of the plan alive at once, or as many as its batch allows. stack_size as in a
 * request: 0 is the system's. 0, or -EAGAIN with the tightest limit in bound: the one of which the
 * plan needs the largest multiple of what is left. Smaller plans have a smaller last fan-out; where
 * even 1 is too many, a smaller one before it. A batch is no help to tasks that wait for all.
 */
int capacity_check(const struct capacity *capacity, const struct plan *plan, uint64_t stack_size,
		   struct capacity_bound *bound);

/* The limit that binds where a ballast does not fit. */
struct capacity_ballast {
	struct capacity_limit limit; /* bytes */
	uint64_t need, fits; /* need of the requested ballast; the largest ballast that fits */
};

/*
 * Checks memory that the parent of the plan's tasks has touched, more than 0 bytes, together with
 * what its forks take: page tables of their own, and where the kernel commits no more memory than
 * it has (vm.overcommit_memory 2) as much again each. 0, or -EAGAIN with the tightest limit.
 */
int capacity_check_ballast(const char *root, const struct plan *plan, uint64_t bytes,
			   struct capacity_ballast *bound);

/*
 * Bytes that a user's files may still take in the directory; a little is held back for what the
 * file system itself writes. 0 or -errno.
 */
int capacity_disk_free(const char *folder, uint64_t *bytes);

/* Memory that new tasks may take, KiB, with the headroom of every memory cgroup above. */
uint64_t capacity_memory_free(const char *root);
