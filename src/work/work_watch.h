/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Whether the calling thread was off its core, without a system call. The kernel forgets the
 * critical section that a thread has registered as soon as it finds the thread elsewhere when it
 * comes back from a switch or a signal: rseq(2), Linux 4.18, glibc 2.35. So one is registered that
 * no code is in. Never true where the C library has registered nothing.
 */

void work_watch_begin(void);
/* True once for each time that it was away, or more often. */
bool work_watch_was_away(void);
void work_watch_end(void);
