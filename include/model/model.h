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

/* MODEL_BLOCK workers with consecutive indices; a run's last block has the rest. */
struct model_block {
	char *lives;  /* MODEL_LIFE bytes each, the members before cycles; NULL if none was seen */
	char *counts; /* MODEL_COUNTS bytes each; NULL if all equal sample_worker_unknown */
};

/* A run's workers. Memory grows with the number of workers seen. */
struct model_workers {
	struct model_block *blocks; /* by index / MODEL_BLOCK; NULL if no worker was seen */
	size_t n_blocks, bytes;	    /* bytes of all blocks */
	bool gone; /* no longer kept, or never: of several recordings, of old runs */
};

/* All that is known of a worker, regardless of the cursor. index is below the run's n_workers. */
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

/* Stores a worker of a run that has `all` workers. Returns 0 or -ENOMEM. */
int model_workers_put(struct model_workers *workers, uint32_t all, uint32_t index,
		      const struct sample_worker *worker);
void model_workers_free(struct model_workers *workers);

/*
 * How a run's CPU time is split into user and system time. The sum is exact; its parts are known
 * by the kernel's ticks: a task in which none fell has all its time booked as user time.
 */
enum model_split_source {
	MODEL_SPLIT_NONE,      /* not known */
	MODEL_SPLIT_RUSAGE,    /* the tasks' own, which were long enough */
	MODEL_SPLIT_PROC_STAT, /* the shares of /proc/stat, nothing else having run */
};

extern const char *const model_split_names[];

struct model_split {
	enum model_split_source source;
	int64_t user_us, system_us; /* -1: not known */
};

struct model_split model_split(const struct model *model, const struct model_run *run);
bool model_split_worker(const struct model *model, const struct model_run *run,
			const struct sample_worker *worker);
/* The kernel's tick on the machine of the case, ns; the longest possible if unknown. */
int64_t model_split_tick(const struct model *model, uint32_t case_id);

/*
 * The critical path of a run: the chain of events that ends last. It is walked back from the last
 * join to the first create: a join waits for who finishes, work begins when the barrier opens or
 * the task does, the barrier opens when the last leaf has come, and a task begins after its
 * parent's call. Every ns of the elapsed time belongs to one part, so that the parts add up to it;
 * the time that all were held for their memory is in none.
 */

enum model_path_part {
	PART_CREATING, /* the parent's loop and calls, until they return or the task begins */
	PART_STARTING, /* from the call's return to the task's first instruction */
	PART_WORKING,  /* on a core */
	PART_WAITING,  /* for a core; also from the barrier's opening until the work begins */
	PART_BLOCKED,  /* for something else; also at the barrier after the last leaf has come */
	PART_JOINING,  /* from a task's last instruction to its join, and between joins */
	MODEL_PARTS
};

/*
 * The same path through the tasks of a program. It is walked back from the end of the program's
 * first process. If a task waited for another task that ended then, a child or a thread of its
 * process, the path continues in that task. From a task's creation it continues in the parent.
 * Blocked time counts by what the task is blocked on, with two exceptions:
 *
 * - A futex for which only one task of the run ever waited is not a contended lock. At such a
 *   futex, a pipe, a socket, in poll, or while waiting for a child, a thread or a signal, the task
 *   may depend on other tasks of the run. It counts as running while any of these is on a core, and
 *   as runnable while none is but one could run.
 * - Time that nobody observed is PROGRAM_UNKNOWN.
 */
enum model_program_part {
	PROGRAM_RUNNING,  /* the path's task, or one that it waited for, was on a core */
	PROGRAM_RUNNABLE, /* could run and had no core */
	PROGRAM_GIL,
	PROGRAM_LOCK, /* a futex for which several tasks waited: a lock, or a condition */
	PROGRAM_FILE,
	PROGRAM_PIPE,
	PROGRAM_SOCKET,
	PROGRAM_SLEEP,
	PROGRAM_OTHER, /* anything else that was observed */
	PROGRAM_UNKNOWN,
	PROGRAM_PARTS
};

/* Times in ns; all NaN if the run is no measurement. */
struct model_path {
	double ns[MODEL_PARTS]; /* NaN if working, waiting and blocked cannot be split */
	double running_ns;	/* working, waiting and blocked together */
	double all_ns;
	double program_ns[PROGRAM_PARTS]; /* their sum is running_ns; NaN if unknown */
};

/*
 * Work is split by the worker's slices. Without slices it is split by the CPU time and the run
 * delay at the worker's end, if these are known.
 */
struct model_path model_path_make(const struct model *model, const struct model_run *run);

/*
 * The time of each kind of work in a run: from the barrier's opening, else from the run's begin,
 * until the last worker of the kind had finished.
 */

struct model_kinds {
	double ns[WORK_KINDS]; /* NaN if no worker has the kind, or some finish is unknown */
};

struct model_kinds model_kinds_make(const struct model *model, const struct model_run *run);

/*
 * The session as the views see it. Every query is answered as of the cursor `now`. In a live
 * session the cursor is at the newest sample; a replay moves it. So a replay shows at time t what
 * the live session showed at t.
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
	int64_t tasks;
	int64_t throttled_periods, throttled_us;
};

/* A time in which a quota kept the whole run from the cores, ns since the run's begin. */
struct model_throttle {
	int64_t from_ns, to_ns;
	int64_t before_ns; /* total length of the throttles before it */
};

/* Numbers of workers. failed: with a wrong result, crashed or refused. */
struct model_counts {
	uint32_t created, started, finished, joined, failed, alive;
	/* workers with known own and parent's cores; how many of them began on the parent's */
	uint32_t placed, same_core;
};

