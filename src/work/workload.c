/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#define WORK_ROW(number, NAME, name) [number] = &work_##name##_ops,
static const struct workload_ops *const workloads[WORK_KINDS] = {WORK_LIST(WORK_ROW)};

const struct workload_ops *workload_get(enum work_kind kind)
{
	if ((unsigned int)kind >= WORK_KINDS)
		return NULL;
	return workloads[kind];
}

bool workload_takes(const struct workload_ops *ops, uint64_t size)
{
	uint64_t least = ops->least_size ? ops->least_size : 1;

	return ops->default_size > 0 && size >= least &&
	       (ops->most_size == 0 || size <= ops->most_size);
}
