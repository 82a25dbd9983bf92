/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/units.h"
#include "view_cache.h"

struct tree_rows *view_folds_tree(struct view_folds *folds, uint32_t case_id)
{
	return &folds->cases[folds->cases[case_id].alike].tree;
}

int64_t view_rows_length(const struct model *model, const struct model_run *run)
{
	/*
	 * The length includes the time for which an ended run was held while its memory was read.
	 */
	if (run->end_ns != INT64_MAX && run->totals.elapsed_ns > 0)
		return run->totals.elapsed_ns + MAX(0, run->totals.held_ns);
	return model_length(model, run);
}

/*
 * If this run has not ended, the previous run of its case. NULL if there is no previous run, or if
 * this run has ended. The axis is at least as long as the previous run.
 */
static const struct model_run *run_before(const struct model *model, const struct model_run *run)
{
	const struct model_run *before = run;

	while (run->end_ns == INT64_MAX && before > model->runs) {
		before--;
		if (before->id.case_id == run->id.case_id)
			return before;
	}
	return NULL;
}

/* Least length of the axis during the first run of a case, ns. */
#define FIRST_NS INT64_C(1000000000)

int64_t view_rows_longest(const struct model *model, uint32_t first, uint32_t end)
{
	int64_t longest = 0;

	for (uint32_t i = first; i < end; i++) {
		const struct model_run *run = model_latest(model, i);
		const struct model_run *before = run ? run_before(model, run) : NULL;

		if (run)
			longest = MAX(longest, view_rows_length(model, run));
		/*
		 * The length of the first run is not known yet, so let the axis grow in few steps,
		 * to 1, 2, 5, 10 s.
		 */
		if (run && run->end_ns == INT64_MAX && !before)
			longest = MAX(FIRST_NS, (int64_t)plot_step((double)longest, 1));
		if (before)
			longest = MAX(longest, view_rows_length(model, before));
	}
	return longest;
}

struct plot_axis view_rows_axis(const struct model *model, const struct view_state *state,
				uint32_t first, uint32_t end, int x, int w)
{
	int64_t longest, held_ns = 0;

	for (uint32_t id = first; id < end; id++) {
		const struct model_run *run = model_trial_run(model, &state->race.trial, id);

		if (run)
			held_ns = MAX(held_ns, model_hold(run).to_ns - model_hold(run).from_ns);
	}
	/*
	 * A race has its own axis, whose length does not change. This axis leaves out the time for
	 * which the run was held, so add that time here.
	 */
	if (state->race.trial.number)
		longest = state->race.axis_ns + held_ns;
	else
		longest = view_rows_longest(model, first, end);
	return view_axis_of(state, longest, x, MIN(w, DENSITY_CELLS));
}

struct rows_key view_rows_key(const struct view_list *list, int n, int64_t until_ns)
{
	struct rows_key key;

	memset(&key, 0, sizeof(key)); /* Keys are compared as bytes, so set their padding to 0. */
	key.run = list->run->id.run;
	key.until_ns = until_ns;
	key.from_ns = list->axis.from_ns;
	key.to_ns = list->axis.to_ns;
	key.cut_ns = list->axis.cut_to_ns;
	key.w = MIN(list->axis.w, DENSITY_CELLS);
	key.n = n;
	key.first = (uint64_t)list->first;
	if (list->per_row)
		key.generation = list->kept->order.generation;
	else
		key.generation = list->tree->generation;
	key.per_row = list->per_row;
	return key;
}

void view_rows_members(const struct view_list *list, long row, struct rows_members *members)
{
	const struct rows_order *order = &list->kept->order;
	const struct tree_row *of = &list->tree->rows[list->per_row ? 0 : row];
	uint32_t at = (uint32_t)row * list->per_row, levels;

	members->n = 0;
	if (list->per_row)
		members->order = order->places;
	else
		members->order = NULL;
	if (list->per_row) {
		if (at < order->n)
			members->n = MIN(list->per_row, order->n - at);
		else
			members->n = 0;
		members->spans[0] = (struct tree_span) {at, members->n};
		return;
	}
	if (of->foldable)
		levels = tree_rows_spans(list->tree, of, members->spans);
	else
		levels = 0;
	for (uint32_t level = 0; level < levels; level++)
		members->n += members->spans[level].count;
}

