/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"

/* How a colour looks; its ground is the theme's own, not the terminal's. */
struct theme_colour {
	uint32_t rgb;  /* 0xrrggbb: terminals with true colour, snapshots, pages */
	int16_t xterm; /* of 256 */
	int16_t ansi;  /* of 16; with 8 the bright ones are bold, and bright black is the text's */
	uint8_t attr;  /* added where there are 16 colours or fewer */
};

struct theme {
	const char *name;
	struct theme_colour colour[COLOURS];
};

/* The theme of a name or its old one, NULL: none; by number for `t`, NULL after the last. */
const struct theme *theme_find(const char *name);
const struct theme *theme_at(size_t i);
/* The theme that goes with a terminal's background, 0xrrggbb. */
const struct theme *theme_on(uint32_t rgb);
/* The same from COLORFGBG, "15;0" or "0;default;15", as some terminals set it; NULL: unknown. */
const struct theme *theme_on_colorfgbg(const char *text);
/* The colour behind a cell: COLOUR_DEFAULT there is the theme's ground. */
static inline enum colour theme_ground(uint8_t bg)
{
	return bg == COLOUR_DEFAULT || bg >= COLOURS ? COLOUR_GROUND : (enum colour)bg;
}

/*
 * What a case that is compared is known by, in every view, export and page: a hue and a shape, of
 * the same number. Eight can be distinguished, in monochrome and by the colour-blind as well.
 */

enum { IDENTITIES = 8 };

/* The colour (canvas.h) and the glyph, one column wide, of a number; they begin again after 8. */
uint8_t identity_colour(uint32_t number);
uint32_t identity_glyph(uint32_t number);
