/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/finding.h"

/*
 * A sweep as lines: one for each model over the values of what was varied, with the spread of its
 * trials, who leads at each value, and where two lines cross. Different kinds of work do not
 * compare: where those vary too, each is a sweep of its own. Reading it takes O(runs × cases);
 * it holds until a run begins to count or no longer does.
 */

enum { CURVE_VALUES = 64, CURVE_LINES = 8, CURVE_CROSSES = 8 };

struct curve_value {
	char text[SAMPLE_LABEL];
	double number; /* NaN where it is not one */
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
	double ahead;	 /* so many times as much the next one has, by the medians; NaN */
	double excluded; /* FINDING_NONE: a ratio above is excluded; NaN */
};

/* Two lines of one recording that change places, for real. */
struct curve_cross {
	int a, b;  /* lines: a is lower before, b after */
	double at; /* on the variable's own scale: see crossover.h */
	/* Between the last value at which a is lower and the first at which b is, for real. */
	int from, to;
};

struct curve {
	enum model_metric metric; /* one of metric_curves_of() */
	char name[SAMPLE_LABEL];  /* of the variable: "workers" */
	uint32_t n_works;
	char work[SAMPLE_LABEL]; /* the kind that was asked for: "mem"; "": it does not vary */
	bool numeric;		 /* each value is a number, and they are in ascending order */
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
