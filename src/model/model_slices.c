/* SPDX-License-Identifier: MIT */
#include "model/model_slices.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stats/stats.h"
#include "model_private.h"

bool model_has_slices(const struct model_run *run)
{
	return run->lanes != NULL;
}

const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n)
{
	*n = run->lanes && worker < run->n_workers ? run->lanes[worker].n : 0;
	return *n ? run->lanes[worker].slices : NULL;
}

/* NULL where no slice of the worker is known. */
static const struct model_lane *lane_of(const struct model_run *run, uint32_t worker)
{
	return run->lanes && run->lanes[worker].n > 0 ? &run->lanes[worker] : NULL;
}

/* The cursor on the run's clock. */
static int64_t cursor(const struct model *model, const struct model_run *run)
{
	int64_t now_ns = model->now_ns < run->end_ns ? model->now_ns : run->end_ns;

	return now_ns - run->begin_ns;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The end of the worker's life; INT64_MAX where it is not known to have one. */
static int64_t end_of(const struct sample_worker *worker)
{
	if (worker->finish_ns >= 0)
		return worker->finish_ns;
	return worker->join_ns >= 0 ? worker->join_ns : INT64_MAX;
}

/*
 * Before the first slice: it has not begun, stands at the gate, or waits for its first turn. Where
 * the slices begin with its life it waits only.
 */
static void before_first(const struct sample_worker *worker, const struct sample_slice *first,
			 int64_t t_ns, struct model_stretch *out)
{
	int64_t first_ns = first->on_ns, begin = sample_worker_begin(worker), work = first_ns;

	if (first->ready_ns > 0) {
		work = first->ready_ns;
		begin = begin < 0 ? work : least(begin, work);
	} else if (first_ns <= worker->start_ns) {
		work = begin;
	} else if (worker->work_ns >= 0) {
		work = worker->work_ns;
	}
	if (begin < 0 || t_ns < begin) {
		out->state = STATE_NONE;
		out->to_ns = begin < 0 ? first_ns : least(begin, first_ns);
	} else if (t_ns < work) {
		out->state = STATE_BLOCKED;
		out->from_ns = begin;
		out->to_ns = least(work, first_ns);
	} else {
		out->state = STATE_WAITING;
		out->from_ns = work;
		out->to_ns = first_ns;
	}
}

/* Behind a slice: first what it left the core for, then a wait for a core where that is known. */
static void between(const struct sample_slice *last, const struct sample_slice *next, int64_t t_ns,
		    struct model_stretch *out)
{
	int64_t to_ns = next ? next->on_ns : INT64_MAX;
	int64_t ready_ns = model_lane_ready(last, next, last->off_ns, to_ns);
	bool ready = t_ns >= ready_ns && t_ns < to_ns;

	out->from_ns = ready ? ready_ns : last->off_ns;
	out->to_ns = ready ? to_ns : ready_ns;
	out->state = ready ? STATE_WAITING : model_lane_after(last);
}

static void within(const struct sample_worker *worker, const struct model_lane *lane, int64_t t_ns,
		   struct model_stretch *out)
{
	const struct sample_slice *slices = lane->slices, *last;
	size_t i = model_lane_begun(lane, t_ns);

	if (i == 0) {
		before_first(worker, &slices[0], t_ns, out);
		return;
	}
	last = &slices[i - 1];
	if (last->off_ns < 0 || t_ns < last->off_ns) {
		*out = (struct model_stretch) {last->on_ns,
					       last->off_ns < 0 ? INT64_MAX : last->off_ns,
					       STATE_ON, last->cpu};
		return;
	}
	between(last, i < lane->n ? &slices[i] : NULL, t_ns, out);
}

/* A worker without slices is there from its begin on; what it does is not known. */
static void without(const struct sample_worker *worker, int64_t t_ns, struct model_stretch *out)
{
	int64_t begin = sample_worker_begin(worker);

	if (begin < 0 || t_ns < begin) {
		out->to_ns = begin < 0 ? INT64_MAX : begin;
		return;
	}
	out->from_ns = begin;
	out->state = STATE_UNKNOWN;
}

bool model_stretch_at(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t t_ns, struct model_stretch *out)
{
	const struct sample_worker *known = model_known(run, worker);
	int64_t end_ns = least(cursor(model, run), end_of(known));
	const struct model_lane *lane = lane_of(run, worker);

	*out = (struct model_stretch) {0, INT64_MAX, STATE_NONE, -1};
	if (t_ns < 0 || t_ns >= end_ns)
		return false;
	if (lane)
		within(known, lane, t_ns, out);
	else
		without(known, t_ns, out);
	out->to_ns = least(out->to_ns, end_ns);
	return true;
}

struct taker {
	void (*take)(void *arg, const struct model_stretch *stretch);
	void *arg;
	int64_t from_ns, to_ns;
};

/* The part of a stretch that is asked for. */
static void hand_over(const struct taker *taker, int64_t from_ns, int64_t to_ns,
		      enum model_state state, int16_t cpu)
{
	const struct model_stretch stretch = {from_ns > taker->from_ns ? from_ns : taker->from_ns,
					      least(to_ns, taker->to_ns), state, cpu};

	if (stretch.to_ns > stretch.from_ns)
		taker->take(taker->arg, &stretch);
}

/* Those of the slices from the i-th on: each, what it left the core for, its wait for the next. */
static void hand_out(const struct model_lane *lane, size_t i, const struct taker *taker)
{
	for (; i < lane->n && lane->slices[i].on_ns < taker->to_ns; i++) {
		const struct sample_slice *slice = &lane->slices[i];
		const struct sample_slice *next = i + 1 < lane->n ? slice + 1 : NULL;
		int64_t end = next ? next->on_ns : INT64_MAX;
		int64_t off = slice->off_ns < 0 ? end : least(slice->off_ns, end);
		int64_t ready = model_lane_ready(slice, next, off, end);

		hand_over(taker, slice->on_ns, off, STATE_ON, slice->cpu);
		hand_over(taker, off, ready, model_lane_after(slice), -1);
		hand_over(taker, ready, end, STATE_WAITING, -1);
	}
}

void model_stretches(const struct model *model, const struct model_run *run, uint32_t worker,
		     int64_t from_ns, int64_t to_ns,
		     void (*take)(void *arg, const struct model_stretch *stretch), void *arg)
{
	const struct model_lane *lane = lane_of(run, worker);
	int64_t first_ns = lane ? lane->slices[0].on_ns : INT64_MAX;
	struct model_stretch stretch;
	int64_t t = from_ns > 0 ? from_ns : 0;

	to_ns = least(to_ns, least(cursor(model, run), end_of(model_known(run, worker))));
	for (; t < least(first_ns, to_ns) && model_stretch_at(model, run, worker, t, &stretch);
	     t = stretch.to_ns) {
		stretch.from_ns = t;
		stretch.to_ns = least(stretch.to_ns, to_ns);
		take(arg, &stretch);
	}
	if (lane && t < to_ns)
		hand_out(lane, model_lane_begun(lane, t) - 1,
			 &(struct taker) {take, arg, t, to_ns});
}

/* The time before the first slice: at the gate, then until its first turn. */
static void add_before(const struct sample_worker *worker, const struct sample_slice *first,
		       int64_t end_ns, struct model_shares *shares)
{
	struct model_stretch stretch = {.to_ns = 0};

	for (int64_t t = 0; t < least(first->on_ns, end_ns); t = stretch.to_ns) {
		stretch = (struct model_stretch) {0, INT64_MAX, STATE_NONE, -1};
		before_first(worker, first, t, &stretch);
		shares->ns[stretch.state] += (double)(least(stretch.to_ns, end_ns) - t);
	}
}

void model_shares_until(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t t_ns, struct model_shares *shares)
{
	const struct sample_worker *known = model_known(run, worker);
	const struct model_lane *lane = lane_of(run, worker);
	int64_t end_ns = least(t_ns, least(cursor(model, run), end_of(known)));
	int64_t begin_ns = sample_worker_begin(known);
	struct lane_time time;

	*shares = (struct model_shares) {{0}};
	if (!lane) {
		if (begin_ns >= 0 && end_ns > begin_ns)
			shares->ns[STATE_UNKNOWN] = (double)(end_ns - begin_ns);
		return;
	}
	add_before(known, &lane->slices[0], end_ns, shares);
	time = model_lane_until(lane, end_ns);
	for (int i = 0; i < MODEL_STATES; i++)
		shares->ns[i] += (double)time.ns[i];
}

void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares)
{
	struct model_shares before, after;

	model_shares_until(model, run, worker, from_ns, &before);
	model_shares_until(model, run, worker, to_ns > from_ns ? to_ns : from_ns, &after);
	for (int i = 0; i < MODEL_STATES; i++)
		shares->ns[i] += after.ns[i] - before.ns[i];
}

