/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "core/plan.h"
#include "trace.h"

#define NAME_BYTES 256

/*
 * A process for the session as a whole, one for the cores, then one for each run. A process's own
 * id is also that of its first thread; those of the workers go on behind the last process.
 */
enum { SESSION_PID = 1, CORES_PID, FIRST_RUN_PID };

static const struct trace_track session_track = {SESSION_PID, SESSION_PID};

/* The run that is being written. */
struct run_trace {
	struct trace *trace;
	const struct model *model;
	const struct model_run *run;
	const struct plan *plan;
	int64_t pid, first_tid; /* of worker 0 */
	int64_t end_ns;		/* since its begin */
};

/* A moment in a worker's life, and the slice that begins there. */
struct mark {
	const char *slice; /* NULL: none, the life is over */
	int64_t time_ns;   /* since the run's begin; -1: not known */
};

#define MARKS 6

/* A recording may hold any number. */
static int64_t at(const struct run_trace *of, int64_t time_ns)
{
	int64_t sum;

	return __builtin_add_overflow(of->run->begin_ns, time_ns, &sum) ? INT64_MAX : sum;
}

static struct trace_track worker_track(const struct run_trace *of, uint32_t index)
{
	if (index == PLAN_ROOT)
		return (struct trace_track) {of->pid, of->pid};
	return (struct trace_track) {of->pid, of->first_tid + index};
}

/*
 * The end of a creation. The created task may go on before the creator's call returns: its start-up
 * ends the creation then.
 */
static int64_t create_end(const struct sample_worker *worker)
{
	return worker->start_ns >= 0 && worker->start_ns < worker->created_ns ? worker->start_ns
									      : worker->created_ns;
}

static void set_marks(const struct run_trace *of, const struct sample_worker *worker,
		      struct mark marks[MARKS])
{
	bool gated = of->plan->gated || of->plan->all_alive;
	/* A process that holds threads has no work to be let go to: it creates and joins them. */
	bool waits = gated && (worker->work_ns >= 0 || worker->finish_ns < 0);
	bool refused = worker->status == SAMPLE_REFUSED;

	marks[0] = (struct mark) {"create", worker->create_ns};
	marks[1] = (struct mark) {refused ? NULL : "start-up", create_end(worker)};
	marks[2] = (struct mark) {waits ? "wait at the gate" : "run", worker->start_ns};
	marks[3] = (struct mark) {"run", gated ? worker->work_ns : -1};
	marks[4] = (struct mark) {"wait for join", worker->finish_ns};
	marks[5] = (struct mark) {NULL, worker->join_ns};
}

