/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
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

/*
 * The process that removes what a faulty worker has made, should this one be killed before it can:
 * nobody else would know the names. A zeroed one is none.
 */

struct live_tidy {
	pid_t pid; /* 0: none */
	int fd;	   /* it acts when this closes */
};

/* Starts it, by that runner program, for the run of that process group. 0 or -errno. */
int live_tidy_start(struct live_tidy *tidy, const char *runner, int board_fd, pid_t group);
/* Ends it: what it may remove is what live_fault_collect() has not. */
void live_tidy_end(struct live_tidy *tidy);
