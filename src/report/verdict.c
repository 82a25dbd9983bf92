/* SPDX-License-Identifier: MIT */
#include "report/verdict.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/model_latency.h"
#include "model/model_sweep.h"
#include "report/report.h"
#include "verdict_parts.h"

/* A real difference below this share of the time is called too little to choose by. */
#define LEAST_SHARE 0.02
/* A difference above this share that is not excluded calls for more trials. */
#define LARGE_SHARE 0.1
/* One below this is none. */
#define NO_SHARE 0.001

#define NAME (2 * SAMPLE_LABEL)

/* Names */

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

/* The name that tells a case from the others: "threads", "tree=50x99", "threads tree=50x99". */
static const char *short_name(const struct model *model, uint32_t case_id, char buf[NAME])
{
	model_case_name(model, case_id, buf, NAME);
	return one_model(model) ? buf + strlen(model->cases[case_id].model) + 1 : buf;
}

/* The same as an argument. */
#define SHORT_NAME(model, case_id) short_name(model, case_id, (char[NAME]) {0})

bool verdict_singular(const char *name)
{
	return strncmp(name, "hybrid", 6) == 0;
}

/* The name at the beginning of the sentence, with the verb that goes with it. */
static void begin(struct sentence *s, const struct model *model, uint32_t case_id,
		  const char *singular, const char *plural)
{
	bool value = one_model(model);
	bool one = value || verdict_singular(model->cases[case_id].model);
	size_t start = s->used;

	sentence_add(s, "%s", SHORT_NAME(model, case_id));
	if (!value)
		sentence_begin(s, start);
	sentence_add(s, " %s", one ? singular : plural);
}

/* "the processes' time", "the time of threads#2" */
static void say_time_of(struct sentence *s, const struct model *model, uint32_t case_id)
{
	const char *name = SHORT_NAME(model, case_id);
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");

	if (name[length])
		sentence_add(s, "the time of %s", name);
	else
		sentence_add(s, "the %s'%s time", name,
			     length && name[length - 1] == 's' ? "" : "s");
}

/* Missing results */

void verdict_progress(struct sentence *s, const struct finding_progress *progress)
{
	size_t start = s->used;

	sentence_add(s, "%s.", claim_progress(progress, (char[CLAIM_TEXT]) {0}, CLAIM_TEXT));
	sentence_begin(s, start);
}

void verdict_no_pair(struct sentence *s, const struct model *model)
{
	sentence_add(s, model_over(model) ? "No pair of trials was measured: nothing to compare."
					  : "Measuring: the first pair is not complete yet.");
}

void verdict_no_trial(struct sentence *s, const struct model *model)
{
	sentence_add(s, model_over(model) ? "No trial was measured."
					  : "Measuring: the first trial is not complete yet.");
}

const char *verdict_reality(const struct finding_lead *lead)
{
	return lead->sure == FINDING_REAL ? "real" : "so far";
}

static void say_failed(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct sample_totals *last = &model->runs[finding->failed].totals;

	begin(s, model, finding->case_id, "", "");
	sentence_add(s, "%s in ", last->status == SAMPLE_CRASHED ? "crashed" : "failed");
	sentence_add(s, finding->failures == 1 ? "the only trial" : "all %u trials",
		     finding->failures);
	sentence_add(s, model_over(model) ? ": nothing to compare."
					  : " so far: nothing to compare yet.");
	if (last->reason[0])
		sentence_add(s, " %s", last->reason);
}

/* One case */

static void say_alone(struct sentence *s, const struct model *model, uint32_t case_id)
{
	const struct stats_interval *median;
	struct report_summary took;

	if (report_summarize(model, case_id, METRIC_ELAPSED, &took) != 0 || took.n == 0) {
		verdict_no_trial(s, model);
		return;
	}
	median = &took.median;
	begin(s, model, case_id, "took ", "took ");
	sentence_add(s, "%s (", UNITS_TIME((int64_t)median->estimate, false));
	sentence_add(s, took.n == 1 ? "one trial" : "median of %zu trials", took.n);
	if (!isnan(median->low))
		sentence_add(s, ", 95 %% interval %s to %s",
			     UNITS_TIME((int64_t)median->low, false),
			     UNITS_TIME((int64_t)median->high, false));
	sentence_add(s, ").");
}

/* Two cases */

