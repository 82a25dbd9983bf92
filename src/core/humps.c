/* SPDX-License-Identifier: MIT */
#include "core/humps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/stats.h"

/* The smaller hump is a fifth at least; a tenth at either end is left out, and may lie far. */
#define LEAST_PART 5
#define LEFT_OUT   10
/* A smaller distance between the humps is worth no word. */
#define APART 1.1

/* Two groups of sorted values: the first so many and the others. */
struct split {
	size_t first;
	double between; /* variance between the groups over that within; 0: none */
};

/* The best of all ways to cut x in two. */
static struct split best_split(const double *x, size_t n)
{
	struct split best = {0, 0};
	double mean = 0, all = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		all += (x[i] - mean) * (x[i] - mean);
	for (size_t i = 1; i < n; i++) {
		double part = (double)i, between;

		sum += x[i - 1] - mean;
		between = sum * sum * (double)n / (part * ((double)n - part));
		between = all - between > 1e-9 * all ? between / (all - between) : 1e9;
		if (all > 0 && between > best.between)
			best = (struct split) {i, between};
	}
	return best;
}

/*
 * The dip by algorithm AS 217 (Applied Statistics 34, 1985), as corrected by Maechler: the modal
 * interval narrows until the distribution nowhere lies farther from its hull within it.
 */
struct dip {
	const double *x;
	size_t n, low, high;	     /* the modal interval */
	size_t *down, *up;	     /* next on the convex minorant, on the concave majorant */
	size_t *minorant, *majorant; /* those between high and low, between low and high */
	size_t n_minorant, n_majorant;
	size_t at_minorant, at_majorant; /* where the hull is widest */
};

/* Whether b lies inside the hull from a over b to c, up from below or down from above. */
static bool is_inside(const double *x, size_t a, size_t b, size_t c)
{
	return (x[c] - x[b]) * ((double)b - (double)a) >= (x[b] - x[a]) * ((double)c - (double)b);
}

static void find_hull(struct dip *dip)
{
	size_t last = dip->n - 1;

	dip->down[0] = 0;
	for (size_t i = 1; i <= last; i++) {
		size_t *next = &dip->down[i];

		for (*next = i - 1; *next > 0 && is_inside(dip->x, dip->down[*next], *next, i);)
			*next = dip->down[*next];
	}
	dip->up[last] = last;
	for (size_t i = last; i-- > 0;) {
		size_t *next = &dip->up[i];

		for (*next = i + 1; *next < last && is_inside(dip->x, dip->up[*next], *next, i);)
			*next = dip->up[*next];
	}
}

/* How far the line from a to c lies from the steps of the distribution at b, in steps. */
static double line_from(const struct dip *dip, size_t a, size_t b, size_t c)
{
	const double *x = dip->x;

	return (x[b] - x[a]) * ((double)c - (double)a) / (x[c] - x[a]) - ((double)b - (double)a);
}

/* The greatest distance between the hulls, and where it is. */
static double widest(struct dip *dip)
{
	const size_t *below = dip->minorant, *above = dip->majorant;
	size_t i = dip->n_minorant - 1, j = 1;
	double width = 0;

	dip->at_minorant = i;
	dip->at_majorant = dip->n_majorant - 1;
	if (dip->n_minorant == 2 && dip->n_majorant == 2)
		return 1;
	do {
		bool is_above = below[i - 1] > above[j];
		double here = is_above ? 1 - line_from(dip, below[i], above[j], below[i - 1])
				       : 1 + line_from(dip, above[j - 1], below[i - 1], above[j]);

		if (here >= width) {
			width = here;
			dip->at_minorant = is_above ? i : i - 1;
			dip->at_majorant = j;
		}
		if (is_above && j + 1 < dip->n_majorant)
			j++;
		else if (!is_above && i > 1)
			i--;
	} while (below[i - 1] != above[j]);
	return width;
}

/* The greatest distance of the steps from one side of the hull between a and c. */
static double farthest(const struct dip *dip, size_t a, size_t c, int side)
{
	double most = 1;

	for (size_t b = a; c - a > 1 && b <= c; b++)
		most = fmax(most, 1 + side * line_from(dip, a, b, c));
	return most;
}

/* Below the modal interval the minorant counts, above it the majorant. */
static double outside(const struct dip *dip)
{
	double most = 1;

	for (size_t i = dip->at_minorant; i + 1 < dip->n_minorant; i++)
		most = fmax(most, farthest(dip, dip->minorant[i + 1], dip->minorant[i], -1));
	for (size_t i = dip->at_majorant; i + 1 < dip->n_majorant; i++)
		most = fmax(most, farthest(dip, dip->majorant[i], dip->majorant[i + 1], 1));
	return most;
}

