/* SPDX-License-Identifier: MIT */
#include "layout_cut.h"

#include <sys/param.h>

struct rect layout_top(struct rect *left, int h)
{
	struct rect out = *left;

	h = MAX(0, MIN(h, left->h));
	out.h = h;
	left->y += h;
	left->h -= h;
	return out;
}

struct rect layout_bottom(struct rect *left, int h)
{
	struct rect out = *left;

	h = MAX(0, MIN(h, left->h));
	out.y = left->y + left->h - h;
	out.h = h;
	left->h -= h;
	return out;
}

void layout_stack(struct rect *left, struct rect *const rects[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		*rects[i] = layout_top(left, rects[i]->h);
}

int layout_give(int rest, const struct layout_share *shares, size_t n)
{
	for (const struct layout_share *share = shares; share < shares + n; share++) {
		int more = MAX(0, MIN(rest, share->most - *share->h));

		if (share->whole && more < share->most)
			continue;
		*share->h += more;
		rest -= more;
	}
	return rest;
}

struct rect layout_inside(struct rect box)
{
	return (struct rect) {box.x + 2, box.y + 1, MAX(0, box.w - 4), MAX(0, box.h - 2)};
}
