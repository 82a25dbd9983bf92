/* SPDX-License-Identifier: MIT */
#include "live_tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/procfs.h"
#include "base/utf8.h"

static uint32_t *bucket_of(const struct live_tasks *tasks, int32_t tid)
{
	return &tasks->bucket[(uint32_t)tid % TASKS_BUCKETS];
}

struct live_task *live_tasks_newest(const struct live_tasks *tasks, int32_t tid, int64_t at_ns)
{
	uint32_t at = *bucket_of(tasks, tid);

	while (at && (tasks->list[at - 1].tid != tid || tasks->list[at - 1].since_ns > at_ns))
		at = tasks->list[at - 1].older;
	if (at)
		return &tasks->list[at - 1];
	return NULL;
}

struct live_task *live_tasks_find(const struct live_tasks *tasks, int32_t tid)
{
	uint32_t at = *bucket_of(tasks, tid);

	while (at && (tasks->list[at - 1].tid != tid ||
		      (tasks->list[at - 1].end_ns >= 0 && tasks->list[at - 1].threads == 0)))
		at = tasks->list[at - 1].older;
	if (at)
		return &tasks->list[at - 1];
	return NULL;
}

int live_tasks_text(const char *root, const struct live_task *task, const char *name, char *buf,
		    size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/task/%d/%s", task->pid, task->tid, name);
	return procfs_read_text(root, path, buf, size);
}

int live_tasks_kept(struct live_tasks *tasks, struct live_task *task, enum live_task_file file,
		    char *buf, size_t size)
{
	static const char *const files[TASK_FILES] = {
		[TASK_SYSCALL] = "syscall", [TASK_SCHEDSTAT] = "schedstat"};
	char path[64];
	ssize_t n;

	if (task->index >= tasks->board->slots + TASKS_KEPT)
		return live_tasks_text("/proc", task, files[file], buf, size);
	if (task->file[file] == 0) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", task->pid, task->tid,
			 files[file]);
		task->file[file] = open(path, O_RDONLY | O_CLOEXEC) + 1;
	}
	if (task->file[file] == 0)
		n = -1;
	else
		n = pread(task->file[file] - 1, buf, size - 1, 0);
	buf[MAX(n, 0)] = '\0';
	if (n > 0)
		return 0;
	return -errno;
}

static void tasks_close_kept(struct live_task *task)
{
	for (int i = 0; i < TASK_FILES; i++) {
		if (task->file[i] > 0)
			close(task->file[i] - 1);
		task->file[i] = 0;
	}
}

static void note_change(struct live_tasks *tasks, struct live_task *task)
{
	if (task->changed || task->index == 0 ||
	    !array_grow(&tasks->changed, tasks->n_changed, &tasks->cap_changed,
			sizeof(*tasks->changed)))
		return;
	tasks->changed[tasks->n_changed++] = (uint32_t)(task - tasks->list);
	task->changed = true;
}

/*
 * Gives the task the next index, in the command of that worker. If there are too many tasks, counts
 * it as lost.
 */
static void give_index(struct live_tasks *tasks, struct live_task *task, uint32_t worker)
{
	if (tasks->n_indexed == SAMPLE_MOST_TASKS) {
		tasks->lost++;
		return;
	}
	task->worker = worker;
	task->index = tasks->board->slots + tasks->n_indexed++;
	note_change(tasks, task);
}

/* Task numbers are below PID_MAX_LIMIT of 64-bit kernels. */
#define TIDS (4 << 20)

static bool is_beyond(const struct live_tasks *tasks, int32_t tid)
{
	return tasks->beyond && tid > 0 && tid < TIDS && tasks->beyond[tid / 8] >> tid % 8 & 1;
}

static void set_beyond(struct live_tasks *tasks, int32_t tid, bool on)
{
	if (on && !tasks->beyond)
		tasks->beyond = calloc(TIDS / 8, 1);
	if (!tasks->beyond || tid <= 0 || tid >= TIDS)
		return;
	if (on)
		tasks->beyond[tid / 8] |= (uint8_t)(1 << tid % 8);
	else
		tasks->beyond[tid / 8] &= (uint8_t) ~(1 << tid % 8);
}

void live_tasks_gone(struct live_tasks *tasks, int32_t tid)
{
	set_beyond(tasks, tid, false);
}

