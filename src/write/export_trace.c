/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "core/plan.h"
#include "core/sample_task.h"
#include "core/sample_tick.h"
#include "model/model.h"
#include "model/model_lanes.h"
#include "result/report.h"
#include "result/task.h"

/*
 * A file in Chrome's trace event format (JSON object form). It is written event by event, so a
 * session of many workers is never in memory as a whole. Times are ns of the session; a time before
 * the session's start becomes its start. The functions free every json_t argument. If an argument
 * is NULL, memory was short. The first error is stored and ends the writing.
 */
struct trace {
	FILE *out;
	bool inside;   /* An event was written, so the next one needs a comma. */
	int64_t flows; /* Number of arrows written so far. */
	int err;
};

/*
 * The track of an event. Its IDs are not the kernel's, because the kernel may use a PID again
 * within a session.
 */
struct trace_track {
	int64_t pid, tid;
};

struct trace_slice {
	struct trace_track track;
	const char *name, *category;
	const char *
		colour; /* A colour name of chrome://tracing, which Perfetto ignores; NULL: none. */
	int64_t from_ns, to_ns;
	/*
	 * End of the enclosing slice, as returned by trace_slice(). 0: no slice encloses this
	 * slice.
	 */
	double within;
	json_t *args; /* NULL: the slice has no arguments. */
};

#define TRACE_NAME 256

enum trace_detail {
	TRACE_COUNTERS, /* Only the run's memory and its number of tasks. */
	/*
	 * In addition, a track for each worker, with its life, its calls, and who created and
	 * joined it.
	 */
	TRACE_LIVES,
	/* In addition, when each worker was on a core, waited or was blocked, and who woke it. */
	TRACE_FULL,
};

struct trace_run {
	struct trace *trace;
	const struct model *model;
	const struct model_run *run;
	const struct plan *plan;
	/* IDs of the run's process and of its first worker. The IDs of further workers follow. */
	int64_t pid, first_tid;
	int64_t end_ns; /* Time since the run's beginning, ns. */
	enum trace_detail detail;
};

/*
 * Number of digits. 15 digits are enough for ns within eleven days. With more digits, 0.1 would be
 * written as 0.10000000000000001.
 */
#define TRACE_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(15))

/* Writes a value. Write errors are reported at the end of the file. */
static void trace_dump(struct trace *trace, json_t *json)
{
	bool written =
		json && (trace->err || ferror(trace->out) ||
			 json_dumpf(json, trace->out, TRACE_FLAGS) == 0 || ferror(trace->out));

	if (!written && !trace->err)
		trace->err = -ENOMEM;
	json_decref(json);
}

static void trace_event(struct trace *trace, json_t *event)
{
	fputs(trace->inside ? ",\n" : "\n", trace->out);
	trace->inside = true;
	trace_dump(trace, event);
}

/* Converts to µs, the unit of the format. The written decimals give readers the same double. */
static double trace_us(int64_t time_ns)
{
	if (time_ns > 0)
		return (double)time_ns / 1e3;
	return 0;
}

/* Writes a metadata event. Speedscope requires a timestamp even here. */
static void trace_meta(struct trace *trace, struct trace_track track, const char *what,
		       const char *key, json_t *value)
{
	trace_event(trace, json_pack("{s:s, s:s, s:i, s:I, s:I, s:{s:o}}", "name", what, "ph", "M",
				     "ts", 0, "pid", (json_int_t)track.pid, "tid",
				     (json_int_t)track.tid, "args", key, value));
}

/* Writes a process's name and its position in the list. */
static void trace_process(struct trace *trace, int64_t pid, const char *name, int64_t order)
{
	struct trace_track main_thread = {pid, pid};

	trace_meta(trace, main_thread, "process_name", "name", json_printable(name));
	trace_meta(trace, main_thread, "process_sort_index", "sort_index", json_integer(order));
}

static void trace_thread(struct trace *trace, struct trace_track track, const char *name,
			 int64_t order)
{
	trace_meta(trace, track, "thread_name", "name", json_printable(name));
	trace_meta(trace, track, "thread_sort_index", "sort_index", json_integer(order));
}

/*
 * Writes a slice. Slices of one track must be disjoint or nested, so a slice with to_ns < from_ns
 * gets no length. Returns the slice's end in µs as a reader computes it. If no part of the slice is
 * within the enclosing slice, leaves the slice out and returns -1.
 */
static double trace_slice(struct trace *trace, const struct trace_slice *slice)
{
	double from = trace_us(slice->from_ns), to = trace_us(slice->to_ns);
	double end = to;
	int64_t length_ns = slice->to_ns - MAX(slice->from_ns, 0);

	if (slice->within > 0)
		end = MIN(slice->within, to);

	if (slice->within > 0 && from >= slice->within) {
		json_decref(slice->args);
		return -1;
	}
	/*
	 * A reader adds beginning and length as doubles. Shorten the length until the sum is at
	 * most the end, because the next slice may begin there, and readers drop slices that
	 * overlap.
	 */
	if (slice->to_ns <= slice->from_ns)
		length_ns = 0;
	if (from + trace_us(length_ns) > end)
		length_ns = (int64_t)((end - from) * 1e3) + 1;
	while (length_ns > 0 && from + trace_us(length_ns) > end)
		length_ns--;
	trace_event(trace,
		    json_pack("{s:o, s:s, s:s, s:f, s:f, s:I, s:I, s:s*, s:o*}", "name",
			      json_printable(slice->name), "cat", slice->category, "ph", "X", "ts",
			      from, "dur", trace_us(length_ns), "pid", (json_int_t)slice->track.pid,
			      "tid", (json_int_t)slice->track.tid, "cname", slice->colour, "args",
			      slice->args));
	return from + trace_us(length_ns);
}

