/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* What is said beside the whole: "io: processes 1.41 s, threads 5.02 s: 3.6 times as long (real)"
 */

#define CLAIM_MOST 256
#define WIDE	   1.1

static const char *as_long(const struct finding_claim *claim)
{
	return claim->metric == METRIC_CPU ? "as much" : "as long";
}

static void say_value(struct sentence *s, const struct model *model, uint32_t case_id,
		      enum model_metric metric)
{
	double ns = verdict_median(model, case_id, metric);

	sentence_add(s, "%s %s", VERDICT_NAME_OF(model, case_id), UNITS_TIME(llround(ns), false));
}

static void say_values(struct sentence *s, const struct model *model,
		       const struct finding_claim *claim, uint32_t a, uint32_t b)
{
	say_value(s, model, a, claim->metric);
	sentence_add(s, ", ");
	say_value(s, model, b, claim->metric);
}

/* "processes take 3.6 times as long as threads (real)" */
static void say_greatest(struct sentence *s, const struct model *model,
			 const struct finding_claim *claim)
{
	const struct model_comparison *c = &claim->greatest;

	sentence_add(s, "%s %s %s times %s as %s (real)", VERDICT_NAME_OF(model, c->b),
		     verdict_take(model, c->b), CLAIM_TIMES(c->ratio.estimate), as_long(claim),
		     VERDICT_NAME_OF(model, c->a));
}

/* Of two, whose medians say the same. */
static void say_real(struct sentence *s, const struct model *model,
		     const struct finding_claim *claim, enum verdict_length length)
{
	const struct model_comparison *c = &claim->greatest;

	if (claim->lead.others > 1 || length == VERDICT_LEAST ||
	    !verdict_agrees(verdict_median(model, c->a, claim->metric),
			    verdict_median(model, c->b, claim->metric), c->ratio.estimate)) {
		say_greatest(s, model, claim);
		return;
	}
	say_values(s, model, claim, c->a, c->b);
	sentence_add(s, ": %s times %s (real)", CLAIM_TIMES(c->ratio.estimate), as_long(claim));
}

/* "io: processes 1.41 s, threads 5.02 s so far", of those that lie furthest apart */
static void say_open(struct sentence *s, const struct model *model,
		     const struct finding_claim *claim)
{
	bool goes_on = !model_over(model) && !claim->lead.progress.ended;

	say_values(s, model, claim, claim->widest.a, claim->widest.b);
	sentence_add(s, goes_on ? " so far" : ", not decided");
}

static void say_claim(struct sentence *s, const struct model *model,
		      const struct finding_claim *claim, enum verdict_length length)
{
	sentence_add(s, "%s: ", finding_claim_name(claim));
	/* A kind's name keeps its small letters. */
	if (length != VERDICT_LEAST && !metric_is(claim->metric, METRIC_OF_KINDS))
		sentence_begin(s, 0);
	if (finding_claim_real(claim))
		say_real(s, model, claim, length);
	else if (claim->lead.all_open > 0)
		say_open(s, model, claim);
	else
		sentence_add(s, "at most %s apart", CLAIM_EXCLUDED(claim->lead.all_excluded));
}

/* Undecided, a kind is told of where its times are that far apart: whoever sees them asks. */
static bool is_wide(const struct finding_claim *claim)
{
	return claim->widest.a != claim->widest.b && claim->widest.ratio.estimate >= WIDE;
}

/* CPU time is asked where the elapsed time cannot tell; undecided it says nothing more. */
static bool is_told(const struct finding *finding, const struct finding_claim *claim,
		    enum verdict_length length)
{
	bool real = finding_claim_real(claim);
	bool known = claim->lead.others > 0 && claim->lead.pairs > 0 &&
		     !isnan(claim->lead.next.ratio.estimate);

	/* Two may differ where the one in front has no ratio to either: it took no time. */
	if ((!known && !real) || finding->lead.pairs == 0)
		return false;
	if (claim->metric == METRIC_CPU && finding->lead.all_real > 0)
		return false;
	if (real)
		return true;
	return length == VERDICT_WHOLE && claim->metric != METRIC_CPU &&
	       (claim->lead.all_open == 0 || is_wide(claim));
}

void verdict_claims(struct sentence *s, const struct model *model, const struct finding *finding,
		    enum verdict_length length)
{
	const char *before = length == VERDICT_LEAST ? "; " : " ";
	const char *end = length == VERDICT_LEAST ? "" : ".";

	for (uint32_t i = 0; i < finding->n_claims; i++) {
		char text[CLAIM_MOST] = "";
		struct sentence one = {text, sizeof(text), 0};

		if (!is_told(finding, &finding->claims[i], length))
			continue;
		say_claim(&one, model, &finding->claims[i], length);
		/* half a claim would be another one */
		if (s->used > 0 && s->used + one.used + 3 < s->size)
			sentence_add(s, "%s%s%s", before, text, end);
	}
}
