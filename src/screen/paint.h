/* SPDX-License-Identifier: MIT */
#pragma once

#include <ncurses.h>
#include <stdbool.h>
#include <stddef.h>

#include "draw/theme.h"

/*
 * Styles as attributes and colour pairs of curses. Every cell has the theme's background, even if
 * nothing is drawn there. On a terminal without colours, every cell has the terminal's background.
 */

enum { PAINT_PAIRS = COLOURS * COLOURS + 1, PAINT_TRUE = 1 << 24 };

struct paint_pair {
	int fg, bg; /* curses' colour numbers */
};

struct paint {
	const struct theme *theme;
	int colours; /* PAINT_TRUE, 256, 16, 8 or 0 */
	/* The terminal has 256 numbered colours and true colour: see paint_bytes(). */
	bool exact;
	struct paint_pair ground;
	short n_pairs;
	struct paint_pair pairs[PAINT_PAIRS]; /* Numbered from 1. */
	short pair_of[COLOURS][COLOURS];      /* -1: not used yet */
};

/*
 * Finds the terminal's colours. No colours are used if the terminal has none, or if NO_COLOR is
 * set. Call this after newterm().
 */
void paint_start(struct paint *paint, const struct theme *theme, bool no_color);
void paint_theme(struct paint *paint, const struct theme *theme);
short paint_pair(struct paint *paint, struct style style);
attr_t paint_attr(const struct paint *paint, struct style style);
/* curses' number of a colour. behind: the colour is for a background, and not for a letter. */
int paint_number(const struct paint *paint, enum colour colour, bool behind);
/*
 * With few colours, a letter and its background may have become the same colour. In that case,
 * removes one of these colours.
 */
void paint_apart(const struct paint *paint, struct cell *cell);
/*
 * Copies curses' output. If the terminal supports true colour (which COLORTERM says, and terminfo
 * does not), replaces numbered colours by the theme's true colours. Writes a letter that REP
 * repeats (CSI n b) n times, because mosh and old terminals that call themselves xterm do not know
 * REP. `to` must have paint_room() bytes. Returns the number of bytes written.
 */
size_t paint_room(const char *from, size_t n);
size_t paint_bytes(const struct paint *paint, const char *from, size_t n, char *to);
