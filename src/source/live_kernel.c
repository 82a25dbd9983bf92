/* SPDX-License-Identifier: MIT */
#include "live_memory.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/procfs.h"
#include "live_run.h"

/*
 * Time limit of a probe. An emulated machine needs almost all of it. If a probe's tasks have not
 * all begun by then, no further probe is made.
 */
#define PROBE_NS 1500000000u

#define REPEATS 3

#define SETTLE_WAITS 20
#define SETTLE_MS    4
#define SETTLED_KB   64

struct look {
	double total;	       /* memory of the cgroup or of the machine, without user pages */
	double machine_tables; /* page tables of the whole machine; NaN for a cgroup */
};

/*
 * The accounts from which memory can be read, the best first. A less precise account needs more
 * tasks and repeats.
 */
struct account {
	const char *name;
	bool charged; /* Each probe has a cgroup of its own. */
	uint32_t tasks;
	int repeats;
};

static const struct account accounts[] = {
	{"a cgroup of their own", true, 64, 1},
	{"tuibench's own cgroup", false, 128, REPEATS},
	{"/proc/meminfo", false, 384, REPEATS},
};

enum { CHARGED, OWN, MACHINE, ACCOUNTS };

enum step {
	STEP_ACCOUNT, /* try the next account */
	STEP_FIRST,   /* wait until the kernel has freed the memory of earlier programs */
	STEP_BEFORE,  /* wait until the kernel has freed the memory of the previous probe */
	STEP_HOLD,    /* wait until all tasks of a probe have begun, then measure */
	STEP_AFTER,   /* wait until the kernel has freed the memory of the last probe */
};

struct live_learning {
	enum step step;
	int waits; /* Number of waits in this step. */
	int account;
	struct live_charge own; /* tuibench's own cgroup; stat_fd -1: not open */
	/* Reading of the account, KiB, at last after the memory of earlier programs was freed. */
	double at_first_kb;
	enum plan_task task;
	int turn;
	double found[REPEATS];
	size_t n_found;
	struct look before;
	struct live_run run; /* The probe. */
	uint64_t until_ns;   /* Time at which the probe is abandoned. */
};

static double meminfo_kb(const char *text, const char *name)
{
	const char *number = procfs_after_key(text, name);

	if (number)
		return strtod(number, NULL);
	return 0;
}

static double tables_of(pid_t pid)
{
	struct procfs_memory memory;
	struct procfs_task task;
	int err = procfs_task_open(&task, "/proc", pid);

	if (err < 0)
		return NAN;
	err = procfs_task_status(&task, &memory);
	procfs_task_close(&task);
	if (err < 0 || memory.page_tables_kb < 0)
		return NAN;
	return (double)memory.page_tables_kb;
}

/*
 * Reads an account. charge: the cgroup of the probe; NULL: the machine's account or our own
 * cgroup's.
 */
static void read_account(const struct live_learning *learning, const struct live_charge *charge,
			 struct look *look)
{
	struct live_charged charged;
	char text[8192];

	*look = (struct look) {NAN, NAN};
	if (charge || learning->own.stat_fd >= 0) {
		if (live_charge_read(charge ? charge : &learning->own, &charged) == 0)
			look->total = (double)charged.kernel_kb;
	} else if (procfs_read_text("/proc", "meminfo", text, sizeof(text)) == 0) {
		look->machine_tables = meminfo_kb(text, "\nPageTables:");
		look->total = meminfo_kb(text, "\nSlab:") + meminfo_kb(text, "\nKernelStack:") +
			      meminfo_kb(text, "\nPercpu:") + look->machine_tables;
	}
}

static bool start_probe(struct live_kernel *kernel, const char *runner)
{
	struct live_learning *learning = kernel->learning;
	const struct account *account = &accounts[learning->account];
	struct board_request request;

	memset(&request, 0, sizeof(request));
	request.hold_ms = 10000;
	request.stack_size = 65536;
	request.plan.levels = 1;
	request.plan.task[0] = (uint8_t)learning->task;
	request.plan.fanout[0] = request.plan.leaves[WORK_NULL] = account->tasks;
	request.plan.all_alive = true;
	learning->until_ns = clock_now_ns() + PROBE_NS;
	return !kernel->slow &&
	       live_run_start(&learning->run, runner, &request, NULL, -1,
			      account->charged ? kernel : NULL, NULL, NULL, NULL, false) == 0;
}

