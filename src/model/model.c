/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "model/model.h"
#include "model/model_wakes.h"
#include "model/model_latency.h"
#include "model_pause.h"

void model_init(struct model *model)
{
	*model = (struct model) {0};
}

static void note_most_read(struct sample_memory *most, const struct sample_memory *read)
{
	most->rss_kb = MAX(most->rss_kb, read->rss_kb);
	most->pss_kb = MAX(most->pss_kb, read->pss_kb);
	most->uss_kb = MAX(most->uss_kb, read->uss_kb);
	most->kernel_kb = MAX(most->kernel_kb, read->kernel_kb);
}

static void free_details(struct model *model, struct model_run *run)
{
	model_workers_move(&run->workers, run->n_workers, model_let_go, model);
	run->workers = (struct model_workers) {.gone = true};
	model_lanes_move(run, model_let_go, model);
	model_tasks_move(run, model_let_go, model);
	run->throttles = model_let_go(model, run->throttles, 0);
	run->points = model_let_go(model, run->points, 0);
	run->wakes = model_wakes_move(run->wakes, model_let_go, model);
	run->n_tasks = run->cap_tasks = 0;
	run->n_throttles = run->cap_throttles = 0;
	run->n_points = run->cap_points = 0;
}

void model_free(struct model *model)
{
	model_details_free(model);
	for (size_t i = 0; i < model->n_messages; i++)
		free(model->messages[i].text);
	free(model->cases);
	free(model->origins);
	free(model->cpus);
	model_runs_free(model);
	free(model->replaced);
	free(model->pauses);
	model_loads_free(model);
	free(model->messages);
	model_families_free(model->families);
	model_init(model);
}

/* The run that has begun and not ended, by the samples received so far. Ignores the cursor. */
static struct model_run *open_run(struct model *model)
{
	struct model_run *last;

	if (model->n_runs == 0)
		return NULL;
	last = &model->runs[model->n_runs - 1];
	if (last->end_ns == INT64_MAX)
		return last;
	return NULL;
}

/* Withholds memory that was read of the first task of each program only. */
static void withhold_memory(struct model_run *run)
{
	const struct sample_memory had = run->totals.memory;

	for (size_t i = 0; i < run->n_points; i++) {
		run->points[i].memory = sample_memory_unknown();
		run->points[i].tasks = -1;
	}
	run->most_read = sample_memory_unknown();
	if (run->end_ns == INT64_MAX)
		return;
	run->totals.memory = sample_memory_unknown();
	run->totals.memory.kernel_kb = -1;
	run->totals.memory.kernel_seen = -1;
	/* The cgroup's peak includes all processes, even unread ones. */
	if (had.kernel_seen == SEEN_PEAK) {
		run->totals.memory.kernel_kb = had.kernel_kb;
		run->totals.memory.kernel_seen = had.kernel_seen;
	}
}

/* Withholds values that cover the first task of each program only. */
static void withhold(struct model *model, struct model_run *run)
{
	if (model_hides_cores(model, run))
		model_cores_move(run, model_let_go, model);
	run->wakes = model_wakes_move(run->wakes, model_let_go, model);
	run->wakes_all = model_wakes_move(run->wakes_all, model_let_go, model);
	run->n_throttles = 0;
	if (model_hides_memory(run))
		withhold_memory(run);
	if (run->end_ns == INT64_MAX)
		return;
	run->totals.migrations = -1;
	run->totals.peak_alive = 0;
	/*
	 * If the slices of tasks were left out, leave the path through these tasks unchanged,
	 * because it cannot be computed again.
	 */
	if (run->slices_left_out == 0 || run->n_tasks == 0)
		run->path = model_path_make(model, run);
}

/*
 * Takes the numbers of children, threads and processes of an open run's programs. Once a program of
 * a run has more than one task, values that cover only its first task are withheld: in all runs of
 * the case, even earlier ones, so that these are measured alike.
 */
static void take_task_counts(struct model *model, struct model_run *open, int32_t children,
			     int32_t threads, int32_t processes)
{
	const bool was_known = model_has_command_tasks(open);
	size_t first = 0;

	open->processes = processes;
	open->children = MAX(open->children, children);
	open->threads = MAX(open->threads, threads);
	if (!model_has_command_tasks(open))
		return;
	/* The earlier runs have been handled already. */
	if (was_known)
		first = (size_t)(open - model->runs);
	for (size_t i = first; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];

		if (run->id.case_id != open->id.case_id)
			continue;
		run->children = open->children;
		run->threads = open->threads;
		withhold(model, run);
	}
	if (!was_known)
		model_values_forget(model);
}

