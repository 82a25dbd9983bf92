/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "view_cache.h"
#include "view_cpus.h"

#define SECOND INT64_C(1000000000)

enum { LABEL = 10, NARROW = 72, WIDE = 100 };

int64_t view_cores_begin(const struct view_cores *c, int back)
{
	return (c->model->now_ns / c->cell_ns - back) * c->cell_ns;
}

void view_cores_add(const struct view_cores *c, const struct view_cpu *cpu, long tick,
		    struct view_load *load)
{
	if (cpu->column < c->model->n_cores)
		view_load_add(load,
			      &c->model->cores[(size_t)tick * c->model->n_cores + cpu->column]);
}

/* Of each CPU over the last second; NULL without memory. */
static struct view_load *cores_now(const struct view_cores *c)
{
	struct view_load *now = calloc(MAX(1, c->cpus->n), sizeof(*now));
	int64_t from_ns = c->model->now_ns - SECOND;

	for (long tick = c->newest; now && tick >= 0 && c->model->loads[tick].time_ns > from_ns;
	     tick--)
		for (uint32_t i = 0; i < c->cpus->n; i++)
			view_cores_add(c, &c->cpus->list[i], tick, &now[i]);
	return now;
}

static void cores_graphs(const struct view_cores *c)
{
	const struct layout_cores *l = c->layout;

	for (uint32_t i = 0; i < c->cpus->n; i++) {
		int column = (int)i % l->columns, row = (int)i / l->columns;
		struct rect rect = {l->inner.x + column * (l->w + 2), l->inner.y + row * l->h, l->w,
				    l->h};
		struct rect plot = {rect.x + LABEL, rect.y, rect.w - LABEL, rect.h};
		long tick = c->newest;
		const struct view_cpu *cpu = &c->cpus->list[i];
		char percent[16], number[16];

		/* The kernel's number, after the kind of the core. */
		snprintf(number, sizeof(number), "%d", cpu->cpu);
		if (c->cpus->known[CUT_KINDS] == 2)
			snprintf(number, sizeof(number), "%.1s%d",
				 c->cpus->part_list[CUT_KINDS][cpu->part[CUT_KINDS]].name,
				 cpu->cpu);
		canvas_right(c->canvas, rect.x + 3, rect.y, STYLE(COLOUR_DIM), number);
		view_load_percent(percent, sizeof(percent), &c->now[i]);
		canvas_text(c->canvas, rect.x + 4, rect.y, LABEL, STYLE(COLOUR_DEFAULT), percent);
		for (int back = 0; back < plot.w; back++) {
			int64_t from_ns = view_cores_begin(c, back);
			struct view_load load = {{0}, 0};

			for (; tick >= 0 && c->model->loads[tick].time_ns > from_ns; tick--)
				view_cores_add(c, cpu, tick, &load);
			view_load_stack(c->canvas, plot, plot.x + plot.w - 1 - back, &load);
		}
	}
}

/* "█ user  91"; with no x only its width is wanted. */
static int cores_figure(const struct view_cores *c, int x, int kind, const struct view_load *load)
{
	const struct view_load_kind *as = &view_load_kinds[kind];
	int y = c->layout->box.y;
	char text[32], figure[16] = "?";

	if (load->n)
		snprintf(figure, sizeof(figure), "%.0f", view_load_share(load, kind) * 100);
	snprintf(text, sizeof(text), " %s %3s ", as->name, figure);
	if (x < 0)
		return utf8_columns(text) + 2;
	canvas_put(c->canvas, x, y, ' ', STYLE(COLOUR_DEFAULT));
	canvas_put(c->canvas, x + 1, y, as->glyph, STYLE(as->colour));
	return canvas_text(c->canvas, x + 2, y, -1, STYLE(COLOUR_DEFAULT), text);
}

enum { TITLE_W = 10 }; /* "╭─ cores " and a little line */

/*
 * The legend with the figures of all CPUs, on the box's upper edge; what matters least goes first
 * where there is no room. Returns where it begins.
 */
