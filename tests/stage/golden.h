/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/draw.h"

/* Fails unless the canvas has that text. */
void golden_shows(const struct canvas *canvas, const char *text);
/*
 * Fails unless the text is that of tests/data/golden/NAME.txt. With TUIBENCH_GOLDEN=write in the
 * environment the file is written instead, to be looked at with git diff.
 */
void golden_assert(const char *name, const char *text);
