/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/scoreboard.h"

/*
 * Runs the command of -s prepare, if there is one, to its end: before the run begins, in none of
 * its figures. 0; else it is told on the board: an errno, or a status other than 0.
 */
int prepare_run(struct scoreboard *board);