static void add_slice(struct model_lane_figures *out, double *length, int16_t *cpu,
		      const struct sample_slice *slice, int64_t off_ns)
{
	length[out->slices++] = (double)(off_ns - slice->on_ns);
	out->longest_ns = fmax(out->longest_ns, length[out->slices - 1]);
	out->migrations += *cpu >= 0 && slice->cpu >= 0 && slice->cpu != *cpu;
	if (slice->cpu >= 0) {
		*cpu = slice->cpu;
		CPU_SET((size_t)slice->cpu, &out->cores);
	}
}

static void add_wait(struct model_lane_figures *out, int64_t from_ns, int64_t to_ns)
{
	if (to_ns <= from_ns)
		return;
	out->waits++;
	out->longest_wait_ns = fmax(out->longest_wait_ns, (double)(to_ns - from_ns));
}

static void add_gap(struct model_lane_figures *out, const struct sample_slice *slice,
		    const struct sample_slice *next, int64_t end_ns)
{
	int64_t to_ns = next ? least(next->on_ns, end_ns) : end_ns;

	if (slice->why == WHY_PREEMPTED)
		add_wait(out, slice->off_ns, to_ns);
	else
		add_wait(out, model_lane_ready(slice, next, slice->off_ns, to_ns), to_ns);
}

