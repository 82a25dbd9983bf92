/* SPDX-License-Identifier: MIT */
#include "view_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"
#include "topology/topology.h"

/* The kernel's own limit on x86: a broken recording may name more. */
enum { MOST_CPUS = 8192 };

/* While they are read: what the parts are called is that of the cut. */
struct reading {
	const struct model *model;
	struct topology *topology;
	struct view_cpus *cpus;
};

static int cpus_by_number(const void *a, const void *b)
{
	return ((const struct view_cpu *)a)->cpu - ((const struct view_cpu *)b)->cpu;
}

/* Those of the ticks; before the first one those that the machine reported. */
static uint32_t cpus_count(const struct model *model, const struct topology *topology)
{
	if (model->n_cores)
		return MIN(model->n_cores, MOST_CPUS);
	if (topology->n)
		return topology->n;
	return (uint32_t)MAX(0, MIN(model->session.machine.cores_online, MOST_CPUS));
}

static void cpus_name_part(const struct reading *r, enum layout_cut cut, int i, char *buf,
			   size_t size)
{
	static const char *const words[CUTS] = {"node", "package", "kind", ""};
	const struct topology *t = r->topology;

	if (r->model->n_origins && cut == CUT_PACKAGES)
		snprintf(buf, size, "%s", r->model->origins[i].name);
	else if (i >= r->cpus->known[cut])
		snprintf(buf, size, "%s", cut == CUT_NONE ? "" : "others");
	else if (cut == CUT_KINDS && t->kinds == 2)
		snprintf(buf, size, "%s cores", i == 0 ? "P" : "E");
	else if (cut == CUT_KINDS)
		snprintf(buf, size, "kind %d", t->kinds - 1 - i);
	else if (cut == CUT_NODES && t->nodes == t->packages)
		snprintf(buf, size, "%s %d", words[CUT_PACKAGES], i); /* a node each */
	else if (cut != CUT_NONE)
		snprintf(buf, size, "%s %d", words[cut], i);
}

static int cpus_by_core(const void *a, const void *b)
{
	const struct view_cpu *x = *(struct view_cpu *const *)a, *y = *(struct view_cpu *const *)b;

	return x->core != y->core ? x->core - y->core : x->cpu - y->cpu;
}

/* Counts threads and cores; places[cut][part] has the cores so far. */
static void cpus_count_cores(struct view_cpus *cpus, struct view_cpu **order)
{
	for (uint32_t i = 0; i < cpus->n; i++) {
		struct view_cpu *cpu = order[i], *before = i > 0 ? order[i - 1] : NULL;
		bool same = before && before->core == cpu->core;

		/* by those that are shown: the first may be offline */
		cpu->thread = same ? (int16_t)(before->thread + 1) : 0;
		cpus->count.threads = MAX(cpus->count.threads, cpu->thread + 1);
		cpus->cores += !same;
		for (int cut = 0; cut < CUTS; cut++) {
			struct view_cpus_part *part = &cpus->part_list[cut][cpu->part[cut]];

			part->cores += !same;
			cpus->count.most[cut] = MAX(cpus->count.most[cut], part->cores);
			cpu->place[cut] = part->cores - 1;
		}
	}
}

/* "0+8". Returns where the next core is. */
static uint32_t cpus_say_core(struct sentence *s, const struct view_cpus *cpus,
			      struct view_cpu **order, uint32_t first)
{
	uint32_t i = first;

	for (; i < cpus->n && order[i]->core == order[first]->core; i++)
		sentence_add(s, i > first ? "+%d" : "%d", order[i]->cpu);
	return i;
}

/* Which CPUs share a core: the first two, and the last. */
static void cpus_say_siblings(struct view_cpus *cpus, struct view_cpu **order)
{
	struct sentence s = {cpus->siblings, sizeof(cpus->siblings), 0};
	uint32_t second, last = cpus->n - 1;

	if (cpus->count.threads < 2)
		return;
	while (last > 0 && order[last - 1]->core == order[last]->core)
		last--;
	second = cpus_say_core(&s, cpus, order, 0);
	if (second < cpus->n) {
		sentence_add(&s, " ");
		cpus_say_core(&s, cpus, order, second);
	}
	if (last > second) {
		sentence_add(&s, " … ");
		cpus_say_core(&s, cpus, order, last);
	}
}

