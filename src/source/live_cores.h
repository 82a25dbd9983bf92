/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/procfs.h"
#include "core/sample.h"

/* Load of every core between two readings of /proc/stat (whose ticks are usually 10 ms long). */
struct live_cores {
	struct procfs_stat stat;
	int max;		    /* cores that fit in the arrays */
	struct procfs_core *before; /* the previous reading, max entries */
	struct procfs_core *now;
	int n_before;
	struct sample_core *load; /* what live_cores_read returns */
};

/* Reads once, so that the first load covers the time from here. 0 or -errno. */
int live_cores_open(struct live_cores *cores, const char *proc_root);
/* Loads since the previous call, the cores' own until the next one; how many, or -errno. */
int live_cores_read(struct live_cores *cores, struct sample_core **load);
void live_cores_close(struct live_cores *cores);
