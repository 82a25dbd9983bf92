/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "core/scoreboard.h"
#include "task.h"

/*
 * The gate: leaves wait there until all of them exist. Threads and processes alike sleep on a futex
 * word of the board, so that none spins while others are created. None may hang either: creators of
 * processes check now and then whether one died before it arrived.
 */

/* True where the plan has a gate. */
bool gate_used(const struct scoreboard *board);
/* A leaf says that it has arrived and sleeps until the gate is no longer closed. */
void gate_pass(struct scoreboard *board);
/*
 * The main thread conducts once it has created its children. It sleeps until all leaves have
 * arrived, a child has died, or the run was called off. It holds an all-alive plan until its memory
 * was read, notes go_ns and opens.
 */
void gate_conduct(struct scoreboard *board);
/* Every other creator of processes calls it before it joins: gives the alarm if one dies early. */
void gate_watch(struct scoreboard *board);
/* A task could not be created: those who wait leave without working, nobody creates more. */
void gate_cancel(struct scoreboard *board);
/* True when no more tasks are to be created and no more work begun: cancelled, or stopped. */
bool gate_called_off(struct scoreboard *board);

/*
 * Workers that wait for one another: where a process dies without a word the others would wait for
 * it for ever, since each of them holds the ends of all pipes. Their creator looks at all of its
 * children, not only at the one that it joins, and ends those that are left.
 */

/* Whether the plan has such workers. */
bool await_needed(const struct plan *plan);
/* Before the first of them is created: a child's end is waited for together with others'. */
void await_begin(void);
/*
 * Returns when the child has ended; it is not reaped. tasks are it and those joined after it, count
 * in all. Where one of them has died the others are killed.
 */
void await_end(const struct task *tasks, uint32_t count);
