/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "core/scoreboard.h"

struct shared;

/*
 * Creates the tasks of a scoreboard's plan, lets them work and joins them: the only place that
 * calls fork and pthread_create for workers. Each creator creates its children in order, then
 * joins them backwards; a process forks only from a thread that outlives its children, because a
 * parent-death signal follows the thread that forked.
 *
 * Fills every slot, begin_ns, go_ns, end_ns and, if something failed, the failure fields. When a
 * task cannot be created the rest is not tried; what exists and has not begun to work leaves with
 * ECANCELED, all are joined and recorded. When a worker process dies, or work fails, the others
 * go on. Returns 0, or the -errno of the first failure. Call once per process, from its main
 * thread. out is the stream of the process for workers that write, NULL where there are none; it
 * has nothing in it, is flushed at the end of each process, and stays the caller's. shared is what
 * the workers of each kind share; NULL: none of them shares anything.
 */
int spawner_run(struct scoreboard *board, const struct shared *shared, FILE *out);