struct model_run {
	struct sample_run id;
	int64_t begin_ns;    /* session clock; when the sample RUN_BEGIN came, exact once ended */
	int64_t recorded_ns; /* the first begin_ns on the recording's clock, with pauses */
	int64_t end_ns;	     /* session clock when RUN_END came; INT64_MAX before */
	/*
	 * Session clock: since when its trial is known to be repeated; 0: it is not. All that says
	 * whether a run counts is in its first cache line.
	 */
	int64_t replaced_ns;
	struct sample_totals totals; /* valid only when ended */
	bool replaced_paused; /* because a run of its trial was paused; else it was crowded */
	uint32_t n_workers;   /* plan_count of its case */
	uint32_t of_case;     /* its number among the runs of its case, from 0 */
	int64_t longest_ns;   /* model_length() of the longest run of its case before it; or 0 */
	/*
	 * Most children and threads seen of one program of the case; -1 if not observed. tuibench
	 * does not follow them, so if there is a child or a second thread, the tasks and lanes of
	 * all runs of the case are incomplete and count as unknown. So does this run's memory,
	 * unless all processes were read: processes is the most that were read at once, -1 if not
	 * all were.
	 */
	int32_t children, threads, processes;
	struct model_workers workers;  /* all that is known of them, see model_known() */
	bool shares_steps;	       /* of its workers, see plan_shares_steps() */
	double together;	       /* see model_together_make(); valid only when ended */
	struct model_counts final;     /* valid only when ended */
	struct model_split split;      /* valid only when ended */
	struct model_path path;	       /* valid only when ended */
	struct model_kinds kinds;      /* valid only when ended */
	bool has_levels;	       /* false until ended, and where memory was short then */
	struct sample_bucket *buckets; /* of the workers' operations; NULL: they record none */
	uint32_t n_buckets;
	/* of this run, and merged with all runs before it; NULL if there are none */
	struct model_latency *latency, *latency_all;
	struct model_wakes *wakes, *wakes_all;
	struct model_point *points;
	size_t n_points, cap_points;
	struct sample_memory most_read; /* maxima of dropped points; unknown if none was dropped */
	struct model_lane *lanes;	/* by worker, see below; NULL: no slice is known */
	/* Slices left out of the recording; 0 if none. If any are, the run has no lanes. */
	int64_t slices_left_out;
	struct model_cores *cores; /* lanes by core; derived on demand, even from a const run */
	struct model_task *tasks;  /* of its commands, see below */
	size_t n_tasks, cap_tasks;
	uint32_t task_changes;		  /* number of new tasks and new names so far */
	struct model_throttle *throttles; /* in ascending time, see below */
	size_t n_throttles, cap_throttles, throttles_seen;
};

struct model_load {
	int64_t time_ns;
	uint64_t self_cpu_us;
	int64_t terminal_us; /* since the session's start; -1: not known */
	bool paused;
	uint64_t prepared, to_prepare; /* bytes of a file that is made before a run, or 0 */
};

/* A pause, on the recording's clock. Meanwhile the model's clock stops. */
struct model_pause {
	int64_t from_ns, to_ns; /* INT64_MAX while paused */
	int64_t before_ns;	/* length of the pauses before it */
};

struct model_message {
	int64_t time_ns;
	enum sample_severity severity;
	enum sample_message_kind kind;
	char *text;
};

/*
 * Case b against case a in one metric, over the trials that both have, as one of all comparisons of
 * the session in that metric: see struct family. The interval excludes 1 when the verdict is
 * real.
 */
struct model_comparison {
	uint32_t a, b; /* cases */
	enum model_metric metric;
	uint32_t pairs;
	uint32_t planned; /* trials of each case; 0 for cases of two recordings */
	uint32_t family;  /* comparisons in the metric */
	uint32_t least;	  /* fewest planned trials with which a comparison can be real */
	bool ended;	  /* all planned trials have ended; before, a verdict is real or too few */
	bool no_ratio; /* a pair has a value of 0, so there is no estimate, interval or verdict */
	/* no estimate either, because a case's processes outlived it: see model_left_running() */
	bool left;
	double level; /* the probability with which the interval holds: 0.95 of one alone */
	struct interim interim;	     /* of this comparison, and the pairs at its planned end: */
	uint32_t end;		     /* see interim_level() */
	struct stats_interval ratio; /* b / a; no ends before the first analysis */
	/* The same where the kernel's counts of pages err as far as they can: else equal. */
	struct stats_interval counted;
	enum stats_verdict verdict;
};

/* One of several recordings that were joined: see model_join(). */
struct model_origin {
	char name[SAMPLE_LABEL]; /* the machine's name */
	struct sample_session session;
	uint32_t first_case, n_cases; /* the cases of this recording */
	uint32_t first_core, n_cores;
};

struct model {
	bool has_session;
	struct sample_session session; /* its cases are below */
	uint32_t n_cases;
	struct sample_case *cases;
	uint32_t n_origins; /* recordings that were joined; 0: one session */
	struct model_origin *origins;

	int64_t now_ns;	   /* the cursor */
	int64_t newest_ns; /* time of the newest sample */
	bool done;	   /* SAMPLE_DONE came */
	int64_t done_ns;
	uint32_t planned; /* runs, as the newest run said */

