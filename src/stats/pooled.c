/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include <errno.h>
#include <float.h>
#include <math.h>

/*
 * Least variance. If all pairs of a machine have the same ratio, as may happen with memory, the
 * variance would be 0 and the machine would get all of the weight.
 */
#define LEAST_VARIANCE 1e-10

/*
 * Returns the probability of |t| < x. Source: the series 26.7.3 and 26.7.4 of Abramowitz & Stegun.
 */
static double student_within(double x, size_t degrees)
{
	const double angle = atan(x / sqrt((double)degrees)), c = cos(angle);
	const size_t first = 2 + degrees % 2;
	double term = 1, sum = 0;

	if (degrees % 2)
		term = c;
	if (degrees > 1)
		sum = term;
	for (size_t i = first; i + 1 < degrees; i += 2) {
		term *= c * c * (double)(i - 1) / (double)i;
		sum += term;
	}
	if (degrees % 2)
		return M_2_PI * (angle + sin(angle) * sum);
	return sin(angle) * sum;
}

static double whole_student(size_t degrees, double level)
{
	double low = 0,
	       high = 1000; /* the largest value needed is 64: one degree of freedom, level 0.01 */

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_within(middle, degrees) < 1 - level)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double pooled_student(double degrees, double level)
{
	const size_t below = (size_t)degrees;
	const double step = 1 / (double)below - 1 / (double)(below + 1);
	const double t = whole_student(below, level);

	if (degrees <= (double)below)
		return t;
	return t *
	       pow(whole_student(below + 1, level) / t, (1 / (double)below - 1 / degrees) / step);
}

int pooled_machine(const double *differences, size_t n, double *estimate, double *variance)
{
	struct stats_interval centre;
	double mean = 0, squares = 0, half;
	int err = n < 2 ? -EDOM : stats_signed_rank_interval(differences, n, 0.05, &centre);

	if (err)
		return err;
	*estimate = centre.estimate;
	if (isfinite(centre.low)) {
		half = (centre.high - centre.low) / 2 /
		       pooled_student((double)(n - 1), stats_signed_rank_level(n, 0.05));
		*variance = fmax(half * half, LEAST_VARIANCE);
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		mean += differences[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (differences[i] - mean) * (differences[i] - mean);
	*variance = fmax(squares / (double)(n - 1) / (double)n, LEAST_VARIANCE);
	return 0;
}

/* Sums with the weights 1 / (variance + tau2). */
struct weighted {
	double mean, sum; /* mean: of the estimates. sum: of the weights. */
	/* Q: the weighted sum of the squared distances between the estimates and their mean */
	double squares;
	/*
	 * Sum of the squared weights times the squared distances: the rate at which Q falls as tau2
	 * grows.
	 */
	double squares_squares;
};

static struct weighted weigh(const double *y, const double *v, size_t n, double tau2)
{
	struct weighted out = {0};

	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (v[i] + tau2);

		out.sum += weight;
		out.mean += weight * y[i];
	}
	out.mean /= out.sum;
	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (v[i] + tau2), distance = y[i] - out.mean;

		out.squares += weight * distance * distance;
		out.squares_squares += weight * weight * distance * distance;
	}
	return out;
}

/*
 * Finds the tau2 at which Q equals its degrees of freedom. Q falls and is convex, so Newton's steps
 * never go too far.
 */
static double paule_mandel(const double *y, const double *v, size_t n)
{
	double tau2 = 0;

	for (int i = 0; i < 200; i++) {
		struct weighted now = weigh(y, v, n, tau2);
		double excess = now.squares - (double)(n - 1);

		if (excess <= 1e-12 * (double)n)
			break;
		tau2 += excess / now.squares_squares;
	}
	return tau2;
}

/*
 * Returns a variance that is typical of the machines: the "typical" variance of Higgins & Thompson.
 */
static double typical_variance(const double *v, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += 1 / v[i];
		squares += 1 / (v[i] * v[i]);
	}
	return (double)(n - 1) * sum / (sum * sum - squares);
}

/*
 * Estimates the error from each machine's distance to the mean, so that it is valid for any
 * weights.
 */
static void robust_error(const double *y, const double *v, size_t n, const struct weighted *found,
			 struct pooled *out)
{
	double variance = 0, factors = 0, squares = 0, trace = 0, trace_squares = 0;

	for (size_t i = 0; i < n; i++) {
		const double share = 1 / (v[i] + out->tau2) / found->sum;
		const double rest = fmax(1 - share, DBL_EPSILON), distance = y[i] - found->mean;
		const double factor = share * share / rest;
		/* The squared distance that is expected if the variances are right. */
		const double expected = (v[i] + out->tau2) * rest;

		variance += factor * distance * distance;
		factors += factor;
		squares += factor * factor;
		trace += factor * expected;
		trace_squares += factor * factor * expected * expected;
	}
	out->error = sqrt(variance);
	/*
	 * The covariance of two distances is -1 / sum, because both are measured from the same
	 * mean.
	 */
	trace_squares += (factors * factors - squares) / (found->sum * found->sum);
	out->degrees = fmin(fmax(trace * trace / trace_squares, 1), (double)(n - 1));
}

int pooled_estimates(const double *estimates, const double *variances, size_t n, enum pooled_by by,
		     struct pooled *out)
{
	struct weighted found;
	double t, reach;

	*out = (struct pooled) {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (n < 2)
		return -EDOM;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(estimates[i]) || !(variances[i] > 0) || !isfinite(variances[i]))
			return -EDOM;
	out->tau2 = paule_mandel(estimates, variances, n);
	found = weigh(estimates, variances, n, out->tau2);
	out->mean = found.mean;
	out->weights = found.sum;
	out->degrees = (double)(n - 1);
	out->error = sqrt(found.squares / out->degrees / found.sum);
	if (by == POOLED_ROBUST)
		robust_error(estimates, variances, n, &found, out);
	t = pooled_student(out->degrees, 0.05);
	out->low = out->mean - t * out->error;
	out->high = out->mean + t * out->error;
	reach = t * sqrt(out->error * out->error + out->tau2);
	out->from = out->mean - reach;
	out->to = out->mean + reach;
	out->i2 = 100 * out->tau2 / (out->tau2 + typical_variance(variances, n));
	return 0;
}