static int apply_run_begin(struct model *model, const struct sample *sample)
{
	struct model_run run = {
		.id = sample->run, .begin_ns = sample->time_ns, .end_ns = INT64_MAX};

	if (open_run(model) || run.id.case_id >= model->n_cases)
		return -EPROTO;
	run.n_workers = plan_count(&model->cases[run.id.case_id].plan);
	if (run.n_workers == 0)
		return -EPROTO;
	run.children = run.threads = run.processes = -1;
	run.most_read = sample_memory_unknown();
	for (size_t i = model->n_runs; i > 0; i--)
		if (model->runs[i - 1].id.case_id == run.id.case_id) {
			run.children = model->runs[i - 1].children;
			run.threads = model->runs[i - 1].threads;
			run.of_case = model->runs[i - 1].of_case + 1;
			run.longest_ns = MAX(model->runs[i - 1].longest_ns,
					     model_length(model, &model->runs[i - 1]));
			break;
		}
	run.shares_steps = plan_shares_steps(&model->cases[run.id.case_id].plan);
	if (!model_runs_grow(model, model->n_runs + 1))
		return -ENOMEM;
	model->runs[model->n_runs++] = run;
	model->planned = run.id.planned;
	model->done = false;
	return 0;
}

static bool workers_fit(const struct model_run *run, const struct sample_change *workers,
			uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (workers[i].index >= run->n_workers)
			return false;
	}
	return true;
}

static int take_workers(struct model_run *run, const struct sample_change *workers, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		int err = model_workers_put(&run->workers, run->n_workers, workers[i].index,
					    &workers[i].worker);

		if (err)
			return err;
	}
	return 0;
}

/* Adds a column to the cores of all rows. Its values are unknown so far. */
static int add_core_column(struct model *model, int16_t cpu)
{
	uint32_t n = model->n_cores;
	size_t rows = model->n_loads + 1; /* Includes the row that is being filled. */
	struct sample_core *cores;

	if (!model_loads_grow(model, rows, n + 1))
		return -ENOMEM;
	cores = model->cores;
	for (size_t row = rows; row-- > 0;) {
		memmove(cores + row * (n + 1), cores + row * n, n * sizeof(*cores));
		cores[row * (n + 1) + n] = sample_core_unknown(cpu);
	}
	model->n_cores = n + 1;
	return 0;
}

/*
 * The column of a CPU; -1: none. The search starts at `hint`, the column after the previous CPU's.
 * It ends there, unless a CPU went online or offline.
 */
static int64_t find_core_column(const struct model *model, int16_t cpu, uint32_t hint)
{
	for (uint32_t i = 0; i < model->n_cores; i++) {
		const uint32_t column = (hint + i) % model->n_cores;

		if (model->cores[column].cpu == cpu)
			return column;
	}
	return -1;
}

/*
 * Adds the load of each core in a tick. A CPU that was not known gets a new column. Returns 0 or
 * -ENOMEM.
 */
static int add_load(struct model *model, int64_t time_ns, const struct sample_tick *tick)
{
	int64_t terminal_us = tick->terminal_us;
	struct sample_core *row;
	uint32_t hint = 0;

	if (!model_loads_grow(model, model->n_loads + 1, model->n_cores))
		return -ENOMEM;
	row = model->cores + model->n_loads * model->n_cores;
	for (uint32_t i = 0; i < model->n_cores; i++)
		row[i] = sample_core_unknown(model->cores[i].cpu);
	for (uint32_t i = 0; i < tick->n_cores; i++) {
		int64_t column = find_core_column(model, tick->cores[i].cpu, hint);

		if (column < 0) {
			column = model->n_cores;
			if (add_core_column(model, tick->cores[i].cpu) != 0)
				return -ENOMEM;
		}
		row = model->cores + model->n_loads * model->n_cores;
		row[column] = tick->cores[i];
		model->saw_mhz |= tick->cores[i].mhz > 0;
		hint = (uint32_t)column + 1;
	}
	if (terminal_us >= 0)
		terminal_us -= model->paused_terminal_us;
	model->loads[model->n_loads++] =
		(struct model_load) {.time_ns = time_ns,
				     .self_cpu_us = tick->self_cpu_us - model->paused_self_us,
				     .terminal_us = terminal_us,
				     .paused = tick->paused,
				     .prepared = tick->prepared,
				     .to_prepare = tick->to_prepare};
	return 0;
}

