/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The environment of a program, as far as it changes how the program runs: variables of the dynamic
 * linker, of the allocator and of a batch system; TMPDIR; niceness; scheduling policy; limits on
 * stack and address space.
 */

/*
 * Describes the environment: "nice=0;policy=other;stack=8M;LD_BIND_NOW=1". The limits are this
 * program's. The caller passes the rest: niceness (NULL: unknown), SCHED_* (-1: unknown), CPU quota
 * (NULL: none), stack size (NULL: unknown, "": the limit) and variables. If the text is too long,
 * the last items are left out. Items are separated and escaped as by names_put_item(). Returns buf.
 */
char *environment_read(char *const *variables, const char *nice, int policy, const char *quota,
		       const char *stack, char *buf, size_t size);
/* The name of a policy, such as "fifo" for SCHED_FIFO; NULL if unknown. */
const char *environment_policy_name(int policy);
/*
 * Whether the kernel allows this policy, SCHED_*, for this program and for programs that it starts.
 * To find out, may set the policy for a moment in the calling thread. Always true for SCHED_IDLE,
 * which is not tried.
 */
bool environment_may_have(int policy);
/* The niceness of this program. */
int environment_nice(void);
/*
 * The lowest niceness that this program may set. For root, this is the kernel's lowest if a trial
 * succeeds; for others 20 - RLIMIT_NICE, or the current niceness if that is lower.
 */
int environment_nice_least(void);
