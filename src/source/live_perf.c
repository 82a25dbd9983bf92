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

#define PERF_BUCKETS 4096u
/* Largest numbers of slices and of lives in a run. Any further ones are treated as lost. */
#define MOST_SLICES 1000000u
#define MOST_LIVES  1000000u
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
	perf->bucket = calloc(PERF_BUCKETS, sizeof(*perf->bucket));
	perf->cores = calloc(perf->ring->n, sizeof(*perf->cores));
	perf->workers = calloc(board->slots, sizeof(*perf->workers));
	if (perf->bucket && perf->cores && perf->workers)
		return 0;
	return -ENOMEM;
}

static uint32_t *life_bucket(const struct live_perf *perf, int32_t tid)
{
	return &perf->bucket[(uint32_t)tid % PERF_BUCKETS];
}

/*
 * The life that the task number had at that moment, such as when its worker began; NULL if none. A
 * later life with the same number is another task.
 */
static struct perf_life *life_at(const struct live_perf *perf, int32_t tid, int64_t at_ns)
{
	uint32_t at = *life_bucket(perf, tid);

	while (at && (perf->lives[at - 1].tid != tid || perf->lives[at - 1].since_ns > at_ns))
		at = perf->lives[at - 1].older;
	if (at)
		return &perf->lives[at - 1];
	return NULL;
}

/* The newest life of the task number. */
static struct perf_life *find_life(const struct live_perf *perf, int32_t tid)
{
	return life_at(perf, tid, INT64_MAX);
}

/* Adds a life. Returns NULL if memory is short. */
static struct perf_life *add_life(struct live_perf *perf, int32_t tid, int64_t since_ns, bool ours)
{
	uint32_t *bucket = life_bucket(perf, tid);
	struct perf_life *life;

	if (perf->n_lives == MOST_LIVES ||
	    !array_grow(&perf->lives, perf->n_lives, &perf->cap_lives, sizeof(*life)))
		return NULL;
	life = &perf->lives[perf->n_lives];
	*life = (struct perf_life) {
		.tid = tid,
		.older = *bucket,
		.worker = PERF_NOBODY,
		.ours = ours,
		.cpu = -1,
		.since_ns = since_ns,
		.on_ns = -1,
		.off_ns = -1,
		.given_ns = -1,
		.ready_ns = -1,
		.woken_ns = -1,
		.waker = -1,
	};
	*bucket = (uint32_t)++perf->n_lives;
	return life;
}

static void keep_slice(struct live_perf *perf, const struct sample_slice *slice)
{
	if (perf->taken + perf->n_ended < MOST_SLICES &&
	    array_grow(&perf->ended, perf->n_ended, &perf->cap_ended, sizeof(*slice)))
		perf->ended[perf->n_ended++] = *slice;
	else
		perf->lost++;
}

static void keep_slice_of(struct live_perf *perf, const struct perf_life *life, int64_t on_ns,
			  int64_t off_ns, enum sample_why why)
{
	const struct sample_slice slice = {
		.waker = life->waker,
		.waited = -1,
		.woken = life->woken,
		.ready_ns = life->ready_ns,
		.on_ns = on_ns,
		.off_ns = off_ns,
		.index = (uint32_t)(life - perf->lives),
		.cpu = life->cpu,
		.why = (uint8_t)why,
	};

	if (life->ours)
		keep_slice(perf, &slice);
}

/*
 * Ends a slice. If the record of its beginning was lost, the time since the last slice is unknown.
 */
static void end_slice(struct live_perf *perf, struct perf_life *life, int64_t off_ns,
		      enum sample_why why)
{
	const int64_t before_ns = life->used_ns;
	char path[32];

