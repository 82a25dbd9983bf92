/* SPDX-License-Identifier: MIT */
#include "topology_parts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where the CPUs are, whatever said so. */

static int by_cpu_number(const void *a, const void *b)
{
	return ((const struct topology_cpu *)a)->cpu - ((const struct topology_cpu *)b)->cpu;
}

/* Cores in the order of packages and nodes; within one by what named them. */
static int by_core_place(const void *a, const void *b)
{
	const struct topology_cpu *x = a, *y = b;

	if (x->package != y->package)
		return x->package - y->package;
	if (x->node != y->node)
		return x->node - y->node;
	return x->core != y->core ? x->core - y->core : x->cpu - y->cpu;
}

/* A CPU without a core is one by itself; numbers beyond the others name it. */
static void number_cores(struct topology *topology)
{
	struct topology_cpu *cpus = topology->cpus, before = {.core = -1};
	int16_t core = -1, thread = 0;

	for (uint32_t i = 0; i < topology->n; i++)
		if (cpus[i].core < 0)
			cpus[i].core = (int16_t)(CPU_SETSIZE + cpus[i].cpu);
	qsort(cpus, topology->n, sizeof(cpus[0]), by_core_place);
	for (uint32_t i = 0; i < topology->n; i++) {
		bool next = i == 0 || cpus[i].core != before.core ||
			    cpus[i].package != before.package || cpus[i].node != before.node;

		before = cpus[i];
		core = (int16_t)(core + next);
		thread = next ? 0 : (int16_t)(thread + 1);
		cpus[i].core = core;
		cpus[i].thread = thread;
	}
	topology->cores = (int16_t)(core + 1);
}

static int16_t *member(struct topology *topology, uint32_t i, size_t at)
{
	return (int16_t *)((char *)&topology->cpus[i] + at);
}

/* The least value of a member above that one; INT16_MAX: there is none. */
static int16_t next_value(struct topology *topology, size_t at, int16_t last)
{
	int16_t least = INT16_MAX;

	for (uint32_t i = 0; i < topology->n; i++) {
		int16_t value = *member(topology, i, at);

		if (value > last && value < least)
			least = value;
	}
	return least;
}

/* The values of a member become 0, 1 and so on, as they ascend; unknown ones stay so. */
static int16_t number_from_0(struct topology *topology, size_t at)
{
	int16_t n = 0, value = next_value(topology, at, -1);

	for (; value < INT16_MAX; value = next_value(topology, at, value)) {
		for (uint32_t i = 0; i < topology->n; i++)
			if (*member(topology, i, at) == value)
				*member(topology, i, at) = n;
		n++;
	}
	return n;
}

void topology_finish(struct topology *topology)
{
	topology->packages = number_from_0(topology, offsetof(struct topology_cpu, package));
	topology->nodes = number_from_0(topology, offsetof(struct topology_cpu, node));
	topology->kinds = number_from_0(topology, offsetof(struct topology_cpu, kind));
	number_cores(topology);
	qsort(topology->cpus, topology->n, sizeof(topology->cpus[0]), by_cpu_number);
}

void topology_read(const char *root, struct topology *topology)
{
	int err = *root ? -1 : topology_hwloc(topology);

	if (err)
		err = topology_sys(root, topology);
	if (err)
		memset(topology, 0, sizeof(*topology));
	topology_finish(topology);
}

const struct topology_cpu *topology_find(const struct topology *topology, int cpu)
{
	const struct topology_cpu wanted = {.cpu = (int16_t)cpu};

	return bsearch(&wanted, topology->cpus, topology->n, sizeof(wanted), by_cpu_number);
}
