/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include "base/sentence.h"
#include "core/claims.h"
#include "core/comparison.h"
#include "core/looks.h"
#include "trials.h"

/* All cases of the later block join the one before it. */
static void join_blocks(struct experiment *experiment, uint32_t a, uint32_t b)
{
	uint32_t kept = experiment->block[a], gone = experiment->block[b];

	if (kept > gone) {
		kept = experiment->block[b];
		gone = experiment->block[a];
	}
	for (uint32_t i = 0; i < experiment->n_cases; i++)
		if (experiment->block[i] == gone)
			experiment->block[i] = kept;
}

static uint32_t find_comparisons(struct experiment *experiment)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++)
		experiment->block[i] = i;

	for (uint32_t a = 0; a < experiment->n_cases; a++)
		for (uint32_t b = a + 1; b < experiment->n_cases; b++)
			if (comparison_made(experiment->cases, experiment->n_cases, a, b)) {
				join_blocks(experiment, a, b);
				n++;
			}
	return n;
}

/* What the trials are to decide: comparisons by the whole, which share that error. */
struct asked {
	uint32_t comparisons;
	double error;
	uint32_t least; /* trials with which a claim beside the whole can be real */
};

static struct asked ask(struct experiment *experiment)
{
	const struct sample_case *cases = experiment->cases;
	uint32_t n = experiment->n_cases, comparisons = find_comparisons(experiment);
	double beside = claims_error_beside(cases, n);
	bool kinds = comparisons > 0 && claims_beside(cases, n) > 1;

	return (struct asked) {comparisons, claims_error_whole(cases, n),
			       kinds ? looks_least(beside, comparisons) : 1};
}

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t needed_by(const struct asked *asked)
{
	return most(trials_needed(asked->error, asked->comparisons), asked->least);
}

/* "in 99.6 of 100" */
static void say_found(struct sentence *s, uint32_t trials, const struct asked *asked, bool slow)
{
	double found = 100 * trials_found(trials, asked->error, asked->comparisons, slow);

	sentence_add(s, found > 0 && found < 100 ? "in %.1f of 100" : "in %.0f of 100", found);
}

static void promise(struct experiment *experiment, const struct asked *asked)
{
	uint32_t trials = experiment->request.trials, needed = needed_by(asked);
	struct sentence s = {experiment->promise, sizeof(experiment->promise), 0};

	if (asked->comparisons == 0) {
		sentence_add(&s, "--quick: %u trials, and nothing to compare.", trials);
		return;
	}
	sentence_add(&s, "--quick: %u trials", trials);
	if (asked->comparisons > 1)
		sentence_add(&s, ", which %u comparisons need,", asked->comparisons);
	sentence_add(&s, " find a true 3 %% at 1 %% noise ");
	say_found(&s, trials, asked, false);
	sentence_add(&s, " sessions, ");
	say_found(&s, trials, asked, true);
	sentence_add(&s, " where the first run is slow; %u trials, without --quick, ", needed);
	say_found(&s, needed, asked, false);
	sentence_add(&s, " and ");
	say_found(&s, needed, asked, true);
	sentence_add(&s, ".");
}

/* Survivors are counted, not timed: five of five trials tell three models apart, see
 * finding_faults. */
static void count_faults(struct experiment *experiment, uint32_t trials)
{
	struct request *request = &experiment->request;
	struct sentence s = {experiment->promise, sizeof(experiment->promise), 0};

	if (request->quick)
		request->trials = trials - 1;
	else if (request->trials == 0)
		request->trials = trials;
	if (request->quick)
		sentence_add(&s, "--quick: %u trials, in which who survives is counted, not timed.",
			     request->trials);
}

int experiment_trials(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	struct asked asked = ask(build->experiment);

	if (build->kind->fault) {
		count_faults(build->experiment, build->kind->trials);
		return 0;
	}
	if (request->quick)
		request->trials = most(trials_quick(asked.error, asked.comparisons), asked.least);
	else if (request->trials == 0)
		request->trials = needed_by(&asked);
	if (request->quick)
		promise(build->experiment, &asked);
	return 0;
}
