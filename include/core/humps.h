/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a sample is a mixture of two: its median then lies between two humps and is the time of
 * nobody. Judged are the logarithms, so that times may differ in proportion.
 */

/* Fewest values of which it can be said. */
#define HUMPS_LEAST 8

struct humps {
	bool two;
	double low, high; /* medians of the two; NaN where there is one */
	double share;	  /* of the values, in the upper one */
};

/*
 * Two humps where each has a fifth of the values or more, their medians are a tenth apart, and one
 * hump alone would make such a sample in less than 1 of 100: below 100 values by the variance
 * between the best two groups over that within them (Engelman & Hartigan, JASA 64, 1969), from 100
 * on by the dip (Hartigan & Hartigan, Annals of Statistics 13, 1985). Sorts x in place; all values
 * have to be above 0. 0 or -ENOMEM.
 */
int humps_find(double *x, size_t n, struct humps *out);

/*
 * The dip of n sorted values that all differ, 2 or more: how far their distribution lies from the
 * nearest one with a single hump, 0 … 0.25. NaN where there is too little memory.
 */
double humps_dip(const double *sorted, size_t n);
