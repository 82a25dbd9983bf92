/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "core/plan.h"
#include "result/report.h"

enum { SHARE_W = 6 };

static const struct view_ink bar_inks[VIEW_INKS] = {
	[INK_CREATED] = {0x254c, COLOUR_CREATED},
	[INK_MANY_CREATED] = {0x2592, COLOUR_QUEUED},
	[INK_BARRIER] = {0x250a, COLOUR_CREATED},
	[INK_WORK + WORK_CPU] = {0x2501, COLOUR_CPU, .tall = 0x2588},
	[INK_WORK + WORK_IO] = {0x2550, COLOUR_IO, .tall = 0x2550},
	[INK_WORK + WORK_FP] = {0x254d, COLOUR_FP, .tall = 0x254d},
	[INK_WORK + WORK_MEM] = {0x2505, COLOUR_MEM, .tall = 0x2505},
	[INK_WORK + WORK_WRITE] = {0x2509, COLOUR_WRITE, .tall = 0x2509},
	[INK_WORK + WORK_SHARE] = {0x2501, COLOUR_CPU, .tall = 0x2588},
	[INK_WORK + WORK_TOUCH] = {0x2508, COLOUR_MEM},
	[INK_WORK + WORK_TOKEN] = {0x2550, COLOUR_IO, .tall = 0x2550},
	[INK_WORK + WORK_MESSAGE] = {0x2550, COLOUR_IO, .tall = 0x2550},
	[INK_WORK + WORK_SERVE] = {0x2550, COLOUR_IO, .tall = 0x2550},
	[INK_WORK + WORK_EVENTS] = {0x2505, COLOUR_MEM, .tall = 0x2505},
	[INK_ON] = {0x2588, COLOUR_WORKER0},
	[INK_FULL] = {0x2588, COLOUR_WORKER0},
	[INK_PART] = {0x2584, COLOUR_WORKER0},
	[INK_MANY_FULL] = {0x2588, COLOUR_CPU},
	[INK_MANY_PART] = {0x2584, COLOUR_CPU},
	[INK_WAITING] = {0x2500, COLOUR_BORDER},
	[INK_REQUEST] = {0x2503, COLOUR_DEFAULT, .tall = 0x2503, .attr = ATTR_BOLD},
	[INK_THROTTLED] = {0x2551, COLOUR_THROTTLED, .tall = 0x2551},
	[INK_MANY_THROTTLED] = {0x2551, COLOUR_THROTTLED, COLOUR_THROTTLED_BED, 0x2551},
	[INK_BLOCKED] = {0x2508, COLOUR_BORDER},
	[INK_MANY_BLOCKED] = {0xb7, COLOUR_CREATED},
	[INK_FINISHED] = {0x2508, COLOUR_WAITING},
	[INK_MANY_FINISHED] = {0x2593, COLOUR_WAITING},
	[INK_JOINED] = {0x2524, COLOUR_FINISHED, .tall = 0x2524},
	[INK_THREAD] = {0xb7, COLOUR_DEFAULT},
	[INK_FAILED] = {0x2717, COLOUR_BAD},
	[INK_BLANK] = {' ', COLOUR_DEFAULT},
	[INK_OTHERS] = {VIEW_OTHERS_GLYPH, COLOUR_BORDER},
	[INK_EXIT] = {0x2592, COLOUR_FINISHED, .tall = 0x2592},
	[INK_IDLE] = {VIEW_IDLE_GLYPH, COLOUR_BORDER},
	[INK_BEFORE] = {0x25c2, COLOUR_DIM},
	[INK_AFTER] = {0x25b8, COLOUR_DIM},
};

struct view_ink view_ink_of(enum view_inks ink)
{
	struct view_ink cap;

	if (ink >= INK_CAP && ink < INK_ON) {
		cap = view_ink_of(ink - WORK_KINDS);
		cap.glyph = 0x257a;
		cap.tall = 0x2588;
		return cap;
	}
	if (bar_inks[ink].glyph == 0)
		return (struct view_ink) {0x2500, COLOUR_OTHER};
	return bar_inks[ink];
}

