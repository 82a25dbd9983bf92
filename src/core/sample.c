/* SPDX-License-Identifier: MIT */
#include "core/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

static const char *const status_names[] = {
	[SAMPLE_OK] = "ok",	      [SAMPLE_FAILED] = "failed",
	[SAMPLE_CRASHED] = "crashed", [SAMPLE_INTERRUPTED] = "interrupted",
	[SAMPLE_REFUSED] = "refused", [SAMPLE_RUNNING] = "running",
};

const char *sample_status_name(enum sample_status status)
{
	return status_names[MIN(status, SAMPLE_RUNNING)];
}

enum sample_status sample_status_parse(const char *name)
{
	int i = names_find(status_names, SAMPLE_RUNNING, name);

	if (i < 0)
		return SAMPLE_RUNNING;
	return (enum sample_status)i;
}

const char *const sample_why_names[WHYS] = {
	[WHY_UNKNOWN] = "",
	[WHY_PREEMPTED] = "preempted",
	[WHY_BLOCKED] = "blocked",
	[WHY_ENDED] = "ended",
};

const char *const sample_woken_names[WOKENS] = {
	[WOKEN_UNKNOWN] = "",	      [WOKEN_BY_MAIN] = "main",
	[WOKEN_BY_WORKER] = "worker", [WOKEN_BY_INTERRUPT] = "interrupt",
	[WOKEN_BY_OTHERS] = "others",
};

const char *const sample_wake_names[SAMPLE_WAKE_KINDS] = {"created", "barrier", "blocked"};

const char *const sample_wait_names[WAITS] = {
	[WAIT_SEVERAL] = "several", [WAIT_FILE] = "file",	  [WAIT_PIPE] = "pipe",
	[WAIT_SOCKET] = "socket",   [WAIT_TERMINAL] = "terminal", [WAIT_EVENTS] = "events",
	[WAIT_SLEEP] = "sleep",	    [WAIT_CHILD] = "child",	  [WAIT_THREAD] = "thread",
	[WAIT_SIGNAL] = "signal",   [WAIT_PAGE] = "page",	  [WAIT_OTHER] = "other",
	[WAIT_GIL] = "GIL"};

char *sample_wait_name(int waited, char *buf, size_t size)
{
	if (waited > WAIT_LOCK)
		snprintf(buf, size, "lock %d", waited - WAIT_LOCK);
	else if (waited == WAIT_LOCK)
		snprintf(buf, size, "lock");
	else if (waited > 0 && waited < WAITS)
		snprintf(buf, size, "%s", sample_wait_names[waited]);
	else if (size > 0)
		*buf = '\0';
	return buf;
}

const char *sample_seen_name(int seen)
{
	static const char *const names[SEEN_WAYS] = {
		[SEEN_START] = "start", [SEEN_SAMPLED] = "sampled", [SEEN_PEAK] = "peak",
		[SEEN_PEAKS] = "peaks", [SEEN_LEAST] = "least",	    [SEEN_MOST] = "most",
	};

	if (seen >= 0 && seen < SEEN_WAYS)
		return names[seen];
	return NULL;
}

enum sample_bound sample_seen_bound(int seen)
{
	static const enum sample_bound bounds[SEEN_WAYS] = {
		[SEEN_START] = BOUND_LEAST, [SEEN_SAMPLED] = BOUND_LEAST, [SEEN_PEAK] = BOUND_PEAK,
		[SEEN_PEAKS] = BOUND_PEAK,  [SEEN_LEAST] = BOUND_LEAST,	  [SEEN_MOST] = BOUND_MOST,
	};

	if (seen >= 0 && seen < SEEN_WAYS)
		return bounds[seen];
	return BOUND_NONE;
}

const char *sample_seen_mark(int seen)
{
	switch (sample_seen_bound(seen)) {
	case BOUND_LEAST:
		return "≥";
	case BOUND_MOST:
		return "≤";
	default:
		return "";
	}
}

