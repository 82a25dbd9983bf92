/* SPDX-License-Identifier: MIT */
#include "core/step.h"

static const struct {
	const char *name;
	bool shared;
} steps[WORK_KINDS] = {
	[WORK_TOUCH] = {"write", false},
	[WORK_SHARE] = {"increment", true},
};

const char *step_name(enum work_kind kind)
{
	return steps[kind].name;
}

enum work_kind step_of(const struct plan *plan)
{
	uint32_t leaves = plan_leaves(plan);

	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (steps[kind].name && leaves > 0 && plan->leaves[kind] >= leaves)
			return (enum work_kind)kind;
	return WORK_KINDS;
}

bool step_is_shared(enum work_kind kind)
{
	return steps[kind].shared;
}
