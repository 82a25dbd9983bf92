/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/paged.h"
#include "core/plan.h"
#include "core/reason.h"
#include "core/sample_message.h"
#include "core/sample_run.h"
#include "core/sample_session.h"
#include "core/sample_slice.h"
#include "core/sample_worker.h"
#include "stats/stats.h"
#include "model/metric.h"

struct sample;
struct sample_core;
struct sample_task;

enum {
	MODEL_LIFE = offsetof(struct sample_worker, cycles),
	MODEL_COUNTS = sizeof(struct sample_worker) - MODEL_LIFE,
	MODEL_BLOCK = 64
};

/* The data of MODEL_BLOCK workers with consecutive indices; a run's last block may have fewer. */
struct model_block {
	/*
	 * For each worker MODEL_LIFE bytes, the members of struct sample_worker before `cycles`;
	 * NULL if no worker of the block was seen.
	 */
	char *lives;
	/*
	 * For each worker MODEL_COUNTS bytes, the members of struct sample_worker from `cycles` on;
	 * NULL if all of these are unknown.
	 */
	char *counts;
};

/* The workers of a run. The memory grows with the number of workers seen. */
struct model_workers {
	/* Indexed by worker / MODEL_BLOCK; NULL if no worker was seen. */
	struct model_block *blocks;
	size_t n_blocks, bytes; /* bytes of all blocks */
	/*
	 * The workers' data is missing: it was dropped from an old run, or never stored, as with
	 * several recordings.
	 */
	bool gone;
};

/*
 * All that is known of a worker, including what happens after the cursor. index must be below the
 * run's n_workers.
 */
static inline struct sample_worker model_workers_at(const struct model_workers *workers,
						    uint32_t index)
{
	struct sample_worker worker = sample_worker_unknown;
	const struct model_block *block =
		workers->blocks ? &workers->blocks[index / MODEL_BLOCK] : NULL;
	const size_t place = index % MODEL_BLOCK;

	if (block && block->lives)
		memcpy(&worker, block->lives + place * MODEL_LIFE, MODEL_LIFE);
	if (block && block->counts)
		memcpy(&worker.cycles, block->counts + place * MODEL_COUNTS, MODEL_COUNTS);
	return worker;
}

/* Stores a worker of a run that has `all` workers in total. Returns 0 or -ENOMEM. */
int model_workers_put(struct model_workers *workers, uint32_t all, uint32_t index,
		      const struct sample_worker *worker);
void model_workers_free(struct model_workers *workers);

/*
 * How a run's CPU time is split into user and system time. The sum is exact, but most kernels split
 * it by ticks: if no tick occurs while a task runs, all of its time counts as user time.
 */
enum model_split_source {
	MODEL_SPLIT_NONE, /* unknown */
	/* Taken from the tasks' own times, because the tasks ran long enough. */
	MODEL_SPLIT_RUSAGE,
	/* In the proportion that /proc/stat shows, because almost no other program ran. */
	MODEL_SPLIT_PROC_STAT,
};

extern const char *const model_split_names[];

struct model_split {
	enum model_split_source source;
	int64_t user_us, system_us; /* -1: unknown */
};

struct model_split model_split(const struct model *model, const struct model_run *run);
bool model_split_worker(const struct model *model, const struct model_run *run,
			const struct sample_worker *worker);
/*
 * The length of the kernel's tick on the machine of the case, ns, see tick_ns(). If unknown, the
 * longest possible tick.
 */
int64_t model_split_tick(const struct model *model, uint32_t case_id);

/*
 * The critical path of a run is the chain of events that ends last. The walk along it starts at the
 * last join and goes backwards to the first create call. A join waits for the task to finish. A
 * task's work begins when the barrier opens or, without a barrier, when the task begins. The
 * barrier opens when the last leaf has arrived and the main thread has created all its children. A
 * task begins after its parent's create call. Every ns of the elapsed time belongs to exactly one
 * part, so the parts add up to the elapsed time. The time for which tasks were held to read their
 * memory belongs to no part.
 */

enum model_path_part {
	/*
	 * the parent's create calls, and its loop between them, until the call returns or the task
	 * begins
	 */
	PART_CREATING,
	PART_STARTING, /* from the return of the create call to the task's first instruction */
	PART_WORKING,  /* running on a core */
	/* waiting for a core, and from the opening of the barrier until the work begins */
	PART_WAITING,
	/*
	 * waiting for something else than a core, and at the barrier after the last leaf has
	 * arrived
	 */
	PART_BLOCKED,
	PART_JOINING, /* from a task's last instruction to its join, and between joins */
	MODEL_PARTS
};

