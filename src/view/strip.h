/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_STRIP_H
#define TUIBENCH_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/plot.h"
#include "core/sample.h"

/*
 * A row of many workers along a time axis: how many of them existed in each cell, and what most of
 * those did. One pass over the workers, whatever the number of cells; nothing is allocated.
 */

enum { STRIP_CELLS = PLOT_DOTS / 2 };

enum strip_state {
	STRIP_CREATED, /* from the create call to the first instruction */
	STRIP_RUNNING, /* from the first instruction to the last */
	STRIP_WAITING, /* from there until it was joined */
	STRIP_STATES,
	STRIP_BAD = STRIP_STATES /* one failed, crashed or was refused here */
};

struct strip_cell {
	uint8_t shade; /* 0: none, … 5: nearly all */
	uint8_t state; /* the one that most of them were in, at any time within the cell */
};

struct strip {
	const struct plot_axis *axis;
	int64_t until_ns; /* what is later is not known; in ended runs their end */
	double scale;	  /* cells a ns */
	int w;
	uint32_t workers, joined, bad;
	int64_t begin_ns, end_ns; /* the first create and the last join of all; -1 */
	int32_t exist[STRIP_CELLS + 1], state[STRIP_STATES][STRIP_CELLS + 1];
	bool failed[STRIP_CELLS];
};

/* The axis is kept; it covers at most STRIP_CELLS cells. */
void strip_begin(struct strip *strip, const struct plot_axis *axis, int64_t until_ns);
/* n workers in a row, as they will have been in the end: the strip shows what had come by until_ns.
 */
void strip_add(struct strip *strip, const struct sample_worker *workers, uint32_t n);
/* Cells of the axis, from its left end, as many as it has columns. */
void strip_cells(const struct strip *strip, struct strip_cell *cells);

#endif
