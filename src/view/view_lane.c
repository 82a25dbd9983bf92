/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "view_cache.h"

static int lane_width(const struct plot_axis *axis)
{
	return MAX(0, MIN(axis->w, DENSITY_CELLS));
}

/* The lane keeps a pointer to the axis. */
static void lane_set_axis(struct view_lane *lane, const struct plot_axis *axis)
{
	lane->axis = axis;
	lane->w = lane_width(axis);
	lane->eighth_ns = fmax(1e-3, (double)(axis->to_ns - axis->from_ns) /
					     (MAX(1, axis->w) * PLOT_EIGHTHS));
}

/* Empties the cells from `first` on. Only these cells can be filled afterwards. */
static void lane_empty(struct view_lane *lane, int first)
{
	lane->first = first;
	memset(lane->cells + first, 0, (size_t)(lane->w - first) * sizeof(*lane->cells));
}

void view_lane_begin(struct view_lane *lane, const struct plot_axis *axis)
{
	lane->core = lane->exact = false;
	lane->unnumbered = lane->shift = 0;
	lane_set_axis(lane, axis);
	lane_empty(lane, 0);
}

static struct view_lane_eighth *lane_eighth(struct view_lane *lane, int i)
{
	return &lane->cells[i / PLOT_EIGHTHS].eighths[i % PLOT_EIGHTHS];
}

/* The worker of eighth i of the lane, see struct view_lane_eighth. */
static uint32_t lane_worker(const struct view_lane *lane, int i)
{
	return lane->cells[i / PLOT_EIGHTHS].eighths[i % PLOT_EIGHTHS].worker;
}

static int lane_eighth_at(const struct view_lane *lane, int64_t t_ns)
{
	const double place = (double)(t_ns - lane->axis->from_ns) / lane->eighth_ns;

	return (int)MAX(0, MIN(place, lane->w * PLOT_EIGHTHS - 1));
}

/* Adds a part of a stretch that lies in one eighth of a cell, if this cell is to be filled. */
static void lane_add_part(struct view_lane *lane, int i, int64_t ns, enum model_state state,
			  uint32_t worker)
{
	struct view_lane_cell *cell = &lane->cells[i / PLOT_EIGHTHS];
	struct view_lane_eighth *eighth = lane_eighth(lane, i);
	const bool on = state == STATE_ON;

	if (i < lane->first * PLOT_EIGHTHS)
		return;
	if (worker != VIEW_LANE_EXIT)
		worker += lane->shift;
	cell->ns[state] += ns;
	if (on && worker == VIEW_LANE_EXIT)
		cell->exit_ns += ns;
	else if (on)
		cell->on_ns[worker % PLOT_WORKERS] += ns;
	if (ns <= eighth->ns)
		return;
	eighth->ns = ns;
	if (on)
		eighth->worker = worker + 1;
	else
		eighth->worker = 0;
}

/*
 * In plans with a barrier, the name w1 belongs to the first leaf. Returns the number of tasks
 * before the first leaf, and sets the shift that gives the first leaf the first colour.
 */
static uint32_t lane_number(struct view_lane *lane, const struct plan *plan)
{
	uint32_t leaves, first = 0;

	if (plan->barrier)
		first = plan_level(plan, plan->levels - 1, &leaves);
	lane->shift = (PLOT_WORKERS - first % PLOT_WORKERS) % PLOT_WORKERS;
	return first;
}

