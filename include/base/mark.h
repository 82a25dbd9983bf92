/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * An environment variable that all processes of a run inherit and no other process has. It shows
 * that a process belongs to the run even if its parent, group and session have changed.
 */

#define MARK "TUIBENCH_RUN="
enum { MARK_SIZE = sizeof(MARK) + 16 };

/*
 * A random number from getrandom(2). If the kernel has no random numbers yet, made from the clock
 * and the PID.
 */
uint64_t mark_number(void);
/*
 * Writes "TUIBENCH_RUN=" and 64 random bits. All marks have the same length, because the length of
 * the environment shifts a program's stack.
 */
void mark_make(char mark[MARK_SIZE]);
/* Whether the process was started with that mark. Also false if its environment cannot be read. */
bool mark_found(pid_t pid, const char *mark);
