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
	 * For each worker MODEL_LIFE bytes, the members before `cycles`; NULL if no worker of the
	 * block was seen.
	 */
	char *lives;
	/*
	 * For each worker MODEL_COUNTS bytes, the members from `cycles` on; NULL if all of them are
	 * unknown.
	 */
	char *counts;
};

/* The workers of a run. The memory grows with the number of workers seen. */
struct model_workers {
	/* Indexed by worker / MODEL_BLOCK; NULL if no worker was seen. */
	struct model_block *blocks;
	size_t n_blocks, bytes; /* bytes of all blocks */
	/*
	 * True if the workers' data was dropped from an old run, or never stored, as with several
	 * recordings.
	 */
	bool gone;
};

/* All that is known of a worker, also after the cursor. index must be below the run's n_workers. */
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
 * How a run's CPU time is split into user and system time. The sum is exact. The split depends on
 * the kernel's ticks: a task in which no tick fell has all its time counted as user time.
 */
enum model_split_source {
	MODEL_SPLIT_NONE,      /* unknown */
	MODEL_SPLIT_RUSAGE,    /* From the tasks' own times, because the tasks ran long enough. */
	MODEL_SPLIT_PROC_STAT, /* In the proportion of /proc/stat, because no other program ran. */
};

extern const char *const model_split_names[];

struct model_split {
	enum model_split_source source;
	int64_t user_us, system_us; /* -1: unknown */
};

struct model_split model_split(const struct model *model, const struct model_run *run);
bool model_split_worker(const struct model *model, const struct model_run *run,
			const struct sample_worker *worker);
/* The kernel's tick on the machine of the case, ns. If unknown, the longest possible tick. */
int64_t model_split_tick(const struct model *model, uint32_t case_id);

/*
 * The critical path of a run is the chain of events that ends last. The walk starts at the last
 * join and goes backwards to the first create call. A join waits for the task to finish. Work
 * begins when the barrier opens or, without a barrier, when the task begins. The barrier opens when
 * the last leaf has arrived. A task begins after its parent's create call. Every ns of the elapsed
 * time belongs to exactly one part, so the parts add up to the elapsed time. The time for which
 * tasks were held to read their memory belongs to no part.
 */

enum model_path_part {
	/* the parent's loop and create calls, until a call returns or the task begins */
	PART_CREATING,
	PART_STARTING, /* from the return of the create call to the task's first instruction */
	PART_WORKING,  /* running on a core */
	/* waiting for a core, and from the opening of the barrier until the work begins */
	PART_WAITING,
	/* waiting for something else, and at the barrier after the last leaf has arrived */
	PART_BLOCKED,
	PART_JOINING, /* from a task's last instruction to its join, and between joins */
	MODEL_PARTS
};

/*
 * The critical path through the tasks of a program. The walk goes backwards from the end of the
 * program's first process. If a task waited for the end of another task, a child or a thread of its
 * process, the path continues in that task. At a task's creation, the path continues in its parent.
 * Blocked time belongs to the part of the object that the task was blocked on, with two exceptions:
 *
 * - A futex on which only one task of the run ever waited is not a contended lock. At such a futex,
 * a pipe or a socket, in poll, or while waiting for a child, a thread or a signal, the task may
 * depend on other tasks of the run. This time counts as running while any of them is on a core, and
 * as runnable while none is on a core but one could run.
 * - Time that was not observed is PROGRAM_UNKNOWN.
 */
enum model_program_part {
	PROGRAM_RUNNING,  /* the path's task, or a task that it waited for, was on a core */
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
 * Times in ns. All are NaN if the run failed, -s for=TIME ended it, or an event of the path is
 * unknown.
 */
struct model_path {
	double ns[MODEL_PARTS]; /* NaN if working, waiting and blocked cannot be split */
	double running_ns;	/* Sum of working, waiting and blocked. */
	double all_ns;
	double program_ns[PROGRAM_PARTS]; /* Their sum is running_ns. NaN if unknown. */
};

/*
 * Computes the path. Working time is split by the worker's slices. Time that no slice covers is
 * split by the kernel's run delay, if that is known, and without any slice also by the worker's CPU
 * time.
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
 * The session as the views see it. Every query is answered as of the cursor now_ns. In a live
 * session the cursor is at the newest sample; a replay moves the cursor. So a replay at time t
 * shows what the live session showed at t.
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
	 * placed: workers whose own core and parent's core are known. same_core: workers that began
	 * on the parent's core.
	 */
	uint32_t placed, same_core;
};