uint8_t view_list_work(const struct plan *plan)
{
	uint8_t work = WORK_NULL;

	for (uint8_t kind = WORK_NULL + 1; kind < WORK_KINDS; kind++)
		if (plan->leaves[kind] > plan->leaves[work])
			work = kind;
	return work;
}

struct style view_list_name_style(const struct view_bar *bar)
{
	if (bar->bg == COLOUR_PANEL)
		return (struct style) {COLOUR_TITLE, bar->bg, ATTR_BOLD};
	return PLAIN;
}

static struct style bar_style(const struct view_bar *bar, uint8_t colour)
{
	return (struct style) {.fg = colour, .bg = bar->bg};
}

/* Draws a cell. If the ink is not a thin line, draws the cell on all lines of the row. */
static void bar_cell(const struct view_bar *bar, int x, enum view_inks ink)
{
	const struct view_ink look = view_ink_of(ink);
	const struct style style = {look.colour, look.bed ? look.bed : bar->bg, look.attr};

	if (bar->above + bar->below > 0 && look.tall)
		canvas_fill(bar->canvas, view_bar_rect(bar, x, 1), look.tall, style);
	else
		canvas_put(bar->canvas, x, bar->y, look.glyph, style);
}

/* Draws the inks. Takes the colours of cells in which a worker is on a core from the lane. */
static void bar_draw(const struct view_bar *bar, const struct view_lane *lane)
{
	for (int x = 0; x <= bar->axis->w; x++) {
		const enum view_inks ink = bar->inks[x];

		if (ink == INK_ON || ink == INK_FULL || ink == INK_PART)
			view_lane_cell(lane, bar, x);
		else if (ink != INK_NONE)
			bar_cell(bar, bar->axis->x + x, ink);
	}
}

void view_bar_lane(struct view_bar *bar, const struct view_lane *lane)
{
	view_lane_inks(lane, bar);
	bar_draw(bar, lane);
}

uint64_t view_bar_inks(const struct view_bar *bar)
{
	uint64_t set = 0;

	for (int x = 0; x <= bar->axis->w; x++)
		set |= UINT64_C(1) << bar->inks[x];
	if (bar->thread)
		set |= UINT64_C(1) << INK_THREAD;
	return set;
}

/* Sets n inks from column x on. Ignores columns outside the axis and the cell after it. */
static void bar_set(struct view_bar *bar, int x, int n, enum view_inks ink)
{
	const int first = MAX(0, x - bar->axis->x);
	const int end = MIN(x + n - bar->axis->x, bar->axis->w + 1);

	for (int i = first; i < end; i++)
		bar->inks[i] = ink;
}

/* The column of the last moment before time_ns. */
static int bar_last_column(const struct view_bar *bar, int64_t time_ns)
{
	return (int)ceil(plot_column(bar->axis, time_ns)) - 1;
}

/*
 * The number of cells that the time from from_ns to to_ns overlaps. Sets *first to the first of
 * these cells.
 */
static int bar_cells(const struct view_bar *bar, int64_t from_ns, int64_t to_ns, int *first)
{
	int last;

	*first = (int)floor(plot_column(bar->axis, from_ns));
	last = MAX(*first, bar_last_column(bar, to_ns));
	*first = MAX(*first, bar->axis->x);
	return MAX(0, MIN(last, bar->axis->x + bar->axis->w - 1) - *first + 1);
}

static void bar_part(struct view_bar *bar, int64_t from_ns, int64_t to_ns, enum view_inks ink)
{
	int first, n = bar_cells(bar, from_ns, to_ns, &first);

	bar_set(bar, first, n, ink);
}

uint8_t view_bar_colour(uint8_t work)
{
	return view_ink_of(INK_WORK + work).colour;
}

uint8_t view_bar_colour_of_many(uint8_t work)
{
	uint8_t colour = view_bar_colour(work);

	if (colour == COLOUR_OTHER)
		return COLOUR_CPU;
	return colour;
}

bool view_bar_bad(const struct sample_worker *worker)
{
	return worker->status == SAMPLE_FAILED || worker->status == SAMPLE_CRASHED ||
	       worker->status == SAMPLE_REFUSED || worker->status == SAMPLE_INTERRUPTED;
}

