/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"

/* The RGB and style of each colour; safe for the colour-blind unless its name says otherwise. */
struct theme_colour {
	uint32_t rgb;  /* 0xrrggbb, for snapshots */
	int16_t xterm; /* of 256, -1: the terminal's own */
	int16_t ansi;  /* of 8, -1: the terminal's own */
	uint8_t attr;  /* added where there are 8 colours or none */
};

struct theme {
	const char *name;
	uint32_t background; /* of snapshots */
	struct theme_colour colour[COLOURS];
};

/* The theme of a name, NULL if there is none; by number for `t`, NULL after the last. */
const struct theme *theme_find(const char *name);
const struct theme *theme_at(size_t i);