struct model_run {
	struct sample_run id;
	/*
	 * Session clock. Until the run has ended, the time of the sample RUN_BEGIN; then the exact
	 * time.
	 */
	int64_t begin_ns;
	/* begin_ns as first known, on the recording's clock, which includes pauses. */
	int64_t recorded_ns;
	int64_t end_ns; /* Time of RUN_END on the session clock; INT64_MAX before it. */
	/*
	 * Session clock: the time from which the run's trial is known to be repeated; 0: not
	 * repeated. The members that decide whether a run counts are all in the struct's first
	 * cache line.
	 */
	int64_t replaced_ns;
	struct sample_totals totals; /* Valid only after the run has ended. */
	/*
	 * Why the trial is repeated: true if one of its runs was paused, false if one was crowded.
	 */
	bool replaced_paused;
	uint32_t n_workers; /* plan_count() of the run's case */
	uint32_t of_case;   /* Number of the run among the runs of its case, from 0. */
	int64_t longest_ns; /* model_length() of the longest earlier run of its case, or 0. */
	/*
	 * The most children, and the most threads, that one program of the case was seen to have;
	 * -1 if not observed. tuibench does not follow children and threads. So if there are any,
	 * the tasks and lanes of all runs of the case are incomplete and count as unknown. This
	 * run's memory is unknown too, unless all processes were read: `processes` is the most that
	 * were read at once, -1 if some were not.
	 */
	int32_t children, threads, processes;
	struct model_workers workers; /* All data of the workers, see model_workers_at(). */
	bool shares_steps; /* Whether the workers share an object, see plan_shares_steps(). */
	double together;   /* See model_together_make(). Valid only after the run has ended. */
	struct model_counts final; /* Valid only after the run has ended. */
	struct model_split split;  /* Valid only after the run has ended. */
	struct model_path path;	   /* Valid only after the run has ended. */
	struct model_kinds kinds;  /* Valid only after the run has ended. */
	bool has_levels; /* False until the run has ended, and if memory was short then. */
	struct sample_bucket
		*buckets; /* Durations of the workers' operations; NULL: none were recorded. */
	uint32_t n_buckets;
	struct sample_request
		*requests; /* Times of some requests of a server; NULL: none were recorded. */
	uint32_t n_requests;
	/* *latency_all is merged with all earlier runs of the case. NULL if there is no data. */
	struct model_latency *latency, *latency_all;
	struct model_wakes *wakes, *wakes_all;
	struct model_point *points;
	size_t n_points, cap_points;
	/* Maxima of the points that were dropped; unknown if none was dropped. */
	struct sample_memory most_read;
	struct model_lane *lanes; /* By index of the worker, see below; NULL: no slice is known. */
	/* Number of slices that the recording leaves out. If it is not 0, the run has no lanes. */
	int64_t slices_left_out;
	/* The slices are being read after the run's end, and are not shown yet. */
	bool slices_partial;
	/* Number of slices that the recording has merged with others, see model_merge_next(). */
	uint64_t slices_merged;
	struct model_cores
		*cores; /* Lanes by core. Computed at the first query, even of a const run. */
	struct model_task *tasks; /* Tasks of the run's commands, see below. */
	size_t n_tasks, cap_tasks;
	uint32_t task_changes;		  /* Number of new tasks and changed names so far. */
	struct model_throttle *throttles; /* Ascending by time, see below. */
	size_t n_throttles, cap_throttles, throttles_seen;
};

struct model_load {
	int64_t time_ns;
	uint64_t self_cpu_us;
	int64_t terminal_us; /* Since the session's start; -1: unknown. */
	bool paused;
	/* The file that is made before a run: bytes written, and its size; 0: no file. */
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
 * Compares case b with case a in one metric, over the trials that both have. This comparison and
 * all others of the session in that metric share one error rate: see struct family. The verdict is
 * "real" if the interval excludes 1.
 */
struct model_comparison {
	uint32_t a, b; /* The two cases. */
	enum model_metric metric;
	uint32_t pairs;
	uint32_t planned; /* Planned trials of each case; 0 for cases of two recordings. */
	uint32_t family;  /* Number of comparisons in the metric. */
	uint32_t least;	  /* Least number of planned trials with which a comparison can be real. */
	/*
	 * All planned trials have ended. Until then, while the session lasts, the verdict is either
	 * "real" or "too few".
	 */
	bool ended;
	bool no_ratio; /* A pair has a value of 0, so there is no estimate, interval or verdict. */
	/*
	 * There is no estimate either, because processes of a case outlived their run: see
	 * model_left_running().
	 */
	bool left;
	double level; /* Confidence level of the interval; 0.95 if there is only one comparison. */
	struct interim interim; /* Interim analyses of this comparison. */
	uint32_t end; /* Number of pairs when all planned trials had ended, see interim_level(). */
	struct stats_interval ratio; /* b / a. The ends are NaN before the first analysis. */
	/*
	 * The interval widened by the largest possible error of the kernel's page counts. Equal to
	 * `ratio` for other metrics.
	 */
	struct stats_interval counted;
	enum stats_verdict verdict;
};

/* One of several recordings that were joined by model_join(). */
struct model_origin {
	char name[SAMPLE_LABEL]; /* Name of the machine. */
	struct sample_session session;
	uint32_t first_case, n_cases; /* Range of this recording's cases. */
	uint32_t first_core, n_cores;
};

struct model {
	bool has_session;
	struct sample_session session; /* Its cases are in `cases` below. */
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
	 * levels[i] has the levels of runs[i], see model_levels(). In a session of many runs, both
	 * arrays are in files.
	 */
	struct model_run *runs;
	char *levels;
	size_t n_runs, cap_runs, levels_size;
	struct paged run_pages, levels_pages;
	bool saw_fault; /* Some run had a fault. Ignores the cursor. */
	/* Indices of the runs that have replaced_ns, ascending. */
	uint32_t *replaced;
	size_t n_replaced, cap_replaced;
	/*
	 * For model_keep(). kept: bytes of the workers of the first n_kept runs. n_dropped: number
	 * of those runs whose workers were dropped.
	 */
	size_t kept, n_kept, n_dropped;

	/* Number of columns in cores[], one for each CPU. New CPUs get columns at the end. */
	uint32_t n_cores;
	/*
	 * CPU number of each column; for joined recordings, the number on its machine. Otherwise
	 * NULL.
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

	struct model_message *messages;
	size_t n_messages, cap_messages;

	uint64_t lost; /* Number of ticks skipped. */

	/*
	 * For -s metric: a title such as "requests (req/s)" and the unit "req/s"; "" until known.
	 */
	char printed_title[SAMPLE_METRIC + SAMPLE_UNIT + 4], printed_unit[SAMPLE_UNIT];