void view_lane_add(struct view_lane *lane, const struct model_stretch *stretch, uint32_t worker)
{
	const struct plot_axis *axis = lane->axis;
	const int64_t from_ns = MAX(plot_without_cut(axis, stretch->from_ns), axis->from_ns);
	const int64_t to_ns = MIN(plot_without_cut(axis, stretch->to_ns), axis->to_ns);
	const int64_t whole_ns = MAX(1, (int64_t)lane->eighth_ns);
	double begin_ns, end_ns;
	int first, last;

	if (to_ns <= from_ns || lane->w < 1)
		return;
	first = lane_eighth_at(lane, from_ns);
	last = lane_eighth_at(lane, to_ns - 1);
	/* Only at its ends can a stretch fill part of an eighth. */
	end_ns = (double)axis->from_ns + (first + 1) * lane->eighth_ns;
	end_ns = MIN(end_ns, (double)to_ns);
	lane_add_part(lane, first, MAX(1, (int64_t)(end_ns - (double)from_ns)), stretch->state,
		      worker);
	for (int i = first + 1; i < last; i++)
		lane_add_part(lane, i, whole_ns, stretch->state, worker);
	if (last == first)
		return;
	begin_ns = (double)axis->from_ns + last * lane->eighth_ns;
	lane_add_part(lane, last, MAX(1, (int64_t)((double)to_ns - begin_ns)), stretch->state,
		      worker);
}

/*
 * Whether a quota kept the run from the cores for most of the time that the cell's worker waited.
 */
static bool lane_is_throttled(const struct view_lane *lane, int x, const struct view_bar *bar)
{
	const int64_t *ns = lane->cells[x].ns;
	int64_t waiting_ns = ns[STATE_WAITING], from_ns, to_ns;

	/*
	 * In the lane of a core, time in which the core was free or had other programs also counts
	 * as waiting, because a quota keeps the whole run from every core.
	 */
	if (lane->core)
		waiting_ns = ns[STATE_NONE] + ns[STATE_BLOCKED];
	if (!bar->run || bar->run->n_throttles == 0 || waiting_ns == 0)
		return false;
	from_ns = plot_time(lane->axis, lane->axis->x + x);
	to_ns = plot_time(lane->axis, lane->axis->x + x + 1);
	return model_throttled_until(bar->run, to_ns) - model_throttled_until(bar->run, from_ns) >
	       waiting_ns / 2;
}

/* Whether other programs had the core for most of a cell in which no worker of the run had it. */
static bool lane_is_others(const struct view_lane *lane, const struct view_lane_cell *cell)
{
	return lane->core && cell->ns[STATE_ON] == 0 &&
	       cell->ns[STATE_BLOCKED] > cell->ns[STATE_NONE];
}

bool view_lane_has_exits(const struct view_lane *lane)
{
	for (int x = 0; x < lane->w; x++)
		if (lane->cells[x].exit_ns > 0)
			return true;
	return false;
}

bool view_lane_has_others(const struct view_lane *lane)
{
	for (int x = 0; x < lane->w; x++)
		if (lane_is_others(lane, &lane->cells[x]))
			return true;
	return false;
}

/*
 * Whether the core was idle for at least half of a cell in which no worker of the run can be seen.
 * This can happen while workers wait, because the kernel moves waiting workers to an idle core only
 * from time to time.
 */
static bool lane_is_idle(const struct view_lane *lane, const struct view_lane_cell *cell)
{
	const double cell_ns = lane->eighth_ns * PLOT_EIGHTHS;

	return lane->exact && (double)cell->ns[STATE_NONE] >= cell_ns / 2;
}

bool view_lane_has_idle(const struct view_lane *lane)
{
	for (int x = 0; x < lane->w; x++)
		if (lane->cells[x].ns[STATE_ON] == 0 && lane_is_idle(lane, &lane->cells[x]))
			return true;
	return false;
}

/*
 * What a cell shows in which no worker was on a core. In the lane of a worker: throttled, or else
 * waiting or blocked, whichever was longer. In the lane of a core: throttled, other programs, or
 * idle. INK_NONE: no worker was alive, or what the core did is not known.
 */
static enum view_inks lane_line(const struct view_lane *lane, int x, const struct view_bar *bar)
{
	const struct view_lane_cell *cell = &lane->cells[x];
	const int64_t *ns = cell->ns;

