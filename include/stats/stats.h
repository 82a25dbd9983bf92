/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Order statistics and paired comparison. Arrays belong to the caller; functions that reorder an
 * array say so. NaN is "unknown".
 */

/* Sorts in place, ascending. */
void stats_sort(double *x, size_t n);
/*
 * Quantile q in [0, 1] of an array sorted ascending, interpolated (Hyndman & Fan, The American
 * Statistician 50(4), 1996, type 7). NaN for n == 0.
 */
double stats_quantile(const double *sorted, size_t n, double q);
/*
 * Quantile of an unsorted array, which it reorders. Faster than sorting if only one quantile is
 * needed: time is usually proportional to n (Hoare's FIND, CACM 4(7), 1961).
 */
double stats_select(double *x, size_t n, double q);
/* Median of a sorted array. */
double stats_median(const double *sorted, size_t n);

struct stats_interval {
	double estimate;
	/* The interval, at 95 % unless said otherwise. NaN: there are too few values. */
	double low, high;
};

/* Fewest pairs for which the exact signed-rank interval at 95 % exists. */
#define STATS_LEAST_PAIRS 6
/*
 * Largest n for which the exact distribution is used. A larger n uses a normal approximation with
 * continuity correction.
 */
#define STATS_EXACT_MOST 100

/*
 * The rank of the lower end of an interval, from 1 in ascending order: among n values (sign test,
 * 95 %), or among n(n+1)/2 Walsh averages (signed-rank test). The upper end has the same rank in
 * descending order. 0: there are too few values for an interval. level: largest probability that
 * the interval misses the true value, both sides together. For n above STATS_EXACT_MOST, the rank
 * is at most one above the exact rank; at small levels it is below.
 */
size_t stats_sign_rank(size_t n);
size_t stats_signed_rank_at(size_t n, double level);
/*
 * The level that the interval really has, for 6 pairs 0.031 instead of 0.05. It never exceeds the
 * requested level, and equals that for n above STATS_EXACT_MOST. 0: there is no interval.
 */
double stats_signed_rank_level(size_t n, double level);

/*
 * The Hodges-Lehmann estimate of n values, which are sorted ascending: the median of their Walsh
 * averages. NaN for n == 0. scratch has n values.
 */
double stats_centre(const double *sorted, size_t n, double *scratch);
/*
 * Narrows *out to its part inside the signed-rank interval of n values, which are sorted ascending.
 * If an end is NaN in one of the two intervals, the end of the other is used. scratch has n values.
 */
void stats_signed_rank_narrow(const double *sorted, size_t n, double level, double *scratch,
			      struct stats_interval *out);

/*
 * Median with the order-statistic (sign test) interval of at least 95 %, which needs 6 values.
 * Sorts x.
 */
struct stats_interval stats_median_interval(double *x, size_t n);

/*
 * Ratio b / a of n pairs: the Hodges-Lehmann estimate of the log ratios (median of the Walsh
 * averages) with the Wilcoxon signed-rank interval of at least 95 %, mapped back by exp. Source:
 * Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., 3.1-3.3. All values must
 * be > 0 (otherwise all NaN). Memory is proportional to n, time to n log n. Returns 0 or -ENOMEM.
 */
int stats_paired_ratio(const double *a, const double *b, size_t n, struct stats_interval *out);

/*
 * The Hodges-Lehmann estimate of n differences, with the signed-rank interval at that level. All
 * differences must be finite. Memory is proportional to n, time to n log n. Returns 0 or -ENOMEM.
 */
int stats_signed_rank_interval(const double *differences, size_t n, double level,
			       struct stats_interval *out);

/* Writes log(b / a) of each pair. Returns 0, or -EDOM if a value is not a finite number above 0. */
int stats_log_ratios(const double *a, const double *b, size_t n, double *out);

/* Writes b - a of each pair. Returns 0, or -EDOM if a value is not finite. */
int stats_differences(const double *a, const double *b, size_t n, double *out);

/* Turns an interval of b / a into one of a / b. */
struct stats_interval stats_inverse(const struct stats_interval *ratio);

/*
 * Verdict on a comparison: too few pairs; neither side is lower; a is lower; b is lower. Callers
 * set STATS_UNPAIRED for values that were not measured in pairs.
 */