/*
 * Writes a process's counters. Each member of `values` is a curve, which is constant until the next
 * value.
 */
static void trace_counter(struct trace *trace, int64_t pid, const char *name, int64_t time_ns,
			  json_t *values)
{
	trace_event(trace, json_pack("{s:o, s:s, s:f, s:I, s:I, s:o}", "name", json_printable(name),
				     "ph", "C", "ts", trace_us(time_ns), "pid", (json_int_t)pid,
				     "tid", (json_int_t)pid, "args", values));
}

static void trace_instant(struct trace *trace, struct trace_track track, const char *name,
			  int64_t time_ns)
{
	trace_event(trace, json_pack("{s:o, s:s, s:s, s:f, s:I, s:I}", "name", json_printable(name),
				     "ph", "i", "s", "t", "ts", trace_us(time_ns), "pid",
				     (json_int_t)track.pid, "tid", (json_int_t)track.tid));
}

static int64_t trace_run_until(const struct model *model, const struct model_run *run)
{
	return MIN(model->now_ns, run->end_ns) - run->begin_ns;
}

/*
 * Converts a time of the run to the session's clock. If the sum overflows, because a recording may
 * hold any number, returns the last possible time.
 */
static int64_t trace_run_at(const struct model_run *run, int64_t time_ns)
{
	int64_t sum;

	if (__builtin_add_overflow(run->begin_ns, time_ns, &sum))
		return INT64_MAX;
	return sum;
}

/* The track of a worker, or of the main task, which creates level 0. */
static struct trace_track trace_run_track(const struct trace_run *of, uint32_t worker)
{
	if (worker == PLAN_ROOT)
		return (struct trace_track) {of->pid, of->pid};
	/*
	 * A task of a command is a thread of its process. The process has the number of its first
	 * thread.
	 */
	if (worker >= of->run->n_workers) {
		const struct sample_task *task =
			model_task_known(of->run, worker - of->run->n_workers);
		int64_t process = worker;

		if (task->pid != task->tid && task->parent >= 0)
			process = task->parent;

		return (struct trace_track) {of->first_tid + process, of->first_tid + worker};
	}
	return (struct trace_track) {of->pid, of->first_tid + worker};
}

/*
 * A number as JSON. Returns NULL for a negative number, and json_pack() then leaves the member out
 * ("o*").
 */
static json_t *trace_known(int64_t value)
{
	if (value < 0)
		return NULL;
	return json_integer(value);
}

char *export_run_name(const struct model *model, const struct model_run *run, char *buf,
		      size_t size)
{
	snprintf(buf, size, run->id.trial > 0 ? "%s, trial %u" : "%s, warm-up",
		 MODEL_CASE_NAME(model, run->id.case_id), run->id.trial);
	return buf;
}

/* A moment in a worker's life, and the part of its life that begins there. */
struct mark {
	const char *part; /* NULL: the life ends here. */
	int64_t time_ns;  /* Time since the run's beginning, ns. -1: unknown. */
};

/* A call of a parent. The call that opens the barrier is one call for all children. */
struct call {
	int64_t from_ns, to_ns;
	const char *name;
	uint32_t child; /* PLAN_ROOT: the call is not for a single child. */
};

struct life {
	const struct trace_run *of;
	uint32_t index;
	struct sample_worker worker;
	struct plan_node node;
	const struct sample_slice *slices;
	size_t n_slices;
	struct call *calls; /* in ascending time, without overlaps */
	size_t n_calls, next_call;
	double within; /* the end of the slice that encloses the stretches to write */
};

static int call_order(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->to_ns != y->to_ns) {
		if (x->to_ns < y->to_ns)
			return -1;
		return 1;
	}
	return (x->child > y->child) - (x->child < y->child);
}

/*
 * Reads a parent's calls, one after the other. The wait for a child that has already ended begins
 * after the previous call.
 */