	if (lane_is_throttled(lane, x, bar))
		return INK_THROTTLED;
	if (lane_is_others(lane, cell))
		return INK_OTHERS;
	if (lane->core && lane_is_idle(lane, cell))
		return INK_IDLE;
	if (lane->core)
		return INK_NONE;
	if (ns[STATE_WAITING] > 0 && ns[STATE_WAITING] >= ns[STATE_BLOCKED])
		return INK_WAITING;
	if (ns[STATE_BLOCKED] > 0)
		return INK_BLOCKED;
	return INK_NONE;
}

void view_share_draw(struct canvas *canvas, struct rect rect, int eighths, struct style style)
{
	for (int line = 0; line < rect.h; line++) /* Line 0 is the lowest. */
		canvas_put(canvas, rect.x, rect.y + rect.h - 1 - line,
			   plot_eighth(rect.h * eighths / (double)PLOT_EIGHTHS - line), style);
}

struct rect view_bar_rect(const struct view_bar *bar, int x, int n)
{
	return RECT(x, bar->y - bar->above, n, bar->above + 1 + bar->below);
}

/* Whether the worker of eighth i has the core, without a gap, for at least the length of a cell. */
static bool lane_is_long(const struct view_lane *lane, int i)
{
	const uint32_t worker = lane_worker(lane, i);
	int first = i, end = i + 1;

	while (first > MAX(0, i - PLOT_EIGHTHS) && lane_worker(lane, first - 1) == worker)
		first--;
	while (end < MIN(lane->w * PLOT_EIGHTHS, i + PLOT_EIGHTHS) &&
	       lane_worker(lane, end) == worker)
		end++;
	return end - first >= PLOT_EIGHTHS;
}

/* The number of the cell's eighths that belong to a worker's slice for most of their time. */
static int lane_coloured(const struct view_lane *lane, int x)
{
	int coloured = 0;

	for (int i = 0; i < PLOT_EIGHTHS; i++)
		coloured += lane->cells[x].eighths[i].worker != 0;
	return coloured;
}

/*
 * Whether all slices in a cell are at least as long as a cell. The edges of such slices are drawn
 * exactly, so that a long slice among short ones does not look like steps.
 */
static bool lane_is_exact(const struct view_lane *lane, int x)
{
	const struct view_lane_eighth *eighths = lane->cells[x].eighths;
	const double on = (double)lane->cells[x].ns[STATE_ON] / lane->eighth_ns;
	const int coloured = lane_coloured(lane, x);

	/*
	 * Without a coloured eighth there are no edges. A total of half an eighth can still be
	 * shown as a share.
	 */
	if (coloured == 0)
		return on < 0.5;
	/*
	 * If an eighth contains a gap or another slice, the edges would contradict the time on a
	 * core.
	 */
	if (fabs(on - coloured) > 1)
		return false;
	for (int i = 0; i < PLOT_EIGHTHS; i++) {
		const uint32_t worker = eighths[i].worker;
		const bool begins = i == 0 || eighths[i - 1].worker != worker;

		if (worker > 0 && begins && !lane_is_long(lane, x * PLOT_EIGHTHS + i))
			return false;
	}
	return true;
}

/* How many eighths of a cell with several slices are filled: the share of its time on a core. */
static int lane_share(const struct view_lane *lane, int x)
{
	const double eighths = (double)lane->cells[x].ns[STATE_ON] / fmax(1e-9, lane->eighth_ns);

	/* Gaps of up to one eighth in all cannot be seen, so draw the cell full. */
	if (eighths >= PLOT_EIGHTHS - 1)
		return PLOT_EIGHTHS;
	return (int)lround(fmax(1, eighths));
}

/*
 * Whether at least half of a cell is time after the ends of workers, and no other worker is seen in
 * the cell.
 */
static bool lane_is_exit(const struct view_lane *lane, int x)
{
	int exits = 0;

	for (int i = 0; i < PLOT_EIGHTHS; i++) {
		const uint32_t worker = lane->cells[x].eighths[i].worker;

		if (worker > 0 && worker != VIEW_LANE_EXIT + 1)
			return false;
		exits += worker > 0;
	}
	return exits >= PLOT_EIGHTHS / 2;
}