/* At most this many tasks of a run are known. Any further ones are treated as lost. */
#define RUN_TASKS 1000000u

struct live_task *live_tasks_add(struct live_tasks *tasks, int32_t tid)
{
	uint32_t *bucket = bucket_of(tasks, tid);
	struct live_task *task;

	if (tasks->n == RUN_TASKS ||
	    !array_grow(&tasks->list, tasks->n, &tasks->cap, sizeof(*task)))
		return NULL;
	task = &tasks->list[tasks->n++];
	*task = (struct live_task) {.tid = tid,
				    .older = *bucket,
				    .exit_status = -1,
				    .cpu_ns = -1,
				    .round = tasks->round,
				    .on_ns = -1,
				    .ready_ns = -1,
				    .cpu = -1,
				    .lane = TASK_NOBODY,
				    .given_ns = -1,
				    .woken_ns = -1,
				    .waker = -1};
	*bucket = (uint32_t)tasks->n;
	return task;
}

struct live_task *live_tasks_begin(struct live_tasks *tasks, int32_t tid, int32_t pid, int32_t by,
				   int64_t begin_ns)
{
	const struct live_task *process = pid != tid ? live_tasks_find(tasks, pid) : NULL;
	const struct live_task *parent = process ? process : live_tasks_find(tasks, by);
	const uint32_t of = parent ? (uint32_t)(parent - tasks->list) + 1 : 0;
	struct live_task *task;

	/* Tasks whose parent or process did not fit do not fit either. Count them. */
	if ((!parent && is_beyond(tasks, by)) || is_beyond(tasks, pid)) {
		tasks->lost++;
		set_beyond(tasks, tid, true);
		return NULL;
	}
	if (!of && tid != tasks->runner)
		return NULL;
	/* The runner and its own tasks need entries too, but are not listed. */
	task = NULL;
	if (tasks->n_run < SAMPLE_MOST_TASKS + tasks->board->slots + 1)
		task = live_tasks_add(tasks, tid);
	if (!task) {
		tasks->lost++;
		set_beyond(tasks, tid, true);
		return NULL;
	}
	if (of)
		parent = &tasks->list[of - 1];
	else
		parent = NULL;
	/* Children belong to the process, not to the thread that created them. */
	if (parent && parent->pid != parent->tid && parent->parent)
		parent = &tasks->list[parent->parent - 1];
	tasks->n_run++;
	task->pid = pid;
	task->ours = true;
	task->begin_ns = begin_ns;
	task->end_ns = -1;
	if (parent)
		task->parent = (uint32_t)(parent - tasks->list) + 1;
	if (of)
		memcpy(task->name, tasks->list[of - 1].name, sizeof(task->name));
	if (process)
		tasks->list[of - 1].threads++;
	if (parent && parent->index)
		give_index(tasks, task, parent->worker);
	return task;
}

void live_tasks_rename(struct live_tasks *tasks, struct live_task *task, const char *name)
{
	char shown[sizeof(task->name)];

	/* Store the name as in a recording, because a task's name may hold any bytes. */
	snprintf(shown, sizeof(shown), "%s", name);
	utf8_mask(shown);
	if (strcmp(task->name, shown) == 0)
		return;
	memcpy(task->name, shown, sizeof(shown));
	note_change(tasks, task);
}

/*
 * The CPU time of an ended task counts as known if the time since its last reading is at most
 * 1/CPU_PART of it.
 */
#define CPU_PART 100

/* Passes the delayed slice on, now that the reason for leaving the core is known. */
static void release_slice(struct live_tasks *tasks, struct live_task *task, enum sample_why why)
{
	if (task->off_ns == 0 || !array_grow(&tasks->slices, tasks->n_slices, &tasks->cap_slices,
					     sizeof(*tasks->slices)))
		return;
	tasks->slices[tasks->n_slices++] = (struct sample_slice) {.on_ns = task->on_ns,
								  .off_ns = task->off_ns,
								  .index = task->index,
								  .cpu = -1,
								  .why = (uint8_t)why,
								  .waker = -1,
								  .waited = task->waited,
								  .ready_ns = task->ready_ns};
	task->off_ns = 0;
}

