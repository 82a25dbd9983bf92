/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "model/model_levels.h"

static double between(const struct sample_totals *totals, int64_t from_ns, int64_t to_ns)
{
	if (from_ns < 0 || to_ns < from_ns)
		return NAN;
	if (!totals)
		return (double)(to_ns - from_ns);
	return (double)model_unheld(totals, from_ns, to_ns);
}

double model_phase(const struct sample_totals *totals, const struct sample_worker *worker,
		   enum model_phase phase, bool waits)
{
	switch (phase) {
	case PHASE_CREATE:
		return between(totals, worker->create_ns, worker->created_ns);
	case PHASE_START:
		return between(totals, worker->create_ns, worker->start_ns);
	case PHASE_BARRIER: {
		if (waits)
			return between(totals, worker->start_ns, worker->work_ns);
		return NAN;
	}
	case PHASE_WORK:
		return between(totals, waits ? worker->work_ns : worker->start_ns,
			       worker->finish_ns);
	case PHASE_JOIN:
		return between(totals, worker->finish_ns, worker->join_ns);
	case MODEL_PHASES:
		break;
	}
	return NAN;
}

static struct model_span span_of(double *values, size_t n)
{
	return (struct model_span) {
		.n = (uint32_t)n,
		.median = stats_select(values, n, 0.5),
		.p99 = stats_select(values, n, 0.99),
	};
}

static void fill_phase(const struct plan *plan, const struct model_workers *workers,
		       const struct sample_totals *totals, enum model_phase phase,
		       struct model_levels *out, double *values)
{
	size_t all = 0;

	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t count, first = plan_level(plan, level, &count);
		bool waits = level + 1 == plan->levels && (plan->barrier || plan->all_alive);
		size_t n = 0;

		for (uint32_t i = first; i < first + count; i++) {
			const struct sample_worker worker = model_workers_at(workers, i);
			double value = model_phase(totals, &worker, phase, waits);

			/*
			 * Leave out a task that could not be created: it had no life, although the
			 * call took time.
			 */
			if (!isnan(value) && worker.status != SAMPLE_REFUSED)
				values[all + n++] = value;
		}
		out->level[level].phase[phase] = span_of(values + all, n);
		all += n;
	}
	out->all.phase[phase] = span_of(values, all);
}

struct leave {
	int64_t finish_ns, join_ns;
};

/*
 * Sorts by the time of the join. Returns the number of pairs whose order changes. spare has room
 * for n items too.
 */
static double sort_joins(struct leave *leaves, struct leave *spare, size_t n)
{
	const size_t half = n / 2;
	size_t i = 0, j = half, k = 0;
	double inversions;

	if (n < 2)
		return 0;
	inversions = sort_joins(leaves, spare, half) + sort_joins(leaves + half, spare, n - half);
	while (k < n) {
		if (j == n || (i < half && leaves[i].join_ns <= leaves[j].join_ns)) {
			spare[k++] = leaves[i++];
		} else {
			inversions += (double)(half - i);
			spare[k++] = leaves[j++];
		}
	}
	memcpy(leaves, spare, n * sizeof(*leaves));
	return inversions;
}

/* Counts the inversions of a level. The children of a parent have consecutive numbers. */
static void count_inversions(const struct plan *plan, const struct model_workers *workers,
			     uint32_t level, struct model_level *out, struct leave *leaves)
{
	uint32_t count, first = plan_level(plan, level, &count), siblings = plan->fanout[level];

	if (siblings == 0)
		return;
	for (uint32_t from = first; from < first + count; from += siblings) {
		const uint32_t end = MIN(from + siblings, first + count);
		size_t n = 0;

		for (uint32_t i = from; i < end; i++) {
			const struct sample_worker worker = model_workers_at(workers, i);

			if (worker.finish_ns >= 0 && worker.join_ns >= 0)
				leaves[n++] = (struct leave) {worker.finish_ns, worker.join_ns};
		}
		qsort(leaves, n, sizeof(*leaves), array_by_int64);
		if (n > 1)
			out->pairs += (double)n * (double)(n - 1) / 2;
		/*
		 * Tasks that ended at the same time have no order, so pairs of such tasks do not
		 * count.
		 */
		for (size_t i = 0, same = 1; i < n; i++, same++) {
			if (i + 1 < n && leaves[i + 1].finish_ns == leaves[i].finish_ns)
				continue;
			out->pairs -= (double)same * (double)(same - 1) / 2;
			same = 0;
		}
		out->inversions += sort_joins(leaves, leaves + n, n);
	}
}