	/*
	 * The levels of a run have an array too, see model_levels(). In a session of many runs both
	 * are in files.
	 */
	struct model_run *runs;
	char *levels;
	size_t n_runs, cap_runs, levels_size;
	struct paged run_pages, levels_pages;
	bool saw_fault; /* a run had a fault, whatever the cursor */
	/* Indices of the runs with replaced_ns, ascending. */
	uint32_t *replaced;
	size_t n_replaced, cap_replaced;
	/* For model_keep(): bytes of the workers of the first n_kept runs but n_dropped. */
	size_t kept, n_kept, n_dropped;

	uint32_t n_cores; /* columns of cores[]: a cpu each, new ones at the end */
	int16_t *cpus; /* by column, of recordings that were joined: the number on its machine; else
			  NULL */
	struct model_pause *pauses;
	size_t n_pauses, cap_pauses;
	/* The front end's and the terminal's CPU time during pauses, which loads leave out. */
	uint64_t paused_self_us;
	int64_t paused_terminal_us;

	struct model_load *loads;
	struct sample_core *cores; /* loads × n_cores */
	size_t n_loads, cap_loads;

	struct model_message *messages;
	size_t n_messages, cap_messages;

	uint64_t lost; /* ticks skipped */

	/* Of -s metric: "requests (req/s)", and "req/s"; "" before it is known. */
	char printed_title[SAMPLE_METRIC + SAMPLE_UNIT + 4], printed_unit[SAMPLE_UNIT];

	/* Comparisons that were asked for since a run ended last: derived, whatever is const. */
	struct model_families *families;
};

void model_init(struct model *model);
void model_free(struct model *model);
/*
 * Takes one sample and moves now to it. 0, -ENOMEM, or -EPROTO for a sample that fits nothing:
 * that one is left out and the next may fit.
 */
int model_apply(struct model *model, const struct sample *sample);
/*
 * Notes that `slices` slices of the run that has just ended are left out of its recording. Fills
 * *thinned with the values computed from them, for the sample of the run's end.
 */
void model_thin(struct model *model, int64_t slices, struct sample_thinned *thinned);
/* Moves the cursor, clamped to 0 … newest_ns. */
void model_seek(struct model *model, int64_t time_ns);

static inline struct sample_worker model_known(const struct model_run *run, uint32_t index)
{
	return model_workers_at(&run->workers, index);
}

/* Queries, all as of now_ns. */

/* The newest run of the case that has begun; NULL. */
const struct model_run *model_latest(const struct model *model, uint32_t case_id);
/* The run that began last, of any case; NULL. */
const struct model_run *model_newest(const struct model *model);
const struct model_run *model_running(const struct model *model);
/* Whether programs of the run had children or threads, which are not followed: struct model_run. */
bool model_has_company(const struct model_run *run);
/* Whether the memory that was read covers only some of the programs' processes. */
bool model_hides_memory(const struct model_run *run);
bool model_ended(const struct model *model, const struct model_run *run);
/* Elapsed time of a run that has ended, else the time since its beginning. */
int64_t model_elapsed(const struct model *model, const struct model_run *run);
/* The same with the time that the run was held: the length of its axis, as in workers' times. */
int64_t model_length(const struct model *model, const struct model_run *run);
size_t model_runs_begun(const struct model *model);

/*
 * The measured runs of a case in a metric as of the cursor, for the questions that every frame
 * asks: old runs are read once. struct model_run has a figure of any one run.
 */
enum { MODEL_VALUE_RUN_BITS = 27 };
struct model_value {
	double value; /* NaN: not known */
	uint32_t trial;
	uint32_t run : MODEL_VALUE_RUN_BITS; /* its place in runs[] */
	uint32_t seen : 4;		     /* 1 + metric_run_seen() */
	uint32_t estimated : 1;		     /* metric_is_estimated() */
};

struct model_values {
	const struct model *model;
	const struct model_value *list;
	size_t n, at;
	size_t replaced; /* the next place in its list */
};

/* Valid until a run ends; without memory it has none. */
struct model_values model_values(const struct model *model, uint32_t case_id,
				 enum model_metric metric);
/* NULL after the last. */
const struct model_value *model_values_next(struct model_values *values);
/* Reads all runs again when it is asked: figures of some that have ended are changed. */
void model_values_forget(struct model *model);
uint32_t model_runs_ended(const struct model *model);
/*
 * A copy of the model as of another time, which answers queries as if the cursor were at time_ns.
 * It shares all memory with the model, so it must only be read and never be freed.
 */
struct model model_as_of(const struct model *model, int64_t time_ns);

/* One trial of the cases first … end - 1, which compare with each other. Number 0: none. */
struct model_trial {
	uint32_t first, end, number;
};

/* The newest trial whose runs have all ended and are kept, by now. */
struct model_trial model_trial_newest(const struct model *model);
/* The next (1) or previous (-1) trial of the same cases; the same one if there is no other. */
struct model_trial model_trial_beside(const struct model *model, const struct model_trial *trial,
				      int by);
/*
 * The counted trial whose elapsed times are nearest to the medians, of the newest trial's cases:
 * the greatest of the ratios to the medians is least.
 */
struct model_trial model_trial_nearest(const struct model *model);
/* The same for the cases that compare with case_id; number 0 if no trial has a run of each. */
struct model_trial model_trial_typical(const struct model *model, uint32_t case_id);
/* The run of a case in the trial, the last one if it was repeated; NULL if none. */
const struct model_run *model_trial_run(const struct model *model, const struct model_trial *trial,
					uint32_t case_id);
/* The length of the trial's longest run, ns. */
int64_t model_trial_length(const struct model *model, const struct model_trial *trial);

