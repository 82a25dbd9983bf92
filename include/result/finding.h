/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* Which of several cases is fastest, and where two curves cross. */

/* How sure that is; of several comparisons the least sure one counts. */
enum finding_sure {
	FINDING_UNKNOWN,   /* there is nothing to compare with */
	FINDING_MEDIANS,   /* only by medians: some case is from another recording */
	FINDING_FEW,	   /* too few pairs of trials */
	FINDING_NONE,	   /* no two of them differ for real */
	FINDING_NO_WINNER, /* some pairs differ, but no case beats all others */
	FINDING_REAL,	   /* it beats every other */
};

struct finding_lead {
	enum finding_sure sure;
	uint32_t lead;	 /* the case that took least */
	uint32_t others; /* number of configurations it was compared with */
	uint32_t pairs;	 /* the fewest of all those comparisons; UINT32_MAX without others */
	double excluded; /* the greatest ratio that no interval leaves out; NaN */
	/* The comparison with the runner-up; of two cases in the order of the cases. */
	struct model_comparison next;
};

/* Finds the lead of n cases that can be compared, at least one. 0 or -ENOMEM. */
int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out);
/* The runner-up's time over that of the one that leads. */
struct stats_interval finding_ahead(const struct finding_lead *lead);
/* The ratio above which either side's lead is excluded by the interval; NaN. */
double finding_excluded(const struct stats_interval *ratio);

#define FINDING_CROSSES 4

/* The crossings of two curves in a metric, in ascending order. */
struct finding_crosses {
	uint32_t pairs;	  /* the most at any value */
	uint32_t decided; /* the values at which it is known whether there is a difference */
	size_t n;
	struct crossover cross[FINDING_CROSSES]; /* the first ones */
};

/* Finds the crossings of the cases a and b, which must be comparable. 0 or -ENOMEM. */
int finding_crosses(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		    struct finding_crosses *out);

/*
 * For work that is handed out: the task length from which a pool no longer matters. It matters as
 * long as a thread or a process created for each task takes more than FINDING_POOL_LEAST times as
 * long as the pool: in elapsed time, or, if that is undecided, in CPU time.
 */

#define FINDING_POOL_LEAST 1.03

enum finding_pool_answer {
	FINDING_POOL_OPEN,   /* no two lengths differ for real */
	FINDING_POOL_FOUND,  /* between low and high */
	FINDING_POOL_ALWAYS, /* it matters at every length that was tried, for real */
	FINDING_POOL_NEVER,  /* at none, for real */
};

/*
 * Lengths are the medians of the pool's median latencies, from taken to done, in ns; NaN where not
 * known.
 */
struct finding_pool {
	enum finding_pool_answer answer;
	enum model_metric metric; /* metric that decided; METRIC_CPU if OPEN */
	double at;		  /* FOUND: about there, by lines between the logarithms */
	double low, high;   /* FOUND: it matters for real at low, and for real no longer at high */
	double least, most; /* shortest and longest length tried */
};

/*
 * Whether a session sweeps the length of tasks, and a is a pool and b creates tasks of the same
 * kind one by one, as many at once as the pool has workers.
 */
bool finding_pool_pair(const struct model *model, uint32_t a, uint32_t b);
/* Reads it of the two curves that such a pair is of: 0 or -ENOMEM. */
int finding_pool(const struct model *model, uint32_t a, uint32_t b, struct finding_pool *out);
/* The next such pair, as model_next_two(). */
bool finding_next_pool(const struct model *model, uint32_t *pool, uint32_t *each);

/*
 * A sweep as lines: one line for each model over the varied values, with the spread of its trials,
 * the fastest model at each value, and the crossings of two lines. Different kinds of work do not
 * compare: if the session varies those too, each is a sweep of its own. Reading it takes O(runs ×
 * cases). It stays valid until a run begins or ceases to count.
 */

enum { CURVE_VALUES = 64, CURVE_LINES = 8, CURVE_CROSSES = 8 };

struct curve_value {
	double number; /* number to sort by; NaN: not a number */
	char text[SAMPLE_LABEL];
};

/* One model; where more than the swept variable varies, with one set of the others. */
struct curve_line {
	char name[SAMPLE_NAME];
	uint32_t case_id; /* the first of its cases */
};

/* A line at a value, over the counted trials that have ended; NaN where there are none. */
struct curve_point {
	int32_t case_id; /* -1: none */
	uint32_t n;
	double median, least, most;
};

/* The line that leads at a value for real; else the one with the least median. */
struct curve_lead {
	/* FINDING_UNKNOWN: fewer than two lines have a point here, or less is not better */
	enum finding_sure sure;
	int line;	 /* -1: unknown */
	double ahead;	 /* ratio of the next one to it, by the medians; NaN */
	double excluded; /* FINDING_NONE: a ratio above is excluded; NaN */
};

/* Two lines of one recording that change places, for real. */
struct curve_cross {
	double at; /* on the variable's own scale: see struct crossover */
	int a, b;  /* lines: a is lower before, b after */
	/* Between the last value at which a is lower and the first at which b is, for real. */
	int from, to;
};

struct curve {
	enum model_metric metric; /* one of metric_curves_of() */
	char name[SAMPLE_LABEL];  /* name of the variable: "workers" */
	uint32_t n_works;
	char work[SAMPLE_LABEL];      /* the kind that was asked for: "mem"; "": it does not vary */
	char next_work[SAMPLE_LABEL]; /* after the last one comes the first */
	bool numeric;		      /* each value is a number, and they are in ascending order */
	uint32_t n_values, n_lines, n_crosses;
	struct curve_value value[CURVE_VALUES];
	struct curve_line line[CURVE_LINES];
	struct curve_point point[CURVE_LINES][CURVE_VALUES];
	struct curve_lead lead[CURVE_VALUES];
	struct curve_cross cross[CURVE_CROSSES];
};

/* Whether most of the values crowd near the low end, so that a logarithm serves better. */
bool curve_wants_log(const struct curve *curve);
/* Whether the session varies anything but the models; O(cases). */
bool curve_swept(const struct model *model);
/* The variable with the most values, the first of them; the work only if nothing else varies. */
const char *curve_variable(const struct model *model);
/*
 * Reads the curves as of the model's now, of one of the kinds of work, counted from 0 round and
 * round. 0 or -ENOMEM. Lines and values beyond the numbers above are left out.
 */
int curve_read(struct curve *curve, const struct model *model, enum model_metric metric,
	       uint32_t work);
