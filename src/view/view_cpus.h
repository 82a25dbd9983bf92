/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "draw/canvas.h"
#include "draw/layout.h"

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
/* "0-3,8", and "0-62:2" of even steps, as taskset(1) takes it. Returns buf. */
char *view_cpus_list(const cpu_set_t *set, char *buf, size_t size);

/* The load of CPUs as they are drawn: what takes their time, in the order of the legend. */

enum { LOAD_KINDS = 4 }; /* user, system, I/O wait, steal */

/* Sums over ticks and CPUs, in 0.1 %. */
struct view_load {
	int64_t kind[LOAD_KINDS];
	int64_t n;
};

struct view_load_kind {
	const char *name;
	uint32_t glyph;
	uint8_t colour;
};

extern const struct view_load_kind view_load_kinds[LOAD_KINDS];

/* One of a tick's; what is not known adds nothing. */
void view_load_add(struct view_load *load, const struct sample_core *core);
/* A kind's share of a CPU, 1 = all of it; NaN where nothing is known. */
double view_load_share(const struct view_load *load, int kind);
/* The same of all but waiting for a disk, which leaves the CPU free. */
double view_load_busy(const struct view_load *load);
/* "100 %", "  ? %" */
void view_load_percent(char *buf, size_t size, const struct view_load *load);
/* The kinds upon one another in column x of rect; nothing where nothing is known. */
void view_load_stack(struct canvas *canvas, struct rect rect, int x, const struct view_load *load);

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