char *view_bar_reason(const struct sample_worker *worker, char *buf, size_t size)
{
	const char *name;

	if (worker->status == SAMPLE_CRASHED)
		name = sigabbrev_np(worker->error);
	else
		name = strerrorname_np(worker->error);

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

int view_lanes_share_w(const struct model *model)
{
	if (sched_wanted(model))
		return SHARE_W;
	return 0;
}

static double shares_existed(const struct model_shares *shares)
{
	double sum = 0;

	for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
		sum += shares->ns[state];
	return sum;
}

static bool lane_known(const struct view_bar *bar)
{
	size_t n = 0;

	if (bar->run)
		model_slices(bar->run, bar->worker, &n);
	return n > 0;
}

/*
 * Whether the worker has done its work and waits for the fault of another worker, as all workers do
 * in a trial with a fault. A worker that only computes blocks for nothing else, except at the start
 * barrier.
 */
static bool bar_is_done(const struct view_bar *bar, const struct model_stretch *stretch)
{
	const struct sample_totals *totals = &bar->run->totals;
	struct sample_worker worker;
	struct plan_node node;

	/* Tasks of programs are numbered from n_workers on. */
	if (bar->worker >= bar->run->n_workers)
		return false;
	worker = model_known(bar->run, bar->worker);
	plan_node(model_plan(bar->model, bar->run), bar->worker, &node);
	if (node.children || (node.work != WORK_CPU && node.work != WORK_FP))
		return false;
	return totals->fault != FAULT_NONE && totals->fault_ns >= 0 &&
	       (int64_t)bar->worker != totals->fault_worker && worker.work_ns >= 0 &&
	       stretch->from_ns > worker.work_ns && stretch->from_ns < totals->fault_ns;
}

/*
 * Labels a blocked stretch of a lane, if the text fits: with the object that the task waited for,
 * or with the words that the worker is done.
 */
static void lane_take_wait(void *arg, const struct model_stretch *stretch)
{
	const struct view_bar *bar = arg;
	const int end = bar->axis->x + bar->axis->w;
	int first, n, gap = 1;
	char text[16] = "done";

	if (stretch->state != STATE_BLOCKED)
		return;
	if (!bar->race || !bar_is_done(bar, stretch)) {
		if (stretch->waited <= 0)
			return;
		sample_wait_name(stretch->waited, text, sizeof(text));
		gap = 4;
	}
	n = bar_cells(bar, stretch->from_ns, stretch->to_ns, &first);
	if (n >= utf8_columns(text) + gap && first + n <= end)
		canvas_text(bar->canvas, first + (n - utf8_columns(text)) / 2, bar->y, -1,
			    bar_style(bar, COLOUR_CREATED), text);
}

/* The bar's lane from from_ns on. NULL if no slice of the worker is known. */
static const struct view_lane *lane_read(const struct view_bar *bar, int64_t from_ns)
{
	if (!bar->run)
		return NULL;
	return view_lane_worker(bar->cache, bar->axis, bar->model, bar->run, bar->worker, from_ns,
				bar->race);
}

void view_bar_waits(const struct view_bar *bar, const struct density_cell *cells, int w)
{
	const struct plot_axis *axis = bar->axis;
	struct model_stretch at;
	int waited[DENSITY_CELLS] = {0};
	char text[16];

	for (int x = 0; x < w; x++) {
		int64_t from_ns = plot_time(axis, axis->x + x);
		int64_t to_ns = plot_time(axis, axis->x + x + 1);

		if (cells[x].share == SHARE_BLOCKED &&
		    model_stretch_at(bar->model, bar->run, bar->worker,
				     from_ns + (to_ns - from_ns) / 2, &at))
			waited[x] = at.waited;
	}
	for (int x = 0, same; x < w; x += same) {
		for (same = 1; x + same < w; same++)
			if (waited[x + same] != waited[x])
				break;
		sample_wait_name(waited[x], text, sizeof(text));
		if (waited[x] > 0 && same >= utf8_columns(text) + 2)
			canvas_text(bar->canvas, axis->x + x + 1, bar->y, -1,
				    bar_style(bar, COLOUR_CREATED), text);
	}
}

void view_lane_share(const struct view_bar *bar, int x, struct style style)
{
	struct model_shares shares;
	char text[16] = "?";

	if (!model_has_slices(bar->run))
		return;
	model_shares_until(bar->model, bar->run, bar->worker, INT64_MAX, &shares);
	if (lane_known(bar) && shares_existed(&shares) > 0)
		snprintf(text, sizeof(text), "%.0f %%",
			 100 * shares.ns[STATE_ON] / shares_existed(&shares));
	canvas_right(bar->canvas, x, bar->y, style, text);
}

/*
 * The time at which the wait at the barrier ends on the bar. If slices show that the worker was
 * runnable without a core after the barrier opened, that time is not part of the wait.
 */
static int64_t bar_barrier_end(const struct view_bar *bar, const struct sample_worker *worker)
{
	struct model_stretch last = {.from_ns = worker->work_ns};

	/* The worker is already on its core before it records that it works. */
	for (int i = 0; i < 2; i++) {
		if (!lane_known(bar) || last.state == STATE_WAITING)
			break;
		if (!model_stretch_at(bar->model, bar->run, bar->worker, last.from_ns - 1, &last) ||
		    (last.state != STATE_ON && last.state != STATE_WAITING))
			return worker->work_ns;
	}
	if (last.state == STATE_WAITING)
		return last.from_ns;
	return worker->work_ns;
}

int64_t view_bar_end(const struct view_bar *bar, const struct sample_worker *worker)
{
	int64_t lane_ns = -1, end_ns = worker->finish_ns;

	if (bar->run)
		end_ns = view_worker_end(bar->run, bar->worker, worker);
	if (end_ns >= 0 || !view_bar_bad(worker))
		return end_ns;
	/*
	 * For a killed worker, prefer the end of its lane: its parent may join it long after its
	 * death.
	 */
	if (bar->run)
		lane_ns = model_lane_end(bar->run, bar->worker);
	if (lane_ns >= 0)
		return lane_ns;
	return worker->join_ns;
}

/*
 * Names how a worker ended. After an injected fault, writes "died with" and the name of the faulty
 * worker for every other worker that died.
 */
static void bar_name_end(const struct view_bar *bar, const struct sample_worker *worker, char *buf,
			 size_t size)
{
	const struct sample_totals *totals = bar->run ? &bar->run->totals : NULL;
	char victim[64];

	view_bar_reason(worker, buf, size);
	if (!totals || totals->fault == FAULT_NONE || totals->fault == FAULT_HANG ||
	    totals->fault == FAULT_OVERRUN)
		return;
	if ((int64_t)bar->worker == totals->fault_worker)
		return;
	if (worker->status != SAMPLE_CRASHED && worker->status != SAMPLE_INTERRUPTED)
		return;
	plan_name(model_plan(bar->model, bar->run), (uint32_t)totals->fault_worker, victim,
		  sizeof(victim));
	victim[strcspn(victim, " ")] = '\0';
	snprintf(buf, size, "died with %.40s", victim);
}

/*
 * The column in which the parent noticed the worker's crash. -1: the parent has not noticed it, or
 * the time is unknown.
 */
static int bar_noticed_column(const struct view_bar *bar)
{
	const struct sample_totals *totals = bar->run ? &bar->run->totals : NULL;
	int64_t noticed_ns;

	if (!bar->race || !totals || (int64_t)bar->worker != totals->fault_worker)
		return -1;
	if (totals->fault_ns < 0 || totals->noticed_ns < 0)
		return -1;
	noticed_ns = totals->fault_ns + totals->noticed_ns;
	/* If the wait for the worker was the last join, the run may have ended a few µs before. */
	if (model_ended(bar->model, bar->run))
		noticed_ns = MIN(noticed_ns, bar->until_ns);
	if (noticed_ns > bar->until_ns)
		return -1;
	return MIN(bar_last_column(bar, noticed_ns), bar->axis->x + bar->axis->w - 1);
}

/*
 * The mark of the parent's notice, which points back at the crash. It is not ▾, because that marks
 * an unfolded process.
 */
#define NOTICED 0x2190 /* ← */

enum { NOTICED_TEXTS = 3, NOTICED_TEXT = 48 };

/* The texts beside the mark, from the longest on. */
static void bar_noticed_texts(const struct view_bar *bar, char texts[NOTICED_TEXTS][NOTICED_TEXT])
{
	const int64_t ns = bar->run->totals.noticed_ns;

	snprintf(texts[0], NOTICED_TEXT, "noticed after %s", UNITS_TIME(ns, false));
	snprintf(texts[1], NOTICED_TEXT, "noticed %s", UNITS_TIME(ns, false));
	snprintf(texts[2], NOTICED_TEXT, "noticed");
}

/*
 * Marks when the wait of the crashed worker's parent returned. If there is room, writes the time
 * until then right of the mark or, at the end of the axis, left of it. x: the column after the text
 * that says how the worker ended. at: the column of the mark.
 */
static void bar_draw_noticed(const struct view_bar *bar, int x, int at)
{
	const int end = bar->axis->x + bar->axis->w;
	const struct style style = {.fg = COLOUR_TITLE, .bg = bar->bg};
	char texts[NOTICED_TEXTS][NOTICED_TEXT];

	bar_noticed_texts(bar, texts);
	canvas_put(bar->canvas, at, bar->y, NOTICED, style);
	for (int i = 0; i < NOTICED_TEXTS; i++) {
		const int w = utf8_columns(texts[i]);

		if (at + 1 + w < end)
			canvas_text(bar->canvas, at + 2, bar->y, w, style, texts[i]);
		else if (at - 1 - w > x)
			canvas_text(bar->canvas, at - 1 - w, bar->y, w, style, texts[i]);
		else
			continue;
		return;
	}
}

/*
 * Writes how a worker ended, from column x on, and marks when its parent noticed the end. If the
 * parent noticed it soon, the mark is before the text, so that the text does not hide it.
 */
static void bar_draw_end(const struct view_bar *bar, int x, const char *reason, struct style style)
{
	const int end = bar->axis->x + bar->axis->w;
	const int noticed = bar_noticed_column(bar);
	const struct style bright = {.fg = COLOUR_TITLE, .bg = bar->bg};
	char texts[NOTICED_TEXTS][NOTICED_TEXT];
	int gap = 2;

	if (noticed < 0) {
		canvas_text(bar->canvas, x, bar->y, end - x, style, reason);
		return;
	}
	if (noticed > x + utf8_columns(reason)) {
		x = canvas_text(bar->canvas, x, bar->y, end - x, style, reason);
		bar_draw_noticed(bar, x, noticed);
		return;
	}
	x = MAX(x - 1, noticed);
	bar_noticed_texts(bar, texts);
	canvas_put(bar->canvas, x, bar->y, NOTICED, bright);
	/* Without the first letters of "SIGSEGV", there may be room for the word. */
	if (x + 2 + utf8_columns(reason) + 1 + utf8_columns(texts[2]) > end &&
	    strncmp(reason, "SIG", 3) == 0)
		reason += 3;
	if (x + 2 + utf8_columns(reason) > end)
		return;
	x = canvas_text(bar->canvas, x + 2, bar->y, end - x - 2, style, reason);
	if (x + gap + utf8_columns(texts[2]) > end)
		gap = 1;
	for (int i = 0; i < NOTICED_TEXTS; i++) {
		if (x + gap + utf8_columns(texts[i]) > end)
			continue;
		canvas_text(bar->canvas, x + gap, bar->y, -1, bright, texts[i]);
		return;
	}
}

static void bar_draw_reason(struct view_bar *bar, const struct sample_worker *worker)
{
	const bool ended_with_run = worker->status == SAMPLE_INTERRUPTED && worker->start_ns >= 0;
	const int64_t end_ns = view_bar_end(bar, worker);
	int64_t at = MAX(worker->create_ns, 0);
	int x, end = bar->axis->x + bar->axis->w, last;
	struct style style = {.fg = COLOUR_BAD, .bg = bar->bg, .attr = ATTR_BOLD};
	char reason[64];

	if (end_ns >= 0)
		at = end_ns;
	else if (ended_with_run)
		at = bar->until_ns;
	x = bar_last_column(bar, at);
	/*
	 * In a lane, the mark comes after the slice in which the worker ended, so that it does not
	 * hide the slice.
	 */
	if (bar->race && end_ns >= 0 && lane_known(bar))
		x = MIN(x + 1, end - 1);
	bar_name_end(bar, worker, reason, sizeof(reason));
	/*
	 * A lane ends at its mark. In other rows, clear the bar's lines above and below the mark.
	 */
	if (x >= bar->axis->x)
		canvas_fill(bar->canvas, view_bar_rect(bar, x, bar->race ? end - x : 1), ' ',
			    style);
	if (x >= bar->axis->x && bar->race)
		bar_set(bar, x, end - x, INK_NONE);
	if (x >= bar->axis->x && x < end) {
		bar_set(bar, x, 1, INK_FAILED);
		canvas_put(bar->canvas, x, bar->y, bar_inks[INK_FAILED].glyph, style);
	}
	last = end - utf8_columns(reason);
	/* Over a lane, the text would hide when the worker ended. */
	if (x + 2 > last && bar->race)
		return;
	if (x + 2 > last)
		x = last;
	else
		x = MAX(x + 2, bar->axis->x);
	bar_draw_end(bar, x, reason, style);
}

/*
 * Sets the inks from the create call to the work: creation, then waiting at the start barrier. In a
 * race, the bar begins at the first instruction, where the lifetime begins, and a worker at the
 * barrier looks like a blocked one.
 */
static void bar_set_begin(struct view_bar *bar, const struct sample_worker *worker,
			  int64_t start_ns, int64_t work_ns)
{
	const struct plot_axis *axis = bar->axis;
	const int64_t join_ns = fields_known_or(worker->join_ns, bar->until_ns);

	if (worker->create_ns < 0)
		return;
	if (bar->race) {
		if (work_ns > start_ns)
			bar_part(bar, start_ns, work_ns, INK_BLOCKED);
		return;
	}
	/* If the bar is outside the visible time, an arrow at the edge points to it. */
	if (join_ns < axis->from_ns)
		bar_set(bar, axis->x, 1, INK_BEFORE);
	if (worker->create_ns >= axis->to_ns)
		bar_set(bar, axis->x + axis->w - 1, 1, INK_AFTER);
	bar_part(bar, worker->create_ns, start_ns, INK_CREATED);
	if (work_ns > start_ns)
		bar_part(bar, start_ns, work_ns, INK_BARRIER);
}

/* Sets the inks from the last instruction to the join. */
static void bar_set_end(struct view_bar *bar, const struct sample_worker *worker, int64_t finish_ns)
{
	const int64_t join_ns = fields_known_or(worker->join_ns, bar->until_ns);
	int x;

	/* In lanes ┈ means blocked, so leave a finished worker blank. */
	if (worker->finish_ns >= 0 && join_ns > finish_ns && !lane_known(bar))
		bar_part(bar, finish_ns, join_ns, INK_FINISHED);
	if (worker->join_ns < 0)
		return;
	/* If the join is in the same cell as the last instruction, its mark is in the next cell. */
	x = MAX(bar_last_column(bar, join_ns), bar_last_column(bar, finish_ns) + 1);
	bar_set(bar, x, 1, INK_JOINED);
}

/* Marks when the worker had read each request, if the requests' times are recorded. */
static void bar_set_requests(struct view_bar *bar)
{
	const struct plot_axis *axis = bar->axis;
	const struct model_run *run = bar->run;

	for (uint32_t i = 0; run && i < run->n_requests; i++) {
		const struct sample_request *request = &run->requests[i];

		if (request->index == bar->worker && request->request_ns <= bar->until_ns &&
		    plot_without_cut(axis, request->request_ns) < axis->to_ns)
			bar_set(bar, (int)floor(plot_column(axis, request->request_ns)), 1,
				INK_REQUEST);
	}
}

void view_bar_worker(struct view_bar *bar, const struct sample_worker *worker, uint8_t work)
{
	const int64_t start = fields_known_or(worker->start_ns, bar->until_ns);
	const int64_t finish = fields_known_or(worker->finish_ns, bar->until_ns);
	const struct plot_axis *axis = bar->axis;
	const struct view_lane *lane;
	int64_t begin = start;

	if (bar->barrier && worker->work_ns < 0)
		begin = finish;
	else if (bar->barrier && worker->work_ns > start)
		begin = MAX(start, bar_barrier_end(bar, worker));
	bar_set_begin(bar, worker, start, begin);
	if (!bar->race)
		bar_set_end(bar, worker, finish);
	/* In a race, the start barrier has no sign of its own. */
	lane = lane_read(bar, bar->race ? start : begin);
	if (lane) {
		view_lane_inks(lane, bar);
	} else if (worker->start_ns >= 0 && finish > begin) {
		bar_part(bar, begin, finish, INK_WORK + work);
		if (finish - begin > (axis->to_ns - axis->from_ns) / axis->w)
			bar_part(bar, begin, begin, INK_CAP + work);
	}
	bar_set_requests(bar);
	bar_draw(bar, lane);
	if (lane && !bar->dense && bar->core_numbers)
		*bar->core_numbers |= view_lane_core_numbers(lane, bar);
	if (lane && !bar->dense)
		model_stretches(bar->model, bar->run, bar->worker, plot_time(axis, axis->x),
				plot_time(axis, axis->x + axis->w), lane_take_wait, bar);
	if (view_bar_bad(worker))
		bar_draw_reason(bar, worker);
}

void density_begin(struct density *density, const struct plot_axis *axis, int64_t until_ns)
{
	memset(density, 0, sizeof(*density));
	density->axis = axis;
	density->until_ns = until_ns;
	density->w = MIN(axis->w, DENSITY_CELLS);
	density->sum.begin_ns = density->sum.end_ns = -1;
}

/* The time, if it is known and not after until_ns; otherwise -1. */
static int64_t density_time(const struct density *density, int64_t time_ns)
{
	if (time_ns >= 0 && time_ns <= density->until_ns)
		return time_ns;
	return -1;
}

/*
 * Adds 1 to each cell that the time from from_ns to to_ns overlaps. delta holds the differences
 * between neighbouring cells.
 */
static void density_touch(const struct density *density, int32_t *delta, int64_t from_ns,
			  int64_t to_ns)
{
	int from = plot_cell(density->axis, from_ns), to = plot_cell(density->axis, to_ns);

	if (to < 0 || from >= density->w)
		return;
	delta[MAX(0, from)]++;
	if (to < density->w)
		delta[to + 1]--;
}

void density_add(struct density *density, const struct sample_worker *worker)
{
	int64_t create = density_time(density, worker->create_ns);
	int64_t start = density_time(density, worker->start_ns);
	int64_t finish = density_time(density, worker->finish_ns);
	int64_t join = density_time(density, worker->join_ns);
	int64_t last = fields_known_or(join, density->until_ns);

	density->sum.workers++;
	if (worker->status == SAMPLE_FAILED || worker->status == SAMPLE_CRASHED ||
	    worker->status == SAMPLE_REFUSED) {
		int64_t end = worker->created_ns;
		bool reached;
		int cell;

		if (worker->finish_ns >= 0)
			end = worker->finish_ns;
		else if (worker->join_ns >= 0)
			end = worker->join_ns;
		cell = plot_cell(density->axis, end);
		reached = density_time(density, end) >= 0;
		density->sum.bad += reached;
		if (reached && cell >= 0 && cell < density->w)
			density->failed[cell] = true;
	}
	if (create < 0 || worker->status == SAMPLE_REFUSED)
		return;
	if (density->sum.begin_ns < 0 || create < density->sum.begin_ns)
		density->sum.begin_ns = create;
	density->sum.joined += join >= 0;
	density->sum.end_ns = MAX(density->sum.end_ns, join);
	density_touch(density, density->state[DENSITY_CREATED], create,
		      fields_known_or(start, last));
	if (start >= 0)
		density_touch(density, density->state[DENSITY_RUNNING], start,
			      fields_known_or(finish, last));
	if (finish >= 0)
		density_touch(density, density->state[DENSITY_WAITING], finish, last);
}

void density_cells(struct density *density, struct density_cell *cells)
{
	uint32_t n[DENSITY_STATES] = {0};

	for (int x = 0; x < density->w; x++) {
		for (int i = 0; i < DENSITY_STATES; i++)
			n[i] += (uint32_t)density->state[i][x];
		cells[x].running = n[DENSITY_RUNNING];
		density->sum.most = MAX(density->sum.most, n[DENSITY_RUNNING]);
		if (n[DENSITY_CREATED] + n[DENSITY_RUNNING] + n[DENSITY_WAITING] == 0)
			cells[x].state = DENSITY_NONE;
		else if (density->failed[x])
			cells[x].state = DENSITY_BAD;
		else if (n[DENSITY_RUNNING] > 0)
			cells[x].state = DENSITY_RUNNING;
		else if (n[DENSITY_WAITING] > n[DENSITY_CREATED])
			cells[x].state = DENSITY_WAITING;
		else
			cells[x].state = DENSITY_CREATED;
	}
}

static enum view_inks density_ink(const struct density_cell *cell)
{
	/* A worker that waits for its join must not look like a running one. */
	static const uint8_t states[] = {[DENSITY_CREATED] = INK_MANY_CREATED,
					 [DENSITY_RUNNING] = INK_MANY_PART,
					 [DENSITY_WAITING] = INK_MANY_FINISHED,
					 [DENSITY_BAD] = INK_FAILED,
					 [DENSITY_NONE] = INK_BLANK};
	static const uint8_t shares[] = {[SHARE_ALL] = INK_MANY_FULL,
					 [SHARE_WAITING] = INK_WAITING,
					 [SHARE_BLOCKED] = INK_MANY_BLOCKED,
					 [SHARE_THROTTLED] = INK_MANY_THROTTLED};

	if (cell->state >= DENSITY_BAD || cell->share == SHARE_UNKNOWN)
		return states[cell->state];
	if (cell->share < SHARE_ALL)
		return INK_MANY_PART;
	return shares[cell->share];
}

void view_bar_density(struct view_bar *bar, const struct density_cell *cells, uint32_t most, int n,
		      uint8_t work)
{
	struct style style = bar_style(bar, view_bar_colour_of_many(work));

	for (int i = 0; i < n; i++) {
		const struct density_cell *cell = &cells[i];
		const enum view_inks ink = density_ink(cell);
		const int x = bar->axis->x + i;
		uint8_t eighths = cell->share;

		bar->inks[i] = ink;
		style.attr = 0;
		if (cell->share == SHARE_UNKNOWN) {
			eighths = (uint8_t)ceil(8. * cell->running / MAX(1, most));
			style.attr = ATTR_BOLD;
		}
		if (ink == INK_MANY_PART || ink == INK_MANY_FULL)
			view_share_draw(bar->canvas, view_bar_rect(bar, x, 1), eighths, style);
		else if (ink != INK_BLANK)
			bar_cell(bar, x, ink);
	}
}

int view_legend_draw(struct canvas *canvas, int x, int y, int w, const struct view_legend *list,
		     size_t n)
{
	int end = x + w;

	for (size_t i = 0; i < n; i++) {
		if (x + utf8_columns(list[i].name) + 4 > end)
			break;
		canvas_printf(canvas, x, y, -1, DIM, "   %s ", list[i].name);
		canvas_put(canvas, x + 1, y, list[i].ink.glyph,
			   (struct style) {.fg = list[i].ink.colour, .bg = list[i].ink.bed});
		x += utf8_columns(list[i].name) + 4;
	}
	return x;
}

void view_lanes_edge(struct canvas *canvas, struct rect box, const struct model *model,
		     const struct model_run *run, int x, bool legend)
{
	const uint8_t work = view_list_work(model_plan(model, run));
	const struct view_legend list[] = {{{0x2588, view_bar_colour_of_many(work)}, "% on a core"},
					   {bar_inks[INK_WAITING], "waits"},
					   {bar_inks[INK_BLOCKED], "blocked"},
					   {bar_inks[INK_MANY_THROTTLED], "throttled"}};
	int end = box.x + box.w - 1, y = box.y + box.h - 1;
	char source[SCHED_TEXT], *none;

	if (legend && model_has_slices(run))
		x = view_legend_draw(canvas, x, y, end - 1 - x, list, run->n_throttles ? 4 : 3);
	if (model_has_slices(run))
		sched_source(model, run, source, sizeof(source));
	else
		sched_no_lanes(model, true, source, sizeof(source));
	none = strstr(source, ", 0 lost"); /* If nothing is lost, do not mention the loss. */
	if (none)
		*none = '\0';
	if (*source && x + utf8_columns(source) + 3 < end)
		canvas_printf(canvas, end - utf8_columns(source) - 3, y, -1, DIM, " %s ", source);
}
