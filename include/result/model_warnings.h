/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/*
 * Warnings of what makes a session's figures doubtful, as of now. Counted runs that have ended are
 * judged, so it changes only when one ends. Each kind is there at most once for a session, about
 * its worst case or run.
 */
enum model_warning_kind {
	WARNING_FIRST,	   /* a case's first trial is far slower than the others */
	WARNING_OUTLIERS,  /* other trials lie far from the rest */
	WARNING_BUSY,	   /* other programs used the cores */
	WARNING_STEAL,	   /* the host of a virtual machine withheld them */
	WARNING_FREQUENCY, /* the clock of the cores changed */
	WARNING_CORES,	   /* runs of a case used fewer cores than were free */
	WARNING_REPEATED,  /* trials that other programs crowded were replaced */
	WARNING_COMPANY,   /* a program had children or threads, which nobody follows */
	WARNING_THROTTLED, /* a quota of CPUs held runs of a case back */
	WARNINGS
};

/* The trials that are named, and one to end them. */
#define MODEL_WARNING_TRIALS 7

/* The facts of a warning; warning_text() says it in words. */
struct model_warning {
	enum model_warning_kind kind;
	const struct model_origin *origin; /* the recording; NULL: there is one session */
	/* The outliers are n; the farthest is of this case, which has so many trials. */
	uint32_t n, case_id, trials;
	double took, median; /* ns */
	/* The cores that the n used, and that were free; the first of their trials, ended by 0. */
	double cores, cores_free;
	uint32_t trial_list[MODEL_WARNING_TRIALS];
	uint32_t others; /* runs of other cases, or other cases, of which the same is true */
	/*
	 * The share of the cores' time, in all runs together, or in a trial of the case; 0: in all.
	 */
	double percent;
	uint64_t periods; /* of 100 ms, in which the n runs were throttled */
	const char *who;  /* used them in the run where it was most, "cc1 480 ms"; "": not known */
	uint32_t trial;
	int32_t cpu, low_mhz, high_mhz; /* of a core's clock */
	int32_t children, threads;	/* the most of one program at a time */
};

/* The most warnings in all: each of several joined recordings may have its own. */
#define MODEL_WARNINGS_MOST 16

/* Fills out; how many, or -ENOMEM. */
int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST]);
/*
 * Whether the runs counted so far had to share the machine: other programs used more than 10 % of
 * the cores' time, or a host withheld more than 2 %. Of several recordings it is one of them.
 */
bool model_is_busy(const struct model *model);
/* "first", "outliers", "busy", "steal", "frequency", "cores", "repeated", "company", "throttled" */
extern const char *const model_warning_names[WARNINGS];