uint32_t view_rows_member(const struct rows_members *members, uint32_t i)
{
	const struct tree_span *span = members->spans;

	for (; i >= span->count; span++)
		i -= span->count;
	if (members->order)
		return members->order[span->first + i].worker;
	return span->first + i;
}

/* Grows the array to at least n items. Its contents may be lost. */
static bool rows_room(void *array, size_t *cap, size_t n, size_t item)
{
	void **place = array;

	if (n <= *cap)
		return true;
	free(*place);
	*cap = 0;
	*place = calloc(n, item);
	if (*place)
		*cap = n;
	return *place != NULL;
}

const struct rows_levels *view_rows_levels(const struct view_list *list, bool stands)
{
	struct rows_levels *kept = &list->kept->alive;
	struct rows_key key = view_rows_key(list, 0, model_length(list->model, list->run));
	struct model_bins bins = {list->axis.from_ns, list->axis.to_ns, (size_t)list->axis.w};
	size_t values = (size_t)list->tree->plan.levels * bins.n;

	if (stands) {
		kept = &list->kept->stands;
		values *= MODEL_STANDS;
	}
	/* The levels do not depend on the rows that are shown. */
	key.first = key.generation = key.per_row = 0;
	if (memcmp(&key, &kept->key, sizeof(key)) == 0)
		return kept;
	kept->key.run = UINT32_MAX;
	if (list->axis.w < 1 || list->axis.w > DENSITY_CELLS ||
	    !rows_room(&kept->values, &kept->cap, values, sizeof(double)))
		return NULL;
	if (stands)
		model_stands(list->model, list->run, &bins, kept->values, kept->created);
	else
		model_alive(list->model, list->run, &bins, kept->values);
	kept->key = key;
	return kept;
}

static double order_known(int64_t time_ns, int64_t until_ns)
{
	if (time_ns >= 0 && time_ns <= until_ns)
		return (double)time_ns;
	return INFINITY;
}

/* The key for sorting. Unknown times come last. By duration, the longest duration comes first. */
static double order_key(const struct sample_worker *worker, enum view_order by, int64_t until_ns)
{
	double finish = order_known(worker->finish_ns, until_ns);

	switch (by) {
	case VIEW_BY_CREATION:
		return order_known(worker->create_ns, until_ns);
	case VIEW_BY_START:
		return order_known(worker->start_ns, until_ns);
	case VIEW_BY_DURATION: {
		if (worker->start_ns < 0 || isinf(finish))
			return INFINITY;
		return (double)worker->start_ns - finish;
	}
	default:
		return finish;
	}
}

uint32_t view_rows_position(const struct rows_order *order, uint32_t worker)
{
	uint32_t i = 0;

	while (i < order->n && order->places[i].worker != worker)
		i++;
	if (i < order->n)
		return i;
	return 0;
}

int view_rows_sort(struct rows_order *order, const struct model *model, const struct model_run *run,
		   enum view_order by)
{
	int64_t length = model_length(model, run);
	int64_t until_ns = length;

	if (model_ended(model, run))
		until_ns = INT64_MAX;
	/*
	 * While a run lasts, sort again only when it has become longer by a sixteenth, because
	 * sorting 32,000 workers takes longer than a frame may take.
	 */
	if (order->places && order->run == run->id.run && order->by == by &&
	    (until_ns == order->until_ns || (until_ns != INT64_MAX && length >= order->until_ns &&
					     length < order->until_ns + order->until_ns / 16)))
		return 0;
	if (!order->places)
		order->places = calloc(run->n_workers, sizeof(*order->places));
	if (!order->places)
		return -ENOMEM;
	order->n = run->n_workers;
	for (uint32_t i = 0; i < order->n; i++) {
		const struct sample_worker worker = model_known(run, i);

		order->places[i] = (struct order_place) {order_key(&worker, by, until_ns), i};
	}
	qsort(order->places, order->n, sizeof(*order->places), array_by_rank);
	order->run = run->id.run;
	order->by = by;
	order->until_ns = until_ns;
	order->generation++;
	return 0;
}