/*
 * The critical path through the tasks of a program. The walk begins at the end of the program's
 * first process and goes backwards. If a task waited for the end of another task, a child or a
 * thread of its process, the path continues in that task. At a task's creation, the path continues
 * in its parent. Blocked time belongs to the part of the object that the task waited for, with two
 * exceptions:
 *
 * - A futex on which only one task of the run ever waited is not a contended lock. At such a futex,
 * a pipe or a socket, in poll, or while waiting for a child, a thread or a signal, the task may
 * depend on other tasks of the run. This time counts as running while any of them is on a core, and
 * as runnable while none is on a core but one could run.
 * - Time that was not observed is PROGRAM_UNKNOWN.
 */
enum model_program_part {
	PROGRAM_RUNNING,  /* a task of the path, or a task that it waited for, was on a core */
	PROGRAM_RUNNABLE, /* the task could run but had no core */
	PROGRAM_GIL,
	PROGRAM_LOCK, /* a futex on which several tasks waited: a lock or a condition */
	PROGRAM_FILE,
	PROGRAM_PIPE,
	PROGRAM_SOCKET,
	PROGRAM_SLEEP,
	PROGRAM_OTHER, /* any other wait that was observed */
	PROGRAM_UNKNOWN,
	PROGRAM_PARTS
};

/*
 * Times in ns. All are NaN if the run failed, if -s for=TIME ended it, if an event of the path is
 * unknown, or if the parts do not add up.
 */
struct model_path {
	double ns[MODEL_PARTS]; /* working, waiting and blocked are NaN if they cannot be split */
	double running_ns;	/* Sum of working, waiting and blocked. */
	double all_ns;
	/* For programs: parts whose sum is running_ns. NaN if unknown. */
	double program_ns[PROGRAM_PARTS];
};

/*
 * Computes the path. The worker's slices split its working time. Time that no slice covers is split
 * by the kernel's run delay, if that is known, and if there are no slices at all also by the
 * worker's CPU time.
 */
struct model_path model_path_make(const struct model *model, const struct model_run *run);

/*
 * The time of each kind of work in a run: from the opening of the barrier (without a barrier, from
 * the beginning of the run) until the last worker of the kind finished.
 */

struct model_kinds {
	/* NaN if no worker does this kind of work, or a finish time is unknown. */
	double ns[WORK_KINDS];
};

struct model_kinds model_kinds_make(const struct model *model, const struct model_run *run);

/*
 * The session as the views see it. Every query is answered as of the cursor, now_ns. In a live
 * session, the cursor is at the newest sample; in a replay, the user moves it. At time t, a replay
 * therefore shows what the live session showed at t.
 */

struct model_cores;
struct model_families;
struct model_latency;
struct model_lane;
struct model_levels;
struct model_task;
struct model_wakes;

struct model_point {
	int64_t time_ns; /* session clock */
	struct sample_memory memory;
	int64_t tasks, queue; /* See sample_tick. */
	int64_t throttled_periods, throttled_us;
};

/*
 * A time span in which a quota kept the whole run from the cores, in ns since the run's beginning.
 */
struct model_throttle {
	int64_t from_ns, to_ns;
	int64_t before_ns; /* Total length of the earlier spans. */
};

/*
 * Numbers of workers. `failed` counts workers with a wrong result, crashed workers, and tasks that
 * could not be created.
 */
struct model_counts {
	uint32_t created, started, finished, joined, failed, alive;
	/*
	 * placed: number of workers whose own core and parent's core are known. same_core: number
	 * of workers that began on their parent's core.
	 */
	uint32_t placed, same_core;
};

