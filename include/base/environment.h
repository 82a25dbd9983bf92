/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * What surrounds a program and changes what it does: variables of the dynamic linker and of the
 * allocator, niceness, scheduling policy, limits of stack and addresses.
 */

/* How many variables are known, and room for the text. */

/*
 * "nice=0;policy=other;stack=8M;LD_BIND_NOW=1": the limits of this program, with that niceness
 * (NULL: not known), SCHED_* (-1: not known), quota of CPUs (NULL: none), stack (NULL: not known,
 * "": the limit) and variables. Where it does not fit the last ones are left
 * out. A semicolon in a value is a comma. Returns buf.
 */
char *environment_read(char *const *variables, const char *nice, int policy, const char *quota,
		       const char *stack, char *buf, size_t size);
/* "fifo" for SCHED_FIFO; NULL: none that is known. */
const char *environment_policy_name(int policy);
/* Whether this program, and what it starts, may have that SCHED_*. */
bool environment_may_have(int policy);
/* The niceness of this program. */
int environment_nice(void);
/* The least that this program may take: root's, 20 - RLIMIT_NICE, or what it has. */
int environment_nice_least(void);
