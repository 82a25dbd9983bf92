/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/fault.h"
#include "core/stats.h"
#include "model/model.h"

/* Sessions in which one worker of each run commits a fault, and who survives it. */

struct model_fault {
	enum fault_kind kind;
	uint32_t trials;     /* in which it was committed */
	uint32_t workers;    /* that a run has */
	int64_t least, most; /* that survived in any of them; -1: no trial yet */
	/* that had a wrong result, -1: not known; and that did not finish */
	int64_t wrong_least, wrong_most, lost_least, lost_most;
	uint32_t left;		      /* bits of enum fault_left, of any of them */
	uint32_t told;		      /* trials in which its creator learnt of it */
	double told_ns, told_most_ns; /* how long after: the median and the longest; NaN */
};

/* Whether any run known by now was asked for one. */
bool model_has_faults(const struct model *model);
/* What the trials of a case by now tell. 0 or -ENOMEM. */
int model_fault_read(const struct model *model, uint32_t case_id, struct model_fault *out);