/*
 * Whether the tick says nothing about cores and memory, because the workers have been stopped since
 * the previous tick. In a pause, the model's clock does not move, see model_pause.h. So this is
 * true for every tick of a pause except the first, and for the first tick after the pause.
 */
static bool is_paused_tick(const struct model *model, int64_t time_ns)
{
	const struct model_load *last;

	if (model->n_loads == 0)
		return false;
	last = &model->loads[model->n_loads - 1];
	return last->paused && time_ns <= last->time_ns;
}

/* Notes the CPU time of pauses, which add_load() subtracts. */
static void note_paused_cpu(struct model *model, const struct sample_tick *tick)
{
	const struct model_load *last = &model->loads[model->n_loads - 1];

	model->paused_self_us = tick->self_cpu_us - last->self_cpu_us;
	if (tick->terminal_us >= 0 && last->terminal_us >= 0)
		model->paused_terminal_us = tick->terminal_us - last->terminal_us;
}

static int apply_tick(struct model *model, int64_t time_ns, const struct sample_tick *tick)
{
	struct model_run *run = open_run(model);
	const bool paused = is_paused_tick(model, time_ns);
	int err = 0;

	if (paused)
		note_paused_cpu(model, tick);
	if (model->n_loads > 0 && time_ns < model->loads[model->n_loads - 1].time_ns)
		return -EPROTO;
	if (tick->in_run && (!run || !workers_fit(run, tick->workers, tick->n_workers)))
		return -EPROTO;
	if (!paused)
		err = add_load(model, time_ns, tick);
	if (err)
		return err;
	model->lost += tick->lost;
	if (!tick->in_run)
		return 0;
	err = take_workers(run, tick->workers, tick->n_workers);
	if (!err)
		err = model_core_lanes_merge(run);
	if (err || paused)
		return err;
	if (!array_grow(&run->points, run->n_points, &run->cap_points, sizeof(*run->points)))
		return -ENOMEM;
	run->points[run->n_points++] =
		(struct model_point) {.time_ns = time_ns,
				      .memory = tick->memory,
				      .tasks = tick->tasks,
				      .queue = tick->queue,
				      .throttled_periods = tick->throttled_periods,
				      .throttled_us = tick->throttled_us};
	note_most_read(&run->most_read, &tick->memory);
	err = model_throttle_find(run, model->session.machine.cores_allowed, false);
	if (!err)
		take_task_counts(model, run, tick->children, tick->threads, tick->processes);
	return err;
}

/*
 * Computes checked_kb for recordings that lack it: the check read each finished copy and its
 * source. Returns -1 if a copy failed.
 */
static int64_t checked_kb(const struct plan *plan, const struct model_run *run)
{
	uint64_t bytes = 0;
	struct plan_node node;

	if (plan->leaves[WORK_IO] == 0)
		return 0;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		plan_node(plan, i, &node);
		if (node.children > 0 || node.work != WORK_IO)
			continue;
		if (model_known(run, i).status != SAMPLE_OK)
			return -1;
		bytes += 2 * model_known(run, i).result;
	}
	return (int64_t)(bytes / 1024);
}

/*
 * Sum of the migrations of all workers without children; -1 if the count of any of them is unknown.
 */
static int64_t sum_migrations(const struct model *model, const struct model_run *run)
{
	const struct plan *plan = model_plan(model, run);
	struct plan_node node;
	int64_t sum = 0;

	for (uint32_t i = 0; i < run->n_workers; i++) {
		int64_t migrations = model_lane_migrations(model, run, i);

		plan_node(plan, i, &node);
		if (node.children > 0)
			continue;
		if (migrations < 0)
			return -1;
		sum += migrations;
	}
	return sum;
}

/*
 * Takes the number of trials, on which the interim analyses of all comparisons depend. Returns 0 or
 * -ENOMEM.
 */
static int take_plan(struct model *model, int32_t trials)
{
	if (trials <= 0 || model->session.trials == (uint32_t)trials)
		return 0;
	model->session.trials = (uint32_t)trials;
	if (!model->families)
		return 0;
	model_families_free(model->families);
	model->families = model_families_make(model);
	if (model->families)
		return 0;
	return -ENOMEM;
}