	/*
	 * Comparisons that were queried since the last run ended. Computed at the first query, even
	 * of a const model.
	 */
	struct model_families *families;
};

void model_init(struct model *model);
void model_free(struct model *model);
/*
 * Takes one sample and moves the cursor to the sample's time. Returns 0, -ENOMEM, or -EPROTO for a
 * sample that does not fit. Such a sample is ignored, and later samples may fit.
 */
int model_apply(struct model *model, const struct sample *sample);
/*
 * Records that `slices` slices of the run that has just ended are left out of its recording. Fills
 * *thinned with the values computed from them, for the sample of the run's end.
 */
void model_thin(struct model *model, int64_t slices, struct sample_thinned *thinned);
/* Moves the cursor, clamped to 0 … newest_ns. */
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
/* The newest run of the case that has ended, even a warm-up or one that does not count; or NULL. */
const struct model_run *model_latest_ended(const struct model *model, uint32_t case_id);
/* The run of any case that began last, or NULL. */
const struct model_run *model_newest(const struct model *model);
const struct model_run *model_running(const struct model *model);
/*
 * Whether programs of the run had children or threads. tuibench does not follow these: see struct
 * model_run.
 */
bool model_has_company(const struct model_run *run);
/* Whether the memory reading covers only some of the programs' processes. */
bool model_hides_memory(const struct model_run *run);
bool model_ended(const struct model *model, const struct model_run *run);
/* Elapsed time of an ended run; for a running one, the time since its beginning. */
int64_t model_elapsed(const struct model *model, const struct model_run *run);
/*
 * Like model_elapsed(), but including the time for which the run was held. The times of workers
 * include that time too, so this is the length of the run's axis.
 */
int64_t model_length(const struct model *model, const struct model_run *run);
size_t model_runs_begun(const struct model *model);

/*
 * The values of a case's measured runs in one metric, as of the cursor. They are cached, because
 * every frame asks for them. struct model_run has the figures of single runs.
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
/* Empties the cache. Call it if figures of ended runs have changed. */
void model_values_forget(struct model *model);
uint32_t model_runs_ended(const struct model *model);
/*
 * A copy of the model that answers queries as if the cursor were at time_ns. It shares all memory
 * with the model, so it must only be read and never be freed.
 */
struct model model_as_of(const struct model *model, int64_t time_ns);

/*
 * One trial of the cases first … end - 1, which are compared with each other. number 0: there is no
 * trial.
 */
struct model_trial {
	uint32_t first, end, number;
};

/* The newest trial whose runs have all ended and still have their data. */
struct model_trial model_trial_newest(const struct model *model);
/*
 * The next (by 1) or previous (by -1) trial of the same cases; the trial itself if there is no
 * other.
 */
struct model_trial model_trial_beside(const struct model *model, const struct model_trial *trial,
				      int by);
/*
 * The counted trial that is nearest to the medians, among the cases of the newest trial. A trial is
 * judged by its run whose elapsed time differs most from its case's median, as a factor above or
 * below.
 */
struct model_trial model_trial_nearest(const struct model *model);
/*
 * Like model_trial_nearest(), among the cases that are compared with case_id. number is 0 if no
 * trial has a run of each case.
 */
struct model_trial model_trial_typical(const struct model *model, uint32_t case_id);
/* The run of a case in the trial; the last one if it was repeated. NULL if none. */
const struct model_run *model_trial_run(const struct model *model, const struct model_trial *trial,
					uint32_t case_id);
/* The length of the trial's longest run, ns. */
int64_t model_trial_length(const struct model *model, const struct model_trial *trial);

/*
 * The worker as of the cursor: times after the cursor are -1, and values that become known later
 * are "not yet". index must be below n_workers.
 */
struct sample_worker model_worker(const struct model *model, const struct model_run *run,
				  uint32_t index);
/* Connections waiting to be accepted, as read at the newest tick up to the cursor; -1: unknown. */
int64_t model_queue(const struct model *model, const struct model_run *run);
/*
 * Counts as of the cursor. `alive` counts workers that exist and have not finished; 0 after the run
 * has ended.
 */
struct model_counts model_counts(const struct model *model, const struct model_run *run);
struct sample_memory model_memory(const struct model *model, const struct model_run *run);
/* The index of the newest load at or before time_ns, or -1. */
long model_load_at(const struct model *model, int64_t time_ns);
/*
 * Share of one core that the front end used over the last second (0.01 = 1 %), or, with
 * of_terminal, the terminal's process. NaN if unknown.
 */
double model_load_share(const struct model *model, bool of_terminal);
/*
 * Share of a core that all programs together used during a run, by the kernel's count (1 = all).
 * NaN with fewer than two readings, or if these cover less than half of the run.
 */
double model_core_load(const struct model *model, const struct model_run *run, size_t cpu);
bool model_paused(const struct model *model);
/* Whether another program has stopped a process of the current run. */
bool model_halted(const struct model *model);
/* Whether a file is being made before a run can begin. *done of *all bytes are written. */
bool model_preparing(const struct model *model, uint64_t *done, uint64_t *all);
bool model_over(const struct model *model);
/* Estimated time until the last planned run ends; -1: unknown, 0: ended. */
int64_t model_time_left(const struct model *model);

/* Whether the run's trial is known to be crowded or paused, so that another trial replaces it. */
bool model_is_replaced(const struct model *model, const struct model_run *run);
uint32_t model_replaced(const struct model *model, uint32_t case_id);
/*
 * Whether the run counts as a measurement once it has ended: it succeeded, was not paused and was
 * not replaced.
 */
bool model_is_good(const struct model_run *run);
/* Like model_is_good(), as of the cursor. */
bool model_measured(const struct model *model, const struct model_run *run);
/*
 * The next measured run after `run`, among the n cases from `first` on. With run NULL, the first
 * one. NULL if there are no more.
 */
const struct model_run *model_next_measured(const struct model *model, const struct model_run *run,
					    uint32_t first, uint32_t n);
/*
 * The metric of verdicts. Sessions that create tasks one by one: the time until a task runs.
 * Sessions whose workers time their operations: the time of an operation. Others: the elapsed time.
 */
enum model_metric model_headline(const struct model *model);
/* Whether a smaller printed value is better: a time, not a rate. */
bool model_prints_time(const struct model *model);
/*
 * The metrics of the answer, the headline first. With many cases, only the headline. Returns their
 * number.
 */
uint32_t model_headlines(const struct model *model,
			 enum model_metric metrics[INTERIM_METRICS_MOST]);
/*
 * Reads the measured trials of a case: values to out (at most max), and trial numbers to `trials`
 * unless that is NULL. A memory value that was read at a run's start counts only if no trial has a
 * better value. Returns the number of values.
 */
size_t model_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max);
/*
 * Median of the measured trials; NaN if there are none. *n is their number. `room` is scratch space
 * for one value of each run.
 */