static void say_so_far(struct sentence *s, const struct model *model,
		       const struct finding_lead *lead)
{
	const struct model_comparison *c = &lead->next;

	begin(s, model, c->a, "took", "took");
	sentence_add(s, " %s of ", CLAIM_RATIO(1 / c->ratio.estimate));
	say_time_of(s, model, c->b);
	sentence_add(s, " so far. ");
	verdict_progress(s, &lead->progress);
}

/* One model that was named twice, to see what the machine's noise alone makes of it. */
static bool same_model(const struct model *model, const struct model_comparison *c)
{
	const struct sample_case *a = &model->cases[c->a], *b = &model->cases[c->b];
	size_t length = strcspn(a->model, "#");

	return length == strcspn(b->model, "#") && strncmp(a->model, b->model, length) == 0 &&
	       variables_equal(&a->variables, &b->variables);
}

/* The side that is not ahead by even a little, as far as that is known; n_cases: none is. */
static uint32_t not_ahead(const struct model *model, const struct model_comparison *c)
{
	if (1 - 1 / c->ratio.high < NO_SHARE)
		return c->a;
	return 1 - c->ratio.low < NO_SHARE ? c->b : model->n_cases;
}

static void say_none(struct sentence *s, const struct model *model,
		     const struct model_comparison *c)
{
	double ratio = finding_excluded(&c->ratio), little = fmin(c->ratio.high, 1 / c->ratio.low);
	uint32_t behind = not_ahead(model, c);
	bool same = same_model(model, c);

	sentence_add(s, "No difference found between %s and %s%s one above %s is excluded",
		     SHORT_NAME(model, c->a), SHORT_NAME(model, c->b),
		     same ? ", as it should be, they are the same:" : ":", CLAIM_EXCLUDED(ratio));
	if (!same && behind < model->n_cases && 1 - 1 / ratio >= NO_SHARE)
		sentence_add(s, ", for %s one above %s", SHORT_NAME(model, behind),
			     CLAIM_EXCLUDED(little));
	sentence_add(s, !same && 1 - 1 / ratio > LARGE_SHARE ? "; more trials may find one." : ".");
}

/* Ratios of 2 and more are told in times; ahead is the slower's time over the faster's. */
static bool in_times(const struct stats_interval *ahead)
{
	return ahead->estimate > 2;
}

/* "12 % faster than threads", "3.4 times as fast as threads" */
static void say_how_much(struct sentence *s, const struct stats_interval *ahead, const char *than)
{
	double less = 1 - 1 / ahead->estimate;

	if (in_times(ahead))
		sentence_add(s, "%.1f times as fast as %s", ahead->estimate, than);
	else if (less >= 0.0995)
		sentence_add(s, "%.0f %% faster than %s", 100 * less, than);
	else
		sentence_add(s, "%s %% faster than %s", CLAIM_PERCENT(less), than);
}

static void say_between(struct sentence *s, const struct stats_interval *ahead)
{
	if (in_times(ahead))
		sentence_add(s, "95 %% interval %.1f to %.1f", ahead->low, ahead->high);
	else
		sentence_add(s, "95 %% interval %s to %s %%", CLAIM_PERCENT(1 - 1 / ahead->low),
			     CLAIM_PERCENT(1 - 1 / ahead->high));
}

static void say_real(struct sentence *s, const struct model *model, const struct finding_lead *lead)
{
	struct stats_interval ahead = finding_ahead(lead);
	bool same = same_model(model, &lead->next), tiny = 1 - 1 / ahead.estimate < LEAST_SHARE;

	begin(s, model, lead->lead, "is ", "are ");
	say_how_much(s, &ahead, SHORT_NAME(model, finding_second(lead)));
	sentence_add(s, same   ? ", the same model: this machine's noise ("
			: tiny ? ": real ("
			       : ": real on this machine (");
	say_between(s, &ahead);
	sentence_add(s, !same && tiny ? "), and too little to choose by." : ").");
}

static void say_pair(struct sentence *s, const struct model *model, const struct finding_lead *lead)
{
	if (isnan(lead->next.ratio.estimate))
		verdict_no_pair(s, model);
	else if (lead->sure == FINDING_FEW)
		say_so_far(s, model, lead);
	else if (lead->sure == FINDING_NONE)
		say_none(s, model, &lead->next);
	else
		say_real(s, model, lead);
}

/* More cases */

