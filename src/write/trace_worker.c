/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/plan.h"
#include "model/model_slices.h"

/* A moment in a worker's life, and the part that begins there. */
struct mark {
	const char *part; /* NULL: none, the life is over */
	int64_t time_ns;  /* since the run's begin; -1: not known */
};

/* A call of a creator; the one that opens the gate is for all. */
struct call {
	int64_t from_ns, to_ns;
	const char *name;
	uint32_t child; /* PLAN_ROOT: none */
};

struct life {
	const struct trace_run *of;
	uint32_t index;
	struct sample_worker worker;
	struct plan_node node;
	const struct sample_slice *slices;
	size_t n_slices;
	struct call *calls; /* in ascending time, none overlap */
	size_t n_calls, next_call;
};

/* Calls */

static int call_order(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->to_ns != y->to_ns)
		return x->to_ns < y->to_ns ? -1 : 1;
	return (x->child > y->child) - (x->child < y->child);
}

static void add_calls(struct life *life, uint32_t child)
{
	struct sample_worker worker = model_worker(life->of->model, life->of->run, child);
	struct call *call = &life->calls[life->n_calls];

	if (worker.create_ns >= 0 && worker.created_ns > worker.create_ns) {
		*call++ = (struct call) {worker.create_ns, worker.created_ns, "create", child};
		life->n_calls++;
	}
	if (worker.finish_ns >= 0 && worker.join_ns > worker.finish_ns) {
		*call = (struct call) {worker.finish_ns, worker.join_ns, "join", child};
		life->n_calls++;
	}
}

/* One call follows the other: who waits for a child that has ended already waits from there on. */
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
	for (uint32_t i = 0; i < life->node.children; i++)
		add_calls(life, life->node.first_child + i);
	/* Who creates level 0 waits there until all have come. */
	if (life->index == PLAN_ROOT && of->plan->gated && model_ended(of->model, of->run) &&
	    totals->create_ns >= 0 && totals->go_ns > totals->create_ns)
		life->calls[life->n_calls++] = (struct call) {totals->create_ns, totals->go_ns,
							      "open the gate", PLAN_ROOT};
	qsort(life->calls, life->n_calls, sizeof(*life->calls), call_order);
	for (size_t i = 0; i < life->n_calls; i++) {
		struct call *call = &life->calls[i];

		call->from_ns = MIN(MAX(call->from_ns, free_ns), call->to_ns);
		free_ns = call->to_ns;
	}
}

/* What it did */

/* Where the stretches of a part or a call are written to. */
struct stretches {
	const struct life *life;
	double within;
};

static double put(const struct life *life, const char *name, const char *category,
		  const char *colour, int64_t from_ns, int64_t to_ns, double within)
{
	const struct trace_run *of = life->of;

	return trace_slice(of->trace,
			   &(struct trace_slice) {trace_run_track(of, life->index), name, category,
						  colour, trace_run_at(of->run, from_ns),
						  trace_run_at(of->run, to_ns), within, NULL});
}

static void put_on(const struct life *life, int16_t cpu, int64_t from_ns, int64_t to_ns,
		   double within)
{
	char name[32] = "on a core";

	if (cpu >= 0)
		snprintf(name, sizeof(name), "on core %d", cpu);
	put(life, name, "on", "thread_state_running", from_ns, to_ns, within);
}

/* In pieces: what the run's quota withheld is no wait for a core. */
static void put_wait(const struct life *life, const struct model_stretch *stretch, double within)
{
	const struct model_run *run = life->of->run;
	int64_t from_ns = stretch->from_ns;

	for (size_t i = 0; i < run->n_throttles && from_ns < stretch->to_ns; i++) {
		int64_t begin = MAX(from_ns, run->throttles[i].from_ns);
		int64_t end = MIN(stretch->to_ns, run->throttles[i].to_ns);

		if (end <= begin)
			continue;
		if (begin > from_ns)
			put(life, "waits for a core", "waiting", "thread_state_runnable", from_ns,
			    begin, within);
		put(life, "throttled by its quota", "throttled", "thread_state_iowait", begin, end,
		    within);
		from_ns = end;
	}
	if (from_ns < stretch->to_ns)
		put(life, "waits for a core", "waiting", "thread_state_runnable", from_ns,
		    stretch->to_ns, within);
}