double model_median(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *room, size_t *n);
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
 * measured run of the case. *runs (may be NULL) is the number of such runs. The times and costs of
 * such a run do not cover all that the program started, so only the time of creation is compared.
 */
uint32_t model_left_running(const struct model *model, uint32_t case_id, uint32_t *runs);
/* A ratio between 1 / MODEL_MARGIN and MODEL_MARGIN is too small a difference to matter. */
#define MODEL_MARGIN 1.05
/*
 * How the values behind a case's median were measured, enum sample_seen. Trials with less
 * informative values are left out. If some of the values are lower bounds, so is the median. -1:
 * counted, or unknown.
 */
int model_seen(const struct model *model, uint32_t case_id, enum model_metric metric);
/*
 * Why two cases are not compared in a metric: REASON_UNLIKE or REASON_BOUNDS; REASON_NONE if they
 * are compared.
 */
enum reason model_unlike(const struct model *model, uint32_t a, uint32_t b,
			 enum model_metric metric);
/*
 * Compares two cases over the trials that both have. Cases of two recordings have no pairs, and
 * cases that differ in too many settings are never judged; both get the ratio of their medians
 * without an interval, and the verdict STATS_UNPAIRED. For a metric of METRIC_OF_PATH, `ratio` is
 * the difference b - a in ns, and the verdict names the case whose part is smaller. Returns 0 or
 * -ENOMEM.
 */
int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out);
/*
 * The ratios a / b (comparison->ratio is b / a) of the compared pairs of trials, in an array of *n
 * that the caller frees. A pair with a value of 0 is left out. *n is 0 for two recordings, or if
 * processes outlived a run. Returns 0, or -ENOMEM with *ratios NULL.
 */
int model_ratios(const struct model *model, const struct model_comparison *comparison,
		 double **ratios, size_t *n);
/*
 * The trial numbers of the compared pairs, in an array that the caller frees. Returns 0, or -ENOMEM
 * with *trials NULL.
 */
int model_pair_trials(const struct model *model, const struct model_comparison *comparison,
		      uint32_t **trials, size_t *n);
/*
 * The name of a case for the screen: its model, with its variables if these differ within the
 * session.
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
 * The number that decides a case's hue and shape wherever it is drawn. Cases of one curve share it.
 * Threads have 0, processes 1, hybrid 2. Other cases that are compared with them, such as a second
 * tree of threads, have the next numbers in the order shown.
 */
enum { MODEL_IDENTITIES = 8 };
uint32_t model_identity(const struct model *model, uint32_t case_id);

/*
 * Sessions that sweep a variable. Models are compared at the same value and for the same work,
 * never across. Trees and stacks are structures, and structures are compared with one another.
 */

/* The case's swept variable that has numeric values; NULL if none. */
const struct variable *model_swept(const struct sample_case *config);
/* The kind of work, such as "mem"; "" if all cases do the same work. */
const char *model_work(const struct sample_case *config);
/* Whether the session has a swept variable or several kinds of work. */
bool model_sweeps(const struct model *model);

/*
 * The next two cases a < b in ascending order; after 0 and 0, the first two. False if there are no
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
 * Figures of shared operations are withheld if all workers used the object at the same time for
 * less than this share of the run. An operation on a spinlock takes 8 times as long if two workers
 * contend for it. Measured: 4 to 15 ns in runs with shares of 25 to 60 %, 40 ns in runs with 98 %.
 */
#define MODEL_TOGETHER_LEAST 0.9
/*
 * Called only by model.c, at the end of a run. Returns the share of the time from the first
 * increment to the last one in which all workers, or as many as there are cores, were on cores, by
 * their slices. A worker that sleeps on a mutex counts as if it were on a core while another worker
 * is on one. A worker that waits for a core does not count. If the kernel counted waits for a core
 * that no slice shows, they are subtracted in full. NaN if unknown.
 */
double model_together_make(const struct model_run *run, const struct sample_case *config,
			   int cores);
/*
 * Whether figures of a shared object are withheld: the workers did not use it together for long
 * enough, or that is unknown.
 */
bool model_withheld(const struct model_run *run);

/*
 * A run's tasks spend their time in phases. There are figures for each level, and for all levels.
 */

