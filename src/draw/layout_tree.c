/* SPDX-License-Identifier: MIT */
#include "draw/layout_tree.h"

#include <sys/param.h>

#include "layout_cut.h"

enum { LEVELS_MOST = 5, RIGHT = 9, RIGHT_WIDE = 12, WIDE = 48 };

/* The parts get their heights in the order in which they are missed. */
static void tree_heights(struct layout_tree *t, const struct layout_tree_need *need, int rest)
{
	int rows = need->rows < 1000 ? (int)need->rows : 1000;
	int levels = MAX(1, MIN(need->levels, LEVELS_MOST));
	const struct layout_share shares[] = {
		{&t->bands.h, levels},
		{&t->reason.h, need->reason},
		{&t->axis.h, 1},
		{&t->rows.h, MIN(rows, 2)},
		{&t->counts.h, 1},
		{&t->bands.h, 2 * levels},
		{&t->memory.h, 1},
		{&t->rows.h, MIN(rows, 4)},
		{&t->times.h, 3, .whole = true}, /* without its last line it says nothing */
		{&t->bands.h, 3 * levels},
		{&t->rows.h, MIN(rows, 12)},
		{&t->bands.h, 4 * levels},
		{&t->rows.h, rows},
	};

	rest = layout_give(rest, shares, sizeof(shares) / sizeof(shares[0]));
	t->bands.h += rest;
}

/* A name, as far as it leaves room for what it names. */
static int margin(int name_w, int width)
{
	return MAX(7, MIN(name_w + 1, MIN(20, width / 3)));
}

struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need)
{
	struct rect left = layout_inside(box);
	struct layout_tree t = {.left = margin(need->name_w, left.w),
				.right = left.w >= WIDE ? RIGHT_WIDE : RIGHT};
	struct rect *const stack[] = {&t.reason, &t.counts, &t.bands, &t.axis,
				      &t.rows,	 &t.times,  &t.memory};

	tree_heights(&t, need, left.h);
	layout_stack(&left, stack, sizeof(stack) / sizeof(stack[0]));
	return t;
}

enum { DETAILS_W = 36, DETAILS_LEAST_W = 100, BELOW_H = 4, BELOW_LEAST_H = 14, ALIVE_MOST = 8 };

struct layout_timeline layout_timeline(struct rect body, int name_w, long rows)
{
	struct layout_timeline t = {.right = 9, .box = body};
	struct rect left;
	int alive;

	if (body.w >= DETAILS_LEAST_W) {
		t.box.w -= DETAILS_W;
		t.details = (struct rect) {body.x + t.box.w, body.y, DETAILS_W, body.h};
	}
	left = layout_inside(t.box);
	if (body.w < DETAILS_LEAST_W && left.h >= BELOW_LEAST_H) {
		t.below = true;
		t.details = (struct rect) {left.x, left.y + left.h - BELOW_H, left.w, BELOW_H};
		left.h -= BELOW_H;
	}
	t.left = margin(name_w, left.w);
	if (rows < left.h)
		alive = left.h - 2 > rows ? MIN(ALIVE_MOST, left.h - 1 - (int)rows) : 0;
	else
		alive = left.h >= 24 ? 4 : left.h >= 16 ? 3 : left.h >= 10;
	t.alive = layout_top(&left, alive);
	t.axis = layout_top(&left, left.h >= 3);
	t.rows = left;
	return t;
}
