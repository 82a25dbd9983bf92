/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/plan.h"

/*
 * The time of each kind of work in a run: from the opening of the gate, where there is none from
 * the run's begin, until the last worker of the kind had finished its work. It is what the rows of
 * workers and totals say, so that recordings of every version have it.
 */

struct model;
struct model_run;

struct model_kinds {
	double ns[WORK_KINDS]; /* NaN: no such worker, or the finish of one is not known */
};

/* Those of a run that has ended. */
struct model_kinds model_kinds_make(const struct model *model, const struct model_run *run);