enum model_phase {
	PHASE_CREATE, /* within the create call */
	PHASE_START,  /* from the beginning of the create call to the task's first instruction */
	/* for leaves with a barrier: from the first instruction until the work begins */
	PHASE_BARRIER,
	PHASE_WORK, /* the work; for inner tasks all that they do, including creating and joining */
	PHASE_JOIN, /* from the task's last instruction until it is joined */
	MODEL_PHASES
};

struct model_span {
	uint32_t n;	    /* number of tasks for which the phase is known */
	double median, p99; /* ns; NaN if n is 0 */
};

struct model_level {
	uint32_t tasks; /* Number of the level's tasks in the plan. */
	/*
	 * pairs: pairs of siblings whose ends and joins are known. inversions: pairs whose first
	 * sibling to end was joined last.
	 */
	double pairs, inversions;
	struct model_span phase[MODEL_PHASES];
};

struct model_levels {
	uint32_t levels;
	struct model_level all;
	struct model_level level[];
};

/* The levels of an ended run. NULL before its end, or if memory was short then. */
const struct model_levels *model_levels(const struct model *model, const struct model_run *run);
/*
 * The time of a worker in a phase, ns; NaN if unknown or if the worker has no such phase. waits:
 * its work begins when a barrier opens.
 */
double model_phase(const struct sample_worker *worker, enum model_phase phase, bool waits);
/* Inversions in % of the pairs; NaN if there are no pairs. */
double model_inversions(const struct model_level *level);
extern const char *const model_phase_names[MODEL_PHASES];

/* Computes the levels. The caller frees the result. NULL if memory is short. */
struct model_levels *model_levels_make(const struct plan *plan,
				       const struct model_workers *workers);

/*
 * Bins for curves over time of one run, as of the cursor. They cover [from_ns, to_ns) since the
 * run's beginning in equal widths, and may extend beyond the run. Bins wholly after the cursor are
 * unknown.
 */
struct model_bins {
	int64_t from_ns, to_ns;
	size_t n; /* at least 1 */
};

/*
 * The number of tasks alive, as in model_counts(), as the mean over each bin: alive[level * bins->n
 * + bin] for each level of the plan. Means keep the area under the curve right at any zoom. NaN:
 * unknown.
 */
void model_alive(const struct model *model, const struct model_run *run,
		 const struct model_bins *bins, double *alive);
/* The state of a planned task at a time. A task that was joined is in none of these states. */
enum model_stand {
	STAND_MISSING, /* not yet created */
	STAND_CREATED, /* before its first instruction */
	STAND_RUNNING,
	STAND_ENDED, /* waits to be joined */
	MODEL_STANDS
};

/*
 * Mean number of tasks of each level in each state, for each bin: stands[(level * MODEL_STANDS +
 * stand) * bins->n + bin]. NaN: unknown. created[level] is the number of tasks created by the
 * cursor. A task that could not be created stays STAND_MISSING.
 */
void model_stands(const struct model *model, const struct model_run *run,
		  const struct model_bins *bins, double *stands, uint32_t *created);

/* The parts of the critical paths of all measured trials: of one case, and compared between two. */

/* Medians of a case's parts, ns. */
struct model_parts {
	size_t n; /* Number of trials that have a path. 0: none or too few, and all else is NaN. */
	/* Working, waiting and blocked are known in each trial. If false, use running_ns. */
	bool split;
	double ns[MODEL_PARTS], running_ns;
	double all_ns; /* Median of the elapsed times. */
	/*
	 * The median of a sum is not the sum of the parts' medians. All parts have been multiplied
	 * by this factor so that they add up.
	 */
	double scale;
};

int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out);

struct model_parts_difference {
	struct model_comparison whole; /* Comparison in METRIC_PATH. */
	uint32_t n;
	/* Comparisons of the known parts, in the order of the parts. */
	struct model_comparison part[MODEL_PARTS];
	/* Differences b - a between the medians of model_parts(), ns; NaN if either is unknown. */
	double whole_ns, part_ns[MODEL_PARTS];
};

int model_parts_compare(const struct model *model, uint32_t a, uint32_t b,
			struct model_parts_difference *out);
/*
 * Chooses the two cases whose difference is explained: the first case, and the one that differs
 * most from it among the cases compared with it at the same value. A significant difference
 * comes before any other. Returns false if no two are compared, or if tasks are created one by one.
 */
bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b);

/*
 * The speedup of the same work on more cores, relative to the smallest number of cores, and
 * Amdahl's law.
 */
struct model_speedup_point {
	double cores; /* Points are ascending by this number. */
	uint32_t case_id;
	double median;		       /* Median of the elapsed time, ns; NaN if unknown. */
	struct stats_interval speedup; /* From the pairs of trials; NaN if there are none. */
	double efficiency;	       /* The speedup as a share of an ideal one; NaN if unknown. */
	uint32_t pairs;
};

/* One model and one kind of work; every other variable has one value. */
struct model_speedup {
	uint32_t first, n; /* first: its first case. n: number of points. */
	struct model_speedup_point point[AMDAHL_POINTS];
	uint32_t workers; /* Cores beyond this number of workers bring nothing; 0: unknown. */
	/* Fitted to the points whose number of workers is at least their number of cores. */
	struct amdahl amdahl;
};

bool model_speedup_begins(const struct model *model, uint32_t case_id);
/* Returns 0 or -ENOMEM. Takes O(points × runs). */
int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out);

