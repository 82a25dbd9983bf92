/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "core/sample_tick.h"
#include "topology/topology.h"
#include "view_cache.h"

struct view_cpu {
	int16_t cpu;	 /* The kernel's number of the CPU. */
	uint32_t column; /* Column in model->cores; UINT32_MAX: no tick has reported the CPU. */
	/*
	 * Index of its core, sorted by package and node. CPUs that are threads of one core have the
	 * same index.
	 */
	int32_t core;
	int16_t thread;
	/*
	 * For each cut, the index of the part that contains the CPU: its node, its package, and so
	 * on.
	 */
	int16_t part[CUTS];
	/* For each cut, the position of the CPU's core among the cores of that part. */
	int32_t place[CUTS];
};

/*
 * The CPUs of a session, in ascending order of their numbers. Each joined machine is a part of the
 * cut CUT_PACKAGES, and CPUs are numbered across machines.
 */
struct view_cpus {
	uint32_t columns; /* Number of columns that were read. */
	bool session;
	uint32_t n;
	/*
	 * known: number of parts in the session's topology. The topology lacks CPUs that appeared
	 * later. In `count`, such CPUs are one more part.
	 */
	struct layout_cpus count;
	int known[CUTS];
	int kinds;	   /* Number of kinds of cores in the machine. */
	int kind_cores[2]; /* Number of cores of each of the first two kinds. */
	bool node_each;	   /* Each package is one node. */
	/* CPUs that share a core, such as "cores 0+8, 1+9 … 7+15"; "": each core has one CPU. */
	char siblings[48];
	struct view_cpu list[];
};

/* The kernel's own limit on x86. A broken recording may name higher numbers. */
enum { CORES_MOST_CPUS = 8192 };

/*
 * Sorts by part of the cut, then by core, then by number. If *arg is CUTS, sorts by number alone.
 */
static int cpus_compare(const void *a, const void *b, void *arg)
{
	const struct view_cpu *x = a, *y = b;
	const int *cut = arg;

	if (*cut < CUTS && x->part[*cut] != y->part[*cut])
		return x->part[*cut] - y->part[*cut];
	if (*cut < CUTS && x->core != y->core)
		return x->core - y->core;
	return x->cpu - y->cpu;
}

/*
 * Finds the parts that contain a CPU. In each cut, an unknown part is the last, and fast CPUs are
 * the first kind.
 */
static void cpu_find_parts(struct view_cpu *cpu, const struct model *model,
			   const struct topology *t)
{
	const struct topology_cpu *found = topology_find(t, cpu->cpu);

	if (model->n_origins)
		cpu->core = cpu->cpu;
	else if (found)
		cpu->core = found->core;
	else
		cpu->core = CPU_SETSIZE + cpu->cpu;
	for (uint32_t i = 0; i < model->n_origins; i++)
		if (cpu->column - model->origins[i].first_core < model->origins[i].n_cores)
			cpu->part[CUT_PACKAGES] = (int16_t)i;
	if (model->n_origins)
		return;
	if (found && found->node >= 0)
		cpu->part[CUT_NODES] = found->node;
	else
		cpu->part[CUT_NODES] = t->nodes;
	if (found && found->package >= 0)
		cpu->part[CUT_PACKAGES] = found->package;
	else
		cpu->part[CUT_PACKAGES] = t->packages;
	if (found && found->kind >= 0)
		cpu->part[CUT_KINDS] = (int16_t)(t->kinds - 1 - found->kind);
	else
		cpu->part[CUT_KINDS] = t->kinds;
}

/*
 * Counts the parts and their cores. A core is counted at its first CPU in the list, because its
 * first thread may be offline.
 */
static void cpus_count(struct view_cpus *cpus, int cut)
{
	qsort_r(cpus->list, cpus->n, sizeof(cpus->list[0]), cpus_compare, &cut);
	for (uint32_t i = 0; i < cpus->n; i++) {
		struct view_cpu *cpu = &cpus->list[i], *before = i > 0 ? cpu - 1 : NULL;
		const int part = cpu->part[cut];
		bool beside = before && before->part[cut] == part;
		bool same = beside && before->core == cpu->core;

		if (beside)
			cpu->place[cut] = before->place[cut] + !same;
		else
			cpu->place[cut] = 0;
		if (same)
			cpu->thread = (int16_t)(before->thread + 1);
		else
			cpu->thread = 0;
		cpus->count.threads = MAX(cpus->count.threads, cpu->thread + 1);
		cpus->count.parts[cut] = MAX(cpus->count.parts[cut], part + 1);
		cpus->count.most[cut] = MAX(cpus->count.most[cut], cpu->place[cut] + 1);
		if (cut == CUT_KINDS && part < 2)
			cpus->kind_cores[part] = cpu->place[cut] + 1;
	}
}

