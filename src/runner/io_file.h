/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/scoreboard.h"

/*
 * Makes the file that io workers copy as long as their work, with content that neither compresses
 * nor repeats; how far it is stands on the board. Where it is long enough already, or is none of
 * ours, it is left alone. 0 or errno (ENOSPC); then the file is empty.
 */
int io_file_make(struct scoreboard *board);
