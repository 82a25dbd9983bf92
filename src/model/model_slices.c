/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "stats/stats.h"

bool model_tasks_sampled(const struct model *model)
{
	return *model->session.tasks_by && strcmp(model->session.tasks_by, SAMPLE_TASKS_PERF) != 0;
}

bool model_hides_cores(const struct model *model, const struct model_run *run)
{
	return model_has_command_tasks(run) && (run->n_tasks == 0 || model_tasks_sampled(model));
}

/*
 * The lane of a worker or task. NULL if it has no slices, or while the slices of its run are still
 * being read. If a command has several tasks, each task has a lane and the worker has none.
 */
static const struct model_lane *lane_of(const struct model_run *run, uint32_t worker)
{
	if (run->slices_partial)
		return NULL;
	if (worker >= run->n_workers) {
		const struct model_task *task = &run->tasks[worker - run->n_workers];

		if (task->lane.n > 0)
			return &task->lane;
		if (task->known.parent >= 0)
			return NULL;
		worker = task->known.worker;
	} else if (model_has_command_tasks(run)) {
		return NULL;
	}
	if (run->lanes && run->lanes[worker].n > 0)
		return &run->lanes[worker];
	return NULL;
}

bool model_has_slices(const struct model_run *run)
{
	if (run->slices_partial)
		return false;
	if (run->lanes && !model_has_command_tasks(run))
		return true;
	for (size_t i = 0; i < run->n_tasks; i++)
		if (lane_of(run, run->n_workers + (uint32_t)i))
			return true;
	return false;
}

const struct sample_slice *model_slices(const struct model_run *run, uint32_t worker, size_t *n)
{
	const struct model_lane *lane =
		worker < run->n_workers + run->n_tasks ? lane_of(run, worker) : NULL;

	*n = 0;
	if (!lane)
		return NULL;
	*n = lane->n;
	return lane->slices;
}

int64_t model_lane_end(const struct model_run *run, uint32_t worker)
{
	size_t n;
	const struct sample_slice *slices = model_slices(run, worker, &n);

	if (n > 0 && slices[n - 1].why == WHY_ENDED)
		return slices[n - 1].off_ns;
	return -1;
}

struct sample_worker model_task_worker(const struct sample_task *task)
{
	struct sample_worker worker = sample_worker_unknown;

	worker.create_ns = worker.created_ns = worker.start_ns = worker.work_ns = task->begin_ns;
	worker.finish_ns = worker.join_ns = task->end_ns;
	worker.pid = task->pid;
	worker.tid = task->tid;
	if (task->end_ns >= 0)
		worker.status = SAMPLE_OK;
	return worker;
}

bool model_task(const struct model *model, const struct model_run *run, size_t i,
		struct sample_task *task)
{
	const int64_t now_ns = model->now_ns - run->begin_ns;

	*task = run->tasks[i].known;
	if (task->end_ns > now_ns) {
		task->end_ns = task->cpu_ns = -1;
		task->exit_status = -1;
	}
	return task->begin_ns <= now_ns;
}

const struct sample_task *model_task_known(const struct model_run *run, size_t i)
{
	return &run->tasks[i].known;
}

int64_t model_tasks_created(const struct model *model, const struct model_run *run)
{
	int64_t n = 0;
	struct sample_task task;

	if (model_ended(model, run)) {
		if (run->totals.tasks_created < 0)
			return -1;
		return run->totals.tasks_created + MAX(0, run->totals.tasks_lost);
	}
	for (size_t i = 0; i < run->n_tasks; i++)
		n += model_task(model, run, i, &task);
	if (*model->session.tasks_by)
		return n;
	return -1;
}

/* The known times of a worker's life. Also accepts the number of a task. */
static struct sample_worker known_life(const struct model_run *run, uint32_t worker)
{
	if (worker < run->n_workers)
		return model_known(run, worker);
	return model_task_worker(&run->tasks[worker - run->n_workers].known);
}

/*
 * When the worker finished or, if that is unknown, was joined. The time of the cursor if that is
 * earlier, or if both are unknown.
 */