/*
 * Reads the CPUs that the ticks report. Before the first tick, reads the CPUs of the machine's
 * topology. If there is no topology, takes as many CPUs as were online.
 */
static struct view_cpus *cpus_read(const struct model *model)
{
	struct topology t = {.n = 0};
	struct view_cpus *cpus;
	struct sentence s;
	uint32_t n;
	int cut;

	if (model->has_session && !model->n_origins)
		topology_parse(model->session.topology, &t);
	if (model->n_cores)
		n = MIN(model->n_cores, CORES_MOST_CPUS);
	else if (t.n)
		n = t.n;
	else
		n = (uint32_t)MAX(0, MIN(model->session.machine.cores_online, CORES_MOST_CPUS));
	cpus = calloc(1, sizeof(*cpus) + n * sizeof(cpus->list[0]));
	if (!cpus)
		return NULL;
	*cpus = (struct view_cpus) {.columns = model->n_cores,
				    .session = model->has_session,
				    .n = n,
				    .count.n = (int)n,
				    .known = {t.nodes, t.packages, t.kinds, 1},
				    .kinds = t.kinds,
				    .node_each = t.nodes == t.packages};
	for (uint32_t i = 0; i < n; i++) {
		struct view_cpu *cpu = &cpus->list[i];

		if (model->n_cores)
			cpu->cpu = model->cores[i].cpu;
		else if (t.n)
			cpu->cpu = t.cpus[i].cpu;
		else
			cpu->cpu = (int16_t)i;
		if (model->n_cores)
			cpu->column = i;
		else
			cpu->column = UINT32_MAX;
		cpu_find_parts(cpu, model, &t);
	}
	for (cut = 0; cut < CUTS; cut++) {
		cpus_count(cpus, cut);
		if (model->n_origins || cpus->count.parts[cut] < cpus->known[cut])
			cpus->known[cut] = cpus->count.parts[cut];
	}
	/* Names the CPUs that share a core, for the first two cores and the last one. */
	s = sentence_in(cpus->siblings, sizeof(cpus->siblings));
	for (uint32_t i = 0; i < n && cpus->count.threads > 1; i++) {
		const struct view_cpu *cpu = &cpus->list[i];
		const int core = cpu->place[CUT_NONE];

		if (core >= 2 && core + 1 < cpus->count.most[CUT_NONE])
			continue;
		if (cpu->thread)
			sentence_add(&s, "+");
		else if (core == 1)
			sentence_add(&s, " ");
		else if (core > 1)
			sentence_add(&s, " … ");
		sentence_add(&s, "%d", cpu->cpu);
	}
	qsort_r(cpus->list, n, sizeof(cpus->list[0]), cpus_compare, &cut);
	return cpus;
}

/* The CPUs as of the model's cursor; NULL if memory is short. */
static const struct view_cpus *cpus_now(const struct view_frame *frame)
{
	const struct model *model = frame->model;
	struct view_cpus **cpus = &frame->cache->cpus;

	if (!*cpus || (*cpus)->columns != model->n_cores ||
	    (*cpus)->session != model->has_session) {
		free(*cpus);
		*cpus = cpus_read(model);
	}
	return *cpus;
}

#define CORES_SECOND INT64_C(1000000000)

enum { LABEL = 10, NARROW = 72, CORES_WIDE = 100 };
enum { LIST_W = 10, MEAN_W = 11, GAP = 8, CELLS_MOST = 512 };

static const struct {
	const char *name;
	uint32_t glyph;
	uint8_t colour;
} load_kinds[] = {
	{"user", 0x2588, COLOUR_USER},
	{"system", 0x2588, COLOUR_SYSTEM},
	{"I/O wait", 0x2588, COLOUR_IOWAIT},
	{"steal", 0x2588, COLOUR_STEAL},
};

