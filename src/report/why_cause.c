/* SPDX-License-Identifier: MIT */
#include "report/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What is known of parts. A cause is named only where the experiment differs from what was run, so
 * that it can show something: of recordings that do not say it, none that depends on it.
 */

#define BIT(part) (1u << (METRIC_##part - METRIC_CREATING))

struct cause {
	unsigned parts;
	bool (*applies)(const struct model *model, const struct sample_case *longer,
			const struct sample_case *shorter);
	const char *text, *options;
};

static bool one_ballast(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].ballast > 0)
			return false;
	return true;
}

static bool forks(const struct model *model, const struct sample_case *longer,
		  const struct sample_case *shorter)
{
	return one_ballast(model) && plan_has(&longer->plan, PLAN_PROCESS) &&
	       !plan_has(&shorter->plan, PLAN_PROCESS);
}

/* Its stacks, or the shape of its tree. */
static bool maps_stacks(const struct model *model, const struct sample_case *longer,
			const struct sample_case *shorter)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].stack_size > 0)
			return false;
	return plan_has(&longer->plan, PLAN_THREAD) && !plan_has(&longer->plan, PLAN_PROCESS);
}

static bool allocates(const struct model *model, const struct sample_case *longer,
		      const struct sample_case *shorter)
{
	return longer->alloc > 0 && plan_has(&longer->plan, PLAN_THREAD);
}

static bool copies(const struct model *model, const struct sample_case *longer,
		   const struct sample_case *shorter)
{
	return longer->cache == SAMPLE_CACHE_WARM && longer->plan.leaves[WORK_IO] > 0;
}

static bool shares_cores(const struct model *model, const struct sample_case *longer,
			 const struct sample_case *shorter)
{
	/* scaling is on one core by itself */
	return longer->cache != SAMPLE_CACHE_UNKNOWN && !longer->pinned &&
	       strcmp(model->session.experiment, "scaling") != 0 &&
	       model->session.machine.cores_allowed > 1;
}

static const struct cause causes[] = {
	{BIT(CREATING), forks, "Creating a process copies its creator's page tables.",
	 "--ballast 0,64M"},
	{BIT(JOINING), forks, "A process that ends gives its page tables back.", "--ballast 0,64M"},
	{BIT(CREATING) | BIT(JOINING), maps_stacks, "Each thread has a stack mapped for it.",
	 "--stack-size default,16K"},
	{BIT(WORKING) | BIT(BLOCKED) | BIT(RUNNING), allocates,
	 "Threads share the allocator and its locks.", "--alloc 0"},
	{BIT(BLOCKED), copies, "How long a copy waits depends on the page cache.", "--cache cold"},
	{BIT(WAITING), shares_cores, "Who waits for a core depends on where the kernel put whom.",
	 "--pin"},
};

/* Of recordings that were joined, the one of the case. */
static const struct sample_session *session_of(const struct model *model, uint32_t case_id)
{
	const struct model_origin *origin = model_origin(model, case_id);

	return origin ? &origin->session : &model->session;
}

static const struct cause *cause_of(const struct model *model, const struct model_comparison *c,
				    const struct sample_case *longer,
				    const struct sample_case *shorter)
{
	unsigned bit = 1u << (c->metric - METRIC_CREATING);

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if ((causes[i].parts & bit) && causes[i].applies(model, longer, shorter))
			return &causes[i];
	return NULL;
}

/* A part is worth an experiment where it is a tenth of the difference, and not known to be chance.
 */
static bool matters(const struct model_comparison *c, double whole)
{
	return c->verdict != STATS_NONE && c->ratio.estimate * whole > 0 &&
	       fabs(c->ratio.estimate) >= fabs(whole) / 10;
}

bool why_cause(const struct model *model, const struct model_parts_difference *difference,
	       struct why_cause *out)
{
	double whole = difference->whole.ratio.estimate, most = 0;
	const struct sample_case *a = &model->cases[difference->whole.a];
	const struct sample_case *b = &model->cases[difference->whole.b];
	const struct sample_session *session;
	const struct cause *found = NULL;

	for (uint32_t i = 0; i < difference->n; i++) {
		const struct model_comparison *c = &difference->part[i];
		const struct cause *cause =
			cause_of(model, c, whole > 0 ? b : a, whole > 0 ? a : b);

		if (!cause || !matters(c, whole) || !why_names(difference, c) ||
		    fabs(c->ratio.estimate) <= most)
			continue;
		most = fabs(c->ratio.estimate);
		found = cause;
	}
	if (!found)
		return false;
	session = session_of(model, difference->whole.a);
	out->recorded = session->options;
	snprintf(out->text, sizeof(out->text), "%s", found->text);
	snprintf(out->options, sizeof(out->options), "%s", found->options);
	if (found->applies == shares_cores)
		snprintf(out->options, sizeof(out->options), "--pin %d",
			 atoi(session->machine.cpus_allowed));
	return true;
}