static int64_t known_end(const struct model *model, const struct model_run *run,
			 const struct sample_worker *worker)
{
	int64_t cursor_ns = model_cursor(model, run);

	if (worker->finish_ns >= 0)
		return MIN(cursor_ns, worker->finish_ns);
	if (worker->join_ns >= 0)
		return MIN(cursor_ns, worker->join_ns);
	return cursor_ns;
}

/* How many slices is_for_gil() looks back, and ahead. */
#define ASKS_MOST 64
/*
 * Lanes of Python threads that take turns look like this: a wait of one switch interval (5 ms), a
 * short slice that asks for the GIL (model_lane_asks()), a wait for it, a long slice. Most of these
 * waits are not sampled. If at least ASKS_LEAST waits of a lane were sampled, and each sample says
 * GIL, then all of them count as waits for the GIL.
 */
#define ASKS_LEAST 3

/*
 * Whether the wait before slice i counts as a wait for the GIL although it was not sampled, see
 * ASKS_LEAST.
 */
static bool asks_for_gil(const struct model_lane *lane, size_t i)
{
	return lane->gil_asks >= ASKS_LEAST && lane->other_asks == 0 && model_lane_asks(lane, i);
}

/*
 * Whether the wait before slice i, which was not sampled, is part of a wait for the GIL. It is if
 * an earlier or later wait is one, and all slices in between are short.
 */
static bool is_for_gil(const struct model_lane *lane, size_t i)
{
	const struct sample_slice *slices = lane->slices;
	size_t at = i;

	if (asks_for_gil(lane, i))
		return true;
	for (int n = 0; n < ASKS_MOST; n++) {
		if (at <= 0 || !model_lane_is_short(&slices[at - 1]))
			break;
		at--;
		if (slices[at].waited > 0)
			return slices[at].waited == WAIT_GIL;
		if (asks_for_gil(lane, at))
			return true;
	}
	at = i;
	for (int n = 0; n < ASKS_MOST; n++) {
		if (at + 1 >= lane->n || !model_lane_is_short(&slices[at]))
			break;
		at++;
		if (slices[at].waited > 0)
			return slices[at].waited == WAIT_GIL;
	}
	return false;
}

/*
 * What the worker waited for before slice i; 0 if unknown, or if it was not blocked. Slice i has
 * the reason. If there is no slice i yet, the task's last sample has it.
 */
static int16_t waited_of(const struct model_run *run, uint32_t worker,
			 const struct model_lane *lane, size_t i)
{
	const struct sample_slice *last = &lane->slices[i - 1];
	const struct sample_slice *next = model_lane_slice(lane, i);
	const struct sample_task *task =
		worker < run->n_workers ? NULL : &run->tasks[worker - run->n_workers].known;

	if (model_lane_after(last) != STATE_BLOCKED)
		return 0;
	/* A recording with merged slices has these reasons already, see model_merge_next(). */
	if (next && next->waited <= 0 && worker >= run->n_workers && run->slices_merged == 0 &&
	    is_for_gil(lane, i))
		return WAIT_GIL;
	if (next)
		return MAX(0, next->waited);
	if (task && task->waited_ns >= last->off_ns)
		return MAX(0, task->waited);
	return 0;
}

/* How long the task waited for a core in the gap before the slice. */
static int64_t gap_wait_ns(const struct sample_slice *slice)
{
	const struct sample_slice *before = slice - 1;

	return slice->on_ns - model_lane_ready(before, slice, before->off_ns, slice->on_ns);
}

static const struct model_lane *merge_lane(const struct model_merge *merge)
{
	const struct model_run *run = merge->run;

	if (merge->worker >= run->n_workers)
		return &run->tasks[merge->worker - run->n_workers].lane;
	return &run->lanes[merge->worker];
}

/* Whether slice i of the lane can be merged with slices `first` to i - 1. */
static bool can_merge(const struct model_merge *merge, size_t first, size_t i)
{
	const struct model_lane *lane = merge_lane(merge);
	const struct sample_slice *slice = &lane->slices[i], *begin = &lane->slices[first];

	if (slice->open || slice->cpu != begin->cpu || slice[-1].why != begin[-1].why)
		return false;
	if (i - first >= UINT8_MAX || slice->off_ns - begin->on_ns > SAMPLE_MERGED_NS)
		return false;
	if (begin->on_ns < merge->begin_ns && slice->on_ns >= merge->begin_ns)
		return false;
	return waited_of(merge->run, merge->worker, lane, i) ==
	       waited_of(merge->run, merge->worker, lane, first);
}