static void read_calls(struct life *life)
{
	const struct trace_run *of = life->of;
	const struct sample_totals *totals = &of->run->totals;
	int64_t free_ns = 0;

	life->calls = calloc(2 * (size_t)life->node.children + 1, sizeof(*life->calls));
	if (!life->calls) {
		of->trace->err = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < life->node.children; i++) {
		uint32_t child = life->node.first_child + i;
		struct sample_worker worker = model_worker(life->of->model, life->of->run, child);
		struct call *call = &life->calls[life->n_calls];

		if (worker.create_ns >= 0 && worker.created_ns > worker.create_ns) {
			*call++ = (struct call) {worker.create_ns, worker.created_ns, "create",
						 child};
			life->n_calls++;
		}
		if (worker.finish_ns >= 0 && worker.join_ns > worker.finish_ns) {
			*call = (struct call) {worker.finish_ns, worker.join_ns, "join", child};
			life->n_calls++;
		}
	}
	/* The task that creates level 0 waits until all tasks have arrived at the barrier. */
	if (life->index == PLAN_ROOT && of->plan->barrier && model_ended(of->model, of->run) &&
	    totals->create_ns >= 0 && totals->go_ns > totals->create_ns)
		life->calls[life->n_calls++] = (struct call) {totals->create_ns, totals->go_ns,
							      "open the barrier", PLAN_ROOT};
	qsort(life->calls, life->n_calls, sizeof(*life->calls), call_order);
	for (size_t i = 0; i < life->n_calls; i++) {
		struct call *call = &life->calls[i];

		call->from_ns = MIN(MAX(call->from_ns, free_ns), call->to_ns);
		free_ns = call->to_ns;
	}
}

static double put_slice(const struct life *life, const char *name, const char *category,
			const char *colour, int64_t from_ns, int64_t to_ns)
{
	const struct trace_run *of = life->of;

	return trace_slice(of->trace, &(struct trace_slice) {
					      trace_run_track(of, life->index), name, category,
					      colour, trace_run_at(of->run, from_ns),
					      trace_run_at(of->run, to_ns), life->within, NULL});
}

static void put_on(const struct life *life, int16_t cpu, unsigned merged, int64_t from_ns,
		   int64_t to_ns)
{
	char name[64] = "on a core";
	size_t n = strlen(name);

	if (cpu >= 0)
		n = (size_t)snprintf(name, sizeof(name), "on core %d", cpu);
	if (merged > 0)
		snprintf(name + n, sizeof(name) - n, ", %u slices merged per 1 ms", merged);
	put_slice(life, name, "on", "thread_state_running", from_ns, to_ns);
}

static void put_stretch(void *arg, const struct model_stretch *stretch)
{
	const struct life *life = arg;
	const struct model_run *run = life->of->run;
	int64_t from_ns = stretch->from_ns;
	char name[32] = "blocked";

	if (stretch->state == STATE_ON)
		put_on(life, stretch->cpu, stretch->merged, stretch->from_ns, stretch->to_ns);
	if (stretch->state == STATE_BLOCKED) {
		if (stretch->waited > 0)
			snprintf(name, sizeof(name), "blocked: %s", SAMPLE_WAIT(stretch->waited));
		put_slice(life, name, "blocked", "thread_state_sleeping", from_ns, stretch->to_ns);
	}
	/*
	 * Split the wait, because time in which the quota throttled the run is not a wait for a
	 * core.
	 */
	if (stretch->state != STATE_WAITING)
		return;
	for (size_t i = 0; from_ns < stretch->to_ns; i++) {
		bool throttled = i < run->n_throttles;
		int64_t begin = stretch->to_ns, end = stretch->to_ns;

		if (throttled) {
			begin = MAX(from_ns, run->throttles[i].from_ns);
			end = MIN(end, run->throttles[i].to_ns);
			if (end <= begin)
				continue;
		}
		if (begin > from_ns)
			put_slice(life, "waits for a core", "waiting", "thread_state_runnable",
				  from_ns, begin);
		if (throttled)
			put_slice(life, "throttled by its quota", "throttled",
				  "thread_state_iowait", begin, end);
		from_ns = end;
	}
}

static void put_stretches(struct life *life, int64_t from_ns, int64_t to_ns, double within)
{
	const struct trace_run *of = life->of;

	life->within = within;
	to_ns = MIN(to_ns, trace_run_until(of->model, of->run));
	if (life->n_slices == 0 || to_ns <= from_ns)
		return;
	model_stretches(of->model, of->run, life->index, from_ns, to_ns, put_stretch, life);
	if (life->worker.finish_ns >= 0 && life->worker.finish_ns < to_ns) {
		/*
		 * In the model, a task's life ends with its last instruction. The kernel takes the
		 * task off its core a moment later, so the last slice may end later than the life.
		 */
		size_t i = life->n_slices;

		from_ns = MAX(from_ns, life->worker.finish_ns);
		while (i > 0 && life->slices[i - 1].off_ns > from_ns)
			i--;
		for (; i < life->n_slices; i++) {
			if (life->slices[i].on_ns >= to_ns)
				break;
			if (life->slices[i].off_ns > from_ns)
				put_on(life, life->slices[i].cpu, life->slices[i].merged,
				       MAX(life->slices[i].on_ns, from_ns),
				       MIN(life->slices[i].off_ns, to_ns));
		}
	}
}

/* Writes the contents of a part: its calls, and the states within and between them. */
static void put_inside(struct life *life, int64_t from_ns, int64_t to_ns, double within)
{
	for (; life->next_call < life->n_calls; life->next_call++) {
		const struct call *call = &life->calls[life->next_call];
		int64_t begin = MAX(call->from_ns, from_ns), end = MIN(call->to_ns, to_ns);
		char child[TRACE_NAME] = "", name[TRACE_NAME + 16];
		double inner;

		if (begin >= to_ns)
			break;
		if (end <= begin)
			continue;
		put_stretches(life, from_ns, begin, within);
		if (call->child != PLAN_ROOT)
			plan_name(life->of->plan, call->child, child, sizeof(child));
		if (*child)
			snprintf(name, sizeof(name), "%s %s", call->name, child);
		else
			snprintf(name, sizeof(name), "%s", call->name);
		life->within = within;
		inner = put_slice(life, name, "call", NULL, begin, end);
		if (inner > 0)
			put_stretches(life, begin, end, inner);
		from_ns = end;
	}
	put_stretches(life, from_ns, to_ns, within);
}

