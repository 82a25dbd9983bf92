/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_LAYOUT_CUT_H
#define TUIBENCH_LAYOUT_CUT_H

#include "draw/canvas.h"

/* How layouts cut rectangles. */

int layout_least(int a, int b);
int layout_most(int a, int b);
/* Cuts h rows off the top of what is left, or off its bottom. */
struct rect layout_top(struct rect *left, int h);
struct rect layout_bottom(struct rect *left, int h);
/* Within a box, one blank column on either side. */
struct rect layout_inside(struct rect box);

#endif
