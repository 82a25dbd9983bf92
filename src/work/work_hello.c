/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>

/*
 * Writes args->size lines to the one stream of the process. Threads share the stream and its lock;
 * each process has its own copy. The workload measures this difference. The process flushes its
 * stream at its end.
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
