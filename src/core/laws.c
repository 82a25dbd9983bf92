/* SPDX-License-Identifier: MIT */
#include "core/laws.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Linear in the time on one core and in that times each share, if the time is taken n times. */

enum { TERMS = 3, ROUNDS = 5 };

/* Wider than that, half of all work may be serial or none. */
#define VAGUE 0.5

static size_t terms_of(enum law law)
{
	return law == LAW_USL ? 3 : 2;
}

size_t law_least_points(enum law law)
{
	return terms_of(law) + 1;
}

static double term(size_t i, double n)
{
	return i == 0 ? 1 : i == 1 ? n - 1 : n * (n - 1);
}

/* Of a matrix beside its right side, by Gauss with pivots; false: it has no single solution. */
static bool solve(double m[TERMS][TERMS + 1], size_t n, double *x)
{
	for (size_t i = 0; i < n; i++) {
		size_t best = i;

		for (size_t j = i + 1; j < n; j++)
			best = fabs(m[j][i]) > fabs(m[best][i]) ? j : best;
		for (size_t k = 0; k <= n; k++) {
			double kept = m[i][k];

			m[i][k] = m[best][k];
			m[best][k] = kept;
		}
		if (fabs(m[i][i]) < 1e-12)
			return false;
		for (size_t j = 0; j < n; j++)
			for (size_t k = n + 1; j != i && k-- > i;)
				m[j][k] -= m[j][i] / m[i][i] * m[i][k];
	}
	for (size_t i = 0; i < n; i++)
		x[i] = m[i][n] / m[i][i];
	return true;
}

/* The points of one trial, in parts of the first; those without a time are left out. */
struct points {
	size_t n;
	double cores[LAW_POINTS], y[LAW_POINTS]; /* y: the time, so many times as there are cores */
};

static void take_points(const double *cores, const double *times, size_t n, struct points *points)
{
	points->n = 0;
	for (size_t i = 0; i < n && points->n < LAW_POINTS; i++) {
		if (!(times[i] > 0))
			continue;
		points->cores[points->n] = cores[i];
		points->y[points->n++] = times[i] * cores[i];
	}
	for (size_t i = points->n; i-- > 0;)
		points->y[i] /= points->y[0];
}

static double value(const double *x, size_t terms, double n)
{
	double sum = 0;

	for (size_t i = 0; i < terms; i++)
		sum += x[i] * term(i, n);
	return sum;
}

/* Columns are of like size, or the matrix of many cores could not be solved. */
static bool fit_once(const struct points *points, size_t terms, const double *weight, double *x)
{
	double m[TERMS][TERMS + 1] = {{0}}, scale[TERMS];
	double most = points->cores[points->n - 1];

	for (size_t i = 0; i < terms; i++)
		scale[i] = fmax(1, term(i, most));
	for (size_t p = 0; p < points->n; p++)
		for (size_t i = 0; i < terms; i++) {
			double row = term(i, points->cores[p]) / scale[i] / weight[p];

			for (size_t j = 0; j < terms; j++)
				m[i][j] += row * term(j, points->cores[p]) / scale[j] / weight[p];
			m[i][terms] += row * points->y[p] / weight[p];
		}
	if (!solve(m, terms, x))
		return false;
	for (size_t i = 0; i < terms; i++)
		x[i] /= scale[i];
	return true;
}

/* The relative error counts: each round weighs by what the round before it expects. */
static bool fit(const struct points *points, size_t terms, double *x)
{
	double weight[LAW_POINTS];

	memcpy(weight, points->y, points->n * sizeof(weight[0]));
	for (int round = 0; round < ROUNDS; round++) {
		if (!fit_once(points, terms, weight, x))
			return false;
		for (size_t p = 0; p < points->n; p++) {
			double expected = value(x, terms, points->cores[p]);

			weight[p] = expected > 0 ? expected : weight[p];
		}
	}
	return x[0] > 0;
}

static struct stats_interval unknown(void)
{
	return (struct stats_interval) {NAN, NAN, NAN};
}