enum { LOAD_IOWAIT = 2, LOAD_KINDS = LENGTH(load_kinds) };

/*
 * Sums of load over ticks and CPUs, in 0.1 %. n is the number of known values; unknown values add
 * nothing.
 */
struct cores_load {
	int64_t kind[LOAD_KINDS];
	int64_t n;
};

struct cores {
	struct canvas *canvas;
	const struct layout_cores *layout;
	const struct model *model;
	struct view_cache *cache;
	const struct view_cpus *cpus;
	struct cores_load *now; /* Load of each CPU over the last second. */
	int columns;		/* Number of columns into which the planned session fits. */
	int64_t cell_ns;	/* Time that a column of the history covers. */
	long newest;		/* Index of the newest tick; -1: none. */
};

/* The name of a part: "package 1", "P cores", or the name of a joined machine. Returns buf. */
static char *part_name(const struct cores *c, enum layout_cut cut, int i, char *buf, size_t size)
{
	static const char *const words[CUTS] = {"node", "package", "kind", ""};
	const struct view_cpus *cpus = c->cpus;

	if (c->model->n_origins && cut == CUT_PACKAGES)
		snprintf(buf, size, "%s", c->model->origins[i].name);
	else if (cut == CUT_NONE)
		*buf = '\0';
	else if (i >= cpus->known[cut])
		snprintf(buf, size, "others");
	else if (cut == CUT_KINDS && cpus->kinds == 2)
		snprintf(buf, size, "%c cores", "PE"[i]);
	else if (cut == CUT_KINDS)
		snprintf(buf, size, "%s %d", words[cut], cpus->kinds - 1 - i);
	else if (cut == CUT_NODES && cpus->node_each)
		snprintf(buf, size, "%s %d", words[CUT_PACKAGES], i);
	else
		snprintf(buf, size, "%s %d", words[cut], i);
	return buf;
}

/* The share of a CPU's time that a kind of load uses, 1 = all of it; NaN if unknown. */
static double load_share(const struct cores_load *load, int kind)
{
	if (load->n)
		return (double)load->kind[kind] / (double)load->n / 1000;
	return NAN;
}

/* The load of all kinds except waiting for a disk, which leaves the CPU free. */
static int64_t load_busy(const struct cores_load *load)
{
	return load->kind[0] + load->kind[1] + load->kind[3];
}

static void load_percent(struct canvas *canvas, int x, int y, const struct cores_load *load)
{
	double share = load_share(load, 0) + load_share(load, 1) + load_share(load, 3);

	if (load->n)
		canvas_printf(canvas, x, y, -1, PLAIN, "%3.0f %%", share * 100);
	else
		canvas_text(canvas, x, y, -1, PLAIN, "  ? %");
}

/* Stacks the kinds of load in column x of rect. Draws nothing if the load is unknown. */
static void load_stack(struct canvas *canvas, struct rect rect, int x,
		       const struct cores_load *load)
{
	struct plot_part parts[LOAD_KINDS];

	if (!load->n)
		return;
	for (int i = 0; i < LOAD_KINDS; i++)
		parts[i] = (struct plot_part) {load_share(load, i), load_kinds[i].glyph,
					       load_kinds[i].colour};
	/* Draw a baseline, so that idle and unknown look different. */
	canvas_put(canvas, x, rect.y + rect.h - 1, 0x28c0, STYLE(COLOUR_BORDER));
	plot_stack(canvas, rect, x, parts, LOAD_KINDS);
}

/*
 * Whether the mean load of a is higher than that of b, computed by cross-multiplication. An unknown
 * load is lower than any other.
 */
static bool load_busier(const struct cores_load *a, const struct cores_load *b)
{
	return a->n > 0 && (b->n == 0 || load_busy(a) * b->n > load_busy(b) * a->n);
}

static void load_of_part(const struct cores *c, const struct cores_load *of, int cut, int part,
			 struct cores_load *sum, struct cores_load *most)
{
	*sum = *most = (struct cores_load) {.n = 0};
	for (uint32_t i = 0; i < c->cpus->n; i++) {
		if (c->cpus->list[i].part[cut] != part)
			continue;
		for (int kind = 0; kind < LOAD_KINDS; kind++)
			sum->kind[kind] += of[i].kind[kind];
		sum->n += of[i].n;
		if (load_busier(&of[i], most))
			*most = of[i];
	}
}

