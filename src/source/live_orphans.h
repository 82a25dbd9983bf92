/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/*
 * What a run leaves behind: tasks that outlive the runner become children of the front end, the
 * subreaper, and those of a session of their own (setsid(2), a daemon) are in no group that could
 * be ended at once. Where the kernel does not list children (CONFIG_PROC_CHILDREN) none are found.
 */

enum { LIVE_CHILDREN = 256 };

struct live_orphans {
	pid_t before[LIVE_CHILDREN]; /* children of the front end when the run began */
	uint32_t n_before;
	uint32_t ended; /* of the run, by what is here */
	char name[32];	/* of the first of them that had a session of its own; "" */
};

/* Notes the children that are none of the run's; call it before the runner is started. */
void live_orphans_begin(struct live_orphans *orphans);
/* Notes one more of them, started since; 0: none. */
void live_orphans_spare(struct live_orphans *orphans, pid_t child);
/* Ends the group, and then all children that are new and in no group of the front end. */
void live_orphans_end(struct live_orphans *orphans, pid_t group);