static enum view_inks lane_ink(const struct view_lane *lane, int x, const struct view_bar *bar)
{
	const bool on = lane->cells[x].ns[STATE_ON] > 0;

	if (lane_is_exit(lane, x))
		return INK_EXIT;
	if (on && bar->dense && !lane_is_exact(lane, x)) {
		if (lane_share(lane, x) == PLOT_EIGHTHS)
			return INK_FULL;
		return INK_PART;
	}
	if (on && lane_coloured(lane, x) > 0)
		return INK_ON;
	return lane_line(lane, x, bar);
}

void view_lane_inks(const struct view_lane *lane, struct view_bar *bar)
{
	for (int x = 0; x < lane->w; x++) {
		const enum view_inks ink = lane_ink(lane, x, bar);

		if (ink != INK_NONE)
			bar->inks[x] = ink;
	}
}

static uint8_t lane_colour(const struct view_bar *bar, uint32_t worker)
{
	if (worker == VIEW_LANE_EXIT)
		return COLOUR_FINISHED;
	if (bar->hue != COLOUR_DEFAULT)
		return bar->hue;
	return plot_worker_colour(worker);
}

/* The colour whose workers had the core longest in the cell. */
static uint8_t lane_most(const struct view_lane *lane, const struct view_bar *bar, int x)
{
	const struct view_lane_cell *cell = &lane->cells[x];
	uint32_t most = 0;

	for (uint32_t i = 1; i < PLOT_WORKERS; i++)
		if (cell->on_ns[i] > cell->on_ns[most])
			most = i;
	if (cell->exit_ns > cell->on_ns[most])
		most = VIEW_LANE_EXIT;
	return lane_colour(bar, most);
}

static struct cell lane_split(const struct view_lane *lane, const struct view_bar *bar, int x)
{
	uint8_t colours[PLOT_EIGHTHS];

	for (int i = 0; i < PLOT_EIGHTHS; i++) {
		const uint32_t worker = lane->cells[x].eighths[i].worker;

		colours[i] = worker ? lane_colour(bar, worker - 1) : COLOUR_DEFAULT;
	}
	return plot_split(colours, bar->bg);
}

void view_lane_cell(const struct view_lane *lane, const struct view_bar *bar, int x)
{
	const struct rect column = view_bar_rect(bar, lane->axis->x + x, 1);
	struct style style = {.bg = bar->bg};
	struct cell split;

	if (bar->inks[x] == INK_ON) {
		split = lane_split(lane, bar, x);
		canvas_fill(bar->canvas, column, split.glyph, split.style);
		return;
	}
	style.fg = lane_most(lane, bar, x);
	view_share_draw(bar->canvas, column, lane_share(lane, x), style);
}

/* Adds the slices with the indices first … n - 1, which have ended. */
static void count_slices(struct view_lane_count *count, const struct sample_slice *list,
			 size_t first, size_t n, int64_t least_ns)
{
	for (size_t i = first; i < n; i++) {
		const int64_t ns = list[i].off_ns - list[i].on_ns;

		if (list[i].off_ns < 0)
			continue;
		count->on_ns += ns;
		if (ns < least_ns) {
			count->shorter++;
			count->short_ns += ns;
		}
	}
}

/* The number of slices that have ended. An open last slice may still change. */
static size_t lane_ended(const struct sample_slice *list, size_t n)
{
	if (n > 0 && list[n - 1].open)
		return n - 1;
	return n;
}