static void put_stretch(void *arg, const struct model_stretch *stretch)
{
	const struct stretches *to = arg;

	if (stretch->state == STATE_ON)
		put_on(to->life, stretch->cpu, stretch->from_ns, stretch->to_ns, to->within);
	else if (stretch->state == STATE_WAITING)
		put_wait(to->life, stretch, to->within);
	else if (stretch->state == STATE_BLOCKED)
		put(to->life, "blocked", "blocked", "thread_state_sleeping", stretch->from_ns,
		    stretch->to_ns, to->within);
}

/* The kernel leaves a task after its last instruction: the model's life of it is over then. */
static void put_rest(const struct life *life, int64_t from_ns, int64_t to_ns, double within)
{
	size_t i = life->n_slices;

	from_ns = MAX(from_ns, life->worker.finish_ns);
	while (i > 0 && life->slices[i - 1].off_ns > from_ns)
		i--;
	for (; i < life->n_slices && life->slices[i].on_ns < to_ns; i++)
		if (life->slices[i].off_ns > from_ns)
			put_on(life, life->slices[i].cpu, MAX(life->slices[i].on_ns, from_ns),
			       MIN(life->slices[i].off_ns, to_ns), within);
}

static void put_stretches(const struct life *life, int64_t from_ns, int64_t to_ns, double within)
{
	const struct trace_run *of = life->of;
	struct stretches to = {life, within};

	to_ns = MIN(to_ns, trace_run_until(of->model, of->run));
	if (life->n_slices == 0 || to_ns <= from_ns)
		return;
	model_stretches(of->model, of->run, life->index, from_ns, to_ns, put_stretch, &to);
	if (life->worker.finish_ns >= 0 && life->worker.finish_ns < to_ns)
		put_rest(life, from_ns, to_ns, within);
}

/* A part with its calls, and what it did in both and between them. */
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
		snprintf(name, sizeof(name), "%s%s%s", call->name, *child ? " " : "", child);
		inner = put(life, name, "call", NULL, begin, end, within);
		if (inner > 0)
			put_stretches(life, begin, end, inner);
		from_ns = end;
	}
	put_stretches(life, from_ns, to_ns, within);
}

/* Parts */

/* A moment is no part, unless it is the run: arrows end there. */
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
		/* The kernel's names of the task. Few: speedscope makes them part of the slice's
		 * name. */
		static const char *const names[] = {"pid", "tid", "cpu"};
		const struct sample_worker *worker = &life->worker;
		int16_t cpu = worker->cpu_last >= 0 ? worker->cpu_last : worker->cpu_first;

		slice.args = trace_run_known(3, names,
					     (const int64_t[]) {worker->pid, worker->tid, cpu});
		if (!slice.args)
			of->trace->err = -ENOMEM;
	}
	put_inside(life, from_ns, to_ns, trace_slice(of->trace, &slice));
}

/* Arrows */

/* Whether one is known to be at work then: it has a part there, whatever the order of its times. */
static bool is_at_work(const struct life *life, uint32_t index, int64_t time_ns)
{
	struct sample_worker worker;

	if (index == PLAN_ROOT)
		return time_ns <= life->of->end_ns;
	worker = model_worker(life->of->model, life->of->run, index);
	return worker.start_ns >= MAX(0, worker.create_ns) && worker.start_ns <= time_ns &&
	       (worker.finish_ns < 0 || worker.finish_ns >= time_ns);
}

static void put_flow(const struct life *life, const char *name, uint32_t from, int64_t from_ns,
		     uint32_t to, int64_t to_ns)
{
	const struct trace_run *of = life->of;

	trace_flow(of->trace, name, trace_run_track(of, from), trace_run_at(of->run, from_ns),
		   trace_run_track(of, to), trace_run_at(of->run, to_ns));
}

/* From the creator's call to the first instruction. */
static void put_create(const struct life *life)
{
	const struct sample_worker *worker = &life->worker;

	if (worker->create_ns >= 0 && is_at_work(life, life->index, worker->start_ns) &&
	    is_at_work(life, life->node.parent, worker->create_ns))
		put_flow(life, "create", life->node.parent, worker->create_ns, life->index,
			 worker->start_ns);
}

static bool woken_by(const struct life *life, const struct sample_slice *slice, uint32_t *waker)
{
	*waker = slice->woken == WOKEN_BY_MAIN ? PLAN_ROOT : (uint32_t)slice->waker;
	return (*waker == PLAN_ROOT ? slice->woken == WOKEN_BY_MAIN
				    : *waker < life->of->run->n_workers) &&
	       slice->ready_ns >= 0 && slice->ready_ns <= slice->on_ns &&
	       is_at_work(life, *waker, slice->ready_ns) &&
	       is_at_work(life, life->index, slice->on_ns);
}

