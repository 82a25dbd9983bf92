/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_creation_verdict.h"
#include "model/model_latency.h"
#include "model/model_lead.h"
#include "model/model_sweep.h"
#include "base/sentence.h"
#include "base/units.h"

/* A real difference below this share of the time is called too little to choose by. */
#define TINY 0.02
/* An interval wider than this, end over end, has not shown that two models are alike. */
#define WIDE 1.1
/* Of so many others at most each one is named. */
#define NAMED 3

#define NAME (2 * SAMPLE_LABEL)

/* The cases that are spoken of: all, or those of one recording. */
struct range {
	uint32_t first, last;
};

/* Variants of one model, which then need not be named with each. */
static bool one_model(const struct model *model)
{
	bool varies = false;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *one = &model->cases[i];

		if (one->variables.n == 0 || strcmp(one->model, model->cases[0].model) != 0)
			return false;
		varies = varies || !variables_equal(&one->variables, &model->cases[0].variables);
	}
	return varies;
}

/* What tells it from the others: "threads", "tree=50x99", "threads tree=50x99". */
static const char *short_name(const struct model *model, uint32_t icase, char buf[NAME])
{
	model_case_name(model, icase, buf, NAME);
	if (one_model(model))
		return buf + strlen(model->cases[icase].model) + 1;
	return buf;
}

static void say_name(struct sentence *s, const struct model *model, uint32_t icase)
{
	char name[NAME];

	sentence_add(s, "%s", short_name(model, icase, name));
}

/* The name at the beginning of the sentence, with the verb that goes with it. */
static void begin(struct sentence *s, const struct model *model, uint32_t icase,
		  const char *singular, const char *plural)
{
	bool value = one_model(model);
	bool one = value || strncmp(model->cases[icase].model, "hybrid", 6) == 0;
	size_t start = s->used;

	say_name(s, model, icase);
	if (!value)
		sentence_begin(s, start);
	sentence_add(s, " %s", one ? singular : plural);
}

/* "3.4 %" */
static void say_percent(struct sentence *s, double share)
{
	sentence_add(s, fabs(share) < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}

static bool is_over(const struct model *model)
{
	return model->done && model->done_ns <= model->now_ns;
}

/* How many counted trials of the case have ended in a failure; 0 if any was measured. */
static uint32_t failures(const struct model *model, uint32_t icase, const struct model_run **last)
{
	uint32_t failed = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.icase != icase || run->id.trial == 0 || !model_ended(model, run) ||
		    run->totals.status == SAMPLE_INTERRUPTED)
			continue;
		if (run->totals.status == SAMPLE_OK)
			return 0;
		*last = run;
		failed++;
	}
	return failed;
}

static bool say_failed(struct sentence *s, const struct model *model, const struct range *of)
{
	const struct model_run *last = NULL;
	uint32_t icase = of->first, failed = 0;

	while (icase <= of->last && failed == 0)
		failed = failures(model, icase++, &last);
	if (failed == 0)
		return false;
	begin(s, model, icase - 1, "", "");
	sentence_add(s, "%s in ", last->totals.status == SAMPLE_CRASHED ? "crashed" : "failed");
	sentence_add(s, failed == 1 ? "the only trial" : "all %u trials", failed);
	sentence_add(s,
		     is_over(model) ? ": nothing to compare." : " so far: nothing to compare yet.");
	if (last->totals.reason[0])
		sentence_add(s, " %s", last->totals.reason);
	return true;
}

/* "4 pairs: too few to call it real (6 needed)." */
static void say_too_few(struct sentence *s, uint32_t pairs)
{
	sentence_add(s, "%u %s: too few to call it real (%d needed).", pairs,
		     pairs == 1 ? "pair" : "pairs", STATS_LEAST_PAIRS);
}

static void say_no_pair(struct sentence *s, const struct model *model)
{
	sentence_add(s, is_over(model) ? "No pair of trials was measured: nothing to compare."
				       : "Measuring: the first pair is not complete yet.");
}

/* "the processes' time", "the time of threads#2" */
static void say_time_of(struct sentence *s, const struct model *model, uint32_t icase)
{
	char buf[NAME];
	const char *name = short_name(model, icase, buf);
	size_t length;

	length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
	if (name[length])
		sentence_add(s, "the time of %s", name);
	else
		sentence_add(s, "the %s'%s time", name,
			     length && name[length - 1] == 's' ? "" : "s");
}

