/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/sample_task.h"

enum model_state model_lane_after(const struct sample_slice *slice)
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

int64_t model_lane_ready(const struct sample_slice *slice, const struct sample_slice *next,
			 int64_t off_ns, int64_t to_ns)
{
	if (!next || slice->why != WHY_BLOCKED || next->ready_ns < slice->off_ns)
		return to_ns;
	return MAX(off_ns, MIN(next->ready_ns, to_ns));
}

size_t model_lane_begun(const struct model_lane *lane, int64_t t_ns)
{
	if (!lane)
		return 0;
	return array_up_to(lane->slices, lane->n, sizeof(*lane->slices),
			   offsetof(struct sample_slice, on_ns), t_ns);
}

/* The time in each state up to t_ns, over the first n slices and the gaps between them. */
static struct lane_time lane_sum(const struct model_lane *lane, size_t n, int64_t t_ns)
{
	struct lane_time time = {{0}};
	size_t block = (n - 1) / LANE_BLOCK;

	if (n == 0)
		return time;
	if (block > 0)
		time = lane->blocks[block - 1];
	for (size_t i = block * LANE_BLOCK; i < n; i++) {
		const struct sample_slice *slice = &lane->slices[i];
		int64_t next = i + 1 < n ? slice[1].on_ns : t_ns;
		int64_t off = slice->off_ns < 0 ? next : MIN(slice->off_ns, next);
		int64_t ready = model_lane_ready(slice, model_lane_slice(lane, i + 1), off, next);

		time.ns[STATE_ON] += off - slice->on_ns;
		time.ns[model_lane_after(slice)] += ready - off;
		time.ns[STATE_WAITING] += next - ready;
	}
	return time;
}

struct lane_time model_lane_until(const struct model_lane *lane, int64_t t_ns)
{
	return lane_sum(lane, model_lane_begun(lane, t_ns), t_ns);
}

static void lane_move(struct model_lane *lane, model_move *move, void *arg)
{
	lane->cap = lane->n;
	lane->cap_blocks = lane->n > 0 ? (lane->n - 1) / LANE_BLOCK : 0;
	lane->slices = move(arg, lane->slices, lane->cap * sizeof(*lane->slices));
	lane->blocks = move(arg, lane->blocks, lane->cap_blocks * sizeof(*lane->blocks));
}

static void lane_free(struct model_lane *lane)
{
	free(lane->slices);
	free(lane->blocks);
}

static int lane_add(struct model_lane *lane, const struct sample_slice *slice)
{
	size_t i = lane->n;

	if (!array_grow(&lane->slices, lane->n, &lane->cap, sizeof(*lane->slices)))
		return -ENOMEM;
	if (lane->n >= LANE_BLOCK && !array_grow(&lane->blocks, lane->n / LANE_BLOCK - 1,
						 &lane->cap_blocks, sizeof(*lane->blocks)))
		return -ENOMEM;
	while (i > 0 && lane->slices[i - 1].on_ns > slice->on_ns)
		i--;
	memmove(lane->slices + i + 1, lane->slices + i, (lane->n - i) * sizeof(*slice));
	lane->slices[i] = *slice;
	lane->inserted += i < lane->n;
	lane->n++;
	if (slice->waited > 0 && model_lane_asks(lane, i)) {
		lane->gil_asks += slice->waited == WAIT_GIL;
		lane->other_asks += slice->waited != WAIT_GIL;
	}
	/* Recompute the sums from the first block that begins at or after the new slice. */
	for (i = MAX(1, (i + LANE_BLOCK - 1) / LANE_BLOCK) * LANE_BLOCK; i < lane->n;
	     i += LANE_BLOCK)
		lane->blocks[i / LANE_BLOCK - 1] = lane_sum(lane, i, lane->slices[i].on_ns);
	return 0;
}

/* Whether the slice is valid, and begins no earlier than the end of the lane's last slice. */
static bool lane_fits(const struct model_lane *lane, const struct sample_slice *slice)
{
	if (slice->on_ns < 0 || (slice->off_ns >= 0 && slice->off_ns < slice->on_ns))
		return false;
	return lane->n == 0 || slice->on_ns >= lane->slices[lane->n - 1].off_ns;
}

