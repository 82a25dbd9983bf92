/* SPDX-License-Identifier: MIT */
#pragma once

#include "live_run.h"

/* Adds the processes that threads have started for their programs to those whose memory is read. */
void live_children_add(struct live_run *run);
