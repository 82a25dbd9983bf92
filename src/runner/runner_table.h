/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_RUNNER_TABLE_H
#define TUIBENCH_RUNNER_TABLE_H

#include <stdio.h>

#include "core/scoreboard.h"

/*
 * What a runner started by hand prints: a row per worker with its times in µs since the run's
 * begin, "-" for what did not happen.
 */
void runner_table_print(FILE *out, const struct scoreboard *board);

#endif
