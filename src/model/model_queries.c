/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <math.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/sample_tick.h"

#define MODEL_SECOND 1000000000ll
/*
 * Number of newest runs from which time is estimated: of each case for durations, of all cases for
 * gaps.
 */
#define RECENT 64

/* Queries about a session and its runs, as of the cursor. */

bool model_has_command_tasks(const struct model_run *run)
{
	return run->children > 0 || run->threads > 1;
}

bool model_hides_memory(const struct model_run *run)
{
	return model_has_command_tasks(run) && run->processes < 0;
}

size_t model_runs_begun(const struct model *model)
{
	const size_t n = model->n_runs;

	if (n == 0 || model->runs[n - 1].begin_ns <= model->now_ns)
		return n;
	return array_up_to(model->runs, n, sizeof(*model->runs),
			   offsetof(struct model_run, begin_ns), model->now_ns);
}

bool model_ended(const struct model *model, const struct model_run *run)
{
	return run->end_ns <= model->now_ns;
}

/* The case's last run among the first n runs, or NULL. */
static const struct model_run *last_of_case(const struct model *model, size_t n, uint32_t case_id)
{
	while (n-- > 0)
		if (model->runs[n].id.case_id == case_id)
			return &model->runs[n];
	return NULL;
}

const struct model_run *model_latest(const struct model *model, uint32_t case_id)
{
	return last_of_case(model, model_runs_begun(model), case_id);
}

const struct model_run *model_latest_ended(const struct model *model, uint32_t case_id)
{
	return last_of_case(model, model_runs_ended(model), case_id);
}

const struct model_run *model_newest(const struct model *model)
{
	size_t begun = model_runs_begun(model);

	if (begun > 0)
		return &model->runs[begun - 1];
	return NULL;
}

const struct model_run *model_running(const struct model *model)
{
	const struct model_run *newest = model_newest(model);

	if (newest && !model_ended(model, newest))
		return newest;
	return NULL;
}

struct model_hold model_hold(const struct model_run *run)
{
	const struct sample_totals *totals = &run->totals;

	if (run->end_ns == INT64_MAX || totals->held_ns <= 0)
		return (struct model_hold) {0, 0};
	return (struct model_hold) {totals->go_ns - totals->held_ns, totals->go_ns};
}

int64_t model_elapsed(const struct model *model, const struct model_run *run)
{
	if (model_ended(model, run))
		return run->totals.elapsed_ns;
	if (model->now_ns > run->begin_ns)
		return model_between(run, 0, model->now_ns - run->begin_ns);
	return 0;
}

int64_t model_length(const struct model *model, const struct model_run *run)
{
	const int64_t elapsed_ns = run->totals.elapsed_ns;

	if (!model_ended(model, run))
		return MAX(0, model->now_ns - run->begin_ns);
	if (elapsed_ns < 0 || run->totals.held_ns < 0)
		return elapsed_ns;
	return elapsed_ns + run->totals.held_ns;
}

int64_t model_unheld(const struct sample_totals *totals, int64_t from_ns, int64_t to_ns)
{
	const int64_t held_ns =
		MIN(to_ns, totals->go_ns) - MAX(from_ns, totals->go_ns - totals->held_ns);

	if (totals->held_ns < 0)
		return to_ns - from_ns;
	return to_ns - from_ns - MAX(0, held_ns);
}

int64_t model_between(const struct model_run *run, int64_t from_ns, int64_t to_ns)
{
	if (run->end_ns == INT64_MAX)
		return to_ns - from_ns;
	return model_unheld(&run->totals, from_ns, to_ns);
}

uint32_t model_runs_ended(const struct model *model)
{
	return (uint32_t)model_runs_begun(model) - (model_running(model) != NULL);
}

bool model_is_good(const struct model_run *run)
{
	return run->id.trial > 0 && run->totals.status == SAMPLE_OK && !run->totals.paused &&
	       run->replaced_ns == 0;
}

bool model_is_replaced(const struct model *model, const struct model_run *run)
{
	return run->replaced_ns > 0 && run->replaced_ns <= model->now_ns;
}

uint32_t model_replaced(const struct model *model, uint32_t case_id)
{
	uint32_t n = 0;

	for (size_t i = 0; i < model->n_replaced; i++) {
		const struct model_run *run = &model->runs[model->replaced[i]];

		n += run->id.case_id == case_id && model_is_replaced(model, run);
	}
	return n;
}