/* Drops the lanes of a run whose slices were left out, because incomplete lanes would mislead. */
static void leave_lanes(struct model_run *run)
{
	model_lanes_free(run);
	for (size_t i = 0; i < run->n_tasks; i++)
		model_task_leave_lane(&run->tasks[i]);
	run->n_throttles = 0;
}

static_assert(SAMPLE_PROGRAM_PARTS == PROGRAM_PARTS, "a row of a recording for each part");

static double known_or_nan(double figure)
{
	if (figure == -1)
		return NAN;
	return figure;
}

/* Takes the values that were computed when all slices of the run still existed. */
static void take_thinned(struct model_run *run, const struct sample_thinned *thinned)
{
	run->slices_left_out = thinned->slices;
	run->path = (struct model_path) {
		.ns = {[PART_CREATING] = known_or_nan(thinned->creating_ns),
		       [PART_STARTING] = known_or_nan(thinned->starting_ns),
		       [PART_WORKING] = known_or_nan(thinned->working_ns),
		       [PART_WAITING] = known_or_nan(thinned->waiting_ns),
		       [PART_BLOCKED] = known_or_nan(thinned->blocked_ns),
		       [PART_JOINING] = known_or_nan(thinned->joining_ns)},
		.running_ns = known_or_nan(thinned->running_ns),
		.all_ns = known_or_nan(thinned->path_ns),
	};
	for (int i = 0; i < PROGRAM_PARTS; i++)
		run->path.program_ns[i] = known_or_nan(thinned->program_ns[i]);
	run->together = known_or_nan(thinned->together);
	if (run->totals.migrations < 0)
		run->totals.migrations = thinned->migrations;
}

void model_thin(struct model *model, int64_t slices, struct sample_thinned *thinned)
{
	struct model_run *run = &model->runs[model->n_runs - 1];
	const double *ns = run->path.ns;

	run->slices_left_out = slices;
	*thinned = (struct sample_thinned) {
		.slices = slices,
		.creating_ns = ns[PART_CREATING],
		.starting_ns = ns[PART_STARTING],
		.working_ns = ns[PART_WORKING],
		.waiting_ns = ns[PART_WAITING],
		.blocked_ns = ns[PART_BLOCKED],
		.joining_ns = ns[PART_JOINING],
		.running_ns = run->path.running_ns,
		.path_ns = run->path.all_ns,
		.together = run->together,
		.migrations = run->totals.migrations,
	};
	memcpy(thinned->program_ns, run->path.program_ns, sizeof(thinned->program_ns));
}

/*
 * Takes the sampling rate and the source of slices that the next runs use. Either may change at
 * the last warm-up.
 */
static void take_watched(struct model *model, const struct sample_watched *watched)
{
	struct sample_session *session = &model->session;

	if (watched->rate <= 0 || watched->case_id >= model->n_cases)
		return;
	session->watched = *watched;
	if (!*watched->sched)
		return;
	memcpy(session->sched, watched->sched, sizeof(session->sched));
	memcpy(session->wakes, watched->wakes, sizeof(session->wakes));
	memcpy(session->tasks_by, watched->tasks_by, sizeof(session->tasks_by));
	session->sched_ns = watched->sched_ns;
}

/*
 * Marks a trial as replaced when its last run reports that the trial was crowded or paused. This is
 * done immediately, so that no interim analysis includes the trial. Each case has one run in a
 * trial, and these runs are usually consecutive, so the search ends when all are found.
 */
static int replace_trial(struct model *model, const struct model_run *last)
{
	struct model_run *const end = model->runs + model->n_runs, *first = end;
	uint32_t found = 0;
	bool paused = false;

	while (first > model->runs && found < model->n_cases) {
		first--;
		if (first->id.trial != last->id.trial)
			continue;
		paused |= first->totals.paused;
		found++;
	}
	for (struct model_run *run = first; run < end; run++) {
		if (run->id.trial != last->id.trial)
			continue;
		run->replaced_ns = last->end_ns;
		run->replaced_paused = paused;
		if (!array_grow(&model->replaced, model->n_replaced, &model->cap_replaced,
				sizeof(*model->replaced)))
			return -ENOMEM;
		model->replaced[model->n_replaced++] = (uint32_t)(run - model->runs);
	}
	return 0;
}