/*
 * Writes a part of a life. Leaves out a part without length, except the part "run", because arrows
 * end there.
 */
static void put_part(struct life *life, const char *name, int64_t from_ns, int64_t to_ns)
{
	const struct trace_run *of = life->of;
	bool run = strcmp(name, "run") == 0;
	struct trace_slice slice = {
		.track = trace_run_track(of, life->index),
		.name = name,
		.category = run ? plan_work_name((enum work_kind)life->node.work) : "worker",
		.from_ns = trace_run_at(of->run, from_ns),
		.to_ns = trace_run_at(of->run, to_ns),
	};

	if (!run && to_ns <= from_ns)
		return;
	if (run) {
		/*
		 * Add only the task's PID, TID and core, because speedscope appends them to the
		 * slice's name.
		 */
		const struct sample_worker *worker = &life->worker;

		slice.args = json_pack(
			"{s:o*, s:o*, s:o*}", "pid", trace_known(worker->pid), "tid",
			trace_known(worker->tid), "cpu",
			trace_known(fields_known_or(worker->cpu_last, worker->cpu_first)));
		if (!slice.args)
			of->trace->err = -ENOMEM;
	}
	put_inside(life, from_ns, to_ns, trace_slice(of->trace, &slice));
}

/*
 * Whether the worker is known to be within its part "run" at time_ns, so that an arrow can begin or
 * end there.
 */
static bool is_at_work(const struct life *life, uint32_t index, int64_t time_ns)
{
	struct sample_worker worker;

	if (index == PLAN_ROOT)
		return time_ns <= life->of->end_ns;
	worker = model_worker(life->of->model, life->of->run, index);
	return worker.start_ns >= MAX(0, worker.create_ns) && worker.start_ns <= time_ns &&
	       (worker.finish_ns < 0 || worker.finish_ns >= time_ns);
}

/*
 * Draws an arrow between the slices that enclose its two ends. If several slices begin at the same
 * time, viewers attach the arrow to the slice that was written last before the arrow.
 */
static void put_flow(const struct life *life, const char *name, uint32_t from, int64_t from_ns,
		     uint32_t to, int64_t to_ns)
{
	const struct trace_run *of = life->of;
	const json_int_t id = ++of->trace->flows;
	const uint32_t tasks[] = {from, to};
	const int64_t times_ns[] = {from_ns, to_ns};

	for (int end = 0; end < 2; end++) {
		const struct trace_track track = trace_run_track(of, tasks[end]);
		const int64_t at_ns = trace_run_at(of->run, times_ns[end]);

		/* bp: the arrow ends at the enclosing slice, not at the next slice that begins. */
		trace_event(of->trace,
			    json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:I, s:I}", "name", name,
				      "cat", "flow", "ph", end ? "f" : "s", "bp", "e", "id", id,
				      "ts", trace_us(at_ns), "pid", (json_int_t)track.pid, "tid",
				      (json_int_t)track.tid));
	}
}

/*
 * Writes the parts of a life from mark to mark, so that no two parts overlap, even if the times are
 * out of order.
 */
static void put_parts(struct life *life)
{
	const struct sample_worker *worker = &life->worker;
	bool behind_barrier = life->of->plan->barrier || life->of->plan->all_alive;
	/*
	 * A process that has threads does not wait at the barrier, because it creates and joins its
	 * threads meanwhile.
	 */
	bool waits = behind_barrier && (worker->work_ns >= 0 || worker->finish_ns < 0);
	bool refused = worker->status == SAMPLE_REFUSED;
	/*
	 * A task may run before its parent's create call returns. If it does, the creation ends
	 * when the task starts, and the start-up has no length.
	 */
	bool early = worker->start_ns >= 0 && worker->start_ns < worker->created_ns;
	const int64_t start_up_ns = early ? worker->start_ns : worker->created_ns;
	const struct mark marks[] = {
		{"create", worker->create_ns},
		{refused ? NULL : "start-up", start_up_ns},
		{waits ? "wait at the barrier" : "run", worker->start_ns},
		{"run", behind_barrier ? worker->work_ns : -1},
		{"join wait", worker->finish_ns},
		{NULL, worker->join_ns},
	};
	const struct mark *last = NULL;
	int64_t last_ns = 0, end_ns = life->of->end_ns;

	for (size_t i = 0; i < LENGTH(marks); i++) {
		int64_t time_ns = MAX(marks[i].time_ns, last_ns);

		if (marks[i].time_ns < 0)
			continue;
		if (last && last->part)
			put_part(life, last->part, last_ns, time_ns);
		if (i == 4) {
			/*
			 * The arrow goes from the last instruction into the call that joins the
			 * task, just before that call ends. It is written before the part "join
			 * wait", which begins where the arrow begins: see put_flow().
			 */
			int64_t to_ns = MAX(worker->finish_ns, worker->join_ns - 1);

			if (worker->join_ns >= worker->finish_ns &&
			    is_at_work(life, life->index, worker->finish_ns) &&
			    is_at_work(life, life->node.parent, to_ns))
				put_flow(life, "join", life->index, worker->finish_ns,
					 life->node.parent, to_ns);
		}
		last = &marks[i];
		last_ns = time_ns;
	}
	if (last && last->part)
		put_part(life, last->part, last_ns, MAX(end_ns, last_ns));
	else if (last)
		put_inside(life, last_ns, INT64_MAX, 0);
}

