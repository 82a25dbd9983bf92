/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "draw/draw.h"

/* What an eye has of a theme's colours. */

/* The least contrast of letters, and of what fills areas: WCAG 2.1, 1.4.3 and 1.4.11. */
#define COLOURS_TEXT 4.5
#define COLOURS_AREA 3.0

/* The ways in which a terminal, or a page, shows a colour. */
enum way { WAY_TRUE, WAY_256, WAY_16, WAY_8, WAYS };

/*
 * The colour 0xrrggbb on a terminal of that way; those of 16 are xterm's. With 8
 * bold makes a colour bright, as in xterm and on the console.
 */
uint32_t colours_seen(const struct theme *theme, int colour, enum way way);
/* A part of a colour of sRGB, 0 … 255, as light, 0 … 1. */
double colours_channel(uint32_t value);
/* 1 … 21, as WCAG 2.1 defines it. */
double colours_contrast(uint32_t a, uint32_t b);
