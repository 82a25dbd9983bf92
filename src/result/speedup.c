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
#include "model/model_parts.h"

static const char cores_setting[] = "cores";

static const struct variable *cores_of(const struct sample_case *config)
{
	const struct variable *cores = variables_find(&config->variables, cores_setting);

	if (cores && cores->number >= 1)
		return cores;
	return NULL;
}

static bool is_cores(const struct variable *variable)
{
	return strcmp(variable->name, cores_setting) == 0;
}

static bool belongs(const struct model *model, uint32_t a, uint32_t b)
{
	const struct sample_case *config = &model->cases[a], *other = &model->cases[b];

	return cores_of(config) && cores_of(other) && strcmp(config->model, other->model) == 0 &&
	       variables_equal_but(&config->variables, &other->variables, is_cores) &&
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

/*
 * Fills in a point: its median, and the speedup from pairs of runs of one trial, on the fewest
 * cores and on this number. times[trial * points + point] is NaN if the run did not count. scratch
 * has space for three values per trial.
 */
static int fill_point(const double *times, size_t trials, struct model_speedup *out, uint32_t p,
		      double *scratch)
{
	struct model_speedup_point *point = &out->point[p];
	double *on_few = scratch + trials, *on_these = on_few + trials;
	size_t known = 0;
	int err = 0;

	for (size_t trial = 0; trial < trials; trial++) {
		const double few = times[trial * out->n], these = times[trial * out->n + p];

		if (!(these > 0))
			continue;
		scratch[known++] = these;
		if (!(few > 0))
			continue;
		on_few[point->pairs] = few;
		on_these[point->pairs++] = these;
	}
	if (known)
		point->median = stats_select(scratch, known, 0.5);
	else
		point->median = NAN;
	if (p > 0 && point->pairs > 0)
		err = stats_paired_ratio(on_these, on_few, point->pairs, &point->speedup);
	else if (point->pairs > 0)
		point->speedup = (struct stats_interval) {1, 1, 1};
	point->efficiency = point->speedup.estimate * out->point[0].cores / point->cores;
	return err;
}

int model_speedup(const struct model *model, uint32_t first, struct model_speedup *out)
{
	const struct sample_case *config = &model->cases[first];
	double cores[AMDAHL_POINTS], *times, *scratch;
	size_t trials = 0, n = 0;
	int err = -ENOMEM;

	memset(out, 0, sizeof(*out));
	out->first = first;
	/* Programs may create any number of tasks, so the number of workers is unknown. */
	for (int i = 0; i < WORK_KINDS; i++)
		if (config->plan.leaves[WORK_PROGRAM] == 0)
			out->workers += config->plan.leaves[i];
	for (uint32_t i = first; i < model->n_cases; i++) {
		if (out->n >= AMDAHL_POINTS)
			break;
		if (belongs(model, first, i))
			out->point[out->n++] = (struct model_speedup_point) {
				.cores = cores_of(&model->cases[i])->number,
				.case_id = i,
				.median = NAN,
				.speedup = {NAN, NAN, NAN},
				.efficiency = NAN,
			};
	}
	qsort(out->point, out->n, sizeof(out->point[0]), array_by_double);
	for (size_t i = 0; i < model->n_runs; i++)
		trials = MAX(trials, model->runs[i].id.trial);
	times = malloc((trials * out->n + 1) * sizeof(*times));
	scratch = malloc((trials * MAX(3, out->n) + 1) * sizeof(*scratch));
	if (times && scratch) {
		for (size_t i = 0; i < trials * out->n; i++)
			times[i] = NAN;
		for (uint32_t p = 0; p < out->n; p++)
			for (const struct model_run *run = NULL;
			     (run = model_next_measured(model, run, out->point[p].case_id, 1));)
				times[(run->id.trial - 1) * out->n + p] =
					metric_value(run, METRIC_ELAPSED);
		err = 0;
	}
	for (uint32_t p = 0; p < out->n; p++) {
		if (err)
			break;
		err = fill_point(times, trials, out, p, scratch);
		/*
		 * Leave out a point with more cores than workers, because it does not test the law.
		 */
		if (out->workers == 0 || out->point[p].cores <= out->workers)
			cores[n++] = out->point[p].cores;
	}
	if (!err)
		for (size_t trial = 0; trial < trials; trial++)
			memcpy(scratch + trial * n, times + trial * out->n, n * sizeof(*scratch));
	if (!err)
		err = amdahl_fit(cores, n, scratch, trials, &out->amdahl);
	free(scratch);
	free(times);
	return err;
}

char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size)
{
	const struct amdahl *amdahl = &speedup->amdahl;
	const struct stats_interval *serial = &amdahl->serial;
	struct sentence s = sentence_in(buf, size);
	char name[SAMPLE_NAME], why[128];

	snprintf(buf, size, "%s", "");
	/*
	 * If there are too few core counts, name no model, because the reason is the same for all
	 * models.
	 */
	if (amdahl->state != AMDAHL_FEW_POINTS)
		sentence_add(&s,
			     "%s: ", report_curve_name(model, speedup->first, name, sizeof(name)));
	if (amdahl->state != AMDAHL_KNOWN)
		sentence_add(&s, "Amdahl's law %s", amdahl_why(amdahl, why, sizeof(why)));
	else
		sentence_add(&s,
			     "Amdahl's serial fraction is %.3g %% (%.3g to %.3g), and the law is "
			     "off by at most %.2g %%",
			     100 * serial->estimate, 100 * serial->low, 100 * serial->high,
			     100 * amdahl->misfit);
	/*
	 * Say that only points with enough workers are used, because the table has rows for the
	 * other points too.
	 */
	if (amdahl->state == AMDAHL_FEW_POINTS && amdahl->points < speedup->n)
		sentence_add(&s, " (with a worker for each core)");
	return buf;
}

/*
 * Largest number of curves in the sentence. For more curves, the table of speed-ups is easier to
 * read.
 */
enum { LINE_CURVES = 4 };

/* Adds the speed-up on the most cores. All curves have these cores, as the first one says. */
static void add_most_cores(struct sentence *s, const struct model *model,
			   const struct model_speedup *speedup)
{
	const struct model_speedup_point *few = &speedup->point[0];
	const struct model_speedup_point *most = &speedup->point[speedup->n - 1];
	const struct stats_interval *ratio = &most->speedup;
	char name[SAMPLE_NAME];

	if (s->used == 0)
		sentence_add(s, "Speed-up from %g to %g cores: ", few->cores, most->cores);
	else
		sentence_add(s, ", ");
	sentence_add(s, "%s %sx", report_curve_name(model, speedup->first, name, sizeof(name)),
		     CLAIM_TIMES(ratio->estimate));
	if (!isnan(ratio->low) && !isnan(ratio->high))
		sentence_add(s, " (%s)", CLAIM_TIMES_INTERVAL(ratio->low, ratio->high));
}

char *speedup_line(const struct model *model, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	struct model_speedup speedup;
	int curves = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < model->n_cases; i++)
		curves += model_speedup_begins(model, i);
	if (curves > LINE_CURVES)
		return buf;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!model_speedup_begins(model, i) || model_speedup(model, i, &speedup) != 0)
			continue;
		if (!isnan(speedup.point[speedup.n - 1].speedup.estimate))
			add_most_cores(&s, model, &speedup);
	}
	if (s.used > 0)
		sentence_add(&s, ".");
	return buf;
}
