/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <string.h>

#include "base/sentence.h"
#include "trials.h"

static bool is_structure(const struct variable *variable)
{
	return strcmp(variable->name, "tree") == 0 || strcmp(variable->name, "stack") == 0;
}

/* Reading the clock, and what has no figure of its own since its tasks begin in several places. */
static bool compares_with_none(const struct sample_case *one)
{
	return one->plan.primitive == PLAN_CALL || one->plan.placement > PLAN_PINNED;
}

/* Cases are compared at the same value of what is swept, and where they differ in one thing. */
static bool is_compared(const struct sample_case *a, const struct sample_case *b)
{
	if (compares_with_none(a) || compares_with_none(b))
		return false;
	return variables_equal_but(&a->variables, &b->variables, is_structure) &&
	       variables_differences(&a->variables, &b->variables) +
			       (strcmp(a->model, b->model) != 0) <=
		       1;
}

static uint32_t count_comparisons(const struct experiment *experiment)
{
	uint32_t n = 0;

	for (uint32_t a = 0; a < experiment->n_cases; a++)
		for (uint32_t b = a + 1; b < experiment->n_cases; b++)
			n += is_compared(&experiment->cases[a], &experiment->cases[b]);
	return n;
}

/* "in 99.8 of 100" */
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

int experiment_trials(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	uint32_t comparisons = count_comparisons(build->experiment);

	if (request->quick)
		request->trials = trials_quick(comparisons);
	else if (request->trials == 0)
		request->trials = trials_needed(comparisons);
	if (request->quick)
		promise(build->experiment, comparisons);
	return 0;
}