static double narrow(struct dip *dip)
{
	double most = 1;

	for (;;) {
		size_t low, high;

		/*
		 * The parts of both hulls between low and high; each begins at its own end of them.
		 */
		size_t *at = dip->minorant;

		for (*at = dip->high; *at > dip->low; at++)
			at[1] = dip->down[*at];
		dip->n_minorant = (size_t)(at - dip->minorant) + 1;
		for (at = dip->majorant, *at = dip->low; *at < dip->high; at++)
			at[1] = dip->up[*at];
		dip->n_majorant = (size_t)(at - dip->majorant) + 1;
		if (widest(dip) < most)
			break;
		most = fmax(most, outside(dip));
		low = dip->minorant[dip->at_minorant];
		high = dip->majorant[dip->at_majorant];
		if (low == dip->low && high == dip->high)
			break;
		dip->low = low;
		dip->high = high;
	}
	return most / (2 * (double)dip->n);
}

double humps_dip(const double *x, size_t n)
{
	size_t *room = reallocarray(NULL, 4 * n, sizeof(*room));
	struct dip dip = {.x = x, .n = n, .high = n - 1};
	double most;

	if (!room)
		return NAN;
	dip.down = room;
	dip.up = room + n;
	dip.minorant = room + 2 * n;
	dip.majorant = room + 3 * n;
	find_hull(&dip);
	most = narrow(&dip);
	free(room);
	return most;
}

/* Values that a clock's steps made equal are spread evenly to halfway on either side. */
static void spread_ties(double *x, size_t n)
{
	double before = n > 0 ? x[0] : 0;

	for (size_t i = 0, end; i < n; i = end) {
		double value = x[i], low, high;

		for (end = i + 1; end < n && x[end] == value;)
			end++;
		low = i > 0 ? (before + value) / 2 : value;
		high = end < n ? (value + x[end]) / 2 : value;
		before = value;
		for (size_t j = i; end - i > 1 && j < end; j++)
			x[j] = low + (high - low) * ((double)(j - i) + 0.5) / (double)(end - i);
	}
}

/* From so many values on, what the statistic of one hump exceeds in 1 of 200 samples. */
struct critical {
	size_t n;
	double value;
};

/*
 * Simulated with 20,000 samples each; the greatest of those of uniform, normal, exponential,
 * lognormal and Laplace values, and of a constant with lognormal delays. The dip's, times the root
 * of n, is that of uniform values.
 */
static const struct critical groups[] = {{8, 44},  {10, 55},  {12, 25}, {15, 17.5},
					 {20, 13}, {30, 8.2}, {40, 7},	{50, 6.2}};
#define DIP_LEAST 100
#define DIP_VALUE 0.64

static double critical(size_t n)
{
	double value = INFINITY;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		value = n >= groups[i].n ? groups[i].value : value;
	return value;
}

/* Whether one hump alone can hardly be it; x are the sorted logarithms. -ENOMEM. */
static int not_one(double *x, size_t n, const struct split *split)
{
	double dip;

	if (n < DIP_LEAST)
		return split->between > critical(n);
	spread_ties(x, n);
	dip = humps_dip(x, n);
	return isnan(dip) ? -ENOMEM : dip * sqrt((double)n) > DIP_VALUE;
}

/* Fills in where the sample is cut, whatever it is; false where it cannot be two humps. */
static bool cut(const double *x, const double *logs, size_t n, struct split *split,
		struct humps *out)
{
	size_t off = n / LEFT_OUT, rest;

	*split = best_split(logs + off, n - 2 * off);
	split->first += off;
	rest = n - split->first;
	if (split->between == 0 || split->first * LEAST_PART < n || rest * LEAST_PART < n)
		return false;
	*out = (struct humps) {
		.low = stats_median(x, split->first),
		.high = stats_median(x + split->first, rest),
		.share = (double)rest / (double)n,
	};
	return out->high >= APART * out->low;
}

int humps_find(double *x, size_t n, struct humps *out)
{
	struct split split;
	double *logs;
	int two = 0;

	*out = (struct humps) {.low = NAN, .high = NAN, .share = NAN};
	stats_sort(x, n);
	if (n < HUMPS_LEAST || !(x[0] > 0))
		return 0;
	logs = malloc(n * sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	if (cut(x, logs, n, &split, out))
		two = not_one(logs, n, &split);
	free(logs);
	out->two = two > 0;
	if (!out->two)
		out->low = out->high = out->share = NAN;
	return two < 0 ? two : 0;
}
