/* SPDX-License-Identifier: MIT */
#include "draw/layout.h"
#include "draw/text.h"

#include <sys/param.h>

#include "base/array.h"

/* Cuts h rows off the top of the rectangle `left`, or all rows if there are fewer. */
static struct rect layout_top(struct rect *left, int h)
{
	struct rect out = *left;

	h = MAX(0, MIN(h, left->h));
	out.h = h;
	left->y += h;
	left->h -= h;
	return out;
}

static struct rect layout_bottom(struct rect *left, int h)
{
	struct rect out = *left;

	h = MAX(0, MIN(h, left->h));
	out.y = left->y + left->h - h;
	out.h = h;
	left->h -= h;
	return out;
}

/* Cuts the rectangles off the top, one after the other. Each already has its height. */
static void layout_stack(struct rect *left, struct rect *const rects[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		*rects[i] = layout_top(left, rects[i]->h);
}

struct layout_share {
	int *h;	    /* current height */
	int most;   /* wanted height */
	bool whole; /* gets either all of the wanted height or nothing */
};

/*
 * Gives the shares their wanted heights, one after the other, until no row is left. Returns the
 * number of rows left.
 */
static int layout_give(int rest, const struct layout_share *shares, size_t n)
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

/* Returns the inside of a box, with one blank column on the left and right. */
static struct rect layout_inside(struct rect box)
{
	return RECT(box.x + 2, box.y + 1, MAX(0, box.w - 4), MAX(0, box.h - 2));
}

/*
 * Lays out the frame. The answer is below the top line. If there are too few rows, the pairs are
 * dropped first, then the hint.
 */
struct layout_frame layout_frame(int width, int height, const struct layout_wish *wish)
{
	struct rect left = {0, 0, MAX(0, width), MAX(0, height)}, rest;
	struct layout_frame f = {0};
	int lines, hint = height >= 16 && !wish->bare, pairs = 0;

	f.ask = width < LAYOUT_LEAST_W || height < LAYOUT_LEAST_H;
	f.top_line = layout_top(&left, 1);
	if (f.ask)
		return f;
	f.keys = layout_bottom(&left, 1);
	lines = MAX(wish->lines, text_lines(wish->sentence, MAX(1, left.w - 2)));
	lines = MIN(3, lines);
	f.sentence = layout_top(&left, lines);
	f.sentence.x += 1;
	f.sentence.w = MAX(0, f.sentence.w - 2);
	if (wish->main && wish->pairs) {
		if (height >= 30)
			pairs = 3;
		else if (height >= 22)
			pairs = 2;
		else if (height >= 18)
			pairs = 1;
	}
	if (wish->main && hint && height >= 30)
		hint = 2;
	rest = layout_bottom(&left, pairs + hint);
	rest.x += 1;
	rest.w = MAX(0, rest.w - 2);
	f.pairs = layout_top(&rest, pairs);
	f.hint = layout_top(&rest, hint);
	f.body = left;
	return f;
}

/* Columns for the label and graph of a core; the largest number of cores with graphs. */
enum { LAYOUT_CORE_W = 22, LAYOUT_GRAPHS = 16 };

/*
 * Columns for a usual and for a short name, and for the texts beside a strip; the width from which
 * a list is wide.
 */
enum { LAYOUT_NAME_W = 10, LAYOUT_NAME_LEAST_W = 8, LAYOUT_TEXTS_W = 22, LAYOUT_WIDE = 96 };

/*
 * Lays out the cores in a fifth of the body, at least a row. With more CPUs than LAYOUT_GRAPHS, or
 * too few rows for graphs, there are strips instead.
 */
static void layout_cores(struct layout_cores *c, struct rect *left, const struct layout_cpus *cpus)
{
	int budget = MAX(1, left->h / 5 - 2), columns, rows, n = cpus->n;
	struct rect space = *left;

	if (left->h < 12 || n < 1)
		return;
	columns = MAX(1, MIN(n, (left->w - 4) / LAYOUT_CORE_W));
	rows = (n + columns - 1) / columns;
	columns = (n + rows - 1) / rows;
	if (n > LAYOUT_GRAPHS || rows > MAX(budget + 1, left->h / 6)) {
		int most = left->h * 2 / 7, lines;
		bool wide;

		c->inner = layout_inside(space);
		c->w = c->inner.w;
		wide = c->w >= LAYOUT_WIDE;
		c->strips = true;
		c->columns = 1;
		while (c->cut < CUTS - 1 &&
		       (cpus->parts[c->cut] < 2 || 2 * cpus->parts[c->cut] > most))
			c->cut++;
		c->rows = MAX(1, cpus->parts[c->cut]);
		if (c->rows >= 2) {
			if (wide)
				c->name_w = LAYOUT_NAME_W;
			else
				c->name_w = LAYOUT_NAME_LEAST_W;
		}
		c->line_w = MAX(8, c->w - c->name_w - LAYOUT_TEXTS_W - c->w / (wide ? 3 : 6));
		/*
		 * Two lines, for the mean and for the busiest CPU. More if the threads and cores
		 * need more.
		 */
		lines = cpus->threads * ((cpus->most[c->cut] + c->line_w - 1) / c->line_w);
		c->h = MAX(1, MIN(MAX(2, lines), most / c->rows));
		if (c->h > cpus->threads && lines > 1)
			c->h -= c->h % cpus->threads;
	} else {
		c->box = layout_top(&space, 2 + rows * MAX(1, budget / rows));
		c->inner = layout_inside(c->box);
		c->rows = rows;
		c->columns = columns;
		c->h = MAX(1, c->inner.h / rows);
		c->w = MAX(1, (c->inner.w - (columns - 1) * 2) / columns);
	}
	c->box = layout_top(left, 2 + c->rows * c->h);
	c->inner = layout_inside(c->box);
}

struct layout_overview layout_overview(struct rect body, int n_cases, int first,
				       const struct layout_cpus *cpus)
{
	struct layout_overview o = {0};
	int x = body.x;

	layout_cores(&o.cores, &body, cpus);
	if (body.h < 3 || n_cases < 1)
		return o;
	/* Show two models side by side even if that makes them narrow. */
	o.n_columns = MAX(body.w / LAYOUT_COLUMN_W, 1 + (body.w >= LAYOUT_TWO_W));
	o.n_columns = MIN(o.n_columns, MIN(n_cases, LAYOUT_COLUMNS));
	o.first = MAX(0, MIN(first, n_cases - o.n_columns));
	for (int i = 0; i < o.n_columns; i++) {
		int end = body.x + body.w * (i + 1) / o.n_columns;

		o.columns[i] = RECT(x, body.y, end - x, body.h);
		x = end;
	}
	return o;
}

struct layout_column layout_column(struct rect box, const struct layout_need *need)
{
	struct rect left = layout_inside(box);
	struct layout_column c = {.left = left.w >= 50 ? 9 : 8, .right = 9};
	struct rect *const stack[] = {&c.axis, &c.alive, &c.rows, &c.memory, &c.kernel, &c.totals};

	const struct layout_share shares[] = {
		{&c.rows.h, MIN(need->workers, 2)},
		{&c.axis.h, 1},
		{&c.memory.h, 1},
		{&c.rows.h, MIN(need->workers, 4)},
		{&c.alive.h, need->many ? 2 : 0},
		{&c.rows.h, MIN(need->workers, 8)},
		{&c.kernel.h, need->kernel},
		{&c.totals.h, 2},
		{&c.memory.h, 3},
		{&c.rows.h, MIN(need->workers, 8 + MAX(0, left.h - 16) / 2)},
		{&c.totals.h, 3},
	};

	int rest = layout_give(left.h, shares, LENGTH(shares));
	int alive = 0, kernel = 0;

	if (need->many)
		alive = rest / 3;
	if (need->kernel)
		kernel = (rest - alive) * 2 / 5;
	/* Share the other rows among the plots. */
	c.alive.h += alive;
	c.kernel.h += kernel;
	c.memory.h += rest - alive - kernel;
	layout_stack(&left, stack, LENGTH(stack));
	return c;
}

enum { RACE_ROWS = 8, RACE_LEAST = 4, RACE_FIT = 6, RACE_PITCH = 3, RACE_BARS = 4 };
/* Most lines of a program with few tasks: its lane, its states and its memory. */
enum { RACE_PROGRAM = 9, RACE_SINGLE = 5 };
enum { RACE_LEFT = 11, RACE_RIGHT = 9, RACE_NARROW = 70 };
/* Room for "3,146/4,920" beside a band. */
enum { RACE_BANDS_RIGHT = 12 };

/*
 * Numbers of lines for the parts of the race. If each model has the part, the number for one model.
 */
struct race_lines {
	int rows, alive, axes, cores, bars, figures, runs, air;
	int bar; /* Lines of each bar. */
	int gap; /* Blank lines below each model. */
};

/* Takes this many of the free lines; takes none if there are fewer. */
static int race_take(int *rest, int lines)
{
	if (lines > *rest)
		return 0;
	*rest -= lines;
	return lines;
}

/* Returns the lines that n models need with at most this many rows each. */
static int race_rows(const struct layout_race_need *need, int n, int most)
{
	int lines = 0;

	for (int i = 0; i < n; i++)
		lines += MIN(need->rows[i], most);
	return lines;
}

/* Adds rows to each of n models, up to `most`, while there are free lines. */
static int race_grow(int *rest, const struct layout_race_need *need, int n, int has, int most)
{
	int more = race_rows(need, n, has + 1) - race_rows(need, n, has);

	while (has < most && more <= *rest) {
		*rest -= more;
		has++;
		more = race_rows(need, n, has + 1) - race_rows(need, n, has);
	}
	return has;
}

/*
 * Gives lines to the bars of medians, which replace the line of figures. Without room for a blank
 * line below them, they are next to the lanes. If all models must be seen, the bars of the first
 * metric may have no title.
 */
static void race_take_bars(struct race_lines *l, int *rest, const struct layout_race_need *need)
{
	const int bars = MIN(need->models, RACE_BARS);

	if (l->figures == 0)
		return;
	/* The line of figures becomes one of the lines of the bars. */
	if (race_take(rest, bars + 1))
		l->bars = bars + 2;
	else if (need->together && race_take(rest, bars))
		l->bars = bars + 1;
	else if (need->together && race_take(rest, bars - 1))
		l->bars = bars;
	if (l->bars > 0)
		l->figures = 0;
}

/*
 * Gives programs the lines that are left. The cores get theirs from these, so that nothing moves
 * when a program turns out to have several tasks.
 */
static void race_fill_programs(struct race_lines *l, int left, int rows,
			       const struct layout_race_need *need)
{
	l->rows += MIN(left, MAX(0, RACE_PROGRAM - l->rows));
	if (need->single)
		rows = MAX(rows, RACE_SINGLE);
	if (need->cores == 0 || l->rows - need->cores < rows)
		return;
	l->cores = need->cores;
	l->rows -= need->cores;
}

/*
 * Gives lines to the parts in this order: the workers' lanes, one axis, the medians in a line, the
 * cores, the medians as bars, an axis for each model, the marks of runs. Models that must be seen
 * together, bands, and programs have one axis. If models must be seen together, their bars come
 * before the cores, and runs have no marks. On a small screen, the last part in this order goes
 * first. Even before that, after a fault, the caller leaves out the rows of branches.
 */
static struct race_lines race_lines_of(int h, int n, int rows, const struct layout_race_need *need)
{
	const int bars = MIN(need->models, RACE_BARS);
	struct race_lines l = {.bar = 1};
	int rest = h - n, left = 0, all, pitch;

	l.rows = race_grow(&rest, need, n, 0, MIN(rows, RACE_LEAST));
	l.axes = race_take(&rest, 1);
	if (need->figures && need->metrics > 0)
		l.figures = race_take(&rest, 1);
	l.rows = race_grow(&rest, need, n, l.rows, MIN(rows, RACE_ROWS));
	if (l.figures == 0 && need->metrics > 0)
		l.figures = race_take(&rest, 1);
	if (need->together)
		race_take_bars(&l, &rest, need);
	if (need->cores > 0 && !need->programs)
		l.cores = race_take(&rest, n * need->cores) / n;
	race_take_bars(&l, &rest, need);
	if (l.axes && !need->together && !need->bands && !need->programs)
		l.axes += race_take(&rest, n - 1);
	/* Bands of several lines each say more than a line for each run. */
	if (l.bars == bars + 2 && (!need->bands || rest >= bars + 2 * n * rows)) {
		/* After a fault no times are compared, so the marks of runs would say nothing. */
		if (!need->together)
			l.runs = race_take(&rest, bars);
		/*
		 * Rather than a blank line below the bars, use the line to show all runs, which is
		 * more useful.
		 */
		if (!need->together && l.runs == 0 && rest + 1 == bars) {
			l.bars--;
			l.runs = bars;
			rest = 0;
		}
		l.air = race_take(&rest, 1);
	}
	l.rows = race_grow(&rest, need, n, l.rows, rows);
	all = race_rows(need, n, l.rows);
	if (all > 0 && rest >= all && l.rows == rows) {
		pitch = MIN(RACE_PITCH, 1 + rest / all);
		l.rows *= pitch;
		rest -= (pitch - 1) * all;
	}
	/* The memory of an only task comes first. */
	if (need->programs && l.rows < RACE_PROGRAM)
		left = 2 * n;
	/* Lines that are still free make the bars higher, which are seen from the last row. */
	if (l.bars == bars + 2 && !need->bands && rest >= bars + left && race_take(&rest, bars)) {
		l.bars += bars;
		l.bar++;
	}
	if (l.bar > 1 && n > 1)
		l.gap = race_take(&rest, n) / n;
	if (need->programs)
		race_fill_programs(&l, rest / n, rows, need);
	return l;
}

/* The curve of the tasks alive has two lines, or one in this many if these are more. */
enum { RACE_ALIVE = 5 };

/* The lines that each of n models has for its bands and for the tasks alive. */
static int race_bands(const struct race_lines *l, int h, int n)
{
	const int others = l->air + l->bars + n + l->axes + n * l->cores + l->runs + l->figures;

	return MAX(l->rows, (h - others) / n);
}

/*
 * Bands fill all free lines. Once each level has a line, the tasks alive have one. They have two
 * once the last level has a second line, too. The blank line below the bars goes if a level would
 * have no line, or the tasks alive none.
 */
static void race_fill_bands(struct race_lines *l, int h, int n, const struct layout_race_need *need,
			    int levels)
{
	struct race_lines dense = *l;

	if (l->bars == MIN(need->models, RACE_BARS) + 2)
		dense.bars--;
	if (race_bands(l, h, n) <= levels)
		*l = dense;
	l->rows = race_bands(l, h, n);
	if (l->rows <= levels)
		return;
	l->alive = 1;
	if (l->rows > levels + 2)
		l->alive = MAX(2, l->rows / RACE_ALIVE);
	l->rows -= l->alive;
}

/* The number of models whose lanes are shown. */
static int race_models(struct rect body, const struct layout_race_need *need, int rows)
{
	const int most = MIN(need->models, LAYOUT_COLUMNS);
	int fit = (body.h - 1) / (1 + MIN(rows, RACE_FIT));

	/* Beside the axis and bars, each model has at least a title and a line for each level. */
	if (need->bands)
		fit = (body.h - 2 - MIN(need->models, RACE_BARS)) / (1 + MIN(rows, RACE_FIT));
	else if (need->together) /* Without an axis, one more model may fit. */
		fit = body.h / (1 + MIN(rows, RACE_FIT));
	else if (body.w < RACE_NARROW && rows >= RACE_FIT)
		fit = 1; /* If the lanes are short, one model is easier to see than two. */
	return MAX(1, MIN(most, fit));
}

struct layout_race layout_race(struct rect body, const struct layout_race_need *need)
{
	struct layout_race race = {.right = RACE_RIGHT};
	struct race_lines lines;
	int rows = 0, pitch;

	for (int i = 0; i < MIN(need->models, LAYOUT_COLUMNS); i++)
		rows = MAX(rows, need->rows[i]);
	if (body.h < 3 || need->models < 1)
		return race;
	race.n = race_models(body, need, rows);
	race.left = MIN(need->name_w + 3, body.w / 4);
	race.left = MAX(RACE_LEFT, race.left);
	if (need->bands && body.w >= RACE_NARROW)
		race.right = RACE_BANDS_RIGHT;
	lines = race_lines_of(body.h, race.n, rows, need);
	if (need->bands)
		race_fill_bands(&lines, body.h, race.n, need, rows);
	pitch = MAX(1, lines.rows / MAX(1, rows));
	race.cores_in_title = lines.cores == 0;
	race.compared = MIN(need->models, RACE_BARS);
	layout_top(&body, lines.air);
	race.bars = layout_top(&body, lines.bars);
	race.bar = lines.bar;
	for (int i = 0; i < race.n; i++) {
		struct layout_racer *racer = &race.models[i];
		/* A single axis is below all models that are seen together. */
		const bool last = need->together || need->bands || need->programs;
		const int place = last ? race.n - 1 - i : i;
		int own = lines.rows;

		if (!need->bands && !need->programs)
			own = MIN(own, pitch * need->rows[i]);

		racer->title = layout_top(&body, 1);
		racer->rows = layout_top(&body, own);
		racer->alive = layout_top(&body, lines.alive);
		racer->axis = layout_top(&body, place < lines.axes);
		racer->cores = layout_top(&body, lines.cores);
		layout_top(&body, lines.gap);
	}
	race.runs = layout_top(&body, lines.runs);
	race.figures = layout_top(&body, lines.figures);
	return race;
}

enum { LAYOUT_PLOT_W = 36, LAYOUT_PLOT_H = 6 };

int layout_grid(struct rect body, int n, struct rect *out)
{
	int columns = body.w >= 2 * LAYOUT_PLOT_W && n > 1 ? 2 : 1;
	int rows = MAX(1, MIN((n + columns - 1) / columns, body.h / LAYOUT_PLOT_H));
	int shown = MIN(n, rows * columns);

	for (int i = 0; i < shown; i++) {
		int row = i / columns, column = i % columns;
		int x = body.w * column / columns, y = body.h * row / rows;

		out[i] = RECT(body.x + x, body.y + y, body.w * (column + 1) / columns - x,
			      body.h * (row + 1) / rows - y);
	}
	return shown;
}

enum { LEVELS_MOST = 5, RIGHT = 9, RIGHT_WIDE = 12, WIDE = 48 };

/*
 * Returns the columns for a name: what it needs, but at least 7, and at most 20 or a third of the
 * width.
 */
static int layout_margin(int name_w, int width)
{
	return MAX(7, MIN(name_w + 1, MIN(20, width / 3)));
}

/* Lays out the tree. The most important parts get their rows first. */
struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need)
{
	struct rect left = layout_inside(box);
	struct layout_tree t = {.left = layout_margin(need->name_w, left.w),
				.right = left.w >= WIDE ? RIGHT_WIDE : RIGHT};
	struct rect *const stack[] = {&t.reason, &t.counts, &t.bands, &t.axis,
				      &t.rows,	 &t.times,  &t.memory};
	int rows = need->rows < 1000 ? (int)need->rows : 1000;
	int levels = MAX(1, MIN(need->levels, LEVELS_MOST));
	const struct layout_share shares[] = {
		{&t.bands.h, levels},
		{&t.reason.h, need->reason},
		{&t.axis.h, 1},
		{&t.rows.h, MIN(rows, 2)},
		{&t.counts.h, 1},
		{&t.bands.h, 2 * levels},
		{&t.memory.h, 1},
		{&t.rows.h, MIN(rows, 4)},
		/* The times need all three lines, or say nothing. */
		{&t.times.h, 3, .whole = true},
		{&t.bands.h, 3 * levels},
		{&t.rows.h, MIN(rows, 12)},
		{&t.bands.h, 4 * levels},
		{&t.rows.h, rows},
	};

	t.bands.h += layout_give(left.h, shares, LENGTH(shares));
	layout_stack(&left, stack, LENGTH(stack));
	return t;
}