const char *const sample_message_names[MESSAGE_KINDS] = {
	[MESSAGE_OTHER] = "other", [MESSAGE_STACKS] = "stacks", [MESSAGE_NO_PSS] = "no_pss",
	[MESSAGE_QUICK] = "quick", [MESSAGE_RUN] = "run",	[MESSAGE_HALTED] = "halted",
};

int64_t sample_worker_begin(const struct sample_worker *worker)
{
	int64_t start = worker->start_ns, created = worker->created_ns;

	if (start >= 0 && (created < 0 || start < created))
		return start;
	if (worker->status == SAMPLE_REFUSED)
		return -1;
	return created;
}

int sample_worker_same_core(const struct sample_worker *worker)
{
	if (worker->cpu_first < 0 || worker->parent_cpu < 0)
		return -1;
	return worker->cpu_first == worker->parent_cpu;
}

/* clang-format off */
const struct field sample_session_fields[] = {
	FIELD("version", sample_session, version),
	FIELD("experiment", sample_session, experiment),
	FIELD("title", sample_session, title),
	FIELD("options", sample_session, options),
	FIELD("wall_s", sample_session, wall_s),
	FIELD("trials", sample_session, trials),
	FIELD("warmup", sample_session, warmup),
	FIELD("interval_ms", sample_session, interval_ms),
	FIELD("cases", sample_session, cases),
	FIELD("machine.host", sample_session, machine.host),
	FIELD("machine.kernel", sample_session, machine.kernel),
	FIELD("machine.arch", sample_session, machine.arch),
	FIELD("machine.libc", sample_session, machine.libc),
	FIELD("machine.cpu", sample_session, machine.cpu),
	FIELD("machine.virtualization", sample_session, machine.virtualization),
	FIELD("machine.governor", sample_session, machine.governor),
	FIELD("machine.frequency_source", sample_session, machine.frequency_source),
	FIELD("machine.hugepages", sample_session, machine.hugepages),
	FIELD("machine.cpus_allowed", sample_session, machine.cpus_allowed),
	FIELD("machine.cores_online", sample_session, machine.cores_online),
	FIELD("machine.cores_allowed", sample_session, machine.cores_allowed),
	FIELD("machine.performance_cores", sample_session, machine.performance_cores),
	FIELD("machine.efficiency_cores", sample_session, machine.efficiency_cores),
	FIELD("machine.mhz", sample_session, machine.mhz),
	FIELD("machine.memory_kb", sample_session, machine.memory_kb),
	FIELD("machine.memory_limit_kb", sample_session, machine.memory_limit_kb),
	FIELD("machine.cpu_quota", sample_session, machine.cpu_quota),
	FIELD("machine.page_kb", sample_session, machine.page_kb),
	FIELD("machine.clock_ticks", sample_session, machine.clock_ticks),
	FIELD("machine.tick_ns", sample_session, machine.tick_ns),
	FIELD("machine.clock_ns", sample_session, machine.clock_ns),
	FIELD("terminal", sample_session, terminal),
	FIELD("seed", sample_session, seed),
	FIELD("sched", sample_session, sched),
	FIELD("sched_ns", sample_session, sched_ns),
	FIELD("wakes", sample_session, wakes),
	FIELD("counters", sample_session, counters),
	FIELD("sched_perf", sample_session, sched_perf),
	FIELD("topology", sample_session, topology),
	FIELD("environment", sample_session, environment),
	FIELD("machine.distribution", sample_session, machine.distribution),
	FIELD("machine.filesystem", sample_session, machine.filesystem),
	FIELD("machine.caches", sample_session, machine.caches),
	FIELD("machine.smt", sample_session, machine.smt),
	FIELD("machine.mitigations", sample_session, machine.mitigations),
	FIELD("compiler", sample_session, compiler),
	FIELD("commit", sample_session, commit),
	FIELD("settings", sample_session, settings),
	FIELD("tasks_by", sample_session, tasks_by),
	FIELD("machine.id", sample_session, machine.id),
	FIELD("machine.label", sample_session, machine.label),
	FIELD("wall_ns", sample_session, wall_ns),
	FIELD("for_ns", sample_session, for_ns),
	FIELD("metric", sample_session, metric),
	FIELD("prediction", sample_session, prediction),
	{NULL},
};

