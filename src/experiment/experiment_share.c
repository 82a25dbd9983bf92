/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <sched.h>

/* Twice as many each time, to one for each core; more than 16 would be more cases than fit. */
static const char *const sweeps[] = {"workers=1,2", "workers=1,2,4", "workers=1,2,4,8",
				     "workers=1,2,4,8,16"};

const char *experiment_to_all_cores(const struct request *request)
{
	size_t i = 0, last = sizeof(sweeps) / sizeof(sweeps[0]) - 1;
	cpu_set_t set = request->pin;
	int cpus;

	if (!request->pinned && sched_getaffinity(0, sizeof(set), &set))
		return sweeps[0];
	for (cpus = CPU_COUNT(&set); i < last && cpus >= 4 << i;)
		i++;
	return sweeps[i];
}
