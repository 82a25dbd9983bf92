/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>

#include "base/units.h"
#include "model/model_latency.h"
#include "report/report.h"

/* The middle of fewer of the tasks is worth no word. */
#define LEAST_SHARE 0.01

/* "7.1 times as long (95 % interval 6.9 to 7.4)" */
static void say_ratio(struct sentence *s, const struct stats_interval *ratio, double level)
{
	sentence_add(s, "%s times as long", CLAIM_TIMES(ratio->estimate));
	if (!isnan(ratio->low))
		sentence_add(s, " (%s interval %s)", CLAIM_LEVEL(level),
			     CLAIM_TIMES_INTERVAL(ratio->low, ratio->high));
}

/* The name is without the ballast: all cases of the sentence have the same. */
static const char *name_of(const struct model *model, uint32_t case_id)
{
	return model->cases[case_id].model;
}

/* That of the trials, as in the table. */
static int64_t median_of(const struct model *model, uint32_t case_id)
{
	struct report_summary s;

	if (report_summarize(model, case_id, METRIC_TASK, &s) < 0 || isnan(s.median.estimate))
		return -1;
	return llround(s.median.estimate);
}

/* Recordings that do not know where tasks began say nothing of it. */
static const char *place(const struct model *model, uint32_t case_id)
{
	bool pinned = model->cases[case_id].plan.placement == PLAN_PINNED;

	return pinned ? "On one core a task runs " : "A task runs ";
}

/* "On one core a task runs 10 µs after pthread_create, 72 µs after fork" */
static void say_both(struct sentence *s, const struct model *model, uint32_t a, uint32_t b)
{
	sentence_add(s, "%s%s after %s, %s after %s", place(model, a),
		     UNITS_TIME(median_of(model, a), false), name_of(model, a),
		     UNITS_TIME(median_of(model, b), false), name_of(model, b));
}

static void say_none(struct sentence *s, const struct model *model, const struct finding_lead *lead)
{
	say_both(s, model, lead->next.a, lead->next.b);
	sentence_add(s, ": at most %s apart.", CLAIM_EXCLUDED(lead->excluded));
}

/* Then comes ": 7.1 times as long (95 % interval 6.9 to 7.4)." */
static void say_lead(struct sentence *s, const struct model *model, const struct finding_lead *lead)
{
	struct stats_interval ahead = finding_ahead(lead);
	uint32_t second = finding_second(lead);

	say_both(s, model, lead->lead, second);
	sentence_add(s, ": ");
	if (!verdict_agrees((double)median_of(model, lead->lead), (double)median_of(model, second),
			    ahead.estimate))
		sentence_add(s, "pair by pair %s takes ", name_of(model, second));
	say_ratio(s, &ahead, lead->next.level);
	sentence_add(s, lead->sure == FINDING_REAL ? "." : " so far.");
	if (lead->sure != FINDING_REAL)
		verdict_progress(s, &lead->progress);
}

/* All ways to create a task that can be compared */

/* More names than these are counted. */
#define NAMED 4

/* "clone and pthread_create", "5 of them" */
static void say_names(struct sentence *s, const struct model *model,
		      const struct finding_groups *groups, const struct finding_group *group)
{
	if (group->n > NAMED)
		sentence_add(s, "%u of them", group->n);
	for (uint32_t i = 0; i < group->n && group->n <= NAMED; i++)
		sentence_add(s, "%s%s",
			     i == 0		? ""
			     : i + 1 < group->n ? ", "
						: " and ",
			     name_of(model, groups->cases[group->first + i]));
}

/* "fork+exec is slowest, 44 times as long as clone (real)", which is behind every other */
static void say_slowest(struct sentence *s, const struct model *model,
			const struct finding_groups *groups)
{
	const struct finding_group *last = &groups->group[groups->n_groups - 1];

	say_names(s, model, groups, last);
	sentence_add(s, " %s slowest, %s times as long as %s (real)", last->n > 1 ? "are" : "is",
		     CLAIM_TIMES_RANGE(last->low, last->high), name_of(model, groups->cases[0]));
}

/* "fork takes 1.3 times as long as clone (real)", where none is behind every other */
static void say_greatest(struct sentence *s, const struct model *model,
			 const struct model_comparison *c)
{
	sentence_add(s, "%s takes %s times as long as %s (real)", name_of(model, c->b),
		     CLAIM_TIMES(c->ratio.estimate), name_of(model, c->a));
}

/* "; clone and pthread_create cannot be told apart" of each group that is such */
static void say_apart(struct sentence *s, const struct model *model,
		      const struct finding_groups *groups)
{
	for (uint32_t i = 0; i < groups->n_groups; i++) {
		const struct finding_group *group = &groups->group[i];

		if (group->n < 2 || group->real > 0 || group->open > 0)
			continue;
		sentence_add(s, "; ");
		say_names(s, model, groups, group);
		sentence_add(s, " cannot be told apart");
	}
}

/* " Of 7 ways fork+exec is slowest, …" once some two of them differ for real. */
static void say_ways(struct sentence *s, const struct model *model,
		     const struct finding_groups *groups)
{
	if (groups->greatest.a == groups->greatest.b)
		return;
	sentence_add(s, " Of %u ways ", groups->n);
	if (groups->n_groups > 1)
		say_slowest(s, model, groups);
	else
		say_greatest(s, model, &groups->greatest);
	say_apart(s, model, groups);
	sentence_add(s, ".");
}