struct model_run {
	struct sample_run id;
	/*
	 * When the run began, on the session clock. Until the run has ended, this is the time of
	 * the sample RUN_BEGIN; after that, the exact time.
	 */
	int64_t begin_ns;
	/*
	 * When the run began on the recording's clock, which includes pauses: the time of the
	 * sample RUN_BEGIN.
	 */
	int64_t recorded_ns;
	int64_t end_ns; /* Time of RUN_END on the session clock; INT64_MAX before it. */
	/*
	 * On the session clock: when it became known that the run's trial is repeated; 0: not
	 * repeated.
	 */
	int64_t replaced_ns;
	struct sample_totals totals; /* Valid only after the run has ended. */
	/*
	 * Why the trial is repeated: true if one of its runs was paused, false if one was crowded.
	 */
	bool replaced_paused;
	uint32_t n_workers; /* plan_count() of the run's case */
	uint32_t of_case;   /* Number of the run among the runs of its case, from 0. */
	/* model_length() of the longest earlier run of its case; 0: there is none. */
	int64_t longest_ns;
	/*
	 * children, threads: the most children, and the most threads, that one program of the case
	 * was seen to have; -1 if not observed. If tasks[] does not list the tasks of such a
	 * program, the program's lanes are incomplete, so they count as unknown in all runs of the
	 * case. processes: the most processes whose memory was read at once; -1 if some were not
	 * read, which makes the run's memory unknown, too.
	 */
	int32_t children, threads, processes;
	struct model_workers workers; /* All data of the workers, see model_workers_at(). */
	bool shares_steps;	      /* See plan_shares_steps(). */
	double together; /* See model_together_make(). Valid only after the run has ended. */
	struct model_counts final; /* Valid only after the run has ended. */
	struct model_split split;  /* Valid only after the run has ended. */
	struct model_path path;	   /* Valid only after the run has ended. */
	struct model_kinds kinds;  /* Valid only after the run has ended. */
	/* False until the run has ended; also afterwards, if memory was short then. */
	bool has_levels;
	struct sample_bucket
		*buckets; /* Durations of the workers' operations; NULL: none were recorded. */
	uint32_t n_buckets;
	struct sample_request
		*requests; /* Times of some requests of a server; NULL: none were recorded. */
	uint32_t n_requests;
	struct model_latency *latency; /* NULL if there is no data. See model_latency(). */
	struct model_wakes *wakes, *wakes_all;
	struct model_point *points;
	size_t n_points, cap_points;
	/* Maxima over all points. They show by how much the run's peaks may be wrong. */
	struct sample_memory most_read;
	/* By index of the worker, see model_lanes.h; NULL: no slice is known. */
	struct model_lane *lanes;
	/* Number of slices that the recording leaves out. If it is not 0, the run has no lanes. */
	int64_t slices_left_out;
	/* The run has ended, but its slices are still being read and are not shown yet. */
	bool slices_partial;
	/* Number of slices that the recording has merged with others, see model_merge_next(). */
	uint64_t slices_merged;
	struct model_cores
		*cores; /* Lanes by core. Computed at the first query, even of a const run. */
	struct model_task *tasks; /* Tasks of the run's commands, see model_task(). */
	size_t n_tasks, cap_tasks;
	uint32_t task_changes;		  /* Number of new tasks and changed names so far. */
	struct model_throttle *throttles; /* Ascending by time, see model_throttled_until(). */
	size_t n_throttles, cap_throttles, throttles_seen;
};

struct model_load {
	int64_t time_ns;
	uint64_t self_cpu_us;
	int64_t terminal_us; /* Since the session's start; -1: unknown. */
	bool paused;
	/*
	 * The file that is made before a run: bytes written, and its size. 0 and 0: there is no
	 * file.
	 */
	uint64_t prepared, to_prepare;
};

/* A pause, on the recording's clock. The model's clock stops meanwhile. */
struct model_pause {
	int64_t from_ns, to_ns; /* INT64_MAX while paused */
	int64_t before_ns;	/* Total length of the earlier pauses. */
};

struct model_message {
	int64_t time_ns;
	enum sample_severity severity;
	enum sample_message_kind kind;
	char *text;
};

/*
 * A comparison of case b with case a in one metric, over the trials that both have. All comparisons
 * of a session in a metric share one error rate, see struct family. If the interval excludes 1, the
 * verdict is STATS_A or STATS_B, unless the metric is memory that may differ by less than 1 %.
 */
struct model_comparison {
	uint32_t a, b; /* The two cases. */
	enum model_metric metric;
	uint32_t pairs;
	uint32_t planned; /* Planned trials of each case; 0 for cases of two recordings. */
	uint32_t family;  /* Number of comparisons in the metric. */
	/* Least number of planned trials with which a comparison can become significant. */
	uint32_t least;
	/*
	 * All planned trials have ended. Until then, while the session lasts, the verdict can only
	 * be STATS_A, STATS_B or STATS_TOO_FEW.
	 */
	bool ended;
	bool no_ratio; /* A pair has a value of 0, so there is no estimate, interval or verdict. */
	/*
	 * Processes of a case outlived their run, so there is no estimate, interval or verdict
	 * either: see model_left_running().
	 */
	bool left;
	double level; /* Confidence level of the interval; 0.95 if there is only one comparison. */
	struct interim interim; /* Interim analyses of this comparison. */
	uint32_t end; /* Number of pairs when all planned trials had ended, see interim_level(). */
	/*
	 * b / a. The ends are NaN before the first analysis. For memory, they include the largest
	 * possible error of the kernel's page counts.
	 */
	struct stats_interval ratio;
	/* The interval of the sampled values alone. Equal to `ratio` for other metrics. */
	struct stats_interval sampled;
	enum stats_verdict verdict;
};

/* One of several recordings that were joined by model_join(). */
struct model_origin {
	/*
	 * Name of the machine, followed by the date or a number if several recordings have the same
	 * name.
	 */
	char name[SAMPLE_LABEL];
	struct sample_session session;
	uint32_t first_case, n_cases; /* Range of this recording's cases. */
	uint32_t first_core, n_cores;
};

