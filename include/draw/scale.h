/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An axis of values, linear or logarithmic, and where its labels stand. Pure. */

enum { SCALE_TICKS = 32 };

struct scale {
	double low, high; /* low < high; above 0 where log */
	bool log;
	bool binary; /* ticks at powers of two rather than of ten */
};

/* A unit of time in ns, or of memory in KiB where the scale is binary. */
struct scale_unit {
	double size;
	const char *name;
};

/* The one in which figures about as high as value are short. */
const struct scale_unit *scale_unit(double value, bool binary);
/* The place of a value from low to high, 0 … 1 and beyond; NaN where it has none. */
double scale_share(const struct scale *scale, double value);
/* Ascending round values within the scale, about so many at most; returns how many. */
int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS]);
/* A scale from 0 to the next round number above value > 0. */
struct scale scale_from_zero(double value, bool binary);
/* A scale from least to most, 0 < least ≤ most, with a little air on either side. */
struct scale scale_log(double least, double most, bool binary);
