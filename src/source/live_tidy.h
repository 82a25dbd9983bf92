/* SPDX-License-Identifier: MIT */
#pragma once

#include <sys/types.h>

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
