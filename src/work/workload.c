/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <stddef.h>

static const struct workload_ops *const workloads[WORK_KINDS] = {
	[WORK_NULL] = &work_null_ops,	[WORK_CPU] = &work_cpu_ops, [WORK_IO] = &work_io_ops,
	[WORK_MEM] = &work_mem_ops,	[WORK_FP] = &work_fp_ops,   [WORK_HELLO] = &work_hello_ops,
	[WORK_WRITE] = &work_write_ops,
};

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