static int cores_legend(const struct view_cores *c)
{
	struct view_load all = {{0}, 0};
	struct rect box = c->layout->box;
	int room = box.w - TITLE_W - 2, n = 0, width = 0, x;

	for (uint32_t i = 0; i < c->cpus->n; i++) {
		for (int kind = 0; kind < LOAD_KINDS; kind++)
			all.kind[kind] += c->now[i].kind[kind];
		all.n += c->now[i].n;
	}
	for (; n < LOAD_KINDS && width + cores_figure(c, -1, n, &all) <= room; n++)
		width += cores_figure(c, -1, n, &all);
	x = box.x + box.w - 2 - width;
	for (int i = 0; i < n; i++)
		x = cores_figure(c, x, i, &all);
	return x - width;
}

enum { TITLES = 3 };

/* "64 in 2 packages, CPUs 128 of 128"; in little room "128 of 128". */
static void cores_counts(const struct view_cores *c, bool brief, char *buf, size_t size)
{
	const struct machine *machine = &c->model->session.machine;
	const struct view_cpus *cpus = c->cpus;
	struct sentence s = {buf, size, 0};
	bool smt = cpus->threads > 1 && !brief;

	buf[0] = '\0';
	if (smt)
		sentence_add(&s, "%d", cpus->cores);
	else
		sentence_add(&s, "%d of %d", machine->cores_allowed, machine->cores_online);
	if (brief)
		return;
	if (cpus->known[CUT_PACKAGES] > 1)
		sentence_add(&s, " in %d packages", cpus->known[CUT_PACKAGES]);
	if (cpus->known[CUT_NODES] > cpus->known[CUT_PACKAGES])
		sentence_add(&s, ", %d nodes", cpus->known[CUT_NODES]);
	if (cpus->known[CUT_KINDS] == 2)
		sentence_add(&s, ", %d P and %d E", cpus->part_list[CUT_KINDS][0].cores,
			     cpus->part_list[CUT_KINDS][1].cores);
	if (smt)
		sentence_add(&s, ", CPUs %d of %d", machine->cores_allowed, machine->cores_online);
}

/* The machine's name, as much of it as fits before the legend. */
static void cores_title(const struct view_cores *c, int end)
{
	int x = c->layout->box.x + TITLE_W - 1;
	char texts[TITLES][MACHINE_TEXT] = {"", "", ""};
	const struct machine *machine = &c->model->session.machine;

	if (!c->model->has_session)
		return;
	/* The machines of the cores, where several recordings were joined. */
	for (uint32_t i = 0; i < c->model->n_origins && i < TITLES; i++) {
		const struct model_origin *origin = &c->model->origins[i];

		if (origin->n_cores)
			snprintf(texts[i], MACHINE_TEXT, "%u–%u %s", origin->first_core,
				 origin->first_core + origin->n_cores - 1, origin->name);
	}
	if (!c->model->n_origins) {
		cores_counts(c, false, texts[0], MACHINE_TEXT);
		if (utf8_columns(texts[0]) > end - x - 4)
			cores_counts(c, true, texts[0], MACHINE_TEXT);
		snprintf(texts[1], MACHINE_TEXT, "? MHz");
		if (machine->mhz >= 0)
			snprintf(texts[1], MACHINE_TEXT, "%lld MHz", (long long)machine->mhz);
		snprintf(texts[2], MACHINE_TEXT, "%s", machine->cpu);
	}
	for (int i = 0; i < TITLES && x + utf8_columns(texts[i]) + 3 < end; i++) {
		x = canvas_text(c->canvas, x, c->layout->box.y, -1, STYLE(COLOUR_DIM), texts[i]);
		x = canvas_text(c->canvas, x, c->layout->box.y, -1, STYLE(COLOUR_DIM),
				i < 2 ? "  " : " ");
	}
	if (x > c->layout->box.x + TITLE_W)
		canvas_put(c->canvas, x - 1, c->layout->box.y, ' ', STYLE(COLOUR_DIM));
}