enum stats_verdict { STATS_TOO_FEW, STATS_NONE, STATS_A, STATS_B, STATS_UNPAIRED };

/*
 * Which side is lower: STATS_A if the whole interval of b / a is above 1, STATS_B if it is below.
 */
enum stats_verdict stats_verdict(const struct stats_interval *ratio);

/*
 * Middle and spread of n values, robust against outliers: if fewer than half of the values are
 * outliers, they cannot move either far.
 */
struct stats_spread {
	double median;
	double deviation; /* Standard deviation, estimated from the median absolute deviation. */
};

/* Computes the spread. Reorders and overwrites x. NaN for n == 0. */
struct stats_spread stats_spread(double *x, size_t n);
/*
 * How many standard deviations x is above the median: the modified z-score of Iglewicz & Hoaglin,
 * How to Detect and Handle Outliers, 1993. Infinite if x differs from the median, but more than
 * half of the values do not.
 */
double stats_modified_z(const struct stats_spread *spread, double x);

/* Crossovers of two curves over a swept variable, found from the curves' ratios. */

struct crossover_point {
	double x;
	struct stats_interval ratio; /* b / a at x; NaN if unknown. */
	double a, b;		     /* The heights of the two lines at x, such as medians. */
};

struct crossover {
	/*
	 * The crossover is between low and high: there, the other curve becomes the significantly
	 * faster one.
	 */
	double low, high;
	size_t from, to;	   /* low and high as indices of points. */
	enum stats_verdict before; /* The faster curve at low. */
	/*
	 * Where straight lines through the heights meet. They may not meet, because the ratios come
	 * from pairs; then, where the logarithm of the ratio's estimate becomes 0.
	 */
	double at;
};

/*
 * Finds every change of the significantly faster curve along the points, which are ascending by x.
 * A difference is significant if its interval excludes 1. A point without a significant difference
 * only widens the range from low to high. logarithmic: the lines are straight on logarithmic axes.
 * Stores up to `most` crossovers, and returns the number of all.
 */
size_t crossover_find(const struct crossover_point *points, size_t n, bool logarithmic,
		      struct crossover *out, size_t most);

/*
 * A comparison that is analysed more than once: during the session, at its planned end, and after
 * each trial that the user adds until the difference is significant. Each analysis is the exact
 * signed-rank test at its own level. The levels add up to the error that the comparison may spend.
 * By the union bound, all analyses together have at most that error, however many there are and for
 * whatever reason the session stops. The intersections of the analyses' intervals form a confidence
 * sequence. Sources: Wilcoxon, Biometrics Bulletin 1(6), 1945; Lan & DeMets, Biometrika 70(3), 1983
 * (spending of the error); Darling & Robbins, PNAS 58, 1967 (confidence sequences).
 */

/*
 * The family-wise error rate: the share of sessions that may name a false winner in any headline
 * metric.
 */
#define INTERIM_ERROR	     0.05
#define INTERIM_METRICS_MOST 4
/*
 * Number of headline metrics of a session with that number of cases. With more than eight cases
 * there is only one.
 */
uint32_t interim_metrics(uint32_t cases);

struct interim {
	/* The comparison's share of the error. All of its analyses together spend this share. */
	double share;
	uint32_t planned; /* Number of planned pairs. */
	/*
	 * Numbers of pairs at the interim analyses before the planned end; 0: no such analysis. The
	 * early analysis is significant only if all pairs favour one side.
	 */
	uint32_t early, middle;
};

/*
 * The interim analyses of one of several comparisons that share the error. left: number of these
 * comparisons that are not significant yet. Whether there are interim analyses depends only on
 * `comparisons`, so no analysis becomes stricter as `left` falls.
 */
struct interim interim_plan(double error, uint32_t planned, uint32_t comparisons, uint32_t left);
/*
 * A joint analysis of several comparisons after six pairs: all comparisons are significant if in
 * each of them all pairs favour one side. If one comparison has no true difference, that happens at
 * most as often as it would happen in that comparison alone. So all comparisons together spend only
 * one level, the smallest that six pairs allow. Returns the error that the analysis spends; 0 if
 * the remaining error would be too small for interim analyses.
 */