const struct field sample_run_fields[] = {
	FIELD("run", sample_run, run),
	FIELD("trial", sample_run, trial),
	FIELD("planned", sample_run, planned),
	FIELD("case_id", sample_run, case_id),
	{NULL},
};

const struct field sample_core_fields[] = {
	FIELD("id", sample_core, cpu),
	FIELD("user_permille", sample_core, user),
	FIELD("system_permille", sample_core, system),
	FIELD("iowait_permille", sample_core, iowait),
	FIELD("steal_permille", sample_core, steal),
	FIELD("mhz", sample_core, mhz),
	{NULL},
};

#define MEMORY(of, in) \
	FIELD("rss_kb", of, in rss_kb), \
	FIELD("pss_kb", of, in pss_kb), \
	FIELD("uss_kb", of, in uss_kb), \
	FIELD("kernel_kb", of, in kernel_kb), \
	FIELD("estimated", of, in estimated)

#define MEMORY_KERNEL(of, in) \
	FIELD("kernel_tables_kb", of, in kernel_tables_kb), \
	FIELD("kernel_stacks_kb", of, in kernel_stacks_kb), \
	FIELD("kernel_other_kb", of, in kernel_other_kb), \
	FIELD("kernel_estimated", of, in kernel_estimated)

#define MEMORY_SEEN(of, in) \
	FIELD("rss_seen", of, in rss_seen), \
	FIELD("pss_seen", of, in pss_seen), \
	FIELD("kernel_seen", of, in kernel_seen)

const struct field sample_memory_fields[] = {
	MEMORY(sample_memory, ),
	MEMORY_KERNEL(sample_memory, ),
	MEMORY_SEEN(sample_memory, ),
	{NULL},
};

const struct field sample_tick_fields[] = {
	MEMORY(sample_tick, memory.),
	FIELD("tasks", sample_tick, tasks),
	FIELD("self_cpu_us", sample_tick, self_cpu_us),
	FIELD("lost", sample_tick, lost),
	FIELD("paused", sample_tick, paused),
	FIELD("terminal_cpu_us", sample_tick, terminal_us),
	MEMORY_KERNEL(sample_tick, memory.),
	FIELD("program_children", sample_tick, children),
	FIELD("program_threads", sample_tick, threads),
	FIELD("throttled_periods", sample_tick, throttled_periods),
	FIELD("throttled_us", sample_tick, throttled_us),
	FIELD("program_processes", sample_tick, processes),
	FIELD("accept_queue", sample_tick, queue),
	{NULL},
};

#define COUNTS(of) \
	FIELD("migrations", of, migrations), \
	FIELD("cycles", of, cycles), \
	FIELD("instructions", of, instructions), \
	FIELD("cache_misses", of, cache_misses), \
	FIELD("tlb_misses", of, tlb_misses)

const struct field sample_worker_fields[] = {
	FIELD("pid", sample_worker, pid),
	FIELD("tid", sample_worker, tid),
	FIELD("cpu_first", sample_worker, cpu_first),
	FIELD("cpu_last", sample_worker, cpu_last),
	FIELD("create_ns", sample_worker, create_ns),
	FIELD("created_ns", sample_worker, created_ns),
	FIELD("start_ns", sample_worker, start_ns),
	FIELD("work_ns", sample_worker, work_ns),
	FIELD("finish_ns", sample_worker, finish_ns),
	FIELD("join_ns", sample_worker, join_ns),
	FIELD("result", sample_worker, result),
	FIELD("error", sample_worker, error),
	FIELD("status", sample_worker, status),
	FIELD("user_us", sample_worker, user_us),
	FIELD("system_us", sample_worker, system_us),
	FIELD("minflt", sample_worker, minflt),
	FIELD("majflt", sample_worker, majflt),
	FIELD("nvcsw", sample_worker, nvcsw),
	FIELD("nivcsw", sample_worker, nivcsw),
	FIELD("creator_cpu", sample_worker, parent_cpu),
	FIELD("delay_us", sample_worker, delay_us),
	COUNTS(sample_worker),
	FIELD("tasks_done", sample_worker, tasks),
	{NULL},
};