double model_inversions(const struct model_level *level)
{
	if (level->pairs > 0)
		return 100 * level->inversions / level->pairs;
	return NAN;
}

struct model_levels *model_levels_make(const struct plan *plan, const struct model_workers *workers,
				       const struct sample_totals *totals)
{
	struct model_levels *out = calloc(1, model_levels_size(plan));
	double *values;
	struct leave *leaves;
	size_t n = 0;

	/*
	 * Allocate only for the workers that were seen, because a broken recording of one worker
	 * may claim a million.
	 */
	if (workers->blocks)
		for (size_t i = 0; i < workers->n_blocks; i++)
			if (workers->blocks[i].lives)
				n += MODEL_BLOCK;
	values = calloc(n + 1, sizeof(*values));
	leaves = calloc(n + 1, 2 * sizeof(*leaves));
	if (!out || !values || !leaves) {
		free(out);
		free(values);
		free(leaves);
		return NULL;
	}
	out->levels = plan->levels;
	out->all.tasks = plan_count(plan);
	for (uint32_t level = 0; level < plan->levels; level++)
		plan_level(plan, level, &out->level[level].tasks);
	for (int phase = 0; phase < MODEL_PHASES; phase++)
		fill_phase(plan, workers, totals, (enum model_phase)phase, out, values);
	for (uint32_t level = 0; level < plan->levels; level++) {
		count_inversions(plan, workers, level, &out->level[level], leaves);
		out->all.pairs += out->level[level].pairs;
		out->all.inversions += out->level[level].inversions;
	}
	free(leaves);
	free(values);
	return out;
}

const struct model_levels *model_levels(const struct model *model, const struct model_run *run)
{
	if (!model_ended(model, run) || !run->has_levels)
		return NULL;
	return (const struct model_levels *)(model->levels +
					     (size_t)(run - model->runs) * model->levels_size);
}

size_t model_levels_size(const struct plan *plan)
{
	return sizeof(struct model_levels) + plan->levels * sizeof(struct model_level);
}

void model_levels_keep(struct model *model, struct model_run *run)
{
	const struct plan *plan = model_plan(model, run);
	struct model_levels *levels = model_levels_make(plan, &run->workers, &run->totals);
	char *copy = model->levels + (size_t)(run - model->runs) * model->levels_size;

	run->has_levels = levels != NULL;
	if (levels)
		memcpy(copy, levels, model_levels_size(plan));
	free(levels);
}

const char *const model_phase_names[MODEL_PHASES] = {
	[PHASE_CREATE] = "create", [PHASE_START] = "start", [PHASE_BARRIER] = "barrier",
	[PHASE_WORK] = "work",	   [PHASE_JOIN] = "join",
};

/*
 * Counts one task more (by = 1) or less (by = -1) from time_ns on. Each element of the curve is the
 * difference from the previous bin. A step within a bin is divided between this bin and the next
 * one. A step before the first bin counts fully in the first bin; a step after the last bin is not
 * counted.
 */
static void add_step(const struct model_bins *bins, double *curve, int64_t time_ns, double by)
{
	double width = (double)(bins->to_ns - bins->from_ns) / (double)bins->n;
	double at = (double)(time_ns - bins->from_ns) / width;
	size_t bin;
	double part;

	if (at <= 0) {
		curve[0] += by;
		return;
	}
	if (at >= (double)bins->n)
		return;
	bin = (size_t)at;
	part = by * (1 - (at - (double)bin));
	curve[bin] += part;
	if (bin + 1 < bins->n)
		curve[bin + 1] += by - part;
}