struct model_merge model_merge_begin(const struct model_run *run, uint32_t worker)
{
	struct model_merge merge = {.run = run, .worker = worker};

	if (worker >= run->n_workers) {
		merge.begin_ns = run->tasks[worker - run->n_workers].known.begin_ns;
		return merge;
	}
	/* A program's first process continues the lane of the worker that started it. */
	for (size_t i = 0; i < run->n_tasks; i++) {
		const struct sample_task *task = &run->tasks[i].known;

		if (task->parent < 0 && task->worker == worker)
			merge.begin_ns = task->begin_ns;
	}
	return merge;
}

bool model_merge_next(struct model_merge *merge, struct sample_slice *next)
{
	const struct model_lane *lane = merge_lane(merge);
	const size_t first = merge->at;
	size_t end = first + 1;
	int64_t on_ns, wait_ns;
	int16_t waited;

	if (first >= lane->n)
		return false;
	*next = lane->slices[first];
	merge->at = end;
	if (first == 0 || next->open)
		return true;
	waited = waited_of(merge->run, merge->worker, lane, first);
	if (waited > 0)
		next->waited = waited;
	on_ns = next->off_ns - next->on_ns;
	wait_ns = gap_wait_ns(&lane->slices[first]);
	for (; end < lane->n; end++) {
		if (!can_merge(merge, first, end))
			break;
		on_ns += lane->slices[end].off_ns - lane->slices[end].on_ns;
		wait_ns += gap_wait_ns(&lane->slices[end]);
	}
	if (end == first + 1)
		return true;
	merge->at = end;
	*next = lane->slices[end - 1];
	next->on_ns = next->off_ns - on_ns;
	if (wait_ns > 0)
		next->ready_ns = next->on_ns - wait_ns;
	else
		next->ready_ns = -1;
	next->waker = -1;
	next->woken = WOKEN_UNKNOWN;
	next->waited = waited;
	next->merged = (uint8_t)(end - first);
	return true;
}

/*
 * The stretch before a lane's first slice: the worker has not begun, waits at the barrier, or waits
 * for a core. If its life begins with the slice, it only waited for a core.
 */
static void before_first(const struct sample_worker *worker, const struct sample_slice *first,
			 int64_t t_ns, struct model_stretch *out)
{
	int64_t first_ns = first->on_ns, begin = sample_worker_begin(worker), work = first_ns;

	if (first->ready_ns > 0) {
		work = first->ready_ns;
		if (begin < 0)
			begin = work;
		else
			begin = MIN(begin, work);
	} else if (first_ns <= worker->start_ns) {
		work = begin;
	} else if (worker->work_ns >= 0) {
		work = worker->work_ns;
	}
	if (begin < 0 || t_ns < begin) {
		out->state = STATE_NONE;
		if (begin < 0)
			out->to_ns = first_ns;
		else
			out->to_ns = MIN(begin, first_ns);
	} else if (t_ns < work) {
		out->state = STATE_BLOCKED;
		out->waited = MAX(0, first->waited);
		out->from_ns = begin;
		out->to_ns = MIN(work, first_ns);
	} else {
		out->state = STATE_WAITING;
		out->from_ns = work;
		out->to_ns = first_ns;
	}
}