static int cpus_name_parts(const struct reading *r)
{
	const struct topology *t = r->topology;
	const int known[CUTS] = {t->nodes, t->packages, t->kinds, 1};
	struct view_cpus *cpus = r->cpus;

	for (int cut = 0; cut < CUTS; cut++) {
		for (uint32_t i = 0; i < cpus->n; i++)
			cpus->count.parts[cut] =
				MAX(cpus->count.parts[cut], cpus->list[i].part[cut] + 1);
		cpus->known[cut] = r->model->n_origins ? cpus->count.parts[cut]
						       : MIN(cpus->count.parts[cut], known[cut]);
		cpus->part_list[cut] =
			calloc((size_t)MAX(1, cpus->count.parts[cut]), sizeof(*cpus->part_list[0]));
		if (!cpus->part_list[cut])
			return -1;
		for (int i = 0; i < cpus->count.parts[cut]; i++)
			cpus_name_part(r, (enum layout_cut)cut, i, cpus->part_list[cut][i].name,
				       sizeof(cpus->part_list[cut][i].name));
	}
	return 0;
}

static int cpus_read(const struct reading *r)
{
	struct view_cpus *cpus = r->cpus;
	struct view_cpu **order = calloc(MAX(1, cpus->n), sizeof(struct view_cpu *));
	int err = order ? 0 : -1;

	for (uint32_t i = 0; i < cpus->n; i++) {
		struct view_cpu *cpu = &cpus->list[i];

		cpu->cpu = r->model->n_cores ? r->model->cores[i].cpu
			   : r->topology->n  ? r->topology->cpus[i].cpu
					     : (int16_t)i;
		cpu->column = r->model->n_cores ? i : UINT32_MAX;
		if (!r->model->n_origins) {
			const struct topology *t = r->topology;
			const struct topology_cpu *found = topology_find(t, cpu->cpu);
			struct topology_cpu one = {.package = -1, .node = -1, .kind = -1};

			if (found)
				one = *found;
			cpu->core = found ? one.core : CPU_SETSIZE + cpu->cpu;
			cpu->thread = one.thread;
			/* What is not known is a part behind all others; fast CPUs come first. */
			cpu->part[CUT_NODES] = one.node >= 0 ? one.node : t->nodes;
			cpu->part[CUT_PACKAGES] = one.package >= 0 ? one.package : t->packages;
			cpu->part[CUT_KINDS] =
				one.kind >= 0 ? (int16_t)(t->kinds - 1 - one.kind) : t->kinds;
			continue;
		}
		/* Machines that were joined: a part each. */
		cpu->core = cpu->cpu;
		for (uint32_t j = 0; j < r->model->n_origins; j++)
			if (cpu->column - r->model->origins[j].first_core <
			    r->model->origins[j].n_cores)
				cpu->part[CUT_PACKAGES] = (int16_t)j;
	}
	qsort(cpus->list, cpus->n, sizeof(cpus->list[0]), cpus_by_number);
	for (uint32_t i = 0; !err && i < cpus->n; i++)
		order[i] = &cpus->list[i];
	err = err ? err : cpus_name_parts(r);
	if (!err && cpus->n) {
		qsort(order, cpus->n, sizeof(struct view_cpu *), cpus_by_core);
		cpus_count_cores(cpus, order);
		cpus_say_siblings(cpus, order);
	}
	free(order);
	return err;
}

struct view_cpus *view_cpus_make(const struct model *model)
{
	struct reading r = {.model = model, .topology = calloc(1, sizeof(*r.topology))};

	if (!r.topology)
		return NULL;
	if (model->has_session && !model->n_origins)
		topology_parse(model->session.topology, r.topology);
	r.cpus = calloc(1,
			sizeof(*r.cpus) + cpus_count(model, r.topology) * sizeof(r.cpus->list[0]));
	if (r.cpus) {
		r.cpus->n = cpus_count(model, r.topology);
		r.cpus->count.n = (int)r.cpus->n;
		r.cpus->columns = model->n_cores;
		r.cpus->session = model->has_session;
		if (cpus_read(&r)) {
			view_cpus_free(r.cpus);
			r.cpus = NULL;
		}
	}
	free(r.topology);
	return r.cpus;
}

bool view_cpus_stand(const struct view_cpus *cpus, const struct model *model)
{
	return cpus && cpus->columns == model->n_cores && cpus->session == model->has_session;
}

void view_cpus_free(struct view_cpus *cpus)
{
	for (int cut = 0; cpus && cut < CUTS; cut++)
		free(cpus->part_list[cut]);
	free(cpus);
}