/* The shares of each trial that has points enough. */
static size_t fit_trials(enum law law, const double *cores, size_t n, const double *times,
			 size_t trials, double *serial, double *crosstalk)
{
	size_t terms = terms_of(law), fitted = 0;

	for (size_t trial = 0; trial < trials; trial++) {
		double x[TERMS] = {0};
		struct points points;

		take_points(cores, times + trial * n, n, &points);
		if (points.n < law_least_points(law) || !fit(&points, terms, x))
			continue;
		serial[fitted] = x[1] / x[0];
		crosstalk[fitted++] = x[2] / x[0];
	}
	return fitted;
}

static double median_of(const double *times, size_t n, size_t trials, size_t point, double *room)
{
	size_t known = 0;

	for (size_t trial = 0; trial < trials; trial++)
		if (times[trial * n + point] > 0)
			room[known++] = times[trial * n + point];
	return known ? stats_select(room, known, 0.5) : NAN;
}

/* Of the medians, with the time on one core that fits them best. */
static double misfit(const struct law_fit *fit, const double *cores, size_t n, const double *times,
		     size_t trials, double *room)
{
	double sum = 0, off[LAW_POINTS], most = 0;
	size_t known = 0;

	for (size_t i = 0; i < n && i < LAW_POINTS; i++) {
		off[i] = log(median_of(times, n, trials, i, room) * law_speedup(fit, cores[i]));
		known += !isnan(off[i]);
		sum += isnan(off[i]) ? 0 : off[i];
	}
	for (size_t i = 0; i < n && i < LAW_POINTS; i++)
		if (!isnan(off[i]))
			most = fmax(most, fabs(expm1(off[i] - sum / (double)known)));
	return most;
}

static int judge(double *serial, double *crosstalk, struct law_fit *out)
{
	int err = stats_signed_rank_interval(serial, out->trials, 0.05, &out->serial);

	if (!err)
		err = stats_signed_rank_interval(crosstalk, out->trials, 0.05, &out->crosstalk);
	if (err)
		return err;
	if (isnan(out->serial.low))
		out->told = LAW_FEW_TRIALS;
	else if (!(out->serial.high - out->serial.low <= VAGUE) ||
		 !(out->crosstalk.high - out->crosstalk.low <= VAGUE))
		out->told = LAW_VAGUE;
	return 0;
}

int law_find(enum law law, const double *cores, size_t n, const double *times, size_t trials,
	     struct law_fit *out)
{
	double *room = malloc((3 * trials + 1) * sizeof(*room));
	int err = 0;

	*out = (struct law_fit) {.points = n, .serial = unknown(), .crosstalk = unknown()};
	out->misfit = NAN;
	if (!room)
		return -ENOMEM;
	out->told = n < law_least_points(law) ? LAW_FEW_POINTS : LAW_FEW_TRIALS;
	if (out->told == LAW_FEW_TRIALS)
		out->trials = fit_trials(law, cores, n, times, trials, room, room + trials);
	if (out->trials >= STATS_LEAST_PAIRS) {
		out->told = LAW_TOLD;
		err = judge(room, room + trials, out);
	}
	if (!err && out->told == LAW_TOLD)
		out->misfit = misfit(out, cores, n, times, trials, room + 2 * trials);
	else
		out->serial = out->crosstalk = unknown();
	free(room);
	return err;
}

double law_speedup(const struct law_fit *fit, double cores)
{
	double serial = fit->serial.estimate, crosstalk = fit->crosstalk.estimate;

	return cores / (1 + serial * (cores - 1) + crosstalk * cores * (cores - 1));
}

char *law_why(const struct law_fit *fit, enum law law, char *buf, size_t size)
{
	switch (fit->told) {
	case LAW_FEW_POINTS:
		snprintf(buf, size, "cannot be told from %zu numbers of cores: %zu are the least",
			 fit->points, law_least_points(law));
		break;
	case LAW_FEW_TRIALS:
		snprintf(buf, size, "cannot be told from %zu trials: %d are the least", fit->trials,
			 STATS_LEAST_PAIRS);
		break;
	case LAW_VAGUE:
		snprintf(buf, size, "cannot be told: its interval is wider than half of the work");
		break;
	default:
		snprintf(buf, size, "%s", "");
	}
	return buf;
}