static int take_requests(struct model_run *run, const struct sample_request *requests, uint32_t n)
{
	if (n == 0)
		return 0;
	run->requests = malloc(n * sizeof(*requests));
	if (!run->requests)
		return -ENOMEM;
	memcpy(run->requests, requests, n * sizeof(*requests));
	run->n_requests = n;
	return 0;
}

/* The first run with a printed value names its unit, in the title of the metric too. */
static void take_printed_unit(struct model *model, const struct model_run *run)
{
	if (run->totals.printed_reason != REASON_NONE || *model->printed_unit)
		return;
	if (!*run->totals.printed_unit)
		return;
	strcpy(model->printed_unit, run->totals.printed_unit);
	snprintf(model->printed_title, sizeof(model->printed_title), "%s (%s)",
		 model->session.metric, model->printed_unit);
}

/* Takes the final values that the sample has. Returns 0 or -ENOMEM. */
static int take_totals(struct model *model, struct model_run *run, const struct sample *sample)
{
	int err = take_workers(run, sample->end.workers, sample->end.n_workers);

	if (err)
		return err;
	run->totals = sample->end.totals;
	run->end_ns = sample->time_ns;
	model->saw_fault |= run->totals.fault > 0;
	model->saw_left |= run->totals.left_running > 0;
	take_printed_unit(model, run);
	err = take_plan(model, run->totals.planned_trials);
	if (err)
		return err;
	if (run->totals.begin_ns >= 0)
		run->begin_ns = run->totals.begin_ns;
	if (run->totals.repeated && run->id.trial > 0)
		return replace_trial(model, run);
	return 0;
}

/*
 * Computes counts, the critical path and other values of the ended run from all its workers. If the
 * recording leaves out slices, first drops the lanes, and at the end replaces all values that need
 * the lanes by the recorded ones.
 */
static void derive_run(struct model *model, struct model_run *run,
		       const struct sample_thinned *thinned)
{
	model_lanes_end(run);
	run->final = model_counts_until(run, INT64_MAX);
	run->split = model_split(model, run);
	if (run->totals.checked_kb < 0)
		run->totals.checked_kb = checked_kb(model_plan(model, run), run);
	if (thinned->slices > 0)
		leave_lanes(run);
	if (run->totals.migrations < 0)
		run->totals.migrations = sum_migrations(model, run);
	run->path = model_path_make(model, run);
	run->kinds = model_kinds_make(model, run);
	run->together = model_together_make(run, &model->cases[run->id.case_id],
					    model->session.machine.cores_allowed);
	if (thinned->slices > 0)
		take_thinned(run, thinned);
}

/*
 * Ends the open run: takes its final values, marks its trial as replaced if it will be repeated,
 * and computes values of the whole run, such as the critical path. Returns 0; -ENOMEM; -EPROTO if
 * no such run is open, or if a worker of the sample is not in its plan. Even with -ENOMEM, the run
 * has ended.
 */
static int apply_run_end(struct model *model, const struct sample *sample)
{
	struct model_run *run = open_run(model);
	int err;

	if (!run || run->id.run != sample->run.run ||
	    !workers_fit(run, sample->end.workers, sample->end.n_workers))
		return -EPROTO;
	err = take_totals(model, run, sample);
	if (err)
		return err;
	derive_run(model, run, &sample->end.thinned);
	take_watched(model, &sample->end.watched);
	model_levels_keep(model, run);
	model_latency_make(model, run);
	err = model_operations_take(model, run, sample->end.buckets, sample->end.n_buckets);
	if (!err)
		err = take_requests(run, sample->end.requests, sample->end.n_requests);
	if (err)
		return err;
	model_wakes_make(model, run, &sample->end);
	err = model_core_lanes_merge(run);
	if (!err)
		err = model_throttle_find(run, model->session.machine.cores_allowed, true);
	if (!err)
		take_task_counts(model, run, run->totals.children, run->totals.threads,
				 run->totals.processes);
	if (!err)
		model_values_take(model);
	return err;
}

/* The ended run whose slices were left out and arrive later; NULL if there is none. */
static struct model_run *find_late(struct model *model, const struct sample *sample)
{
	size_t at = MIN(sample->run.run + (size_t)1, model->n_runs);