double interim_joint(double error, uint32_t planned, uint32_t comparisons);
/*
 * The two-sided level of the analysis after n pairs; 0: no analysis. end: number of pairs when all
 * planned trials had ended, which is below the plan if some trials failed; 0: they have not ended.
 * Beyond the plan, there is an analysis after each pair up to 1,024 pairs, and from then on 16
 * analyses for each doubling of the number of pairs.
 */
double interim_level(const struct interim *interim, uint32_t end, uint32_t n);
/*
 * The least number of planned trials with which a comparison can become significant, if
 * `comparisons` share the error.
 */
uint32_t interim_least(double error, uint32_t comparisons);
/*
 * The ratio of n pairs from their logarithms: estimate and confidence sequence. Once an analysis
 * has found a significant difference, the interval excludes 1. Before the first analysis, the
 * interval has no ends. If the intervals of several analyses have no common part, the result is the
 * gap between them. The estimate is never outside the interval. Returns 0 or -ENOMEM.
 */
int interim_ratio(const struct interim *interim, uint32_t end, const double *log_ratios, uint32_t n,
		  struct stats_interval *out);
/*
 * Like interim_ratio(), for differences that are not logarithms: the difference is significant if
 * the interval excludes 0. Returns 0 or -ENOMEM.
 */
int interim_difference(const struct interim *interim, uint32_t end, const double *differences,
		       uint32_t n, struct stats_interval *out);

/*
 * All comparisons that a session makes in one metric. The share of sessions in which any of them
 * names a false winner is at most `error`, by Holm's procedure over the interim analyses of each.
 * First, every comparison gets an equal share of the error. Comparisons that are significant with
 * that share are removed, and the remaining ones share the error among fewer, until no more are
 * significant. A significant comparison stays significant, whatever follows. Members that are
 * judged together have a joint analysis, see interim_joint(). If that finds them significant, the
 * others share all of the error: either all joint members truly differ, or the session has a false
 * winner already. Otherwise all members share the error that the joint analysis leaves. Source:
 * Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics
 * 6(2), 1979.
 */

struct family_member {
	/*
	 * Log ratios, or differences, of the pairs in the order of their trials. Owned by the
	 * caller.
	 */
	const double *differences;
	uint32_t n;   /* Number of pairs. */
	uint32_t end; /* Number of pairs at the planned end, see interim_level(). */
	bool joint;   /* The member is judged together with the other joint members. */
	/*
	 * Results. left: number of comparisons that were not significant yet when this one was
	 * judged. real: this comparison is significant.
	 */
	uint32_t left;
	bool real;
	bool together; /* Result: the joint analysis found this comparison significant. */
};

struct family {
	/*
	 * error: that of the whole family. spent: the part of it that the joint analysis has used.
	 */
	double error, spent;
	uint32_t planned, size;
	struct family_step *steps; /* Critical ranks, computed when first needed. */
};

/*
 * Makes a family. Returns 0 or -ENOMEM; call family_free() in both cases. family_read() may not be
 * called for a family without comparisons.
 */
int family_make(struct family *family, double error, uint32_t planned, uint32_t size);
void family_free(struct family *family);
/* Sets the results of all family->size members. Returns 0 or -ENOMEM. */
int family_read(struct family *family, struct family_member *members);
/* The interim analyses by which the member's result was decided. */
struct interim family_interim(const struct family *family, const struct family_member *member);
/*
 * The interval that agrees with the member's result, computed by interim_ratio() or
 * interim_difference().
 */
int family_interval(const struct family *family, const struct family_member *member,
		    bool differences, struct stats_interval *out);
/* The confidence level of the interval of family_interval(). */
double family_level(const struct family *family, const struct family_member *member);

/*
 * Amdahl's law (AFIPS 1967): how the time of a work falls with the number of cores. If a fraction
 * `serial` of the work is serial, and all of the work takes t on one core, it takes t (1 + serial
 * (n - 1)) / n on n cores.
 */

/* Whether the serial fraction is known, or why it is not. */
enum amdahl_state {
	AMDAHL_KNOWN,
	AMDAHL_FEW_POINTS, /* fewer than 3 numbers of cores */
	AMDAHL_FEW_TRIALS, /* the trials are too few for an interval */
	AMDAHL_VAGUE,	   /* the interval is too wide to be useful */
};

