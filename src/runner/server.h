/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "task.h"
#include "work/workload.h"

/*
 * Creates a task for each piece of work, as a server does that has no pool: at most so many at
 * once, and the next one as soon as any of them has ended and was joined.
 */

struct server {
	struct task *tasks; /* places for as many as may be alive */
	uint32_t most;
	uint32_t first, count; /* the tasks to create */
};

/* Returns when all were joined; fewer are created where one is refused or the run is called off. */
void server_run(struct team *team, const struct task_ops *ops, const struct server *server);
/* A thread of such a plan says that it has ended. */
void server_ended(const struct task *task);

/*
 * Hands out the pieces of work of a plan that has some. The workers of a pool take the next number
 * themselves, as servers do whose workers all accept; a task created for a piece has its number
 * from its place. Each adds to the tally how long it took. Handed out is a piece when it is taken,
 * or when the creation of its task begins.
 */

/*
 * The work of one worker: pieces until none is left or the run is called off; in other plans its
 * own. 0 or errno. result is that of the last piece.
 */
int dealer_work(struct task *task, enum work_kind kind, const struct work_args *args,
		struct work_result *result);
/* Whether each piece was done exactly once; true of a plan without, or one called off. */
bool dealer_check(struct scoreboard *board);
