/* SPDX-License-Identifier: MIT */
#pragma once

#include "task.h"

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