static struct model_core *core_of(struct model_cores *cores, int16_t cpu)
{
	size_t wanted = MAX(8, (size_t)cpu + 1);
	struct model_core *list;

	if (cpu < 0)
		return NULL;
	if ((size_t)cpu < cores->n)
		return &cores->list[cpu];
	while (wanted < 2 * cores->n)
		wanted *= 2;
	list = reallocarray(cores->list, wanted, sizeof(*list));
	if (!list)
		return NULL;
	memset(list + cores->n, 0, (wanted - cores->n) * sizeof(*list));
	cores->list = list;
	cores->n = wanted;
	return &list[cpu];
}

static void drop_open(struct model_lane *lane)
{
	if (lane->n > 0 && lane->slices[lane->n - 1].open)
		lane->n--;
}

/* Appends a slice to a lane. Returns 0, -ENOMEM, or -EPROTO if it does not fit there. */
static int take_into(struct model_lane *lane, const struct sample_slice *slice)
{
	/* The new slice is a later version of the lane's open slice, so it replaces that one. */
	drop_open(lane);
	if (lane_fits(lane, slice))
		return lane_add(lane, slice);
	return -EPROTO;
}

/* Puts a slice into a lane and, if it has ended, notes it for model_core_lanes_merge(). */
static int take_fresh(struct model_run *run, struct model_lane *lane,
		      const struct sample_slice *slice)
{
	struct model_cores *cores = run->cores;
	int err = take_into(lane, slice);

	if (err || slice->open)
		return err;
	if (!array_grow(&cores->fresh, cores->n_fresh, &cores->cap_fresh, sizeof(*cores->fresh)))
		return -ENOMEM;
	cores->fresh[cores->n_fresh++] =
		(struct fresh_slice) {slice->on_ns, slice->index, (uint32_t)lane->n - 1};
	return 0;
}

/*
 * Puts a slice of other programs into the core's second lane, if it has ended and follows the
 * previous slice there. Returns 0, -ENOMEM, or -EPROTO if it does not fit.
 */
static int take_others(struct model_cores *cores, const struct sample_slice *slice)
{
	struct model_core *core;

	if (slice->cpu < 0 || slice->off_ns < 0)
		return -EPROTO;
	core = core_of(cores, slice->cpu);
	if (!core)
		return -ENOMEM;
	cores->exact = true;
	if (lane_fits(&core->others, slice))
		return lane_add(&core->others, slice);
	return -EPROTO;
}

/*
 * Puts a slice into the lane of its worker or task. known: the run's cores are known, so also fills
 * the lanes of the cores; a slice of other programs goes there alone. Returns 0, -ENOMEM, or
 * -EPROTO for a slice that has no lane or does not fit there.
 */
static int take_slice(struct model_run *run, const struct sample_slice *slice, bool known)
{
	const size_t task = slice->index - run->n_workers;
	const bool others = slice->index == SAMPLE_OTHERS;
	struct model_lane *lane;

	if (!run->lanes)
		run->lanes = calloc(run->n_workers, sizeof(*run->lanes));
	if (!run->cores && known)
		run->cores = calloc(1, sizeof(*run->cores));
	if (!run->lanes || (known && !run->cores))
		return -ENOMEM;
	/* Merged slices may overlap on a core. */
	known &= slice->merged == 0;
	if (others && !known)
		return 0;
	if (others)
		return take_others(run->cores, slice);
	if (slice->index < run->n_workers)
		lane = &run->lanes[slice->index];
	else if (task < run->n_tasks)
		lane = &run->tasks[task].lane;
	else
		return -EPROTO;
	if (known)
		return take_fresh(run, lane, slice);
	return take_into(lane, slice);
}

int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n,
		     bool cores)
{
	int err = 0;

	for (uint32_t i = 0; i < n; i++) {
		int taken = take_slice(run, &slices[i], cores);

		if (taken)
			err = taken;
		else
			run->slices_merged += slices[i].merged;
		if (err == -ENOMEM)
			break;
	}
	return err;
}

void model_lanes_end(struct model_run *run)
{
	for (uint32_t i = 0; run->lanes && i < run->n_workers; i++)
		drop_open(&run->lanes[i]);
	for (size_t i = 0; i < run->n_tasks; i++)
		drop_open(&run->tasks[i].lane);
}

