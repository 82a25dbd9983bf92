/* SPDX-License-Identifier: MIT */
#include "live_slices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/array.h"
#include "base/procfs.h"

/* Largest number of slices in a run. Any further ones are treated as lost. */
#define MOST_SLICES 1000000u
/*
 * If the time between two context switches is shorter than this, no other task can have run in
 * between.
 */
#define SWITCH_NS 5000
/*
 * OTHERS_NS: shortest slice of other programs that is shown. NAMED_NS: CPU time after which a
 * program's name is read. MOST_NAMES: the most names to read.
 */
#define OTHERS_NS  10000
#define MOST_NAMES 256u
#define NAMED_NS   200000

int live_perf_open(struct live_perf *perf, struct live_ring *ring, enum ring_reach reach,
		   pid_t runner, const cpu_set_t *set, const struct scoreboard *board)
{
	int err;

	memset(perf, 0, sizeof(*perf));
	perf->runner = runner;
	perf->self = getpid();
	perf->board = board;
	err = live_ring_open(ring, reach, runner, set);
	if (err < 0)
		return err;
	perf->ring = ring;
	perf->cores = calloc(perf->ring->n, sizeof(*perf->cores));
	perf->workers = calloc(board->slots, sizeof(*perf->workers));
	perf->tasks = &perf->own;
	err = live_tasks_open(&perf->own, TASKS_BY_NOBODY, runner, board);
	if (perf->cores && perf->workers)
		return err;
	return -ENOMEM;
}

/* The newest task with that number. */
static struct live_task *find_task(const struct live_perf *perf, int32_t tid)
{
	return live_tasks_newest(perf->tasks, tid, INT64_MAX);
}

/* by: task number of the creator, 0 if unknown. Returns NULL if memory is short. */
static struct live_task *add_task(struct live_perf *perf, const struct ring_event *event,
				  int32_t by, bool ours)
{
	struct live_task *task = NULL;

	if (ours && perf->tasks->by == TASKS_BY_PERF)
		task = live_tasks_begin(perf->tasks, event->tid, event->pid, by,
					(int64_t)event->time_ns);
	if (!task)
		task = live_tasks_add(perf->tasks, event->tid);
	if (task)
		task->ours = ours;
	return task;
}

static void keep_slice(struct live_perf *perf, const struct sample_slice *slice)
{
	if (perf->taken + perf->n_ended < MOST_SLICES &&
	    array_grow(&perf->ended, perf->n_ended, &perf->cap_ended, sizeof(*slice)))
		perf->ended[perf->n_ended++] = *slice;
	else
		perf->lost++;
}

static void keep_slice_of(struct live_perf *perf, const struct live_task *task, int64_t on_ns,
			  int64_t off_ns, enum sample_why why)
{
	const struct sample_slice slice = {
		.waker = task->waker,
		.waited = -1,
		.woken = task->woken,
		.ready_ns = task->ready_ns,
		.on_ns = on_ns,
		.off_ns = off_ns,
		.index = (uint32_t)(task - perf->tasks->list),
		.cpu = task->cpu,
		.why = (uint8_t)why,
	};

	if (task->ours)
		keep_slice(perf, &slice);
}

/*
 * Ends a slice. If the record of its beginning was lost, the time since the last slice is unknown.
 */
static void end_slice(struct live_perf *perf, struct live_task *task, int64_t off_ns,
		      enum sample_why why)
{
	const int64_t before_ns = task->used_ns;
	char path[32];

	if (task->on_ns >= 0) {
		keep_slice_of(perf, task, task->on_ns, off_ns, why);
		task->used_ns += off_ns - task->on_ns;
	} else if (task->seen) {
		if (task->off_ns > 0)
			keep_slice_of(perf, task, task->off_ns, task->off_ns, WHY_UNKNOWN);
		keep_slice_of(perf, task, off_ns, off_ns, why);
	}
	/*
	 * Only programs that used some CPU time are named, because most only wake up for a moment.
	 */
	if (!task->ours && !*task->name && before_ns < NAMED_NS && task->used_ns >= NAMED_NS &&
	    task->tid != perf->self && perf->read++ < MOST_NAMES) {
		snprintf(path, sizeof(path), "%d/comm", task->tid);
		procfs_read_text("/proc", path, task->name, sizeof(task->name));
	}
	task->on_ns = -1;
	task->off_ns = off_ns;
	task->ready_ns = task->waker = -1;
	task->woken = WOKEN_UNKNOWN;
}