/*
 * Turns the differences into values. Values below 0 are rounding errors and become 0. Bins that
 * begin after the cursor are unknown.
 */
static void end_curve(const struct model_bins *bins, double *curve, int64_t now_ns)
{
	double width = (double)(bins->to_ns - bins->from_ns) / (double)bins->n, sum = 0;

	for (size_t i = 0; i < bins->n; i++) {
		sum += curve[i];
		if (sum > 1e-9)
			curve[i] = sum;
		else
			curve[i] = 0;
		if ((double)bins->from_ns + width * (double)i > (double)now_ns)
			curve[i] = NAN;
	}
}

void model_alive(const struct model *model, const struct model_run *run,
		 const struct model_bins *bins, double *alive)
{
	const struct plan *plan = model_plan(model, run);
	int64_t now_ns = model->now_ns - run->begin_ns;
	int64_t over_ns = model_ended(model, run) ? model_length(model, run) : INT64_MAX;

	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t count, first = plan_level(plan, level, &count);
		double *curve = alive + level * bins->n;

		memset(curve, 0, bins->n * sizeof(*curve));
		for (uint32_t i = first; i < first + count; i++) {
			const struct sample_worker worker = model_known(run, i);
			int64_t begin_ns = sample_worker_begin(&worker);
			/* No worker outlives its run. */
			int64_t end_ns = over_ns;

			if (worker.finish_ns >= 0)
				end_ns = worker.finish_ns;
			else if (worker.join_ns >= 0)
				end_ns = worker.join_ns;
			if (begin_ns < 0 || begin_ns > now_ns)
				continue;
			add_step(bins, curve, begin_ns, 1);
			if (end_ns <= now_ns)
				add_step(bins, curve, end_ns, -1);
		}
		end_curve(bins, curve, now_ns);
	}
}

void model_stands(const struct model *model, const struct model_run *run,
		  const struct model_bins *bins, double *stands, uint32_t *created)
{
	const struct plan *plan = model_plan(model, run);
	int64_t now_ns = model->now_ns - run->begin_ns;
	int64_t over_ns = model_ended(model, run) ? model_length(model, run) : -1;
	const size_t n = bins->n;

	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t count, first = plan_level(plan, level, &count);
		double *curves = stands + (size_t)level * MODEL_STANDS * n;

		created[level] = 0;
		memset(curves, 0, MODEL_STANDS * n * sizeof(*curves));
		curves[(size_t)STAND_MISSING * n] = count;
		for (uint32_t i = first; i < first + count; i++) {
			const struct sample_worker worker = model_known(run, i);
			int64_t begin_ns = sample_worker_begin(&worker);
			/*
			 * If a crash prevented a time from being recorded, use the join or the
			 * run's end instead.
			 */
			int64_t times[MODEL_STANDS] = {worker.create_ns, worker.start_ns,
						       worker.finish_ns, worker.join_ns};
			size_t stand = STAND_MISSING;

			if (worker.create_ns < 0)
				times[0] = begin_ns;
			if (worker.join_ns < 0)
				times[3] = over_ns;
			if (times[0] < 0 || times[0] > now_ns || worker.status == SAMPLE_REFUSED)
				continue;
			/*
			 * While its create call lasts, a task is drawn, but is not counted as
			 * created yet.
			 */
			if (begin_ns >= 0 && begin_ns <= now_ns)
				created[level]++;
			/*
			 * Adds a step for each change of state. A task that was joined is in no
			 * state.
			 */
			for (size_t k = 0; k < MODEL_STANDS; k++) {
				if (times[k] < 0 || times[k] > now_ns)
					continue;
				add_step(bins, curves + stand * n, times[k], -1);
				stand = k + 1;
				if (stand < MODEL_STANDS)
					add_step(bins, curves + stand * n, times[k], 1);
			}
		}
		for (size_t stand = 0; stand < MODEL_STANDS; stand++)
			end_curve(bins, curves + stand * n, now_ns);
	}
}
