/* SPDX-License-Identifier: MIT */
#include "view_bars.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "core/plan.h"
#include "view_rows.h"

static struct style bar_style(const struct view_bar *bar, uint8_t colour)
{
	return (struct style) {.fg = colour, .bg = bar->bg};
}

int view_bar_cells(const struct view_bar *bar, int64_t from_ns, int64_t to_ns, int *first)
{
	int last;

	*first = (int)floor(plot_column(bar->axis, from_ns));
	last = MAX(*first, (int)ceil(plot_column(bar->axis, to_ns)) - 1);
	*first = MAX(*first, bar->axis->x);
	return MAX(0, MIN(last, bar->axis->x + bar->axis->w - 1) - *first + 1);
}

/* Fills them with a glyph. */
static void bar_part(const struct view_bar *bar, int64_t from_ns, int64_t to_ns, uint32_t glyph,
		     uint8_t colour)
{
	int first, n = view_bar_cells(bar, from_ns, to_ns, &first);

	canvas_hline(bar->canvas, first, bar->y, n, glyph, bar_style(bar, colour));
}

/* The join is drawn beside the bar where both fall into one cell. */
static void bar_joined(const struct view_bar *bar, int64_t finish_ns, int64_t join_ns)
{
	int finish = (int)ceil(plot_column(bar->axis, finish_ns)) - 1;
	int join = (int)ceil(plot_column(bar->axis, join_ns)) - 1;
	int x = join > finish ? join : finish + 1;

	if (x >= bar->axis->x && x <= bar->axis->x + bar->axis->w)
		canvas_put(bar->canvas, x, bar->y, 0x2524, bar_style(bar, COLOUR_FINISHED));
}

static struct view_ink bar_ink_of(uint8_t work)
{
	static const struct view_ink inks[WORK_KINDS] = {
		[WORK_CPU] = {0x2501, COLOUR_CPU},     [WORK_IO] = {0x2550, COLOUR_IO},
		[WORK_FP] = {0x254d, COLOUR_FP},       [WORK_MEM] = {0x2505, COLOUR_MEM},
		[WORK_WRITE] = {0x2509, COLOUR_WRITE}, [WORK_SHARE] = {0x2501, COLOUR_CPU},
		[WORK_TOUCH] = {0x2508, COLOUR_MEM},   [WORK_TOKEN] = {0x2550, COLOUR_IO},
		[WORK_MESSAGE] = {0x2550, COLOUR_IO},
	};

	return work < WORK_KINDS && inks[work].glyph ? inks[work]
						     : (struct view_ink) {0x2500, COLOUR_OTHER};
}

uint8_t view_bar_colour(uint8_t work)
{
	return bar_ink_of(work).colour;
}

uint8_t view_bar_colour_of_many(uint8_t work)
{
	uint8_t colour = view_bar_colour(work);

	return colour == COLOUR_OTHER ? COLOUR_CPU : colour;
}

bool view_bar_bad(const struct sample_worker *worker)
{
	return worker->status == SAMPLE_FAILED || worker->status == SAMPLE_CRASHED ||
	       worker->status == SAMPLE_REFUSED || worker->status == SAMPLE_INTERRUPTED;
}

char *view_bar_reason(const struct sample_worker *worker, char *buf, size_t size)
{
	const char *name = worker->status == SAMPLE_CRASHED ? sigabbrev_np(worker->error)
							    : strerrorname_np(worker->error);

	if (worker->status == SAMPLE_INTERRUPTED)
		snprintf(buf, size, "stopped");
	else if (worker->status == SAMPLE_CRASHED && name)
		snprintf(buf, size, "SIG%s", name);
	else if (worker->status == SAMPLE_CRASHED)
		snprintf(buf, size, "signal %d", worker->error);
	else if (worker->error == EILSEQ)
		snprintf(buf, size, "wrong result");
	else
		snprintf(buf, size, "%s", worker->error && name ? name : "failed");
	return buf;
}

