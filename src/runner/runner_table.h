/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "core/scoreboard.h"

/*
 * Prints the table of a runner started by hand: a row per worker with its times in µs since the
 * run's begin, "-" for what did not happen.
 */
void runner_table_print(FILE *out, const struct scoreboard *board);
