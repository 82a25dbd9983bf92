/* SPDX-License-Identifier: MIT */
#include "topology/topology.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/procfs.h"
#include "base/units.h"

/* Sorts CPUs by number. */
static int by_cpu_number(const void *a, const void *b)
{
	return ((const struct topology_cpu *)a)->cpu - ((const struct topology_cpu *)b)->cpu;
}

/* Sorts CPUs by package, node, core and number. */
static int by_core_place(const void *a, const void *b)
{
	const struct topology_cpu *x = a, *y = b;

	if (x->package != y->package)
		return x->package - y->package;
	if (x->node != y->node)
		return x->node - y->node;
	if (x->core != y->core)
		return x->core - y->core;
	return x->cpu - y->cpu;
}

/*
 * Numbers the cores from 0, and the CPUs of each core. A CPU whose core is unknown gets a core of
 * its own, after all others of its node.
 */
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
		if (next)
			thread = 0;
		else
			thread = (int16_t)(thread + 1);
		cpus[i].core = core;
		cpus[i].thread = thread;
	}
	topology->cores = (int16_t)(core + 1);
}

static int16_t *member(struct topology *topology, uint32_t i, size_t at)
{
	return (int16_t *)((char *)&topology->cpus[i] + at);
}

/* Returns the smallest value of the member that is above `last`; INT16_MAX if there is none. */
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

/*
 * Renumbers the values of the member as 0, 1 and so on, in ascending order. Unknown values stay
 * unknown.
 */
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

/*
 * The files of the kernel in /sys/devices/system. Source:
 * Documentation/ABI/stable/sysfs-devices-system-cpu.
 */

#define TOPOLOGY_CPUS "sys/devices/system/cpu/"
#define NODES	      "sys/devices/system/node/"

enum { LIST = 4096, TOPOLOGY_PATH = 128 };

static int read_list(const char *root, const char *path, cpu_set_t *set)
{
	char text[LIST];
	int err = procfs_read_text(root, path, text, sizeof(text));

	if (err)
		return err;
	return units_parse_cpulist(text, set);
}

static int16_t read_number(const char *root, int cpu, const char *name)
{
	char path[TOPOLOGY_PATH], text[32];
	uint64_t number;

	snprintf(path, sizeof(path), TOPOLOGY_CPUS "cpu%d/%s", cpu, name);
	if (procfs_read_text(root, path, text, sizeof(text)) ||
	    units_parse_count(text, INT16_MAX, &number))
		return -1;
	return (int16_t)number;
}

/*
 * Returns the first CPU of this CPU's core, which identifies the core: the kernel's core numbers
 * repeat in each package. Returns the CPU itself if its core is unknown.
 */
static int16_t first_sibling(const char *root, int cpu)
{
	static const char *const names[] = {"core_cpus_list", "thread_siblings_list"};
	char path[TOPOLOGY_PATH];
	cpu_set_t set;
	int16_t first = 0;

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), TOPOLOGY_CPUS "cpu%d/topology/%s", cpu, names[i]);
		if (read_list(root, path, &set) || !CPU_ISSET(cpu, &set))
			continue;
		while (!CPU_ISSET(first, &set))
			first++;
		return first;
	}
	return (int16_t)cpu;
}

/* Reads the topology of the online CPUs from sysfs. Returns 0 or -errno. */
static int topology_sys(const char *root, struct topology *topology)
{
	cpu_set_t online, nodes, cpus, fast, slow;
	char path[TOPOLOGY_PATH];
	bool lists;
	int err = read_list(root, TOPOLOGY_CPUS "online", &online);

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
	/*
	 * Intel's hybrid processors list the CPUs of each kind. Arm processors have a capacity for
	 * each CPU.
	 */
	lists = read_list(root, "sys/devices/cpu_core/cpus", &fast) == 0 &&
		read_list(root, "sys/devices/cpu_atom/cpus", &slow) == 0;
	for (uint32_t i = 0; i < topology->n; i++) {
		struct topology_cpu *cpu = &topology->cpus[i];

		if (!lists)
			cpu->kind = read_number(root, cpu->cpu, "cpu_capacity");
		else if (CPU_ISSET(cpu->cpu, &fast))
			cpu->kind = 1;
		else if (CPU_ISSET(cpu->cpu, &slow))
			cpu->kind = 0;
		else
			cpu->kind = -1;
	}
	if (topology->n)
		return 0;
	return -ENODATA;
}