/*
 * The time on cores of a row of many workers, cell by cell. Adding a stretch takes a few steps,
 * however many cells it covers. Cells in the past keep their values. While a run of very many
 * workers lasts, only a sample of the workers is read, so that the display takes no CPU time from
 * the run. After the run's end, all workers are read.
 */

enum {
	/*
	 * If each cell has fewer slices than this, adding the slices is faster than adding the
	 * cells; see share_add_worker().
	 */
	ROWS_FEW = 4,
	/* Approximate number of workers that are read in a frame while a run lasts. */
	LOOKED_AT = 3000,
};

struct rows_shares {
	const struct view_list *list;
	int w;		  /* Number of cells. */
	uint32_t workers; /* Number of workers of the row. */
	uint32_t stride;  /* Every stride-th worker is read. */
	int64_t until_ns;
	double scale; /* Number of cells per ns. */
	/* Beginnings of the w cells, and the end of the last one. */
	int64_t edges[DENSITY_CELLS + 1];
	double ns[DENSITY_CELLS][MODEL_STATES];
	/*
	 * Number of tasks in a state during the whole cell, stored as differences between
	 * neighbouring cells.
	 */
	int32_t all[DENSITY_CELLS + 1][MODEL_STATES];
};

/* Clears only the first w cells, because a row usually needs far fewer than DENSITY_CELLS. */
static void share_begin(struct rows_shares *shares, const struct view_list *list, int w)
{
	const size_t cells = (size_t)w;

	shares->list = list;
	shares->w = w;
	shares->stride = 1;
	memset(shares->ns, 0, cells * sizeof(shares->ns[0]));
	memset(shares->all, 0, (cells + 1) * sizeof(shares->all[0]));
}

static int share_cell_of(const struct rows_shares *shares, int64_t t_ns)
{
	int i = (int)((double)(t_ns - shares->edges[0]) * shares->scale);

	i = MAX(0, MIN(i, shares->w - 1));
	while (i > 0 && t_ns < shares->edges[i])
		i--;
	while (i + 1 < shares->w && t_ns >= shares->edges[i + 1])
		i++;
	return i;
}

static void share_add_stretch(void *arg, const struct model_stretch *stretch)
{
	struct rows_shares *shares = arg;
	int first = share_cell_of(shares, stretch->from_ns),
	    last = share_cell_of(shares, stretch->to_ns - 1);
	enum model_state state = stretch->state;

	if (first == last) {
		shares->ns[first][state] += (double)(stretch->to_ns - stretch->from_ns);
		return;
	}
	shares->ns[first][state] += (double)(shares->edges[first + 1] - stretch->from_ns);
	shares->ns[last][state] += (double)(stretch->to_ns - shares->edges[last]);
	shares->all[first + 1][state]++;
	shares->all[last][state]--;
}

/* Adds a worker in the cheaper of two ways: slice by slice, or cell by cell. */
static void share_add_worker(struct rows_shares *shares, uint32_t worker)
{
	const struct view_list *l = shares->list;
	const struct sample_worker known = model_known(l->run, worker);
	int64_t from = shares->edges[0], to = shares->edges[shares->w];
	double shown = fmin(1, (double)(to - from) / (double)MAX(1, shares->until_ns));
	struct model_shares before = {0}, after;
	size_t n;

	if (known.create_ns >= to || (known.finish_ns >= 0 && known.finish_ns <= from))
		return;
	model_slices(l->run, worker, &n);
	if ((double)n * shown < ROWS_FEW * shares->w)
		model_stretches(l->model, l->run, worker, from, to, share_add_stretch, shares);
	else
		for (int i = 0; i <= shares->w; i++, before = after) {
			model_shares_until(l->model, l->run, worker, shares->edges[i], &after);
			for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
				if (i > 0)
					shares->ns[i - 1][state] +=
						after.ns[state] - before.ns[state];
		}
}

/*
 * The share of a cell, in eighths of the cores that the row's workers could have had. If the
 * workers had almost no core, the state of most of them instead: waiting, blocked, throttled or
 * unknown.
 */