/*
 * Kernel memory of one task, KiB, without its kernel stack and page tables, measured with the
 * probe's waiting tasks. Ends the probe. NaN if not all tasks began, or if memory could not be
 * read.
 */
static double measure_probe(struct live_kernel *kernel)
{
	struct live_learning *learning = kernel->learning;
	const struct account *account = &accounts[learning->account];
	uint32_t n = account->tasks, with_runner = n + !account->charged;
	struct live_run *run = &learning->run;
	bool held = scoreboard_state(run->board) == BOARD_HOLDING;
	struct look after = {NAN, NAN};
	double runner_kb = NAN,
	       child_kb = NAN; /* Page tables of the runner, and of one child process. */
	const struct plan *plan = &run->board->request.plan;
	double taken, seen;

	kernel->slow = scoreboard_state(run->board) < BOARD_HOLDING;
	if (held && (!account->charged || run->board->joined)) {
		read_account(learning, account->charged ? &run->charge : NULL, &after);
		runner_kb = tables_of(run->pid);
		child_kb = 0;
		if (plan->task[0] == PLAN_PROCESS)
			child_kb = tables_of(run->board->slot[plan->fanout[0] / 2].pid);
	}
	live_run_close(run);
	if (isnan(after.total + runner_kb + child_kb))
		return NAN;
	taken = after.total - learning->before.total - with_runner * LIVE_KERNEL_STACK_KB;
	if (learning->task == PLAN_PROCESS) {
		kernel->process_tables_kb = child_kb;
		taken -= n * child_kb;
		if (!account->charged)
			taken -= runner_kb;
		/*
		 * Before Linux 6.14, PageTables in /proc/meminfo leaves out the top directory,
		 * which is 4 KiB per process, so add it. A cgroup's account has it; `seen` is then
		 * NaN, and the condition false.
		 */
		seen = (after.machine_tables - learning->before.machine_tables - runner_kb) / n;
		taken /= with_runner;
		if (seen - child_kb < 2)
			return taken + 4;
		return taken;
	}
	if (account->charged)
		return (taken - runner_kb + kernel->process_tables_kb) / n;
	return (taken - runner_kb - kernel->process_kb) / n;
}

static void begin_step(struct live_learning *learning, enum step step)
{
	learning->step = step;
	learning->waits = 0;
}

static void begin_kind(struct live_learning *learning, enum plan_task task)
{
	learning->task = task;
	learning->turn = 0;
	learning->n_found = 0;
	begin_step(learning, STEP_BEFORE);
}

/*
 * Ends one repetition of a measurement. After the last one, takes the median of the results,
 * because other programs allocate memory at the same time.
 */
static void end_turn(struct live_kernel *kernel, double kb)
{
	struct live_learning *learning = kernel->learning;
	double *all = learning->found;
	size_t n;

	if (kb > 1 && kb < (learning->task == PLAN_PROCESS ? 256 : 64))
		all[learning->n_found++] = kb;
	begin_step(learning, STEP_BEFORE);
	if (++learning->turn < accounts[learning->account].repeats)
		return;
	n = learning->n_found;
	qsort(all, n, sizeof(all[0]), array_by_double);
	if (n == 0)
		kb = NAN;
	else
		kb = (all[(n - 1) / 2] + all[n / 2]) / 2;
	if (learning->task == PLAN_THREAD) {
		kernel->thread_kb = kb;
		begin_step(learning, STEP_AFTER);
		return;
	}
	kernel->process_kb = kb;
	if (isnan(kb))
		begin_step(learning, STEP_ACCOUNT);
	else
		begin_kind(learning, PLAN_THREAD);
}

static bool next_account(struct live_kernel *kernel)
{
	struct live_learning *learning = kernel->learning;

	live_charge_close(&learning->own);
	if (learning->account == CHARGED)
		live_cgroup_close(&kernel->cgroup);
	learning->account++;
	if (learning->account == CHARGED && !*kernel->cgroup.parent)
		learning->account++;
	if (learning->account < MACHINE && live_charge_open_own(&learning->own, "") < 0 &&
	    learning->account == OWN)
		learning->account++;
	return learning->account < ACCOUNTS;
}

static bool has_settled(const struct live_learning *learning, struct look *look)
{
	read_account(learning, NULL, look);
	return look->total < learning->at_first_kb + SETTLED_KB;
}

/*
 * Takes a step. Returns the milliseconds to wait; 0: take the next step immediately; -1: this was
 * the last step.
 */