const struct field sample_totals_fields[] = {
	FIELD("steal_permille", sample_totals, steal),
	MEMORY(sample_totals, memory.),
	FIELD("self_cpu_us", sample_totals, self_cpu_us),
	FIELD("paused", sample_totals, paused),
	FIELD("status", sample_totals, status),
	FIELD("user_us", sample_totals, user_us),
	FIELD("system_us", sample_totals, system_us),
	FIELD("minflt", sample_totals, minflt),
	FIELD("majflt", sample_totals, majflt),
	FIELD("nvcsw", sample_totals, nvcsw),
	FIELD("nivcsw", sample_totals, nivcsw),
	FIELD("begin_ns", sample_totals, begin_ns),
	FIELD("go_ns", sample_totals, go_ns),
	FIELD("elapsed_ns", sample_totals, elapsed_ns),
	FIELD("held_ns", sample_totals, held_ns),
	FIELD("create_span_ns", sample_totals, create_ns),
	FIELD("workers", sample_totals, workers),
	FIELD("created", sample_totals, created),
	FIELD("finished", sample_totals, finished),
	FIELD("joined", sample_totals, joined),
	FIELD("failed", sample_totals, failed),
	FIELD("peak_alive", sample_totals, peak_alive),
	FIELD("read_kb", sample_totals, read_kb),
	FIELD("written_kb", sample_totals, written_kb),
	FIELD("disk_read_kb", sample_totals, disk_read_kb),
	FIELD("disk_written_kb", sample_totals, disk_written_kb),
	FIELD("lines", sample_totals, hello_lines),
	FIELD("others_permille", sample_totals, others),
	FIELD("stat_user_us", sample_totals, stat_user_us),
	FIELD("stat_system_us", sample_totals, stat_system_us),
	FIELD("drain_cpu_us", sample_totals, drain_us),
	FIELD("terminal_cpu_us", sample_totals, terminal_us),
	FIELD("checked_kb", sample_totals, checked_kb),
	MEMORY_KERNEL(sample_totals, memory.),
	FIELD("slices_lost", sample_totals, slices_lost),
	COUNTS(sample_totals),
	FIELD("fault", sample_totals, fault),
	FIELD("fault_worker", sample_totals, fault_worker),
	FIELD("fault_ns", sample_totals, fault_ns),
	FIELD("told_ns", sample_totals, noticed_ns),
	FIELD("survived", sample_totals, survived),
	FIELD("left", sample_totals, left),
	FIELD("operations", sample_totals, operations),
	FIELD("operations_ns", sample_totals, operations_ns),
	FIELD("operation_min_ns", sample_totals, operation_min_ns),
	FIELD("operation_max_ns", sample_totals, operation_max_ns),
	FIELD("steps", sample_totals, steps),
	FIELD("steps_ns", sample_totals, steps_ns),
	FIELD("steps_span_ns", sample_totals, steps_span_ns),
	FIELD("steps_faults", sample_totals, steps_faults),
	FIELD("copied_kb", sample_totals, copied_kb),
	FIELD("tasks_done", sample_totals, tasks),
	FIELD("task_create_ns", sample_totals, task_create_ns),
	FIELD("fairness_permille", sample_totals, fairness),
	FIELD("messages", sample_totals, messages),
	FIELD("repeated", sample_totals, repeated),
	FIELD("wall_ns", sample_totals, wall_ns),
	FIELD("cgroup_peak_kb", sample_totals, cgroup_kb),
	MEMORY_SEEN(sample_totals, memory.),
	FIELD("program_children", sample_totals, children),
	FIELD("program_threads", sample_totals, threads),
	FIELD("increments_lost", sample_totals, increments_lost),
	FIELD("wrong_results", sample_totals, wrong_results),
	FIELD("throttled_periods", sample_totals, throttled_periods),
	FIELD("throttled_us", sample_totals, throttled_us),
	FIELD("program_tasks", sample_totals, tasks_created),
	FIELD("program_tasks_lost", sample_totals, tasks_lost),
	FIELD("program_processes", sample_totals, processes),
	FIELD("energy_uj", sample_totals, energy_uj),
	FIELD("subject", sample_totals, others_who),
	FIELD("value", sample_totals, reason),
	FIELD("left_running", sample_totals, left_running),
	FIELD("memory_reason", sample_totals, memory_reason),
	FIELD("usage_reason", sample_totals, usage_reason),
	FIELD("read_nothing", sample_totals, read_nothing),
	FIELD("program_output", sample_totals, program_output),
	FIELD("planned_trials", sample_totals, planned_trials),
	FIELD("cut_ns", sample_totals, cut_ns),
	FIELD("printed", sample_totals, printed),
	FIELD("printed_unit", sample_totals, printed_unit),
	FIELD("printed_reason", sample_totals, printed_reason),
	FIELD("requests", sample_totals, requests),
	FIELD("requests_failed", sample_totals, requests_failed),
	FIELD("requests_ns", sample_totals, requests_ns),
	FIELD("idle_connections", sample_totals, idle_connections),
	FIELD("idle_pss_kb", sample_totals, idle_pss_kb),
	FIELD("accept_queue_most", sample_totals, queue_most),
	{NULL},
};

