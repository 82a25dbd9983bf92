/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_MODEL_LEAD_H
#define TUIBENCH_MODEL_LEAD_H

#include <stdint.h>

#include "model/model.h"

/* Who of several cases took the least time, and how the others stand against it. */

struct model_lead {
	uint32_t fastest;
	uint32_t others; /* so many it was compared with */
	uint32_t real;	 /* so many of them it is faster than, and that is real */
	uint32_t pairs;	 /* the least of all comparisons; UINT32_MAX without others */
	/* With the runner-up. Of two cases in their order, so that they keep their sides. */
	struct model_comparison next;
};

/*
 * Among the cases from first to last that can be compared with the first: all of them where nothing
 * is swept. Of ways to create a task only the two that the verdict is of, see
 * model_creation_verdict.h. 0 or -ENOMEM.
 */
int model_lead(const struct model *model, uint32_t first, uint32_t last, struct model_lead *out);

#endif