/*
 * Writes the life of a worker on its track. Its parts go from creation to join. Within them are the
 * calls by which the worker creates and joins other tasks. Within these parts and calls are the
 * times in which the worker was on a core, waited for a core, or was blocked. Arrows lead from its
 * creator, to the task that joins it, and from its wakers.
 */
static void put_worker(struct life *life)
{
	const struct trace_run *of = life->of;
	const struct sample_worker *worker = &life->worker;
	const int64_t until = trace_run_until(of->model, of->run);
	char name[TRACE_NAME];
	const char *why;

	life->worker = model_worker(of->model, of->run, life->index);
	if (worker->create_ns < 0 && worker->start_ns < 0)
		return;
	plan_node(of->plan, life->index, &life->node);
	trace_thread(of->trace, trace_run_track(of, life->index),
		     plan_name(of->plan, life->index, name, sizeof(name)),
		     (int64_t)life->index + 1);
	if (of->detail == TRACE_FULL)
		life->slices = model_slices(of->run, life->index, &life->n_slices);
	if (life->node.children > 0)
		read_calls(life);
	put_parts(life);
	if (worker->create_ns >= 0 && is_at_work(life, life->index, worker->start_ns) &&
	    is_at_work(life, life->node.parent, worker->create_ns))
		put_flow(life, "create", life->node.parent, worker->create_ns, life->index,
			 worker->start_ns);
	/*
	 * Draw an arrow from the waker, at the time of waking, to the time when the worker got a
	 * core. For the first slice, the waker is the creator.
	 */
	for (size_t i = 1; i < life->n_slices; i++) {
		const struct sample_slice *slice = &life->slices[i];
		bool main = slice->woken == WOKEN_BY_MAIN;
		uint32_t waker = (uint32_t)slice->waker;

		if (slice->on_ns >= until)
			break;
		if (main)
			waker = PLAN_ROOT;
		if ((main || waker < of->run->n_workers) && slice->ready_ns >= 0 &&
		    slice->ready_ns <= slice->on_ns && is_at_work(life, waker, slice->ready_ns) &&
		    is_at_work(life, life->index, slice->on_ns))
			put_flow(life, "wake", waker, slice->ready_ns, life->index, slice->on_ns);
	}
	if (worker->status == SAMPLE_OK || worker->status == SAMPLE_RUNNING)
		return;
	if (worker->status == SAMPLE_CRASHED)
		why = strsignal(worker->error);
	else
		why = strerror(worker->error);
	snprintf(name, sizeof(name), worker->error > 0 ? "%s: %s" : "%s",
		 sample_status_name((enum sample_status)worker->status), why);
	trace_instant(of->trace, trace_run_track(of, life->index), name,
		      trace_run_at(of->run, fields_known_or(worker->finish_ns, of->end_ns)));
}

static void put_task(const struct trace_run *of, size_t i)
{
	struct life life = {.of = of, .index = of->run->n_workers + (uint32_t)i};
	const struct trace_track track = trace_run_track(of, life.index);
	struct sample_task task;
	char name[TRACE_NAME];
	int64_t end_ns;
	double end;

	if (!model_task(of->model, of->run, i, &task))
		return;
	life.worker = model_task_worker(&task);
	end_ns = fields_known_or(task.end_ns, trace_run_until(of->model, of->run));
	snprintf(name, sizeof(name), "%s %d", sentence_text(task.name, "?"), task.tid);
	if (track.pid == track.tid)
		trace_process(of->trace, track.pid, name, track.pid);
	trace_thread(of->trace, track, name, (int64_t)i + 1);
	if (of->detail == TRACE_FULL)
		life.slices = model_slices(of->run, life.index, &life.n_slices);
	end = put_slice(&life, sentence_text(task.name, "?"), "task", NULL, task.begin_ns, end_ns);
	/*
	 * Perfetto draws slices to the nanosecond. Slices from schedstat are less exact, so leave
	 * these slices out.
	 */
	if (!model_tasks_sampled(of->model))
		put_stretches(&life, task.begin_ns, end_ns, end);
}

/*
 * The trace has a process for the whole session, a process for the cores, and a process for each
 * run. A process's ID is also the ID of its first thread. The workers' IDs come after the ID of the
 * last process.
 */
enum { SESSION_PID = 1, CORES_PID, FIRST_RUN_PID };

/*
 * Number of core numbers for one machine. The cores of several recordings get separate ranges of
 * numbers.
 */
enum { TRACE_CPUS = 32768 };

