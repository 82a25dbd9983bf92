/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "base/units.h"

#define SECOND INT64_C(1000000000)

enum { KINDS = 4, LABEL = 10 };

/* Sums over ticks and cores, in 0.1 %. */
struct load {
	int64_t kind[KINDS]; /* user, system, I/O wait, steal */
	int64_t n;
};

struct load_kind {
	const char *name;
	uint32_t glyph;
	uint8_t colour;
};

static const struct load_kind kinds[KINDS] = {
	{"user", 0x2588, COLOUR_USER},
	{"system", 0x2593, COLOUR_SYSTEM},
	{"I/O wait", 0x2592, COLOUR_IOWAIT},
	{"steal", 0x2591, COLOUR_STEAL},
};

static void load_add(struct load *load, const struct sample_core *core)
{
	if (core->user < 0)
		return;
	load->kind[0] += core->user;
	load->kind[1] += core->system;
	load->kind[2] += core->iowait;
	load->kind[3] += core->steal;
	load->n++;
}

/* The load of one core; NaN where nothing is known. */
static double load_share(const struct load *load, int kind)
{
	return load->n ? (double)load->kind[kind] / (double)load->n / 1000 : NAN;
}

/* Waiting for a disk leaves the core free, so it is no load. */
static double load_busy(const struct load *load)
{
	return load_share(load, 0) + load_share(load, 1) + load_share(load, 3);
}

static const struct sample_core *cores_at(const struct model *model, long tick)
{
	return model->cores + (size_t)tick * model->n_cores;
}

struct cores {
	struct canvas *canvas;
	const struct layout_cores *layout;
	const struct model *model;
	int64_t cell_ns; /* of history in one column */
	uint32_t n;	 /* cores; those of the ticks, once there is one */
	long newest;	 /* tick */
};

/* The cores first … first + n - 1 in the ticks after from_ns, back from *tick, which moves. */
static struct load cores_between(const struct cores *c, uint32_t first, uint32_t n, long *tick,
				 int64_t from_ns)
{
	struct load load = {0};

	for (; *tick >= 0 && c->model->loads[*tick].time_ns > from_ns; *tick -= 1)
		for (uint32_t i = first; i < first + n && i < c->n; i++)
			load_add(&load, cores_at(c->model, *tick) + i);
	return load;
}

static struct load cores_lately(const struct cores *c, uint32_t first, uint32_t n)
{
	long tick = c->newest;

	return cores_between(c, first, n, &tick, c->model->now_ns - SECOND);
}

/*
 * Columns begin at multiples of cell_ns of the session: old ones keep their shape and only move
 * left.
 */
static int64_t cores_cell_begin(const struct cores *c, int back)
{
	return (c->model->now_ns / c->cell_ns - back) * c->cell_ns;
}

static void cores_stack(const struct cores *c, struct rect rect, int x, const struct load *load)
{
	struct plot_part parts[KINDS];

	if (!load->n)
		return;
	for (int i = 0; i < KINDS; i++)
		parts[i] =
			(struct plot_part) {load_share(load, i), kinds[i].glyph, kinds[i].colour};
	/* Idle is not the same as not known. */
	canvas_put(c->canvas, x, rect.y + rect.h - 1, 0x28c0, STYLE(COLOUR_BORDER));
	plot_stack(c->canvas, rect, x, parts, KINDS);
}

static void cores_percent(char *buf, size_t size, double share)
{
	if (isnan(share))
		snprintf(buf, size, "  ? %%");
	else
		snprintf(buf, size, "%3.0f %%", share * 100);
}

static void cores_graph(const struct cores *c, struct rect rect, uint32_t core)
{
	struct rect plot = {rect.x + LABEL, rect.y, rect.w - LABEL, rect.h};
	struct load lately = cores_lately(c, core, 1);
	long tick = c->newest;
	char percent[16];

	cores_percent(percent, sizeof(percent), load_busy(&lately));
	canvas_printf(c->canvas, rect.x, rect.y, LABEL, STYLE(COLOUR_DIM), "%3d",
		      c->newest < 0 ? (int)core : cores_at(c->model, c->newest)[core].cpu);
	canvas_text(c->canvas, rect.x + 4, rect.y, LABEL, STYLE(COLOUR_DEFAULT), percent);
	for (int back = 0; back < plot.w; back++) {
		struct load load = cores_between(c, core, 1, &tick, cores_cell_begin(c, back));

		cores_stack(c, plot, plot.x + plot.w - 1 - back, &load);
	}
}

