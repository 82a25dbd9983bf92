/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "check/check.h"
#include "core/sample.h"
#include "model/model.h"

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
	double gap_ns;		 /* what passed after the last readings, used or not */
	uint32_t missed;	 /* workers that were never seen */
	int err;		 /* of the last open that failed for good; 0 */
};

void check_schedstat_init(struct check_schedstat *schedstat);
/* For check_session: arg is the struct. */
void check_schedstat_look(void *arg, const struct model *model, const struct sample *sample);
/* Closes what a run that was broken off left open. */
void check_schedstat_close(struct check_schedstat *schedstat);
/* What the workers said by what it has, between what the gaps may have been; else why not. */
void check_schedstat_judge(const struct check_schedstat *schedstat, struct check_result *out);
