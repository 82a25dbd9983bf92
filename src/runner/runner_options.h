/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "core/scoreboard.h"

/* The runner started by hand, so that it can be run under strace, perf, valgrind or a debugger. */

/* Fills the request from the command line; -EINVAL for what is wrong with it. */
int runner_options_parse(int argc, char **argv, struct board_request *request);
/* The one line that says how it is used. */
void runner_options_usage(FILE *out);