/* Says where the worker lies when that is not within the time shown. */
static void bar_beside(const struct view_bar *bar, const struct sample_worker *worker)
{
	int64_t last = worker->join_ns >= 0 ? worker->join_ns : bar->until_ns;

	if (worker->create_ns < 0)
		return;
	if (last < bar->axis->from_ns)
		canvas_put(bar->canvas, bar->axis->x, bar->y, 0x25c2, bar_style(bar, COLOUR_DIM));
	if (worker->create_ns >= bar->axis->to_ns)
		canvas_put(bar->canvas, bar->axis->x + bar->axis->w - 1, bar->y, 0x25b8,
			   bar_style(bar, COLOUR_DIM));
}

/* A lifetime, or what is known of it. */
static void bar_work(const struct view_bar *bar, int64_t begin, int64_t finish, uint8_t work)
{
	struct view_ink ink = bar_ink_of(work);

	if (view_lane_draw(bar, begin, finish, &ink))
		return;
	bar_part(bar, begin, finish, ink.glyph, ink.colour);
	if (finish - begin > (bar->axis->to_ns - bar->axis->from_ns) / bar->axis->w)
		bar_part(bar, begin, begin, 0x257a, ink.colour);
}

/* Where it is known that it could run since the gate opened and had no core, that is no gate. */
static int64_t gate_end(const struct view_bar *bar, const struct sample_worker *worker)
{
	struct model_stretch last;

	if (view_lane_known(bar) &&
	    model_stretch_at(bar->model, bar->run, bar->worker, worker->work_ns - 1, &last) &&
	    last.state == STATE_WAITING)
		return last.from_ns;
	return worker->work_ns;
}

void view_bar_worker(const struct view_bar *bar, const struct sample_worker *worker, uint8_t work)
{
	int64_t start = worker->start_ns >= 0 ? worker->start_ns : bar->until_ns;
	int64_t finish = worker->finish_ns >= 0 ? worker->finish_ns : bar->until_ns;
	int64_t join = worker->join_ns >= 0 ? worker->join_ns : bar->until_ns;
	int64_t begin = bar->gated && worker->work_ns < 0	? finish
			: bar->gated && worker->work_ns > start ? MAX(start, gate_end(bar, worker))
								: start;

	bar_beside(bar, worker);
	if (worker->create_ns >= 0)
		bar_part(bar, worker->create_ns, start, 0x254c, COLOUR_CREATED);
	if (begin > start)
		bar_part(bar, start, begin, 0x2504, COLOUR_CREATED);
	/* where ┈ is blocked, who has finished has no ink */
	if (worker->finish_ns >= 0 && join > finish && !view_lane_known(bar))
		bar_part(bar, finish, join, 0x2508, COLOUR_WAITING);
	if (worker->join_ns >= 0)
		bar_joined(bar, finish, join);
	if (worker->start_ns >= 0 && finish > begin)
		bar_work(bar, begin, finish, work);
	if (view_bar_bad(worker)) {
		bool ended_with_run = worker->status == SAMPLE_INTERRUPTED && worker->start_ns >= 0;
		int64_t end = worker->finish_ns >= 0   ? worker->finish_ns
			      : worker->join_ns >= 0   ? worker->join_ns
			      : ended_with_run	       ? bar->until_ns
			      : worker->create_ns >= 0 ? worker->create_ns
						       : 0;
		int x = (int)ceil(plot_column(bar->axis, end)) - 1, room;
		struct style style = {.fg = COLOUR_BAD, .bg = bar->bg, .attr = ATTR_BOLD};
		char reason[64];

		view_bar_reason(worker, reason, sizeof(reason));
		if (x >= bar->axis->x && x < bar->axis->x + bar->axis->w)
			canvas_put(bar->canvas, x, bar->y, 0x2717, style);
		room = bar->axis->x + bar->axis->w - utf8_columns(reason);
		x = x + 2 > room ? room : x + 2 < bar->axis->x ? bar->axis->x : x + 2;
		canvas_text(bar->canvas, x, bar->y, bar->axis->x + bar->axis->w - x, style, reason);
	}
}

