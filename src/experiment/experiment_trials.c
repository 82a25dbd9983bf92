/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <math.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/comparison.h"
#include "stats/stats.h"

#define NOISE	   (0.01 * M_SQRT2) /* noise of a pair, because both of its runs have noise */
#define DIFFERENCE 0.03
#define SESSIONS   20000
#define PAIRS_MOST 64

#define DEFAULT_LEAST 15
#define QUICK_LEAST   8

/*
 * Returns the level of the analysis at the planned end, if no comparison has become significant by
 * then.
 */
static double level_at(uint32_t trials, double error, uint32_t comparisons)
{
	uint32_t all = MAX(comparisons, 1);
	struct interim interim = interim_plan(error, trials, all, all);

	return interim_level(&interim, trials, trials);
}

/*
 * Returns the least number of pairs, from `trials` on, for which the probability that all pairs are
 * on one side, times `factor`, is at most the level. With a larger `factor`, an interval can be
 * found even if a pair or two are on the other side.
 */
static uint32_t least_trials(uint32_t trials, double error, uint32_t comparisons, double factor)
{
	while (ldexp(1, 1 - (int)trials) * factor > level_at(trials, error, comparisons))
		trials++;
	return trials;
}

uint32_t trials_needed(double error, uint32_t comparisons)
{
	return least_trials(DEFAULT_LEAST, error, comparisons, 32);
}

uint32_t trials_quick(double error, uint32_t comparisons)
{
	return least_trials(QUICK_LEAST, error, comparisons, 1);
}

double trials_found(uint32_t trials, double error, uint32_t comparisons)
{
	uint32_t n = MIN(trials, PAIRS_MOST), found = 0;
	size_t critical = stats_signed_rank_at(n, level_at(n, error, comparisons));
	uint64_t state = 1;
	double x[PAIRS_MOST] = {0};

	for (uint32_t i = 0; i < SESSIONS; i++) {
		uint32_t below = 0;

		for (uint32_t j = 0; j < n; j++)
			x[j] = log1p(DIFFERENCE) + NOISE * random_normal(&state);
		for (uint32_t j = 0; j < n; j++)
			for (uint32_t k = 0; k < n; k++)
				below += x[j] < 0 && fabs(x[k]) <= fabs(x[j]);
		found += below < critical;
	}
	return (double)found / SESSIONS;
}

/*
 * Returns the number of comparisons. Cases that are compared with one another, directly or through
 * others, form a block.
 */
static uint32_t find_comparisons(struct experiment *experiment)
{
	struct experiment_case *each = experiment->each;
	uint32_t n = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++)
		each[i].block = i;
	for (uint32_t a = 0; a < experiment->n_cases; a++)
		for (uint32_t b = a + 1; b < experiment->n_cases; b++) {
			uint32_t first = each[a].block, second = each[b].block;
			uint32_t kept = MIN(first, second);

			if (!comparison_made(experiment->cases, experiment->n_cases, a, b))
				continue;
			for (uint32_t i = 0; i < experiment->n_cases; i++)
				if (each[i].block == first || each[i].block == second)
					each[i].block = kept;
			n++;
		}
	return n;
}

void experiment_trials(struct experiment_build *build)
{
	struct experiment *experiment = build->experiment;
	struct request *request = &experiment->request;
	uint32_t comparisons = find_comparisons(experiment) * interim_metrics(experiment->n_cases);
	uint32_t needed = trials_needed(INTERIM_ERROR, comparisons);
	/*
	 * If there are too few trials for all headline metrics, the first metric gets the whole
	 * error rate, so count only its comparisons.
	 */
	const uint32_t least = interim_least(INTERIM_ERROR, MAX(1, find_comparisons(experiment)));
	struct sentence s = sentence_in(experiment->promise, sizeof(experiment->promise));

	/*
	 * A fault has a fixed number of trials, because survivors are counted, not timed. Five of
	 * five trials distinguish three models: see read_survivors() in result/answer.c.
	 */
	request->until_decided = !build->kind->fault && request->trials == 0 && comparisons > 0;
	request->fits_time = request->until_decided && !request->quick;
	if (request->quick) {
		if (build->kind->fault)
			request->trials = build->kind->trials - 1;
		else
			request->trials = trials_quick(INTERIM_ERROR, comparisons);
	} else if (request->trials == 0) {
		if (build->kind->fault)
			request->trials = build->kind->trials;
		else
			request->trials = needed;
	}
	if (!request->quick && !build->kind->fault && comparisons > 0 && request->trials < least)
		sentence_add(
			&s,
			"%u configurations need at least %u trials to decide; -n %u is too few.",
			experiment->n_cases, least, request->trials);
	if (!request->quick)
		return;
	if (build->kind->fault)
		sentence_add(
			&s,
			"--quick: %u trials. This experiment counts survivors and does not compare "
			"times.",
			request->trials);
	else if (comparisons == 0)
		sentence_add(&s, "--quick: %u trials. There is nothing to compare.",
			     request->trials);
	else
		sentence_add(&s,
			     "With 1 %% noise, the %u trials of --quick detect a 3 %% difference "
			     "in %.0f of 100 sessions; the usual %u in nearly all.",
			     request->trials,
			     100 * trials_found(request->trials, INTERIM_ERROR, comparisons),
			     needed);
	/*
	 * With eight pairs, a single slow run already gives p = 0.20, whatever the other seven
	 * pairs are.
	 */
	if (!build->kind->fault && comparisons > 0 && request->warmup == 0)
		sentence_add(
			&s, " Without a warm-up, one slow first run may hide any difference: leave "
			    "out --warmup 0.");
}

enum { FITTED_MOST = 200 };

void experiment_fit_trials(struct experiment *experiment, int64_t trial_ns)
{
	struct request *request = &experiment->request;
	const uint32_t comparisons =
		find_comparisons(experiment) * interim_metrics(experiment->n_cases);
	const uint32_t least = trials_quick(INTERIM_ERROR, comparisons);
	int64_t fit;

	if (!request->fits_time || trial_ns <= 0)
		return;
	fit = EXPERIMENT_SHOW_NS / trial_ns;
	fit = MIN(fit, FITTED_MOST);
	if (fit > least)
		request->trials = (uint32_t)fit;
	else
		request->trials = least;
}