static uint8_t share_of_cores(const struct rows_shares *shares, int i)
{
	const double *ns = shares->ns[i];
	int32_t allowed = shares->list->model->session.machine.cores_allowed;
	double length = (double)(shares->edges[i + 1] - shares->edges[i]);
	double cores = fmin(shares->workers, MAX(1, allowed));
	double on = shares->stride * ns[STATE_ON] / fmax(1, length) / cores;
	double waiting = ns[STATE_WAITING], blocked = ns[STATE_BLOCKED];

	if (on >= 1. / 32)
		return (uint8_t)fmax(1, fmin(SHARE_ALL, round(8 * on)));
	if (ns[STATE_UNKNOWN] >= waiting + blocked + ns[STATE_ON])
		return SHARE_UNKNOWN;
	if (waiting < blocked)
		return SHARE_BLOCKED;
	if ((double)(model_throttled_until(shares->list->run, shares->edges[i + 1]) -
		     model_throttled_until(shares->list->run, shares->edges[i])) > length / 2)
		return SHARE_THROTTLED;
	return SHARE_WAITING;
}

/* Computes the shares of the cells that the run has reached since the row was last filled. */
static void share_fill_row(const struct view_list *list, const struct rows_members *members,
			   struct density_cell *cells, struct rows_many_row *row)
{
	const struct model_run *run = list->run;
	const int64_t until_ns = model_length(list->model, run);
	const int column = plot_cell(&list->axis, until_ns), w = list->kept->cells.key.w;
	const int to = MIN(column, w - 1), from = MIN(row->done, to);
	int32_t all[MODEL_STATES] = {0};
	int64_t final_ns = until_ns;
	struct rows_shares shares;

	if (column < 0 || row->until == column)
		return;
	share_begin(&shares, list, to - from + 1);
	shares.until_ns = until_ns;
	/*
	 * While a run lasts, slices of its newest cells may still arrive, so fill these cells
	 * again. Throttling becomes known one tick after the quota's period of 100 ms.
	 */
	if (run->end_ns == INT64_MAX) {
		const int64_t tick_ns = view_tick_ns(list->model);
		int64_t late_ns = 2 * tick_ns;

		if (run->n_points > 0 && run->points[run->n_points - 1].throttled_us >= 0)
			late_ns += tick_ns + 100000000;

		final_ns = MIN(until_ns, list->model->newest_ns - run->begin_ns - late_ns);
		shares.stride = run->n_workers / LOOKED_AT + 1;
	}
	for (int i = 0; i <= shares.w; i++)
		shares.edges[i] = plot_time(&list->axis, list->axis.x + from + i);
	shares.scale = shares.w / (double)MAX(1, shares.edges[shares.w] - shares.edges[0]);
	shares.edges[shares.w] =
		MAX(shares.edges[shares.w - 1], MIN(shares.edges[shares.w], until_ns));
	shares.workers = members->n;
	/*
	 * If there are few workers, read all of them. A sample would give too much weight to the
	 * first member, which is the branch itself and only waits for the other members.
	 */
	shares.stride = MIN(shares.stride, members->n / 64 + 1);
	for (uint32_t i = 0; i < members->n; i += shares.stride)
		share_add_worker(&shares, view_rows_member(members, i));
	for (int x = 0; x < shares.w; x++) {
		for (int state = 0; state < MODEL_STATES; state++) {
			all[state] += shares.all[x][state];
			shares.ns[x][state] +=
				all[state] * (double)(shares.edges[x + 1] - shares.edges[x]);
		}
		cells[from + x].share = share_of_cores(&shares, x);
	}
	for (int x = to + 1; x < w; x++)
		cells[x].share = SHARE_UNKNOWN;
	row->until = column;
	row->done = MAX(0, MIN(column, plot_cell(&list->axis, final_ns)));
}

static void density_fill_row(const struct view_list *list, const struct rows_members *members,
			     struct density_cell *cells, struct rows_many_row *row)
{
	struct density density;

	row->until_ns = model_length(list->model, list->run);
	density_begin(&density, &list->axis, row->until_ns);
	for (uint32_t i = 0; i < members->n; i++) {
		const struct sample_worker worker =
			model_known(list->run, view_rows_member(members, i));

		density_add(&density, &worker);
	}
	density_cells(&density, cells);
	row->sum = density.sum;
}

