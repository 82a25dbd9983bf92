/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* Which of several cases is fastest, and where two curves cross. */

/*
 * How certain it is that a case is the fastest. If there are several comparisons, the least certain
 * comparison decides.
 */
enum finding_sure {
	FINDING_UNKNOWN, /* There is nothing to compare with. */
	/* Only medians were compared, because some case is from another recording. */
	FINDING_MEDIANS,
	FINDING_FEW,	   /* too few pairs of trials */
	FINDING_NONE,	   /* No two cases differ significantly. */
	FINDING_NO_WINNER, /* Some pairs differ significantly, but no case beats all others. */
	FINDING_REAL,	   /* One case is significantly faster than every other. */
};

struct finding_lead {
	enum finding_sure sure;
	uint32_t lead;	 /* The fastest case. */
	uint32_t others; /* Number of other cases. */
	/*
	 * The smallest number of pairs in the comparisons with the other cases. UINT32_MAX: there
	 * are no comparisons.
	 */
	uint32_t pairs;
	/*
	 * The bound of the comparisons without a difference: none of their intervals includes a
	 * ratio above `excluded`, or below its inverse. NaN: there are no such comparisons.
	 */
	double excluded;
	/*
	 * The comparison with the second fastest case. If there are only two cases, a and b are in
	 * the order of the cases.
	 */
	struct model_comparison next;
};

/* Finds the fastest of n cases that can be compared; n is at least 1. Returns 0 or -ENOMEM. */
int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out);
/*
 * The time of the second fastest case divided by the time of the fastest case, with its interval.
 */
struct stats_interval finding_ahead(const struct finding_lead *lead);
/*
 * The largest ratio, in either direction, that the interval includes: its upper end, or 1 / its
 * lower end. NaN if unknown.
 */
double finding_excluded(const struct stats_interval *ratio);

#define FINDING_CROSSES 4

/* The crossings of two curves in a metric, in ascending order. */
struct finding_crosses {
	uint32_t pairs; /* Largest number of pairs at any value. */
	/* Number of values at which the comparison has enough trials for a verdict. */
	uint32_t decided;
	size_t n;
	struct crossover cross[FINDING_CROSSES]; /* The lowest crossings. */
};

/*
 * Whether logarithmic axes fit n ascending values, because most values are near the low end of
 * their range.
 */
bool finding_wants_log(const double *values, size_t n);
/*
 * Finds the crossings of the curves of cases a and b. The cases must be comparable. Returns 0 or
 * -ENOMEM.
 */
int finding_crosses(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		    struct finding_crosses *out);

/*
 * For work that is handed out: the task length from which a pool no longer matters. A pool matters
 * if creating a thread or process for each task makes the work take more than FINDING_POOL_LEAST
 * times as long. The elapsed time decides. If that is inconclusive, the CPU time decides.
 */

#define FINDING_POOL_LEAST 1.03

enum finding_pool_answer {
	/*
	 * The curves do not cross exactly once, and the lengths tried do not all give the same
	 * answer.
	 */
	FINDING_POOL_OPEN,
	FINDING_POOL_FOUND,  /* The length is between low and high. */
	FINDING_POOL_ALWAYS, /* A pool matters significantly at every length tried. */
	FINDING_POOL_NEVER,  /* At every length tried, a pool significantly does not matter. */
};

/*
 * The length of a task is measured as the median of the pool's median latencies, from taking a task
 * to finishing it, in ns. NaN if unknown.
 */
struct finding_pool {
	enum finding_pool_answer answer;
	/* The metric that decided. METRIC_CPU if `answer` is FINDING_POOL_OPEN. */
	enum model_metric metric;
	/* With FINDING_POOL_FOUND: the estimated length, interpolated on a logarithmic scale. */
	double at;
	/*
	 * With FINDING_POOL_FOUND: the longest length at which a pool significantly matters, and
	 * the shortest length at which it significantly does not.
	 */
	double low, high;
	double least, most; /* Shortest and longest length that were tried. */
};

/*
 * Whether the two cases can answer how long a task must be. The session sweeps the length of tasks.
 * a is a pool but no server. b creates tasks of the same kind one by one, and as many at a time as
 * the pool has workers.
 */
