/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "model/model.h"

static const char cores_name[] = "cores";

static const struct variable *cores_of(const struct sample_case *one)
{
	const struct variable *cores = variables_find(&one->variables, cores_name);

	return cores && cores->number >= 1 ? cores : NULL;
}

static bool is_cores(const struct variable *variable)
{
	return strcmp(variable->name, cores_name) == 0;
}

/* All but the cores is the same. */
static bool belongs(const struct model *model, uint32_t a, uint32_t b)
{
	const struct sample_case *one = &model->cases[a], *other = &model->cases[b];

	return cores_of(one) && cores_of(other) && strcmp(one->model, other->model) == 0 &&
	       variables_equal_but(&one->variables, &other->variables, is_cores) &&
	       model_origin(model, a) == model_origin(model, b);
}

bool model_speedup_begins(const struct model *model, uint32_t case_id)
{
	bool more = false;

	if (model_has_faults(model) || !cores_of(&model->cases[case_id]))
		return false;
	for (uint32_t i = 0; i < case_id; i++)
		if (belongs(model, i, case_id))
			return false;
	for (uint32_t i = case_id + 1; i < model->n_cases; i++)
		more |= belongs(model, case_id, i);
	return more;
}

/* The trials of a case by their number; NaN where one did not count. */
struct trials {
	size_t n;      /* the highest number of a trial */
	double *times; /* [trial - 1][point] */
};

static size_t last_trial(const struct model *model)
{
	size_t last = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		last = model->runs[i].id.trial > last ? model->runs[i].id.trial : last;
	return last;
}

static int by_cores(const void *a, const void *b)
{
	const struct model_speedup_point *x = a, *y = b;

	return (x->cores > y->cores) - (x->cores < y->cores);
}

static void find_points(const struct model *model, uint32_t first, struct model_speedup *out)
{
	for (uint32_t i = first; i < model->n_cases && out->n < AMDAHL_POINTS; i++)
		if (belongs(model, first, i))
			out->point[out->n++] = (struct model_speedup_point) {
				i, cores_of(&model->cases[i])->number, NAN, {NAN, NAN, NAN}, NAN,
				0};
	qsort(out->point, out->n, sizeof(out->point[0]), by_cores);
}

static int read_trials(const struct model *model, const struct model_speedup *speedup,
		       struct trials *trials)
{
	size_t size = model->n_runs + 1;
	double *values = malloc(size * sizeof(*values));
	uint32_t *numbers = malloc(size * sizeof(*numbers));

	trials->n = last_trial(model);
	trials->times = malloc((trials->n * speedup->n + 1) * sizeof(*trials->times));
	for (size_t i = 0; trials->times && i < trials->n * speedup->n; i++)
		trials->times[i] = NAN;
	for (uint32_t p = 0; values && numbers && trials->times && p < speedup->n; p++) {
		size_t n = model_trials(model, speedup->point[p].case_id, METRIC_ELAPSED, values,
					numbers, model->n_runs);

		for (size_t i = 0; i < n; i++)
			trials->times[(numbers[i] - 1) * speedup->n + p] = values[i];
	}
	free(values);
	free(numbers);
	return values && numbers && trials->times ? 0 : -ENOMEM;
}

/* The pairs of a trial on the fewest cores and on these; each in room of as many as trials. */
static uint32_t pair(const struct trials *trials, uint32_t n, uint32_t p, double *on_few,
		     double *on_these)
{
	uint32_t pairs = 0;

	for (size_t trial = 0; trial < trials->n; trial++) {
		double few = trials->times[trial * n], these = trials->times[trial * n + p];

		if (!(few > 0) || !(these > 0))
			continue;
		on_few[pairs] = few;
		on_these[pairs++] = these;
	}
	return pairs;
}

static double median_of(const struct trials *trials, uint32_t n, uint32_t p, double *room)
{
	size_t known = 0;

	for (size_t trial = 0; trial < trials->n; trial++)
		if (trials->times[trial * n + p] > 0)
			room[known++] = trials->times[trial * n + p];
	return known ? stats_select(room, known, 0.5) : NAN;
}

static int compare(const struct trials *trials, struct model_speedup *out)
{
	double *room = malloc((2 * trials->n + 1) * sizeof(*room));
	int err = room ? 0 : -ENOMEM;

	for (uint32_t p = 0; p < out->n && !err; p++) {
		struct model_speedup_point *point = &out->point[p];

		point->median = median_of(trials, out->n, p, room);
		point->pairs = pair(trials, out->n, p, room, room + trials->n);
		if (p > 0 && point->pairs > 0)
			err = stats_paired_ratio(room + trials->n, room, point->pairs,
						 &point->speedup);
		else if (point->pairs > 0)
			point->speedup = (struct stats_interval) {1, 1, 1};
		point->efficiency = point->speedup.estimate * out->point[0].cores / point->cores;
	}
	free(room);
	return err;
}

static uint32_t count_workers(const struct sample_case *one)
{
	uint32_t workers = 0;

	for (int i = 0; i < WORK_KINDS; i++)
		workers += one->plan.leaves[i];
	return workers;
}

/* Cores that no worker is left for are no test of the law. */
static int fit_amdahl(const struct trials *trials, struct model_speedup *out)
{
	double cores[AMDAHL_POINTS], *times = malloc((trials->n * out->n + 1) * sizeof(*times));
	size_t n = 0;
	int err = times ? 0 : -ENOMEM;

	for (uint32_t p = 0; p < out->n; p++)
		if (out->workers == 0 || out->point[p].cores <= out->workers)
			cores[n++] = out->point[p].cores;
	for (size_t trial = 0; trial < trials->n && !err; trial++)
		memcpy(times + trial * n, trials->times + trial * out->n, n * sizeof(*times));
	if (!err)
		err = amdahl_fit(cores, n, times, trials->n, &out->amdahl);
	free(times);
	return err;
}

int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out)
{
	struct trials trials = {0, NULL};
	int err;

	memset(out, 0, sizeof(*out));
	out->first = first;
	out->workers = count_workers(&model->cases[first]);
	find_points(model, first, out);
	err = read_trials(model, out, &trials);
	if (!err)
		err = compare(&trials, out);
	if (!err)
		err = fit_amdahl(&trials, out);
	free(trials.times);
	return err;
}

char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size)
{
	const struct amdahl *amdahl = &speedup->amdahl;
	const struct stats_interval *serial = &amdahl->serial;
	struct sentence s = {buf, size, 0};
	char name[SAMPLE_NAME], why[128];

	snprintf(buf, size, "%s", "");
	/* Too few numbers of cores are too few for each model. */
	if (amdahl->state != AMDAHL_FEW_POINTS)
		sentence_add(&s,
			     "%s: ", report_curve_name(model, speedup->first, name, sizeof(name)));
	if (amdahl->state != AMDAHL_KNOWN)
		sentence_add(&s, "Amdahl's law %s", amdahl_why(amdahl, why, sizeof(why)));
	else
		sentence_add(&s,
			     "Amdahl's law has %.3g %% (%.3g to %.3g) of the work serial, and is "
			     "off by at most %.2g %%",
			     100 * serial->estimate, 100 * serial->low, 100 * serial->high,
			     100 * amdahl->misfit);
	return buf;
}
