/* SPDX-License-Identifier: MIT */
#include "live_kernel.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/patience.h"
#include "base/procfs.h"
#include "live_run.h"

/* All of one probe; an emulated machine comes near. After one in vain no other is made. */
#define PROBE_NS 1500000000u

#define REPEATS 3

#define SETTLE_WAITS 20
#define SETTLE_MS    4
#define SETTLED_KB   64

/* The kernel's memory at one moment, KiB. */
struct look {
	double total;	       /* of the cgroup or the machine: all but user pages */
	double machine_tables; /* the machine's page tables in it; NaN: of a cgroup */
};

/* The page tables of idle tasks, KiB. */
struct tables {
	double runner, child; /* child: of one process */
};

/* Where it is read: the coarser, the more tasks and repeats. */
struct account {
	const char *name;
	struct live_charge own; /* stat_fd below 0: not this */
	bool charged;		/* each probe has a cgroup */
	uint32_t tasks;
	int repeats;
	double at_first_kb; /* NaN: not looked at yet */
};

/* A signal that ends the session waits to be read: it goes before what can be learnt. */
static bool is_ended(void)
{
	const sigset_t ends = patience_ends();

	return patience_over(&ends);
}

static double meminfo_kb(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtod(line + strlen(name), NULL) : 0;
}

static void look_at_machine(struct look *look)
{
	char text[8192];

	look->total = NAN;
	if (procfs_read_text("/proc", "meminfo", text, sizeof(text)) < 0)
		return;
	look->machine_tables = meminfo_kb(text, "\nPageTables:");
	look->total = meminfo_kb(text, "\nSlab:") + meminfo_kb(text, "\nKernelStack:") +
		      meminfo_kb(text, "\nPercpu:") + look->machine_tables;
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
	return err < 0 || memory.page_tables_kb < 0 ? NAN : (double)memory.page_tables_kb;
}

/* Of the cgroup that the probe has, NULL: of all that we and others have. */
static void look_at(const struct account *account, const struct live_charge *charge,
		    struct look *look)
{
	struct live_charged charged;

	*look = (struct look) {NAN, NAN};
	if (!charge && account->own.stat_fd < 0)
		look_at_machine(look);
	else if (live_charge_read(charge ? charge : &account->own, &charged) == 0)
		look->total = (double)charged.kernel_kb;
}

/* What others have just left is given back meanwhile: waits until nothing more is. */
static void look_first(struct account *account)
{
	struct look look;

	look_at(account, NULL, &look);
	for (int i = 0; i < SETTLE_WAITS && !is_ended(); i++) {
		account->at_first_kb = look.total;
		poll(NULL, 0, SETTLE_MS);
		look_at(account, NULL, &look);
		if (look.total > account->at_first_kb - 1)
			return;
	}
}

/* What tasks have left is given back a little later: waits until it is; false where in vain. */
static bool settle(const struct account *account, struct look *look)
{
	for (int i = 0; i < SETTLE_WAITS && !is_ended(); i++) {
		look_at(account, NULL, look);
		if (look->total < account->at_first_kb + SETTLED_KB)
			return true;
		poll(NULL, 0, SETTLE_MS);
	}
	return false;
}

/* That of a machine may never be again what it was. */
static bool look_before(const struct account *account, struct look *look)
{
	*look = (struct look) {0, NAN};
	return account->charged || settle(account, look) || account->own.stat_fd < 0;
}

static void look_at_tables(const struct live_run *run, struct tables *tables)
{
	const struct plan *plan = &run->board->request.plan;

	tables->runner = tables_of(run->pid);
	tables->child = plan->task[0] == PLAN_PROCESS
				? tables_of(run->board->slot[plan->fanout[0] / 2].pid)
				: 0;
}

static bool await_hold(const struct live_run *run)
{
	const uint64_t until = clock_now_ns() + PROBE_NS;
	struct pollfd end = {.fd = run->pidfd, .events = POLLIN};

	while (live_run_state(run) < BOARD_HOLDING && clock_now_ns() < until && !is_ended())
		if (poll(&end, 1, 1) > 0)
			return false;
	return live_run_state(run) == BOARD_HOLDING;
}

static void fill_request(struct board_request *request, enum plan_task task, uint32_t n)
{
	memset(request, 0, sizeof(*request));
	request->hold_ms = 10000;
	request->stack_size = 65536;
	request->plan.levels = 1;
	request->plan.task[0] = (uint8_t)task;
	request->plan.fanout[0] = request->plan.leaves[WORK_NULL] = n;
	request->plan.all_alive = true;
}

/* Idle tasks, which are gone again on return; false where they could not all be had. */
static bool probe(struct live_kernel *kernel, const char *runner, enum plan_task task,
		  const struct account *account, struct look *look, struct tables *tables)
{
	struct board_request request;
	struct live_run run;
	int perf_err;
	bool held;

	fill_request(&request, task, account->tasks);
	if (kernel->slow || is_ended() ||
	    live_run_start(&run, runner, &request, -1, account->charged ? kernel : NULL, RING_NONE,
			   NULL, &perf_err) < 0)
		return false;
	held = await_hold(&run);
	kernel->slow = live_run_state(&run) < BOARD_HOLDING;
	held = held && (!account->charged || run.board->joined);
	if (held) {
		look_at(account, account->charged ? &run.charge : NULL, look);
		look_at_tables(&run, tables);
	}
	live_run_close(&run);
	return held && !isnan(look->total + tables->runner + tables->child);
}

