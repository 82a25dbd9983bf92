/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stats/stats.h"

/*
 * A comparison that is looked at more than once: while it goes on, at its planned end, and after
 * each trial that somebody adds until it is real. Each look is the exact signed-rank test at a
 * level of its own. The levels add up to the share of the error that the comparison may spend, so
 * that by the union bound all looks together err no more often, however many there are and for
 * whatever reason it stops. The intervals of the looks, one through the other, make a confidence
 * sequence.
 * Sources: Wilcoxon, Biometrics Bulletin 1(6), 1945; Lan & DeMets, Biometrika 70(3), 1983 (spending
 * of the error); Darling & Robbins, PNAS 58, 1967 (confidence sequences).
 */

/* How often a session may name a false winner, in all headline metrics of its answer together. */
#define LOOKS_ERROR	   0.05
#define LOOKS_METRICS_MOST 4
/* The headline metrics of so many cases: of more than eight the first alone. */
uint32_t looks_metrics(uint32_t cases);

struct looks {
	double share;	  /* of the error, for all looks together */
	uint32_t planned; /* pairs */
	/*
	 * Interim looks before the planned end; 0: there is none. At the early one all pairs are on
	 * one side.
	 */
	uint32_t early, middle;
};

/*
 * The looks of one of a number of comparisons that share that error, as long as there are so many
 * left of which none is real. Whether there is an early look depends on their number alone, so that
 * with fewer left no look is stricter.
 */
struct looks looks_plan(double error, uint32_t planned, uint32_t comparisons, uint32_t left);
/*
 * A look for several comparisons at once: after six pairs all of them are real if in each of them
 * all pairs are on one side. Where one of them does not differ in truth, this happens no more often
 * than with that one alone, so that one level, the least of six pairs, pays for all. What of the
 * error it takes; 0: with the rest nothing could be found in so few planned pairs.
 */
double looks_joint(double error, uint32_t planned, uint32_t comparisons);
/*
 * The level of the look after n pairs, two-sided; 0: there is none. end: the pairs there were when
 * all planned trials had ended, fewer than planned where some failed; 0: they have not ended.
 */
double looks_level(const struct looks *looks, uint32_t end, uint32_t n);
/* The least number of planned trials with which one of so many that share an error can be real. */
uint32_t looks_least(double error, uint32_t comparisons);
/*
 * The ratio of n pairs by their logarithms, estimate and confidence sequence: it excludes 1 when
 * a look so far has rejected. Before the first look it has no ends. Looks that contradict one
 * another leave what lies between them. The estimate is never outside. 0 or -ENOMEM.
 */
int looks_ratio(const struct looks *looks, uint32_t end, const double *log_ratios, uint32_t n,
		struct stats_interval *out);
/* The same of differences that are no logarithms: it leaves 0 out. 0 or -ENOMEM. */
int looks_difference(const struct looks *looks, uint32_t end, const double *differences, uint32_t n,
		     struct stats_interval *out);
