/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"

/* Largest number of slices of a run with which the path through its tasks is computed. */
#define WALK_SLICES 262144

/*
 * Tolerance for the recorded end of a task, ns. A task that waits for that end may get a core
 * shortly before or after it.
 */
#define WAKE_NS 1000000

/* Numbers of tasks on a core and of runnable tasks, valid from from_ns on. */
struct activity {
	int64_t from_ns;
	int32_t on, ready;
};

/*
 * A task that has ended. `of` is the task's process, or the process that created it. Sorted by
 * `of`, then by end.
 */
struct ended {
	uint32_t of, task;
	int64_t end_ns;
};

struct program_walk {
	const struct model_run *run;
	double ns[PROGRAM_PARTS];
	struct activity *activity; /* Ascending by time. */
	size_t n_activity;
	struct ended *ended;
	size_t n_ended;
	/* For each lock, how many tasks waited for it: 0, 1, or 2 for two or more. */
	uint8_t waiters[SAMPLE_MOST_LOCKS + 1];
	uint32_t waiter[SAMPLE_MOST_LOCKS + 1]; /* For each lock, its first waiter. */
};

static const struct sample_task *known_task(const struct program_walk *walk, uint32_t task)
{
	return model_task_known(walk->run, task);
}

static const struct sample_slice *slices_of(const struct program_walk *walk, uint32_t task,
					    size_t *n)
{
	return model_slices(walk->run, walk->run->n_workers + task, n);
}