int model_tasks_take(struct model_run *run, const struct sample_task *tasks, uint32_t n)
{
	int err = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct sample_task *task = &tasks[i];
		const size_t at = task->index - run->n_workers;

		if (task->index < run->n_workers || at > run->n_tasks || at >= SAMPLE_MOST_TASKS ||
		    task->worker >= run->n_workers || task->parent >= (int32_t)task->index ||
		    (task->parent >= 0 && task->parent < (int32_t)run->n_workers)) {
			err = -EPROTO;
			continue;
		}
		if (!array_grow(&run->tasks, run->n_tasks, &run->cap_tasks, sizeof(*run->tasks)))
			return -ENOMEM;
		run->task_changes +=
			at == run->n_tasks || strcmp(run->tasks[at].known.name, task->name);
		if (at == run->n_tasks)
			run->tasks[run->n_tasks++].lane = (struct model_lane) {.n = 0};
		run->tasks[at].known = *task;
	}
	return err;
}

size_t model_tasks_bytes(const struct model_run *run)
{
	size_t bytes = run->cap_tasks * sizeof(*run->tasks);

	for (size_t i = 0; i < run->n_tasks; i++)
		/* Slices count twice, because the lanes of the cores have copies of them. */
		bytes += 2 * run->tasks[i].lane.cap * sizeof(struct sample_slice) +
			 run->tasks[i].lane.cap_blocks * sizeof(struct lane_time);
	return bytes;
}

void model_task_leave_lane(struct model_task *task)
{
	lane_free(&task->lane);
	task->lane = (struct model_lane) {0};
}

void model_tasks_move(struct model_run *run, model_move *move, void *arg)
{
	for (size_t i = 0; i < run->n_tasks; i++)
		lane_move(&run->tasks[i].lane, move, arg);
	run->tasks = move(arg, run->tasks, run->n_tasks * sizeof(*run->tasks));
	run->cap_tasks = run->n_tasks;
}

int64_t model_lane_migrations(const struct model *model, const struct model_run *run,
			      uint32_t worker)
{
	int64_t migrations = model_known(run, worker).migrations;
	const struct model_lane *lane;

	/* Moves can be counted only if the slices show every context switch. */
	bool all = run->lanes && !model_has_command_tasks(run) &&
		   strcmp(model->session.sched, "perf") == 0 && run->totals.slices_lost == 0;

	if (migrations >= 0 || run->end_ns == INT64_MAX || !all)
		return migrations;
	lane = &run->lanes[worker];
	if (lane->n > 0)
		migrations = 0;
	for (size_t i = 1; i < lane->n; i++)
		migrations += lane->slices[i].cpu != lane->slices[i - 1].cpu;
	return migrations;
}

static int by_begin(const void *left, const void *right)
{
	const struct fresh_slice *a = left, *b = right;

	if (a->on_ns != b->on_ns) {
		if (a->on_ns < b->on_ns)
			return -1;
		return 1;
	}
	if (a->worker != b->worker) {
		if (a->worker < b->worker)
			return -1;
		return 1;
	}
	return (a->slice > b->slice) - (a->slice < b->slice);
}

/* The lane of a worker or, from n_workers on, of a task. */
static const struct model_lane *lane_at(const struct model_run *run, uint32_t index)
{
	if (index < run->n_workers)
		return &run->lanes[index];
	return &run->tasks[index - run->n_workers].lane;
}

/* A worker's slices belong to its program's first task, if that is known. */
static uint32_t core_owner(const struct model_run *run, uint32_t index)
{
	if (index >= run->n_workers)
		return index;
	for (size_t i = 0; i < run->n_tasks; i++)
		if (run->tasks[i].known.parent < 0 && run->tasks[i].known.worker == index)
			return run->n_workers + (uint32_t)i;
	return index;
}