/* Its slices by end_ns, and the waits between them. */
static void add_slices(const struct model_lane *lane, int64_t end_ns, double *length,
		       struct model_lane_figures *out)
{
	int16_t cpu = -1;

	for (size_t i = 0; i < lane->n && lane->slices[i].on_ns < end_ns; i++) {
		const struct sample_slice *slice = &lane->slices[i];
		int64_t off_ns = slice->off_ns < 0 ? end_ns : least(slice->off_ns, end_ns);

		add_slice(out, length, &cpu, slice, off_ns);
		add_gap(out, slice, i + 1 < lane->n ? slice + 1 : NULL, end_ns);
	}
}

int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out)
{
	const struct sample_worker *known = model_known(run, worker);
	const struct model_lane *lane = lane_of(run, worker);
	int64_t end_ns = least(cursor(model, run), end_of(known));
	struct model_stretch first;
	double *length;

	*out = (struct model_lane_figures) {.median_ns = NAN};
	model_shares_until(model, run, worker, INT64_MAX, &out->shares);
	if (!lane)
		return 0;
	length = calloc(lane->n, sizeof(*length));
	if (!length)
		return -ENOMEM;
	if (model_stretch_at(model, run, worker, lane->slices[0].on_ns - 1, &first) &&
	    first.state == STATE_WAITING)
		add_wait(out, first.from_ns, first.to_ns);
	add_slices(lane, end_ns, length, out);
	if (out->slices > 0)
		out->median_ns = stats_select(length, out->slices, 0.5);
	free(length);
	return 0;
}

int64_t model_migrations(const struct model *model, const struct model_run *run, uint32_t worker)
{
	if (!model_ended(model, run))
		return model_worker(model, run, worker).migrations;
	return model_lane_migrations(model, run, worker);
}
