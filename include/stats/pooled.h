/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * One answer from many machines: a meta-analysis with random effects. Each machine has a true value
 * of its own (the logarithm of a ratio); what is wanted is their mean, and where the value of a
 * machine that was not asked lies.
 */

/* The least number of machines: with two, the interval of their mean says next to nothing. */
#define POOLED_LEAST 3

struct pooled {
	double mean, low, high; /* with its 95 % interval */
	double error;		/* the standard error that the interval is made of */
	double weights;		/* the sum of the weights, 1 / (variance + tau2) each */
	double tau2;		/* the variance of the machines' true values */
	double i2;		/* the share of all variance that is tau2, % */
	double from, to;	/* 95 % prediction interval: the true value of another machine */
};

/*
 * What one machine says: the centre of its n differences (log ratios of its pairs of trials), as
 * stats_signed_rank_interval() estimates it, and the variance of that. The interval's width tells
 * it; of fewer than STATS_LEAST_PAIRS pairs, which have none, that of their mean. 0, -ENOMEM, or
 * -EDOM: fewer than two.
 */
int pooled_machine(const double *differences, size_t n, double *estimate, double *variance);

/*
 * Pools n >= 2 estimates with their variances (> 0). tau2 is that of Paule and Mandel (Journal of
 * Research of the National Bureau of Standards 87(5), 1982), found as DerSimonian and Kacker do
 * (Contemporary Clinical Trials 28(2), 2007); the interval is that of Hartung and Knapp (Statistics
 * in Medicine 20(12), 2001); I2 that of Higgins and Thompson (the same 21(11), 2002); the
 * prediction interval that of Higgins, Thompson and Spiegelhalter (Journal of the Royal Statistical
 * Society A 172(1), 2009), with n - 1 degrees of freedom as in R's metafor. -EDOM: such they are
 * not.
 */
int pooled_estimates(const double *estimates, const double *variances, size_t n,
		     struct pooled *out);
/* The quantile 0.975 of Student's distribution; degrees >= 1. */
double pooled_student(size_t degrees);