/* The stretch that contains t_ns. i: number of slices of the lane that have begun by t_ns. */
static void find_stretch(const struct model_run *run, uint32_t worker,
			 const struct sample_worker *known, const struct model_lane *lane, size_t i,
			 int64_t t_ns, struct model_stretch *out)
{
	const struct sample_slice *last = model_lane_slice(lane, i - 1);
	int64_t begin = sample_worker_begin(known);

	*out = (struct model_stretch) {0, INT64_MAX, STATE_NONE, -1};
	if (lane && !last) {
		before_first(known, &lane->slices[0], t_ns, out);
	} else if (!lane && (begin < 0 || t_ns < begin)) {
		out->to_ns = fields_known_or(begin, INT64_MAX);
	} else if (!lane) {
		/* The worker has begun, but its state is unknown. */
		out->from_ns = begin;
		out->state = STATE_UNKNOWN;
	} else if (last->off_ns < 0 || t_ns < last->off_ns) {
		*out = (struct model_stretch) {.from_ns = last->on_ns,
					       .to_ns = fields_known_or(last->off_ns, INT64_MAX),
					       .state = STATE_ON,
					       .cpu = last->cpu,
					       .merged = last->merged};
	} else {
		/*
		 * The first wait has the reason for which the slice ended. If it is known when that
		 * wait ended, a wait for a core follows.
		 */
		const struct sample_slice *next = model_lane_slice(lane, i);
		int64_t to_ns = next ? next->on_ns : INT64_MAX;
		int64_t ready_ns = model_lane_ready(last, next, last->off_ns, to_ns);
		bool ready = t_ns >= ready_ns && t_ns < to_ns;

		if (ready) {
			out->from_ns = ready_ns;
			out->to_ns = to_ns;
			out->state = STATE_WAITING;
			out->waited = 0;
		} else {
			out->from_ns = last->off_ns;
			out->to_ns = ready_ns;
			out->state = model_lane_after(last);
			out->waited = waited_of(run, worker, lane, i);
		}
	}
}

void model_stretch_known(const struct model_run *run, uint32_t worker, int64_t t_ns,
			 struct model_stretch *out)
{
	const struct sample_worker known = known_life(run, worker);
	const struct model_lane *lane = lane_of(run, worker);

	find_stretch(run, worker, &known, lane, model_lane_begun(lane, t_ns), t_ns, out);
}

bool model_stretch_at(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t t_ns, struct model_stretch *out)
{
	const struct sample_worker known = known_life(run, worker);
	const struct model_lane *lane = lane_of(run, worker);
	int64_t end_ns = known_end(model, run, &known);

	*out = (struct model_stretch) {0, INT64_MAX, STATE_NONE, -1};
	if (t_ns < 0 || t_ns >= end_ns)
		return false;
	find_stretch(run, worker, &known, lane, model_lane_begun(lane, t_ns), t_ns, out);
	out->to_ns = MIN(out->to_ns, end_ns);
	return true;
}

void model_stretches(const struct model *model, const struct model_run *run, uint32_t worker,
		     int64_t from_ns, int64_t to_ns,
		     void (*visit)(void *arg, const struct model_stretch *stretch), void *arg)
{
	const struct model_lane *lane = lane_of(run, worker);
	const struct sample_worker known = known_life(run, worker);
	struct model_stretch stretch;
	int64_t t = MAX(0, from_ns);
	size_t i = model_lane_begun(lane, t);

	for (to_ns = MIN(to_ns, known_end(model, run, &known)); t < to_ns; t = stretch.to_ns) {
		while (lane && i < lane->n && lane->slices[i].on_ns <= t)
			i++;
		find_stretch(run, worker, &known, lane, i, t, &stretch);
		stretch.from_ns = t;
		stretch.to_ns = MIN(stretch.to_ns, to_ns);
		visit(arg, &stretch);
	}
}

void model_shares_until(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t t_ns, struct model_shares *shares)
{
	const struct sample_worker known = known_life(run, worker);
	const struct model_lane *lane = lane_of(run, worker);
	int64_t end_ns = MIN(t_ns, known_end(model, run, &known));
	int64_t begin_ns = sample_worker_begin(&known);
	struct lane_time time;

	*shares = (struct model_shares) {{0}};
	if (!lane) {
		if (begin_ns >= 0 && end_ns > begin_ns)
			shares->ns[STATE_UNKNOWN] = (double)(end_ns - begin_ns);
		return;
	}
	/* Before the first slice: not begun, then at the barrier, then waiting for a core. */
	struct model_stretch stretch;

	for (int64_t t = 0; t < MIN(lane->slices[0].on_ns, end_ns); t = stretch.to_ns) {
		stretch = (struct model_stretch) {0, INT64_MAX, STATE_NONE, -1};
		before_first(&known, &lane->slices[0], t, &stretch);
		shares->ns[stretch.state] += (double)(MIN(stretch.to_ns, end_ns) - t);
	}
	time = model_lane_until(lane, end_ns);
	for (int i = 0; i < MODEL_STATES; i++)
		shares->ns[i] += (double)time.ns[i];
}