/* What one worker's fault did to the others, in the runs so far. */
struct model_fault {
	enum fault_kind kind;
	uint32_t trials;     /* Number of trials in which the fault was committed. */
	uint32_t workers;    /* Number of workers in a run. */
	int64_t least, most; /* Fewest and most survivors in a trial; -1: no trial yet. */
	/*
	 * wrong: fewest and most survivors with a wrong result, -1: unknown. lost: fewest and most
	 * workers that did not finish.
	 */
	int64_t wrong_least, wrong_most, lost_least, lost_most;
	uint32_t left; /* Bits of enum fault_left, from all trials. */
	uint32_t told; /* Number of trials in which the parent noticed the fault. */
	/* Delay until the parent noticed: median and longest, ns; NaN if none. */
	double told_ns, told_most_ns;
};

bool model_has_faults(const struct model *model);
int model_fault_read(const struct model *model, uint32_t case_id, struct model_fault *out);

/*
 * Limits for the bytes of workers, lanes, points over time, and loads: MODEL_KEPT for a session
 * without a screen, whose exports may need them all; MODEL_SHOWN for a session on a screen.
 */
#define MODEL_KEPT  (UINT64_C(256) << 20)
#define MODEL_SHOWN (UINT64_C(16) << 20)

/*
 * Limits the memory of a live session, which may last a day. Call it after a run's end. Drops
 * workers, lanes and points of the oldest ended runs, and the oldest loads, until each is at most
 * `most` bytes. Keeps the newest two runs of each case, all figures, and sessions that create tasks
 * one by one, because their latencies come from all workers.
 */
void model_keep(struct model *model, size_t most);

/* Most cases that two joined recordings can have. */
#define MODEL_JOIN_CASES (2 * SAMPLE_MAX_CASES)

/*
 * Joins two recordings into one session for display and export. The result has the cases of both,
 * named by machine, such as "threads @desktop" (with the date if a machine has several recordings).
 * Runs alternate like the runs of models: the first run of each, the second run of each, and so on.
 * Runs keep their order and durations; only their position on the session's clock changes. Each
 * machine has its own columns of cores, which are unknown during another machine's run. A message
 * lists which columns belong to which machine.
 *
 * Initialises out and moves the contents of the parts into it. The parts can still be freed
 * afterwards. Returns 0 or -ENOMEM. The caller frees out in every case.
 */
int model_join(struct model parts[2], struct model *out);

/*
 * When each worker of a run was on a core, and what it waited for in between, as of the cursor.
 * Times are in ns since the run's beginning. A worker's life lasts from its first known event to
 * its end. Waiting at the barrier counts as blocked. The states of a worker without slices are
 * unknown.
 */

enum model_state {
	STATE_NONE,    /* The worker has not begun, or has ended. */
	STATE_UNKNOWN, /* The worker is alive, but its state was not recorded. */
	STATE_ON,      /* The worker is on a core. */
	STATE_WAITING, /* The worker could run, but has no core. */
	/* The worker waits for something other than a core: a file, a lock, the barrier. */
	STATE_BLOCKED,
	MODEL_STATES
};

struct model_shares {
	double ns[MODEL_STATES];
};

struct model_stretch {
	int64_t from_ns, to_ns;
	enum model_state state;
	int16_t cpu;	/* The core in STATE_ON; otherwise -1. */
	int16_t waited; /* enum sample_wait in STATE_BLOCKED; otherwise 0. */
	uint8_t merged; /* Number of slices that were merged into this one; 0: none. */
};

/*
 * Tasks of commands have lanes too. In the functions below, worker number n_workers + i is task i.
 * The first process of a command uses the slices of its worker.
 */

/*
 * Task i of the run's n_tasks, as of the cursor. Returns false if the task had not begun by then.
 */
bool model_task(const struct model *model, const struct model_run *run, size_t i,
		struct sample_task *task);
const struct sample_task *model_task_known(const struct model_run *run, size_t i);
/* The task in the form of a worker that begins its work at once, for code that draws workers. */
struct sample_worker model_task_worker(const struct sample_task *task);
/* Number of tasks that the commands had created by the cursor; -1: not observed. */
int64_t model_tasks_created(const struct model *model, const struct model_run *run);

/*
 * Whether tasks' slices come from schedstat, which is read at intervals. Such slices say how long a
 * task ran in each span of SAMPLE_SCHEDSTAT_NS, but not when.
 */
bool model_tasks_sampled(const struct model *model);

/*
 * The slices of lane i, as recordings have them. Lanes are numbered: workers first, then tasks,
 * then other programs on the cores. *n may be 0. Returns false if there is no such lane.
 */
bool model_lane_kept(const struct model_run *run, size_t i, const struct sample_slice **slices,
		     size_t *n);
/*
 * The slices of a worker's or task's lane for a recording that has no room for all. Neighbouring
 * slices on one CPU are merged if they span at most SAMPLE_MERGED_NS and the gaps before them are
 * alike. The sums by state, by CPU and by kind of switch stay exact; a merged slice may be late by
 * up to SAMPLE_MERGED_NS.
 */
struct model_merge {
	const struct model_run *run;
	uint32_t worker;
	size_t at;	  /* Number of slices so far. */
	int64_t begin_ns; /* Beginning of the lane's task; slices are not merged across it. */
};

struct model_merge model_merge_begin(const struct model_run *run, uint32_t worker);
/* Returns false after the last slice. */
bool model_merge_next(struct model_merge *merge, struct sample_slice *next);
bool model_has_slices(const struct model_run *run);
/* The slices of a worker, ascending; *n is 0 if none are known. Ignores the cursor. */
const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n);
/*
 * When the kernel took a worker off its core for the last time, since the run's beginning; -1:
 * unknown. For a killed worker, which does not report its end. Ignores the cursor.
 */
