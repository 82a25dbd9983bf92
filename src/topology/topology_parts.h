/* SPDX-License-Identifier: MIT */
#pragma once

#include "topology/topology.h"

/*
 * Fills cpus[] and n, with any numbers that are alike where things are the same, and the source. 0
 * or -errno, and then the topology is not of use.
 */
int topology_hwloc(struct topology *topology);

/* Orders the CPUs and numbers cores and their threads; counts. */
void topology_finish(struct topology *topology);