/*
 * The worker as of now: later times are -1, and values known only later are "not yet". index is
 * below n_workers.
 */
struct sample_worker model_worker(const struct model *model, const struct model_run *run,
				  uint32_t index);
/* As of now. alive counts workers that exist and have not finished, 0 once the run has ended. */
struct model_counts model_counts(const struct model *model, const struct model_run *run);
struct sample_memory model_memory(const struct model *model, const struct model_run *run);
/* The index of the newest load at or before time_ns; -1 for none. */
long model_load_at(const struct model *model, int64_t time_ns);
/*
 * Share of one core that the front end itself used over the last second, or the program at the
 * terminal's other end, 0.01 = 1 %; NaN.
 */
double model_load_share(const struct model *model, bool of_terminal);
/*
 * Share of a core that all programs together used during a run, as the kernel counts it, 1 = all.
 * NaN with fewer than two readings, or where these cover less than half of the run.
 */
double model_core_load(const struct model *model, const struct model_run *run, size_t cpu);
bool model_paused(const struct model *model);
/* Whether a process of the current run was stopped from outside tuibench. */
bool model_halted(const struct model *model);
/* Whether a file is being created before a run can begin: *done of *all bytes are written. */
bool model_preparing(const struct model *model, uint64_t *done, uint64_t *all);
bool model_over(const struct model *model);
/* Estimated time until the last planned run ends, from the runs so far; -1 unknown, 0 done. */
int64_t model_time_left(const struct model *model);

/* Whether the run's trial is known to be crowded or paused, and another takes its place. */
bool model_is_replaced(const struct model *model, const struct model_run *run);
uint32_t model_replaced(const struct model *model, uint32_t case_id);
/* A measurement, once it has ended: a trial that ended well, was neither paused nor replaced. */
bool model_is_good(const struct model_run *run);
/* The same as of now. */
bool model_measured(const struct model *model, const struct model_run *run);
/*
 * The measured run that follows `run` in the n cases from `first` on; the first one if run is NULL.
 * NULL if there are no more.
 */
const struct model_run *model_next_measured(const struct model *model, const struct model_run *run,
					    uint32_t first, uint32_t n);
/*
 * The metric of verdicts: the time until a task runs where tasks are created one after the other,
 * the time of an operation where workers count theirs, else the elapsed time.
 */
enum model_metric model_headline(const struct model *model);
/* Whether less of what programs print is better: a time, not a rate. */
bool model_prints_time(const struct model *model);
/*
 * Metrics of the answer, headline first; with many cases only the headline. Returns their number.
 */
uint32_t model_headlines(const struct model *model,
			 enum model_metric metrics[INTERIM_METRICS_MOST]);
/*
 * The trials of a case that were measured: values into out (at most max), trial numbers into
 * trials unless NULL. A memory read at the start only counts where no trial has more. Returns how
 * many.
 */
size_t model_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max);
/*
 * Median of the measured trials, NaN if there are none; *n is their number. room has space for a
 * value of each run.
 */
double model_median(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *room, size_t *n);
/* The recording that a case belongs to; NULL if there is only one session. */
const struct model_origin *model_origin(const struct model *model, uint32_t case_id);
/* The session of the case's recording, or the only session. */
const struct sample_session *model_session(const struct model *model, uint32_t case_id);
/* Whether two cases, in either order, are compared within their session, sharing its error. */
bool model_compares(const struct model *model, uint32_t a, uint32_t b);
/*
 * The most processes that programs had started and that still ran when a measured run of the case
 * ended; *runs, where it is no NULL, in how many of its runs there were any. What such a run took
 * and used is another thing than what its program did: it is compared with nothing but its
 * creation.
 */
uint32_t model_left_running(const struct model *model, uint32_t case_id, uint32_t *runs);
/* A ratio between 1 / MODEL_MARGIN and MODEL_MARGIN is no difference that anybody needs. */
#define MODEL_MARGIN 1.05
/*
 * How the figures of a case were seen that its median is of, enum sample_seen: trials that say less
 * than others are left out. Of leasts among peaks a least; -1: counted, or not known.
 */
int model_seen(const struct model *model, uint32_t case_id, enum model_metric metric);
/* Why two cases are not compared in a metric: REASON_UNLIKE, REASON_BOUNDS, or REASON_NONE. */
enum reason model_unlike(const struct model *model, uint32_t a, uint32_t b,
			 enum model_metric metric);
/*
 * Compares two cases over the trials that both have. Cases of two recordings have no pairs, and
 * cases that differ in too many settings are never judged. Both get the ratio of their medians
 * without an interval, and the verdict STATS_UNPAIRED. For a metric of METRIC_OF_PATH, `ratio` is
 * the difference b - a in ns, and the verdict names the case whose part is smaller. Returns 0 or
 * -ENOMEM.
 */
int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out);
/*
 * The ratios a / b of the pairs of trials that were compared, *n of them in an array that the
 * caller frees: none of two recordings, nor where a value is 0. 0 or -ENOMEM, with NULL.
 */
int model_ratios(const struct model *model, const struct model_comparison *comparison,
		 double **ratios, size_t *n);
/* The trials of the pairs that were compared, which the caller frees. 0 or -ENOMEM, with NULL. */
int model_pair_trials(const struct model *model, const struct model_comparison *comparison,
		      uint32_t **trials, size_t *n);
