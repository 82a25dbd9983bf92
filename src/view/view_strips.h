/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/layout.h"
#include "view_cpus.h"
#include "view_load.h"

/* The box of the cores while it is drawn. */
struct view_cores {
	struct canvas *canvas;
	const struct layout_cores *layout;
	const struct model *model;
	const struct view_cpus *cpus;
	struct view_load *now; /* of each CPU over the last second */
	int64_t cell_ns;       /* of history in one column */
	long newest;	       /* tick; -1: none */
};

/*
 * Columns begin at multiples of cell_ns of the session: old ones keep their shape and only move
 * left. When the one so far back from the newest begins.
 */
int64_t view_cores_begin(const struct view_cores *cores, int back);
/* Adds one CPU's load of a tick. */
void view_cores_add(const struct view_cores *cores, const struct view_cpu *cpu, long tick,
		    struct view_load *load);
/* A strip for each part: its CPUs now, the history of their mean and of the busiest. */
void view_strips_draw(const struct view_cores *cores);
/* How many CPUs of a core's thread share a cell where there is no room for all. */
int view_strips_each(const struct view_cores *cores);
