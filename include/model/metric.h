/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fields.h"
#include "core/work_list.h"
#include "core/sample_memory.h"

/*
 * The metrics of a run, one row each. JSON, CSV, the tables of a result, the curves and the screen
 * take their names and formats from here.
 */

struct model;
struct model_run;
struct sample_memory;

/* METRIC_ELAPSED and so on: one for each row of metric_rows.h, in the order of the exports. */
#define METRIC(id, ...) METRIC_##id,
enum model_metric {
#include "model/metric_rows.h"
	METRICS
};
#undef METRIC

enum metric_unit {
	METRIC_COUNT,
	METRIC_NS,
	METRIC_US, /* A time in ns that is shown in whole µs. */
	METRIC_KIB,
	METRIC_PERCENT,
	METRIC_DECIMAL, /* a number with two decimals */
	METRIC_EVENTS,	/* a count that may be large */
	METRIC_FIGURE,	/* A number that is shown with at least four digits. */
	METRIC_SHORT,	/* A time in ns, shown with tenths if it is short. */
};

enum metric_use {
	METRIC_OF_RUNS = 1,   /* JSON and CSV have the metric for each run. */
	METRIC_OF_PAIRS = 2,  /* JSON compares the cases in this metric. */
	METRIC_OF_MEMORY = 4, /* a peak of the run's memory */
	/* The metric exists only in sessions that create tasks one by one. */
	METRIC_OF_CREATIONS = 8,
	/* A time of the wall clock, so a run that was paused has no result. */
	METRIC_OF_WALL = 16,
	METRIC_MORE_IS_WORSE = 32,
	METRIC_OF_FILES = 64, /* Only in runs whose workers copy or write files. */
	METRIC_OF_PATH =
		128, /* A part of the critical path. Compared by difference, not by ratio. */
	METRIC_OF_COUNTERS = 256,    /* Only if some run has a count of the processor. */
	METRIC_OF_FAULTS = 512,	     /* Only if a worker commits a fault. */
	METRIC_OF_OPERATIONS = 1024, /* Only if workers record their operations. */
	/* The time of one kind of work. Only if runs have several kinds. */
	METRIC_OF_KINDS = 2048,
	METRIC_OF_STEPS = 4096,	    /* Only if workers count their steps. */
	METRIC_OF_COPIES = 8192,    /* Only if workers write to their parent's memory. */
	METRIC_OF_TASKS = 16384,    /* Only if work is handed out piece by piece. */
	METRIC_OF_SHARING = 32768,  /* Only if workers increment one counter: share. */
	METRIC_OF_MESSAGES = 65536, /* Only if workers send messages. */
	/* Only if some run has a value, because it had a quota of CPUs. */
	METRIC_OF_QUOTAS = 131072,
	METRIC_OF_PRINTED = 1048576, /* Only if programs print a metric. */
	METRIC_OF_FOR = 524288,	     /* Only if programs are ended after a time. */
	METRIC_OF_SERVING = 2097152, /* Only if clients send requests to a server. */
	METRIC_OF_IDLE = 4194304,    /* Only if a server has idle connections. */
	METRIC_OF_COMMANDS =
		/*
		 * Only if some run has a value, because tuibench observed the tasks of its
		 * commands.
		 */
	262144,
};

struct metric {
	const char *name;  /* Name in JSON and CSV: "elapsed_ms". NULL: neither has the metric. */
	const char *title; /* Title of a column: "cpu time". */
	uint8_t unit;	   /* enum metric_unit */
	uint32_t uses;	   /* bits of enum metric_use */
	/*
	 * Members of struct sample_totals: the value is the sum of sum[]. It is divided by the sum
	 * of per[], if that is set, and multiplied by `times`, unless that is 0. METRIC_US also
	 * turns µs into ns.
	 */
	struct field sum[2], per[2];
	double times;
	/* Computes the value of a metric that is not a sum of members. */
	double (*get)(const struct model_run *run, enum model_metric metric);
	const char *brief; /* A shorter title: "cpu". NULL: use `title`. */
	const char *words; /* Title of a curve: "CPU time". */
	/*
	 * Position of the metric in the table of costs, in the table of memory and among the totals
	 * of Overview, from 1; 0: not listed.
	 */
	uint8_t cost, memory, total;
	/*
	 * For memory. guess: bits for the estimates on which the value may be based. seen: the
	 * member of struct sample_memory that says how the value was measured.
	 */
	uint8_t guess;
	struct field seen;
};