bool model_measured(const struct model *model, const struct model_run *run)
{
	return model_ended(model, run) && run->id.trial > 0 && run->totals.status == SAMPLE_OK &&
	       !run->totals.paused && !model_is_replaced(model, run);
}

const struct model_run *model_next_measured(const struct model *model, const struct model_run *run,
					    uint32_t first, uint32_t n)
{
	for (size_t i = run ? (size_t)(run - model->runs) + 1 : 0; i < model->n_runs; i++)
		if (model->runs[i].id.case_id - first < n && model_measured(model, &model->runs[i]))
			return &model->runs[i];
	return NULL;
}

const struct model_origin *model_origin(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < model->n_origins; i++)
		if (case_id - model->origins[i].first_case < model->origins[i].n_cases)
			return &model->origins[i];
	return NULL;
}

const struct sample_session *model_session(const struct model *model, uint32_t case_id)
{
	const struct model_origin *origin = model_origin(model, case_id);

	if (origin)
		return &origin->session;
	return &model->session;
}

uint32_t model_first(const struct model *model, uint32_t case_id,
		     bool (*same)(const struct sample_case *, const struct sample_case *))
{
	uint32_t i = 0;

	while (!same(&model->cases[i], &model->cases[case_id]))
		i++;
	return i;
}

uint32_t model_first_alike(const struct model *model, uint32_t case_id)
{
	uint32_t i = 0;

	while (strcmp(model->cases[i].model, model->cases[case_id].model) != 0)
		i++;
	return i;
}

bool model_has_faults(const struct model *model)
{
	if (!model->saw_fault)
		return false;
	for (size_t i = 0; i < model->n_runs; i++)
		if (model_ended(model, &model->runs[i]) && model->runs[i].totals.fault &&
		    model->runs[i].totals.status == SAMPLE_OK)
			return true;
	return false;
}

int64_t model_queue(const struct model *model, const struct model_run *run)
{
	for (size_t i = run->n_points; i-- > 0;)
		if (run->points[i].queue >= 0 && run->points[i].time_ns <= model->now_ns)
			return run->points[i].queue;
	return -1;
}

struct sample_memory model_memory(const struct model *model, const struct model_run *run)
{
	for (size_t i = run->n_points; i-- > 0;) {
		const struct sample_memory *memory = &run->points[i].memory;
		bool known = memory->rss_kb >= 0 || memory->pss_kb >= 0 || memory->uss_kb >= 0 ||
			     memory->kernel_kb >= 0;

		if (known && run->points[i].time_ns <= model->now_ns)
			return *memory;
	}
	return sample_memory_unknown();
}

long model_load_at(const struct model *model, int64_t time_ns)
{
	return (long)array_up_to(model->loads, model->n_loads, sizeof(*model->loads),
				 offsetof(struct model_load, time_ns),
				 MIN(time_ns, model->now_ns)) -
	       1;
}

double model_load_share(const struct model *model, bool of_terminal)
{
	long last = model_load_at(model, model->now_ns), first;
	const struct model_load *from, *to;
	int64_t used_us;

	if (last <= 0)
		return NAN;
	to = &model->loads[last];
	first = model_load_at(model, to->time_ns - MODEL_SECOND);
	from = &model->loads[MAX(0, first)];
	if (from->time_ns == to->time_ns ||
	    (of_terminal && (from->terminal_us < 0 || to->terminal_us < 0)))
		return NAN;
	if (of_terminal)
		used_us = to->terminal_us - from->terminal_us;
	else
		used_us = (int64_t)(to->self_cpu_us - from->self_cpu_us);
	return 1e3 * (double)used_us / (double)(to->time_ns - from->time_ns);
}

