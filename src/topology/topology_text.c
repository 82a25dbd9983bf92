/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology/topology.h"
#include "base/error_line.h"
#include "base/units.h"

/*
 * A topology as text: the source, then groups of cores at one position. "1.1.0 16-18|48-50" means
 * three cores of package 1, node 1, kind 0. Their CPUs are 16 and 48, 17 and 49, 18 and 50.
 */

enum { THREADS = 16, TEXT_LIST = 4096 };

/* A group of cores. cpu[i] has CPU i of each core, in the order of the cores. */
struct group {
	int16_t package, node, kind;
	int16_t threads, cores;
	int16_t cpu[THREADS][CPU_SETSIZE];
};

static bool continues(const struct group *group, const struct topology_cpu *cpus, int16_t threads)
{
	if (group->cores == 0 || group->threads != threads || group->package != cpus->package ||
	    group->node != cpus->node || group->kind != cpus->kind)
		return false;
	for (int16_t i = 0; i < threads; i++)
		if (group->cpu[i][group->cores - 1] > cpus[i].cpu)
			return false;
	return true;
}

/* Writes a list such as "0-30:2" or "0-1,7". Numbers at equal steps become a range. */
static void say_list(struct sentence *s, const int16_t *cpu, int16_t n)
{
	for (int16_t i = 0, last; i < n; i = (int16_t)(last + 1)) {
		int step = 1;

		if (i + 1 < n)
			step = cpu[i + 1] - cpu[i];
		for (last = i; last + 1 < n; last++)
			if (cpu[last + 1] - cpu[last] != step)
				break;
		if (last - i < 2 && step > 1)
			last = i;
		sentence_add(s, i > 0 ? ",%d" : "%d", cpu[i]);
		if (last > i)
			sentence_add(s, "-%d", cpu[last]);
		if (last > i && step > 1)
			sentence_add(s, ":%d", step);
	}
}

static void say_number(struct sentence *s, const char *before, int16_t number)
{
	if (number < 0)
		sentence_add(s, "%s?", before);
	else
		sentence_add(s, "%s%d", before, number);
}

static void say_group(struct sentence *s, const struct topology *topology, struct group *group)
{
	if (group->cores > 0) {
		say_number(s, ";", group->package);
		say_number(s, ".", group->node);
		if (topology->kinds > 1)
			say_number(s, ".", group->kind);
		for (int16_t i = 0; i < group->threads; i++) {
			sentence_add(s, i > 0 ? "|" : " ");
			say_list(s, group->cpu[i], group->cores);
		}
	}
	group->cores = 0;
}

char *topology_format(const struct topology *topology, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	struct topology_cpu cpus[THREADS];
	struct group *group = calloc(1, sizeof(*group));

	snprintf(buf, size, "%s", "");
	if (!group || topology->n == 0) {
		free(group);
		return buf;
	}
	sentence_add(&s, "%s", topology->source);
	for (int16_t core = 0; core < topology->cores; core++) {
		int16_t threads = 0;

		for (uint32_t i = 0; i < topology->n; i++) {
			if (threads == THREADS)
				break;
			if (topology->cpus[i].core == core)
				cpus[threads++] = topology->cpus[i];
		}
		if (threads == 0)
			continue;
		if (!continues(group, cpus, threads))
			say_group(&s, topology, group);
		group->package = cpus->package;
		group->node = cpus->node;
		group->kind = cpus->kind;
		group->threads = threads;
		for (int16_t i = 0; i < threads; i++)
			group->cpu[i][group->cores] = cpus[i].cpu;
		group->cores++;
	}
	say_group(&s, topology, group);
	free(group);
	/* Half a topology would look complete, so make the text empty. */
	if (s.used + 1 >= size)
		*buf = '\0';
	return buf;
}

/* Reads "?" or a number and moves *text past it. Returns false if the text is neither. */
static bool take_place_number(const char **text, int16_t *number)
{
	char *end;
	long value;

	*number = -1;
	if (**text == '?') {
		(*text)++;
		return true;
	}
	value = strtol(*text, &end, 10);
	if (end == *text || value < 0 || value >= CPU_SETSIZE)
		return false;
	*text = end;
	*number = (int16_t)value;
	return true;
}

/*
 * Adds the cores of a group, numbered from *core on. The lists of the text are separated by "|".
 * List i has CPU i of each core.
 */
static int take_group(struct topology *topology, char *text, int16_t *core)
{
	const char *head = text;
	struct topology_cpu place = {.kind = -1};
	bool ok = take_place_number(&head, &place.package) && *head++ == '.' &&
		  take_place_number(&head, &place.node);
	int cores = -1;
	char *rest, *list;
	cpu_set_t set;

	if (ok && *head == '.')
		ok = take_place_number((head++, &head), &place.kind);
	if (!ok || *head != ' ')
		return -EINVAL;
	rest = text + (head - text) + 1;
	while ((list = strsep(&rest, "|"))) {
		if (units_parse_cpulist(list, &set) || CPU_COUNT(&set) == 0 ||
		    (cores >= 0 && CPU_COUNT(&set) != cores) ||
		    topology->n + (uint32_t)CPU_COUNT(&set) > CPU_SETSIZE)
			return -EINVAL;
		cores = CPU_COUNT(&set);
		place.core = *core;
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			if (!CPU_ISSET(cpu, &set))
				continue;
			place.cpu = (int16_t)cpu;
			topology->cpus[topology->n++] = place;
			place.core++;
		}
	}
	*core = (int16_t)(*core + cores);
	return 0;
}

