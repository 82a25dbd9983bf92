/* SPDX-License-Identifier: MIT */
#pragma once

#include "check/check.h"

enum check_unit { CHECK_NS, CHECK_RATIO, CHECK_SHARE };

/* What can be trusted, or not, as the rows say. */
enum check_claim {
	CLAIM_DIFFERENCES, /* between models, in elapsed time */
	CLAIM_TIMES,	   /* elapsed times as such */
	CLAIM_CPU,	   /* CPU times */
	CLAIM_SINGLE,	   /* times of single events, as of a creation */
	CLAIMS
};

/* UNCHECKED: nothing speaks against it, and a row that it rests on is not known. */
enum check_trust { TRUST_UNCHECKED, TRUST_YES, TRUST_NO };

enum check_state { CHECK_ABSENT, CHECK_OK, CHECK_OFF };

struct check {
	const char *name;  /* in JSON: "clock_cost" */
	const char *title; /* in the table */
	enum check_unit unit;
	/* The range that the value lies in, or that its interval overlaps; -INFINITY, INFINITY. */
	double low, high;
	enum check_claim claim;
	bool rests; /* the claim rests on it: it may not be absent */
	const char *why;
};

extern const struct check check_rows[CHECKS];

/* What was expected: of CHECK_INJECTED that ratio, and never 1. */
void check_range(const struct check_report *report, enum check_id id, double *low, double *high);
enum check_state check_state(const struct check_report *report, enum check_id id);
/* What is to be said of a row: its note, or that its interval tells nothing; "". */
const char *check_note(const struct check_report *report, enum check_id id);
/* "ok", "off", "not available" */
const char *check_state_name(enum check_state state);
enum check_trust check_trust(const struct check_report *report, enum check_claim claim);
/* "differences": the name in JSON. */
const char *check_claim_name(enum check_claim claim);
/* The least difference that is told, as a share: 0.012. NaN: not known. */
double check_least_difference(const struct check_report *report);
/* The shortest single time that the clock's own cost and step leave right to 5 %, ns; NaN. */
double check_least_time(const struct check_report *report);
