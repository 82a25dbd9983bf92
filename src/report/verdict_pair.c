/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/report.h"

/* A real difference below this share of the time is called too little to choose by. */
#define LEAST_TIMES 1.02
/* Medians may be so far from the ratio of the pairs, as a logarithm and as a share of it. */
#define AGREE	    0.005
#define AGREE_SHARE 0.05

double verdict_median(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	struct report_summary summary;

	if (report_summarize(model, case_id, metric, &summary) < 0 || summary.n == 0)
		return NAN;
	return summary.median.estimate;
}

bool verdict_agrees(double a, double b, double times)
{
	return a > 0 && b > 0 && (b >= a) == (times >= 1) &&
	       fabs(log(b / a / times)) <= AGREE + AGREE_SHARE * fabs(log(times));
}

/* "Threads 239 ms, processes 454 ms" */
static void say_both(struct sentence *s, const struct model *model, uint32_t a, uint32_t b)
{
	double of_a = verdict_median(model, a, model_headline(model));
	double of_b = verdict_median(model, b, model_headline(model));

	verdict_begin(s, model, a);
	sentence_add(s, " %s, %s", METRIC_TEXT(model_headline(model), of_a),
		     VERDICT_NAME_OF(model, b));
	sentence_add(s, " %s", METRIC_TEXT(model_headline(model), of_b));
}

/* One model that was named twice, to see what the machine's noise alone makes of it. */
static bool same_model(const struct model *model, const struct model_comparison *c)
{
	const struct sample_case *a = &model->cases[c->a], *b = &model->cases[c->b];
	size_t length = strcspn(a->model, "#");

	return length == strcspn(b->model, "#") && strncmp(a->model, b->model, length) == 0 &&
	       variables_equal(&a->variables, &b->variables);
}

/*
 * "Threads 239 ms, processes 454 ms: 1.9 times as long". Where the medians would give another
 * ratio: "…: pair by pair processes take 1.03 times as long"
 */
static void say_ahead(struct sentence *s, const struct model *model,
		      const struct finding_lead *lead)
{
	uint32_t first = lead->lead, second = finding_second(lead);
	double times = finding_ahead(lead).estimate;
	bool agrees = verdict_agrees(verdict_median(model, first, model_headline(model)),
				     verdict_median(model, second, model_headline(model)), times);

	say_both(s, model, first, second);
	sentence_add(s, ": ");
	if (!agrees)
		sentence_add(s, "pair by pair %s %s ", VERDICT_NAME_OF(model, second),
			     verdict_take(model, second));
	sentence_add(s, "%s times as long", CLAIM_TIMES(times));
}

static void say_so_far(struct sentence *s, const struct model *model,
		       const struct finding_lead *lead, enum verdict_length length)
{
	if (finding_ahead(lead).estimate < VERDICT_NO_TIMES)
		say_both(s, model, lead->lead, finding_second(lead));
	else
		say_ahead(s, model, lead);
	sentence_add(s, " so far.");
	if (length == VERDICT_WHOLE)
		verdict_progress(s, &lead->progress);
}

static void say_none(struct sentence *s, const struct model *model,
		     const struct model_comparison *c)
{
	double ratio = finding_excluded(&c->ratio);
	bool same = same_model(model, c);

	say_both(s, model, c->a, c->b);
	sentence_add(s, ": at most %s apart%s.", CLAIM_EXCLUDED(ratio),
		     same ? ", as it should be: they are the same" : "");
}

static void say_real(struct sentence *s, const struct model *model, const struct finding_lead *lead,
		     enum verdict_length length)
{
	struct stats_interval ahead = finding_ahead(lead);

	say_ahead(s, model, lead);
	if (length == VERDICT_WHOLE)
		sentence_add(s, " (%s interval %s)", CLAIM_LEVEL(lead->next.level),
			     CLAIM_TIMES_INTERVAL(ahead.low, ahead.high));
	if (same_model(model, &lead->next))
		sentence_add(s, ", though both are the same: this machine's noise");
	else if (ahead.estimate < LEAST_TIMES && length == VERDICT_WHOLE)
		sentence_add(s, ", too little to choose by");
	sentence_add(s, ".");
}

static void say_least(struct sentence *s, const struct model *model,
		      const struct finding_lead *lead)
{
	if (lead->sure == FINDING_NONE)
		sentence_add(s, "at most %s apart",
			     CLAIM_EXCLUDED(finding_excluded(&lead->next.ratio)));
	else
		sentence_add(s, "%s %s times as long", VERDICT_NAME_OF(model, finding_second(lead)),
			     CLAIM_TIMES(finding_ahead(lead).estimate));
}

void verdict_pair(struct sentence *s, const struct model *model, const struct finding_lead *lead,
		  enum verdict_length length)
{
	bool known = lead->pairs > 0 && !isnan(lead->next.ratio.estimate);

	if (!known && length == VERDICT_WHOLE)
		verdict_no_pair(s, model);
	else if (known && length == VERDICT_LEAST)
		say_least(s, model, lead);
	else if (known && lead->sure == FINDING_FEW)
		say_so_far(s, model, lead, length);
	else if (known && lead->sure == FINDING_NONE)
		say_none(s, model, &lead->next);
	else if (known)
		say_real(s, model, lead, length);
}
