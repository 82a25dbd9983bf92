/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include "base/sentence.h"
#include "core/comparison.h"
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

/* "in 99.6 of 100" */
static void say_found(struct sentence *s, uint32_t trials, uint32_t comparisons, bool slow)
{
	double found = 100 * trials_found(trials, comparisons, slow);

	sentence_add(s, found > 0 && found < 100 ? "in %.1f of 100" : "in %.0f of 100", found);
}

static void promise(struct experiment *experiment, uint32_t comparisons)
{
	uint32_t trials = experiment->request.trials, needed = trials_needed(comparisons);
	struct sentence s = {experiment->promise, sizeof(experiment->promise), 0};

	if (comparisons == 0) {
		sentence_add(&s, "--quick: %u trials, and nothing to compare.", trials);
		return;
	}
	sentence_add(&s, "--quick: %u trials", trials);
	if (comparisons > 1)
		sentence_add(&s, ", which %u comparisons need,", comparisons);
	sentence_add(&s, " find a true 3 %% at 1 %% noise ");
	say_found(&s, trials, comparisons, false);
	sentence_add(&s, " sessions, ");
	say_found(&s, trials, comparisons, true);
	sentence_add(&s, " where the first run is slow; %u trials, without --quick, ", needed);
	say_found(&s, needed, comparisons, false);
	sentence_add(&s, " and ");
	say_found(&s, needed, comparisons, true);
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
	uint32_t comparisons = find_comparisons(build->experiment);

	if (build->kind->fault) {
		count_faults(build->experiment, build->kind->trials);
		return 0;
	}
	if (request->quick)
		request->trials = trials_quick(comparisons);
	else if (request->trials == 0)
		request->trials = trials_needed(comparisons);
	if (request->quick)
		promise(build->experiment, comparisons);
	return 0;
}
