/* SPDX-License-Identifier: MIT */
#pragma once

#include <ncurses.h>
#include <stdbool.h>
#include <stddef.h>

#include "draw/canvas.h"
#include "draw/theme.h"

/*
 * Styles as curses' attributes and pairs of colours. Every cell has the theme's own ground, also
 * where nothing is drawn; only without colours is it the terminal's.
 */

enum { PAINT_PAIRS = COLOURS * COLOURS + 1, PAINT_TRUE = 1 << 24 };

struct paint_pair {
	int fg, bg; /* as curses numbers colours */
};

struct paint {
	const struct theme *theme;
	int colours; /* PAINT_TRUE, 256, 16, 8 or 0 */
	bool exact;  /* of 256, and the terminal knows true colour: see paint_bytes() */
	struct paint_pair ground;
	short n_pairs;
	struct paint_pair pairs[PAINT_PAIRS]; /* from 1 */
	short pair_of[COLOURS][COLOURS];      /* -1: not asked for yet */
};

/* After newterm(): the colours this terminal has, none where it or NO_COLOR wants none. */
void paint_start(struct paint *paint, const struct theme *theme, bool no_color);
void paint_theme(struct paint *paint, const struct theme *theme);
short paint_pair(struct paint *paint, struct style style);
attr_t paint_attr(const struct paint *paint, struct style style);
/*
 * Copies what curses wrote, its numbered colours replaced by the theme's true ones where the
 * terminal knows those: COLORTERM says so, terminfo does not. to has room for PAINT_GROWS * n.
 * Returns how many bytes it became.
 */
enum { PAINT_GROWS = 2 };
size_t paint_bytes(const struct paint *paint, const char *from, size_t n, char *to);