static void say_so_far(struct sentence *s, const struct model *model,
		       const struct model_comparison *c)
{
	begin(s, model, c->a, "took", "took");
	sentence_add(s, " %.2f of ", 1 / c->ratio.estimate);
	say_time_of(s, model, c->b);
	sentence_add(s, ". ");
	say_too_few(s, c->pairs);
}

/* One model that was named twice, to see what the machine's noise alone makes of it. */
static bool same_model(const struct model *model, const struct model_comparison *c)
{
	const struct sample_case *a = &model->cases[c->a], *b = &model->cases[c->b];
	size_t length = strcspn(a->model, "#");

	return length == strcspn(b->model, "#") && strncmp(a->model, b->model, length) == 0 &&
	       variables_equal(&a->variables, &b->variables);
}

static void say_none(struct sentence *s, const struct model *model,
		     const struct model_comparison *c)
{
	sentence_add(s, "No difference found between ");
	say_name(s, model, c->a);
	sentence_add(s, " and ");
	say_name(s, model, c->b);
	sentence_add(s, " (%.2f to %.2f)", 1 / c->ratio.high, 1 / c->ratio.low);
	if (same_model(model, c))
		sentence_add(s, ", as it should be: they are the same.");
	else if (c->ratio.high / c->ratio.low > WIDE)
		sentence_add(s, ": more trials may find one.");
	else
		sentence_add(s, ": neither is faster.");
}

/* A real difference as the faster one's share of the slower one's time. */
struct margin {
	uint32_t faster, slower;
	double share, low, high;
};

static struct margin margin_of(const struct model_comparison *c)
{
	const struct stats_interval *r = &c->ratio;

	if (c->verdict == STATS_A)
		return (struct margin) {c->a, c->b, 1 / r->estimate, 1 / r->high, 1 / r->low};
	return (struct margin) {c->b, c->a, r->estimate, r->low, r->high};
}

/* "12 % faster than", "3.4 times as fast as" */
static void say_how_much(struct sentence *s, const struct margin *margin)
{
	if (margin->share < 0.5) {
		sentence_add(s, "%.1f times as fast as ", 1 / margin->share);
	} else {
		say_percent(s, 1 - margin->share);
		sentence_add(s, " faster than ");
	}
}

static void say_interval(struct sentence *s, const struct margin *margin)
{
	if (margin->share < 0.5)
		sentence_add(s, "95 %% interval %.1f to %.1f", 1 / margin->high, 1 / margin->low);
	else
		sentence_add(s, "95 %% interval %.1f to %.1f %%", 100 * (1 - margin->high),
			     100 * (1 - margin->low));
}

static void say_real(struct sentence *s, const struct model *model,
		     const struct model_comparison *c)
{
	struct margin margin = margin_of(c);
	bool tiny;

	begin(s, model, margin.faster, "is ", "are ");
	say_how_much(s, &margin);
	say_name(s, model, margin.slower);
	if (same_model(model, c)) {
		sentence_add(s, ", the same model: this machine's noise (");
		say_interval(s, &margin);
		sentence_add(s, ").");
		return;
	}
	tiny = 1 - margin.share < TINY;
	sentence_add(s, tiny ? ": real (" : ": real on this machine (");
	say_interval(s, &margin);
	sentence_add(s, tiny ? "), and too little to choose by." : ").");
}

static void say_pair(struct sentence *s, const struct model *model, const struct range *of)
{
	struct model_comparison c;

	if (model_compare(model, of->first, of->last, METRIC_ELAPSED, &c) != 0)
		sentence_add(s, "Too little memory to compare.");
	else if (isnan(c.ratio.estimate))
		say_no_pair(s, model);
	else if (c.verdict == STATS_TOO_FEW)
		say_so_far(s, model, &c);
	else if (c.verdict == STATS_NONE)
		say_none(s, model, &c);
	else
		say_real(s, model, &c);
}

/* As many trials as the middle of a single case is taken of. */
#define TRIALS 512

static void say_middle(struct sentence *s, const struct stats_interval *took, size_t n)
{
	char text[32];

	sentence_add(s, "%s",
		     units_format_time(text, sizeof(text), (int64_t)took->estimate, false));
	if (n == 1) {
		sentence_add(s, " (one trial).");
		return;
	}
	sentence_add(s, " (median of %zu trials", n);
	if (!isnan(took->low)) {
		units_format_time(text, sizeof(text), (int64_t)took->low, false);
		sentence_add(s, ", 95 %% interval %s", text);
		units_format_time(text, sizeof(text), (int64_t)took->high, false);
		sentence_add(s, " to %s", text);
	}
	sentence_add(s, ").");
}

