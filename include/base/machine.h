/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_TEXT 128
#define MACHINE_ID   20

/*
 * The machine on which the program runs. An unknown text is "", an unknown number is -1. Texts have
 * no control bytes.
 */
struct machine {
	char host[MACHINE_TEXT];
	char kernel[MACHINE_TEXT];	     /* Kernel release, from uname(2). */
	char arch[MACHINE_TEXT];	     /* Machine name, from uname(2). */
	char libc[MACHINE_TEXT];	     /* "glibc 2.36" */
	char cpu[MACHINE_TEXT];		     /* Processor model name. */
	char virtualization[MACHINE_TEXT];   /* "kvm", "none", ...; "" if unknown. */
	char governor[MACHINE_TEXT];	     /* Governor of cpufreq; "" if there is no cpufreq. */
	char frequency_source[MACHINE_TEXT]; /* "cpufreq", "cpuinfo", "measured", "" */
	char hugepages[MACHINE_TEXT];	 /* Transparent huge pages: "always", "madvise", "never". */
	char cpus_allowed[MACHINE_TEXT]; /* CPUs that this process may use, as a CPU list. */
	int32_t cores_online;		 /* Number of CPUs online. */
	int32_t cores_allowed;		 /* Number of CPUs that this process may use. */
	/*
	 * Number of performance cores of a hybrid processor, from /sys/devices/cpu_core; -1 on
	 * others.
	 */
	int32_t performance_cores;
	/*
	 * Number of efficiency cores of a hybrid processor, from /sys/devices/cpu_atom; -1 on
	 * others.
	 */
	int32_t efficiency_cores;
	/* Current frequency of the first core, or of the measured one; -1 if unknown. */
	int64_t mhz;
	int64_t memory_kb; /* MemTotal */
	/* The lowest memory limit among this process's cgroups; -1 if there is no limit. */
	int64_t memory_limit_kb;
	double cpu_quota; /* Lowest CPU quota among these cgroups, in cores; -1: no limit. */
	int32_t page_kb;
	int32_t clock_ticks; /* Ticks per second in /proc/stat. */
	/* The step in which the kernel splits CPU time into user and system time: see tick_ns(). */
	int64_t tick_ns;
	int64_t clock_ns;		 /* Time to read the clock once; -1 if unknown. */
	char distribution[MACHINE_TEXT]; /* PRETTY_NAME from os-release. */
	/* File system of the directory in which workers write, such as "ext4". */
	char filesystem[MACHINE_TEXT];
	char caches[MACHINE_TEXT]; /* Caches of the first core: "L1d 32K, L1i 32K, L2 512K". */
	char smt[MACHINE_TEXT];	   /* "on", "off" */
	char mitigations[2 * MACHINE_TEXT]; /* "vulnerable: mds; mitigated: spectre_v1" */
	/*
	 * A hash that is the same in all recordings of one machine. The data from which it is
	 * computed cannot be recovered from it.
	 */
	char id[MACHINE_ID];
	char label[MACHINE_TEXT]; /* The user's name for the machine. */
};

/*
 * Reads the machine from root/proc, root/sys and uname(2). root is "" on a real machine, and a
 * directory with copies of the files in tests. Never fails: values that cannot be read stay
 * unknown.
 */
void machine_read(const char *root, struct machine *machine);
/*
 * Energy that the processors have used, in µJ, from the counters in root/sys/class/powercap. -1:
 * there are no counters, or only root may read them. A counter wraps to 0 after some hours, so a
 * later reading may be smaller.
 */
int64_t machine_energy_uj(const char *root);
/*
 * The number of cores that a CPU quota allows. -1: there is no quota, or this process may use no
 * more cores than that anyway.
 */
double machine_quota(const struct machine *machine);
/* Sets the user's name for the machine. If `anonymous`, also removes the machine's own name. */
void machine_name(struct machine *machine, const char *label, bool anonymous);
/* Writes the type of the file system that contains the path, such as "tmpfs"; "" if unknown. */
void machine_filesystem(const char *root, const char *path, char *type, size_t size);
/*
 * Measures the values that no file has: the tick, the time to read the clock and, without cpufreq,
 * the frequency of this core under load. Takes up to 3 ms.
 */
void machine_measure(struct machine *machine);
/*
 * Frequency of the current core in MHz: a number of dependent additions, which take one cycle each,
 * divided by their shortest time. The measurement takes 2 ms. -1: unknown, or lower than that of
 * any real core.
 */
int64_t machine_core_mhz(void);