int64_t model_lane_end(const struct model_run *run, uint32_t worker);
/*
 * The stretch of a worker that contains t_ns, cut off at the cursor. If t_ns is the end of a
 * stretch, this is the next stretch. Returns false if t_ns is at or after the cursor, or after the
 * worker's end.
 */
bool model_stretch_at(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t t_ns, struct model_stretch *out);
/*
 * Calls take() for each stretch of a worker between from_ns and to_ns, in order. Stretches are cut
 * off at these times and at the cursor. Each call takes constant time.
 */
void model_stretches(const struct model *model, const struct model_run *run, uint32_t worker,
		     int64_t from_ns, int64_t to_ns,
		     void (*take)(void *arg, const struct model_stretch *stretch), void *arg);
/*
 * The worker's time in each state before t_ns, up to the cursor. Searches the slices instead of
 * walking them.
 */
void model_shares_until(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t t_ns, struct model_shares *shares);
void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares);

/*
 * Length of time before t_ns for which a quota kept the whole run from the cores, as far as known.
 * Ignores the cursor. In that time a worker that could run waited for the quota, not for a core.
 * The slices show when this was. cpu.stat of the run's cgroup confirms it one tick later.
 */
int64_t model_throttled_until(const struct model_run *run, int64_t t_ns);
/*
 * How long a quota kept the worker from the cores although it could have run, ns, up to the cursor.
 */
double model_throttled(const struct model *model, const struct model_run *run, uint32_t worker);

struct model_wait {
	int waited; /* enum sample_wait; 0: unknown */
	double ns;
};

/*
 * Adds the worker's blocked time up to the cursor to a list of n items, by the object that it
 * waited for, longest first. The list has at most `most` items; further objects are counted as
 * unknown. Returns the new number of items.
 */
size_t model_waits_add(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_wait *list, size_t n, size_t most);

/* Figures of one worker. Without slices they are 0 and NaN. */
struct model_lane_figures {
	size_t slices, migrations, waits;
	/*
	 * Median length of its slices, longest slice, longest wait for a core; NaN: some slices
	 * were merged.
	 */
	double median_ns, longest_ns, longest_wait_ns;
	cpu_set_t cores; /* The cores on which it ran. */
	struct model_shares shares;
};

int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out);

/*
 * Number of moves of a worker to another core. From the kernel's count; otherwise from the kernel's
 * records of an ended run, if none was lost. -1: unknown.
 */
int64_t model_migrations(const struct model *model, const struct model_run *run, uint32_t worker);

/* Lanes by core: which worker of the run was on each core. */
enum model_core_state {
	/* No worker of the run was on the core: it was idle, or it is unknown who had it. */
	CORE_FREE,
	CORE_OTHERS, /* Another program took the core from a worker. */
	CORE_OURS,
	CORE_STATES
};

struct model_core_stretch {
	int64_t from_ns, to_ns;
	enum model_core_state state;
	uint32_t worker; /* The worker in CORE_OURS. */
};

struct model_core_shares {
	double ns[CORE_STATES];
};

/*
 * Updates the lanes of the run's cores up to its newest slice; call it before the functions below.
 * Returns a bound above the highest core number; 0 if no core is known or memory is short.
 */
size_t model_cores_seen(const struct model_run *run);
bool model_core_used(const struct model_run *run, size_t cpu);
/* Slices of other programs on a core, ascending; *n is 0 if none are known. Ignores the cursor. */
const struct sample_slice *model_core_others(const struct model_run *run, size_t cpu, size_t *n);
/* Like model_stretch_at() for a core, but up to the run's end. */
bool model_core_stretch_at(const struct model *model, const struct model_run *run, size_t cpu,
			   int64_t t_ns, struct model_core_stretch *out);
/*
 * Calls take() for each stretch of a core that overlaps from_ns … to_ns, in order. The first one
 * may begin earlier. Faster than model_core_stretch_at() for each.
 */
void model_core_stretches(const struct model *model, const struct model_run *run, size_t cpu,
			  int64_t from_ns, int64_t to_ns,
			  void (*take)(void *arg, const struct model_core_stretch *stretch),
			  void *arg);
void model_core_shares_until(const struct model *model, const struct model_run *run, size_t cpu,
			     int64_t t_ns, struct model_core_shares *shares);

/*
 * Wake-ups: the time from when a task could run until it was on a core. Known only if the source
 * records when the task became runnable. Preempted tasks are not included, because nobody woke
 * them.
 */

enum model_wake {
	WAKE_CREATED, /* The task was newly created. */
	WAKE_BARRIER, /* The task waited at the barrier. */
	WAKE_BLOCKED, /* The task was blocked: on a file, a lock, its children. */
	MODEL_WAKES
};

/*
 * Times in ns; -1 if n is 0. max is exact, the others have a relative error of at most WAKES_ERROR.
 */
struct model_wake_figures {
	uint64_t n;
	int64_t p50, p90, p99, max;
};

/*
 * Largest relative error: half the width of a tally's bucket, because the middle of the bucket is
 * reported.
 */
#define WAKES_ERROR 0.016

/*
 * The wake-ups of a run, in bounded memory. NULL until the run has ended at the cursor, or if there
 * are none.
 */
const struct model_wakes *model_wakes_run(const struct model *model, const struct model_run *run);
/* The wake-ups of all counted trials of a case so far; NULL if there are none. */
const struct model_wakes *model_wakes(const struct model *model, uint32_t case_id);
/* Figures for one kind of waker (enum sample_woken). WOKENS: for all kinds. */
struct model_wake_figures model_wakes_figures(const struct model_wakes *wakes, enum model_wake wake,
					      enum sample_woken who);
/*
 * Number of wake-ups that took from `from` to `to` ns, estimated by spreading each bucket's count
 * evenly over the bucket.
 */
