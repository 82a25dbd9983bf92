/* SPDX-License-Identifier: MIT */
#pragma once

#include "check/check.h"
#include "model/model.h"

/* What the parts of the self-test share. */
struct check_parts {
	struct check_report *report;
	struct check_host *host;
	double put;	    /* the ratio that is really put in */
	uint64_t end_ns;    /* sessions are stopped then */
	uint64_t series_ns; /* that one of TRIALS pairs took */
	uint64_t work;	    /* of a worker, for a run of the wanted length */
	struct check_sums {
		double seconds, others, steal; /* the last two are times as well */
		double own_ns, cpu_ns, core_ns;
		double rate;	   /* fastest by slowest of one core, by cpufreq; 0: not known */
		int64_t low, high; /* MHz that were measured between the sessions; 0: none */
	} sums;			   /* of the runs that tell what the machine is like */
};

/* All return 0, or -EINTR or -ENOMEM, which end the self-test. */

/* How much work a run of the wanted length is. */
int check_pairs_calibrate(struct check_parts *parts);
int check_pairs_same(struct check_parts *parts);
int check_pairs_injected(struct check_parts *parts);
/* A second series of each of both that is off, if there is time. */
int check_pairs_again(struct check_parts *parts);
int check_watched(struct check_parts *parts);
/* CHECK_GETRUSAGE to CHECK_PERF: one session beside all witnesses. */
int check_agree(struct check_parts *parts);

void check_machine_add(struct check_parts *parts, const struct model *model);
/* CHECK_OWN, CHECK_HAD, CHECK_OTHERS, CHECK_STEAL and CHECK_FREQUENCY, of the sums. */
void check_machine(struct check_parts *parts);

/* Only what ends the self-test is passed on: the rest is a row that is not available. */
int check_give_up(struct check_result *result, int err, const char *why);
