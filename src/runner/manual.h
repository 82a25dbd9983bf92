/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_MANUAL_H
#define TUIBENCH_MANUAL_H

#include <stdio.h>

#include "core/scoreboard.h"

/* The runner started by hand, so that it can be run under strace, perf, valgrind or a debugger. */

/* Fills the request from the command line; -EINVAL for what is wrong with it. */
int manual_parse(int argc, char **argv, struct board_request *request);
/* The one line that says how it is used. */
void manual_usage(FILE *out);
/* A row per worker: times in µs since the run's begin, "-" for what did not happen. */
void manual_print(FILE *out, const struct scoreboard *board);

#endif