void model_shares_add(const struct model *model, const struct model_run *run, uint32_t worker,
		      int64_t from_ns, int64_t to_ns, struct model_shares *shares)
{
	struct model_shares before, after;

	model_shares_until(model, run, worker, from_ns, &before);
	model_shares_until(model, run, worker, MAX(from_ns, to_ns), &after);
	for (int i = 0; i < MODEL_STATES; i++)
		shares->ns[i] += after.ns[i] - before.ns[i];
}

struct waits {
	struct model_wait *list;
	size_t n, most;
};

static void add_blocked(void *arg, const struct model_stretch *stretch)
{
	struct waits *waits = arg;
	int waited = stretch->waited;
	size_t i;

	if (stretch->state != STATE_BLOCKED)
		return;
	for (i = 0; i < waits->n; i++)
		if (waits->list[i].waited == waited)
			break;
	if (i == waits->most)
		for (i = 0; i + 1 < waits->n; i++)
			if (waits->list[i].waited <= 0)
				break;
	if (i == waits->n)
		waits->list[waits->n++] = (struct model_wait) {waited, 0};
	if (waits->list[i].waited != waited)
		waits->list[i].waited = 0;
	waits->list[i].ns += (double)(stretch->to_ns - stretch->from_ns);
}

static int compare_waits(const void *a, const void *b)
{
	const struct model_wait *x = a, *y = b;

	if (x->ns != y->ns)
		return (x->ns < y->ns) - (x->ns > y->ns);
	return (x->waited > y->waited) - (x->waited < y->waited);
}

size_t model_waits_add(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_wait *list, size_t n, size_t most)
{
	const struct sample_worker known = known_life(run, worker);
	struct waits waits = {list, n, most};

	model_stretches(model, run, worker, sample_worker_begin(&known), INT64_MAX, add_blocked,
			&waits);
	if (waits.n > 0)
		qsort(list, waits.n, sizeof(*list), compare_waits);
	return waits.n;
}

static void add_wait(struct model_lane_figures *out, int64_t from_ns, int64_t to_ns)
{
	if (to_ns <= from_ns)
		return;
	out->waits++;
	out->longest_wait_ns = fmax(out->longest_wait_ns, (double)(to_ns - from_ns));
}

int model_lane_figures(const struct model *model, const struct model_run *run, uint32_t worker,
		       struct model_lane_figures *out)
{
	const struct model_lane *lane = lane_of(run, worker);
	const struct sample_worker known = known_life(run, worker);
	int64_t end_ns = known_end(model, run, &known);
	struct model_stretch first;
	int16_t cpu = -1;
	double *length;
	size_t n = 0;

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
	for (size_t i = 0; i < lane->n; i++) {
		const struct sample_slice *slice = &lane->slices[i];
		const struct sample_slice *next = model_lane_slice(lane, i + 1);
		int64_t off_ns = MIN(fields_known_or(slice->off_ns, end_ns), end_ns);
		int64_t next_ns = next ? MIN(next->on_ns, end_ns) : end_ns;
		int64_t ready_ns = slice->off_ns;

		if (slice->on_ns >= end_ns)
			break;
		length[n] = (double)(off_ns - slice->on_ns);
		out->longest_ns = fmax(out->longest_ns, length[n++]);
		out->slices += MAX(1, slice->merged);
		out->migrations += cpu >= 0 && slice->cpu >= 0 && slice->cpu != cpu;
		if (slice->cpu >= 0) {
			cpu = slice->cpu;
			CPU_SET((size_t)slice->cpu, &out->cores);
		}
		if (slice->why != WHY_PREEMPTED)
			ready_ns = model_lane_ready(slice, next, slice->off_ns, next_ns);
		add_wait(out, ready_ns, next_ns);
	}
	if (n > 0)
		out->median_ns = stats_select(length, n, 0.5);
	/* A merged slice is a sum of several slices, whose lengths are not known. */
	if (n < out->slices)
		out->median_ns = out->longest_ns = out->longest_wait_ns = NAN;
	free(length);
	return 0;
}