struct model {
	bool has_session;
	struct sample_session session; /* The session's cases are in `cases` below. */
	uint32_t n_cases;
	struct sample_case *cases;
	uint32_t n_origins; /* Number of recordings that were joined; 0: a single session. */
	struct model_origin *origins;

	int64_t now_ns;	   /* The cursor. */
	int64_t newest_ns; /* time of the newest sample */
	bool done;	   /* SAMPLE_DONE has arrived. */
	int64_t done_ns;
	uint32_t planned; /* Number of planned runs, as the newest run reported. */

	/*
	 * levels[i] has the levels of runs[i], see model_levels(). In a session of many runs, files
	 * hold both arrays.
	 */
	struct model_run *runs;
	char *levels;
	size_t n_runs, cap_runs, levels_size;
	struct paged run_pages, levels_pages;
	/*
	 * saw_fault: some run, even one after the cursor, had a fault. saw_left: some run left
	 * processes running. saw_mhz: some tick had a core's frequency.
	 */
	bool saw_fault, saw_left, saw_mhz;
	/* Indices of the runs that have replaced_ns, ascending. */
	uint32_t *replaced;
	size_t n_replaced, cap_replaced;
	/*
	 * For model_keep() and model_store(). kept: bytes of the details of the first n_kept runs.
	 * n_dropped: number of runs, from the first on, whose details were dropped or were stored
	 * in files.
	 */
	size_t kept, n_kept, n_dropped;
	struct paged_block *stored; /* Details of old runs, in files: see model_store(). */
	/* Some runs have got wake-ups that are not in any wakes_all yet. */
	bool wakes_late;

	/*
	 * Number of columns in cores[], one for each CPU. Columns for new CPUs are added at the
	 * end.
	 */
	uint32_t n_cores;
	/*
	 * For joined recordings: each column's CPU number on its machine. NULL for a single
	 * session.
	 */
	int16_t *cpus;
	struct model_pause *pauses;
	size_t n_pauses, cap_pauses;
	/*
	 * CPU time of the front end and of the terminal during pauses, which loads do not include.
	 */
	uint64_t paused_self_us;
	int64_t paused_terminal_us;

	struct model_load *loads;
	struct sample_core *cores; /* n_loads rows of n_cores columns. */
	size_t n_loads, cap_loads;
	uint32_t cap_cores; /* Number of columns for which there is room. */
	/* In a session of many ticks, files hold both arrays. */
	struct paged load_pages, core_pages;

	struct model_message *messages;
	size_t n_messages, cap_messages;

	uint64_t lost; /* Number of ticks skipped. */

	/*
	 * For -s metric: a title such as "requests (req/s)" and the unit "req/s"; "" until known.
	 */
	char printed_title[SAMPLE_METRIC + SAMPLE_UNIT + 4], printed_unit[SAMPLE_UNIT];

	/*
	 * The comparisons that were queried since the last run ended. Each is computed by its first
	 * query, even if the model is const.
	 */
	struct model_families *families;
};

void model_init(struct model *model);
void model_free(struct model *model);
/*
 * Takes one sample and moves the cursor to the newest time. Returns 0, -ENOMEM, or -EPROTO for a
 * sample that contradicts earlier ones; the next samples may be valid again. If items of a list of
 * slices or tasks are invalid, takes only the others.
 */
int model_apply(struct model *model, const struct sample *sample);
/*
 * Records that the recording leaves out `slices` slices of the run that has just ended. Fills
 * *thinned with the values computed from these slices, for the sample of the run's end.
 */
void model_thin(struct model *model, int64_t slices, struct sample_thinned *thinned);
/* Moves the cursor to the time nearest to time_ns from 0 to newest_ns. */
void model_seek(struct model *model, int64_t time_ns);

static inline struct sample_worker model_known(const struct model_run *run, uint32_t index)
{
	return model_workers_at(&run->workers, index);
}

/* The plan of the run's case. */
static inline const struct plan *model_plan(const struct model *model, const struct model_run *run)
{
	return &model->cases[run->id.case_id].plan;
}

/* Queries. All of them answer as of now_ns. */

/* The newest run of the case that has begun, or NULL. */
const struct model_run *model_latest(const struct model *model, uint32_t case_id);
/*
 * The newest run of the case that has ended, including warm-ups and runs whose values are left out;
 * or NULL.
 */
const struct model_run *model_latest_ended(const struct model *model, uint32_t case_id);
/* The newest run of all cases that has begun, or NULL. */
const struct model_run *model_newest(const struct model *model);
const struct model_run *model_running(const struct model *model);
/* Whether programs of the run had children or several threads: see struct model_run. */
bool model_has_command_tasks(const struct model_run *run);
/*
 * Whether programs of the run had children or threads, and it is not known exactly when all of
 * these were on a core.
 */