/* "9.1 % faster than hybrid (real), no difference above 3.1 % to processes" */
static void say_each(struct sentence *s, const struct model *model, const struct finding_lead *lead)
{
	for (uint32_t i = 0; i < lead->others; i++) {
		const struct model_comparison *c = &lead->other[i];
		const char *name = SHORT_NAME(model, c->b);

		sentence_add(s, i > 0 ? ", " : ": ");
		if (c->verdict == STATS_A) {
			say_how_much(s, &c->ratio, name);
			sentence_add(s, " (real)");
		} else if (c->verdict == STATS_NONE) {
			sentence_add(s, "no difference above %s to %s",
				     CLAIM_EXCLUDED(finding_excluded(&c->ratio)), name);
		} else {
			sentence_add(s, "not decided against %s", name);
		}
	}
}

static void say_counts(struct sentence *s, const struct finding_lead *lead)
{
	uint32_t rest = lead->others - lead->real - lead->open;

	sentence_add(s, ": faster than %u of the %u others (real)", lead->real, lead->others);
	if (rest > 0)
		sentence_add(s, ", no difference above %s to %u", CLAIM_EXCLUDED(lead->excluded),
			     rest);
	if (lead->open > 0)
		sentence_add(s, ", not decided against %u", lead->open);
}

/* Nothing is real about the one that took least; what is among the others is said too. */
static void say_no_lead(struct sentence *s, const struct model *model,
			const struct finding_lead *lead)
{
	sentence_add(s,
		     "No difference found between %s and any of the %u others: one above %s is "
		     "excluded.",
		     SHORT_NAME(model, lead->lead), lead->others, CLAIM_EXCLUDED(lead->excluded));
	if (lead->all_real > 0)
		sentence_add(s, " Among the others %u difference%s real.", lead->all_real,
			     lead->all_real == 1 ? " is" : "s are");
}

/* "Threads lead", or, where one of the others may be as fast, "Threads" */
static void say_leader(struct sentence *s, const struct model *model,
		       const struct finding_lead *lead)
{
	size_t start = s->used;

	if (lead->sure == FINDING_REAL) {
		begin(s, model, lead->lead, "leads", "lead");
		return;
	}
	sentence_add(s, "%s", SHORT_NAME(model, lead->lead));
	if (!one_model(model))
		sentence_begin(s, start);
}

static void say_several(struct sentence *s, const struct model *model,
			const struct finding_lead *lead)
{
	if (lead->pairs == 0) {
		verdict_no_pair(s, model);
		return;
	}
	if (lead->real == 0 && lead->open == 0) {
		say_no_lead(s, model, lead);
		return;
	}
	if (lead->real == 0) {
		begin(s, model, lead->lead, "took", "took");
		sentence_add(s, " less than the %u others so far", lead->others);
	} else {
		say_leader(s, model, lead);
		if (lead->others <= FINDING_OTHERS)
			say_each(s, model, lead);
		else
			say_counts(s, lead);
	}
	sentence_add(s, ".");
	if (lead->open == 0)
		return;
	sentence_add(s, " ");
	verdict_progress(s, &lead->progress);
}

/* All that was found */

static void say_finding(struct sentence *s, const struct model *model,
			const struct finding *finding)
{
	if (finding->kind == FINDING_FAILED)
		say_failed(s, model, finding);
	else if (finding->kind == FINDING_UNPAIRED)
		sentence_add(s, "One model alone: nothing to compare at the same value.");
	else if (finding->kind == FINDING_SWEEP)
		verdict_sweep(s, model, finding);
	else if (model_has_latency(model))
		verdict_creation(s, model, finding, VERDICT_WHOLE);
	else if (finding->kind == FINDING_ALONE)
		say_alone(s, model, finding->case_id);
	else if (finding->first + 1 == finding->last)
		say_pair(s, model, &finding->lead);
	else
		say_several(s, model, &finding->lead);
}

/* "Threads @laptop took 1.34 of the time of threads @desktop: medians of two recordings …" */
static void say_recording(struct sentence *s, const struct model *model,
			  const struct model_comparison *c)
{
	if (c->a == c->b || isnan(c->ratio.estimate))
		return;
	begin(s, model, c->b, "took", "took");
	sentence_add(s, " %.2f of ", c->ratio.estimate);
	say_time_of(s, model, c->a);
	sentence_add(s, ": medians of recordings apart, no interval. ");
}

