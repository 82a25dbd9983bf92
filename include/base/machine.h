/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_TEXT 128
#define MACHINE_ID   20

/*
 * The machine the program runs on. Texts are "" and numbers -1 where unknown; texts hold no control
 * bytes.
 */
struct machine {
	char host[MACHINE_TEXT];
	char kernel[MACHINE_TEXT];	     /* uname release */
	char arch[MACHINE_TEXT];	     /* uname machine */
	char libc[MACHINE_TEXT];	     /* "glibc 2.36" */
	char cpu[MACHINE_TEXT];		     /* model name */
	char virtualization[MACHINE_TEXT];   /* "kvm", "none", ... ; "" unknown */
	char governor[MACHINE_TEXT];	     /* cpufreq's; "" where there is none */
	char frequency_source[MACHINE_TEXT]; /* "cpufreq", "cpuinfo", "measured", "" */
	char hugepages[MACHINE_TEXT];	 /* transparent huge pages: "always", "madvise", "never" */
	char cpus_allowed[MACHINE_TEXT]; /* this process's, as a CPU list */
	int32_t cores_online;		 /* in the machine */
	int32_t cores_allowed;		 /* that this process may use */
	int32_t performance_cores;	 /* hybrid processors: /sys/devices/cpu_core; else -1 */
	int32_t efficiency_cores;	 /* hybrid processors: /sys/devices/cpu_atom; else -1 */
	int64_t mhz;			 /* now, of the first core; -1 unknown */
	int64_t memory_kb;		 /* MemTotal */
	int64_t memory_limit_kb;	 /* the least memory.max of the cgroups above; -1 none */
	double cpu_quota;		 /* cgroup cpu.max in cores; -1 none */
	int32_t page_kb;
	int32_t clock_ticks; /* per second, of /proc/stat */
	/* The step in which the kernel splits user and system time; 0 exact, -1 unknown. */
	int64_t tick_ns;
	int64_t clock_ns;		    /* that reading the clock takes; -1 unknown */
	char distribution[MACHINE_TEXT];    /* os-release's PRETTY_NAME */
	char filesystem[MACHINE_TEXT];	    /* "ext4": of the directory of the workers' files */
	char caches[MACHINE_TEXT];	    /* the first core's: "L1d 32K, L1i 32K, L2 512K" */
	char smt[MACHINE_TEXT];		    /* "on", "off" */
	char mitigations[2 * MACHINE_TEXT]; /* "vulnerable: mds; mitigated: spectre_v1" */
	/* The same in all recordings of one machine, and no way back to what it is made of. */
	char id[MACHINE_ID];
	char label[MACHINE_TEXT]; /* what its user calls it */
};

/*
 * Reads it from root/proc, root/sys and uname(2); root is "" on a real machine and a fixture tree
 * in tests. Never fails: what cannot be read stays unknown.
 */
void machine_read(const char *root, struct machine *machine);
/*
 * What the processors have used, µJ, by the counters in root/sys/class/powercap. -1: there are
 * none, or only root may read them. Each begins again at 0 after some hours: of two readings, the
 * later is then the smaller.
 */
int64_t machine_energy_uj(const char *root);
/* The cores that a quota leaves of those allowed; -1: it limits nothing, or there is none. */
double machine_quota(const struct machine *machine);
/* What the user calls the machine; anonymous: its own name is left out. */
void machine_name(struct machine *machine, const char *label, bool anonymous);
/* The type of the file system that holds the path, "tmpfs"; "" where it is not known. */
void machine_filesystem(const char *root, const char *path, char *type, size_t size);
/*
 * What no file says: the tick, the cost of reading the clock, and where there is no cpufreq the
 * frequency of this core while it works. It takes 2 ms.
 */
void machine_measure(struct machine *machine);
/*
 * The clock of the core that it runs on, MHz, measured for 2 ms: additions that need one another, a
 * cycle each, over the least time that they took. -1: not known, or slower than any core.
 */
int64_t machine_core_mhz(void);
