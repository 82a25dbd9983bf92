/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/scoreboard.h"
#include "work/workload.h"

/*
 * The memory that the workers of each kind share, apart from the scoreboard, which the front end
 * sees as well. It is mapped before any worker exists and has no name: nothing is left of it.
 */
struct shared {
	void *at[WORK_KINDS]; /* NULL: none */
	size_t bytes[WORK_KINDS];
	struct work_own *own; /* what --own has loaded, of each process a copy */
	int file[WORK_KINDS]; /* what all of a kind write, as a mistake; 0: each its own */
};

/* Maps what the kinds of the plan ask for, touched, where nothing is mapped yet: 0 or -errno, and
 * then nothing is mapped. */
int shared_open(struct shared *shared, const struct board_request *request);
/* Makes the one file of those that are to share it: 0 or -errno. */
int shared_files(struct shared *shared, const struct board_request *request);
void shared_close(struct shared *shared);

/* The arguments of the workers of a kind but for what is each worker's own; shared may be NULL. */
struct work_args shared_args(const struct shared *shared, const struct board_request *request,
			     enum work_kind kind);

/*
 * The touched memory in the creator, which what it forks shares with it until it is written to. 0
 * or errno, with *path the file that tells more of it, or NULL.
 */
int ballast_touch(struct scoreboard *board, const char **path);

/*
 * Runs the command of -s prepare, if there is one, to its end: before the run begins, in none of
 * its figures. 0; else it is told on the board: an errno, or a status other than 0.
 */
int prepare_run(struct scoreboard *board);
