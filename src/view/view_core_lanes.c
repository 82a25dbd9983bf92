/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/utf8.h"
#include "model/model_slices.h"
#include "view_bars.h"

enum { STEPS = 8, OTHERS_W = 10 };

enum cell_kind { CELL_NONE, CELL_FREE, CELL_THROTTLED, CELL_OTHERS, CELL_WORKER, CELL_MANY };

struct cell_of_core {
	enum cell_kind kind;
	uint32_t worker; /* of CELL_WORKER */
	double share;	 /* of CELL_MANY */
};

struct core_lane {
	const struct view_list *list;
	size_t cpu;
	int y;
	uint32_t selected;
	struct cell_of_core cells[DENSITY_CELLS];
};

/* The cores */

/* The load of a CPU is known by now. */
static bool has_load(const struct model *model, size_t cpu)
{
	long tick = model->n_loads ? model_load_at(model, model->now_ns) : -1;
	const struct sample_core *cores = model->cores;

	for (uint32_t i = 0; tick >= 0 && i < model->n_cores; i++)
		if ((size_t)cores[i].cpu == cpu)
			return cores[(size_t)tick * model->n_cores + i].user >= 0;
	return false;
}

/* It had load by now, or a worker of the run. */
static bool shown(const struct view_list *list, size_t cpu)
{
	return model_core_used(list->run, cpu) || has_load(list->model, cpu);
}

/* One more than the highest number: with CPUs that are offline that is more than there are. */
static size_t seen(const struct view_list *list)
{
	const struct model *model = list->model;
	size_t n = list->run ? model_cores_seen(list->run) : 0;

	for (uint32_t i = 0; n && model->n_loads && i < model->n_cores; i++)
		n = MAX(n, (size_t)model->cores[i].cpu + 1);
	return n;
}

int view_core_lanes_count(const struct view_list *list)
{
	size_t n = seen(list);
	int count = 0;

	for (size_t cpu = 0; cpu < n; cpu++)
		count += shown(list, cpu);
	return count;
}

/* Cells */

/* The longest stretch of the cell, if that is half of it and not one of many. */
static bool longest(const struct core_lane *lane, int64_t from_ns, int64_t to_ns,
		    struct model_core_stretch *out)
{
	const struct view_list *l = lane->list;
	struct model_core_stretch at;
	int64_t most = 0, t = from_ns;

	for (int i = 0; i < STEPS && t < to_ns; i++, t = at.to_ns) {
		if (!model_core_stretch_at(l->model, l->run, lane->cpu, t, &at))
			break;
		if (MIN(at.to_ns, to_ns) - t <= most)
			continue;
		most = MIN(at.to_ns, to_ns) - t;
		*out = at;
	}
	return 2 * most >= to_ns - from_ns;
}

static double share_of(const struct core_lane *lane, int64_t from_ns, int64_t to_ns)
{
	const struct view_list *l = lane->list;
	struct model_core_shares before, after;

	model_core_shares_until(l->model, l->run, lane->cpu, from_ns, &before);
	model_core_shares_until(l->model, l->run, lane->cpu, to_ns, &after);
	return (after.ns[CORE_OURS] - before.ns[CORE_OURS]) / (double)(to_ns - from_ns);
}

static struct cell_of_core cell_between(const struct core_lane *lane, int64_t from_ns,
					int64_t to_ns)
{
	static const enum cell_kind kinds[CORE_STATES] = {
		[CORE_FREE] = CELL_FREE, [CORE_OTHERS] = CELL_OTHERS, [CORE_OURS] = CELL_WORKER};
	const struct model_run *run = lane->list->run;
	struct model_core_stretch at = {.state = CORE_FREE};
	bool most = longest(lane, from_ns, to_ns, &at);

	/* A quota keeps the whole run from every core; nobody has to have taken it. */
	if (most && at.state != CORE_OURS &&
	    2 * (model_throttled_until(run, to_ns) - model_throttled_until(run, from_ns)) >
		    to_ns - from_ns)
		return (struct cell_of_core) {CELL_THROTTLED, at.worker, 0};
	if (most)
		return (struct cell_of_core) {kinds[at.state], at.worker, 0};
	return (struct cell_of_core) {CELL_MANY, 0, share_of(lane, from_ns, to_ns)};
}

/* Drawing */

/* "w12", in less room "12", and of longer ones the end. */
static void name_in(char *name, size_t room)
{
	size_t w = strlen(name), digits = strspn(name, "abcdefghijklmnopqrstuvwxyz");

	if (w <= room)
		return;
	digits = digits ? w - digits : w;
	if (digits < w && digits < room)
		memmove(name + 1, name + w - digits, digits + 1);
	else
		memmove(name, name + w - room, room + 1);
	if (*name == '.')
		memmove(name, name + 1, strlen(name));
}