int topology_parse(const char *text, struct topology *topology)
{
	char copy[TOPOLOGY_TEXT], *rest = copy, *part;
	int16_t core = 0;
	int err = 0;

	memset(topology, 0, sizeof(*topology));
	snprintf(copy, sizeof(copy), "%s", text);
	part = strsep(&rest, ";");
	snprintf(topology->source, sizeof(topology->source), "%s", part);
	while (!err && (part = strsep(&rest, ";")))
		err = take_group(topology, part, &core);
	topology_finish(topology);
	for (uint32_t i = 1; i < topology->n; i++)
		if (topology->cpus[i].cpu == topology->cpus[i - 1].cpu)
			err = -EINVAL;
	if (!err && topology->n > 0)
		return 0;
	memset(topology, 0, sizeof(*topology));
	return -EINVAL;
}

/* Names of CPUs. */

char *topology_name(const struct topology *topology, int cpu, char *buf, size_t size)
{
	const struct topology_cpu *place = topology_find(topology, cpu);
	struct sentence s = sentence_in(buf, size);
	int threads = 0;

	snprintf(buf, size, "%s", "");
	if (!place) {
		sentence_add(&s, "?");
		return buf;
	}
	/*
	 * The name of the kind is "P" or "E". If there are more than two kinds, it is the kind's
	 * number.
	 */
	if (topology->kinds == 2 && place->kind >= 0)
		sentence_add(&s, "%s ", place->kind == 1 ? "P" : "E");
	else if (topology->kinds > 2 && place->kind >= 0)
		sentence_add(&s, "kind %d ", place->kind);
	/*
	 * The kernel's number of a core is not unique, so name the core by its CPUs, as in "3+35".
	 */
	for (uint32_t i = 0; i < topology->n; i++)
		if (topology->cpus[i].core == place->core)
			sentence_add(&s, threads++ ? "+%d" : "core %d", topology->cpus[i].cpu);
	if (topology->packages > 1 && place->package >= 0)
		sentence_add(&s, ", package %d", place->package);
	if (topology->nodes > 1 && place->node >= 0)
		sentence_add(&s, ", node %d", place->node);
	return buf;
}

char *topology_describe(const struct topology *topology, const cpu_set_t *cpus, char *buf,
			size_t size)
{
	struct sentence s = sentence_in(buf, size);
	cpu_set_t cores, packages, nodes;
	int n_cores, fast = 0, slow = 0;
	bool known = CPU_COUNT(cpus) > 0;
	char list[128];

	CPU_ZERO(&cores);
	CPU_ZERO(&packages);
	CPU_ZERO(&nodes);
	for (int number = 0; number < CPU_SETSIZE; number++) {
		const struct topology_cpu *cpu;

		if (!CPU_ISSET(number, cpus))
			continue;
		cpu = topology_find(topology, number);
		if (!cpu) {
			known = false;
			break;
		}
		if (topology->kinds == 2 && !CPU_ISSET(cpu->core, &cores)) {
			fast += cpu->kind == 1;
			slow += cpu->kind == 0;
		}
		CPU_SET(cpu->core, &cores);
		if (cpu->package >= 0)
			CPU_SET(cpu->package, &packages);
		if (cpu->node >= 0)
			CPU_SET(cpu->node, &nodes);
	}
	snprintf(buf, size, "%s", units_format_cpulist(list, sizeof(list), cpus));
	s.used = strlen(buf);
	if (!known)
		return buf;
	n_cores = CPU_COUNT(&cores);
	sentence_add(&s, ": ");
	if (CPU_COUNT(cpus) > n_cores)
		sentence_add(&s, "%d threads of ", CPU_COUNT(cpus));
	if (fast > 0 && slow > 0)
		sentence_add(&s, "%d P and %d E cores", fast, slow);
	else if (fast > 0)
		sentence_add(&s, "%d P core%s", n_cores, sentence_plural(n_cores));
	else if (slow > 0)
		sentence_add(&s, "%d E core%s", n_cores, sentence_plural(n_cores));
	else
		sentence_add(&s, "%d core%s", n_cores, sentence_plural(n_cores));
	if (topology->packages > 1)
		sentence_add(&s, " in %d package%s", CPU_COUNT(&packages),
			     sentence_plural(CPU_COUNT(&packages)));
	if (topology->nodes > 1)
		sentence_add(&s, ", %d NUMA node%s", CPU_COUNT(&nodes),
			     sentence_plural(CPU_COUNT(&nodes)));
	return buf;
}
