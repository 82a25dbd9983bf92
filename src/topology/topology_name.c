/* SPDX-License-Identifier: MIT */
#include "topology/topology.h"

#include <stdio.h>
#include <string.h>

#include "base/sentence.h"
#include "base/units.h"

/* What CPUs are called. */

/* "P", "E"; of more than two kinds their rank. */
static void say_kind(struct sentence *s, const struct topology *topology, int16_t kind)
{
	if (topology->kinds == 2 && kind >= 0)
		sentence_add(s, "%s ", kind == 1 ? "P" : "E");
	else if (topology->kinds > 2 && kind >= 0)
		sentence_add(s, "kind %d ", kind);
}

/* A core has no number of its own that the kernel would tell: its CPUs name it, "3+35". */
static void say_core(struct sentence *s, const struct topology *topology, int16_t core)
{
	int threads = 0;

	for (uint32_t i = 0; i < topology->n; i++)
		if (topology->cpus[i].core == core)
			sentence_add(s, threads++ ? "+%d" : "core %d", topology->cpus[i].cpu);
}

char *topology_name(const struct topology *topology, int cpu, char *buf, size_t size)
{
	const struct topology_cpu *one = topology_find(topology, cpu);
	struct sentence s = {buf, size, 0};

	snprintf(buf, size, "%s", "");
	if (!one) {
		sentence_add(&s, "?");
		return buf;
	}
	say_kind(&s, topology, one->kind);
	say_core(&s, topology, one->core);
	if (topology->packages > 1 && one->package >= 0)
		sentence_add(&s, ", package %d", one->package);
	if (topology->nodes > 1 && one->node >= 0)
		sentence_add(&s, ", node %d", one->node);
	return buf;
}

/* What a set of CPUs has of each. */
struct census {
	cpu_set_t cores, packages, nodes;
	int cpus, unknown, fast, slow;
};

static void count_one(const struct topology *topology, int cpu, struct census *census)
{
	const struct topology_cpu *one = topology_find(topology, cpu);

	census->cpus++;
	if (!one) {
		census->unknown++;
		return;
	}
	if (topology->kinds == 2 && one->kind >= 0 && !CPU_ISSET(one->core, &census->cores)) {
		census->fast += one->kind == 1;
		census->slow += one->kind == 0;
	}
	CPU_SET(one->core, &census->cores);
	if (one->package >= 0)
		CPU_SET(one->package, &census->packages);
	if (one->node >= 0)
		CPU_SET(one->node, &census->nodes);
}

static void say_cores(struct sentence *s, const struct census *census)
{
	int cores = CPU_COUNT(&census->cores);

	if (census->cpus > cores)
		sentence_add(s, "%d threads of ", census->cpus);
	if (census->fast > 0 && census->slow > 0)
		sentence_add(s, "%d P and %d E cores", census->fast, census->slow);
	else
		sentence_add(s, "%d %score%s", cores,
			     census->fast   ? "P "
			     : census->slow ? "E "
					    : "",
			     cores == 1 ? "" : "s");
}

char *topology_describe(const struct topology *topology, const cpu_set_t *cpus, char *buf,
			size_t size)
{
	struct sentence s = {buf, size, 0};
	struct census census = {.cpus = 0};
	char list[128];

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus))
			count_one(topology, cpu, &census);
	snprintf(buf, size, "%s", units_format_cpulist(list, sizeof(list), cpus));
	s.used = strlen(buf);
	if (census.cpus == 0 || census.unknown > 0)
		return buf;
	sentence_add(&s, ": ");
	say_cores(&s, &census);
	if (topology->packages > 1)
		sentence_add(&s, " in %d package%s", CPU_COUNT(&census.packages),
			     CPU_COUNT(&census.packages) == 1 ? "" : "s");
	if (topology->nodes > 1)
		sentence_add(&s, ", %d NUMA node%s", CPU_COUNT(&census.nodes),
			     CPU_COUNT(&census.nodes) == 1 ? "" : "s");
	return buf;
}
