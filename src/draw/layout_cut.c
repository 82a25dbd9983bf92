/* SPDX-License-Identifier: MIT */
#include "layout_cut.h"

int layout_least(int a, int b)
{
	return a < b ? a : b;
}

int layout_most(int a, int b)
{
	return a > b ? a : b;
}

struct rect layout_top(struct rect *left, int h)
{
	struct rect out = *left;

	h = layout_most(0, layout_least(h, left->h));
	out.h = h;
	left->y += h;
	left->h -= h;
	return out;
}

struct rect layout_bottom(struct rect *left, int h)
{
	struct rect out = *left;

	h = layout_most(0, layout_least(h, left->h));
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
		int more = layout_most(0, layout_least(rest, share->most - *share->h));

		if (share->whole && more < share->most)
			continue;
		*share->h += more;
		rest -= more;
	}
	return rest;
}

struct rect layout_inside(struct rect box)
{
	return (struct rect) {box.x + 2, box.y + 1, layout_most(0, box.w - 4),
			      layout_most(0, box.h - 2)};
}