/* The cells of the n rows that are shown; NULL if memory is short, or there is no room for rows. */
static const struct rows_cells *view_rows_cells(const struct view_list *list, int n)
{
	struct rows_cells *kept = &list->kept->cells;
	/*
	 * The key has the run's end instead of the current time, because each row records the time
	 * up to which it is computed. When the run ends, the key changes, and all rows are computed
	 * once more.
	 */
	struct rows_key key = view_rows_key(list, n, list->run->end_ns), old = kept->key;
	size_t rows = (size_t)MAX(0, n), w = (size_t)MAX(0, key.w);
	long by = (long)(key.first - old.first);

	kept->key.run = UINT32_MAX;
	if (rows * w == 0 ||
	    !rows_room(&kept->cells, &kept->cap_cells, rows * w, sizeof(*kept->cells)) ||
	    !rows_room(&kept->rows, &kept->cap_rows, rows, sizeof(*kept->rows)))
		return NULL;
	old.first = key.first;
	if (memcmp(&old, &key, sizeof(old)) != 0) {
		by = n;
	} else if (by != 0 && labs(by) < n) {
		/* If the list was scrolled, move the rows that are still shown. */
		size_t from = (size_t)MAX(by, 0), to = (size_t)MAX(-by, 0);

		memmove(kept->cells + to * w, kept->cells + from * w,
			(rows - from - to) * w * sizeof(*kept->cells));
		memmove(kept->rows + to, kept->rows + from,
			(rows - from - to) * sizeof(*kept->rows));
	}
	kept->key = key;
	kept->most = 0;
	for (int i = 0; i < n; i++) {
		struct density_cell *cells = kept->cells + (size_t)i * w;
		struct rows_many_row *row = &kept->rows[i];
		struct rows_members members;

		if (i >= n - by || i < -by) {
			memset(cells, 0, w * sizeof(*cells));
			*row = (struct rows_many_row) {.until_ns = -1, .until = -1};
		}
		view_rows_members(list, list->first + i, &members);
		if (model_has_slices(list->run))
			share_fill_row(list, &members, cells, row);
		if (row->until_ns != model_length(list->model, list->run))
			density_fill_row(list, &members, cells, row);
		kept->most = MAX(kept->most, row->sum.most);
	}
	return kept;
}

/*
 * PITCH_MOST: most lines of a row. The others are for the only task of a program in the race. Of up
 * to 3 lines, it has all; of TASK_MEMORY lines or more, at least 2 are for its memory; of TASK_HIGH
 * lines or more, it has 4.
 */
enum { PITCH_MOST = 5, TASK_PITCH = 3, TASK_MEMORY = 4, TASK_HIGH = 8 };

static const struct plan *list_plan(const struct view_list *list)
{
	return &list->model->cases[list->run->id.case_id].plan;
}

struct view_list view_list_of(const struct view_frame *frame, uint32_t case_id)
{
	struct tree_rows *tree = view_folds_tree(frame->state->folds, case_id);
	const struct model *model = view_model_of(frame, case_id);

	return (struct view_list) {.canvas = frame->canvas,
				   .shown = frame->shown,
				   .cache = frame->cache,
				   .model = model,
				   .run = model_latest(model, case_id),
				   .kept = &frame->cache->rows->cases[case_id],
				   .fold = &frame->state->folds->cases[case_id],
				   .tree = tree,
				   .n = (long)tree->n_rows,
				   .selected = (long)tree->selected};
}

long view_list_place(const struct view_list *list)
{
	if (list->tasks)
		return view_task_selected(list->tasks, &list->fold->tasks);
	if (list->per_row)
		return (long)view_rows_position(&list->kept->order, list->fold->worker);
	return (long)list->tree->selected;
}

uint32_t view_list_worker(const struct view_list *list)
{
	if (list->tasks)
		return list->fold->tasks.task;
	if (list->per_row)
		return list->fold->worker;
	return list->tree->rows[list->tree->selected].first;
}

