/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Order statistics and paired comparison. Arrays are the caller's; functions that sort them say so.
 * NaN is "not known".
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

/* STATS_UNPAIRED is set by callers, for values that were not measured in pairs. */
enum stats_verdict { STATS_TOO_FEW, STATS_NONE, STATS_A, STATS_B, STATS_UNPAIRED };

/* The verdict on which is lower: STATS_A when the whole interval of b / a lies above 1, … */
enum stats_verdict stats_verdict(const struct stats_interval *ratio);

/* Middle and width of n values, robust against up to half of the values. */
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
	size_t from, to;	   /* the same as indices of points */
	enum stats_verdict before; /* which is faster at the lower one */
	double at; /* crossing at ratio 1, by straight lines between the estimates' logarithms */
};

/*
 * Finds every change of a real lead along the points, which are in ascending order of x: a real
 * lead is an interval that lies beside 1. Points that have none widen the interval of a crossover
 * and never make one. Up to most are stored; returns how many there are.
 */
size_t crossover_find(const struct crossover_point *points, size_t n, struct crossover *out,
		      size_t most);

/*
 * A comparison that is analysed more than once: during the session, at its planned end, and after
 * each trial that somebody adds until the difference is significant. Each analysis is the exact
 * signed-rank test at a level of its own. The levels add up to the error that the comparison may
 * spend. By the union bound, all analyses together therefore err no more often, however many there
 * are and for whatever reason the session stops. The intersections of the analyses' intervals make
 * a confidence sequence. Sources: Wilcoxon, Biometrics Bulletin 1(6), 1945; Lan & DeMets,
 * Biometrika 70(3), 1983 (spending of the error); Darling & Robbins, PNAS 58, 1967 (confidence
 * sequences).
 */

/* How often a session may name a false winner, in all headline metrics of its answer together. */
#define INTERIM_ERROR	     0.05
#define INTERIM_METRICS_MOST 4
/* Number of headline metrics of a session with that many cases; 1 of more than eight. */
uint32_t interim_metrics(uint32_t cases);

struct interim {
	double share;	  /* share of the error, for all analyses together */
	uint32_t planned; /* pairs */
	/*
	 * Interim analyses before the planned end; 0: there is none. At the early one all pairs are
	 * on one side.
	 */
	uint32_t early, middle;
};

/*
 * The interim analyses of one of several comparisons that share the error, while `left` of them are
 * not yet significant. Whether there is an early analysis depends on `comparisons` alone, so no
 * analysis becomes stricter as left falls.
 */
struct interim interim_plan(double error, uint32_t planned, uint32_t comparisons, uint32_t left);
/*
 * An analysis for several comparisons at once: after six pairs all of them are significant if in
 * each comparison all pairs are on one side. If one of them has no true difference, this happens no
 * more often than with that one alone. So one level, the least of six pairs, pays for all. Returns
 * the error that the analysis spends; 0 if the rest could then find nothing in so few planned
 * pairs.
 */
double interim_joint(double error, uint32_t planned, uint32_t comparisons);
/*
 * The level of the analysis after n pairs, two-sided; 0: there is none. end: the pairs there were
 * when all planned trials had ended, fewer than planned where some failed; 0: they have not ended.
 */
double interim_level(const struct interim *interim, uint32_t end, uint32_t n);
/* The least planned trials with which one of `comparisons` that share an error can be real. */
uint32_t interim_least(double error, uint32_t comparisons);
/*
 * The ratio of n pairs by their logarithms, estimate and confidence sequence: it excludes 1 when
 * an analysis so far has rejected. Before the first analysis it has no ends. Analyses that
 * contradict one another leave what lies between them. The estimate is never outside. 0 or -ENOMEM.
 */
int interim_ratio(const struct interim *interim, uint32_t end, const double *log_ratios, uint32_t n,
		  struct stats_interval *out);
/*
 * The same for differences that are no logarithms: significant if the interval excludes 0. 0 or
 * -ENOMEM.
 */
int interim_difference(const struct interim *interim, uint32_t end, const double *differences,
		       uint32_t n, struct stats_interval *out);

/*
 * All comparisons that a session makes in one metric. Together they name a false winner in at most
 * the share of sessions that is their error, by Holm's steps over the interim analyses of each. The
 * significant ones at an equal share of the error are taken out; the rest shares the error among
 * fewer, until no more are significant. A significant comparison remains so, whatever comes later.
 * Members that are judged together have an analysis of their own, see interim_joint(). If it finds
 * them significant, the rest shares all of the error, as no claim about them could be false by that
 * analysis; else all members share the error that it leaves. Source: Holm, A Simple Sequentially
 * Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6(2), 1979.
 */

struct family_member {
	/* Log ratios, or differences, of the pairs in the order of their trials; the caller's. */
	const double *differences;
	uint32_t n;   /* pairs */
	uint32_t end; /* as of interim_level() */
	bool joint;   /* judged together with the others that are */
	/* Found: the comparisons that were left at its step, and whether it was taken out there. */
	uint32_t left;
	bool real;
	bool together; /* significant by the joint analysis */
};

struct family {
	double error, spent; /* and what of it a joint analysis has taken from the rest */
	uint32_t planned, size;
	struct family_step *steps; /* critical ranks, found when they are asked for */
};

/* 0 or -ENOMEM; free in both cases. A family without comparisons has nothing to read. */
int family_make(struct family *family, double error, uint32_t planned, uint32_t size);
void family_free(struct family *family);
/* Fills the results of all family->size members. 0 or -ENOMEM. */
int family_read(struct family *family, struct family_member *members);
/* The interim analyses that decided a member's result. */
struct interim family_interim(const struct family *family, const struct family_member *member);
/* The interval that agrees with a member's result: interim_ratio(), interim_difference(). */
int family_interval(const struct family *family, const struct family_member *member,
		    bool differences, struct stats_interval *out);
/* The probability with which that interval holds. */
double family_level(const struct family *family, const struct family_member *member);

/*
 * How the time of the same work falls with the number of cores, by Amdahl's law (AFIPS 1967): a
 * fraction of the work is serial, so that on n cores it takes t (1 + serial (n - 1)) / n.
 */

/* Why there is no serial fraction. */
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
/* "needs at least 3 numbers of cores, not 2"; "" where it is known. Returns buf. */
char *amdahl_why(const struct amdahl *amdahl, char *buf, size_t size);

/*
 * One answer from many machines: a meta-analysis with random effects. Each machine has a true value
 * of its own (the logarithm of a ratio). Wanted are the mean of the true values, and the interval
 * in which the value of a further machine lies.
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
 * The result of one machine: the centre of its n differences (log ratios of its pairs of trials),
 * as stats_signed_rank_interval() estimates it, and the variance of that estimate. The variance is
 * derived from the interval's width at its exact level. With fewer than STATS_LEAST_PAIRS pairs
 * there is no interval, so it is the variance of the mean. 0, -ENOMEM, or -EDOM: fewer than two.
 */
int pooled_machine(const double *differences, size_t n, double *estimate, double *variance);

/*
 * The kind of standard error. Hartung and Knapp (Statistics in Medicine 20(12), 2001) treat the
 * variances as known, with n - 1 degrees of freedom, as R's metafor does. The robust one lets the
 * weights be any numbers: by Bell and McCaffrey (Survey Methodology 28(2), 2002), with
 * Satterthwaite's degrees of freedom, as Tipton proposes for meta-analyses (Psychological Methods
 * 20(3), 2015). If variances are estimated from few pairs, only the robust one keeps its 95 %.
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
