/* SPDX-License-Identifier: MIT */
#include "view_cpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/utf8.h"

enum { LIST_W = 10, MEAN_W = 11, GAP = 8, CELLS_MOST = 512 };

/* Where the CPUs of a strip stand: lines of cores, one for each of their threads. */
struct grid {
	int threads; /* lines that stand together; 1: every CPU is a core of its own */
	int each;    /* cores in a cell */
	int cells;   /* in a line */
	int lines;
	int gap; /* a blank after so many cells; 0: none */
};

static int up(int n, int by)
{
	return (n + by - 1) / by;
}

/* As few cores in a cell as let all lines fit; where there are more threads than lines, no threads.
 */
static struct grid grid_of(const struct layout_cores *l, const struct view_cpus *cpus)
{
	struct grid grid = {.threads = cpus->threads <= l->h ? cpus->threads : 1, .each = 1};
	int most = 1, blocks;

	for (int i = 0; i < cpus->parts[l->cut]; i++)
		most = MAX(most, cpus->part_list[l->cut][i].cores);
	most *= grid.threads == 1 ? cpus->threads : 1;
	while (grid.each < most && grid.threads * up(up(most, grid.each), l->line_w) > l->h)
		grid.each++;
	blocks = up(up(most, grid.each), l->line_w);
	grid.lines = blocks * grid.threads;
	grid.cells = up(up(most, grid.each), blocks);
	if (blocks > 1 && up(grid.cells, GAP) * (GAP + 1) - 1 <= l->line_w)
		grid.cells = up(grid.cells, GAP) * GAP;
	if (grid.cells + (grid.cells - 1) / GAP <= l->line_w)
		grid.gap = GAP;
	return grid;
}

int view_strips_each(const struct view_cores *cores)
{
	return grid_of(cores->layout, cores->cpus).each;
}

/* The CPU's line and cell. */
static void find(const struct view_cores *c, const struct grid *grid, const struct view_cpu *cpu,
		 int *line, int *cell)
{
	int place = cpu->place[c->layout->cut], thread = cpu->thread;

	if (grid->threads == 1) {
		place = place * c->cpus->threads + thread;
		thread = 0;
	}
	place /= grid->each;
	*line = place / grid->cells * grid->threads + thread;
	*cell = place % grid->cells;
}

static int64_t busy(const struct view_load *load)
{
	return load->n ? (load->kind[0] + load->kind[1] + load->kind[3]) / load->n : -1;
}

/* The busiest of the CPUs that share a cell; blank where there is none. */
struct cell_now {
	const struct view_load *load;
	int64_t busy;
};

static void draw_now(const struct view_cores *c, struct rect at, const struct cell_now *cell)
{
	if (!cell->load)
		return;
	if (cell->busy < 0)
		canvas_put(c->canvas, at.x, at.y, '?', STYLE(COLOUR_DIM));
	else if (cell->busy < 63 && cell->load->kind[2] < 63 * cell->load->n)
		canvas_put(c->canvas, at.x, at.y, 0xb7, STYLE(COLOUR_BORDER));
	else
		view_load_stack(c->canvas, at, at.x, cell->load);
}

/* The line's CPUs by name, as far as there is room for them: a part of a list reads as another. */
static void draw_list(const struct view_cores *c, struct rect rect, const cpu_set_t *set)
{
	char list[128];

	view_cpus_list(set, list, sizeof(list));
	if (utf8_columns(list) >= LIST_W)
		snprintf(list + LIST_W - 3, sizeof(list) - LIST_W + 3, "…");
	canvas_text(c->canvas, rect.x, rect.y, LIST_W, STYLE(COLOUR_DIM), list);
}

static void draw_line(const struct view_cores *c, struct rect rect, const struct grid *grid,
		      int part, int line)
{
	struct cell_now cells[CELLS_MOST] = {{NULL, 0}};
	cpu_set_t set;

	CPU_ZERO(&set);
	for (uint32_t i = 0; i < c->cpus->n; i++) {
		const struct view_cpu *cpu = &c->cpus->list[i];
		int at, cell;

		find(c, grid, cpu, &at, &cell);
		if (cpu->part[c->layout->cut] != part || at != line || cell >= CELLS_MOST)
			continue;
		CPU_SET((size_t)cpu->cpu, &set);
		if (!cells[cell].load || busy(&c->now[i]) > cells[cell].busy)
			cells[cell] = (struct cell_now) {&c->now[i], busy(&c->now[i])};
	}
	if (CPU_COUNT(&set) == 0)
		return;
	draw_list(c, rect, &set);
	for (int i = 0; i < grid->cells && i < CELLS_MOST; i++) {
		int x = rect.x + LIST_W + i + (grid->gap ? i / grid->gap : 0);

		draw_now(c, (struct rect) {x, rect.y, 1, 1}, &cells[i]);
	}
}

/* History */

/* Of a part in one column. */
struct moment {
	struct view_load mean, most;
};

/* Both divided by how many ticks they have: what is not known is less than all. */
static bool busier(const struct view_load *a, const struct view_load *b)
{
	int64_t x = a->kind[0] + a->kind[1] + a->kind[3], y = b->kind[0] + b->kind[1] + b->kind[3];

	return a->n > 0 && (b->n == 0 || x * b->n > y * a->n);
}