void view_lane_count(struct view_lane_count *count, struct view_cache *cache,
		     const struct model *model, const struct model_run *run,
		     const struct plot_axis *axis)
{
	const int64_t least_ns = (axis->to_ns - axis->from_ns) / MAX(1, axis->w) * 2 / 3;
	const struct view_reading_of of = {
		.kind = READING_SHORTER,
		.a = (uint32_t)(run - model->runs),
		.low = (double)least_ns,
		.size = MAX(1, run->n_workers) * sizeof(struct view_lane_count),
	};
	/* For each worker, the slices that were counted so far. */
	struct view_lane_count *read = view_cache_reading(cache, &of, NULL, NULL);

	for (uint32_t worker = 0; read && worker < run->n_workers; worker++) {
		size_t n, ended;
		const struct sample_slice *list = model_slices(run, worker, &n);
		struct view_lane_count *kept = &read[worker];

		ended = lane_ended(list, n);
		if (kept->slices > ended)
			*kept = (struct view_lane_count) {0};
		count_slices(kept, list, kept->slices, ended, least_ns);
		kept->slices = ended;
		count->slices += n;
		count->shorter += kept->shorter;
		count->on_ns += kept->on_ns;
		count->short_ns += kept->short_ns;
		count_slices(count, list, ended, n, least_ns);
	}
}

bool view_lane_is_dense(struct view_cache *cache, const struct model *model,
			const struct model_run *run, const struct plot_axis *axis)
{
	struct view_lane_count count = {0};

	view_lane_count(&count, cache, model, run, axis);
	return count.shorter > count.slices / 2;
}

/* The cached lane of a worker, a task or a core. NULL if memory is short. */
static struct view_lane *lane_cached(struct view_cache *cache, enum view_reading_kind kind,
				     const struct model *model, const struct model_run *run,
				     uint32_t number, const struct plot_axis *axis)
{
	const size_t cells = (size_t)lane_width(axis);
	const struct view_reading_of of = {
		.kind = kind,
		.a = (uint32_t)(run - model->runs),
		.b = number,
		.low = (double)axis->from_ns,
		.high = (double)axis->to_ns,
		.size = sizeof(struct view_lane) + cells * sizeof(struct view_lane_cell),
	};
	struct view_lane *lane = view_cache_reading(cache, &of, NULL, NULL);

	if (lane)
		lane_set_axis(lane, axis);
	return lane;
}

/* The cell that contains the last moment before time_ns. */
static int lane_cell_before(const struct view_lane *lane, int64_t time_ns)
{
	return lane_eighth_at(lane, plot_without_cut(lane->axis, time_ns) - 1) / PLOT_EIGHTHS;
}

/*
 * Empties the cells to fill in this frame: the cell of the cursor, and all cells that are not
 * final. Later slices do not change cells before settled_ns.
 */
static void lane_resume(struct view_lane *lane, const struct model *model,
			const struct model_run *run, const struct view_lane_source *source,
			int64_t settled_ns)
{
	const int64_t cursor_ns = MIN(model->now_ns, run->end_ns) - run->begin_ns;
	const int cursor = lane_cell_before(lane, cursor_ns);
	const int settled = lane_cell_before(lane, settled_ns);

	if (lane->kept_at < lane->done)
		lane->cells[lane->kept_at] = lane->kept;
	if (memcmp(&lane->source, source, sizeof(*source)) != 0)
		lane->done = 0;
	lane->source = *source;
	lane->done = MIN(lane->done, settled);
	lane->kept_at = cursor;
	if (cursor < lane->done)
		lane->kept = lane->cells[cursor];
	lane->w = MIN(lane->w, cursor + 1);
	lane_empty(lane, MIN(lane->done, cursor));
	lane->done = MAX(lane->done, MIN(cursor, settled));
}

/* The time from which cells are filled. */
static int64_t lane_begin_ns(const struct view_lane *lane)
{
	return plot_time(lane->axis, lane->axis->x + lane->first);
}

static int64_t lane_end_ns(const struct view_lane *lane)
{
	return plot_time(lane->axis, lane->axis->x + lane->axis->w);
}

int64_t view_worker_end(const struct model_run *run, uint32_t index,
			const struct sample_worker *worker)
{
	const struct sample_totals *totals = &run->totals;

	/* A process that only waits for its threads has no last instruction, and dies with them. */
	if (totals->fault == FAULT_SEGV && worker->status == SAMPLE_CRASHED &&
	    worker->finish_ns < 0)
		return totals->fault_ns;
	return worker->finish_ns;
}