static uint8_t density_colour(uint8_t state, uint8_t work)
{
	static const uint8_t colours[] = {[DENSITY_CREATED] = COLOUR_CREATED,
					  [DENSITY_WAITING] = COLOUR_WAITING,
					  [DENSITY_BAD] = COLOUR_BAD};

	if (state == DENSITY_RUNNING)
		return view_bar_colour_of_many(work);
	return colours[state];
}

/* The lane's inks, for many. */
static void density_share(const struct view_bar *bar, int x, uint8_t share, uint8_t work)
{
	static const struct view_ink rest[] = {{0x2591, COLOUR_READY, COLOUR_READY_BED},
					       {0xb7, COLOUR_CREATED},
					       {0x2551, COLOUR_THROTTLED, COLOUR_THROTTLED_BED}};
	uint8_t colour = density_colour(DENSITY_RUNNING, work);
	const struct view_ink *ink = &rest[share <= SHARE_ALL ? 0 : share - SHARE_WAITING];

	if (share <= SHARE_ALL)
		canvas_put(bar->canvas, x, bar->y, 0x2580u + share, bar_style(bar, colour));
	else
		canvas_put(bar->canvas, x, bar->y, ink->glyph,
			   (struct style) {.fg = ink->colour, .bg = ink->bed ? ink->bed : bar->bg});
}

/* What the bands have for the same: who waits to be joined never looks as if it ran. */
static uint32_t density_glyph(const struct density_cell *cell)
{
	static const uint32_t heights[] = {' ', 0x2581, 0x2582, 0x2584, 0x2586, 0x2587};
	static const uint32_t others[] = {
		[DENSITY_CREATED] = 0x2592, [DENSITY_WAITING] = 0x2593, [DENSITY_BAD] = 0x2717};

	return cell->state == DENSITY_RUNNING ? heights[cell->shade] : others[cell->state];
}

void view_bar_density(const struct view_bar *bar, const struct density_cell *cells,
		      const uint8_t *shares, int n, uint8_t work)
{
	for (int x = 0; x < n && x < bar->axis->w; x++) {
		struct style style = bar_style(bar, density_colour(cells[x].state, work));

		if (!cells[x].shade)
			continue;
		if (shares && shares[x] != SHARE_UNKNOWN && cells[x].state != DENSITY_BAD) {
			density_share(bar, bar->axis->x + x, shares[x], work);
			continue;
		}
		if (cells[x].state == DENSITY_RUNNING)
			style.attr = ATTR_BOLD;
		canvas_put(bar->canvas, bar->axis->x + x, bar->y, density_glyph(&cells[x]), style);
	}
}

int view_legend_draw(struct canvas *canvas, int x, int y, int w, const struct view_legend *list,
		     size_t n)
{
	int end = x + w;

	for (size_t i = 0; i < n && x + utf8_columns(list[i].name) + 4 <= end; i++) {
		canvas_printf(canvas, x, y, -1, STYLE(COLOUR_DIM), "   %s ", list[i].name);
		canvas_put(canvas, x + 1, y, list[i].ink.glyph,
			   (struct style) {.fg = list[i].ink.colour, .bg = list[i].ink.bed});
		x += utf8_columns(list[i].name) + 4;
	}
	return x;
}

int view_bar_legend(struct canvas *canvas, int x, int y, int w, uint8_t work, bool lanes)
{
	static const char *const names[DENSITY_STATES] = {
		[DENSITY_CREATED] = "created",
		[DENSITY_RUNNING] = "running",
		[DENSITY_WAITING] = "to join",
	};
	struct view_legend list[DENSITY_STATES];
	size_t n = 0;

	for (uint8_t state = 0; state < DENSITY_STATES; state++)
		if (!lanes || state != DENSITY_RUNNING)
			list[n++] = (struct view_legend) {
				{density_glyph(&(struct density_cell) {5, state}),
				 density_colour(state, work)},
				names[state]};
	return view_legend_draw(canvas, x, y, w, list, n);
}
