/* SPDX-License-Identifier: MIT */
#pragma once

#include "task.h"

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