static void draw_worker(const struct core_lane *lane, int x, int n, uint32_t worker)
{
	struct canvas *canvas = lane->list->canvas;
	struct style style = STYLE_BOLD(COLOUR_TITLE);
	struct plan_node node;
	int edge = n > 1;
	char name[96];

	plan_node(&lane->list->tree->plan, worker, &node);
	if (worker != lane->selected)
		style = STYLE(view_bar_colour(node.work));
	plan_name(&lane->list->tree->plan, worker, name, sizeof(name));
	name[strcspn(name, " ")] = '\0';
	name_in(name, (size_t)(n - edge));
	if (edge)
		canvas_put(canvas, x, lane->y, 0x2590, style);
	style.attr |= ATTR_REVERSE;
	canvas_hline(canvas, x + edge, lane->y, n - edge, ' ', style);
	canvas_text(canvas, x + edge, lane->y, n - edge, style, name);
}

static void draw_cells(const struct core_lane *lane, int i, int n)
{
	const struct cell_of_core *cell = &lane->cells[i];
	struct canvas *canvas = lane->list->canvas;
	int x = lane->list->axis.x + i;

	if (cell->kind == CELL_WORKER)
		draw_worker(lane, x, n, cell->worker);
	else if (cell->kind == CELL_OTHERS)
		canvas_hline(canvas, x, lane->y, n, 0x2591, STYLE(COLOUR_DIM));
	else if (cell->kind == CELL_THROTTLED)
		canvas_hline(canvas, x, lane->y, n, 0x2551, STYLE(COLOUR_THROTTLED));
	else if (cell->kind == CELL_FREE)
		canvas_hline(canvas, x, lane->y, n, 0xb7, STYLE(COLOUR_DIM));
	else if (cell->kind == CELL_MANY)
		canvas_put(canvas, x, lane->y, plot_eighth(cell->share),
			   STYLE(view_bar_colour_of_many(view_list_work(&lane->list->tree->plan))));
	if (cell->kind == CELL_OTHERS && n >= OTHERS_W)
		canvas_text(canvas, x + 1, lane->y, -1, STYLE(COLOUR_DIM), " others ");
}

static void draw_lane(struct core_lane *lane)
{
	const struct view_list *l = lane->list;
	int64_t until = model_length(l->model, l->run);
	char text[32];

	snprintf(text, sizeof(text), "core %zu", lane->cpu);
	canvas_text(l->canvas, l->rect.x, lane->y, l->axis.x - l->rect.x - 1, STYLE(COLOUR_DEFAULT),
		    text);
	for (int i = 0; i < l->axis.w; i++) {
		int64_t from = plot_time(&l->axis, l->axis.x + i);
		int64_t to = MIN(until, plot_time(&l->axis, l->axis.x + i + 1));

		lane->cells[i] = (struct cell_of_core) {.kind = CELL_NONE};
		if (from < until)
			lane->cells[i] = cell_between(lane, from, MAX(from + 1, to));
	}
	for (int i = 0, n; i < l->axis.w; i += n) {
		const struct cell_of_core *cell = &lane->cells[i];

		for (n = 1; i + n < l->axis.w && cell->kind != CELL_MANY &&
			    cell[n].kind == cell->kind && cell[n].worker == cell->worker;)
			n++;
		draw_cells(lane, i, n);
	}
	if (until <= 0)
		return;
	snprintf(text, sizeof(text), "%.0f %%", 100 * share_of(lane, 0, until));
	canvas_right(l->canvas, l->axis.x + l->axis.w + l->right, lane->y, STYLE(COLOUR_DEFAULT),
		     text);
}

static uint32_t selected(const struct view_list *list)
{
	if (list->selected < 0 || list->per_row > 1)
		return UINT32_MAX;
	if (list->per_row)
		return list->one->order.worker[list->selected];
	if (list->tree->rows[list->selected].group)
		return UINT32_MAX;
	return list->tree->rows[list->selected].first;
}

/* As many entries as there is room for. */
static void draw_legend(const struct view_list *list, struct rect rect)
{
	static const char *const entries[] = {" ▐name who ran ", " ▁▄▇ many ", " ░ others ",
					      " · nobody ", " ║ throttled "};
	size_t n = sizeof(entries) / sizeof(*entries) - (!list->run || list->run->n_throttles == 0);
	int x = canvas_text(list->canvas, rect.x, rect.y, rect.w, STYLE(COLOUR_DIM), "cores ");

	canvas_hline(list->canvas, x, rect.y, rect.x + rect.w - x, 0x2500, STYLE(COLOUR_BORDER));
	x = list->axis.x;
	for (size_t i = 0; i < n; i++)
		if (x + utf8_columns(entries[i]) <= rect.x + rect.w)
			x = canvas_text(list->canvas, x, rect.y, -1, STYLE(COLOUR_DIM), entries[i]);
}

void view_core_lanes_draw(const struct view_list *list, struct rect rect, int first)
{
	struct core_lane lane = {.list = list, .selected = selected(list)};
	size_t n = seen(list);
	int i = 0, pitch = 2 * (view_core_lanes_count(list) - first) <= rect.h - 1 ? 2 : 1;

	if (rect.h < 2)
		return;
	draw_legend(list, rect);
	for (lane.cpu = 0; lane.cpu < n; lane.cpu++) {
		if (!shown(list, lane.cpu) || i++ < first)
			continue;
		lane.y = rect.y + 1 + (i - 1 - first) * pitch;
		if (lane.y >= rect.y + rect.h)
			break;
		plot_grid(list->canvas, &list->axis, lane.y, 1);
		draw_lane(&lane);
	}
}
