/* SPDX-License-Identifier: MIT */
#include "live_usable.h"

#include <stdio.h>

#include "base/procfs.h"

void live_usable_begin(struct live_usable *usable)
{
	CPU_ZERO(&usable->begin);
	if (sched_getaffinity(0, sizeof(usable->begin), &usable->begin))
		CPU_ZERO(&usable->begin);
}

/* CPU 0 of most machines has no such file. */
static bool is_offline(int cpu)
{
	char path[64], online[8];

	snprintf(path, sizeof(path), "cpu%d/online", cpu);
	return procfs_read_text("/sys/devices/system/cpu", path, online, sizeof(online)) >= 0 &&
	       online[0] == '0';
}

bool live_usable_changed(const struct live_usable *usable, const cpu_set_t *cpus, char *text,
			 size_t size)
{
	bool all = CPU_COUNT(cpus) == 0;
	cpu_set_t now;

	CPU_ZERO(&now);
	if (CPU_COUNT(&usable->begin) == 0 || sched_getaffinity(0, sizeof(now), &now) ||
	    CPU_EQUAL(&now, &usable->begin))
		return false;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		bool before = CPU_ISSET(cpu, &usable->begin);

		if (before == !!CPU_ISSET(cpu, &now) || !(all || CPU_ISSET(cpu, cpus)))
			continue;
		if (before) {
			if (is_offline(cpu))
				snprintf(text, size,
					 "CPU %d has gone offline since the session began", cpu);
			else
				snprintf(text, size,
					 "CPU %d, which it could use when the session began, was "
					 "taken from it (cpuset, taskset)",
					 cpu);
			return true;
		}
		if (all) {
			snprintf(text, size, "CPU %d was not there when the session began", cpu);
			return true;
		}
	}
	return false;
}