/* " With 4G of ballast fork takes 1041 times as long (…), …" */
static void say_growth(struct sentence *s, const struct model *model, const struct finding *finding)
{
	for (uint32_t i = 0; i < finding->n_growth; i++) {
		const struct model_comparison *c = &finding->growth[i];

		if (i == 0)
			sentence_add(s, " With %s of ballast ",
				     UNITS_EXACT(model->cases[c->b].ballast));
		sentence_add(s, "%s%s takes ", i > 0 ? ", " : "", name_of(model, c->a));
		if (c->verdict == STATS_NONE) {
			sentence_add(s, "as long, a difference above %s is excluded",
				     CLAIM_EXCLUDED(c->ratio.high));
			continue;
		}
		say_ratio(s, &c->ratio, c->level);
		sentence_add(s, c->verdict == STATS_TOO_FEW ? " so far" : "");
	}
	sentence_add(s, finding->n_growth > 0 ? "." : "");
}

static void say_alone(struct sentence *s, const struct model *model, const struct finding *finding)
{
	bool found = finding->case_id <= finding->last;
	const struct model_latency_at *at =
		found ? model_latency_headline(model_latency(model, finding->case_id)) : NULL;

	if (!at) {
		verdict_no_trial(s, model);
		return;
	}
	sentence_add(s, "%s%s after %s (median of %s creations).", place(model, finding->case_id),
		     UNITS_TIME(at->span[LATENCY_TASK].p50, false),
		     name_of(model, finding->case_id), UNITS_COUNT(at->span[LATENCY_TASK].n));
}

static void say_least(struct sentence *s, const struct model *model,
		      const struct finding_lead *lead)
{
	if (lead->sure == FINDING_NONE) {
		sentence_add(s, "%s, %s: at most %s apart", name_of(model, lead->next.a),
			     name_of(model, lead->next.b), CLAIM_EXCLUDED(lead->excluded));
		return;
	}
	sentence_add(s, "%s %s times as long", name_of(model, finding_second(lead)),
		     CLAIM_TIMES(finding_ahead(lead).estimate));
}

/* The case of the same primitive whose tasks begin where the scheduler likes; n_cases: none. */
static uint32_t free_one(const struct model *model, uint32_t case_id)
{
	uint32_t i = 0;

	while (i < model->n_cases &&
	       (model->cases[i].plan.placement != PLAN_FREE ||
		model->cases[i].plan.primitive != model->cases[case_id].plan.primitive ||
		model_origin(model, i) != model_origin(model, case_id)))
		i++;
	return i;
}

/* "of fork 1 % (93 µs) and 99 % (74 µs)" */
static bool say_shares(struct sentence *s, const struct model *model, uint32_t case_id, bool more)
{
	uint32_t free = free_one(model, case_id);
	const struct model_latency *latency =
		free < model->n_cases ? model_latency(model, free) : NULL;

	if (!latency)
		return false;
	sentence_add(s, more ? "; of %s" : " Left to the scheduler, of %s",
		     name_of(model, case_id));
	for (int i = 0; i <= LATENCY_OTHER; i++) {
		const struct model_latency_at *at = &latency->at[i];

		sentence_add(s, "%s %.0f %%", i ? " and" : "", 100 * at->share);
		if (at->n > 0 && at->share >= LEAST_SHARE)
			sentence_add(s, " (%s)", UNITS_TIME(at->span[LATENCY_TASK].p50, false));
		if (!more)
			sentence_add(s, i ? " on another" : " begin on the creator's core");
	}
	return true;
}

/* " Left to the scheduler, of fork … ; of pthread_create …." */
static void say_free(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct finding_lead *lead = &finding->lead;
	bool two = finding->kind == FINDING_LEAD && lead->others > 0;
	uint32_t first = two ? lead->lead : finding->case_id;
	bool said = first <= finding->last && say_shares(s, model, first, false);

	if (said && two)
		say_shares(s, model, finding_second(lead), true);
	sentence_add(s, said ? "." : "");
	if (first <= finding->last && model->cases[first].plan.placement == PLAN_NOT_PLACED &&
	    median_of(model, first) >= 0)
		sentence_add(s, " Where the tasks began was not recorded.");
}

void verdict_creation(struct sentence *s, const struct model *model, const struct finding *finding,
		      enum verdict_length length)
{
	const struct finding_lead *lead = &finding->lead;

	if (length == VERDICT_WHOLE && finding->kind == FINDING_ALONE)
		say_alone(s, model, finding);
	else if (length == VERDICT_WHOLE && lead->others == 0)
		verdict_no_pair(s, model);
	else if (length == VERDICT_LEAST && lead->others > 0)
		say_least(s, model, lead);
	else if (lead->others > 0 && lead->sure == FINDING_NONE)
		say_none(s, model, lead);
	else if (lead->others > 0)
		say_lead(s, model, lead);
	if (length != VERDICT_WHOLE)
		return;
	say_ways(s, model, &finding->groups);
	say_growth(s, model, finding);
	/* One answer more is enough: what a large creator costs, or what the scheduler does. */
	if (finding->n_growth == 0)
		say_free(s, model, finding);
}