	if (life->on_ns >= 0) {
		keep_slice_of(perf, life, life->on_ns, off_ns, why);
		life->used_ns += off_ns - life->on_ns;
	} else if (life->seen) {
		if (life->off_ns >= 0)
			keep_slice_of(perf, life, life->off_ns, life->off_ns, WHY_UNKNOWN);
		keep_slice_of(perf, life, off_ns, off_ns, why);
	}
	/*
	 * Only programs that used some CPU time are named, because most only wake up for a moment.
	 */
	if (!life->ours && !*life->name && before_ns < NAMED_NS && life->used_ns >= NAMED_NS &&
	    life->tid != perf->self && perf->read++ < MOST_NAMES) {
		snprintf(path, sizeof(path), "%d/comm", life->tid);
		procfs_read_text("/proc", path, life->name, sizeof(life->name));
	}
	life->on_ns = -1;
	life->off_ns = off_ns;
	life->ready_ns = life->waker = -1;
	life->woken = WOKEN_UNKNOWN;
}

/* Adds the life's task to perf->tasks. by: task number of the creator, 0 if unknown. */
static void begin_task(struct live_perf *perf, struct perf_life *life,
		       const struct ring_event *event, int32_t by)
{
	const struct live_task *task =
		live_tasks_begin(perf->tasks, event->tid, event->pid, by, (int64_t)event->time_ns);

	if (task)
		life->task = (uint32_t)(task - perf->tasks->list) + 1;
	else
		life->task = 0;
}

/*
 * Finds the life of a record's task. For a task without earlier records, begins a life with unknown
 * times. NULL if that is not possible.
 */
static struct perf_life *life_of(struct live_perf *perf, const struct ring_event *event)
{
	const uint32_t running = perf->cores[event->core].running;
	struct perf_life *life;

	/*
	 * If a task leaves a core for the last time, its record may have no task number any more.
	 */
	if (event->tid < 0) {
		if (running)
			return &perf->lives[running - 1];
		return NULL;
	}
	life = find_life(perf, event->tid);
	if (life)
		return life;
	life = add_life(perf, event->tid, 0,
			perf->ring->reach == RING_TASKS || event->pid == perf->runner);
	/*
	 * The record of the thread's creation was lost, but the thread can still be assigned to its
	 * process.
	 */
	if (life && life->ours && perf->tasks && event->tid != perf->runner) {
		if (event->pid != event->tid)
			begin_task(perf, life, event, 0);
		/* Other tasks may have no record either, and their number is unknown. */
		perf->tasks->overflowed |= !life->task;
	}
	return life;
}

/*
 * Ends the slice of other programs on a core. All of them together are one slice. Very short slices
 * are dropped.
 */