/* The values that are not below 0, as one object; NULL: no memory. */
static json_t *known(size_t n, const char *const names[], const int64_t values[])
{
	json_t *object = json_object();

	for (size_t i = 0; i < n && object; i++) {
		if (values[i] < 0 ||
		    !json_object_set_new(object, names[i], json_integer(values[i])))
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

/* The kernel's names of the task. Few: speedscope makes them part of the slice's name. */
static json_t *worker_args(const struct sample_worker *worker)
{
	static const char *const names[] = {"pid", "tid", "cpu"};
	int16_t cpu = worker->cpu_last >= 0 ? worker->cpu_last : worker->cpu_first;

	return known(3, names, (const int64_t[]) {worker->pid, worker->tid, cpu});
}

/* A moment is no slice, unless it is the run: arrows end there. */
static void write_slice(const struct run_trace *of, const struct sample_change *task,
			const struct mark *mark, int64_t from_ns, int64_t to_ns)
{
	struct trace_track track = worker_track(of, task->index);
	struct plan_node node;
	json_t *args;

	if (strcmp(mark->slice, "run") != 0) {
		if (to_ns > from_ns)
			trace_slice(of->trace, track, mark->slice, "worker", at(of, from_ns),
				    at(of, to_ns), NULL);
		return;
	}
	plan_node(of->plan, task->index, &node);
	args = worker_args(&task->worker);
	if (!args)
		of->trace->err = -ENOMEM;
	trace_slice(of->trace, track, mark->slice, plan_work_name((enum work_kind)node.work),
		    at(of, from_ns), at(of, to_ns), args);
}

/* Slices go from mark to mark: no two overlap, whatever order the times are in. */
static void write_slices(const struct run_trace *of, const struct sample_change *task)
{
	struct mark marks[MARKS];
	const struct mark *last = NULL;
	int64_t last_ns = 0;

	set_marks(of, &task->worker, marks);
	for (int i = 0; i < MARKS; i++) {
		int64_t time_ns = marks[i].time_ns > last_ns ? marks[i].time_ns : last_ns;

		if (marks[i].time_ns < 0)
			continue;
		if (last && last->slice)
			write_slice(of, task, last, last_ns, time_ns);
		last = &marks[i];
		last_ns = time_ns;
	}
	if (last && last->slice)
		write_slice(of, task, last, last_ns, of->end_ns > last_ns ? of->end_ns : last_ns);
}

/* The flow goes from the creator, if known to be at work then, to the first instruction. */
static void write_flow(const struct run_trace *of, const struct sample_change *task,
		       uint32_t parent)
{
	const struct sample_worker *worker = &task->worker;
	struct trace_track track = worker_track(of, task->index);
	struct sample_worker creator = {.start_ns = 0, .finish_ns = -1};

	if (parent != PLAN_ROOT)
		creator = model_worker(of->model, of->run, parent);
	if (worker->create_ns < 0 || worker->start_ns < worker->create_ns || creator.start_ns < 0 ||
	    creator.start_ns > worker->create_ns ||
	    (creator.finish_ns >= 0 && creator.finish_ns < worker->create_ns))
		return;
	trace_flow(of->trace, "create", track.tid, worker_track(of, parent),
		   at(of, worker->create_ns), track, at(of, worker->start_ns));
}

static void write_trouble(const struct run_trace *of, const struct sample_change *task)
{
	const struct sample_worker *worker = &task->worker;
	int64_t time_ns = worker->finish_ns >= 0 ? worker->finish_ns : of->end_ns;
	const char *status = sample_status_name((enum sample_status)worker->status);
	bool crashed = worker->status == SAMPLE_CRASHED;
	char text[NAME_BYTES];

	if (worker->status == SAMPLE_OK || worker->status == SAMPLE_RUNNING)
		return;
	snprintf(text, sizeof(text), worker->error > 0 ? "%s: %s" : "%s", status,
		 crashed ? strsignal(worker->error) : strerror(worker->error));
	trace_instant(of->trace, worker_track(of, task->index), text, at(of, time_ns));
}

static void write_worker(const struct run_trace *of, uint32_t index)
{
	struct sample_change task = {index, model_worker(of->model, of->run, index)};
	struct plan_node node;
	char name[NAME_BYTES];

	if (task.worker.create_ns < 0 && task.worker.start_ns < 0)
		return;
	plan_node(of->plan, index, &node);
	trace_thread(of->trace, worker_track(of, index),
		     plan_name(of->plan, index, name, sizeof(name)), (int64_t)index + 1);
	write_slices(of, &task);
	write_flow(of, &task, node.parent);
	write_trouble(of, &task);
}

static void write_memory(const struct run_trace *of, int64_t time_ns,
			 const struct sample_memory *memory)
{
	static const char *const names[] = {"rss_kb", "pss_kb", "uss_kb", "kernel_kb"};
	json_t *values = known(4, names,
			       (const int64_t[]) {memory->rss_kb, memory->pss_kb, memory->uss_kb,
						  memory->kernel_kb});

	if (values && json_object_size(values) == 0)
		json_decref(values);
	else
		trace_counter(of->trace, of->pid, "memory", time_ns, values);
}

static void write_points(const struct run_trace *of)
{
	for (size_t i = 0; i < of->run->n_points; i++) {
		const struct model_point *point = &of->run->points[i];

		if (point->time_ns > of->model->now_ns)
			return;
		write_memory(of, point->time_ns, &point->memory);
		if (point->tasks >= 0)
			trace_counter(of->trace, of->pid, "tasks", point->time_ns,
				      json_pack("{s:I}", "alive", (json_int_t)point->tasks));
	}
	/* a counter holds until its next value, and the run's memory ended with it */
	if (of->run->n_points > 0 && model_ended(of->model, of->run))
		write_memory(of, at(of, of->end_ns), &(struct sample_memory) {0});
}

static char *run_name(const struct model *model, const struct model_run *run, char *buf,
		      size_t size)
{
	snprintf(buf, size, run->id.trial > 0 ? "%s, trial %u" : "%s, warm-up",
		 MODEL_CASE_NAME(model, run->id.case_id), run->id.trial);
	return buf;
}

static void write_run(const struct run_trace *of)
{
	struct trace_track creator = worker_track(of, PLAN_ROOT);
	char name[NAME_BYTES];

	trace_process(of->trace, of->pid, run_name(of->model, of->run, name, sizeof(name)),
		      of->pid);
	trace_thread(of->trace, creator, "creator", 0);
	trace_slice(of->trace, creator, "create and join", "run", at(of, 0), at(of, of->end_ns),
		    NULL);
	for (uint32_t i = 0; i < of->run->n_workers; i++)
		write_worker(of, i);
	write_points(of);
}

static void write_runs(struct trace *trace, const struct model *model)
{
	struct run_trace of = {.trace = trace,
			       .model = model,
			       .pid = FIRST_RUN_PID,
			       .first_tid = FIRST_RUN_PID + (int64_t)model->n_runs};

	for (size_t i = 0; i < model->n_runs && !trace->err; i++) {
		of.run = &model->runs[i];
		if (of.run->begin_ns > model->now_ns)
			return;
		of.plan = &model->cases[of.run->id.case_id].plan;
		of.end_ns = model_elapsed(model, of.run);
		if (of.end_ns < 0)
			of.end_ns = of.run->end_ns - of.run->begin_ns;
		write_run(&of);
		of.pid++;
		of.first_tid += of.run->n_workers;
	}
}

/* A slice for each run, one after the other: where in the session each stands. */
static void write_overview(struct trace *trace, const struct model *model)
{
	int64_t free_ns = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int64_t from_ns = run->begin_ns > free_ns ? run->begin_ns : free_ns;
		char name[NAME_BYTES];

		if (run->begin_ns > model->now_ns)
			return;
		free_ns = model_ended(model, run) ? run->end_ns : model->now_ns;
		if (free_ns < from_ns)
			free_ns = from_ns;
		trace_slice(trace, session_track, run_name(model, run, name, sizeof(name)), "run",
			    from_ns, free_ns, NULL);
	}
}

static void write_session(struct trace *trace, const struct model *model)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "tuibench: %s", model->session.title);
	trace_process(trace, SESSION_PID, name, SESSION_PID);
	trace_thread(trace, session_track, "runs", 0);
	write_overview(trace, model);
	for (size_t i = 0; i < model->n_messages; i++) {
		if (model->messages[i].time_ns <= model->now_ns)
			trace_instant(trace, session_track, model->messages[i].text,
				      model->messages[i].time_ns);
	}
}