/* The machine's page tables leave out the top directory before Linux 6.14: a page a process. */
static double left_out(const struct look *before, const struct look *after,
		       const struct tables *tables, uint32_t n)
{
	double seen = after->machine_tables - before->machine_tables - tables->runner;

	return seen / n - tables->child < 2 ? 4 : 0;
}

/* What one task takes beside its stack and page tables, KiB; NaN. */
static double measure(struct live_kernel *kernel, const char *runner, enum plan_task task,
		      struct account *account)
{
	uint32_t n = account->tasks, with_runner = n + !account->charged;
	struct look before, after;
	struct tables tables;
	double taken;

	if (!look_before(account, &before) ||
	    !probe(kernel, runner, task, account, &after, &tables))
		return NAN;
	taken = after.total - before.total - with_runner * LIVE_KERNEL_STACK_KB;
	if (task == PLAN_PROCESS) {
		kernel->process_tables_kb = tables.child;
		taken -= n * tables.child + (account->charged ? 0 : tables.runner);
		return taken / with_runner + left_out(&before, &after, &tables, n);
	}
	if (account->charged)
		return (taken - tables.runner + kernel->process_tables_kb) / n;
	return (taken - tables.runner - kernel->process_kb) / n;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of those that are possible at all: other programs come and go meanwhile. */
static double measure_often(struct live_kernel *kernel, const char *runner, enum plan_task task,
			    struct account *account)
{
	double most = task == PLAN_PROCESS ? 256 : 64, all[REPEATS];
	size_t n = 0;

	for (int i = 0; i < account->repeats; i++) {
		double one = measure(kernel, runner, task, account);

		if (one > 1 && one < most)
			all[n++] = one;
	}
	qsort(all, n, sizeof(all[0]), compare);
	return n == 0 ? NAN : (all[(n - 1) / 2] + all[n / 2]) / 2;
}

/* What it left is given back before the first run begins. */
static bool calibrate(struct live_kernel *kernel, const char *runner, struct account *account)
{
	struct look after;

	look_first(account);
	kernel->process_kb = measure_often(kernel, runner, PLAN_PROCESS, account);
	if (isnan(kernel->process_kb))
		return false;
	kernel->thread_kb = measure_often(kernel, runner, PLAN_THREAD, account);
	kernel->source = account->name;
	settle(account, &after);
	return !isnan(kernel->thread_kb);
}

static bool calibrate_in_cgroup(struct live_kernel *kernel, const char *runner)
{
	struct account account = {"a cgroup of their own", {.stat_fd = -1}, true, 64, 1, NAN};
	bool done;

	if (!*kernel->cgroup.parent)
		return false;
	live_charge_open_own(&account.own, "");
	done = calibrate(kernel, runner, &account);
	live_charge_close(&account.own);
	return done;
}

static bool calibrate_in_own(struct live_kernel *kernel, const char *runner)
{
	struct account account = {
		"tuibench's own cgroup", {.stat_fd = -1}, false, 128, REPEATS, NAN};
	bool done;

	if (live_charge_open_own(&account.own, "") < 0)
		return false;
	done = calibrate(kernel, runner, &account);
	live_charge_close(&account.own);
	return done;
}

static void calibrate_anywhere(struct live_kernel *kernel, const char *runner)
{
	struct account machine = {"/proc/meminfo", {.stat_fd = -1}, false, 384, REPEATS, NAN};

	if (calibrate_in_cgroup(kernel, runner))
		return;
	live_cgroup_close(&kernel->cgroup);
	if (calibrate_in_own(kernel, runner) || calibrate(kernel, runner, &machine))
		return;
	kernel->thread_kb = kernel->process_kb = NAN;
	kernel->source = "";
}

int live_kernel_wish(struct live_kernel *kernel, const char *wish)
{
	static const char *const names[] = {
		[LIVE_KERNEL_WHOLE] = "whole",
		[LIVE_KERNEL_ESTIMATE] = "estimate",
		[LIVE_KERNEL_TABLES] = "tables",
	};

	memset(kernel, 0, sizeof(*kernel));
	kernel->thread_kb = kernel->process_kb = kernel->process_tables_kb = NAN;
	kernel->source = "";
	if (!wish || !*wish)
		return 0;
	for (int i = 0; i <= LIVE_KERNEL_TABLES; i++) {
		kernel->wish = (enum live_kernel_wish)i;
		if (strcmp(wish, names[i]) == 0)
			return 0;
	}
	return -EINVAL;
}

void live_kernel_learn(struct live_kernel *kernel, const char *runner)
{
	if (kernel->wish == LIVE_KERNEL_TABLES)
		return;
	if (kernel->wish == LIVE_KERNEL_WHOLE)
		live_cgroup_open(&kernel->cgroup, "");
	calibrate_anywhere(kernel, runner);
}

double live_kernel_other(const struct live_kernel *kernel, size_t threads, size_t processes)
{
	double other = (double)threads * kernel->thread_kb + (double)processes * kernel->process_kb;

	return isnan(other) ? -1 : other;
}

void live_kernel_close(struct live_kernel *kernel)
{
	live_cgroup_close(&kernel->cgroup);
}
