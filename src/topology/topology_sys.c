/* SPDX-License-Identifier: MIT */
#include "topology_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/procfs.h"
#include "base/units.h"

/*
 * The kernel's own words: /sys/devices/system, as Documentation/ABI/stable/sysfs-devices-system-cpu
 * has them.
 */

#define CPUS  "sys/devices/system/cpu/"
#define NODES "sys/devices/system/node/"

enum { LIST = 4096, PATH = 128 };

static int read_list(const char *root, const char *path, cpu_set_t *set)
{
	char text[LIST];
	int err = procfs_read_text(root, path, text, sizeof(text));

	return err ? err : units_parse_cpulist(text, set);
}

static int16_t read_number(const char *root, int cpu, const char *name)
{
	char path[PATH], text[32];
	uint64_t number;

	snprintf(path, sizeof(path), CPUS "cpu%d/%s", cpu, name);
	if (procfs_read_text(root, path, text, sizeof(text)) ||
	    units_parse_count(text, INT16_MAX, &number))
		return -1;
	return (int16_t)number;
}

/* A core's number counts within its package alone: its first CPU names it; itself, if unknown. */
static int16_t first_sibling(const char *root, int cpu)
{
	static const char *const names[] = {"core_cpus_list", "thread_siblings_list"};
	char path[PATH];
	cpu_set_t set;
	int16_t first = 0;

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), CPUS "cpu%d/topology/%s", cpu, names[i]);
		if (read_list(root, path, &set) || !CPU_ISSET(cpu, &set))
			continue;
		while (!CPU_ISSET(first, &set))
			first++;
		return first;
	}
	return (int16_t)cpu;
}

int topology_sys(const char *root, struct topology *topology)
{
	cpu_set_t online, nodes, cpus, fast, slow;
	char path[PATH];
	bool lists;
	int err = read_list(root, CPUS "online", &online);

	if (err)
		return err;
	memset(topology, 0, sizeof(*topology));
	snprintf(topology->source, sizeof(topology->source), "sysfs");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &online))
			continue;
		topology->cpus[topology->n++] = (struct topology_cpu) {
			.cpu = (int16_t)cpu,
			.core = first_sibling(root, cpu),
			.package = read_number(root, cpu, "topology/physical_package_id"),
			.node = -1,
		};
	}
	if (read_list(root, NODES "online", &nodes))
		CPU_ZERO(&nodes);
	for (int node = 0; node < CPU_SETSIZE; node++) {
		snprintf(path, sizeof(path), NODES "node%d/cpulist", node);
		if (!CPU_ISSET(node, &nodes) || read_list(root, path, &cpus))
			continue;
		for (uint32_t i = 0; i < topology->n; i++)
			if (CPU_ISSET(topology->cpus[i].cpu, &cpus))
				topology->cpus[i].node = (int16_t)node;
	}
	/* Intel's hybrid processors have a list of each kind; Arm's a capacity of each CPU. */
	lists = read_list(root, "sys/devices/cpu_core/cpus", &fast) == 0 &&
		read_list(root, "sys/devices/cpu_atom/cpus", &slow) == 0;
	for (uint32_t i = 0; i < topology->n; i++) {
		struct topology_cpu *one = &topology->cpus[i];

		one->kind = !lists ? read_number(root, one->cpu, "cpu_capacity")
			    : CPU_ISSET(one->cpu, &fast) ? 1
			    : CPU_ISSET(one->cpu, &slow) ? 0
							 : -1;
	}
	return topology->n ? 0 : -ENODATA;
}
