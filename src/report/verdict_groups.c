/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>

#include "base/units.h"
#include "report/report.h"

/* More names than these are counted, and more times are left to the table. */
#define NAMED 4

/* The sentence while it is put together. */
struct saying {
	struct sentence *s;
	const struct model *model;
	const struct finding_groups *groups;
	const struct finding_lead *lead;
	enum verdict_length length;
};

static const struct finding_group *last_of(const struct finding_groups *groups)
{
	return &groups->group[groups->n_groups - 1];
}

/* "threads, processes and hybrid:2x4", "4 of them" */
static void say_names(const struct saying *say, const struct finding_group *group)
{
	if (group->n > NAMED) {
		sentence_add(say->s, "%u of them", group->n);
		return;
	}
	for (uint32_t i = 0; i < group->n; i++)
		sentence_add(say->s, "%s%s",
			     i == 0		? ""
			     : i + 1 < group->n ? ", "
						: " and ",
			     VERDICT_NAME_OF(say->model, say->groups->cases[group->first + i]));
}

static bool is_one(const struct saying *say, const struct finding_group *group)
{
	return group->n == 1 && verdict_singular_case(say->model, say->groups->cases[group->first]);
}

/* "threads and hybrid:2x4 cannot be told apart (at most 3.1 % apart)" */
static void say_apart(const struct saying *say, const struct finding_group *group)
{
	if (group->real > 0)
		sentence_add(say->s, "of ");
	say_names(say, group);
	if (group->real > 0)
		sentence_add(say->s, " some differ (real)%s",
			     group->open > 0 ? " and some are not decided" : "");
	else if (group->open > 0)
		sentence_add(say->s, " are not decided");
	else
		sentence_add(say->s, " cannot be told apart");
	if (group->real == 0 && group->open == 0 && say->length == VERDICT_WHOLE)
		sentence_add(say->s, " (at most %s apart)", CLAIM_EXCLUDED(group->excluded));
}

/* "processes are slowest, 1.9 times as long as threads (real); …", where one is behind the rest */
static void say_slowest(const struct saying *say)
{
	const struct finding_group *last = last_of(say->groups);

	say_names(say, last);
	sentence_add(say->s, " %s slowest, %s times as long as %s (real)",
		     is_one(say, last) ? "is" : "are", CLAIM_TIMES(last->high),
		     VERDICT_NAME_OF(say->model, say->groups->cases[0]));
	sentence_add(say->s, "; ");
	say_apart(say, &say->groups->group[0]);
}

/* "hybrid:2x4 takes 1.1 times as long, processes 2.0 times" */
static void say_behind(const struct saying *say, uint32_t i, bool lead)
{
	const struct finding_group *group = &say->groups->group[i];

	say_names(say, group);
	if (i == 1)
		sentence_add(say->s, " %s", is_one(say, group) ? "takes" : "take");
	sentence_add(say->s, " %s times%s", CLAIM_TIMES_RANGE(group->low, group->high),
		     i == 1 ? " as long" : "");
	if (i == 1 && !lead)
		sentence_add(say->s, " as %s", VERDICT_NAME_OF(say->model, say->groups->cases[0]));
	sentence_add(say->s, " (real)");
	if (group->n > 1 && group->real == 0 && group->open == 0)
		sentence_add(say->s, " and cannot be told apart");
}

/* "threads lead: hybrid:2x4 takes 1.1 times as long (real), processes 2.0 times (real)" */
static void say_in_order(const struct saying *say)
{
	const struct finding_group *first = say->groups->group;

	if (first->n == 1)
		sentence_add(say->s, "%s lead%s",
			     VERDICT_NAME_OF(say->model, say->groups->cases[0]),
			     is_one(say, first) ? "s" : "");
	else
		say_apart(say, first);
	for (uint32_t i = 1; i < say->groups->n_groups; i++) {
		sentence_add(say->s, i > 1 ? ", " : first->n == 1 ? ": " : "; ");
		say_behind(say, i, first->n == 1);
	}
}

/* None is before or behind all others, but some two differ. */
static void say_greatest(const struct saying *say)
{
	const struct model_comparison *c = &say->groups->greatest;
	const struct finding_lead *lead = say->lead;
	uint32_t pairs = say->groups->n * (say->groups->n - 1) / 2;

	sentence_add(say->s, "%s %s %s times as long", VERDICT_NAME_OF(say->model, c->b),
		     verdict_take(say->model, c->b), CLAIM_TIMES(c->ratio.estimate));
	sentence_add(say->s, " as %s (real)", VERDICT_NAME_OF(say->model, c->a));
	if (say->groups->n > 3 || lead->all_real > 1 || lead->all_open > 0) {
		sentence_add(say->s, "; %u of %u differences %s real%s", lead->all_real, pairs,
			     lead->all_real == 1 ? "is" : "are",
			     lead->all_open > 0 ? " so far" : ", none leads");
		return;
	}
	for (uint32_t i = 0; i < 3; i++)
		if (say->groups->cases[i] != c->a && say->groups->cases[i] != c->b)
			sentence_add(say->s, "; %s cannot be told from either",
				     VERDICT_NAME_OF(say->model, say->groups->cases[i]));
}

static void say_what(const struct saying *say)
{
	const struct finding_groups *groups = say->groups;

	if (groups->n_groups == 2 && last_of(groups)->n == 1 && groups->group[0].n > 1)
		say_slowest(say);
	else if (groups->n_groups > 1)
		say_in_order(say);
	else if (say->lead->all_real > 0)
		say_greatest(say);
	else
		sentence_add(say->s, "at most %s apart", CLAIM_EXCLUDED(say->lead->all_excluded));
}

