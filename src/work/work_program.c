/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>

/* Whoever runs a program becomes it, or waits for it: that is the runner's matter. */
static int run(const struct work_args *args, struct work_result *result)
{
	return -ENOTSUP;
}

const struct workload_ops work_program_ops = {
	.about = "run the program of --command",
	.unit = "nothing",
	.run = run,
};
