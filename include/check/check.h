/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/machine.h"

/*
 * The self-test: which results of this machine can be trusted now. It runs small sessions by the
 * same code as any other session, and compares their figures with the kernel's. A check stores only
 * figures, from which the verdicts and the sentence are computed.
 */

struct source;

enum check_id {
	CHECK_CLOCK_COST,
	CHECK_CLOCK_STEP,
	CHECK_CLOCK_CORES,
	CHECK_SAME,	/* Threads are compared with threads, so any difference is noise. */
	CHECK_INJECTED, /* One side gets a known amount of extra work. */
	CHECK_WATCHED,
	CHECK_OWN,
	CHECK_GETRUSAGE,
	CHECK_SCHEDSTAT,
	CHECK_PROC_STAT,
	CHECK_CGROUP,
	CHECK_PERF,
	CHECK_HAD,
	CHECK_OTHERS,
	CHECK_STEAL,
	CHECK_FREQUENCY,
	CHECKS
};

/* Unknown values are NaN. */
struct check_result {
	double value;	  /* ns, a ratio or a share: see check_parts.h */
	double low, high; /* Interval of the value, if it has one. */
	uint32_t pairs;	  /* Number of pairs from which the value was computed. */
	/* The value is from a second series, because the first was out of range. */
	bool again;
	/* Why the value is unknown, or another remark on it; "" if there is none. */
	char note[120];
};

struct check_report {
	struct machine machine;
	int64_t wall_s;	 /* Start of the self-test, s since the epoch. */
	double seconds;	 /* duration of the self-test */
	double injected; /* the ratio that CHECK_INJECTED expects: 1.03 */
	struct check_result results[CHECKS];
};

/* Functions of the caller that the self-test calls. */
struct check_host {
	int fd; /* The self-test calls take() when this descriptor is readable. */
	/*
	 * Handles the readable descriptor. Returns false to end the self-test. source may be NULL.
	 */
	bool (*take)(struct check_host *host, struct source *source);
	/*
	 * Shows the progress: which check is running, such as "threads against threads", and run 3
	 * of 30. If `of` is 0, there are no runs.
	 */
	void (*show)(struct check_host *host, const char *what, uint32_t run, uint32_t of);
};

/* Sets everything to unknown. */
void check_init(struct check_report *report);
/*
 * Runs the self-test, in less than a minute. `put` is the ratio by which the work of CHECK_INJECTED
 * is really lengthened; NaN: by the ratio that the check expects. Tests make the check fail with
 * another value. run_ms is the length of a run in ms; NaN: the usual length. Returns 0, -EINTR if
 * take() ended the self-test, or -ENOMEM.
 */
int check_run(struct check_report *report, struct check_host *host, double put, double run_ms);
/* Whether no check is out of range. Checks that are not available do not matter. */
bool check_passed(const struct check_report *report);
/*
 * One sentence that says which results of the machine can be trusted and which cannot. Returns buf.
 */
char *check_sentence(const struct check_report *report, char *buf, size_t size);
/* Writes the table as ASCII in 80 columns. Returns 0 or -errno. */
int check_write_table(const struct check_report *report, FILE *out);
int check_write_json(const struct check_report *report, FILE *out);
