/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * Order statistics and paired comparison. Arrays are the caller's; those that say so are sorted in
 * place. NaN stands for "not known".
 */

/* Sorts in place, ascending. */
void stats_sort(double *x, size_t n);
/* Quantile q in [0, 1] of a sorted array, interpolated (Hyndman & Fan type 7); NaN for n == 0. */
double stats_quantile(const double *sorted, size_t n, double q);
/*
 * The quantile of an unsorted array, which it reorders. It serves one quantile of many values, in
 * time proportional to n (Hoare's FIND, CACM 4(7), 1961).
 */
double stats_select(double *x, size_t n, double q);
/* Median of a sorted array. */
double stats_median(const double *sorted, size_t n);

struct stats_interval {
	double estimate;
	double low, high; /* 95 %; NaN where the sample is too small to give one */
};

/* Fewest pairs for which the exact signed-rank interval at 95 % exists. */
#define STATS_LEAST_PAIRS 6
/* The largest n with exact distributions; beyond, normal with continuity correction. */
#define STATS_EXACT_MOST 100

/*
 * The rank, from 1 in ascending order, of the lower end of an interval. It is one of n values
 * (sign test, 95 %), or of n(n+1)/2 Walsh averages (signed-rank test). The upper end is as far from
 * the other side. 0: too few for one. level: the interval misses with at most that probability, on
 * both sides together. Beyond STATS_EXACT_MOST it is at most one above the exact one, and below it
 * at small levels.
 */
size_t stats_sign_rank(size_t n);
size_t stats_signed_rank_at(size_t n, double level);
/*
 * The level that its interval really has, at most the one that was asked for: of 6 pairs 0.031 in
 * place of 0.05. 0: there is none.
 */
double stats_signed_rank_level(size_t n, double level);

/*
 * Median with the order-statistic (sign test) interval of at least 95 %; needs 6 values.
 * Sorts x in place.
 */
struct stats_interval stats_median_interval(double *x, size_t n);

/*
 * Ratio b / a of n pairs: the Hodges-Lehmann estimate of the log ratios (median of the Walsh
 * averages) with the Wilcoxon signed-rank interval of at least 95 %, mapped back by exp.
 * Source: Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., 3.1-3.3. All
 * values must be > 0 (otherwise all NaN). Memory as n, time as n log n. Returns 0 or -ENOMEM.
 */
int stats_paired_ratio(const double *a, const double *b, size_t n, struct stats_interval *out);

/*
 * The centre of n differences: Hodges-Lehmann estimate and signed-rank interval at the level. All
 * must be finite. Memory as n, time as n log n. Returns 0 or -ENOMEM.
 */
int stats_signed_rank_interval(const double *differences, size_t n, double level,
			       struct stats_interval *out);

/* log (b / a) of each pair; -EDOM where a value is not a number above 0. */
int stats_log_ratios(const double *a, const double *b, size_t n, double *out);

/* b - a of each pair; -EDOM where a value is not finite. */
int stats_differences(const double *a, const double *b, size_t n, double *out);

/* a / b of b / a. */
struct stats_interval stats_inverse(const struct stats_interval *ratio);

/* STATS_UNPAIRED, given by others: what was not measured together has no pairs to judge. */
enum stats_verdict { STATS_TOO_FEW, STATS_NONE, STATS_A, STATS_B, STATS_UNPAIRED };

/* The verdict on which is lower: STATS_A when the whole interval of b / a lies above 1, … */
enum stats_verdict stats_verdict(const struct stats_interval *ratio);

/* Middle and width of n values, both of which up to half of them cannot move. */
struct stats_spread {
	double median;
	double deviation; /* standard deviation, from the median absolute deviation */
};

/* Spoils x; NaN for n == 0. */
struct stats_spread stats_spread(double *x, size_t n);
/*
 * How many standard deviations x lies above the median: the modified z-score of Iglewicz & Hoaglin,
 * How to Detect and Handle Outliers, 1993. Infinite where all the others are alike.
 */
double stats_modified_z(const struct stats_spread *spread, double x);

/* Crossovers of two curves over a swept variable, found from their ratios. */

struct crossover_point {
	double x;
	struct stats_interval ratio; /* b / a at x; NaN where it is not known */
};

struct crossover {
	double low, high;	   /* the lead changes between these: it is real at both */
	size_t from, to;	   /* the same as places among the points */
	enum stats_verdict before; /* which is faster at the lower one */
	double at; /* where the ratio is 1, by straight lines between the estimates' logarithms */
};

/*
 * Finds every change of a real lead along the points, which are in ascending order of x: a real
 * lead is an interval that lies beside 1. Points that have none widen the interval of a crossover
 * and never make one. Up to most are stored; returns how many there are.
 */
size_t crossover_find(const struct crossover_point *points, size_t n, struct crossover *out,
		      size_t most);