int model_core_lanes_merge(const struct model_run *run)
{
	struct model_cores *cores = run->cores;

	if (!cores || cores->n_fresh == 0)
		return 0;
	qsort(cores->fresh + cores->merged, cores->n_fresh - cores->merged, sizeof(*cores->fresh),
	      by_begin);
	for (; cores->merged < cores->n_fresh; cores->merged++) {
		const struct fresh_slice *next = &cores->fresh[cores->merged];
		struct sample_slice slice = lane_at(run, next->worker)->slices[next->slice];
		struct model_core *core = core_of(cores, slice.cpu);

		slice.index = core_owner(run, slice.index);
		if (slice.cpu >= 0 && (!core || lane_add(&core->lane, &slice) != 0))
			return -ENOMEM;
	}
	cores->merged = cores->n_fresh = 0;
	return 0;
}

bool model_lane_kept(const struct model_run *run, size_t i, const struct sample_slice **slices,
		     size_t *n)
{
	static const struct model_lane none;
	const struct model_lane *lane = &none;

	if (i < run->n_workers) {
		if (run->lanes)
			lane = &run->lanes[i];
	} else if (i - run->n_workers < run->n_tasks) {
		lane = &run->tasks[i - run->n_workers].lane;
	} else {
		i -= run->n_workers + run->n_tasks;
		if (!run->cores || i >= run->cores->n)
			return false;
		lane = &run->cores->list[i].others;
	}
	*slices = lane->slices;
	*n = lane->n;
	return true;
}

size_t model_cores_seen(const struct model_run *run)
{
	if (!run->cores || !run->lanes || run->slices_partial || run->totals.tasks_lost > 0)
		return 0;
	if (model_core_lanes_merge(run) != 0)
		return 0;
	for (size_t i = 0; i < run->cores->n; i++)
		run->cores->list[i].open = (struct sample_slice) {.off_ns = 0};
	for (uint32_t i = 0; i < run->n_workers + run->n_tasks; i++) {
		const struct model_lane *lane = lane_at(run, i);
		const struct sample_slice *last = model_lane_slice(lane, lane->n - 1);
		struct model_core *core;

		if (!last || !last->open || last->off_ns >= 0 || last->cpu < 0)
			continue;
		core = core_of(run->cores, last->cpu);
		if (!core)
			return 0;
		/* If two tasks seem to have the core, the one that got it last has it. */
		if (core->open.off_ns < 0 && core->open.on_ns >= last->on_ns)
			continue;
		core->open = *last;
		core->open.index = core_owner(run, i);
	}
	return run->cores->n;
}

bool model_core_used(const struct model_run *run, size_t cpu)
{
	return run->cores && cpu < run->cores->n &&
	       (run->cores->list[cpu].lane.n > 0 || run->cores->list[cpu].open.off_ns < 0);
}

bool model_cores_exact(const struct model_run *run)
{
	return run->cores && run->cores->exact;
}

/* Returns an empty core if no worker of the run was seen there. */
static const struct model_core *core_at(const struct model_run *run, size_t cpu)
{
	static const struct model_core none;

	if (cpu < run->cores->n)
		return &run->cores->list[cpu];
	return &none;
}

const struct sample_slice *model_core_others(const struct model_run *run, size_t cpu, size_t *n)
{
	const struct model_core *core = run->cores ? core_at(run, cpu) : NULL;

	if (core)
		*n = core->others.n;
	else
		*n = 0;
	if (core)
		return core->others.slices;
	return NULL;
}

int64_t model_cursor(const struct model *model, const struct model_run *run)
{
	return MIN(model->now_ns, run->end_ns) - run->begin_ns;
}

/* A moment in a run on a core, for find_core_stretch(). */
struct core_moment {
	const struct model_run *run;
	const struct model_core *core;
	int64_t sched_ns; /* Shortest time off a core that the source detects, ns; -1: none. */
	/* t_ns: the moment. end_ns: the end of the known time, which is later. */
	int64_t t_ns, end_ns;
	/* Numbers of slices in the two lanes that have begun by t_ns. */
	size_t begun, others_begun;
};

/*
 * Finds who uses the core at the moment, and from when to when: a worker, other programs or nobody.
 * In a gap between two workers, slices of other programs decide if they were recorded. Otherwise,
 * other programs had the core if the worker before the gap was preempted and the gap is longer than
 * twice sched_ns.
 */