/*
 * The known end of a worker. INT64_MAX: the end is unknown, or the index is a task of a program,
 * and only slices end its lane.
 */
static int64_t lane_end(const struct model_run *run, uint32_t index)
{
	struct sample_worker worker;

	if (index >= run->n_workers)
		return INT64_MAX;
	worker = model_known(run, index);
	return fields_known_or(view_worker_end(run, index, &worker), INT64_MAX);
}

/*
 * Adds the time on a core before the worker's end as its life, and the time on a core after that
 * end as an exit.
 */
static void lane_add_life(struct view_lane *lane, const struct model_stretch *stretch,
			  uint32_t worker, int64_t end_ns)
{
	struct model_stretch life = *stretch, rest = *stretch;

	life.to_ns = MIN(life.to_ns, end_ns);
	rest.from_ns = MAX(rest.from_ns, end_ns);
	if (life.to_ns > life.from_ns)
		view_lane_add(lane, &life, worker);
	if (rest.to_ns > rest.from_ns && rest.state == STATE_ON)
		view_lane_add(lane, &rest, VIEW_LANE_EXIT);
}

/*
 * Shows the slice in which a worker crashed, even if the slice is shorter than an eighth of a cell.
 */
static void lane_show_last(struct view_lane *lane, const struct model_stretch *last,
			   uint32_t worker)
{
	struct view_lane_eighth *eighth;

	if (last->to_ns <= last->from_ns || lane->w < 1)
		return;
	eighth = lane_eighth(lane,
			     lane_eighth_at(lane, plot_without_cut(lane->axis, last->to_ns - 1)));
	eighth->worker = worker + lane->shift + 1;
	eighth->ns = INT64_MAX;
}

struct lane_of_worker {
	struct view_lane *lane;
	uint32_t worker;
	int64_t end_ns;		   /* The worker's end. INT64_MAX: the end is not drawn. */
	struct model_stretch last; /* The worker's last time on a core before end_ns. */
};

static void lane_take_stretch(void *arg, const struct model_stretch *stretch)
{
	struct lane_of_worker *of = arg;
	struct model_stretch life = *stretch;

	life.to_ns = MIN(life.to_ns, of->end_ns);
	if (life.to_ns <= life.from_ns)
		return;
	view_lane_add(of->lane, &life, of->worker);
	if (life.state == STATE_ON)
		of->last = life;
}

/*
 * Adds the time from the worker's last instruction until the kernel has ended its task. The task
 * may need a core in this time and wait for one, but the worker is gone, so all of the time looks
 * alike.
 */
static void lane_add_exits(struct view_lane *lane, const struct model *model,
			   const struct model_run *run, uint32_t worker, int64_t end_ns)
{
	const int64_t now_ns = model_length(model, run);
	size_t n;
	const struct sample_slice *slices = model_slices(run, worker, &n);
	struct model_stretch exit = {.from_ns = end_ns, .to_ns = now_ns, .state = STATE_ON};
	size_t last = n;

	/*
	 * The cursor may be before the last slices. Search backwards, because there may be many
	 * slices.
	 */
	while (last > 0 && slices[last - 1].on_ns >= now_ns)
		last--;
	if (last == 0)
		return;
	if (last == n && slices[n - 1].why != WHY_PREEMPTED)
		exit.to_ns = MIN(fields_known_or(slices[n - 1].off_ns, now_ns), now_ns);
	/* The last slices may be lost, so do not go beyond the join. */
	exit.to_ns = MIN(exit.to_ns, fields_known_or(model_known(run, worker).join_ns, now_ns));
	if (exit.to_ns > exit.from_ns)
		view_lane_add(lane, &exit, VIEW_LANE_EXIT);
}