enum { DETAILS_W = 36, DETAILS_LEAST_W = 100, BELOW_H = 4, BELOW_LEAST_H = 14 };

struct layout_timeline layout_timeline(struct rect body, const struct layout_timeline_need *need)
{
	struct layout_timeline t = {.right = 9, .box = body};
	struct rect *const stack[] = {&t.alive, &t.axis, &t.rows};
	struct rect left;
	bool fits;

	if (body.w >= DETAILS_LEAST_W) {
		t.box.w -= DETAILS_W;
		t.details = RECT(body.x + t.box.w, body.y, DETAILS_W, body.h);
	}
	left = layout_inside(t.box);
	t.left = layout_margin(need->name_w, left.w);
	t.below = body.w < DETAILS_LEAST_W && need->selected && left.h >= BELOW_LEAST_H &&
		  (!need->beside || need->rows + 1 + BELOW_H <= left.h);
	if (t.below)
		t.details = layout_bottom(&left, BELOW_H);
	fits = need->rows + 1 <= left.h;
	/* If some rows are hidden anyway, hide a few more for the plot. */
	const struct layout_share shares[] = {
		{&t.axis.h, need->top && left.h >= 3},
		{&t.alive.h, !fits && left.h >= 10 ? need->alive / 4 : 0},
		{&t.rows.h, (int)MIN(need->rows, left.h)},
		{&t.axis.h, left.h >= 3},
		{&t.alive.h, need->alive},
	};

	t.rows.h += layout_give(left.h, shares, LENGTH(shares));
	layout_stack(&left, stack, LENGTH(stack));
	return t;
}
