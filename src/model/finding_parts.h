/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/finding.h"

/* The two ways to create a task that are compared; false, and *a alone, where there are none. */
bool finding_creation_pair(const struct model *model, uint32_t first, uint32_t last, uint32_t *a,
			   uint32_t *b);
/* Fills kind, lead, or case_id, and growth. 0 or -ENOMEM. */
int finding_creation(const struct model *model, struct finding *finding);

/* A sweep has two cases with the same value and work. */
bool finding_sweep_pairs(const struct model *model);
/* No case before it does the same work. */
bool finding_sweep_begins(const struct model *model, uint32_t case_id);
/* Finds who leads in the work of the finding's first case. 0 or -ENOMEM. */
int finding_sweep(const struct model *model, struct finding *finding);
