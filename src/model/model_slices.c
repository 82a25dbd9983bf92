/* SPDX-License-Identifier: MIT */
#include "model/model_slices.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/stats.h"
#include "model_lanes.h"

bool model_has_slices(const struct model_run *run)
{
	return run->lanes != NULL;
}

const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n)
{
	*n = run->lanes && worker < run->n_workers ? run->lanes[worker].n : 0;
	return *n ? run->lanes[worker].slices : NULL;
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

/* How many of the slices begin at t_ns or before. */
static size_t begun(const struct sample_slice *slices, size_t n, int64_t t_ns)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slices[middle].on_ns <= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static enum model_state state_after(const struct sample_slice *slice)
{
	switch ((enum sample_why)slice->why) {
	case WHY_PREEMPTED:
		return STATE_WAITING;
	case WHY_BLOCKED:
		return STATE_BLOCKED;
	case WHY_ENDED:
		return STATE_NONE;
	default:
		return STATE_UNKNOWN;
	}
}

/* Before the first slice: it has not begun, stands at the gate, or waits for its first turn. */
static void before_first(const struct sample_worker *worker, int64_t first_ns, int64_t t_ns,
			 struct model_stretch *out)
{
	int64_t begin = sample_worker_begin(worker);
	int64_t work = worker->work_ns >= 0 ? worker->work_ns : first_ns;

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

static void within(const struct sample_worker *worker, const struct sample_slice *slices, size_t n,
		   int64_t t_ns, struct model_stretch *out)
{
	size_t i = begun(slices, n, t_ns);
	const struct sample_slice *last;

	if (i == 0) {
		before_first(worker, slices[0].on_ns, t_ns, out);
		return;
	}
	last = &slices[i - 1];
	if (last->off_ns < 0 || t_ns < last->off_ns) {
		*out = (struct model_stretch) {last->on_ns,
					       last->off_ns < 0 ? INT64_MAX : last->off_ns,
					       STATE_ON, last->cpu};
		return;
	}
	out->from_ns = last->off_ns;
	out->to_ns = i < n ? slices[i].on_ns : INT64_MAX;
	out->state = state_after(last);
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
	const struct sample_worker *known = &run->workers[worker];
	int64_t end_ns = least(cursor(model, run), end_of(known));
	size_t n;
	const struct sample_slice *slices = model_slices(run, worker, &n);

	*out = (struct model_stretch) {0, INT64_MAX, STATE_NONE, -1};
	if (t_ns < 0 || t_ns >= end_ns)
		return false;
	if (n > 0)
		within(known, slices, n, t_ns, out);
	else
		without(known, t_ns, out);
	out->to_ns = least(out->to_ns, end_ns);
	return true;
}

void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares)
{
	struct model_stretch stretch;

	for (int64_t t = from_ns > 0 ? from_ns : 0;
	     t < to_ns && model_stretch_at(model, run, worker, t, &stretch); t = stretch.to_ns)
		shares->ns[stretch.state] += (double)(least(stretch.to_ns, to_ns) - t);
}

static void add_slice(struct model_lane_figures *out, double *length, int16_t *cpu,
		      const struct sample_slice *slice, int64_t off_ns)
{
	length[out->slices++] = (double)(off_ns - slice->on_ns);
	out->longest_ns = fmax(out->longest_ns, length[out->slices - 1]);
	out->migrations += *cpu >= 0 && slice->cpu >= 0 && slice->cpu != *cpu;
	if (slice->cpu >= 0) {
		*cpu = slice->cpu;
		out->cores |= slice->cpu < 64 ? UINT64_C(1) << slice->cpu : 0;
	}
}

static void add_waits(const struct model *model, const struct model_run *run, uint32_t worker,
		      struct model_lane_figures *out)
{
	struct model_stretch stretch;

	for (int64_t t = 0; model_stretch_at(model, run, worker, t, &stretch); t = stretch.to_ns) {
		out->shares.ns[stretch.state] += (double)(stretch.to_ns - t);
		if (stretch.state != STATE_WAITING)
			continue;
		out->waits++;
		out->longest_wait_ns = fmax(out->longest_wait_ns, (double)(stretch.to_ns - t));
	}
}

int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out)
{
	size_t n;
	const struct sample_slice *slices = model_slices(run, worker, &n);
	int64_t now_ns = cursor(model, run);
	double *length = calloc(n + 1, sizeof(*length));
	int16_t cpu = -1;

	*out = (struct model_lane_figures) {.median_ns = NAN};
	if (!length)
		return -ENOMEM;
	for (size_t i = 0; i < n && slices[i].on_ns < now_ns; i++)
		add_slice(out, length, &cpu, &slices[i],
			  slices[i].off_ns < 0 ? now_ns : least(slices[i].off_ns, now_ns));
	if (out->slices > 0)
		out->median_ns = stats_select(length, out->slices, 0.5);
	add_waits(model, run, worker, out);
	free(length);
	return 0;
}