static void say_alone(struct sentence *s, const struct model *model, const struct range *of)
{
	double values[TRIALS];
	size_t n = model_trials(model, of->first, METRIC_ELAPSED, values, NULL, TRIALS);
	struct stats_interval took = stats_median_interval(values, n);

	if (n == 0) {
		sentence_add(s, is_over(model) ? "No trial was measured."
					       : "Measuring: the first trial is not complete yet.");
		return;
	}
	begin(s, model, of->first, "took ", "took ");
	say_middle(s, &took, n);
}

/* "9.1 % faster than hybrid (real), no difference found to processes." */
static void say_each(struct sentence *s, const struct model *model, const struct range *of,
		     uint32_t fastest)
{
	const char *separator = "";

	for (uint32_t i = of->first; i <= of->last; i++) {
		struct model_comparison c;

		if (i == fastest || model_compare(model, fastest, i, METRIC_ELAPSED, &c) != 0)
			continue;
		sentence_add(s, "%s", separator);
		separator = ", ";
		if (c.verdict == STATS_A) {
			struct margin margin = margin_of(&c);

			say_how_much(s, &margin);
			say_name(s, model, i);
			sentence_add(s, " (real)");
		} else {
			sentence_add(s, "no difference found to ");
			say_name(s, model, i);
		}
	}
	sentence_add(s, ".");
}

static void say_fastest(struct sentence *s, const struct model *model, const struct range *of)
{
	struct model_lead lead;

	if (model_lead(model, of->first, of->last, &lead) != 0) {
		sentence_add(s, "Too little memory to compare.");
		return;
	}
	if (lead.pairs == 0) {
		say_no_pair(s, model);
		return;
	}
	if (lead.pairs >= STATS_LEAST_PAIRS && lead.real == 0) {
		sentence_add(s, "No difference found between ");
		say_name(s, model, lead.fastest);
		sentence_add(s, " and any of the %u others.", lead.others);
		return;
	}
	begin(s, model, lead.fastest, "leads", "lead");
	if (lead.pairs < STATS_LEAST_PAIRS) {
		sentence_add(s, " the %u others. ", lead.others);
		say_too_few(s, lead.pairs);
	} else if (lead.others <= NAMED) {
		sentence_add(s, ": ");
		say_each(s, model, of, lead.fastest);
	} else {
		sentence_add(s, ": faster than %u of the %u others (real)", lead.real, lead.others);
		sentence_add(s,
			     lead.real < lead.others ? ", no difference found to the rest." : ".");
	}
}

/* What is to be said of the cases from first to last. */
static void say_session(struct sentence *s, const struct model *model, const struct range *of)
{
	if (say_failed(s, model, of))
		return;
	if (model_has_latency(model))
		model_creation_verdict(model, of->first, of->last, s);
	else if (of->first == of->last)
		say_alone(s, model, of);
	else if (model_sweeps(model))
		model_sweep_verdict(model, s);
	else if (of->first + 1 == of->last)
		say_pair(s, model, of);
	else
		say_fastest(s, model, of);
}

/* The case of another recording that ran the same model in the same way; n_cases: it has none. */
static uint32_t counterpart(const struct model *model, uint32_t icase,
			    const struct model_origin *origin)
{
	const struct sample_case *wanted = &model->cases[icase];
	size_t length = strcspn(wanted->model, "@");

	for (uint32_t i = origin->first_case; i < origin->first_case + origin->n_cases; i++) {
		const struct sample_case *found = &model->cases[i];

		if (strcspn(found->model, "@") == length &&
		    strncmp(found->model, wanted->model, length) == 0 &&
		    variables_equal(&found->variables, &wanted->variables))
			return i;
	}
	return model->n_cases;
}

/* "Threads @laptop took 1.34 of the time of threads @desktop: medians of two recordings …" */
static void say_apart(struct sentence *s, const struct model *model)
{
	struct model_comparison c;

	for (uint32_t i = 1; i < model->n_origins; i++) {
		uint32_t b = counterpart(model, 0, &model->origins[i]);

		if (b == model->n_cases ||
		    model_compare(model, 0, b, model_headline(model), &c) != 0 ||
		    isnan(c.ratio.estimate))
			continue;
		begin(s, model, b, "took", "took");
		sentence_add(s, " %.2f of ", c.ratio.estimate);
		say_time_of(s, model, 0);
		sentence_add(s, ": medians of recordings apart, no interval. ");
	}
}

