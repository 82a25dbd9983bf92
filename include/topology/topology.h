/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The layout of a machine's CPUs as the kernel reports it: which CPUs share a core, a package or a
 * NUMA node, and which are fast. Numbers count from 0; -1 is unknown.
 */

struct topology_cpu {
	int16_t cpu;	/* The kernel's number. */
	int16_t core;	/* Number of the CPU's core in the whole machine. Every CPU has a core. */
	int16_t thread; /* Number of the CPU among the CPUs of its core. */
	int16_t package, node;
	int16_t kind; /* Rank of the core's kind; the fastest kind has the highest rank. */
};

struct topology {
	char source[16]; /* "sysfs"; in older recordings "hwloc"; "": unknown. */
	uint32_t n;
	/* Numbers of cores, packages, nodes and kinds of cores. */
	int16_t cores, packages, nodes, kinds;
	struct topology_cpu cpus[CPU_SETSIZE]; /* ascending by the kernel's number */
};

enum { TOPOLOGY_TEXT = 512, TOPOLOGY_NAME = 64 };

/*
 * Reads the topology of the online CPUs from root/sys. Never fails; n is 0 if the kernel reports
 * nothing.
 */
void topology_read(const char *root, struct topology *topology);
/*
 * Sorts the CPUs by number, numbers their cores, threads, packages, nodes and kinds from 0, and
 * counts these. Call it after filling in the CPUs.
 */
void topology_finish(struct topology *topology);

/*
 * Writes the topology as a text such as "sysfs;0.0 0-15|32-47;1.1 16-31|48-63". Returns buf, "" if
 * it does not fit.
 */
char *topology_format(const struct topology *topology, char *buf, size_t size);
/* Reads a text of topology_format(). Returns 0, or -EINVAL and an empty topology. */
int topology_parse(const char *text, struct topology *topology);

/* The CPU with that number; NULL if unknown. */
const struct topology_cpu *topology_find(const struct topology *topology, int cpu);
/*
 * The name of a CPU's core, with what distinguishes it from other cores: "core 3"; "P core 3+35,
 * package 0, node 1"; "?" if the CPU is unknown. "3+35" are the kernel's numbers for the CPUs of
 * the core. Returns buf.
 */
char *topology_name(const struct topology *topology, int cpu, char *buf, size_t size);
/*
 * Describes a set of CPUs: "0,2: 2 cores in 2 packages", "0-1: 2 threads of 1 core". Returns buf.
 */
char *topology_describe(const struct topology *topology, const cpu_set_t *cpus, char *buf,
			size_t size);

/* The order in which CPUs are used. */
enum topology_place {
	TOPOLOGY_ANY, /* by the kernel's numbers */
	/*
	 * one CPU of each core, alternating between packages and nodes; then the second CPU of each
	 * core
	 */
	TOPOLOGY_SPREAD,
	TOPOLOGY_PACK,	    /* all CPUs of a core, then all CPUs of the next core in its package */
	TOPOLOGY_SAME_CORE, /* only the CPUs of one core */
	TOPOLOGY_PLACES
};

/* "any", "spread", "pack", "same-core", then NULL. */
extern const char *const topology_place_names[TOPOLOGY_PLACES + 1];
/*
 * Orders the allowed CPUs and returns their number. TOPOLOGY_SPREAD begins with the fastest kind of
 * core; TOPOLOGY_PACK does so within each package. TOPOLOGY_SAME_CORE keeps only the CPUs of one
 * core: the core with the most allowed CPUs.
 */
size_t topology_order(const struct topology *topology, enum topology_place place,
		      const cpu_set_t *allowed, int16_t order[CPU_SETSIZE]);