int16_t live_tasks_waited(const struct live_tasks *tasks, const struct live_task *task,
			  int64_t from_ns, int64_t to_ns)
{
	int wait = -1;

	for (uint32_t at = task->sight; at > 0; at = tasks->sights[at - 1].older) {
		const struct live_sight *sight = &tasks->sights[at - 1];

		if (sight->time_ns < from_ns)
			break;
		if (sight->time_ns >= to_ns)
			continue;
		if (wait > 0 && sight->wait != wait)
			return WAIT_SEVERAL;
		wait = sight->wait;
	}
	return (int16_t)wait;
}

/*
 * Makes a slice from the CPU time since the last cell's end. A cell without CPU time continues:
 * only when the task runs again does the kernel report whether it waited for a core or was blocked.
 */
static void end_cell(struct live_tasks *tasks, struct live_task *task)
{
	const int64_t run_ns = MIN(task->run_ns - task->cell_run_ns, task->read_ns - task->cell_ns);
	const int64_t before_ns = task->off_ns > 0 ? task->off_ns : task->begin_ns;
	int64_t ready_ns;

	if (run_ns <= 0)
		return;
	ready_ns =
		MAX(before_ns, task->read_ns - run_ns - MAX(0, task->wait_ns - task->cell_wait_ns));
	release_slice(tasks, task, ready_ns > before_ns ? WHY_BLOCKED : WHY_PREEMPTED);
	task->on_ns = task->read_ns - run_ns;
	task->off_ns = task->read_ns;
	task->ready_ns = ready_ns;
	/*
	 * First look for a wait that was seen before the previous reading, because one that was
	 * seen later may not have ended yet.
	 */
	task->waited = live_tasks_waited(tasks, task, task->cell_ns, task->before_ns);
	if (task->waited < 0)
		task->waited = live_tasks_waited(tasks, task, task->cell_ns, task->read_ns);
	task->cell_ns = task->read_ns;
	task->cell_run_ns = task->run_ns;
	task->cell_wait_ns = task->wait_ns;
}

void live_tasks_read_cpu(struct live_tasks *tasks, struct live_task *task, int64_t now_ns)
{
	char text[96];
	long long run_ns, wait_ns;

	if (live_tasks_kept(tasks, task, TASK_SCHEDSTAT, text, sizeof(text)) < 0 ||
	    sscanf(text, "%lld %lld", &run_ns, &wait_ns) != 2)
		return;
	if (task->read_ns == 0)
		task->cell_ns = task->begin_ns;
	task->before_ns = task->read_ns;
	task->read_ns = MAX(now_ns, task->cell_ns);
	task->run_ns = run_ns;
	task->wait_ns = wait_ns;
	if (task->read_ns - task->cell_ns >= SAMPLE_SCHEDSTAT_NS)
		end_cell(tasks, task);
}

void live_tasks_end(struct live_tasks *tasks, struct live_task *task, int64_t end_ns,
		    int32_t exit_status, int64_t cpu_ns)
{
	struct live_task *process = task->parent ? &tasks->list[task->parent - 1] : NULL;
	const int64_t missed_ns = end_ns - task->read_ns;

	tasks_close_kept(task);

	if (task->end_ns < 0 && process && task->tid != task->pid && task->pid == process->tid)
		process->threads--;
	task->end_ns = end_ns;
	/* The last cell may be shorter than others. The time after the last reading is unknown. */
	if (task->read_ns > 0) {
		if (task->cpu_ns < 0 && !task->resumed && task->run_ns >= missed_ns * CPU_PART)
			task->cpu_ns = task->run_ns;
		end_cell(tasks, task);
		release_slice(tasks, task,
			      task->read_ns - task->off_ns > missed_ns ? WHY_BLOCKED : WHY_UNKNOWN);
	}
	if (exit_status >= 0)
		task->exit_status = exit_status;
	if (cpu_ns >= 0)
		task->cpu_ns = cpu_ns;
	note_change(tasks, task);
}