void view_list_select(const struct view_list *list, int64_t place)
{
	size_t n = list->tree->n_rows;

	if (list->tasks)
		n = list->tasks->n;
	else if (list->per_row)
		n = list->kept->order.n;
	place = MAX(0, MIN(place, (int64_t)n - 1));
	if (list->tasks)
		view_task_select(&list->fold->tasks, &list->tasks->rows[place]);
	else if (list->per_row)
		list->fold->worker = list->kept->order.places[place].worker;
	else
		list->tree->selected = (size_t)place;
}

void view_list_move(const struct view_list *list, long by)
{
	view_list_select(list, view_list_place(list) + (int64_t)by * MAX(1, list->per_row));
}

const char *view_list_fold(const struct view_list *list)
{
	bool foldable = true, open;

	if (list->per_row) {
		open = list->per_row == 1;
	} else if (list->tasks) {
		foldable = list->tasks->rows[list->selected].foldable;
		open = list->tasks->rows[list->selected].open;
	} else {
		foldable = list->tree->rows[list->tree->selected].foldable;
		open = list->tree->rows[list->tree->selected].open;
	}
	if (!foldable)
		return NULL;
	if (open)
		return "Fold";
	return "Unfold";
}

/* The number of rows that fit in h lines. If some rows are hidden, the last line shows how many. */
static int list_shown(long n, int h)
{
	if (n <= h)
		return (int)n;
	if (h > 1)
		return h - 1;
	return h;
}

long view_list_top(long first, long selected, long n, int h)
{
	long shown = list_shown(n, h);

	first = MAX(MIN(first, selected), selected - shown + 1);
	return MAX(0, MIN(first, n - shown));
}

const char *view_list_waits(const struct view_state *state, const struct model_run *run)
{
	if (run)
		return "no longer in memory; the recording has it";
	if (state->hold)
		return "waits for Space";
	return "waits for its turn";
}

/*
 * Draws a name, shortened if necessary, with its fold mark. A long position in a tree is shortened
 * at its beginning, because its end says more. A name that begins with a letter, such as "w12 mem",
 * is shortened at its end. Only a row of a single worker has a share beside its name.
 */
static void list_draw_name(const struct view_list *list, int y, const char *text, bool many,
			   struct style style)
{
	int w = list->axis.x - list->rect.x - 1;
	int over, x;

	if (!many && !list->race)
		w -= view_lanes_share_w(list->model);
	over = utf8_columns(text) - w;
	x = canvas_text(list->canvas, list->rect.x, y, 1, style, text);

	if (*text == ' ')
		text += 1;
	else
		text += 3; /* Skip the blank, or the mark, which has three bytes. */
	if (over > 0 && isalpha((unsigned char)*text)) {
		x = canvas_text(list->canvas, x, y, w - 2, style, text);
		canvas_put(list->canvas, x, y, 0x2026, style);
		return;
	}
	if (over > 0) {
		canvas_put(list->canvas, x++, y, 0x2026, style);
		text += over + 1;
	}
	canvas_text(list->canvas, x, y, list->rect.x + w - x, style, text);
}

/* Writes the time from from_ns to to_ns to the right of a row. */
static void list_draw_figure(const struct view_list *list, int y, int64_t from_ns, int64_t to_ns,
			     struct style style)
{
	const int64_t ns = model_between(list->run, from_ns, to_ns);

	canvas_right(list->canvas, list->axis.x + list->axis.w + list->right, y, style,
		     UNITS_TIME(ns, false));
}

/*
 * Writes the time so far in whole µs, ms or tenths of a second, so that few cells change from one
 * frame of a race to the next. Rounds down, because a worker must not look older than its run.
 */
static void list_draw_running(const struct view_list *list, int y, int64_t ns, struct style style)
{
	char text[32];

	if (ns >= INT64_C(1000000000))
		snprintf(text, sizeof(text), "%.1f s", floor((double)ns / 1e8) / 10);
	else if (ns >= 1000000)
		snprintf(text, sizeof(text), "%d ms", (int)(ns / 1000000));
	else
		snprintf(text, sizeof(text), "%d µs", (int)(ns / 1000));
	canvas_right(list->canvas, list->axis.x + list->axis.w + list->right, y, style, text);
}

