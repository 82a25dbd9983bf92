/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Processes of a run that somebody else has stopped (SIGSTOP). The run waits for them,
 * and its times are those of the wait.
 */

struct live_stopped {
	uint64_t looked_ns;
	uint32_t next; /* of the workers, to be looked at */
	bool found;
};

struct live_run;

/* Instead of a worker's index. */
#define LIVE_STOPPED_RUNNER UINT32_MAX
#define LIVE_STOPPED_SILENT (UINT32_MAX - 1) /* a worker before its first instruction */

/*
 * The number of a process of the run that is stopped, once; 0 where none was found, or one was
 * before. Looks once a second at the runner and at a few of the workers that have not ended, at
 * others of them each time. root "": the machine's own /proc. *worker: its index, or
 * which other process it is.
 */
pid_t live_stopped_find(struct live_stopped *stopped, const struct live_run *run, const char *root,
			uint64_t now_ns, uint32_t *worker);
/* Whether the process is of that group, and stopped by a signal; one that is traced is not. */
bool live_stopped_is(const char *root, pid_t pid, pid_t group);
