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
	double error, degrees;	/* the standard error and the degrees of freedom of the interval */
	double weights;		/* the sum of the weights, 1 / (variance + tau2) each */
	double tau2;		/* the variance of the machines' true values */
	double i2;		/* the share of all variance that is tau2, % */
	double from, to;	/* 95 % prediction interval: the true value of another machine */
};

/*
 * What one machine says: the centre of its n differences (log ratios of its pairs of trials), as
 * stats_signed_rank_interval() estimates it, and the variance of that. The interval's width tells
 * it, at the level that the interval really has; of fewer than STATS_LEAST_PAIRS pairs, which have
 * none, that of their mean. 0, -ENOMEM, or -EDOM: fewer than two.
 */
int pooled_machine(const double *differences, size_t n, double *estimate, double *variance);

/*
 * Whose standard error. That of Hartung and Knapp (Statistics in Medicine 20(12), 2001) takes the
 * variances for known, n - 1 degrees of freedom, and is what R's metafor has. The robust one takes
 * the weights for any numbers: that of Bell and McCaffrey (Survey Methodology 28(2), 2002), with
 * Satterthwaite's degrees of freedom, as Tipton has it for meta-analyses (Psychological Methods
 * 20(3), 2015). Where variances are estimated from few pairs, only it keeps its 95 %.
 */
enum pooled_by { POOLED_HARTUNG_KNAPP, POOLED_ROBUST };

/*
 * Pools n >= 2 estimates with their variances (> 0). tau2 is that of Paule and Mandel (Journal of
 * Research of the National Bureau of Standards 87(5), 1982), found as DerSimonian and Kacker do
 * (Contemporary Clinical Trials 28(2), 2007); I2 that of Higgins and Thompson (Statistics in
 * Medicine 21(11), 2002); the prediction interval that of Higgins, Thompson and Spiegelhalter
 * (Journal of the Royal Statistical Society A 172(1), 2009), with the interval's degrees of
 * freedom, as in metafor. -EDOM: such they are not.
 */
int pooled_estimates(const double *estimates, const double *variances, size_t n, enum pooled_by by,
		     struct pooled *out);
/*
 * The quantile 1 - level / 2 of Student's distribution; degrees >= 1, between whole numbers
 * within 3 %.
 */
double pooled_student(double degrees, double level);
