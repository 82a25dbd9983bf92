/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/comparison.h"
#include "base/units.h"
#include "model/model_operations.h"
#include "report/latency.h"
#include "verdict_parts.h"

/* What handing over costs, in each place: by which way, and in which model. */

/* The cases of one model in one place, by their medians. */
struct ways {
	uint32_t n, least, most;
	double least_ns, most_ns;
};

/* How the models compare in the ways of one place. */
struct against {
	uint32_t n, slower, faster, open;
	double low, high;	    /* of those that are slower: so many times as long */
	double fast_low, fast_high; /* of those that are faster: the first takes so many times */
};

static const char *value_of(const struct sample_case *one, const char *name)
{
	const struct variable *found = variables_find(&one->variables, name);

	return found ? found->value : "";
}

static const char *place_of(const struct sample_case *one)
{
	return value_of(one, "cores");
}

static bool same_place(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(place_of(a), place_of(b)) == 0;
}

/* One model in the place of the case, over all ways. */
static struct ways ways_of(const struct model *model, uint32_t case_id)
{
	struct ways ways = {.least_ns = NAN, .most_ns = NAN};

	for (uint32_t i = 0; i < model->n_cases; i++) {
		double ns = verdict_median(model, i, model_headline(model));

		if (!comparison_other_way(&model->cases[case_id], &model->cases[i]) || isnan(ns))
			continue;
		ways.n++;
		if (!(ns >= ways.least_ns))
			ways.least = i, ways.least_ns = ns;
		if (!(ns <= ways.most_ns))
			ways.most = i, ways.most_ns = ns;
	}
	return ways;
}

static void take(struct against *against, const struct model_comparison *c)
{
	double times = c->ratio.estimate;

	against->n++;
	against->open += c->verdict == STATS_TOO_FEW;
	if (c->verdict == STATS_A) {
		against->slower++;
		against->low = fmin(against->low, times);
		against->high = fmax(against->high, times);
	} else if (c->verdict == STATS_B) {
		against->faster++;
		against->fast_low = fmin(against->fast_low, 1 / times);
		against->fast_high = fmax(against->fast_high, 1 / times);
	}
}

/* Another model in the place of the case against the case's own, way by way. */
static struct against against_of(const struct model *model, uint32_t case_id, const char *other)
{
	struct against against = {.low = NAN, .high = NAN, .fast_low = NAN, .fast_high = NAN};
	struct model_comparison c;

	for (uint32_t a = 0; a < model->n_cases; a++) {
		if (!comparison_other_way(&model->cases[case_id], &model->cases[a]))
			continue;
		for (uint32_t b = 0; b < model->n_cases; b++)
			if (strcmp(model->cases[b].model, other) == 0 &&
			    comparison_alike(&model->cases[a], &model->cases[b]) &&
			    model_compare(model, a, b, model_headline(model), &c) == 0)
				take(&against, &c);
	}
	return against;
}

static void say_place(struct sentence *s, const struct sample_case *one)
{
	const char *place = place_of(one);

	if (strcmp(place, "same") == 0)
		sentence_add(s, "On one core ");
	else if (strcmp(place, "two") == 0)
		sentence_add(s, "On two cores ");
}

static const char *way(const struct model *model, uint32_t case_id)
{
	return via_name((enum via)model->cases[case_id].via);
}

/* What has no time of its own is looked at as a whole. */
static const char *what(const struct model *model)
{
	return model_has_operations(model) ? "a round trip" : "all messages";
}

/* "; by pipe 1,234,567 messages of threads arrive in a second" */
static void say_rate(struct sentence *s, const struct model *model, const struct ways *ways)
{
	double rate = verdict_median(model, ways->least, METRIC_MESSAGE_RATE);

	if (rate > 0)
		sentence_add(s, "; by %s %s messages of %s arrive in a second",
			     way(model, ways->least), UNITS_COUNT(llround(rate)),
			     model->cases[ways->least].model);
}

/* "On one core a round trip of threads takes 3.2 µs (futex) to 8.1 µs (signal), 2.5 times as long"
 */