bool finding_pool_pair(const struct model *model, uint32_t a, uint32_t b);
/*
 * Reads the answer from the curves of two cases for which finding_pool_pair() is true. Returns 0 or
 * -ENOMEM.
 */
int finding_pool(const struct model *model, uint32_t a, uint32_t b, struct finding_pool *out);
/* The next two cases for which finding_pool_pair() is true, in the order of model_next_two(). */
bool finding_next_pool(const struct model *model, uint32_t *pool, uint32_t *each);

/*
 * A sweep as lines: one line for each model over the varied values, with the spread of its trials,
 * the fastest model at each value, and the crossings of two lines. Different kinds of work are
 * never compared, so each kind is a sweep of its own. Reading a sweep takes O(runs × cases).
 */

enum { CURVE_VALUES = 64, CURVE_LINES = 8, CURVE_CROSSES = 8 };

struct curve_value {
	double number; /* The value as a number, to sort by; NaN if it is not a number. */
	char text[SAMPLE_LABEL];
};

/*
 * A line is one model. If variables besides the swept one vary, a line is one model with one set of
 * values of these variables.
 */
struct curve_line {
	char name[SAMPLE_NAME];
	uint32_t case_id; /* The first case of the line. */
};

/*
 * A line at one value, over the counted trials that have ended. n is the number of these trials. If
 * n is 0, the figures are NaN.
 */
struct curve_point {
	int32_t case_id; /* -1: no case */
	uint32_t n;
	double median, least, most;
};

/*
 * The line that is significantly fastest at a value. If no line is, the line with the lowest
 * median.
 */
struct curve_lead {
	/*
	 * FINDING_UNKNOWN: fewer than two lines have a point at the value, or a lower figure of the
	 * metric is not better.
	 */
	enum finding_sure sure;
	int line; /* Index of the line. -1: unknown. */
	/*
	 * The second lowest median divided by the lowest median. With FINDING_REAL, and for two
	 * lines with pairs of trials, the ratio computed from the pairs, above 1. NaN: unknown.
	 */
	double ahead;
	/*
	 * If sure is FINDING_NONE: the interval includes no ratio above `excluded`, or below its
	 * inverse. NaN: unknown.
	 */
	double excluded;
};

/* Two lines of one recording that cross significantly. */
struct curve_cross {
	double at; /* Position of the crossing on the variable's own scale: see struct crossover. */
	int a, b;  /* Indices of the two lines. a is lower before the crossing, b after it. */
	/*
	 * from: index of the last value at which a is significantly lower. to: index of the first
	 * value at which b is significantly lower.
	 */
	int from, to;
};

struct curve {
	enum model_metric metric; /* one of metric_curves_of() */
	char name[SAMPLE_LABEL];  /* Name of the variable, such as "workers". */
	uint32_t n_works;
	/* The kind of work that the caller chose, such as "mem"; "" if the work does not vary. */
	char work[SAMPLE_LABEL];
	/* The next kind of work. After the last kind, the first one. */
	char next_work[SAMPLE_LABEL];
	bool numeric; /* All values are numbers, in ascending order. */
	uint32_t n_values, n_lines, n_crosses;
	struct curve_value value[CURVE_VALUES];
	struct curve_line line[CURVE_LINES];
	struct curve_point point[CURVE_LINES][CURVE_VALUES];
	struct curve_lead lead[CURVE_VALUES];
	struct curve_cross cross[CURVE_CROSSES];
};

/*
 * Whether all values are numbers above 0, and most are near the low end of their range, so that a
 * logarithmic axis is better.
 */
bool curve_wants_log(const struct curve *curve);
/* Whether the session varies anything except the models. Takes O(cases). */
bool curve_swept(const struct model *model);
/*
 * The variable with the most values. If several variables have as many, the first of them. The kind
 * of work is chosen only if nothing else varies.
 */
const char *curve_variable(const struct model *model);
/*
 * Reads the curves as of the model's cursor. `work` is the index of the kind of work; after the
 * last kind, indices begin again with the first. Returns 0 or -ENOMEM. Lines and values beyond
 * CURVE_LINES and CURVE_VALUES are left out.
 */
int curve_read(struct curve *curve, const struct model *model, enum model_metric metric,
	       uint32_t work);