double model_wakes_between(const struct model_wakes *wakes, enum model_wake wake, double from,
			   double to);

/* Wake-ups of one worker after blocking, up to the cursor; 0 and NaN if there are none. */
struct model_woken {
	uint32_t n;
	uint32_t by[WOKENS];
	uint32_t worker, worker_n; /* the worker that woke it most often, and how often */
	double median_ns, longest_ns;
};

int model_woken(const struct model *model, const struct model_run *run, uint32_t worker,
		struct model_woken *out);

extern const char *const model_wake_names[MODEL_WAKES];

/*
 * Call it at the end of the newest run. Fills run->wakes and run->wakes_all, or leaves them NULL.
 */
void model_wakes_make(const struct model *model, struct model_run *run);
void model_wakes_free(struct model_wakes *wakes);
size_t model_wakes_bytes(const struct model_wakes *wakes);

/* For sessions that create and join tasks one by one: the time since the create call began. */
enum model_latency_span {
	LATENCY_CALLER, /* until the call returns */
	LATENCY_TASK,	/* until the task's first instruction */
	LATENCY_JOINED, /* until the task has ended and was joined or reaped */
	MODEL_LATENCIES,
	/* The only span of operations that workers do, see below. */
	LATENCY_OPERATION = LATENCY_CALLER
};

/* Where the task began, relative to its parent's core at the create call. */
enum model_latency_place {
	LATENCY_SAME,  /* on the same core */
	LATENCY_OTHER, /* on another core */
	/* unknown, in recordings of old versions; or several places */
	LATENCY_NOT_RECORDED,
	MODEL_PLACES,
	/* The only place of operations. */
	LATENCY_ANYWHERE = LATENCY_NOT_RECORDED
};

/*
 * The histogram's axis is logarithmic and always the same, so counts can be added, and histograms
 * drawn over one another. Bucket i holds values of at least model_latency_edge(i) and below the
 * next edge. The first bucket also holds smaller values, the last one larger values.
 */
#define LATENCY_PER_DECADE 20
#define LATENCY_DECADES	   10 /* 10 ns … 100 s */
#define LATENCY_BUCKETS	   (LATENCY_PER_DECADE * LATENCY_DECADES)

/*
 * Figures in ns. `first` is the first creation of a run. It prepares things that later creations
 * reuse (a stack, warm caches), so the other figures leave it out. For several runs, `first` is the
 * median of the first creations. Percentiles are computed from the values themselves, as by
 * stats_quantile(), in whole ns.
 */
struct model_latency_figures {
	uint32_t n; /* Number of creations without the first ones; 0: all figures below are -1. */
	int64_t min, p50, p90, p99, p999, max;
	int64_t first;			   /* -1: unknown */
	uint32_t buckets[LATENCY_BUCKETS]; /* The counts add up to n. */
};

/* The creations whose tasks began in one place: figures, and their share of all creations. */
struct model_latency_at {
	uint32_t n;
	double share; /* NaN if there are no creations. */
	struct model_latency_figures span[MODEL_LATENCIES];
};

struct model_latency {
	uint32_t runs;		       /* Number of runs included. */
	enum plan_placement placement; /* The placement of the case. */
	struct model_latency_at at[MODEL_PLACES];
};

/* Whether the session creates tasks one by one, so that it has latency figures. */
bool model_has_latency(const struct model *model);
/*
 * The latency of a run. NULL until the run has ended at the cursor, if it creates no task by a
 * primitive (plan_is_creation()), or if memory was short.
 */
const struct model_latency *model_latency_run(const struct model *model,
					      const struct model_run *run);
/* The latency of all counted trials of a case so far, taken together; NULL if none. */
const struct model_latency *model_latency(const struct model *model, uint32_t case_id);
/*
 * The figures that represent a case in verdicts: the figures of tasks on one core, which are
 * reproducible, or the only figures of an old recording, which has no places. NULL if the case
 * mixes places.
 */
const struct model_latency_at *model_latency_headline(const struct model_latency *latency);
/* Whether cases with that placement have figures for that place. */
bool model_latency_has(enum plan_placement placement, enum model_latency_place place);
/*
 * The case that measures the clock itself under the same conditions: PLAN_CALL without ballast, in
 * the same recording. n_cases if there is no such case.
 */
uint32_t model_latency_clock(const struct model *model, uint32_t case_id);

/* The lower edge of a bucket, ns. For LATENCY_BUCKETS, the upper edge of the last one. */
double model_latency_edge(uint32_t bucket);
uint32_t model_latency_bucket(int64_t ns);
extern const char *const model_latency_names[MODEL_LATENCIES];
extern const char *const model_latency_places[MODEL_PLACES];

/* Call it at the end of the newest run. Fills both latencies, or leaves them NULL. */
void model_latency_make(const struct model *model, struct model_run *run);

/*
 * Durations of the operations that workers repeat and record: round trips, tasks, writes. They are
 * counted in buckets, see core/tally.h. The shortest and the longest are exact; other percentiles
 * are at most 3 % off, because they lie somewhere within a bucket.
 */

bool model_has_operations(const struct model *model);
/*
 * Whether the cases are different ways to hand something over, so that their operations are
 * compared.
 */
bool model_has_ways(const struct model *model);
/*
 * The operations of an ended run; NULL if none were recorded, or memory was short. A run has either
 * operations or creations; for creations see model_latency_run().
 */
const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run);
/* The operations of all counted trials of a case so far, taken together. */
const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id);

/* Like model_latency_make(), for operations. Copies the buckets. Returns 0 or -ENOMEM. */
int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n);