static void say_ways(struct sentence *s, const struct model *model, uint32_t case_id,
		     const struct ways *ways)
{
	size_t start = s->used;
	struct model_comparison c;

	say_place(s, &model->cases[case_id]);
	sentence_add(s, "%s of %s take%s %s (%s)", what(model), model->cases[case_id].model,
		     model_has_operations(model) ? "s" : "", LATENCY_TEXT(llround(ways->least_ns)),
		     way(model, ways->least));
	sentence_begin(s, start);
	if (ways->n < 2 || model_compare(model, ways->least, ways->most, model_headline(model), &c))
		return;
	sentence_add(s, " to %s (%s)", LATENCY_TEXT(llround(ways->most_ns)),
		     way(model, ways->most));
	if (c.verdict == STATS_A)
		sentence_add(s, ", %s times as long (real)", CLAIM_TIMES(c.ratio.estimate));
	else
		sentence_add(s, c.verdict == STATS_TOO_FEW ? " so far" : ", no real difference");
}

/* What is said is that something is not so: "in any of the 6 ways". */
static void say_part_not(struct sentence *s, uint32_t part, uint32_t all)
{
	if (part == all && all == 2)
		sentence_add(s, " in either way");
	else if (part == all && all > 2)
		sentence_add(s, " in any of the %u ways", all);
	else if (part != all)
		sentence_add(s, " in %u of %u", part, all);
}

static void say_part(struct sentence *s, uint32_t part, uint32_t all)
{
	if (part == all && all == 2)
		sentence_add(s, " in both ways");
	else if (part == all && all > 2)
		sentence_add(s, " in all %u ways", all);
	else if (part != all)
		sentence_add(s, " in %u of %u", part, all);
}

/* "; processes take 1.1 to 1.3 times as long in 5 of 6 (real), no difference found in 1" */
static void say_against(struct sentence *s, const char *other, const struct against *against)
{
	uint32_t none = against->n - against->slower - against->faster - against->open;
	const char *between = " ";

	sentence_add(s, "; %s", other);
	if (against->slower > 0) {
		sentence_add(s, " take %s times as long",
			     CLAIM_TIMES_RANGE(against->low, against->high));
		say_part(s, against->slower, against->n);
		sentence_add(s, " (real)");
		between = ", ";
	}
	if (against->faster > 0) {
		sentence_add(s, "%slead %s times", between,
			     CLAIM_TIMES_RANGE(against->fast_low, against->fast_high));
		say_part(s, against->faster, against->n);
		sentence_add(s, " (real)");
		between = ", ";
	}
	if (none > 0) {
		sentence_add(s, "%sdo not differ", between);
		say_part_not(s, none, against->n);
		between = ", ";
	}
	if (against->open > 0) {
		sentence_add(s, "%sare not decided", between);
		say_part_not(s, against->open, against->n);
	}
}

/* The first case in its place, as those of the first model are. */
static bool begins_place(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < case_id; i++)
		if (same_place(&model->cases[i], &model->cases[case_id]))
			return false;
	return true;
}

/* The first case of its model in that place. */
static bool begins_model(const struct model *model, uint32_t case_id)
{
	for (uint32_t i = 0; i < case_id; i++)
		if (same_place(&model->cases[i], &model->cases[case_id]) &&
		    strcmp(model->cases[i].model, model->cases[case_id].model) == 0)
			return false;
	return true;
}

static void say_models(struct sentence *s, const struct model *model, uint32_t case_id)
{
	for (uint32_t i = case_id + 1; i < model->n_cases; i++) {
		const char *other = model->cases[i].model;
		struct against against;

		if (!same_place(&model->cases[case_id], &model->cases[i]) ||
		    !begins_model(model, i))
			continue;
		against = against_of(model, case_id, other);
		if (against.n > 0)
			say_against(s, other, &against);
	}
}

void verdict_ways(struct sentence *s, const struct model *model, const struct finding *finding)
{
	uint32_t said = 0;

	for (uint32_t i = finding->first; i <= finding->last; i++) {
		struct ways ways = ways_of(model, i);

		if (!begins_place(model, i) || ways.n == 0)
			continue;
		sentence_add(s, "%s", said++ > 0 ? " " : "");
		say_ways(s, model, i, &ways);
		say_models(s, model, i);
		say_rate(s, model, &ways);
		sentence_add(s, ".");
	}
	if (said == 0)
		verdict_no_trial(s, model);
	else if (finding->ways.open + finding->ways.ways_open > 0)
		verdict_progress(s, &finding->ways.progress);
}