/* A model's name for the screen: model, with its variables where the session has several. */
char *model_case_name(const struct model *model, uint32_t case_id, char *buf, size_t size);
/* The same as an argument. The text lasts as long as the enclosing block. */
#define MODEL_CASE_NAME(model, case_id)                                                            \
	model_case_name(model, case_id, (char[SAMPLE_NAME]) {0}, SAMPLE_NAME)
/* The first case for which same() is true: possibly case_id itself. */
uint32_t model_first(const struct model *model, uint32_t case_id,
		     bool (*same)(const struct sample_case *, const struct sample_case *));
/* The first case of the same model, with any settings: possibly case_id itself. */
uint32_t model_first_alike(const struct model *model, uint32_t case_id);
/*
 * The number that a case is known by: its hue and its shape, the same wherever it is drawn. Cases
 * of one curve share it. Threads have 0, processes 1, hybrid 2; others that are compared with them,
 * such as a second tree of threads, the next ones in the order shown.
 */
enum { MODEL_IDENTITIES = 8 };
uint32_t model_identity(const struct model *model, uint32_t case_id);

/*
 * Sessions that sweep a variable: models are compared at the same value of it and for the same
 * work, never across. Trees and stacks are structures, which are compared with one another.
 */

/* The variable of the case that is swept, which has a number; NULL where there is none. */
const struct variable *model_swept(const struct sample_case *one);
/* "mem": the kind of work; "" where it does not vary. */
const char *model_work(const struct sample_case *one);
/* Whether any case has a swept variable, or its own kind of work. */
bool model_sweeps(const struct model *model);

/*
 * The two cases that come next in the order of both, a < b; after 0 and 0 the first two. False:
 * there are no more.
 */
bool model_next_two(const struct model *model, uint32_t *a, uint32_t *b);
/* The same for two curves of one recording that can be compared: the first case of each. */
bool model_next_curves(const struct model *model, uint32_t *a, uint32_t *b);

/* Sessions whose workers repeat one operation. The time of one operation is compared. */

/* The kind of work of all its workers; WORK_KINDS: it is no such session. */
enum work_kind model_step(const struct model *model);
/*
 * Below this share of a run in which all were at it together, its figures are withheld. A spinlock
 * that two want takes 8 times as long as one that nobody else wants: of runs with 25 to 60 % its
 * time came out at 4 to 15 ns, of those with 98 % at 40.
 */
#define MODEL_TOGETHER_LEAST 0.9
/*
 * For model.c alone, at the end of a run of that case. Returns the share of the time from the first
 * increment to the last one in which all workers, or as many as there are cores, used the shared
 * object together: on cores, by their slices. A worker that sleeps for a mutex counts while another
 * worker is on a core; a worker that waits for a core does not. Waits for a core that the kernel
 * counts but slices do not show are subtracted in full. NaN if unknown.
 */
double model_together_make(const struct model_run *run, const struct sample_case *one, int cores);
/* Whether workers share something, but were not together for long enough, or that is unknown. */
bool model_withheld(const struct model_run *run);

/* The time of a run's tasks by phase, level by level and in all. */

enum model_phase {
	PHASE_CREATE,  /* within the call that created it */
	PHASE_START,   /* from that call's begin to its first instruction */
	PHASE_BARRIER, /* leaves behind a barrier: from there until the work begins */
	PHASE_WORK,    /* its work; in inner tasks all that they do, creating and joining */
	PHASE_JOIN,    /* from its last instruction until it was joined */
	MODEL_PHASES
};

struct model_span {
	uint32_t n;	    /* tasks for which the phase is known */
	double median, p99; /* ns; NaN where n is 0 */
};

struct model_level {
	uint32_t tasks; /* of the plan */
	/*
	 * Pairs of siblings whose ends and joins are all known, and the inversions among these
	 * pairs: joined in another order than they ended.
	 */
	double pairs, inversions;
	struct model_span phase[MODEL_PHASES];
};

struct model_levels {
	uint32_t levels;
	struct model_level all;
	struct model_level level[];
};

/* NULL until the run has ended at the cursor, or if memory was short at its end. */
const struct model_levels *model_levels(const struct model *model, const struct model_run *run);
/*
 * The time of a worker in a phase, ns; NaN where it is not known or there is none. waits: its work
 * begins when a barrier opens.
 */
double model_phase(const struct sample_worker *worker, enum model_phase phase, bool waits);
/* Inversions in % of the pairs; NaN if there are no pairs. */
double model_inversions(const struct model_level *level);
extern const char *const model_phase_names[MODEL_PHASES];

/* The caller frees it; NULL without memory. */
struct model_levels *model_levels_make(const struct plan *plan,
				       const struct model_workers *workers);

/*
 * Curves over time of one run, as of the cursor: [from_ns, to_ns) since its begin, which may reach
 * beyond the run, in bins of equal width. Bins wholly after the cursor are not known.
 */
struct model_bins {
	int64_t from_ns, to_ns;
	size_t n; /* at least 1 */
};

/*
 * The tasks alive, as model_counts has it, the mean over each bin, so that areas are right at any
 * zoom: alive[level * bins->n + bin] for each level of the plan. NaN: not known.
 */
void model_alive(const struct model *model, const struct model_run *run,
		 const struct model_bins *bins, double *alive);
/* What a task of the plan is at a time; one that was joined is none of these. */
enum model_stand {
	STAND_MISSING, /* not yet created */
	STAND_CREATED, /* its first instruction is to come */
	STAND_RUNNING,
	STAND_ENDED, /* to be joined */
	MODEL_STANDS
};