/* What a column is, and a strip's cell. Returns where it begins. */
static int cores_scale(const struct view_cores *c)
{
	struct rect box = c->layout->box;
	int each = c->layout->strips ? view_strips_each(c) : 1;
	double seconds = (double)c->cell_ns / 1e9;
	char text[96];

	if (each > 1 && box.w >= WIDE)
		snprintf(text, sizeof(text),
			 " a cell: the busiest of %d CPUs now, most: of all, one column %.1f s ",
			 each, seconds);
	else if (c->layout->strips && box.w >= WIDE)
		snprintf(text, sizeof(text),
			 " a cell: a CPU now, most: the busiest, one column %.1f s ", seconds);
	else if (c->layout->strips && box.w < NARROW)
		snprintf(text, sizeof(text), " one column %.1f s ", seconds);
	else if (c->layout->strips)
		snprintf(text, sizeof(text), " most: the busiest, one column %.1f s ", seconds);
	else
		snprintf(text, sizeof(text), " one column %.1f s, one core = 100 %% ", seconds);
	if (box.w <= utf8_columns(text) + 4)
		return box.x + box.w - 2;
	return canvas_right(c->canvas, box.x + box.w - 2, box.y + box.h - 1, STYLE(COLOUR_DIM),
			    text);
}

/* One of the lower edge's texts, if it ends before the scale. Returns where the next begins. */
static int cores_note(const struct view_cores *c, int x, int end, uint8_t colour, const char *text)
{
	if (!*text || x + utf8_columns(text) + 1 > end)
		return x;
	return canvas_text(c->canvas, x, c->layout->box.y + c->layout->box.h - 1, -1, STYLE(colour),
			   text) +
	       1;
}

/* On the lower edge: the CPUs of this run, those that the session may use, who shares a core. */
static void cores_notes(const struct view_cores *c, int end)
{
	const struct machine *machine = &c->model->session.machine;
	int x = c->layout->box.x + 2;
	const struct model_run *run = model_newest(c->model);
	const struct sample_case *one = run ? &c->model->cases[run->id.case_id] : NULL;
	bool places = one && *one->place && CPU_COUNT(&one->cpus) > 1;
	char text[2 * MACHINE_TEXT], list[48];

	text[0] = '\0';
	if (one && CPU_COUNT(&one->cpus) > 0)
		snprintf(text, sizeof(text), " this run: CPU %s%s%s ",
			 view_cpus_list(&one->cpus, list, sizeof(list)), places ? ", " : "",
			 places ? one->place : "");
	x = cores_note(c, x, end, COLOUR_DEFAULT, text);
	text[0] = '\0';
	if (!c->model->n_origins && machine->cores_allowed < machine->cores_online &&
	    *machine->cpus_allowed)
		snprintf(text, sizeof(text), " may use CPU %s ", machine->cpus_allowed);
	x = cores_note(c, x, end, COLOUR_DEFAULT, text);
	text[0] = '\0';
	if (*c->cpus->siblings)
		snprintf(text, sizeof(text), " a core: %s ", c->cpus->siblings);
	cores_note(c, x, end, COLOUR_DIM, text);
}

_Static_assert((int)CUTS == (int)LAYOUT_CUTS, "the same ways to cut");

struct layout_cpus view_cores_count(const struct view_frame *frame)
{
	const struct view_cpus *cpus = view_cache_cpus(frame->cache, frame->model);
	struct layout_cpus count = {.n = 0};

	if (!cpus)
		return count;
	count.n = (int)cpus->n;
	count.threads = cpus->threads;
	for (int cut = 0; cut < CUTS; cut++) {
		count.parts[cut] = cpus->parts[cut];
		for (int i = 0; i < cpus->parts[cut]; i++)
			count.most[cut] = MAX(count.most[cut], cpus->part_list[cut][i].cores);
	}
	return count;
}

void view_cores_draw(const struct view_frame *frame, const struct layout_cores *layout)
{
	struct view_cores c = {.canvas = frame->canvas,
			       .layout = layout,
			       .model = frame->model,
			       .cpus = view_cache_cpus(frame->cache, frame->model),
			       .newest = -1};

	if (layout->box.h < 3 || !c.cpus)
		return;
	c.cell_ns = MAX(SECOND / 2, view_tick_ns(c.model));
	if (c.model->n_cores && c.model->n_loads)
		c.newest = model_load_at(c.model, c.model->now_ns);
	c.now = cores_now(&c);
	if (!c.now)
		return;
	view_box(c.canvas, layout->box, "cores", NULL);
	cores_title(&c, cores_legend(&c));
	cores_notes(&c, cores_scale(&c));
	if (layout->strips)
		view_strips_draw(&c);
	else
		cores_graphs(&c);
	free(c.now);
}