bool model_hides_cores(const struct model *model, const struct model_run *run);
/* Whether the run's memory is unknown, because only some of its programs' processes were read. */
bool model_hides_memory(const struct model_run *run);
bool model_ended(const struct model *model, const struct model_run *run);
/* The time span in which all tasks of a run were held, since the run's beginning, ns. */
struct model_hold {
	/* Both are 0 if the run was not held, or if that is not known yet. */
	int64_t from_ns, to_ns;
};

struct model_hold model_hold(const struct model_run *run);
/*
 * Elapsed time of an ended run, ns, -1 if unknown; of a running one, the time since its beginning.
 * Neither includes the time for which the run was held. The value never becomes less when the run
 * ends, except in a run that is held: the length of its hold is known only at the end.
 */
int64_t model_elapsed(const struct model *model, const struct model_run *run);
/*
 * Like model_elapsed(), but including the time for which the run was held. The times of workers
 * include it too, so this is the length of the run's axis.
 */
int64_t model_length(const struct model *model, const struct model_run *run);
/*
 * The time from one position on that axis to another. Leaves out the time for which all tasks were
 * held, so no task takes longer than its run.
 */
int64_t model_between(const struct model_run *run, int64_t from_ns, int64_t to_ns);
/* Like model_between(), for an ended run with these totals. */
int64_t model_unheld(const struct sample_totals *totals, int64_t from_ns, int64_t to_ns);
size_t model_runs_begun(const struct model *model);

/*
 * The values of a case's measured runs in one metric, as of the cursor. They are cached because
 * every frame needs them.
 */
enum { MODEL_VALUE_RUN_BITS = 27 };
struct model_value {
	double value; /* NaN: unknown */
	uint32_t trial;
	uint32_t run : MODEL_VALUE_RUN_BITS; /* index in runs[] */
	uint32_t seen : 4;		     /* 1 + metric_run_seen() */
	uint32_t estimated : 1;		     /* metric_is_estimated() */
};

struct model_values {
	const struct model *model;
	const struct model_value *list;
	size_t n, at;
	size_t replaced; /* Next index in model->replaced. */
};

/* Valid until a run ends. Empty if memory is short. */
struct model_values model_values(const struct model *model, uint32_t case_id,
				 enum model_metric metric);
/* The next value; NULL after the last. */
const struct model_value *model_values_next(struct model_values *values);
/* Empties the cache. Call it after figures of ended runs have changed. */
void model_values_forget(struct model *model);
uint32_t model_runs_ended(const struct model *model);
/*
 * A copy of the model that answers queries as if the cursor were at time_ns. It shares its memory
 * with the model, so only read it, and never free it.
 */
struct model model_as_of(const struct model *model, int64_t time_ns);

/*
 * One trial of the cases first … end - 1, which are compared with one another. number 0: there is
 * no trial.
 */
struct model_trial {
	uint32_t first, end, number;
};

/*
 * Among the last 256 runs: the newest counted trial whose runs have all ended and still have their
 * data. If no such trial counts, the newest one that does not count.
 */
struct model_trial model_trial_newest(const struct model *model);
/*
 * Whether all runs of the trial exist, and none was paused or replaced. A trial with a failed run
 * counts, too.
 */
bool model_trial_counts(const struct model *model, const struct model_trial *trial);
/*
 * The next (by 1) or previous (by -1) trial of the same cases. If there is none, the trial itself.
 */
struct model_trial model_trial_beside(const struct model *model, const struct model_trial *trial,
				      int by);
/*
 * Among the cases of the newest trial: the counted trial that is nearest to the medians. If no
 * trial counts or memory is short, the newest trial. The distance of a trial is that of its worst
 * run: the factor between the run's elapsed time and its case's median. Of a crash that the parent
 * noticed, the time until then counts instead.
 */
struct model_trial model_trial_nearest(const struct model *model);
/*
 * Like model_trial_nearest(), for the cases that are compared with case_id. number is 0 if no trial
 * counts or memory is short.
 */
struct model_trial model_trial_typical(const struct model *model, uint32_t case_id);
/* The run of a case in the trial; its last run if the trial was repeated. NULL if none. */
const struct model_run *model_trial_run(const struct model *model, const struct model_trial *trial,
					uint32_t case_id);
/* The elapsed time of the trial's longest run, ns. */
int64_t model_trial_length(const struct model *model, const struct model_trial *trial);

/*
 * The worker as of the cursor: times after the cursor are -1, and values that become known later
 * are "not yet". index must be below n_workers.
 */
struct sample_worker model_worker(const struct model *model, const struct model_run *run,
				  uint32_t index);