/*
 * Finds a record's task. Adds a task without earlier records, with unknown times. NULL if that is
 * not possible.
 */
static struct live_task *task_of(struct live_perf *perf, const struct ring_event *event)
{
	const uint32_t running = perf->cores[event->core].running;
	struct live_task *task;

	/* The record of a task that leaves a core for the last time may have no task number. */
	if (event->tid < 0) {
		if (running)
			return &perf->tasks->list[running - 1];
		return NULL;
	}
	task = find_task(perf, event->tid);
	if (task)
		return task;
	/*
	 * There is no record of the task's creation: it was lost, or the task is older than the
	 * records. The task is ours if only our tasks are recorded, or if its process is the
	 * runner.
	 */
	task = add_task(perf, event, 0,
			perf->ring->reach == RING_TASKS || event->pid == perf->runner);
	/*
	 * Without a parent, the record of its creation was lost. Others may have been lost with it,
	 * so the number of missing tasks is unknown.
	 */
	if (task && task->ours)
		perf->tasks->overflowed |= !task->parent;
	return task;
}

/*
 * Ends the slice of other programs on a core. All of them together are one slice. Drops very short
 * slices.
 */
static void end_others(struct live_perf *perf, struct perf_core *core, int16_t cpu, int64_t off_ns)
{
	if (core->others_ns > 0 && off_ns - core->others_ns >= OTHERS_NS)
		keep_slice(perf, &(struct sample_slice) {.on_ns = core->others_ns,
							 .off_ns = off_ns,
							 .index = TASK_NOBODY,
							 .cpu = cpu,
							 .waker = -1,
							 .waited = -1,
							 .ready_ns = -1});
	core->others_ns = 0;
}

/*
 * Updates the state of a core. With RING_CORES, the task that gets the core is one of ours, one of
 * another program, or the idle task (number 0).
 */
static void see_core(struct live_perf *perf, const struct ring_event *event)
{
	struct perf_core *core = &perf->cores[event->core];
	const struct live_task *task = core->running ? &perf->tasks->list[core->running - 1] : NULL;
	bool others;

	if (event->kind == RING_OFF) {
		core->left_ns = (int64_t)event->time_ns;
		core->left_tid = event->tid;
	}
	if (event->kind != RING_ON || perf->ring->reach != RING_CORES)
		return;
	others = event->tid != 0 && task && !task->ours;
	/* other 0: the core was idle before. Not all kernels record switches to the idle task. */
	if (!others || event->other == 0)
		end_others(perf, core, event->cpu, core->left_ns);
	if (others && core->others_ns == 0)
		core->others_ns = task->on_ns;
}

static void take_on(struct live_perf *perf, struct live_task *task, const struct ring_event *event)
{
	struct perf_core *core = &perf->cores[event->core];
	const int64_t now_ns = (int64_t)event->time_ns;
	bool next;

	if (task->on_ns >= 0)
		keep_slice_of(perf, task, task->on_ns, task->on_ns, WHY_UNKNOWN);
	/*
	 * Another core may have woken the task just before the task left its core. The task waits
	 * from the later of the two moments on.
	 */
	if (task->woken_ns >= 0) {
		task->ready_ns = MAX(task->woken_ns, task->off_ns);
		task->waker = task->woken_by;
		task->woken = task->woken_what;
	}
	task->woken_ns = -1;
	/*
	 * The kernel writes the record 1 to 4 µs after the switch began, and charges that time to
	 * the next task. So a slice begins when the previous task left the core, unless an unseen
	 * task ran in between. With RING_CORES, the record names the previous task, even if it is
	 * the idle task. Without RING_CORES, the time decides: an unseen task would have needed
	 * more than SWITCH_NS.
	 */
	if (perf->ring->reach == RING_CORES)
		next = core->left_tid == event->other;
	else
		next = now_ns - core->left_ns < SWITCH_NS;
	/* The task may have left its previous core later than the previous task left this core. */
	task->on_ns = MAX(core->left_ns > 0 && next ? core->left_ns : now_ns, task->off_ns);
	task->cpu = event->cpu;
	task->seen = true;
	core->running = (uint32_t)(task - perf->tasks->list) + 1;
}

/*
 * Handles a task that leaves its core. A task that exits may still wait and come back for a moment,
 * but the slice before that is treated as its last one.
 */
static void take_off(struct live_perf *perf, struct live_task *task, const struct ring_event *event)
{
	enum sample_why why = WHY_BLOCKED;

	if (task->exits)
		why = WHY_ENDED;
	else if (event->preempted)
		why = WHY_PREEMPTED;
	end_slice(perf, task, (int64_t)event->time_ns, why);
	task->seen = true;
	perf->cores[event->core].running = 0;
}