/* Adds the load of each CPU in a tick to the CPU's sum. */
static void load_add_tick(const struct cores *c, long tick, struct cores_load *sums)
{
	const struct model *model = c->model;

	for (uint32_t i = 0; i < c->cpus->n; i++) {
		uint32_t column = c->cpus->list[i].column;
		const struct sample_core *core;

		if (column >= model->n_cores)
			continue;
		core = &model->cores[(size_t)tick * model->n_cores + column];
		if (core->user < 0)
			continue;
		sums[i].kind[0] += core->user;
		sums[i].kind[1] += core->system;
		sums[i].kind[LOAD_IOWAIT] += core->iowait;
		sums[i].kind[3] += core->steal;
		sums[i].n++;
	}
}

static struct rect graph_place(const struct layout_cores *l, uint32_t i)
{
	int column = (int)i % l->columns, row = (int)i / l->columns;

	return RECT(l->inner.x + column * (l->w + 2), l->inner.y + row * l->h, l->w, l->h);
}

/* How a strip places its CPUs: in groups of lines, with a line for each thread of a core. */
struct strip_grid {
	/*
	 * Number of lines in a group, one for each thread of a core. If it is 1, threads have no
	 * lines of their own, and every CPU is placed like a core.
	 */
	int threads;
	int each;  /* Number of cores in a cell. */
	int cells; /* Number of cells in a line. */
	int lines;
	/*
	 * Names how a worker ended. After an injected fault, writes "died with" and the name of the
	 * faulty worker for every other worker that died.
	 */
	int gap;
};

static int quotient_up(int n, int by)
{
	return (n + by - 1) / by;
}

/*
 * Chooses the number of cores in a cell: the smallest number with which all lines fit. If a core
 * has more threads than there are lines, threads have no lines of their own.
 */
static struct strip_grid strip_grid_of(const struct layout_cores *l, const struct view_cpus *cpus)
{
	struct strip_grid grid = {.threads = 1, .each = 1};
	int most = MAX(1, cpus->count.most[l->cut]), blocks;

	if (cpus->count.threads <= l->h)
		grid.threads = cpus->count.threads;

	if (grid.threads == 1)
		most *= cpus->count.threads;
	while (grid.each < most &&
	       grid.threads * quotient_up(quotient_up(most, grid.each), l->line_w) > l->h)
		grid.each++;
	blocks = quotient_up(quotient_up(most, grid.each), l->line_w);
	grid.lines = blocks * grid.threads;
	grid.cells = quotient_up(quotient_up(most, grid.each), blocks);
	if (blocks > 1 && quotient_up(grid.cells, GAP) * (GAP + 1) - 1 <= l->line_w)
		grid.cells = quotient_up(grid.cells, GAP) * GAP;
	if (grid.cells + (grid.cells - 1) / GAP <= l->line_w)
		grid.gap = GAP;
	return grid;
}

/* Formats a CPU set as taskset(1) reads it: "0-3,8", or "0-62:2" for even steps. Returns buf. */
static char *cpus_format(const cpu_set_t *set, char *buf, size_t size)
{
	int first = -1, last = -1, step = 0;
	bool even = CPU_COUNT(set) > 2;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, set))
			continue;
		even &= step == 0 || cpu - last == step;
		if (first < 0)
			first = cpu;
		else
			step = cpu - last;
		last = cpu;
	}
	if (!even || step < 2)
		return units_format_cpulist(buf, size, set);
	snprintf(buf, size, "%d-%d:%d", first, last, step);
	return buf;
}

/*
 * Draws a line of CPUs. A cell shows the current load of the busiest of its CPUs. A cell without a
 * CPU is blank.
 */
