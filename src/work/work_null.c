/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

static int run(const struct work_args *args, struct work_result *result)
{
	result->value = 0;
	return 0;
}

const struct workload_ops work_null_ops = {
	.about = "do nothing",
	.unit = "nothing",
	.run = run,
};
