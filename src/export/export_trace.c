/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>

#include "core/plan.h"
#include "model/model_slices.h"
#include "trace_run.h"
#include "typical.h"

/* Workers and slices of a session up to which all of its runs are written in detail. */
#define DETAILED 100000

/*
 * A process for the session as a whole, one for the cores, then one for each run. A process's own
 * id is also that of its first thread; those of the workers go on behind the last process.
 */
enum { SESSION_PID = 1, CORES_PID, FIRST_RUN_PID };

static const struct trace_track session_track = {SESSION_PID, SESSION_PID};

static void write_memory(const struct trace_run *of, int64_t time_ns,
			 const struct sample_memory *memory)
{
	static const char *const names[] = {"rss_kb", "pss_kb", "uss_kb", "kernel_kb"};
	json_t *values = trace_run_known(4, names,
					 (const int64_t[]) {memory->rss_kb, memory->pss_kb,
							    memory->uss_kb, memory->kernel_kb});

	if (values && json_object_size(values) == 0)
		json_decref(values);
	else
		trace_counter(of->trace, of->pid, "memory", time_ns, values);
}

static void write_points(const struct trace_run *of)
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
		write_memory(of, trace_run_at(of->run, of->end_ns), &(struct sample_memory) {0});
}

static void write_run(const struct trace_run *of)
{
	char name[TRACE_NAME];

	trace_process(of->trace, of->pid, trace_run_name(of->model, of->run, name, sizeof(name)),
		      of->pid);
	trace_worker(of, PLAN_ROOT);
	for (uint32_t i = 0; i < of->run->n_workers && !of->trace->err; i++)
		trace_worker(of, i);
	write_points(of);
}

static int64_t first_worker(const struct model *model)
{
	return FIRST_RUN_PID + (int64_t)model->n_runs;
}

/* Behind the last worker. */
static int64_t first_core(const struct model *model)
{
	int64_t tid = first_worker(model);

	for (size_t i = 0; i < model->n_runs; i++)
		tid += model->runs[i].n_workers;
	return tid;
}

static size_t workers_and_slices(const struct model_run *run)
{
	size_t sum = run->n_workers, cores = model_cores_seen(run), n;

	for (size_t cpu = 0; cpu < cores; cpu++) {
		model_core_others(run, cpu, &n);
		sum += n;
	}
	for (uint32_t i = 0; i < run->n_workers; i++) {
		model_slices(run, i, &n);
		sum += n;
	}
	return sum;
}

/* By run; NULL: no memory. Of a session with too much for all, the runs nearest to the medians. */
static bool *choose_detailed(const struct model *model)
{
	bool *detailed = calloc(model->n_runs + 1, sizeof(*detailed));
	size_t sum = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		sum += workers_and_slices(&model->runs[i]);
	for (size_t i = 0; i < model->n_runs && detailed; i++)
		detailed[i] = sum <= DETAILED ||
			      &model->runs[i] == typical_run(model, model->runs[i].id.case_id);
	return detailed;
}

static void write_runs(struct trace *trace, const struct model *model, const bool *detailed)
{
	struct trace_run of = {
		.trace = trace,
		.model = model,
		.pid = FIRST_RUN_PID,
		.first_tid = first_worker(model),
	};

	for (size_t i = 0; i < model->n_runs && !trace->err; i++) {
		of.run = &model->runs[i];
		if (of.run->begin_ns > model->now_ns)
			return;
		of.plan = &model->cases[of.run->id.case_id].plan;
		of.end_ns = model_length(model, of.run);
		if (of.end_ns < 0)
			of.end_ns = of.run->end_ns - of.run->begin_ns;
		of.detailed = detailed[i];
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
		char name[TRACE_NAME];

		if (run->begin_ns > model->now_ns)
			return;
		free_ns = model_ended(model, run) ? run->end_ns : model->now_ns;
		if (free_ns < from_ns)
			free_ns = from_ns;
		trace_slice(trace, &(struct trace_slice) {
					   .track = session_track,
					   .name = trace_run_name(model, run, name, sizeof(name)),
					   .category = "run",
					   .from_ns = from_ns,
					   .to_ns = free_ns});
	}
}

static void write_session(struct trace *trace, const struct model *model)
{
	char name[TRACE_NAME];

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
static void write_cores(struct trace *trace, const struct model *model, const bool *detailed)
{
	long last = model_load_at(model, model->now_ns);

	trace_cores(trace, model, detailed, CORES_PID, first_core(model));
	trace_process(trace, CORES_PID, "cores, 100 % each", CORES_PID);
	for (long row = 0; row <= last; row++) {
		int64_t time_ns = row > 0 ? model->loads[row - 1].time_ns : 0;

		for (uint32_t i = 0; i < model->n_cores; i++)
			write_core(trace, model, &model->cores[(size_t)row * model->n_cores + i],
				   time_ns);
	}
}

static json_t *other_data(const struct model *model, const bool *detailed)
{
	const struct sample_session *session = &model->session;
	size_t runs = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		runs += detailed[i];
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I}", "tuibench",
			 trace_string(session->version), "experiment",
			 trace_string(session->experiment), "title", trace_string(session->title),
			 "options", trace_string(session->options), "start_s",
			 (json_int_t)session->wall_s, "host", trace_string(session->machine.host),
			 "kernel", trace_string(session->machine.kernel), "cpu",
			 trace_string(session->machine.cpu), "sched", trace_string(session->sched),
			 "detailed_runs", (json_int_t)runs);
}

int export_trace(const struct model *model, FILE *out)
{
	bool *detailed = choose_detailed(model);
	struct trace trace;
	int err;

	if (!detailed)
		return -ENOMEM;
	trace_open(&trace, out);
	write_session(&trace, model);
	write_cores(&trace, model, detailed);
	write_runs(&trace, model, detailed);
	err = trace_close(&trace, other_data(model, detailed));
	free(detailed);
	return err ? err : report_finish(out);
}