static int take_kernel_step(struct live_kernel *kernel, const char *runner)
{
	struct live_learning *learning = kernel->learning;
	const bool last = ++learning->waits > SETTLE_WAITS;
	struct pollfd end = {.events = POLLIN};
	struct look look;

	switch (learning->step) {
	case STEP_ACCOUNT:
		if (!next_account(kernel))
			return -1;
		begin_step(learning, STEP_FIRST);
		return 0;
	case STEP_FIRST:
		read_account(learning, NULL, &look);
		if (last || (learning->waits > 1 && look.total > learning->at_first_kb - 1)) {
			begin_kind(learning, PLAN_PROCESS);
			return 0;
		}
		learning->at_first_kb = look.total;
		return SETTLE_MS;
	case STEP_BEFORE:
		learning->before = (struct look) {0, NAN};
		if (learning->account != CHARGED && !has_settled(learning, &learning->before)) {
			if (!last)
				return SETTLE_MS;
			/*
			 * The account did not settle in time. A reading of our own cgroup would be
			 * wrong, so skip this turn. The account of the whole machine may never
			 * settle, so make the probe anyway.
			 */
			if (learning->own.stat_fd >= 0) {
				end_turn(kernel, NAN);
				return 0;
			}
		}
		if (start_probe(kernel, runner)) {
			begin_step(learning, STEP_HOLD);
			return 0;
		}
		live_run_close(&learning->run);
		end_turn(kernel, NAN);
		return 0;
	case STEP_HOLD:
		/* Waits until all tasks are held, or gives up. */
		end.fd = learning->run.pidfd;
		if (scoreboard_state(learning->run.board) < BOARD_HOLDING &&
		    clock_now_ns() < learning->until_ns && poll(&end, 1, 0) <= 0)
			return 1;
		end_turn(kernel, measure_probe(kernel));
		return 0;
	case STEP_AFTER:
		if (!last && !has_settled(learning, &look))
			return SETTLE_MS;
		if (!isnan(kernel->thread_kb))
			return -1;
		begin_step(learning, STEP_ACCOUNT);
		return 0;
	}
	return -1;
}

static void end_learning(struct live_kernel *kernel)
{
	if (!kernel->learning)
		return;
	live_run_close(&kernel->learning->run);
	live_charge_close(&kernel->learning->own);
	free(kernel->learning);
	kernel->learning = NULL;
}

int live_kernel_wish(struct live_kernel *kernel, const char *wish)
{
	static const char *const names[] = {
		[LIVE_KERNEL_WHOLE] = "whole",
		[LIVE_KERNEL_ESTIMATE] = "estimate",
		[LIVE_KERNEL_TABLES] = "tables",
	};
	int found;

	memset(kernel, 0, sizeof(*kernel));
	kernel->thread_kb = kernel->process_kb = kernel->process_tables_kb = NAN;
	kernel->source = "";
	if (!wish || !*wish)
		return 0;
	found = names_find(names, LIVE_KERNEL_TABLES + 1, wish);
	kernel->wish = (enum live_kernel_wish)MAX(found, 0);
	return MIN(found, 0);
}

int live_kernel_learn(struct live_kernel *kernel, const char *runner, bool estimate)
{
	int wait_ms = 0;

	if (kernel->wish == LIVE_KERNEL_TABLES)
		return -1;
	if (!kernel->learning) {
		kernel->learning = calloc(1, sizeof(*kernel->learning));
		if (!kernel->learning)
			return -1;
		kernel->learning->account = -1;
		kernel->learning->own.stat_fd = -1;
		kernel->learning->at_first_kb = NAN;
		if (kernel->wish == LIVE_KERNEL_WHOLE)
			live_cgroup_open(&kernel->cgroup, "", "memory");
		if (!estimate && !*kernel->cgroup.parent) {
			end_learning(kernel);
			return -1;
		}
	}
	while (wait_ms == 0)
		wait_ms = take_kernel_step(kernel, runner);
	if (wait_ms > 0)
		return wait_ms;
	if (kernel->learning->account < ACCOUNTS)
		kernel->source = accounts[kernel->learning->account].name;
	else
		kernel->thread_kb = kernel->process_kb = NAN;
	end_learning(kernel);
	return -1;
}

void live_kernel_close(struct live_kernel *kernel)
{
	end_learning(kernel);
	live_cgroup_close(&kernel->cgroup);
}