static void find_core_stretch(const struct core_moment *at, struct model_core_stretch *out)
{
	const struct model_run *run = at->run;
	const struct model_core *core = at->core;
	const struct model_lane *lane = &core->lane, *others = &core->others;
	const int64_t t_ns = at->t_ns, end_ns = at->end_ns;
	const size_t i = at->begun, k = at->others_begun;
	const struct sample_slice *last = model_lane_slice(lane, i - 1);
	const struct sample_slice *other = model_lane_slice(others, k - 1);

	*out = (struct model_core_stretch) {0, INT64_MAX, CORE_FREE, 0};
	if (core->open.off_ns < 0 && t_ns >= core->open.on_ns) {
		*out = (struct model_core_stretch) {core->open.on_ns, end_ns, CORE_OURS,
						    core->open.index};
		return;
	}
	if (core->open.off_ns < 0)
		out->to_ns = core->open.on_ns;
	if (i < lane->n)
		out->to_ns = MIN(out->to_ns, lane->slices[i].on_ns);
	if (last && t_ns < last->off_ns) {
		*out = (struct model_core_stretch) {last->on_ns, MIN(out->to_ns, last->off_ns),
						    CORE_OURS, last->index};
	} else if (last) {
		out->from_ns = last->off_ns;
		if (out->to_ns != INT64_MAX && last->why == WHY_PREEMPTED &&
		    out->to_ns - out->from_ns > 2 * at->sched_ns)
			out->state = CORE_OTHERS;
	}
	out->to_ns = MIN(out->to_ns, end_ns);
	if (!run->cores->exact || out->state == CORE_OURS)
		return;
	if (other && t_ns < other->off_ns) {
		out->state = CORE_OTHERS;
		out->from_ns = MAX(out->from_ns, other->on_ns);
		out->to_ns = MIN(out->to_ns, other->off_ns);
		return;
	}
	out->state = CORE_FREE;
	if (other)
		out->from_ns = MAX(out->from_ns, other->off_ns);
	if (k < others->n)
		out->to_ns = MIN(out->to_ns, others->slices[k].on_ns);
}

static struct core_moment core_moment(const struct model *model, const struct model_run *run,
				      size_t cpu, int64_t t_ns)
{
	const struct model_core *core = core_at(run, cpu);

	return (struct core_moment) {
		.run = run,
		.core = core,
		.sched_ns = model->session.sched_ns,
		.t_ns = t_ns,
		.end_ns = model_cursor(model, run),
		.begun = model_lane_begun(&core->lane, t_ns),
		.others_begun = model_lane_begun(&core->others, t_ns),
	};
}

bool model_core_stretch_at(const struct model *model, const struct model_run *run, size_t cpu,
			   int64_t t_ns, struct model_core_stretch *out)
{
	const struct core_moment at = core_moment(model, run, cpu, t_ns);

	*out = (struct model_core_stretch) {0, INT64_MAX, CORE_FREE, 0};
	if (t_ns < 0 || t_ns >= at.end_ns)
		return false;
	find_core_stretch(&at, out);
	return true;
}

/* Like model_lane_begun(), but starts at slice n. All slices before n must have begun. */
static size_t lane_begun_next(const struct model_lane *lane, size_t n, int64_t t_ns)
{
	for (; n < lane->n; n++)
		if (lane->slices[n].on_ns > t_ns)
			break;
	return n;
}

void model_core_stretches(const struct model *model, const struct model_run *run, size_t cpu,
			  int64_t from_ns, int64_t to_ns,
			  void (*visit)(void *arg, const struct model_core_stretch *stretch),
			  void *arg)
{
	struct core_moment at = core_moment(model, run, cpu, MAX(0, from_ns));
	struct model_core_stretch stretch;

	to_ns = MIN(to_ns, at.end_ns);
	while (at.t_ns < to_ns) {
		find_core_stretch(&at, &stretch);
		visit(arg, &stretch);
		at.t_ns = MAX(stretch.to_ns, at.t_ns + 1);
		at.begun = lane_begun_next(&at.core->lane, at.begun, at.t_ns);
		at.others_begun = lane_begun_next(&at.core->others, at.others_begun, at.t_ns);
	}
}

