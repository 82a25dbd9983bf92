/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/plot.h"
#include "core/sample.h"

/*
 * A row of many workers along a time axis: how many of them existed in each cell, and what most of
 * those did. One pass over the workers, whatever the number of cells; nothing is allocated.
 */

enum { DENSITY_CELLS = PLOT_DOTS / 2 };

enum density_state {
	DENSITY_CREATED, /* from the create call to the first instruction */
	DENSITY_RUNNING, /* from the first instruction to the last */
	DENSITY_WAITING, /* from there until it was joined */
	DENSITY_STATES,
	DENSITY_BAD = DENSITY_STATES /* one failed, crashed or was refused here */
};

struct density_cell {
	uint8_t shade; /* 0: none, … 5: nearly all */
	uint8_t state; /* the one that most of them were in, at any time within the cell */
};

/* The figures beside a row of many. */
struct density_sum {
	uint32_t workers, joined, bad;
	int64_t begin_ns, end_ns; /* the first create and the last join of all; -1 */
};

struct density {
	const struct plot_axis *axis;
	int64_t until_ns; /* what is later is not known; in ended runs their end */
	double scale;	  /* cells a ns */
	int w;
	struct density_sum sum;
	int32_t exist[DENSITY_CELLS + 1], state[DENSITY_STATES][DENSITY_CELLS + 1];
	bool failed[DENSITY_CELLS];
};

/* The axis is kept; it covers at most DENSITY_CELLS cells. */
void density_begin(struct density *density, const struct plot_axis *axis, int64_t until_ns);
/* n workers in a row, as they will have been in the end: shown is what came by until_ns. */
void density_add(struct density *density, const struct sample_worker *workers, uint32_t n);
/* Cells of the axis, from its left end, as many as it has columns. */
void density_cells(const struct density *density, struct density_cell *cells);