/* The comparison of recordings comes first, then what each found by itself. */
static void say_whole(struct sentence *s, const struct finding_list *list)
{
	const struct model *model = list->model;

	if (list->n == 0)
		sentence_add(s, "Nothing has been measured yet.");
	for (uint32_t i = 0; i < list->n; i++)
		say_recording(s, model, &list->list[i].to_first);
	if (model->n_origins > 0 && model_sweeps(model)) {
		sentence_add(s, "What each recording found by itself is in the results.");
		return;
	}
	for (uint32_t i = 0; i < list->n; i++) {
		sentence_add(s, i > 0 ? " " : "");
		say_finding(s, model, &list->list[i]);
		if (list->list[i].kind == FINDING_UNPAIRED)
			break;
	}
}

/* Short sentences */

/* The runner-up is not certainly slower, and that is decided. */
static bool is_shared(const struct finding_lead *lead)
{
	return lead->next.verdict == STATS_NONE;
}

static void say_short(struct sentence *s, const struct model *model,
		      const struct finding_lead *lead)
{
	struct stats_interval ahead = finding_ahead(lead);
	const char *second = SHORT_NAME(model, finding_second(lead));
	bool real = lead->next.verdict == STATS_A || lead->next.verdict == STATS_B;

	if (is_shared(lead)) {
		sentence_add(s, "No difference above %s between %s and %s.",
			     CLAIM_EXCLUDED(finding_excluded(&ahead)),
			     SHORT_NAME(model, lead->lead), second);
		return;
	}
	begin(s, model, lead->lead, "is ", "are ");
	say_how_much(s, &ahead, second);
	sentence_add(s, " (%s).", real ? "real" : "so far");
}

static void say_ahead(struct sentence *s, double ratio, bool real)
{
	if (ratio < 1.095)
		sentence_add(s, " ahead, %sx", CLAIM_RATIO(ratio));
	else
		sentence_add(s, " ahead, %.2gx", ratio);
	sentence_add(s, real ? " (real)" : " (so far)");
}

static void say_least(struct sentence *s, const struct model *model,
		      const struct finding_lead *lead)
{
	bool real = lead->next.verdict == STATS_A || lead->next.verdict == STATS_B;

	sentence_add(s, "%s", SHORT_NAME(model, lead->lead));
	if (is_shared(lead))
		sentence_add(s, " ahead of %u of %u (real)", lead->real, lead->others);
	else
		say_ahead(s, finding_ahead(lead).estimate, real);
}

static void say_fewer(struct sentence *s, const struct model *model,
		      const struct finding_lead *lead, enum verdict_length length)
{
	if (lead->pairs == 0 || isnan(lead->next.ratio.estimate))
		return;
	if (lead->real == 0 && lead->open == 0)
		sentence_add(s,
			     length == VERDICT_SHORT ? "No difference above %s."
						     : "no difference above %s",
			     CLAIM_EXCLUDED(lead->excluded));
	else if (length == VERDICT_SHORT)
		say_short(s, model, lead);
	else
		say_least(s, model, lead);
}

/* Short forms exist only for comparisons within one session. */
static void say_in_fewer_words(struct sentence *s, const struct finding_list *list,
			       enum verdict_length length)
{
	const struct model *model = list->model;
	enum finding_kind kind = list->n ? list->list[0].kind : FINDING_FAILED;

	if (model->n_origins > 0)
		return;
	if (kind == FINDING_LEAD && model_has_latency(model))
		verdict_creation(s, model, list->list, length);
	else if (kind == FINDING_LEAD)
		say_fewer(s, model, &list->list->lead, length);
	else if (length == VERDICT_LEAST && (kind == FINDING_SWEEP || kind == FINDING_UNPAIRED))
		verdict_sweep_least(s, list);
}

char *verdict_of(const struct finding_list *list, enum verdict_length length, char *buf,
		 size_t size)
{
	struct sentence s = {buf, size, 0};

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (length != VERDICT_WHOLE)
		say_in_fewer_words(&s, list, length);
	else if (list->err)
		sentence_add(&s, "Too little memory to compare.");
	else
		say_whole(&s, list);
	return buf;
}

char *verdict_read(const struct model *model, char *buf, size_t size)
{
	struct finding_list list;

	finding_list_read(&list, model);
	verdict_of(&list, VERDICT_WHOLE, buf, size);
	finding_list_free(&list);
	return buf;
}