static void cores_graphs(const struct cores *c)
{
	const struct layout_cores *l = c->layout;

	for (uint32_t i = 0; i < c->n; i++) {
		int column = (int)i % l->columns, row = (int)i / l->columns;
		struct rect rect = {l->inner.x + column * (l->w + 2), l->inner.y + row * l->h, l->w,
				    l->h};

		cores_graph(c, rect, i);
	}
}

/* The load as a shade, in the colour of what takes most of it. */
static void cores_shade(const struct cores *c, int x, int y, const struct load *load)
{
	static const uint32_t shades[] = {0xb7, 0x2591, 0x2592, 0x2593, 0x2588};
	double busy = load_busy(load) + load_share(load, 2);
	int most = 0;

	if (!load->n)
		return;
	for (int i = 1; i < KINDS; i++)
		if (load->kind[i] > load->kind[most])
			most = i;
	canvas_put(c->canvas, x, y, shades[(int)lround(fmin(1, busy) * 4)],
		   STYLE(busy < 0.125 ? COLOUR_BORDER : kinds[most].colour));
}

/* Every core of the group as it is now, one glyph each. Returns the column after them. */
static int cores_now(const struct cores *c, struct rect rect, int x, uint32_t first, uint32_t n)
{
	if ((int)n > (rect.w - LABEL) / 3)
		return x;
	for (uint32_t i = first; i < first + n && i < c->n; i++, x++) {
		struct load load = cores_lately(c, i, 1);
		double busy = load_busy(&load);

		canvas_put(c->canvas, x, rect.y, busy < 0.0625 ? 0xb7 : plot_eighth(busy),
			   STYLE(busy < 0.0625 ? COLOUR_BORDER : COLOUR_USER));
	}
	return rect.x + LABEL + 2 + (int)n + 2;
}

static void cores_group(const struct cores *c, struct rect rect, uint32_t first, uint32_t n)
{
	struct load lately = cores_lately(c, first, n);
	long tick = c->newest;
	char text[32], percent[16];
	int end = rect.x + rect.w, x;

	n = MIN(n, c->n - first);
	snprintf(text, sizeof(text), n > 1 ? "%u-%u" : "%u", first, first + n - 1);
	canvas_text(c->canvas, rect.x, rect.y, LABEL - 3, STYLE(COLOUR_DIM), text);
	cores_percent(percent, sizeof(percent), load_busy(&lately));
	canvas_right(c->canvas, rect.x + LABEL + 2, rect.y, STYLE(COLOUR_DEFAULT), percent);
	x = cores_now(c, rect, rect.x + LABEL + 3, first, (uint32_t)c->layout->group);
	for (int back = 0; back < end - x; back++) {
		struct load load = cores_between(c, first, n, &tick, cores_cell_begin(c, back));

		cores_shade(c, end - 1 - back, rect.y, &load);
	}
}

static void cores_groups(const struct cores *c)
{
	const struct layout_cores *l = c->layout;

	for (int i = 0; i < l->rows; i++)
		cores_group(c, (struct rect) {l->inner.x, l->inner.y + i, l->w, 1},
			    (uint32_t)(i * l->group), (uint32_t)l->group);
}

/* "█ user  91"; with no x only its width is wanted. */
static int cores_figure(const struct cores *c, int x, int kind, const struct load *load)
{
	int y = c->layout->box.y;
	char text[32], figure[16] = "?";

	if (load->n)
		snprintf(figure, sizeof(figure), "%.0f", load_share(load, kind) * 100);
	snprintf(text, sizeof(text), " %s %3s ", kinds[kind].name, figure);
	if (x < 0)
		return utf8_columns(text) + 2;
	canvas_put(c->canvas, x, y, ' ', STYLE(COLOUR_DEFAULT));
	canvas_put(c->canvas, x + 1, y, kinds[kind].glyph, STYLE(kinds[kind].colour));
	return canvas_text(c->canvas, x + 2, y, -1, STYLE(COLOUR_DEFAULT), text);
}

enum { TITLE_W = 10 }; /* "╭─ cores " and a little line */

/*
 * The legend with the figures of all cores, on the box's upper edge; what matters least goes first
 * where there is no room. Returns where it begins.
 */
static int cores_legend(const struct cores *c)
{
	struct load all = cores_lately(c, 0, c->n);
	struct rect box = c->layout->box;
	int room = box.w - TITLE_W - 2, n = 0, width = 0, x;

	for (; n < KINDS && width + cores_figure(c, -1, n, &all) <= room; n++)
		width += cores_figure(c, -1, n, &all);
	x = box.x + box.w - 2 - width;
	for (int i = 0; i < n; i++)
		x = cores_figure(c, x, i, &all);
	return x - width;
}

