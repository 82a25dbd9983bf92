/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/plan.h"
#include "model/model_slices.h"
#include "result/report.h"
#include "trace.h"

/* Numbers of the cores of one machine: those of several recordings are told apart. */
enum { CPUS = 32768 };

struct cores {
	struct trace *trace;
	const struct model *model;
	const enum trace_detail *detail; /* by run */
	int64_t pid, first_tid;
};

/* One core in one run. */
struct lane {
	const struct cores *of;
	const struct model_run *run;
	size_t cpu;
	int64_t free_ns; /* on the session's clock, the end of the run before */
};

static struct trace_track track_of(const struct lane *lane)
{
	const struct model *model = lane->of->model;
	const struct model_origin *origin = model_origin(model, lane->run->id.case_id);
	int64_t machine = origin ? origin - model->origins : 0;

	return (struct trace_track) {lane->of->pid,
				     lane->of->first_tid + machine * CPUS + (int64_t)lane->cpu};
}

static bool has(const struct lane *lane)
{
	size_t n;

	if (lane->of->detail[lane->run - lane->of->model->runs] != TRACE_FULL)
		return false;
	model_core_others(lane->run, lane->cpu, &n);
	return n > 0 || model_core_used(lane->run, lane->cpu);
}

/* Its name, where no run before this one has brought it. */
static void name_track(const struct lane *lane)
{
	const struct model *model = lane->of->model;
	const struct model_origin *origin = model_origin(model, lane->run->id.case_id);
	struct trace_track track = track_of(lane);
	char name[SAMPLE_LABEL + 32];

	for (struct lane other = *lane; other.run-- > model->runs;)
		if (track_of(&other).tid == track.tid && has(&other))
			return;
	snprintf(name, sizeof(name), origin ? "core %zu @%s" : "core %zu", lane->cpu,
		 origin ? origin->name : "");
	trace_thread(lane->of->trace, track, name, track.tid);
}

static void put_stretch(const struct lane *lane, const struct model_core_stretch *at, double within)
{
	const struct plan *plan = &lane->of->model->cases[lane->run->id.case_id].plan;
	struct trace_slice slice = {
		.track = track_of(lane),
		.name = "others",
		.category = "others",
		.colour = "grey",
		.from_ns = MAX(trace_run_at(lane->run, at->from_ns), lane->free_ns),
		.to_ns = trace_run_at(lane->run, at->to_ns),
		.within = within,
	};
	char name[TRACE_NAME];
	struct plan_node node;

	if (at->state == CORE_FREE || slice.to_ns <= slice.from_ns)
		return;
	if (at->state == CORE_OURS) {
		plan_node(plan, at->worker, &node);
		slice.name = plan_name(plan, at->worker, name, sizeof(name));
		slice.category = plan_work_name((enum work_kind)node.work);
		slice.colour = NULL;
	}
	trace_slice(lane->of->trace, &slice);
}

static void put_lane(const struct lane *lane)
{
	const struct cores *of = lane->of;
	struct model_core_stretch at = {.to_ns = 0};
	char name[TRACE_NAME];
	struct trace_slice slice = {
		.track = track_of(lane),
		.name = trace_run_name(of->model, lane->run, name, sizeof(name)),
		.category = "run",
		.from_ns = MAX(trace_run_at(lane->run, 0), lane->free_ns),
		.to_ns = trace_run_at(lane->run, trace_run_until(of->model, lane->run)),
	};
	double within;

	name_track(lane);
	within = trace_slice(of->trace, &slice);
	for (int64_t t = 0;
	     model_core_stretch_at(of->model, lane->run, lane->cpu, t, &at) && at.to_ns > t;
	     t = at.to_ns)
		put_stretch(lane, &at, within);
}