struct amdahl {
	enum amdahl_state state;
	size_t points, trials;
	struct stats_interval serial; /* Serial fraction, 0 to 1; NaN if unknown. */
	/* The largest deviation of a median from the law, as a fraction of the law's value. */
	double misfit;
};

enum { AMDAHL_POINTS = 64 };

/*
 * Fits the law to each trial by least squares of relative errors. The result is the Hodges-Lehmann
 * estimate of the trials' fractions, with its 95 % signed-rank interval. Each trial has a fit of
 * its own, because trials are independent of one another, but the points of one trial are not.
 * times[trial * n + point] may be NaN; that trial then has fewer points. n is at most
 * AMDAHL_POINTS. Returns 0 or -ENOMEM.
 */
int amdahl_fit(const double *cores, size_t n, const double *times, size_t trials,
	       struct amdahl *out);
/*
 * The speedup by the law: how many times as fast as on one core. NaN if the serial fraction is
 * unknown.
 */
double amdahl_speedup(const struct amdahl *amdahl, double cores);
/*
 * Why the serial fraction is unknown: "needs at least 3 core counts, not 2"; "" if it is
 * known. Returns buf.
 */
char *amdahl_why(const struct amdahl *amdahl, char *buf, size_t size);

/*
 * One answer from many machines: a meta-analysis with random effects. Each machine has a true value
 * of its own, the logarithm of a ratio. The analysis estimates the mean of these values, and an
 * interval for the value of another machine.
 */

/*
 * Fewest machines for a pooled answer. With two, the interval of their mean would be too wide to be
 * useful.
 */
#define POOLED_LEAST 3

struct pooled {
	double mean, low, high; /* The mean with its 95 % interval. */
	double error, degrees;	/* Standard error and degrees of freedom of the interval. */
	double weights;		/* Sum of the weights; each weight is 1 / (variance + tau2). */
	double tau2;		/* Variance of the machines' true values. */
	double i2;		/* The part of the total variance that lies between machines, %. */
	double from, to; /* 95 % prediction interval for the true value of another machine. */
};

/*
 * The result of one machine: the centre of its n differences (log ratios of its pairs of trials),
 * as stats_signed_rank_interval() estimates it, and the variance of that estimate. The variance is
 * derived from the interval's width at its exact level. With fewer than STATS_LEAST_PAIRS pairs
 * there is no interval, so the variance of the mean is used. Returns 0, -ENOMEM, or -EDOM for fewer
 * than two differences.
 */
int pooled_machine(const double *differences, size_t n, double *estimate, double *variance);

/*
 * The kind of standard error. POOLED_HARTUNG_KNAPP (Statistics in Medicine 20(12), 2001) treats the
 * variances as known, with n - 1 degrees of freedom, as R's metafor does. POOLED_ROBUST is valid
 * for any weights: it is the estimate of Bell and McCaffrey (Survey Methodology 28(2), 2002) with
 * Satterthwaite's degrees of freedom, as Tipton proposes for meta-analyses (Psychological Methods
 * 20(3), 2015). If variances are estimated from few pairs, only POOLED_ROBUST still covers 95 %.
 */
enum pooled_by { POOLED_HARTUNG_KNAPP, POOLED_ROBUST };

/*
 * Pools n >= 2 estimates with their variances (> 0). tau2 is the estimate of Paule and Mandel
 * (Journal of Research of the National Bureau of Standards 87(5), 1982), computed by the method of
 * DerSimonian and Kacker (Contemporary Clinical Trials 28(2), 2007). i2 is that of Higgins and
 * Thompson (Statistics in Medicine 21(11), 2002). The prediction interval is that of Higgins,
 * Thompson and Spiegelhalter (Journal of the Royal Statistical Society A 172(1), 2009), but with
 * the degrees of freedom of the interval, as in metafor. Returns 0, or -EDOM if an argument is not
 * allowed.
 */
int pooled_estimates(const double *estimates, const double *variances, size_t n, enum pooled_by by,
		     struct pooled *out);
/*
 * The quantile 1 - level / 2 of Student's distribution. degrees must be >= 1; between whole numbers
 * the result is within 3 %.
 */
double pooled_student(double degrees, double level);