enum { TITLES = 3 };

static void cores_machine(const struct machine *machine, char texts[TITLES][MACHINE_TEXT])
{
	snprintf(texts[0], MACHINE_TEXT, "%d of %d", machine->cores_allowed, machine->cores_online);
	snprintf(texts[1], MACHINE_TEXT, "? MHz");
	if (machine->mhz >= 0)
		snprintf(texts[1], MACHINE_TEXT, "%lld MHz", (long long)machine->mhz);
	snprintf(texts[2], MACHINE_TEXT, "%s", machine->cpu);
}

/* Names the machines of the cores, where several recordings were joined. */
static void cores_origins(const struct model *model, char texts[TITLES][MACHINE_TEXT])
{
	for (uint32_t i = 0; i < model->n_origins && i < TITLES; i++) {
		const struct model_origin *origin = &model->origins[i];

		if (origin->n_cores)
			snprintf(texts[i], MACHINE_TEXT, "%u–%u %s", origin->first_core,
				 origin->first_core + origin->n_cores - 1, origin->name);
	}
}

/* The machine's name, as much of it as fits before the legend. */
static void cores_title(const struct cores *c, int end)
{
	int x = c->layout->box.x + TITLE_W - 1;
	char texts[TITLES][MACHINE_TEXT] = {"", "", ""};

	if (!c->model->has_session)
		return;
	if (c->model->n_origins)
		cores_origins(c->model, texts);
	else
		cores_machine(&c->model->session.machine, texts);
	for (int i = 0; i < TITLES && x + utf8_columns(texts[i]) + 3 < end; i++) {
		x = canvas_text(c->canvas, x, c->layout->box.y, -1, STYLE(COLOUR_DIM), texts[i]);
		x = canvas_text(c->canvas, x, c->layout->box.y, -1, STYLE(COLOUR_DIM),
				i < 2 ? "  " : " ");
	}
	if (x > c->layout->box.x + TITLE_W)
		canvas_put(c->canvas, x - 1, c->layout->box.y, ' ', STYLE(COLOUR_DIM));
}

static void cores_scale(const struct cores *c)
{
	struct rect box = c->layout->box;
	char text[96];

	snprintf(text, sizeof(text), " one column %.1f s, one core = 100 %% ",
		 (double)c->cell_ns / 1e9);
	if (box.w > utf8_columns(text) + 4)
		canvas_right(c->canvas, box.x + box.w - 2, box.y + box.h - 1, STYLE(COLOUR_DIM),
			     text);
}

/* The CPUs that were chosen for the run, on the lower edge; the rest are others'. */
static void cores_chosen(const struct cores *c)
{
	const struct model_run *run = model_newest(c->model);
	const struct sample_case *one = run ? &c->model->cases[run->id.case_id] : NULL;
	struct rect box = c->layout->box;
	char list[48], text[96];

	if (!one || CPU_COUNT(&one->cpus) == 0)
		return;
	snprintf(text, sizeof(text), " this run: CPU %s%s%s ",
		 units_format_cpulist(list, sizeof(list), &one->cpus), *one->place ? ", " : "",
		 one->place);
	if (box.w > utf8_columns(text) + 50)
		canvas_text(c->canvas, box.x + 2, box.y + box.h - 1, -1, STYLE(COLOUR_DEFAULT),
			    text);
}

/* The kernel's own limit on x86: a broken recording may name more. */
enum { MOST_CORES = 8192 };

int view_cores_count(const struct model *model)
{
	int online = model->session.machine.cores_online;

	return model->n_cores ? (int)model->n_cores : MIN(online, MOST_CORES);
}

void view_cores_draw(struct canvas *canvas, const struct layout_cores *layout,
		     const struct model *model)
{
	struct cores c = {canvas, layout, model, SECOND / 2, (uint32_t)view_cores_count(model), -1};

	if (layout->box.h < 3)
		return;
	c.cell_ns = MAX(c.cell_ns, view_tick_ns(model));
	if (model->n_cores && model->n_loads)
		c.newest = model_load_at(model, model->now_ns);
	view_box(canvas, layout->box, "cores", NULL);
	cores_title(&c, cores_legend(&c));
	cores_scale(&c);
	cores_chosen(&c);
	if (layout->group > 1 || (layout->columns == 1 && layout->rows > 1))
		cores_groups(&c);
	else
		cores_graphs(&c);
}