const struct view_lane *view_lane_worker(struct view_cache *cache, const struct plot_axis *axis,
					 const struct model *model, const struct model_run *run,
					 uint32_t worker, int64_t from_ns, bool exits)
{
	struct view_lane_source source = {.from_ns = from_ns, .cut_ns = axis->cut_to_ns};
	struct lane_of_worker of = {.worker = worker, .end_ns = INT64_MAX};
	int64_t settled_ns = 0, begin_ns;
	size_t n, ended;
	const struct sample_slice *list = model_slices(run, worker, &n);
	struct model_stretch first;

	if (n > 0)
		of.lane = lane_cached(cache, READING_LANE, model, run, worker, axis);
	if (!of.lane)
		return NULL;
	ended = lane_ended(list, n);
	if (ended > 0)
		settled_ns = list[ended - 1].on_ns;
	if (exits)
		of.end_ns = lane_end(run, worker);
	source.version = (uint64_t)list[0].on_ns;
	source.ends = (uint64_t)of.end_ns;
	lane_number(of.lane, model_plan(model, run));
	lane_resume(of.lane, model, run, &source, settled_ns);
	begin_ns = lane_begin_ns(of.lane);
	/* Parts of a stretch are rounded from the stretch's beginning, so begin there. */
	if (model_stretch_at(model, run, worker, begin_ns, &first))
		begin_ns = first.from_ns;
	model_stretches(model, run, worker, MAX(from_ns, begin_ns), lane_end_ns(of.lane),
			lane_take_stretch, &of);
	if (of.end_ns <= model_length(model, run)) {
		lane_add_exits(of.lane, model, run, worker, of.end_ns);
		if (model_known(run, worker).status == SAMPLE_CRASHED)
			lane_show_last(of.lane, &of.last, worker);
	}
	return of.lane;
}

/*
 * Largest number of workers for which exits on cores are shown. With more workers, exits are too
 * short to be seen, and reading the workers' ends takes long.
 */
enum { LANE_EXITS = 256 };

struct lane_of_core {
	struct view_lane *lane;
	const struct model_run *run;
	bool exits; /* Time after a worker's end has its own colour. */
};

static void lane_take_core_stretch(void *arg, const struct model_core_stretch *at)
{
	const struct lane_of_core *of = arg;
	/* How a core's state is drawn in a lane: other programs are drawn like blocked time. */
	static const enum model_state states[CORE_STATES] = {
		[CORE_FREE] = STATE_NONE, [CORE_OTHERS] = STATE_BLOCKED, [CORE_OURS] = STATE_ON};
	const struct model_stretch stretch = {
		.from_ns = at->from_ns, .to_ns = at->to_ns, .state = states[at->state]};
	int64_t end_ns = INT64_MAX;

	if (of->exits && at->state == CORE_OURS)
		end_ns = lane_end(of->run, at->worker);
	lane_add_life(of->lane, &stretch, at->worker, end_ns);
}

const struct view_lane *view_lane_core(struct view_cache *cache, const struct plot_axis *axis,
				       const struct model *model, const struct model_run *run,
				       size_t cpu, bool exits)
{
	struct view_lane *lane =
		lane_cached(cache, READING_CORE_LANE, model, run, (uint32_t)cpu, axis);
	struct view_lane_source source = {.cut_ns = axis->cut_to_ns};
	struct lane_of_core of = {lane, run, exits && run->n_workers <= LANE_EXITS};
	int64_t settled_ns;

	if (!lane)
		return NULL;
	for (uint32_t i = 0; of.exits && i < run->n_workers; i++)
		source.ends += (uint64_t)lane_end(run, i);
	lane->core = true;
	lane->exact = model_cores_exact(run);
	lane->unnumbered = lane_number(lane, model_plan(model, run));
	lane->unnumbered += lane->shift;
	if (run->n_tasks > 0) /* Tasks of programs have names, so their lanes show no numbers. */
		lane->unnumbered = UINT32_MAX;
	settled_ns = model_core_settled(run, cpu, &source.version);
	lane_resume(lane, model, run, &source, settled_ns);
	model_core_stretches(model, run, cpu, lane_begin_ns(lane), lane_end_ns(lane),
			     lane_take_core_stretch, &of);
	/*
	 * What a core did while the runner itself was ending is not part of the time on the screen.
	 */
	if (model_length(model, run) > 0)
		lane->w = MIN(lane->w, lane_cell_before(lane, model_length(model, run)) + 1);
	return lane;
}

