/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/param.h>

enum { LEAST_POINTS = 3, AMDAHL_ROUNDS = 5 };

/*
 * The widest interval of the serial fraction that is useful. With a wider one, half of the work
 * could be serial, or nothing.
 */
#define VAGUE 0.5

/* The points of one trial that have a time. Times are relative to that of the first point. */
struct points {
	size_t n;
	double cores[AMDAHL_POINTS], y[AMDAHL_POINTS]; /* y: the time multiplied by the cores */
};

/*
 * Fits y as a line over the cores: the time on one core, plus, for each further core, the serial
 * fraction of that time. The relative error is minimized: each round divides the points' errors by
 * the values that the previous round expects.
 */
static bool fit_serial(const struct points *points, double *serial)
{
	double expected[AMDAHL_POINTS];

	for (size_t p = 0; p < points->n; p++)
		expected[p] = points->y[p];
	for (int round = 0; round < AMDAHL_ROUNDS; round++) {
		double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;

		for (size_t p = 0; p < points->n; p++) {
			double weight = 1 / (expected[p] * expected[p]), x = points->cores[p] - 1;

			s += weight;
			sx += weight * x;
			sxx += weight * x * x;
			sy += weight * points->y[p];
			sxy += weight * x * points->y[p];
		}
		double det = s * sxx - sx * sx, slope = (s * sxy - sx * sy) / det;
		double one_core = (sxx * sy - sx * sxy) / det;

		if (!(det > 0) || !(one_core > 0))
			return false;
		*serial = slope / one_core;
		for (size_t p = 0; p < points->n; p++) {
			double y = one_core + slope * (points->cores[p] - 1);

			if (y > 0)
				expected[p] = y;
		}
	}
	return true;
}

/* Returns the misfit of the medians, with the time on one core that fits them best. */
static double misfit(const struct amdahl *amdahl, const double *cores, size_t n,
		     const double *times, size_t trials, double *scratch)
{
	double sum = 0, off[AMDAHL_POINTS], most = 0;
	const size_t points = MIN(n, AMDAHL_POINTS);
	size_t known = 0;

	for (size_t i = 0; i < points; i++) {
		size_t timed = 0;

		for (size_t trial = 0; trial < trials; trial++)
			if (times[trial * n + i] > 0)
				scratch[timed++] = times[trial * n + i];
		off[i] = NAN;
		if (timed == 0)
			continue;
		off[i] = log(stats_select(scratch, timed, 0.5) * amdahl_speedup(amdahl, cores[i]));
		if (isnan(off[i]))
			continue;
		sum += off[i];
		known++;
	}
	for (size_t i = 0; i < points; i++)
		if (!isnan(off[i]))
			most = fmax(most, fabs(expm1(off[i] - sum / (double)known)));
	return most;
}

int amdahl_fit(const double *cores, size_t n, const double *times, size_t trials,
	       struct amdahl *out)
{
	double *scratch = calloc(trials + 1, sizeof(*scratch));
	struct stats_interval serial;
	struct points points;
	int err = 0;

	*out = (struct amdahl) {.points = n, .serial = {NAN, NAN, NAN}, .misfit = NAN};
	if (!scratch)
		return -ENOMEM;
	for (size_t trial = 0; trial < trials; trial++) {
		const double *took = times + trial * n;

		if (n < LEAST_POINTS)
			break;
		points.n = 0;
		for (size_t i = 0; i < n; i++) {
			if (points.n == AMDAHL_POINTS)
				break;
			if (!(took[i] > 0))
				continue;
			points.cores[points.n] = cores[i];
			points.y[points.n++] = took[i] * cores[i];
		}
		for (size_t i = points.n; i-- > 0;)
			points.y[i] /= points.y[0];
		out->trials +=
			points.n >= LEAST_POINTS && fit_serial(&points, &scratch[out->trials]);
	}
	err = stats_signed_rank_interval(scratch, out->trials, 0.05, &serial);
	if (n < LEAST_POINTS)
		out->state = AMDAHL_FEW_POINTS;
	else if (isnan(serial.low))
		out->state = AMDAHL_FEW_TRIALS;
	else if (!(serial.high - serial.low <= VAGUE))
		out->state = AMDAHL_VAGUE;
	if (!err && out->state == AMDAHL_KNOWN) {
		out->serial = serial;
		out->misfit = misfit(out, cores, n, times, trials, scratch);
	}
	free(scratch);
	return err;
}

double amdahl_speedup(const struct amdahl *amdahl, double cores)
{
	return cores / (1 + amdahl->serial.estimate * (cores - 1));
}

char *amdahl_why(const struct amdahl *amdahl, char *buf, size_t size)
{
	switch (amdahl->state) {
	case AMDAHL_FEW_POINTS:
		snprintf(buf, size, "needs at least %d core counts, not %zu", LEAST_POINTS,
			 amdahl->points);
		break;
	case AMDAHL_FEW_TRIALS:
		snprintf(buf, size, "needs at least %d trials, not %zu", STATS_LEAST_PAIRS,
			 amdahl->trials);
		break;
	case AMDAHL_VAGUE:
		snprintf(buf, size,
			 "is left out: the interval of its serial fraction is wider than 50 %%");
		break;
	default:
		snprintf(buf, size, "%s", "");
	}
	return buf;
}
