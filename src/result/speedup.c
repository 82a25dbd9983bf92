/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
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

/* The trials of the points by their number. */
struct trials {
	size_t n;      /* the highest number of a trial */
	double *times; /* [trial - 1][point]; NaN where one did not count */
};

static int read_trials(const struct model *model, const struct model_speedup *speedup,
		       struct trials *trials)
{
	size_t size = model->n_runs + 1;
	double *values = malloc(size * sizeof(*values));
	uint32_t *numbers = malloc(size * sizeof(*numbers));

	trials->n = 0;
	for (size_t i = 0; i < model->n_runs; i++)
		trials->n = MAX(trials->n, model->runs[i].id.trial);
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

/* Fills a point by its median, and by the pairs of a trial on the fewest cores and on these. */
static int fill_point(const struct trials *trials, struct model_speedup *out, uint32_t p,
		      double *room)
{
	struct model_speedup_point *point = &out->point[p];
	double *on_few = room, *on_these = room + trials->n;
	size_t known = 0;
	int err = 0;

	for (size_t trial = 0; trial < trials->n; trial++)
		if (trials->times[trial * out->n + p] > 0)
			room[known++] = trials->times[trial * out->n + p];
	point->median = known ? stats_select(room, known, 0.5) : NAN;
	for (size_t trial = 0; trial < trials->n; trial++) {
		double few = trials->times[trial * out->n],
		       these = trials->times[trial * out->n + p];

		if (!(few > 0) || !(these > 0))
			continue;
		on_few[point->pairs] = few;
		on_these[point->pairs++] = these;
	}
	if (p > 0 && point->pairs > 0)
		err = stats_paired_ratio(on_these, on_few, point->pairs, &point->speedup);
	else if (point->pairs > 0)
		point->speedup = (struct stats_interval) {1, 1, 1};
	point->efficiency = point->speedup.estimate * out->point[0].cores / point->cores;
	return err;
}

int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out)
{
	const struct sample_case *one = &model->cases[first];
	double cores[AMDAHL_POINTS], *room = NULL;
	struct trials trials;
	size_t n = 0;
	int err;

	memset(out, 0, sizeof(*out));
	out->first = first;
	for (int i = 0; i < WORK_KINDS; i++)
		out->workers += one->plan.leaves[i];
	for (uint32_t i = first; i < model->n_cases && out->n < AMDAHL_POINTS; i++)
		if (belongs(model, first, i))
			out->point[out->n++] =
				(struct model_speedup_point) {cores_of(&model->cases[i])->number,
							      i,
							      NAN,
							      {NAN, NAN, NAN},
							      NAN,
							      0};
	qsort(out->point, out->n, sizeof(out->point[0]), array_by_double);
	err = read_trials(model, out, &trials);
	if (!err)
		room = malloc((trials.n * MAX(2, out->n) + 1) * sizeof(*room));
	if (!err && !room)
		err = -ENOMEM;
	for (uint32_t p = 0; p < out->n && !err; p++) {
		err = fill_point(&trials, out, p, room);
		/* Cores that no worker is left for are no test of the law. */
		if (out->workers == 0 || out->point[p].cores <= out->workers)
			cores[n++] = out->point[p].cores;
	}
	for (size_t trial = 0; trial < trials.n && !err; trial++)
		memcpy(room + trial * n, trials.times + trial * out->n, n * sizeof(*room));
	if (!err)
		err = amdahl_fit(cores, n, room, trials.n, &out->amdahl);
	free(room);
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