	while (at > 0 && model->runs[at - 1].id.run > sample->run.run)
		at--;
	if (at == 0 || model->runs[at - 1].id.run != sample->run.run ||
	    model->runs[at - 1].slices_left_out == 0)
		return NULL;
	return &model->runs[at - 1];
}

/*
 * Takes slices of an ended run that were written late. They are shown only after an empty sample
 * has ended them, because a part of the slices would mislead.
 */
static int apply_late(struct model *model, const struct sample *sample)
{
	struct model_run *run = find_late(model, sample);
	int err;

	if (!run || open_run(model))
		return -EPROTO;
	run->slices_partial = sample->slices.n > 0;
	if (sample->slices.n > 0)
		return model_lanes_take(run, sample->slices.list, sample->slices.n,
					!model_hides_cores(model, run));
	run->slices_left_out = 0;
	if (run->slices_merged > 0)
		model_cores_free(run);
	err = model_core_lanes_merge(run);
	if (!err)
		err = model_throttle_find(run, model->session.machine.cores_allowed, true);
	model->wakes_late |= model_wakes_late(model, run);
	if (!err && model->stored)
		model_details_store(model, run);
	return err;
}

/* Makes wakes_all of a case's runs again, because earlier runs have got wake-ups since. */
static void sum_wakes(struct model *model, uint32_t case_id)
{
	const struct model_wakes *before = NULL;

	for (size_t i = 0; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];

		if (run->id.case_id != case_id || !run->wakes || !model_is_good(run))
			continue;
		run->wakes_all = model_wakes_move(run->wakes_all, model_let_go, model);
		run->wakes_all = model_wakes_sum(before, run->wakes);
		model_details_store_sums(model, run);
		if (run->wakes_all && model_measured(model, run))
			before = run->wakes_all;
	}
}

static int apply_kind(struct model *model, const struct sample *sample)
{
	struct model_run *run = open_run(model);
	char *text;

	if (!model->has_session && sample->kind != SAMPLE_SESSION)
		return -EPROTO;
	if (sample->kind == SAMPLE_SLICES && !run)
		return apply_late(model, sample);
	if ((sample->kind == SAMPLE_SLICES || sample->kind == SAMPLE_TASKS) &&
	    (!run || run->id.run != sample->run.run))
		return -EPROTO;
	switch (sample->kind) {
	case SAMPLE_SESSION:
		if (model->has_session || sample->session.cases == 0)
			return -EPROTO;
		model->cases = reallocarray(NULL, sample->session.cases, sizeof(*model->cases));
		if (!model->cases)
			return -ENOMEM;
		memcpy(model->cases, sample->session.cases_list,
		       sample->session.cases * sizeof(*model->cases));
		model->n_cases = sample->session.cases;
		model->session = sample->session;
		model->session.cases = 0;
		model->session.cases_list = NULL;
		model->has_session = true;
		for (uint32_t i = 0; i < model->n_cases; i++)
			model->levels_size =
				MAX(model->levels_size, model_levels_size(&model->cases[i].plan));
		snprintf(model->printed_title, sizeof(model->printed_title), "%s",
			 model->session.metric);
		model->families = model_families_make(model);
		if (model->families)
			return 0;
		return -ENOMEM;
	case SAMPLE_RUN_BEGIN:
		return apply_run_begin(model, sample);
	case SAMPLE_TICK:
		return apply_tick(model, sample->time_ns, &sample->tick);
	case SAMPLE_SLICES:
		return model_lanes_take(run, sample->slices.list, sample->slices.n,
					!model_hides_cores(model, run));
	case SAMPLE_TASKS:
		return model_tasks_take(run, sample->tasks.list, sample->tasks.n);
	case SAMPLE_RUN_END:
		return apply_run_end(model, sample);
	case SAMPLE_MESSAGE:
		if (!array_grow(&model->messages, model->n_messages, &model->cap_messages,
				sizeof(*model->messages)))
			return -ENOMEM;
		text = strdup(sample->message.text);
		if (!text)
			return -ENOMEM;
		model->messages[model->n_messages++] = (struct model_message) {
			sample->time_ns, sample->message.severity, sample->message.kind, text};
		return 0;
	case SAMPLE_DONE:
		model->done = true;
		model->done_ns = sample->time_ns;
		for (uint32_t i = 0; i < model->n_cases; i++)
			if (model->wakes_late)
				sum_wakes(model, i);
		model->wakes_late = false;
		return 0;
	}
	return -EPROTO;
}