const struct field sample_slice_fields[] = {
	FIELD("cpu", sample_slice, cpu),
	FIELD("on_ns", sample_slice, on_ns),
	FIELD("off_ns", sample_slice, off_ns),
	FIELD("ready_ns", sample_slice, ready_ns),
	FIELD("waker", sample_slice, waker),
	FIELD("waited", sample_slice, waited),
	{NULL},
};

const struct field sample_task_fields[] = {
	FIELD("id", sample_task, index),
	FIELD("creator", sample_task, parent),
	FIELD("pid", sample_task, pid),
	FIELD("tid", sample_task, tid),
	FIELD("start_ns", sample_task, begin_ns),
	FIELD("finish_ns", sample_task, end_ns),
	FIELD("worker", sample_task, worker),
	FIELD("cpu_ns", sample_task, cpu_ns),
	FIELD("exit_status", sample_task, exit_status),
	FIELD("waited", sample_task, waited),
	FIELD("waited_ns", sample_task, waited_ns),
	FIELD("subject", sample_task, name),
	{NULL},
};

/*
 * In the recording, each of these fields is a row instead of a column. The row's subject is the
 * field's name.
 */
const struct field sample_thinned_fields[] = {
	FIELD("slices", sample_thinned, slices),
	FIELD("creating_ns", sample_thinned, creating_ns),
	FIELD("starting_ns", sample_thinned, starting_ns),
	FIELD("working_ns", sample_thinned, working_ns),
	FIELD("waiting_ns", sample_thinned, waiting_ns),
	FIELD("blocked_ns", sample_thinned, blocked_ns),
	FIELD("joining_ns", sample_thinned, joining_ns),
	FIELD("running_ns", sample_thinned, running_ns),
	FIELD("path_ns", sample_thinned, path_ns),
	FIELD("program_running_ns", sample_thinned, program_ns[0]),
	FIELD("program_runnable_ns", sample_thinned, program_ns[1]),
	FIELD("program_gil_ns", sample_thinned, program_ns[2]),
	FIELD("program_lock_ns", sample_thinned, program_ns[3]),
	FIELD("program_file_ns", sample_thinned, program_ns[4]),
	FIELD("program_pipe_ns", sample_thinned, program_ns[5]),
	FIELD("program_socket_ns", sample_thinned, program_ns[6]),
	FIELD("program_sleep_ns", sample_thinned, program_ns[7]),
	FIELD("program_other_ns", sample_thinned, program_ns[8]),
	FIELD("program_unknown_ns", sample_thinned, program_ns[9]),
	FIELD("together", sample_thinned, together),
	FIELD("migrations", sample_thinned, migrations),
	{NULL},
};

