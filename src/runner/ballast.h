/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/scoreboard.h"

/*
 * The touched memory in the creator, which what it forks shares with it until it is written to. 0
 * or errno, with *path the file that tells more of it, or NULL.
 */
int ballast_touch(struct scoreboard *board, const char **path);