/* Applies a sample of a session that was paused, with its times converted to the model's clock. */
static int apply_stripped(struct model *model, const struct sample *sample)
{
	const struct model_run *run = open_run(model);
	struct sample stripped = *sample;
	void *list;
	int err = model_pause_sample(model, run ? run->recorded_ns : 0, &stripped, &list);

	if (!err)
		err = apply_kind(model, &stripped);
	free(list);
	return err;
}

int model_apply(struct model *model, const struct sample *sample)
{
	const bool tick = sample->kind == SAMPLE_TICK;
	int64_t time_ns;
	int err = tick ? model_pause_note(model, sample->time_ns, sample->tick.paused) : 0;

	if (!err) {
		if (model->n_pauses)
			err = apply_stripped(model, sample);
		else
			err = apply_kind(model, sample);
	}
	if (err)
		return err;
	if (sample->kind == SAMPLE_RUN_BEGIN)
		open_run(model)->recorded_ns = sample->time_ns;
	time_ns = model_pause_strip(model, sample->time_ns);
	/*
	 * A run's beginning is read from the scoreboard, so it may be earlier than the last tick.
	 */
	if (time_ns > model->newest_ns)
		model->newest_ns = time_ns;
	model->now_ns = model->newest_ns;
	return 0;
}

void model_seek(struct model *model, int64_t time_ns)
{
	if (time_ns > model->newest_ns)
		time_ns = model->newest_ns;
	model->now_ns = MAX(0, time_ns);
}

static size_t run_bytes(const struct model_run *run)
{
	size_t lanes = 0;

	if (run->lanes)
		for (uint32_t i = 0; i < run->n_workers; i++) {
			const struct model_lane *lane = &run->lanes[i];

			lanes += sizeof(*lane) + lane->cap * sizeof(*lane->slices) +
				 lane->cap_blocks * sizeof(*lane->blocks);
		}
	/* Lanes count twice, because the lanes of the cores have copies of the same slices. */
	return model_tasks_bytes(run) + run->workers.bytes + 2 * lanes +
	       run->cap_points * sizeof(*run->points) + model_wakes_bytes(run->wakes) +
	       model_wakes_bytes(run->wakes_all);
}

/*
 * Whether the run's wakes_all may be dropped. It sums up the run and the earlier runs of its case,
 * so only that of the case's newest run is needed.
 */
static bool is_summed_later(const struct model *model, const struct model_run *run)
{
	for (const struct model_run *r = run + 1; r < model->runs + model->n_runs; r++)
		if (r->id.case_id == run->id.case_id && r->wakes_all)
			return true;
	return false;
}

static void drop_old_details(struct model *model, size_t most)
{
	for (; model->n_kept < model->n_runs; model->n_kept++)
		model->kept += run_bytes(&model->runs[model->n_kept]);
	while (model_details_too_many(model, most)) {
		struct model_run *run = &model->runs[model->n_dropped];
		const bool summed_later = run->wakes_all && is_summed_later(model, run);

		model->kept -= run_bytes(run);
		free_details(model, run);
		if (summed_later)
			run->wakes_all = model_wakes_move(run->wakes_all, model_let_go, model);
		model->n_dropped++;
	}
}

/* Drops half of the loads, the older ones, at a time, so that the rest is rarely moved. */
static void drop_old_loads(struct model *model, size_t most)
{
	const size_t bytes = sizeof(*model->loads) + model->n_cores * sizeof(*model->cores);
	const size_t dropped = model->n_loads / 2, left = model->n_loads - dropped;

	if (model->n_loads * bytes <= most)
		return;
	memmove(model->loads, model->loads + dropped, left * sizeof(*model->loads));
	memmove(model->cores, model->cores + dropped * model->n_cores,
		left * model->n_cores * sizeof(*model->cores));
	model->n_loads = left;
}

enum { KEEP_STEP = 64 };

void model_keep(struct model *model, size_t most)
{
	if (model->n_origins > 0)
		return;
	if (model_has_latency(model)) {
		model_store(model, most);
		return;
	}
	drop_old_details(model, most);
	/*
	 * Also release the pages that frames have read. Do so rarely, because madvise(2) takes
	 * time.
	 */
	if (model->n_runs % KEEP_STEP == 0)
		model_runs_leave(model);
	drop_old_loads(model, most);
}
