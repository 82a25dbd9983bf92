/* SPDX-License-Identifier: MIT */
#include "model_creation_verdict.h"

#include <math.h>
#include <string.h>

#include "model/model_latency.h"
#include "model/model_sweep.h"
#include "base/units.h"

/* Beyond this a ratio is not worth a decimal. */
#define LARGE 20

static enum plan_primitive primitive_of(const struct model *model, uint32_t icase)
{
	return (enum plan_primitive)model->cases[icase].plan.primitive;
}

/* The first case of the primitive within the range; last + 1. */
static uint32_t find(const struct model *model, uint32_t first, uint32_t last,
		     enum plan_primitive primitive)
{
	while (first <= last && primitive_of(model, first) != primitive)
		first++;
	return first;
}

/* The first one that creates a task and is not the other; last + 1. */
static uint32_t find_other(const struct model *model, uint32_t first, uint32_t last, uint32_t other)
{
	while (first <= last && (primitive_of(model, first) == PLAN_CALL || first == other))
		first++;
	return first;
}

/* A thread against a process where both are there, else the first two. */
static void choose(const struct model *model, uint32_t first, uint32_t last, uint32_t *a,
		   uint32_t *b)
{
	*a = find(model, first, last, PLAN_PTHREAD);
	*b = find(model, first, last, PLAN_FORK);
	if (*a <= last && *b <= last)
		return;
	*a = find_other(model, first, last, last + 1);
	*b = find_other(model, first, last, *a);
}

static void say_times(struct sentence *s, double times)
{
	sentence_add(s, times < LARGE ? "%.1f" : "%.0f", times);
}

/* "7.1 times (95 % interval 6.9 to 7.4)" */
static void say_ratio(struct sentence *s, const struct stats_interval *ratio)
{
	say_times(s, ratio->estimate);
	sentence_add(s, " times");
	if (isnan(ratio->low))
		return;
	sentence_add(s, " (95 %% interval ");
	say_times(s, ratio->low);
	sentence_add(s, " to ");
	say_times(s, ratio->high);
	sentence_add(s, ")");
}

/* Without the ballast: all that are spoken of together have the same. */
static const char *name_of(const struct model *model, uint32_t icase)
{
	return model->cases[icase].model;
}

static void say_median(struct sentence *s, const struct model *model, uint32_t icase)
{
	const struct model_latency *latency = model_latency(model, icase);
	char text[32];

	units_format_time(text, sizeof(text), latency ? latency->span[LATENCY_TASK].p50 : -1,
			  false);
	sentence_add(s, "%s", text);
}

/* The faster one's lead, whichever it is. */
static struct stats_interval lead_of(const struct model_comparison *c)
{
	const struct stats_interval *r = &c->ratio;

	if (r->estimate >= 1)
		return *r;
	return (struct stats_interval) {
		.estimate = 1 / r->estimate, .low = 1 / r->high, .high = 1 / r->low};
}

static void say_real(struct sentence *s, const struct model_comparison *c)
{
	if (c->verdict == STATS_A || c->verdict == STATS_B)
		sentence_add(s, ": real on this machine.");
	else if (c->verdict == STATS_NONE)
		sentence_add(s, ": no difference found.");
	else
		sentence_add(s, ". %u %s: too few to call it real (%d needed).", c->pairs,
			     c->pairs == 1 ? "pair" : "pairs", STATS_LEAST_PAIRS);
}

/*
 * "With pthread_create a task runs 7.1 times (95 % interval 6.9 to 7.4) as soon as with fork, 10 µs
 * against 72 µs after the call: real on this machine."
 */
static void say_pair(struct sentence *s, const struct model *model,
		     const struct model_comparison *c)
{
	bool a_leads = c->ratio.estimate >= 1;
	uint32_t faster = a_leads ? c->a : c->b, slower = a_leads ? c->b : c->a;
	struct stats_interval lead = lead_of(c);

	sentence_add(s, "With %s a task runs ", name_of(model, faster));
	say_ratio(s, &lead);
	sentence_add(s, " as soon as with %s, ", name_of(model, slower));
	say_median(s, model, faster);
	sentence_add(s, " against ");
	say_median(s, model, slower);
	sentence_add(s, " after the call");
	say_real(s, c);
}

