/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"

/* How a colour looks. The background is the theme's own, not the terminal's. */
struct theme_colour {
	uint32_t rgb;  /* 0xrrggbb, for terminals with true colour, snapshots and pages. */
	int16_t xterm; /* Number in the palette of 256 colours. */
	/*
	 * Number in the palette of 16. A terminal with 8 colours shows the bright ones in bold, and
	 * bright black in the colour of text.
	 */
	int16_t ansi;
	uint8_t attr; /* Attributes added on terminals with 16 colours or fewer. */
};

struct theme {
	const char *name;
	struct theme_colour colour[COLOURS];
};

/*
 * theme_find(): the theme with that name, which may be from an earlier release; NULL: none.
 * theme_at(): the i-th theme, in the order of the key `t`; NULL after the last.
 */
const struct theme *theme_find(const char *name);
const struct theme *theme_at(size_t i);
/*
 * The theme that suits the value of COLORFGBG, which some terminals set to "15;0" or
 * "0;default;15"; NULL if there is none. text may be NULL.
 */
const struct theme *theme_on_colorfgbg(const char *text);
/* The colour behind a cell. COLOUR_DEFAULT means the theme's background. */
static inline enum colour theme_ground(uint8_t bg)
{
	return bg == COLOUR_DEFAULT || bg >= COLOURS ? COLOUR_GROUND : (enum colour)bg;
}

/*
 * The mark of a compared case in every view, export and page. One number selects both its hue and
 * its shape. The eight marks are distinct in monochrome and for colour-blind readers, too.
 */

enum { IDENTITIES = 8 };

/* The colour, and the glyph (one column wide), of a number. From 8 on, the numbers repeat. */
uint8_t identity_colour(uint32_t number);
uint32_t identity_glyph(uint32_t number);
