/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"
#include "model/model.h"

/*
 * A table of a result as data: described once, in table_list.c, and written by each format and the
 * screen as suits them.
 */

enum table_id {
	TABLE_ANSWER, /* the headline metrics of each case, and of the first case for comparison */
	TABLE_FAULTS, /* who survived the fault of one worker */
	TABLE_STEPS,  /* what workers did that count their steps */
	TABLE_MESSAGES, /* how many arrive in a second */
	TABLE_TASKS,	/* of work that is handed out: latency and throughput */
	TABLE_ELAPSED,
	TABLE_COSTS,
	TABLE_MEMORY,
	TABLE_COUNTERS,	  /* what the kernel and the processor counted */
	TABLE_LONGEST,	  /* of programs: their tasks that lived longest */
	TABLE_PATH,	  /* the critical path of each case */
	TABLE_WHY,	  /* the difference of two by its parts */
	TABLE_WAKES,	  /* from runnable to running */
	TABLE_SCALING,	  /* a row for each case of a sweep of the workers, curve by curve */
	TABLE_SPEEDUP,	  /* what more cores bring, model by model */
	TABLE_LEVELS,	  /* of trees: where the time of a task goes */
	TABLE_REQUESTS,	  /* of a server */
	TABLE_OPERATIONS, /* of sessions whose workers record their operations */
	TABLE_LATENCY,	  /* of sessions that create tasks one by one */
	TABLE_COMPARISON, /* of each two cases that differ in one thing */
	TABLE_PIVOT,	  /* of a sweep: a row for each value, a column for each model */
	TABLE_VALUES,	  /* of a condition that is swept: each model over its values */
	TABLE_POOL,	  /* from which length of a task on a pool no longer matters */
	TABLE_CROSSOVER,  /* where the curves of a sweep cross */
	TABLE_TRIALS,	  /* every run that is part of the result */
	TABLE_RUNS,	  /* and warm-ups, and the current run */
	TABLES
};

enum table_align { TABLE_LEFT, TABLE_RIGHT, TABLE_CENTRE };

/* The contents of a column's cells. */
enum table_kind {
	TABLE_WORDS,
	TABLE_METRIC, /* a value of the column's metric, with its unit */
	TABLE_RATIO,  /* "0.986" */
	TABLE_MICROS, /* ns as µs, without the unit: "9.71" */
};

enum table_emphasis { TABLE_PLAIN, TABLE_STRONG, TABLE_DIM, TABLE_WARN, TABLE_BAD };

struct table_column {
	const char *title; /* NULL: that of its metric */
	enum table_align align;
	enum table_kind kind;
	enum model_metric metric;
	bool range; /* "2.93 s to 3.01 s" */
	enum table_emphasis emphasis;
};

struct table_cell {
	double value, high; /* NaN: not known; high is the upper end of a range */
	char *words;	    /* in a column of values why it is not known; NULL: none */
	bool instead;	    /* every format prints them instead of a ? */
	int32_t case_id;    /* the case that it names, for its hue; -1 */
	enum table_emphasis emphasis;
	bool estimated; /* its value is shown with a ~ */
	int8_t seen;	/* enum sample_seen: a least has a ≥, a most a ≤; -1: not said */
};

/* Columns at most. One more is an error of the table, never left out. */
enum { TABLE_OWN = 24 };

struct table {
	char title[64];
	const struct table_column *columns; /* const ones, or its own: it is not copied */
	size_t n_columns;
	struct table_column own[TABLE_OWN];
	bool grouped; /* the first cell is the same in all rows of a case, or of a pair */
	char *note;   /* what a reader has to know; NULL: nothing */
	struct table_cell *cells;
	size_t n_cells, cap_cells;
	int err; /* the first error while rows were added */
	struct table_cell spare;
	/* Of comparisons: the levels of their intervals, NaN without one. */
	double low_level, high_level;
	uint32_t family; /* how many comparisons share the error */
};

/* Fills *out, which the caller frees, also on an error: 0, -ENOMEM or -E2BIG. Without rows: no
 * such. */
int table_build(const struct model *model, enum table_id id, struct table *out);
void table_free(struct table *table);

size_t table_rows(const struct table *table);
const struct table_cell *table_cell(const struct table *table, size_t row, size_t column);
const char *table_title(const struct table_column *column);

/* Whether a sweep's pivot and table of values replace that list. */
bool table_replaced(const struct model *model, enum table_id id);

#define TABLE_TEXT 96

/* The text of a cell, `to` between the ends of a range. Returns buf or the cell's own words. */
const char *table_text(const struct table *table, size_t row, size_t column, const char *to,
		       char buf[TABLE_TEXT]);
