/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/canvas.h"

/* Fails unless the canvas shows exactly that text. */
void golden_shows(const struct canvas *canvas, const char *text);
/*
 * Fails unless the text equals tests/data/golden/NAME.txt. With TUIBENCH_GOLDEN=write in the
 * environment, writes that file instead; then look at it with git diff.
 */
void golden_assert(const char *name, const char *text);