/* The medians are known, and the more is said to take as long the greater they are. */
static bool times_agree(const struct saying *say)
{
	const struct finding_groups *groups = say->groups;
	double first = verdict_median(say->model, groups->cases[0], model_headline(say->model));

	for (uint32_t i = 1; i < groups->n; i++) {
		double one =
			verdict_median(say->model, groups->cases[i], model_headline(say->model));
		struct model_comparison c;

		if (model_compare(say->model, groups->cases[0], groups->cases[i],
				  model_headline(say->model), &c) ||
		    !(one > 0) || !(first > 0) ||
		    (c.verdict == STATS_A && !verdict_agrees(first, one, c.ratio.estimate)))
			return false;
	}
	return true;
}

/* The cases by their medians, the least first. */
static void sort_times(const struct saying *say, uint32_t order[NAMED], double ns[NAMED])
{
	for (uint32_t i = 0; i < say->groups->n; i++) {
		double one = verdict_median(say->model, say->groups->cases[i],
					    model_headline(say->model));
		uint32_t at = i;

		for (; at > 0 && one < ns[at - 1]; at--) {
			ns[at] = ns[at - 1];
			order[at] = order[at - 1];
		}
		ns[at] = one;
		order[at] = say->groups->cases[i];
	}
}

/* "Threads 100 ms, hybrid:2x4 110 ms, processes 200 ms"; false: they are too many, or not known */
static bool say_times(const struct saying *say)
{
	uint32_t order[NAMED];
	double ns[NAMED];

	if (say->length != VERDICT_WHOLE || say->groups->n > NAMED || !times_agree(say))
		return false;
	sort_times(say, order, ns);
	for (uint32_t i = 0; i < say->groups->n; i++)
		sentence_add(say->s, "%s%s %s", i > 0 ? ", " : "",
			     VERDICT_NAME_OF(say->model, order[i]),
			     UNITS_TIME(llround(ns[i]), false));
	return true;
}

static void say_named(const struct saying *say)
{
	bool few = say->lead->all_real == 0 && say->lead->all_open > 0;
	bool times = say_times(say);

	if (few && !times)
		sentence_add(say->s, "%s took least", VERDICT_NAME_OF(say->model, say->lead->lead));
	if (few)
		sentence_add(say->s, " so far");
	else
		sentence_add(say->s, times ? ": " : "");
	if (!few)
		say_what(say);
	sentence_add(say->s, ".");
}

/* So many cases that each one would take a page. */
static void say_counts(const struct saying *say)
{
	const struct finding_lead *lead = say->lead;
	uint32_t rest = lead->others - lead->real - lead->open;
	bool one = verdict_singular_case(say->model, lead->lead);

	if (lead->real == 0 && lead->open == 0) {
		sentence_add(say->s, "%s and any of %u others are at most %s apart.",
			     VERDICT_NAME_OF(say->model, lead->lead), lead->others,
			     CLAIM_EXCLUDED(lead->excluded));
		return;
	}
	sentence_add(say->s, "%s ", VERDICT_NAME_OF(say->model, lead->lead));
	if (lead->real == 0 && lead->open > 0) {
		sentence_add(say->s, "took least of %u so far.", lead->others + 1);
		return;
	}
	if (lead->real == lead->others)
		sentence_add(say->s, "lead%s all %u others (real)", one ? "s" : "", lead->others);
	else
		sentence_add(say->s, "%s before %u of %u others (real)", one ? "is" : "are",
			     lead->real, lead->others);
	if (rest > 0)
		sentence_add(say->s, ", at most %s from %u", CLAIM_EXCLUDED(lead->excluded), rest);
	if (lead->open > 0)
		sentence_add(say->s, ", not decided against %u", lead->open);
	sentence_add(say->s, ".");
}

static void say_least(const struct saying *say)
{
	const struct finding_groups *groups = say->groups;
	const struct finding_lead *lead = say->lead;

	if (lead->all_real == 0 && lead->all_open == 0)
		sentence_add(say->s, "at most %s apart", CLAIM_EXCLUDED(lead->all_excluded));
	else if (groups->n_groups > 1 && last_of(groups)->n == 1)
		sentence_add(say->s, "%s slowest, %s times as long",
			     VERDICT_NAME_OF(say->model, groups->cases[last_of(groups)->first]),
			     CLAIM_TIMES(last_of(groups)->high));
	else
		sentence_add(say->s, "%s ahead of %u of %u",
			     VERDICT_NAME_OF(say->model, lead->lead), lead->real, lead->others);
}

static void say_whole(const struct saying *say)
{
	size_t start = say->s->used;

	if (say->groups->n > 0)
		say_named(say);
	else
		say_counts(say);
	if (!verdict_keeps_letters(say->model))
		sentence_begin(say->s, start);
	if (say->lead->all_open > 0 && say->length == VERDICT_WHOLE)
		verdict_progress(say->s, &say->lead->progress);
}

void verdict_groups(struct sentence *s, const struct model *model, const struct finding *finding,
		    enum verdict_length length)
{
	const struct saying say = {s, model, &finding->groups, &finding->lead, length};

	if (finding->lead.pairs > 0 && length == VERDICT_LEAST)
		say_least(&say);
	else if (finding->lead.pairs > 0)
		say_whole(&say);
	else if (length == VERDICT_WHOLE)
		verdict_no_pair(s, model);
}
