/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/canvas.h"

/* How layouts cut rectangles. */

/* Cuts h rows off the top of what is left, or off its bottom. */
struct rect layout_top(struct rect *left, int h);
struct rect layout_bottom(struct rect *left, int h);
/* Cuts each off the top in turn, as high as its .h says. */
void layout_stack(struct rect *left, struct rect *const rects[], size_t n);

struct layout_share {
	int *h;	    /* what it has, */
	int most;   /* and asks for */
	bool whole; /* all of that or nothing */
};

/* Gives each in turn what it asks for, as far as there is some. Returns what is left. */
int layout_give(int rest, const struct layout_share *shares, size_t n);
/* Within a box, one blank column on either side. */
struct rect layout_inside(struct rect box);