/*
 * The number, from 1, of the only worker in a cell. 0: the cell has several workers or none, or is
 * drawn as a share.
 */
static uint32_t lane_owner(const struct view_lane *lane, int x, bool dense)
{
	const struct view_lane_eighth *eighths = lane->cells[x].eighths;

	if (eighths[0].worker == VIEW_LANE_EXIT + 1)
		return 0;
	if (dense && !lane_is_exact(lane, x))
		return 0;

	for (int i = 1; i < PLOT_EIGHTHS; i++)
		if (eighths[i].worker != eighths[0].worker)
			return 0;
	return eighths[0].worker;
}

void view_lane_numbers(const struct view_lane *lane, struct canvas *canvas, int y, bool dense)
{
	for (int x = 0, same; x < lane->w; x += same) {
		const uint32_t owner = lane_owner(lane, x, dense);
		const struct style style = {.fg = plot_worker_colour(owner - 1),
					    .attr = ATTR_BOLD | ATTR_REVERSE};
		char text[16];
		int digits;

		same = 1;
		while (x + same < lane->w && lane_owner(lane, x + same, dense) == owner)
			same++;
		if (owner <= lane->unnumbered)
			continue;
		digits = snprintf(text, sizeof(text), "%u", owner - lane->unnumbered);
		if (same >= digits)
			canvas_text(canvas, lane->axis->x + x + (same - digits) / 2, y, -1, style,
				    text);
	}
}

/* The range of cells that a slice fills completely, up to the cursor: *first … *end - 1. */
static void lane_filled(const struct view_lane *lane, const struct sample_slice *slice,
			int64_t now_ns, int *first, int *end)
{
	const int64_t off_ns = MIN(fields_known_or(slice->off_ns, now_ns), now_ns);
	const int from = lane_eighth_at(lane, plot_without_cut(lane->axis, slice->on_ns));
	const int to = lane_eighth_at(lane, plot_without_cut(lane->axis, off_ns) - 1);

	*first = (from + PLOT_EIGHTHS - 1) / PLOT_EIGHTHS;
	*end = (to + 1) / PLOT_EIGHTHS;
	while (*first < *end && lane_owner(lane, *first, false) == 0)
		(*first)++;
	while (*first < *end && lane_owner(lane, *end - 1, false) == 0)
		(*end)--;
}

/* Number of cells that a slice must fill to show the number of its core. */
enum { LANE_CORE_CELLS = 2 };

bool view_lane_core_numbers(const struct view_lane *lane, const struct view_bar *bar)
{
	const struct style style = {.fg = lane_colour(bar, bar->worker + lane->shift),
				    .attr = ATTR_BOLD | ATTR_REVERSE};
	const int64_t now_ns = model_length(bar->model, bar->run);
	size_t n;
	const struct sample_slice *slices = model_slices(bar->run, bar->worker, &n);
	bool written = false;

	for (size_t i = 0; i < n; i++) {
		int first, end, digits;
		char text[16];

		if (slices[i].on_ns >= now_ns)
			break;
		lane_filled(lane, &slices[i], now_ns, &first, &end);
		digits = snprintf(text, sizeof(text), "%d", slices[i].cpu);
		if (slices[i].cpu < 0 || end - first < MAX(digits, LANE_CORE_CELLS))
			continue;
		canvas_text(bar->canvas, lane->axis->x + first + (end - first - digits) / 2, bar->y,
			    -1, style, text);
		written = true;
	}
	return written;
}
