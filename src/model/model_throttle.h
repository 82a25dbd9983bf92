/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model_slices.h"

/*
 * A tick was added to the run, or the run has ended (over): finds the stretches that a reading of
 * cpu.stat has confirmed since. 0 or -ENOMEM.
 */
int model_throttle_find(struct model_run *run, int32_t cores, bool over);
