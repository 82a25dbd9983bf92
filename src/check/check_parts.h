/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "core/sample.h"
#include "model/model.h"

/* CPU time of all runs, also of replaced trials: witnesses count those too. NaN if a run failed. */
double check_session_cpu_ns(const struct model *model);

#define CHECK_SCHEDSTAT_MOST 64 /* workers of a run */

/*
 * The scheduler's own account of the workers, /proc/PID/task/TID/schedstat, read while they are
 * there. One that has ended has none any more: what passed since the last reading is not known.
 */
struct check_schedstat {
	int64_t start_ns; /* of the session, on the clock: the least that samples agree with */
	struct {
		int fd;		 /* -1: not open */
		int64_t used_ns; /* as of the last reading; -1: none */
		int64_t at_ns;	 /* its time on the clock */
	} tasks[CHECK_SCHEDSTAT_MOST];
	double used_ns, said_ns; /* of all runs: by it, and by the workers themselves */
	double gap_ns;		 /* time after the last readings, used or not */
	uint32_t missed;	 /* workers that were never seen */
	int err;		 /* errno of the last open that failed for good; 0 if none */
};

void check_schedstat_init(struct check_schedstat *schedstat);
/* With every sample, and every few ms in between, then NULL. */
void check_schedstat_look(struct check_schedstat *schedstat, const struct model *model,
			  const struct sample *sample);
/* Closes what a run that was broken off left open. */
void check_schedstat_close(struct check_schedstat *schedstat);
/* What the workers said by what it has, between what the gaps may have been; else why not. */
void check_schedstat_judge(const struct check_schedstat *schedstat, struct check_result *out);

enum check_unit { CHECK_NS, CHECK_RATIO, CHECK_SHARE };

/* Claims that the rows of the self-test support or refute. */
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
/* What is to be said of a row: its note, or that its interval is too wide; "". */
const char *check_note(const struct check_report *report, enum check_id id);
enum check_trust check_trust(const struct check_report *report, enum check_claim claim);
/* The smallest difference that can be found, as a share: 0.012. NaN: not known. */
double check_least_difference(const struct check_report *report);
/* The shortest single time that the clock's overhead and step leave right to 5 %, ns; NaN. */
double check_least_time(const struct check_report *report);