/* The cores of several recordings are numbered on, and named by their machine. */
static void name_core(const struct model *model, int cpu, char *buf, size_t size)
{
	snprintf(buf, size, "core %d", cpu);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		const struct model_origin *origin = &model->origins[i];

		if (cpu >= (int)origin->first_core &&
		    cpu < (int)(origin->first_core + origin->n_cores))
			snprintf(buf, size, "core %d @%s", cpu, origin->name);
	}
}

static void write_core(struct trace *trace, const struct model *model,
		       const struct sample_core *core, int64_t time_ns)
{
	char name[SAMPLE_LABEL + 32];

	if (core->user < 0 || core->system < 0)
		return;
	name_core(model, core->cpu, name, sizeof(name));
	trace_counter(trace, CORES_PID, name, time_ns,
		      json_pack("{s:f}", "load %", (core->user + core->system) / 10.0));
}

/* A load is that of the time since the tick before, and a counter holds from its time on. */
static void write_cores(struct trace *trace, const struct model *model)
{
	long last = model_load_at(model, model->now_ns);

	trace_process(trace, CORES_PID, "cores, 100 % each", CORES_PID);
	for (long row = 0; row <= last; row++) {
		int64_t time_ns = row > 0 ? model->loads[row - 1].time_ns : 0;

		for (uint32_t i = 0; i < model->n_cores; i++)
			write_core(trace, model, &model->cores[(size_t)row * model->n_cores + i],
				   time_ns);
	}
}

static json_t *other_data(const struct model *model)
{
	const struct sample_session *session = &model->session;

	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o}", "tuibench",
			 trace_string(session->version), "experiment",
			 trace_string(session->experiment), "title", trace_string(session->title),
			 "options", trace_string(session->options), "start_s",
			 (json_int_t)session->wall_s, "host", trace_string(session->machine.host),
			 "kernel", trace_string(session->machine.kernel), "cpu",
			 trace_string(session->machine.cpu));
}

int export_trace(const struct model *model, FILE *out)
{
	struct trace trace;
	int err;

	trace_open(&trace, out);
	write_session(&trace, model);
	write_cores(&trace, model);
	write_runs(&trace, model);
	err = trace_close(&trace, other_data(model));
	return err ? err : report_finish(out);
}
