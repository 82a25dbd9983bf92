/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <stdio.h>
#include <sys/param.h>

#include "core/plan.h"
#include "model/model_slices.h"

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