void trace_cores(struct trace *trace, const struct model *model, const enum trace_detail *detail,
		 int64_t pid, int64_t first_tid)
{
	const struct cores cores = {trace, model, detail, pid, first_tid};
	struct lane lane = {.of = &cores};

	for (size_t i = 0; i < model->n_runs && model->runs[i].begin_ns <= model->now_ns; i++) {
		size_t n;

		lane.run = &model->runs[i];
		n = MIN(model_cores_seen(lane.run), CPUS);
		for (lane.cpu = 0; lane.cpu < n; lane.cpu++)
			if (has(&lane))
				put_lane(&lane);
		lane.free_ns =
			MAX(lane.free_ns, trace_run_at(lane.run, trace_run_until(model, lane.run)));
	}
}

/*
 * What a trace may take, unless all of it is asked for: browsers open 20 MB at once. A worker of a
 * tree was measured at 1,190 bytes, a slice at up to 400, a counter at 90.
 */
#define BYTES_MOST    INT64_C(17000000)
#define BYTES_WORKER  INT64_C(1400)
#define BYTES_SLICE   INT64_C(450)
#define COUNTERS_MOST 20000

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

/* Of each group of points that with the most memory: a peak stays one. */
static void write_points(const struct trace_run *of, size_t group)
{
	const struct model_run *run = of->run;

	for (size_t first = 0; first < run->n_points; first += group) {
		const struct model_point *point = &run->points[first];

		for (size_t i = first; i < first + group && i < run->n_points; i++)
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
	/* a counter holds until its next value, and the run's memory ended with it */
	if (run->n_points > 0 && model_ended(of->model, run))
		write_memory(of, trace_run_at(run, of->end_ns), &(struct sample_memory) {0});
}

static void write_run(const struct trace_run *of, size_t group)
{
	char name[TRACE_NAME], text[TRACE_NAME + 64];

	trace_run_name(of->model, of->run, name, sizeof(name));
	snprintf(text, sizeof(text), "%s%s", name,
		 of->detail == TRACE_COUNTERS ? " (counters alone; trace-all has its workers)"
					      : "");
	trace_process(of->trace, of->pid, text, of->pid);
	if (of->detail != TRACE_COUNTERS) {
		trace_worker(of, PLAN_ROOT);
		for (uint32_t i = 0; i < of->run->n_workers && !of->trace->err; i++)
			trace_worker(of, i);
	}
	write_points(of, group);
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

static int64_t bytes_of(const struct model_run *run, enum trace_detail detail)
{
	int64_t workers = run->n_workers, slices = 0;
	size_t cores = model_cores_seen(run), n;

	for (size_t cpu = 0; cpu < cores; cpu++) {
		model_core_others(run, cpu, &n);
		slices += (int64_t)n;
	}
	for (uint32_t i = 0; i < run->n_workers; i++) {
		model_slices(run, i, &n);
		slices += (int64_t)n;
	}
	return detail == TRACE_COUNTERS
		       ? 0
		       : workers * BYTES_WORKER + (detail == TRACE_FULL ? slices * BYTES_SLICE : 0);
}

/* The last that was measured; else the last that began, NULL before that. */
static const struct model_run *newest_run(const struct model *model, uint32_t case_id)
{
	for (size_t i = model->n_runs; i-- > 0;)
		if (model->runs[i].id.case_id == case_id && model_measured(model, &model->runs[i]))
			return &model->runs[i];
	return model_latest(model, case_id);
}

/*
 * By run; NULL: no memory. All in full where they fit, else the newest of each case alone, as much
 * of it as all of these leave room for; a run that does not fit has its counters.
 */
static enum trace_detail *choose_detail(const struct model *model, bool all)
{
	enum trace_detail *detail = calloc(model->n_runs + 1, sizeof(*detail));
	enum trace_detail most = TRACE_FULL;
	int64_t sum = 0;

	for (size_t i = 0; i < model->n_runs && detail; i++) {
		detail[i] = TRACE_FULL;
		sum += bytes_of(&model->runs[i], TRACE_FULL);
	}
	if (!detail || all || sum <= BYTES_MOST)
		return detail;
	for (; most > TRACE_LIVES; most--) {
		sum = 0;
		for (uint32_t i = 0; i < model->n_cases; i++)
			if (newest_run(model, i))
				sum += bytes_of(newest_run(model, i), most);
		if (sum <= BYTES_MOST)
			break;
	}
	memset(detail, 0, model->n_runs * sizeof(*detail));
	sum = 0;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = newest_run(model, i);
		int64_t bytes = run ? bytes_of(run, most) : 0;

		if (!run || sum + bytes > BYTES_MOST)
			continue;
		detail[run - model->runs] = most;
		sum += bytes;
	}
	return detail;
}

/* How many ticks one counter covers, so that the counters stay within their limit. */
static size_t counter_group(const struct model *model, bool all)
{
	size_t counters = model->n_loads * model->n_cores;

	for (size_t i = 0; i < model->n_runs; i++)
		counters += 2 * model->runs[i].n_points;
	return all ? 1 : 1 + counters / COUNTERS_MOST;
}

static void write_runs(struct trace *trace, const struct model *model,
		       const enum trace_detail *detail, size_t group)
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
		of.detail = detail[i];
		write_run(&of, group);
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

/* The mean of a core's loads in so many rows; none where one of them is not known. */
static void write_core(struct trace *trace, const struct model *model, uint32_t column, long row,
		       long rows, int64_t time_ns)
{
	const struct sample_core *core = NULL;
	char name[SAMPLE_LABEL + 32];
	int64_t sum = 0;

	for (long i = row; i < row + rows; i++) {
		core = &model->cores[(size_t)i * model->n_cores + column];
		if (core->user < 0 || core->system < 0)
			return;
		sum += core->user + core->system;
	}
	name_core(model, core->cpu, name, sizeof(name));
	trace_counter(trace, CORES_PID, name, time_ns,
		      json_pack("{s:f}", "load %", (double)sum / 10 / (double)rows));
}

/* A load is that of the time since the tick before, and a counter holds from its time on. */
static void write_cores(struct trace *trace, const struct model *model,
			const enum trace_detail *detail, size_t group)
{
	long rows = model_load_at(model, model->now_ns) + 1, n;

	trace_cores(trace, model, detail, CORES_PID, first_core(model));
	trace_process(trace, CORES_PID, "cores, 100 % each", CORES_PID);
	for (long row = 0; row < rows; row += n) {
		int64_t time_ns = row > 0 ? model->loads[row - 1].time_ns : 0;

		n = rows - row < (long)group ? rows - row : (long)group;
		for (uint32_t i = 0; i < model->n_cores; i++)
			write_core(trace, model, i, row, n, time_ns);
	}
}

static json_t *other_data(const struct model *model, const enum trace_detail *detail)
{
	const struct sample_session *session = &model->session;
	size_t runs = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		runs += detail[i] == TRACE_FULL;
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I}", "tuibench",
			 json_printable(session->version), "experiment",
			 json_printable(session->experiment), "title",
			 json_printable(session->title), "options",
			 json_printable(session->options), "start_s", (json_int_t)session->wall_s,
			 "host", json_printable(session->machine.host), "kernel",
			 json_printable(session->machine.kernel), "cpu",
			 json_printable(session->machine.cpu), "sched",
			 json_printable(session->sched), "detailed_runs", (json_int_t)runs);
}

static int write_trace(const struct model *model, FILE *out, bool all)
{
	enum trace_detail *detail = choose_detail(model, all);
	size_t group = counter_group(model, all);
	struct trace trace;
	int err;

	if (!detail)
		return -ENOMEM;
	trace_open(&trace, out);
	write_session(&trace, model);
	write_cores(&trace, model, detail, group);
	write_runs(&trace, model, detail, group);
	err = trace_close(&trace, other_data(model, detail));
	free(detail);
	return err ? err : report_finish(out);
}

int export_trace(const struct model *model, FILE *out)
{
	return write_trace(model, out, false);
}

int export_trace_all(const struct model *model, FILE *out)
{
	return write_trace(model, out, true);
}