static void draw_cpu_line(const struct cores *c, struct rect rect, const struct strip_grid *grid,
			  int part, int line)
{
	const struct cores_load *cells[CELLS_MOST] = {NULL};
	cpu_set_t set;
	char list[128];

	CPU_ZERO(&set);
	for (uint32_t i = 0; i < c->cpus->n; i++) {
		const struct view_cpu *cpu = &c->cpus->list[i];
		int place = cpu->place[c->layout->cut], thread = cpu->thread, cell;

		if (grid->threads == 1) {
			place = place * c->cpus->count.threads + thread;
			thread = 0;
		}
		place /= grid->each;
		cell = place % grid->cells;
		if (cpu->part[c->layout->cut] != part || cell >= CELLS_MOST ||
		    place / grid->cells * grid->threads + thread != line)
			continue;
		CPU_SET((size_t)cpu->cpu, &set);
		if (!cells[cell] || load_busier(&c->now[i], cells[cell]))
			cells[cell] = &c->now[i];
	}
	if (CPU_COUNT(&set) == 0)
		return;
	/* A list that does not fit ends in "…", because a truncated list would look complete. */
	cpus_format(&set, list, sizeof(list));
	if (utf8_columns(list) >= LIST_W)
		snprintf(list + LIST_W - 3, sizeof(list) - LIST_W + 3, "…");
	canvas_text(c->canvas, rect.x, rect.y, LIST_W, DIM, list);
	for (int i = 0; i < grid->cells && i < CELLS_MOST; i++) {
		int x = rect.x + LIST_W + i + (grid->gap ? i / grid->gap : 0);
		const struct cores_load *load = cells[i];

		if (load && !load->n)
			canvas_put(c->canvas, x, rect.y, '?', DIM);
		else if (load && load_busy(load) < 63 * load->n &&
			 load->kind[LOAD_IOWAIT] < 63 * load->n)
			canvas_put(c->canvas, x, rect.y, 0xb7, STYLE(COLOUR_BORDER));
		else if (load)
			load_stack(c->canvas, RECT(x, rect.y, 1, 1), x, load);
	}
}

/* Draws the strips. Returns the column where the strips' history begins. */
static int draw_strips(const struct cores *c)
{
	const struct layout_cores *l = c->layout;
	struct strip_grid grid = strip_grid_of(l, c->cpus);
	int x = l->inner.x + l->name_w;
	int figures = x + LIST_W + grid.cells + 1 + (grid.gap ? (grid.cells - 1) / grid.gap : 0);

	for (int i = 0; i < l->rows; i++) {
		static const char word[] = "package";
		char name[SAMPLE_LABEL];
		bool brief =
			utf8_columns(part_name(c, l->cut, i, name, sizeof(name))) >= l->name_w &&
			strncmp(name, word, strlen(word)) == 0;
		int y = l->inner.y + i * l->h;
		struct cores_load both[2];

		if (l->name_w && brief) /* "pkg 1" */
			canvas_printf(c->canvas, l->inner.x, y, l->name_w - 1, PLAIN, "pkg%s",
				      name + strlen(word));
		else if (l->name_w)
			canvas_text(c->canvas, l->inner.x, y, l->name_w - 1, PLAIN, name);
		for (int line = 0; line < grid.lines; line++)
			draw_cpu_line(c, RECT(x, y + line, 0, 1), &grid, i, line);
		/* "mean 66 %" and "most 100 %", over the last second */
		load_of_part(c, c->now, l->cut, i, &both[0], &both[1]);
		for (int k = 0; k < (l->h > 1 ? 2 : 1); k++, y += l->h / 2) {
			canvas_text(c->canvas, figures, y, -1, DIM, k ? "most" : "mean");
			load_percent(c->canvas, figures + 5, y, &both[k]);
		}
	}
	return figures + MEAN_W;
}

/*
 * The time that a column of the history covers: one tick, or more if the planned session would not
 * fit into w columns.
 */
static int64_t cores_cell_ns(const struct model *model, int w)
{
	static const int steps[] = {2, 5, 10};
	const int64_t tick_ns = view_tick_ns(model), left_ns = model_time_left(model);
	/*
	 * The expected length of the session: the elapsed time and, if known, the estimated time
	 * left.
	 */
	const int64_t planned_ns = model->now_ns + MAX(left_ns, 0);
	int64_t cell_ns = tick_ns, power_ns = tick_ns;

	for (int i = 0; cell_ns * MAX(1, w) < planned_ns; i++) {
		cell_ns = power_ns * steps[i % 3];
		if (i % 3 == 2)
			power_ns *= 10;
	}
	return cell_ns;
}

static int cores_column(const void *arg, int64_t time_ns)
{
	const struct cores *c = arg;

	return (int)(time_ns / c->cell_ns);
}

/* The load of each CPU in each column of the history. */
struct load_history {
	long ticks; /* Number of ticks that were added. */
	struct cores_load sums[];
};

