/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "core/scoreboard.h"

/* The runner started by hand, so that it can be run under strace, perf, valgrind or a debugger. */

/* Fills the request from the command line; -EINVAL for what is wrong with it. */
int runner_options_parse(int argc, char **argv, struct board_request *request);
/* The one line that says how it is used. */
void runner_options_usage(FILE *out);

/*
 * Prints the table of a runner started by hand: a row per worker with its times in µs since the
 * run's begin, "-" for what did not happen.
 */
void runner_table_print(FILE *out, const struct scoreboard *board);
