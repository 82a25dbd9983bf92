/* SPDX-License-Identifier: MIT */
#include "draw/layout_tree.h"

#include "layout_cut.h"

struct share {
	int *h, most;
};

/* In the order in which they are missed. */
static void tree_heights(struct layout_tree *t, const struct layout_tree_need *need, int rest)
{
	int rows = need->rows < 1000 ? (int)need->rows : 1000;
	const struct share shares[] = {
		{&t->rows.h, layout_least(rows, 2)},
		{&t->reason.h, need->reason},
		{&t->counts.h, 1},
		{&t->axis.h, 1},
		{&t->alive.h, 1},
		{&t->rows.h, layout_least(rows, 4)},
		{&t->memory.h, 1},
		{&t->alive.h, 2},
		{&t->rows.h, layout_least(rows, 6)},
		{&t->times.h, 3},
		{&t->alive.h, 3},
		{&t->rows.h, layout_least(rows, 12)},
		{&t->alive.h, 4},
		{&t->rate.h, 2},
		{&t->rows.h, rows},
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		int more = layout_most(0, layout_least(rest, shares[i].most - *shares[i].h));

		/* A table without its last line says nothing. */
		if (shares[i].h == &t->times.h && more < shares[i].most)
			continue;
		*shares[i].h += more;
		rest -= more;
	}
	/* What is left goes to the plots. */
	t->rate.h += rest / 3;
	t->alive.h += rest - rest / 3;
}

/* A name, as far as it leaves room for what it names. */
static int margin(int name_w, int width)
{
	return layout_most(7, layout_least(name_w + 1, layout_least(20, width / 3)));
}

struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need)
{
	struct rect left = layout_inside(box);
	struct layout_tree t = {.left = margin(need->name_w, left.w), .right = 9};

	tree_heights(&t, need, left.h);
	t.reason = layout_top(&left, t.reason.h);
	t.counts = layout_top(&left, t.counts.h);
	t.alive = layout_top(&left, t.alive.h);
	t.axis = layout_top(&left, t.axis.h);
	t.rows = layout_top(&left, t.rows.h);
	t.rate = layout_top(&left, t.rate.h);
	t.times = layout_top(&left, t.times.h);
	t.memory = layout_top(&left, t.memory.h);
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
	alive = left.h >= 24 ? 4 : left.h >= 16 ? 3 : left.h >= 10;
	if (alive && rows < left.h - 1 - alive)
		alive = layout_least(ALIVE_MOST, left.h - 1 - (int)rows);
	t.alive = layout_top(&left, alive);
	t.axis = layout_top(&left, left.h >= 3);
	t.rows = left;
	return t;
}