/* Reads the ticks after from_ns, back from *tick, which moves; sums has room for every CPU. */
static void read_moments(const struct view_cores *c, long *tick, int64_t from_ns,
			 struct view_load *sums, struct moment *moments)
{
	const struct view_cpus *cpus = c->cpus;

	memset(moments, 0, (size_t)cpus->parts[c->layout->cut] * sizeof(*moments));
	if (*tick < 0 || c->model->loads[*tick].time_ns <= from_ns)
		return;
	memset(sums, 0, cpus->n * sizeof(*sums));
	for (; *tick >= 0 && c->model->loads[*tick].time_ns > from_ns; *tick -= 1)
		for (uint32_t i = 0; i < cpus->n; i++)
			view_cores_add(c, &cpus->list[i], *tick, &sums[i]);
	for (uint32_t i = 0; i < cpus->n; i++) {
		struct moment *moment = &moments[cpus->list[i].part[c->layout->cut]];

		for (int kind = 0; kind < LOAD_KINDS; kind++)
			moment->mean.kind[kind] += sums[i].kind[kind];
		moment->mean.n += sums[i].n;
		if (busier(&sums[i], &moment->most))
			moment->most = sums[i];
	}
}

/* rect is the first strip's: the others stand below it. */
static void draw_history(const struct view_cores *c, struct rect rect)
{
	struct view_load *sums = calloc(MAX(1, c->cpus->n), sizeof(*sums));
	struct moment *moments =
		calloc((size_t)MAX(1, c->cpus->parts[c->layout->cut]), sizeof(*moments));
	long tick = c->newest;
	int h = MAX(1, rect.h / 2);

	for (int back = 0; sums && moments && back < rect.w; back++) {
		int x = rect.x + rect.w - 1 - back;

		read_moments(c, &tick, view_cores_begin(c, back), sums, moments);
		/* The mean's above the busiest CPU's, as high: one scale. */
		for (int i = 0; i < c->layout->rows; i++) {
			struct rect mean = {rect.x, rect.y + i * rect.h, rect.w, h};
			struct rect most = {rect.x, mean.y + h, rect.w, h};

			view_load_stack(c->canvas, mean, x, &moments[i].mean);
			if (rect.h > 1)
				view_load_stack(c->canvas, most, x, &moments[i].most);
		}
	}
	free(sums);
	free(moments);
}

/* "mean  66 %" and "most 100 %", of the last second. */
static void draw_figures(const struct view_cores *c, struct rect rect, int part)
{
	struct view_load mean = {{0}, 0}, most = {{0}, 0};
	int y = rect.y + rect.h / 2;
	char percent[16];

	for (uint32_t i = 0; i < c->cpus->n; i++) {
		const struct view_load *now = &c->now[i];

		if (c->cpus->list[i].part[c->layout->cut] != part)
			continue;
		for (int kind = 0; kind < LOAD_KINDS; kind++)
			mean.kind[kind] += now->kind[kind];
		mean.n += now->n;
		if (busy(now) > busy(&most))
			most = *now;
	}
	view_load_percent(percent, sizeof(percent), &mean);
	canvas_text(c->canvas, rect.x, rect.y, -1, STYLE(COLOUR_DIM), "mean");
	canvas_text(c->canvas, rect.x + 5, rect.y, -1, STYLE(COLOUR_DEFAULT), percent);
	if (y == rect.y)
		return;
	view_load_percent(percent, sizeof(percent), &most);
	canvas_text(c->canvas, rect.x, y, -1, STYLE(COLOUR_DIM), "most");
	canvas_text(c->canvas, rect.x + 5, y, -1, STYLE(COLOUR_DEFAULT), percent);
}

/* "package 1", "pkg 1" */
static void draw_name(const struct view_cores *c, int y, const char *name)
{
	static const char word[] = "package";
	int x = c->layout->inner.x, w = c->layout->name_w - 1;

	if (utf8_columns(name) > w && strncmp(name, word, strlen(word)) == 0)
		canvas_printf(c->canvas, x, y, w, STYLE(COLOUR_DEFAULT), "pkg%s",
			      name + strlen(word));
	else
		canvas_text(c->canvas, x, y, w, STYLE(COLOUR_DEFAULT), name);
}

void view_strips_draw(const struct view_cores *c)
{
	const struct layout_cores *l = c->layout;
	struct grid grid = grid_of(l, c->cpus);
	int x = l->inner.x + l->name_w, end = l->inner.x + l->w;
	int figures = x + LIST_W + grid.cells + 1 + (grid.gap ? (grid.cells - 1) / grid.gap : 0);

	for (int i = 0; i < l->rows; i++) {
		struct rect strip = {x, l->inner.y + i * l->h, end - x, l->h};

		if (l->name_w)
			draw_name(c, strip.y, c->cpus->part_list[l->cut][i].name);
		for (int line = 0; line < grid.lines; line++)
			draw_line(c, (struct rect) {x, strip.y + line, strip.w, 1}, &grid, i, line);
		strip.x = figures;
		draw_figures(c, strip, i);
	}
	x = figures + MEAN_W;
	draw_history(c, (struct rect) {x, l->inner.y, end - x, l->h});
}