void live_tasks_exec(struct live_tasks *tasks, struct live_task *task, int64_t time_ns)
{
	const uint32_t first = (uint32_t)(task - tasks->list) + 1;

	if (task->end_ns < 0)
		return;
	for (size_t i = first; i < tasks->n; i++)
		if (tasks->list[i].parent == first && tasks->list[i].pid == task->pid &&
		    tasks->list[i].end_ns < 0)
			live_tasks_end(tasks, &tasks->list[i], time_ns, -1, -1);
	task->end_ns = task->cpu_ns = -1;
	task->resumed = true;
	note_change(tasks, task);
	if (task->read_ns == 0)
		return;
	/*
	 * Begin anew, because the earlier readings belong to the first thread, whose number this
	 * one now has.
	 */
	task->cell_ns = time_ns;
	live_tasks_read_cpu(tasks, task, time_ns);
	task->cell_run_ns = task->run_ns;
	task->cell_wait_ns = task->wait_ns;
}

int32_t live_tasks_status(uint32_t code)
{
	if (WIFSIGNALED(code))
		return 128 + WTERMSIG(code);
	return (int32_t)WEXITSTATUS(code);
}

void live_tasks_meet(struct live_tasks *tasks)
{
	/* Whether every creation is reported sooner or later. */
	const bool reported = tasks->by != TASKS_BY_POLLING && !tasks->overflowed;

	if (!tasks->root)
		return;
	for (uint32_t i = 0; i < tasks->board->slots; i++) {
		const struct worker_slot *slot = &tasks->board->slot[i];
		pid_t pid = atomic_load_explicit(&slot->child, memory_order_acquire);
		int64_t begin_ns = (int64_t)slot->work_ns;
		struct plan_node node;
		struct live_task *task;

		if (tasks->root[i] ||
		    atomic_load_explicit(&slot->worker, memory_order_acquire) < WORKER_WORKING)
			continue;
		plan_node(&tasks->board->request.plan, i, &node);
		if (node.children > 0 || node.work != WORK_PROGRAM)
			continue;
		/* If the worker is a process, it becomes its program. */
		if (pid <= 0 && node.task == PLAN_PROCESS)
			pid = slot->pid;
		if (node.task == PLAN_PROCESS)
			begin_ns = (int64_t)slot->start_ns;
		task = live_tasks_newest(tasks, pid, INT64_MAX);
		/*
		 * Polling has not seen the process, which may have ended, but the board has its
		 * PID.
		 */
		if (pid > 0 && !task && !reported)
			task = live_tasks_begin(tasks, pid, pid, tasks->runner, begin_ns);
		if (pid <= 0 || !task || !task->parent)
			continue;
		tasks->root[i] = (uint32_t)(task - tasks->list) + 1;
		give_index(tasks, task, i);
		for (size_t k = tasks->root[i]; k < tasks->n; k++) {
			task = &tasks->list[k];
			if (!task->index && task->parent && tasks->list[task->parent - 1].index &&
			    tasks->list[task->parent - 1].worker == i)
				give_index(tasks, task, i);
		}
	}
}

/*
 * Keeps only the newest sight of each living task. A task has changed if it was seen waiting for
 * the same thing twice in a row.
 */
static void keep_newest_sights(struct live_tasks *tasks)
{
	size_t n = 0;

	for (size_t i = 0; i < tasks->n_sights; i++) {
		struct live_sight sight = tasks->sights[i];
		struct live_task *task = &tasks->list[sight.task];

		if (task->sight != i + 1)
			continue;
		task->sight = 0;
		if (task->end_ns >= 0)
			continue;
		if (task->last_wait == sight.wait && task->told_wait != sight.wait)
			note_change(tasks, task);
		task->last_wait = sight.wait;
		sight.older = 0;
		tasks->sights[n++] = sight;
		task->sight = (uint32_t)n;
	}
	tasks->n_sights = n;
}

/* Gives the exit statuses that the kernel reported to their tasks. */
static void take_exits(struct live_tasks *tasks)
{
	for (size_t i = 0; i < tasks->n_exits; i++) {
		const struct live_exit *exited = &tasks->exits[i];
		struct live_task *task = live_tasks_newest(tasks, exited->pid, INT64_MAX);

		if (task && task->exit_status < 0) {
			task->exit_status = exited->status;
			note_change(tasks, task);
		}
	}
	tasks->n_exits = 0;
}

