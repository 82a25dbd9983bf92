/* SPDX-License-Identifier: MIT */
#pragma once

#include "check/check.h"
#include "experiment/experiment.h"
#include "model/model.h"

/* A small session by the same path as every other: experiment, live source, model. */
struct check_session {
	struct check_host *host;
	const char *what;     /* it is done for, for whoever waits */
	uint32_t done, of;    /* runs of the same before it, and in all; 0: its own alone */
	uint64_t deadline_ns; /* it is stopped then */
	uint64_t second_work; /* of each worker of the second case; 0: as of the others */
	/* Called with every sample, and every few ms in between; NULL. */
	void (*look)(void *arg, const struct model *model, const struct sample *sample);
	/* Called when all is ready and nothing of a run has begun; NULL. */
	void (*before)(void *arg);
	void *arg;
	struct model model; /* the caller frees it */
};

/*
 * The request that all sessions begin with: threads alone, so many cpu workers as there are cores
 * to use, each with that much work.
 */
struct request check_session_request(const struct machine *machine, uint64_t work);
/*
 * Runs it. 0; -EINTR where the host ended it, -ETIMEDOUT at the deadline, with what was measured
 * so far, or another -errno with a line in error[size].
 */
int check_session_run(struct check_session *session, const struct request *request, char *error,
		      size_t size);
/* The cores that a session uses: those allowed, no more than the quota, 64 at most. */
uint32_t check_session_cores(const struct machine *machine);
/* CPU time of all runs, also of replaced trials: witnesses count those too. NaN if a run failed. */
double check_session_cpu_ns(const struct model *model);