/*
 * The kind of waker. If an interrupt came while the waking task ran, the interrupt is the waker. A
 * wake-up from an idle core also comes from an interrupt.
 */
static enum sample_woken kind_of_waker(const struct live_perf *perf, int32_t tid, bool interrupt)
{
	const struct live_task *by = find_task(perf, tid);

	if (interrupt || tid == 0)
		return WOKEN_BY_INTERRUPT;
	/*
	 * The runner may have been on its core since before the first record, so recognize it by
	 * its number.
	 */
	if (tid == perf->runner)
		return WOKEN_BY_MAIN;
	if (by && by->ours)
		return WOKEN_BY_WORKER;
	return WOKEN_BY_OTHERS;
}

/* Stores a wake-up with the woken task until that task gets a core. */
static void take_waking(struct live_perf *perf, const struct ring_event *event)
{
	const struct live_task *waker = find_task(perf, event->tid);
	struct live_task *woken = find_task(perf, event->other);

	if (!woken || !woken->ours)
		return;
	woken->woken_ns = (int64_t)event->time_ns;
	if (waker && !event->interrupt)
		woken->woken_by = (int32_t)(waker - perf->tasks->list);
	else
		woken->woken_by = -1;
	woken->woken_what = (uint8_t)kind_of_waker(perf, event->tid, event->interrupt);
}

/* Adds a created task. It is ready from its creation on, and its parent counts as its waker. */
static void take_fork(struct live_perf *perf, const struct ring_event *event)
{
	const struct live_task *parent = find_task(perf, event->other);
	struct live_task *task;
	int32_t by = -1;
	bool ours = perf->ring->reach == RING_TASKS || event->other == perf->runner;

	if (parent) {
		by = (int32_t)(parent - perf->tasks->list);
		ours |= parent->ours;
	}
	task = add_task(perf, event, event->other, ours);
	if (!task)
		return;
	task->since_ns = task->ready_ns = (int64_t)event->time_ns;
	task->waker = by;
	task->woken = (uint8_t)kind_of_waker(perf, event->other, false);
	/* add_task() may have moved the array, so look the parent up by its place. */
	if (by >= 0 && !ours)
		memcpy(task->name, perf->tasks->list[by].name, sizeof(task->name));
}

static void take_name(struct live_perf *perf, struct live_task *task,
		      const struct ring_event *event)
{
	if (!task->parent) {
		memcpy(task->name, event->name, sizeof(task->name));
		return;
	}
	live_tasks_exec(perf->tasks, task, (int64_t)event->time_ns);
	live_tasks_rename(perf->tasks, task, event->name);
}

static void take_exit(struct live_perf *perf, struct live_task *task,
		      const struct ring_event *event)
{
	const int64_t now_ns = (int64_t)event->time_ns;
	int64_t used_ns = task->used_ns;

	task->exits = true;
	if (task->on_ns >= 0)
		used_ns += now_ns - task->on_ns;
	if (task->parent)
		live_tasks_end(perf->tasks, task, now_ns, -1, used_ns);
	else
		live_tasks_gone(perf->tasks, event->tid);
	/*
	 * If tasks inherit the event, this is the task's last record: its last switch is not
	 * recorded, and the next task has the core from now on.
	 */
	if (perf->ring->reach == RING_TASKS) {
		take_off(perf, task, event);
		perf->cores[event->core].left_ns = now_ns;
	}
}

/*
 * Handles a record of the kernel. Wake-ups and creations concern two tasks, tid and other. All
 * other records concern tid alone.
 */
static void take_event(struct live_perf *perf, const struct ring_event *event)
{
	struct live_task *task = NULL;

	if (event->kind == RING_WAKING) {
		take_waking(perf, event);
		return;
	}
	if (event->kind == RING_FORK) {
		take_fork(perf, event);
		return;
	}
	if (event->tid != 0)
		task = task_of(perf, event);
	if (!task)
		perf->lost += event->tid > 0;
	else if (event->kind == RING_ON)
		take_on(perf, task, event);
	else if (event->kind == RING_OFF)
		take_off(perf, task, event);
	else if (event->kind == RING_NAME)
		take_name(perf, task, event);
	else
		take_exit(perf, task, event);
	if (event->kind == RING_ON || event->kind == RING_OFF)
		see_core(perf, event);
}