/* First what nobody else can tell, then what each recording found. */
static void say_recordings(struct sentence *s, const struct model *model)
{
	say_apart(s, model);
	if (model_sweeps(model)) {
		sentence_add(s, "What each recording found by itself is in the results.");
		return;
	}
	for (uint32_t i = 0; i < model->n_origins; i++) {
		const struct model_origin *origin = &model->origins[i];
		const struct range of = {origin->first_case,
					 origin->first_case + origin->n_cases - 1};

		say_session(s, model, &of);
		sentence_add(s, i + 1 < model->n_origins ? " " : "");
	}
}

char *model_verdict(const struct model *model, char *buf, size_t size)
{
	const struct range all = {0, model->n_cases - 1};
	struct sentence s = {buf, size, 0};

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (!model->has_session)
		sentence_add(&s, "Nothing has been measured yet.");
	else if (model->n_origins > 0)
		say_recordings(&s, model);
	else
		say_session(&s, model, &all);
	return buf;
}

/* Whether the sentence compares the cases of one session, and so can be said in fewer words. */
static bool compares(const struct model *model)
{
	const struct range all = {0, model->n_cases - 1};
	char failed[64];
	struct sentence s = {failed, sizeof(failed), 0};

	return model->has_session && model->n_cases > 1 && model->n_origins == 0 &&
	       !say_failed(&s, model, &all);
}

static bool find_lead(const struct model *model, struct model_lead *lead)
{
	if (!compares(model) || model_sweeps(model) || model_has_latency(model) ||
	    model_lead(model, 0, model->n_cases - 1, lead) != 0)
		return false;
	return lead->pairs > 0 && !isnan(lead->next.ratio.estimate);
}

/* The runner-up's time over that of the fastest. */
static double lead_ratio(const struct model_lead *lead)
{
	double ratio = lead->next.ratio.estimate;

	return lead->next.a == lead->fastest ? ratio : 1 / ratio;
}

/* Whether enough was measured to say that the runner-up is no slower for certain. */
static bool lead_shared(const struct model_lead *lead)
{
	return lead->pairs >= STATS_LEAST_PAIRS && lead->next.verdict == STATS_NONE;
}

static const char *lead_reality(const struct model_lead *lead)
{
	return lead->pairs < STATS_LEAST_PAIRS ? "too few pairs" : "real";
}

char *model_verdict_short(const struct model *model, char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};
	struct model_lead lead;
	struct margin margin;
	uint32_t second;

	buf[0] = '\0';
	if (compares(model) && model_has_latency(model)) {
		model_creation_short(model, 0, model->n_cases - 1, &s);
		return buf;
	}
	if (!find_lead(model, &lead))
		return buf;
	if (lead.pairs >= STATS_LEAST_PAIRS && lead.real == 0) {
		sentence_add(&s, "No difference found.");
		return buf;
	}
	margin = (struct margin) {.share = 1 / lead_ratio(&lead)};
	second = lead.next.a == lead.fastest ? lead.next.b : lead.next.a;
	if (lead_shared(&lead)) {
		begin(&s, model, lead.fastest, "leads", "lead");
		sentence_add(&s, ", no difference found to ");
		say_name(&s, model, second);
		sentence_add(&s, ".");
		return buf;
	}
	begin(&s, model, lead.fastest, "is ", "are ");
	say_how_much(&s, &margin);
	say_name(&s, model, second);
	sentence_add(&s, " (%s).", lead_reality(&lead));
	return buf;
}

char *model_verdict_least(const struct model *model, char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};
	struct model_lead lead;

	buf[0] = '\0';
	if (compares(model) && model_has_latency(model)) {
		model_creation_least(model, 0, model->n_cases - 1, &s);
		return buf;
	}
	if (compares(model) && model_sweeps(model)) {
		model_sweep_least(model, &s);
		return buf;
	}
	if (!find_lead(model, &lead))
		return buf;
	if (lead.pairs >= STATS_LEAST_PAIRS && lead.real == 0) {
		sentence_add(&s, "no difference found");
		return buf;
	}
	say_name(&s, model, lead.fastest);
	if (lead_shared(&lead))
		sentence_add(&s, " ahead of %u of %u (real)", lead.real, lead.others);
	else
		sentence_add(&s, " ahead, %.2gx (%s)", lead_ratio(&lead), lead_reality(&lead));
	return buf;
}
