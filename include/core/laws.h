/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "core/stats.h"

/*
 * How the time of the same work falls with the number of cores. Amdahl's law (AFIPS 1967): a share
 * of it is serial. Gunther's universal scalability law (Guerrilla Capacity Planning, 2007): each
 * core also has to agree with each other one, so that too many cores slow the work down. On n cores
 * it takes t (1 + serial (n - 1) + crosstalk n (n - 1)) / n; Amdahl's crosstalk is 0.
 */

enum law { LAW_AMDAHL, LAW_USL, LAWS };

/* Why a law has no figures. */
enum law_told {
	LAW_TOLD,
	LAW_FEW_POINTS, /* fewer numbers of cores than parameters and one */
	LAW_FEW_TRIALS, /* no interval */
	LAW_VAGUE,	/* an interval so wide that it says nothing */
};

struct law_fit {
	enum law_told told;
	size_t points, trials;
	struct stats_interval serial, crosstalk; /* shares of 1; NaN where not told */
	double misfit; /* the most by which a median is off the law, as a share of it */
};

enum { LAW_POINTS = 64 };

/* The numbers of cores that a law needs: its parameters, the time on one core too, and one. */
size_t law_least_points(enum law law);
/*
 * Fits the law to each trial by least squares of relative errors: its estimate is the
 * Hodges-Lehmann one of the trials' parameters, with their 95 % signed-rank interval, as trials are
 * independent and points of one trial are not. times[trial * n + point] may be NaN: that trial then
 * has fewer points. At most LAW_POINTS of them. 0 or -ENOMEM.
 */
int law_find(enum law law, const double *cores, size_t n, const double *times, size_t trials,
	     struct law_fit *out);
/* So many times as fast as on one core; NaN where the law was not told. */
double law_speedup(const struct law_fit *fit, double cores);
/* "cannot be told from 2 numbers of cores: 3 are the least"; "" where it is told. Returns buf. */
char *law_why(const struct law_fit *fit, enum law law, char *buf, size_t size);
