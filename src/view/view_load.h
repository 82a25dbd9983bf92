/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/canvas.h"
#include "model/model.h"

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
