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
 * take from here their names and forms.
 */

struct model;
struct model_run;
struct sample_memory;

/* METRIC_ELAPSED, …: one for each row, in the order of the exports. */
#define METRIC(id, ...) METRIC_##id,
enum model_metric {
#include "model/metric_rows.h"
	METRICS
};
#undef METRIC

enum metric_unit {
	METRIC_COUNT,
	METRIC_NS,
	METRIC_US, /* counted in whole µs; its value is in ns like that of the others */
	METRIC_KIB,
	METRIC_PERCENT,
	METRIC_DECIMAL, /* a number with two decimals */
	METRIC_EVENTS,	/* a count that may be large */
	METRIC_FIGURE,	/* any number, with four digits at least */
	METRIC_SHORT,	/* ns, and tenths where they are few */
};

enum metric_use {
	METRIC_OF_RUNS = 1,	 /* JSON and CSV have it for each run */
	METRIC_OF_PAIRS = 2,	 /* JSON compares the cases in it */
	METRIC_OF_MEMORY = 4,	 /* a peak of the run's memory */
	METRIC_OF_CREATIONS = 8, /* only where tasks are created one after the other */
	METRIC_OF_WALL = 16,	 /* of a run that was paused it measures the pause */
	METRIC_MORE_IS_WORSE = 32,
	METRIC_OF_FILES = 64,	     /* only where workers copy or write files */
	METRIC_OF_PATH = 128,	     /* a part of the critical path: compared by difference */
	METRIC_OF_COUNTERS = 256,    /* only where the processor counts */
	METRIC_OF_FAULTS = 512,	     /* only where a worker commits a fault */
	METRIC_OF_OPERATIONS = 1024, /* only if workers record their operations */
	METRIC_OF_KINDS = 2048,	     /* of one kind of work, where a run has several */
	METRIC_OF_STEPS = 4096,	     /* only where workers count their steps */
	METRIC_OF_COPIES = 8192,     /* only where they write to their parent's memory */
	METRIC_OF_TASKS = 16384,     /* only where work is handed out piece by piece */
	METRIC_OF_SHARING = 32768,   /* only where workers count together */
	METRIC_OF_MESSAGES = 65536,  /* only where workers send messages */
	METRIC_OF_QUOTAS = 131072,   /* only where runs have a quota of CPUs */
	METRIC_OF_PRINTED = 1048576, /* only where programs print it */
	METRIC_OF_FOR = 524288,	     /* only where programs are ended after a time */
	METRIC_OF_SERVING = 2097152, /* only where clients send requests to a server */
	METRIC_OF_IDLE = 4194304,    /* only where a server has idle connections */
	METRIC_OF_COMMANDS = 262144, /* only where commands are run, and somebody looks at them */
};

struct metric {
	const char *name;  /* in JSON and CSV: "elapsed_ms"; NULL: in neither */
	const char *title; /* of a column: "cpu time" */
	uint8_t unit;	   /* enum metric_unit */
	uint32_t uses;	   /* bits of enum metric_use */
	/* Of struct sample_totals: it is the sum of sum[], divided by per if that is set. */
	struct field sum[2], per;
	/* Gets a value that is no such sum, or not always. */
	double (*get)(const struct model_run *run, enum model_metric metric);
	const char *brief; /* where there is less room: "cpu"; NULL: the title */
	const char *words; /* of a curve: "CPU time" */
	/* Its place in the table of costs or of memory, from 1; 0: in neither. */
	uint8_t cost, memory;
	/* Of memory: the estimates that it rests on, and the member that says how it was seen. */
	uint8_t guess;
	struct field seen; /* of struct sample_memory */
};

extern const struct metric metric_table[METRICS];

/*
 * The metrics drawn over a swept variable, that of verdicts first, ended by METRICS. I/O is the
 * last: only sessions whose runs read or write have it.
 */
const enum model_metric *metric_curves_of(const struct model *model);

/* The length of such a list, and the metric that follows: the first after the last. */
size_t metric_count(const enum model_metric *list);
enum model_metric metric_next(const enum model_metric *list, enum model_metric metric);

/* The value of an ended run, in ns, KiB, % or a count; NaN when it is not known. */
double metric_value(const struct model_run *run, enum model_metric metric);
/* The same as part of a result: NaN, too, where the run was paused and it measures the pause. */
double metric_result(const struct model_run *run, enum model_metric metric);
/* Whether a memory value comes from some of the tasks, or from earlier such tasks. */
bool metric_is_estimated(const struct sample_memory *memory, enum model_metric metric);
/* How a figure of memory was seen: enum sample_seen; -1: it is no memory, or not known. */
int metric_seen(const struct sample_memory *memory, enum model_metric metric);
/* The same for any value of a run; a sum is as good as its weaker part. -1 also if counted. */
int metric_run_seen(const struct model_run *run, enum model_metric metric);
/*
 * Before its number: "≥", "≤", "~" and "≥~", or "". buf has room for the longest.
 */
#define METRIC_MARK 8
char *metric_mark(char buf[METRIC_MARK], int seen, bool estimated);
#define METRIC_MARKED(seen, estimated) metric_mark((char[METRIC_MARK]) {0}, seen, estimated)
/* Its word in JSON and CSV: that of sample_seen_name(), or "estimated"; NULL if none. */
const char *metric_seen_name(int seen, bool estimated);
/* The same of a run's figure; NULL where it is not known, too. */
const char *metric_run_seen_name(const struct model_run *run, enum model_metric metric);
/*
 * "rss_kb=peak;pss_kb=sampled" of a run's figures that are a sample, a bound, a peak or an
 * estimate. Returns buf.
 */
char *metric_seen_list(char *buf, size_t size, const struct model_run *run);
/* One of METRIC_OF_MEMORY, KiB, of memory at any moment; NaN. */
double metric_kib(const struct sample_memory *memory, enum model_metric metric);
/* Whether it is of one of these uses. */
bool metric_is(enum model_metric metric, uint32_t uses);
/* Whether a run's value covers a part: then it is shown beside the run, and compared with none. */
bool metric_is_partial(const struct model_run *run, enum model_metric metric);
/* Whether any run of the session can have it. */
bool metric_applies(const struct model *model, enum model_metric metric);
const char *metric_brief(enum model_metric metric);
/* A value with its unit; "?" for NaN. Returns buf. */
char *metric_format(char *buf, size_t size, enum model_metric metric, double value);
/* The same as an argument. The text lasts as long as the enclosing block. */
#define METRIC_TEXT(metric, value) metric_format((char[32]) {0}, 32, metric, value)
