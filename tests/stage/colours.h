/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "draw/theme.h"

/* How a theme's colours are seen. */

/* The least contrast of letters and of filled areas: WCAG 2.1, 1.4.3 and 1.4.11. */
#define COLOURS_TEXT 4.5
#define COLOURS_AREA 3.0

/* The ways in which a terminal or a page shows a colour. */
enum way { WAY_TRUE, WAY_256, WAY_16, WAY_8, WAYS };

/*
 * Returns the colour 0xrrggbb that a terminal of that kind shows. Terminals of 16 colours have
 * xterm's. With 8 colours, bold makes a colour bright, as in xterm and on the console.
 */
uint32_t colours_seen(const struct theme *theme, int colour, enum way way);
/* Converts one channel of an sRGB colour, 0 … 255, to linear light, 0 … 1. */
double colours_channel(uint32_t value);
/* Returns the contrast ratio, 1 … 21, as WCAG 2.1 defines it. */
double colours_contrast(uint32_t a, uint32_t b);
