/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/* The CPUs whose load is shown, and how they are cut into strips. */

/* The finest first; one that cuts nothing has a single part. */
enum view_cut { CUT_NODES, CUT_PACKAGES, CUT_KINDS, CUT_NONE, CUTS };

struct view_cpu {
	int16_t cpu;	 /* the kernel's number */
	uint32_t column; /* of model->cores; UINT32_MAX: no tick has had it */
	int32_t core;	 /* in the order of packages and nodes; its threads share it */
	int16_t thread;
	int16_t part[CUTS];  /* the node, the package, and so on that it is one of */
	int32_t place[CUTS]; /* its core's among those of that part */
};

struct view_cpus_part {
	char name[SAMPLE_LABEL];
	int32_t cores;
};

/*
 * Of a session, ascending by number. Machines that were joined have a part each, which CUT_PACKAGES
 * has, and their CPUs count through.
 */
struct view_cpus {
	uint32_t columns; /* it was made of */
	bool session;
	uint32_t n;
	int threads; /* the most that a core has */
	int cores;
	int parts[CUTS]; /* one more than are known where a CPU came later: its place is not */
	int known[CUTS];
	struct view_cpus_part *part_list[CUTS];
	char siblings[48]; /* "cores 0+8, 1+9 … 7+15"; "": all have one CPU */
	struct view_cpu list[];
};

/* The caller's to free; NULL without memory. */
struct view_cpus *view_cpus_make(const struct model *model);
bool view_cpus_stand(const struct view_cpus *cpus, const struct model *model);
void view_cpus_free(struct view_cpus *cpus);