/* The history up to the newest tick. NULL if memory is short. */
static const struct load_history *load_history(const struct cores *c)
{
	const size_t columns = (size_t)c->columns + 2, n = columns * c->cpus->n;
	const struct view_reading_of of = {
		.kind = READING_LOAD,
		.a = c->cpus->n,
		.b = c->cpus->columns,
		.low = (double)c->cell_ns,
		.size = sizeof(struct load_history) + n * sizeof(struct cores_load),
	};
	struct load_history *history = view_cache_reading(c->cache, &of, NULL, NULL);

	if (!history)
		return NULL;
	if (history->ticks > c->newest + 1)
		memset(history, 0, of.size);
	for (; history->ticks <= c->newest; history->ticks++) {
		const int64_t time_ns = c->model->loads[history->ticks].time_ns;
		const int64_t column = (time_ns - 1) / c->cell_ns;

		/* A tick at the first moment of a column belongs to the column before. */
		if (time_ns > 0 && (size_t)column < columns)
			load_add_tick(c, history->ticks,
				      &history->sums[(size_t)column * c->cpus->n]);
	}
	return history;
}

/*
 * Draws a line below a graph. Each column of the line has the colour of the model whose run was
 * measured at that time.
 */
static void draw_models(const struct cores *c, struct rect plot)
{
	const size_t begun = model_runs_begun(c->model);
	size_t next;

	for (size_t i = 0; i < begun; i = next) {
		const struct model_run *run = &c->model->runs[i];
		const int64_t end_ns = MIN(run->end_ns, c->model->now_ns);
		const int from = cores_column(c, run->begin_ns);
		const int to = cores_column(c, end_ns);

		next = view_next_run(c->model, i, to, cores_column, c);

		if (to < plot.w)
			canvas_hline(c->canvas, plot.x + from, plot.y + plot.h, to - from + 1,
				     0x2501, STYLE(view_hue(c->model, run->id.case_id)));
	}
}

/*
 * Draws the load over time, from the newest column backwards. The first column is the beginning of
 * the session.
 */
static void draw_history(const struct cores *c, int from, int end)
{
	const struct layout_cores *l = c->layout;
	const int newest = (int)MIN(c->model->now_ns / c->cell_ns, end - from - 1);
	const bool models = !l->strips && l->h >= 3;
	const struct load_history *history = load_history(c);
	struct cores_load mean, most;
	int h = MAX(1, l->h / 2);

	for (int back = 0; history && back <= newest; back++) {
		const int64_t column = c->model->now_ns / c->cell_ns - back;
		const struct cores_load *sums = &history->sums[(size_t)column * c->cpus->n];

		for (uint32_t i = 0; !l->strips && i < c->cpus->n; i++) {
			struct rect plot = graph_place(l, i);

			plot.h -= models;
			load_stack(c->canvas, plot, plot.x + from + newest - back, &sums[i]);
		}
		/*
		 * The graph of the mean load is above the graph of the busiest CPU. Both graphs
		 * have the same height and scale.
		 */
		for (int i = 0; l->strips && i < l->rows; i++) {
			struct rect plot = {from, l->inner.y + i * l->h, end - from, h};

			load_of_part(c, sums, l->cut, i, &mean, &most);
			load_stack(c->canvas, plot, from + newest - back, &mean);
			plot.y += h;
			if (l->h > 1)
				load_stack(c->canvas, plot, from + newest - back, &most);
		}
	}
	for (uint32_t i = 0; models && i < c->cpus->n; i++) {
		const struct rect place = graph_place(l, i);

		draw_models(c, RECT(place.x + from, place.y, place.w - from, place.h - 1));
	}
}

enum { TITLE_W = 10 }; /* Width of the box's corner, of " cores " and of a short line. */

/*
 * Writes entries such as "█ user 91" for all CPUs. If there is little room, less important entries
 * are dropped. Returns the column where the legend begins.
 */