static void list_draw_density(const struct view_list *list, struct view_bar *bar,
			      const struct rows_cells *many, int i)
{
	const struct density_sum *sum = &many->rows[i].sum;
	bool over = sum->joined == sum->workers ||
		    (model_ended(list->model, list->run) && sum->end_ns >= 0);
	struct style style = {.bg = bar->bg};
	int64_t end_ns = bar->until_ns;

	view_bar_density(bar, many->cells + i * many->key.w, many->most, many->key.w,
			 view_list_work(list_plan(list)));
	if (sum->bad)
		style.fg = COLOUR_BAD;
	else if (over)
		style.fg = COLOUR_DEFAULT;
	else
		style.fg = COLOUR_DIM;
	if (over)
		end_ns = sum->end_ns;
	if (sum->begin_ns >= 0)
		list_draw_figure(list, bar->y, sum->begin_ns, end_ns, style);
}

/*
 * In the race, shows a worker as crashed from the moment of the crash on. In the model, the worker
 * runs until the kernel has killed it, which may be some ms later.
 */
static void list_show_crash(const struct view_list *list, uint32_t index,
			    struct sample_worker *worker)
{
	const struct sample_worker known = model_known(list->run, index);
	const int64_t end_ns = view_worker_end(list->run, index, &known);

	if (!list->race || known.status != SAMPLE_CRASHED || end_ns < 0)
		return;
	if (end_ns > model_length(list->model, list->run))
		return;
	worker->status = known.status;
	worker->error = known.error;
}

static void list_draw_worker(const struct view_list *list, struct view_bar *bar, uint32_t index)
{
	struct sample_worker worker = model_worker(list->model, list->run, index);
	const struct plan *plan = list_plan(list);
	struct style style = {.fg = COLOUR_DIM, .bg = bar->bg};
	struct plan_node node;
	int64_t end_ns;

	plan_node(plan, index, &node);
	list_show_crash(list, index, &worker);
	bar->worker = index;
	end_ns = view_bar_end(bar, &worker);
	if (end_ns >= 0)
		style.fg = COLOUR_DEFAULT;
	if (sched_wanted(list->model) && !list->race)
		view_lane_share(bar, list->axis.x - 1, style);
	bar->barrier = (plan->barrier || plan->all_alive) && !node.children;
	view_bar_worker(bar, &worker, node.work);
	if (worker.start_ns < 0)
		return;
	if (list->race && end_ns < 0)
		list_draw_running(list, bar->y,
				  model_between(list->run, worker.start_ns, bar->until_ns), style);
	else
		list_draw_figure(list, bar->y, worker.start_ns,
				 fields_known_or(end_ns, bar->until_ns), style);
}

/* Draws the background and the grid of visible row i. Returns the row's bar. */
static struct view_bar list_draw_ground(const struct view_list *list, int i, int pitch)
{
	struct rect row = {list->rect.x, list->rect.y + i * pitch, list->rect.w, MAX(1, pitch - 1)};
	bool selected = list->first + i == list->selected && !list->race;
	struct view_bar bar = {.canvas = list->canvas,
			       .axis = &list->axis,
			       .y = row.y + (row.h - 1) / 2,
			       .above = (row.h - 1) / 2,
			       .below = row.h / 2,
			       .until_ns = model_length(list->model, list->run),
			       .dense = list->dense,
			       .hue = list->hue,
			       .race = list->race,
			       .core_numbers = list->core_numbers,
			       .model = list->model,
			       .run = list->run,
			       .cache = list->cache};

	if (!list->race)
		plot_grid(list->canvas, &list->axis, row.y, pitch);
	if (selected) {
		bar.bg = COLOUR_PANEL;
		canvas_fill(list->canvas, row, ' ', (struct style) {.bg = bar.bg});
	}
	return bar;
}

/*
 * Writes, on the line below the shown rows, how many rows are hidden above and below. Makes the
 * shown rows react to clicks: a click selects the row or, in the race, acts like the key 2.
 */
