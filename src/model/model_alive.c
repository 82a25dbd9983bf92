/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <math.h>
#include <string.h>

/* The bins with what the passes over the workers need. */
struct axis {
	const struct model_bins *bins;
	double width; /* ns of a bin */
};

static struct axis axis_of(const struct model_bins *bins)
{
	return (struct axis) {bins, (double)(bins->to_ns - bins->from_ns) / (double)bins->n};
}

/*
 * Counts one task more (by = 1) or less from time_ns on, as differences from bin to bin. The part
 * that this bin does not take, the next one does. Before the first bin it counts in full.
 */
static void add_step(const struct axis *axis, double *curve, int64_t time_ns, double by)
{
	double at = (double)(time_ns - axis->bins->from_ns) / axis->width;
	size_t bin;
	double part;

	if (at <= 0) {
		curve[0] += by;
		return;
	}
	if (at >= (double)axis->bins->n)
		return;
	bin = (size_t)at;
	part = by * (1 - (at - (double)bin));
	curve[bin] += part;
	if (bin + 1 < axis->bins->n)
		curve[bin + 1] += by - part;
}

/* Bins that begin after the cursor are not known. */
static void forget_future(const struct axis *axis, double *curve, int64_t now_ns)
{
	for (size_t i = axis->bins->n; i-- > 0;) {
		if ((double)axis->bins->from_ns + axis->width * (double)i <= (double)now_ns)
			break;
		curve[i] = NAN;
	}
}

/* Differences become values; what rounding leaves below 0 is none. */
static void add_up(double *curve, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += curve[i];
		curve[i] = sum > 1e-9 ? sum : 0;
	}
}

void model_alive(const struct model *model, const struct model_run *run,
		 const struct model_bins *bins, double *alive)
{
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	const struct axis axis = axis_of(bins);
	int64_t now_ns = model->now_ns - run->begin_ns;
	int64_t over_ns = model_ended(model, run) ? model_length(model, run) : INT64_MAX;

	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t count, first = plan_level(plan, level, &count);
		double *curve = alive + level * bins->n;

		memset(curve, 0, bins->n * sizeof(*curve));
		for (uint32_t i = first; i < first + count; i++) {
			const struct sample_worker *worker = model_known(run, i);
			int64_t begin_ns = sample_worker_begin(worker);
			/* Nothing outlives a run that is over. */
			int64_t end_ns = worker->finish_ns >= 0 ? worker->finish_ns
					 : worker->join_ns >= 0 ? worker->join_ns
								: over_ns;

			if (begin_ns < 0 || begin_ns > now_ns)
				continue;
			add_step(&axis, curve, begin_ns, 1);
			if (end_ns <= now_ns)
				add_step(&axis, curve, end_ns, -1);
		}
		add_up(curve, bins->n);
		forget_future(&axis, curve, now_ns);
	}
}

void model_stands(const struct model *model, const struct model_run *run,
		  const struct model_bins *bins, double *stands, uint32_t *created)
{
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	const struct axis axis = axis_of(bins);
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
			const struct sample_worker *worker = model_known(run, i);
			/* What a crash left out, its join or the run's end makes up for. */
			const int64_t times[MODEL_STANDS] = {
				worker->create_ns >= 0 ? worker->create_ns
						       : sample_worker_begin(worker),
				worker->start_ns, worker->finish_ns,
				worker->join_ns >= 0 ? worker->join_ns : over_ns};
			size_t stand = STAND_MISSING;

			if (times[0] < 0 || times[0] > now_ns || worker->status == SAMPLE_REFUSED)
				continue;
			created[level]++;
			/* As steps from one stand to the next; one that was joined has none. */
			for (size_t k = 0; k < MODEL_STANDS; k++) {
				if (times[k] < 0 || times[k] > now_ns)
					continue;
				add_step(&axis, curves + stand * n, times[k], -1);
				stand = k + 1;
				if (stand < MODEL_STANDS)
					add_step(&axis, curves + stand * n, times[k], 1);
			}
		}
		for (size_t stand = 0; stand < MODEL_STANDS; stand++) {
			add_up(curves + stand * n, n);
			forget_future(&axis, curves + stand * n, now_ns);
		}
	}
}
