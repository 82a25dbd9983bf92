/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/scoreboard.h"

/*
 * One run from the request to the totals: prepares, sets BOARD_READY, waits for go, runs the plan,
 * and ends in BOARD_DONE or BOARD_FAILED. Once per process, from its main thread.
 */
void runner_execute(struct scoreboard *board);