/* The name of the worker or task that had a core. name has TRACE_NAME bytes. */
static const char *core_user(const struct trace_run *of, uint32_t index, char *name)
{
	if (index >= of->run->n_workers)
		return task_name(of->run, index, name, TRACE_NAME);
	return plan_name(of->plan, index, name, TRACE_NAME);
}

static const char *core_work(const struct trace_run *of, uint32_t index)
{
	struct plan_node node;

	if (index >= of->run->n_workers)
		return "task";
	plan_node(of->plan, index, &node);
	return plan_work_name((enum work_kind)node.work);
}

/* Draws the workers on one core in one run, from the end of the previous run on. */
static void trace_core_lane(const struct trace_run *of, struct trace_track track, size_t cpu,
			    int64_t free_ns)
{
	const struct model_run *run = of->run;
	struct model_core_stretch at = {.to_ns = 0};
	char name[TRACE_NAME];
	struct trace_slice slice = {
		.track = track,
		.name = export_run_name(of->model, run, name, sizeof(name)),
		.category = "run",
		.from_ns = MAX(trace_run_at(run, 0), free_ns),
		.to_ns = trace_run_at(run, trace_run_until(of->model, run)),
	};

	slice.within = trace_slice(of->trace, &slice);
	for (int64_t t = 0; model_core_stretch_at(of->model, run, cpu, t, &at); t = at.to_ns) {
		if (at.to_ns <= t)
			break;
		slice.name = slice.category = "others";
		slice.colour = "grey";
		slice.from_ns = MAX(trace_run_at(run, at.from_ns), free_ns);
		slice.to_ns = trace_run_at(run, at.to_ns);
		if (at.state == CORE_FREE || slice.to_ns <= slice.from_ns)
			continue;
		if (at.state == CORE_OURS) {
			slice.name = core_user(of, at.worker, name);
			slice.category = core_work(of, at.worker);
			slice.colour = NULL;
		}
		trace_slice(of->trace, &slice);
	}
}

/* Draws a track for each core, with the workers of the runs that are written in full. */
static void trace_core_lanes(struct trace *trace, const struct model *model,
			     const enum trace_detail *detail)
{
	struct trace_run of = {.trace = trace, .model = model};
	bool *named = calloc(model->n_origins + 1, TRACE_CPUS);
	int64_t first_tid = FIRST_RUN_PID + (int64_t)model->n_runs, free_ns = 0;

	if (!named) {
		trace->err = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < model->n_runs; i++)
		first_tid += model->runs[i].n_workers + (int64_t)model->runs[i].n_tasks;
	for (size_t i = 0; i < model_runs_begun(model); i++) {
		const struct model_run *run = of.run = &model->runs[i];
		const struct model_origin *origin = model_origin(model, run->id.case_id);
		size_t seen = detail[i] == TRACE_FULL ? MIN(model_cores_seen(run), TRACE_CPUS) : 0;

		of.plan = model_plan(model, run);
		for (size_t cpu = 0; cpu < seen; cpu++) {
			size_t at = (origin ? (size_t)(origin - model->origins) : 0) * TRACE_CPUS +
				    cpu,
			       n;
			const struct trace_track track = {CORES_PID, first_tid + (int64_t)at};
			char name[SAMPLE_LABEL + 32];

			model_core_others(run, cpu, &n);
			if (n == 0 && !model_core_used(run, cpu))
				continue;
			if (origin)
				snprintf(name, sizeof(name), "core %zu @%s", cpu, origin->name);
			else
				snprintf(name, sizeof(name), "core %zu", cpu);
			if (!named[at])
				trace_thread(trace, track, name, track.tid);
			named[at] = true;
			trace_core_lane(&of, track, cpu, free_ns);
		}
		free_ns = MAX(free_ns, trace_run_at(run, trace_run_until(model, run)));
	}
	free(named);
}

/*
 * BYTES_MOST: largest size of a trace, unless the user asks for all of it; browsers open 20 MB
 * quickly. BYTES_WORKER, BYTES_SLICE: bytes of a worker, and of a slice. Measured: 1,190 bytes for
 * a worker of a tree, up to 400 for a slice, 90 for a counter.
 */
#define BYTES_MOST    INT64_C(17000000)
#define BYTES_WORKER  INT64_C(1400)
#define BYTES_SLICE   INT64_C(450)
#define COUNTERS_MOST 20000

static void write_memory(const struct trace_run *of, int64_t time_ns,
			 const struct sample_memory *memory)
{
	json_t *values =
		json_pack("{s:o*, s:o*, s:o*, s:o*}", "rss_kb", trace_known(memory->rss_kb),
			  "pss_kb", trace_known(memory->pss_kb), "uss_kb",
			  trace_known(memory->uss_kb), "kernel_kb", trace_known(memory->kernel_kb));

	if (values && json_object_size(values) == 0)
		json_decref(values);
	else
		trace_counter(of->trace, of->pid, "memory", time_ns, values);
}

