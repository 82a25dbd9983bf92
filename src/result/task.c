/* SPDX-License-Identifier: MIT */
#include "core/sample_task.h"
#include "base/error_line.h"
#include "result/task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

const char *task_on_name(int on)
{
	if (on == TASK_ON_UNKNOWN)
		return "unknown";
	if (on == TASK_ON_LOCK)
		return "lock";
	if (on == WAIT_GIL)
		return "gil";
	return sample_wait_names[on];
}

const char *task_states_name(enum task_states states)
{
	static const char *const names[] = {
		[TASK_STATES_UNKNOWN] = "",	 [TASK_STATES_SWITCHES] = "switches",
		[TASK_STATES_CLOCK] = "clock",	 [TASK_STATES_SAMPLED] = "sampled",
		[TASK_STATES_TOTALS] = "totals",
	};

	return names[states];
}

uint32_t task_count(const struct model *model, const struct model_run *run)
{
	struct sample_task task;
	size_t n = 0;

	while (n < run->n_tasks && model_task(model, run, n, &task))
		n++;
	return run->n_workers + (uint32_t)n;
}

/* Whether each context switch of the run's tasks is recorded. */
static bool has_all_switches(const struct model *model, const struct model_run *run)
{
	return strcmp(model->session.sched, "perf") == 0 && model_ended(model, run) &&
	       run->totals.slices_lost == 0;
}

static enum task_states states_source(const struct model *model, const struct task *task)
{
	if (task->of_program && model_tasks_sampled(model))
		return TASK_STATES_SAMPLED;
	if (strcmp(model->session.sched, "perf") == 0)
		return TASK_STATES_SWITCHES;
	return TASK_STATES_CLOCK;
}

static void read_waits(const struct model *model, const struct model_run *run, struct task *out)
{
	out->n_waits = model_waits_add(model, run, out->index, out->waits, 0, TASK_WAITS);
	for (int i = 0; i < TASK_ON; i++)
		out->on_ns[i] = 0;
	for (size_t i = 0; i < out->n_waits; i++) {
		const int waited = out->waits[i].waited;

		if (waited >= WAIT_LOCK)
			out->on_ns[TASK_ON_LOCK] += out->waits[i].ns;
		else if (waited > 0 && waited < WAITS)
			out->on_ns[waited] += out->waits[i].ns;
		else
			out->on_ns[TASK_ON_UNKNOWN] += out->waits[i].ns;
	}
}

/* Fills in states, cores and switches from the task's slices. */
static void read_slices(const struct model *model, const struct model_run *run, struct task *out)
{
	struct model_lane_figures figures;
	struct model_shares shares = {{0}};
	const struct sample_slice *slices;
	size_t n;

	slices = model_slices(run, out->index, &n);
	if (n == 0 || model_lane_figures(model, run, out->index, &figures))
		return;
	out->states = states_source(model, out);
	/*
	 * Leave out the time before create_ns, because the lane of a program's first process also
	 * shows the worker that started it.
	 */
	model_shares_add(model, run, out->index, MAX(0, out->create_ns), INT64_MAX, &shares);
	memcpy(out->in_ns, shares.ns, sizeof(out->in_ns));
	out->cores = figures.cores;
	read_waits(model, run, out);
	if (!out->of_program || out->states != TASK_STATES_SWITCHES ||
	    !has_all_switches(model, run))
		return;
	out->migrations = (int64_t)figures.migrations;
	out->nvcsw = out->nivcsw = 0;
	for (size_t i = 0; i < n; i++) {
		/*
		 * All slices that were merged into this one, except the last, ended like the slice
		 * before them.
		 */
		const unsigned more = slices[i].merged > 0 ? slices[i].merged - 1u : 0;

		if (slices[i].on_ns < out->create_ns)
			continue;
		if (more > 0) {
			out->nvcsw += more * (slices[i - 1].why == WHY_BLOCKED);
			out->nivcsw += more * (slices[i - 1].why == WHY_PREEMPTED);
		}
		if (out->start_ns < 0)
			out->start_ns = slices[i].on_ns;
		out->nvcsw += slices[i].why == WHY_BLOCKED;
		out->nivcsw += slices[i].why == WHY_PREEMPTED;
	}
}

/*
 * Fills in the states of a worker without slices, from the kernel's totals at the worker's end. The
 * remaining time counts as blocked.
 */
static void read_totals(const struct sample_worker *worker, struct task *out)
{
	const double life = (double)(worker->finish_ns - worker->start_ns);
	const double run = ((double)worker->user_us + worker->system_us) * 1e3;
	const double ready = worker->delay_us * 1e3;

	if (out->states != TASK_STATES_UNKNOWN || !sample_worker_reported(worker) ||
	    worker->start_ns < 0 || worker->delay_us < 0)
		return;
	out->states = TASK_STATES_TOTALS;
	for (int i = 0; i < MODEL_STATES; i++)
		out->in_ns[i] = 0;
	out->in_ns[STATE_ON] = run;
	out->in_ns[STATE_WAITING] = ready;
	out->in_ns[STATE_BLOCKED] = fmax(0, life - run - ready);
	for (int i = 0; i < TASK_ON; i++)
		out->on_ns[i] = 0;
	out->on_ns[TASK_ON_UNKNOWN] = out->in_ns[STATE_BLOCKED];
}

