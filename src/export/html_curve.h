/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/curve.h"
#include "html.h"

/* One metric of a sweep, as the Curve view reads it, drawn into part of a figure. */

#define HTML_CURVE_NAMES 118 /* room for those of the lines, at the right */

struct rectangle {
	double x, y, w, h;
};

/* The curve has something to draw. */
bool html_curve_known(const struct curve *curve);
/*
 * A line for each model through its medians on the range of its trials, with the crossovers; named
 * at their right ends or not. The curve is known and has two values or more.
 */
void html_curve(struct html *html, const struct curve *curve, const struct rectangle *place,
		bool names);
