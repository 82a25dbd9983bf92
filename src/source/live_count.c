/* SPDX-License-Identifier: MIT */
#include "live_count.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/procfs.h"
#include "live_sched.h"
#include "work/workload.h"

/* To open and close them takes a worker 0.1 ms, and each is 6 KiB of the kernel's memory. */
#define MOST_TASKS 1000u
/* Of the kernel's errors (MAX_ERRNO). */
#define ERRNO_MOST 4095
/* Such a part of a workload's usual size is long enough, 10 ms and more. */
#define LONG_PART 8

static bool is_long(const struct sample_case *one)
{
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		const struct workload_ops *ops = workload_get((enum work_kind)kind);

		if (one->plan.leaves[kind] > 0 &&
		    one->work_size[kind] < ops->default_size / LONG_PART)
			return false;
	}
	return true;
}

/* Threads that share the files of one process. */
static uint32_t threads_of(const struct plan *plan)
{
	uint32_t n = 1;

	for (uint32_t level = 0; level < plan->levels; level++)
		n = plan->task[level] == PLAN_PROCESS ? 1 : n * plan->fanout[level];
	return n;
}

static bool has_files(const struct plan *plan)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) ||
	       counters_files(threads_of(plan)) <= limit.rlim_max;
}

/* What of a case speaks against them; NULL: nothing. */
static const char *objection(const struct sample_case *one)
{
	if (!live_sched_has_loops(&one->plan))
		return "tasks without a loop are not counted";
	if (plan_count(&one->plan) > MOST_TASKS)
		return "more than 1,000 tasks are not counted";
	if (!is_long(one))
		return "the work is too short: this would take 1 % of it";
	if (!has_files(&one->plan))
		return "a worker needs 4 open files more: ulimit -Hn";
	return NULL;
}

static const char *any_objection(const struct experiment *experiment, bool off)
{
	const char *text = NULL;

	if (experiment->request.sched == SCHED_OFF)
		return "-s sched=off";
	if (off)
		return "TUIBENCH_COUNTERS=off";
	for (uint32_t i = 0; i < experiment->n_cases && !text; i++)
		text = objection(&experiment->cases[i]);
	return text;
}

/* Paranoid 3 and 4 are of Debian and Ubuntu; below, a container may forbid the call. */
static void say_forbidden(char *text, size_t size)
{
	int level = procfs_perf_paranoid();

	if (level > 2)
		snprintf(text, size, "kernel.perf_event_paranoid is %d, 2 is low enough", level);
	else
		snprintf(text, size, "perf_event_open is not allowed here");
}

static void say_error(int err, char *text, size_t size)
{
	switch (-err) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		snprintf(text, size, "this machine shows no hardware counters");
		break;
	case EACCES:
	case EPERM:
		say_forbidden(text, size);
		break;
	default:
		snprintf(text, size, "perf_event_open: %s", strerror(-err));
	}
}

static void try_to(struct live_count *count, enum counters_kind kind)
{
	int err = counters_open(&count->held, kind);

	if (err) {
		say_error(err, count->said, sizeof(count->said));
		return;
	}
	count->kind = kind;
	snprintf(count->said, sizeof(count->said), "%s",
		 kind == COUNTERS_SOFTWARE ? "software" : "user");
}

int live_count_choose(const struct experiment *experiment, const char *wish,
		      struct live_count *count)
{
	bool off = wish && strcmp(wish, "off") == 0;
	const char *text = any_objection(experiment, off);

	*count = (struct live_count) {.kind = COUNTERS_NONE};
	if (wish && !off && strcmp(wish, "software") != 0)
		return -EINVAL;
	if (text)
		snprintf(count->said, sizeof(count->said), "%s", text);
	else
		try_to(count, wish ? COUNTERS_SOFTWARE : COUNTERS_HARDWARE);
	return 0;
}

const char *live_count_missed(const struct scoreboard *board)
{
	for (uint32_t i = 0; i < board->slots; i++) {
		int err = board->slot[i].count_error;

		if (err == EBUSY)
			return "others, as the kernel's watchdog or perf, had the counters as well";
		if (err)
			return err > 0 && err <= ERRNO_MOST ? strerror(err)
							    : "what is told of it is no error";
	}
	return NULL;
}

void live_count_close(struct live_count *count)
{
	if (count->kind != COUNTERS_NONE)
		counters_close(&count->held);
	count->kind = COUNTERS_NONE;
}