static void end_others(struct live_perf *perf, struct perf_core *core, int16_t cpu, int64_t off_ns)
{
	if (core->others_ns > 0 && off_ns - core->others_ns >= OTHERS_NS)
		keep_slice(perf, &(struct sample_slice) {.on_ns = core->others_ns,
							 .off_ns = off_ns,
							 .index = PERF_NOBODY,
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
	const struct perf_life *life = core->running ? &perf->lives[core->running - 1] : NULL;
	bool others;

	if (event->kind == RING_OFF) {
		core->left_ns = (int64_t)event->time_ns;
		core->left_tid = event->tid;
	}
	if (event->kind != RING_ON || perf->ring->reach != RING_CORES)
		return;
	others = event->tid != 0 && life && !life->ours;
	/* other 0: the core was idle before. Not all kernels record switches to the idle task. */
	if (!others || event->other == 0)
		end_others(perf, core, event->cpu, core->left_ns);
	if (others && core->others_ns == 0)
		core->others_ns = life->on_ns;
}

static void take_on(struct live_perf *perf, struct perf_life *life, const struct ring_event *event)
{
	struct perf_core *core = &perf->cores[event->core];
	const int64_t now_ns = (int64_t)event->time_ns;
	bool next;

	if (life->on_ns >= 0)
		keep_slice_of(perf, life, life->on_ns, life->on_ns, WHY_UNKNOWN);
	/* The task was woken: after it left its core or, by another core, just before that. */
	if (life->woken_ns >= 0) {
		life->ready_ns = MAX(life->woken_ns, life->off_ns);
		life->waker = life->woken_by;
		life->woken = life->woken_what;
	}
	life->woken_ns = -1;
	/*
	 * The kernel writes the record 1 to 4 µs after the switch began, and counts that time for
	 * the next task. So a slice begins when the previous task left the core, unless an unseen
	 * task ran in between. With RING_CORES, the record names the previous task, even the idle
	 * task, which not all kernels record. Otherwise, an unseen task would have needed more than
	 * SWITCH_NS.
	 */
	if (perf->ring->reach == RING_CORES)
		next = core->left_tid == event->other;
	else
		next = now_ns - core->left_ns < SWITCH_NS;
	/* The task may have left its previous core later than the previous task left this core. */
	life->on_ns = MAX(core->left_ns > 0 && next ? core->left_ns : now_ns, life->off_ns);
	life->cpu = event->cpu;
	life->seen = true;
	core->running = (uint32_t)(life - perf->lives) + 1;
}

/*
 * Handles a task that leaves its core. An exiting task may still wait and come back for a moment,
 * but the slice before that counts as its last.
 */
static void take_off(struct live_perf *perf, struct perf_life *life, const struct ring_event *event)
{
	enum sample_why why = WHY_BLOCKED;

	if (life->exits)
		why = WHY_ENDED;
	else if (event->preempted)
		why = WHY_PREEMPTED;
	end_slice(perf, life, (int64_t)event->time_ns, why);
	life->seen = true;
	perf->cores[event->core].running = 0;
}

/*
 * The kind of waker. If the waking task was only interrupted, the interrupt is the waker. A wake-up
 * from an idle core also comes from an interrupt.
 */
static enum sample_woken kind_of_waker(const struct live_perf *perf, int32_t tid, bool interrupt)
{
	const struct perf_life *by = find_life(perf, tid);

	if (interrupt || tid == 0)
		return WOKEN_BY_INTERRUPT;
	/*
	 * The runner may be on its core since before the first record, so recognize it by its
	 * number.
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
	const struct perf_life *waker = find_life(perf, event->tid);
	struct perf_life *woken = find_life(perf, event->other);

	if (!woken || !woken->ours)
		return;
	woken->woken_ns = (int64_t)event->time_ns;
	if (waker && !event->interrupt)
		woken->woken_by = (int32_t)(waker - perf->lives);
	else
		woken->woken_by = -1;
	woken->woken_what = (uint8_t)kind_of_waker(perf, event->tid, event->interrupt);
}

/* Begins the life of a created task. */
static void take_fork(struct live_perf *perf, const struct ring_event *event)
{
	const struct perf_life *parent = find_life(perf, event->other);
	struct perf_life *life;
	int32_t by = -1;
	bool ours = perf->ring->reach == RING_TASKS || event->other == perf->runner;

	if (parent) {
		by = (int32_t)(parent - perf->lives);
		ours |= parent->ours;
	}
	life = add_life(perf, event->tid, (int64_t)event->time_ns, ours);
	if (!life)
		return;
	life->ready_ns = life->since_ns;
	life->waker = by;
	if (ours && perf->tasks)
		begin_task(perf, life, event, event->other);
	life->woken = (uint8_t)kind_of_waker(perf, event->other, false);
	/* add_life() may have moved the array, so look the life up by its index. */
	if (by >= 0 && !ours)
		memcpy(life->name, perf->lives[by].name, sizeof(life->name));
}

static void take_name(struct live_perf *perf, struct perf_life *life,
		      const struct ring_event *event)
{
	struct live_task *task;

	memcpy(life->name, event->name, sizeof(life->name));
	if (!life->task)
		return;
	task = &perf->tasks->list[life->task - 1];
	live_tasks_exec(perf->tasks, task, (int64_t)event->time_ns);
	live_tasks_rename(perf->tasks, task, event->name);
}

static void take_exit(struct live_perf *perf, struct perf_life *life,
		      const struct ring_event *event)
{
	const int64_t now_ns = (int64_t)event->time_ns;
	int64_t used_ns = life->used_ns;

	life->exits = true;
	if (life->on_ns >= 0)
		used_ns += now_ns - life->on_ns;
	if (life->task)
		live_tasks_end(perf->tasks, &perf->tasks->list[life->task - 1], now_ns, -1,
			       used_ns);
	else if (perf->tasks)
		live_tasks_gone(perf->tasks, event->tid);
	/*
	 * For a task with an inherited event, this is the last record: its last switch is not
	 * recorded, and the next task has the core from now on.
	 */
	if (perf->ring->reach == RING_TASKS) {
		take_off(perf, life, event);
		perf->cores[event->core].left_ns = now_ns;
	}
}

/*
 * Handles a record of the kernel. Except for wake-ups and creations, a record concerns the life of
 * its own task.
 */
static void take_event(struct live_perf *perf, const struct ring_event *event)
{
	struct perf_life *life = NULL;

	if (event->kind == RING_WAKING) {
		take_waking(perf, event);
		return;
	}
	if (event->kind == RING_FORK) {
		take_fork(perf, event);
		return;
	}
	if (event->tid != 0)
		life = life_of(perf, event);
	if (!life)
		perf->lost += event->tid > 0;
	else if (event->kind == RING_ON)
		take_on(perf, life, event);
	else if (event->kind == RING_OFF)
		take_off(perf, life, event);
	else if (event->kind == RING_NAME)
		take_name(perf, life, event);
	else
		take_exit(perf, life, event);
	if (event->kind == RING_ON || event->kind == RING_OFF)
		see_core(perf, event);
}

/* Finds the lives of workers that have begun since the last call. */
static void meet_workers(struct live_perf *perf)
{
	for (uint32_t i = 0; i < perf->board->slots; i++) {
		const struct worker_slot *slot = &perf->board->slot[i];
		struct perf_life *life;

		if (perf->workers[i].met ||
		    atomic_load_explicit(&slot->worker, memory_order_acquire) == WORKER_NONE)
			continue;
		life = life_at(perf, slot->tid, (int64_t)slot->start_ns);
		if (!life)
			continue;
		life->worker = i;
		life->ours = true;
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
		struct perf_life *life = child > 0 && perf->workers[i].met ? find_life(perf, child)
									   : NULL,
				 *own;

		if (!life || life->worker == i)
			continue;
		own = life_at(perf, slot->tid, (int64_t)slot->start_ns);
		if (own)
			own->until_ns = life->since_ns;
		life->worker = i;
		life->ours = true;
	}
}

/* The worker or task whose lane shows the life; PERF_NOBODY if unknown. */
static uint32_t lane_of_life(const struct live_perf *perf, const struct perf_life *life)
{
	uint32_t index = life->task ? perf->tasks->list[life->task - 1].index : 0;

	if (life->worker != PERF_NOBODY || !index)
		return life->worker;
	return index;
}

static int64_t since_begin(const struct live_perf *perf, int64_t t_ns)
{
	return t_ns - (int64_t)perf->begin_ns;
}

/*
 * Passes a slice on, with times since the run's beginning, and with the worker's number instead of
 * the life's.
 */
static void give_slice(struct live_perf *perf, const struct sample_slice *slice)
{
	struct perf_life *life = slice->index == PERF_NOBODY ? NULL : &perf->lives[slice->index];
	uint32_t waker = slice->waker < 0 ? PERF_NOBODY : perf->lives[slice->waker].worker;
	const int64_t go_ns = (int64_t)perf->board->go_ns;
	int64_t on_ns = slice->on_ns, off_ns = slice->off_ns, ready_ns = slice->ready_ns;
	struct sample_slice *out;

	if (!array_grow(&perf->list, perf->n, &perf->cap, sizeof(*out))) {
		perf->lost++;
		return;
	}
	/*
	 * Cut off an overlap with the previous slice. Slices overlap if a record was lost or came
	 * late, or if they are of a program and of the thread that started it.
	 */
	if (life)
		on_ns = MAX(on_ns, life->given_ns);
	if (life && life->worker != PERF_NOBODY)
		on_ns = MAX(on_ns, perf->workers[life->worker].given_ns);
	if (life && life->until_ns > 0)
		off_ns = MIN(off_ns, life->until_ns);
	/*
	 * Without a record of a waker, a worker at the barrier became runnable when the barrier
	 * opened. It begins its work in its next slice.
	 */
	if (life && life->worker != PERF_NOBODY && ready_ns < 0 && go_ns > 0 &&
	    life->given_ns <= go_ns && go_ns <= slice->on_ns &&
	    slice->on_ns <= (int64_t)perf->board->slot[life->worker].work_ns)
		ready_ns = go_ns;
	out = &perf->list[perf->n];
	*out = *slice;
	if (life)
		out->index = lane_of_life(perf, life);
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
	if (waker == PERF_NOBODY)
		out->waker = -1;
	else
		out->waker = (int32_t)waker;
	if (life && life->task)
		out->waited = live_tasks_waited(perf->tasks, &perf->tasks->list[life->task - 1],
						life->given_ns, slice->on_ns);
	if (out->index == SAMPLE_OTHERS && out->on_ns < 0)
		out->on_ns = 0;
	perf->n += out->on_ns >= 0 && (out->open || out->off_ns >= out->on_ns);
	if (!life || slice->open)
		return;
	life->given_ns = slice->off_ns;
	if (life->worker == PERF_NOBODY)
		return;
	perf->workers[life->worker].given_ns = MAX(perf->workers[life->worker].given_ns, off_ns);
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
	if (perf->tasks)
		live_tasks_meet(perf->tasks);
	perf->n = 0;
	/* Slices whose worker or task is not known yet stay in ended[], in their order. */
	for (size_t i = 0; i < perf->n_ended; i++) {
		uint32_t life = perf->ended[i].index;

		if (life == PERF_NOBODY || lane_of_life(perf, &perf->lives[life]) != PERF_NOBODY)
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
		const struct perf_life *life = running ? &perf->lives[running - 1] : NULL;

		if (!life || lane_of_life(perf, life) == PERF_NOBODY || life->on_ns < 0 ||
		    life->until_ns > 0)
			continue;
		give_slice(perf, &(struct sample_slice) {.on_ns = life->on_ns,
							 .off_ns = -1,
							 .index = running - 1,
							 .cpu = life->cpu,
							 .open = true,
							 .waker = life->waker,
							 .waited = -1,
							 .woken = life->woken,
							 .ready_ns = life->ready_ns});
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
	struct use *uses = calloc(perf->n_lives + 1, sizeof(*uses));
	size_t programs = 0, at = 0, k;

	*buf = '\0';
	/* Sums up the CPU time of all tasks except the run's and the front end's, by program. */
	if (!uses)
		return;
	for (size_t i = 0; i < perf->n_lives; i++) {
		const struct perf_life *life = &perf->lives[i];

		if (life->ours || life->tid == perf->self || life->used_ns <= 0 || !*life->name)
			continue;
		for (k = 0; k < programs; k++)
			if (strcmp(uses[k].name, life->name) == 0)
				break;
		uses[k].name = life->name;
		uses[k].ns += life->used_ns;
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
	free(perf->lives);
	free(perf->bucket);
	free(perf->cores);
	free(perf->ended);
	free(perf->list);
	free(perf->workers);
	memset(perf, 0, sizeof(*perf));
}
