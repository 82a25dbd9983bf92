/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/looks.h"
#include "core/sample.h"
#include "core/stats.h"
#include "model/metric.h"
#include "model/model_kinds.h"
#include "model/model_path.h"
#include "model/model_split.h"
#include "model/model_workers.h"

/*
 * The session as the views see it, always as const struct model *. It is built from samples alone
 * and keeps the whole session. Everything is answered as of its cursor `now`: live that is the
 * newest sample, a replay moves it. Hence a replay shows at t what was shown live at t.
 */

struct model_cores;
struct model_families;
struct model_latency;
struct model_lane;
struct model_levels;
struct model_wakes;

/* One tick of one run, for the plots over time. */
struct model_point {
	int64_t time_ns; /* session clock */
	struct sample_memory memory;
	int64_t tasks;
	int64_t throttled_periods, throttled_us;
};

/* A stretch in which a quota kept the whole run from the cores, ns since its begin. */
struct model_throttle {
	int64_t from_ns, to_ns;
	int64_t before_ns; /* the length of those before it */
};

/* How many workers exist, … ; failed: with a wrong result, crashed or refused. */
struct model_counts {
	uint32_t created, started, finished, joined, failed, alive;
	/* those whose own core and their creator's are known, and how many began on the latter */
	uint32_t placed, same_core;
};

struct model_run {
	struct sample_run id;
	int64_t begin_ns; /* session clock; when the sample RUN_BEGIN came, exact once ended */
	int64_t end_ns;	  /* session clock when RUN_END came; INT64_MAX while it goes on */
	struct sample_totals totals; /* valid only when ended */
	/* session clock: since when its trial is known to be repeated; 0: it is not */
	int64_t replaced_ns;
	uint32_t n_workers; /* plan_count of its case */
	/*
	 * The most children and threads that were seen of one program of its case; -1: nobody
	 * looked. Nobody follows them, so with one child, or a second thread, what was seen is a
	 * part of the truth: memory, tasks and lanes of all runs of the case are not known.
	 */
	int32_t children, threads;
	struct model_workers workers;  /* all that is known of them, see model_known() */
	bool shares_steps;	       /* of its workers, see model_step.h */
	double together;	       /* see model_step.h; valid only when ended */
	struct model_counts final;     /* valid only when ended */
	struct model_split split;      /* valid only when ended */
	struct model_path path;	       /* valid only when ended */
	struct model_kinds kinds;      /* valid only when ended */
	struct model_levels *levels;   /* see model_levels.h; NULL until ended */
	struct sample_bucket *buckets; /* of the workers' operations; NULL: they tell of none */
	uint32_t n_buckets;
	/* see model_latency.h and model_operations.h: its own, and with those before it; NULL where
	 * there are none */
	struct model_latency *latency, *latency_all;
	/* see model_wakes.h: the same */
	struct model_wakes *wakes, *wakes_all;
	struct model_point *points;
	size_t n_points, cap_points;
	struct model_lane *lanes;  /* by worker, see model_slices.h; NULL: no slice is known */
	struct model_cores *cores; /* the same by core: derived, whatever is const */
	struct model_throttle *throttles; /* in ascending time, see model_slices.h */
	size_t n_throttles, cap_throttles, throttles_seen;
};

/* A tick's load of all cores. */
struct model_load {
	int64_t time_ns;
	uint64_t self_cpu_us;
	int64_t terminal_us; /* since the session's start; -1: not known */
	bool paused;
	uint64_t prepared, to_prepare; /* bytes of a file that is made before a run, or 0 */
};

struct model_message {
	int64_t time_ns;
	enum sample_severity severity;
	enum sample_message_kind kind;
	char *text;
};

/*
 * Case b against case a in one metric, over the trials that both have, as one of all comparisons of
 * the session in that metric: see core/family.h. The interval leaves 1 out when the verdict is
 * real.
 */
struct model_comparison {
	uint32_t a, b; /* cases */
	enum model_metric metric;
	uint32_t pairs;
	uint32_t planned; /* trials of each; 0: of recordings apart */
	uint32_t family;  /* comparisons in the metric */
	uint32_t least; /* the least number of planned trials with which one of them can be real */
	bool ended;	/* all planned trials have: before, too few is all but real */
	bool no_ratio;	/* a value of a pair is 0: no estimate, no interval, no verdict */
	double level;	/* the probability with which the interval holds: 0.95 of one alone */
	struct looks looks;	     /* of this comparison, and the pairs at its planned end: */
	uint32_t end;		     /* see looks_level() */
	struct stats_interval ratio; /* b / a; no ends before the first look */
	enum stats_verdict verdict;
};

/* One of several recordings that were joined: see model_join.h. */
struct model_origin {
	char name[SAMPLE_LABEL]; /* its machine */
	struct sample_session session;
	uint32_t first_case, n_cases; /* those that are its own */
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

	struct model_run *runs;
	size_t n_runs, cap_runs;
	/* For model_keep.c: bytes of the workers of the first n_kept runs but n_dropped. */
	size_t kept, n_kept, n_dropped;

	uint32_t n_cores; /* columns of cores[]: a cpu each, new ones at the end */
	int16_t *cpus; /* by column, of recordings that were joined: the number on its machine; else
			  NULL */
	struct model_load *loads;
	struct sample_core *cores; /* loads × n_cores */
	size_t n_loads, cap_loads;

	struct model_message *messages;
	size_t n_messages, cap_messages;

