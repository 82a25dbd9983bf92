/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/plan.h"
#include "html.h"
#include "svg.h"

/* One run's workers, drawn on the time scale that all cases share. */
struct timeline {
	const struct model_run *run;
	const struct plan *plan;
	struct svg_scale scale; /* ns since the run's begin */
	int64_t end_ns;
	int columns; /* of a lane: see html_lanes.h */
};

/* More workers than that are drawn as a density. */
#define TIMELINE_ROWS 48

/* The colour of what the worker does. */
const char *timeline_style(const struct plan_node *node);
/* The times at which the worker existed, since the run's begin; false if it never did. */
bool timeline_life(const struct html *html, const struct timeline *line, uint32_t index,
		   int64_t *from_ns, int64_t *to_ns);

/* How many are alive over time and where, level by level and branch by branch. 0 or -ENOMEM. */
int html_density(struct html *html, const struct timeline *line);
