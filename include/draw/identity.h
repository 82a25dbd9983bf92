/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * What a case that is compared is known by, in every view, export and page: a hue and a shape, of
 * the same number. Eight are told apart, in monochrome and by the colour-blind as well.
 */

enum { IDENTITIES = 8 };

/* The colour (canvas.h) and the glyph, one column wide, of a number; they begin again after 8. */
uint8_t identity_colour(uint32_t number);
uint32_t identity_glyph(uint32_t number);