/* Connections waiting to be accepted, as last read up to the cursor; -1: unknown. */
int64_t model_queue(const struct model *model, const struct model_run *run);
/*
 * Counts as of the cursor. `alive` counts workers that exist and have not finished; 0 after the run
 * has ended.
 */
struct model_counts model_counts(const struct model *model, const struct model_run *run);
struct sample_memory model_memory(const struct model *model, const struct model_run *run);
/* The index of the newest load at or before time_ns and the cursor; -1: none. */
long model_load_at(const struct model *model, int64_t time_ns);
/*
 * Share of one core that the front end used over about the last second (0.01 = 1 %), or, with
 * of_terminal, the terminal's process. NaN if unknown.
 */
double model_load_share(const struct model *model, bool of_terminal);
/*
 * Share of a core's time during a run in which a program used it or the host stole it, by the
 * kernel's count (1 = all). NaN with fewer than two readings, if the readings cover less than half
 * of the run, and in joined recordings.
 */
double model_core_load(const struct model *model, const struct model_run *run, size_t cpu);
bool model_paused(const struct model *model);
/*
 * Whether another program has stopped a process of the current run. True even if the process has
 * continued since.
 */
bool model_halted(const struct model *model);
/*
 * Whether a file is being made before a run can begin. In any case sets *done to the bytes written
 * and *all to the file's size.
 */
bool model_preparing(const struct model *model, uint64_t *done, uint64_t *all);
bool model_over(const struct model *model);

/* Whether somebody ended the session before its last planned trial had ended. */
bool model_stopped(const struct model *model);
/* Estimated time until the last planned run ends, ns; -1: unknown; 0: the session is over. */
int64_t model_time_left(const struct model *model);

/* Whether the run's trial is known to be crowded or paused, so that another trial replaces it. */
bool model_is_replaced(const struct model *model, const struct model_run *run);
uint32_t model_replaced(const struct model *model, uint32_t case_id);
/*
 * Whether the run counts as a measurement once it has ended: it is not a warm-up, it succeeded, was
 * not paused and was not replaced.
 */
bool model_is_good(const struct model_run *run);
/*
 * Like model_is_good(), but as of the cursor: false if the run ends later, and a later repetition
 * is ignored.
 */
bool model_measured(const struct model *model, const struct model_run *run);
/*
 * The next measured run after `run` among the n cases from `first` on. If run is NULL, the first
 * one. NULL if there are no more.
 */
const struct model_run *model_next_measured(const struct model *model, const struct model_run *run,
					    uint32_t first, uint32_t n);
/*
 * The metric of verdicts: the first headline of the session's kind. Ignores faults, see
 * model_headlines(). See model_kind.h.
 */
enum model_metric model_headline(const struct model *model);
/* Whether a smaller printed value is better: a time, not a rate. */
bool model_prints_time(const struct model *model);
/*
 * The metrics of the answer, the headline first. With many cases, only the headline. In a session
 * with faults, instead the metrics of faults. Returns their number.
 */
uint32_t model_headlines(const struct model *model,
			 enum model_metric metrics[INTERIM_METRICS_MOST]);
/*
 * Reads the measured trials of a case: values to out (at most max), and trial numbers to `trials`
 * unless that is NULL. Leaves out unknown values, and memory values whose bound is less tight than
 * in the best trial of the case. Returns the number of values.
 */
size_t model_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max);
/*
 * Median of the measured trials; NaN if there are none. *n, unless n is NULL, is their number.
 * `scratch` has space for one value of each run.
 */
double model_median(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *scratch, size_t *n);
/*
 * How many times as long a case takes because its context switches are recorded. Recordings of old
 * versions lack this figure. For these it is the median of the case's trials divided by the time of
 * its warm-up without records, both by sample_alone_ns(). NaN if it is below 1.01, or if no such
 * warm-up is known. case_id: the case's number in the model, for its entry in `watched`.
 */
double model_slowdown(const struct model *model, uint32_t case_id,
		      const struct sample_watched *watched);
/* The recording to which a case belongs; NULL if there is only one session. */
const struct model_origin *model_origin(const struct model *model, uint32_t case_id);
/* The session of the case's recording, or the only session. */
const struct sample_session *model_session(const struct model *model, uint32_t case_id);
/*
 * Whether two cases, in either order, are compared within their session and so belong to one family
 * of comparisons.
 */
bool model_compares(const struct model *model, uint32_t a, uint32_t b);
/*
 * The largest number of processes that programs had started and that still ran at the end of a
 * measured run of the case. Sets *runs (unless runs is NULL) to the number of such runs. Their
 * times and costs are incomplete, so only the time of creation is compared.
 */
