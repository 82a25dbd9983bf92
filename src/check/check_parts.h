/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "core/sample.h"
#include "model/model.h"

/*
 * CPU time of all runs, ns. Includes replaced trials, because the kernel's counters, with which it
 * is compared, include them. NaN if a run failed.
 */
double check_session_cpu_ns(const struct model *model);

#define CHECK_SCHEDSTAT_MOST 64 /* The largest number of workers in a run. */

/*
 * The scheduler's own count for the workers, /proc/PID/task/TID/schedstat, which can be read only
 * while a worker exists. The CPU time that a worker used after its last reading is unknown.
 */
struct check_schedstat {
	/*
	 * Estimated time of clock_now_ns() at the session's start: the smallest difference so far
	 * between a tick's arrival and the tick's own time.
	 */
	int64_t start_ns;
	struct {
		int fd;		 /* -1: not open */
		int64_t used_ns; /* CPU time at the last reading; -1: none. */
		int64_t at_ns;	 /* Time of the last reading. */
	} tasks[CHECK_SCHEDSTAT_MOST];
	double used_ns,
		said_ns; /* Sums over all runs: as schedstat reports, and as the workers report. */
	double gap_ns;	 /* Sum of the times between a worker's last reading and its end. */
	uint32_t missed; /* Number of workers that were never read. */
	int err;	 /* errno of the last open that failed; 0 if none */
};

void check_schedstat_init(struct check_schedstat *schedstat);
/*
 * Takes a sample, and reads schedstat. Call it with every sample, and with NULL every few ms in
 * between.
 */
void check_schedstat_look(struct check_schedstat *schedstat, const struct model *model,
			  const struct sample *sample);
/* Closes the files that an interrupted run left open. */
void check_schedstat_close(struct check_schedstat *schedstat);
/*
 * Sets the ratio of the workers' CPU time to schedstat's. Its interval allows for the CPU time
 * after the last readings. If no worker was read, sets a note with the reason instead.
 */
void check_schedstat_judge(const struct check_schedstat *schedstat, struct check_result *out);

enum check_unit { CHECK_NS, CHECK_RATIO, CHECK_SHARE };

/* Claims about results that the checks support or refute. */
enum check_claim {
	CLAIM_DIFFERENCES, /* differences between models in elapsed time */
	CLAIM_TIMES,	   /* elapsed times themselves */
	CLAIM_CPU,	   /* CPU times */
	CLAIM_SINGLE,	   /* times of single events, such as a creation */
	CLAIMS
};

/*
 * TRUST_UNCHECKED: nothing contradicts the claim, but a check that it depends on is not available.
 */
enum check_trust { TRUST_UNCHECKED, TRUST_YES, TRUST_NO };

enum check_state { CHECK_ABSENT, CHECK_OK, CHECK_OFF };

struct check {
	const char *name;  /* Name in JSON: "clock_cost". */
	const char *title; /* Title in the table. */
	enum check_unit unit;
	/*
	 * The range in which the value must be, or which its interval must overlap. -INFINITY or
	 * INFINITY: no limit.
	 */
	double low, high;
	enum check_claim claim;
	/* The claim depends on this check: it can be trusted only if the check is available. */
	bool rests;
	const char *why;
};

extern const struct check check_rows[CHECKS];

/*
 * The expected range. For CHECK_INJECTED both ends are the injected ratio; check_state() also
 * rejects an interval that contains 1.
 */
void check_range(const struct check_report *report, enum check_id id, double *low, double *high);
enum check_state check_state(const struct check_report *report, enum check_id id);
/* A remark on a check: its note, or that its interval is too wide; "": none. */
const char *check_note(const struct check_report *report, enum check_id id);
enum check_trust check_trust(const struct check_report *report, enum check_claim claim);
/* The smallest difference that can be found, as a share: 0.012. NaN: unknown. */
double check_least_difference(const struct check_report *report);
/*
 * The shortest single time that can be measured to 5 %, with this clock's cost and step, ns; NaN:
 * unknown.
 */
double check_least_time(const struct check_report *report);
