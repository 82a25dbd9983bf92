/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "core/scoreboard.h"
#include "work/work_own.h"

/*
 * Loads the shared object of --own, which stays until the program ends. 0, or -EINVAL and a line
 * that says what is wrong with it and what would be right, without its name.
 */
int own_load(const char *path, struct work_own *own, char *error, size_t size);
/*
 * Of a run that went well: where all workers are to find the same result the first one that does
 * not fails the run. 0 or -EILSEQ.
 */
int own_check(struct scoreboard *board, const struct work_own *own);
/* Loads it and says what it is: struct board_own to that descriptor. The status to exit with. */
int own_probe(const char *path, int fd);
