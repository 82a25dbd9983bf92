/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the CPUs of a machine are: which of them share a core, a package, a NUMA node, and which
 * are fast, in the kernel's own words. Numbers count from 0; -1 is not known.
 */

struct topology_cpu {
	int16_t cpu;	/* as the kernel numbers it */
	int16_t core;	/* over the whole machine; each CPU has one */
	int16_t thread; /* which of its core's CPUs it is */
	int16_t package, node;
	int16_t kind; /* rank of its core among the kinds: the highest is the fastest */
};

struct topology {
	char source[16]; /* "sysfs", in older recordings "hwloc"; "": unknown */
	uint32_t n;
	int16_t cores, packages, nodes, kinds; /* how many; kinds 1: all are alike */
	struct topology_cpu cpus[CPU_SETSIZE]; /* ascending by the kernel's number */
};

enum { TOPOLOGY_TEXT = 512, TOPOLOGY_NAME = 64 };

/*
 * Reads it from root/sys. Never fails: a machine that reports nothing has no CPUs here.
 */
void topology_read(const char *root, struct topology *topology);
/* The last step of whoever fills one: orders the CPUs, numbers cores and threads, and counts. */
void topology_finish(struct topology *topology);

/* "sysfs;0.0 0-15|32-47;1.1 16-31|48-63" and back. Returns buf, "" where it does not fit. */
char *topology_format(const struct topology *topology, char *buf, size_t size);
/* 0 or -EINVAL, and then nothing is known. */
int topology_parse(const char *text, struct topology *topology);

/* NULL where it is not known. */
const struct topology_cpu *topology_find(const struct topology *topology, int cpu);
/*
 * "core 3", "P core 3+35, package 0, node 1", the CPUs of its core by the kernel's numbers: what
 * distinguishes it from others. Returns buf.
 */
char *topology_name(const struct topology *topology, int cpu, char *buf, size_t size);
/* "0,2: 2 cores of 2 packages", "0-1: both threads of core 0". Returns buf. */
char *topology_describe(const struct topology *topology, const cpu_set_t *cpus, char *buf,
			size_t size);

/* The order in which CPUs are taken. */
enum topology_place {
	TOPOLOGY_ANY,	    /* by the kernel's numbers */
	TOPOLOGY_SPREAD,    /* a CPU of each core, packages and nodes in turn; siblings last */
	TOPOLOGY_PACK,	    /* all of a core, then the next core of its package */
	TOPOLOGY_SAME_CORE, /* the CPUs of one core alone */
	TOPOLOGY_PLACES
};

/* "any", "spread", "pack", "same-core"; then NULL. */
extern const char *const topology_place_names[TOPOLOGY_PLACES + 1];
/*
 * Orders the allowed CPUs and returns their number. The fast kind comes first.
 * TOPOLOGY_SAME_CORE keeps the CPUs of the core that has most of them.
 */
size_t topology_order(const struct topology *topology, enum topology_place place,
		      const cpu_set_t *allowed, int16_t order[CPU_SETSIZE]);