/*
 * Mean number of tasks of each level in each state, by bin: stands[(level * MODEL_STANDS + stand) *
 * bins->n + bin]. NaN if unknown. created[level] is the number of tasks created by the cursor. A
 * task that could not be created stays missing.
 */
void model_stands(const struct model *model, const struct model_run *run,
		  const struct model_bins *bins, double *stands, uint32_t *created);

/* The parts of the critical paths of all measured trials: of a case, and between two. */

/* The medians of a case's parts, ns. */
struct model_parts {
	size_t n;   /* trials that have a path; 0: all else is NaN, as when few have */
	bool split; /* working, waiting and blocked are known in each trial; else use running_ns */
	double ns[MODEL_PARTS], running_ns;
	double all_ns; /* the median of the elapsed times */
	/*
	 * Medians do not add up to the median of sums: all have been multiplied by this so that
	 * they do.
	 */
	double scale;
};

int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out);

struct model_parts_difference {
	struct model_comparison whole; /* of METRIC_PATH */
	uint32_t n;
	struct model_comparison part[MODEL_PARTS]; /* known parts, in their order */
	/* Differences between the medians of model_parts(), b - a, ns; NaN if one is unknown. */
	double whole_ns, part_ns[MODEL_PARTS];
};

int model_parts_compare(const struct model *model, uint32_t a, uint32_t b,
			struct model_parts_difference *out);
/*
 * The two cases whose difference is explained: of all models that compare with the first at the
 * same value, the one that differs for real, and most. False: there are none.
 */
bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b);

/* The same work on more and more cores, beside the fewest, and Amdahl's law. */
struct model_speedup_point {
	double cores; /* by which they are sorted */
	uint32_t case_id;
	double median;		       /* elapsed, ns; NaN */
	struct stats_interval speedup; /* of the pairs of trials; NaN where there is none */
	double efficiency;	       /* the share of what as many cores could do; NaN */
	uint32_t pairs;
};

/* One model and work; what else varies is one value each. */
struct model_speedup {
	uint32_t first, n; /* its first case; points, ascending by cores */
	struct model_speedup_point point[AMDAHL_POINTS];
	uint32_t workers;     /* more cores than these serve for nothing; 0: not known */
	struct amdahl amdahl; /* of the points with as many workers as cores at least */
};

bool model_speedup_begins(const struct model *model, uint32_t case_id);
/* 0 or -ENOMEM; in O(points × runs). */
int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out);

/* Who survived the fault that one worker of each run commits, by now. */
struct model_fault {
	enum fault_kind kind;
	uint32_t trials;     /* in which it was committed */
	uint32_t workers;    /* that a run has */
	int64_t least, most; /* that survived in any of them; -1: no trial yet */
	/* that had a wrong result, -1: not known; and that did not finish */
	int64_t wrong_least, wrong_most, lost_least, lost_most;
	uint32_t left;		      /* bits of enum fault_left, of any of them */
	uint32_t told;		      /* trials in which its parent learnt of it */
	double told_ns, told_most_ns; /* how long after: the median and the longest; NaN */
};

bool model_has_faults(const struct model *model);
int model_fault_read(const struct model *model, uint32_t case_id, struct model_fault *out);

/*
 * Bytes for workers, lanes, points over time and loads: of a session without a screen, whose
 * exports may ask for all of them, and of one on a screen.
 */
#define MODEL_KEPT  (UINT64_C(256) << 20)
#define MODEL_SHOWN (UINT64_C(16) << 20)

/*
 * For a live session, which may last a day, after a run's end: drops workers, lanes and points of
 * the oldest ended runs, and the oldest loads, until at most `most` bytes are kept of each. Keeps
 * the newest two runs of each case, all figures, and sessions of ways to create a task, whose
 * latencies are of all workers.
 */
void model_keep(struct model *model, size_t most);

/* The most cases that two joined recordings can have. */
#define MODEL_JOIN_CASES (2 * SAMPLE_MAX_CASES)

/*
 * Joins two recordings into one session, to be shown and exported as one. It has the cases of both,
 * named "threads @desktop" by the machine (and the date if a machine has several recordings). Runs
 * alternate like the runs of models: the first run of each, the second of each, and so on. They
 * keep their order and durations; only their place on the session's clock changes. Each machine has
 * its own columns of cores, unknown while another machine's run is shown. A message lists which
 * columns belong to which machine.
 *
 * Moves the contents of the parts into out, which is initialised here. The parts are left valid to
 * be freed. Returns 0 or -ENOMEM. The caller frees out in every case.
 */
int model_join(struct model parts[2], struct model *out);

/*
 * When each worker of a run was on a core, and what it waited for in between, as of the cursor.
 * Times are in ns since the run's begin. A worker's life lasts from the first known event to its
 * end. Before its work it waits at the barrier, which counts as blocked. Its states are known only
 * where it has slices.
 */

enum model_state {
	STATE_NONE,    /* not begun, or over */
	STATE_UNKNOWN, /* alive, but its state was not recorded */
	STATE_ON,      /* on a core */
	STATE_WAITING, /* could run and had no core */
	STATE_BLOCKED, /* waited for something else: a file, a lock, the barrier */
	MODEL_STATES
};

struct model_shares {
	double ns[MODEL_STATES];
};

struct model_stretch {
	int64_t from_ns, to_ns;
	enum model_state state;
	int16_t cpu;	/* of STATE_ON; else -1 */
	int16_t waited; /* of STATE_BLOCKED: enum sample_wait; else 0 */
};

/*
 * Tasks of commands have lanes as well: wherever a worker is asked for below, n_workers + i is task
 * i. The first process of a command has the slices of its worker.
 */

