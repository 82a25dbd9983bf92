/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/machine.h"

/*
 * The self-test: whether this machine can be trusted now, and for what. It runs small sessions by
 * the same path as every other, and holds their figures against what the kernel says. A row has
 * figures alone; what becomes of it, and the sentence, follow from them.
 */

struct source;

enum check_id {
	CHECK_CLOCK_COST,
	CHECK_CLOCK_STEP,
	CHECK_CLOCK_CORES,
	CHECK_SAME,	/* threads against threads */
	CHECK_INJECTED, /* a difference that is known */
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

/* NaN: not known. */
struct check_result {
	double value;	  /* ns, a ratio or a share: see check_parts.h */
	double low, high; /* its interval, where it has one */
	uint32_t pairs;	  /* pairs that the value comes from */
	bool again;	  /* the first series was off, and this is the second */
	char note[120];	  /* why it is not known, or what belongs to it; "" */
};

struct check_report {
	struct machine machine;
	int64_t wall_s;	 /* its begin, since the epoch */
	double seconds;	 /* duration of the self-test */
	double injected; /* the ratio that CHECK_INJECTED expects: 1.03 */
	struct check_result results[CHECKS];
};

/* Functions of the caller that the self-test calls while it runs. */
struct check_host {
	int fd; /* take() is called when it polls readable */
	/* False ends the self-test; source may be NULL. */
	bool (*take)(struct check_host *host, struct source *source);
	/* What is being done: "threads against threads", run 3 of 30; of 0: it has no runs. */
	void (*show)(struct check_host *host, const char *what, uint32_t run, uint32_t of);
};

/* Everything not known. */
void check_init(struct check_report *report);
/*
 * In less than a minute. put is the ratio that CHECK_INJECTED really puts in, NaN for what it
 * expects: any other must put it off. run_ms is the length of a run, NaN for what figures need.
 * 0, -EINTR where take() ended it, or -ENOMEM.
 */
int check_run(struct check_report *report, struct check_host *host, double put, double run_ms);
/* Whether no row is off. */
bool check_passed(const struct check_report *report);
/*
 * One plain sentence that says for which results the machine can be trusted and for which not.
 * Returns buf.
 */
char *check_sentence(const struct check_report *report, char *buf, size_t size);
/* In 80 columns of ASCII. 0 or -errno. */
int check_write_table(const struct check_report *report, FILE *out);
int check_write_json(const struct check_report *report, FILE *out);