static int cores_legend(const struct cores *c)
{
	struct cores_load all, most;
	struct rect box = c->layout->box;
	int space = box.w - TITLE_W - 2, n = 0, width = 0, x;
	char texts[LOAD_KINDS][32];

	load_of_part(c, c->now, CUT_NONE, 0, &all, &most);
	for (; n < LOAD_KINDS; n++) {
		snprintf(texts[n], sizeof(texts[n]), all.n ? " %s %3.0f " : " %s   ? ",
			 load_kinds[n].name, load_share(&all, n) * 100);
		if (width + utf8_columns(texts[n]) + 2 > space)
			break;
		width += utf8_columns(texts[n]) + 2;
	}
	x = box.x + box.w - 2 - width;
	for (int i = 0; i < n; i++) {
		canvas_put(c->canvas, x, box.y, ' ', PLAIN);
		canvas_put(c->canvas, x + 1, box.y, load_kinds[i].glyph,
			   STYLE(load_kinds[i].colour));
		x = canvas_text(c->canvas, x + 2, box.y, -1, PLAIN, texts[i]);
	}
	return x - width;
}

enum { TITLES = 3 };

/*
 * Writes "64 in 2 packages, CPUs 128 of 128". If there is little room, writes "128 of 128". If
 * there is a quota, the text begins with the quota: "2.5 of 128 (quota)".
 */
static void cores_counts(const struct cores *c, bool brief, char *buf, size_t size)
{
	const struct machine *machine = &c->model->session.machine;
	const struct view_cpus *cpus = c->cpus;
	struct sentence s = sentence_in(buf, size);
	bool smt = cpus->count.threads > 1 && !brief;

	buf[0] = '\0';
	if (machine_quota(machine) >= 0) /* This text comes after the word "cores". */
		sentence_add(&s, "%.3g of %d (quota)", machine->cpu_quota, machine->cores_online);
	if (smt)
		sentence_join(&s, ", ", "%d", cpus->count.most[CUT_NONE]);
	else if (s.used == 0)
		sentence_add(&s, "%d of %d", machine->cores_allowed, machine->cores_online);
	if (brief)
		return;
	if (cpus->known[CUT_PACKAGES] > 1)
		sentence_add(&s, " in %d packages", cpus->known[CUT_PACKAGES]);
	if (cpus->known[CUT_NODES] > cpus->known[CUT_PACKAGES])
		sentence_add(&s, ", %d nodes", cpus->known[CUT_NODES]);
	if (cpus->known[CUT_KINDS] == 2)
		sentence_add(&s, ", %d P and %d E", cpus->kind_cores[0], cpus->kind_cores[1]);
	if (smt)
		sentence_add(&s, ", CPUs %d of %d", machine->cores_allowed, machine->cores_online);
}

/* Writes as much of the machine's name as fits before column `end`, where the legend begins. */
static void cores_title(const struct cores *c, int end)
{
	int x = c->layout->box.x + TITLE_W - 1;
	char texts[TITLES][MACHINE_TEXT] = {"", "", ""};
	const struct machine *machine = &c->model->session.machine;

	if (!c->model->has_session)
		return;
	/* For joined recordings, names the machine of each range of cores. */
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
	for (int i = 0; i < TITLES; i++) {
		if (x + utf8_columns(texts[i]) + 3 >= end)
			break;
		x = canvas_text(c->canvas, x, c->layout->box.y, -1, DIM, texts[i]);
		x = canvas_text(c->canvas, x, c->layout->box.y, -1, DIM, i < 2 ? "  " : " ");
	}
	if (x > c->layout->box.x + TITLE_W)
		canvas_put(c->canvas, x - 1, c->layout->box.y, ' ', DIM);
}

/*
 * Writes the time that a column covers, and the number of cores in a strip's cell. Returns the
 * first column of the text.
 */
static int cores_scale(const struct cores *c)
{
	struct rect box = c->layout->box;
	int each = c->layout->strips ? strip_grid_of(c->layout, c->cpus).each : 1;
	const double seconds = (double)c->cell_ns / 1e9;
	char cell[64] = "", time[32], text[96];

	if (each > 1 && box.w >= CORES_WIDE)
		snprintf(cell, sizeof(cell), "a cell: the busiest of %d CPUs now, most: of all, ",
			 each);
	else if (c->layout->strips && box.w >= NARROW)
		snprintf(cell, sizeof(cell), "%smost: the busiest, ",
			 box.w >= CORES_WIDE ? "a cell: a CPU now, " : "");
	if (seconds < 60)
		snprintf(time, sizeof(time), "%.3g s", seconds);
	else
		units_format_time(time, sizeof(time), c->cell_ns, false);
	snprintf(text, sizeof(text), " %sone column %s%s ", cell, time,
		 c->layout->strips ? "" : ", one core = 100 %");
	if (box.w <= utf8_columns(text) + 4)
		return box.x + box.w - 2;
	return canvas_right(c->canvas, box.x + box.w - 2, box.y + box.h - 1, DIM, text);
}