double model_core_load(const struct model *model, const struct model_run *run, size_t cpu)
{
	const int64_t end_ns = MIN(run->end_ns, model->now_ns);
	const long last = model_load_at(model, end_ns);
	int64_t busy = 0, covered_ns = 0;
	uint32_t column = 0;
	int readings = 0;

	while (last >= 0 && column < model->n_cores && model->cores[column].cpu != (int)cpu)
		column++;
	/* Unknown for joined recordings, because a core of each machine may have that number. */
	if (last < 0 || column == model->n_cores || model->n_origins > 0)
		return NAN;
	/* Weight each reading by the time since the previous one. */
	for (long i = last; i > 0; i--) {
		const struct sample_core *core = &model->cores[(size_t)i * model->n_cores + column];
		const int64_t before_ns = model->loads[i - 1].time_ns;
		const int64_t ns = model->loads[i].time_ns - before_ns;

		if (before_ns < run->begin_ns)
			break;
		if (core->user < 0)
			continue;
		busy += (core->user + core->system + core->steal) * ns;
		covered_ns += ns;
		readings++;
	}
	if (readings < 2 || 2 * covered_ns < end_ns - run->begin_ns)
		return NAN;
	return (double)busy / (double)covered_ns / 1000;
}

bool model_paused(const struct model *model)
{
	long load = model_load_at(model, model->now_ns);

	return load >= 0 && model->loads[load].paused;
}

bool model_halted(const struct model *model)
{
	const struct model_run *run = model_running(model);

	for (size_t i = run ? model->n_messages : 0; i-- > 0;) {
		const struct model_message *message = &model->messages[i];

		if (message->time_ns < run->begin_ns)
			break;
		if (message->kind == MESSAGE_HALTED && message->time_ns <= model->now_ns)
			return true;
	}
	return false;
}

bool model_preparing(const struct model *model, uint64_t *done, uint64_t *all)
{
	long at = model_load_at(model, model->now_ns);

	if (at < 0) {
		*done = 0;
		*all = 0;
	} else {
		*done = model->loads[at].prepared;
		*all = model->loads[at].to_prepare;
	}
	return *all > 0 && !model_running(model);
}

bool model_over(const struct model *model)
{
	return model->done && model->done_ns <= model->now_ns;
}

bool model_stopped(const struct model *model)
{
	const struct model_run *newest = model_newest(model);

	if (!newest || !model_over(model) || model->n_origins > 0)
		return false;
	return newest->totals.status == SAMPLE_INTERRUPTED ||
	       newest->id.trial < model->session.trials;
}

/*
 * Median duration of the case's newest successful runs without a pause, warm-ups included; NaN if
 * none.
 */
static double typical_span(const struct model *model, uint32_t case_id)
{
	double spans[RECENT];
	size_t n = 0;

	for (size_t i = model_runs_ended(model); i-- > 0;) {
		const struct model_run *run = &model->runs[i];

		if (n == RECENT)
			break;

		if (run->id.case_id == case_id && run->totals.status == SAMPLE_OK &&
		    !run->totals.paused)
			spans[n++] = (double)(run->end_ns - run->begin_ns);
	}
	return stats_select(spans, n, 0.5);
}

int64_t model_time_left(const struct model *model)
{
	const struct model_run *running = model_running(model);
	size_t begun = model_runs_begun(model), from;
	double left = 0, gap = 0, mean = 0;
	uint32_t known = 0;

	if (model_over(model))
		return 0;
	if (begun == 0)
		return -1;
	/*
	 * Average gap between the newest runs. In a gap, the next runner starts and files are read.
	 */
	if (begun > RECENT)
		from = begun - RECENT;
	else
		from = 1;
	for (size_t i = from; i < begun; i++)
		gap += (double)(model->runs[i].begin_ns - model->runs[i - 1].end_ns);
	if (begun > from)
		gap /= (double)(begun - from);
	for (uint32_t case_id = 0; case_id < model->n_cases; case_id++) {
		double span = typical_span(model, case_id);

		if (isnan(span))
			continue;
		mean += span;
		known++;
	}
	if (known == 0)
		return -1;
	/*
	 * Add up the remaining runs, the same number for each case, and the rest of the current
	 * run.
	 */
	for (uint32_t case_id = 0; case_id < model->n_cases; case_id++) {
		const struct model_run *latest = model_latest(model, case_id);
		uint32_t planned = model->runs[begun - 1].id.planned / model->n_cases;
		uint32_t of_case = latest ? latest->of_case + 1 : 0;
		double span = typical_span(model, case_id);

		if (isnan(span))
			span = mean / known;
		if (planned > of_case)
			left += (planned - of_case) * (span + gap);
		if (running && running->id.case_id == case_id)
			left += fmax(0, span - (double)model_elapsed(model, running));
	}
	return (int64_t)left;
}
