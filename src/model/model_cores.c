/* SPDX-License-Identifier: MIT */
#include "model_cores.h"

#include <math.h>
#include <string.h>

/* The fewest trials that tell what a case usually uses. */
#define LEAST_TRIALS 5
/* A run that uses less of the usual cores, and takes longer, by so much. */
#define FEWER  0.75
#define LONGER 1.1
/* Below one core the tasks wait for something else, as for a disk. */
#define LEAST_CORES 0.85
/* The modified z-score of an outlier: see stats_modified_z(). */
#define FAR 3.5

/* What a case usually does. */
struct usual {
	struct stats_spread cores;
	double took;
	double most; /* cores that the recording's runs may use */
};

/* A session may be pinned: no more cores than any run ever used are taken to be its own. */
static double most_cores(const struct model *model, const struct model_origin *part)
{
	double most = 0, allowed = fields_known(part->session.machine.cores_allowed);

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id - part->first_case < part->n_cases &&
		    model_measured(model, run))
			most = fmax(most, metric_result(run, METRIC_CORES));
	}
	return fmin(ceil(most - 0.1), allowed);
}

/* Cores that other programs and the host left, the run's own included; NaN. */
static double free_by_totals(const struct model_run *run, const struct usual *usual)
{
	const struct sample_totals *totals = &run->totals;

	if (totals->others < 0 || totals->steal < 0)
		return NAN;
	return usual->most * (1 - (totals->others + totals->steal) / 1e3);
}

/* Idle cores in one tick of the recording. */
static double idle_in(const struct model *model, const struct model_origin *part, long tick)
{
	const struct sample_core *row = model->cores + tick * (long)model->n_cores;
	double idle = 0;

	for (uint32_t i = 0; i < part->n_cores; i++) {
		const struct sample_core *core = &row[part->first_core + i];

		if (core->user >= 0)
			idle += 1 - (core->user + core->system + core->steal) / 1e3;
	}
	return idle;
}

/* Cores that the samples within the run saw idle, on average; NaN where it held none. */
static double idle_by_ticks(const struct model *model, const struct model_origin *part,
			    const struct model_run *run)
{
	long first = model_load_at(model, run->begin_ns) + 1;
	long last = model_load_at(model, run->begin_ns + run->totals.elapsed_ns);
	double idle = 0;

	for (long i = first + 1; i <= last; i++)
		idle += idle_in(model, part, i) / (double)(last - first);
	return last > first && first >= 0 ? idle : NAN;
}

/* Half of the cores that the run left unused, or more, were there for it. */
static bool had_room(const struct model *model, const struct model_origin *part,
		     const struct model_run *run, const struct usual *usual, double *free_cores)
{
	double used = metric_result(run, METRIC_CORES);
	double missing = usual->cores.median - used;
	double totals = free_by_totals(run, usual) - used;
	double ticks = idle_by_ticks(model, part, run);

	*free_cores = used + (isnan(totals) ? fmin(ticks, usual->most - used) : totals);
	return !(totals < missing / 2) && !(ticks < missing / 2) && !isnan(*free_cores);
}

static bool is_few(const struct model_run *run, const struct usual *usual)
{
	double used = metric_result(run, METRIC_CORES);

	return used >= LEAST_CORES && used < FEWER * usual->cores.median &&
	       metric_result(run, METRIC_ELAPSED) > LONGER * usual->took &&
	       stats_modified_z(&usual->cores, used) < -FAR;
}

static void add_run(const struct model_run *run, double free_cores, struct model_warning *out)
{
	if (out->n < MODEL_WARNING_TRIALS - 1)
		out->trial_list[out->n] = run->id.trial;
	out->n++;
	out->took += (metric_result(run, METRIC_ELAPSED) - out->took) / out->n;
	out->cores += (metric_result(run, METRIC_CORES) - out->cores) / out->n;
	out->cores_free += (free_cores - out->cores_free) / out->n;
}

uint32_t model_few_cores(const struct model *model, const struct model_origin *part,
			 uint32_t case_id, double *room, struct model_warning *out)
{
	size_t n = model_trials(model, case_id, METRIC_ELAPSED, room, NULL, model->n_runs);
	struct usual usual = {.took = stats_select(room, n, 0.5)};
	double free_cores;

	*out = (struct model_warning) {.kind = WARNING_CORES, .case_id = case_id};
	if (n < LEAST_TRIALS)
		return 0;
	out->trials = (uint32_t)n;
	out->median = usual.took;
	n = model_trials(model, case_id, METRIC_CORES, room, NULL, model->n_runs);
	usual.cores = stats_spread(room, n);
	usual.most = most_cores(model, part);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && model_measured(model, run) &&
		    is_few(run, &usual) && had_room(model, part, run, &usual, &free_cores))
			add_run(run, free_cores, out);
	}
	return out->n;
}
