/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

int task_fail_run(struct scoreboard *board, enum board_stage stage, int error, uint32_t index,
		  const char *path)
{
	if (!atomic_exchange(&board->failed, 1)) {
		board->failure_stage = stage;
		board->failure_errno = error;
		board->failure_slot = index;
		snprintf(board->failure_path, sizeof(board->failure_path), "%.255s",
			 path ? path : "");
	}
	return -error;
}

void task_fail(const struct task *task, enum board_stage stage, int error, const char *path)
{
	task_fail_run(task->team->board, stage, error, task->index, path);
}

void task_announce(struct worker_slot *slot, pid_t pid, pid_t tid, int cpu)
{
	slot->cpu_first = (int16_t)cpu;
	slot->pid = pid;
	slot->tid = tid;
	crash_slot(slot);
	atomic_store_explicit(&slot->worker, WORKER_STARTED, memory_order_release);
}

/*
 * Shortest work, ns, for which the task's files in /proc are read. Reading a file takes 10 µs, at
 * most 1 % of LONG_WORK. The file that contains the migrations is long and takes three times as
 * long.
 */
#define LONG_WORK   1000000
#define LONGER_WORK 3000000

static bool took(const struct worker_slot *slot, uint64_t ns)
{
	return slot->finish_ns - slot->work_ns >= ns;
}

/*
 * How long the task waited for a core until finish_ns, ns; -1 if unknown. used_ns is its CPU time
 * so far. Waits after finish_ns are subtracted.
 */
static int64_t delay_ns(const struct worker_slot *slot, uint64_t used_ns, uint64_t *bytes)
{
	int64_t delay, late;

	if (!took(slot, LONG_WORK))
		return -1;
	delay = usage_delay_ns(bytes);
	late = (int64_t)(clock_now_ns() - slot->finish_ns) - (int64_t)(clock_thread_ns() - used_ns);
	if (delay < 0 || late < 0)
		return delay;
	return MAX(delay - late, 0);
}

/*
 * Writes what the task used to its slot, at the task's end. Reads the task's clock before
 * getrusage(), which would otherwise report the state at the kernel's last tick or switch, up to 4
 * ms ago at HZ 250.
 */
void task_conclude(struct worker_slot *slot, int (*cpu)(void), struct task_watch *watch)
{
	int64_t migrations = -1;
	struct rusage usage;
	uint64_t used_ns;

	slot->finish_ns = clock_now_ns();
	used_ns = clock_thread_ns();
	getrusage(RUSAGE_THREAD, &usage);
	/* If a thread only waited for its program, report the program's usage. */
	if (watch && watch->waited)
		usage = watch->child;
	clock_usage_add(&slot->usage, &usage);
	/*
	 * The peak of a forked process covers its own memory only. The peak of a thread covers the
	 * whole process.
	 */
	slot->peak_kb = (uint32_t)usage.ru_maxrss;
	if (watch && watch->counts) {
		int err = counters_read(&watch->counters, slot->count);

		watch->bytes += counters_bytes(&watch->counters);
		if (err)
			slot->count_error = -err;
		else
			slot->known |= KNOWN_COUNTS;
	}
	if (watch && watch->delay)
		slot->delay_ns = delay_ns(slot, used_ns, &watch->bytes);
	else
		slot->delay_ns = -1;
	if (watch && watch->migrations && took(slot, LONGER_WORK))
		migrations = usage_migrations(&watch->bytes);
	if (migrations >= 0) {
		slot->migrations = (uint32_t)migrations;
		slot->known |= KNOWN_MIGRATIONS;
	}
	slot->cpu_last = (int16_t)cpu();
	crash_slot(NULL);
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
}

void task_die_with(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(EXIT_FAILURE);
}

/*
 * Joins a process. A worker that fails reports the failure in its slot and exits with 0. Any other
 * status means that it died.
 */
int task_join_process(struct task *task, struct rusage *usage)
{
	struct worker_slot *slot = task_slot(task);
	struct rusage own;

	if (!usage)
		usage = &own;
	while (wait4(task->pid, &slot->wait_status, 0, usage) < 0) {
		if (errno != EINTR)
			return errno;
	}
	slot->reaped_kb = (uint32_t)usage->ru_maxrss;
	/* If the requested fault ended the process, that is not a failure of the run. */
	if (slot->wait_status != 0 && !slot->ended &&
	    atomic_load(&task->team->board->fault_ns) == 0)
		task_fail(task, STAGE_WORK, EOWNERDEAD, NULL);
	return 0;
}

int task_create(const struct task_ops *ops, struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	int error;

	slot->parent_cpu = (int16_t)sched_getcpu();
	slot->create_ns = clock_now_ns();
	atomic_store_explicit(&slot->state, SLOT_CREATING, memory_order_release);
	error = ops->create(task);
	slot->created_ns = clock_now_ns();
	slot->create_error = error;
	atomic_store_explicit(&slot->state, error ? SLOT_REFUSED : SLOT_CREATED,
			      memory_order_release);
	if (error) {
		task_fail(task, STAGE_CREATE, error, NULL);
		barrier_cancel(task->team->board);
	}
	return error;
}

void task_join(const struct task_ops *ops, struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	int error = ops->join(task);

	if (error)
		task_fail(task, STAGE_JOIN, error, NULL);
	slot->join_ns = clock_now_ns();
	atomic_store_explicit(&slot->state, SLOT_JOINED, memory_order_release);
}

int task_current_cpu(void)
{
	unsigned int cpu = 0;

	if (syscall(SYS_getcpu, &cpu, NULL, NULL))
		return -1;
	return (int)cpu;
}