void topology_read(const char *root, struct topology *topology)
{
	if (topology_sys(root, topology))
		memset(topology, 0, sizeof(*topology));
	topology_finish(topology);
}

const struct topology_cpu *topology_find(const struct topology *topology, int cpu)
{
	const struct topology_cpu wanted = {.cpu = (int16_t)cpu};

	return bsearch(&wanted, topology->cpus, topology->n, sizeof(wanted), by_cpu_number);
}

const char *const topology_place_names[TOPOLOGY_PLACES + 1] = {
	[TOPOLOGY_ANY] = "any",
	[TOPOLOGY_SPREAD] = "spread",
	[TOPOLOGY_PACK] = "pack",
	[TOPOLOGY_SAME_CORE] = "same-core",
};

enum { KEYS = 6 };

/* The keys by which CPUs are sorted, the most important first. The CPU's number is the last key. */
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

/* Returns the CPU's position. A CPU that the topology lacks counts as a core of its own. */
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

/* The allowed CPUs, ascending. first[i]: cpus[i] is the first allowed CPU of its core. */
struct allowed {
	size_t n;
	struct topology_cpu cpus[CPU_SETSIZE];
	bool first[CPU_SETSIZE];
};

/* Returns how many allowed CPUs of the same core have lower numbers. */
static int16_t threads_before(const struct allowed *allowed, const struct topology_cpu *cpu)
{
	int16_t n = 0;

	for (size_t i = 0; i < allowed->n; i++) {
		if (allowed->cpus[i].cpu >= cpu->cpu)
			break;
		if (allowed->cpus[i].core == cpu->core)
			n++;
	}
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
		const struct topology_cpu *spot = &own.cpus[i];
		int16_t slow = (int16_t)-spot->kind, node = spot->node, cores = 0;

		/*
		 * Number the nodes from 0 within their package. Number the cores from 0 within
		 * their node and kind.
		 */
		for (size_t j = 0; j < own.n; j++) {
			const struct topology_cpu *other = &own.cpus[j];

			if (other->package != spot->package)
				continue;
			if (other->node < node)
				node = other->node;
			if (own.first[j] && other->core < spot->core && other->node == spot->node &&
			    other->kind == spot->kind)
				cores++;
		}
		if (place == TOPOLOGY_ANY)
			ranks[i] = (struct ranked) {{0, 0, 0, 0, 0, spot->cpu}};
		else if (place == TOPOLOGY_SPREAD)
			ranks[i] = (struct ranked) {{threads_before(&own, spot), slow, cores,
						     (int16_t)(spot->node - node), spot->package,
						     spot->cpu}};
		else
			ranks[i] = (struct ranked) {
				{spot->package, slow, spot->node, spot->core, 0, spot->cpu}};
	}
	qsort(ranks, own.n, sizeof(ranks[0]), by_keys);
	for (size_t i = 0; i < own.n; i++)
		order[i] = ranks[i].key[KEYS - 1];
	if (place != TOPOLOGY_SAME_CORE)
		return own.n;
	/*
	 * Keep only the CPUs of the core with the most allowed CPUs. If several cores have as many,
	 * keep the first one's.
	 */
	for (size_t i = 0; i < own.n; i++) {
		int16_t its = cpu_at(topology, order[i]).core;
		size_t same = 0;

		for (size_t j = 0; j < own.n; j++)
			same += own.cpus[j].core == its;
		if (same > most) {
			core = its;
			most = same;
		}
	}
	for (size_t i = 0; i < own.n; i++)
		if (cpu_at(topology, order[i]).core == core)
			order[kept++] = order[i];
	return kept;
}