static void list_end(const struct view_list *list, int shown, int pitch)
{
	const long below = list->n - list->first - shown;
	const struct tree_row *last = &list->tree->rows[list->tree->n_rows - 1];
	struct rect line = {list->axis.x, list->rect.y + shown, list->axis.w, 1};
	const int right = list->axis.x + list->axis.w + list->right;
	struct view_zone zone = {
		.rect = {list->rect.x, list->rect.y, right - list->rect.x, shown * pitch},
		.case_id = list->run->id.case_id,
		.memory = METRICS,
		.pitch = pitch,
		.first = list->first,
		.per_row = list->per_row,
		.tasks = list->tasks};
	char from[224], to[224];

	if (shown < list->rect.h) {
		int x = view_rows_hidden(list->canvas, line, list->first, below) + 1;

		/*
		 * Name the first and the last of the rows hidden below, because their workers may
		 * do different kinds of work.
		 */
		if (below > 0 && list->tree->plan.barrier && !list->per_row && !list->tasks &&
		    !last->group) {
			tree_rows_name(list->tree, last + 1 - below, from, sizeof(from));
			tree_rows_name(list->tree, last, to, sizeof(to));
			if (x + utf8_columns(from) + utf8_columns(to) + 2 <= line.x + line.w)
				canvas_printf(list->canvas, x, line.y, -1, DIM, "%s …%s", from, to);
		}
	}
	if (list->race)
		zone.key = '2';
	view_zone_add(list->shown, zone);
}

/* Draws a row of one or several workers. cells is used only for rows of several workers. */
static void list_draw_row(const struct view_list *list, struct view_bar *bar,
			  const struct rows_cells *cells, int i)
{
	char name[224] = " ";
	uint32_t worker;
	bool many;

	if (list->per_row > 0) {
		const uint32_t at = (uint32_t)(list->first + i) * list->per_row;

		worker = list->kept->order.places[at].worker;
		many = list->per_row > 1;
		if (many)
			snprintf(name, sizeof(name), "▸%u", at + 1);
		else
			plan_name(list_plan(list), worker, name + 1, sizeof(name) - 1);
	} else {
		const struct tree_row *row = &list->tree->rows[list->first + i];

		worker = row->first;
		many = row->foldable && (!row->open || row->group);
		tree_rows_name(list->tree, row, name, sizeof(name));
	}
	list_draw_name(list, bar->y, name, many, view_list_name_style(bar));
	if (many)
		list_draw_density(list, bar, cells, i);
	else
		list_draw_worker(list, bar, worker);
}

static int list_task_pitch(int h)
{
	if (h >= TASK_HIGH)
		return TASK_PITCH + 1;
	if (h >= TASK_MEMORY && h <= TASK_MEMORY + 2)
		return TASK_MEMORY - 2;
	return MAX(1, MIN(TASK_PITCH, h));
}

/*
 * The number of lines from one row to the next. If there is room, a short list has blank lines
 * between its rows; if there is more room, the rows become higher. Tasks of a program have one line
 * each, because more tasks may begin. In the race, the number of tasks is known from earlier runs,
 * so tasks are treated like workers. The lines of a single task in the race depend on the height:
 * list_task_pitch(). The last of these lines shows its states.
 */
int view_list_pitch(const struct view_list *list)
{
	const long rows = MAX(list->n, list->most);

	if (list->tasks && list->race && list->tasks->n_tasks == 1)
		return list_task_pitch(list->rect.h);
	if (list->tasks && !list->race)
		return 1;
	return (int)MAX(1, MIN(PITCH_MOST, list->rect.h / MAX(1, rows)));
}

uint64_t view_list_draw(const struct view_list *list)
{
	int shown = list_shown(list->n, list->rect.h);
	const int pitch = view_list_pitch(list);
	const bool single = list->tasks || list->per_row == 1;
	const struct rows_cells *cells = NULL;
	uint64_t inks = 0;

	if (!single)
		cells = view_rows_cells(list, shown);
	for (int i = 0; i < shown && (cells || single); i++) {
		struct view_bar bar = list_draw_ground(list, i, pitch);

		if (list->tasks)
			view_task_draw(list, &list->tasks->rows[list->first + i], &bar);
		else
			list_draw_row(list, &bar, cells, i);
		inks |= view_bar_inks(&bar);
	}
	list_end(list, shown, pitch);
	return inks;
}