uint32_t model_left_running(const struct model *model, uint32_t case_id, uint32_t *runs);
/* Ratios between 1 / MODEL_MARGIN and MODEL_MARGIN count as equivalent. */
#define MODEL_MARGIN 1.05
/*
 * How the memory values behind a case's median were measured, enum sample_seen. Trials with less
 * informative values are left out. If some values are lower bounds, the median is one, too. -1:
 * unknown, or the metric is not memory.
 */
int model_seen(const struct model *model, uint32_t case_id, enum model_metric metric);
/*
 * Why two cases are not compared in a metric: REASON_UNLIKE or REASON_BOUNDS; REASON_NONE if they
 * are compared.
 */
enum reason model_unlike(const struct model *model, uint32_t a, uint32_t b,
			 enum model_metric metric);
/*
 * Compares two cases over the trials that both have. Two kinds of cases get only the ratio of their
 * medians, without an interval, and the verdict STATS_UNPAIRED: cases of two recordings, which have
 * no pairs, and cases that differ in too many settings. For a metric of METRIC_OF_PATH, `ratio` is
 * the difference b - a in ns, and the verdict names the case whose part is smaller. Returns 0 or
 * -ENOMEM.
 */
int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out);
/*
 * The ratios a / b of the compared pairs of trials, in an array of *n that the caller frees.
 * (comparison->ratio is b / a.) Leaves out a pair with a value of 0. *n is 0 for two recordings, or
 * if processes outlived a run. Returns 0, or -ENOMEM with *ratios NULL.
 */
int model_ratios(const struct model *model, const struct model_comparison *comparison,
		 double **ratios, size_t *n);
/*
 * The medians of a and b over the comparison->pairs pairs; NaN without a pair. The cases' own
 * medians may cover one trial more, because a trial that is under way may already have one of the
 * two runs. Returns 0 or -ENOMEM.
 */
int model_pair_medians(const struct model *model, const struct model_comparison *comparison,
		       double medians[2]);
/*
 * The trial numbers of the compared pairs, in an array that the caller frees. Returns 0, or -ENOMEM
 * with *trials NULL.
 */
int model_pair_trials(const struct model *model, const struct model_comparison *comparison,
		      uint32_t **trials, size_t *n);
/*
 * The name of a case for the screen: its model and, if the session's cases differ in variables, its
 * variables.
 */
char *model_case_name(const struct model *model, uint32_t case_id, char *buf, size_t size);
/*
 * model_case_name() into a buffer of its own, for use as an argument. Valid until the enclosing
 * block ends.
 */
#define MODEL_CASE_NAME(model, case_id)                                                            \
	model_case_name(model, case_id, (char[SAMPLE_NAME]) {0}, SAMPLE_NAME)
/* The first case for which same(case, case_id) is true; that may be case_id itself. */
uint32_t model_first(const struct model *model, uint32_t case_id,
		     bool (*same)(const struct sample_case *, const struct sample_case *));
/* The first case of the same model, with any settings; that may be case_id itself. */
uint32_t model_first_alike(const struct model *model, uint32_t case_id);
/*
 * The number that decides a case's hue and shape wherever the case is drawn. Cases of one curve
 * share it, even for different kinds of work. The first case of threads has 0, of processes 1, of
 * hybrid 2, of pool 3, of prefork 4, of events 5. Other cases, such as a second tree of threads,
 * have the next free numbers, and share some numbers if there are too many cases.
 */
enum { MODEL_IDENTITIES = 8 };
uint32_t model_identity(const struct model *model, uint32_t case_id);

/*
 * Sessions that sweep a variable. Models are compared only at the same value and for the same work.
 * Trees and stacks are structures, and structures are compared with one another.
 */

/* The case's swept variable that has numeric values; NULL if none. */
const struct variable *model_swept(const struct sample_case *config);
/* The kind of work, such as "mem"; "" if all cases do the same work. */
const char *model_work(const struct sample_case *config);
/*
 * Whether two cases share hue and shape: points of one curve, or of curves that differ only in the
 * kind of work.
 */
bool model_same_identity(const struct sample_case *a, const struct sample_case *b);
/* Whether the cases have several values of the variable. */
bool model_varies(const struct model *model, const char *name);
/*
 * The candidates of a vote are the models, each with its structure, or, if there is only one model,
 * the values of a variable. Returns the variable's name; NULL: the candidates are the models.
 */
const char *model_candidate_variable(const struct model *model);
/*
 * Lists a case for each candidate: the case whose other values equal the values of the case
 * `beside` or, if there is none, the candidate's first case. Returns their number.
 */
uint32_t model_candidates(const struct model *model, uint32_t beside,
			  uint32_t list[SAMPLE_MAX_CASES]);
/* The last case that can be compared; 0 if none. */
uint32_t model_last_candidate(const struct model *model);
/* Whether all cases run the same program, so that their names do not name it. */
bool model_same_program(const struct model *model);
/* Whether the session has a swept variable or several kinds of work. */
bool model_sweeps(const struct model *model);

