/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* Those of --pin, or all that this program may use. */
static int count_usable(const struct request *request)
{
	cpu_set_t cpus;

	if (request->pinned)
		return CPU_COUNT(&request->pin);
	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

int experiment_cores_range(struct experiment_build *build, const char *text, char *out, size_t size)
{
	int cpus = count_usable(&build->experiment->request);
	size_t length = strlen(text), n;
	uint64_t values[SAMPLE_MAX_CASES];
	bool open = length > 2 && strcmp(text + length - 2, "..") == 0;

	if (open)
		snprintf(out, size, "%s%d", text, cpus);
	else
		snprintf(out, size, "%s", text);
	if (units_parse_values(out, values, SAMPLE_MAX_CASES, &n) || values[0] == 0 ||
	    values[n - 1] > CPU_SETSIZE)
		return REFUSE(
			build, -EINVAL,
			"--sweep: \"cores=%s\" is not from 1 to %d, the CPUs that the run may "
			"use (cores=1..%d, cores=1..)",
			text, cpus, cpus);
	return 0;
}