/* Finds the tasks of workers that have begun since the last call. */
static void meet_workers(struct live_perf *perf)
{
	for (uint32_t i = 0; i < perf->board->slots; i++) {
		const struct worker_slot *slot = &perf->board->slot[i];
		struct live_task *task;

		if (perf->workers[i].met ||
		    atomic_load_explicit(&slot->worker, memory_order_acquire) == WORKER_NONE)
			continue;
		task = live_tasks_newest(perf->tasks, slot->tid, (int64_t)slot->start_ns);
		if (!task)
			continue;
		task->lane = i;
		task->ours = true;
		perf->workers[i].met = true;
	}
}

/*
 * Gives each worker's lane to the program that the worker started, from the program's first record
 * on. Until then, the lane shows the thread that waits for it.
 */
static void meet_programs(struct live_perf *perf)
{
	for (uint32_t i = 0; i < perf->board->slots; i++) {
		const struct worker_slot *slot = &perf->board->slot[i];
		pid_t child = atomic_load_explicit(&slot->child, memory_order_acquire);
		struct live_task *task, *own;

		if (child <= 0 || !perf->workers[i].met)
			continue;
		task = find_task(perf, child);
		if (!task || task->lane == i)
			continue;
		own = live_tasks_newest(perf->tasks, slot->tid, (int64_t)slot->start_ns);
		if (own)
			own->until_ns = task->since_ns;
		task->lane = i;
		task->ours = true;
	}
}

/*
 * The number of the lane that shows the task: its worker's number or, if no worker has the task,
 * its index as in struct sample_task. TASK_NOBODY: unknown.
 */
static uint32_t shown_lane(const struct live_task *task)
{
	if (task->lane != TASK_NOBODY || !task->index)
		return task->lane;
	return task->index;
}

static int64_t since_begin(const struct live_perf *perf, int64_t t_ns)
{
	return t_ns - (int64_t)perf->begin_ns;
}

/*
 * Passes a slice on, with times since the run's beginning, and with the worker's number instead of
 * the task's place.
 */
static void give_slice(struct live_perf *perf, const struct sample_slice *slice)
{
	struct live_task *task =
		slice->index == TASK_NOBODY ? NULL : &perf->tasks->list[slice->index];
	uint32_t waker = slice->waker < 0 ? TASK_NOBODY : perf->tasks->list[slice->waker].lane;
	const int64_t go_ns = (int64_t)perf->board->go_ns;
	int64_t on_ns = slice->on_ns, off_ns = slice->off_ns, ready_ns = slice->ready_ns;
	struct sample_slice *out;

	if (!array_grow(&perf->list, perf->n, &perf->cap, sizeof(*out))) {
		perf->lost++;
		return;
	}
	/*
	 * Cut off an overlap with the previous slice. Slices overlap if a record was lost or came
	 * late, or if one is of a program and the other of the thread that started it.
	 */
	if (task)
		on_ns = MAX(on_ns, task->given_ns);
	if (task && task->lane != TASK_NOBODY)
		on_ns = MAX(on_ns, perf->workers[task->lane].given_ns);
	if (task && task->until_ns > 0)
		off_ns = MIN(off_ns, task->until_ns);
	/*
	 * A worker that waited at the barrier became runnable when the barrier opened, even if
	 * there is no record of its waker. This is the slice in which it begins its work.
	 */
	if (task && task->lane != TASK_NOBODY && ready_ns < 0 && go_ns > 0 &&
	    task->given_ns <= go_ns && go_ns <= slice->on_ns &&
	    slice->on_ns <= (int64_t)perf->board->slot[task->lane].work_ns)
		ready_ns = go_ns;
	out = &perf->list[perf->n];
	*out = *slice;
	if (task)
		out->index = shown_lane(task);
	else
		out->index = SAMPLE_OTHERS;
	out->on_ns = since_begin(perf, on_ns);
	if (slice->open)
		out->off_ns = -1;
	else
		out->off_ns = since_begin(perf, off_ns);
	if (ready_ns < 0)
		out->ready_ns = -1;
	else
		out->ready_ns = since_begin(perf, ready_ns);
	if (slice->ready_ns < 0 && ready_ns >= 0)
		out->woken = WOKEN_BY_MAIN;
	if (waker == TASK_NOBODY)
		out->waker = -1;
	else
		out->waker = (int32_t)waker;
	if (task)
		out->waited = live_tasks_waited(perf->tasks, task, task->given_ns, slice->on_ns);
	if (out->index == SAMPLE_OTHERS && out->on_ns < 0)
		out->on_ns = 0;
	perf->n += out->on_ns >= 0 && (out->open || out->off_ns >= out->on_ns);
	if (!task || slice->open)
		return;
	task->given_ns = slice->off_ns;
	if (task->lane == TASK_NOBODY)
		return;
	perf->workers[task->lane].given_ns = MAX(perf->workers[task->lane].given_ns, off_ns);
}

