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

/* It had load by now, or a worker of the run. */
static bool core_is_shown(const struct view_list *list, size_t cpu)
{
	const struct model *model = list->model;
	long tick = model->n_loads ? model_load_at(model, model->now_ns) : -1;

	if (model_core_used(list->run, cpu))
		return true;
	for (uint32_t i = 0; tick >= 0 && i < model->n_cores; i++)
		if ((size_t)model->cores[i].cpu == cpu)
			return model->cores[(size_t)tick * model->n_cores + i].user >= 0;
	return false;
}

/* One more than the highest number: with CPUs that are offline that is more than there are. */
static size_t cores_end(const struct view_list *list)
{
	const struct model *model = list->model;
	size_t n = list->run ? model_cores_seen(list->run) : 0;

	for (uint32_t i = 0; n && model->n_loads && i < model->n_cores; i++)
		n = MAX(n, (size_t)model->cores[i].cpu + 1);
	return n;
}

int view_core_lanes_count(const struct view_list *list)
{
	size_t n = cores_end(list);
	int count = 0;

	for (size_t cpu = 0; cpu < n; cpu++)
		count += core_is_shown(list, cpu);
	return count;
}

/* Cells */

static double core_share(const struct core_lane *lane, int64_t from_ns, int64_t to_ns)
{
	const struct view_list *l = lane->list;
	struct model_core_shares before, after;

	model_core_shares_until(l->model, l->run, lane->cpu, from_ns, &before);
	model_core_shares_until(l->model, l->run, lane->cpu, to_ns, &after);
	return (after.ns[CORE_OURS] - before.ns[CORE_OURS]) / (double)(to_ns - from_ns);
}

/* Who was on the core for most of the cell, in few steps; else what share of it the run had. */
static struct cell_of_core cell_between(const struct core_lane *lane, int64_t from_ns,
					int64_t to_ns)
{
	static const enum cell_kind kinds[CORE_STATES] = {
		[CORE_FREE] = CELL_FREE, [CORE_OTHERS] = CELL_OTHERS, [CORE_OURS] = CELL_WORKER};
	const struct view_list *l = lane->list;
	struct model_core_stretch at, longest = {.state = CORE_FREE};
	int64_t most = 0, t = from_ns;

	for (int i = 0; i < STEPS && t < to_ns; i++, t = at.to_ns) {
		if (!model_core_stretch_at(l->model, l->run, lane->cpu, t, &at))
			break;
		if (MIN(at.to_ns, to_ns) - t <= most)
			continue;
		most = MIN(at.to_ns, to_ns) - t;
		longest = at;
	}
	if (2 * most < to_ns - from_ns)
		return (struct cell_of_core) {CELL_MANY, 0, core_share(lane, from_ns, to_ns)};
	/* A quota keeps the whole run from every core; nobody has to have taken it. */
	if (longest.state != CORE_OURS &&
	    2 * (model_throttled_until(l->run, to_ns) - model_throttled_until(l->run, from_ns)) >
		    to_ns - from_ns)
		return (struct cell_of_core) {CELL_THROTTLED, longest.worker, 0};
	return (struct cell_of_core) {kinds[longest.state], longest.worker, 0};
}

/* Drawing */

/* "w12", in less room "12", and of longer ones the end. */
static void worker_name_in(char *name, size_t room)
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

static void draw_worker_on_core(const struct core_lane *lane, int x, int n, uint32_t worker)
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
	worker_name_in(name, (size_t)(n - edge));
	if (edge)
		canvas_put(canvas, x, lane->y, 0x2590, style);
	style.attr |= ATTR_REVERSE;
	canvas_hline(canvas, x + edge, lane->y, n - edge, ' ', style);
	canvas_text(canvas, x + edge, lane->y, n - edge, style, name);
}

static void draw_core_lane(struct core_lane *lane)
{
	const struct view_list *l = lane->list;
	uint8_t many = view_bar_colour_of_many(view_list_work(&l->tree->plan));
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
		int x = l->axis.x + i;

		for (n = 1; i + n < l->axis.w && cell->kind != CELL_MANY &&
			    cell[n].kind == cell->kind && cell[n].worker == cell->worker;)
			n++;
		switch (cell->kind) {
		case CELL_NONE:
			break;
		case CELL_FREE:
			canvas_hline(l->canvas, x, lane->y, n, 0xb7, STYLE(COLOUR_DIM));
			break;
		case CELL_THROTTLED:
			canvas_hline(l->canvas, x, lane->y, n, 0x2551, STYLE(COLOUR_THROTTLED));
			break;
		case CELL_OTHERS:
			canvas_hline(l->canvas, x, lane->y, n, 0x2591, STYLE(COLOUR_DIM));
			if (n >= OTHERS_W)
				canvas_text(l->canvas, x + 1, lane->y, -1, STYLE(COLOUR_DIM),
					    " others ");
			break;
		case CELL_WORKER:
			draw_worker_on_core(lane, x, n, cell->worker);
			break;
		case CELL_MANY:
			canvas_put(l->canvas, x, lane->y, plot_eighth(cell->share), STYLE(many));
			break;
		}
	}
	if (until <= 0)
		return;
	snprintf(text, sizeof(text), "%.0f %%", 100 * core_share(lane, 0, until));
	canvas_right(l->canvas, l->axis.x + l->axis.w + l->right, lane->y, STYLE(COLOUR_DEFAULT),
		     text);
}

void view_core_lanes_draw(const struct view_list *list, struct rect rect, int first)
{
	static const char *const entries[] = {" ▐name who ran ", " ▁▄▇ many ", " ░ others ",
					      " · nobody ", " ║ throttled "};
	size_t n_entries = list->run && list->run->n_throttles ? 5 : 4, n = cores_end(list);
	struct core_lane lane = {.list = list, .selected = UINT32_MAX};
	const struct tree_row *row = &list->tree->rows[MAX(0, list->per_row ? 0 : list->selected)];
	int i = 0, pitch = 2 * (view_core_lanes_count(list) - first) <= rect.h - 1 ? 2 : 1, x;

	if (rect.h < 2)
		return;
	if (list->selected >= 0 && list->per_row == 1)
		lane.selected = list->one->order.worker[list->selected];
	else if (list->selected >= 0 && !list->per_row && !row->group)
		lane.selected = row->first;
	/* The legend: as many entries as there is room for. */
	x = canvas_text(list->canvas, rect.x, rect.y, rect.w, STYLE(COLOUR_DIM), "cores ");
	canvas_hline(list->canvas, x, rect.y, rect.x + rect.w - x, 0x2500, STYLE(COLOUR_BORDER));
	x = list->axis.x;
	for (size_t e = 0; e < n_entries; e++)
		if (x + utf8_columns(entries[e]) <= rect.x + rect.w)
			x = canvas_text(list->canvas, x, rect.y, -1, STYLE(COLOUR_DIM), entries[e]);
	for (lane.cpu = 0; lane.cpu < n; lane.cpu++) {
		if (!core_is_shown(list, lane.cpu) || i++ < first)
			continue;
		lane.y = rect.y + 1 + (i - 1 - first) * pitch;
		if (lane.y >= rect.y + rect.h)
			break;
		plot_grid(list->canvas, &list->axis, lane.y, 1);
		draw_core_lane(&lane);
	}
}
