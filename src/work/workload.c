/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>

static int do_nothing(const struct work_args *args, struct work_result *result)
{
	result->value = 0;
	return 0;
}

const struct workload_ops work_null_ops = {
	.about = "do nothing",
	.unit = "nothing",
	.run = do_nothing,
};

/*
 * Program workers have no run(): the runner itself does their work, so nothing calls this function.
 */
static int refuse(const struct work_args *args, struct work_result *result)
{
	return -ENOTSUP;
}

const struct workload_ops work_program_ops = {
	.about = "run the program of --command",
	.unit = "nothing",
	.run = refuse,
};

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
