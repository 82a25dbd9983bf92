/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"
#include "model/model.h"

/*
 * A table of a result as data. table_list.c describes each table once. The screen and each format
 * write it in their own form.
 */

enum table_id {
	/* headline metrics of each case, and how the case compares with the first one */
	TABLE_ANSWER,
	TABLE_FAULTS,	/* number of workers that survive the fault of one worker */
	TABLE_STEPS,	/* writes of touch workers, or increments of share workers */
	TABLE_MESSAGES, /* messages per second */
	TABLE_TASKS,	/* latency and throughput of work that is handed out */
	TABLE_ELAPSED,
	TABLE_COSTS,
	TABLE_MEMORY,
	TABLE_COUNTERS, /* counts from the kernel and the processor */
	TABLE_LONGEST,	/* the longest-lived tasks of programs */
	TABLE_PATH,	/* the critical path of each case */
	TABLE_WHY,	/* the difference between two cases, split into parts */
	TABLE_WAKES,	/* delays from becoming runnable to running */
	/* for sweeps of the number of workers: a row for each case, curve by curve */
	TABLE_SCALING,
	TABLE_SPEEDUP,	  /* speedup of each model on more cores */
	TABLE_LEVELS,	  /* where a task spends its time, for each level of a tree */
	TABLE_REQUESTS,	  /* requests of a server */
	TABLE_OPERATIONS, /* operations that workers record one by one */
	TABLE_LATENCY,	  /* durations of creating tasks one by one */
	TABLE_COMPARISON, /* each pair of cases that differ in one setting */
	TABLE_PIVOT,	  /* for sweeps: a row for each value, a column for each model */
	/* for sweeps of a condition, such as cache: each value compared with the first one */
	TABLE_VALUES,
	TABLE_POOL,	 /* the task length from which a pool no longer matters */
	TABLE_CROSSOVER, /* where the curves of a sweep cross */
	TABLE_TRIALS,	 /* every run whose values enter the results */
	TABLE_RUNS,	 /* every run, including warm-ups and the current run */
	TABLES
};

enum table_align { TABLE_LEFT, TABLE_RIGHT, TABLE_CENTRE };

/* The type of the cells in a column. */
enum table_kind {
	TABLE_WORDS,
	TABLE_METRIC, /* a value of the column's metric, with its unit */
	TABLE_RATIO,  /* "0.986" */
	TABLE_MICROS, /* ns as µs, without the unit: "9.71" */
};

enum table_emphasis { TABLE_PLAIN, TABLE_STRONG, TABLE_DIM, TABLE_WARN, TABLE_BAD };

struct table_column {
	const char *title; /* NULL: the title of the column's metric */
	enum table_align align;
	enum table_kind kind;
	enum model_metric metric;
	bool range; /* Cells are ranges, such as "2.93 s to 3.01 s". */
	enum table_emphasis emphasis;
};

struct table_cell {
	double value, high; /* NaN: unknown. high is the upper end of a range. */
	/*
	 * The text of a cell. In a column of values: the reason why the value is unknown. NULL: the
	 * cell has no text.
	 */
	char *words;
	bool instead; /* Every format prints `words` instead of "?". */
	/* The case that the cell names, and in whose hue the cell is drawn. -1: no case. */
	int32_t case_id;
	enum table_emphasis emphasis;
	bool estimated; /* The value is shown with "~". */
	/*
	 * enum sample_seen. A lower bound is shown with "≥", an upper bound with "≤". -1: the cell
	 * has no mark.
	 */
	int8_t seen;
};

/* Largest number of columns in `own`. Adding more columns sets `err`. */
enum { TABLE_OWN = 24 };

struct table {
	char title[64];
	/* Points to constant columns, or to `own`, so do not copy the struct. */
	const struct table_column *columns;
	size_t n_columns;
	struct table_column own[TABLE_OWN];
	bool grouped; /* The first cell is equal in all rows of a case, or of a pair of cases. */
	char *note;   /* A remark that a reader needs; NULL: none. */
	struct table_cell *cells;
	size_t n_cells, cap_cells;
	/* The first error while rows were added; 0: none. After an error, cells go to `spare`. */
	int err;
	struct table_cell spare;
	/*
	 * For comparisons: the lowest and highest confidence level of the intervals. NaN: there is
	 * no interval.
	 */
	double low_level, high_level;
	uint32_t family; /* Number of comparisons that share one error rate. */
};

/*
 * Builds *out. A table that does not apply to the session has no rows. Returns 0, -ENOMEM or
 * -E2BIG. The caller frees *out, also after an error.
 */
int table_build(const struct model *model, enum table_id id, struct table *out);
/*
 * Like table_build() with TABLE_RUNS, but only `n` rows from row `first` on, or fewer if the table
 * ends before.
 */
int table_build_runs(const struct model *model, size_t first, size_t n, struct table *out);
void table_free(struct table *table);

size_t table_rows(const struct table *table);
const struct table_cell *table_cell(const struct table *table, size_t row, size_t column);
const char *table_title(const struct table_column *column);

/* Whether the session has a TABLE_PIVOT, because it varies a setting and has medians to compare. */
bool table_pivots(const struct model *model);
/* Whether a sweep's pivot table and table of values are shown in place of this table. */
bool table_replaced(const struct model *model);

#define TABLE_TEXT 96

/*
 * The text of a cell. `to` is the word between the two ends of a range. Returns buf, or the cell's
 * own `words`.
 */
const char *table_text(const struct table *table, size_t row, size_t column, const char *to,
		       char buf[TABLE_TEXT]);
