/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A variable of the environment that all processes of one run have, and no other process: whoever
 * has it belongs to the run, whatever its parent, group and session are by now.
 */

#define MARK "TUIBENCH_RUN="
enum { MARK_SIZE = sizeof(MARK) + 16 };

/* A number at random, that nobody can guess. */
uint64_t mark_number(void);
/* "TUIBENCH_RUN=" and 64 random bits: always of the same length, since it moves a program's stack.
 */
void mark_make(char mark[MARK_SIZE]);
/* Whether the process began with that mark; false also where that may not be read. */
bool mark_found(pid_t pid, const char *mark);
