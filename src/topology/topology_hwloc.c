/* SPDX-License-Identifier: MIT */
#include "topology_parts.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * By the first of its CPUs. The logical index is not one of its own: a core whose other thread is
 * offline may stand on a level by itself, where the indices begin anew.
 */
static int16_t above(hwloc_topology_t from, hwloc_obj_type_t type, hwloc_obj_t pu)
{
	hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(from, type, pu);

	return found ? (int16_t)hwloc_bitmap_first(found->cpuset) : -1;
}

static void take_cpu(hwloc_topology_t from, hwloc_obj_t pu, struct topology *topology)
{
	int kind = hwloc_cpukinds_get_by_cpuset(from, pu->cpuset, 0), rank = -1;
	hwloc_obj_t node = NULL;

	if (pu->os_index >= CPU_SETSIZE || topology->n == CPU_SETSIZE)
		return;
	/* The smallest node that has the CPU. */
	while ((node = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
			break;
	/* Ranks by efficiency, as hwloc has them, are of any use only where there are several. */
	if (kind < 0 ||
	    hwloc_cpukinds_get_info(from, (unsigned int)kind, NULL, &rank, NULL, NULL, 0))
		rank = -1;
	topology->cpus[topology->n++] = (struct topology_cpu) {
		.cpu = (int16_t)pu->os_index,
		.core = above(from, HWLOC_OBJ_CORE, pu),
		.package = above(from, HWLOC_OBJ_PACKAGE, pu),
		.node = (int16_t)(node ? (int)node->logical_index : -1),
		.kind = (int16_t)rank,
	};
}

static int read_topology(struct topology *topology)
{
	cpu_set_t before, after;
	bool known = sched_getaffinity(0, sizeof(before), &before) == 0;
	hwloc_topology_t from;
	hwloc_obj_t pu = NULL;
	int err = -EIO;

	if (hwloc_topology_init(&from))
		return -ENOMEM;
	memset(topology, 0, sizeof(*topology));
	/* All that is online: CPUs that a cpuset forbids are others', and stay where they are. */
	if (hwloc_topology_set_flags(from, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED))
		goto out;
	err = hwloc_topology_load(from) ? -EIO : 0;
	/* It binds this program to each CPU, to ask that about itself: undone here. */
	if (known && sched_getaffinity(0, sizeof(after), &after) == 0 &&
	    !CPU_EQUAL(&before, &after))
		sched_setaffinity(0, sizeof(before), &before);
	if (err)
		goto out;
	snprintf(topology->source, sizeof(topology->source), "hwloc");
	while ((pu = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_PU, pu)))
		take_cpu(from, pu, topology);
	err = topology->n ? 0 : -ENODATA;
out:
	hwloc_topology_destroy(from);
	return err;
}

/* hwloc reports what it misses, such as /sys, on standard error, the screen's: silence it. */
int topology_hwloc(struct topology *topology)
{
	bool wished = getenv("HWLOC_HIDE_ERRORS") != NULL;
	int err;

	if (!wished)
		setenv("HWLOC_HIDE_ERRORS", "2", 1);
	err = read_topology(topology);
	if (!wished)
		unsetenv("HWLOC_HIDE_ERRORS");
	return err;
}