	uint64_t lost; /* ticks skipped */

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
/* Moves the cursor, clamped to 0 … newest_ns. */
void model_seek(struct model *model, int64_t time_ns);

/* All that is known of a worker, whatever the cursor; index < n_workers. */
static inline const struct sample_worker *model_known(const struct model_run *run, uint32_t index)
{
	return model_workers_at(&run->workers, index);
}

/* Queries, all as of now_ns. */

/* The newest run of the case that has begun; NULL. */
const struct model_run *model_latest(const struct model *model, uint32_t case_id);
/* The run that began last, of any case; NULL. */
const struct model_run *model_newest(const struct model *model);
/* The run that is going on; NULL. */
const struct model_run *model_running(const struct model *model);
/* Whether programs of the run had children or threads, which nobody follows: see struct model_run.
 */
bool model_has_company(const struct model_run *run);
/* Whether the run has ended. */
bool model_ended(const struct model *model, const struct model_run *run);
/* The time since the run's begin: its elapsed time once ended, the time so far before. */
int64_t model_elapsed(const struct model *model, const struct model_run *run);
/* The same with the time that it was held: the length of its axis, as the workers' times have it.
 */
int64_t model_length(const struct model *model, const struct model_run *run);
/* How many runs have begun, and how many have ended. */
size_t model_runs_begun(const struct model *model);
uint32_t model_runs_ended(const struct model *model);
/*
 * The worker with every time after now set to -1 and what is only known then set to "not yet";
 * index < n_workers.
 */
struct sample_worker model_worker(const struct model *model, const struct model_run *run,
				  uint32_t index);
/* Now; alive are those that exist and have not finished, none once the run has ended. */
struct model_counts model_counts(const struct model *model, const struct model_run *run);
/* Newest memory of the run; all -1 where none. */
struct sample_memory model_memory(const struct model *model, const struct model_run *run);
/* The index of the newest load at or before time_ns; -1 for none. */
long model_load_at(const struct model *model, int64_t time_ns);
/* Share of one core that the front end itself used over the last second, 0.01 = 1 %; NaN. */
double model_self_load(const struct model *model);
/* The same of the program at the terminal's other end. */
double model_terminal_load(const struct model *model);
bool model_paused(const struct model *model);
/* Whether somebody else has stopped a part of the run that goes on. */
bool model_halted(const struct model *model);
/* Whether a file is made before a run can begin: how many bytes of how many. */
bool model_preparing(const struct model *model, uint64_t *done, uint64_t *all);
/* Whether nothing more is planned. */
bool model_over(const struct model *model);
/* Estimated time until the last planned run ends, from the runs so far; -1 unknown, 0 done. */
int64_t model_time_left(const struct model *model);

/* Whether it is known by now that the run's trial was crowded: another takes its place. */
bool model_is_replaced(const struct model *model, const struct model_run *run);
/* How many trials of the case were replaced by now. */
uint32_t model_replaced(const struct model *model, uint32_t case_id);
/*
 * Whether the run, once ended, is a measurement: a trial that ended well, was not paused and not
 * replaced.
 */
bool model_is_good(const struct model_run *run);
/* The same by now. */
bool model_measured(const struct model *model, const struct model_run *run);
/*
 * The metric of verdicts: the time until a task runs where tasks are created one after the other,
 * the time of an operation where workers count theirs, else the elapsed time.
 */
enum model_metric model_headline(const struct model *model);
/* Those of the answer, the headline first; of many cases it alone. Returns how many. */
uint32_t model_headlines(const struct model *model, enum model_metric metrics[LOOKS_METRICS_MOST]);
/*
 * The trials of a case that were measured: values into out (at most max), trial numbers into
 * trials unless NULL. Returns how many.
 */
size_t model_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max);
/* The recording that a case is of; NULL where there is one session. */
const struct model_origin *model_origin(const struct model *model, uint32_t case_id);
/* Whether the two, in any order, are compared within their session: they share its error. */
bool model_compares(const struct model *model, uint32_t a, uint32_t b);
/* A ratio between 1 / MODEL_MARGIN and MODEL_MARGIN is no difference that anybody needs. */
#define MODEL_MARGIN 1.05
/*
 * Compares two cases over the trials both have. Those of two recordings have no pairs, and others
 * that vary in too much are never judged: the ratio is that of their medians, without an interval,
 * and the verdict STATS_UNPAIRED. 0 or -ENOMEM.
 */
int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out);
/*
 * The same of a metric that is METRIC_OF_PATH: `ratio` is the difference b - a in ns, and the
 * verdict says whose part is less. 0 or -ENOMEM.
 */
int model_difference(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
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
/* The same as an argument: the text lasts as long as the block that it stands in. */
#define MODEL_CASE_NAME(model, case_id)                                                            \
	model_case_name(model, case_id, (char[SAMPLE_NAME]) {0}, SAMPLE_NAME)
/* The first case that is the same in that way: itself where it is the first. */
uint32_t model_first(const struct model *model, uint32_t case_id,
		     bool (*same)(const struct sample_case *, const struct sample_case *));
/* The first case of the same model, however its variables are: itself where it is the first. */
uint32_t model_first_alike(const struct model *model, uint32_t case_id);
/*
 * The number that a case is known by: its hue and its shape, the same wherever it is drawn. Cases
 * of one curve share it. Threads have 0, processes 1, hybrid 2; others that are compared with them,
 * such as a second tree of threads, the next ones in the order shown.
 */
enum { MODEL_IDENTITIES = 8 };
uint32_t model_identity(const struct model *model, uint32_t case_id);
