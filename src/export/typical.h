/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/*
 * The run that stands for its case: the measured one whose time is nearest to the median, the
 * newest if none was measured, NULL if none began.
 */
const struct model_run *typical_run(const struct model *model, uint32_t case_id);
