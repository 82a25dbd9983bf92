/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/model.h"

/*
 * What makes the figures of a session doubtful, as of now, and what to do about it: judged by the
 * counted runs that have ended, so that it changes only when one ends. Of each kind at most one
 * for a session, about the case or the run where it is worst.
 */
enum model_warning_kind {
	WARNING_FIRST,	   /* a case's first trial is far slower than the others */
	WARNING_OUTLIERS,  /* other trials lie far from the rest */
	WARNING_BUSY,	   /* other programs used the cores */
	WARNING_STEAL,	   /* the host of a virtual machine withheld them */
	WARNING_FREQUENCY, /* the clock of the cores changed */
	WARNINGS
};

/* What was seen; report/warning.h says it in words. */
struct model_warning {
	enum model_warning_kind kind;
	const struct model_origin *origin; /* the recording; NULL: there is one session */
	/* Of trials that lie far out the farthest: so many there are, and of so many of its case.
	 */
	uint32_t n, case_id, trials;
	double took, median; /* ns */
	/* Of the cores' time, in all runs together, or in a trial of the case; 0: in all. */
	double percent;
	uint32_t trial;
	int32_t cpu, low_mhz, high_mhz; /* of a core's clock */
};

/* Of several recordings that were joined each may have its own: those of the first so many. */
#define MODEL_WARNINGS_MOST 16

/* Fills out; how many, or -ENOMEM. */
int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST]);
/* "first", "outliers", "busy", "steal", "frequency" */
extern const char *const model_warning_names[WARNINGS];