/* The run is over: takes the exit statuses of first tasks from the board, and ends all tasks. */
static void end_tasks(struct live_tasks *tasks)
{
	for (uint32_t i = 0; i < tasks->board->slots; i++) {
		const struct worker_slot *slot = &tasks->board->slot[i];
		struct live_task *task;

		if (!tasks->root[i])
			continue;
		task = &tasks->list[tasks->root[i] - 1];
		if (task->exit_status >= 0 || slot->result > 255 ||
		    atomic_load_explicit(&slot->worker, memory_order_acquire) != WORKER_FINISHED)
			continue;
		if (task->end_ns < 0)
			live_tasks_end(tasks, task, MAX(task->begin_ns, (int64_t)slot->finish_ns),
				       -1, -1);
		if (slot->reaped)
			task->exit_status = live_tasks_status((uint32_t)slot->wait_status);
		else
			task->exit_status = (int32_t)slot->result;
		note_change(tasks, task);
	}
	for (size_t i = 0; i < tasks->n; i++)
		if (tasks->list[i].end_ns < 0)
			live_tasks_end(tasks, &tasks->list[i], (int64_t)clock_now_ns(), -1, -1);
}

const struct sample_task *live_tasks_take(struct live_tasks *tasks, uint64_t begin_ns, bool over,
					  uint32_t *n)
{
	struct sample_task *out;

	*n = 0;
	if (!tasks->root || begin_ns == 0)
		return NULL;
	live_tasks_meet(tasks);
	take_exits(tasks);
	if (over)
		end_tasks(tasks);
	while (tasks->cap_out < tasks->n_changed)
		if (!array_grow(&tasks->out, tasks->cap_out, &tasks->cap_out, sizeof(*out)))
			return NULL;
	for (size_t i = 0; i < tasks->n_changed; i++) {
		struct live_task *task = &tasks->list[tasks->changed[i]];

		task->changed = false;
		task->told_wait = 0;
		out = &tasks->out[i];
		*out = (struct sample_task) {.index = task->index,
					     .worker = task->worker,
					     .parent = -1,
					     .pid = task->pid,
					     .tid = task->tid,
					     .exit_status = task->exit_status,
					     .begin_ns = MAX(0, task->begin_ns - (int64_t)begin_ns),
					     .end_ns = -1,
					     .cpu_ns = task->cpu_ns,
					     .waited = -1,
					     .waited_ns = -1};
		if (task->parent) {
			const struct live_task *parent = &tasks->list[task->parent - 1];

			if (parent->index && parent->index < task->index)
				out->parent = (int32_t)parent->index;
		}
		if (task->end_ns >= 0)
			out->end_ns = task->end_ns - (int64_t)begin_ns;
		if (task->sight) {
			const struct live_sight *sight = &tasks->sights[task->sight - 1];

			out->waited = (int16_t)sight->wait;
			out->waited_ns = MAX(0, sight->time_ns - (int64_t)begin_ns);
			task->told_wait = sight->wait;
		}
		if (!tasks->nameless)
			memcpy(out->name, task->name, sizeof(out->name));
	}
	*n = (uint32_t)tasks->n_changed;
	tasks->n_changed = 0;
	keep_newest_sights(tasks);
	return tasks->out;
}

int live_tasks_slices(struct live_tasks *tasks, uint64_t begin_ns, struct sample_slice **list,
		      size_t *n, size_t *cap)
{
	const int64_t begin = (int64_t)begin_ns;

	for (size_t i = 0; i < tasks->n_slices; i++) {
		struct sample_slice *slice = &tasks->slices[i];

		if (!array_grow(list, *n, cap, sizeof(*slice)))
			return -ENOMEM;
		slice->on_ns = MAX(0, slice->on_ns - begin);
		slice->off_ns = MAX(0, slice->off_ns - begin);
		slice->ready_ns = MAX(0, slice->ready_ns - begin);
		(*list)[(*n)++] = *slice;
	}
	tasks->n_slices = 0;
	return 0;
}

void live_tasks_close(struct live_tasks *tasks)
{
	if (tasks->by != TASKS_BY_NOBODY && tasks->fd >= 0)
		close(tasks->fd);
	for (size_t i = 0; i < tasks->n; i++)
		tasks_close_kept(&tasks->list[i]);
	free(tasks->exits);
	free(tasks->list);
	free(tasks->bucket);
	free(tasks->root);
	free(tasks->changed);
	free(tasks->out);
	free(tasks->slices);
	free(tasks->sights);
	free(tasks->locks);
	free(tasks->pythons);
	free(tasks->beyond);
	*tasks = (struct live_tasks) {.fd = -1};
}
