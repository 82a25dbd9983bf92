/* SPDX-License-Identifier: MIT */
#include "stats/pooled.h"

#include <errno.h>
#include <math.h>

#include "stats/stats.h"

/*
 * Memory may have the same ratio in all pairs. No clock and no page is as exact as this, and a
 * machine that was alike by chance is not to have all the weight.
 */
#define LEAST_VARIANCE 1e-10

/* The probability of |t| < x: the series of Abramowitz & Stegun, 26.7.3 and 26.7.4. */
static double student_within(double x, size_t degrees)
{
	const double angle = atan(x / sqrt((double)degrees)), c = cos(angle);
	const size_t first = 2 + degrees % 2;
	double term = degrees % 2 ? c : 1, sum = degrees > 1 ? term : 0;

	for (size_t i = first; i + 1 < degrees; i += 2) {
		term *= c * c * (double)(i - 1) / (double)i;
		sum += term;
	}
	if (degrees % 2)
		return M_2_PI * (angle + sin(angle) * sum);
	return sin(angle) * sum;
}

double pooled_student(size_t degrees)
{
	double low = 1.9, high = 12.8; /* of a normal distribution 1.96, of one degree 12.71 */

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_within(middle, degrees) < 0.95)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
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
		half = (centre.high - centre.low) / 2 / pooled_student(n - 1);
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

/* With weights 1 / (variance + tau2). */
struct weighted {
	double mean, sum;	/* of the estimates; of the weights */
	double squares;		/* weighted, of the estimates' distances from their mean: Q */
	double squares_squares; /* of the weights squared times those: how Q falls with tau2 */
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

/* Q is as large as its degrees of freedom. It is convex and falls, so no step goes too far. */
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

/* That of all machines, as if they had one variance: Higgins & Thompson's "typical" one. */
static double typical_variance(const double *v, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += 1 / v[i];
		squares += 1 / (v[i] * v[i]);
	}
	return (double)(n - 1) * sum / (sum * sum - squares);
}

int pooled_estimates(const double *estimates, const double *variances, size_t n, struct pooled *out)
{
	struct weighted found;
	double t, reach;

	*out = (struct pooled) {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (n < 2)
		return -EDOM;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(estimates[i]) || !(variances[i] > 0) || !isfinite(variances[i]))
			return -EDOM;
	out->tau2 = paule_mandel(estimates, variances, n);
	found = weigh(estimates, variances, n, out->tau2);
	t = pooled_student(n - 1);
	out->mean = found.mean;
	out->weights = found.sum;
	out->error = sqrt(found.squares / (double)(n - 1) / found.sum);
	out->low = out->mean - t * out->error;
	out->high = out->mean + t * out->error;
	reach = t * sqrt(out->error * out->error + out->tau2);
	out->from = out->mean - reach;
	out->to = out->mean + reach;
	out->i2 = 100 * out->tau2 / (out->tau2 + typical_variance(variances, n));
	return 0;
}