/* From who woke it, when it did, to when it had a core; its first time it was created. */
static void put_wakes(const struct life *life)
{
	const struct trace_run *of = life->of;
	int64_t until = trace_run_until(of->model, of->run);
	uint32_t waker;

	for (size_t i = 1; i < life->n_slices && life->slices[i].on_ns < until; i++)
		if (woken_by(life, &life->slices[i], &waker))
			put_flow(life, "wake", waker, life->slices[i].ready_ns, life->index,
				 life->slices[i].on_ns);
}

/* Parts go from mark to mark: no two overlap, whatever order the times are in. */
static void put_parts(struct life *life)
{
	const struct sample_worker *worker = &life->worker;
	bool gated = life->of->plan->gated || life->of->plan->all_alive;
	/* A process that holds threads has no work to be let go to: it creates and joins them. */
	bool waits = gated && (worker->work_ns >= 0 || worker->finish_ns < 0);
	bool refused = worker->status == SAMPLE_REFUSED;
	/* The created task may go on before the creator's call returns: its start-up ends that. */
	bool early = worker->start_ns >= 0 && worker->start_ns < worker->created_ns;
	const struct mark marks[] = {
		{"create", worker->create_ns},
		{refused ? NULL : "start-up", early ? worker->start_ns : worker->created_ns},
		{waits ? "wait at the gate" : "run", worker->start_ns},
		{"run", gated ? worker->work_ns : -1},
		{"wait for join", worker->finish_ns},
		{NULL, worker->join_ns},
	};
	const struct mark *last = NULL;
	int64_t last_ns = 0, end_ns = life->of->end_ns;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		int64_t time_ns = MAX(marks[i].time_ns, last_ns);

		if (marks[i].time_ns < 0)
			continue;
		if (last && last->part)
			put_part(life, last->part, last_ns, time_ns);
		if (i == 4) {
			/*
			 * From the last instruction into the call that joins it, which ends where
			 * the next may begin.
			 */
			int64_t to_ns = MAX(worker->finish_ns, worker->join_ns - 1);

			if (worker->join_ns >= worker->finish_ns &&
			    is_at_work(life, life->index, worker->finish_ns) &&
			    is_at_work(life, life->node.parent, to_ns))
				put_flow(life, "join", life->index, worker->finish_ns,
					 life->node.parent, to_ns);
		} /* before the slice that begins there */
		last = &marks[i];
		last_ns = time_ns;
	}
	if (last && last->part)
		put_part(life, last->part, last_ns, MAX(end_ns, last_ns));
	else if (last)
		put_inside(life, last_ns, INT64_MAX, 0);
}

static void put_trouble(const struct life *life)
{
	const struct sample_worker *worker = &life->worker;
	int64_t time_ns = worker->finish_ns >= 0 ? worker->finish_ns : life->of->end_ns;
	const char *status = sample_status_name((enum sample_status)worker->status);
	bool crashed = worker->status == SAMPLE_CRASHED;
	char text[TRACE_NAME];

	if (worker->status == SAMPLE_OK || worker->status == SAMPLE_RUNNING)
		return;
	snprintf(text, sizeof(text), worker->error > 0 ? "%s: %s" : "%s", status,
		 crashed ? strsignal(worker->error) : strerror(worker->error));
	trace_instant(life->of->trace, trace_run_track(life->of, life->index), text,
		      trace_run_at(life->of->run, time_ns));
}

static void put_root(struct life *life)
{
	const struct trace_run *of = life->of;
	const struct trace_slice slice = {
		.track = trace_run_track(of, PLAN_ROOT),
		.name = "create and join",
		.category = "run",
		.from_ns = trace_run_at(of->run, 0),
		.to_ns = trace_run_at(of->run, of->end_ns),
	};

	trace_thread(of->trace, slice.track, "creator", 0);
	life->node.children = of->plan->fanout[0];
	read_calls(life);
	put_inside(life, 0, of->end_ns, trace_slice(of->trace, &slice));
}

static void put_worker(struct life *life)
{
	const struct trace_run *of = life->of;
	char name[TRACE_NAME];

	life->worker = model_worker(of->model, of->run, life->index);
	if (life->worker.create_ns < 0 && life->worker.start_ns < 0)
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
	put_create(life);
	put_wakes(life);
	put_trouble(life);
}

void trace_worker(const struct trace_run *of, uint32_t worker)
{
	struct life life = {.of = of, .index = worker};

	if (worker == PLAN_ROOT)
		put_root(&life);
	else
		put_worker(&life);
	free(life.calls);
}
