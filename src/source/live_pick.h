/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/scoreboard.h"

/*
 * The processes whose memory is read: one of so many, evenly over the tree, since inner ones hold
 * more. Tasks that come and go are all read as they are met.
 *
 * Processes of one level with one kind of work that are held behind the gate have done the same so
 * far, so that one of 32 tells as much as one of 4. They differ by a page or two, in long rows of
 * neighbours: an even step is off by less than a page in twice the number read, 1 % of a process.
 */
uint32_t live_pick_step(const struct board_request *request);
