/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"

/* Which of the CPUs that may be used a case gets, by where they are. */

bool experiment_places(const struct experiment_build *build)
{
	return build->experiment->request.place != TOPOLOGY_ANY ||
	       build->experiment->request.cores > 0 || build->kind->workers[WORK_TOKEN] > 0;
}

/* So many CPUs alone would be whichever the kernel numbers first, two of one core among them. */
static enum topology_place place_of(const struct experiment_build *build)
{
	enum topology_place place = build->experiment->request.place;

	return place == TOPOLOGY_ANY ? TOPOLOGY_SPREAD : place;
}

static const struct topology *topology_of(struct experiment_build *build)
{
	if (build->topology)
		return build->topology;
	build->topology = malloc(sizeof(*build->topology));
	if (build->topology)
		topology_read("", build->topology);
	return build->topology;
}

static int refuse_cores(struct experiment_build *build, uint32_t cores, size_t n)
{
	char list[128];

	if (build->experiment->request.place == TOPOLOGY_SAME_CORE)
		return REFUSE(build, -EINVAL,
			      "-s cores=%" PRIu32
			      ": is more than the %zu CPU%s that -s place=same-core has",
			      cores, n, n == 1 ? "" : "s");
	if (build->experiment->request.pinned)
		return REFUSE(build, -EINVAL,
			      "-s cores=%" PRIu32
			      ": is more than the %zu CPU%s that -s pin names (%s)",
			      cores, n, n == 1 ? "" : "s",
			      units_format_cpulist(list, sizeof(list), &build->allowed));
	return REFUSE(build, -EINVAL,
		      "-s cores=%" PRIu32
		      ": is more than the %zu CPU%s that this program may use (%s)",
		      cores, n, n == 1 ? "" : "s",
		      units_format_cpulist(list, sizeof(list), &build->allowed));
}

static int refuse_creation(struct experiment_build *build)
{
	return REFUSE(build, -EINVAL,
		      "%s: creation has places of its own: on its creator's core, or elsewhere; "
		      "-s pin says which cores there are",
		      build->experiment->request.cores > 0 ? "-s cores" : "-s place");
}

/* One core has all of its threads, however few the workers are. */
static size_t count_wanted(const struct experiment_build *build, uint32_t cores, uint32_t workers,
			   size_t n)
{
	if (cores > 0)
		return cores;
	return place_of(build) == TOPOLOGY_SAME_CORE || workers > n ? n : workers;
}

int experiment_place(struct experiment_build *build, uint32_t cores, uint32_t workers,
		     struct sample_case *one)
{
	enum topology_place place = place_of(build);
	const struct topology *topology;
	int16_t order[CPU_SETSIZE];
	size_t n, wanted;

	if (!experiment_places(build) || CPU_COUNT(&build->allowed) == 0)
		return 0;
	if (build->kind->creates)
		return refuse_creation(build);
	topology = topology_of(build);
	if (!topology)
		return REFUSE(build, -ENOMEM, "out of memory");
	n = topology_order(topology, place, &build->allowed, order);
	wanted = count_wanted(build, cores, workers, n);
	if (wanted > n)
		return refuse_cores(build, cores, n);
	for (size_t i = 0; i < wanted; i++)
		CPU_SET(order[i], &one->cpus);
	snprintf(one->place, sizeof(one->place), "%s", topology_place_name(place));
	one->pinned = true;
	return 0;
}