void live_perf_take(struct live_perf *perf, bool over)
{
	struct ring_event event;
	size_t left = 0;
	int64_t now_ns;

	live_ring_begin(perf->ring);
	while (live_ring_next(perf->ring, &event))
		take_event(perf, &event);
	/* Pass on the unfinished slices of other programs too. */
	now_ns = (int64_t)perf->ring->until_ns;
	for (uint32_t i = 0; i < perf->ring->n; i++) {
		if (perf->cores[i].others_ns == 0 || !perf->cores[i].running)
			continue;
		end_others(perf, &perf->cores[i], perf->ring->cores[i].cpu, now_ns);
		perf->cores[i].others_ns = now_ns;
	}
	meet_workers(perf);
	if (perf->board->request.plan.leaves[WORK_PROGRAM] > 0)
		meet_programs(perf);
	live_tasks_meet(perf->tasks);
	perf->n = 0;
	/* Slices whose worker or task is not known yet stay in ended[], in their order. */
	for (size_t i = 0; i < perf->n_ended; i++) {
		uint32_t task = perf->ended[i].index;

		if (task == TASK_NOBODY || shown_lane(&perf->tasks->list[task]) != TASK_NOBODY)
			give_slice(perf, &perf->ended[i]);
		else
			perf->ended[left++] = perf->ended[i];
	}
	perf->n_ended = left;
	perf->taken += perf->n;
	/* Pass on the open slices too. Each is passed on again when it has ended. */
	if (over)
		return;
	for (uint32_t i = 0; i < perf->ring->n; i++) {
		uint32_t running = perf->cores[i].running;
		const struct live_task *task = running ? &perf->tasks->list[running - 1] : NULL;

		if (!task || shown_lane(task) == TASK_NOBODY || task->on_ns < 0 ||
		    task->until_ns > 0)
			continue;
		give_slice(perf, &(struct sample_slice) {.on_ns = task->on_ns,
							 .off_ns = -1,
							 .index = running - 1,
							 .cpu = task->cpu,
							 .open = true,
							 .waker = task->waker,
							 .waited = -1,
							 .woken = task->woken,
							 .ready_ns = task->ready_ns});
	}
}

/* The CPU time of a program. */
struct use {
	const char *name;
	int64_t ns;
};

static int compare_uses(const void *a, const void *b)
{
	int64_t x = ((const struct use *)a)->ns, y = ((const struct use *)b)->ns;

	return (x < y) - (x > y);
}

void live_perf_others(const struct live_perf *perf, char *buf, size_t size)
{
	struct use *uses;
	size_t programs = 0, at = 0, k;

	*buf = '\0';
	if (!perf->tasks)
		return;
	uses = calloc(perf->tasks->n + 1, sizeof(*uses));
	if (!uses)
		return;
	/* Sum up the CPU time by program, without the tasks of the run and the front end. */
	for (size_t i = 0; i < perf->tasks->n; i++) {
		const struct live_task *task = &perf->tasks->list[i];

		if (task->ours || task->tid == perf->self || task->used_ns <= 0 || !*task->name)
			continue;
		for (k = 0; k < programs; k++)
			if (strcmp(uses[k].name, task->name) == 0)
				break;
		uses[k].name = task->name;
		uses[k].ns += task->used_ns;
		programs += k == programs;
	}
	if (programs > 0)
		qsort(uses, programs, sizeof(*uses), compare_uses);
	for (size_t i = 0; i < MIN(programs, 3); i++) {
		int more;

		if (uses[i].ns < 1000000)
			break;
		more = snprintf(buf + at, size - at, "%s%s %lld ms", i ? ", " : "", uses[i].name,
				(long long)uses[i].ns / 1000000);

		if (more < 0 || (size_t)more >= size - at) {
			buf[at] = '\0';
			break;
		}
		at += (size_t)more;
	}
	free(uses);
}

void live_perf_close(struct live_perf *perf)
{
	if (perf->ring)
		live_ring_rest(perf->ring);
	live_tasks_close(&perf->own);
	free(perf->cores);
	free(perf->ended);
	free(perf->list);
	free(perf->workers);
	memset(perf, 0, sizeof(*perf));
}
