/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "stats/stats.h"

/*
 * How the time of the same work falls with the number of cores, by Amdahl's law (AFIPS 1967): a
 * share of the work is serial, so that on n cores it takes t (1 + serial (n - 1)) / n.
 */

/* Why there is no serial share. */
enum amdahl_state {
	AMDAHL_KNOWN,
	AMDAHL_FEW_POINTS, /* fewer than 3 numbers of cores */
	AMDAHL_FEW_TRIALS, /* no interval */
	AMDAHL_VAGUE,	   /* an interval so wide that it says nothing */
};

struct amdahl {
	enum amdahl_state state;
	size_t points, trials;
	struct stats_interval serial; /* a share of 1; NaN where not known */
	double misfit; /* the most by which a median is off the law, as a share of it */
};

enum { AMDAHL_POINTS = 64 };

/*
 * Fits the law to each trial by least squares of relative errors. The estimate is the
 * Hodges-Lehmann one of the trials' shares, with their 95 % signed-rank interval, as trials are
 * independent and points of one trial are not. times[trial * n + point] may be NaN: that trial then
 * has fewer points. At most AMDAHL_POINTS of them. 0 or -ENOMEM.
 */
int amdahl_fit(const double *cores, size_t n, const double *times, size_t trials,
	       struct amdahl *out);
/* How many times as fast as on one core; NaN where the share is not known. */
double amdahl_speedup(const struct amdahl *amdahl, double cores);
/* "cannot be told from 2 numbers of cores: 3 are the least"; "" where it is known. Returns buf. */
char *amdahl_why(const struct amdahl *amdahl, char *buf, size_t size);