/* The same primitive with the most ballast; icase where none has more. */
static uint32_t most_ballast(const struct model *model, uint32_t icase, uint32_t last)
{
	uint32_t most = icase;

	for (uint32_t i = icase + 1; i <= last; i++) {
		const struct sample_case *one = &model->cases[i], *so_far = &model->cases[most];

		if (model_same_curve(one, so_far) && one->ballast > so_far->ballast)
			most = i;
	}
	return most;
}

/* " With 4G of ballast it takes fork 1041 times (…) as long, pthread_create no longer" */
static bool say_growth(struct sentence *s, const struct model *model, uint32_t icase, uint32_t last,
		       bool said)
{
	uint32_t most = most_ballast(model, icase, last);
	struct model_comparison c;
	char size[32];

	if (most == icase || model_compare(model, icase, most, METRIC_TASK, &c) != 0 ||
	    isnan(c.ratio.estimate))
		return said;
	if (!said)
		sentence_add(s, " With %s of ballast it takes ",
			     units_format_exact(size, sizeof(size), model->cases[most].ballast));
	sentence_add(s, "%s%s ", said ? ", " : "", name_of(model, icase));
	if (c.verdict == STATS_NONE) {
		sentence_add(s, "no longer");
		return true;
	}
	say_ratio(s, &c.ratio);
	sentence_add(s, " as long");
	return true;
}

static bool is_over(const struct model *model)
{
	return model->done && model->done_ns <= model->now_ns;
}

static void say_alone(struct sentence *s, const struct model *model, uint32_t icase, uint32_t last)
{
	const struct model_latency *latency = icase <= last ? model_latency(model, icase) : NULL;
	char text[32], count[32];

	if (!latency) {
		sentence_add(s, is_over(model) ? "No trial was measured."
					       : "Measuring: the first trial is not complete yet.");
		return;
	}
	sentence_add(s, "With %s a task runs %s after the call (median of %s creations).",
		     name_of(model, icase),
		     units_format_time(text, sizeof(text), latency->span[LATENCY_TASK].p50, false),
		     units_format_count(count, sizeof(count), latency->span[LATENCY_TASK].n));
}

void model_creation_verdict(const struct model *model, uint32_t first, uint32_t last,
			    struct sentence *sentence)
{
	struct model_comparison c;
	uint32_t a, b;
	bool said;

	choose(model, first, last, &a, &b);
	if (a > last || b > last) {
		say_alone(sentence, model, a, last);
	} else if (model_compare(model, a, b, METRIC_TASK, &c) != 0) {
		sentence_add(sentence, "Too little memory to compare.");
		return;
	} else if (isnan(c.ratio.estimate)) {
		sentence_add(sentence,
			     is_over(model) ? "No pair of trials was measured: nothing to compare."
					    : "Measuring: the first pair is not complete yet.");
		return;
	} else {
		say_pair(sentence, model, &c);
	}
	said = b <= last && say_growth(sentence, model, b, last, false);
	said = a <= last && say_growth(sentence, model, a, last, said);
	if (said)
		sentence_add(sentence, ".");
}

bool model_creation_pair(const struct model *model, uint32_t first, uint32_t last,
			 struct model_comparison *c)
{
	uint32_t a, b;

	choose(model, first, last, &a, &b);
	return a <= last && b <= last && model_compare(model, a, b, METRIC_TASK, c) == 0 &&
	       !isnan(c->ratio.estimate);
}

void model_creation_short(const struct model *model, uint32_t first, uint32_t last,
			  struct sentence *sentence)
{
	struct model_comparison c;

	if (model_creation_pair(model, first, last, &c))
		say_pair(sentence, model, &c);
}

void model_creation_least(const struct model *model, uint32_t first, uint32_t last,
			  struct sentence *sentence)
{
	struct model_comparison c;
	bool a_leads;

	if (!model_creation_pair(model, first, last, &c))
		return;
	if (c.verdict == STATS_NONE) {
		sentence_add(sentence, "%s, %s: no difference found", name_of(model, c.a),
			     name_of(model, c.b));
		return;
	}
	a_leads = c.ratio.estimate >= 1;
	sentence_add(sentence, "%s ", name_of(model, a_leads ? c.a : c.b));
	say_times(sentence, lead_of(&c).estimate);
	sentence_add(sentence, "x as soon as %s (%s)", name_of(model, a_leads ? c.b : c.a),
		     c.pairs < STATS_LEAST_PAIRS ? "too few pairs" : "real");
}