extern const struct metric metric_table[METRICS];

/*
 * The metrics that are drawn over a swept variable. The metric of verdicts comes first, if it has a
 * curve. METRICS ends the list. If there is no metric of requests or of programs, and some run
 * reads or writes, METRIC_IO comes last.
 */
const enum model_metric *metric_curves_of(const struct model *model);

/*
 * metric_count(): the length of a list that METRICS ends. metric_next(): the metric after this one
 * in the list. After the last metric, and for one that is not in the list, that is the first one.
 */
size_t metric_count(const enum model_metric *list);
enum model_metric metric_next(const enum model_metric *list, enum model_metric metric);

/*
 * The value of a run in ns, KiB or %, or as a count. NaN if unknown, or if the run has not ended.
 * Ignores the cursor.
 */
double metric_value(const struct model_run *run, enum model_metric metric);
/*
 * Like metric_value(), but NaN too if the run was paused and the metric is a time of the wall
 * clock. Results use it.
 */
double metric_result(const struct model_run *run, enum model_metric metric);
/*
 * Whether a memory value was extrapolated from some of the tasks, or was measured with earlier
 * tasks of the same kind.
 */
bool metric_is_estimated(const struct sample_memory *memory, enum model_metric metric);
/* How a memory value was measured: enum sample_seen; -1: unknown, or the metric is not memory. */
int metric_seen(const struct sample_memory *memory, enum model_metric metric);
/*
 * Like metric_seen(), for any value of a run. For the memory of a program with several tasks: how
 * the less certain part of the sum was measured. -1 for exact values.
 */
int metric_run_seen(const struct model_run *run, enum model_metric metric);
/* The mark before a number: "≥", "≤", "~", "≥~" or "". buf has room for the longest. */
#define METRIC_MARK 8
char *metric_mark(char buf[METRIC_MARK], int seen, bool estimated);
#define METRIC_MARKED(seen, estimated) metric_mark((char[METRIC_MARK]) {0}, seen, estimated)
/*
 * The word in JSON and CSV for how a value was measured: the name from sample_seen_name(), or
 * "estimated"; NULL if neither.
 */
const char *metric_seen_name(int seen, bool estimated);
/* Like metric_seen_name(), for any value of a run. Also NULL if the value is unknown. */
const char *metric_run_seen_name(const struct model_run *run, enum model_metric metric);
/*
 * Writes how the run's values were measured, if they are samples, bounds, peaks or estimates:
 * "rss_kb=peak;pss_kb=sampled". Numbers of a program's children and threads are always samples.
 * Returns buf.
 */
char *metric_seen_list(char *buf, size_t size, const struct model_run *run);
/* The value of a METRIC_OF_MEMORY metric at one moment, KiB; NaN if unknown. */
double metric_kib(const struct sample_memory *memory, enum model_metric metric);
/* Whether the metric has one of these uses. */
bool metric_is(enum model_metric metric, uint32_t uses);
/*
 * Lists the metrics of a table in their order. place_at: the offset in struct metric of the table's
 * member: cost, memory or total. Returns their number.
 */
size_t metric_places(size_t place_at, enum model_metric list[METRICS]);
/*
 * Whether a run's value is only a lower bound, because an unknown number of tasks was missed. Such
 * a value is shown with the run, but never compared.
 */
bool metric_is_partial(const struct model_run *run, enum model_metric metric);
/* Whether a run of the session can have the metric. */
bool metric_applies(const struct model *model, enum model_metric metric);
const char *metric_brief(enum model_metric metric);
/* A value with its unit; "?" for NaN. Returns buf. */
char *metric_format(char *buf, size_t size, enum model_metric metric, double value);
/*
 * metric_format() into a buffer of its own, for use as an argument. Valid until the enclosing block
 * ends.
 */
/*
 * The value as metric_format() prints it, so that a quotient of values agrees with the printed
 * ones: 43.2e6 for 43.16e6 ns, which is "43.2 ms".
 */
double metric_printed(enum model_metric metric, double value);
#define METRIC_TEXT(metric, value) metric_format((char[32]) {0}, 32, metric, value)
