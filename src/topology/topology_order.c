/* SPDX-License-Identifier: MIT */
#include "topology/topology.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* In which order CPUs are taken. */

static const char *const place_names[TOPOLOGY_PLACES] = {
	[TOPOLOGY_ANY] = "any",
	[TOPOLOGY_SPREAD] = "spread",
	[TOPOLOGY_PACK] = "pack",
	[TOPOLOGY_SAME_CORE] = "same-core",
};

const char *topology_place_name(enum topology_place place)
{
	return place_names[place < TOPOLOGY_PLACES ? place : TOPOLOGY_ANY];
}

enum { KEYS = 6 };

/* What is compared first, second and so on; the CPU's number is the last. */
struct ranked {
	int16_t key[KEYS];
};

static int by_keys(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int i = 0;

	while (i < KEYS - 1 && x->key[i] == y->key[i])
		i++;
	return x->key[i] - y->key[i];
}

/* A CPU that the topology does not have is a core of its own. */
static struct topology_cpu cpu_at(const struct topology *topology, int cpu)
{
	const struct topology_cpu *found = topology_find(topology, cpu);

	if (found)
		return *found;
	return (struct topology_cpu) {
		.cpu = (int16_t)cpu,
		.core = (int16_t)(CPU_SETSIZE + cpu),
		.package = INT16_MAX,
		.node = INT16_MAX,
		.kind = -1,
	};
}

/* The allowed CPUs, and which of them are the first of their core. */
struct allowed {
	size_t n;
	struct topology_cpu cpus[CPU_SETSIZE];
	bool first[CPU_SETSIZE];
};

/* How many CPUs of its core are taken before it. */
static int16_t threads_before(const struct allowed *allowed, const struct topology_cpu *one)
{
	int16_t n = 0;

	for (size_t i = 0; i < allowed->n && allowed->cpus[i].cpu < one->cpu; i++)
		n = (int16_t)(n + (allowed->cpus[i].core == one->core));
	return n;
}

size_t topology_order(const struct topology *topology, enum topology_place place,
		      const cpu_set_t *allowed, int16_t order[CPU_SETSIZE])
{
	struct ranked ranks[CPU_SETSIZE];
	struct allowed own = {.n = 0};
	size_t most = 0, kept = 0;
	int16_t core = -1;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, allowed))
			own.cpus[own.n++] = cpu_at(topology, cpu);
	for (size_t i = 0; i < own.n; i++)
		own.first[i] = threads_before(&own, &own.cpus[i]) == 0;
	for (size_t i = 0; i < own.n; i++) {
		const struct topology_cpu *one = &own.cpus[i];
		int16_t slow = (int16_t)-one->kind, node = one->node, cores = 0;

		/* The nodes of a package count from its least, a node's cores of a kind from 0. */
		for (size_t j = 0; j < own.n; j++) {
			const struct topology_cpu *other = &own.cpus[j];

			if (other->package != one->package)
				continue;
			if (other->node < node)
				node = other->node;
			if (own.first[j] && other->core < one->core && other->node == one->node &&
			    other->kind == one->kind)
				cores++;
		}
		if (place == TOPOLOGY_ANY)
			ranks[i] = (struct ranked) {{0, 0, 0, 0, 0, one->cpu}};
		else if (place == TOPOLOGY_SPREAD)
			ranks[i] = (struct ranked) {{threads_before(&own, one), slow, cores,
						     (int16_t)(one->node - node), one->package,
						     one->cpu}};
		else
			ranks[i] = (struct ranked) {
				{one->package, slow, one->node, one->core, 0, one->cpu}};
	}
	qsort(ranks, own.n, sizeof(ranks[0]), by_keys);
	for (size_t i = 0; i < own.n; i++)
		order[i] = ranks[i].key[KEYS - 1];
	if (place != TOPOLOGY_SAME_CORE)
		return own.n;
	/* Keeps the CPUs of the core that has most of them, the first of such. */
	for (size_t i = 0; i < own.n; i++) {
		int16_t its = cpu_at(topology, order[i]).core;
		size_t same = 0;

		for (size_t j = 0; j < own.n; j++)
			same += own.cpus[j].core == its;
		core = same > most ? its : core;
		most = same > most ? same : most;
	}
	for (size_t i = 0; i < own.n; i++)
		if (cpu_at(topology, order[i]).core == core)
			order[kept++] = order[i];
	return kept;
}
