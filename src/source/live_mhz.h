/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/sample.h"

/*
 * The frequency of the cores that work, from cpufreq. A core that rests is left out: what its
 * clock does says nothing about the run. Reading costs up to some 10 µs a core, as the kernel may
 * have to ask the core itself: hence once a second.
 */
struct live_mhz {
	int *fds; /* by cpu: scaling_cur_freq, kept open; -1 */
	int n;
	uint64_t next_ns; /* no reading before */
};

/* root is "", or a fixture tree in tests. 0 (also where there is no cpufreq) or -ENOMEM. */
int live_mhz_open(struct live_mhz *mhz, const char *root);
/* Sets mhz of the cores that have worked since the last tick, unless it is too early. */
void live_mhz_read(struct live_mhz *mhz, uint64_t now_ns, struct sample_core *cores, int n);
void live_mhz_close(struct live_mhz *mhz);