static void trace_one_run(const struct trace_run *of, size_t group)
{
	const struct model_run *run = of->run;
	char text[TRACE_NAME + 64];

	export_run_name(of->model, run, text, TRACE_NAME);
	if (of->detail == TRACE_COUNTERS)
		strcat(text, " (counters only; trace-all has its workers)");
	trace_process(of->trace, of->pid, text, of->pid);
	if (of->detail != TRACE_COUNTERS) {
		struct life life = {.of = of, .index = PLAN_ROOT};
		const struct trace_slice root = {
			.track = trace_run_track(of, PLAN_ROOT),
			.name = "create and join",
			.category = "run",
			.from_ns = trace_run_at(run, 0),
			.to_ns = trace_run_at(run, of->end_ns),
		};

		trace_thread(of->trace, root.track, "parent", 0);
		life.node.children = of->plan->fanout[0];
		read_calls(&life);
		put_inside(&life, 0, of->end_ns, trace_slice(of->trace, &root));
		free(life.calls);
		for (uint32_t i = 0; i < of->run->n_workers; i++) {
			if (of->trace->err)
				break;
			life = (struct life) {.of = of, .index = i};
			put_worker(&life);
			free(life.calls);
		}
		for (size_t i = 0; i < of->run->n_tasks; i++) {
			if (of->trace->err)
				break;
			put_task(of, i);
		}
	}
	/* Of each group of points, keep the point with the most memory, so that peaks remain. */
	for (size_t first = 0; first < run->n_points; first += group) {
		const struct model_point *point = &run->points[first];

		for (size_t i = first; i < MIN(first + group, run->n_points); i++)
			if (run->points[i].memory.pss_kb > point->memory.pss_kb &&
			    run->points[i].time_ns <= of->model->now_ns)
				point = &run->points[i];
		if (point->time_ns > of->model->now_ns)
			return;
		write_memory(of, point->time_ns, &point->memory);
		if (point->tasks >= 0)
			trace_counter(of->trace, of->pid, "tasks", point->time_ns,
				      json_pack("{s:I}", "alive", (json_int_t)point->tasks));
	}
	/*
	 * End the counter with the run. The counter would otherwise keep its value, although the
	 * memory was freed.
	 */
	if (run->n_points > 0 && model_ended(of->model, run))
		write_memory(of, trace_run_at(run, of->end_ns), &(struct sample_memory) {0});
}

static int64_t trace_bytes(const struct model_run *run, enum trace_detail detail)
{
	int64_t workers = run->n_workers + (int64_t)run->n_tasks, slices = 0;
	size_t cores = detail == TRACE_FULL ? model_cores_seen(run) : 0, n;

	for (size_t cpu = 0; cpu < cores; cpu++) {
		model_core_others(run, cpu, &n);
		slices += (int64_t)n;
	}
	if (detail == TRACE_FULL) {
		for (uint32_t i = 0; i < workers; i++) {
			model_slices(run, i, &n);
			slices += (int64_t)n;
		}
	}
	if (detail == TRACE_COUNTERS)
		return 0;
	return workers * BYTES_WORKER + slices * BYTES_SLICE;
}

/*
 * The newest measured run of a case. If no run was measured, the newest run that has begun. NULL if
 * no run has begun.
 */
static const struct model_run *newest_run(const struct model *model, uint32_t case_id)
{
	for (size_t i = model->n_runs; i-- > 0;)
		if (model->runs[i].id.case_id == case_id && model_measured(model, &model->runs[i]))
			return &model->runs[i];
	return model_latest(model, case_id);
}

/*
 * Chooses the detail of each run; NULL if memory is short. If all runs fit, all are written in
 * full. Otherwise, the newest run of each case gets the most detail with which all of these runs
 * fit. If they do not fit even with TRACE_LIVES, the first of them get this detail, as long as
 * there is room. All other runs have only counters.
 */
static enum trace_detail *choose_detail(const struct model *model, bool all)
{
	enum trace_detail *detail = calloc(model->n_runs + 1, sizeof(*detail));
	enum trace_detail most = TRACE_FULL;
	int64_t sum = 0;

	for (size_t i = 0; !all && i < model->n_runs; i++)
		sum += trace_bytes(&model->runs[i], TRACE_FULL);
	for (size_t i = 0; i < model->n_runs; i++) {
		if (!detail || sum > BYTES_MOST)
			break;
		detail[i] = TRACE_FULL;
	}
	if (!detail || sum <= BYTES_MOST)
		return detail;
	for (; most > TRACE_LIVES; most--) {
		sum = 0;
		for (uint32_t i = 0; i < model->n_cases; i++)
			if (newest_run(model, i))
				sum += trace_bytes(newest_run(model, i), most);
		if (sum <= BYTES_MOST)
			break;
	}
	sum = 0;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = newest_run(model, i);
		int64_t bytes;

		if (!run)
			continue;
		bytes = trace_bytes(run, most);
		if (sum + bytes > BYTES_MOST)
			continue;
		detail[run - model->runs] = most;
		sum += bytes;
	}
	return detail;
}

static void write_runs(struct trace *trace, const struct model *model,
		       const enum trace_detail *detail, size_t group)
{
	struct trace_run of = {
		.trace = trace,
		.model = model,
		.pid = FIRST_RUN_PID,
		.first_tid = FIRST_RUN_PID + (int64_t)model->n_runs,
	};

	for (size_t i = 0; i < model->n_runs; i++) {
		if (trace->err)
			break;
		of.run = &model->runs[i];
		if (of.run->begin_ns > model->now_ns)
			return;
		of.plan = &model->cases[of.run->id.case_id].plan;
		of.end_ns = model_length(model, of.run);
		if (of.end_ns < 0)
			of.end_ns = of.run->end_ns - of.run->begin_ns;
		of.detail = detail[i];
		trace_one_run(&of, group);
		of.pid++;
		of.first_tid += of.run->n_workers + (int64_t)of.run->n_tasks;
	}
}

