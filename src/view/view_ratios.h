/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/plot.h"
#include "result/finding.h"

/*
 * The ratio of the two lines of a Curve at each value, on an axis with 1 in its middle. On an axis
 * from 0, lines with differences of a few per cent look like a single line.
 */

enum { RATIO_WORKS = 4, RATIOS_TITLE = 1, RATIOS_LEAST = 5, RATIOS_AXIS = 1 };

struct ratios {
	char work[SAMPLE_LABEL]; /* Kind of work; "" if the work does not vary. */
	uint32_t n;		 /* Number of values; 0: the curve has no two lines to compare. */
	uint32_t cases[2];	 /* The first case of each line. */
	enum model_metric metric;
	double least, most; /* The range of the medians; least is INFINITY without a median. */
	struct ratio_point {
		double number; /* The value of the setting, also as text. */
		char text[SAMPLE_LABEL];
		/*
		 * Second line / first line. Until there is an interval, the ends are the least and
		 * the greatest trial's ratio, from three trials on; NaN before.
		 */
		struct stats_interval ratio;
		bool decided; /* The ends are the interval's. */
		bool real;    /* The interval excludes 1. */
	} point[CURVE_VALUES];
};

/* Reads the ratios of a curve. Returns 0 or -ENOMEM. */
int ratios_read(struct ratios *ratios, const struct model *model, const struct curve *curve);
/*
 * The ratio at the upper end of the axis: at least `bound`, which is 0 at first. Every real ratio
 * and most of the others are within the axis.
 */
double ratios_bound(const struct ratios *list, uint32_t n, double bound);
/*
 * Draws each kind of work beside the next. The first line has the titles. `rect` has the
 * columns of the Curve's plot; the labels of the axis are to its left. scale: the x axis. Several
 * kinds of work have too little room for it: their values are evenly spaced, with labels in the
 * last line.
 */
void ratios_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		 const struct ratios *list, uint32_t n, const struct scale *scale, double bound);
