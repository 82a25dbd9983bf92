/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>

/*
 * Says hello as many times as its size, through the only stream of its process. Threads share the
 * stream and its lock; processes have copies. That difference is measured. The stream's owner
 * flushes it, once per process.
 */
static int run_hello(const struct work_args *args, struct work_result *result)
{
	result->value = 0;
	for (uint64_t i = 0; i < args->size; i++) {
		if (fputs(WORK_HELLO_LINE, args->out) == EOF)
			return -errno;
		result->value++;
	}
	return 0;
}

const struct workload_ops work_hello_ops = {
	.about = "say hello through stdio",
	.amount = "LINES",
	.unit = "lines",
	.default_size = 100,
	.written = sizeof(WORK_HELLO_LINE) - 1,
	.says = true,
	.run = run_hello,
};
