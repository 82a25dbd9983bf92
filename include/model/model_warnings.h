/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_MODEL_WARNINGS_H
#define TUIBENCH_MODEL_WARNINGS_H

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

struct model_warning {
	enum model_warning_kind kind;
	char text[SAMPLE_TEXT]; /* one line: what was seen, why it matters, what to do */
};

/* Of several recordings that were joined each may have its own: those of the first so many. */
#define MODEL_WARNINGS_MOST 16

/* Fills out; how many, or -ENOMEM. */
int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST]);
/* "first", "outliers", "busy", "steal", "frequency" */
const char *model_warning_name(enum model_warning_kind kind);

#endif