const struct field sample_request_fields[] = {
	FIELD("request_ns", sample_request, request_ns),
	FIELD("reply_ns", sample_request, reply_ns),
	{NULL},
};

const struct field sample_watched_fields[] = {
	FIELD("rate", sample_watched, rate),
	FIELD("case", sample_watched, case_id),
	FIELD("share", sample_watched, share),
	FIELD("record_ns", sample_watched, record_ns),
	FIELD("sched", sample_watched, sched),
	FIELD("wakes", sample_watched, wakes),
	FIELD("tasks_by", sample_watched, tasks_by),
	FIELD("sched_ns", sample_watched, sched_ns),
	FIELD("plain_ns", sample_watched, plain_ns),
	FIELD("slowdown", sample_watched, slowdown),
	FIELD("slowdown_low", sample_watched, slowdown_low),
	FIELD("slowdown_high", sample_watched, slowdown_high),
	{NULL},
};

const struct field sample_bucket_fields[] = {
	FIELD("from_ns", sample_bucket, from_ns),
	FIELD("count", sample_bucket, count),
	{NULL},
};
/* clang-format on */

bool sample_is_crowded(const struct sample_totals *totals, int32_t clock_ticks)
{
	double seconds = (double)totals->elapsed_ns / 1e9;
	double tick = 1.0 / (clock_ticks > 0 ? clock_ticks : 100);

	return totals->others >= 0 && seconds > 0 && (totals->others / 1e3 - 0.2) * seconds > tick;
}

double sample_alone_ns(const struct sample_totals *totals)
{
	const double used_ns = (double)(totals->user_us + totals->system_us) * 1000;
	const double others = fmax(0, totals->others) / 1000;

	return fmax(used_ns, (double)totals->elapsed_ns * (1 - others));
}

struct sample_memory sample_memory_unknown(void)
{
	struct sample_memory memory = {0};

	fields_unknown(sample_memory_fields, &memory);
	return memory;
}

const struct sample_worker sample_worker_unknown = {
	.create_ns = -1,
	.created_ns = -1,
	.start_ns = -1,
	.work_ns = -1,
	.finish_ns = -1,
	.join_ns = -1,
	.pid = -1,
	.tid = -1,
	.cpu_first = -1,
	.cpu_last = -1,
	.parent_cpu = -1,
	.delay_us = -1,
	.migrations = -1,
	.cycles = -1,
	.instructions = -1,
	.cache_misses = -1,
	.tlb_misses = -1,
	.tasks = -1,
	.status = SAMPLE_RUNNING,
};

struct sample_core sample_core_unknown(int cpu)
{
	struct sample_core core = {0};

	fields_unknown(sample_core_fields, &core);
	core.cpu = (int16_t)cpu;
	return core;
}

char *sample_case_name(const struct sample_case *cases, uint32_t n, uint32_t case_id, char *buf,
		       size_t size)
{
	const struct sample_case *config = &cases[case_id];
	struct variables named = {.n = 0};
	bool with_variables = false; /* The cases differ in variables, not only in their models. */
	char variables[VARIABLES_TEXT] = "";

	for (uint32_t i = 1; i < n; i++)
		with_variables |= !variables_equal(&cases[i].variables, &cases[0].variables);
	/* Creation is measured on one core by default, so leave that placement out of the name. */
	for (uint32_t i = 0; i < config->variables.n; i++)
		if (config->plan.placement != PLAN_PINNED ||
		    strcmp(config->variables.list[i].name, "placement") != 0)
			named.list[named.n++] = config->variables.list[i];
	with_variables &= named.n > 0;
	if (with_variables)
		variables_format(&named, ' ', variables, sizeof(variables));
	snprintf(buf, size, "%s%s%s", cases[case_id].model, with_variables ? " " : "", variables);
	return buf;
}