/*
 * Writes on the box's lower edge: the CPUs of this run, the session's allowed CPUs, and which CPUs
 * share a core.
 */
static void cores_notes(const struct cores *c, int end)
{
	const struct machine *machine = &c->model->session.machine;
	const struct model_run *run = model_newest(c->model);
	const struct sample_case *config = run ? &c->model->cases[run->id.case_id] : NULL;
	int x = c->layout->box.x + 2, y = c->layout->box.y + c->layout->box.h - 1;
	char texts[3][2 * MACHINE_TEXT] = {"", "", ""}, list[48];

	if (config && CPU_COUNT(&config->cpus) > 0) {
		const char *cpus = cpus_format(&config->cpus, list, sizeof(list));

		if (*config->place && CPU_COUNT(&config->cpus) > 1)
			snprintf(texts[0], sizeof(texts[0]), " this run: CPU %s, %s ", cpus,
				 config->place);
		else
			snprintf(texts[0], sizeof(texts[0]), " this run: CPU %s ", cpus);
	}
	if (!c->model->n_origins && machine->cores_allowed < machine->cores_online &&
	    *machine->cpus_allowed)
		snprintf(texts[1], sizeof(texts[1]), " may use CPU %s ", machine->cpus_allowed);
	if (*c->cpus->siblings)
		snprintf(texts[2], sizeof(texts[2]), " a core: %s ", c->cpus->siblings);
	for (int i = 0; i < 3; i++)
		if (*texts[i] && x + utf8_columns(texts[i]) + 1 <= end)
			x = canvas_text(c->canvas, x, y, -1,
					STYLE(i < 2 ? COLOUR_DEFAULT : COLOUR_DIM), texts[i]) +
			    1;
}

struct layout_cpus view_cores_count(const struct view_frame *frame)
{
	const struct view_cpus *cpus = cpus_now(frame);

	if (cpus && !frame->state->alone)
		return cpus->count;
	return (struct layout_cpus) {.n = 0};
}

void view_cores_draw(const struct view_frame *frame, const struct layout_cores *layout)
{
	struct cores c = {.canvas = frame->canvas,
			  .layout = layout,
			  .model = frame->model,
			  .cache = frame->cache,
			  .cpus = cpus_now(frame),
			  .newest = -1};

	if (layout->box.h < 3 || !c.cpus)
		return;
	c.columns = MAX(1, layout->w - (layout->strips ? layout->w / 2 : LABEL));
	c.cell_ns = cores_cell_ns(c.model, c.columns);
	if (c.model->n_cores && c.model->n_loads)
		c.newest = model_load_at(c.model, c.model->now_ns);
	c.now = calloc(MAX(1, c.cpus->n), sizeof(*c.now));
	if (!c.now)
		return;
	for (long tick = c.newest; tick >= 0; tick--) {
		if (c.model->loads[tick].time_ns <= c.model->now_ns - CORES_SECOND)
			break;
		load_add_tick(&c, tick, c.now);
	}
	view_box(c.canvas, layout->box, "cores", NULL);
	cores_title(&c, cores_legend(&c));
	cores_notes(&c, cores_scale(&c));
	if (layout->strips) {
		draw_history(&c, draw_strips(&c), layout->inner.x + layout->w);
	} else {
		for (uint32_t i = 0; i < c.cpus->n; i++) {
			const struct view_cpu *cpu = &c.cpus->list[i];
			struct rect rect = graph_place(c.layout, i);
			char kind[SAMPLE_LABEL], number[16];

			/* The kernel's number of the CPU, after the kind of its core. */
			part_name(&c, CUT_KINDS, cpu->part[CUT_KINDS], kind, sizeof(kind));
			snprintf(number, sizeof(number), "%.*s%d", c.cpus->known[CUT_KINDS] == 2,
				 kind, cpu->cpu);
			canvas_right(c.canvas, rect.x + 3, rect.y, DIM, number);
			load_percent(c.canvas, rect.x + 4, rect.y, &c.now[i]);
		}
		draw_history(&c, LABEL, layout->w);
	}
	free(c.now);
}