int64_t model_core_settled(const struct model_run *run, size_t cpu, uint64_t *version)
{
	const struct model_core *core = core_at(run, cpu);
	const struct model_lane *lane = &core->lane, *others = &core->others;
	const bool exact = run->cores->exact;
	int64_t settled_ns;

	*version = 2 * (uint64_t)lane->inserted + exact;
	if (run->end_ns != INT64_MAX)
		return INT64_MAX;
	if (lane->n == 0 || (exact && others->n == 0))
		return 0;
	settled_ns = lane->slices[lane->n - 1].on_ns;
	if (exact)
		settled_ns = MIN(settled_ns, others->slices[others->n - 1].on_ns);
	if (core->open.off_ns < 0)
		settled_ns = MIN(settled_ns, core->open.on_ns);
	return settled_ns;
}

void model_core_shares_until(const struct model *model, const struct model_run *run, size_t cpu,
			     int64_t t_ns, struct model_core_shares *shares)
{
	const struct model_core *core = core_at(run, cpu);
	int64_t end_ns = MIN(t_ns, model_cursor(model, run)), lane_end = end_ns;
	struct lane_time time;

	*shares = (struct model_core_shares) {{0}};
	if (end_ns <= 0)
		return;
	if (core->open.off_ns < 0 && core->open.on_ns < end_ns) {
		lane_end = core->open.on_ns;
		shares->ns[CORE_OURS] = (double)(end_ns - lane_end);
	}
	time = model_lane_until(&core->lane, lane_end);
	shares->ns[CORE_OURS] += (double)time.ns[STATE_ON];
	if (run->cores->exact)
		time.ns[STATE_WAITING] = model_lane_until(&core->others, end_ns).ns[STATE_ON];
	shares->ns[CORE_OTHERS] = (double)time.ns[STATE_WAITING];
	shares->ns[CORE_FREE] = (double)end_ns - shares->ns[CORE_OURS] - shares->ns[CORE_OTHERS];
}

void model_cores_free(struct model_run *run)
{
	struct model_cores *cores = run->cores;

	if (!cores)
		return;
	for (size_t i = 0; i < cores->n; i++) {
		lane_free(&cores->list[i].lane);
		lane_free(&cores->list[i].others);
	}
	free(cores->list);
	free(cores->fresh);
	free(cores);
	run->cores = NULL;
}

void model_cores_move(struct model_run *run, model_move *move, void *arg)
{
	struct model_cores *cores = run->cores;

	if (!cores)
		return;
	for (size_t i = 0; i < cores->n; i++) {
		lane_move(&cores->list[i].lane, move, arg);
		lane_move(&cores->list[i].others, move, arg);
	}
	cores->list = move(arg, cores->list, cores->n * sizeof(*cores->list));
	cores->fresh = move(arg, cores->fresh, cores->n_fresh * sizeof(*cores->fresh));
	cores->cap_fresh = cores->n_fresh;
	run->cores = move(arg, cores, sizeof(*cores));
}

void model_lanes_move(struct model_run *run, model_move *move, void *arg)
{
	model_cores_move(run, move, arg);
	if (!run->lanes)
		return;
	for (uint32_t i = 0; i < run->n_workers; i++)
		lane_move(&run->lanes[i], move, arg);
	run->lanes = move(arg, run->lanes, run->n_workers * sizeof(*run->lanes));
}

void model_lanes_free(struct model_run *run)
{
	if (run->lanes)
		for (uint32_t i = 0; i < run->n_workers; i++)
			lane_free(&run->lanes[i]);
	free(run->lanes);
	run->lanes = NULL;
	model_cores_free(run);
}

/*
 * A thread that waits for Python's GIL wakes up after each switch interval (5 ms), asks for the GIL
 * and waits again. Several such waits fall between two samples of its waits. Each time it asks, it
 * runs for at most ASKS_NS; with the GIL it would run longer.
 */
#define ASKS_NS	      100000
#define GIL_SWITCH_NS 5000000

bool model_lane_is_short(const struct sample_slice *slice)
{
	return slice->off_ns >= 0 && slice->off_ns - slice->on_ns < ASKS_NS;
}

bool model_lane_asks(const struct model_lane *lane, size_t i)
{
	const struct sample_slice *slice = &lane->slices[i];

	return i > 0 && model_lane_is_short(slice) &&
	       model_lane_after(slice - 1) == STATE_BLOCKED &&
	       slice->on_ns - (slice - 1)->off_ns >= GIL_SWITCH_NS;
}