/* Task i of the run's n_tasks as of the cursor; false: it has not begun by then. */
bool model_task(const struct model *model, const struct model_run *run, size_t i,
		struct sample_task *task);
const struct sample_task *model_task_known(const struct model_run *run, size_t i);
/* The same as a worker, which begins its work at once: for what draws workers. */
struct sample_worker model_task_worker(const struct sample_task *task);
/* How many tasks the commands had created by the cursor; -1: nobody looked. */
int64_t model_tasks_created(const struct model *model, const struct model_run *run);

/*
 * Tasks' slices come from schedstat, read now and then: what a task did is known for each stretch
 * of SAMPLE_SCHEDSTAT_NS, and when in it is not.
 */
bool model_tasks_sampled(const struct model *model);

bool model_has_slices(const struct model_run *run);
/* The slices of a worker in ascending time; *n 0 where none are known. Whatever the cursor. */
const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n);
/*
 * The stretch of a worker that holds t_ns, cut off at the cursor; at the end of one the next
 * begins. False: t_ns lies at or behind the cursor, or behind the worker's end.
 */
bool model_stretch_at(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t t_ns, struct model_stretch *out);
/*
 * Hands out the stretches of a worker from from_ns to to_ns, cut off there and at the cursor, one
 * after the other; a step each.
 */
void model_stretches(const struct model *model, const struct model_run *run, uint32_t worker,
		     int64_t from_ns, int64_t to_ns,
		     void (*take)(void *arg, const struct model_stretch *stretch), void *arg);
/*
 * The worker's time in each state before t_ns, as far as the cursor; a search, however many slices.
 */
void model_shares_until(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t t_ns, struct model_shares *shares);
void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares);

/*
 * So long before t_ns a quota kept the whole run from the cores, as far as is known; whatever the
 * cursor. A worker that could run then was waiting, and for no core. The slices say when that was,
 * cpu.stat of the run's cgroup that it was: known a tick later.
 */
int64_t model_throttled_until(const struct model_run *run, int64_t t_ns);
/* How long the worker could have run meanwhile, ns, as far as the cursor. */
double model_throttled(const struct model *model, const struct model_run *run, uint32_t worker);

struct model_wait {
	int waited; /* enum sample_wait; 0: not known */
	double ns;
};

/*
 * Adds the worker's blocked time, as far as the cursor, to a list of n, by what it waited for, the
 * longest first. More than `most` are not known. Returns how many there are now.
 */
size_t model_waits_add(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_wait *list, size_t n, size_t most);

/* Figures of one worker; 0 and NaN if it has no slice. */
struct model_lane_figures {
	size_t slices, migrations, waits;
	double median_ns;	/* of the slices */
	double longest_ns;	/* slice */
	double longest_wait_ns; /* for a core */
	cpu_set_t cores;	/* that it ran on */
	struct model_shares shares;
};

int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out);

/*
 * How often a worker went to another core: by the kernel's count, else by the kernel's records of a
 * run that has ended, where none was lost. -1: not known.
 */
int64_t model_migrations(const struct model *model, const struct model_run *run, uint32_t worker);

/* The reverse of lanes: which worker of the run was on each core. */
enum model_core_state {
	CORE_FREE,   /* none of the run's workers: idle, or not known who */
	CORE_OTHERS, /* another program took it from a worker */
	CORE_OURS,
	CORE_STATES
};

struct model_core_stretch {
	int64_t from_ns, to_ns;
	enum model_core_state state;
	uint32_t worker; /* of CORE_OURS */
};

struct model_core_shares {
	double ns[CORE_STATES];
};

/*
 * Brings the lanes of the run's cores up to its newest slice: call it before those below. Returns
 * more than the greatest number of a core; 0: none is known, or there is no memory.
 */
size_t model_cores_seen(const struct model_run *run);
bool model_core_used(const struct model_run *run, size_t cpu);
/* Slices of a core that others had, ascending; *n is 0 if none are known. Ignores the cursor. */
const struct sample_slice *model_core_others(const struct model_run *run, size_t cpu, size_t *n);
/* As of a worker, but up to the run's end. */
bool model_core_stretch_at(const struct model *model, const struct model_run *run, size_t cpu,
			   int64_t t_ns, struct model_core_stretch *out);
void model_core_shares_until(const struct model *model, const struct model_run *run, size_t cpu,
			     int64_t t_ns, struct model_core_shares *shares);

/*
 * The time from when a task could run until it was on a core. Only where the source says since
 * when it could; whoever was preempted is not in it, since nobody woke it.
 */

enum model_wake {
	WAKE_CREATED, /* it was not there yet */
	WAKE_BARRIER, /* it stood at the barrier */
	WAKE_BLOCKED, /* it was blocked: a file, a lock, its children */
	MODEL_WAKES
};

/* ns; -1 where n is 0. The greatest is exact, the others are right to WAKES_ERROR. */
struct model_wake_figures {
	uint64_t n;
	int64_t p50, p90, p99, max;
};

/* Half of a tally's bucket, whose middle is said. */
#define WAKES_ERROR 0.016

/*
 * Wake-ups of a run, in bounded memory. NULL until the run has ended at the cursor, or if there are
 * none.
 */
const struct model_wakes *model_wakes_run(const struct model *model, const struct model_run *run);
/* Wake-ups of all counted trials of a case by now; NULL if there are none. */
const struct model_wakes *model_wakes(const struct model *model, uint32_t case_id);
/* Figures by the waker: an enum sample_woken, or WOKENS for all together. */
struct model_wake_figures model_wakes_figures(const struct model_wakes *wakes, enum model_wake wake,
					      enum sample_woken who);
