/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model_warnings.h"

/*
 * Runs of a case that used fewer cores than it usually does, and took longer, while cores were
 * free: the kernel left its tasks on one core. Fills the figures of WARNING_CORES; room is for two
 * values for each run of the session. Returns how many runs there are.
 */
uint32_t model_few_cores(const struct model *model, const struct model_origin *part,
			 uint32_t case_id, double *room, struct model_warning *out);