static enum reason find_reason(const struct model *model, const struct model_run *run,
			       const struct task *task)
{
	if (task->states == TASK_STATES_UNKNOWN && strcmp(model->session.sched, "off") == 0)
		return REASON_SCHED_OFF;
	if (task->states == TASK_STATES_UNKNOWN && task->of_program && model_tasks_sampled(model))
		return REASON_SHORT_TASK;
	if (run->totals.slices_lost > 0)
		return REASON_SLICES_LOST;
	if (task->states == TASK_STATES_UNKNOWN)
		return REASON_NOT_KNOWN;
	if (task->on_ns[TASK_ON_UNKNOWN] > 0) {
		if (task->of_program)
			return REASON_SHORT_WAITS;
		return REASON_OWN_WAITS;
	}
	return REASON_NONE;
}

static void read_worker(const struct model *model, const struct model_run *run, struct task *out)
{
	const struct plan *plan = model_plan(model, run);
	const struct sample_worker worker = model_worker(model, run, out->index);
	const bool reported = sample_worker_reported(&worker);
	struct plan_node node;

	plan_node(plan, out->index, &node);
	if (node.parent == PLAN_ROOT)
		out->parent = -1;
	else
		out->parent = (int64_t)node.parent;
	out->thread = node.task == PLAN_THREAD;
	out->pid = worker.pid;
	out->tid = worker.tid;
	out->create_ns = worker.create_ns;
	out->start_ns = worker.start_ns;
	out->finish_ns = worker.finish_ns;
	out->migrations = model_migrations(model, run, out->index);
	read_slices(model, run, out);
	read_totals(&worker, out);
	if (!reported)
		return;
	out->cpu_ns = ((int64_t)worker.user_us + worker.system_us) * 1000;
	out->nvcsw = worker.nvcsw;
	out->nivcsw = worker.nivcsw;
	out->minflt = worker.minflt;
	out->majflt = worker.majflt;
}

static void read_program_task(const struct model *model, const struct model_run *run,
			      struct task *out)
{
	struct sample_task known;

	model_task(model, run, out->index - run->n_workers, &known);
	out->of_program = true;
	out->worker = known.worker;
	out->parent = known.parent;
	out->thread = known.pid != known.tid;
	out->pid = known.pid;
	out->tid = known.tid;
	out->exit_status = known.exit_status;
	out->create_ns = known.begin_ns;
	out->finish_ns = known.end_ns;
	out->cpu_ns = known.cpu_ns;
	read_slices(model, run, out);
}

bool task_read(const struct model *model, const struct model_run *run, uint32_t index,
	       struct task *out)
{
	struct plan_node node;

	*out = (struct task) {.index = index,
			      .worker = index,
			      .parent = -1,
			      .exit_status = -1,
			      .create_ns = -1,
			      .start_ns = -1,
			      .finish_ns = -1,
			      .cpu_ns = -1,
			      .migrations = -1,
			      .nvcsw = -1,
			      .nivcsw = -1,
			      .minflt = -1,
			      .majflt = -1};
	for (int i = 0; i < MODEL_STATES; i++)
		out->in_ns[i] = NAN;
	for (int i = 0; i < TASK_ON; i++)
		out->on_ns[i] = NAN;
	if (index >= run->n_workers) {
		read_program_task(model, run, out);
	} else {
		plan_node(model_plan(model, run), index, &node);
		if (node.work == WORK_PROGRAM && run->n_tasks > 0)
			return false;
		read_worker(model, run, out);
	}
	out->reason = find_reason(model, run, out);
	return true;
}

int64_t task_life(const struct model *model, const struct model_run *run, uint32_t index)
{
	struct sample_task task;

	model_task(model, run, index - run->n_workers, &task);
	return fields_known_or(task.end_ns, model_length(model, run)) - task.begin_ns;
}

uint32_t task_longest(const struct model *model, const struct model_run *run, uint32_t *list,
		      uint32_t most)
{
	const uint32_t end = task_count(model, run);
	uint32_t n = 0;

	for (uint32_t i = run->n_workers; i < end; i++) {
		const int64_t life = task_life(model, run, i);
		uint32_t at = n;

		while (at > 0 && task_life(model, run, list[at - 1]) < life)
			at--;
		if (at == most)
			continue;
		n = MIN(n + 1, most);
		memmove(list + at + 1, list + at, (n - at - 1) * sizeof(*list));
		list[at] = i;
	}
	return n;
}

char *task_name(const struct model_run *run, uint32_t index, char *buf, size_t size)
{
	const struct sample_task *task = model_task_known(run, index - run->n_workers);
	const struct sample_task *process = task;
	const bool thread = task->pid != task->tid;
	const char *name = sentence_text(task->name, "?");

	if (task->parent >= 0)
		process = model_task_known(run, (uint32_t)task->parent - run->n_workers);
	if (thread && strcmp(process->name, task->name) == 0)
		snprintf(buf, size, "·%d", task->tid);
	else
		snprintf(buf, size, "%s%s", thread ? "·" : "", name);
	return buf;
}
