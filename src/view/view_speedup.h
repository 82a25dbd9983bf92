/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/plot.h"
#include "result/finding.h"
#include "model/model.h"
#include "result/report.h"
#include "view_parts.h"

/* The Curve of a sweep of cores as speed-ups: how many times as fast as on the fewest. */

struct view_speedup {
	struct curve curve; /* of the same lines; medians are speed-ups, least and most intervals */
	struct model_speedup line[CURVE_LINES];
	char answer[SPEEDUP_TEXT];
};

/* Where numbers of cores are on the canvas. */
struct view_speedup_place {
	struct canvas *canvas;
	struct rect plot;
	int from, to; /* columns of the fewest and the most cores */
	const struct scale *x, *y;
};

/* Whether the curve's values are numbers of cores, and there are speed-ups. */
bool view_speedup_offered(const struct curve *curve);
/* Reads the lines of the times. 0 or -ENOMEM. */
int view_speedup_read(struct view_speedup *speedup, const struct model *model,
		      const struct curve *times);
/* As many times as there are cores, as in the table: efficiency is a share of it. */
double view_speedup_ideal(const struct curve *curve, uint32_t value);
struct scale view_speedup_scale(const struct curve *curve, bool logarithm);
void view_speedup_draw_ideal(const struct view_speedup_place *place);
void view_speedup_draw_law(const struct view_speedup_place *place, const struct model_speedup *line,
			   struct style style);