/*
 * The next two cases a < b in ascending order. If both are 0, the first two. False if there are no
 * more.
 */
bool model_next_two(const struct model *model, uint32_t *a, uint32_t *b);
/*
 * Like model_next_two(), for two curves of one recording that can be compared. a and b are the
 * first cases of the curves.
 */
bool model_next_curves(const struct model *model, uint32_t *a, uint32_t *b);

/* Sessions whose workers repeat one operation. Their headline is the time of one operation. */

/*
 * The kind of work that all workers do; WORK_KINDS if the workers do not all repeat one operation.
 */
enum work_kind model_step(const struct model *model);
/*
 * If model_run.together is below this share, figures of shared operations are withheld. They would
 * be wrong without contention: an operation on a spinlock takes 8 times as long if two workers
 * contend for it. Measured: 4 to 15 ns in runs with shares of 25 to 60 %, 40 ns in runs with 98 %.
 */
#define MODEL_TOGETHER_LEAST 0.9
/*
 * Called only by model.c, at the end of a run. Returns a share of the time from the first increment
 * to the last one: that in which all workers, or as many as there are cores, were on cores by their
 * slices. A worker that sleeps on a mutex counts as if it were on a core while another worker is on
 * one. A worker that waits for a core does not count. Waits for a core that the kernel counted but
 * no slice shows are subtracted in full. NaN if unknown.
 */
double model_together_make(const struct model_run *run, const struct sample_case *config,
			   int cores);
/*
 * Whether the figures of the run's share workers are withheld: the workers ran at the same time for
 * too small a part of the time, or that part is unknown.
 */
bool model_withheld(const struct model_run *run);

/* What the fault of one worker did to the others, in the runs up to the cursor. */
struct model_fault {
	enum fault_kind kind;
	uint32_t trials;     /* Number of counted trials in which the fault was committed. */
	uint32_t workers;    /* Number of leaves in a run. */
	int64_t least, most; /* Fewest and most survivors in a trial; -1: no trial yet. */
	/*
	 * wrong: fewest and most survivors with a wrong result; -1: unknown. lost: fewest and most
	 * workers that did not finish. Not set if no trial was counted.
	 */
	int64_t wrong_least, wrong_most, lost_least, lost_most;
	uint32_t left;	  /* Bits of enum fault_left, from all trials. */
	uint32_t noticed; /* Number of trials in which the parent noticed the fault. */
	/* Delay until the parent noticed: median and longest, ns; NaN if none. */
	double noticed_ns, noticed_most_ns;
};

bool model_has_faults(const struct model *model);
int model_fault_read(const struct model *model, uint32_t case_id, struct model_fault *out);

/*
 * Limits for the bytes of workers, lanes, points over time, and loads. MODEL_KEPT is for a session
 * without a screen, whose exports may need all of them; MODEL_SHOWN for a session on a screen. The
 * newest runs, two for each case, may have up to MODEL_NEWEST.
 */
#define MODEL_KEPT   (UINT64_C(256) << 20)
#define MODEL_SHOWN  (UINT64_C(16) << 20)
#define MODEL_NEWEST (UINT64_C(256) << 20)

/*
 * Limits the memory of a live session, which may last a day. Call it after a run's end. Drops
 * workers, lanes, points and wake-ups of the oldest runs until the details of all runs have at most
 * `most` bytes, and the newest ones at most MODEL_NEWEST. Drops the older half of the loads if
 * these have more. Keeps all figures, and always the newest run. If the session creates tasks one
 * by one, moves details to files instead, as model_store() does, because latencies come from all
 * workers.
 */
void model_keep(struct model *model, size_t most);
/*
 * Limits the memory of a recording that is read. Call it after a run's end. Moves workers, lanes,
 * points and all other details of the oldest runs to files, until at most `most` bytes are in
 * memory, or only the newest runs with at most MODEL_NEWEST. Drops nothing. Such a model cannot be
 * joined.
 */
void model_store(struct model *model, size_t most);

/* Largest number of cases that two joined recordings can have. */
#define MODEL_JOIN_CASES (2 * SAMPLE_MAX_CASES)

/*
 * Joins two recordings into one session for display and export. The result has the cases of both,
 * named by machine, such as "threads @desktop" (with the date if a machine has several recordings).
 * Their runs alternate: the first run of each recording, the second run of each, and so on. Runs
 * keep their order and durations; only their position on the session's clock changes. Each machine
 * has its own columns of cores, which are unknown during another machine's run. For each recording,
 * a message says where its columns begin.
 *
 * Initializes out and moves the contents of the parts into it. The parts can still be freed
 * afterwards. Returns 0 or -ENOMEM. The caller frees out in every case.
 */
int model_join(struct model parts[2], struct model *out);