/* Writes the runs in their order, each at its time in the session, and the messages. */
static void trace_session(struct trace *trace, const struct model *model)
{
	const struct trace_track track = {SESSION_PID, SESSION_PID};
	char name[TRACE_NAME];
	int64_t free_ns = 0;

	snprintf(name, sizeof(name), "tuibench: %s", model->session.title);
	trace_process(trace, SESSION_PID, name, SESSION_PID);
	trace_thread(trace, track, "runs", 0);
	for (size_t i = 0; i < model_runs_begun(model); i++) {
		const struct model_run *run = &model->runs[i];
		int64_t from_ns = MAX(run->begin_ns, free_ns);

		free_ns = MAX(from_ns, model_ended(model, run) ? run->end_ns : model->now_ns);
		trace_slice(trace, &(struct trace_slice) {
					   .track = track,
					   .name = export_run_name(model, run, name, sizeof(name)),
					   .category = "run",
					   .from_ns = from_ns,
					   .to_ns = free_ns});
	}
	for (size_t i = 0; i < model->n_messages; i++)
		if (model->messages[i].time_ns <= model->now_ns)
			trace_instant(trace, track, model->messages[i].text,
				      model->messages[i].time_ns);
}

/*
 * Writes the load of the cores. A load covers the time since the previous tick, but the value of a
 * counter holds from its own time on, so each load is written at the previous tick.
 */
static void write_loads(struct trace *trace, const struct model *model, size_t group)
{
	long rows = model_load_at(model, model->now_ns) + 1, n;

	trace_process(trace, CORES_PID, "cores, 100 % each", CORES_PID);
	for (long row = 0; row < rows; row += n) {
		int64_t time_ns = row > 0 ? model->loads[row - 1].time_ns : 0;

		n = MIN(rows - row, (long)group);
		for (uint32_t column = 0; column < model->n_cores; column++) {
			const struct sample_core *core = NULL;
			char name[SAMPLE_LABEL + 32];
			bool known = true;
			int64_t sum = 0;

			/* The mean load over n rows, if the loads of all n rows are known. */
			for (long i = row; i < row + n; i++) {
				core = &model->cores[(size_t)i * model->n_cores + column];
				known &= core->user >= 0 && core->system >= 0;
				sum += core->user + core->system;
			}
			/*
			 * core->cpu counts the cores of several recordings continuously. The
			 * track's name has the machine, and the core's number on this machine.
			 */
			snprintf(name, sizeof(name), "core %d", core->cpu);
			for (uint32_t i = 0; i < model->n_origins; i++) {
				const struct model_origin *origin = &model->origins[i];

				if (core->cpu >= (int)origin->first_core &&
				    core->cpu < (int)(origin->first_core + origin->n_cores))
					snprintf(name, sizeof(name), "core %d @%s",
						 model->cpus[column], origin->name);
			}
			if (known)
				trace_counter(
					trace, CORES_PID, name, time_ns,
					json_pack("{s:f}", "load %", (double)sum / 10 / (double)n));
		}
	}
}

static int write_trace(const struct model *model, FILE *out, bool all)
{
	const struct sample_session *session = &model->session;
	enum trace_detail *detail = choose_detail(model, all);
	size_t counters = model->n_loads * model->n_cores, group, full = 0;
	struct trace trace = {.out = out};

	if (!detail)
		return -ENOMEM;
	for (size_t i = 0; i < model->n_runs; i++) {
		counters += 2 * model->runs[i].n_points;
		full += detail[i] == TRACE_FULL;
	}
	/*
	 * Write one counter for `group` ticks, so that the number of counters stays within
	 * COUNTERS_MOST.
	 */
	if (all)
		group = 1;
	else
		group = 1 + counters / COUNTERS_MOST;
	fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out);
	trace_session(&trace, model);
	trace_core_lanes(&trace, model, detail);
	write_loads(&trace, model, group);
	write_runs(&trace, model, detail, group);
	fputs("\n],\"otherData\":", out);
	trace_dump(&trace,
		   json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I}", "tuibench",
			     json_printable(session->version), "experiment",
			     json_printable(session->experiment), "title",
			     json_printable(session->title), "options",
			     json_printable(session->options), "start_s",
			     (json_int_t)session->wall_s, "host",
			     json_printable(session->machine.host), "kernel",
			     json_printable(session->machine.kernel), "cpu",
			     json_printable(session->machine.cpu), "sched",
			     json_printable(session->sched), "detailed_runs", (json_int_t)full));
	fputs("}\n", out);
	free(detail);
	if (trace.err)
		return trace.err;
	return report_finish(out);
}

int export_trace(const struct model *model, FILE *out)
{
	return write_trace(model, out, false);
}

int export_trace_all(const struct model *model, FILE *out)
{
	return write_trace(model, out, true);
}