/* Number of wake-ups that took from `from` to `to` ns, as if a bucket were evenly filled. */
double model_wakes_between(const struct model_wakes *wakes, enum model_wake wake, double from,
			   double to);

/* Wake-ups of one worker from blocking, by the cursor; 0 and NaN if there are none. */
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
 * At the end of a run, which is the newest: fills run->wakes and run->wakes_all, or leaves them
 * NULL.
 */
void model_wakes_make(const struct model *model, struct model_run *run);
void model_wakes_free(struct model_wakes *wakes);
size_t model_wakes_bytes(const struct model_wakes *wakes);

/* Where tasks are created and joined one after the other: the time from the creating call. */
enum model_latency_span {
	LATENCY_CALLER, /* until that call returns */
	LATENCY_TASK,	/* until the task's first instruction */
	LATENCY_JOINED, /* until it has ended and was joined or reaped */
	MODEL_LATENCIES,
	/* The only one of operations that workers do, see below. */
	LATENCY_OPERATION = LATENCY_CALLER
};

/* Where the task began, seen from its parent's core at the call. */
enum model_latency_place {
	LATENCY_SAME,  /* on that core */
	LATENCY_OTHER, /* on another one */
	/* of recordings of versions that did not know; a mixture of both */
	LATENCY_NOT_RECORDED,
	MODEL_PLACES,
	/* The only one of operations. */
	LATENCY_ANYWHERE = LATENCY_NOT_RECORDED
};

/*
 * The histogram's axis is logarithmic and the same for all, so that counts can be added and drawn
 * over one another. Bucket i holds values of at least model_latency_edge(i) and below the next
 * edge. The first bucket also holds smaller values, the last one larger values.
 */
#define LATENCY_PER_DECADE 20
#define LATENCY_DECADES	   10 /* 10 ns … 100 s */
#define LATENCY_BUCKETS	   (LATENCY_PER_DECADE * LATENCY_DECADES)

/*
 * Figures in ns. first is the first creation of a run, which pays for what later ones find ready (a
 * stack, warm caches). It is not in the rest; of several runs it is the median of theirs.
 * Percentiles are of the values themselves, as by stats_quantile(), in whole ns.
 */
struct model_latency_figures {
	uint32_t n; /* creations but the first ones; 0: all below is -1 */
	int64_t min, p50, p90, p99, p999, max;
	int64_t first;			   /* -1: not known */
	uint32_t buckets[LATENCY_BUCKETS]; /* n in all */
};

/* The creations whose tasks began in one place: n of them, that share of all of the run. */
struct model_latency_at {
	uint32_t n;
	double share; /* NaN where there is none anywhere */
	struct model_latency_figures span[MODEL_LATENCIES];
};

struct model_latency {
	uint32_t runs;		       /* that it is of */
	enum plan_placement placement; /* of its case */
	struct model_latency_at at[MODEL_PLACES];
};

/* Whether the cases create tasks one after the other: then there are such figures. */
bool model_has_latency(const struct model *model);
/*
 * NULL until the run has ended at the cursor, if it creates no task by a primitive
 * (plan_is_creation), or if memory was short.
 */
const struct model_latency *model_latency_run(const struct model *model,
					      const struct model_run *run);
/* Of all counted trials of a case by now, taken together. NULL: none. */
const struct model_latency *model_latency(const struct model *model, uint32_t case_id);
/*
 * The figures that represent a case in verdicts: the figures of one core, which are reproducible,
 * or an old recording's figures, which have no place. NULL if the case mixes places.
 */
const struct model_latency_at *model_latency_headline(const struct model_latency *latency);
/* The places that the cases of such a placement have figures of. */
bool model_latency_has(enum plan_placement placement, enum model_latency_place place);
/*
 * The case that says what the clock itself takes under the same conditions: that of PLAN_CALL with
 * no ballast, of the same recording; n_cases: there is none.
 */
uint32_t model_latency_clock(const struct model *model, uint32_t case_id);

/* The lower edge of a bucket, ns; of LATENCY_BUCKETS the upper edge of the last. */
double model_latency_edge(uint32_t bucket);
uint32_t model_latency_bucket(int64_t ns);
extern const char *const model_latency_names[MODEL_LATENCIES];
extern const char *const model_latency_places[MODEL_PLACES];

/* At the end of a run, which is the newest: fills both latencies, or leaves them NULL. */
void model_latency_make(const struct model *model, struct model_run *run);

/*
 * The time of each of many operations that workers do and record: a round trip, a task, a write.
 * They are known by their buckets, see core/tally.h, and the shortest and longest exactly; other
 * percentiles lie within a bucket, 3 % at most.
 */

bool model_has_operations(const struct model *model);
/* Whether the cases are ways to hand something over, so that the operation is compared. */
bool model_has_ways(const struct model *model);
/*
 * The operations of one run that has ended; NULL if it recorded none, or memory was short. A run
 * has either operations or creations, which model_latency_run() has.
 */
const struct model_latency_figures *model_operations_run(const struct model *model,
							 const struct model_run *run);
/* Of all counted trials of a case measured by now, taken together. */
const struct model_latency_figures *model_operations(const struct model *model, uint32_t case_id);

/* As model_latency_make(), of operations; keeps the buckets. 0 or -ENOMEM. */
int model_operations_take(const struct model *model, struct model_run *run,
			  const struct sample_bucket *buckets, uint32_t n);