static int by_time(const void *left, const void *right)
{
	const struct activity *a = left, *b = right;

	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

static int by_process_and_end(const void *left, const void *right)
{
	const struct ended *a = left, *b = right;

	if (a->of != b->of) {
		if (a->of < b->of)
			return -1;
		return 1;
	}
	return (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

static void add_change(struct program_walk *walk, int64_t at_ns, int32_t on, int32_t ready)
{
	walk->activity[walk->n_activity++] = (struct activity) {at_ns, on, ready};
}

/* Adds slice i and the wait after it to the run's activity. */
static void add_slice(struct program_walk *walk, const struct sample_slice *slices, size_t n,
		      size_t i)
{
	const struct sample_slice *next = i + 1 < n ? &slices[i + 1] : NULL;
	const int64_t off_ns = slices[i].off_ns, to_ns = next ? next->on_ns : off_ns;
	const int64_t ready_ns = model_lane_ready(&slices[i], next, off_ns, to_ns);
	const bool preempted = model_lane_after(&slices[i]) == STATE_WAITING;

	add_change(walk, slices[i].on_ns, 1, 0);
	add_change(walk, off_ns, -1, 0);
	if (preempted || ready_ns < to_ns) {
		add_change(walk, preempted ? off_ns : ready_ns, 0, 1);
		add_change(walk, to_ns, 0, -1);
	}
}

static void note_waiter(struct program_walk *walk, uint32_t task, int waited)
{
	const int lock = waited - WAIT_LOCK;

	if (lock <= 0 || lock > SAMPLE_MOST_LOCKS || walk->waiters[lock] > 1)
		return;
	if (walk->waiters[lock] == 0)
		walk->waiter[lock] = task;
	if (walk->waiters[lock] == 0 || walk->waiter[lock] != task)
		walk->waiters[lock]++;
}

/*
 * Reads all slices once. Returns false if there are none or too many, if one has not ended, or if
 * memory is short.
 */
static bool read_activity(struct program_walk *walk)
{
	const uint32_t n_tasks = (uint32_t)walk->run->n_tasks;
	size_t all = 0, n;
	int32_t on = 0, ready = 0;

	for (uint32_t task = 0; task < n_tasks; task++) {
		slices_of(walk, task, &n);
		all += n;
	}
	if (all == 0 || all > WALK_SLICES)
		return false;
	walk->activity = calloc(4 * all, sizeof(*walk->activity));
	walk->ended = calloc(n_tasks, sizeof(*walk->ended));
	if (!walk->activity || !walk->ended)
		return false;
	for (uint32_t task = 0; task < n_tasks; task++) {
		const struct sample_task *known = known_task(walk, task);
		const struct sample_slice *slices = slices_of(walk, task, &n);

		for (size_t i = 0; i < n; i++) {
			if (slices[i].off_ns < 0)
				return false;
			add_slice(walk, slices, n, i);
			note_waiter(walk, task, slices[i].waited);
		}
		if (known->parent >= 0 && known->end_ns >= 0)
			walk->ended[walk->n_ended++] =
				(struct ended) {(uint32_t)known->parent - walk->run->n_workers,
						task, known->end_ns};
	}
	qsort(walk->activity, walk->n_activity, sizeof(*walk->activity), by_time);
	qsort(walk->ended, walk->n_ended, sizeof(*walk->ended), by_process_and_end);
	for (size_t i = 0; i < walk->n_activity; i++) {
		on += walk->activity[i].on;
		ready += walk->activity[i].ready;
		walk->activity[i].on = on;
		walk->activity[i].ready = ready;
	}
	return true;
}

/*
 * Among the threads of this task's process and the processes that it created: the last one that
 * ended after from_ns and by to_ns; n_tasks if none.
 */
static uint32_t find_ended(const struct program_walk *walk, uint32_t task, int64_t from_ns,
			   int64_t to_ns)
{
	const struct sample_task *known = known_task(walk, task);
	const bool thread = known->pid != known->tid && known->parent >= 0;
	const uint32_t process = thread ? (uint32_t)known->parent - walk->run->n_workers : task;
	size_t low = 0, high = walk->n_ended;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct ended key = {process, 0, to_ns};

		if (by_process_and_end(&walk->ended[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 0 && walk->ended[low - 1].of == process &&
	       walk->ended[low - 1].end_ns > from_ns) {
		if (walk->ended[low - 1].task != task)
			return walk->ended[low - 1].task;
		low--;
	}
	return (uint32_t)walk->run->n_tasks;
}

/*
 * Assigns a time in which the task may have waited for other tasks of the run. If none of these ran
 * or was runnable, assigns it to the part `alone`.
 */
static void give_others(struct program_walk *walk, int64_t from_ns, int64_t to_ns,
			enum model_program_part alone)
{
	size_t n = array_up_to(walk->activity, walk->n_activity, sizeof(*walk->activity),
			       offsetof(struct activity, from_ns), to_ns - 1);

	for (int64_t t = to_ns; t > from_ns; n--) {
		struct activity at = {.from_ns = from_ns};
		enum model_program_part part = alone;
		int64_t begin_ns;

		if (n > 0)
			at = walk->activity[n - 1];
		if (at.on > 0)
			part = PROGRAM_RUNNING;
		else if (at.ready > 0)
			part = PROGRAM_RUNNABLE;
		begin_ns = MAX(from_ns, at.from_ns);
		walk->ns[part] += (double)(t - begin_ns);
		t = begin_ns;
	}
}

/* Whether another task of the run can end a wait of this kind. */
static bool waits_for_others(int waited)
{
	switch (waited) {
	case WAIT_PIPE:
	case WAIT_SOCKET:
	case WAIT_EVENTS:
	case WAIT_CHILD:
	case WAIT_THREAD:
	case WAIT_SIGNAL:
		return true;
	default:
		return waited >= WAIT_LOCK;
	}
}

static enum model_program_part part_of(int waited)
{
	switch (waited) {
	case 0:
	case WAIT_SEVERAL:
		return PROGRAM_UNKNOWN;
	case WAIT_GIL:
		return PROGRAM_GIL;
	case WAIT_FILE:
		return PROGRAM_FILE;
	case WAIT_PIPE:
		return PROGRAM_PIPE;
	case WAIT_SOCKET:
		return PROGRAM_SOCKET;
	case WAIT_SLEEP:
		return PROGRAM_SLEEP;
	default:
		return PROGRAM_OTHER;
	}
}

static void give_blocked(struct program_walk *walk, int64_t from_ns, int64_t to_ns, int waited)
{
	const int lock = waited - WAIT_LOCK;

	if (lock > 0 && lock <= SAMPLE_MOST_LOCKS && walk->waiters[lock] > 1)
		walk->ns[PROGRAM_LOCK] += (double)(to_ns - from_ns);
	else if (waits_for_others(waited))
		give_others(walk, from_ns, to_ns, part_of(waited));
	else
		walk->ns[part_of(waited)] += (double)(to_ns - from_ns);
}

/*
 * The task whose end a blocked task waited for until to_ns; n_tasks if none. A wait for a child or
 * a thread certainly has one. For other waits, the task must have ended at about that time.
 */
static uint32_t waited_for(const struct program_walk *walk, uint32_t task,
			   const struct model_stretch *stretch, int64_t from_ns, int64_t to_ns)
{
	const int waited = stretch->waited;

	if (to_ns < stretch->to_ns)
		return (uint32_t)walk->run->n_tasks;
	if (waited == WAIT_CHILD || waited == WAIT_THREAD)
		return find_ended(walk, task, from_ns, to_ns + WAKE_NS);
	if (waited == 0 || waits_for_others(waited))
		return find_ended(walk, task, MAX(from_ns, to_ns - WAKE_NS), to_ns + WAKE_NS);
	return (uint32_t)walk->run->n_tasks;
}

/* The first process of the worker's program; n_tasks if none. */
static uint32_t find_first(const struct model_run *run, uint32_t worker)
{
	uint32_t task = 0;

	while (task < run->n_tasks && (model_task_known(run, task)->parent >= 0 ||
				       model_task_known(run, task)->worker != worker))
		task++;
	return task;
}

/*
 * Assigns all time from from_ns to to_ns, backwards. Returns false if the program's first process
 * began after from_ns, or a parent ended before its child began.
 */
static bool walk_back(struct program_walk *walk, uint32_t task, int64_t from_ns, int64_t to_ns)
{
	const uint32_t none = (uint32_t)walk->run->n_tasks;
	int64_t t = to_ns, stepped_ns = INT64_MAX;

	while (t > from_ns) {
		const struct sample_task *known = known_task(walk, task);
		const int64_t begin_ns = MAX(from_ns, known->begin_ns);
		struct model_stretch stretch;
		uint32_t next = none;
		int64_t at_ns;

		if (t <= begin_ns) {
			if (known->parent < 0)
				return false;
			task = (uint32_t)known->parent - walk->run->n_workers;
			if (known_task(walk, task)->end_ns >= 0 &&
			    known_task(walk, task)->end_ns < t)
				return false;
			continue;
		}
		model_stretch_known(walk->run, walk->run->n_workers + task, t - 1, &stretch);
		at_ns = MAX(begin_ns, stretch.from_ns);
		switch (stretch.state) {
		case STATE_ON:
			walk->ns[PROGRAM_RUNNING] += (double)(t - at_ns);
			break;
		case STATE_WAITING:
			walk->ns[PROGRAM_RUNNABLE] += (double)(t - at_ns);
			break;
		case STATE_BLOCKED:
			/*
			 * Do not go back and forth between two tasks that ended at the same time.
			 */
			if (t < stepped_ns)
				next = waited_for(walk, task, &stretch, at_ns, t);
			if (next == none) {
				give_blocked(walk, at_ns, t, stretch.waited);
				break;
			}
			/* After the other task's end, this task was awake and waited for a core. */
			at_ns = MIN(t, known_task(walk, next)->end_ns);
			walk->ns[PROGRAM_RUNNABLE] += (double)(t - at_ns);
			task = next;
			stepped_ns = at_ns;
			break;
		default:
			walk->ns[PROGRAM_UNKNOWN] += (double)(t - at_ns);
			break;
		}
		t = at_ns;
	}
	return true;
}

bool model_program_walk(const struct model *model, const struct model_run *run, uint32_t worker,
			int64_t *from_ns, int64_t *to_ns, double ns[PROGRAM_PARTS])
{
	const uint32_t first = find_first(run, worker);
	const struct sample_task *process;
	struct program_walk *walk;
	bool known = false;

	if (first == run->n_tasks || model_tasks_sampled(model) ||
	    strcmp(model->session.sched, "perf") != 0 || run->totals.slices_lost != 0 ||
	    run->totals.tasks_lost != 0)
		return false;
	process = model_task_known(run, first);
	*from_ns = MAX(*from_ns, process->begin_ns);
	if (process->end_ns >= 0)
		*to_ns = MIN(*to_ns, process->end_ns);
	walk = calloc(1, sizeof(*walk));
	if (walk) {
		walk->run = run;
		known = read_activity(walk) && walk_back(walk, first, *from_ns, *to_ns);
		free(walk->activity);
		free(walk->ended);
	}
	if (known)
		for (int i = 0; i < PROGRAM_PARTS; i++)
			ns[i] += walk->ns[i];
	free(walk);
	return known;
}
